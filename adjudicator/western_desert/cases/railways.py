"""Runner of the form works (CASE-FORMS 6), as far as railroads go: breaking, repairing, building the line of WD 7.D."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from adjudicator.engine.casecheck import Found, NotBuilt
from adjudicator.engine.core import Ctx, Order, Proc, Tree
from adjudicator.western_desert import hexes
from adjudicator.western_desert.apply import mp_points
from adjudicator.western_desert.board import Board
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.core import Case, Record, as_record, as_records, form
from adjudicator.western_desert.cases.drive import context, dice_of, drive
from adjudicator.western_desert.cases.walks import problems_of, set_moment, side_of
from adjudicator.western_desert.charts import charts_of
from adjudicator.western_desert.initial import build_railroad
from adjudicator.western_desert.movement import movement_phase
from adjudicator.western_desert.railworks import BUILDER, railhead, worker
from adjudicator.western_desert.state import State, other

LINE = "line"
HALVES = 2
RAIL_ORDERS = ("break_rail", "repair", "extend_rail")


@form("works")
def run_works(case: Case) -> Found:
    """Engineers and other units build, repair, destroy."""
    kinds = {str(record.get("order")) for record in case.orders}
    others = [kind for kind in sorted(kinds) if kind not in RAIL_ORDERS]
    others += [f"repair of the {r['what']}" for r in case.orders if r.get("order") == "repair" and r["what"] != "rail"]
    if others or not kinds:
        raise NotBuilt(f"{others[0] if others else 'a work begun earlier'} of rule 14 is not built in this version")
    return _construction(case) if "railhead" in case.given else _rail_works(case)


# --- breaking and repairing -------------------------------------------------------------------------------------


def _rail_works(case: Case) -> Found:
    """Units in one hex with a railroad work on it, each order by the first unit that can pay."""
    place = as_record(case.given.get("place"))
    board, h = _place(place)
    records = as_records(case.given.get("units"))
    side = side_of(case, records)
    state = build.new_state(board, side, "movement", side)
    set_moment(state, case.given)
    ids: list[str] = []
    for record in records:
        for uid in build.put_all(case, state, [record], h, side):
            build.mp_used(case, record, state, uid)
            ids.append(uid)
    if place.get("broken") is True:
        state.broken.add(h)
    available = sum(worker(state, uid).left2 for uid in ids)
    ctx, verdicts = context(state), []
    for index, record in enumerate(case.orders):
        drive(movement_phase(ctx, side, [_order(state, index, record, ids)], ()), dice_of(case))
        verdicts.append([problem for problem in ctx.problems if problem.order == index])
    done = [event.data for event in ctx.events if event.kind in ("rail-broken", "rail-repaired")]
    values: dict[str, object] = {
        "mp": Fraction(sum(mp_points(str(data["mp"])) for data in done), HALVES),
        "needed": Fraction(_cost2(state, case.orders[0]), HALVES),
        "available": Fraction(available, HALVES),
        "removed": sum(event.kind == "rail-repaired" for event in ctx.events),
    }
    return Found(values, verdicts)


def _cost2(state: State, record: Record) -> int:
    charts = charts_of(state.world)
    return charts.misc2["break_rail"] if record.get("order") == "break_rail" else charts.repair2["rail"]


def _place(place: Record) -> tuple[Board, int]:
    if "name" in place:
        board = build.real_world().board
        return board, build.find_hex(board, str(place["name"]))
    board, h = build.mini_board(), build.CENTRE
    build.set_hex(board, h, str(place.get("terrain", "clear")))
    build.set_line(board, str(place.get("line", "")), h, hexes.neighbours(h)[0])
    return board, h


def _order(state: State, index: int, record: Record, ids: Sequence[str]) -> Order:
    """The order of the unit named, else of the first that can pay."""
    able = [uid for uid in ids if worker(state, uid).left2 >= _cost2(state, record)]
    data: dict[str, Tree] = {"unit": str(record.get("unit") or (able or ids)[0])}
    if "what" in record:
        data["what"] = str(record["what"])
    return Order(index, str(record["order"]), data)


# --- the line from Matruh (WD 7.D) ------------------------------------------------------------------------------


def _construction(case: Case) -> Found:
    """The railhead and the hex beyond it: on the real map, or on a strip with a terminal behind the railhead."""
    row = as_record(case.given.get("railhead"))
    at, beyond = str(row["at"]), str(row["next"])
    board = build.real_world().board if "/" in at else _strip(at, beyond, str(row.get("supplied", "both")))
    state = build.new_state(board, BUILDER, "initial", BUILDER)
    state.world = replace(state.world, scenario={"railhead": {"hex": at}})
    set_moment(state, case.given)
    for key, around in as_record(row.get("enemy_next_to")).items():
        build.put_all(case, state, as_records(around), _free(board, build.find_hex(board, key)), other(BUILDER))
    if row.get("controlled") == "at_only":
        state.control[build.find_hex(board, beyond)] = other(BUILDER)
    orders = [Order(index, str(record["order"]), {}) for index, record in enumerate(case.orders)]
    ctx = context(state)
    drive(_building(ctx, str(case.given.get("player", BUILDER)), orders), dice_of(case))
    head = railhead(state)
    return Found({"railhead": board.name(head.at) if head else ""}, problems_of(ctx, orders))


def _building(ctx: Ctx[State], side: str, orders: Sequence[Order]) -> Proc[None]:
    build_railroad(ctx, side, orders, (), ())
    yield from ()


def _strip(at: str, beyond: str, supplied: str) -> Board:
    """A terminal, the railhead, the next hex; where that is not in supply no line leads into it overland."""
    chain = [hexes.code(20 + i, 10) for i in range(3)]
    board = Board(dict.fromkeys(chain, build.CLEAR))
    board.names = dict(zip(chain, ("terminal", at, beyond), strict=True))
    board.land[chain[0]] = build.CLEAR._replace(terminal=BUILDER)
    board.land[_side_hex(chain[1], chain)] = build.CLEAR
    build.set_line(board, "rail", chain[0], chain[1])
    board.unbuilt[LINE] = (chain[1], chain[2])
    if supplied == "at_only":
        build.set_side(board, chain[2], chain[1], "impassable")
    return board


def _side_hex(h: int, chain: Sequence[int]) -> int:
    """A hex beside the railhead that touches neither the terminal nor the next hex."""
    away = [c for c in chain if c != h]
    return next(n for n in hexes.neighbours(h) if n not in away and not any(hexes.adjacent(n, c) for c in away))


def _free(board: Board, h: int) -> int:
    return next(n for n in hexes.neighbours(h) if n in board.land and not board.names.get(n))


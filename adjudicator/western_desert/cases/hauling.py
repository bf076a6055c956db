"""Runner of the form supply_counter (CASE-FORMS 6): supply counters are moved, split, merged, destroyed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from adjudicator.engine.casecheck import Found, as_number
from adjudicator.engine.core import Order, Problem, Tree
from adjudicator.western_desert.apply import mp_points
from adjudicator.western_desert.cases.build import find_hex, new_state, real_world, strip_board
from adjudicator.western_desert.cases.core import Case, Record, as_records, as_texts, form
from adjudicator.western_desert.cases.drive import context, dice_of, drive
from adjudicator.western_desert.cases.walks import Strip, draw_step, expand, link_city, set_moment
from adjudicator.western_desert.haul import smp_left2
from adjudicator.western_desert.movement import movement_phase
from adjudicator.western_desert.state import State, Supply

ENOUGH = 1000
HALVES = 2


@form("supply_counter")
def run_supply_counter(case: Case) -> Found:
    """Supply counters moved, merged, split, destroyed; each order on its own board, the SMPs of all together."""
    spent2, found = 0, Found()
    each: list[Fraction] = []
    strip = _strip(case, case.given.get("path"), spent2)
    for index, record in enumerate(_orders(case)):
        if "path" in record or "from" in record:
            strip = _own_board(case, record, spent2)
        verdict, smp = _run(case, strip, index, record)
        found.verdicts.append(verdict)
        each.append(smp)
        spent2 = strip.state.smp2
    state = strip.state
    found.values |= {
        "smp": sum(each, Fraction(0)),
        "smp_each": each,
        "smp_left": Fraction(smp_left2(state, strip.side), HALVES),
        "steps": _steps(strip),
    }
    return found


def _steps(strip: Strip) -> list[int]:
    """The counters where they lay, else where the last of them went."""
    supply = [strip.state.supply[sid] for sid in sorted(strip.state.supply)]
    here = [counter.steps for counter in supply if counter.hex == strip.path[0]]
    return here or [counter.steps for counter in supply if counter.hex == strip.path[-1]]


def _orders(case: Case) -> list[Record]:
    if case.orders or "path" not in case.given:
        return case.orders
    first = as_records(case.given.get("counters"))[0]
    return [{"order": "supply_move", "counters": [first["id"]]}]


def _side(case: Case) -> str:
    first = as_records(case.given.get("counters"))[0]
    return str(first.get("owner") or case.given.get("player") or "allied")


def _strip(case: Case, steps: object, spent2: int) -> Strip:
    """The strip of a case or of one of its orders, the counters in its first hex."""
    records = expand(steps) or [{}]
    board, path = strip_board(len(records))
    side = _side(case)
    state = new_state(board, player=side, phase="movement", owner=side)
    strip = Strip(state, path, records, side)
    for index, step in enumerate(records):
        draw_step(case, strip, index, step)
    _settle(case, state, spent2)
    link_city(strip, str(case.given.get("rail_city", "open")))
    _counters(case, state, path[0])
    return strip


def _own_board(case: Case, record: Record, spent2: int) -> Strip:
    """An order with a path of its own, or one on the real map, which then belongs to the owner."""
    if "path" in record:
        return _strip(case, record["path"], spent2)
    board, side = real_world().board, _side(case)
    state = new_state(board, player=side, phase="movement", owner=side)
    start = find_hex(board, str(record["from"]))
    _settle(case, state, spent2)
    _counters(case, state, start)
    return Strip(state, [start, find_hex(board, str(record["to"]))], [], side)


def _settle(case: Case, state: State, spent2: int) -> None:
    set_moment(state, case.given)
    points = as_number(case.given.get("smp"))
    smp: list[Mapping[str, object]] = [
        {"side": side, "points": str(ENOUGH if points is None else int(points))} for side in ("allied", "axis")
    ]
    state.world = replace(state.world, scenario={"smp": smp})
    state.smp2 = spent2


def _counters(case: Case, state: State, h: int) -> None:
    for record in as_records(case.given.get("counters")):
        owner = str(record.get("owner") or _side(case))
        state.supply[str(record["id"])] = Supply(h, owner, int(str(record.get("steps", 1))))


def _run(case: Case, strip: Strip, index: int, record: Record) -> tuple[list[Problem], Fraction]:
    """One order through the phase, with its problems and what it cost."""
    ctx = context(strip.state)
    order = Order(index, str(record.get("order")), _data(strip, record))
    drive(movement_phase(ctx, strip.state.player, [order], ()), dice_of(case))
    moved = [str(event.data["smp"]) for event in ctx.events if event.kind == "supply-moved"]
    return [p for p in ctx.problems if p.order == index], Fraction(sum(map(mp_points, moved)), HALVES)


def _data(strip: Strip, record: Record) -> dict[str, Tree]:
    data: dict[str, Tree] = {"counters": _texts(as_texts(record.get("counters")) or as_texts(record.get("counter")))}
    if record.get("order") != "supply_move":
        return data
    name = strip.state.board.name
    if not strip.steps:
        return {**data, "to": name(strip.path[-1]), "by": str(record.get("by", ""))}
    by = [str(step.get("by") or record.get("by") or "foot") for step in strip.steps[1:]]
    return {**data, "path": _texts([name(h) for h in strip.path[1:]]), "by": _texts(by)}


def _texts(found: Sequence[str]) -> list[Tree]:
    return list(found)

"""Runners of the forms of movement, control and stacking (CASE-FORMS 6): move, stack, zoc, control."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adjudicator.engine.casecheck import Found
from adjudicator.engine.core import Ctx, Order, Problem, Tree
from adjudicator.western_desert import hexes, stacking
from adjudicator.western_desert.bases import base_features
from adjudicator.western_desert.board import Board
from adjudicator.western_desert.cases import (  # noqa: F401  (they register their forms)
    announcing,
    calendars,
    engineers,
    harbours,
    hauling,
    lookups,
    openings,
    overrunning,
    permits,
    regrouping,
    replacing,
    scores,
    special_tables,
    supplying,
    theatre_permits,
    theatre_scores,
    voyages,
)
from adjudicator.western_desert.cases.aircraft import craft_from_record
from adjudicator.western_desert.cases.build import (
    CENTRE,
    find_hex,
    full_record,
    mini_board,
    new_state,
    put,
    put_all,
    real_world,
    set_features,
    set_hex,
    set_side,
    unit_from_record,
)
from adjudicator.western_desert.cases.core import Case, Record, as_record, as_records, as_texts, form
from adjudicator.western_desert.cases.drive import context, dice_of, drive
from adjudicator.western_desert.cases.embarking import by_ship, run_embarked
from adjudicator.western_desert.cases.walks import Strip, found_of, put_supply, set_moment, side_of, strip_of
from adjudicator.western_desert.charts import charts_of
from adjudicator.western_desert.control import region_holder, settle
from adjudicator.western_desert.eligible import may_move
from adjudicator.western_desert.movement import movement_phase, walk_leg
from adjudicator.western_desert.mover import ADMIN, CARRIED, NORMAL, Mover, mover_of
from adjudicator.western_desert.moves import plan
from adjudicator.western_desert.rail import most_hexes, rail_net, rail_problems
from adjudicator.western_desert.reach import Searches
from adjudicator.western_desert.state import ENEMY, WRECK, Air, State
from adjudicator.western_desert.walk import walk

CENTRE_NAME = "A"

# --- move -------------------------------------------------------------------------------------------------------


@form("move")
def run_move(case: Case) -> Found:
    """One unit or stack walks a strip."""
    strip = strip_of(case)
    if by_ship(strip):
        return run_embarked(case, strip)
    mode = str(case.given.get("mode", NORMAL))
    orders = _orders(case, strip, mode)
    figures = _move_figures(strip, mode)
    ctx = context(strip.state)
    drive(movement_phase(ctx, strip.state.player, orders, ()), dice_of(case))
    found = found_of(ctx, orders)
    held = strip.state.theatre.vichy
    found.values.update(figures | {"vichy_held_by": held or "none", "levant_invaded": bool(held)})
    return found


def _orders(case: Case, strip: Strip, mode: str) -> list[Order]:
    made = []
    for index, record in enumerate(case.orders or [{"order": "move"}]):
        if record.get("order") == "break_rail":
            made.append(Order(index, "break_rail", {"unit": strip.ids[0]}))
            continue
        made.append(strip.order(index, mode, as_texts(record.get("units")) or as_texts(record.get("unit"))))
    return made


def _movers(strip: Strip, mode: str) -> list[Mover]:
    if mode == CARRIED and strip.transport:
        return [mover_of(strip.state, strip.transport, CARRIED, strip.ids)]
    return [mover_of(strip.state, uid, mode) for uid in strip.ids]


def _move_figures(strip: Strip, mode: str) -> dict[str, object]:
    """What the rules say of the walk, for the dearest of the movers."""
    state = strip.state
    searches, order = Searches(state, strip.side), strip.order(0, mode)
    means = [str(step) for step in order.texts("by")]
    lawful = [mode if mode != ADMIN or not _mode_problems(strip) else NORMAL][0]
    movers = _movers(strip, lawful)
    walks = [walk(searches.field, mover, strip.path[1:], means) for mover in movers]
    return {
        "mp": max(found.cost2 for found in walks) / 2,
        "steps": min(_entered(searches, mover, strip.path[1:], means) for mover in movers),
        "available": min(mover.left2 for mover in movers) / 2,
        "allowance": min((m.left2 for m in movers), default=0) // 2 if lawful == ADMIN else 0,
        "max_rail": min(_most_rail(strip, mover) for mover in movers),
    }


def _most_rail(strip: Strip, mover: Mover) -> int:
    """The most rail hexes within the points of a mover; none where the side or the phase has no rail movement."""
    state = strip.state
    rides = any(step.get("by") == "rail" for step in strip.steps)
    if rides and (state.phase != "movement" or not rail_net(state, strip.side).has_city):
        return 0
    return most_hexes(charts_of(state.world), mover.rating, mover.left2)


def _mode_problems(strip: Strip) -> list[Problem]:
    return [
        p for uid in strip.ids for p in may_move(strip.state, strip.side, uid, ADMIN) if p.rule.startswith("WD 6.B")
    ]


def _entered(searches: Searches, mover: Mover, path: Sequence[int], means: Sequence[str]) -> int:
    """Hexes entered before the first fault of the way: as far as it is lawful by itself."""
    return next((n for n in range(len(path), 0, -1) if walk(searches.field, mover, path[:n], means[:n]).legal), 0)


# --- stack ------------------------------------------------------------------------------------------------------


@form("stack")
def run_stack(case: Case) -> Found:
    """Does a hex obey the stacking rules at the end of a phase."""
    given = case.given
    records = as_records(given.get("units"))
    side = side_of(case, records)
    state = new_state(mini_board(), player=side, owner=side)
    set_moment(state, given)
    ids = put_all(case, state, records, CENTRE, side)
    put_supply(state, CENTRE, side, 0)
    for number in range(int(str(given.get("supply_counters", 0)))):
        put_supply(state, CENTRE, side, 1, f"S{number}")
    for uid in ids[len(ids) - int(str(given.get("leave_later", 0))) :]:
        state.take_off(uid, "left")
    judged = given.get("when", "phase_end") == "phase_end" or "leave_later" in given
    problems = stacking.end_problems(state, CENTRE, side, state.phase) if judged else []
    return Found({"counted": stacking.count_at(state, CENTRE, side).places}, [problems])


# --- zoc --------------------------------------------------------------------------------------------------------


@form("zoc")
def run_zoc(case: Case) -> Found:
    """Where does a unit exert a zone of control; each unit is judged alone."""
    records = as_records(case.given.get("units"))
    reached: list[list[int]] = []
    at, asked = CENTRE, None
    for record in records:
        full = full_record(case, record)
        for unit in unit_from_record(case, record, str(case.given.get("player", "allied"))):
            state, at, asked = _zoc_board(case)
            put(state, unit, at, full)
            reached.append(sorted(state.zones.get(unit.side, {})))
    names = [real_name(case, h) for h in reached[0]]
    zoc = [asked in found if asked is not None else bool(found) for found in reached]
    return Found({"zoc": zoc, "hexes": names, "own_hex": any(at in found for found in reached)})


def _zoc_board(case: Case) -> tuple[State, int, int | None]:
    """The hex of the unit on its board, and the neighbour asked about."""
    at = str(case.given.get("at", CENTRE_NAME))
    into = as_record(case.given.get("into"))
    if at != CENTRE_NAME and case.given.get("neighbours") != "plain":
        real = real_world().board
        if not into:
            return new_state(real), find_hex(real, at), None
        h, board = find_hex(real, at), replace(real, land=dict(real.land), sides=dict(real.sides), _open={})
        return _ask_into(board, h, into)
    h = find_hex(real_world().board, at) if at != CENTRE_NAME else CENTRE
    board = Board(dict.fromkeys(hexes.within(h, 2), mini_board().land[CENTRE]))
    if not into:
        return new_state(board, owner="allied"), h, None
    return _ask_into(board, h, into)


def _ask_into(board: Board, h: int, into: Record) -> tuple[State, int, int | None]:
    """The neighbour that is asked about, as the case has it."""
    asked = hexes.neighbours(h)[0]
    set_hex(board, asked, str(into.get("terrain", "clear")), as_texts(into.get("features")))
    set_side(board, h, asked, str(into.get("hexside", "")))
    return new_state(board, owner="allied"), h, asked


def real_name(case: Case, h: int) -> str:
    """The number of a hex, in the count of the sheet that the case speaks of."""
    sheet = str(case.given.get("at", ""))[:3]
    return next((name for name in hexes.names(h) if name.startswith(sheet)), hexes.name(h))


# --- control ----------------------------------------------------------------------------------------------------


@form("control")
def run_control(case: Case) -> Found:
    """Who controls a hex or region after an event, and what changes with it."""
    return _region_control(case) if "region" in case.given else _hex_control(case)


def _region_control(case: Case) -> Found:
    """Cities of a region on a board of their own; the region is a name in their hexes."""
    region = str(case.given["region"])
    held = {side: int(str(count)) for side, count in as_record(case.given.get("cities")).items()}
    board = mini_board(5)
    state = new_state(board, owner=str(case.given.get("other_hexes", "")))
    places = iter(sorted(board.land))
    for side, count in held.items():
        for _city in range(count):
            h = next(places)
            set_hex(board, h, features=["dot_city"], regions=(region,))
            state.control[h] = side
    for h in places:
        set_hex(board, h, regions=(region,))
    holder = region_holder(state, region)
    return Found({"controls": {side: holder == side for side in ("allied", "axis")}})


def _hex_control(case: Case) -> Found:
    given = case.given
    owner = str(given.get("owner", "allied"))
    features = as_texts(given.get("features"))
    state, h = _control_board(str(given.get("at", CENTRE_NAME)), owner, features)
    put_supply(state, h, owner, int(str(given.get("supply", 0))))
    for side, reaches in as_record(given.get("zoc")).items():
        if reaches is True:
            state.overlay_zoc.setdefault(side, set()).add(h)
    fliers = _base(case, state, h, owner)
    if given.get("cruiser") is True:
        put(state, real_world().units[WRECK], h)
    ctx = context(state)
    came = [key for key in ("enters", "passes") if key in given]
    for key in came:
        for record in as_records(given[key]):
            _come(case, ctx, h, key, record)
    beside = [_beside(case, state, h, record) for record in as_records(given.get("adjacent"))]
    if beside or not came:
        settle(ctx, [h, *beside])
    found = found_of(ctx, [Order(0, "move", {})])
    found.values.update(_control_values(state, h))
    found.values["cruiser"] = WRECK in state.pieces
    found.values["air_states"] = [_air_state(ctx, aid) for aid in fliers]
    return found


def _base(case: Case, state: State, h: int, owner: str) -> list[str]:
    """Air units at the base of the hex, and another base of their side at the distance that the case tells."""
    records = as_records(case.given.get("air"))
    if "nearest_base" in case.given:
        away = int(str(case.given["nearest_base"]))
        haven = next(n for n in sorted(state.board.land) if hexes.distance(h, n) == away)
        state.airfields[haven] = state.control[haven] = owner
    for record in records:
        aid = str(record["id"])
        state.world.cache[("craft", aid)] = craft_from_record(record, side=owner)
        state.air[aid] = Air(h, record.get("state") != "inoperative")
    return [str(record["id"]) for record in records]


def _air_state(ctx: Ctx[State], aid: str) -> str:
    """What has become of an air unit at the base: escaped, eliminated, else it is still there."""
    tried = [str(e.data["result"]) for e in ctx.events if e.kind == "air-escape" and e.data["air"] == aid]
    return "eliminated" if aid not in ctx.state.air else tried[0] if tried else "remains"


def _control_board(at: str, owner: str, features: list[str]) -> tuple[State, int]:
    """A small board around A, or the real map; every hex belongs to the controller before."""
    if at == CENTRE_NAME:
        board, h = mini_board(), CENTRE
        set_hex(board, h, features=features)
    else:
        real = real_world().board
        board, h = replace(real, land=dict(real.land)), find_hex(real, at)
        if "fortress" in features or "unimproved_fortress" in features:
            board.land[h] = board.land[h]._replace(fortress=True)
    state = new_state(board, owner=owner)
    set_features(state, h, features, owner)
    return state, h


def _come(case: Case, ctx: Ctx[State], h: int, key: str, record: Record) -> None:
    """Let units enter the hex or pass through it by the rules of movement."""
    state, board = ctx.state, ctx.state.board
    near = [n for n in board.open_neighbours(h) if board.passable(n, h)]
    side = side_of(case, [record])
    for uid in put_all(case, state, [record], near[0], side):
        state.player = side
        way = {"enters": [h], "passes": [h, near[-1]]}[key]
        path: list[Tree] = [board.name(n) for n in way]
        made = plan(Searches(state, side), side, Order(0, "move", {"unit": uid, "path": path, "by": "foot"}))
        if made.problems:
            raise ValueError(f"{case.id}: {made.problems[0].text}")
        for leg in made.legs:
            drive(walk_leg(ctx, leg, ()), dice_of(case))


def _beside(case: Case, state: State, h: int, record: Record) -> int:
    """Put units next to the hex, the two sides on either side of it."""
    near = [n for n in state.board.open_neighbours(h) if state.board.passable(n, h)]
    side = state.player = side_of(case, [record])
    place = near[0] if not state.enemy_in(near[0], side) else near[len(near) // 2]
    put_all(case, state, [record], place, side)
    return place


def _control_values(state: State, h: int) -> dict[str, object]:
    around = {state.owner(n) for n in hexes.neighbours(h) if n in state.board.land and n not in state.at}
    owner = state.owner(h)
    barred = rail_problems(state, owner, [h], []) if owner in ENEMY else []
    return {
        "owner": owner,
        "neighbours_owner": around.pop() if len(around) == 1 else "mixed",
        "fortress": state.fortress(h),
        "fort": "present" if h in state.forts else "none",
        "airbase_owner": owner if base_features(state, h) else "none",
        "rail_usable": not any(problem.rule == "WD 7.A.control" for problem in barred),
    }

"""Breaking and repairing railroads, and building the line from Matruh (WD 7.C, 7.D, 14.A.repair)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from adjudicator.engine.core import Order, Problem
from adjudicator.western_desert.apply import mp_text
from adjudicator.western_desert.charts import charts_of
from adjudicator.western_desert.eligible import may_move
from adjudicator.western_desert.graph import graph_of
from adjudicator.western_desert.hexes import neighbours
from adjudicator.western_desert.mover import CARRIED, NORMAL, Mover, mover_of
from adjudicator.western_desert.retreating import DISARRAY_NATIONS, DISARRAY_TURN
from adjudicator.western_desert.standing import hex_in
from adjudicator.western_desert.state import State, turn_name, turn_number
from adjudicator.western_desert.supply import net
from adjudicator.western_desert.world import text

BUILDER = "allied"
FIRST_TURN = "Aug II 41"  # WD 7.D
ENGINEERS = "construction_engineer"
RAIL = "rail"


class Work(NamedTuple):
    """What an order of rail work comes to: who pays how much where, or problems."""

    mover: Mover | None
    hex: int
    cost2: int
    problems: list[Problem]


def worker(state: State, uid: str) -> Mover:
    """The mover that pays for the work of a unit: the unit, or the transport counter it moves with in this phase."""
    carrier = state.pieces[uid].carrier
    if not carrier:
        return mover_of(state, uid)
    load = [u for u, piece in sorted(state.pieces.items()) if piece.carrier == carrier and u != carrier]
    return mover_of(state, carrier, CARRIED, load)


def plan_break(state: State, side: str, order: Order) -> Work:
    """Any unit breaks the railroad in its hex for 3 MPs (WD 7.C)."""
    uid = order.text("unit")
    found = _worker_problems(state, side, uid, order, "WD 7.C")
    if found:
        return Work(None, -1, 0, found)
    h, unit = state.hex_of(uid), state.unit(uid)
    if unit.counter:
        text_ = f"{unit.short or uid} is no unit that breaks railroads"
        found.append(Problem("counter", "WD 7.C", text_, "let a unit do it", field="unit"))
    if state.turn == DISARRAY_TURN and unit.nat in DISARRAY_NATIONS:
        text_ = f"{unit.short or uid} is Italian; Italian units break no railroads on {turn_name(state.turn)}"
        found.append(Problem("disarray", "WD 28.A.3.turn", text_, "break it later", field="unit"))
    found += _line_problems(state, h, broken=False)
    return _paid(state, uid, "WD 7.C", charts_of(state.world).misc2["break_rail"], found)


def plan_repair(state: State, side: str, order: Order) -> Work:
    """A construction engineer repairs the railroad in its hex for 4 MPs; supply is not needed (ruling ENG-SUPPLY)."""
    what, uid = order.text("what"), order.text("unit")
    if what != RAIL:
        text_ = f"repairs of {what or 'anything'} but railroads are not built in this version"
        return Work(None, -1, 0, [Problem("unbuilt", "WD 14.A.repair", text_, "what: rail", field="what")])
    found = _worker_problems(state, side, uid, order, "WD 14.A.repair")
    if found:
        return Work(None, -1, 0, found)
    if state.unit(uid).type != ENGINEERS:
        text_ = f"{state.unit(uid).short or uid} is no construction engineer"
        found.append(Problem("engineer", "WD 7.C.repair", text_, "let construction engineers do it", field="unit"))
    found += _line_problems(state, state.hex_of(uid), broken=True)
    return _paid(state, uid, "WD 14.A.repair", charts_of(state.world).repair2[RAIL], found)


def _worker_problems(state: State, side: str, uid: str, order: Order, rule: str) -> list[Problem]:
    mode = CARRIED if uid in state.pieces and state.pieces[uid].carrier else NORMAL
    found = may_move(state, side, uid, mode)
    named = order.text("hex")
    if not found and named and hex_in(state, named) != state.hex_of(uid):
        here = state.board.name(state.hex_of(uid))
        text_ = f"{state.unit(uid).short or uid} stands in {here}, not in {named}; work is done where the unit stands"
        found.append(Problem("elsewhere", rule, text_, "move it there first", field="hex"))
    return found


def _line_problems(state: State, h: int, broken: bool) -> list[Problem]:
    where = state.board.feature_names(h)
    if not graph_of(state).rail_neighbours(h):
        text_ = f"no railroad lies in {where}"
        road = [Problem("no_road_break", "WD 7.C.no-road-breaks", "roads can't be broken")] if not broken else []
        return [Problem("no_rail", "WD 7.C", text_, "leave the order out"), *(road if state.board.has_road(h) else [])]
    if (h in state.broken) is not broken:
        text_ = f"the railroad in {where} is {'not broken' if broken else 'broken already'}"
        return [Problem("state", "WD 7.C", text_, "leave the order out")]
    return []


def _paid(state: State, uid: str, rule: str, cost2: int, found: list[Problem]) -> Work:
    mover = worker(state, uid)
    if cost2 > mover.left2:
        text_ = f"{mover.name} needs {mp_text(cost2)} MP for the work and has {mp_text(mover.left2)} left"
        found.append(Problem("mp", rule, text_, "move it less before", field="unit"))
    return Work(mover, state.hex_of(uid), cost2, found)


# --- construction (WD 7.D) --------------------------------------------------------------------------------------


class Railhead(NamedTuple):
    """The line under construction: its name, how many hexes are built, the railhead and the hex beyond it."""

    line: str
    built: int
    at: int
    next: int | None


def railhead(state: State) -> Railhead | None:
    """Where the railhead of the scenario stands now; None where the scenario has none."""
    row = state.world.scenario.get("railhead")
    start = hex_in(state, text(row, "hex")) if isinstance(row, dict) else None
    for line, path in sorted(state.board.unbuilt.items()):
        if path and path[0] == start:
            built = state.built.get(line, 0)
            beyond = path[built + 1] if built + 1 < len(path) else None
            return Railhead(line, built, path[built], beyond)
    return None


def extend_problems(state: State, side: str, head: Railhead | None, paid: Iterable[int], done: bool) -> list[Problem]:
    """What bars the next hex of the line. ``paid`` are the hexes of counters that gave general supply in this phase,
    ``done`` is true where a hex was built in it already (WD 7.D.build, 7.D.cond1 to cond3)."""
    rule = "WD 7.D.build"
    if side != BUILDER:
        return [Problem("builder", rule, "only the Allied player builds the railroad", "leave the order out")]
    if head is None or head.next is None:
        return [Problem("no_line", "WD 7.D", "there is no railroad left to build", "leave the order out")]
    found = []
    if state.turn < turn_number(FIRST_TURN):
        text_ = f"building begins on {FIRST_TURN}, this is {turn_name(state.turn)}"
        found.append(Problem("too_early", rule, text_, "wait until then"))
    if state.surprise:
        found.append(Problem("surprise", "WD 28.B.3", "nothing is built in the surprise turn", "leave it out"))
    if done:
        text_ = "one hex is built in an Allied initial phase; turns left out are not made up for"
        found.append(Problem("one_per_turn", rule, text_, "build the next hex next turn"))
    return found + _ground_problems(state, (head.at, head.next), paid)


def _ground_problems(state: State, ground: tuple[int, int], paid: Iterable[int]) -> list[Problem]:
    lines = net(state, BUILDER)
    fed = lines.back_from(sorted(paid), lines.limit)
    found = []
    for h in ground:
        where = state.board.feature_names(h)
        if state.owner(h) != BUILDER:
            text_ = f"the Allies do not control {where}"
            found.append(Problem("not_controlled", "WD 7.D.cond1", text_, "take it first"))
        if h not in lines.near and h not in fed:
            text_ = f"general supply can't be traced to {where}"
            found.append(Problem("no_supply", "WD 7.D.cond2", text_, "open a supply line"))
        near = [uid for n in neighbours(h) for uid in state.enemies_at(n, BUILDER)]
        if near:
            text_ = f"{state.unit(near[0]).short or near[0]} stands next to {where}"
            found.append(Problem("axis_adjacent", "WD 7.D.cond3", text_, "drive it off"))
    return found

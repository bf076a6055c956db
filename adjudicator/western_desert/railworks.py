"""Breaking and repairing railroads, and building the line from Matruh (WD 7.C, 7.D, 14.A.repair)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from adjudicator.engine.core import Order, Problem
from adjudicator.western_desert.charts import charts_of
from adjudicator.western_desert.graph import graph_of
from adjudicator.western_desert.hexes import neighbours
from adjudicator.western_desert.labor import (
    Work,
    disarray_problems,
    engineer_problems,
    one_payer,
    short_problem,
    supply_problems,
    worker_problems,
    workers_named,
)
from adjudicator.western_desert.standing import hex_in
from adjudicator.western_desert.state import State, turn_name, turn_number
from adjudicator.western_desert.supply import net
from adjudicator.western_desert.world import text

BUILDER = "allied"
FIRST_TURN = "Aug II 41"  # WD 7.D
RAIL = "rail"


def plan_break(state: State, side: str, order: Order) -> Work:
    """Any unit breaks the railroad in its hex for 3 MPs (WD 7.C)."""
    made, uid = Work("rail-broken", "WD 7.C"), order.text("unit")
    made.problems += worker_problems(state, side, uid, order, made.rule)
    if made.problems:
        return made
    unit = state.unit(uid)
    if unit.counter:
        text_ = f"{unit.short or uid} is no unit that breaks railroads"
        made.problems.append(Problem("counter", made.rule, text_, "let a unit do it", field="unit"))
    made.problems += disarray_problems(state, uid, "break no railroads")
    made.problems += _line_problems(state, state.hex_of(uid), broken=False)
    return _paid(state, made, uid, order, charts_of(state.world).misc2["break_rail"])


def plan_rail_repair(state: State, side: str, order: Order) -> Work:
    """A construction engineer repairs the railroad in its hex for 4 MPs, in supply or out of it (ruling ENG-SUPPLY).

    WD 7.C.repair, 14.A.repair.
    """
    rule = "WD 14.A.repair"
    made, uid = Work("rail-repaired", "WD 7.C.repair"), order.text("unit")
    if len(workers_named(order)) > 1 or order.text("hits", "1") != "1":
        text_ = "a hex has one break, which one engineer repairs"
        made.problems.append(Problem("one", rule, text_, "name one unit", field="units"))
    uid = uid or next(iter(workers_named(order)), "")
    made.problems += made.problems or worker_problems(state, side, uid, order, rule)
    if made.problems:
        return made
    made.problems += engineer_problems(state, uid, "WD 7.C.repair")
    if state.world.switches.get("repair_needs_supply") == "true":
        made.problems += supply_problems(state, uid, rule)
    made.problems += break_problems(state, state.hex_of(uid))
    return _paid(state, made, uid, order, charts_of(state.world).repair2[RAIL], rule)


def break_problems(state: State, h: int) -> list[Problem]:
    """What keeps the railroad of a hex from being repaired: it is not broken, or there is none (WD 7.C)."""
    return _line_problems(state, h, broken=True)


def _line_problems(state: State, h: int, broken: bool) -> list[Problem]:
    """A railroad that is whole, or broken, lies in the hex; roads can't be broken (WD 7.C, 7.C.no-road-breaks)."""
    where = state.board.feature_names(h)
    if not graph_of(state).rail_neighbours(h):
        text_ = f"no railroad lies in {where}"
        road = [Problem("no_road_break", "WD 7.C.no-road-breaks", "roads can't be broken")] if not broken else []
        return [Problem("no_rail", "WD 7.C", text_, "leave the order out"), *(road if state.board.has_road(h) else [])]
    if (h in state.broken) is not broken:
        text_ = f"the railroad in {where} is {'not broken' if broken else 'broken already'}"
        return [Problem("state", "WD 7.C", text_, "leave the order out")]
    return []


def _paid(state: State, made: Work, uid: str, order: Order, cost2: int, rule: str = "") -> Work:
    """The work with its hex and who pays for it, or the lack of points."""
    payer = one_payer(state, uid, order, cost2)
    if cost2 > payer.mover.left2:
        made.problems.append(short_problem(state, rule or made.rule, [uid], cost2, order))
    made.hex, made.payers = state.hex_of(uid), [payer]
    return made


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
    ``done`` is true where a hex was built in it already (WD 7.D.build)."""
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
    """Control, supply and Axis units at the railhead and at the hex beyond it (WD 7.D.cond1, 7.D.cond2, 7.D.cond3)."""
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

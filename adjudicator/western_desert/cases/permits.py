"""Orders of the form allowed that move supply or destroy works (CASE-FORMS 6): each judged alone at its moment."""

from __future__ import annotations

from dataclasses import replace

from adjudicator.engine.casecheck import Found
from adjudicator.engine.core import Order, Problem, Tree
from adjudicator.western_desert import hexes
from adjudicator.western_desert.board import City
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.core import Case, Record, as_records, as_texts
from adjudicator.western_desert.cases.lookups import permission
from adjudicator.western_desert.cases.walks import set_moment
from adjudicator.western_desert.haul import plan_haul
from adjudicator.western_desert.mover import Field
from adjudicator.western_desert.railworks import plan_break
from adjudicator.western_desert.state import State, Supply
from adjudicator.western_desert.works import plan_work

COUNTER, UNIT = "S1", "U"
POINTS = "30"


def _moment(case: Case, phase: str) -> State:
    """The moment of a case in a hex T with a railroad, a port and an airbase, all of the player."""
    given, board = case.given, build.mini_board()
    player = str(given.get("player", "allied"))
    board.land[build.CENTRE] = build.CLEAR._replace(cities=(City("T", "dot"),), port="standard")
    build.set_line(board, "rail", build.CENTRE, hexes.neighbours(build.CENTRE)[0])
    state = build.new_state(board, player, phase, player)
    set_moment(state, {**given, "phase": given.get("phase", phase)})
    smp = [{"side": side, "points": POINTS} for side in ("allied", "axis")]
    force = {"attack_force": as_texts(given["attack_force"])} if "attack_force" in given else {}
    state.world = replace(state.world, scenario={"smp": smp, **force})
    return state


@permission("supply_move")
def _may_haul(case: Case, record: Record, found: Found) -> list[Problem]:
    """One counter goes one clear hex."""
    state = _moment(case, "movement")
    counter = next(iter(as_records(case.given.get("supply_counters"))), {})
    owner = str(counter.get("owner", state.player))
    state.supply[COUNTER] = Supply(build.CENTRE, owner, int(str(counter.get("steps", 1))))
    to = state.board.name(hexes.neighbours(build.CENTRE)[3])
    return plan_haul(Field(state, state.player), state.player, Order(0, "supply_move", {"to": to}), COUNTER).problems


def _worker(case: Case, record: Record, state: State, plain: Record) -> str:
    """The unit of the case, else a plain one of its nation."""
    told = next(iter(as_records(case.given.get("units"))), plain)
    nation = {"nat": case.given["nat"]} if "nat" in case.given else {}
    uid = str(record.get("unit", UNIT))
    unit = build.unit_from_record(case, {**told, **nation, "n": 1, "id": uid}, state.player)[0]
    build.put(state, unit, build.CENTRE, told)
    return uid


@permission("break_rail")
def _may_break(case: Case, record: Record, found: Found) -> list[Problem]:
    """One unit breaks the railroad in its hex."""
    state = _moment(case, "movement")
    data: dict[str, Tree] = {"unit": _worker(case, record, state, {"printed": 2})}
    return plan_break(state, state.player, Order(0, "break_rail", data)).problems


@permission("demolish_port")
def _may_demolish(case: Case, record: Record, found: Found) -> list[Problem]:
    """A construction engineer puts one hit on the port of its hex."""
    state = _moment(case, "movement")
    engineer = {"type": "construction_engineer", "size": "regiment", "mp": 6, "printed": 1}
    data: dict[str, Tree] = {"unit": _worker(case, record, state, engineer), "hits": "1"}
    return plan_work(state, state.player, Order(0, "demolish_port", data)).problems


@permission("damage_airbase")
def _may_damage(case: Case, record: Record, found: Found) -> list[Problem]:
    """One unit puts one hit on the airbase of its hex."""
    state = _moment(case, "movement")
    data: dict[str, Tree] = {"unit": _worker(case, record, state, {"printed": 2}), "hits": "1"}
    return plan_work(state, state.player, Order(0, "damage_airbase", data)).problems

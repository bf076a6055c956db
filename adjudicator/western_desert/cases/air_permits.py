"""Orders of the form allowed in the air phase and the initial phase (CASE-FORMS 6): each judged alone at its moment."""

from __future__ import annotations

from adjudicator.engine.casecheck import Found
from adjudicator.engine.core import Problem
from adjudicator.western_desert.air.craft import AIRBASE, GROUND_SUPPORT, INTERCEPT, REACTIONS, Craft, Flight
from adjudicator.western_desert.air.missions import (
    AIR_STEP,
    REACTION_STEP,
    Flier,
    Moment,
    Target,
    Wish,
    mission_problems,
)
from adjudicator.western_desert.air.patrol import Entry, Patrol, patrol_problems
from adjudicator.western_desert.air.repair import repair_problems
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.core import Case, Record
from adjudicator.western_desert.cases.lookups import permission
from adjudicator.western_desert.cases.walks import set_moment
from adjudicator.western_desert.orderbook import ELIMINATED
from adjudicator.western_desert.pool import scrap_problems
from adjudicator.western_desert.state import State

FIGHTER = Craft("fighter", "F", attack=5, defense=5, tactical=1, movement=8)
BOMBER = Craft("bomber", "B", defense=3, tactical=3, strategic=3, movement=10)
FITTING = Target(enemy_base=True, enemy_units=True, enemies=True)
"""A target hex with all that an order may need."""


def _state(case: Case, phase: str) -> State:
    state = build.new_state(build.mini_board(), str(case.given.get("player", "allied")), phase)
    set_moment(state, {**case.given, "phase": case.given.get("phase", phase)})
    return state


def _flown(case: Case, record: Record, craft: Craft, mission: str) -> list[Problem]:
    """A mission of the player, or of the one named, in the step of the case, else in the one that fits the mission."""
    state = _state(case, "air")
    step = REACTION_STEP if mission in REACTIONS else AIR_STEP
    phasing = str(record.get("by", state.player)) == state.player
    moment = Moment(str(case.given.get("step", step)), phasing, state.surprise)
    return mission_problems(Flier(craft), Wish(mission, 1), FITTING, moment)


@permission("ground_support")
def _may_support(case: Case, record: Record, found: Found) -> list[Problem]:
    """A bomber over enemy ground units."""
    return _flown(case, record, BOMBER, GROUND_SUPPORT)


@permission("bomb_airbase")
def _may_bomb(case: Case, record: Record, found: Found) -> list[Problem]:
    """A bomber over an airbase of the enemy."""
    return _flown(case, record, BOMBER, AIRBASE)


@permission("intercept")
def _may_intercept(case: Case, record: Record, found: Found) -> list[Problem]:
    """A fighter against enemy missions."""
    return _flown(case, record, FIGHTER, INTERCEPT)


@permission("patrol_attack")
def _may_patrol(case: Case, record: Record, found: Found) -> list[Problem]:
    """A fighter against a bomber that enters its zone."""
    state = _state(case, "air")
    moment = Moment(str(case.given.get("step", AIR_STEP)), record.get("by") == state.player, state.surprise)
    return patrol_problems(Patrol(FIGHTER), Flight(BOMBER, AIRBASE), Entry(), moment)


@permission("air_repair")
def _may_repair(case: Case, record: Record, found: Found) -> list[Problem]:
    """An attempt to repair an inoperative air unit of the nation of the case."""
    state = _state(case, "initial")
    craft = Craft("hurt", "F", state.player, str(case.given.get("nat", "")))
    return repair_problems(craft, False, state.turn, state.phase, own_turn=True)


@permission("scrap")
def _may_scrap(case: Case, record: Record, found: Found) -> list[Problem]:
    """A unit of the nation of the case in the replacement pool is scrapped."""
    state = _state(case, "initial")
    unit = build.unit_from_record(case, {"printed": 2, "nat": case.given.get("nat", ""), "id": "lost"}, state.player)[0]
    build.put(state, unit, build.CENTRE)
    state.take_off(unit.id, ELIMINATED)
    return scrap_problems(state, state.player, unit.id)

"""Runner of the form airbase, and the table of repair (CASE-FORMS 6): WD 17 and 23."""

from __future__ import annotations

from adjudicator.engine.casecheck import Found
from adjudicator.engine.core import Problem, Roll
from adjudicator.western_desert.air.airbase import (
    ESCAPED,
    Escape,
    escape,
    escape_problems,
    lost_with_base,
    may_try,
    take_off_problems,
    take_offs_left,
)
from adjudicator.western_desert.air.craft import ELIMINATED, TRANSFER
from adjudicator.western_desert.air.landing import Base
from adjudicator.western_desert.air.missions import AIR_STEP, Flier, Leg, Moment, Target, Wish, mission_problems
from adjudicator.western_desert.air.repair import repaired_up_to
from adjudicator.western_desert.bases import AIRBASE, base_capacity, damage
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.aircraft import craft_from_record
from adjudicator.western_desert.cases.core import Case, Record, as_records, as_texts, form
from adjudicator.western_desert.cases.lookups import Asked, table
from adjudicator.western_desert.state import State, turn_number

HAVEN = "haven"
OWN_MOVEMENT = "own_movement"
TAKE_OFFS = ("takeoffs", "interceptions", "scrambles")


@form("airbase")
def run_airbase(case: Case) -> Found:
    """Capacity and take-offs, damage, escapes and capture of one airbase (WD 17)."""
    state, h = _base(case)
    hits = damage(state, h, AIRBASE)
    state.base_hits[h] = hits.hits + min(int(str(case.given.get("inflict", 0))), hits.room)
    capacity = base_capacity(state, h)
    asked = sum(int(str(case.given.get(key, 0))) for key in TAKE_OFFS)
    accepted = min(asked, take_offs_left(capacity, 0))
    found = Found({"capacity": capacity, "hits": state.base_hits[h], "accepted": accepted, "refused": asked - accepted})
    found.values["used"] = accepted
    found.values["owner"] = "enemy" if case.given.get("enemy_controls") is True else "own"
    _escapes(case, found)
    found.verdicts = _flown(case, capacity)
    return found


def _base(case: Case) -> tuple[State, int]:
    board, h = build.mini_board(), build.CENTRE
    features = as_texts(case.given.get("features"))
    build.set_hex(board, h, features=features)
    state = build.new_state(board, owner="allied")
    build.set_features(state, h, features, "allied")
    state.base_hits[h] = int(str(case.given.get("hits", 0)))
    return state, h


def _escapes(case: Case, found: Found) -> None:
    """All that may try do, in their order; then those still there share the fate of the base."""
    given = case.given
    records = as_records(given.get("air"))
    crafts = [craft_from_record(record, n) for n, record in enumerate(records)]
    able = [_operative(record) for record in records]
    entered = given.get("enemy_enters") is True
    bases = [Base(HAVEN, int(str(given.get("nearest_base", 0))))]
    outcomes: dict[str, Escape] = {}
    for craft, operative in zip(crafts, able, strict=True):
        if case.dice and not escape_problems(craft.name, operative, entered):
            die = case.dice(0, Roll("escape", "escape"))[0]
            outcomes[craft.id] = escape(build.real_world(), craft, die, bases)
    lost = lost_with_base([craft.id for craft in crafts], outcomes, given.get("enemy_controls") is True)
    states = [ELIMINATED if craft.id in lost else outcomes.get(craft.id, Escape("remains")).outcome for craft in crafts]
    found.values["may_try"] = [may_try(operative) for operative in able]
    found.values["states"] = states
    found.values["inoperative"] = [not op or end == ESCAPED for op, end in zip(able, states, strict=True)]


def _operative(record: Record) -> bool:
    return str(record.get("state", "operative")) == "operative" and record.get("escaped_this_turn") is not True


def _flown(case: Case, capacity: int) -> list[list[Problem]]:
    """Air units come in from elsewhere and fly on from the base, in the air phase of the turn it was taken in."""
    fliers = {str(r.get("id")): Flier(craft_from_record(r)) for r in as_records(case.given.get("air_arrivals"))}
    there: set[str] = set()
    used, verdicts = 0, []
    for order in case.orders:
        name, mission = str(order["unit"]), str(order["order"])
        flier = fliers[name]
        held = case.given.get("captured", OWN_MOVEMENT) == OWN_MOVEMENT
        target = Target(own_base=held, enemy_base=True)
        wish = Wish(mission, int(str(order.get("distance", 0))))
        problems = mission_problems(flier, wish, target, Moment(AIR_STEP, phasing=True))
        if name in there:
            problems = problems or take_off_problems(flier.name, "the base", capacity, used)
            used += not problems
        if not problems:
            fliers[name] = _after(flier, wish)
            there.add(name)
        verdicts.append(problems)
    return verdicts


def _after(flier: Flier, wish: Wish) -> Flier:
    if wish.mission == TRANSFER:
        return flier._replace(legs=(*flier.legs, Leg(wish.distance)))
    return flier._replace(flown=wish.mission)


@table("air_repair")
def _air_repair(asked: Asked) -> Asked:
    """Nation, turn and die: whether that roll repairs."""
    most = repaired_up_to(build.real_world(), str(asked[0]), turn_number(str(asked[1])))
    return (int(str(asked[2])) <= most,)

"""Runner of the form flak (CASE-FORMS 6), and the table of antiaircraft fire."""

from __future__ import annotations

from fractions import Fraction

from adjudicator.engine.casecheck import Found, Ordered, as_number
from adjudicator.engine.core import Roll
from adjudicator.western_desert.air.craft import AIRBASE, AIRLIFT, Flight
from adjudicator.western_desert.air.flak import (
    AAStrength,
    aa_of_base,
    aa_of_hex,
    burst_at,
    bursts,
    fire_at,
    may_be_fired_at,
    shared,
    support_points,
    total,
)
from adjudicator.western_desert.air.tables import air_tables
from adjudicator.western_desert.bases import base_features
from adjudicator.western_desert.battle import Attack
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.aircraft import flight_from_record
from adjudicator.western_desert.cases.core import Case, Record, as_record, as_records, form
from adjudicator.western_desert.cases.drive import dice_of
from adjudicator.western_desert.cases.lookups import Asked, table
from adjudicator.western_desert.odds import odds
from adjudicator.western_desert.state import ENEMY, State

PLACE = "19.0726"
SAN_GIORGIO = "it-sangiorgio"
TRANSPORTS = ("T", "GT")
NO_STRENGTH = AAStrength()


@table("antiaircraft", "result")
def _antiaircraft(asked: Asked) -> Asked:
    return (air_tables(build.real_world()).flak.result(int(str(asked[0])), int(str(asked[1]))),)


@form("flak")
def run_flak(case: Case) -> Found:
    """All antiaircraft of a hex, or of the attackers of one, at one air unit after the other."""
    given = case.given
    strength, light = _strength(case)
    flights = [_target(case, record, number) for number, record in enumerate(as_records(given.get("targets")))]
    values: dict[str, object] = {"light": light, "base_heavy": Ordered(_base_strengths(case))}
    values |= _fire(case, strength, flights)
    values |= _support(case, flights)
    return Found(values)


def _target(case: Case, record: Record, number: int) -> Flight:
    """A target: without a mission a transport carries, any other air unit bombs."""
    mission = AIRLIFT if record.get("type") in TRANSPORTS else AIRBASE
    return flight_from_record(record, number, mission, night=case.given.get("night") is True)


# --- strength ---------------------------------------------------------------------------------------------------


def _strength(case: Case) -> tuple[AAStrength, Fraction]:
    """The antiaircraft of the case, and the light part of it: as told, of the units in a hex, of attacking hexes."""
    given = case.given
    by_hex = {
        str(h): AAStrength(light=_number(points)) for h, points in as_record(given.get("attacking_hexes")).items()
    }
    told = AAStrength(_number(given.get("heavy", 0)), _number(given.get("light", 0)))
    found = total((told, shared(by_hex), _units_strength(case)))
    return found, found.light


def _number(value: object) -> Fraction:
    number = as_number(value)
    if number is None:
        raise ValueError(f"{value} is no number")
    return number


def _units_strength(case: Case) -> AAStrength:
    """What units, and the San Giorgio, have in their hex."""
    given, records = case.given, as_records(case.given.get("units"))
    if not records and given.get("cruiser") is not True:
        return NO_STRENGTH
    board = build.real_world().board if "at" in given else build.mini_board()
    h = build.find_hex(board, str(given["at"])) if "at" in given else build.CENTRE
    state = build.new_state(board)
    placed = build.put_all(case, state, records, h)
    if given.get("cruiser") is True:
        build.put(state, build.real_world().units[SAN_GIORGIO], h)
        placed.append(SAN_GIORGIO)
    return aa_of_hex(state, h, state.world.units[placed[0]].side)


def _base_strengths(case: Case) -> list[Fraction]:
    """The heavy antiaircraft of airbases by themselves, each on an island or in a place of the real map."""
    found = []
    for record in as_records(case.given.get("bases")):
        board = build.real_world().board
        state = build.new_state(board)
        h = _base_on(state, str(record.get("at")))
        state.control[h] = str(record.get("held_by"))
        found.append(aa_of_base(state, h).heavy)
    return found


def _base_on(state: State, name: str) -> int:
    """The first airbase of an island or country, else the place of that name."""
    board = state.board
    there = [h for h in sorted(board.land) if board.in_region(h, name) and base_features(state, h)]
    return there[0] if there else build.find_hex(board, name)


# --- fire -------------------------------------------------------------------------------------------------------


def _fire(case: Case, strength: AAStrength, flights: list[Flight]) -> dict[str, object]:
    """Who is fired at and with what; with dice, what comes of it."""
    tables = air_tables(build.real_world())
    hits = int(str(case.given.get("suppression_hits", 0)))
    aimed = [burst_at(tables, PLACE, strength if may_be_fired_at(f) else NO_STRENGTH, f) for f in flights]
    fired = bursts(tables, PLACE, strength, flights, suppressed=hits)
    at = {burst.target for burst in fired}
    values: dict[str, object] = {
        "strengths": Ordered([burst.strength for burst in aimed]),
        "fire": Ordered([flight.id in at for flight in flights]),
    }
    if aimed:
        values |= {"strength": aimed[0].strength, "column": aimed[0].column}
    if case.dice is not None:
        source = dice_of(case)
        rolled = [fire_at(tables, b, sum(source(0, Roll(b.label, "aa", count=2)))) for b in fired]
        values |= {"used": Ordered([f.used for f in rolled]), "result": Ordered([f.result for f in rolled])}
    return values


def _support(case: Case, flights: list[Flight]) -> dict[str, object]:
    """What defensive support adds to ground defenders, and their defense with it."""
    adds: dict[str, object] = {flight.id: support_points([flight]) for flight in flights}
    records = as_records(case.given.get("defenders"))
    if not records:
        return {"adds": adds}
    state = build.new_state(build.mini_board(), "allied", "combat", "axis")
    defenders = build.put_all(case, state, records, build.CENTRE, "axis")
    side = state.world.units[defenders[0]].side
    (attacker,) = build.put_all(
        case, state, [{"id": "attacker", "printed": 1, "owner": ENEMY[side]}], state.board.find("A")
    )
    attack = Attack(ENEMY[side], build.CENTRE, (attacker,), defensive_support=support_points(flights))
    return {"adds": adds, "defense": odds(state, attack).defense_total}

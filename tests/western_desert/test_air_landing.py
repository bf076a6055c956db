"""When air units come home, where they may land, in what state (WD 18.return, 20.F.2, 21.B.1, 24.B, 24.E)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adjudicator.western_desert.air import craft as air
from adjudicator.western_desert.air.craft import Craft, Flight
from adjudicator.western_desert.air.landing import (
    AFTER_COMBAT,
    AIR_RETURN,
    INOPERATIVE,
    INTERCEPTOR_RETURN,
    NEXT_AIR_PHASE,
    OPERATIVE,
    Base,
    bases_in_range,
    blocks_new_mission,
    crashes,
    landed,
    lands_in,
    may_crash,
    next_own,
    supports,
)
from adjudicator.western_desert.air.steps import STEPS, passes, who_flies
from adjudicator.western_desert.sequence import PlayerTurn

BOMBER = Craft("b", "B", tactical=4, strategic=6, movement=10)
FIGHTER = Craft("f", "F", tactical=1, movement=7)
BASES = [Base("near", 3), Base("far", 10), Base("farther", 20), Base("farthest", 21)]


@pytest.mark.parametrize("mission", air.MISSIONS)
def test_when_each_mission_ends(mission: str) -> None:
    """WD 16.C.5, 16.C.6, 20.F.2.c, 20.F.2.d; WD 21.B.1: who was turned back does not wait."""
    flight = Flight(FIGHTER, mission)
    expected = {
        air.INTERCEPT: INTERCEPTOR_RETURN,
        air.SCRAMBLE: INTERCEPTOR_RETURN,
        air.GROUND_SUPPORT: AFTER_COMBAT,
        air.DEFENSIVE_SUPPORT: NEXT_AIR_PHASE,
    }.get(mission, AIR_RETURN)
    assert lands_in(flight) == expected
    back = replace(flight, fate=air.TURNED_BACK)
    assert lands_in(back) == (INTERCEPTOR_RETURN if mission in air.REACTIONS else AIR_RETURN)


def test_support_hurt_in_the_combat_phase_goes_home_in_its_time() -> None:
    """WD 20.F.2.d, 20.F.2.d.aa: defensive support aborted by antiaircraft fire of the enemy's combat phase."""
    hurt = Flight(BOMBER, air.DEFENSIVE_SUPPORT, fate=air.ABORTED)
    assert lands_in(hurt, own_phase=False) == NEXT_AIR_PHASE


def test_a_fighter_without_bombs_does_not_wait_for_the_attack() -> None:
    """WD 24.A.jettison: it is an escort now."""
    assert lands_in(Flight(FIGHTER, air.GROUND_SUPPORT, jettisoned=True)) == AIR_RETURN


def test_defensive_support_may_fly_again_as_it_comes_home() -> None:
    """WD 20.F.2.d."""
    assert not blocks_new_mission(Flight(BOMBER, air.DEFENSIVE_SUPPORT))
    assert blocks_new_mission(Flight(BOMBER, air.GROUND_SUPPORT))


def test_the_next_air_phase_of_a_side_is_a_game_turn_on() -> None:
    """WD 20.F.2.d, 28.B.3: the surprise turn is followed by the Allied turn of Dec I 40."""
    assert next_own(PlayerTurn(7, "allied")) == PlayerTurn(8, "allied")
    assert next_own(PlayerTurn(7, "axis")) == PlayerTurn(8, "axis")
    assert next_own(PlayerTurn(1, "allied", surprise=True)) == PlayerTurn(1, "allied")


@pytest.mark.parametrize(
    ("flight", "names"),
    [
        (Flight(BOMBER, air.PORT), ["near", "far"]),
        (Flight(BOMBER, air.PORT, extended=True), ["near", "far", "farther"]),
        (Flight(BOMBER, air.PORT, fate=air.TURNED_BACK), ["near", "far"]),
        (Flight(FIGHTER, air.INTERCEPT), ["near"]),
        (Flight(FIGHTER, air.SCRAMBLE), ["near"]),
        (Flight(FIGHTER, air.ESCORT, extended=True), ["near", "far"]),
        (Flight(FIGHTER, air.TRANSFER), ["near", "far", "farther", "farthest"]),
    ],
)
def test_bases_in_range(flight: Flight, names: list[str]) -> None:
    """WD 18.return, 24.B.return, rulings TURNBACK-PLACE, DS-BASE."""
    assert [base.id for base in bases_in_range(flight, BASES)] == names


def test_without_a_base_in_range_it_is_lost() -> None:
    """WD 18.return."""
    assert landed(Flight(BOMBER, air.PORT), []) == air.ELIMINATED
    assert landed(Flight(BOMBER, air.PORT), [Base("far", 11)]) == air.ELIMINATED
    assert landed(Flight(BOMBER, air.PORT), [Base("far", 10)]) == OPERATIVE
    assert landed(Flight(BOMBER, air.PORT), None) == OPERATIVE


def test_what_a_result_leaves() -> None:
    """WD 21.B.1."""
    states = {fate: landed(Flight(BOMBER, air.PORT, fate=fate), BASES) for fate in air.FATES}
    assert states == {
        air.UNHURT: OPERATIVE,
        air.TURNED_BACK: OPERATIVE,
        air.ABORTED: INOPERATIVE,
        air.ELIMINATED: air.ELIMINATED,
    }


def test_who_rolls_for_a_crash() -> None:
    """WD 24.E.crash: a day air unit that flew at night; on a 6."""
    dark = Flight(BOMBER, air.PORT, night=True)
    assert may_crash(dark) and not may_crash(Flight(BOMBER, air.PORT))
    assert not may_crash(Flight(replace(BOMBER, type="NB"), air.PORT, night=True))
    assert not may_crash(replace(dark, fate=air.ELIMINATED))
    assert [die for die in range(1, 7) if crashes(die)] == [6]
    assert landed(dark, BASES, 6) == INOPERATIVE and landed(dark, BASES, 5) == OPERATIVE
    assert landed(dark, [], 6) == air.ELIMINATED and landed(Flight(BOMBER, air.PORT), BASES, 6) == OPERATIVE


def test_support_without_friends_or_hurt_does_nothing() -> None:
    """WD 20.F.2.d, 20.F.2.d.aa, ruling DS-EMPTY."""
    flight = Flight(BOMBER, air.DEFENSIVE_SUPPORT)
    assert supports(flight, friends=True) and not supports(flight, friends=False)
    assert not supports(replace(flight, fate=air.TURNED_BACK), friends=True)
    assert not supports(Flight(BOMBER, air.GROUND_SUPPORT), friends=True)


def test_whose_air_units_fly_in_which_step() -> None:
    """WD 16.C, 18.steps: those of the player who is named; in two steps nobody's."""
    assert [who_flies(step, "axis") for step in STEPS] == ["axis", "allied", "", "", "allied", "axis"]
    assert [who_flies(step, "allied") for step in STEPS] == ["allied", "axis", "", "", "axis", "allied"]
    assert [step.rule for step in STEPS] == [f"WD 16.C.{number}" for number in range(1, 7)]


def test_every_flight_home_has_a_step() -> None:
    """WD 16.C.5, 16.C.6, 18.steps: interceptors fly home in the step of their side, others in that of theirs."""
    names = {step.name: step.phasing for step in STEPS}
    assert names[lands_in(Flight(FIGHTER, air.INTERCEPT))] is False
    assert names[lands_in(Flight(BOMBER, air.PORT))] is True


def test_the_night_comes_after_the_day() -> None:
    """WD 24.E, rulings NIGHT-ORDER, PATROL-TIME: within each as listed."""
    dark, light = Flight(BOMBER, air.PORT, night=True), Flight(BOMBER, air.AIRBASE)
    other = Flight(FIGHTER, air.ESCORT)
    assert passes([dark, light, other]) == [light, other, dark] and passes([dark, other, light]) == [other, light, dark]

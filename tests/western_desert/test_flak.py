"""Antiaircraft (WD 22): who has it on the real map, at whom it fires, and what that does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.engine.dice import Assume
from adjudicator.western_desert.air.craft import (
    AIRBASE,
    AIRLIFT,
    DEFENSIVE_SUPPORT,
    DROP,
    ELIMINATED,
    ESCORT,
    FERRY,
    GROUND_SUPPORT,
    HARASS,
    INTERCEPT,
    PORT,
    TRANSFER,
    TURNED_BACK,
)
from adjudicator.western_desert.air.flak import (
    AT_SUPPORT,
    AAStrength,
    aa_of_attack,
    aa_of_base,
    aa_of_hex,
    aa_of_unit,
    burst_at,
    bursts,
    fire_at,
    flak_odds,
    may_be_fired_at,
    support_points,
)
from adjudicator.western_desert.air.tables import WAYS, air_tables
from adjudicator.western_desert.bases import base_features
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.build import real_world
from adjudicator.western_desert.cases.drive import context, drive
from adjudicator.western_desert.setup import setup_step
from adjudicator.western_desert.state import State
from adjudicator.western_desert.world import first_state
from tests.western_desert.dogfights import HEX, flight

TABLES = air_tables(real_world())


@cache
def _begun() -> State:
    state = first_state(real_world())
    drive(setup_step(context(state)), Assume())
    return state


def begun() -> State:
    """The position after the set-up of the campaign's first scenario."""
    return _begun().copy()


# --- who has it -------------------------------------------------------------------------------------------------


def test_every_division_headquarters_support_group_and_cadre_has_a_light_point() -> None:
    """WD 22.A.1: by the counters of the pack, and by size and type where a counter prints nothing."""
    world, one = real_world(), AAStrength(light=Fraction(1))
    own = [u for u in world.units.values() if u.size in ("division", "headquarters") or u.type == "support_group"]
    assert len(own) > 70
    assert {aa_of_unit(unit) for unit in own} == {one}
    assert {aa_of_unit(unit.back) for unit in own if unit.back} == {one}
    assert {aa_of_unit(replace(unit, aa=Fraction(0))) for unit in own} == {one}


def test_antiaircraft_units_have_what_they_print() -> None:
    """WD 22.A.2: combat and position AA, heavy or light."""
    world = real_world()
    printed = {uid: aa_of_unit(world.units[uid]) for uid in ("br-1-aax", "lw-i18", "br-x-aa", "paa-allied-01")}
    assert printed["br-1-aax"] == AAStrength(heavy=Fraction(7))
    assert printed["lw-i18"].light == 0 and printed["lw-i18"].heavy > 0
    assert printed["br-x-aa"] == AAStrength(light=Fraction(4))
    assert printed["paa-allied-01"] == AAStrength(heavy=Fraction(3))
    assert aa_of_unit(world.units["it-sangiorgio"]) == AAStrength(light=Fraction(1))
    plain = [u for u in world.units.values() if u.size in ("brigade", "battalion") and u.type == "infantry"]
    assert plain and {aa_of_unit(unit) for unit in plain} == {AAStrength()}


def test_tobruk_fires_with_the_san_giorgio_while_it_lies_there() -> None:
    state = begun()
    tobruk = build.find_hex(state.board, "Tobruk")
    assert "it-sangiorgio" in state.units_at(tobruk)
    before = aa_of_hex(state, tobruk, "axis")
    state.take_off("it-sangiorgio", "eliminated")
    assert before == AAStrength(before.heavy, aa_of_hex(state, tobruk, "axis").light + 1)
    assert aa_of_hex(state, tobruk, "allied") == AAStrength()


def test_axis_airbases_on_three_islands_have_three_heavy_points() -> None:
    """WD 22.A.1: each airbase hex, and only while the Axis controls it; nothing elsewhere."""
    state = begun()
    armed = {h for h in state.board.land if aa_of_base(state, h).heavy}
    assert {state.board.land[h].country for h in armed} == {"Sicily", "Rhodes"}
    assert all(base_features(state, h) and aa_of_base(state, h) == AAStrength(heavy=Fraction(3)) for h in armed)
    for h in list(state.board.land):
        state.control[h] = "axis"
    taken = {h for h in state.board.land if aa_of_base(state, h).heavy}
    assert {state.board.land[h].country for h in taken} == {"Sicily", "Rhodes", "Crete"}
    canea = build.find_hex(state.board, "Canea")
    assert aa_of_hex(state, canea, "axis").heavy == 3
    assert aa_of_hex(state, canea, "allied").heavy == 0


def test_attackers_divide_their_antiaircraft_by_the_hexes_they_attack_from() -> None:
    """WD 22.B.def, the rulebook's Tobruk: 3, 1 and 2 points in three hexes make a 2 point attack."""
    state = build.new_state(build.mini_board())
    points = {"A": (3,), "B": (1,), "C": (1, 1)}
    units = []
    for name, strengths in points.items():
        for number, aa in enumerate(strengths):
            unit = replace(real_world().units["br-1-aax"], id=f"{name}{number}", aa=Fraction(aa))
            build.put(state, unit, state.board.find(name))
            units.append(unit.id)
    assert aa_of_attack(state, units) == AAStrength(heavy=Fraction(2))
    assert aa_of_attack(state, [u for u in units if u != "B0"]) == AAStrength(heavy=Fraction(5, 2))
    assert aa_of_attack(state, []) == AAStrength()


# --- at whom ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mission", "fired"),
    [(m, True) for m in (AIRLIFT, FERRY, DROP, PORT, AIRBASE, GROUND_SUPPORT, DEFENSIVE_SUPPORT, HARASS)]
    + [(m, False) for m in (ESCORT, INTERCEPT, TRANSFER)],
)
def test_it_fires_at_transport_and_bombing_missions_only(mission: str, fired: bool) -> None:
    """WD 22.B, and nobody is fired at who has gone or has dropped his bombs."""
    assert may_be_fired_at(flight("X", "5F5", mission)) is fired
    assert not may_be_fired_at(flight("X", "5F5", mission, fate=TURNED_BACK))
    assert not may_be_fired_at(flight("X", "5F5", AIRBASE, jettisoned=True))


def test_all_strength_fires_once_at_each_the_night_after_the_day() -> None:
    """WD 22.B.all, 22.B.heavy and 22.B.mod, ruling AA-OPTIONAL-FIRE: nobody is asked."""
    strength = AAStrength(heavy=Fraction(2), light=Fraction(3, 2))
    targets = [
        flight("N1", "1NB3", night=True),
        flight("H1", "2HB4"),
        flight("D1", "2D3"),
        flight("E1", "5F5", ESCORT),
        flight("B1", "1B3"),
    ]
    found = bursts(TABLES, HEX, strength, targets)
    assert [(b.target, b.strength, b.column, b.modifier) for b in found] == [
        ("H1", 2, 2, 1),
        ("D1", Fraction(7, 2), 3, 0),
        ("B1", Fraction(7, 2), 3, 1),
        ("N1", Fraction(7, 2), 3, 2),
    ]
    assert [b.label for b in found][:2] == [f"aa/{HEX}/H1", f"aa/{HEX}/D1"]
    assert burst_at(TABLES, HEX, strength, targets[2], AT_SUPPORT).label == f"aa-support/{HEX}/D1"


def test_less_than_a_point_does_not_fire() -> None:
    assert bursts(TABLES, HEX, AAStrength(light=Fraction(1, 2)), [flight("B1", "1B3")]) == ()
    assert bursts(TABLES, HEX, AAStrength(light=Fraction(9)), [flight("H1", "2HB4")]) == ()


@pytest.mark.parametrize(
    ("points", "roll", "target", "result", "fate"),
    [
        (1, 2, "2D3", "A", "aborted"),
        (17, 2, "2D3", "K", ELIMINATED),
        (40, 3, "2D3", "K", ELIMINATED),
        (3, 4, "1B3", "R", TURNED_BACK),
        (3, 6, "1B3", "none", ""),
        (17, 12, "1NB3", "none", ""),
    ],
)
def test_results(points: int, roll: int, target: str, result: str, fate: str) -> None:
    burst = burst_at(TABLES, HEX, AAStrength(light=Fraction(points)), flight("X", target))
    found = fire_at(TABLES, burst, roll)
    assert (found.used, found.result, found.fate) == (roll + burst.modifier, result, fate)


@given(st.integers(1, 30), st.sampled_from(["1B3", "2D3", "2HB4", "5F5"]), st.booleans())
def test_more_strength_never_does_less_and_chances_add_up(points: int, figures: str, night: bool) -> None:
    target = flight("X", figures, night=night)
    less, more = (
        flak_odds(TABLES, burst_at(TABLES, HEX, AAStrength(heavy=Fraction(n)), target)) for n in (points, points + 1)
    )
    assert sum(less) == WAYS
    assert more.stop >= less.stop and more.hurt >= less.hurt and more.kill >= less.kill


def test_support_that_was_hit_adds_nothing() -> None:
    support: Sequence[object] = [
        flight("A1", "2A2", DEFENSIVE_SUPPORT, tactical=4),
        flight("A2", "2A2", DEFENSIVE_SUPPORT, tactical=3, fate=TURNED_BACK),
        flight("G1", "2A2", GROUND_SUPPORT, tactical=5),
    ]
    assert support_points(support) == 4  # type: ignore[arg-type]

"""Air units and what a mission makes of their figures (WD 16.A, 18, 20, 24)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from adjudicator.packs.load import load_pack
from adjudicator.western_desert.air import craft as air
from adjudicator.western_desert.air.craft import Craft, Flight, craft_of, reach, reduced, worst
from adjudicator.western_desert.world import world_from_pack

WORLD = world_from_pack(load_pack("western-desert").tree, "compass")
ME_109E = Craft("me", "F", attack=7, defense=5, tactical=1, movement=7)
BOMBER = Craft("b", "B", attack=1, defense=3, tactical=6, strategic=9, movement=12)
JU_52 = Craft("ju", "T", attack=1, defense=2, movement=24)
DFS_230 = Craft("dfs", "GT", attack=0, defense=1, movement=24)


def test_every_air_unit_of_the_pack_has_a_category() -> None:
    """WD chart.air-types."""
    crafts = [craft_of(WORLD, aid) for aid in sorted(WORLD.air)]
    assert {craft.category for craft in crafts} == {air.FIGHTER, air.BOMBER, air.TRANSPORT}
    assert all(craft.night == (WORLD.air[craft.id]["night"] == "yes") for craft in crafts)
    assert craft_of(WORLD, crafts[0].id) is crafts[0]


@pytest.mark.parametrize(
    ("kind", "category", "plain", "night"),
    [
        ("F", air.FIGHTER, "F", False),
        ("NF", air.FIGHTER, "F", True),
        ("A", air.BOMBER, "A", False),
        ("D", air.BOMBER, "D", False),
        ("NB", air.BOMBER, "B", True),
        ("HB", air.BOMBER, "HB", False),
        ("T", air.TRANSPORT, "T", False),
        ("GT", air.TRANSPORT, "GT", False),
    ],
)
def test_the_prefix_changes_no_category(kind: str, category: str, plain: str, night: bool) -> None:
    """WD 16.A, 24.E."""
    craft = Craft("x", kind)
    assert (craft.category, craft.plain, craft.night) == (category, plain, night)
    assert craft.glider == (kind == "GT") and craft.transport == (kind == "T") and craft.fighter == (plain == "F")


def test_an_unknown_type_has_none() -> None:
    with pytest.raises(KeyError):
        _ = Craft("x", "Q").category


def test_a_fighter_with_bombs_fights_as_the_example_says() -> None:
    """WD 24.A: a Me 109E (7F5) has 5 and 3; once it has jettisoned, its printed figures and no bombs."""
    flight = Flight(ME_109E, air.GROUND_SUPPORT)
    assert (flight.attack, flight.defense, flight.bombing) == (5, 3, True) and flight.tactical == 1
    light = replace(flight, jettisoned=True)
    assert (light.attack, light.defense, light.bombing) == (7, 5, False) and light.strength == 0
    assert light.flies_as == air.ESCORT and flight.flies_as == air.GROUND_SUPPORT
    assert Flight(BOMBER, air.GROUND_SUPPORT).attack == 1


@pytest.mark.parametrize(("printed", "left"), [(7, 5), (3, 1), (2, 1), (1, 1), (0, 0)])
def test_the_reduction_stops_at_one(printed: int, left: int) -> None:
    """WD 24.A: never below 1, and nothing gains by it."""
    assert reduced(printed) == left


def test_an_escort_pays_for_its_range_only() -> None:
    """WD 24.B.escort."""
    assert (Flight(ME_109E, air.ESCORT).attack, Flight(ME_109E, air.ESCORT, extended=True).attack) == (7, 5)
    assert Flight(ME_109E, air.ESCORT, extended=True).defense == 3


def test_a_fighter_gets_one_more_against_air_units() -> None:
    """WD 20.F.2.a; a bomber does not, nor a fighter on another target."""
    assert Flight(ME_109E, air.AIR_UNITS).strength == 2
    assert Flight(ME_109E, air.AIRBASE).strength == 1
    assert Flight(BOMBER, air.AIR_UNITS).strength == 6
    assert Flight(replace(ME_109E, tactical=0), air.AIR_UNITS).strength == 1


def test_range_and_night_take_from_the_bombs() -> None:
    """WD 24.B.bomb: a third; WD 24.E.half: half for a day unit; both together for both."""
    assert Flight(BOMBER, air.PORT).strength == 9
    assert Flight(BOMBER, air.PORT, extended=True).strength == 3
    assert Flight(BOMBER, air.PORT, night=True).strength == Fraction(9, 2)
    assert Flight(BOMBER, air.PORT, night=True, extended=True).strength == Fraction(3, 2)
    assert Flight(replace(BOMBER, type="NB"), air.PORT, night=True).strength == 9
    assert Flight(BOMBER, air.TACTICAL_PORT).strength == 6
    assert Flight(BOMBER, air.TRANSFER).strength == 0


def test_a_tow_defends_as_the_example_says() -> None:
    """WD 24.C.defense: a Ju 52 (1T2) with a DFS 230 (0GT1) defends with 1; ruling GLIDER-FLOOR: never below 0."""
    pair = Flight(JU_52, air.DROP, tow=DFS_230)
    assert (pair.defense, pair.attack, pair.crew) == (1, 1, (JU_52, DFS_230))
    assert Flight(replace(JU_52, defense=0), air.DROP, tow=DFS_230).defense == 0
    assert Flight(JU_52, air.DROP).defense == 2 and Flight(JU_52, air.DROP).crew == (JU_52,)


@pytest.mark.parametrize(
    ("craft", "mission", "extended", "hexes"),
    [
        (ME_109E, air.INTERCEPT, False, 3),
        (ME_109E, air.SCRAMBLE, False, 7),
        (ME_109E, air.ESCORT, False, 7),
        (ME_109E, air.ESCORT, True, 14),
        (BOMBER, air.TRANSFER, False, 36),
        (BOMBER, air.AIRBASE, False, 12),
        (BOMBER, air.PORT, True, 24),
        (JU_52, air.AIRLIFT, False, 24),
        (JU_52, air.AIRLIFT, True, 48),
        (JU_52, air.FERRY, False, 48),
        (JU_52, air.FERRY, True, 96),
        (JU_52, air.DROP, False, 24),
        (JU_52, air.DROP, True, 48),
    ],
)
def test_how_far_a_mission_reaches(craft: Craft, mission: str, extended: bool, hexes: int) -> None:
    """WD 18, 20, 24.B; rulings INTERCEPT-FRACTION, TRANSPORT-EXT."""
    assert reach(craft, mission, extended) == hexes == Flight(craft, mission, extended=extended).reach


def test_an_unknown_mission_reaches_nowhere() -> None:
    with pytest.raises(KeyError):
        reach(BOMBER, "sightseeing")


def test_the_worst_of_several_fates_counts() -> None:
    """WD 20.E.fate."""
    assert worst([air.TURNED_BACK, air.ELIMINATED, air.ABORTED]) == air.ELIMINATED
    assert worst([air.UNHURT, air.TURNED_BACK]) == air.TURNED_BACK
    assert worst([]) == air.UNHURT
    assert {worst([fate]) for fate in air.FATE_OF.values()} == set(air.FATES)

"""The worked examples of the rulebook's chapters on combat, armor, support and artillery (WD 3.D, 9, 10, 11, 14.C),
played by the combat phase itself."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from adjudicator.western_desert.cases.build import real_world
from adjudicator.western_desert.combat_charts import combat_charts
from adjudicator.western_desert.odds import odds_column
from adjudicator.western_desert.units import Unit
from tests.western_desert.skirmish import unit
from tests.western_desert.worked import Told, named, on_plain_ground, on_the_map, order

CHARTS = combat_charts(real_world())


def die_for(result: str, column: str, drm: int = 0) -> int:
    """A die that brings a result in a column."""
    return next(die for die in range(1, 7) if CHARTS.result(column, CHARTS.clamp(die + drm)) == result)


def brigades(side: str, prefix: str, *strengths: int, **more: object) -> list[Unit]:
    """Supported infantry brigades of these strengths."""
    return [unit(f"{prefix}{n}", side, strength, **more) for n, strength in enumerate(strengths, 1)]


# --- 3.D: fractions, effects that add up ------------------------------------------------------------------------


def test_3_d_1_half_of_seven_is_three_and_a_half() -> None:
    scene = on_plain_ground().units("A", unit("seven", "allied", 7)).units("T", unit("foe", "axis", 1))
    told = scene.when(order("attack", hex="T", **{"with": ["seven"]}))
    assert told.strength_of("seven") == "7/2"


def test_3_d_2_a_unit_halved_twice_is_quartered() -> None:
    """Once without attack supply (WD 12.B), once without support (WD 11)."""
    scene = on_plain_ground().units("A", unit("eight", "allied", 8, supported=False))
    told = scene.units("T", unit("foe", "axis", 2)).when(order("attack", hex="T", **{"with": ["eight"]}))
    assert told.strength_of("eight") == "2"


# --- 9: odds, losses --------------------------------------------------------------------------------------------


def test_9_a_3_thirty_four_against_nine_is_three_to_one() -> None:
    scene = on_plain_ground().units("A", *brigades("allied", "a", 8, 8, 8)).units("B", *brigades("allied", "b", 8, 2))
    told = (
        scene.supply("allied-1", "A").units("T", *brigades("axis", "x", 5, 4))
        .when(order("attack", hex="T", supply="allied-1:1", **{"with": ["a1", "a2", "a3", "b1", "b2"]}))
    )
    attack = told.the("attack")
    assert (attack["strength"], attack["against"], attack["column"]) == ("34", "9", "3:1")


def exchange(attackers: list[Unit], defenders: list[Unit], result: str) -> Told:
    """An attack in full supply on plain ground with a die that brings the result."""
    zero = Fraction(0)
    column = odds_column(CHARTS, sum((u.attack for u in attackers), zero), sum((u.defense for u in defenders), zero))
    scene = on_plain_ground().units("A", *attackers).units("T", *defenders).supply("allied-1", "A")
    force = [u.id for u in attackers]
    told = scene.when(order("attack", hex="T", supply="allied-1:1", **{"with": force}), dice=(die_for(result, column),))
    assert told.the("result")["result"] == result
    return told


def gone(told: Told, units: list[Unit]) -> int:
    """The attack strength of those who were eliminated."""
    lost = {event["unit"] for event in told.all("eliminated")}
    return sum(int(u.attack) for u in units if u.id in lost)


def test_9_c_a_half_exchange_for_ten_costs_five() -> None:
    attackers = brigades("allied", "a", 8, 5, 4, 3)
    told = exchange(attackers, brigades("axis", "x", 4, 3, 3), "HX")
    assert {"x1", "x2", "x3"} <= set(told.state.gone)
    (duty,) = [event for event in told.all("losses") if event["side"] == "allied"]
    assert duty["required"] == "5"
    assert gone(told, attackers) == 5


@pytest.mark.parametrize(("result", "owed"), [("HX", 4), ("EX", 8)])
def test_9_e_a_division_of_eight_that_becomes_a_cadre_of_three_counts_eight(result: str, owed: int) -> None:
    """Five would be owed for an exchange if the cadre were taken off."""
    division = replace(real_world().units["br-44-xx"], side="axis")
    attackers = brigades("allied", "a", 8, 4, 3, 1)
    told = exchange(attackers, [division], result)
    assert told.the("reduced")["unit"] == "br-44-xx"
    (duty,) = [event for event in told.all("losses") if event["side"] == "allied"]
    assert duty["required"] == str(owed)
    assert gone(told, attackers) == owed


def test_9_h_2_up_the_escarpment_from_0426_to_0326_half_and_down_whole() -> None:
    up = on_the_map(phase="combat").units("19/0426", "br-7-arm-a").units("19/0326", unit("foe", "axis", 1))
    down = on_the_map(phase="combat").units("19/0326", "br-7-arm-a").units("19/0426", unit("foe", "axis", 1))
    climbing = up.when(order("attack", hex="19/0326", **{"with": ["br-7-arm-a"]}))
    falling = down.when(order("attack", hex="19/0426", **{"with": ["br-7-arm-a"]}))
    assert Fraction(climbing.strength_of("br-7-arm-a")) * 2 == Fraction(falling.strength_of("br-7-arm-a"))


def test_9_h_2_artillery_fires_up_the_escarpment_in_full() -> None:
    scene = on_the_map(phase="combat").units("19/0426", "br-8-art", "br-16").units("19/0326", unit("foe", "axis", 1))
    told = scene.when(order("attack", hex="19/0326", **{"with": ["br-8-art", "br-16"]}))
    assert (told.strength_of("br-8-art"), told.strength_of("br-16")) == ("3/2", "1/2")


def test_table_a_die_of_nine_is_read_as_eight() -> None:
    """Full armor (+3) and a six: the table ends at 8 (ground CRT)."""
    scene = on_plain_ground().units("A", "br-1-tk").units("T", unit("foe", "axis", 2)).supply("allied-1", "A")
    told = scene.when(order("attack", hex="T", supply="allied-1:1", **{"with": ["br-1-tk"]}), dice=(6,))
    result = told.the("result")
    assert (result["die"], result["drm"], result["used"]) == ("6", "3", "8")
    assert result["result"] == CHARTS.result(str(result["column"]), 8)


def test_table_a_dot_city_on_rough_ground_is_minus_one_and_bars_armor() -> None:
    scene = on_plain_ground().ground("T", "rough", "dot_city").units("A", "br-1-tk").units("T", unit("foe", "axis", 2))
    attack = scene.when(order("attack", hex="T", **{"with": ["br-1-tk"]})).the("attack")
    assert [row["die"] for row in attack["die_modifiers"]] == ["-1"]
    assert attack["armor"]["aeca"]["die"] == "0"


# --- 10: armor and antitank effects -----------------------------------------------------------------------------


def german_attack(*units: str | Unit) -> Told:
    """Axis units attack an infantry brigade on plain ground."""
    scene = on_plain_ground("axis").units("A", *units).units("T", unit("foe", "allied", 4))
    force = [one if isinstance(one, str) else one.id for one in units]
    return scene.when(order("attack", hex="T", **{"with": force}))


def attacked_by_tanks(*defenders: str | Unit) -> Told:
    """A British tank brigade, fully capable, attacks."""
    scene = on_plain_ground().units("A", "br-1-tk").units("T", *defenders)
    return scene.when(order("attack", hex="T", **{"with": ["br-1-tk"]}))


def test_10_b_1_a_panzer_division_counts_both_its_res() -> None:
    aeca = german_attack("ge-21-xx").the("attack")["armor"]["aeca"]
    assert (aeca["capable"], aeca["counted"]) == ("2", "2")


def test_10_b_2_a_british_armored_brigade_counts_half_an_re_in_defense_and_half_an_re_of_nothing() -> None:
    scene = on_plain_ground("axis").units("A", unit("foe", "axis", 4)).units("T", "br-7-arm-a")
    aecd = scene.when(order("attack", hex="T", **{"with": ["foe"]})).the("attack")["armor"]["aecd"]
    assert (aecd["capable"], aecd["counted"]) == ("1/2", "1")


def test_10_b_3_a_motorized_division_is_left_out_of_antitank_effects() -> None:
    """Three antitank battalions of 1 1/2 REs together keep 3 REs neutral (WD 10.F)."""
    atec = attacked_by_tanks("ge-90-xx", *named("ge-605", "p1", "p2", "p3")).the("attack")["armor"]["atec"]
    assert (atec["capable"], atec["counted"]) == ("3/2", "3/2")


def test_10_c_an_armored_division_beside_two_of_infantry_is_one_third() -> None:
    scene = on_plain_ground().units("A", "br-70-xx", "br-50-xx").units("B", "br-7-arm-xx")
    scene.units("T", unit("foe", "axis", 4))
    told = scene.when(order("attack", hex="T", **{"with": ["br-70-xx", "br-50-xx", "br-7-arm-xx"]}))
    aeca = told.the("attack")["armor"]["aeca"]
    assert (aeca["capable"], aeca["counted"], aeca["share"]) == ("3", "9", "1/3")


def test_10_c_example_1_a_panzer_regiment_two_of_infantry_and_artillery_add_one() -> None:
    told = german_attack("ge-5pz", "ge-125", "ge-382", "ge-104a")
    assert told.share("aeca") == "1/3"
    assert told.die_effects() == {"aeca": "+1"}
    assert told.the("attack")["drm"] == "1"


def test_10_c_example_2_two_armored_cadres_and_a_division_take_one() -> None:
    scene = on_plain_ground().cadres("T", "it-132", "it-133").units("T", "it-16").units("A", unit("foe", "allied", 8))
    told = scene.when(order("attack", hex="T", **{"with": ["foe"]}))
    aecd = told.the("attack")["armor"]["aecd"]
    assert (aecd["capable"], aecd["counted"], aecd["share"]) == ("1", "4", "1/4")
    assert told.die_effects() == {"aecd": "-1"}
    assert told.the("attack")["drm"] == "-1"


def test_10_d_full_armor_against_full_antitank_is_minus_one() -> None:
    told = attacked_by_tanks("ge-605")
    assert told.die_effects() == {"aeca": "+3", "atec": "-4"}
    assert told.the("attack")["drm"] == "-1"


def test_10_f_of_four_neutral_res_two_stay_neutral() -> None:
    told = german_attack("ge-8pz", "ge-104m", "ge-115m", "ge-104a", "ge-221a")
    aeca = told.the("attack")["armor"]["aeca"]
    assert (aeca["capable"], aeca["counted"], aeca["share"]) == ("1", "3", "1/3")


def test_10_g_tanks_against_an_antitank_battalion_in_a_fortress_get_minus_four() -> None:
    scene = on_plain_ground().ground("T", "clear", "fortress").units("T", "ge-605").units("A", "br-1-tk")
    told = scene.when(order("attack", hex="T", **{"with": ["br-1-tk"]}))
    assert told.die_effects() == {"atec": "-4"}
    assert told.the("attack")["drm"] == "-4"


# --- 12.C: attack supply ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("steps", "fed"), [(2, 14), (1, 10)])
def test_12_c_fourteen_res_need_two_steps_and_one_leaves_four_without(steps: int, fed: int) -> None:
    scene = on_plain_ground().supply("allied-1", "A", 2).units("T", unit("foe", "axis", 6))
    force = []
    for place in "ABC":
        six = brigades("allied", place.lower(), *[2] * (5 if place != "C" else 4))
        scene.units(place, *six)
        force += [u.id for u in six]
    told = scene.when(order("attack", hex="T", supply=f"allied-1:{steps}", **{"with": force}))
    assert len(force) == 14
    supplied = told.the("attack")["supplied"]
    assert len(supplied) == fed
    assert {told.strength_of(uid) for uid in force if uid not in supplied} == ({"1"} if fed < 14 else set())
    used = told.the("supply-used")
    assert (used["steps"], used["left"]) == (str(steps), str(2 - steps))


# --- 14.C: artillery --------------------------------------------------------------------------------------------


def test_14_c_three_artillery_regiments_behind_one_motorized_one_defend_with_six() -> None:
    scene = on_plain_ground().units("T", "it-12art", "it-21art", "it-22art", "it-10bers")
    told = scene.units("A", unit("foe", "allied", 6)).when(order("attack", hex="T", **{"with": ["foe"]}))
    assert told.the("attack")["against"] == "6"
    guns = sorted(Fraction(told.strength_of(uid)) for uid in ("it-12art", "it-21art", "it-22art"))
    assert guns == [Fraction(1, 2), Fraction(1, 2), 3]

"""Which missions an air unit may fly, and what is said where it may not (WD 16 to 20, 24)."""

from __future__ import annotations

import pytest

from adjudicator.engine.core import Problem
from adjudicator.western_desert.air import craft as air
from adjudicator.western_desert.air.craft import Craft, Flight, reach
from adjudicator.western_desert.air.missions import (
    AIR_STEP,
    REACTION_STEP,
    RULES,
    WORDS,
    Flier,
    Leg,
    Moment,
    Target,
    Wish,
    bars_chain,
    flying_to,
    lone_escorts,
    mission_problems,
)
from adjudicator.western_desert.hexes import code
from adjudicator.western_desert.theatre.vichy import may_fly

FIGHTER = Craft("f", "F", "axis", name="Me 109E", attack=7, defense=5, tactical=1, movement=7)
NIGHT_FIGHTER = Craft("nf", "NF", "axis", attack=6, defense=4, tactical=1, movement=20)
BOMBER = Craft("b", "B", "axis", attack=1, defense=3, tactical=4, strategic=6, movement=10)
NIGHT_BOMBER = Craft("nb", "NB", "allied", attack=2, defense=2, tactical=2, strategic=4, movement=30)
TRANSPORT = Craft("t", "T", "axis", attack=1, defense=2, movement=24)
GLIDER = Craft("gt", "GT", "axis", defense=1, movement=24)
OWN = Moment(AIR_STEP, phasing=True)
THEIRS = Moment(REACTION_STEP, phasing=False)
ANY = Target(
    own_base=True,
    enemy_base=True,
    port=True,
    canal=True,
    rail=True,
    enemy_air=True,
    enemy_units=True,
    friends=True,
    guns=True,
)
MET = ANY._replace(enemies=True)
BOMBS = [mission for mission in air.BOMBING if mission != air.DEFENSIVE_SUPPORT]


def judged(
    craft: Craft,
    mission: str,
    distance: int = 1,
    target: Target = ANY,
    moment: Moment = OWN,
    night: bool = False,
    extended: bool = False,
) -> list[Problem]:
    """The problems of a mission for an air unit that has done nothing yet."""
    return mission_problems(Flier(craft), Wish(mission, distance, night, extended), target, moment)


def rules(problems: list[Problem]) -> list[str]:
    """The rules cited."""
    return [problem.rule for problem in problems]


def flies(craft: Craft, mission: str, night: bool = False, extended: bool = False) -> bool:
    """Whether a mission is lawful over a target that has everything."""
    if mission in air.REACTIONS:
        target = MET if mission == air.INTERCEPT else ANY
        flier = Flier(craft, raided=True)
        return not mission_problems(flier, Wish(mission, 1, night, extended), target, THEIRS)
    return not judged(craft, mission, night=night, extended=extended)


@pytest.mark.parametrize(
    ("craft", "day", "night"),
    [
        (FIGHTER, {*air.REACTIONS, air.ESCORT, air.TRANSFER, *air.TACTICAL}, {air.TRANSFER}),
        (NIGHT_FIGHTER, {*air.REACTIONS, air.ESCORT, air.TRANSFER, *air.TACTICAL}, {air.INTERCEPT, air.TRANSFER}),
        (BOMBER, {air.TRANSFER, *air.BOMBING}, {air.TRANSFER, *air.STRATEGIC}),
        (NIGHT_BOMBER, {air.TRANSFER, *air.BOMBING} - {air.CANAL}, {air.TRANSFER, air.PORT}),
        (TRANSPORT, {air.TRANSFER, *air.CARRYING}, {air.TRANSFER, *air.CARRYING}),
        (GLIDER, set(), set()),
    ],
)
def test_who_flies_what(craft: Craft, day: set[str], night: set[str]) -> None:
    """WD 16.A, 20, 24.C, 24.E.missions: each type by day and by night."""
    assert {mission for mission in air.MISSIONS if flies(craft, mission)} == day
    assert {mission for mission in air.MISSIONS if flies(craft, mission, night=True)} == night


def test_what_may_be_flown_at_extended_range() -> None:
    """WD 24.B: bombing by others than fighters, transport, escort."""
    assert {mission for mission in air.MISSIONS if flies(BOMBER, mission, extended=True)} == set(air.BOMBING)
    assert {mission for mission in air.MISSIONS if flies(FIGHTER, mission, extended=True)} == {air.ESCORT}
    assert {mission for mission in air.MISSIONS if flies(TRANSPORT, mission, extended=True)} == set(air.CARRYING)
    assert rules(judged(FIGHTER, air.AIRBASE, extended=True)) == ["WD 24.B.bomb"]
    assert rules(judged(BOMBER, air.TRANSFER, extended=True)) == ["WD 24.B"]


@pytest.mark.parametrize("mission", [m for m in air.MISSIONS if m not in air.REACTIONS])
@pytest.mark.parametrize("craft", [FIGHTER, BOMBER, TRANSPORT])
def test_the_last_hex_of_the_range_is_reached_and_the_next_is_not(craft: Craft, mission: str) -> None:
    """WD 18, 20: as far as the mission's range, at extended range too."""
    for extended in (False, True):
        if not flies(craft, mission, extended=extended):
            continue
        most = reach(craft, mission, extended)
        assert not judged(craft, mission, most, extended=extended)
        problems = judged(craft, mission, most + 1, extended=extended)
        assert [problem.code for problem in problems] == ["range"]
        assert f"reaches {most} hexes" in problems[0].text


def test_the_way_out_of_too_long_a_way_is_the_extended_range_where_that_reaches() -> None:
    """WD 24.B."""
    assert judged(BOMBER, air.PORT, 20)[0].hint == "fly it at extended range (WD 24.B.bomb)"
    assert judged(BOMBER, air.PORT, 21)[0].hint == "choose a nearer target, or fly from another base"
    assert "another base" in judged(FIGHTER, air.AIRBASE, 8)[0].hint
    assert judged(FIGHTER, air.ESCORT, 8)[0].hint == "fly it at extended range (WD 24.B.escort)"
    assert rules(judged(BOMBER, air.PORT, 21, extended=True)) == ["WD 24.B.bomb"]


def test_reactions_belong_to_the_other_side_and_their_own_step() -> None:
    """WD 18.steps, 16.C.1, 16.C.2."""
    for moment in (OWN, Moment(AIR_STEP, phasing=False), Moment(REACTION_STEP, phasing=True)):
        assert rules(judged(FIGHTER, air.INTERCEPT, 1, MET, moment)) == ["WD 18.steps"]
    for moment in (THEIRS, Moment(AIR_STEP, phasing=False), Moment("air_return", phasing=True)):
        assert rules(judged(BOMBER, air.PORT, 1, ANY, moment)) == ["WD 18.steps"]


def test_only_ground_support_is_flown_in_the_surprise_turn() -> None:
    """WD 28.B.3.air."""
    assert not judged(BOMBER, air.GROUND_SUPPORT, moment=OWN._replace(surprise=True))
    assert rules(judged(BOMBER, air.AIRBASE, moment=OWN._replace(surprise=True))) == ["WD 28.B.3.air"]
    assert rules(judged(FIGHTER, air.INTERCEPT, 1, MET, THEIRS._replace(surprise=True))) == ["WD 28.B.3.air"]


def test_an_inoperative_or_just_arrived_air_unit_stays() -> None:
    """WD 16.B.1, 29.C.1.placing."""
    wish = Wish(air.TRANSFER, 1)
    assert rules(mission_problems(Flier(BOMBER, operative=False), wish, ANY, OWN)) == ["WD 16.B.1"]
    assert rules(mission_problems(Flier(BOMBER, still="WD 29.C.1.placing"), wish, ANY, OWN)) == ["WD 29.C.1.placing"]


def test_a_base_without_a_take_off_left_keeps_its_air_units() -> None:
    """WD 17.A, ruling CAPACITY-WHO: every take-off counts, that of an interceptor too."""
    wish = Wish(air.TRANSFER, 1)
    assert not mission_problems(Flier(BOMBER, capacity=1), wish, ANY, OWN)
    assert rules(mission_problems(Flier(BOMBER, capacity=0), wish, ANY, OWN)) == ["WD 17.A"]
    assert rules(mission_problems(Flier(FIGHTER, capacity=0), Wish(air.INTERCEPT, 1), MET, THEIRS)) == ["WD 17.A"]


def test_gliders_fly_on_the_tow_of_one_transport() -> None:
    """WD 24.C: not by themselves, not behind a bomber, not to bomb."""
    tow = Flier(TRANSPORT, tow=GLIDER)
    assert not mission_problems(tow, Wish(air.DROP, 24), ANY, OWN)
    assert not mission_problems(tow, Wish(air.TRANSFER, 24), ANY, OWN)
    assert rules(judged(GLIDER, air.TRANSFER)) == ["WD 24.C"]
    assert rules(mission_problems(Flier(BOMBER, tow=GLIDER), Wish(air.TRANSFER, 1), ANY, OWN)) == ["WD 24.C"]
    assert rules(mission_problems(Flier(TRANSPORT, tow=BOMBER), Wish(air.TRANSFER, 1), ANY, OWN)) == ["WD 24.C"]
    bombay = Craft("bombay", "T", "allied", strategic=2, movement=20)
    assert not judged(bombay, air.PORT)
    assert rules(mission_problems(Flier(bombay, tow=GLIDER), Wish(air.PORT, 1), ANY, OWN)) == ["WD 24.C"]


def test_a_mission_needs_a_strength_of_its_kind() -> None:
    """WD 20.F, 20.F.1, 20.F.2; WD 20.F.2.a gives every fighter one against air units."""
    unarmed = Craft("u", "B", "axis", movement=10)
    assert {rules(judged(unarmed, mission))[0] for mission in air.BOMBING} == {RULES[m] for m in air.BOMBING}
    biplane = Craft("g", "F", "allied", movement=7)
    assert not judged(biplane, air.AIR_UNITS)
    assert rules(judged(biplane, air.AIRBASE)) == ["WD 20.F.2.b"]


def test_the_canal_is_bombed_by_the_axis() -> None:
    """WD 20.F.1.b."""
    assert not judged(BOMBER, air.CANAL)
    assert rules(judged(NIGHT_BOMBER, air.CANAL)) == ["WD 20.F.1.b"]


@pytest.mark.parametrize("mission", BOMBS)
def test_nobody_bombs_a_hex_of_his_own(mission: str) -> None:
    """WD 20.F.own-hex, but for defensive support (WD 20.F.2.d)."""
    assert rules(judged(BOMBER, mission, target=ANY._replace(own=True))) == ["WD 20.F.own-hex"]
    assert not judged(BOMBER, air.DEFENSIVE_SUPPORT, target=ANY._replace(own=True))


@pytest.mark.parametrize(
    ("mission", "target"),
    [
        (air.PORT, ANY._replace(port=False)),
        (air.TACTICAL_PORT, ANY._replace(port=False)),
        (air.CANAL, ANY._replace(canal=False)),
        (air.AIR_UNITS, ANY._replace(enemy_air=False)),
        (air.AIRBASE, ANY._replace(enemy_base=False)),
        (air.RAIL, ANY._replace(rail=False)),
        (air.SUPPRESS, ANY._replace(guns=False)),
        (air.GROUND_SUPPORT, ANY._replace(enemy_units=False)),
        (air.TRANSFER, ANY._replace(own_base=False)),
    ],
)
def test_a_hex_must_have_what_the_mission_is_about(mission: str, target: Target) -> None:
    """WD 20.D, 20.F.1, 20.F.2."""
    assert rules(judged(BOMBER, mission, target=target)) == [RULES[mission]]


def test_harassment_and_defensive_support_need_nothing_there() -> None:
    """WD 20.F.2.d, 20.F.2.e: the hex may be empty."""
    assert not judged(BOMBER, air.HARASS, target=Target())
    assert not judged(BOMBER, air.DEFENSIVE_SUPPORT, target=Target())


def test_day_and_night_do_not_meet() -> None:
    """WD 20.A, 24.E: the enemy must be there, at the same time of day."""
    other = Target(otherwise=True)
    assert rules(judged(FIGHTER, air.INTERCEPT, 1, Target(), THEIRS)) == ["WD 20.A"]
    assert rules(judged(FIGHTER, air.INTERCEPT, 1, other, THEIRS)) == ["WD 24.E"]
    assert rules(judged(NIGHT_FIGHTER, air.INTERCEPT, 1, other, THEIRS, night=True)) == ["WD 24.E"]


def test_a_scramble_leads_from_a_base_under_attack_to_one_that_is_not() -> None:
    """WD 20.B, 20.B.dest."""

    def scrambled(target: Target, raided: bool = True, distance: int = 7) -> list[str]:
        return rules(mission_problems(Flier(FIGHTER, raided=raided), Wish(air.SCRAMBLE, distance), target, THEIRS))

    assert scrambled(Target(own_base=True)) == []
    assert scrambled(Target(own_base=True), raided=False) == ["WD 20.B"]
    assert scrambled(Target(own_base=True, enemies=True)) == ["WD 20.B.dest"]
    assert scrambled(Target()) == ["WD 20.B"]
    assert scrambled(Target(own_base=True), distance=8) == ["WD 20.B"]


def test_what_may_follow_a_transfer() -> None:
    """WD 20.D, 20.D.long, 20.D.chain."""

    def after(legs: tuple[Leg, ...], mission: str) -> list[str]:
        return rules(mission_problems(Flier(BOMBER, legs=legs), Wish(mission, 10), ANY, OWN))

    assert after((Leg(10),), air.AIRBASE) == []
    assert after((Leg(10, barred=True),), air.AIRBASE) == []
    assert after((Leg(11),), air.AIRBASE) == ["WD 20.D.long"]
    assert after((Leg(10), Leg(10)), air.AIRBASE) == ["WD 20.D.long"]
    assert after((Leg(10), Leg(30)), air.TRANSFER) == []
    assert after((Leg(10), Leg(30, barred=True)), air.TRANSFER) == ["WD 20.D.chain"]


def test_an_air_unit_flies_one_mission() -> None:
    """Rulings NIGHT-ORDER, SCRAMBLE-ORDER: one mission each."""
    assert rules(mission_problems(Flier(BOMBER, flown=air.PORT), Wish(air.TRANSFER, 1), ANY, OWN)) == ["WD 20"]
    again = mission_problems(Flier(FIGHTER, flown=air.SCRAMBLE), Wish(air.INTERCEPT, 1), MET, THEIRS)
    assert rules(again) == ["WD 20"] and "has flown a scramble" in again[0].text


def test_the_neutral_levant_is_closed_in_the_air() -> None:
    """WD 28.C, ruling LEVANT-AIR."""
    assert rules(judged(BOMBER, air.TRANSFER, target=ANY._replace(closed=True))) == ["WD 28.C"]
    assert not may_fly("allied", "none", "full") and not may_fly("axis", "none", "none")
    assert may_fly("axis", "none", "air") and may_fly("axis", "none", "full")
    assert not may_fly("axis", "axis", "none") and may_fly("axis", "axis", "full")
    assert may_fly("axis", "allied", "none")
    assert may_fly("allied", "axis", "none") and may_fly("allied", "allied", "none")


def test_every_mission_has_its_rule_and_words() -> None:
    assert set(RULES) == set(WORDS) == set(air.MISSIONS)


def test_every_fault_says_what_to_do() -> None:
    """A problem has a text and a way out, for all missions of all types over nothing at all."""
    for craft in (FIGHTER, BOMBER, NIGHT_BOMBER, TRANSPORT, GLIDER):
        for mission in air.MISSIONS:
            for night in (False, True):
                for problem in judged(craft, mission, 99, Target(), night=night):
                    assert problem.text and problem.hint and problem.rule.startswith("WD ")


def test_escorts_need_company() -> None:
    """WD 20.C: other missions to the hex, at the same time of day; escorts alone are none."""
    here, there = code(20, 10), code(21, 10)
    escort = Flight(FIGHTER, air.ESCORT, target=here)
    bomber = Flight(BOMBER, air.AIRBASE, target=here)
    assert lone_escorts([escort, bomber]) == []
    assert lone_escorts([escort, escort]) == [escort, escort]
    assert lone_escorts([escort, Flight(BOMBER, air.AIRBASE, target=there)]) == [escort]
    assert lone_escorts([escort, Flight(BOMBER, air.PORT, night=True, target=here)]) == [escort]


def test_who_is_in_a_hex_to_be_met() -> None:
    """WD 16.B.2, 24.E, ruling INTERCEPT-WHAT: who was turned back is gone."""
    here, there = code(20, 10), code(21, 10)
    day, dark = Flight(BOMBER, air.PORT, target=here), Flight(BOMBER, air.PORT, night=True, target=here)
    gone = Flight(BOMBER, air.PORT, target=here, fate=air.TURNED_BACK)
    landing = Flight(BOMBER, air.TRANSFER, target=here)
    flights = [day, dark, gone, landing, Flight(BOMBER, air.PORT, target=there)]
    assert flying_to(flights, here, night=False) == [day, landing]
    assert flying_to(flights, here, night=True) == [dark]


def test_a_base_near_an_enemy_fighter_ends_a_chain() -> None:
    """WD 20.D.chain: within interception range, half of 7, of a fighter; bombers bar nothing."""
    base = code(20, 10)
    assert bars_chain(base, [(FIGHTER, code(20, 13))])
    assert not bars_chain(base, [(FIGHTER, code(20, 14)), (BOMBER, base)])

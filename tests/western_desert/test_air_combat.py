"""Air combat over one hex (WD 21, 24.A): the rulebook's examples die by die, preparation, series, what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adjudicator.western_desert.air import allocation
from adjudicator.western_desert.air.allocation import FLYING, INTERCEPTING
from adjudicator.western_desert.air.craft import (
    AIRLIFT,
    DEFENSIVE_SUPPORT,
    DROP,
    ESCORT,
    GROUND_SUPPORT,
    INTERCEPT,
    SCRAMBLE,
    TRANSFER,
    TURNED_BACK,
    Craft,
)
from adjudicator.western_desert.air.engagement import Choice, Unlawful, engagement, inoperative
from adjudicator.western_desert.air.shots import Series, Shot, aim, differential, fire
from adjudicator.western_desert.air.sky import NightAndDay, battles, sky_over
from adjudicator.western_desert.air.tables import air_tables, band
from adjudicator.western_desert.cases.build import real_world
from adjudicator.western_desert.charts import ChartMissing
from tests.western_desert.dogfights import (
    HEX,
    Told,
    bombers,
    by_shot,
    escorts,
    flight,
    fought,
    interceptors,
    printed,
    scripted,
    sky,
    told,
)

# --- the rulebook's examples ------------------------------------------------------------------------------------


def test_the_air_combat_example_with_the_counters_of_the_game() -> None:
    """Two Hurri 1 against two SM.79 and their escort of two CR.42, die by die."""
    one, two = "air-hurri-1-1", "air-hurri-1-2"
    cr1, cr2, sm1, sm2 = "air-cr-42-1", "air-cr-42-2", "air-sm-79-1", "air-sm-79-2"
    missions = {one: INTERCEPT, two: INTERCEPT, cr1: ESCORT, cr2: ESCORT, sm1: "bomb_port", sm2: "bomb_port"}
    air = sky(*(printed(aid, mission) for aid, mission in missions.items()))
    hunters = Told(split=[one], engage={one: cr1}, strike={two: sm1})
    flyers = Told(join={}, chase={cr2: two})
    outcome = fought(air, scripted(5, 6, 7, 4, 7), hunters, flyers)
    assert told(outcome) == [
        (one, cr1, 2, 5, "A"),
        (cr1, one, -2, 6, "none"),
        (cr2, two, -2, 7, "none"),
        (two, sm1, 2, 3, "K"),
        (sm1, two, -4, 8, "none"),
    ]
    assert [f.shot.step for f in outcome.fired] == ["screen", "screen", "bypass", "mission", "mission"]
    assert outcome.fates == {cr1: "aborted", sm1: "eliminated"}
    assert outcome.flown == (sm2,)


def test_the_differential_example() -> None:
    """A Hurri 1 against a Ju 87B: +2 and -3."""
    hurri, stuka = printed("air-hurri-1-1", INTERCEPT), printed("air-ju-87b-it-1", "bomb_port_tactical")
    assert (differential(hurri, stuka), differential(stuka, hurri)) == (2, -3)


def test_the_series_example() -> None:
    """The first interceptor aborts the escort and is turned back; the second is not answered."""
    air = sky(*interceptors("I1", "I2"), *escorts("E1"), *bombers("B1"))
    hunters = Told(split=["I1", "I2"], engage={"I1": "E1", "I2": "E1"}, sequence={"E1": ["I1", "I2"]})
    outcome = fought(air, scripted(5, 5, 12), hunters)
    assert [row[:2] for row in told(outcome)] == [("I1", "E1"), ("E1", "I1"), ("I2", "E1")]
    assert outcome.fates == {"E1": "aborted", "I1": "turned_back"}


@pytest.mark.parametrize(
    ("pairs", "faults"),
    [
        ({"I1": "E1", "I2": "E1", "I3": "E2", "I4": "E2"}, []),
        ({"I1": "E1", "I2": "E1", "I3": "E1", "I4": "E2"}, []),
        ({"I1": "E1", "I2": "E1", "I3": "E1", "I4": "E1"}, ["escort_not_engaged"]),
        ({"I1": "E1", "I2": "E2"}, []),
        ({"I1": "E1", "I2": "E2", "I3": "B1"}, ["not_of_the_group"]),
    ],
)
def test_four_interceptors_against_two_escorts(pairs: dict[str, str], faults: list[str]) -> None:
    ours = interceptors("I1", "I2", "I3", "I4")
    air = replace(sky(*ours, *escorts("E1", "E2"), *bombers("B1")), attackers=frozenset(f.id for f in ours))
    assert [p.code for p in allocation.engage_problems(air, pairs)] == faults


@pytest.mark.parametrize("chase", [{"E1": "I1", "E2": "I2"}, {"E1": "I3", "E2": "I3"}])
def test_three_pass_two_unengaged_escorts(chase: dict[str, str]) -> None:
    """The escorts attack whom they like and are not fired at; those not turned back reach the bombers."""
    air = sky(*interceptors("I1", "I2", "I3"), *escorts("E1", "E2"), *bombers("B1"))
    dice = by_shot(**{f"E1_{chase['E1']}": 5})
    outcome = fought(air, dice, Told(split=[]), Told(chase=chase))
    past = [f.shot for f in outcome.fired if f.shot.step == "bypass"]
    assert [(s.firer, s.target) for s in past] == sorted(chase.items())
    assert outcome.fates == {chase["E1"]: "turned_back"}
    assert {f.shot.firer for f in outcome.fired if f.shot.step == "mission"} - {"B1"} == {"I1", "I2", "I3"} - {
        chase["E1"]
    }


# --- preparation ------------------------------------------------------------------------------------------------


def test_a_fighter_without_its_bombs_fights_in_the_screen_with_its_printed_figures() -> None:
    loaded = flight("M1", "7F5", tactical=2)
    air = sky(*interceptors("I1"), loaded, *bombers("B1"))
    assert (loaded.attack, loaded.defense) == (5, 3)
    flyers = Told(jettison=["M1"])
    outcome = fought(air, by_shot(), Told(split=["I1"]), flyers)
    assert told(outcome)[1][:3] == ("M1", "I1", 2)
    assert outcome.flown == ("B1",)
    assert outcome.fates == {}
    assert not inoperative(outcome.sky.flight("M1"))


def test_a_fighter_that_keeps_its_bombs_stays_in_the_mission_force() -> None:
    outcome = fought(sky(*interceptors("I1"), flight("M1", "7F5", tactical=2)), by_shot(), None, Told(jettison=[]))
    assert told(outcome) == [("I1", "M1", 2, 12, "none"), ("M1", "I1", 0, 12, "none")]
    assert outcome.flown == ("M1",)


def test_nobody_is_asked_what_is_not_his_to_decide() -> None:
    """No bombs on fighters, no escorts: one question; none to spare at the screen; and with no interceptors nobody."""
    hunters, flyers = Told(), Told()
    fought(sky(*interceptors("I1"), *bombers("B1")), by_shot(), hunters, flyers)
    assert (hunters.asked, flyers.asked) == (["strike"], [])
    hunters, flyers = Told(split=["I1"]), Told()
    fought(sky(*interceptors("I1"), *escorts("E1"), *bombers("B1")), by_shot(), hunters, flyers)
    assert (hunters.asked, flyers.asked) == (["split", "engage"], [])
    none = fought(sky(*escorts("E1"), flight("M1", "7F5", tactical=2)), scripted(), hunters, flyers)
    assert (none.fired, none.flown, hunters.asked, flyers.asked) == ((), ("M1",), ["split", "engage"], [])


@pytest.mark.parametrize(
    ("answers", "rule", "said"),
    [
        ({"split": ["B1"]}, "WD 21.A.split", "B1 is no interceptor"),
        ({"engage": {"I1": "E1", "I2": "E1"}}, "WD 21.B.2.a", "no interceptor is allocated against E2"),
        ({"jettison": ["B1"]}, "WD 24.A.jettison", "B1 is no fighter on a bombing mission"),
        ({"split": ["I1"], "engage": {}}, "WD 21.B.2.a", "I1 attacks the screen and faces no escort"),
        ({"split": ["I1"], "join": {"E1": "I1"}}, "WD 21.B.2.a", "E1 is no escort that nobody faces"),
        ({"split": ["I1"], "chase": {"E1": "I2"}}, "WD 21.B.2.b.done", "E1 belonged to the fight at the screen"),
        ({"split": ["I1"], "strike": {"I1": "B1"}}, "WD 21.B.2.b.done", "I1 belonged to the fight at the screen"),
        ({"split": ["I1"], "strike": {"I2": "E1"}}, "WD 21.B.2.d", "E1 is no air unit of the mission force"),
        ({"split": [], "strike": {"M1": "B1"}}, "WD 21.B.2.d", "M1 is no interceptor that got past"),
        ({"split": [], "chase": {"E1": "I1", "E2": "I1"}, "sequence": {"I1": ["E1"]}}, "WD 21.B.2.b", "must name each"),
    ],
)
def test_unlawful_decisions_are_refused_with_rule_and_way_out(answers: dict[str, object], rule: str, said: str) -> None:
    engage = {"engage": {"I1": "E1"}} if answers.get("split") == ["I1"] else {}
    policy = Told(**{"jettison": [], "split": ["I1", "I2"], **engage, **answers})
    air = sky(*interceptors("I1", "I2"), *escorts("E1", "E2"), *bombers("B1"), flight("M1", "7F5", tactical=2))
    with pytest.raises(Unlawful) as refused:
        fought(air, by_shot(), policy, policy)
    first = refused.value.problems[0]
    assert (first.rule, bool(first.hint)) == (rule, True)
    assert said in first.text and first.text in str(refused.value)


def test_fewer_interceptors_face_an_escort_each() -> None:
    air = replace(
        sky(*interceptors("I1", "I2"), *escorts("E1", "E2", "E3"), *bombers("B1")), attackers=frozenset(["I1", "I2"])
    )
    assert allocation.engage_problems(air, {"I1": "E3", "I2": "E1"}) == []
    codes = [p.code for p in allocation.engage_problems(air, {"I1": "E1", "I2": "E1"})]
    assert codes == ["escort_engaged_twice"]


def test_groups_and_who_decides() -> None:
    air = sky(*interceptors("I1"), *escorts("E1"), *bombers("B1"), flight("M1", "7F5", tactical=2))
    assert [allocation.groups_of(air, aid) for aid in ("I1", "E1", "B1", "M1")] == [
        ("screen", "bypass"),
        ("screen",),
        ("mission",),
        ("screen", "mission"),
    ]
    assert allocation.group_problems(air, "E1", "mission")[0].rule == "WD 21.A.screen"
    assert allocation.group_problems(air, "I1", "mission")[0].rule == "WD 21.A.split"
    assert allocation.decider_problems("chase", FLYING) == []
    assert allocation.decider_problems("strike", FLYING)[0].rule == "WD 21.B.2.d"


# --- exchanges --------------------------------------------------------------------------------------------------


def test_both_of_a_pair_fire_even_if_one_is_eliminated() -> None:
    outcome = fought(sky(*interceptors("I1"), *bombers("B1")), by_shot(I1_B1=2, B1_I1=2))
    assert [row[0] for row in told(outcome)] == ["I1", "B1"]
    assert outcome.fates == {"I1": "aborted", "B1": "eliminated"}


def test_an_elimination_ends_a_series_and_frees_nobody() -> None:
    """The second interceptor has fought as little as it may fight elsewhere."""
    air = sky(*interceptors("I1", "I2"), *escorts("E1"), *bombers("B1"))
    hunters = Told(split=["I1", "I2"], engage={"I1": "E1", "I2": "E1"}, sequence={"E1": ["I1", "I2"]})
    outcome = fought(air, by_shot(I1_E1=2), hunters)
    assert [row[:2] for row in told(outcome)] == [("I1", "E1"), ("E1", "I1")]
    assert (outcome.fates, outcome.flown) == ({"E1": "eliminated"}, ("B1",))


def test_a_turned_back_single_unit_fires_to_the_end_of_the_series() -> None:
    air = sky(*interceptors("I1", "I2"), *bombers("B1", figures="4A4"))
    hunters = Told(strike={"I1": "B1", "I2": "B1"}, sequence={"B1": ["I2", "I1"]})
    outcome = fought(air, by_shot(I2_B1=7), hunters)
    assert [row[:2] for row in told(outcome)] == [("I2", "B1"), ("B1", "I2"), ("I1", "B1"), ("B1", "I1")]
    assert outcome.fates == {"B1": "turned_back"}


def test_the_worst_of_several_results_stands() -> None:
    series = Series("B1", ("I1", "I2", "I3")).after({"B1": "aborted"}).after({"B1": "turned_back"})
    assert (series.pending, series.fires, series.over) == ("aborted", False, False)
    assert series.exchange == (("I3", "B1"),)
    assert series.after({"B1": "eliminated"}).over


def test_several_escorts_join_against_one_interceptor() -> None:
    """One is faced, the second joins, the third is held back and goes for the one who passes."""
    air = sky(*interceptors("I1", "I2"), *escorts("E1", "E2", "E3"), *bombers("B1"))
    hunters = Told(split=["I1"], engage={"I1": "E2"})
    flyers = Told(join={"E1": "I1"}, chase={"E3": "I2"}, sequence={"I1": ["E2", "E1"]})
    outcome = fought(air, by_shot(), hunters, flyers)
    assert [row[:2] for row in told(outcome)] == [
        ("E2", "I1"),
        ("I1", "E2"),
        ("E1", "I1"),
        ("I1", "E1"),
        ("E3", "I2"),
        ("I2", "B1"),
        ("B1", "I2"),
    ]


def test_a_glider_shares_what_befalls_its_tow() -> None:
    pair = flight("T1", "1T2", DROP, tow=Craft("G1", "GT", defense=1))
    outcome = fought(sky(*interceptors("I1"), pair), by_shot(I1_T1=2))
    assert told(outcome)[0][2] == 4
    assert outcome.fates == {"T1": "eliminated", "G1": "eliminated"}


def test_who_is_aborted_is_inoperative_once_landed() -> None:
    fates = {fate: inoperative(flight("B1", "1B3", fate=fate)) for fate in ("", TURNED_BACK, "aborted")}
    assert fates == {"": False, TURNED_BACK: False, "aborted": True}


@pytest.mark.parametrize(
    ("firer", "target", "modifier"),
    [
        ("5F5", "1B3", -1),
        ("5NF5", "1NB3", -1),
        ("1B3", "5F5", 1),
        ("1NB3", "5NF5", 1),
        ("5F5", "2HB4", 0),
        ("2HB4", "5F5", 0),
        ("5F5", "2D3", 0),
        ("2A2", "5F5", 0),
        ("5F5", "5F5", 0),
        ("5F5", "1T2", 0),
    ],
)
def test_modifiers(firer: str, target: str, modifier: int) -> None:
    tables = air_tables(real_world())
    shot = aim(tables, "mission", HEX, flight("A", firer, INTERCEPT), flight("B", target, AIRLIFT))
    assert shot.modifier == modifier


def test_the_switch_makes_heavy_bombers_bombers() -> None:
    """WD 21.B.3.mod and 22.B.mod, rulings AC-HB-NF and AA-HB."""
    world = replace(real_world(), switches={"ac_bomber_types": "B,NB,HB", "aa_plus1_types": "B,NB"}, cache={})
    tables = air_tables(world)
    heavy, fighter = flight("H", "2HB4").craft, flight("F", "5F5").craft
    assert (tables.combat_modifier(fighter, heavy), tables.combat_modifier(heavy, fighter)) == (-1, 1)
    assert (tables.flak_modifier(heavy, False), air_tables(real_world()).flak_modifier(heavy, False)) == (0, 1)


def test_rolls_beyond_the_table_are_read_at_its_ends() -> None:
    tables = air_tables(real_world())
    low = Shot("mission", "A", "B", -7, -1, "x")
    assert (fire(tables, low, 2).used, fire(tables, low, 2).result) == (1, "A")
    assert fire(tables, low._replace(modifier=1, differential=12), 12).result == "none"
    assert tables.combat.column(12) == band("7 or more")
    with pytest.raises(ChartMissing, match="no range of numbers"):
        band("some")


# --- where it takes place ---------------------------------------------------------------------------------------


def test_battles_are_where_interceptors_meet_missions_day_before_night_hex_by_hex() -> None:
    flights = [
        flight("I1", "5F5", INTERCEPT, target=9),
        flight("B1", "1B3", target=9),
        flight("I2", "5F5", INTERCEPT, target=3),
        flight("T1", "1T2", TRANSFER, target=3),
        flight("B2", "1B3", target=4),
        flight("N1", "5NF5", INTERCEPT, target=3, night=True),
        flight("B3", "1NB3", target=3, night=True),
        flight("I3", "5F5", INTERCEPT, target=7),
        flight("B4", "1B3", target=7, fate=TURNED_BACK),
        flight("S1", "5F5", SCRAMBLE, target=9),
    ]
    found = [(b.hex, b.night, [f.id for f in b.flights]) for b in battles(flights)]
    assert found == [(3, False, ["I2", "T1"]), (9, False, ["I1", "B1"]), (3, True, ["N1", "B3"])]


def test_night_and_day_and_doubles_are_no_battle() -> None:
    tables = air_tables(real_world())
    with pytest.raises(NightAndDay):
        sky_over(tables, HEX, [flight("I1", "5F5", INTERCEPT), flight("B1", "1B3", night=True)])
    with pytest.raises(ValueError, match="flies twice"):
        sky_over(tables, HEX, [*bombers("B1"), *bombers("B1")])


def test_the_generator_asks_and_names_its_dice() -> None:
    """What whoever drives it sees: choices with party, rule and what is lawful, shots with labels that differ."""
    air = sky(
        *interceptors("I1", "I2"),
        *escorts("E1", "E2"),
        flight("G1", "3A3", GROUND_SUPPORT),
        flight("M1", "7F5", DEFENSIVE_SUPPORT, tactical=2),
    )
    policy = Told(jettison=[], split=["I1"], chase={"E2": "I2"}, engage={"I1": "E1"})
    steps, asked, labels = engagement(air), [], []
    request = next(steps)
    try:
        while True:
            if isinstance(request, Choice):
                answer = request.by(policy)
                assert request.problems(answer) == []
                asked.append((request.topic, request.party, request.rule))
                request = steps.send(answer)
            else:
                labels.append(request.label)
                request = steps.send(12)
    except StopIteration as end:
        assert end.value.flown == ("G1", "M1")
    assert asked == [
        ("jettison", FLYING, "WD 24.A.jettison"),
        ("split", INTERCEPTING, "WD 21.A.split"),
        ("engage", INTERCEPTING, "WD 21.B.2.a"),
        ("join", FLYING, "WD 21.B.2.a"),
        ("chase", FLYING, "WD 21.B.2.c"),
        ("strike", INTERCEPTING, "WD 21.B.2.d"),
    ]
    assert labels[0] == f"air/{HEX}/I1/E1"
    assert len(set(labels)) == len(labels) == 5

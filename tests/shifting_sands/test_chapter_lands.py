"""Lands, neutrals and redeployment: rules that no case shows, or shows from one side only (SS 10, 11.7, 12)."""

from __future__ import annotations

from typing import Any

import pytest

from adjudicator.engine.core import Ctx
from adjudicator.shifting_sands.access import attack_entry, crossing, entry, step_problem
from adjudicator.shifting_sands.apply import apply
from adjudicator.shifting_sands.control import take
from adjudicator.shifting_sands.nations import NATIONS
from adjudicator.shifting_sands.redeploy import land_ways
from adjudicator.shifting_sands.retreat import retreat_paths
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.supply import supply
from adjudicator.shifting_sands.world import Counter
from tests.shifting_sands.boards import move_faults, rd_faults, real
from tests.shifting_sands.support import (
    ALLIED,
    AXIS,
    Row,
    Seeds,
    division,
    kinds,
    message,
    run,
    section,
    unit,
    voids,
)

LRDG, LRDG_EVENT = "BR LRDG", "Long Range Desert Group"
TORCH_PORTS = dict.fromkeys(("Casablanca", "Oran", "Algiers"), ALLIED)


def group(nation: str, **more: Any) -> Counter:
    """A battlegroup of a nation, on no map."""
    return Counter(f"x-{nation}", nation, "battlegroup", "infantry", (1, 1), 1, 3, **more)


def redeployed(state: State, *rows: Row, points: str = "") -> Any:
    """A round in which a card is played for redeployment."""
    side = state.active
    card = next(iter(state.hands[side]))
    told = [{"type": "play_card", "card": card, "use": "rd"}, *({"type": "rd", **row} for row in rows)]
    return run(state, [message(3 if side == AXIS else 4, side, section("round"), *told)], Seeds(9))


# --- lands --------------------------------------------------------------------------------------------------------


def test_only_british_controlled_free_french_stand_in_chad() -> None:
    """SS 10.11: neither by movement nor out of the reserve box; the Axis may attack it all the same (SS faq.map.3)."""
    state = real(events=[LRDG_EVENT])
    able = [n for n in NATIONS if entry(state, group(n), "Chad") is None]
    assert able == ["FF_BR"]
    assert attack_entry(state, group("IT"), "Chad") is None
    assert rd_faults(real(unit("b", "BR", "@reserve")), "b", mode="from_reserve", to="Chad") == ["SS 10.11"]
    assert rd_faults(real(unit("f", "FF_BR", "@reserve")), "f", mode="from_reserve", to="Chad") == []


def test_the_axis_never_crosses_between_aden_and_berbera() -> None:
    """SS 10.22: neither to move, to retreat nor to attack; Allies do both ways."""
    state = real(unit("i", "IT", "Berbera"), unit("b", "BR", "Aden"), control={"Berbera": AXIS})
    assert move_faults(state, "i", "Berbera", "Aden") == ["SS 10.22"]
    assert ("Berbera", "Aden") not in retreat_paths(state, "i", "Berbera", 1)
    link = state.world.link("Aden", "Berbera")
    assert crossing(link, group("BR"), "Aden", "Berbera") is None
    assert crossing(link, group("US"), "Berbera", "Aden") is None


def test_the_nile_begins_at_either_end_and_takes_the_whole_move() -> None:
    """SS 10.21: from Cairo through Aswan to Khartoum is no move; the Axis goes not at all."""
    state = real(unit("b", "BR", "Aswan", mf=6))
    assert move_faults(state, "b", "Aswan", "Khartoum") == []
    assert move_faults(state, "b", "Aswan", "Khartoum", "Kassala") == ["SS 10.21"]
    axis = real(unit("i", "IT", "Khartoum"), control={"Khartoum": AXIS})
    assert move_faults(axis, "i", "Khartoum", "Aswan") == ["SS 10.21"]


def test_malta_is_nobodys_place() -> None:
    """SS 10.31, 10.32, 12.73: no unit of any nation stands there, attacks it, or redeploys to it."""
    state = real(unit("b", "BR", "Alexandria"), unit("i", "IT", "Tripoli"))
    assert {entry(state, group(n), "Malta").rule for n in NATIONS} == {"SS 10.31"}  # type: ignore[union-attr]
    assert {attack_entry(state, group(n), "Malta").rule for n in NATIONS} == {"SS 10.32"}  # type: ignore[union-attr]
    assert state.owner("Malta") == ALLIED
    assert rd_faults(state, "b", mode="sea", path=["Alexandria", "Malta"]) == ["SS 12.73"]
    assert rd_faults(state, "i", mode="sea", path=["Tripoli", "Malta"]) == ["SS 12.73"]


def test_dotted_lines_are_for_those_they_name() -> None:
    """SS ex.dotted, 9.13: battlegroups alone between Maaten Giofer and Jalo, both ways."""
    link = real().world.link("Maaten Giofer", "Jalo")
    big = Counter("d", "GE", "division", "infantry", (1, 1), 1, 3)
    for ends in (("Maaten Giofer", "Jalo"), ("Jalo", "Maaten Giofer")):
        barred = crossing(link, big, *ends)
        assert barred is not None and barred.rule == "SS 9.13"
        assert crossing(link, group("GE"), *ends) is None


def test_neutrals_wait_for_their_release() -> None:
    """SS 10.41: they neither move, attack nor redeploy."""
    state = real(unit("v", "VF", "Damascus"), unit("i", "IR", "Baghdad"))
    assert move_faults(state, "v", "Damascus", "Beirut") == ["SS 10.41"]
    assert rd_faults(state, "v", mode="land", path=["Damascus", "Beirut"]) == ["SS 10.41"]
    freed = real(unit("v", "VF", "Damascus"), events=["Iraqi Revolt"])
    assert move_faults(freed, "v", "Damascus", "Beirut") == []


def test_axis_jerusalem_frees_both_and_turns_what_they_hold() -> None:
    """SS 10.42, 10.43, ruling A41: Baghdad and Kirkuk turn at once, with the point of Baghdad."""
    state = real(unit("v", "VF", "Damascus"), unit("i", "IR", "Baghdad"), unit("j", "IR", "Kirkuk"), vp=9)
    ctx = Ctx(state, apply)
    take(ctx, AXIS, ["Jerusalem"], "SS 9")
    assert state.released == {"VF", "IR"}
    assert [state.owner(name) for name in ("Baghdad", "Kirkuk", "Mosul")] == [AXIS, AXIS, ALLIED]
    assert state.vp == 11


@pytest.mark.parametrize(
    ("nation", "events", "inside", "outside", "never", "rule"),
    [
        ("IR", ["Iraqi Revolt"], "Basra", "Palmyra", "Sinai", "SS 10.421"),
        ("VF", ["Iraqi Revolt"], "Aleppo", "Mosul", "Sinai", "SS 10.431"),
    ],
)
def test_released_neutrals_stay_at_home_until_unternehmen_irak_and_in_the_near_east_for_good(
    nation: str, events: list[str], inside: str, outside: str, never: str, rule: str
) -> None:
    """SS 10.421 and 10.431, rulings A67 and A81: to enter and to attack alike."""
    state = real(events=events)
    assert entry(state, group(nation), inside) is None
    for name in (outside, never, "Tripoli"):
        for barred in (entry(state, group(nation), name), attack_entry(state, group(nation), name)):
            assert barred is not None and barred.rule == rule
    later = real(events=[*events, "Unternehmen Irak"])
    assert entry(later, group(nation), outside) is None
    for name in (never, "Tripoli"):
        barred = entry(later, group(nation), name)
        assert barred is not None and barred.rule == rule


def test_allies_pass_through_inactive_iraqis_and_do_not_stop_with_them() -> None:
    """SS 10.422, ruling A41: on the move, redeploying, and tracing supply."""
    state = real(unit("b", "IND", "Basra"), unit("i", "IR", "Samawah"), active=ALLIED)
    assert move_faults(state, "b", "Basra", "Samawah") == ["SS 10.422"]
    assert rd_faults(state, "b", mode="land", path=["Basra", "Samawah"]) == ["SS 10.422"]
    through = next(name for name in state.world.neighbours("Samawah") if name != "Basra")
    assert move_faults(state, "b", "Basra", "Samawah", through) == []
    assert rd_faults(state, "b", mode="land", path=["Basra", "Samawah", through]) == []
    assert supply(state, "b", through).status == "limited"


@pytest.mark.parametrize("event", ["", "Iraqi Revolt", "Unternehmen Irak", "Exporter", "Torch"])
def test_what_opens_syria_to_the_allies(event: str) -> None:
    """SS 10.432: to enter and to attack; the revolt alone does not."""
    state = real(events=[event] if event else [])
    barred = entry(state, group("BR"), "Damascus")
    assert (barred is None) == (event in ("Unternehmen Irak", "Exporter", "Torch"))
    assert (attack_entry(state, group("BR"), "Damascus") is None) == (barred is None)
    assert barred is None or barred.rule == "SS 10.432"


def test_egyptians_stay_in_egypt_and_sinai_is_of_it() -> None:
    """SS 10.44, ruling A81: Sinai is Egypt for everybody."""
    state = real(events=["Egyptian Uprising"])
    assert entry(state, group("EG"), "Sinai") is None
    for name in ("Jerusalem", "Bardia", "Khartoum"):
        barred = attack_entry(state, group("EG"), name)
        assert barred is not None and barred.rule == "SS 10.44"
    assert supply(real(unit("b", "BR", "Sinai")), "b").status == "full", "the Near East would be limited (SS 13.622)"


def test_tunisia_algeria_and_west_africa_open_with_torch() -> None:
    """SS 10.51, ruling A82: to moves and redeployment; Oran and Casablanca are neither Algeria nor Tunisia."""
    state = real(unit("g", "GE", "Zuara"), unit("h", "GE", "Tripoli"))
    assert move_faults(state, "g", "Zuara", "Medenine") == ["SS 10.51"]
    assert rd_faults(state, "g", mode="land", path=["Zuara", "Medenine"]) == ["SS 10.51"]
    opened = real(unit("g", "GE", "Zuara"), events=["Torch"])
    assert move_faults(opened, "g", "Zuara", "Medenine") == []
    closed = [name for name in state.world.spaces if step_problem(state, group("US"), name, name, True) is None]
    assert not {"Oran", "Casablanca", "Algiers", "Bone", "Gabes"} & set(closed)
    west = real(unit("a", "US", "Oran"), unit("b", "US", "Algiers"), events=["Torch"], control=TORCH_PORTS)
    assert (supply(west, "a").status, supply(west, "b").status) == ("full", "limited"), "SS 13.623 is of Algeria"


# --- the LRDG -----------------------------------------------------------------------------------------------------


def mission(salt: str, **more: Any) -> Any:
    """A raid or gathering of intelligence in an Allied round; the dice are fixed by the salt."""
    lrdg = unit("L", "BR", "Jalo", counter=LRDG)
    state = real(lrdg, events=[LRDG_EVENT], active=ALLIED, control={"Mersa Matruh": ALLIED}, **more)
    state.hands[AXIS] = ["balbo-4", "graziani-10"]
    card = {"type": "play_card", "card": state.hands[ALLIED][0], "use": "ops"}
    return state, card, salt


def test_a_round_with_a_mission_is_one_of_the_lrdg() -> None:
    """SS 11.721: whatever else its points buy."""
    state, card, salt = mission("1")
    told = message(4, ALLIED, section("round"), card, {"type": "lrdg", "mission": "raid"})
    found = run(state, [told], Seeds(9, salt))
    assert len(kinds(found.events, "mission")) == 1
    assert found.state.history[ALLIED] == {1: "lrdg"} and found.state.ops.spent in (0, 1)


def test_a_raid_that_costs_the_last_step_puts_the_lrdg_into_the_replacement_box() -> None:
    """SS 11.74, 11.75: a one costs a step, a six the Axis a card; a lost LRDG may be rebuilt."""
    ends = {}
    for salt in range(40):
        state, card, _ = mission(str(salt))
        state.pieces["L"].reduced = True
        told = message(4, ALLIED, section("round"), card, {"type": "lrdg", "mission": "raid"})
        found = run(state, [told], Seeds(9, str(salt)))
        die = str(kinds(found.events, "mission")[0].data["die"])
        ends[die] = (found.state.pieces["L"].at, len(found.state.hands[AXIS]))
    assert ends == {"1": ("@replacement", 2), **{str(n): ("Jalo", 2) for n in range(2, 6)}, "6": ("Jalo", 1)}


# --- redeployment -------------------------------------------------------------------------------------------------


def test_units_redeploy_over_own_land_and_between_map_and_reserve() -> None:
    """SS 12.1, 12.4: points are split among nations and spaces as one likes."""
    state = real(
        unit("i", "IT", "Tripoli"), unit("g", "GE", "El Agheila"), unit("r", "GE", "@reserve"), round=1, active=AXIS
    )
    rows: list[Row] = [
        {"unit": "i", "path": ["Tripoli", "Tarhuna"]}, {"unit": "g", "to": "@reserve"}, {"unit": "r", "to": "Tripoli"}
    ]  # fmt: skip
    found = redeployed(state, *rows)
    assert not voids(found.events)
    assert {uid: found.state.pieces[uid].at for uid in "igr"} == {"i": "Tarhuna", "g": "@reserve", "r": "Tripoli"}


def test_only_units_in_play_redeploy_by_ways_that_there_are() -> None:
    """SS 12.1, 12.7: by sea from one own port to another, in one go."""
    state = real(unit("i", "IT", "Tripoli"), unit("x", "IT", "@replacement"), unit("e", "BR", "Cairo"))
    assert rd_faults(state, "x", to="Tripoli") == ["SS 12.1"]
    assert rd_faults(state, "i", mode="air", path=["Tripoli", "Tobruk"]) == ["SS 12.1"]
    assert rd_faults(state, "i", mode="sea", path=["Tripoli", "Tobruk"]) == []
    assert rd_faults(state, "i", mode="sea", path=["Tripoli", "Tobruk", "Gambut"]) == ["SS 12.7"]
    assert rd_faults(state, "i", mode="sea", path=["Tripoli", "Msus"]) == ["SS 12.7"]
    lost = real(unit("i", "IT", "Tripoli"), control={"Tobruk": ALLIED})
    assert rd_faults(lost, "i", mode="sea", path=["Tripoli", "Tobruk"]) == ["SS 12.7"]


def test_the_lrdg_redeploys_by_the_lines_of_the_desert_like_others() -> None:
    """SS 12.81: the way need not be named where a line joins the two spaces."""
    state = real(unit("L", "BR", "Deep Desert", counter=LRDG), events=[LRDG_EVENT])
    assert rd_faults(state, "L", path=["Deep Desert", "Siwa"]) == []
    assert rd_faults(state, "L", path=["Deep Desert", "Cairo"]) == []


def test_redeployments_follow_one_another() -> None:
    """SS 12.3, faq.rules.23: one joins another, who goes on, and a third one joins him there."""
    units = [unit("b", "GE", "Misurata"), unit("a", "GE", "@reserve"), unit("c", "GE", "@reserve")]
    rows: list[Row] = [
        {"unit": "a", "to": "Misurata"}, {"unit": "b", "path": ["Misurata", "Buerat"]}, {"unit": "c", "to": "Buerat"}
    ]  # fmt: skip
    found = redeployed(real(*units, round=1, active=AXIS), *rows)
    assert not voids(found.events)
    assert {uid: found.state.pieces[uid].at for uid in "abc"} == {"a": "Misurata", "b": "Buerat", "c": "Buerat"}


def test_who_may_join_whom_out_of_the_reserve_box() -> None:
    """SS 12.8, faq.rules.24, faq.rules.25 and faq.rules.26: minor nations are British, Commonwealth nations each their
    own."""
    company = {"BR": "Halfaya", "POL": "Fuka", "SA": "Sidi Barrani"}
    joins = {
        nation: [
            beside
            for beside, at in company.items()
            if not rd_faults(real(unit("x", beside, at), unit("r", nation, "@reserve")), "r", to=at)
        ]
        for nation in ("BR", "POL", "FF_BR", "SA", "AUS")
    }
    assert joins == {"BR": ["BR", "POL"], "POL": ["BR", "POL"], "FF_BR": ["BR", "POL"], "SA": ["SA"], "AUS": []}


def test_egyptians_of_the_reserve_come_into_axis_victory_point_spaces_of_egypt() -> None:
    """SS 12.8: and into nothing else."""
    state = real(unit("e", "EG", "@reserve"), unit("f", "EG", "Fuka"), control={"Mersa Matruh": AXIS, "Fuka": AXIS})
    assert rd_faults(state, "e", to="Mersa Matruh") == []
    assert rd_faults(state, "e", to="Fuka") == ["SS 12.8"]


def test_italians_come_to_east_africa_and_do_not_come_back() -> None:
    """SS 12.8, 12.84, faq.rules.20, faq.rules.22, faq.rules.31, ruling A34: to Addis Ababa, and to Italians who hold
    out."""
    state = real(unit("i", "IT", "@reserve"))
    assert rd_faults(state, "i", to="Addis Ababa") == []
    lost = real(unit("i", "IT", "@reserve"), *(unit(n, "IT", n) for n in ("Gondar", "Massawa", "Jijiga")),
                control={"Addis Ababa": ALLIED})  # fmt: skip
    assert rd_faults(lost, "i", to="Gondar") == [] and rd_faults(lost, "i", to="Massawa") == []
    assert rd_faults(lost, "i", to="Jijiga") == ["SS 12.8"] and rd_faults(lost, "i", to="Addis Ababa") == ["SS 12.8"]
    assert rd_faults(lost, "Gondar", to="@reserve") == ["SS 12.84"]
    assert rd_faults(real(division("d", "IT", "Tripoli")), "d", to="@reserve") == ["SS 12.84"]
    assert rd_faults(real(unit("r", "IT", "@reserve")), "r", to="Tripoli") == [], "faq.rules.22: once rebuilt, anywhere"


def test_sicily_is_a_port_of_the_axis_alone() -> None:
    """SS 12.71, faq.rules.35: to and from the ports of Libya and Egypt, after Torch Tunis and Bizerte."""
    state = real(unit("i", "IT", "Sicily Box"), unit("b", "BR", "Alexandria"), control={"Mersa Matruh": AXIS})
    assert rd_faults(state, "i", mode="sea", path=["Sicily Box", "Tripoli"]) == []
    assert rd_faults(state, "i", mode="sea", path=["Sicily Box", "Mersa Matruh"]) == []
    assert rd_faults(state, "i", mode="sea", path=["Sicily Box", "Massawa"]) == ["SS 12.71"]
    assert rd_faults(state, "i", mode="sea", path=["Sicily Box", "Bizerte"]) == ["SS 12.71"]
    assert rd_faults(state, "b", mode="sea", path=["Alexandria", "Sicily Box"]) == ["SS 12.72"]
    opened = real(unit("i", "IT", "Sicily Box"), events=["Torch"])
    assert rd_faults(opened, "i", mode="sea", path=["Sicily Box", "Bizerte"]) == []
    assert land_ways(state, "i") == {}


def test_the_lrdg_alone_goes_to_the_deep_desert() -> None:
    """SS 12.6, 12.81: from Cairo without a way, and out of the reserve box (12.8)."""
    state = real(
        unit("L", "BR", "@reserve", counter=LRDG), unit("b", "BR", "Cairo"), unit("r", "BR", "@reserve"),
        events=[LRDG_EVENT],
    )  # fmt: skip
    assert rd_faults(state, "L", to="Deep Desert") == []
    assert rd_faults(state, "r", to="Deep Desert") == ["SS 9.23"]
    assert rd_faults(state, "b", mode="lrdg", path=["Cairo", "Deep Desert"]) == ["SS 12.81"]


def test_one_german_battlegroup_a_turn_joins_those_of_the_near_east() -> None:
    """SS 12.83: infantry, after Unternehmen Irak, the second one of a turn not."""
    units = [unit("v", "VF", "Damascus"), unit("g", "GE", "@reserve"), unit("h", "GE", "@reserve")]
    events = ["Iraqi Revolt", "Unternehmen Irak"]
    rows = [{"unit": "g", "to": "Damascus"}, {"unit": "h", "to": "Aleppo"}]
    state = real(*units, unit("w", "VF", "Aleppo"), events=events, round=1, active=AXIS)
    found = redeployed(state, *rows)
    assert [line[:8] for line in voids(found.events)] == ["SS 12.83"] and found.state.german_company == 1
    assert rd_faults(real(*units, events=events[:1]), "g", to="Damascus") == ["SS 12.8"]
    mountain = division("m", "GE", "Basra", counter="GE 5 Mtn")
    beside = real(unit("g", "GE", "@reserve"), mountain, events=events, control={"Basra": AXIS})
    assert supply(beside, "m").status == "oos", "so nobody joins it as a supplied unit of his nationality"
    assert rd_faults(beside, "g", to="Basra") == []

"""Rules of redeployment, supply, attrition, replacements and victory that no case shows (SS 12, 13, 15, 16)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adjudicator.engine.core import Ctx
from adjudicator.shifting_sands.apply import apply
from adjudicator.shifting_sands.attrition import attrition, stand_ins, turning
from adjudicator.shifting_sands.capture import captures, flip_problems, restorable
from adjudicator.shifting_sands.replacement import recreate_places
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.supply import supply
from adjudicator.shifting_sands.victory import automatic, determine
from tests.shifting_sands.boards import rd_faults, real, rebuild_faults, rules
from tests.shifting_sands.support import ALLIED, AXIS, Seeds, division, message, run, section, unit

LRDG = "BR LRDG"
LRDG_EVENT = "Long Range Desert Group"


def reduced_to_nothing(state: State) -> Ctx[State]:
    """The state after its attrition phase."""
    ctx = Ctx(state, apply)
    attrition(ctx)
    return ctx


# --- redeployment -------------------------------------------------------------------------------------------------


def test_the_lrdg_goes_to_cairo_only_where_it_is_supplied() -> None:
    """SS 12.6: its way to Cairo needs no spaces of its own; Cairo must be own and supplied like any other end."""
    lrdg = unit("L", "BR", "Deep Desert", counter=LRDG)
    assert rd_faults(real(lrdg, events=[LRDG_EVENT]), "L", path=["Deep Desert", "Cairo"]) == []
    lost = real(lrdg, events=[LRDG_EVENT], control={"Port Said": AXIS, "Suez": AXIS, "Siwa": AXIS})
    assert supply(lost, "L", "Cairo").status == "oos"
    assert rd_faults(lost, "L", path=["Deep Desert", "Cairo"]) == ["SS 12.6"]


# --- supply -------------------------------------------------------------------------------------------------------


def status(state: State, uid: str, where: str | None = None) -> str:
    """The supply of a unit where it is, or where it would be."""
    return supply(state, uid, where).status


def test_no_axis_ship_supplies_east_africa() -> None:
    """SS 13.43, 13.54, faq.rules.27, ruling A39: Italians hold out in mountains and Massawa, nowhere else."""
    places = ("Gondar", "Massawa", "Jijiga", "Mogadishu")
    units = [unit(name, "IT", name) for name in places]
    state = real(*units)
    assert "oos" not in {status(state, name) for name in places}
    fallen = real(*units, control={"Addis Ababa": ALLIED})
    assert [status(fallen, name) for name in places] == ["limited", "limited", "oos", "oos"]
    turned = turning(fallen)[ALLIED]
    assert {"Jijiga", "Mogadishu", "Kismayu", "Obbia"} <= set(turned)
    assert not {"Gondar", "Massawa", "Keren", "Amba Alagi"} & set(turned)
    cut = real(unit("u", "IT", "Tobruk"), control=dict.fromkeys(("Gambut", "El Adem", "Gazala", "Tripoli"), ALLIED))
    assert status(cut, "u") == "oos", "nor does Addis Ababa supply Africa"


def test_lines_of_supply_have_any_length_and_keep_to_what_the_unit_may_cross() -> None:
    """SS 13.51, 13.53, 13.55 and 13.61: full within three spaces, limited beyond; no Axis line along the Nile (A69)."""
    state = real(unit("g", "GE", "Bardia"), unit("n", "GE", "Buerat"), unit("b", "BR", "Khartoum"))
    assert (status(state, "g"), status(state, "n"), status(state, "b")) == ("limited", "full", "limited")
    south = real(unit("i", "GE", "Khartoum"), control={"Khartoum": AXIS, "region:Egypt": AXIS})
    assert status(south, "i") == "oos"
    around = ("Misurata", "Tarhuna", "Tobruk", "Bardia")
    assert status(real(unit("n", "GE", "Buerat"), control=dict.fromkeys(around[:2], ALLIED)), "n") == "limited"
    assert status(real(unit("n", "GE", "Buerat"), control=dict.fromkeys(around, ALLIED)), "n") == "oos"


def test_tunis_supplies_the_axis_after_torch() -> None:
    """SS 13.32, 13.31: not before, and not once it is lost."""
    lost = {"Zuara": ALLIED, "Tripoli": ALLIED, "Bizerte": ALLIED}
    events = ["Torch"]
    assert status(real(unit("g", "GE", "Tunis"), control=lost, events=events), "g") == "full"
    assert status(real(unit("g", "GE", "Tunis"), control=lost), "g") == "oos"
    assert status(real(unit("g", "GE", "Sousse"), control={**lost, "Tunis": ALLIED}, events=events), "g") == "oos"


def test_who_has_a_source_of_his_own() -> None:
    """SS 13.36, 13.41 and 13.35: Iraqis trace to Baghdad, Vichy French to Beirut, Free French to Chad; nobody else."""
    events, iraq = ["Iraqi Revolt"], {"Baghdad": AXIS, "Kirkuk": AXIS}
    assert status(real(unit("i", "IR", "Kirkuk"), events=events, control=iraq), "i") == "full"
    assert status(real(unit("i", "IR", "Kirkuk"), events=events, control={"Kirkuk": AXIS}), "i") == "oos"
    assert status(real(unit("g", "GE", "Kirkuk"), events=events, control=iraq), "g") != "full"
    assert status(real(unit("v", "VF", "Damascus"), events=events, control={"Beirut": ALLIED}), "v") == "oos"
    assert status(real(unit("f", "FF_BR", "Chad")), "f") == "full"
    assert status(real(unit("g", "FF_US", "Chad")), "g") == "oos"


@pytest.mark.parametrize(
    ("event", "place", "control"),
    [
        ("Ethiopian Campaign", "Khartoum", {}),
        ("Exporter", "Jerusalem", {}),
        ("Vulcan", "Algiers", {"Algiers": ALLIED, "Oran": ALLIED, "Casablanca": ALLIED}),
    ],
)
def test_events_make_limited_supply_full(event: str, place: str, control: dict[str, str]) -> None:
    """SS 13.62, 13.22, 13.23, 13.421v, 13.621, 13.622 and 13.623: if there is a line at all."""
    before, after = ["Torch"], ["Torch", event]
    assert status(real(unit("b", "BR", place), control=control, events=before), "b") == "limited"
    assert status(real(unit("b", "BR", place), control=control, events=after), "b") == "full"
    lost = {**control, **dict.fromkeys(("Port Said", "Suez", "Casablanca", "Oran"), AXIS)}
    assert status(real(unit("b", "BR", place), control=lost, events=after), "b") == "oos"


# --- attrition ----------------------------------------------------------------------------------------------------


def test_a_space_where_the_lrdg_is_supplied_does_not_turn() -> None:
    """SS 13.82, ruling A18: the LRDG traces to the Deep Desert from an oasis that nobody else could hold."""
    state = real(unit("L", "BR", "Jalo", counter=LRDG), events=[LRDG_EVENT], control={"Jalo": ALLIED})
    assert supply(state, "L").status == "full"
    assert "Jalo" not in turning(state)[AXIS]
    assert "Maaten Giofer" in turning(real(events=[LRDG_EVENT], control={"Maaten Giofer": ALLIED}))[AXIS]


def test_egyptians_hold_spaces_from_their_uprising_on() -> None:
    """SS 13.82, 13.44, ruling A18: only who may stand there now counts, and Egyptians are not in the war before."""
    cut = {"Mersa Matruh": AXIS}
    assert turning(real(control=cut))[ALLIED] == ["Mersa Matruh"]
    assert turning(real(control=cut, events=["Egyptian Uprising"]))[ALLIED] == []


def test_by_house_rule_a_division_is_tested() -> None:
    """SS 13.82, ruling A18, switch attrition_space_test: divisions trace through no oasis."""
    state = real(events=[LRDG_EVENT], control={"Siwa": AXIS, "Jarabub": AXIS, "Sidi Barrani": AXIS})
    before = turning(state)[ALLIED]
    state.world = replace(state.world, switches={"attrition_space_test": "division"})
    assert {one.size for one in stand_ins(state, ALLIED)} == {"division"}
    assert turning(state)[ALLIED] == [name for name in before if name not in ("Siwa", "Jarabub")]


def test_mosul_turns_after_the_revolt_if_it_is_cut_off() -> None:
    """SS 13.82, faq.cards.8: with Baghdad and Kirkuk Axis and no other line."""
    cut = {"Baghdad": AXIS, "Kirkuk": AXIS}
    state = real(unit("i", "IR", "Baghdad"), unit("j", "IR", "Kirkuk"), events=["Iraqi Revolt"], control=cut)
    assert "Mosul" in turning(state)[AXIS]
    assert "Mosul" not in turning(real())[AXIS]


def test_closed_lands_are_not_tested() -> None:
    """SS 13.82, 10.51, rulings A18 and A19: Tunis, Bizerte and Gabes before Torch."""
    closed = {"Tunis", "Bizerte", "Gabes", "Sousse"}
    lost = {"Tripoli": ALLIED, "Zuara": ALLIED}
    assert not closed & set(turning(real(control=lost))[ALLIED])
    assert {"Gabes", "Sousse"} & set(turning(real(control={**lost, "Tunis": ALLIED}, events=["Torch"]))[ALLIED])


def test_a_division_that_is_in_the_box_already_stays_there() -> None:
    """SS 13.81, faq.rules.28: only who starves in that phase is lost for good; a starved battlegroup is not."""
    units = [unit("b", "GE", "Fuka"), division("d", "GE", "@replacement"), division("e", "GE", "Fuka")]
    state = real(*units, control={"Fuka": AXIS})
    reduced_to_nothing(state)
    assert {uid: state.pieces[uid].at for uid in "bde"} == {
        "b": "@replacement", "d": "@replacement", "e": "@eliminated"
    }  # fmt: skip


# --- replacements -------------------------------------------------------------------------------------------------


POINTS = {"GE": "9", "IT": "9", "BR": "9", "CW": "9", "A": "9", "US": "9"}


def test_points_rebuild_those_of_their_nations_alone() -> None:
    """SS 15.11, 15.13, 15.14, 15.15 and 15.16."""
    nations = ("IT", "GE", "BR", "AUS", "IND", "NZ", "SA", "GK", "POL", "FF_BR", "US", "FF_US")
    state = real(*(unit(n, n, "@replacement") for n in nations), rp=POINTS)
    pools = {
        n: "".join(p for p in POINTS if not rebuild_faults(state, "recreate", n, to="@reserve", pool=p))
        for n in nations
    }
    commonwealth = dict.fromkeys(("AUS", "IND", "NZ", "SA"), "CW")
    minors = dict.fromkeys(("GK", "POL", "FF_BR"), "A")
    assert pools == {"IT": "IT", "GE": "GE", "BR": "BR", **commonwealth, **minors, "US": "US", "FF_US": "US"}
    assert rebuild_faults(state, "recreate", "BR", to="@reserve", pool="CW") == ["SS 15.13"]
    assert rebuild_faults(state, "recreate", "IT", to="@reserve", pool="GE") == ["SS 15.11"]


def test_who_is_lost_for_good_is_not_rebuilt() -> None:
    """SS 15.4, 15.11: not even by Italian points after an overrun under Poor Morale (11.473)."""
    state = real(division("d", "IT", "@eliminated"), unit("b", "IT", "@replacement"), rp=POINTS)
    assert rebuild_faults(state, "recreate", "d", to="Tripoli") == ["SS 15.4"]
    assert rebuild_faults(state, "recreate", "b", to="@reserve", steps="2") == []


def test_nobody_spends_more_than_is_on_the_track() -> None:
    """SS 15.1, 15.3: half a point rebuilds one step of a battlegroup."""
    state = real(unit("b", "IT", "@replacement"), rp={"IT": "0.5", "GE": "9"})
    assert rebuild_faults(state, "recreate", "b", to="@reserve", steps="2") == ["SS 15.1"]
    assert rebuild_faults(state, "recreate", "b", to="@reserve", steps="1") == []


def test_captured_supply_is_taken_as_often_as_the_town() -> None:
    """SS 13.93, 13.91: also twice in one round, and by Axis units alone."""
    assert captures(AXIS, ["Benghazi", "Derna"]) == ["Benghazi"] and captures(ALLIED, ["Benghazi"]) == []
    for _ in range(2):
        state = real(unit("m", "GE", "Agedabia"), unit("r", "IT", "Tripoli", step="reduced"), unit("b", "BR", "Cairo"),
                     control={"Benghazi": ALLIED})  # fmt: skip
        told = [{"type": "auto_op"}, {"type": "move_marker", "space": "Agedabia"}]
        go = {"type": "move", "unit": "m", "path": ["Agedabia", "Benghazi"]}
        state = run(state, [message(3, AXIS, section("round"), *told, go)], Seeds(9)).state
        assert state.owner("Benghazi") == AXIS and not state.pieces["r"].reduced


def test_native_divisions_come_back_to_addis_ababa_alone() -> None:
    """SS 15.411, faq.map.8: without it they don't; other Italians of East Africa take replacements all the same."""
    native = division("d", "IT", "@replacement", counter="IT AFR")
    held = unit("g", "IT", "Gondar", step="reduced")
    massawa = unit("m", "IT", "Massawa", step="reduced")
    state = real(native, held, massawa, rp=POINTS)
    assert recreate_places(state, state.counter("d")) == ["Addis Ababa"]
    assert rebuild_faults(state, "recreate", "d", to="Tripoli") == ["SS 15.411"]
    lost = real(native, held, massawa, rp=POINTS, control={"Addis Ababa": ALLIED})
    assert recreate_places(lost, lost.counter("d")) == []
    assert [rebuild_faults(lost, "replace", uid) for uid in "gm"] == [[], []]


def test_the_mountain_troops_have_a_black_dot() -> None:
    """SS 15.412, 15.43, ruling A57: so they are never re-created, not even in Beirut."""
    state = real(rp=POINTS, events=["Iraqi Revolt", "Unternehmen Irak"])
    (mountain,) = (uid for uid, one in state.world.counters.items() if one.kind == "GE 5 Mtn")
    state.place(mountain, "@replacement")
    assert rebuild_faults(state, "recreate", mountain, to="Beirut") == ["SS 15.43"]


def test_free_french_may_come_back_in_chad_and_the_lrdg_in_the_deep_desert() -> None:
    """SS 15.42, 15.421 and 15.422: instead of the reserve box, into which all other battlegroups go."""
    units = [unit("f", "FF_BR", "@replacement"), unit("b", "BR", "@replacement")]
    state = real(*units, unit("L", "BR", "@replacement", counter=LRDG), events=[LRDG_EVENT])
    places = {uid: recreate_places(state, state.counter(uid)) for uid in "fbL"}
    assert places == {"f": ["@reserve", "Chad"], "b": ["@reserve"], "L": ["@reserve", "Deep Desert"]}


def test_tobruk_restores_two_units_and_benghazi_one() -> None:
    """SS 13.91, 13.92: of the Axis, in Libya, reduced."""
    state = real(*(unit(uid, "IT", "Tripoli", step="reduced") for uid in "abc"), unit("e", "IT", "Tripoli"))
    assert rules(flip_problems(state, AXIS, "Tobruk", ["a", "b"])) == []
    assert rules(flip_problems(state, AXIS, "Tobruk", ["a", "b", "c"])) == ["SS 13.92"]
    assert rules(flip_problems(state, AXIS, "Benghazi", ["a", "b"])) == ["SS 13.91"]
    assert rules(flip_problems(state, AXIS, "Tobruk", ["a", "e"])) == ["SS 13.92"]


def test_captured_supply_restores_nobody_with_a_black_dot() -> None:
    """SS 13.91, faq.rules.29; Bardia is in Libya, so its units may recover (faq.map.7)."""
    units = [unit("b", "GE", "Bardia", step="reduced"), unit("d", "GE", "Tripoli", step="reduced", flags=["dot"])]
    state = real(*units, unit("e", "GE", "Fuka", step="reduced"), control={"Fuka": AXIS})
    assert restorable(state) == ["b"]


def test_the_90th_comes_back_to_tripoli_and_tunis_alone() -> None:
    """SS 15.413: not to Benghazi and Tobruk, into which it may arrive; to Tunis after Torch."""
    light = division("d", "GE", "@replacement", counter="GE 90")
    state = real(light)
    assert recreate_places(state, state.counter("d")) == ["Tripoli"]
    state = real(light, events=["Torch"])
    assert recreate_places(state, state.counter("d")) == ["Tripoli", "Tunis"]


TORCH_LAND = dict.fromkeys(("Casablanca", "Oran", "Algiers"), ALLIED)


@pytest.mark.parametrize(
    ("nation", "kind", "events", "control", "places"),
    [
        ("US", "US 1", ["Torch"], {}, ["Algiers", "Casablanca", "Oran", "Port Said", "Suez"]),
        ("US", "US 1", ["Torch", "Montgomery"], {"Tripoli": ALLIED, "Tobruk": ALLIED},
         ["Algiers", "Casablanca", "Oran", "Port Said", "Suez", "Tripoli"]),
        ("BR", "BR 46", ["Torch", "Montgomery"], {"Tobruk": ALLIED},
         ["Algiers", "Casablanca", "Oran", "Port Said", "Suez", "Tobruk"]),
        ("BR", "BR 78", ["Torch"], {}, ["Algiers", "Casablanca", "Oran", "Port Said", "Suez"]),
        ("BR", "BR 50", ["Torch"], {}, ["Casablanca", "Oran", "Port Said", "Suez"]),
        ("BR", "BR 50", [], {}, ["Port Said", "Suez"]),
    ],
)  # fmt: skip
def test_after_torch_units_come_back_at_the_sources_of_either_theatre(
    nation: str, kind: str, events: list[str], control: dict[str, str], places: list[str]
) -> None:
    """SS 15.414: every source that serves the unit counts; the 78th lands with Torch (SS 10.52) and is of its units."""
    land = TORCH_LAND if events else {}
    state = real(division("d", nation, "@replacement", counter=kind), events=events, control={**land, **control})
    assert recreate_places(state, state.counter("d")) == places


# --- victory ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("vp", "control", "order", "winner"),
    [
        (14, {"Tripoli": ALLIED}, "", ALLIED),
        (14, {"Tripoli": ALLIED}, "points_first", AXIS),
        (3, {"Port Said": AXIS, "Suez": AXIS}, "", AXIS),
        (3, {"Port Said": AXIS, "Suez": AXIS}, "points_first", ALLIED),
        (9, {"Port Said": AXIS, "Suez": AXIS, "Tripoli": ALLIED}, "", "draw"),
        (9, {"Port Said": AXIS}, "", ""),
    ],
)
def test_where_both_sides_have_won_spaces_go_before_points(
    vp: int, control: dict[str, str], order: str, winner: str
) -> None:
    """SS 16.2a, 16.2b, 16.3a and 16.3b, ruling A48, switch victory_both."""
    quiet = {"region:East Africa": ALLIED}
    state = real(vp=vp, control={**quiet, **control})
    state.world = replace(state.world, switches={"victory_both": order} if order else {})
    assert automatic(state)[0] == winner
    ctx = Ctx(state, apply)
    assert determine(ctx) == winner and state.winner == winner

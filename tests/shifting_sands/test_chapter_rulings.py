"""Rulings on rules 10 to 19 that no case assumes: each by its name (module/shifting-sands/rulings.yaml)."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.core import Ctx
from adjudicator.shifting_sands.advance import CLEARED, TWO, Opening, advance_problems, advances
from adjudicator.shifting_sands.apply import apply
from adjudicator.shifting_sands.attrition import attrition, turning
from adjudicator.shifting_sands.control import take
from adjudicator.shifting_sands.designate import designated, flank_event
from adjudicator.shifting_sands.fire import ATTACKER, DEFENDER, fire_of, loss_number, shifts_of, terrain_shift
from adjudicator.shifting_sands.losses import fulfilments
from adjudicator.shifting_sands.lrdg import mission_problems, outcome
from adjudicator.shifting_sands.relocate import open_places
from adjudicator.shifting_sands.retreat import retreat_paths
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.supply import supply
from tests.shifting_sands.boards import real, rebuild_faults, rules
from tests.shifting_sands.support import ALLIED, AXIS, Row, division, kinds, mini, order, unit
from tests.shifting_sands.test_combat import LIBYA, fought, land

LRDG, LRDG_EVENT = "BR LRDG", "Long Range Desert Group"


def against(state: State, units: list[str], **more: Any) -> Any:
    """The Axis attack on T as it would be designated."""
    return designated(state, AXIS, order(0, "attack", {"units": [*units], "target": "T", **more}), 1)


def names(state: State, combat: Any, role: str) -> list[str]:
    """The names of the column shifts of a side."""
    return [one.name for one in shifts_of(state, combat, role)]


# --- fire ---------------------------------------------------------------------------------------------------------


def test_tables_are_those_that_fit_the_known_cells() -> None:
    """Rulings A01, A02, A03 and A05: tables, bold cells, terrain, missions of the LRDG, as they are ruled."""
    state = real()
    known = {("division", "6-8", 2): (3, False), ("division", "2", 3): (2, False), ("division", "12-14", 4): (5, True)}
    assert {key: loss_number(state, *key) for key in known} == known
    assert loss_number(state, "battlegroup", "0", 6)[0] == 1
    shifts = {kind: terrain_shift(state, kind) for kind in ("marsh", "mountain", "clear", "oasis", "deep_desert")}
    assert shifts == {"marsh": -1, "mountain": -1, "clear": 0, "oasis": 0, "deep_desert": 0}
    assert [outcome(state, "raid", die) for die in (1, 2, 5, 6)] == ["lose_step", "none", "none", "card"]
    assert [outcome(state, "intelligence", die) for die in range(1, 7)] == ["0", "0", "1", "1", "2", "3"]


def test_only_armor_that_takes_part_shifts() -> None:
    """SS 11.271 and 11.272, ruling A13: not what stands by; of the defenders not who retreated before."""
    state = land(unit("d", "BR", "T"), unit("t", "BR", "T", type="armor"))
    assert "no armor against armor" in names(state, against(state, ["g2"]), ATTACKER), "the armor of A stands by"
    assert names(state, against(state, ["g1"]), ATTACKER) == []
    state.pieces["t"].retreated = True
    assert names(state, against(state, ["g1"]), ATTACKER) == ["armor against none"]


def test_rommel_is_used_up_with_the_designation() -> None:
    """Ruling A14: before the flank die and the cards, whatever the shift comes to."""
    found = fought(land(unit("d", "BR", "T", lf=9), events=["Rommel"]), (1, 1), rommel="yes", flank="yes")
    told = [event.kind for event in found.events]
    assert kinds(found.events, "designate")[0].data["rommel"] == "yes"
    assert told.index("designate") < told.index("flank") < told.index("fire")


def test_strength_nothing_begins_at_the_first_column_and_a_fort_is_no_division() -> None:
    """SS 11.15, ruling A15: shifts count from there; beside others such a unit adds nothing."""
    state = land(division("z", "GE", "A", cf=[0, 0]), unit("y", "GE", "A", cf=[0, 0]), unit("d", "BR", "T"))
    assert fire_of(state, against(state, ["z"]), ATTACKER).base == "1"
    assert fire_of(state, against(state, ["y"]), ATTACKER).base == "0"
    assert fire_of(state, against(state, ["y", "g2"]), ATTACKER).base == "2"
    fort: dict[str, Row] = {"T": {**LIBYA, "control": "allied", "fort": 2}}
    held = land(unit("d", "BR", "T", cf=[0, 0]), spaces=fort)
    fire = fire_of(held, against(held, ["g2"]), DEFENDER)
    assert (fire.table, fire.strength) == ("battlegroup", 2)


# --- losses -------------------------------------------------------------------------------------------------------


def test_a_reduced_division_is_replaced_when_it_is_lost_and_not_when_it_is_reduced() -> None:
    """Ruling A16."""
    state = land(division("d", "BR", "T", lf=2), unit("r", "BR", "@reserve", lf=9))
    assert [(dict(one.replaced), one.end_map["d"]) for one in fulfilments(state, ["d"], 2)] == [({}, "reduced")]
    assert [dict(one.replaced) for one in fulfilments(state, ["d"], 4)] == [{"d": "r"}]


def test_losses_are_as_high_as_they_can_be_and_no_higher() -> None:
    """Ruling A17: over all sequences of steps, the battlegroup that replaces among them."""
    lost = division("d", "BR", "T", lf=3, step="reduced")
    state = land(lost, unit("r", "BR", "@reserve", lf=1), unit("b", "BR", "T"))
    assert {one.absorbed for one in fulfilments(state, ["d", "b"], 5)} == {5}
    assert {one.absorbed for one in fulfilments(state, ["d", "b"], 1)} == {0}
    assert {tuple(sorted(one.steps)) for one in fulfilments(state, ["d", "b"], 4)} == {("b", "b"), ("d", "r")}


# --- what becomes of the defender ---------------------------------------------------------------------------------


def test_a_retreat_ends_in_supply_and_then_enters_the_fewest_enemy_spaces() -> None:
    """Ruling A24: supply goes before control."""
    spaces: dict[str, Row] = {
        "S": {**LIBYA, "control": "axis"}, "X": {**LIBYA, "control": "allied"}, "P": {**LIBYA, "control": "axis"}
    }
    state = land(unit("d", "BR", "T"), spaces=spaces, links=(("T", "S"), ("S", "Q"), ("T", "X")))
    assert retreat_paths(state, "d", "T", 1) == [("T", "P"), ("T", "S")], "X is own and out of supply"
    state.control["P"] = ALLIED
    assert retreat_paths(state, "d", "T", 1) == [("T", "P"), ("T", "X")], "S would be an enemy space"


def test_the_nearest_source_is_counted_over_all_lines_and_for_divisions_over_own_land() -> None:
    """Rulings A26 and A27: it must serve the nation and have room; any theatre will do."""
    foes = [unit("b", "BR", "Sidi Barrani"), division("d", "BR", "Sidi Barrani")]
    for control, way in (({}, True), ({"Fuka": AXIS}, False)):
        state = real(*foes, control=control)
        found = {uid: open_places(state, state.counter(uid), "Sidi Barrani") for uid in "bd"}
        assert found["b"][:2] == ["Alexandria", "Cairo"] and {"Port Said", "Suez"} & set(found["b"])
        assert found["d"] == (found["b"] if way else [])
    crowd = [unit(f"c{n}", "BR", "Port Said") for n in range(3)]
    full = real(unit("b", "BR", "Sidi Barrani"), *crowd)
    assert open_places(full, full.counter("b"), "Sidi Barrani") == ["Alexandria", "Cairo", "Suez"]
    far = real(unit("i", "IT", "Gondar"), control={"Addis Ababa": ALLIED})
    assert open_places(far, far.counter("i"), "Gondar")[:2] == ["El Agheila", "Tarhuna"]


def test_the_advance_is_that_of_a_retreat_if_any_unit_retreated() -> None:
    """Rulings A30 and A31: infantry follows any of the paths; nobody goes where he may not move."""
    foes = [unit("d", "BR", "T", lf=9, cf=[0, 0]), unit("e", "BR", "T", lf=1, cf=[0, 0], step="reduced")]
    go: Row = {"type": "advance", "unit": "g2", "path": "A, T, P"}
    found = fought(land(*foes), (4, 1), units="g2, g3", followup=(go,))
    assert {event.data["unit"] for event in kinds(found.events, "retreat")} == {"d"}
    assert found.state.pieces["e"].at == "@replacement" and found.state.pieces["g2"].at == "P"
    state = real(division("g", "GE", "Maaten Giofer"), events=[LRDG_EVENT])
    assert rules(advance_problems(state, Opening(CLEARED, "Jalo"), "g", ("Maaten Giofer", "Jalo"))) == ["SS 9.13"]
    assert advances(state, Opening(TWO, "Jalo"), "g") == []


# --- supply and control -------------------------------------------------------------------------------------------


def test_sea_links_join_any_two_own_ports_of_a_side() -> None:
    """Ruling A39: one link; the ports of redeployment don't count; natives trace by land only."""
    lost = dict.fromkeys(("Casablanca", "Oran"), AXIS)
    tunis = real(unit("b", "BR", "Tunis"), events=["Torch"], control={**lost, "Tunis": ALLIED})
    assert supply(tunis, "b").status == "limited", "no redeployment goes there (SS 12.72)"
    vichy = real(unit("v", "VF", "Mosul"), events=["Iraqi Revolt", "Unternehmen Irak"], control={"Mosul": AXIS})
    assert supply(vichy, "v").how != "by sea"
    assert supply(real(unit("u", "EG", "Tobruk")), "u").status == "oos"


def test_mountains_of_east_africa_never_turn_by_themselves() -> None:
    """Rulings A40 and A77: nor does Syria, which Vichy units could hold."""
    state = real(control={"Addis Ababa": ALLIED})
    turned = turning(state)[ALLIED]
    held = [n for n, s in state.world.spaces.items() if s.region == "East Africa" and s.terrain == "mountain"]
    assert held and not {*held, "Massawa"} & set(turned)
    syria = {name for name in state.world.spaces if state.world.in_region(name, "Syria")}
    assert not syria & set(turned) and {state.owner(name) for name in syria} == {AXIS}
    assert not {"Mosul", "Kirkuk", "Basra"} & set(turning(real())[AXIS])


def test_attrition_judges_all_before_it_removes_any() -> None:
    """Ruling A70: an enemy who starves as well cuts off all the same."""
    spaces: dict[str, Row] = {
        "A": {**LIBYA, "control": "axis", "source": ["axis"]}, "B": {**LIBYA, "control": "allied"},
        "C": {**LIBYA, "control": "axis"}, "Q": {**LIBYA, "control": "allied", "source": ["allied"]},
    }  # fmt: skip
    state = mini(spaces, (("A", "B"), ("B", "C")), units=[unit("b", "BR", "B"), unit("g", "GE", "C")])
    attrition(Ctx(state, apply))
    assert {uid: state.pieces[uid].at for uid in "bg"} == {"b": "@replacement", "g": "@replacement"}


def test_supply_is_captured_by_entering_a_town() -> None:
    """Ruling A60: not where it turns for want of supply; who says nothing has it all the same."""
    state = real(unit("r", "IT", "Tripoli", step="reduced"), control={"Benghazi": ALLIED})
    take(Ctx(state, apply), AXIS, ["Benghazi"], "SS 13.82")
    assert state.pieces["r"].reduced


# --- points and missions ------------------------------------------------------------------------------------------


def test_a_point_that_the_allies_lose_is_one_of_the_axis() -> None:
    """Ruling A49: the marker goes up."""
    state = real(vp=9)
    take(Ctx(state, apply), AXIS, ["Mersa Matruh"], "SS 9")
    assert state.vp == 10


def test_what_points_may_do() -> None:
    """Rulings A50 and A54: neutrals after their events only; a unit may come back at one step."""
    rp = {"GE": "1", "BR": "0.5"}
    native = unit("v", "VF", "@replacement")
    assert rebuild_faults(real(native, rp=rp), "recreate", "v", to="@reserve") == ["SS 15.12"]
    assert rebuild_faults(real(native, rp=rp, events=["Exporter"]), "recreate", "v", to="@reserve") == []
    state = real(unit("b", "BR", "@replacement"), rp=rp)
    assert rebuild_faults(state, "recreate", "b", to="@reserve", steps="1") == []


def test_a_mission_takes_a_point_of_an_operations_round() -> None:
    """SS 11.72, 11.741, ruling A59: the free raid needs such a round as well, and it is one mission a turn."""
    mine = dict.fromkeys(("Tripoli", "El Agheila", "Benghazi", "Tobruk", "Bardia", "Mersa Matruh"), ALLIED)
    raid = order(0, "lrdg", {"mission": "raid"})

    def faults(**given: Any) -> list[str]:
        lrdg = unit("L", "BR", "Jalo", counter=LRDG)
        return rules(mission_problems(real(lrdg, events=[LRDG_EVENT], active=ALLIED, **given), ALLIED, raid))

    assert faults(ops={"available": 0, "source": "automatic"}) == ["SS 11.72"]
    assert faults(ops={"available": 1, "source": "automatic"}) == []
    assert faults(ops={"available": 0, "source": "card"}, control=mine) == []
    assert faults(control=mine) == ["SS 11.72"]
    assert faults(ops={"available": 3, "source": "card"}, missions_this_turn=1) == ["SS 11.72"]


def test_radio_intercepts_help_every_flank_attack_of_the_round() -> None:
    """Ruling A71: no die is rolled."""
    state = land(unit("d", "BR", "T"))
    state.events["Radio Intercepts"], state.fresh = state.turn, ["Radio Intercepts"]
    for _ in range(2):
        assert flank_event(state, AXIS) == "Radio Intercepts" and flank_event(state, ALLIED) == ""
    found = fought(state, (1, 1), flank="yes")
    (event,) = kinds(found.events, "flank")
    assert event.data["result"] == "success" and "die" not in event.data

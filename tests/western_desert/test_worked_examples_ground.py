"""The worked examples of the rulebook's chapters on movement, railroads, stacking, supply and works (WD 2 to 8, 12,
14.A), played by the phases themselves."""

from __future__ import annotations

import pytest

from adjudicator.western_desert import hexes
from adjudicator.western_desert.stacking import stack_problems
from tests.western_desert.skirmish import unit
from tests.western_desert.worked import Scene, named, on_plain_ground, on_the_map, order

TOBRUK = "18/4818"


def test_2_b_a_hex_is_named_by_its_map_and_its_number() -> None:
    state = on_the_map().state
    assert state.board.name(state.board.find(TOBRUK)) == TOBRUK
    assert "Tobruk" in state.board.feature_names(state.board.find(TOBRUK))


def test_5_no_unit_exerts_a_zone_through_an_all_sea_hexside() -> None:
    """Everywhere on the map: a division next to the water, zones only where it could go."""
    state = on_the_map().state
    board = state.board
    coasts = [(h, n) for h in sorted(board.land) for n in hexes.neighbours(h) if board.crossing(h, n) == "sea"]
    wet = [(h, n) for h, n in coasts if n in board.land]
    assert wet
    for h, n in wet:
        assert n not in board.open_neighbours(h)
    for h, n in wet[:20]:
        scene = on_the_map().units(board.name(h), "br-50-xx")
        assert not scene.state.ezoc(n, "axis")


# --- 7: transportation lines ------------------------------------------------------------------------------------


def test_7_b_a_road_saves_the_ground_and_not_the_way_out_of_a_zone() -> None:
    """Rough ground by road costs what clear ground costs; the hex in a zone costs what it costs to leave it."""

    def cost(with_enemy: bool) -> float:
        scene = on_plain_ground(phase="movement").ground("A", "rough").road("T", "A").units("T", "br-16")
        if with_enemy:
            scene.units("D", unit("foe", "axis", 2))
        told = scene.when(order("move", unit="br-16", to="A", by="road"))
        assert told.refused == []
        return told.spent("br-16")

    assert cost(with_enemy=False) == 1
    assert cost(with_enemy=True) > 1


def matruh(*axis: str) -> Scene:
    """The Allied initial phase with the railhead in Matruh and the line behind it open."""
    scene = on_the_map(phase="initial").units("19/1225", "br-16").held_by("allied", "19/1225", "19/1126")
    for place in axis:
        scene.units(place, *named("it-10bers", f"foe-{place}"))
    return scene


def test_7_d_the_railhead_goes_from_matruh_to_1126_in_aug_ii_41() -> None:
    told = matruh().on("Aug II 41").when(order("extend_rail"))
    assert told.refused == []
    assert (told.the("rail-extended")["from"], told.the("rail-extended")["hex"]) == ("19/1225", "19/1126")


def test_7_d_the_new_hex_carries_trains_in_the_same_turn() -> None:
    scene = matruh().on("Aug II 41")
    scene.when(order("extend_rail"))
    scene.units("19/1225", "br-22")
    scene.state.phase = scene.state.step = "movement"
    told = scene.when(order("move", unit="br-22", to="19/1126", by="rail"))
    assert told.refused == []
    assert told.the("move")["steps"] == ["rail"]


@pytest.mark.parametrize(
    ("turn", "axis", "rule"), [("Aug I 41", (), "WD 7.D.build"), ("Aug II 41", ("19/1026",), "WD 7.D.cond3")]
)
def test_7_d_too_early_or_next_to_the_enemy_nothing_is_built(turn: str, axis: tuple[str, ...], rule: str) -> None:
    told = matruh(*axis).on(turn).when(order("extend_rail"))
    assert rule in told.refused
    assert told.all("rail-extended") == []


# --- 8: stacking ------------------------------------------------------------------------------------------------

FULL = ("in-4-xx", "in-5-xx", "br-16", "br-22", "br-23", "br-14")


def test_8_a_two_divisions_four_brigades_and_two_of_artillery_fill_a_hex() -> None:
    scene = on_plain_ground(phase="movement").units("T", *FULL).units("A", "br-5-art", "br-8-art")
    told = scene.when(order("move", units=["br-5-art", "br-8-art"], to="T"))
    assert told.refused == []
    assert stack_problems(told.state, scene.at("T"), "allied") == []
    assert len(told.state.units_at(scene.at("T"))) == 8


@pytest.mark.parametrize("more", ["br-150", "br-m-art"])
def test_8_a_one_more_of_either_kind_is_too_many(more: str) -> None:
    scene = on_plain_ground(phase="movement").units("T", *FULL, "br-5-art", "br-8-art").units("A", more)
    told = scene.when(order("move", unit=more, to="T"))
    assert told.refused == ["WD 8"]
    assert told.place_of(more) == "A"


# --- 12: supply -------------------------------------------------------------------------------------------------


def besieged() -> Scene:
    """A division, two brigades and a supply counter in Tobruk, the Axis in every land hex around it."""
    scene = on_the_map(phase="initial").units(TOBRUK, "au-9-xx", "br-16", "br-22").supply("allied-1", TOBRUK, 2)
    around = [n for n in hexes.neighbours(scene.at(TOBRUK)) if n in scene.state.board.land]
    for number, n in enumerate(around):
        scene.units(scene.state.board.name(n), *named("it-10bers", f"siege-{number}"))
    return scene


def test_12_b_one_step_in_tobruk_serves_the_whole_garrison() -> None:
    told = besieged().when(order("general_supply", counter="allied-1"))
    used = told.the("supply-used")
    assert (used["use"], used["steps"], used["left"]) == ("general", "1", "1")
    assert sorted(used["units"]) == ["au-9-xx", "br-16", "br-22"]
    assert not {"au-9-xx", "br-16", "br-22"} & set(told.the("supply-check")["out"])
    assert all(told.state.pieces[uid].gs for uid in ("au-9-xx", "br-16", "br-22"))


def test_12_b_without_the_step_no_line_leads_out_of_tobruk() -> None:
    told = besieged().when(order("pass"))
    assert told.all("supply-used") == []
    assert {"au-9-xx", "br-16", "br-22"} <= set(told.the("supply-check")["out"])


def test_12_d_two_steps_on_the_move_spend_22_of_30_points() -> None:
    scene = on_the_map().on("Jun I 41").supply("allied-1", "19/3725").supply("allied-2", "19/2423")
    scene.held_by("allied", *(scene.state.board.name(h) for h in scene.state.board.land))
    told = scene.when(
        order("supply_move", counter="allied-1", to="19/4312", by="rail"),
        order("supply_move", counter="allied-2", to="19/1225", by="rail"),
        order("supply_move", counter="allied-2", to="19/0526", by="road"),
        order("supply_move", counter="allied-2", path=["19/0527", "19/0528", "19/0529", "19/0530"]),
    )
    assert told.refused == []
    assert [move["smp"] for move in told.all("supply-moved")] == ["0", "0", "7", "15"]
    last = told.all("supply-moved")[-1]
    assert (last["spent"], last["left"]) == ("22", "8")
    assert (told.place_of("allied-1"), told.place_of("allied-2")) == ("19/4312", "19/0530")


# --- 14.A: fortresses -------------------------------------------------------------------------------------------


def test_14_a_tobruk_taken_is_a_fortress_to_be_improved_again() -> None:
    scene = on_the_map("axis").held_by("allied", TOBRUK).units("18/4719", "ge-104m")
    assert scene.state.fortress(scene.at(TOBRUK)) == "improved"
    told = scene.when(order("move", unit="ge-104m", to=TOBRUK))
    assert told.refused == []
    assert told.state.owner(scene.at(TOBRUK)) == "axis"
    assert told.state.fortress(scene.at(TOBRUK)) == "unimproved"

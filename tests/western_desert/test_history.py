"""What hangs on the Balkan campaign, by history and without an expedition to Greece (WD 26.D, 32.B)."""

from __future__ import annotations

import re

import pytest

from adjudicator.packs.load import load_pack
from adjudicator.western_desert.battle import closed_to
from adjudicator.western_desert.graph import graph_of
from adjudicator.western_desert.history import first_forces
from adjudicator.western_desert.retreat import ways
from adjudicator.western_desert.sea.voyages import TUNISIA, status_for
from adjudicator.western_desert.switches import BadSwitch, check_switches
from adjudicator.western_desert.world import world_from_pack
from tests.western_desert.optional import Campaign, Game
from tests.western_desert.turns import Row

PACK = load_pack("western-desert").tree
GREEK = "gk-1"


@pytest.mark.parametrize(("options", "before"), [("", "May II 41"), ("32.B", "Apr II 41")])
def test_crete_is_neutral_ground_until_the_axis_gains_it(options: str, before: str) -> None:
    """WD 26.D, 32.B.may."""
    game = Campaign(before, "axis", options)
    suda = game.state.board.find("18/4404")
    game.go({"type": "pass"})
    assert game.state.owner(suda) == "neutral" and graph_of(game.state, "axis").closed(suda)
    game.go({"type": "pass"})
    assert game.state.owner(suda) == "neutral"
    game.go({"type": "pass"})
    assert game.state.owner(suda) == "axis" and not graph_of(game.state, "axis").closed(suda)
    game.go({"type": "pass"})
    game.go({"type": "pass"})
    assert [row for row in game.told("control") if "18/4404" in row["hexes"]] == []


def test_the_greek_brigade_never_comes_without_an_expedition() -> None:
    """WD 32.B."""
    for options, comes in (({}, True), ({"options": "32.B"}, False)):
        world = world_from_pack(PACK, "campaign", options)
        assert any(row.get("unit") == GREEK for row in world.events) is comes


def test_the_special_forces_of_1941_are_there_two_months_earlier_without_an_expedition() -> None:
    """WD 32.B.may."""
    for options, turn in (({}, "Sep I 41"), ({"options": "32.B"}, "Jul I 41")):
        world = world_from_pack(PACK, "campaign", options)
        forces = [row for row in world.events if row.get("pool") == "german_1941"]
        assert forces and {row["turn"] for row in forces} == {turn} == {first_forces(world)}


@pytest.mark.parametrize("scenario", ["enter-rommel", "crusader"])
def test_a_scenario_after_the_expedition_does_not_take_the_option(scenario: str) -> None:
    with pytest.raises(BadSwitch, match=re.escape("32.B does not go with this scenario")):
        check_switches(PACK, {"options": "32.B"}, scenario)
    check_switches(PACK, {"options": "33.H"}, scenario)
    check_switches(PACK, {"options": "32.B"}, "campaign")


# --- Tunisia (WD 32.C) ------------------------------------------------------------------------------------------

VIA = {"type": "reinforce", "via": "tunisia"}
PANZERS, COUNTER = "ge-8pz", "supply-axis-arrived-1"


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ({"unit": PANZERS, "at": "18/0124"}, "later"),
        ({"rp": "italian_armor"}, "not_sent"),
        ({"air": ["air-he-111h-1"]}, "not_sent"),
        ({"unit": "it-61"}, "not_due"),
        ({"units": [PANZERS]}, ""),
    ],
)
def test_what_may_be_sent_to_tunisia(row: Row, code: str) -> None:
    """WD 32.C: units and supply counters."""
    game = Campaign("May I 41", "axis", "32.C")
    game.go({**VIA, **row})
    assert [told["code"] for told in game.told("void")] == ([code] if code else [])


def test_what_is_in_tunisia_comes_in_next_turn_and_may_be_kept_waiting() -> None:
    """WD 32.C.entry."""
    game = Campaign("May I 41", "axis", "32.C")
    game.go({**VIA, "unit": PANZERS}, {"type": "reinforce", "unit": PANZERS, "at": "18/0122"})
    assert [told["code"] for told in game.told("void")] == ["sent"]
    assert game.state.boxes[PANZERS].box == "tunisia"
    game.go({"type": "pass"})
    game.go({"type": "reinforce", "unit": PANZERS, "delay": "yes"})
    assert game.state.boxes[PANZERS].box == "tunisia"
    game.go({"type": "pass"})
    game.go({"type": "pass"})
    assert game.state.board.name(game.state.hex_of(PANZERS)) == "18/0122" and game.state.pieces[PANZERS].gs


def test_the_status_on_the_way_to_tunisia_is_that_of_the_table_at_most() -> None:
    """WD 32.C, ruling MALTA-COLUMNS."""
    state = Campaign("May I 41", "axis", "32.C").state
    for status, counts in ((0, 5), (4, 9), (12, 15), (15, 15)):
        state.malta = status
        assert status_for(state, TUNISIA) == counts


def test_counters_sent_to_tunisia_lose_steps_as_others_do() -> None:
    game = Campaign("May I 41", "axis", "32.C")
    later = {"type": "reinforce", "units": [PANZERS, "it-5arm", "lw-i18", "paa-axis-14"], "delay": "yes"}
    rolled = {"malta": (6, 6), "shipping": (5,)}
    points = {"type": "reinforce", "rp": "italian_armor", "delay": "yes"}
    told: list[Row] = [{**VIA, "counter": COUNTER}, later, points]
    game.play(*told, dice=lambda _seq, roll: rolled.get(roll.kind, (1,) * roll.count))
    voyage = next(row for row in game.told("voyage") if row["item"] == COUNTER)
    assert (voyage["result"], voyage["left"], game.state.depots[COUNTER].steps) == ("arrives", "1", 1)


# --- Allied co-operation (WD 32.A) ------------------------------------------------------------------------------

SIX = ("au-16", "au-17", "au-18", "au-19", "au-20", "au-21")


def codes(game: Game) -> list[str]:
    return [str(told["code"]) for told in game.told("void")]


def south_african(options: str, where: str) -> Game:
    game = Game("Jul I 41", "allied", options)
    game.at("sa-1", where)
    return game


@pytest.mark.parametrize(("options", "found"), [("", []), ("32.A", ["south_africans"])])
def test_south_africans_are_not_shipped_out_of_egypt_and_libya(options: str, found: list[str]) -> None:
    """WD 32.A.sa."""
    game = south_african(options, "19/2423")
    game.go(moves=[{"type": "ship", "unit": "sa-1", "to": "19/4312"}])
    assert codes(game) == found


@pytest.mark.parametrize(("options", "found"), [("", []), ("32.A", ["south_africans"])])
def test_south_africans_are_not_replaced_in_palestine(options: str, found: list[str]) -> None:
    game = Game("Jul I 41", "allied", options)
    game.state.gone["sa-1"] = "eliminated"
    game.state.points["south_african_non_armor"] = 8
    game.go({"type": "replace", "unit": "sa-1", "at": "19/4312"})
    assert codes(game) == found


@pytest.mark.parametrize("options", ["", "32.A"])
def test_south_africans_retreat_into_palestine_only_without_the_option(options: str) -> None:
    state = south_african(options, "19/4218").state
    palestine = state.board.find("19/4318")
    assert (palestine in ways(state, "sa-1", state.hex_of("sa-1")).hexes) is (not options)
    assert bool(closed_to(state, state.hex_of("sa-1"), palestine, "sa-1")) is bool(options)
    assert not closed_to(state, state.hex_of("sa-1"), palestine, "au-20")


def test_australians_cost_points_from_the_third_in_the_pool_on() -> None:
    """WD 32.A.aus."""
    game = Game("Jun II 41", "axis", "32.A")
    for uid in SIX[:2]:
        game.state.take_off(uid, "eliminated")
    game.at("au-20", "18/4530")
    game.at("au-21", "18/4530")
    game.go()
    game.go()
    assert "WD 32.A.aus" not in {event.rule for event in game.events}
    assert game.state.theatre.australians == frozenset(SIX[:2])
    game.state.gone[SIX[0]] = "scrapped"
    game.state.gone[SIX[2]] = "eliminated"
    game.go()
    game.go()
    paid = [event.data["vp"] for event in game.events if event.rule == "WD 32.A.aus"]
    assert paid == ["-1"] and game.state.theatre.australians == frozenset(SIX[:3])


def test_all_free_french_invade_the_levant() -> None:
    """WD 32.A.ff."""
    game = Game("Jul I 41", "allied", "32.A")
    game.state.take_off("ff-bim", "spare")
    game.at("ff-1", "19/4311")
    enter = {"type": "move", "unit": "ff-1", "to": "19/4310"}
    game.go(moves=[{"type": "invade_levant"}, {**enter, "to": "19/4312"}])
    assert codes(game) == ["free_french"] and not game.told("invasion")
    game.go()
    game.at("ff-1", "19/4311")
    game.go(moves=[{"type": "invade_levant"}, enter])
    assert codes(game) == [] and [told["held"] for told in game.told("invasion")] == ["axis"]

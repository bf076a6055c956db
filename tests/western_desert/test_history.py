"""What hangs on the Balkan campaign, by history and without an expedition to Greece (WD 26.D, 32.B)."""

from __future__ import annotations

import re

import pytest

from adjudicator.packs.load import load_pack
from adjudicator.western_desert.graph import graph_of
from adjudicator.western_desert.switches import BadSwitch, check_switches
from adjudicator.western_desert.world import world_from_pack
from tests.western_desert.optional import Campaign

PACK = load_pack("western-desert").tree
GREEK = "gk-1"


@pytest.mark.parametrize(("options", "before"), [("", "May II 41"), ("32.B", "Apr II 41")])
def test_crete_is_neutral_ground_until_the_axis_gains_it(options: str, before: str) -> None:
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
    for options, comes in (({}, True), ({"options": "32.B"}, False)):
        world = world_from_pack(PACK, "campaign", options)
        assert any(row.get("unit") == GREEK for row in world.events) is comes


@pytest.mark.parametrize("scenario", ["enter-rommel", "crusader"])
def test_a_scenario_after_the_expedition_does_not_take_the_option(scenario: str) -> None:
    with pytest.raises(BadSwitch, match=re.escape("32.B does not go with this scenario")):
        check_switches(PACK, {"options": "32.B"}, scenario)
    check_switches(PACK, {"options": "33.H"}, scenario)
    check_switches(PACK, {"options": "32.B"}, "campaign")

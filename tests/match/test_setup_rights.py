"""Cards given at the set-up: the first turn file takes them unless its owner strikes the order out (SS 18.3)."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.match.blank import blank, by_default
from adjudicator.match.facedown import faces_of
from adjudicator.match.match import Match
from adjudicator.protocol.forms import rows
from tests.match.two_programs import ALLIED, AXIS, TwoPrograms

RIGHTS = {AXIS: "balkan-campaign-15", ALLIED: "commonwealth-reinforcements-1st-south-african-30"}

NAMES = {AXIS: "Balkan Campaign", ALLIED: "Commonwealth Reinforcements (1st South African)"}
"""As the turn file of their owner calls them."""


def hand(match: Match, side: str) -> list[str]:
    """A hand by names, as its owner knows it."""
    match.look()
    assert match.verifier.last is not None
    state = match.table.restore(match.verifier.last.resolution.position)
    faces = faces_of(match)
    return [faces[card]["name"] for card in state.hands[side]]


def begun(root: Path, decline: str = "") -> TwoPrograms:
    """Sonnenblume after both set-up messages, as their templates have them; one side strikes its order out."""
    game = TwoPrograms(root, "shifting-sands", "sonnenblume")
    for side in (AXIS, ALLIED):
        text = blank(game.load(side))
        assert NAMES[side] in text and "take" in text
        game.send("orders: []\n" if side == decline else text)
    return game


def test_the_turn_file_of_the_set_up_takes_the_card_and_shows_which(tmp_path: Path) -> None:
    game = begun(tmp_path)
    for seq, side in ((1, AXIS), (2, ALLIED)):
        (opened,) = rows(game.load(side).verifier.body(seq)["cards"])
        assert opened["attr"] == "name" and opened["value"] == RIGHTS[side]
    game.send()
    for side in (AXIS, ALLIED):
        found = hand(game.load(side), side)
        assert RIGHTS[side] in found and len(found) == 8


@pytest.mark.parametrize("side", [AXIS, ALLIED])
def test_who_strikes_it_out_declines(tmp_path: Path, side: str) -> None:
    game = begun(tmp_path, side)
    assert "cards" not in game.load(side).verifier.body(1 if side == AXIS else 2)
    game.send()
    assert len(hand(game.load(side), side)) == 8


def test_a_message_without_a_turn_file_takes_it_too_and_only_at_the_set_up(tmp_path: Path) -> None:
    game = TwoPrograms(tmp_path, "shifting-sands", "sonnenblume")
    assert [(o.type, o.text("card")) for o in by_default(game.load(AXIS)).orders] == [("take", NAMES[AXIS])]
    game.send(blank(game.load(AXIS)))
    game.send(blank(game.load(ALLIED)))
    assert not by_default(game.load(AXIS)).orders


def test_the_campaign_offers_nothing(tmp_path: Path) -> None:
    game = TwoPrograms(tmp_path, "shifting-sands", "campaign")
    assert "orders: []" in blank(game.load(AXIS)) and not by_default(game.load(AXIS)).orders

"""The card that docs/data-packs.md types in does in a game what the page says, and the pack's does not."""

from __future__ import annotations

import re
from functools import cache

import pytest

from adjudicator.engine.driver import Checkpoint, Run, play
from adjudicator.packs.files import read_pack
from adjudicator.packs.overlay import lay, read_overlay
from adjudicator.packs.shifting_sands.vocabulary import CONDITIONS, EFFECTS, PLACES
from adjudicator.shifting_sands.events.playable import event_problems
from adjudicator.shifting_sands.fire import Combat, drm_of
from adjudicator.shifting_sands.game import GAME, ShiftingSandsTable
from adjudicator.shifting_sands.position import position, restore
from adjudicator.shifting_sands.state import State, turn_number
from tests.cli.conftest import good
from tests.docs.pages import page
from tests.packs.shifting_sands import FOLDER, pack
from tests.shifting_sands.cards_played import hold
from tests.shifting_sands.rounds import first_rounds
from tests.shifting_sands.support import ALLIED, AXIS, Row, Seeds, kinds, message, order, section

PAGE = page("docs/data-packs.md")
CARD = "compass-6"
MARKED = {"Mersa Matruh": "move", "Halfaya": "attack", "Cairo": "move", "Suez": "move", "Port Said": "move"}


@cache
def game(own: bool) -> ShiftingSandsTable:
    """The campaign, with the card as the page types it in last or as the pack has it."""
    if not own:
        return GAME.table(pack().tree, "campaign", {})
    text = [block.text for block in PAGE.blocks("yaml") if block.value == "cards.yaml"][-1]
    found = lay(read_pack(FOLDER), read_overlay(text.encode(), "cards.yaml"))
    assert found.tree is not None, [str(fault) for fault in found.faults]
    return GAME.table(found.tree, "campaign", {})


def in_hand(own: bool, turn: str) -> State:
    """The Allied part of a round in which the card is held."""
    state = restore(game(own).world, position(first_rounds().before(3)))
    state.turn, state.active, state.round, state.phase, state.step = turn_number(turn), ALLIED, 1, "action", "round"
    state.history = {}
    hold(state, ALLIED, [CARD])
    hold(state, AXIS, [])
    return state


def played(own: bool) -> Run[State]:
    """The event, and a marker in each of five spaces."""
    orders: list[Row] = [{"type": f"{marker}_marker", "space": space} for space, marker in MARKED.items()]
    told = message(4, ALLIED, section("round"), {"type": "event", "card": CARD}, *orders, {"type": "end_round"})
    start = Checkpoint(in_hand(own, "Fall 1940"), 2, 2)
    return play(game(own), start, [told, message(5, AXIS)], Seeds(9))


@pytest.mark.parametrize(("own", "given", "refused"), [(False, "4", ["cost"]), (True, "5", [])])
def test_the_event_activates_as_many_spaces_as_the_card_says(own: bool, given: str, refused: list[str]) -> None:
    run = played(own)
    action = kinds(run.events, "action")[0]
    assert (action.data["use"], action.data["ops"]) == ("event", given)
    assert [event.data["code"] for event in kinds(run.events, "void")] == refused


@pytest.mark.parametrize(("own", "value"), [(False, 0), (True, 1)])
def test_attacks_get_what_the_card_gives(own: bool, value: int) -> None:
    state = played(own).state
    uid = next(uid for uid in state.side_units(ALLIED) if state.on_map(uid))
    for target, wanted in (("Halfaya", value), ("Bardia", 0)):
        combat = Combat(target, ALLIED, (uid,), (), (state.pieces[uid].at,))
        found = [modifier.value for modifier in drm_of(state, combat, "attacker") if modifier.name == "Compass"]
        assert sum(found) == wanted, target


@pytest.mark.parametrize(("own", "early"), [(False, []), (True, ["condition"])])
def test_it_may_be_played_when_the_card_says(own: bool, early: list[str]) -> None:
    event = order(0, "event", {"card": CARD})
    for turn, wanted in (("Summer 1940", early), ("Fall 1940", [])):
        found = event_problems(in_hand(own, turn), ALLIED, event)
        assert [problem.code for problem in found] == wanted, turn


def test_every_word_can_be_looked_up() -> None:
    told = good("pack", "show", "shifting-sands", "vocabulary").out
    names = {("effect", name) for name in EFFECTS} | {("place", next(iter(form))) for form in PLACES}
    names |= {("condition", next(iter(form))) for forms in CONDITIONS.values() for form in forms}
    assert names <= set(re.findall(r"^(\w+) (\w+): ", told, re.MULTILINE))

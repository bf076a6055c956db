"""Decks, discards and cards taken by name, entry by entry (SS 3, 5.1, 7.7, 19.4; tests/rules)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from adjudicator.engine.core import Event
from adjudicator.engine.facedown import Done, Use
from adjudicator.shifting_sands.bot_cards import without
from adjudicator.shifting_sands.cards import face_of
from adjudicator.shifting_sands.facedown import StrategyDecks
from adjudicator.shifting_sands.state import State
from tests.shifting_sands.support import ALLIED, AXIS, Row, Seeds, kinds, message, order, run, section, unit, voids
from tests.shifting_sands.test_chapter_turn import board, end_of_turn

ROMMEL, SIEGE, BARBAROSSA = "rommel-18", "siege-of-malta-35", "barbarossa-15"
DECK = "axis-strategy"


def decks(**switches: str) -> tuple[StrategyDecks, State]:
    """Both decks of the campaign, with three cards of the Axis face down in hand."""
    world = replace(board().world, switches=switches)
    state = StrategyDecks(world).start()
    state.hands = {AXIS: ["1.0", "1.1", "1.2"], ALLIED: []}
    return StrategyDecks(world), state


def turned(now: str, *orders: Row, side: str = AXIS, **more: Any) -> Any:
    """A turn that ends, with the section ``discard`` of a side."""
    state = board(unit("a", "GE", "A"), unit("q", "BR", "Q"), turn=now, vp=9)
    options = {"options": more.pop("options")} if "options" in more else {}
    state.world = replace(state.world, switches={**options, **more.pop("switches", {})})
    for name, value in more.items():
        getattr(state, name).update(value)
    told = message(5 if side == AXIS else 6, side, section("discard"), *orders)
    return end_of_turn(state, *([told] if side == AXIS else [message(5, AXIS), told]))


def take(card: str) -> Row:
    """A card taken by name."""
    return {"type": "take", "card": card}


# --- what lies face down --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("switch", "attr"), [("value", "ops"), ("name", "name")])
def test_discards_and_cards_used_for_points_lie_face_down(switch: str, attr: str) -> None:
    """SS 3.discard-pile, 5.11, ruling A45 (switch cards_show_played): their value is open, the name where the game says
    so; what is thrown away shows nothing."""
    found, state = decks(**({} if switch == "value" else {"cards_show_played": switch}))
    told = [order(0, "play_card", {"card": "1.0", "use": "ops"}), order(1, "discard", {"cards": ["1.1"]})]
    zones = ("hand", "face-up")
    assert found.uses(state, AXIS, told) == [Use(DECK, "1.0", attr, zones), Use(DECK, "1.1", "", zones)]
    thrown = Event("discard", "SS 5.11", {"side": AXIS, "cards": ["1.1"]})
    assert found.done(thrown) == [Done("move", DECK, ("1.1",), "discard")]
    state.discards = {AXIS: ["1.1"]}
    mine = {"1.1": "balbo-4"}
    assert found.seen(state, AXIS, mine).discards[AXIS] == ["balbo-4"]
    assert found.seen(state, ALLIED, {}).discards[AXIS] == ["1.1"]


@pytest.mark.parametrize(("switch", "named"), [("value", False), ("name", True)])
def test_a_card_played_for_points_is_told_by_name_where_the_game_says_so(switch: str, named: bool) -> None:
    """Ruling A45, switch cards_show_played: a card whose name is open is known whole."""
    for hidden in (False, True):
        state = board(unit("a", "GE", "A"), active=AXIS, round=1)
        (card,) = state.hands[AXIS]
        state.world, state.hidden = replace(state.world, switches={"cards_show_played": switch}), hidden
        row = state.world.cards[card]
        handle = "1.4" if hidden else card
        state.hands[AXIS] = [handle]
        told = message(3, AXIS, section("round"), {"type": "play_card", "card": handle, "use": "ops"})
        shown = {handle: {"name": card} if named else {"ops": face_of(row)["ops"]}}
        orders = tuple(replace(one, shown=shown if hidden else {}) for one in told.orders)
        found = run(state, [replace(told, orders=orders)], Seeds(9))
        (action,) = kinds(found.events, "action")
        assert (action.data["ops"], action.data.get("name", "")) == (row["ops"], card if named else "")


@pytest.mark.parametrize(("switch", "shuffled"), [("before", True), ("after", False)])
def test_discards_of_a_winter_are_shuffled_in_unless_the_game_says_otherwise(switch: str, shuffled: bool) -> None:
    """SS 7.71, 5.11, ruling A46 (switch deck_winter_discard)."""
    card = "balbo-4"
    thrown = {"type": "discard", "cards": card}
    found = turned("Fall 1940", thrown, switches={"deck_winter_discard": switch}, hands={AXIS: [card]})
    (merged,) = [event for event in kinds(found.events, "merge") if event.data["side"] == AXIS]
    assert (card in merged.data["pile"]) is shuffled and (card in found.state.discards[AXIS]) is not shuffled
    assert len(found.state.hands[AXIS]) == 8


def test_a_shuffle_leaves_out_the_discards_that_wait() -> None:
    """Ruling A46: what a message owes face down follows the switch as well."""
    for switch, cards in (("before", ("1.0", "1.5")), ("after", ("1.5",))):
        found, state = decks(deck_winter_discard=switch)
        state.turn, state.step, state.active = 2, "replacement", AXIS
        state.piles[AXIS] = ["1.5"]
        told = [order(0, "section", {"name": "discard"}), order(1, "discard", {"cards": ["1.0"]})]
        (change,) = found.changes(state, AXIS, told)
        assert (change.cards, change.add) == (cards, "1941")


# --- cards taken by name --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("now", "card"), [("Fall 1940", ROMMEL), ("Fall 1941", SIEGE)])
def test_the_axis_may_take_rommel_and_then_siege_of_malta(now: str, card: str) -> None:
    """SS 7.74: before all is shuffled, within the hand; each in its winter alone."""
    pile = {AXIS: ["balbo-4"]}
    found = turned(now, take(card), piles=pile)
    size = 8 if now == "Fall 1940" else 9
    assert not voids(found.events) and card in found.state.hands[AXIS] and len(found.state.hands[AXIS]) == size
    (merged,) = [event for event in kinds(found.events, "merge") if event.data["side"] == AXIS]
    assert card not in merged.data["pile"] and [event.rule for event in kinds(found.events, "taken")] == ["SS 7.74"]
    other = SIEGE if card == ROMMEL else ROMMEL
    assert [line[:7] for line in voids(turned(now, take(other), piles=pile).events)] == ["SS 7.74"]


def test_a_card_is_taken_into_a_hand_that_has_room_for_it() -> None:
    """SS 7.74: the hand keeps its size with the card that is taken, less where Malta Convoys say so."""
    mine = [name for name, row in sorted(board().world.cards.items()) if row["side"] == AXIS and row["year"] == "1940"]
    more: Any = {"events": {"Malta Convoys": 6}, "piles": {AXIS: ["balbo-4"]}, "hands": {AXIS: mine[:6]}}
    assert board(turn="Fall 1941").turn == 6
    found = turned("Fall 1941", take(SIEGE), **more)
    assert [line[:7] for line in voids(found.events)] == ["SS 7.74"] and SIEGE not in found.state.hands[AXIS]
    more["hands"] = {AXIS: mine[:6]}
    found = turned("Fall 1941", {"type": "discard", "cards": mine[0]}, take(SIEGE), **more)
    assert not voids(found.events) and SIEGE in found.state.hands[AXIS] and len(found.state.hands[AXIS]) == 6


@pytest.mark.parametrize(
    ("now", "card"), [("Fall 1940", "balbo-4"), ("Fall 1940", "stukas-at-dawn-21"), ("Fall 1941", SIEGE)]
)
def test_the_axis_may_take_any_one_card_where_it_was_agreed(now: str, card: str) -> None:
    """SS 19.41: of those in the pile, in the discards or of the year that comes in; no second one, none of a later
    year, and none of those that are in hand or gone."""
    piles = {AXIS: ["balbo-4", "graziani-10"]}
    found = turned(now, take(card), take("graziani-10"), piles=piles, options="19.41")
    assert [line[:8] for line in voids(found.events)] == ["SS 19.41"] and card in found.state.hands[AXIS]
    assert [event.rule for event in kinds(found.events, "taken")] == ["SS 19.41"]
    assert len(found.state.hands[AXIS]) == (8 if now == "Fall 1940" else 9)
    held = "italian-fleet-5"
    for none in ("tigers-49", held) if now == "Fall 1940" else (held,):
        told = voids(turned(now, take(none), piles=piles, options="19.41", hands={AXIS: [held]}).events)
        assert [line[:8] for line in told] == ["SS 19.41"]
    late = turned("Winter 1941", take("balbo-4"), piles=piles, options="19.41")
    assert [line[:7] for line in voids(late.events)] == ["SS 7.74"]


def test_a_card_that_is_taken_at_will_is_not_shown() -> None:
    """SS 19.41: it is taken out of the pile of the new year, into which all goes; one that a rule names is opened
    (SS 7.74), and no part of the shuffle."""
    for option in ("19.41", "none"):
        found, state = decks(options=option)
        state.turn, state.step, state.phase, state.active = 2, "replacement", "replacement", AXIS
        state.piles[AXIS] = ["1.5", "1.6"]
        told = [order(0, "section", {"name": "discard"}), order(1, "take", {"card": "1.5"})]
        named = [Use(DECK, "1.5", "name", ("draw", "discard"))]
        assert found.uses(state, AXIS, told) == ([] if option == "19.41" else named)
        (change,) = found.changes(state, AXIS, told)
        assert change.cards == ("1.5", "1.6")


def test_programs_name_a_card_that_lies_face_up_once_in_a_message() -> None:
    """PROTOCOL 6: one that a standing order of the same message plays is not answered with as well."""
    state = board()
    state.face_up[AXIS] = ["bersaglieri-12"]
    told: Any = [{"type": "standing", "topic": "cards", "rules": [{"play": ["bersaglieri-12"]}]}]
    assert without(state, AXIS, told).face_up[AXIS] == [] and state.face_up[AXIS] == ["bersaglieri-12"]


@pytest.mark.parametrize(("options", "rule"), [("19.42", ""), ("none", "SS 7.74")])
def test_the_allies_may_take_barbarossa_where_it_was_agreed(options: str, rule: str) -> None:
    """SS 19.42: in Winter 1941 alone."""
    found = turned("Fall 1940", take(BARBAROSSA), side=ALLIED, options=options)
    assert [line[:7] for line in voids(found.events)] == [rule][: bool(rule)]
    assert bool(kinds(found.events, "taken")) is not bool(rule) and (rule or BARBAROSSA in found.state.hands[ALLIED])
    late = turned("Winter 1941", take(BARBAROSSA), side=ALLIED, options=options)
    assert [line[:7] for line in voids(late.events)] == ["SS 7.74"]


def test_a_hand_that_was_seen_is_dealt_anew_though_the_deck_is_shuffled() -> None:
    """SS 11.73, 7.71, PROTOCOL 6: with the message that shows it. It waited for the next one, in which a card that was
    seen could be followed."""
    state = board(unit("a", "GE", "A"), unit("q", "BR", "Q"), turn="Fall 1940", vp=9)
    state.hidden, state.resorting = True, {AXIS: "resort"}
    state.hands = {AXIS: ["1.0", "1.3"], ALLIED: ["1.0"]}
    state.piles = {AXIS: ["1.1", "1.2"], ALLIED: ["1.1"]}
    state.discards = {AXIS: [], ALLIED: []}
    told = message(5, AXIS, section("discard"), {"type": "discard", "cards": "1.0"})
    found = end_of_turn(state.copy(), told)
    mine = [event for event in found.events if event.kind in ("resorted", "merge") and event.data["side"] == AXIS]
    assert [event.kind for event in mine] == ["resorted", "merge"]
    assert (mine[0].data["cards"], mine[0].data["hand"]) == (["1.3"], ["2.0"])
    pile: Any = mine[1].data["pile"]
    assert (pile[0], len(pile)) == ("3.0", 23) and "2.0" in found.state.hands[AXIS] and not found.state.resorting
    state.step, state.active, state.phase = "replacement", AXIS, "replacement"
    owed = StrategyDecks(state.world).changes(state, AXIS, told.orders)
    wanted = [(("1.3",), "hand", ""), (("1.0", "1.1", "1.2"), "draw", "1941")]
    assert [(one.cards, one.zone, one.add) for one in owed] == wanted

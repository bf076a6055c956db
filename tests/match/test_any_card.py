"""The Axis takes any one card in winter (SS 19.41): the Allies see that, and nothing they have says which."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adjudicator.match.draft import read_draft
from adjudicator.match.facedown import faces_of
from adjudicator.match.games import pack_of
from adjudicator.match.play.loop import Settings, play_game
from adjudicator.match.play.seats import Pairing
from adjudicator.protocol.compose import Extras, compose_body, sign_body
from adjudicator.protocol.log import read_line, write_turn
from tests.match.test_setup_rights import hand
from tests.match.two_programs import ALLIED, AXIS, TwoPrograms

SYSTEM = "shifting-sands"
CARDS: list[dict[str, Any]] = [row for row in pack_of(SYSTEM).rows("cards") if row["side"] == AXIS]
NAMED: dict[str, str] = {str(row["id"]): str(row["year"]) for row in CARDS}
NEW, OTHER, *_ = (card for card, year in NAMED.items() if year == "1941")
TAKE = "orders:\n  - {type: section, name: discard}\n%s"


def state_of(game: TwoPrograms, side: str) -> Any:
    """Where play stands, as a side's program has it."""
    match = game.load(side)
    match.look()
    assert match.verifier.last is not None
    return match.table.restore(match.verifier.last.resolution.position)


def winter(root: Path) -> TwoPrograms:
    """The game up to the message with which the Axis draws for Winter 1941; nobody does anything before it."""
    game = TwoPrograms(root, SYSTEM, "campaign", switches={"options": "19.41"})
    for _ in range(60):
        if game.side == AXIS and game.load(AXIS).verifier.head >= 2:
            state = state_of(game, AXIS)
            if (state.turn, state.step, state.active) == (2, "replacement", AXIS):
                return game
        game.send()
    raise AssertionError("the winter does not come")


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> TwoPrograms:
    """One such game, which no test goes on with."""
    return winter(tmp_path_factory.mktemp("winter"))


def taking(*cards: str, discard: str = "") -> str:
    """A turn file that discards a card and takes others."""
    rows = [f"  - {{type: discard, cards: {discard}}}\n"] if discard else []
    return TAKE % "".join([*rows, *(f"  - {{type: take, card: {card}}}\n" for card in cards)])


def ended(game: TwoPrograms) -> None:
    """The next player resigns; both open everything, and it holds."""
    match = game.load(game.side)
    match.look()
    body = compose_body(match.verifier, match.me, match.secret(), [], bytes(32), extras=Extras(end="resign"))
    message = sign_body(body, match.key())
    for side in (match.me, AXIS if match.me == ALLIED else ALLIED):
        game.deliver(write_turn(message), side)
    for _ in range(2):
        assert "final" in game.send().body
    assert game.load(AXIS).verifier.closed
    game.proved()


def test_which_card_was_taken_stands_nowhere_but_with_its_owner(tmp_path: Path) -> None:
    """That a card was taken is seen, and nothing else of it (SS 19.41, ruling A87)."""
    game = winter(tmp_path)
    old = hand(game.load(AXIS), AXIS)
    match = game.load(AXIS)
    result = match.check(read_draft(taking(NEW, discard=old[0]).encode()))
    assert result.legal, result.problems
    seq = match.verifier.next_seq
    message: Any = game.send(taking(NEW, discard=old[0]))
    (order,) = [row for row in message.body["orders"] if row["type"] == "take"]
    assert order["card"].startswith("2.") and "cards" not in message.body
    game.send()
    (taken,) = game.events("taken", seq)
    assert taken["card"] == order["card"] and "name" not in taken and taken["rule"] == "SS 19.41"
    assert NEW in hand(game.load(AXIS), AXIS) and len(hand(game.load(AXIS), AXIS)) == 8
    assert faces_of(game.load(AXIS))[order["card"]]["name"] == NEW
    title = game.load(AXIS).table.spoken(NEW)
    told = game.report(ALLIED, seq)
    assert f"takes card {order['card']} into its hand" in told and title not in told
    mine = [path for path in (tmp_path / ALLIED).rglob("*") if path.is_file()]
    assert len(mine) > 5
    for path in [*mine, *game.sent, *(tmp_path / AXIS / "outbox").glob("*")]:
        found = path.read_bytes()
        assert found.count(NEW.encode()) == found.count(OTHER.encode()), path
    ended(game)


def test_a_card_that_was_there_already_goes_the_same_way(tmp_path: Path) -> None:
    """One that is thrown away with the same message too: nothing tells it from a card of the new year."""
    game = winter(tmp_path)
    old = hand(game.load(AXIS), AXIS)
    message: Any = game.send(taking(old[0], discard=old[0]))
    (order,) = [row for row in message.body["orders"] if row["type"] == "take"]
    assert order["card"].startswith("2.") and old[0] in hand_after(game)
    ended(game)


def hand_after(game: TwoPrograms) -> list[str]:
    """The hand of the Axis once its message is opened."""
    game.send()
    return hand(game.load(AXIS), AXIS)


def test_what_cannot_be_taken_is_refused(before: TwoPrograms) -> None:
    """A second card, one of a later year, one that stays in hand, a handle of a pile that is gone, none at all."""
    match = before.load(AXIS)
    held = hand(match, AXIS)
    later = next(card for card, year in NAMED.items() if year == "1942")
    for text in (
        taking(NEW, held[0], discard=held[0]), taking(later, discard=held[0]), taking(held[1], discard=held[0]),
        taking("1.0", discard=held[0]), taking("2.99", discard=held[0]), taking(NEW),
    ):
        result = match.check(read_draft(text.encode()))
        legal = text == taking(NEW) and len(held) < 8
        assert result.legal is legal, (text, result.problems)


def test_programs_of_chance_take_one_card_at_most() -> None:
    """They wrote an order for each of several cards, of which all but the first were void."""
    terms = Pairing(SYSTEM, "campaign", (("options", "19.41"),), seed="f")
    found = play_game(Settings(terms, dict.fromkeys((AXIS, ALLIED), "random"), 48))
    assert found.sound, found.faults
    bodies: list[Any] = [read_line(line).body for line in found.lines]
    taken = [[row["card"] for row in body.get("orders", []) if row["type"] == "take"] for body in bodies]
    assert all(len(cards) <= 1 for cards in taken) and all(card.startswith("2.") for cards in taken for card in cards)

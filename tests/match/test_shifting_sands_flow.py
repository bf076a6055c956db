"""Shifting Sands through the match package: messages of a round on the real position, resolver and folders."""

from __future__ import annotations

from copy import copy
from pathlib import Path
from typing import Any

import pytest

from adjudicator.match.draft import Draft, read_draft
from adjudicator.match.due import due, position_of
from adjudicator.match.match import Match
from adjudicator.match.offers import Player, accept_offer, make_game, receive_genesis
from adjudicator.match.resolver import MatchResolver
from adjudicator.protocol.log import read_turn
from tests.match.conftest import entropy
from tests.shifting_sands.rounds import (
    ALLIED,
    AXIS,
    FIRST_ROUNDS,
    HIGHEST,
    SYSTEM,
    Rounds,
    example,
    fresh,
    names_of,
    order,
    own_highest,
    seed,
    table,
)

NEXT = "orders/summer-1940/1/allied"
SECOND = "orders/summer-1940/2/axis"
NO_CARDS = order("standing", topic="cards", rules="none")
SALTS = tuple(f"flow {n}" for n in range(30))


def until(rounds: Rounds, key: str) -> int:
    """Send bare messages until a stop is due; how many messages there were since the set-up, those sent before too."""
    while rounds.run().waits.key != key:
        assert len(rounds.messages) < 30
        rounds.bare()
    return len(rounds.messages) - 2


# --- how many messages ------------------------------------------------------------------------------------------


def test_a_bare_message_is_the_automatic_operation() -> None:
    rounds = Rounds().bare()
    assert names_of(rounds.events(3)) == ["action", "end-round", "round"]
    action = rounds.events(3)[0].data
    assert (action["side"], action["use"], action["ops"]) == (AXIS, "auto", "1") and action["clause"]
    assert rounds.run().waits.key == NEXT


def test_an_action_without_combat_takes_one_message() -> None:
    rounds = fresh(upto=3)
    assert rounds.run().waits.key == NEXT
    assert rounds.write(example("04-allied-round")).run().waits.key == SECOND


@pytest.mark.parametrize("salt", SALTS[:6])
def test_a_combat_takes_two_messages_more(salt: str) -> None:
    assert until(fresh(salt, 3), NEXT) == 3


def test_bound_by_end_round_the_attacker_opens_and_is_not_asked() -> None:
    rounds = Rounds().write(example("01-axis-round") + "  - {type: end_round}\n").write(example("02-allied-reaction"))
    assert rounds.run().waits.key == NEXT, "message 5 opens its dice and may carry the next standing orders"
    assert 5 not in rounds.bare().run().answered


def test_without_a_stop_the_combat_is_fought_on_the_attackers_message() -> None:
    """The defender's standing order waives his cards: the dice are those of message 5, which he opens with 6."""
    rounds = Rounds().bare().orders("", NO_CARDS)
    rounds.write(example("01-axis-round"))
    assert {"designate", "fire", "winner"} <= set(names_of(rounds.events(5)))
    assert until(rounds, "orders/summer-1940/2/allied") == 5


def test_a_standing_order_begins_with_the_next_message() -> None:
    rounds = Rounds().write(example("01-axis-round"))
    rounds.orders("", NO_CARDS)
    assert rounds.run().waits.key == "followup/1", "the order came too late for this combat: the message is the answer"


def test_both_attacks_of_a_message_can_be_answered_at_once() -> None:
    at_once, one_by_one = fresh("flow", 6), fresh("flow", 5)
    assert at_once.run().waits.key == "followup/2"
    assert one_by_one.bare().run().waits.key == "react/2"


def test_a_choice_waited_for_takes_two_messages_more() -> None:
    waited = fresh("s2", 8).write("orders:\n  - {type: section, name: reaction, ask: retreat}\n")
    key = "orders/summer-1940/3/axis"
    assert until(waited, key) == until(fresh("s2", 8), key) + 2


# --- the same verdict by another way ----------------------------------------------------------------------------


@pytest.mark.parametrize("salt", SALTS)
def test_the_example_holds_whatever_the_dice(salt: str) -> None:
    """No order of the bundled rounds is void in any of thirty games."""
    found = fresh(salt).run()
    assert "void" not in names_of(found.events)
    assert found.waits.key == "orders/summer-1940/3/axis"


@pytest.mark.parametrize("salt", SALTS[:3])
def test_the_resolver_agrees_message_by_message(salt: str) -> None:
    """One message after the other, with the checkpoint written out and read back before each of them."""
    rounds = fresh(salt)
    bodies: list[dict[str, Any]] = [{"orders": []}]
    bodies += [{"orders": [{"type": o.type, **o.data} for o in message.orders]} for message in rounds.messages]
    rules = copy(table())
    rules.facedown = None  # open hands, as the rounds have them
    resolver = MatchResolver.fresh(rules)
    trees: list[Any] = []
    for n in range(len(bodies)):
        found = resolver.resolve(n, bodies, seed(salt, n))
        trees += found.events
        position = table().position(table().restore(found.position))
        assert {key: found.position[key] for key in position} == position
        resolver = MatchResolver.restored(rules, resolver.export())
    assert [tree for tree in trees if tree["kind"] != "standing"] == [e.tree() for e in rounds.run().events]


# --- two folders ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example played between two folders, signed and taken in."""
    root = tmp_path_factory.mktemp("sands")
    alice = Player("Alice", key_seed=b"a" * 32, random=entropy("alice"))
    bob = Player("Bob", key_seed=b"b" * 32, random=entropy("bob"))
    offer = make_game(root / AXIS, SYSTEM, "campaign", alice, "First rounds")
    genesis = accept_offer(root / ALLIED, offer.read_bytes(), bob)
    receive_genesis(root / AXIS, read_turn(genesis.read_bytes()))
    send(root, AXIS, b"")
    send(root, ALLIED, b"")
    for n, name in enumerate(FIRST_ROUNDS):
        side = ALLIED if n % 2 else AXIS
        match = Match.load(root / side)
        position = position_of(match)
        assert position is not None
        state = match.table.restore(position)
        send(root, side, example(name).replace(HIGHEST, own_highest(match, state)).encode())
    return root


def send(root: Path, side: str, text: bytes) -> None:
    """Sign a turn file, or a bare message, and let the other side take it in."""
    match = Match.load(root / side)
    result = match.check(read_draft(text) if text else Draft())
    assert result.legal, result.problems
    message = match.sign(result, entropy=entropy(f"{side} {match.verifier.next_seq}"))
    received = Match.load(root / (ALLIED if side == AXIS else AXIS)).receive(message)
    assert received.verdict.ok, received.verdict.show()


def test_both_folders_hold_the_same_game(folders: Path) -> None:
    mine, theirs = (Match.load(folders / side) for side in (AXIS, ALLIED))
    assert mine.folder.log.read_bytes() == theirs.folder.log.read_bytes()
    assert mine.verifier.head == theirs.verifier.head == len(FIRST_ROUNDS) + 2


def test_what_is_due_is_said_in_words(folders: Path) -> None:
    assert "action of round 3" in due(Match.load(folders / AXIS)).text

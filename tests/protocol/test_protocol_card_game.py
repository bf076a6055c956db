"""The game of the vectors: twelve messages from genesis to the final openings, made again byte for byte."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from adjudicator.protocol.chain import Links
from adjudicator.protocol.compose import compose_bare, head_statement
from adjudicator.protocol.message import Message
from adjudicator.protocol.own import OwnBooks
from adjudicator.protocol.piles import Owed, Pile
from adjudicator.protocol.verdicts import ProtocolError
from adjudicator.protocol.verifier import Verifier
from adjudicator.turnfile.canon import canon
from adjudicator.turnfile.nodes import Tree
from tests.protocol.card_game import CardGame
from tests.protocol.card_table import CardTable, card_genesis
from tests.protocol.toy_game import A, B, key_of, known, secret_of, vectors
from tests.protocol.twelve import played, turns

GAME = vectors()["game"]


def test_twelve_messages_byte_for_byte() -> None:
    assert card_genesis().canonical.decode() == GAME["genesis"] and card_genesis().sig == GAME["genesis_sig"]
    table = CardTable()
    for turn, wanted in zip(turns(), GAME["messages"], strict=True):
        message = table.next(**turn)
        seq = int(str(message.body["seq"]))
        resolved = table.verifier.last
        expected = GAME["resolved"][seq - 1]
        assert resolved is not None and resolved.n == seq - 1
        assert canon(list(resolved.resolution.events)).decode() == expected["events"]
        assert canon(resolved.resolution.position).decode() == expected["position"]
        assert (resolved.seed.hex(), resolved.digest) == (expected["seed"], expected["digest"])
        assert message.canonical.decode() == wanted["canon"]
        assert (message.id, message.sig) == (wanted["id"], wanted["sig"])
        assert table.receive(message).ok
    assert table.verifier.closed and table.game.calls == list(range(12))


def test_a_stranger_verifies_the_game_from_nothing() -> None:
    """He has the pack and the log, no secret."""
    verifier = Verifier(card_genesis(), CardGame())
    for wanted in GAME["messages"]:
        verdict = verifier.receive(Message.of(json.loads(wanted["canon"]), wanted["sig"]))
        assert verdict.ok, verdict.show()
    assert verifier.closed and verifier.digest(11) == GAME["resolved"][11]["digest"]
    assert verifier.export() == played().verifier.export()


def test_a_game_that_ends_with_transfers_owed_can_be_closed() -> None:
    """The hand looked at must be dealt anew, but the game is over before: nothing new is owed then, only shows."""
    table = played(7)
    table.play(end="resign")
    assert "rehand" in table.position() and table.sent[-1].body["show"]
    table.play()
    assert table.position()["rehand"] == ["allies"]
    table.play()
    assert table.verifier.closed


def test_a_message_on_a_new_chain_that_comes_too_early_is_asked_for_again() -> None:
    """Its chain is named in a message that is not here yet, so it can't be judged: E_GAP, and it is not kept."""
    table, late = played(2), played(2).verifier
    table.play(reanchor=(known("new chain")[:16], 64))
    table.play()
    five = table.play()
    assert five.body["link"] == "1"
    verdict = late.receive(five)
    assert (verdict.code, late.waiting) == ("E_GAP", []) and "ask for it again" in verdict.text
    for message in table.sent[2:]:
        assert late.receive(message).ok
    six = table.play()
    seven = table.play()
    assert [late.receive(seven).code, late.waiting == [seven], late.receive(six).code] == ["E_GAP", True, "OK"]
    assert [one.code for one in late.retry()] == ["OK"]


def part_of(name: str, number: int) -> Links:
    """What a program that answers unattended is given of a secret."""
    secret = secret_of(name, 256)
    return Links(secret.cid, number, secret.link(number))


def test_a_bare_opening_needs_no_secret() -> None:
    """A link of the chain and the own books make the same bytes as the secret does."""
    table = played(3)
    entropy = known("bob entropy 4")
    bare = compose_bare(table.verifier, B, part_of("bob", 9), entropy, OwnBooks.from_tree(table.own[B].to_tree()))
    assert bare == table.body() and bare["open"] and table.verifier.check(table.sign(bare)).ok


def test_what_a_program_without_the_secret_leaves_to_its_owner() -> None:
    for messages, side, number, code in ((3, B, 1, "E_REVEAL"), (6, A, 9, "E_DECK"), (7, B, 9, "E_DECK")):
        table = played(messages)
        links = part_of("alice" if side == A else "bob", number)
        with pytest.raises(ProtocolError) as caught:
            compose_bare(table.verifier, side, links, bytes(32), table.own[side])
        assert caught.value.code == code
    table = played(10)
    with pytest.raises(ProtocolError, match="E_END"):
        compose_bare(table.verifier, A, part_of("alice", 9), bytes(32), table.own[A])
    with pytest.raises(ValueError, match="at most 3"):
        part_of("bob", 3).link(4)


def test_a_head_statement_excuses_no_second_body_of_a_message_that_was_answered() -> None:
    """He asks for a statement, sends his turn all the same, and after the answer sends another one with it."""
    table = played(3)
    statement = head_statement(table.verifier, key_of("alice"))
    again = table.next(restored=statement)
    first = table.play(**turns()[3])
    table.play()
    assert table.verifier.receive(again).code == "E_FORK"
    assert table.verifier.proves_fork(first, again) and table.verifier.proves_fork(again, first)
    forged = played(3)
    other = forged.next(restored=head_statement(forged.verifier, key_of("bob")))
    assert forged.verifier.proves_fork(other, forged.next(note="honest")), "a false statement excuses nothing"


def test_a_message_whose_own_orders_halt_the_engine_waits_and_is_tried_once() -> None:
    """The engine fails on what a message owes: it is kept, a retry comes to an end, a mended engine takes it in."""
    table = played(4)
    message = table.next()
    whole, fails = table.game.owed, [True]

    def owed(seq: int, body: Mapping[str, Tree], piles: Mapping[str, Pile]) -> Owed:
        if fails:
            raise RuntimeError("a fault")
        return whole(seq, body, piles)

    table.game.owed = owed  # type: ignore[method-assign]
    assert table.code(message) == "HALT" and table.verifier.failed is None
    assert [verdict.code for verdict in table.verifier.retry()] == ["HALT"]
    assert table.verifier.waiting == [message]
    fails.clear()
    assert [verdict.code for verdict in table.verifier.retry()] == ["OK"] and not table.verifier.waiting

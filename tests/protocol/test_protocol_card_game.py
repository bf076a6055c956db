"""The game of the vectors: twelve messages from genesis to the final openings, made again byte for byte."""

from __future__ import annotations

import json

from adjudicator.protocol.message import Message
from adjudicator.protocol.verifier import Verifier
from adjudicator.turnfile.canon import canon
from tests.protocol.card_game import CardGame
from tests.protocol.card_table import CardTable, card_genesis
from tests.protocol.toy_game import known, vectors
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

"""The game of the vectors: twelve messages from genesis to the final openings, made again byte for byte."""

from __future__ import annotations

import json

from adjudicator.protocol.message import Message
from adjudicator.protocol.verifier import Verifier
from adjudicator.turnfile.canon import canon
from tests.protocol.card_game import CardGame
from tests.protocol.card_table import CardTable, card_genesis
from tests.protocol.toy_game import vectors
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

"""The game of the vectors: twelve messages from genesis to the final openings, made again byte for byte."""

from __future__ import annotations

import json
from typing import Any

from adjudicator.protocol.message import Message
from adjudicator.protocol.verifier import Verifier
from adjudicator.turnfile.canon import canon
from tests.protocol.card_game import CardGame
from tests.protocol.card_table import CardTable, card_genesis
from tests.protocol.toy_game import vectors

GAME = vectors()["game"]


def answer(to: str, value: str) -> dict[str, Any]:
    return {"type": "answer", "to": to, "value": value}


def attack(where: str, loss: str) -> dict[str, Any]:
    return {"type": "attack", "hex": where, "loss": loss}


PLAN = {"first": "3", "hex": "2001", "turn": "5"}


def turns() -> list[dict[str, Any]]:
    """What the players decide, message by message: everything else follows."""
    one, two = "axis-u1", "allies-u1"
    reply = [answer("react/1203", "yes"), answer("react/1304", "no")]
    reply += [answer("loss/1203/allies", two), answer("loss/1304/allies", two)]
    raid: list[dict[str, Any]] = [attack(f"150{at}", two) for at in range(3)] + [{"type": "raid"}]
    cards: list[dict[str, Any]] = [{"type": "intel"}, {"type": "discard", "cards": ["1.5"]}]
    sheet = {"losses": ["axis-u2", "axis-u1"], "react": "no"}
    return [
        {"books": {"sheet": sheet, "plans": {}}, "note": "good luck, Bob"},
        {"books": {"sheet": {"losses": ["allies-u2"]}}},
        {
            "orders": [attack("1203", one), attack("1304", one), {"type": "ops", "card": "1.0"}],
            "books": {"plans": {"u1": PLAN}},
        },
        {"orders": reply},
        {},
        {"orders": raid},
        {"orders": [*cards, {"type": "reshuffle", "add": "2"}], "books": {"plans": {"u1": PLAN}}},
        {"orders": [{"type": "take", "card": "1.1"}, attack("2100", two)]},
        {
            "orders": [{"type": "execute", "unit": "u1", "hex": "2001"}],
            "history": [("plans", 3, "u1"), ("plans", 7, "u1")],
        },
        {"end": "resign"},
        {},
        {},
    ]


def played() -> CardTable:
    """The whole game."""
    table = CardTable()
    for turn in turns():
        table.play(**turn)
    return table


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

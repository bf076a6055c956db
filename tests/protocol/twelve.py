"""The game of the vectors, message by message: what its players decide."""

from __future__ import annotations

from typing import Any

from tests.protocol.card_table import CardTable


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


def played(messages: int = 12, **game: Any) -> CardTable:
    """The game up to a message. `game` are fields of the table."""
    table = CardTable(**game)
    for turn in turns()[:messages]:
        table.play(**turn)
    return table

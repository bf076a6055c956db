"""The questions of Shifting Sands with their subjects and options, in the form of order types."""

from __future__ import annotations

from adjudicator.engine.queries import MOVES, ODDS, SUPPLY
from adjudicator.engine.schema import Field, OrderType
from adjudicator.shifting_sands.orders import TYPES

MOVE, ATTACK = TYPES["move"].fields, TYPES["attack"].fields
QUESTIONS = {
    MOVES: OrderType(
        MOVES,
        "",
        "SS 9",
        "where a unit can go",
        {
            "subject": Field("unit", "the unit", True),
            "to": MOVE["to"],
            "path": MOVE["path"],
            "next": Field("word", "its next round, not this one", words=("yes",)),
        },
    ),
    SUPPLY: OrderType(
        SUPPLY,
        "",
        "SS 13",
        "who is in supply",
        {
            "subject": Field("text", "a unit or space"),
            "unit": Field("unit", "a unit"),
            "space": Field("space", "a space"),
            "all": Field("word", "all units of the side", words=("yes",)),
        },
    ),
    ODDS: OrderType(
        ODDS,
        "",
        "SS 11",
        "the chances of a combat",
        {
            "subject": Field("space", "the space attacked", True),
            "with": Field("units", "the attacking units", True),
            "flank": ATTACK["flank"],
            "rommel": ATTACK["rommel"],
            "cards": Field("cards", "combat cards that the attackers are taken to play"),
            "against": Field("cards", "combat cards that the defenders are taken to play"),
        },
    ),
}

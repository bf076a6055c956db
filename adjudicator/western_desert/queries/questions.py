"""The questions of Western Desert with their subjects and options, in the form of order types."""

from __future__ import annotations

from dataclasses import replace

from adjudicator.engine.queries import MISSION, MOVES, ODDS, OVERRUN, SUPPLY
from adjudicator.engine.schema import Field, OrderType
from adjudicator.western_desert.air.orders import AIR_ORDERS
from adjudicator.western_desert.orders import TYPES

MOVE, ATTACK, RUN = (TYPES[name].fields for name in ("move", "attack", "overrun"))
ALL = "all"
DROP, BOMB = TYPES["air_drop"].fields, TYPES["bomb_port"].fields
NOT_ASKED = ("transfer", "escort", "scramble")
"""Missions that no die of their own decides about."""
MISSIONS = tuple(kind.name for kind in AIR_ORDERS if kind.name not in NOT_ASKED)

QUESTIONS = {
    MOVES: OrderType(
        MOVES,
        "",
        "WD 6",
        "where a unit can go",
        {
            "subject": Field("unit", "the unit", True),
            "to": MOVE["to"],
            "path": MOVE["path"],
            "by": MOVE["by"],
            "mode": MOVE["mode"],
            "transport": MOVE["transport"],
            "next": Field("word", "its next movement phase, not this one", words=("yes",)),
        },
    ),
    SUPPLY: OrderType(
        SUPPLY,
        "",
        "WD 12",
        "who is in supply",
        {
            "subject": Field("text", "a unit, hex or place"),
            "unit": Field("unit", "a unit"),
            "hex": Field("hex", "a hex or place"),
            "all": Field("word", "all units of the side", words=("yes",)),
        },
    ),
    ODDS: OrderType(
        ODDS,
        "",
        "WD 9",
        "the chances of an attack",
        {
            "subject": Field("hex", "the hex attacked", True),
            "with": replace(ATTACK["with"], required=False),
            "supply": ATTACK["supply"],
            "neutral": ATTACK["neutral"],
            "losses": ATTACK["losses"],
            "never": ATTACK["never"],
            "retreat": ATTACK["retreat"],
            "advance": ATTACK["advance"],
        },
    ),
    OVERRUN: OrderType(
        OVERRUN,
        "",
        "WD 13",
        "what an overrun comes to",
        {
            "subject": Field("hex", "the hex overrun", True),
            "with": RUN["units"],
            "advance": RUN["advance"],
        },
    ),
    MISSION: OrderType(
        MISSION,
        "",
        "WD 20",
        "what may come of an air mission",
        {
            "subject": Field("hex", "the target hex", True),
            "mission": Field("word", "the mission, by the name of its order", True, words=MISSIONS),
            "with": Field("airs", "the air units", True),
            "night": BOMB["night"],
            "extended": BOMB["extended"],
            "together": BOMB["together"],
            "by": BOMB["by"],
            "hits": BOMB["hits"],
            "cargo": replace(DROP["cargo"], required=False),
            "tow": DROP["tow"],
        },
    ),
}

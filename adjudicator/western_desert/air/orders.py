"""The order types of the sections ``air`` and ``reaction``, and the clauses of standing orders on patrols (WD 19, 20).

They join ``orders.TYPES`` when the air phase is played.
"""

from __future__ import annotations

from adjudicator.engine.schema import Field, Fields, OrderType
from adjudicator.western_desert.air.craft import (
    AIR_UNITS,
    AIRBASE,
    AIRLIFT,
    CANAL,
    CATEGORIES,
    DEFENSIVE_SUPPORT,
    DROP,
    ESCORT,
    FERRY,
    GROUND_SUPPORT,
    HARASS,
    INTERCEPT,
    PORT,
    RAIL,
    SCRAMBLE,
    TACTICAL_PORT,
    TRANSFER,
)

YES_NO = ("yes", "no")
BY_STRATEGIC, BY_TACTICAL = "strategic", "tactical"
TOWING, ANYTHING = "towing", "any"
TARGETS = (ANYTHING, TOWING, "fighters", "bombers", "transports", *CATEGORIES)
"""What a clause on patrols may name besides models: it speaks of what is seen (ruling MISSION-SEEN)."""
CHANCES = ("4-6", "5-6", "6")

_AIR = Field("airs", "the air units, by id or by name; each flies by itself", True)
_WAY: Fields = {
    "path": Field("hexes", "the hexes to enter, in order; absent = the way that enters the fewest patrol zones"),
    "via": Field("hexes", "hexes that the way leads over, in order"),
}
_IF: Fields = {
    "if_back": Field("airs", "flown only if one of these was turned back before"),
    "unless_back": Field("airs", "flown only if none of these was turned back before"),
}
_LAND: Fields = {"land": Field("hexes", "bases to land at, the first in range; absent = the one it came from")}
_NIGHT: Fields = {"night": Field("word", "yes = flown at night", words=YES_NO)}
_FAR: Fields = {"extended": Field("word", "yes = at extended range", words=YES_NO)}
_TOW: Fields = {"tow": Field("air", "the glider on its tow")}
_CARGO: Fields = {"cargo": Field("units", "the ground units aboard, from the base of the transports", True)}


def _mission(name: str, rule: str, about: str, target: str, *more: Fields, section: str = "air") -> OrderType:
    fields: dict[str, Field] = {"air": _AIR, "hex": Field("hex", target, True), **_WAY}
    for group in more:
        fields.update(group)
    return OrderType(name, section, rule, about, fields)


AIR_ORDERS = (
    _mission("transfer", "WD 20.D", "flies air units to another base", "the base", _NIGHT, _TOW, _IF),
    _mission("escort", "WD 20.C", "escorts air units to their target hex", "their target hex", _FAR, _LAND, _IF),
    _mission(
        "bomb_port",
        "WD 20.F.1.a",
        "bombs a port",
        "the port",
        {"by": Field("word", "the bombing strength used; absent = strategic", words=(BY_STRATEGIC, BY_TACTICAL))},
        *(_NIGHT, _FAR, _LAND, _IF),
    ),
    _mission("bomb_canal", "WD 20.F.1.b", "bombs the Suez Canal", "a port of it", _NIGHT, _FAR, _LAND, _IF),
    _mission("bomb_airbase", "WD 20.F.2.b", "bombs an airbase", "the airbase", _FAR, _LAND, _IF),
    _mission(
        "bomb_air",
        "WD 20.F.2.a",
        "bombs air units at their base",
        "the base",
        {"targets": Field("airs", "the air units bombed, in order of liking; absent = operative ones first")},
        *(_FAR, _LAND, _IF),
    ),
    _mission("bomb_rail", "WD 20.F.2.f", "bombs a rail line", "the hex of the line", _FAR, _LAND, _IF),
    _mission("harass", "WD 20.F.2.e", "harasses who leaves a hex in the next turn", "the hex", _FAR, _LAND, _IF),
    _mission("ground_support", "WD 20.F.2.c", "supports attacks on a hex", "the hex attacked", _FAR, _LAND, _IF),
    _mission(
        "defensive_support", "WD 20.F.2.d", "supports the defense of a hex", "the hex defended", _FAR, _LAND, _IF
    ),
    _mission(
        "air_transport",
        "WD 20.E.1",
        "carries ground units to another base",
        "the base",
        {"stay": Field("word", "yes = the transports stay there, within twice their rating", words=YES_NO)},
        *(_CARGO, _NIGHT, _FAR, _TOW, _LAND, _IF),
    ),
    _mission(
        "air_drop", "WD 20.E.2", "drops airborne units", "the target hex", _CARGO, _NIGHT, _FAR, _TOW, _LAND, _IF
    ),
    _mission("intercept", "WD 20.A", "intercepts in a target hex", "the hex", _NIGHT, _LAND, section="reaction"),
    _mission("scramble", "WD 20.B", "leaves a base under attack for another", "the base", section="reaction"),
)
AIR_TYPES = {kind.name: kind for kind in AIR_ORDERS}

MISSION_OF = {
    "transfer": TRANSFER,
    "escort": ESCORT,
    "bomb_port": PORT,
    "bomb_canal": CANAL,
    "bomb_airbase": AIRBASE,
    "bomb_air": AIR_UNITS,
    "bomb_rail": RAIL,
    "harass": HARASS,
    "ground_support": GROUND_SUPPORT,
    "defensive_support": DEFENSIVE_SUPPORT,
    "air_transport": AIRLIFT,
    "air_drop": DROP,
    "intercept": INTERCEPT,
    "scramble": SCRAMBLE,
}
"""The mission of each order type, as it is without a field that says otherwise."""
OTHERWISE = {("bomb_port", "by", BY_TACTICAL): TACTICAL_PORT, ("air_transport", "stay", "yes"): FERRY}
"""Fields that make another mission of an order."""

PATROL_CLAUSE: Fields = {
    "air": Field("airs", "the fighters the clause is for, or any; absent = any", words=(ANYTHING,)),
    "attack": Field("text", f"what they attack, first of all first: models, or {', '.join(TARGETS)}; absent = any"),
    "spare": Field("text", "what they leave alone, in the same words"),
    "min_chance": Field("word", "the die rolls that must turn it back; absent = 5-6", words=CHANCES),
    "of": Field("hex", "with within: only in hexes so near to this one; absent = to the fighter's base"),
    "within": Field("number", "only so many hexes away"),
    "hold_until": Field("number", "targets that each of them lets pass first; absent = 0"),
}
"""A clause of the standing orders on ``patrol`` (pbem A1)."""
PATROL, PATROL_RULE = "patrol", "WD 19"

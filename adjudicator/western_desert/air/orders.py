"""The order types of the sections ``air`` and ``reaction``, and the clauses of standing orders on the air war (WD 17 to
24)."""

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
    REACTIONS,
    SCRAMBLE,
    SUPPRESS,
    TACTICAL_PORT,
    TRANSFER,
)
from adjudicator.western_desert.sea.malta import PORT as HARBOUR
from adjudicator.western_desert.sea.malta import STATUS

YES_NO = ("yes", "no")
BY_STRATEGIC, BY_TACTICAL = "strategic", "tactical"
TOWING, ANYTHING = "towing", "any"
TARGETS = (ANYTHING, TOWING, "fighters", "bombers", "transports", *CATEGORIES)
"""What a clause on patrols may name besides models: it speaks of what is seen (ruling MISSION-SEEN)."""
CHANCES = ("4-6", "5-6", "6")
ALL, NONE = "all", "none"
NEVER, OUTNUMBERED, ALWAYS = "never", "outnumbered", "always"
HIGHEST_TACTICAL, HIGHEST_STRATEGIC, WEAKEST = "highest_tactical", "highest_strategic", "weakest"
LIKINGS = (HIGHEST_TACTICAL, HIGHEST_STRATEGIC, WEAKEST)
"""Ways to choose among targets besides their kinds: the highest bombing strength, the lowest defense."""
LIKED = ", ".join((*TARGETS, *LIKINGS))
FLY_OFF, STAY = "fly_off", "stay"
RATIOS = ("0.5", "1", "1.5", "2", "2.5", "3", "4")
"""Numbers of interceptors for each escort."""
PORTS, BASES = "ports", "bases"
PLACES = (PORTS, BASES, ANYTHING)
"""Kinds of hexes that a clause may name instead of a hex."""

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
_TOGETHER: Fields = {
    "together": Field("word", "yes = they make one bombing attack; absent = each makes its own", words=YES_NO)
}
_NIGHT: Fields = {"night": Field("word", "yes = flown at night", words=YES_NO)}
_FAR: Fields = {"extended": Field("word", "yes = at extended range", words=YES_NO)}
_TOW: Fields = {"tow": Field("airs", "gliders on tow, the first behind the first transport, the next behind the next")}
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
        {
            "by": Field("word", "the bombing strength used; absent = strategic", words=(BY_STRATEGIC, BY_TACTICAL)),
            "hits": Field("word", "of Valletta: what a hit counts against; absent = status", words=(STATUS, HARBOUR)),
        },
        *(_NIGHT, _TOGETHER, _FAR, _LAND, _IF),
    ),
    _mission("bomb_canal", "WD 20.F.1.b", "bombs the Suez Canal", "a port of it", _NIGHT, _TOGETHER, _FAR, _LAND, _IF),
    _mission("bomb_airbase", "WD 20.F.2.b", "bombs an airbase", "the airbase", _TOGETHER, _FAR, _LAND, _IF),
    _mission(
        "bomb_air",
        "WD 20.F.2.a",
        "bombs air units at their base",
        "the base",
        {"targets": Field("airs", "the air units bombed, in order of liking; absent = operative ones first")},
        *(_TOGETHER, _FAR, _LAND, _IF),
    ),
    _mission("bomb_rail", "WD 20.F.2.f", "bombs a rail line", "the hex of the line", _TOGETHER, _FAR, _LAND, _IF),
    _mission(
        "aa_suppress",
        "WD 33.I",
        "option 33.I: bombs the antiaircraft of a hex, so that it fires worse at all who come after",
        "the hex",
        *(_TOGETHER, _FAR, _LAND, _IF),
    ),
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
STAGE = OrderType(
    "stage",
    "air",
    "WD 33.F",
    "option 33.F: flies Axis air units from an island base to Europe, or from Europe to one",
    {
        "air": _AIR,
        "hex": Field("hex", "the island base that they come to; absent = they go to Europe"),
        **_NIGHT,
        **_TOW,
    },
)
REPAIR = OrderType(
    "air_repair",
    "",
    "WD 23",
    "says which inoperative air units are tried; without such an order all are; before the sections",
    {"air": Field("airs", "the air units, or none", True, words=(NONE,))},
)
SAID_ORDERS = (
    OrderType(
        "split",
        "reaction",
        "WD 21.A.split",
        "says which interceptors over a hex attack the escorts; the others try to pass them",
        {
            "hex": Field("hex", "the hex", True),
            "screen": Field("airs", "who attacks the escorts; all, or none", words=(ALL, NONE)),
            "per_escort": Field("number", "so many for each escort attack the escorts"),
        },
        one_of=("screen", "per_escort"),
    ),
    OrderType(
        "targets",
        "reaction",
        "WD 21.B.2",
        "says whom interceptors over a hex attack, the one liked best first",
        {
            "hex": Field("hex", "the hex", True),
            "air": Field("airs", "the interceptors that this is for; absent = all"),
            "order": Field("targets", f"air units, models, or {LIKED}", True),
        },
    ),
)
"""Orders of the section ``reaction`` that decide air combat ahead (pbem A5, A7)."""
AIR_TYPES = {kind.name: kind for kind in (*AIR_ORDERS, *SAID_ORDERS, STAGE, REPAIR)}

MISSION_OF = {
    "transfer": TRANSFER,
    "escort": ESCORT,
    "bomb_port": PORT,
    "bomb_canal": CANAL,
    "bomb_airbase": AIRBASE,
    "bomb_air": AIR_UNITS,
    "bomb_rail": RAIL,
    "aa_suppress": SUPPRESS,
    "harass": HARASS,
    "ground_support": GROUND_SUPPORT,
    "defensive_support": DEFENSIVE_SUPPORT,
    "air_transport": AIRLIFT,
    "air_drop": DROP,
    "intercept": INTERCEPT,
    "scramble": SCRAMBLE,
}
"""The mission of each order type, as it is without a field that says otherwise."""
AGAINST = tuple(name for name, mission in MISSION_OF.items() if mission not in REACTIONS)
"""What may be intercepted: the orders of the section ``air``."""
OTHERWISE = {("bomb_port", "by", BY_TACTICAL): TACTICAL_PORT, ("air_transport", "stay", "yes"): FERRY}
"""Fields that make another mission of an order."""

PATROL_CLAUSE: Fields = {
    "air": Field("airs", "the fighters the clause is for, or any; absent = any", words=(ANYTHING,)),
    "attack": Field("models", f"what they attack: models, or {', '.join(TARGETS)}; absent = any"),
    "spare": Field("models", "what they leave alone, in the same words"),
    "min_chance": Field("word", "the die rolls that must turn it back; absent = 5-6", words=CHANCES),
    "of": Field("hex", "with within: only in hexes so near to this one; absent = to the fighter's base"),
    "within": Field("number", "only so many hexes away"),
    "hold_until": Field("number", "targets that each of them lets pass first; absent = 0"),
}
"""A clause of the standing orders on ``patrol`` (pbem A1)."""
_FOR: Fields = {"air": Field("airs", "the air units the clause is for, or any; absent = any", words=(ANYTHING,))}
_OVER: Fields = {"hex": Field("hexes", f"hexes, or {', '.join(PLACES)}; absent = any", words=PLACES)}
_TO: Fields = {"to": Field("hexes", "bases, the first that may be reached; absent = the nearest that is safe")}
AIR_CLAUSES: dict[str, Fields] = {
    "escape": {
        **_FOR,
        "base": Field("hexes", "the bases the clause is for, or any; absent = any", words=(ANYTHING,)),
        "do": Field("word", "absent = try", words=("try", "stay")),
        **_TO,
    },
    "patrol": PATROL_CLAUSE,
    "intercept": {
        **_FOR,
        **_OVER,
        "missions": Field("missions", f"only where one of these is flown: {', '.join(AGAINST)}; absent = any"),
        "min_ratio": Field("word", "interceptors for each escort; with fewer nobody flies", words=RATIOS),
        "most": Field("number", "fighters at most over a hex; absent = one for each escort and one more"),
        "keep": Field("number", "operative fighters that stay at each base; absent = 0"),
        "per_escort": Field("number", "so many for each escort attack the escorts, others pass; absent = by default"),
        "targets": Field("targets", f"whom they attack, liked best first: air units, models, or {LIKED}"),
    },
    "scramble": {
        **_FOR,
        "base": Field("hexes", "the bases the clause is for, or any; absent = any", words=(ANYTHING,)),
        "do": Field("word", "absent = fly_off", words=(FLY_OFF, STAY)),
        **_TO,
    },
    "jettison": {
        **_FOR,
        **_OVER,
        "when": Field(
            "word",
            "absent = outnumbered: while interceptors outnumber the escorts",
            words=(NEVER, OUTNUMBERED, ALWAYS),
        ),
    },
    "escorts": {
        **_FOR,
        **_OVER,
        "join": Field("word", "whether they join the fight at the screen, if spare; absent = none", words=(ALL, NONE)),
        "targets": Field("targets", f"whom they attack, liked best first: air units, models, or {LIKED}"),
    },
}
"""The clauses of standing orders on the air war, by topic (pbem M1, A1 to A8)."""
BOOK, BOOK_TOPICS = "air", ("jettison", "escorts")
"""The sealed book of whoever flies missions; all other topics stand in the book ``sheet`` (PROTOCOL 9.1)."""
PATROL, PATROL_RULE = "patrol", "WD 19"
INTERCEPTS, SCRAMBLES, ESCAPES, JETTISONS, ESCORTING = "intercept", "scramble", "escape", "jettison", "escorts"
TOPIC_RULES = {
    ESCAPES: "WD 17.B",
    PATROL: PATROL_RULE,
    INTERCEPTS: "WD 20.A",
    SCRAMBLES: "WD 20.B",
    JETTISONS: "WD 24.A.jettison",
    ESCORTING: "WD 21.B.2",
}

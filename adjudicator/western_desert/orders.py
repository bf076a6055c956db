"""The order types of Western Desert and their fields (docs/orders-western-desert.md is made from this list)."""

from __future__ import annotations

from adjudicator.engine.core import Order, Problem
from adjudicator.engine.schema import SEALED, Field, Fields, OrderType
from adjudicator.western_desert.air.orders import AIR_CLAUSES, AIR_TYPES, ALL
from adjudicator.western_desert.air.orders import BOOK as AIR_BOOK
from adjudicator.western_desert.air.orders import BOOK_TOPICS as AIR_TOPICS
from adjudicator.western_desert.theatre.orders import GARRISON_TYPES, SPECIAL_TYPES

SECTIONS = ("movement", "air", "reaction", "combat", "exploitation")
YES_NO = ("yes", "no")
ANY = "any"
NONE = "none"
TOWARD_SUPPLY = "toward_supply"

_UNITS = Field("units", "units, by id or by the name players use")
_UNIT = Field("unit", "the unit, by id or by the name players use")
_COUNTER = Field("counter", "the supply counter")
_COUNTERS = Field("counters", "several of them")
_SACRIFICE = "units given up first, in turn, until the loss is met"
_SPARED = "units spared as long as the others suffice"
_WISHES = "hexes, bearings (N NE SE S SW NW), terrains such as rough, or toward_supply; the first that is lawful"
_STACK = Field("hexes", "hexes where the stack fought, or any; absent = any", words=(ANY,))

_HERE = Field("hex", "its hex, if you want to say it")
_CARRIER = Field("unit", "the transport counter whose points are used, if the unit moves with it in this phase")
DIVISIONAL_TASKS = (
    *("repair_rail", "repair_port", "repair_airbase", "demolish_port"),
    *("start_fort", "finish_fort", "start_airfield", "finish_airfield"),
)

CLAUSES: dict[str, Fields] = {
    "supply": {
        "counter": Field("counter", "the supply counter, or any; absent = any", words=(ANY,)),
        "use": Field("word", "when a step is spent; absent = if_cut_off", words=("always", "never", "if_cut_off")),
        "min_re": Field("number", "if_cut_off: only for so many REs; absent = 3"),
        "keep_steps": Field("number", "steps that are kept"),
        "reserve": Field("word", "yes = the last step is kept", words=YES_NO),
    },
    "losses": {
        "stack": _STACK,
        "order": Field("units", _SACRIFICE),
        "never": Field("units", _SPARED),
    },
    "retreat": {
        "stack": _STACK,
        "unit": Field("units", "the units the clause is for, or any; absent = any", words=(ANY,)),
        "order": Field("units", "the order in which the units go; the first one gets the free place"),
        "prefer": Field("wishes", _WISHES),
        "split": Field("word", "no = follow the unit that went before, where that is lawful", words=("no", "allowed")),
    },
    **AIR_CLAUSES,
}
TOPICS = tuple(CLAUSES)
BOOKS = {
    "sheet": ("supply", "escape", "patrol", "intercept", "scramble", "losses", "retreat"),
    AIR_BOOK: AIR_TOPICS,
}
"""The sealed books and their topics: of the side that reacts, and of the side that flies (PROTOCOL 9.1)."""

SUPPLY_ROW = {
    "counter": Field("counter", "the supply counter", True),
    "steps": Field("number", "steps at most; absent = 1"),
    "units": Field("units", "who draws from it; absent = all, the strongest first"),
}

PAIR_ROW = {
    "air": Field("air", "your air unit", True),
    "at": Field("air", "the enemy's that it attacks", True),
}

BUILT = (
    OrderType(
        "section",
        "",
        "WD 4.A",
        "opens the orders of a phase",
        {
            "name": Field("word", "the phase", True, SECTIONS),
            "ask": Field("text", "a stop wished for", built=False),
            "say": Field(
                "word",
                "exploitation only, in place of orders: none, or ask = they come when the combats are known",
                words=("none", "ask"),
            ),
        },
    ),
    OrderType(
        "standing",
        "",
        "WD 9.C",
        "standing order, open or sealed, in force from the next message until its topic is sent again",
        {
            "topic": Field("word", "what it settles", True, TOPICS),
            "rules": Field(
                "rows",
                "the clauses, the first that fits decides; auto, or without any, the defaults hold; ask = play stops",
                words=("auto", "ask"),
                tables=CLAUSES,
                by="topic",
            ),
            "sealed": Field("word", SEALED, words=YES_NO),
        },
    ),
    OrderType(
        "answer",
        "",
        "WD 9.C",
        "answers a choice by its key, ahead or at a stop",
        {
            "to": Field("text", "the key of the choice", True),
            "units": _UNITS,
            "path": Field("hexes", "hexes in order"),
            "use": Field("word", "use the supply counter; no = the air unit does not try to escape", words=YES_NO),
            "airs": Field("airs", "air units, all of them, or none", words=(ALL, NONE)),
            "pairs": Field(
                "rows",
                "who attacks whom in air combat; who is not named stays out; none = nobody does",
                words=(NONE,),
                tables={"": PAIR_ROW},
            ),
        },
        one_of=("units", "path", "use", "airs", "pairs"),
    ),
    OrderType(
        "move",
        "movement",
        "WD 6",
        "moves a unit or stack; combat/motorized ones also in the section exploitation",
        {
            "unit": _UNIT,
            "units": _UNITS,
            "to": Field("hex", "where it ends; alone, the cheapest path is taken"),
            "path": Field("hexes", "the hexes to enter, in order"),
            "by": Field("word", "means", words=("foot", "road", "rail")),
            "mode": Field("word", "kind of movement", words=("normal", "admin", "carried")),
            "transport": Field("unit", "the transport counter that carries"),
        },
        one_of=("to", "path"),
    ),
    OrderType(
        "overrun",
        "movement",
        "WD 13",
        "overruns the units in an adjacent hex at 10:1 or more; also in the section exploitation",
        {
            "units": Field("units", "the overrunning units, all in one hex", True),
            "hex": Field("hex", "the hex overrun", True),
            "by": Field("word", "road = only if a road leads there; absent = the cheapest", words=("road",)),
            "advance": Field("units", "who then enters the hex; all, or absent = nobody", all=True),
            "transport": Field("unit", "the transport counter that carries, if the units have not moved yet"),
            "carried": Field("units", "the units that it carries"),
        },
    ),
    OrderType(
        "supply_move",
        "movement",
        "WD 12.D",
        "moves supply counters with supply movement points",
        {
            "counter": _COUNTER,
            "counters": _COUNTERS,
            "to": Field("hex", "where they end; alone, the cheapest path is taken"),
            "path": Field("hexes", "the hexes to enter, in order"),
            "by": Field("word", "means; absent = the cheapest", words=("foot", "road", "rail")),
        },
        one_of=("to", "path"),
    ),
    OrderType(
        "ship",
        "movement",
        "WD 26.B.2",
        "ships units and supply counters from the port they are in to another; 2 MPs for a unit",
        {
            "unit": _UNIT,
            "units": _UNITS,
            "counter": _COUNTER,
            "counters": _COUNTERS,
            "rp": Field("text", "option 33.B: ground replacement points at hand, as british_non_armor, to Malta"),
            "points": Field("number", "how many of them; absent = 1"),
            "from": Field("hex", "the port in Egypt that replacement points leave"),
            "to": Field("hex", "the port they go to", True),
        },
        one_of=("unit", "units", "counter", "counters", "rp"),
    ),
    OrderType(
        "supply_merge",
        "movement",
        "WD 12.D.merge",
        "merges two counters of one step in one hex into the first; also in any other phase of the own turn",
        {"counters": Field("counters", "the two counters", True)},
    ),
    OrderType(
        "supply_split",
        "movement",
        "WD 12.D.merge",
        "splits a counter of two steps into two of one; also in any other phase of the own turn",
        {"counter": _COUNTER, "counters": _COUNTERS},
        one_of=("counter", "counters"),
    ),
    OrderType(
        "supply_destroy",
        "movement",
        "WD 12.D.destroy",
        "destroys own supply counters; also in any other phase of the own turn",
        {"counter": _COUNTER, "counters": _COUNTERS},
        one_of=("counter", "counters"),
    ),
    OrderType(
        "break_rail",
        "movement",
        "WD 7.C",
        "breaks the railroad in the unit's hex; also in the section exploitation",
        {"unit": Field("unit", "the unit", True), "hex": _HERE, "transport": _CARRIER},
    ),
    OrderType(
        "repair",
        "movement",
        "WD 14.A.repair",
        "repairs the railroad, the port or the airbase in the hex of construction engineers; also in exploitation",
        {
            "unit": Field("unit", "the construction engineer"),
            "units": Field("units", "several of them"),
            "what": Field("word", "what is repaired", True, ("rail", "port", "airbase")),
            "hits": Field("number", "hits of a port or airbase; absent = as many as there are points for"),
            "hex": _HERE,
            "transport": _CARRIER,
        },
        one_of=("unit", "units"),
    ),
    OrderType(
        "build_airfield",
        "movement",
        "WD 14.A.airfield",
        "builds an airfield in the hex of one or two construction engineers for 6 MPs",
        {
            "unit": Field("unit", "the construction engineer"),
            "units": Field("units", "two who combine"),
            "split": Field("text", "MPs that each of them pays, as 4, 2; absent = the first what it can"),
            "points": Field("number", "MPs spent; fewer than 6 only with option 33.H; absent = as much as there is"),
            "hex": _HERE,
            "transport": _CARRIER,
        },
        one_of=("unit", "units"),
    ),
    OrderType(
        "demolish_port",
        "movement",
        "WD 14.A.demolish",
        "makes hits on the port in the hex of construction engineers, 3 MPs each; also in exploitation",
        {
            "unit": Field("unit", "the construction engineer"),
            "units": Field("units", "several of them"),
            "hits": Field("number", "hits; absent = as many as count and there are points for"),
            "hex": _HERE,
            "transport": _CARRIER,
        },
        one_of=("unit", "units"),
    ),
    OrderType(
        "damage_airbase",
        "movement",
        "WD 17.D",
        "makes hits on the airbase in the units' hex, 2 MPs each; also in the section exploitation",
        {
            "unit": Field("unit", "the unit, with a combat strength above 0"),
            "units": Field("units", "several of them"),
            "hits": Field("number", "hits; absent = as many as count and there are points for"),
            "hex": _HERE,
            "transport": _CARRIER,
        },
        one_of=("unit", "units"),
    ),
    OrderType(
        "div_engineers",
        "movement",
        "WD 33.D",
        "option 33.D: one task in a player turn by a division or headquarters that neither moves nor attacks in it",
        {
            "unit": Field("unit", "the division or divisional headquarters", True),
            "what": Field("word", "the task", True, DIVISIONAL_TASKS),
            "hex": _HERE,
        },
    ),
    OrderType(
        "build_fort",
        "",
        "WD 14.A.fort",
        "begins a fort in the hex of a construction engineer, done in the next turn; before the sections",
        {"unit": Field("unit", "the construction engineer", True), "hex": _HERE},
    ),
    OrderType(
        "improve_fortress",
        "",
        "WD 14.A.fortress",
        "begins to improve the unimproved fortress in the hex of a construction engineer; before the sections",
        {"unit": Field("unit", "the construction engineer", True), "hex": _HERE},
    ),
    OrderType(
        "break_down",
        "movement",
        "WD 15.A",
        "breaks a division down into its components; at the head of the section; motorized ones also in exploitation",
        {
            "unit": Field("unit", "the division", True),
            "into": Field(
                "word",
                "its headquarters and unsupported components, or supported components without it; absent = the first",
                words=("headquarters", "supported", "support_group", "parts"),
            ),
        },
    ),
    OrderType(
        "assemble",
        "movement",
        "WD 15.A",
        "assembles a division of components in one hex; at the end of the section; motorized ones also in exploitation",
        {
            "into": Field("unit", "the division", True),
            "units": Field("units", "its components; absent = the weakest that will do, beside its headquarters"),
            "at": Field("hex", "the hex where they stand; absent = where its headquarters or support group stands"),
        },
    ),
    OrderType(
        "extend_rail",
        "",
        "WD 7.D",
        "builds the next hex of the railroad beyond Matruh, from Aug II 41 on; before the sections",
        {},
    ),
    OrderType(
        "attack",
        "combat",
        "WD 9",
        "attacks the units in one hex",
        {
            "hex": Field("hex", "the hex attacked", True),
            "with": Field("units", "the attacking units", True),
            "supply": Field(
                "rows",
                "supply counters for attack supply, as COUNTER:STEPS; absent = no attack supply",
                tables={"": SUPPLY_ROW},
                short=("counter", "steps"),
            ),
            "min_odds": Field("text", "skip the attack below these odds, as 2:1"),
            "if_unsupplied": Field("word", "what to do without attack supply", words=("attack", "skip")),
            "neutral": Field(
                "units",
                "half capable attackers taken as neutral in AECA (WD 10.E), or none; absent = as it serves best",
                words=(NONE,),
            ),
            "losses": Field("units", f"if it costs losses: {_SACRIFICE}"),
            "never": Field("units", f"if it costs losses: {_SPARED}"),
            "retreat": Field("wishes", f"if the attackers are driven back: {_WISHES}"),
            "advance": Field("units", "who advances if the hex is cleared; all, or absent = nobody", all=True),
        },
    ),
    OrderType(
        "losses",
        "combat",
        "WD 9.C",
        "whom you give up first in the attack on a hex",
        {
            "hex": Field("hex", "the hex attacked", True),
            "units": Field("units", _SACRIFICE),
            "never": Field("units", _SPARED),
        },
        one_of=("units", "never"),
    ),
    OrderType(
        "retreat",
        "combat",
        "WD 9.F.1",
        "where a unit goes if it must retreat",
        {
            "unit": _UNIT,
            "units": _UNITS,
            "to": Field("hexes", "the hex, or several; the first that is lawful"),
            "path": Field("hexes", "hexes in order, for a retreat that must go on"),
        },
        one_of=("to", "path"),
    ),
    OrderType(
        "advance",
        "combat",
        "WD 9.F.2",
        "advance after the attack on a hex, if it is cleared",
        {"units": Field("units", "who advances", True), "to": Field("hex", "the cleared hex", True)},
    ),
    OrderType(
        "general_supply",
        "",
        "WD 12.B.2",
        "spends a step of own supply counters for the units that have no other general supply; before the sections",
        {
            "counter": Field("counter", "the supply counter"),
            "counters": Field("counters", "several of them"),
        },
        one_of=("counter", "counters"),
    ),
    OrderType(
        "reinforce",
        "",
        "WD 29.A",
        "places what waits to come in; before the sections. What no order names comes in at the first free place",
        {
            "unit": _UNIT,
            "units": _UNITS,
            "counter": _COUNTER,
            "counters": _COUNTERS,
            "air": Field("airs", "air units that wait"),
            "rp": Field("text", "replacement points that wait, as british_armor"),
            "at": Field("hex", "a place of the area; absent = the first that takes them"),
            "delay": Field("word", "yes = they wait for another turn", words=("yes",)),
            "via": Field("word", "tunisia = sent there, to come in next turn; option 32.C", words=("tunisia",)),
        },
        one_of=("units", "unit", "counters", "counter", "rp", "air"),
    ),
    OrderType(
        "fifth_army",
        "",
        "WD 28.A.1",
        "draws a unit of the Italian Fifth Army; before the sections. Left out, one is drawn all the same",
        {"draw": Field("word", "no = none is drawn in this turn; absent = yes", words=YES_NO)},
    ),
    OrderType(
        "tripolitania",
        "",
        "WD 28.A.2",
        "brings the garrison of Tripolitania into play, all of it, once an Allied unit is within 12 hexes of Tripoli; "
        "before the sections. An order for each hex; who is in none appears at the first hex with room",
        {
            "units": Field("units", "units of the garrison that appear in the hex"),
            "unit": Field("unit", "the same for one unit"),
            "at": Field("hex", "where they appear: within 3 hexes of Tripoli"),
        },
    ),
    OrderType(
        "raid",
        "",
        "WD 28.B.4",
        "raids an Axis airbase in Egypt or Libya, once a month from Nov I 41 on; before the sections",
        {"at": Field("hex", "the airbase", True)},
    ),
    OrderType(
        "vichy_roll",
        "",
        "WD 28.C.1",
        "puts pressure on Vichy France to admit the Axis to the Levant, from Apr I 41 on, or once the Allies have "
        "invaded; before the sections",
        {},
    ),
    OrderType(
        "invade_levant",
        "movement",
        "WD 28.C",
        "invades the Levant: announced before any unit moves in the phase; the other player gets the Vichy forces",
        {},
    ),
    OrderType(
        "withdraw",
        "",
        "WD 29.C",
        "says who goes for a withdrawal of the turn; before the sections. Left out, the unit itself or the first alike",
        {
            "what": Field("unit", "the unit that the order of battle names"),
            "offer": Field("unit", "the unit that goes in its place"),
            "counters": Field("counters", "supply counters whose steps are withdrawn first"),
            "air": Field("airs", "air units that go for withdrawals of their model"),
        },
        one_of=("what", "counters", "air"),
    ),
    OrderType(
        "replace",
        "",
        "WD 29.B",
        "brings units of the replacement pool back for replacement points; before the sections",
        {
            "unit": _UNIT,
            "units": _UNITS,
            "air": Field("airs", "air units of the pool, each for an air replacement point"),
            "at": Field("hex", "the place; absent = the first that takes them"),
        },
        one_of=("unit", "units", "air"),
    ),
    OrderType(
        "rebuild",
        "",
        "WD 29.B.cadre",
        "makes cadres divisions again for replacement points; before the sections",
        {"unit": _UNIT, "units": _UNITS},
        one_of=("unit", "units"),
    ),
    OrderType(
        "scrap",
        "",
        "WD 29.B.scrap",
        "takes units out of the replacement pool for good, for replacement points; before the sections",
        {"unit": _UNIT, "units": _UNITS},
        one_of=("units", "unit"),
    ),
    OrderType(
        "convert",
        "",
        "WD 29.D",
        "converts a unit as the order of battle has it; before the sections. What it asks for happens by itself",
        {
            "unit": Field("unit", "the unit"),
            "into": Field("unit", "what it becomes, if you want to say it"),
            "air": Field("air", "the air unit, of the model that is converted"),
        },
        one_of=("unit", "air"),
    ),
    OrderType(
        "upgrade",
        "",
        "WD 29.D.2",
        "makes an armored brigade one of 5-3-10 for half an armor point, from Apr I 42 on; before the sections",
        {
            "unit": Field("unit", "the brigade", True),
            "into": Field("unit", "what it becomes, if you want to say it"),
        },
    ),
    OrderType(
        "malta_repair",
        "",
        "WD 28.D",
        "spends repair points of Malta; before the sections. Left out, they go to the status, then port and airbases",
        {
            "what": Field("word", "what is repaired", True, ("status", "port", "airbase")),
            "points": Field("number", "repair points; absent = as many as there is work for"),
            "counter": Field("counter", "a supply counter on Malta that gives a step for a point more"),
            "counters": Field("counters", "several of them, one named twice gives two steps"),
        },
    ),
    OrderType(
        "deploy",
        "",
        "WD 30.deploy",
        "sets things up in a hex, where the players have agreed on free set-up; the others stand where they are listed",
        {
            "at": Field("hex", "the hex", True),
            "units": Field("units", "ground units, of the Axis also Vichy ones"),
            "air": Field("airs", "air units, at an airbase"),
            "counters": Field("counters", "supply counters"),
        },
    ),
    OrderType("pass", "", "WD 4.A", "says that nothing more is done in the phase", {}),
    *SPECIAL_TYPES,
    *GARRISON_TYPES,
)

TYPES: dict[str, OrderType] = {kind.name: kind for kind in BUILT} | AIR_TYPES


def misplaced(order: Order, phase: str) -> Problem:
    """The refusal of an order in a phase that isn't its own; it says where in the file the order belongs (WD 4.C)."""
    text = f"{order.type} is no order of the {phase} phase"
    return Problem("type", "WD 4.C", text, belongs(order.type) or "leave the order out")


def belongs(name: str) -> str:
    """Where in a turn file an order stands, as a thing to do; "" where it may stand anywhere or isn't known."""
    kind = TYPES.get(name)
    if kind is None:
        return ""
    if kind.section:
        return f"put it in the section {kind.section}, below `- type: section` with `name: {kind.section}`"
    return "put it before the first section" if "before the sections" in kind.about else ""

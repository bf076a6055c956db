"""The order types of special operations (WD 27; docs/orders-western-desert.md is made from this list)."""

from __future__ import annotations

from adjudicator.engine.schema import Field, OrderType

_UNIT = Field("unit", "the unit, by id or by the name players use")

_AREA = ("cyprus", "delta", "levant", "palestine")

GARRISON_TYPES = (
    OrderType(
        "list_garrison",
        "movement",
        "WD 33.C",
        "option 33.C: takes units in Cyprus, the Delta, the Levant or Palestine off the map, onto the written list; no "
        "Axis ground unit may be within five hexes of the area",
        {"units": Field("units", "units on the map in such an area"), "unit": _UNIT},
        one_of=("units", "unit"),
    ),
    OrderType(
        "move_garrison",
        "",
        "WD 33.C",
        "option 33.C: moves units of the list in secret, within their area and as far as one movement phase takes them "
        "on foot and by road; anywhere in the message that begins the Allied player turn. It goes into the sealed book",
        {
            "units": Field("units", "units on the list"),
            "unit": _UNIT,
            "to": Field("hex", "where they go", True),
        },
        one_of=("units", "unit"),
        secret=True,
    ),
    OrderType(
        "show_garrison",
        "",
        "WD 33.C",
        "option 33.C: puts all units of an area back onto the map, in the hexes of the list; anywhere in the message "
        "that begins the Allied player turn. They may move on the map in that turn",
        {"area": Field("word", "the area", True, words=_AREA)},
        secret=True,
    ),
    OrderType(
        "display_garrison",
        "",
        "WD 33.C",
        "opens the list of areas, with the topics of the sealed books that tell where their units are; the program "
        "writes it, no player",
        {"areas": Field("text", "the areas, with commas", True)},
    ),
)

SPECIAL_TYPES = (
    OrderType(
        "plan_special",
        "",
        "WD 27.A",
        "plans a special operation in secret, at least five turns ahead; anywhere in the message that begins the Axis "
        "player turn. The plan is sealed: no file of the other player has it",
        {
            "units": Field("units", "units of a pool of special forces"),
            "unit": _UNIT,
            "air": Field("airs", "air units of a pool"),
            "at": Field("hex", "the invasion hex", True),
            "turn": Field("text", "the game turn of the operation, as Sep I 41", True),
        },
        one_of=("units", "unit", "air"),
        secret=True,
    ),
    OrderType(
        "cancel_special",
        "",
        "WD 27.A",
        "cancels plans of special operations in secret, up to the turn they are for; anywhere in the message that "
        "begins the Axis player turn. What is not cancelled is carried out on its turn",
        {
            "units": Field("units", "units that are planned for"),
            "unit": _UNIT,
            "air": Field("airs", "air units that are planned for"),
        },
        one_of=("units", "unit", "air"),
        secret=True,
    ),
    OrderType(
        "special_operation",
        "",
        "WD 27.A",
        "carries out plans that are due, with the proof that they are old enough; the program writes it, no player",
        {
            "units": Field("units", "units that are planned for this turn"),
            "air": Field("airs", "air units that are planned for this turn"),
        },
        one_of=("units", "air"),
    ),
    OrderType(
        "seaborne",
        "movement",
        "WD 27.C",
        "sends the first wave of the seaborne invasion of Malta, 4 REs at most, each unit to its planned hex",
        {"units": Field("units", "units announced for this turn"), "unit": _UNIT},
        one_of=("units", "unit"),
    ),
    OrderType(
        "land_second_wave",
        "exploitation",
        "WD 27.C",
        "sends the second wave, 7 REs and two steps of supply at most, to an invasion hex that the Axis controls now",
        {
            "units": Field("units", "units announced for this turn"),
            "unit": _UNIT,
            "steps": Field("number", "steps of supply, in one counter; absent = none"),
        },
        one_of=("units", "unit", "steps"),
    ),
)

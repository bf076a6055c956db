"""The order types of special operations (WD 27; docs/orders-western-desert.md is made from this list)."""

from __future__ import annotations

from adjudicator.engine.schema import Field, OrderType

_UNIT = Field("unit", "the unit, by id or by the name players use")

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

"""Air units of cases (CASE-FORMS, air_unit) as the rules of the air war take them."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.western_desert.air.craft import AIRBASE, ESCORT, INTERCEPT, Craft, Flight
from adjudicator.western_desert.cases.core import Record, as_record

PLAIN_TYPE = "B"
OF_ROLE = {"escort": ESCORT, "interceptor": INTERCEPT}
OF_MISSION = {"bombing": AIRBASE}
"""Cases say only that an air unit bombs: which figures a mission lowers is the same for every kind of bombing."""


def craft_from_record(record: Record, number: int = 0, side: str = "") -> Craft:
    """The counter of a record; one without an id is named by its number, one without a type is a bomber."""
    return Craft(
        id=str(record.get("id", f"air-{number + 1}")),
        type=str(record.get("type", PLAIN_TYPE)),
        side=side,
        name=str(record.get("name", record.get("id", ""))),
        attack=_figure(record, "attack"),
        defense=_figure(record, "defense"),
        tactical=_figure(record, "tactical"),
        strategic=_figure(record, "strategic"),
        movement=_figure(record, "move"),
    )


def flight_from_record(
    record: Record, number: int = 0, mission: str = "", night: bool = False, extended: bool = False
) -> Flight:
    """The air unit of a record in the air: the mission of the record, else that of its role, else the one given."""
    told = str(record.get("mission", ""))
    tow = as_record(record.get("tows"))
    return Flight(
        craft=craft_from_record(record, number),
        mission=OF_MISSION.get(told, told) or OF_ROLE.get(str(record.get("role")), mission),
        night=night,
        extended=extended,
        jettisoned=record.get("jettison") is True,
        tow=craft_from_record({"type": "GT", **tow}, number) if tow else None,
        fate=str(record.get("fate", "")),
    )


def flights_from_records(
    records: Sequence[Record], mission: str = "", night: bool = False, extended: bool = False
) -> list[Flight]:
    """Several, in their order."""
    return [flight_from_record(record, n, mission, night, extended) for n, record in enumerate(records)]


def _figure(record: Record, key: str) -> int:
    return int(str(record.get(key, 0)))

"""Cards that a case invents: what they place and upgrade, as effects, sets of places and counters of a world."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from adjudicator.shifting_sands.cases.core import Record, as_number, as_record, as_records, as_text, as_texts
from adjudicator.shifting_sands.world import Counter, World, rows

UPGRADED = "upgraded"


def invented(row: Record) -> Record:
    """A card invented for a case, with its places and its upgrade as effects."""
    effects: list[Record] = [
        {"do": "place", "unit": as_text(part.get("unit")), "count": "1", "step": "full", "where": _set(row, number)}
        for number, part in enumerate(as_records(row.get("place")))
    ]
    upgrade = as_record(row.get("upgrade"))
    if upgrade:
        unit = as_text(upgrade.get("unit"))
        effects.append({"do": "upgrade", "unit": unit, "to": f"{unit} {UPGRADED}"})
    plain = {key: value for key, value in row.items() if key not in ("place", "upgrade")}
    return {**plain, "effects": [*rows(row, "effects"), *effects]}


def _set(row: Record, number: int) -> str:
    return f"{as_text(row.get('name'))} {number}"


def add_to(world: World, cards: Mapping[str, Record]) -> None:
    """The sets of places and the stronger counters of the cards that a case invents."""
    sets = dict(world.places)
    for row in cards.values():
        for number, part in enumerate(as_records(row.get("place"))):
            spaces = as_texts(part.get("where"))
            sets[_set(row, number)] = {"name": _set(row, number), "rule": "7.53", "any": [{"spaces": spaces}]}
        upgrade = as_record(row.get("upgrade"))
        if upgrade:
            new = _stronger(world.counters[as_text(upgrade.get("unit"))], upgrade)
            world.counters[new.id] = new
    world.places = sets


def _stronger(old: Counter, upgrade: Record) -> Counter:
    value = upgrade.get("cf")
    cf = (int(value[0]), int(value[1])) if isinstance(value, list) else old.cf
    uid = f"{old.id} {UPGRADED}"
    return replace(old, id=uid, name=uid, short=uid, kind=uid, cf=cf,
                   lf=as_number(upgrade.get("lf"), old.lf), mf=as_number(upgrade.get("mf"), old.mf))

"""The shapes of all records of a pack of Western Desert: files, keys, and what each key takes."""

from __future__ import annotations

from typing import Any, Final

from adjudicator.packs.faults import Faults
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, records
from adjudicator.packs.shape import (
    Kind,
    Shape,
    anything,
    check_keys,
    check_record,
    check_rows,
    either,
    listed,
    record,
    share,
    slug,
    source,
    text,
    texts,
    whole,
    word,
)
from adjudicator.packs.western_desert.chart_shapes import check_chart_rows
from adjudicator.packs.western_desert.turns import turn_number

CONFIDENCE: Final = (
    "exact",
    "partly exact",
    "published",
    "rulebook",
    "reported",
    "checked",
    "inferred",
    "high",
    "medium",
    "low",
)
FLAG: Final = word("yes", "no")
SURE: Final = word("yes")
TRUE: Final = word("true")
SIDE: Final = word("allied", "axis", "vichy")
PLAYER: Final = word("allied", "axis")
OWNERS: Final = word("axis", "allied", "vichy", "neutral")
PORT: Final = word("major", "standard", "minor")
CAPABILITY: Final = word("none", "neutral", "half", "full")


def turn(faults: Faults, row: Record, key: str, value: Any) -> None:
    """A turn of the game."""
    if turn_number(value) is None:
        told = value if isinstance(value, str) else "that is a list or mapping"
        how = "write it as Mar I 41, from Dec I 40 to Jan II 43"
        faults.add_at(row, key, "turn", f"{key} {told} is no turn of the game; {how}")


SOURCED: Final[dict[str, Kind]] = {"source": source}
NOTES: Final[dict[str, Kind]] = {"confidence": word(*CONFIDENCE), "cites": texts(), "note": text}
CITY: Final = Shape({"name": text, "class": word("full", "dot", "ref")})
LOCATED: Final[dict[str, Kind]] = {"hex": text, **SOURCED}
PAIR: Final[dict[str, Kind]] = {"a": text, "b": text, **SOURCED}

HEXES: Final = Shape(
    {"hex": text, "terrain": text, "country": text, "control": OWNERS, **SOURCED},
    {
        "coast": TRUE,
        "region": texts(),
        "cities": listed(CITY),
        "places": texts(),
        "port": PORT,
        "terminal": SIDE,
        "fortress": TRUE,
        "of": text,
        "also": text,
        **NOTES,
    },
)
PLACES: Final = Shape(
    {"name": text, "hex": text, "class": word("full", "dot", "ref", "place"), "country": text, **SOURCED},
    {"port": PORT, "aliases": texts(), **NOTES},
)
HEXSIDES: Final = Shape({**PAIR, "kind": text, "of": text}, {"low": text, **NOTES})
LINES: Final = Shape({**PAIR, "of": texts()}, NOTES)
UNBUILT: Final = Shape({"name": text, "status": word("unbuilt", "optional"), "path": texts(), **SOURCED}, NOTES)

_BY_NAT: Final = Shape({"nat": text}, {"aeca": CAPABILITY, "aecd": CAPABILITY, "atec": CAPABILITY})
TYPES: Final = Shape(
    {
        "slug": text,
        "name": text,
        "motorized": word("yes", "no", "symbol"),
        "aeca": CAPABILITY,
        "aecd": CAPABILITY,
        "atec": CAPABILITY,
        **dict.fromkeys(("artillery", "heavy", "zoc", "gives_support", "cavalry", "airborne"), FLAG),
        **dict.fromkeys(("assault_engineer", "construction", "armored", "garrison"), FLAG),
        **SOURCED,
    },
    {
        "motorized_aeca": CAPABILITY,
        "motorized_aecd": CAPABILITY,
        "motorized_atec": CAPABILITY,
        "by_nat": listed(_BY_NAT),
        **NOTES,
    },
)
STRENGTH: Final = whole(0, 15)
_SIZE: Final = word("division", "brigade", "regiment", "battalion", "cadre", "headquarters", "none")
AA: Final[dict[str, Kind]] = {"aa": whole(0, 12), "aa_type": word("light", "heavy")}
_FIGURES: Final[dict[str, Kind]] = {"attack": STRENGTH, "defense": STRENGTH, "movement": whole(0, 20)}
_PART: Final = Shape({"n": whole(1, 6), "type": text, "size": _SIZE, **_FIGURES}, {"aa_type": AA["aa_type"]})
_FORM: Final = Shape(
    {"form": word("headquarters", "support_group", "parts"), "hq": FLAG, "parts": listed(_PART)},
    {"same_designation": word("support_group"), "only": text},
)
UNIT: Final[dict[str, Kind]] = {"id": text, "side": SIDE, "nat": text, "name": text, "short": text}
COUNTERS: Final = Shape(
    {
        **UNIT,
        "size": _SIZE,
        "type": text,
        **_FIGURES,
        "re": share("0", "4"),
        "supported": FLAG,
        "replaceable": FLAG,
        **SOURCED,
        "confidence": NOTES["confidence"],
    },
    {
        "designation": text,
        "belongs": text,
        "aliases": texts(),
        "cadre": whole(0, 15),
        "cadre_movement": whole(0, 20),
        "re_with_hq": whole(0, 4),
        **AA,
        "components": listed(_FORM),
        "hq_of": word("infantry", "armor", "panzer", "motorized", "parachute", "air_landing"),
        "symbol": word("static", "marine", "commando", "parachute_infantry"),
        "motorized": FLAG,
        "branch": word("luftwaffe", "colonial", "libyan", "gaf", "ccnn", "foreign_legion"),
        "carries": whole(1, 3),
        **NOTES,
    },
    frozenset({"designation"}),
)
MARKERS: Final = Shape({"id": slug, "name": text, "count": whole(1, 480), **SOURCED}, NOTES)
AIR: Final = Shape(
    {
        **UNIT,
        "model": text,
        "type": text,
        **dict.fromkeys(("attack", "defense", "tactical"), whole(0, 15)),
        "strategic": whole(0, 20),
        "movement": whole(1, 99),
        "night": FLAG,
        **SOURCED,
        "confidence": NOTES["confidence"],
    },
    {"aliases": texts(), "special": FLAG, **NOTES},
)
SWITCH: Final = Shape({"name": text, "values": texts(), "default": text})
RULINGS: Final = Shape(
    {"n": whole(1, 999), "id": text, "rules": texts(), "ruling": text},
    {"weight": word("low", "medium", "high"), "switch": record(SWITCH)},
)
OPTIONS: Final = Shape({"id": text, "about": text, "default": FLAG, **SOURCED}, NOTES)
ASSUMPTIONS: Final = Shape({"id": slug, "what": text, "why": text}, {"where": text, "look": text})
CITATIONS: Final = Shape({"key": text, "what": text})
_EDGE: Final = Shape({"sheet": whole(1, 99), "side": word("east", "south")})
_LATER: Final = Shape({"from": turn, "in": texts()})
AREAS: Final = Shape(
    {"area": text, "title": text, "rule": text},
    {
        "by": word("sea", "land"),
        **dict.fromkeys(("ports", "air", "cities", "countries", "ports_of", "hexes"), texts()),
        "edge": record(_EDGE),
        "air_later": listed(_LATER),
        "source": source,
        **NOTES,
    },
)
CHARTS: Final = Shape(
    {"name": text, "title": text, "rule": text, **SOURCED},
    {
        "dice": whole(1, 3),
        **dict.fromkeys(("down", "across", "result", "note"), text),
        "values": texts(),
        "columns": texts(),
        **dict.fromkeys(("matrix", "cells", "rows"), anything),
    },
)
_DATED: Final[dict[str, Kind]] = {"turn": turn, "after": word("levant"), "turns": whole(1, 52), **NOTES}
_EVENT: Final[dict[str, Kind]] = {
    "id": slug,
    "side": PLAYER,
    "kind": text,
    **SOURCED,
    "confidence": NOTES["confidence"],
}
_STEPS: Final = whole(1, 40)
_POINTS: Final = share("1/2", "40")
GONE: Final = word("out", "greece")
EVENTS: Final[dict[str, Shape]] = {
    "reinforce": Shape(
        {**_EVENT, "unit": text, "area": text},
        {**_DATED, "step": word("cadre"), "shipped": FLAG, "unless_special": word("own", "german_parachute")},
    ),
    "supply": Shape({**_EVENT, "steps": _STEPS, "area": text}, _DATED),
    "withdraw": Shape({**_EVENT, "unit": text, "to": GONE}, {**_DATED, "returns": turn}),
    "supply_withdraw": Shape({**_EVENT, "steps": _STEPS, "to": GONE}, _DATED),
    "return": Shape({**_EVENT, "unit": text, "area": text}, _DATED),
    "convert": Shape(
        {**_EVENT, "from": texts(), "to": texts()},
        {
            **_DATED,
            **dict.fromkeys(("like", "together", "optional"), FLAG),
            "rp": word("armor", "non_armor", "air"),
            "points": _POINTS,
            "rule": text,
        },
    ),
    "special": Shape(
        {**_EVENT, "pool": text, "wave": word("airborne", "seaborne")}, {**_DATED, "unit": text, "steps": _STEPS}
    ),
    "component": Shape({**_EVENT, "unit": text, "of": text}, _DATED),
    "assemble": Shape({**_EVENT, "unit": text}, _DATED),
    "replacement": Shape({**_EVENT, "nat": text, "rp": text, "points": _POINTS}, {**_DATED, "area": text}),
    "smp": Shape({**_EVENT, "points": whole(0, 200)}, _DATED),
    "malta_repair": Shape({**_EVENT, "points": whole(0, 20)}, _DATED),
}
_PACK_SIDE: Final = Shape({"side": SIDE, "name": text, "first": FLAG})
_SHEET: Final = Shape(
    {"sheet": whole(1, 99), "columns": whole(1, 99), "rows": whole(1, 99)}, {"scale_miles": whole(1, 99)}
)
PACK: Final = Shape(
    {"system": text, "version": whole(1, 9999), "title": text, "sheets": listed(_SHEET), "sides": listed(_PACK_SIDE)},
    {"overlap": anything},
)
FILES: Final[dict[str, dict[str, Shape]]] = {
    "map.yaml": {
        "hexes": HEXES,
        "places": PLACES,
        "hexsides": HEXSIDES,
        "railroads": LINES,
        "roads": LINES,
        "unbuilt_railroads": UNBUILT,
    },
    "types.yaml": {"types": TYPES},
    "counters.yaml": {"counters": COUNTERS, "markers": MARKERS},
    "air.yaml": {"air": AIR},
    "charts.yaml": {"charts": CHARTS},
    "rulings.yaml": {"rulings": RULINGS, "options": OPTIONS},
    "assumptions.yaml": {"assumptions": ASSUMPTIONS},
    "sources.yaml": {"sources": CITATIONS},
    "events.yaml": {"areas": AREAS},
}
BESIDE: Final[dict[str, dict[str, Kind]]] = {
    "map.yaml": {"sea": texts(anything), "borders": texts(texts())},
    "types.yaml": {"zoc_sizes": texts(_SIZE), "support_sizes": texts(_SIZE)},
    "sources.yaml": {"air_ratings": texts()},
    "events.yaml": {"events": anything},
}
"""What the files hold beside lists of records. A map that an overlay cut a line of has a list of these, too."""
OPTIONAL: Final = ("cut", "made_from", "air_ratings")


def check_shapes(files: PackFiles, faults: Faults) -> None:
    """All records of all files but the scenarios against their shapes."""
    head = files.files["pack.yaml"]
    check_record(faults, head, PACK)
    first = [row for row in records(head.get("sides")) if row.get("first") == "yes"]
    if len(first) != 1:
        told = f"{len(first)} sides are first: yes; one side moves first (WD 4), correct it"
        faults.add_at(head, "sides", "sides", told)
    for file, lists in FILES.items():
        beside, top = BESIDE.get(file, {}), files.files[file]
        check_keys(faults, files, file, (*lists, *beside, *OPTIONAL))
        for key, kind in beside.items():
            if key in top:
                kind(faults, top, key, top[key])
            elif key not in OPTIONAL:
                faults.at(file, 1, "missing", f"the file has no {key}; put the list back")
        for key, shape in lists.items():
            check_rows(faults, top, key, shape)
    check_rows(faults, files.files["events.yaml"], "events", lambda row: EVENTS.get(str(row.get("kind"))))
    check_chart_rows(files, faults)


__all__ = ["NOTES", "OWNERS", "PLAYER", "SIDE", "SOURCED", "check_shapes", "either", "turn"]

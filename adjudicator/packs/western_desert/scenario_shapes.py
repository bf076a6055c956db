"""The shape of a scenario file of Western Desert and of the records in its lists."""

from __future__ import annotations

from typing import Final

from adjudicator.packs.faults import Faults
from adjudicator.packs.reading import Record
from adjudicator.packs.shape import Kind, Shape, check_record, listed, record, slug, source, text, texts, whole, word
from adjudicator.packs.western_desert.check_scenarios import BOXES, VICTORY
from adjudicator.packs.western_desert.shapes import NOTES, OWNERS, PLAYER, SIDE, SOURCED, turn

FLAG: Final = word("yes", "no")
PLACED: Final[dict[str, Kind]] = {"place": text, "hex_source": source, **NOTES}
LISTS: Final[dict[str, Shape]] = {
    "smp": Shape({"side": PLAYER, "points": whole(0, 200), **SOURCED}, NOTES),
    "supply": Shape(
        {"id": slug, "name": text, "short": text, "side": PLAYER, "hex": text, "steps": whole(1, 2), **SOURCED},
        PLACED,
    ),
    "fortresses": Shape({"hex": text, "state": word("improved", "unimproved"), **SOURCED}, PLACED),
    "airfields": Shape({"hex": text, "side": SIDE, **SOURCED}, PLACED),
    "deploy": Shape({"unit": text, "hex": text, **SOURCED}, PLACED),
    "air_deploy": Shape({"unit": text, "hex": text, **SOURCED}, PLACED),
    "boxes": Shape({"unit": text, "box": word(*BOXES), **SOURCED}, {"of": text, "hex_source": source, **NOTES}),
    "special_rules": Shape({"id": word("surprise", "disarray"), "rule": text, "text": text, **SOURCED}),
    "control_start": Shape(
        {"side": OWNERS, **SOURCED}, {"country": text, "from_column": whole(1, 51), "hexes": texts(), **NOTES}
    ),
}
_VICTORY: Final[dict[str, Kind]] = {"rule": text, "kind": word(*VICTORY), **SOURCED}
VICTORY_SHAPES: Final[dict[str, Shape]] = {
    "automatic": Shape(_VICTORY, NOTES),
    "period": Shape(
        {**_VICTORY, "from": turn, "to": turn}, {"axis_at_end": FLAG, "cyrenaica_at_end": FLAG, "text": text, **NOTES}
    ),
    "events": Shape(_VICTORY, {"text": text, **NOTES}),
    "final": Shape(_VICTORY, {"since_start": FLAG, "text": text, **NOTES}),
    "levels": Shape(_VICTORY, {"text": text, **NOTES}),
    "award": Shape(
        {**_VICTORY, "side": PLAYER, "points": whole(1, 99), "for": text},
        {"nat": text, "size": text, "country": text, "east_of_column": whole(1, 51), **NOTES},
    ),
}
_RAILHEAD: Final = Shape({"hex": text, **SOURCED}, PLACED)
_HEAD: Final[dict[str, Kind]] = {
    **dict.fromkeys(("id", "title", "start", "end", "first"), text),
    "victory": texts(lambda faults, row, key, value: None),
}
_SET_UP: Final[dict[str, Kind]] = {
    "malta_status": text,
    "control_rule": word("wd-30", "listed"),
    **{key: listed(LISTS[key]) for key in ("smp", "supply", "fortresses", "airfields", "deploy", "air_deploy")},
}
_MAY: Final[dict[str, Kind]] = {
    "about": text,
    "setup": text,
    "opening": word("surprise"),
    "turns": texts(),
    "control_countries": texts(),
    "control_start": listed(LISTS["control_start"]),
    "railhead": record(_RAILHEAD),
    "attack_force": texts(),
    "boxes": listed(LISTS["boxes"]),
    "setup_areas": texts(),
    "levant": text,
    "levant_invaded": turn,
    "levant_gained": turn,
    "special_rules": listed(LISTS["special_rules"]),
    "events_done": record(Shape({"allied": text, "axis": text})),
    "needs": texts(word("control", "boxes", "levant")),
}


def check_scenario_shape(scenario: Record, faults: Faults) -> None:
    """One scenario file against its shape; one that takes the set-up of another needs none of its own."""
    if "setup" in scenario:
        check_record(faults, scenario, Shape(_HEAD, {**_SET_UP, **_MAY}))
    else:
        check_record(faults, scenario, Shape({**_HEAD, **_SET_UP}, _MAY))
    rows = scenario.get("victory")
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, Record):
            check_record(
                faults, row, VICTORY_SHAPES.get(str(row.get("kind")), Shape({"kind": word(*VICTORY)}, row_keys(row)))
            )


def row_keys(row: Record) -> dict[str, Kind]:
    """Any key of a record, for one whose kind is not known."""
    return dict.fromkeys(row, lambda faults, row, key, value: None)

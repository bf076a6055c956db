"""Compiles the order of battle: the dated events in the order they happen, and the areas where arrivals come in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, plain, records
from adjudicator.packs.western_desert.board import canonical, slug
from adjudicator.packs.western_desert.turns import LAST, turn_number

Tree = dict[str, Any]

KINDS: Final = (
    "return",
    "withdraw",
    "supply_withdraw",
    "reinforce",
    "supply",
    "convert",
    "special",
    "component",
    "assemble",
    "replacement",
    "smp",
    "malta_repair",
)
"""What can happen, in the order of a turn: what comes back from Greece, withdrawals, then the rest (ruling
INITIAL-ORDER)."""
_SIDES: Final = ("allied", "axis")


def compile_events(files: PackFiles, tree: Tree) -> Tree:
    """The keys ``areas`` and ``events`` of the compiled tree.

    Events stand in the order of turns; those that count from another event come last. Of an area, ``ground`` lists the
    hexes where ground units and supplies may come in.
    """
    areas = [_area(row, files, tree) for row in records(files.rows("events.yaml", "areas"))]
    events = [plain(row) for row in records(files.rows("events.yaml", "events"))]
    return {"areas": areas, "events": sorted(events, key=event_order)}


def event_order(row: Mapping[str, Any]) -> tuple[int, int, int, str]:
    """Sorts events by turn, side, kind and id."""
    kind, side = str(row.get("kind")), str(row.get("side"))
    return (
        turn_number(row.get("turn")) or LAST + 1,
        _SIDES.index(side) if side in _SIDES else len(_SIDES),
        KINDS.index(kind) if kind in KINDS else len(KINDS),
        str(row.get("id")),
    )


def _area(row: Record, files: PackFiles, tree: Tree) -> Tree:
    compiled: Tree = plain(row)
    if "by" in row:
        compiled["ground"] = arrival_hexes(row, files, tree)
    return compiled


def arrival_hexes(row: Record, files: PackFiles, tree: Tree) -> list[str]:
    """The hexes of an area, by its ports, cities, countries or map edge; only land that units may enter."""
    closed = {str(t["terrain"]) for t in tree["charts"].get("terrain", []) if t.get("closed") == "yes"}
    land = [h for h in tree["hexes"] if h["terrain"] not in closed]
    found = {str(h["hex"]) for h in land if _fits(row, h)} | _named(row, tree)
    listed = {files.grid.canonical(str(text)) for text in row.get("hexes", [])}
    found |= {str(h["hex"]) for h in land if h["hex"] in listed}
    edge = row.get("edge")
    if isinstance(edge, Record):
        found |= _edge(edge, files) & {str(h["hex"]) for h in land}
    return sorted(found)


def _fits(row: Record, hex_: Tree) -> bool:
    where = {hex_["country"], *hex_["regions"]}
    if where & set(row.get("cities", [])) and hex_["cities"]:
        return True
    return bool(where & {*row.get("countries", []), *row.get("ports_of", [])} and "port" in hex_)


def _named(row: Record, tree: Tree) -> set[str]:
    wanted = {slug(str(name)) for name in row.get("ports", [])}
    return {str(place["hex"]) for place in tree["places"] if place["slug"] in wanted}


def _edge(edge: Record, files: PackFiles) -> set[str]:
    """The hexes on the east or south edge of a sheet."""
    sheet = int(str(edge["sheet"])) if str(edge.get("sheet", "")).isdigit() else 0
    size = files.grid.size(sheet)
    if size is None:
        return set()
    columns, rows = size
    if edge.get("side") == "east":
        places = [(columns, row) for row in range(1, rows + 1)]
    else:
        places = [(column, rows) for column in range(1, columns + 1)]
    return {canonical(files.grid, f"{sheet:02d}/{column:02d}{row:02d}") for column, row in places}

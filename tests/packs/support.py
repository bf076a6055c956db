"""The compiled pack and the known facts, read once for all tests of the packs."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from adjudicator.packs import Pack, load_pack
from adjudicator.packs.western_desert.hexes import Grid, Overlap

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "module" / "western-desert"


@cache
def facts() -> dict[str, Any]:
    """What is known of the printed game (facts.yaml); every scalar is its text."""
    text = (Path(__file__).parent / "facts.yaml").read_text(encoding="utf-8")
    data: dict[str, Any] = yaml.load(text, Loader=yaml.BaseLoader)
    return data


@cache
def pack() -> Pack:
    """The compiled pack of Western Desert."""
    return load_pack("western-desert")


@cache
def grid() -> Grid:
    """The grid of both sheets."""
    sizes = tuple((int(s["sheet"]), int(s["columns"]), int(s["rows"])) for s in pack().rows("sheets"))
    lap = pack().tree["overlap"]
    keys = ("sheet", "column", "is_sheet", "is_column", "row_offset")
    return Grid(sizes, Overlap(*(int(lap[key]) for key in keys)))


@cache
def hexes() -> dict[str, dict[str, Any]]:
    """Land hexes by name."""
    return {row["hex"]: row for row in pack().rows("hexes")}


@cache
def sides() -> dict[frozenset[str], dict[str, Any]]:
    """Hexsides by their two hexes."""
    return {frozenset((row["a"], row["b"])): row for row in pack().rows("sides")}


@cache
def links(kind: str) -> dict[str, set[str]]:
    """Hexes joined by a line: ``rail``, or ``road`` for anything that serves as a road (WD 7)."""
    found: dict[str, set[str]] = {}
    for row in pack().rows("lines"):
        if kind == "road" or row["kind"] == kind:
            found.setdefault(row["a"], set()).add(row["b"])
            found.setdefault(row["b"], set()).add(row["a"])
    return found


def distance_by(kind: str, start: str, goal: str) -> int | None:
    """Hexes to go along lines of a kind from one hex to another."""
    seen, ring, steps = {start}, [start], 0
    while ring:
        if goal in ring:
            return steps
        ring = sorted({n for name in ring for n in links(kind).get(name, set()) if n not in seen})
        seen.update(ring)
        steps += 1
    return None


def distance(start: str, goal: str) -> int:
    """Hexes from one hex to another over land and sea."""
    seen, ring, steps = {start}, [start], 0
    while goal not in ring:
        ring = sorted({n for name in ring for n in grid().neighbours(name) if n not in seen})
        seen.update(ring)
        steps += 1
    return steps


def figures(row: dict[str, Any]) -> str:
    """The figures of a counter as the rulebook writes them: 2-10 or 3-2-10."""
    same = row["attack"] == row["defense"]
    return "-".join([row["attack"]] + ([] if same else [row["defense"]]) + [row["movement"]])

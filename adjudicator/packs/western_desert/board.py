"""Compiles the map of a pack: hexes, sea, hexsides, borders, transportation lines and places."""

from __future__ import annotations

import re
import unicodedata
from typing import Any, Final

from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, plain, records
from adjudicator.packs.western_desert.hexes import Grid

Tree = dict[str, Any]

KINDS: Final = {"impassable_escarpment": "impassable"}
"""Hexside kinds that the geography calls otherwise than the rules."""


def compile_map(files: PackFiles) -> Tree:
    """The keys ``hexes, sea, sides, borders, lines, unbuilt, places`` of the compiled tree.

    A railroad is a road, too (WD 7): where both run, the segment is listed once, as rail.
    """
    data, grid = files.files["map.yaml"], files.grid
    places = _places(data, grid)
    return {
        "hexes": sorted((_hex(row, grid) for row in records(data.get("hexes"))), key=_by_hex),
        "sea": sorted(_hex_list(data.get("sea"), grid)),
        "sides": sorted((_side(row, grid) for row in records(data.get("hexsides"))), key=_by_pair),
        "borders": sorted(_borders(data, grid), key=_by_pair),
        "lines": _lines(data, grid),
        "unbuilt": [_unbuilt(row, grid) for row in records(data.get("unbuilt_railroads"))],
        "places": sorted(places, key=lambda place: str(place["slug"])),
    }


def slug(text: str) -> str:
    """The slug of a name (PROTOCOL 3.1): ``Tripoli (Lebanon)`` is ``tripoli-lebanon``."""
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[^a-z0-9]+", "-", ascii_text.lower()).strip("-")


def canonical(grid: Grid, text: Any) -> str:
    """The canonical name of a hex; a text that is no hex is left as it is, for the checker to find."""
    return grid.canonical(str(text)) or str(text)


def pair(grid: Grid, one: Any, other: Any) -> tuple[str, str]:
    """The two hexes of a hexside, canonical and in order."""
    first, second = sorted((canonical(grid, one), canonical(grid, other)))
    return first, second


def _hex(row: Record, grid: Grid) -> Tree:
    cities = [plain(city) for city in row.get("cities", [])]
    full = any(city.get("class") == "full" for city in cities)
    compiled: Tree = {
        "hex": canonical(grid, row["hex"]),
        "terrain": "full_city" if full else row.get("terrain", ""),
        "country": row.get("country", ""),
        "regions": plain(row.get("region", [])),
        "control": row.get("control", ""),
        "cities": cities,
        "places": plain(row.get("places", [])),
        "source": row.get("source", ""),
        "confidence": row.get("confidence", ""),
    }
    if full:
        compiled["ground"] = row.get("terrain", "")
    for key in ("coast", "fortress"):
        if row.get(key) == "true":
            compiled[key] = "yes"
    compiled.update({key: row[key] for key in ("port", "terminal", "of") if key in row})
    return compiled


def _hex_list(value: Any, grid: Grid) -> list[str]:
    if isinstance(value, list):
        return [name for item in value for name in _hex_list(item, grid)]
    return [canonical(grid, value)] if value else []


def _side(row: Record, grid: Grid) -> Tree:
    a, b = pair(grid, row["a"], row["b"])
    compiled: Tree = {"a": a, "b": b, "kind": KINDS.get(row["kind"], row["kind"]), "of": row.get("of", "")}
    if "low" in row:
        compiled["low"] = canonical(grid, row["low"])
    compiled.update({key: row[key] for key in ("source", "confidence") if key in row})
    return compiled


def _borders(data: Record, grid: Grid) -> list[Tree]:
    found = []
    for row in data.get("borders", []):
        if isinstance(row, list) and len(row) == 2:
            a, b = pair(grid, row[0], row[1])
            found.append({"a": a, "b": b})
    return found


def _lines(data: Record, grid: Grid) -> list[Tree]:
    segments: dict[tuple[str, str], Tree] = {}
    for kind, key in (("rail", "railroads"), ("road", "roads")):
        for row in records(data.get(key)):
            a, b = pair(grid, row["a"], row["b"])
            names = [str(name) for name in row.get("of", [])]
            known = segments.setdefault((a, b), {"kind": kind, "a": a, "b": b, "name": "", "source": ""})
            known["name"] = "; ".join(filter(None, [known["name"], *names]))
            known["source"] = known["source"] or row.get("source", "")
    return [segments[key] for key in sorted(segments)]


def _unbuilt(row: Record, grid: Grid) -> Tree:
    compiled: Tree = {key: plain(value) for key, value in row.items()}
    compiled["slug"] = slug(row["name"])
    compiled["path"] = [canonical(grid, name) for name in row.get("path", [])]
    return compiled


def _places(data: Record, grid: Grid) -> list[Tree]:
    rows = list(records(data.get("places")))
    return [_place(row, grid, {str(other["name"]) for other in rows}) for row in rows]


def _place(row: Record, grid: Grid, names: set[str]) -> Tree:
    name = str(row["name"])
    compiled: Tree = {
        "name": name,
        "slug": slug(name),
        "hex": canonical(grid, row["hex"]),
        "class": row.get("class", ""),
        "country": row.get("country", ""),
        "aliases": [*_country_forms(name, row, names), *plain(row.get("aliases", []))],
        "source": row.get("source", ""),
        "confidence": row.get("confidence", ""),
    }
    if "port" in row:
        compiled["port"] = row["port"]
    return compiled


def _country_forms(name: str, row: Record, names: set[str]) -> list[str]:
    """Two places of one name are told apart by their country (WD 3.C): the bare name is the Libyan one.

    WD 3.C.tripoli.
    """
    bare = re.fullmatch(r"(.+) \((.+)\)", name)
    if bare:
        return [f"{bare.group(1)}, {bare.group(2)}"]
    if any(other.startswith(f"{name} (") for other in names):
        country = row.get("country", "")
        return [f"{name}, {country}", f"{name} ({country})"]
    return []


def _by_hex(row: Tree) -> str:
    return str(row["hex"])


def _by_pair(row: Tree) -> tuple[str, str, str]:
    return str(row["a"]), str(row["b"]), str(row.get("kind", ""))

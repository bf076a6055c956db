"""Compiles scenarios: set-up, and who controls which hex at the start."""

from __future__ import annotations

from typing import Any

from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, plain
from adjudicator.packs.western_desert.board import canonical
from adjudicator.packs.western_desert.hexes import Grid

Tree = dict[str, Any]

_WITH_HEX = ("deploy", "air_deploy", "supply", "fortresses", "airfields")


def compile_scenarios(files: PackFiles, tree: Tree) -> list[Tree]:
    """The scenarios of a pack, hexes by their canonical names, with the hexes whose control the set-up changes."""
    return [_scenario(row, files.grid, tree) for row in files.scenarios]


def _scenario(row: Record, grid: Grid, tree: Tree) -> Tree:
    compiled: Tree = plain(row)
    for key in _WITH_HEX:
        for entry in compiled.get(key, []):
            entry["hex"] = canonical(grid, entry.get("hex", ""))
    if isinstance(compiled.get("railhead"), dict):
        compiled["railhead"]["hex"] = canonical(grid, compiled["railhead"].get("hex", ""))
    if row.get("control_rule") == "wd-30":
        compiled["control"] = _control(compiled, grid, tree)
    return compiled


def _control(scenario: Tree, grid: Grid, tree: Tree) -> list[Tree]:
    """Hexes of the named countries that Italian units occupy or have in their zone of control (WD 30, 5)."""
    land = {str(row["hex"]): row for row in tree["hexes"]}
    counters = {str(row["id"]): row for row in tree["counters"]}
    shut = {(str(s["a"]), str(s["b"])) for s in tree["sides"] if s["kind"] in prohibited_sides(tree)}
    held: set[str] = set()
    for entry in scenario.get("deploy", []):
        unit = counters.get(str(entry.get("unit")), {})
        if unit.get("side") == "axis" and unit.get("size") != "none":
            held.add(str(entry["hex"]))
        if unit.get("side") == "axis" and unit.get("caps", {}).get("zoc") == "yes":
            held.update(_zone(str(entry["hex"]), grid, land, shut, tree))
    countries = scenario.get("control_countries", [])
    return [
        {"hex": name, "side": "axis", "source": "rulebook"}
        for name in sorted(held)
        if name in land and land[name]["country"] in countries and land[name]["control"] != "axis"
    ]


def _zone(name: str, grid: Grid, land: dict[str, Tree], shut: set[tuple[str, str]], tree: Tree) -> list[str]:
    """The hexes of a zone of control: around the unit, not into or over what it may not enter or cross (WD 5)."""
    if grid.parse(name) is None:
        return []
    closed = prohibited_terrain(tree)
    return [
        other
        for other in grid.neighbours(name)
        if other in land and land[other]["terrain"] not in closed and (min(name, other), max(name, other)) not in shut
    ]


def prohibited_terrain(tree: Tree) -> set[str]:
    """Terrain that no unit may enter, by the terrain chart (WD 6)."""
    return {str(row["terrain"]) for row in tree["charts"].get("terrain", []) if row.get("closed") == "yes"}


def prohibited_sides(tree: Tree) -> set[str]:
    """Hexside kinds that no unit may cross, by the terrain chart (WD 6)."""
    return {str(row["kind"]) for row in tree["charts"].get("hexsides", []) if row.get("closed") == "yes"}

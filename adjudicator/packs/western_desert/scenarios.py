"""Compiles scenarios: set-up, and who controls which hex at the start."""

from __future__ import annotations

from typing import Any, Final

from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, plain
from adjudicator.packs.western_desert.board import canonical
from adjudicator.packs.western_desert.hexes import Grid
from adjudicator.packs.western_desert.turns import turns_between

Tree = dict[str, Any]

_WITH_HEX = ("deploy", "air_deploy", "supply", "fortresses", "airfields")
PLAYERS: Final = ("allied", "axis")
SET_UP: Final = (
    "opening",
    "malta_status",
    "control_rule",
    "control_countries",
    "control_start",
    "smp",
    "supply",
    "fortresses",
    "airfields",
    "railhead",
    "attack_force",
    "deploy",
    "air_deploy",
    "boxes",
    "setup_areas",
    "levant",
    "levant_invaded",
    "levant_gained",
    "special_rules",
)
"""What a scenario takes from the one that its ``setup`` names."""


def compile_scenarios(files: PackFiles, tree: Tree) -> list[Tree]:
    """The scenarios of a pack, hexes by their canonical names, with the hexes whose control the set-up changes."""
    known = {str(row.get("id")): row for row in files.scenarios}
    return [_scenario(with_set_up(row, known), files.grid, tree) for row in files.scenarios]


def with_set_up(row: Record, known: dict[str, Record]) -> Tree:
    """A scenario with the set-up of the one that it names, where it has none of its own."""
    compiled: Tree = plain(row)
    other = known.get(str(compiled.pop("setup", "")))
    if other is not None:
        compiled.update({key: plain(other[key]) for key in SET_UP if key in other and key not in compiled})
    return compiled


def _scenario(compiled: Tree, grid: Grid, tree: Tree) -> Tree:
    for key in _WITH_HEX:
        for entry in compiled.get(key, []):
            entry["hex"] = canonical(grid, entry.get("hex", ""))
    if isinstance(compiled.get("railhead"), dict):
        compiled["railhead"]["hex"] = canonical(grid, compiled["railhead"].get("hex", ""))
    compiled.setdefault("turns", turns_between(compiled.get("start"), compiled.get("end")))
    if compiled.get("control_rule") == "wd-30":
        compiled["control"] = _control(compiled, grid, tree)
    elif "control_start" in compiled:
        compiled["control"] = _listed(compiled, grid, tree)
    return compiled


def _control(scenario: Tree, grid: Grid, tree: Tree) -> list[Tree]:
    """Hexes of the named countries that Italian units occupy or have in their zone of control (WD 30, 5)."""
    land = {str(row["hex"]): row for row in tree["hexes"]}
    counters = {str(row["id"]): row for row in tree["counters"]}
    held = {name for name, sides in _zones(scenario, counters, grid, tree).items() if "axis" in sides}
    for entry in scenario.get("deploy", []):
        unit = counters.get(str(entry.get("unit")), {})
        if unit.get("side") == "axis" and unit.get("size") != "none":
            held.add(str(entry["hex"]))
    countries = scenario.get("control_countries", [])
    return [
        {"hex": name, "side": "axis", "source": "rulebook"}
        for name in sorted(held)
        if name in land and land[name]["country"] in countries and land[name]["control"] != "axis"
    ]


def _listed(scenario: Tree, grid: Grid, tree: Tree) -> list[Tree]:
    """Hexes that are another's than the map says, by the entries of ``control_start`` (a later one outdoes an earlier
    one), then by uncontested zones of control, then by who stands there (WD 3.G)."""
    holder = {str(row["hex"]): (str(row["control"]), "") for row in tree["hexes"]}
    for entry in scenario["control_start"]:
        if not isinstance(entry, dict):
            continue
        named = {canonical(grid, text) for text in entry.get("hexes", [])}
        for row in tree["hexes"]:
            if str(row["hex"]) in named or ("country" in entry and _inside(row, entry, grid)):
                holder[str(row["hex"])] = (str(entry.get("side", "")), str(entry.get("source", "")))
    counters = {str(row["id"]): row for row in tree["counters"]}
    for name, sides in _zones(scenario, counters, grid, tree).items():
        if len(sides) == 1 and holder[name][0] not in sides and holder[name][0] in PLAYERS:
            holder[name] = (min(sides), "rulebook")
    for entry in scenario.get("deploy", []):
        side = counters.get(str(entry.get("unit")), {}).get("side", "")
        if str(entry["hex"]) in holder and holder[str(entry["hex"])][0] != side:
            holder[str(entry["hex"])] = (side, str(entry.get("source", "")))
    return [
        {"hex": str(row["hex"]), "side": holder[str(row["hex"])][0], "source": holder[str(row["hex"])][1]}
        for row in tree["hexes"]
        if holder[str(row["hex"])][0] != row["control"]
    ]


def _zones(scenario: Tree, counters: dict[str, Tree], grid: Grid, tree: Tree) -> dict[str, set[str]]:
    """Hexes in a zone of control, with the sides of the units that exert one into them (WD 5)."""
    land = {str(row["hex"]): row for row in tree["hexes"]}
    shut = {(str(s["a"]), str(s["b"])) for s in tree["sides"] if s["kind"] in prohibited_sides(tree)}
    zones: dict[str, set[str]] = {}
    for entry in scenario.get("deploy", []):
        unit = counters.get(str(entry.get("unit")), {})
        if unit.get("side") in PLAYERS and unit.get("caps", {}).get("zoc") == "yes":
            for name in _zone(str(entry["hex"]), grid, land, shut, tree):
                zones.setdefault(name, set()).add(str(unit["side"]))
    return zones


def _inside(row: Tree, entry: Tree, grid: Grid) -> bool:
    """Whether a hex lies in the country of an entry, and from its column of map 18 on eastwards."""
    if row["country"] != entry["country"]:
        return False
    place, from_column = grid.parse(str(row["hex"])), str(entry.get("from_column", "0"))
    first = grid.sizes[0][0]
    return place is not None and (place[0] != first or place[1] >= int(from_column if from_column.isdigit() else 0))


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

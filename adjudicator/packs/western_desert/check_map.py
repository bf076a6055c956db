"""Checks the map of a pack: every hex once, hexsides with both their hexes, lines without gaps."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from adjudicator.packs.faults import Faults
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, records
from adjudicator.packs.western_desert.board import canonical, slug

CONTROL: Final = ("axis", "allied", "vichy", "neutral")
CITIES: Final = ("full", "dot", "ref")
PORTS: Final = ("major", "standard", "minor")
CANAL: Final = ("Port Said", "Suez")
SIDED: Final = ("escarpment", "impassable_escarpment")
SOURCED: Final = ("hexes", "places", "hexsides", "railroads", "roads", "unbuilt_railroads")

Pair = tuple[str, str]


class MapCheck:
    """All checks of map.yaml; ``run`` adds what it finds to the faults.

    Lines that an overlay took a piece out of are listed under ``cut``; they need not hang together.
    """

    def __init__(self, files: PackFiles, faults: Faults) -> None:
        self.grid, self.faults = files.grid, faults
        self.data = files.files["map.yaml"]
        self.closed = _closed(files, "terrain", "terrain")
        self.shut_kinds = {"impassable_escarpment", *_closed(files, "hexsides", "kind")}
        self.terrains = tuple(_column(files, "terrain", "terrain"))
        self.kinds = ("impassable_escarpment", *_column(files, "hexsides", "kind"))
        self.land: dict[str, Record] = {}
        self.sea: set[str] = set()
        self.sides: dict[Pair, Record] = {}

    def run(self) -> None:
        """Check everything, in an order in which later checks may build on earlier ones."""
        self._hexes()
        self._sea()
        self._whole()
        self._sides()
        self._borders()
        self._coast()
        self._places()
        self._canal()
        for key in ("railroads", "roads"):
            self._lines(key)
        self._unbuilt()
        for key in SOURCED:
            for row in records(self.data.get(key)):
                self.faults.source(row)

    def shut(self, one: str, other: str) -> bool:
        """Whether the hexside between two hexes may not be crossed."""
        side = self.sides.get((min(one, other), max(one, other)))
        return side is not None and side.get("kind") in self.shut_kinds

    def passable(self, name: str) -> bool:
        """Whether units may stand in a hex."""
        return name in self.land and self.land[name].get("terrain") not in self.closed

    def _hex(self, row: Record, value: Any) -> str | None:
        found = self.grid.canonical(str(value))
        if found is None:
            self.faults.add(row, "hex", f"{value} is no hex of these sheets; correct it (SHEET/CCRR)")
        return found

    def _hexes(self) -> None:
        for row in records(self.data.get("hexes")):
            if not self.faults.need(row, ("hex", "terrain", "country", "control")):
                continue
            name = self._hex(row, row["hex"])
            if name is None or not self.faults.unique(self.land, name, row, "hex"):
                continue
            self.faults.one_of(row, "terrain", self.terrains)
            self.faults.one_of(row, "control", CONTROL)
            self.faults.one_of(row, "port", PORTS)
            for city in records(row.get("cities")):
                self.faults.one_of(city, "class", CITIES)
            if row["country"] == "Libya" and not row.get("region"):
                self.faults.add(row, "region", f"{name} is in Libya but in no region; add its region")

    def _sea(self) -> None:
        rows = self.data.get("sea", [])
        for index, value in enumerate(rows if isinstance(rows, list) else []):
            for text in value if isinstance(value, list) else [value]:
                name, line = self.grid.canonical(str(text)), rows.lines[index]
                if name is None:
                    self.faults.at("map.yaml", line, "hex", f"{text} is no hex of these sheets; correct it")
                elif name in self.land or name in self.sea:
                    self.faults.at("map.yaml", line, "twice", f"{name} stands in the map twice; keep one")
                else:
                    self.sea.add(name)

    def _whole(self) -> None:
        rows = self.data.get("hexes")
        line = rows.line if isinstance(rows, list) and hasattr(rows, "line") else 1
        for name in self.grid.all_hexes():
            if name not in self.land and name not in self.sea:
                self.faults.at("map.yaml", line, "gap", f"{name} is neither land nor sea; add it to one list")

    def _pair(self, row: Record) -> Pair | None:
        """The two land hexes of a hexside or segment, in order."""
        if not self.faults.need(row, ("a", "b")):
            return None
        one, other = self._hex(row, row["a"]), self._hex(row, row["b"])
        if one is None or other is None:
            return None
        if not self.grid.adjacent(one, other):
            self.faults.add(row, "apart", f"{one} and {other} do not touch; name two neighbours")
            return None
        for name in (one, other):
            if name not in self.land:
                self.faults.add(row, "sea", f"{name} is sea; a hexside or line needs land on both sides")
                return None
        return min(one, other), max(one, other)

    def _sides(self) -> None:
        for row in records(self.data.get("hexsides")):
            pair = self._pair(row)
            if pair is None or not self.faults.one_of(row, "kind", self.kinds):
                continue
            if pair in self.sides:
                first = self.sides[pair].line
                self.faults.add(row, "twice", f"hexside {pair[0]} to {pair[1]} stands in line {first}; keep one")
                continue
            self.sides[pair] = row
            low = row.get("low")
            if row["kind"] in SIDED and (low is None or canonical(self.grid, low) not in pair):
                text = f"the escarpment {pair[0]} to {pair[1]} has no lower side; add low, one of the two"
                self.faults.add(row, "low", text)

    def _borders(self) -> None:
        rows = self.data.get("borders", [])
        for index, value in enumerate(rows if isinstance(rows, list) else []):
            names = [canonical(self.grid, text) for text in value] if isinstance(value, list) else []
            line = rows.lines[index]
            if len(names) != 2 or not self.grid.adjacent(*names):
                self.faults.at("map.yaml", line, "apart", "a border needs two hexes that touch; correct it")
            elif any(name not in self.land for name in names):
                self.faults.at("map.yaml", line, "sea", "a border needs land on both sides; take it out")
            elif self.land[names[0]].get("country") == self.land[names[1]].get("country"):
                text = f"{names[0]} and {names[1]} are in one country; correct a hex or take the border out"
                self.faults.at("map.yaml", line, "border", text)

    def _coast(self) -> None:
        for name, row in self.land.items():
            around = self.grid.neighbours(name)
            wet = any(other in self.sea for other in around) or any(
                self._kind(name, other) == "sea" for other in around
            )
            if wet != (row.get("coast") == "true"):
                word = "lies on the sea but is no coast" if wet else "is called coast but touches no sea"
                self.faults.add(row, "coast", f"{name} {word}; correct coast")
            canal = any(self._kind(name, other) == "canal" for other in around)
            if "port" in row and not wet and not canal:
                self.faults.add(row, "port", f"the port {name} lies at no sea or canal; take it out")

    def _kind(self, one: str, other: str) -> str:
        side = self.sides.get((min(one, other), max(one, other)))
        return "" if side is None else str(side.get("kind"))

    def _places(self) -> None:
        seen: dict[str, Record] = {}
        listed = {
            str(item["name"] if isinstance(item, dict) else item): name
            for name, row in self.land.items()
            for item in [*row.get("cities", []), *row.get("places", [])]
        }
        for row in records(self.data.get("places")):
            if not self.faults.need(row, ("name", "hex", "class")):
                continue
            self.faults.unique(seen, slug(str(row["name"])), row, "place")
            name = self._hex(row, row["hex"])
            if name is not None and self._reachable(row, name) and listed.get(str(row["name"])) != name:
                self.faults.add(row, "place", f"{row['name']} is not listed in its hex {name}; list it there")

    def _canal(self) -> None:
        """The Suez Canal runs without a gap from Port Said to Suez (WD 3.C.suez-canal)."""
        ends = [row for row in records(self.data.get("places")) if row.get("name") in CANAL]
        left = {pair for pair, row in self.sides.items() if row.get("kind") == "canal"}
        reached = {canonical(self.grid, row["hex"]) for row in ends[:1]}
        while near := {pair for pair in left if reached & set(pair)}:
            left -= near
            reached.update(name for pair in near for name in pair)
        for row in ends:
            if canonical(self.grid, row["hex"]) not in reached or left:
                text = f"the canal does not run unbroken from {CANAL[0]} to {CANAL[1]}; complete its hexsides"
                self.faults.add(row, "canal", text)

    def _reachable(self, row: Record, name: str) -> bool:
        if not self.passable(name):
            self.faults.add(row, "reach", f"{row['name']} in {name} can't be entered by units; move it to other land")
            return False
        around = [other for other in self.grid.neighbours(name) if other in self.land]
        if around and not any(self.passable(o) and not self.shut(name, o) for o in around):
            self.faults.add(row, "reach", f"no land way leads to {row['name']} in {name}; open a hexside")
        return True

    def _lines(self, key: str) -> None:
        seen: dict[Pair, Record] = {}
        chains: dict[str, list[tuple[Pair, Record]]] = {}
        for row in records(self.data.get(key)):
            pair = self._pair(row)
            if pair is None or not self.faults.need(row, ("of",)):
                continue
            if seen.setdefault(pair, row) is not row:
                self.faults.add(row, "twice", f"the segment {pair[0]} to {pair[1]} stands twice; keep one")
            if self.shut(*pair) or not (self.passable(pair[0]) and self.passable(pair[1])):
                text = f"a line runs from {pair[0]} to {pair[1]}, where no unit may go; lead it another way"
                self.faults.add(row, "line", text)
            for name in row["of"]:
                chains.setdefault(str(name), []).append((pair, row))
        for name, chain in chains.items():
            if name not in self.data.get("cut", []):
                self._gap(name, chain)

    def _gap(self, name: str, chain: list[tuple[Pair, Record]]) -> None:
        """One line hangs together: every segment is joined to its first."""
        joined, rest = set(chain[0][0]), chain[1:]
        while True:
            more = [item for item in rest if joined & set(item[0])]
            if not more:
                break
            joined.update(hex_ for pair, _ in more for hex_ in pair)
            rest = [item for item in rest if item not in more]
        if rest:
            pair, row = rest[0]
            self.faults.add(row, "gap", f"{name} has a gap before {pair[0]} to {pair[1]}; add what is missing")

    def _unbuilt(self) -> None:
        for row in records(self.data.get("unbuilt_railroads")):
            path = [self._hex(row, text) for text in row.get("path", [])]
            for one, other in pairwise(path):
                if one is None or other is None:
                    continue
                if not self.grid.adjacent(one, other) or self.shut(one, other):
                    self.faults.add(row, "gap", f"{row['name']} can't go from {one} to {other}; correct its path")
                elif not (self.passable(one) and self.passable(other)):
                    self.faults.add(row, "sea", f"{row['name']} leaves the land at {one} or {other}; correct it")


def _column(files: PackFiles, chart: str, key: str) -> list[str]:
    for row in records(files.rows("charts.yaml", "charts")):
        if row.get("name") == chart:
            return [str(entry.get(key)) for entry in records(row.get("rows"))]
    return []


def _closed(files: PackFiles, chart: str, key: str) -> set[str]:
    for row in records(files.rows("charts.yaml", "charts")):
        if row.get("name") == chart:
            return {str(e.get(key)) for e in records(row.get("rows")) if e.get("closed") == "yes"}
    return set()

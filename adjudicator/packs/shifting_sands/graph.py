"""The map of a pack as a graph, and who is in supply in a set-up. Used by the checks only; the rules have their own.

What is traced here is the most a unit can hope for (SS 13.5): land to a source, or land to a port, one sea link and
land from the other port. Whether that is full or limited supply does not matter here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, records
from adjudicator.packs.shifting_sands.vocabulary import ALLIED, BRITISH, side_of

USERS: Final[Mapping[str, tuple[str, ...]]] = {
    "axis": ("GE", "IT"),
    "ge_it": ("GE", "IT"),
    "it": ("IT",),
    "vf": ("VF",),
    "ir": ("IR",),
    "eg": ("EG",),
    "allied": ALLIED,
    "british_group": BRITISH,
    "ff_br": ("FF_BR",),
}
"""The nations that a user of a supply source stands for; ``lrdg`` is one unit and no nation."""
LAND_ONLY: Final = ("VF", "IR", "EG")
NO_PORTS: Final = ("Mersa Matruh", "Benghazi")
"""Ports through which no supply is traced at a set-up (SS 13.54)."""
NOT_AXIS: Final = "Basra"
NO_AXIS_SHIPS: Final = "East Africa"
"""A region whose ports the Axis can't trace through (SS faq.rules.27)."""


@dataclass(slots=True)
class Graph:
    """Spaces and lines by name. Records that are broken are left out; other checks report them."""

    spaces: dict[str, Record] = field(default_factory=dict)
    regions: dict[str, Record] = field(default_factory=dict)
    lines: dict[str, dict[str, Record]] = field(default_factory=dict)

    def boxes(self) -> set[str]:
        """Spaces that are boxes and lie on no line."""
        return {name for name, row in self.spaces.items() if row.get("terrain") == "box"}

    def joined_to(self, start: str) -> set[str]:
        """All spaces that lines of any kind join to one, itself included."""
        seen, ring = {start}, [start]
        while ring:
            near = self.lines.get(ring.pop(), {})
            fresh = [name for name in near if name not in seen]
            seen.update(fresh)
            ring.extend(fresh)
        return seen


@dataclass(frozen=True, slots=True)
class Position:
    """Who controls what in a set-up, and the events that count as played."""

    graph: Graph
    control: Mapping[str, str]
    played: frozenset[str] = frozenset()
    year: str = "1940"

    def mine(self, name: str, side: str) -> bool:
        """Whether a side controls a space."""
        return self.control.get(name) == side

    def closed(self, name: str, side: str) -> bool:
        """Whether units of a side may not be in a space: its region is closed (SS 10.51, 10.432), or it is an oasis
        before the LRDG or the Deep Desert (SS 9.2)."""
        space = self.graph.spaces[name]
        if space.get("terrain") in ("oasis", "deep_desert", "box"):
            return True
        region = self.graph.regions.get(str(space.get("region")), Record("", 0, 0))
        until = list(records(region.get("closed_until")))
        return bool(until) and region.get("closed_to", side) == side and not all(map(self.holds, until))

    def holds(self, condition: Record) -> bool:
        """Whether a condition holds that asks for events, control or the year; others never do here."""
        if "any_of" in condition:
            return any(map(self.holds, records(condition["any_of"])))
        if "not" in condition:
            return not all(map(self.holds, records(condition["not"])))
        if "controls" in condition:
            wanted = condition["controls"]
            return isinstance(wanted, Record) and self.mine(str(wanted.get("space")), str(wanted.get("side")))
        if "year" in condition:
            return isinstance(condition["year"], list) and self.year in condition["year"]
        return str(condition.get("played")) in self.played

    def supplied(self, nation: str, start: str) -> bool:
        """Whether a unit of a nation in a space can trace supply."""
        side = side_of(nation)
        land = self._land(start, side)
        if any(self._serves(name, nation) for name in land):
            return True
        if nation in LAND_ONLY or not any(self._port(name, side) for name in land):
            return False
        far = [name for name in self.graph.spaces if self._port(name, side) and name not in land]
        return any(self._serves(there, nation) for name in far for there in self._land(name, side))

    def _land(self, start: str, side: str) -> set[str]:
        seen, ring = {start}, [start]
        while ring:
            here = ring.pop()
            for there, line in self.graph.lines.get(here, {}).items():
                if there not in seen and self._open(line, there, side):
                    seen.add(there)
                    ring.append(there)
        return seen

    def _open(self, line: Record, there: str, side: str) -> bool:
        only = line.get("only", "")
        free = only == "" or (only == "allied" and side == "allied")
        return free and self.mine(there, side) and not self.closed(there, side)

    def _serves(self, name: str, nation: str) -> bool:
        if not self.mine(name, side_of(nation)):
            return False
        sources = records(self.graph.spaces[name].get("sources"))
        return any(self._open_source(source, nation) for source in sources)

    def _open_source(self, source: Record, nation: str) -> bool:
        users = USERS.get(str(source.get("user")), ())
        return nation in users and all(map(self.holds, records(source.get("conditions"))))

    def _port(self, name: str, side: str) -> bool:
        if self.graph.spaces[name].get("port") != "yes" or not self.mine(name, side):
            return False
        if side == "axis" and (name == NOT_AXIS or self.graph.spaces[name].get("region") == NO_AXIS_SHIPS):
            return False
        return name not in NO_PORTS


def graph_of(files: PackFiles) -> Graph:
    """The graph of a pack."""
    graph = Graph()
    graph.spaces = _named(records(files.rows("map.yaml", "spaces")))
    graph.regions = _named(records(files.rows("map.yaml", "regions")))
    for row in records(files.rows("map.yaml", "links")):
        a, b = str(row.get("a")), str(row.get("b"))
        if a in graph.spaces and b in graph.spaces:
            graph.lines.setdefault(a, {})[b] = row
            graph.lines.setdefault(b, {})[a] = row
    return graph


def _named(rows: Iterable[Record]) -> dict[str, Record]:
    return {str(row["name"]): row for row in rows if "name" in row}

"""Checks the map of Shifting Sands: areas, regions, spaces, supply sources, lines."""

from __future__ import annotations

import re
from typing import Any, Final

from adjudicator.packs.faults import Faults, number
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, Rows, records
from adjudicator.packs.shifting_sands.graph import Graph
from adjudicator.packs.shifting_sands.vocabulary import SIDES, TERRAIN, USERS
from adjudicator.packs.shifting_sands.words import Words

BOX: Final = "box"
ONLY: Final = ("battlegroups", "lrdg", "allied")
FLAGS: Final = ("port", "vp", "west_of_tripoli")
LINK_FLAGS: Final = ("whole_move", "rd_stops")
SLUG: Final = re.compile(r"[a-z][a-z0-9-]{0,63}")
DEGREES: Final = re.compile(r"-?[0-9]{1,3}(\.[0-9]+)?")
RESERVED: Final = ("reserve", "replacement", "eliminated")


class BoardCheck:
    """All checks of map.yaml; ``run`` adds what it finds to the faults."""

    def __init__(self, files: PackFiles, graph: Graph, words: Words, faults: Faults) -> None:
        self.data, self.graph, self.words, self.faults = files.files["map.yaml"], graph, words, faults
        self.names: dict[str, Record] = {}
        self.areas: dict[str, Record] = {}
        self.regions: dict[str, Record] = {}

    def run(self) -> None:
        """Check everything."""
        for row in records(self.data.get("areas")):
            if self.faults.need(row, ("name", "inset")):
                self.faults.unique(self.areas, str(row["name"]), row, "area")
        self._regions()
        slugs: dict[str, Record] = {}
        for row in records(self.data.get("spaces")):
            self._space(row, slugs)
        self._links()
        self._whole()

    def _regions(self) -> None:
        for row in records(self.data.get("regions")):
            if not self.faults.need(row, ("name",)):
                continue
            self.faults.unique(self.regions, str(row["name"]), row, "region")
            self.faults.one_of(row, "closed_to", SIDES)
            self.faults.source(row)
            if "closed_until" in row:
                self.words.conditions(row, row["closed_until"])
                self.faults.need(row, ("rule",))
            elif "closed_to" in row:
                self.faults.add(row, "missing", f"{row['name']} is closed but not until when; add closed_until")

    def _space(self, row: Record, slugs: dict[str, Record]) -> None:
        keys = ("name", "slug", "area", "region", "terrain", "control", "lat", "lon")
        if not self.faults.need(row, keys):
            return
        self._identity(row, slugs)
        if str(row["area"]) not in self.areas:
            self.faults.add(row, "area", f"{row['name']} lies in area {row['area']}, which is not listed; add the area")
        if str(row["region"]) not in self.regions:
            text = f"{row['name']} lies in region {row['region']}, which is not listed; add the region"
            self.faults.add(row, "region", text)
        self.faults.one_of(row, "terrain", (*TERRAIN, BOX))
        self.faults.one_of(row, "control", SIDES)
        for key in FLAGS:
            self.faults.one_of(row, key, ("yes", "no"))
        self._degrees(row, "lat", 90)
        self._degrees(row, "lon", 180)
        self._sources(row)
        self._supply(row)

    def _identity(self, row: Record, slugs: dict[str, Record]) -> None:
        name = str(row["name"])
        if name in RESERVED or name.startswith("@"):
            self.faults.add(row, "name", f"{name} is what a set-up calls a box; rename the space")
        if not SLUG.fullmatch(str(row["slug"])):
            text = f"slug {row['slug']} is no slug; use small letters, digits and hyphens, a letter first"
            self.faults.add(row, "slug", text)
        self.faults.unique(slugs, str(row["slug"]), row, "slug")
        for word in (name, *aliases(self.faults, row)):
            self.faults.unique(self.names, word.lower(), row, "name")

    def _degrees(self, row: Record, key: str, most: int) -> None:
        if not DEGREES.fullmatch(str(row[key])) or abs(float(row[key])) > most:
            text = f"{key} {row[key]} is no number of degrees from -{most} to {most}; correct it"
            self.faults.add(row, "degrees", text)

    def _sources(self, row: Record) -> None:
        """Each part of a space says where it comes from; a fort and a port only where there is one."""
        self.faults.source(row)
        for key in ("terrain_source", "control_source"):
            part_source(self.faults, row, key, True)
        if "fort" in row and not number(row["fort"]):
            self.faults.add(row, "number", f"fort {row['fort']} is no whole number; correct it")
        part_source(self.faults, row, "fort_source", row.get("fort", "0") != "0")
        part_source(self.faults, row, "port_source", row.get("port") == "yes")

    def _supply(self, row: Record) -> None:
        seen: dict[str, Record] = {}
        for source in records(row.get("sources")):
            if self.faults.need(source, ("user", "rule")) and self.faults.one_of(source, "user", USERS):
                self.faults.unique(seen, str(source["user"]), source, "supply source of")
            self.words.conditions(source, source.get("conditions"))
        held_from = row.get("hold_from")
        if held_from is not None and held_from not in self.graph.lines.get(str(row["name"]), {}):
            self.faults.add(row, "apart", f"hold_from {held_from} is not joined to {row['name']}; name a neighbor")

    def _links(self) -> None:
        seen: dict[str, Record] = {}
        for row in records(self.data.get("links")):
            if not self.faults.need(row, ("a", "b")):
                continue
            a, b = sorted((str(row["a"]), str(row["b"])))
            if self._end(row, a) and self._end(row, b):
                self._link(row, a, b, seen)

    def _end(self, row: Record, name: str) -> bool:
        if name in self.graph.spaces:
            return True
        self.faults.add(row, "space", f"the line ends in {name}, which is no space; correct the name")
        return False

    def _link(self, row: Record, a: str, b: str, seen: dict[str, Record]) -> None:
        if a == b:
            self.faults.add(row, "apart", f"a line joins {a} to itself; name another space")
        self.faults.unique(seen, f"{a} - {b}", row, "line")
        self.faults.one_of(row, "only", ONLY)
        for key in LINK_FLAGS:
            self.faults.one_of(row, key, ("yes", "no"))
        if "attack_drm" in row and not number(row["attack_drm"]):
            self.faults.add(row, "number", f"attack_drm {row['attack_drm']} is no whole number; correct it")
        self.faults.source(row)
        boxes = {a, b} & self.graph.boxes()
        if boxes:
            self.faults.add(row, "box", f"{' and '.join(sorted(boxes))} is a box and lies on no line; take it out")
        elif row.get("only") != "lrdg" and any(self.graph.spaces[n].get("terrain") == "deep_desert" for n in (a, b)):
            text = f"only the LRDG enters the Deep Desert (SS 9.23); write only: lrdg for {a} - {b}"
            self.faults.add(row, "only", text)

    def _whole(self) -> None:
        """Every space that is no box can be reached from every other."""
        land = [name for name in self.graph.spaces if name not in self.graph.boxes()]
        reached = self.graph.joined_to(land[0]) if land else set()
        for name in land:
            if name not in reached:
                text = f"no chain of lines joins {name} to {land[0]}; add a line"
                self.faults.add(self.graph.spaces[name], "gap", text)


def part_source(faults: Faults, row: Record, key: str, wanted: bool) -> None:
    """A part of a record has a source of its own exactly when it is there."""
    value: Any = row.get(key, "")
    if wanted and value == "":
        faults.add(row, "source", f"the record has no {key}; add where that is known from")
    elif not wanted and value != "":
        faults.add(row, "source", f"the record has {key} but nothing it could speak of; take it out")
    elif wanted:
        faults.source_word(row, key)


def aliases(faults: Faults, row: Record) -> list[str]:
    """Other names of a record; a fault when they are no list."""
    if not isinstance(row.get("aliases", Rows("", 0)), Rows):
        faults.add(row, "list", "aliases must be a list; write them in brackets")
    return listed(row.get("aliases"))


def listed(value: Any) -> list[str]:
    """The texts of a list; empty for anything else."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, Rows) else []

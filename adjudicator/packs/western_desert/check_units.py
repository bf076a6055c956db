"""Checks types, counters, air units, charts, rulings and assumptions of a pack."""

from __future__ import annotations

import re
from typing import Final

from adjudicator.packs.check_notes import check_assumptions, check_options, check_rulings
from adjudicator.packs.faults import Faults, number
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, records

SIDES: Final = ("axis", "allied", "vichy")
NATIONS: Final = {
    "axis": ("german", "italian"),
    "allied": (
        "british",
        "indian",
        "australian",
        "new_zealand",
        "south_african",
        "free_french",
        "polish",
        "czech",
        "greek",
        "us",
    ),
    "vichy": ("vichy",),
}
"""Whose forces belong to which side (WD 3.B, 28.B.1, 28.C)."""
SIZES: Final = ("division", "brigade", "regiment", "battalion", "cadre", "headquarters", "none")
AIR_TYPES: Final = ("F", "NF", "A", "B", "D", "NB", "HB", "T", "GT")
CAPABILITY: Final = ("none", "neutral", "half", "full")
YES_NO: Final = ("yes", "no")
CONFIDENCE: Final = ("exact", "partly exact", "reported", "inferred")
FLAGS: Final = (
    "artillery",
    "heavy",
    "zoc",
    "gives_support",
    "cavalry",
    "airborne",
    "assault_engineer",
    "construction",
    "armored",
    "garrison",
)
COUNTERS: Final = 480
"""Counters in the box (WD 2.C)."""
_SLUG: Final = re.compile(r"[a-z][a-z0-9-]{0,63}")


class UnitCheck:
    """All checks of what a pack says beside its map and scenarios."""

    def __init__(self, files: PackFiles, faults: Faults) -> None:
        self.files, self.faults = files, faults
        self.types = {str(r.get("slug")): r for r in records(files.rows("types.yaml", "types"))}
        self.cites = {str(r.get("key")) for r in records(files.rows("sources.yaml", "sources"))}
        self.rulings = {str(r.get("id")) for r in records(files.rows("rulings.yaml", "rulings"))}
        self.ids: dict[str, Record] = {}
        self.names: dict[str, Record] = {}

    def run(self) -> None:
        """Check everything."""
        self._types()
        counters = list(records(self.files.rows("counters.yaml", "counters")))
        air = list(records(self.files.rows("air.yaml", "air")))
        for row in counters:
            self._counter(row)
        for row in air:
            self._air(row)
        self._aliases([*counters, *air])
        self._total(counters, air)
        self._charts()
        check_options(self.files, self.faults)
        check_rulings(self.files, self.faults)
        check_assumptions(self.files, self.faults)

    def _types(self) -> None:
        seen: dict[str, Record] = {}
        for row in records(self.files.rows("types.yaml", "types")):
            keys = ("slug", "name", "motorized", "aeca", "aecd", "atec", *FLAGS)
            if not self.faults.need(row, keys):
                continue
            self.faults.unique(seen, str(row["slug"]), row, "type")
            self.faults.one_of(row, "motorized", (*YES_NO, "symbol"))
            for key in ("aeca", "aecd", "atec"):
                self.faults.one_of(row, key, CAPABILITY)
            for key in FLAGS:
                self.faults.one_of(row, key, YES_NO)
            self.faults.source(row)

    def _identity(self, row: Record) -> bool:
        """Id, short name, side, nationality and source, which ground and air units share (WD 3.B, chart.colors)."""
        if not self.faults.need(row, ("id", "side", "nat", "name", "short", "confidence")):
            return False
        if not _SLUG.fullmatch(str(row["id"])):
            text = f"id {row['id']} is no slug; use small letters, digits and hyphens, a letter first"
            self.faults.add(row, "id", text)
        self.faults.unique(self.ids, str(row["id"]), row, "unit")
        self.faults.unique(self.names, str(row["short"]).lower(), row, "short name")
        if self.faults.one_of(row, "side", SIDES) and row["nat"] not in NATIONS[row["side"]]:
            nations = ", ".join(NATIONS[row["side"]])
            self.faults.add(row, "nation", f"{row['nat']} is no nation of side {row['side']}; use one of: {nations}")
        self.faults.one_of(row, "confidence", CONFIDENCE)
        self.faults.source(row)
        for cite in row.get("cites", []):
            if not any(known == cite or str(cite).startswith(f"{known}-") for known in self.cites):
                self._cite(row, str(cite))
        return True

    def _cite(self, row: Record, cite: str) -> None:
        stem = cite.split("-")[0].rstrip("0123456789")
        if not any(known.startswith(stem) for known in self.cites):
            self.faults.add(row, "cite", f"{cite} is no key of sources.yaml; add it there or correct it")

    def _counter(self, row: Record) -> None:
        keys = ("size", "type", "attack", "defense", "movement", "re", "supported", "replaceable")
        if not self._identity(row) or not self.faults.need(row, keys):
            return
        self.faults.one_of(row, "size", SIZES)
        self.faults.one_of(row, "supported", YES_NO)
        self._numbers(row, ("attack", "defense", "movement", "aa", "cadre", "cadre_movement"))
        if not (number(row["re"]) or row["re"] == "1/2"):
            self.faults.add(row, "number", f"re {row['re']} is neither a whole number nor 1/2; correct it")
        kind = self.types.get(str(row["type"]))
        if kind is None:
            self.faults.add(row, "type", f"type {row['type']} is not in types.yaml; add it or correct the unit")
            return
        small = row["size"] in ("regiment", "battalion")
        if kind.get("airborne") == "yes" and small and row["supported"] == "yes":
            text = "an airborne unit with the support mark has heavy equipment and could never be dropped"
            self.faults.add(row, "airborne", f"{text}; take the mark off (ruling AIRBORNE-HEAVY)")
        if "cadre" in row and row["size"] != "division":
            self.faults.add(row, "cadre", "only a division has a cadre on its back (WD 9.E); take it out")

    def _air(self, row: Record) -> None:
        keys = ("model", "type", "attack", "defense", "tactical", "strategic", "movement", "night")
        if not self._identity(row) or not self.faults.need(row, keys):
            return
        self.faults.one_of(row, "type", AIR_TYPES)
        self._numbers(row, ("attack", "defense", "tactical", "strategic", "movement"))
        if (row["night"] == "yes") != str(row["type"]).startswith("N"):
            self.faults.add(
                row, "night", f"night {row['night']} does not fit type {row['type']} (WD 24.E); correct one"
            )

    def _numbers(self, row: Record, keys: tuple[str, ...]) -> None:
        for key in keys:
            if key in row and not number(row[key]):
                self.faults.add(row, "number", f"{key} {row[key]} is no whole number; correct it")

    def _aliases(self, rows: list[Record]) -> None:
        """An alias that is another unit's short name could never be used."""
        for row in rows:
            for alias in row.get("aliases", []):
                owner = self.names.get(str(alias).lower())
                if owner is not None and owner is not row:
                    text = f"the alias {alias} is the short name of {owner.get('id')}; take it out"
                    self.faults.add(row, "alias", text)

    def _total(self, counters: list[Record], air: list[Record]) -> None:
        markers = list(records(self.files.rows("counters.yaml", "markers")))
        extra = sum(int(row["count"]) for row in markers if number(row.get("count")))
        total = len(counters) + len(air) + extra
        if total != COUNTERS:
            line = self.files.rows("counters.yaml", "markers").line
            text = f"units, air units and markers are {total}, the box holds {COUNTERS} (WD 2.C); mend the markers"
            self.faults.at("counters.yaml", line, "total", text)

    def _charts(self) -> None:
        seen: dict[str, Record] = {}
        for row in records(self.files.rows("charts.yaml", "charts")):
            if not self.faults.need(row, ("name", "title", "rule")):
                continue
            self.faults.unique(seen, str(row["name"]), row, "chart")
            self.faults.source(row)
            if "matrix" in row:
                self._matrix(row)
            elif not row.get("rows"):
                self.faults.add(row, "missing", f"the chart {row['name']} has no rows; add them")
            for entry in [*records(row.get("rows")), *records(row.get("cells"))]:
                if "ruling" in entry and entry["ruling"] not in self.rulings:
                    self.faults.add(entry, "ruling", f"{entry['ruling']} is no ruling; correct it")

    def _matrix(self, chart: Record) -> None:
        if not self.faults.need(chart, ("down", "across", "result", "columns", "values")):
            return
        width = len(chart["columns"]) + 1
        for index, line in enumerate(chart["matrix"]):
            place = chart["matrix"].lines[index]
            if len(line) != width:
                text = f"row {index + 1} of {chart['name']} has {len(line) - 1} cells for {width - 1} columns"
                self.faults.at("charts.yaml", place, "cells", f"{text}; add or take out")
            for cell in [str(cell) for cell in line[1:] if cell not in chart["values"]]:
                text = f"{cell} is no result of {chart['name']}; use one of: {', '.join(chart['values'])}"
                self.faults.at("charts.yaml", place, "cell", text)

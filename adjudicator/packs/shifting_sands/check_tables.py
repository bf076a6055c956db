"""Checks the tables of Shifting Sands: fire tables whole and rising, terrain, modifiers, LRDG."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from adjudicator.packs.faults import Faults, number
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, records
from adjudicator.packs.shifting_sands.check_board import listed
from adjudicator.packs.shifting_sands.graph import Graph
from adjudicator.packs.shifting_sands.vocabulary import NATIONS, TERRAIN
from adjudicator.packs.shifting_sands.words import Words

FIRE: Final = ("division", "battlegroup")
DICE: Final = ("1", "2", "3", "4", "5", "6")
ROLES: Final = ("attacker", "defender", "both")
RAIDS: Final = ("none", "lose_step", "lose_two_steps", "card")
TERRAIN_FLAGS: Final = ("flank", "overrun", "hold", "stops_advance")
FLANK: Final = ("plus_per_extra_attacking_space", "success_at", "min_units", "needs_armor")


class TableCheck:
    """All checks of tables.yaml."""

    def __init__(self, files: PackFiles, graph: Graph, words: Words, faults: Faults) -> None:
        self.data, self.graph, self.words, self.faults = files.files["tables.yaml"], graph, words, faults

    def run(self) -> None:
        """Check everything."""
        if not self.faults.need(self.data, ("fire_default", "fire", "terrain", "drm", "die", "flank", "lrdg_default")):
            return
        self._sets("fire")
        self._sets("lrdg")
        for row in records(self.data["fire"]):
            self._fire(row)
        for row in records(self.data.get("lrdg")):
            self._lrdg(row)
        self._terrain()
        self._modifiers()
        self._shifts()
        self._single("flank", FLANK)
        self._single("die", ("min", "max"))

    def _sets(self, key: str) -> None:
        seen: dict[str, Record] = {}
        for row in records(self.data.get(key)):
            if self.faults.need(row, ("id",)):
                self.faults.unique(seen, str(row["id"]), row, f"{key} set")
                self.faults.source(row)
        if str(self.data[f"{key}_default"]) not in seen:
            text = f"{key}_default {self.data[f'{key}_default']} is none of the sets: {', '.join(seen)}; correct it"
            self.faults.add(self.data, "default", text)

    def _fire(self, row: Record) -> None:
        tables = {str(table.get("table")): table for table in records(row.get("tables"))}
        for name in FIRE:
            if name not in tables:
                self.faults.add(row, "missing", f"fire set {row.get('id')} has no {name} table; add it")
            else:
                self._table(tables[name])
        for cell in records(self.data.get("pinned")):
            self._pinned(cell, tables)

    def _table(self, table: Record) -> None:
        if not self.faults.need(table, ("columns", "rows", "strength_zero")):
            return
        columns = listed(table["columns"])
        self._columns(table, columns)
        rows = list(records(table["rows"]))
        if [row.get("row") for row in rows] != list(DICE):
            self.faults.add(table, "rows", "a fire table has the rows 1 to 6 in order; add or sort them")
        sound = [row for row in rows if self._row(row, columns)]
        for upper, lower in pairwise(sound):
            if any(int(a) > int(b) for a, b in zip(upper["cells"], lower["cells"], strict=True)):
                text = f"row {lower.get('row')} has a smaller result than row {upper.get('row')} in a column"
                self.faults.add(lower, "falling", f"{text}; correct it")

    def _columns(self, table: Record, columns: list[str]) -> None:
        """The columns follow one another without gap, the last is open; strength 0 has the first (ruling A15)."""
        if table["strength_zero"] != columns[0]:
            text = f"strength_zero {table['strength_zero']} is not the first column {columns[0]} (ruling A15)"
            self.faults.add(table, "columns", f"{text}; correct it")
        ends = [column_range(column) for column in columns]
        gaps = any(a is None or b is None or a[1] is None or b[0] != a[1] + 1 for a, b in pairwise(ends))
        if gaps or ends[-1] is None or ends[-1][1] is not None:
            text = f"the columns {', '.join(columns)} leave a gap or the last is not open (16+)"
            self.faults.add(table, "columns", f"{text}; correct them")

    def _row(self, row: Record, columns: list[str]) -> bool:
        cells = listed(row.get("cells"))
        if len(cells) != len(columns) or not all(map(number, cells)):
            text = f"row {row.get('row')} has {len(cells)} cells for {len(columns)} columns, or one is no number"
            self.faults.add(row, "cells", f"{text}; correct it")
            return False
        if any(int(a) > int(b) for a, b in pairwise(cells)):
            self.faults.add(row, "falling", f"row {row.get('row')} falls from one column to the next; correct it")
        for column in listed(row.get("bold")):
            if column not in columns:
                self.faults.add(row, "bold", f"bold {column} is no column of this table; correct it")
        return True

    def _pinned(self, cell: Record, tables: dict[str, Record]) -> None:
        """A cell that the rulebook gives stands so in every set."""
        table = tables.get(str(cell.get("table")), Record("", 0, 0))
        columns, column = listed(table.get("columns")), str(cell.get("column"))
        row = next((r for r in records(table.get("rows")) if r.get("row") == cell.get("row")), None)
        if row is None or column not in columns:
            self.faults.add(cell, "pinned", "no fire table has this cell; correct table, column or row")
            return
        cells = listed(row.get("cells"))
        found = cells[columns.index(column)] if len(cells) == len(columns) else ""
        bold = "yes" if column in listed(row.get("bold")) else "no"
        if found != cell.get("result") or cell.get("bold", bold) != bold:
            text = f"column {column} row {cell.get('row')} is {found} (bold {bold}), the rulebook has"
            text = f"{text} {cell.get('result')} (bold {cell.get('bold', bold)})"
            self.faults.add(row, "pinned", f"{text}; correct the cell")

    def _lrdg(self, row: Record) -> None:
        lines = list(records(row.get("rows")))
        if [line.get("die") for line in lines] != list(DICE):
            self.faults.add(row, "rows", "an LRDG table has the dice 1 to 6 in order; add or sort them")
        for line in lines:
            self.faults.one_of(line, "raid", RAIDS)
            if not number(line.get("intelligence")):
                self.faults.add(line, "number", f"intelligence {line.get('intelligence')} is no number; correct it")

    def _terrain(self) -> None:
        seen: dict[str, Record] = {}
        for row in records(self.data["terrain"]):
            if not self.faults.need(row, ("terrain", "attacker_shift", *TERRAIN_FLAGS)):
                continue
            if self.faults.one_of(row, "terrain", (*TERRAIN, "fort")):
                self.faults.unique(seen, str(row["terrain"]), row, "terrain")
            for key in (*TERRAIN_FLAGS, "adds_cf"):
                self.faults.one_of(row, key, ("yes", "no"))
            if not number(row["attacker_shift"]):
                self.faults.add(row, "number", f"attacker_shift {row['attacker_shift']} is no number; correct it")
            self.faults.source(row)
        for name in (*TERRAIN, "fort"):
            if name not in seen:
                self.faults.add(self.data, "missing", f"the terrain table has no {name}; add it")

    def _modifiers(self) -> None:
        seen: dict[str, Record] = {}
        for row in records(self.data["drm"]):
            if not self.faults.need(row, ("name", "side", "drm", "rule")):
                continue
            self.faults.unique(seen, str(row["name"]), row, "modifier")
            self.faults.one_of(row, "side", ROLES)
            self.faults.source(row)
            if not number(row["drm"]):
                self.faults.add(row, "number", f"drm {row['drm']} is no whole number; correct it")
            if ("nations" in row) == ("link" in row):
                self.faults.add(row, "form", "a modifier has either nations or a link; correct it")
            for nation in listed(row.get("nations")):
                if nation not in NATIONS:
                    self.faults.add(row, "name", f"there is no nation {nation}; correct it")
            self._link(row, listed(row.get("link")))

    def _link(self, row: Record, ends: list[str]) -> None:
        if ends and (len(ends) != 2 or ends[1] not in self.graph.lines.get(ends[0], {})):
            self.faults.add(row, "link", f"no line joins {' and '.join(ends)}; name the two ends of one")

    def _shifts(self) -> None:
        seen: dict[str, Record] = {}
        for row in records(self.data.get("shifts")):
            if not self.faults.need(row, ("name", "side", "rule")):
                continue
            self.faults.unique(seen, str(row["name"]), row, "shift")
            self.faults.one_of(row, "side", ROLES)
            self.faults.source(row)

    def _single(self, key: str, keys: tuple[str, ...]) -> None:
        row = self.data[key]
        if isinstance(row, Record) and self.faults.need(row, keys):
            self.faults.source(row)
            for name in keys:
                if name != "needs_armor" and not number(row[name]):
                    self.faults.add(row, "number", f"{name} {row[name]} is no whole number; correct it")


def column_range(column: str) -> tuple[int, int | None] | None:
    """First and last strength of a column, the last ``None`` when it is open (``16+``); ``None`` for no column."""
    if column.endswith("+") and column[:-1].isdigit():
        return int(column[:-1]), None
    low, dash, high = column.partition("-")
    if not low.isdigit() or (dash and not high.isdigit()):
        return None
    return int(low), int(high) if dash else int(low)

"""Holds the pack against what the rulebook prints: ratings, capabilities, charts cell by cell.

What the owner of a printed game corrected in an overlay is left alone, for he has the counter before him.
"""

from __future__ import annotations

from typing import Final

from adjudicator.packs.faults import Faults
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, Rows, records
from adjudicator.packs.western_desert.printed import Printed

BY_ROW: Final = ("shipping_results", "greece", "raid")
"""Charts whose columns are fields of one row, not cells of a table."""
NOTHING: Final = {"-": "none"}
MATCHED: Final = ("attack", "defense")


def figures(row: Record) -> str:
    """The figures of a counter as the rulebook writes them: 2-10 or 3-2-10."""
    attack, defense, movement = (str(row.get(key)) for key in (*MATCHED, "movement"))
    return f"{attack}-{movement}" if attack == defense else f"{attack}-{defense}-{movement}"


class PrintedCheck:
    """Units, air units, types and charts against the rulebook."""

    def __init__(self, files: PackFiles, printed: Printed, faults: Faults) -> None:
        self.files, self.printed, self.faults = files, printed, faults
        self.charts = {str(row.get("name")): row for row in records(files.rows("charts.yaml", "charts"))}

    def run(self) -> None:
        """Check everything."""
        if self.printed.facts is not None:
            self._types()
            self._units()
            self._air()
        if self.printed.charts is not None:
            self._charts()

    # --- units ------------------------------------------------------------------------------------------------------

    def _types(self) -> None:
        top = self.files.files["types.yaml"]
        for key in ("zoc_sizes", "support_sizes"):
            wanted = self.printed.words(key)
            if sorted(map(str, top.get(key, []))) != sorted(wanted):
                text = f"{key} must be {', '.join(wanted)} (WD {'5' if key == 'zoc_sizes' else '11'}); correct it"
                self.faults.add_at(top, key, "printed", text)
        types = {str(row.get("slug")): row for row in records(top.get("types"))}
        for fact in self.printed.rows("types"):
            row = types.get(str(fact["slug"]))
            if row is None:
                line = top.key_lines.get("types", 1)
                self.faults.at("types.yaml", line, "printed", f"there is no type {fact['slug']}; put it back")
                continue
            for key, value in fact.items():
                if key != "slug" and row.get(key) != value and not row.corrected:
                    text = f"{key} of {fact['slug']} is {row.get(key)}, the rulebook says {value}; correct it"
                    self.faults.add(row, "printed", text)

    def _units(self) -> None:
        """Each exact rating of the rulebook is one that it prints, and there are as many as it needs."""
        facts = self.printed.rows("units")
        counters = list(records(self.files.rows("counters.yaml", "counters")))
        changed = False
        for row in counters:
            changed = changed or row.corrected
            same = [f for f in facts if f["nat"] in ("any", row.get("nat")) and _alike(f, row)]
            if row.get("source") != "rulebook" or row.get("confidence") != "exact" or not same or row.corrected:
                continue
            if figures(row) not in [str(fact["figures"]) for fact in same]:
                known = " or ".join(str(fact["figures"]) for fact in same)
                text = f"{row.get('id')} is {figures(row)}, the rulebook prints {known} ({same[0]['rule']})"
                self.faults.add(row, "printed", f"{text}; correct it, or its source")
        for fact in facts if not changed else []:
            found = [r for r in counters if _alike(fact, r) and fact["nat"] in ("any", r.get("nat"))]
            count = sum(figures(row) == fact["figures"] for row in found)
            if count < int(fact["least"]):
                text = f"{fact['nat']} {fact['size']} {fact['type']} {fact['figures']}: {count} counters"
                text = f"{text}, {fact['rule']} needs {fact['least']}; correct the figures of one"
                line = self.files.rows("counters.yaml", "counters").line
                self.faults.at("counters.yaml", line, "printed", text)

    def _air(self) -> None:
        facts = {str(fact["model"]): fact for fact in self.printed.rows("air")}
        for row in records(self.files.rows("air.yaml", "air")):
            fact = facts.get(str(row.get("model")))
            if fact is None or row.corrected:
                continue
            found = f"{row.get('attack')}{row.get('type')}{row.get('defense')}"
            if found != fact["figures"] or fact.get("movement", row.get("movement")) != row.get("movement"):
                text = f"{row.get('id')} is {found} with range {row.get('movement')}, the rulebook prints"
                told = f"{fact['figures']} {fact.get('movement', '')}".strip()
                self.faults.add(row, "printed", f"{text} {told} ({fact['rule']}); correct it")

    # --- charts -----------------------------------------------------------------------------------------------------

    def _charts(self) -> None:
        assert self.printed.charts is not None
        for name, fact in self.printed.charts.items():
            if isinstance(fact, Record) and "across" in fact and name in self.charts:
                if name in BY_ROW:
                    self._rows(self.charts[name], fact)
                else:
                    self._table(self.charts[name], fact)
        lists = self.printed.charts.get("lists")
        for name, fact in lists.items() if isinstance(lists, Record) else ():
            chart = self.charts.get(str(fact.get("chart", name)))
            if chart is not None:
                self._list(chart, fact, name)

    def _table(self, chart: Record, fact: Record) -> None:
        """Every printed cell, and no row more."""
        matrix = chart.get("matrix")
        if not isinstance(matrix, Rows) or not isinstance(chart.get("columns"), Rows):
            return
        columns = [str(column) for column in chart["columns"]]
        printed = [str(line).split() for line in fact["rows"]]
        across = [column.replace("_", " ") for column in str(fact["across"]).split()]
        own = {(str(c.get(str(chart["down"]))), str(c.get(str(chart["across"])))) for c in _owned(chart)}
        lines = {str(line[0]): i for i, line in enumerate(matrix) if isinstance(line, list) and line}
        for head, *cells in printed:
            if head not in lines:
                text = f"{chart['name']} has no row {head}, which the rulebook prints; add it"
                self.faults.at(chart.file, matrix.line, "printed", text)
                continue
            line, place = matrix[lines[head]], matrix.lines[lines[head]]
            for column, cell in zip(across, cells, strict=False):
                at = columns.index(column) + 1 if column in columns else len(line)
                found = str(line[at]) if at < len(line) else "missing"
                if cell != "?" and found != NOTHING.get(cell, cell) and (head, column) not in own:
                    text = (
                        f"{chart['name']}, {head} at {column}: {found}, the rulebook prints {NOTHING.get(cell, cell)}"
                    )
                    self.faults.at(chart.file, place, "printed", f"{text}; correct it")
        for head in sorted(set(lines) - {head for head, *_ in printed}):
            text = f"the rulebook prints no row {head} of {chart['name']}; take it out"
            self.faults.at(chart.file, matrix.lines[lines[head]], "printed", text)

    def _rows(self, chart: Record, fact: Record) -> None:
        across = str(fact["across"]).split()
        rows = {str(row.get("die")): row for row in records(chart.get("rows"))}
        for head, *cells in (str(line).split() for line in fact["rows"]):
            row = rows.get(head)
            if row is None:
                self.faults.add(chart, "printed", f"{chart['name']} has no row for a {head}; add it")
                continue
            for key, cell in zip(across, cells, strict=False):
                if cell != "?" and str(row.get(key)) != NOTHING.get(cell, cell) and not row.corrected:
                    text = (
                        f"{chart['name']}, {head}: {key} {row.get(key)}, the rulebook prints {NOTHING.get(cell, cell)}"
                    )
                    self.faults.add(row, "printed", f"{text}; correct it")

    def _list(self, chart: Record, fact: Record, name: str) -> None:
        """The rows of a list as the rulebook prints them, in its order."""
        keys, but = str(fact["keys"]).split(), fact.get("but", [])
        rows = [row for row in _cells(chart) if row.get("result") not in but]
        printed = [str(line) for line in fact["rows"]]
        if "only" in fact:
            rows = rows[: int(str(fact["only"]))]
        elif name in ("features", "terrain_halves"):
            rows = [row for row in rows if row.get(keys[0]) in {line.split()[0] for line in printed}]
        for row, line in zip(rows, printed, strict=False):
            found = " ".join(str(row[key]) for key in keys if key in row)
            if found != line and not row.corrected:
                text = f"{' '.join(keys)} of {chart['name']}: {found}, the rulebook prints {line}"
                self.faults.add(row, "printed", f"{text}; correct it")
        if len(rows) != len(printed):
            text = f"{chart['name']} has {len(rows)} rows, the rulebook prints {len(printed)}; add or take out"
            self.faults.add(chart, "printed", text)


def _alike(fact: Record, row: Record) -> bool:
    return all(fact[key] == row.get(key) for key in ("size", "type"))


def _cells(chart: Record) -> list[Record]:
    """The rows of a list; of a table of one column its cells, as the compiled chart has them."""
    matrix = chart.get("matrix")
    if not isinstance(matrix, Rows):
        return list(records(chart.get("rows")))
    found = []
    for line, place in zip(matrix, matrix.lines, strict=True):
        row = Record(chart.file, place, 1)
        row.update({str(chart.get("down")): line[0], str(chart.get("result")): line[1]})
        row.corrected = (str(line[0]), str(chart["columns"][0])) in {
            (str(c.get(str(chart["down"]))), str(c.get(str(chart["across"])))) for c in _owned(chart)
        }
        found.append(row)
    return found


def _owned(chart: Record) -> list[Record]:
    return [cell for cell in records(chart.get("cells")) if cell.corrected]

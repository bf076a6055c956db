"""Compiles the charts: a table written as a matrix becomes one row for each of its cells."""

from __future__ import annotations

from typing import Any

from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, plain, records

Tree = dict[str, Any]


def compile_charts(files: PackFiles) -> Tree:
    """The keys ``charts`` (name -> rows) and ``chart_sources`` (one record a chart) of the compiled tree.

    A chart of ``charts.yaml`` has either ``rows`` (mappings, taken as they are) or a ``matrix`` with the names of its
    two inputs and its result: each cell becomes ``{down: .., across: .., result: ..}`` with the source of the cell,
    which is that of the chart unless ``cells`` rules otherwise.
    """
    charts: dict[str, list[Tree]] = {}
    sources: list[Tree] = []
    for row in records(files.rows("charts.yaml", "charts")):
        charts[str(row["name"])] = _cells(row) if "matrix" in row else plain(row.get("rows", []))
        sources.append({k: plain(v) for k, v in row.items() if k not in ("rows", "matrix", "cells")})
    return {"charts": charts, "chart_sources": sources}


def _cells(chart: Record) -> list[Tree]:
    down, across, result = (str(chart[key]) for key in ("down", "across", "result"))
    columns = [str(column) for column in chart["columns"]]
    ruled = {(str(cell[down]), str(cell[across])): cell for cell in records(chart.get("cells", []))}
    found = []
    for line in chart["matrix"]:
        head, *cells = (str(cell) for cell in line)
        for column, cell in zip(columns, cells, strict=False):
            found.append(_cell({down: head, across: column, result: cell}, ruled.get((head, column)), chart))
    return found


def _cell(cell: Tree, ruled: Record | None, chart: Record) -> Tree:
    cell["source"] = str(ruled["source"] if ruled else chart.get("source", ""))
    if ruled and "ruling" in ruled:
        cell["ruling"] = ruled["ruling"]
    return cell

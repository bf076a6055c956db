"""Which parts of the pack of Western Desert an overlay can correct, and how each datum is named.

counters, air, markers, events by ``id``; types by ``slug``; areas by ``area``; hexes by ``hex`` (``terrain: sea`` makes
sea of it); sides by ``a`` and ``b`` (``kind: none`` takes one away); lines by ``a`` and ``b`` with ``kind`` road, rail
or none; places by ``name``; cells of charts by ``chart`` and the names of row and column, rows of lists by ``chart``
and ``row``; set-ups by ``scenario`` and what is corrected (``unit``, ``supply``, ``airfield``, ``fortress``, ``smp``,
or a field).
"""

from __future__ import annotations

from typing import Any, Final

from adjudicator.packs.layer import Correct, Layer, by_key, correct_rows, mark
from adjudicator.packs.reading import Record, Rows, plain, records
from adjudicator.packs.western_desert.board import canonical
from adjudicator.packs.western_desert.overlay_map import correct_hex, correct_line, correct_place, correct_side

LISTS: Final = {
    "supply": ("supply", "id"),
    "airfield": ("airfields", "hex"),
    "fortress": ("fortresses", "hex"),
    "smp": ("smp", "side"),
}
"""What a set-up lists beside units: the word of the overlay -> list and the field that names an entry."""
UNITS: Final = ("deploy", "air_deploy", "boxes")


def correct_chart(layer: Layer, name: str, entry: Record) -> None:
    """A cell of a matrix, or a row of a list by its number."""
    if not layer.faults.need(entry, ("chart",)):
        return
    charts = {str(row.get("name")): row for row in records(layer.files.rows("charts.yaml", "charts"))}
    chart = charts.get(str(entry["chart"]))
    if chart is None:
        text = f"there is no chart {entry['chart']}; use one of: {', '.join(charts)}"
        layer.faults.add(entry, "address", text)
    elif "matrix" in chart:
        _cell(layer, name, entry, chart)
    else:
        _row(layer, name, entry, chart)


def _cell(layer: Layer, name: str, entry: Record, chart: Record) -> None:
    down, across, result = (str(chart[key]) for key in ("down", "across", "result"))
    if not layer.faults.need(entry, (down, across, result)):
        return
    columns = [str(column) for column in chart["columns"]]
    line = next((line for line in chart["matrix"] if str(line[0]) == str(entry[down])), None)
    if line is None or str(entry[across]) not in columns:
        text = f"{chart['name']} has no cell {down} {entry[down]}, {across} {entry[across]}"
        layer.faults.add(entry, "address", f"{text}; columns are {', '.join(columns)}")
        return
    if entry[result] not in chart["values"]:
        text = f"{entry[result]} is no result of {chart['name']}; use one of: {', '.join(chart['values'])}"
        layer.faults.add(entry, "cell", text)
        return
    address = {key: str(entry[key]) for key in ("chart", down, across)}
    change, at = layer.change(name, entry, address), columns.index(str(entry[across])) + 1
    if str(line[at]) != str(entry[result]):
        change.fields[result] = (str(line[at]), str(entry[result]))
        line[at] = entry[result]
        _own_cell(chart, entry, down, across)
    layer.keep(change)


def _own_cell(chart: Record, entry: Record, down: str, across: str) -> None:
    """The owner is the source of the cell, whatever ruling filled it before."""
    cells = chart.setdefault("cells", Rows(entry.file, entry.line))
    for index, cell in enumerate(cells):
        if (str(cell[down]), str(cell[across])) == (str(entry[down]), str(entry[across])):
            del cells[index], cells.lines[index]
            break
    own = Record(entry.file, entry.line, entry.column)
    own.update({down: entry[down], across: entry[across]})
    mark(own, entry)
    cells.append(own)
    cells.lines.append(entry.line)


def _row(layer: Layer, name: str, entry: Record, chart: Record) -> None:
    rows = [row for row in chart.get("rows", []) if isinstance(row, Record)]
    number = str(entry.get("row", ""))
    if not number.isdigit() or not 1 <= int(number) <= len(rows):
        layer.faults.add(entry, "address", f"{chart['name']} has rows 1 to {len(rows)}; give one as row")
        return
    row, change = rows[int(number) - 1], layer.change(name, entry, {"chart": entry["chart"], "row": number})
    for key, value in entry.items():
        if key in ("chart", "row"):
            continue
        if key not in row:
            layer.faults.add(entry, "address", f"row {number} of {chart['name']} has no {key}; use: {', '.join(row)}")
        elif plain(row[key]) != plain(value):
            change.fields[key] = (plain(row[key]), plain(value))
            row[key] = value
    if change.fields:
        row.file, row.line, row.column, row.corrected = entry.file, entry.line, entry.column, True
    layer.keep(change)


def correct_scenario(layer: Layer, name: str, entry: Record) -> None:
    """One unit, counter, airfield ... of a set-up, or a field of the scenario itself."""
    if not layer.faults.need(entry, ("scenario",)):
        return
    known = {str(row.get("id")): row for row in layer.files.scenarios}
    scenario = known.get(str(entry["scenario"]))
    if scenario is None:
        layer.faults.add(entry, "address", f"there is no scenario {entry['scenario']}; use one of: {', '.join(known)}")
    elif "setup" in scenario:
        text = f"{entry['scenario']} takes its set-up from {scenario['setup']}; correct it there"
        layer.faults.add(entry, "address", text)
    elif "unit" in entry:
        _unit(layer, name, entry, scenario)
    else:
        word = next((word for word in LISTS if word in entry), None)
        if word is None:
            _fields(layer, name, entry, scenario)
        else:
            _listed(layer, name, entry, scenario, word)


def _unit(layer: Layer, name: str, entry: Record, scenario: Record) -> None:
    """A unit goes to a hex or into a box, or out of the set-up, wherever it was."""
    unit, change = str(entry["unit"]), layer.change(name, entry, {"scenario": entry["scenario"], "unit": entry["unit"]})
    found = [(key, row) for key in UNITS for row in records(scenario.get(key)) if str(row.get("unit")) == unit]
    wanted = "boxes" if "box" in entry else "air_deploy" if unit.startswith("air-") else "deploy"
    if not found or entry.get("remove") == "yes" or found[0][0] != wanted:
        for key, row in found:
            _take_out(scenario[key], row)
        if entry.get("remove") == "yes":
            if not found:
                layer.faults.add(entry, "address", f"{unit} is not in {entry['scenario']}; take the record out")
            change.whole = "removed" if found else ""
        else:
            own = Record(entry.file, entry.line, entry.column)
            own.update({key: value for key, value in entry.items() if key != "scenario"})
            mark(own, entry)
            _put_in(scenario, wanted, own)
            change.whole = "placed"
    else:
        row = found[0][1]
        if "hex" in entry:
            entry["hex"] = canonical(layer.files.grid, entry["hex"])
        layer.merge(row, entry, change, ("scenario", "unit"))
        if "hex" in change.fields:
            row.pop("place", None)
            row.pop("hex_source", None)
    layer.keep(change)


def _listed(layer: Layer, name: str, entry: Record, scenario: Record, word: str) -> None:
    """A supply counter, airfield, fortress or the SMPs of a side."""
    key, address = LISTS[word]
    own = Record(entry.file, entry.line, entry.column)
    own.update({field: value for field, value in entry.items() if field not in ("scenario", word)})
    value = canonical(layer.files.grid, entry[word]) if address == "hex" else str(entry[word])
    own[address] = value
    rows = scenario.get(key)
    if not isinstance(rows, Rows):
        rows = scenario[key] = Rows(entry.file, entry.line)
    before = len(layer.made)
    correct_rows(layer, name, own, rows, {address: value})
    for change in layer.made[before:]:
        change.entry = entry
        change.address = {"scenario": entry["scenario"], word: value}


def _fields(layer: Layer, name: str, entry: Record, scenario: Record) -> None:
    change = layer.change(name, entry, {"scenario": entry["scenario"]})
    for key, value in entry.items():
        if key == "scenario":
            continue
        if key not in scenario or key in ("id", *UNITS):
            text = f"{entry['scenario']} has no field {key}; name a unit, {', '.join(LISTS)} or a field it has"
            layer.faults.add(entry, "address", text)
        elif plain(scenario[key]) != plain(value):
            change.fields[key] = (plain(scenario[key]), plain(value))
            scenario[key] = value
    layer.keep(change)


def _take_out(rows: Any, row: Record) -> None:
    index = next(i for i, r in enumerate(rows) if r is row)
    del rows[index], rows.lines[index]


def _put_in(scenario: Record, key: str, row: Record) -> None:
    rows = scenario.get(key)
    if not isinstance(rows, Rows):
        rows = scenario[key] = Rows(row.file, row.line)
    rows.append(row)
    rows.lines.append(row.line)


SECTIONS: Final[dict[str, Correct]] = {
    "hexes": correct_hex,
    "sides": correct_side,
    "lines": correct_line,
    "places": correct_place,
    "types": by_key("types.yaml", "types", "slug"),
    "counters": by_key("counters.yaml", "counters", "id"),
    "markers": by_key("counters.yaml", "markers", "id"),
    "air": by_key("air.yaml", "air", "id"),
    "charts": correct_chart,
    "areas": by_key("events.yaml", "areas", "area"),
    "events": by_key("events.yaml", "events", "id"),
    "scenarios": correct_scenario,
}
"""The parts in the order of a template; an overlay may have them in any order."""

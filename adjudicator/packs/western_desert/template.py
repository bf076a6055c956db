"""The doubtful data of the pack as an overlay to correct from the box, one record a line, each with its source."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from adjudicator.packs.faults import SOURCES
from adjudicator.packs.files import PackFiles
from adjudicator.packs.flow import flow
from adjudicator.packs.reading import Record, records
from adjudicator.packs.western_desert.board import KINDS, pair

HEAD: Final = """\
# What this pack of Western Desert does not have from the rulebook. Correct the values from the printed game, line by
# line, and lay the file over the pack: `adjudicator pack check western-desert --overlay FILE` finds what does not fit,
# `adjudicator new ... --overlay FILE` plays with it. A line left as it is corrects nothing; it may be deleted.
# Behind a line: what the datum is, where it is known from, how sure it is. `remove: yes` takes a record away, a new
# line with all its fields adds one. terrain: {terrain}, sea. sides: {sides}, none; low is the hex on the lower side.
# lines: road, rail, none.
overlay: western-desert
title: ''
"""
COUNTER: Final = ("attack", "defense", "movement", "cadre", "cadre_movement", "supported", "aa", "aa_type")
AIR: Final = ("attack", "type", "defense", "tactical", "strategic", "movement", "night")
QUIET: Final = ("source", "confidence", "cites", "note", "name", "hex_source")


def template_text(files: PackFiles) -> str:
    """The overlay file; laid over the pack as it is, it corrects nothing."""
    terrains = ", ".join(_chart(files, "terrain", "terrain"))
    sides = ", ".join(_chart(files, "hexsides", "kind"))
    lines = [HEAD.replace("{terrain}", terrains).replace("{sides}", sides).rstrip("\n")]
    for name, rows in _PARTS.items():
        found = list(rows(files))
        if found:
            lines += ["", f"{name}:", *found]
    return "\n".join(lines) + "\n"


def _doubtful(row: Record) -> bool:
    return row.get("source") != SOURCES[0]


def _line(fields: dict[str, Any], row: Record, what: str = "") -> str:
    told = ", ".join(str(row[key]) for key in ("source", "confidence") if row.get(key))
    said = "; ".join(text for text in (what, told, str(row.get("note", ""))) if text)
    return f"- {flow(fields)}  # {said}"


def _some(row: Record, keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: row[key] for key in keys if key in row}


def _chart(files: PackFiles, name: str, key: str) -> list[str]:
    charts = {row.get("name"): row for row in records(files.rows("charts.yaml", "charts"))}
    return [str(row[key]) for row in records(charts[name].get("rows"))]


def _hexes(files: PackFiles) -> Iterator[str]:
    for row in filter(_doubtful, records(files.rows("map.yaml", "hexes"))):
        yield _line(_some(row, ("hex", "terrain")), row, str(row.get("of", "")))


def _sides(files: PackFiles) -> Iterator[str]:
    for row in filter(_doubtful, records(files.rows("map.yaml", "hexsides"))):
        fields = _some(row, ("a", "b", "kind", "low"))
        fields["kind"] = KINDS.get(str(row["kind"]), row["kind"])
        yield _line(fields, row, str(row.get("of", "")))


def _lines(files: PackFiles) -> Iterator[str]:
    """Railways, and roads where no railway runs: a railroad serves as a road (WD 7)."""
    seen: set[tuple[str, str]] = set()
    for key, kind in (("railroads", "rail"), ("roads", "road")):
        for row in records(files.rows("map.yaml", key)):
            ends = pair(files.grid, row["a"], row["b"])
            if ends not in seen and _doubtful(row):
                yield _line({"a": row["a"], "b": row["b"], "kind": kind}, row, ", ".join(map(str, row.get("of", []))))
            seen.add(ends)


def _places(files: PackFiles) -> Iterator[str]:
    for row in filter(_doubtful, records(files.rows("map.yaml", "places"))):
        yield _line(_some(row, ("name", "hex", "class", "port")), row)


def _types(files: PackFiles) -> Iterator[str]:
    for row in filter(_doubtful, records(files.rows("types.yaml", "types"))):
        yield _line({key: value for key, value in row.items() if key not in QUIET}, row, str(row["name"]))


def _counters(files: PackFiles) -> Iterator[str]:
    for row in filter(_doubtful, records(files.rows("counters.yaml", "counters"))):
        yield _line(_some(row, ("id", *COUNTER)), row, str(row["name"]))


def _markers(files: PackFiles) -> Iterator[str]:
    for row in filter(_doubtful, records(files.rows("counters.yaml", "markers"))):
        yield _line(_some(row, ("id", "count")), row, str(row["name"]))


def _air(files: PackFiles) -> Iterator[str]:
    rows = records(files.rows("air.yaml", "air"))
    for row in (row for row in rows if _doubtful(row) or row.get("confidence") != "exact"):
        yield _line(_some(row, ("id", *AIR)), row, str(row["name"]))


def _charts(files: PackFiles) -> Iterator[str]:
    """Damaged and disputed cells only: the rest of the charts is printed in the rulebook."""
    for chart in records(files.rows("charts.yaml", "charts")):
        for cell in records(chart.get("cells")):
            keys = {key: cell[key] for key in (str(chart["down"]), str(chart["across"]))}
            line = next(line for line in chart["matrix"] if str(line[0]) == str(cell[chart["down"]]))
            at = [str(column) for column in chart["columns"]].index(str(cell[chart["across"]])) + 1
            fields = {"chart": chart["name"], **keys, str(chart["result"]): line[at]}
            yield _line(fields, cell, f"ruling {cell['ruling']}" if "ruling" in cell else "")
        for index, row in enumerate(records(chart.get("rows")), 1):
            if "ruling" in row:
                fields = {key: value for key, value in row.items() if key != "ruling"}
                yield _line({"chart": chart["name"], "row": str(index), **fields}, row, f"ruling {row['ruling']}")


def _events(files: PackFiles) -> Iterator[str]:
    rows = records(files.rows("events.yaml", "events"))
    for row in (row for row in rows if row.get("confidence") != "exact"):
        yield _line({key: value for key, value in row.items() if key not in QUIET}, row)


def _scenarios(files: PackFiles) -> Iterator[str]:
    for scenario in files.scenarios:
        if "setup" in scenario:
            continue
        head = {"scenario": scenario["id"]}
        if "malta_status" in scenario:
            yield f"- {flow({**head, 'malta_status': scenario['malta_status']})}"
        for key in ("deploy", "air_deploy", "boxes"):
            for row in records(scenario.get(key)):
                if _doubtful(row) or row.get("hex_source", SOURCES[0]) != SOURCES[0]:
                    yield _line({**head, **_some(row, ("unit", "hex", "box", "of"))}, row, str(row.get("place", "")))
        for row in records(scenario.get("supply")):
            yield _line({**head, "supply": row["id"], **_some(row, ("hex", "steps"))}, row, str(row.get("place", "")))
        for row in records(scenario.get("airfields")):
            yield _line({**head, "airfield": row["hex"], "side": row["side"]}, row, str(row.get("place", "")))
        for row in records(scenario.get("fortresses")):
            yield _line({**head, "fortress": row["hex"], "state": row["state"]}, row, str(row.get("place", "")))
        for row in records(scenario.get("smp")):
            yield _line({**head, "smp": row["side"], "points": row["points"]}, row)


_PARTS: Final[dict[str, Callable[[PackFiles], Iterator[str]]]] = {
    "hexes": _hexes,
    "sides": _sides,
    "lines": _lines,
    "places": _places,
    "types": _types,
    "counters": _counters,
    "markers": _markers,
    "air": _air,
    "charts": _charts,
    "events": _events,
    "scenarios": _scenarios,
}

"""The doubtful data of the pack of Shifting Sands as an overlay to correct from the box, one record a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from adjudicator.packs.faults import SOURCES
from adjudicator.packs.files import PackFiles
from adjudicator.packs.flow import flow
from adjudicator.packs.reading import Record, records
from adjudicator.packs.shifting_sands.overlay import SOLID

HEAD: Final = """\
# What this pack of Shifting Sands does not have from the rulebook. Correct the values from the printed game, line by
# line, and lay the file over the pack: `adjudicator pack check shifting-sands --overlay FILE` finds what does not fit,
# `adjudicator new ... --overlay FILE` plays with it. A line left as it is corrects nothing; it may be deleted.
# Behind a line: what the datum is and where it is known from. `remove: yes` takes a record away, a new line with all
# its fields adds one. spaces: terrain clear, marsh, mountain, oasis, deep_desert, box; fort: its CF, 0 for none.
# links: only battlegroups, lrdg, allied, solid. cards: the words of conditions and effects are those of the pack;
# a card whose effects you type counts as exact. fire: cells from left to right, bold names columns.
overlay: shifting-sands
title: ''
"""
SPACE: Final = ("region", "terrain", "control", "fort", "port", "vp")
UNIT: Final = ("cf_full", "cf_reduced", "lf", "mf", "count", "dot")
CARD: Final = (
    "name", "ops", "rp", "square", "asterisk", "red_name", "conditions", "switches", "effects", "after_combat",
)  # fmt: skip


def template_text(files: PackFiles) -> str:
    """The overlay file; laid over the pack as it is, it corrects nothing."""
    lines = [HEAD.rstrip("\n")]
    for name, rows in _PARTS.items():
        found = list(rows(files))
        if found:
            lines += ["", f"{name}:", *found]
    return "\n".join(lines) + "\n"


def _doubts(row: Record) -> list[str]:
    """The sources of a record and of its parts that are not the rulebook."""
    told = {key.removesuffix("_source"): str(row[key]) for key in row if key == "source" or key.endswith("_source")}
    return [value if key == "source" else f"{key} {value}" for key, value in told.items() if value != SOURCES[0]]


def _line(fields: dict[str, Any], row: Record, what: str = "") -> str:
    told = (what, ", ".join(_doubts(row)), str(row.get("note") or row.get("why") or ""))
    return f"- {flow(fields)}  # {'; '.join(text for text in told if text)}"


def _some(row: Record, keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: row[key] for key in keys if key in row}


def _spaces(files: PackFiles) -> Iterator[str]:
    for row in filter(_doubts, records(files.rows("map.yaml", "spaces"))):
        yield _line({"slug": row["slug"], **_some(row, SPACE)}, row, str(row["name"]))


def _links(files: PackFiles) -> Iterator[str]:
    for row in filter(_doubts, records(files.rows("map.yaml", "links"))):
        yield _line({"a": row["a"], "b": row["b"], "only": row.get("only", SOLID)}, row)


def _units(files: PackFiles) -> Iterator[str]:
    for row in filter(_doubts, records(files.rows("units.yaml", "units"))):
        yield _line({"id": row["id"], **_some(row, UNIT)}, row, str(row["name"]))


def _cards(files: PackFiles) -> Iterator[str]:
    for row in filter(_doubts, records(files.rows("cards.yaml", "cards"))):
        yield _line({"id": row["id"], **_some(row, CARD)}, row, f"{row['side']}, {row['name']}")


def _fire(files: PackFiles) -> Iterator[str]:
    for row in filter(_doubts, records(files.rows("tables.yaml", "fire"))):
        for table in records(row.get("tables")):
            columns = " ".join(map(str, table["columns"]))
            for line in records(table.get("rows")):
                address = {"set": row["id"], "table": table["table"]}
                yield _line({**address, **_some(line, ("row", "cells", "bold"))}, row, f"columns {columns}")


def _lrdg(files: PackFiles) -> Iterator[str]:
    for row in filter(_doubts, records(files.rows("tables.yaml", "lrdg"))):
        for line in records(row.get("rows")):
            yield _line({"set": row["id"], **line}, row)


def _terrain(files: PackFiles) -> Iterator[str]:
    for row in filter(_doubts, records(files.rows("tables.yaml", "terrain"))):
        yield _line({key: value for key, value in row.items() if key != "source"}, row)


_PARTS: Final[dict[str, Callable[[PackFiles], Iterator[str]]]] = {
    "spaces": _spaces,
    "links": _links,
    "units": _units,
    "cards": _cards,
    "fire": _fire,
    "lrdg": _lrdg,
    "terrain": _terrain,
}

"""Which parts of the pack of Shifting Sands an overlay can correct, and how each datum is named.

spaces by ``slug``; links by ``a`` and ``b`` in either order (``only: solid`` makes a dotted line solid); regions by
``name``; units and cards by ``id``; sets of ``places`` by ``name``; fire by ``set``, ``table`` and ``row`` (its
``cells`` and ``bold``); lrdg by ``set`` and ``die``; terrain by ``terrain``; set-ups by ``scenario``, ``unit`` (a kind)
and ``at``, or a field of the scenario; the units that an event puts on the map by ``setup``, ``unit`` and ``at``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from adjudicator.packs.faults import OWNER
from adjudicator.packs.layer import Change, Correct, Layer, by_key, correct_rows, mark
from adjudicator.packs.reading import Record, Rows, plain, records
from adjudicator.packs.shifting_sands.confidence import EXACT

SOLID: Final = "solid"
CARD_SOURCES: Final = {
    "number": "number_source", "ops": "ops_source", "rp": "rp_source", "name": "source", "aliases": "source",
    "year": "source", "known": "", "note": "", "refs": "",
}  # fmt: skip
"""Which source of a card a field stands under; all that is not here says what the card does: ``effect_source``."""
OWN_SOURCE: Final = ("terrain", "control", "fort", "port")
"""Fields of a space that have a source of their own."""


def correct_space(layer: Layer, name: str, entry: Record) -> None:
    """A space by its slug; what it is given and did not have before comes from the owner."""
    if layer.faults.need(entry, ("slug",)) and entry.get("remove") != "yes":
        rows = records(layer.files.rows("map.yaml", "spaces"))
        row = next((row for row in rows if row.get("slug") == entry["slug"]), None)
        for key in OWN_SOURCE:
            if key in entry and row is not None and f"{key}_source" not in row and entry[key] not in ("no", "0", 0):
                row[f"{key}_source"] = OWNER
            if entry.get(key) in ("no", "0") and row is not None and key in ("fort", "port"):
                row.pop(f"{key}_source", None)
    by_key("map.yaml", "spaces", "slug")(layer, name, entry)


def correct_card(layer: Layer, name: str, entry: Record) -> None:
    """A card by its id; what is typed in of its text comes from the owner and is all of it, hence ``known: exact``."""
    rows = layer.files.rows("cards.yaml", "cards")
    row = next((row for row in records(rows) if str(row.get("id")) == str(entry.get("id"))), None)
    known = {key: row[key] for key in row if key == "source" or key.endswith("_source")} if row is not None else {}
    before = len(layer.made)
    by_key("cards.yaml", "cards", "id")(layer, name, entry)
    found = row if row is not None else entry
    found.pop("confidence", None)
    for change in layer.made[before:]:
        if not change.whole:
            sources = {CARD_SOURCES.get(field, "effect_source") for field in change.fields} - {""}
            found.update({**known, **dict.fromkeys(sources, OWNER)})
            if "effect_source" in sources and "known" not in change.fields:
                found["known"] = EXACT


def correct_link(layer: Layer, name: str, entry: Record) -> None:
    """A line by its two ends, whichever is named first."""
    if not layer.faults.need(entry, ("a", "b")):
        return
    rows = layer.files.rows("map.yaml", "links")
    ends = {str(entry["a"]), str(entry["b"])}
    row = next((row for row in records(rows) if {str(row.get("a")), str(row.get("b"))} == ends), None)
    if row is not None:
        entry["a"], entry["b"] = row["a"], row["b"]
    if entry.get("only") == SOLID and entry.get("remove") != "yes":
        _solid(layer, name, entry, row, rows)
        return
    correct_rows(layer, name, entry, rows, {"a": str(entry["a"]), "b": str(entry["b"])})


def _solid(layer: Layer, name: str, entry: Record, row: Record | None, rows: Rows) -> None:
    """A line without restriction: a dotted one of the pack, or a new one."""
    change = layer.change(name, entry, {"a": str(entry["a"]), "b": str(entry["b"])})
    if row is None:
        own = Record(entry.file, entry.line, entry.column)
        own.update({key: value for key, value in entry.items() if key != "only"})
        mark(own, entry)
        rows.append(own)
        rows.lines.append(entry.line)
        change.whole = "added"
    else:
        before = row.pop("only", None)
        layer.merge(row, _without(entry, "only"), change, ("a", "b"))
        if before is not None:
            change.fields["only"] = (before, SOLID)
            mark(row, entry)
    layer.keep(change)


def _without(entry: Record, key: str) -> Record:
    rest = Record(entry.file, entry.line, entry.column)
    rest.update({name: value for name, value in entry.items() if name != key})
    return rest


def _row_of_set(chart: str, address: tuple[str, ...]) -> Correct:
    """How a row of a chart with several sets is corrected: the set's source becomes the owner."""

    def how(layer: Layer, name: str, entry: Record) -> None:
        if not layer.faults.need(entry, ("set", *address)):
            return
        known = {str(row.get("id")): row for row in records(layer.files.rows("tables.yaml", chart))}
        found = known.get(str(entry["set"]))
        if found is None:
            layer.faults.add(entry, "address", f"{name} has no set {entry['set']}; use one of: {', '.join(known)}")
            return
        row = _find(_tables(found, entry) if "table" in address else [found], entry, address[-1])
        if row is None:
            said = ", ".join(f"{key} {entry[key]}" for key in address)
            layer.faults.add(entry, "address", f"set {entry['set']} of {name} has no {said}; `pack show` lists them")
            return
        change = layer.change(name, entry, {key: str(entry[key]) for key in ("set", *address)})
        _fields(layer, change, row, found, entry)

    return how


def _tables(found: Record, entry: Record) -> list[Record]:
    return [table for table in records(found.get("tables")) if str(table.get("table")) == str(entry["table"])]


def _find(tables: Iterable[Record], entry: Record, key: str) -> Record | None:
    rows = (row for table in tables for row in records(table.get("rows")))
    return next((row for row in rows if str(row.get(key)) == str(entry[key])), None)


def _fields(layer: Layer, change: Change, row: Record, owner: Record, entry: Record) -> None:
    """Fields of a row that has no source of its own."""
    for key, value in entry.items():
        if key in change.address:
            continue
        if key not in row:
            layer.faults.add(entry, "address", f"a row of {change.section} has no {key}; use: {', '.join(row)}")
        elif plain(row[key]) != plain(value):
            change.fields[key] = (plain(row[key]), plain(value))
            row[key] = value
    if change.fields:
        owner["source"] = OWNER
        for record in (row, owner):
            record.file, record.line, record.column, record.corrected = entry.file, entry.line, entry.column, True
    layer.keep(change)


def correct_scenario(layer: Layer, name: str, entry: Record) -> None:
    """A kind of unit of a set-up where it stands, or a field of the scenario."""
    if layer.faults.need(entry, ("scenario",)):
        known = {str(row.get("id")): row for row in layer.files.scenarios}
        _set_up(layer, name, entry, known, "scenario")


def correct_setup(layer: Layer, name: str, entry: Record) -> None:
    """A kind of unit that an event puts on the map."""
    if layer.faults.need(entry, ("setup",)):
        known = {str(row.get("id")): row for row in records(layer.files.rows("setups.yaml", "setups"))}
        _set_up(layer, name, entry, known, "setup")


def _set_up(layer: Layer, name: str, entry: Record, known: dict[str, Record], word: str) -> None:
    found = known.get(str(entry[word]))
    if found is None:
        layer.faults.add(entry, "address", f"there is no {word} {entry[word]}; use one of: {', '.join(known)}")
        return
    if "unit" not in entry:
        change = layer.change(name, entry, {word: str(entry[word])})
        fixed = {key for key, value in found.items() if isinstance(value, Rows)} | {"id"}
        bad = [key for key in entry if key != word and (key not in found or key in fixed)]
        for key in bad:
            layer.faults.add(entry, "address", f"{entry[word]} has no field {key}; name a unit and where it stands")
        if not bad:
            _fields(layer, change, found, Record(entry.file, entry.line, entry.column), entry)
        return
    if not layer.faults.need(entry, ("unit", "at")):
        return
    own, before = _without(entry, word), len(layer.made)
    address, rows = {"unit": str(entry["unit"]), "at": str(entry["at"])}, found["units"]
    stands = any(all(str(row.get(key)) == value for key, value in address.items()) for row in records(rows))
    if stands or entry.get("remove") == "yes":
        correct_rows(layer, name, own, rows, address)
    else:
        mark(own, entry)
        rows.append(own)
        rows.lines.append(entry.line)
        layer.keep(Change(name, entry, address, whole="added"))
    for change in layer.made[before:]:
        change.entry, change.address = entry, {word: str(entry[word]), **address}


SECTIONS: Final[dict[str, Correct]] = {
    "spaces": correct_space,
    "links": correct_link,
    "regions": by_key("map.yaml", "regions", "name"),
    "units": by_key("units.yaml", "units", "id"),
    "cards": correct_card,
    "places": by_key("cards.yaml", "places", "name"),
    "fire": _row_of_set("fire", ("table", "row")),
    "lrdg": _row_of_set("lrdg", ("die",)),
    "terrain": by_key("tables.yaml", "terrain", "terrain"),
    "scenarios": correct_scenario,
    "setups": correct_setup,
}

"""The records of an overlay laid over those of a pack, one by one; what each of them changes is remembered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from adjudicator.packs.faults import OWNER, Faults
from adjudicator.packs.files import PackFiles
from adjudicator.packs.flow import flow
from adjudicator.packs.reading import Record, Rows, plain, records


@dataclass(slots=True)
class Change:
    """What one record of an overlay really changes: fields, or the whole datum (added or removed)."""

    section: str
    entry: Record
    address: dict[str, Any]
    fields: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    whole: str = ""


Correct = Callable[["Layer", str, Record], None]


class Layer:
    """Lays records over the files of a pack and remembers what they changed."""

    def __init__(self, files: PackFiles, faults: Faults) -> None:
        self.files, self.faults = files, faults
        self.made: list[Change] = []
        self.at_end: list[Callable[[], None]] = []
        self.state: dict[str, Any] = {}

    def correct(self, name: str, entry: Record, how: Correct) -> None:
        """Lay one record over the pack by the way of its part."""
        how(self, name, entry)

    def corrections(self) -> list[dict[str, Any]]:
        """All corrections as records of texts, for the compiled tree and for people."""
        found: list[dict[str, Any]] = []
        for change in self.made:
            what = " ".join(str(value) for value in change.address.values())
            told = {"part": change.section, "what": what}
            if change.whole:
                found.append({**told, "field": "", "before": "", "after": change.whole})
            for key, (before, after) in change.fields.items():
                found.append({**told, "field": key, "before": shown(before), "after": shown(after)})
        return found

    def change(self, name: str, entry: Record, address: Mapping[str, Any]) -> Change:
        """A change to fill in; it counts once it holds something (:meth:`keep`)."""
        return Change(name, entry, dict(address))

    def keep(self, change: Change) -> None:
        """Remember a change that changes something."""
        if change.fields or change.whole:
            self.made.append(change)

    def merge(self, row: Record, entry: Record, change: Change, skip: tuple[str, ...]) -> None:
        """Put the fields of an overlay's record into one of the pack; the owner becomes their source."""
        for key, value in entry.items():
            if key in (*skip, "remove"):
                continue
            before = plain(row.get(key, ""))
            if before != plain(value):
                change.fields[key] = (before, plain(value))
                row[key] = value
        if change.fields:
            mark(row, entry, tuple(change.fields))


def mark(row: Record, entry: Record, changed: tuple[str, ...] = ()) -> None:
    """Make the owner the source of a record, or of the fields that name a source of their own."""
    own = [f"{key}_source" for key in changed if f"{key}_source" in row]
    for key in own:
        row[key] = OWNER
    if len(own) < len(changed) or not changed:
        row["source"] = OWNER
        row["confidence"] = "exact"
    row.pop("cites", None)
    row.file, row.line, row.column, row.corrected = entry.file, entry.line, entry.column, True


def shown(value: Any) -> str:
    """A value in one line."""
    return value if isinstance(value, str) else flow(value)


def by_key(file: str, key: str, *address: str) -> Correct:
    """How a list of records is corrected whose entries are known by one or several of their fields."""

    def how(layer: Layer, name: str, entry: Record) -> None:
        if not layer.faults.need(entry, address):
            return
        correct_rows(layer, name, entry, layer.files.rows(file, key), {field: str(entry[field]) for field in address})

    return how


def correct_rows(layer: Layer, name: str, entry: Record, rows: Rows, address: dict[str, str]) -> None:
    """Correct, add or remove the record of a list that an address names."""
    change = layer.change(name, entry, address)
    row = next((r for r in records(rows) if all(str(r.get(key)) == value for key, value in address.items())), None)
    if entry.get("remove") == "yes":
        if row is None:
            text = f"{' '.join(address.values())} is not in {name}, so it can't be removed; correct it"
            layer.faults.add(entry, "address", text)
            return
        index = next(i for i, r in enumerate(rows) if r is row)
        del rows[index], rows.lines[index]
        change.whole = "removed"
    elif row is not None:
        layer.merge(row, entry, change, tuple(address))
    elif len(entry) == len(address):
        layer.faults.add(entry, "address", f"{' '.join(address.values())} is not in {name}; correct it")
    else:
        mark(entry, entry)
        rows.append(entry)
        rows.lines.append(entry.line)
        change.whole = "added"
    layer.keep(change)

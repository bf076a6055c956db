"""The shape of the records of a data file: which keys a record must and may have, and what each of them takes.

A shape is data; ``check_rows`` and ``check_record`` hold records against one and report every key that is unknown,
lacking or of another kind than the shape says. What the values mean together is the affair of each game's own checks.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from adjudicator.packs.faults import Faults
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, Rows

Kind = Callable[[Faults, Record, str, Any], None]
"""What a key takes: reports a fault of the record where the value is of another kind."""

_SLUG: Final = re.compile(r"[a-z][a-z0-9-]{0,63}")
_SHARE: Final = re.compile(r"-?[0-9]{1,6}(/[1-9][0-9]{0,3})?")
LONGEST: Final = 2000
"""Characters that one text of a pack may have."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The keys a record must have and those it may have, each with what it takes."""

    need: Mapping[str, Kind]
    may: Mapping[str, Kind] = field(default_factory=dict)
    blank: frozenset[str] = frozenset()
    """Keys that may be there with nothing in them."""

    def kind(self, key: str) -> Kind | None:
        """What a key takes; ``None`` for one that the record may not have."""
        return self.need.get(key) or self.may.get(key)


def check_record(faults: Faults, row: Record, shape: Shape) -> None:
    """One record against its shape."""
    faults.need(row, tuple(shape.need))
    for key, value in row.items():
        kind = shape.kind(key)
        if kind is None:
            faults.add_at(row, key, "key", _unknown(key, shape))
        elif value not in ("", [], {}):
            kind(faults, row, key, value)
        elif key not in shape.need and value == "" and key not in shape.blank:
            faults.add_at(row, key, "missing", f"{key} is empty; fill it in or take it out")


def check_rows(faults: Faults, top: Record, key: str, shape: Shape | Callable[[Record], Shape | None]) -> None:
    """A list of a file against the shape of its records, which may hang on the record."""
    rows = top.get(key)
    if rows is None or rows == "":
        faults.at(top.file, top.key_lines.get(key, 1), "missing", f"the file has no {key}; put the list back")
    elif not isinstance(rows, Rows):
        faults.add_at(top, key, "nesting", f"{key} must be a list of records; begin each with a dash")
    else:
        for index, row in enumerate(rows):
            if not isinstance(row, Record):
                text = f"this entry of {key} is no record; write it as - {{key: value, ...}}"
                faults.at(top.file, rows.lines[index], "nesting", text)
                continue
            found = shape if isinstance(shape, Shape) else shape(row)
            if found is not None:
                check_record(faults, row, found)


def check_keys(faults: Faults, files: PackFiles, file: str, known: tuple[str, ...]) -> None:
    """The keys at the top of a file."""
    top = files.files[file]
    for key in top:
        if key not in known:
            faults.add_at(top, key, "key", _unknown(key, Shape(dict.fromkeys(known, text))))


def _unknown(key: str, shape: Shape) -> str:
    known = [*shape.need, *shape.may]
    near = difflib.get_close_matches(key, known, 1)
    hint = f"did you mean {near[0]}?" if near else f"use: {', '.join(known)}"
    return f"{key} is no field here; {hint}"


# --- what a key may take ----------------------------------------------------------------------------------------


def text(faults: Faults, row: Record, key: str, value: Any) -> None:
    """A text in one line without blanks around it."""
    if not isinstance(value, str):
        faults.add_at(row, key, "nesting", f"{key} must be a text, not a list or mapping; write it on one line")
    elif value != value.strip() or not value.isprintable():
        faults.add_at(row, key, "text", f"{key} has blanks around it or a control character; take them out")
    elif len(value) > LONGEST:
        faults.add_at(row, key, "text", f"{key} has {len(value)} characters, {LONGEST} are the most; shorten it")


def word(*allowed: str) -> Kind:
    """One of some words."""

    def kind(faults: Faults, row: Record, key: str, value: Any) -> None:
        if value not in allowed:
            told = value if isinstance(value, str) else "that is a list or mapping"
            near = difflib.get_close_matches(str(value).strip().lower(), allowed, 1, 0.5)
            hint = f"; did you mean {near[0]}?" if near else ""
            faults.add_at(row, key, "word", f"{key} {told} is unknown; use one of: {', '.join(allowed)}{hint}")

    return kind


def whole(least: int, most: int) -> Kind:
    """A whole number within bounds, both included."""

    def kind(faults: Faults, row: Record, key: str, value: Any) -> None:
        good = isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,9}", value) and least <= int(value) <= most
        if not good:
            told = value if isinstance(value, str) else "that is a list or mapping"
            faults.add_at(row, key, "number", f"{key} {told} is no whole number from {least} to {most}; correct it")

    return kind


def share(least: str, most: str, parts: int = 2) -> Kind:
    """A number or fraction within bounds, its denominator one of those up to ``parts``."""
    low, high = Fraction(least), Fraction(most)

    def kind(faults: Faults, row: Record, key: str, value: Any) -> None:
        good = isinstance(value, str) and _SHARE.fullmatch(value) and low <= Fraction(value) <= high
        if not good or Fraction(value).denominator > parts:
            told = value if isinstance(value, str) else "that is a list or mapping"
            how = f"from {least} to {most}, whole or a fraction as 1/{parts}"
            faults.add_at(row, key, "number", f"{key} {told} is no number {how}; correct it")

    return kind


def either(kind_of_text: Kind, word_instead: str) -> Kind:
    """A value of one kind, or a certain word."""

    def kind(faults: Faults, row: Record, key: str, value: Any) -> None:
        if value != word_instead:
            kind_of_text(faults, row, key, value)

    return kind


def slug(faults: Faults, row: Record, key: str, value: Any) -> None:
    """An id."""
    if not (isinstance(value, str) and _SLUG.fullmatch(value)):
        told = value if isinstance(value, str) else "that is a list or mapping"
        faults.add_at(row, key, "id", f"{key} {told} is no slug; use small letters, digits and hyphens, a letter first")


def source(faults: Faults, row: Record, key: str, value: Any) -> None:
    """Where a datum comes from."""
    if isinstance(value, str):
        faults.source_word(row, key)
    else:
        text(faults, row, key, value)


def texts(kind: Kind = text) -> Kind:
    """A list of texts of a kind."""

    def listed(faults: Faults, row: Record, key: str, value: Any) -> None:
        if not isinstance(value, list):
            faults.add_at(row, key, "nesting", f"{key} must be a list; write it as [{value}]")
            return
        for item in value:
            kind(faults, row, key, item)

    return listed


def listed(shape: Shape) -> Kind:
    """A list of records of a shape."""

    def kind(faults: Faults, row: Record, key: str, value: Any) -> None:
        if not isinstance(value, list) or not all(isinstance(item, Record) for item in value):
            faults.add_at(row, key, "nesting", f"{key} must be a list of records; write it as [{{key: value}}]")
            return
        for item in value:
            check_record(faults, item, shape)

    return kind


def record(shape: Shape) -> Kind:
    """A record of a shape."""

    def kind(faults: Faults, row: Record, key: str, value: Any) -> None:
        if isinstance(value, Record):
            check_record(faults, value, shape)
        else:
            faults.add_at(row, key, "nesting", f"{key} must be a mapping; write it as {{key: value}}")

    return kind


def anything(faults: Faults, row: Record, key: str, value: Any) -> None:
    """Whatever; another check looks at it."""
    assert key in row

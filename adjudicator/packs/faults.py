"""Faults of a data pack, each with its place, its reason and the way to mend it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

from adjudicator.packs.reading import Record

SOURCES: Final = ("rulebook", "public", "sibling", "history", "inferred")
"""Where a datum can come from (rulebook: our copy of the game; sibling: another game of the series)."""
_NUMBER: Final = re.compile(r"-?[0-9]{1,9}")
OWNER: Final = "owner"
"""The source of what the owner of a printed game corrected in an overlay; the pack itself has none of it."""


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One fault; ``str()`` is ``FILE:LINE:COL: error[CODE]: what; why; how to mend``."""

    file: str
    line: int
    column: int
    code: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: error[pack.{self.code}]: {self.text}"


@dataclass(slots=True)
class Faults:
    """Collects faults, so that all are reported at once."""

    found: list[Fault] = field(default_factory=list)

    def add(self, row: Record, code: str, text: str) -> None:
        """A fault at the record where it stands."""
        self.found.append(Fault(row.file, row.line, row.column, code, text))

    def at(self, file: str, line: int, code: str, text: str) -> None:
        """A fault at a line that is no record."""
        self.found.append(Fault(file, line, 1, code, text))

    def add_at(self, row: Record, key: str, code: str, text: str) -> None:
        """A fault at one key of a record, where its line is known; else at the record."""
        line = row.key_lines.get(key)
        self.found.append(Fault(row.file, line or row.line, 1 if line else row.column, code, text))

    def need(self, row: Record, keys: tuple[str, ...]) -> bool:
        """Whether a record has all of these keys with something in them; a fault for each it lacks."""
        lacking = [key for key in keys if row.get(key, "") in ("", [], {})]
        for key in lacking:
            self.add(row, "missing", f"the record has no {key}; add it")
        return not lacking

    def one_of(self, row: Record, key: str, allowed: tuple[str, ...]) -> bool:
        """Whether the value of a key is one of the words allowed; a fault if it is there and is not."""
        value = row.get(key)
        if value is None or value in allowed:
            return value is not None
        self.add(row, "word", f"{key} {value} is unknown; use one of: {', '.join(allowed)}")
        return False

    def source(self, row: Record) -> None:
        """Each datum says where it comes from."""
        if row.get("source", "") == "":
            self.add(row, "source", f"the record has no source; add one of: {', '.join(SOURCES)}")
        else:
            self.source_word(row, "source")

    def source_word(self, row: Record, key: str) -> None:
        """The source that a key names is one there is; an overlay's is the owner."""
        if not (row.corrected and row.get(key) == OWNER):
            self.one_of(row, key, SOURCES)

    def unique(self, seen: dict[str, Record], key: str, row: Record, what: str) -> bool:
        """Whether this is the first record with that key; a fault that names the other one."""
        first = seen.setdefault(key, row)
        if first is row:
            return True
        self.add(row, "twice", f"{what} {key} stands in line {first.line} of {first.file} already; keep one")
        return False


def number(value: Any) -> bool:
    """Whether a text is a whole number, perhaps negative."""
    return isinstance(value, str) and _NUMBER.fullmatch(value) is not None

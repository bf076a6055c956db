"""What a compiled pack holds and where it comes from: for ``pack show`` and its list of doubtful data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

RULEBOOK: Final = "rulebook"
NAMES: Final = ("id", "unit", "name", "hex", "place", "what", "event")
QUIET: Final = ("source", "confidence", "cites", "aliases", "caps", "components")
PART: Final = "_source"
"""Ending of a key that says where one field of a record is known from: ``terrain_source``."""


@dataclass(frozen=True, slots=True)
class Datum:
    """One record of a pack that names its source. ``part`` is the list it stands in (``scenarios/compass/deploy``)."""

    part: str
    row: Mapping[str, Any]

    @property
    def source(self) -> str:
        """Where it is known from."""
        return str(self.row["source"])

    @property
    def parts(self) -> list[str]:
        """Fields that come from elsewhere than the rulebook, each with its source."""
        fields = [(key, value) for key, value in self.row.items() if key.endswith(PART)]
        return [f"{key.removesuffix(PART)} {value}" for key, value in fields if value != RULEBOOK]

    @property
    def line(self) -> str:
        """The record in one line: its plain fields, and in brackets where it and its fields are known from."""
        fields = {key: value for key, value in self.row.items() if isinstance(value, str) and not key.endswith(PART)}
        plain = [f"{key} {value}" for key, value in fields.items() if key not in QUIET]
        told = filter(None, (self.source, str(self.row.get("confidence", "")), *self.parts))
        return f"{', '.join(plain)} [{', '.join(told)}]"


def data(tree: Mapping[str, Any]) -> Iterator[Datum]:
    """All records with a source, in the order of the tree."""
    for key, value in tree.items():
        yield from _walk(key, value)


def _walk(part: str, value: Any) -> Iterator[Datum]:
    if isinstance(value, list):
        for item in value:
            yield from _walk(part, item)
    elif isinstance(value, dict):
        if isinstance(value.get("source"), str):
            yield Datum(part, value)
        name = str(value.get("id", "")) if "source" not in value else ""
        for key, inner in value.items():
            if isinstance(inner, (list, dict)):
                yield from _walk("/".join(filter(None, (part, name, key))), inner)


def by_source(tree: Mapping[str, Any]) -> dict[str, Counter[str]]:
    """How many records of each part come from which source."""
    found: dict[str, Counter[str]] = {}
    for datum in data(tree):
        found.setdefault(datum.part, Counter())[datum.source] += 1
    return found


def doubtful(tree: Mapping[str, Any]) -> list[Datum]:
    """The records that are not from the rulebook, or of which a field is not."""
    return [datum for datum in data(tree) if datum.source != RULEBOOK or datum.parts]

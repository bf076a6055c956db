"""What the rulebook prints, read from ``printed.yaml`` and ``printed-charts.yaml`` for the checker to compare with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from adjudicator.packs.errors import PackError
from adjudicator.packs.faults import Fault, Faults
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, read, records

FACTS: Final = "printed.yaml"
CHARTS: Final = "printed-charts.yaml"
_NEEDED: Final = (
    "ports",
    "terminals",
    "fortresses",
    "full_cities",
    "countries",
    "regions",
    "land_around",
    "land_hexes",
    "up",
    "road_to",
    "rail",
    "unbuilt",
    "canal",
    "types",
    "zoc_sizes",
    "support_sizes",
    "re",
    "units",
    "air",
)


@dataclass(frozen=True, slots=True)
class Printed:
    """Both files; ``None`` for one that is not there or can't be used, which is a fault already."""

    facts: Record | None
    charts: Record | None

    def rows(self, key: str) -> list[Record]:
        """A list of records of the facts."""
        return list(records(self.facts.get(key))) if self.facts is not None else []

    def words(self, key: str) -> list[str]:
        """A list of texts of the facts."""
        found: Any = self.facts.get(key, []) if self.facts is not None else []
        return [str(item) for item in found] if isinstance(found, list) else []

    def by_place(self, key: str, word: str) -> dict[str, str]:
        """Place -> word, of a list whose records name some ``places``."""
        return {str(name): str(row[word]) for row in self.rows(key) for name in row.get("places", [])}


def read_printed(files: PackFiles, faults: Faults) -> Printed:
    """Both files; a fault where one can't be read or lacks a list."""
    facts, charts = (_read(files, name, faults) for name in (FACTS, CHARTS))
    if facts is not None:
        lacking = [key for key in _NEEDED if not facts.get(key)]
        for key in lacking:
            faults.at(FACTS, 1, "missing", f"the file has no {key}; put back what the rulebook prints of it")
        if lacking:
            facts = None
    return Printed(facts, charts)


def _read(files: PackFiles, name: str, faults: Faults) -> Record | None:
    try:
        return read(files.folder / name, name)
    except PackError as error:
        faults.found.append(unreadable(str(error)))
        return None


def unreadable(text: str) -> Fault:
    """The fault of a file that can't be read."""
    file, line, column, rest = text.split(":", 3)
    return Fault(file, int(line), int(column), "file", rest.removeprefix(" error: "))

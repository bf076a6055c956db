"""The files of a pack folder, read once and shared by compiler and checker."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from adjudicator.packs.errors import PackError
from adjudicator.packs.reading import Record, Rows, read, records
from adjudicator.packs.western_desert.hexes import Grid, Overlap

DATA_FILES: Final = {
    "western-desert": (
        "map.yaml",
        "types.yaml",
        "counters.yaml",
        "air.yaml",
        "charts.yaml",
        "events.yaml",
        "rulings.yaml",
        "assumptions.yaml",
        "sources.yaml",
    ),
    "shifting-sands": (
        "map.yaml",
        "units.yaml",
        "cards.yaml",
        "tables.yaml",
        "setups.yaml",
        "rulings.yaml",
        "assumptions.yaml",
        "sources.yaml",
    ),
}
"""The files of a pack beside pack.yaml and its scenarios, by system."""


@dataclass(frozen=True, slots=True)
class PackFiles:
    """A pack folder in memory: each file by its name, the scenarios in the order of their file names."""

    folder: Path
    files: dict[str, Record]
    scenarios: tuple[Record, ...]
    grid: Grid
    """The hexes of the map; none for a map of spaces."""

    @property
    def system(self) -> str:
        """The game the pack belongs to."""
        return str(self.files["pack.yaml"]["system"])

    def rows(self, file: str, key: str) -> Rows:
        """A list of a file, empty when the file has none of that name."""
        found: Any = self.files[file].get(key)
        return found if isinstance(found, Rows) else Rows(file, 1)


def read_pack(folder: Path) -> PackFiles:
    """Read all data files of a pack folder.

    Raises:
        PackError: at the first file that can't be read; what is in the files is judged by ``check_pack``.
    """
    head = read(folder / "pack.yaml", "pack.yaml")
    files = {"pack.yaml": head, **{name: read(folder / name, name) for name in DATA_FILES[_system(head)]}}
    scenarios = tuple(read(path, f"scenarios/{path.name}") for path in sorted((folder / "scenarios").glob("*.yaml")))
    return PackFiles(folder, files, scenarios, _grid(head))


def _system(head: Record) -> str:
    system = str(head.get("system", ""))
    if system not in DATA_FILES:
        known = ", ".join(sorted(DATA_FILES))
        text = f"the system {system or 'is missing'} is none this program plays; use one of: {known}"
        raise PackError(f"pack.yaml:{head.line}:1: error: {text}")
    return system


def _grid(pack: Record) -> Grid:
    if pack["system"] != "western-desert":
        return Grid(())
    sheets = list(records(pack.get("sheets")))
    if not sheets:
        raise PackError(f"pack.yaml:{_line(pack, 'sheets')}:1: error: there is no list of sheets; put it back")
    sizes = tuple((_size(s, "sheet"), _size(s, "columns"), _size(s, "rows")) for s in sheets)
    lap = pack.get("overlap")
    if lap is None:
        return _joined(sizes, None)
    if not isinstance(lap, Record):
        raise PackError(f"pack.yaml:{_line(pack, 'overlap')}:1: error: overlap is no mapping; write it in braces")
    keys = ("sheet", "column", "is_sheet", "is_column", "row_offset")
    return _joined(sizes, Overlap(*(_size(lap, key) for key in keys)))


@lru_cache(maxsize=8)
def _joined(sizes: tuple[tuple[int, int, int], ...], overlap: Overlap | None) -> Grid:
    """The grid of these sheets: one for all packs that have them, since it remembers what it has worked out."""
    return Grid(sizes, overlap)


def _size(row: Record, key: str) -> int:
    """A number from 1 to 99: sheets, columns and rows have two digits (WD 2.B)."""
    text = str(row.get(key, ""))
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= 99):
        what = f"{key} {text or 'is missing and'} is no whole number from 1 to 99; correct it"
        raise PackError(f"pack.yaml:{row.line}:{row.column}: error: {what}")
    return int(text)


def _line(row: Record, key: str) -> int:
    return row.key_lines.get(key, row.line)

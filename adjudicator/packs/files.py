"""The files of a pack folder, read once and shared by compiler and checker."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from adjudicator.packs.errors import PackError
from adjudicator.packs.hexes import Grid, Overlap
from adjudicator.packs.reading import Record, Rows, read, records

DATA_FILES: Final = (
    "pack.yaml",
    "map.yaml",
    "types.yaml",
    "counters.yaml",
    "air.yaml",
    "charts.yaml",
    "rulings.yaml",
    "assumptions.yaml",
    "sources.yaml",
)


@dataclass(frozen=True, slots=True)
class PackFiles:
    """A pack folder in memory: each file by its name, the scenarios in the order of their file names."""

    folder: Path
    files: dict[str, Record]
    scenarios: tuple[Record, ...]
    grid: Grid

    def rows(self, file: str, key: str) -> Rows:
        """A list of a file, empty when the file has none of that name."""
        found: Any = self.files[file].get(key)
        return found if isinstance(found, Rows) else Rows(file, 1)


def read_pack(folder: Path) -> PackFiles:
    """Read all data files of a pack folder.

    Raises:
        PackError: at the first file that can't be read; what is in the files is judged by ``check_pack``.
    """
    files = {name: read(folder / name, name) for name in DATA_FILES}
    scenarios = tuple(read(path, f"scenarios/{path.name}") for path in sorted((folder / "scenarios").glob("*.yaml")))
    return PackFiles(folder, files, scenarios, _grid(files["pack.yaml"]))


def _grid(pack: Record) -> Grid:
    try:
        sizes = tuple((int(s["sheet"]), int(s["columns"]), int(s["rows"])) for s in records(pack["sheets"]))
        lap = pack.get("overlap")
        overlap = None
        if isinstance(lap, Record):
            keys = ("sheet", "column", "is_sheet", "is_column", "row_offset")
            overlap = Overlap(*(int(lap[key]) for key in keys))
    except (KeyError, ValueError) as err:
        raise PackError(f"pack.yaml:{pack.line}:1: error: sheets and overlap need whole numbers ({err})") from err
    return Grid(sizes, overlap)

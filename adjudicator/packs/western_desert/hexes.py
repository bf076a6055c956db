"""Hex names of sheets with flat-topped hexes in columns (WD 2.B), free of any one game's geography.

A hex is written ``18/4818``: sheet, column, row. Rows count southwards; an even column lies half a hex lower than
the odd columns beside it. Neighbouring sheets overlap in one column, whose hexes have one fixed name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

_NAME: Final = re.compile(r"([0-9]{2})/([0-9]{2})([0-9]{2})")
_STEPS: Final = ((0, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))
"""Column and row steps from an even column, clockwise from the north; an odd column climbs one row less."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """The column of ``sheet`` that is the same as one of ``is_sheet``; row there = row here - ``row_offset``."""

    sheet: int
    column: int
    is_sheet: int
    is_column: int
    row_offset: int


@dataclass(frozen=True, slots=True)
class Grid:
    """Hex names of some sheets joined by an overlap column (WD 30)."""

    sizes: tuple[tuple[int, int, int], ...]
    """Sheet, columns, rows."""
    overlap: Overlap | None = None
    _names: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)
    _around: dict[str, tuple[str | None, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)
    """What has been worked out before: canonical names, and what lies around a hex. Only names of this grid."""

    def size(self, sheet: int) -> tuple[int, int] | None:
        """Columns and rows of a sheet, ``None`` when there is no such sheet."""
        return next(((columns, rows) for s, columns, rows in self.sizes if s == sheet), None)

    def parse(self, name: str) -> tuple[int, int, int] | None:
        """Sheet, column, row of a hex name, ``None`` when the text names no hex of this grid."""
        match = _NAME.fullmatch(name)
        if match is None:
            return None
        sheet, column, row = (int(part) for part in match.groups())
        return (sheet, column, row) if self._inside(sheet, column, row) else None

    def canonical(self, name: str) -> str | None:
        """The one name of a hex: an overlap hex by its other sheet's name; ``None`` for what is no hex."""
        known = self._names.get(name)
        if known is None:
            place = self.parse(name)
            if place is None:
                return None
            known = self._names[name] = write(*self._one(*place))
        return known

    def all_hexes(self) -> list[str]:
        """Every hex once, by its canonical name, in the order of sheets, columns and rows."""
        names: dict[str, None] = {}
        for sheet, columns, rows in self.sizes:
            for column in range(1, columns + 1):
                for row in range(1, rows + 1):
                    names[write(*self._one(sheet, column, row))] = None
        return sorted(names)

    def neighbours(self, name: str) -> list[str]:
        """The canonical names of the hexes around one, clockwise from the north; fewer than six on an edge."""
        around = self.around(name)
        return [other for other in around if other is not None]

    def around(self, name: str) -> list[str | None]:
        """Six entries, clockwise from the north, ``None`` where the map ends.

        Raises:
            ValueError: if ``name`` is no hex of this grid.
        """
        if name not in self._around:
            place = self.parse(name)
            if place is None:
                raise ValueError(f"no such hex: {name}")
            frames = self._frames(*place)
            steps = ((self._step(frame, index) for frame in frames) for index in range(6))
            self._around[name] = tuple(next((there for there in found if there), None) for found in steps)
        return list(self._around[name])

    def adjacent(self, one: str, other: str) -> bool:
        """Whether two hexes share a hexside."""
        here, there = self.canonical(one), self.canonical(other)
        return here is not None and there is not None and there in self.neighbours(here)

    def _inside(self, sheet: int, column: int, row: int) -> bool:
        size = self.size(sheet)
        return size is not None and 1 <= column <= size[0] and 1 <= row <= size[1]

    def _one(self, sheet: int, column: int, row: int) -> tuple[int, int, int]:
        lap = self.overlap
        if lap and (sheet, column) == (lap.sheet, lap.column):
            other = (lap.is_sheet, lap.is_column, row - lap.row_offset)
            if self._inside(*other):
                return other
        return sheet, column, row

    def _frames(self, sheet: int, column: int, row: int) -> list[tuple[int, int, int]]:
        """The same hex in the count of each sheet, also where that sheet does not reach."""
        lap, frames = self.overlap, [(sheet, column, row)]
        if lap and sheet == lap.is_sheet:
            frames.append((lap.sheet, column - lap.is_column + lap.column, row + lap.row_offset))
        elif lap and sheet == lap.sheet:
            frames.append((lap.is_sheet, column - lap.column + lap.is_column, row - lap.row_offset))
        return frames

    def _step(self, frame: tuple[int, int, int], index: int) -> str | None:
        sheet, column, row = frame
        across, down = _STEPS[index]
        if across and column % 2:
            down -= 1
        there = (sheet, column + across, row + down)
        return write(*self._one(*there)) if self._inside(*there) else None


def write(sheet: int, column: int, row: int) -> str:
    """The text of a hex: ``write(18, 48, 18)`` is ``18/4818``."""
    return f"{sheet:02d}/{column:02d}{row:02d}"


def label(name: str) -> str:
    """A hex as labels of dice write it: ``18.4818`` (PROTOCOL 4.6)."""
    return name.replace("/", ".")

"""The shore as it is in nature, worked out once by scripts/build_shore.py and kept beside the board's layout.

It is drawn only where it fits: for the grid and the sea hexes it was made for. A pack whose owner corrected the sea is
drawn with the smooth outline of its hexes instead.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from adjudicator.vassal.board import BoardLayout

FILE_NAME = "shore.json"
Ring = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Shore:
    """Land as closed lines in pixels of the whole map (a line within another is water), and what it was made for."""

    rings: tuple[Ring, ...]
    grid: tuple[int, ...]
    sea: frozenset[str]

    def fits(self, layout: BoardLayout, sea: Iterable[str]) -> bool:
        """Whether it was made for this grid and these sea hexes."""
        return self.grid == grid_of(layout) and self.sea == frozenset(sea)

    @property
    def path(self) -> str:
        """The land as an SVG path, to be filled by the rule of even and odd."""
        return "".join("M" + "L".join(f"{x:g},{y:g}" for x, y in ring) + "Z" for ring in self.rings)

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies on land."""
        inside = False
        for ring in self.rings:
            for (x1, y1), (x2, y2) in zip(ring, ring[1:] + ring[:1], strict=True):
                if (y1 > y) != (y2 > y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1):
                    inside = not inside
        return inside


def grid_of(layout: BoardLayout) -> tuple[int, ...]:
    """What the pixels of a shore depend on."""
    return layout.dx, layout.dy, layout.left, layout.top, layout.width, layout.height


def load_shore(board_file: Path) -> Shore | None:
    """The shore that is kept beside a board's layout, None where there is none."""
    path = board_file.parent / FILE_NAME
    if not path.is_file():
        return None
    tree = json.loads(path.read_text(encoding="utf-8"))
    rings = tuple(tuple((float(x), float(y)) for x, y in ring) for ring in tree["land"])
    return Shore(rings, tuple(int(number) for number in tree["grid"]), frozenset(tree["sea"]))

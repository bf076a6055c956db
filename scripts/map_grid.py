"""Plane geometry of the joined hex sheets: centres, corners and sides in miles (georeference.yaml, grid).

A hex is a pair (u, v): column and row of sheet 18, counted on over the join, so that sheet 19 begins at u = 51.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

Hex = tuple[int, int]
Side = tuple[Hex, Hex]
Point = tuple[float, float]

HEIGHT = 16.0
"""Miles between opposite sides (WD 1)."""
WIDTH = HEIGHT * math.sqrt(3) / 2
"""Miles between the centres of neighbouring columns."""
RADIUS = HEIGHT / math.sqrt(3)
JOIN = 50
"""Columns from sheet 18 to sheet 19; the row falls by 6 (WD 30)."""
ROW_OFFSET = 6
_STEPS = ((0, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))


def centre(hex_: Hex) -> Point:
    """The centre of a hex in miles; an even column lies half a hex lower."""
    u, v = hex_
    return u * WIDTH, (v + (0.5 if u % 2 == 0 else 0.0)) * HEIGHT


def corners(hex_: Hex) -> list[Point]:
    """The six corners, rounded so that neighbours share them."""
    x, y = centre(hex_)
    angles = (math.radians(60 * k) for k in range(6))
    return [(round(x + RADIUS * math.cos(a), 1), round(y + RADIUS * math.sin(a), 1)) for a in angles]


def outline(hex_: Hex) -> list[Point]:
    """The six corners, exact, for areas."""
    x, y = centre(hex_)
    angles = (math.radians(60 * k) for k in range(6))
    return [(x + RADIUS * math.cos(a), y + RADIUS * math.sin(a)) for a in angles]


def neighbours(hex_: Hex) -> list[Hex]:
    """The six hexes around one, also beyond the map, clockwise from the north."""
    u, v = hex_
    return [(u + a, v + b - (1 if a and u % 2 else 0)) for a, b in _STEPS]


def at(point: Point) -> Hex:
    """The hex that holds a point."""
    middle = round(point[0] / WIDTH)
    found = []
    for u in (middle - 1, middle, middle + 1):
        v = round(point[1] / HEIGHT - (0.5 if u % 2 == 0 else 0.0))
        found.append((math.dist(centre((u, v)), point), (u, v)))
    return min(found)[1]


def side(one: Hex, other: Hex) -> Side:
    """A hexside, its two hexes in order."""
    return (one, other) if one < other else (other, one)


def parse(text: str) -> Hex:
    """``19/0326`` as (53, 20)."""
    sheet, number = text.strip().split("/")
    column, row = int(number[:2]), int(number[2:])
    return (column, row) if sheet == "18" else (column + JOIN, row - ROW_OFFSET)


@dataclass(frozen=True)
class Sheets:
    """The two sheets: which hexes there are, and what they are called."""

    columns: int = 51
    rows: int = 35
    hexes: list[Hex] = field(default_factory=list)

    @classmethod
    def full(cls) -> Sheets:
        """Both sheets as full grids, in the order of their names."""
        sheets = cls()
        found = {(u, v) for u in range(1, cls.columns + 1) for v in range(1, cls.rows + 1)}
        found |= {(c + JOIN, r - ROW_OFFSET) for c in range(1, cls.columns + 1) for r in range(1, cls.rows + 1)}
        sheets.hexes.extend(sorted(found, key=sheets.name))
        return sheets

    def name(self, hex_: Hex) -> str:
        """The name of a hex; one of the overlap by sheet 18."""
        u, v = hex_
        if u <= self.columns and 1 <= v <= self.rows:
            return f"18/{u:02d}{v:02d}"
        return f"19/{u - JOIN:02d}{v + ROW_OFFSET:02d}"

    def other_name(self, hex_: Hex) -> str | None:
        """The second name of a hex of the overlap."""
        u, v = hex_
        both = u == self.columns and 1 <= v <= self.rows - ROW_OFFSET
        return f"19/{u - JOIN:02d}{v + ROW_OFFSET:02d}" if both else None


class SideGraph:
    """Corners and sides of all hexes as a graph, for lines that run along hexsides."""

    def __init__(self, hexes: Iterable[Hex]) -> None:
        owners: dict[tuple[Point, Point], list[Hex]] = {}
        for hex_ in hexes:
            ring = corners(hex_)
            for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
                owners.setdefault((min(a, b), max(a, b)), []).append(hex_)
        self.sides = {ends: side(*both) for ends, both in owners.items() if len(both) == 2}
        self.ends = {side_: ends for ends, side_ in self.sides.items()}
        self.links: dict[Point, list[Point]] = {}
        for a, b in sorted(self.sides):
            self.links.setdefault(a, []).append(b)
            self.links.setdefault(b, []).append(a)

    def between(self, a: Point, b: Point) -> Side:
        """The hexside between two linked corners."""
        return self.sides[min(a, b), max(a, b)]

    def nearest(self, point: Point) -> Point:
        """The corner nearest to a point."""
        return min(self.links, key=lambda corner: math.dist(corner, point))

    def left_of(self, a: Point, b: Point) -> Hex:
        """The hex on the left when walking from corner a to corner b (y grows southwards)."""
        one, other = self.between(a, b)
        x, y = centre(one)
        turn = (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])
        return one if turn < 0 else other

"""The shore line: the outline of the sea hexes, made smooth."""

from __future__ import annotations

from adjudicator.vassal.board import BoardLayout, neighbours, outlines
from adjudicator.vassal.model import Point

UV = tuple[int, int]


def sea_outline(layout: BoardLayout, sea: set[UV], hexes: set[UV]) -> str:
    """The sea as an SVG path. Beyond the map's edge it goes on wherever most neighbours are sea."""
    water = sea | _beyond(sea, hexes)
    return "".join(_path(_smooth(loop)) for loop in outlines(layout, water))


def _beyond(sea: set[UV], hexes: set[UV]) -> set[UV]:
    """Two rings of imagined sea hexes outside the map, so that its edge is no shore."""
    water = set(sea)
    known = set(hexes)
    for _ in range(2):
        ring = {n for uv in known for n in neighbours(uv)} - known
        for uv in sorted(ring):
            around = [n for n in neighbours(uv) if n in known]
            if sum(n in water for n in around) * 2 > len(around):
                water.add(uv)
        known |= ring
    return water - sea


def _smooth(loop: list[Point], rounds: int = 3) -> list[tuple[float, float]]:
    """Cuts the corners of a closed line, each round softer."""
    line: list[tuple[float, float]] = [(float(x), float(y)) for x, y in loop]
    for _ in range(rounds):
        cut: list[tuple[float, float]] = []
        for (x1, y1), (x2, y2) in zip(line, line[1:] + line[:1], strict=True):
            cut.append((x1 * 0.75 + x2 * 0.25, y1 * 0.75 + y2 * 0.25))
            cut.append((x1 * 0.25 + x2 * 0.75, y1 * 0.25 + y2 * 0.75))
        line = cut
    return line


def _path(line: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in line) + "Z"

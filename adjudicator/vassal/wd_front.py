"""Western Desert: where the two sides face each other on the map, for the map to open there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import median_low
from typing import Any

from adjudicator.vassal.board import BoardLayout
from adjudicator.vassal.model import Placement, Point

SIDES = ("allied", "axis")


def front(layout: BoardLayout, pack: Mapping[str, Any], placements: Iterable[Placement]) -> Point | None:
    """The middle of where ground units of both sides are nearest to each other, in map pixels.

    Pairs that are up to a hex further apart than the nearest count too; the median keeps a lone garrison from drawing
    the view off. Where one side has nobody on the map it is the middle of the other; None for an empty map.
    """
    sides = {str(row["id"]): str(row["side"]) for row in pack["counters"]}
    there: dict[str, set[Point]] = {side: set() for side in SIDES}
    for placement in placements:
        side = sides.get(placement.id, "")
        if side in there and layout.hex_at(placement.x, placement.y) is not None:
            there[side].add((placement.x, placement.y))
    allied, axis = (sorted(there[side]) for side in SIDES)
    return _middle(_nearest(allied, axis, layout.dy) or allied + axis)


def _nearest(allied: list[Point], axis: list[Point], slack: int) -> list[Point]:
    """The middles between spots of both sides that are about as near to each other as any."""
    pairs = [(abs(a - c) + abs(b - d), (a + c) // 2, (b + d) // 2) for a, b in allied for c, d in axis]
    least = min((far for far, _, _ in pairs), default=0)
    return [(x, y) for far, x, y in pairs if far <= least + slack]


def _middle(points: list[Point]) -> Point | None:
    if not points:
        return None
    return median_low([x for x, _ in points]), median_low([y for _, y in points])

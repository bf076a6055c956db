"""Counters in a box beside the map: stacks in cells, none so high that it leans over its neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

# Counters of 56 pixels in cells of 62 by 66: with the lean of stacks that the maps have, four fit.
DEEP = 4


def fill(cells: int, homes: Sequence[tuple[int, T]], deep: int = DEEP) -> list[tuple[int, T]]:
    """Each of these in a cell of its box, bottom first in each cell.

    `homes` names each one's own cell, which all of its kind share. Where they would stack higher than `deep`, the rest
    goes into cells that nobody has, the last first. Only where no cell is left all stacks grow alike.
    """
    groups: dict[int, list[T]] = {}
    for home, item in homes:
        groups.setdefault(min(home, cells - 1), []).append(item)
    free = [cell for cell in reversed(range(cells)) if cell not in groups]
    while sum(-(-len(group) // deep) - 1 for group in groups.values()) > len(free):
        deep += 1
    placed: list[tuple[int, T]] = []
    for home, group in sorted(groups.items()):
        for first in range(0, len(group), deep):
            cell = free.pop(0) if first else home
            placed += [(cell, item) for item in group[first : first + deep]]
    return placed

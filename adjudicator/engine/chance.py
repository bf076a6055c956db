"""Choices of players that are programs, out of one stream of numbers. The same stream gives the same choices.

Rules never use it: it stands beside them, like the listing it picks from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """Picks by a stream of numbers from 0 (included) to 1 (excluded), which the caller owns."""

    __slots__ = ("_draw",)

    def __init__(self, draw: Callable[[], float]) -> None:
        self._draw = draw

    def below(self, bound: int) -> int:
        """A whole number from 0 to ``bound`` - 1; ``bound`` is at least 1."""
        return min(int(self._draw() * bound), bound - 1)

    def likely(self, share: float) -> bool:
        """True in so many of all cases, 0 never and 1 always."""
        return self._draw() < share

    def pick(self, items: Sequence[T]) -> T:
        """One item. Raises IndexError where there is none."""
        return items[self.below(len(items))]

    def mixed(self, items: Sequence[T]) -> list[T]:
        """All items in an order of chance."""
        found = list(items)
        for last in range(len(found) - 1, 0, -1):
            other = self.below(last + 1)
            found[last], found[other] = found[other], found[last]
        return found

    def some(self, items: Sequence[T], least: int = 0, most: int | None = None) -> list[T]:
        """From ``least`` to ``most`` items, every number as likely, in an order of chance."""
        top = len(items) if most is None else min(most, len(items))
        low = min(least, top)
        return self.mixed(items)[: low + self.below(top - low + 1)]

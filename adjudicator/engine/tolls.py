"""Chances and losses of a combat, added up over every way the dice can fall (engine.branches)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

ZERO = Fraction(0)
PLAIN = 4


@dataclass
class Toll:
    """What a result comes to: its chance, the faces of its die, losses by role and measure, how often the place is
    cleared. All but the chance and the faces are added up with the chance of each way.
    """

    chance: Fraction = ZERO
    faces: set[int] = field(default_factory=set)
    lost: dict[tuple[str, str], Fraction] = field(default_factory=dict)
    cleared: Fraction = ZERO

    def count(self, chance: Fraction) -> None:
        """One more way in which the result comes."""
        self.chance += chance

    def lose(self, role: str, measure: str, amount: Fraction, chance: Fraction) -> None:
        """What a side loses in such a way."""
        self.lost[(role, measure)] = self.lost.get((role, measure), ZERO) + chance * amount

    def mean(self, role: str, measure: str) -> Fraction:
        """The loss to be expected where this result comes."""
        return self.lost.get((role, measure), ZERO) / self.chance


def expected(tolls: Mapping[str, Toll], role: str, measure: str) -> Fraction:
    """The loss to be expected over all results."""
    return sum((toll.lost.get((role, measure), ZERO) for toll in tolls.values()), ZERO)


def amount(value: Fraction) -> str:
    """A number as on the counters, ``3 1/2``; a finer one to two places."""
    if value.denominator > PLAIN:
        return f"{float(value):.2f}"
    whole, rest = divmod(value.numerator, value.denominator)
    part = f"{rest}/{value.denominator}" if rest else ""
    return " ".join(filter(None, (str(whole) if whole or not part else "", part)))

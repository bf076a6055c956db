"""What a roll was worth to the side that rolled it: the measure of luck (PROTOCOL 12).

A game gives the value of every outcome by its own tables; mean and spread follow from these alone, exactly. Luck is
then how far the outcome lies from the mean, in units of the spread, so that a roll that decided much and one that
decided little count alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import sqrt

Number = int | Fraction


@dataclass(frozen=True, slots=True)
class Stake:
    """One roll: what it was for, whose it was, and the ``value`` that came against the ``mean`` and ``variance``.

    ``good`` tells that more came than was to be expected, ``chance`` how likely that was before the die.
    """

    what: str
    side: str
    value: Fraction
    mean: Fraction
    variance: Fraction
    chance: Fraction

    @property
    def good(self) -> bool:
        """True where more came than the mean."""
        return self.value > self.mean

    @property
    def luck(self) -> float:
        """Distance from the mean in standard deviations."""
        return float(self.value - self.mean) / sqrt(self.variance)


def stake(what: str, side: str, by_face: Sequence[Number], dice: Sequence[int]) -> Stake | None:
    """The stake of dice that each count by themselves: ``by_face`` is the value of the faces 1, 2, .. to the roller.

    None where every face is worth the same: nothing hung on such a roll. Raises IndexError for a die off its faces.
    """
    values = [Fraction(value) for value in by_face]
    faces, count = len(values), len(dice)
    mean = sum(values, Fraction(0)) / faces
    variance = sum(((value - mean) ** 2 for value in values), Fraction(0)) / faces
    if not variance or not count:
        return None
    if not all(1 <= die <= faces for die in dice):
        raise IndexError(f"{what}: dice {list(dice)} of {faces} faces")
    came = sum((values[die - 1] for die in dice), Fraction(0))
    return Stake(what, side, came, mean * count, variance * count, _above(tuple(values), count))


@lru_cache(maxsize=1024)
def _above(values: tuple[Fraction, ...], count: int) -> Fraction:
    """The chance that the sum of so many dice lies above its mean."""
    share = Fraction(1, len(values))
    sums = {Fraction(0): Fraction(1)}
    for _ in range(count):
        after: dict[Fraction, Fraction] = {}
        for total, chance in sums.items():
            for value in values:
                after[total + value] = after.get(total + value, Fraction(0)) + chance * share
        sums = after
    mean = sum(values, Fraction(0)) / len(values) * count
    return sum((chance for total, chance in sums.items() if total > mean), Fraction(0))

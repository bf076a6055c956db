"""The few statistics that `audit` needs, from the standard library alone."""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, exp, fsum, lgamma, log, sqrt

ENOUGH = 5.0
"""A chi-square is only told where every face is expected at least so often."""
_STEPS = 10_000
_SMALL = 1e-300


def chi_square(counts: Sequence[int]) -> tuple[float, int]:
    """Chi-square of face counts against equal chances, and its degrees of freedom. ValueError for no dice."""
    total, faces = sum(counts), len(counts)
    if faces < 2 or not total:
        raise ValueError("a chi-square needs dice, of two faces or more")
    expected = total / faces
    return fsum((count - expected) ** 2 for count in counts) / expected, faces - 1


def chi_square_p(value: float, freedom: int) -> float:
    """The chance that honest dice give a chi-square of this value or more: Q(freedom/2, value/2).

    Series below the turning point, continued fraction (Lentz) above it. ValueError for less than one degree.
    """
    if freedom < 1:
        raise ValueError(f"{freedom} degrees of freedom")
    if value <= 0:
        return 1.0
    half, x = freedom / 2, value / 2
    front = exp(half * log(x) - x - lgamma(half))
    return _told(1 - front * _series(half, x) if x < half + 1 else front * _fraction(half, x))


def _series(half: float, x: float) -> float:
    term = total = 1 / half
    for step in range(1, _STEPS):
        term *= x / (half + step)
        total += term
        if term < total * 1e-16:
            break
    return total


def _fraction(half: float, x: float) -> float:
    b = x + 1 - half
    c, d = 1 / _SMALL, 1 / b
    h = d
    for step in range(1, _STEPS):
        a = -step * (step - half)
        b += 2
        d = 1 / _kept(a * d + b)
        c = _kept(b + a / c)
        h *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return h


def _kept(value: float) -> float:
    return value if abs(value) > _SMALL else _SMALL


def _told(chance: float) -> float:
    """A chance in the ten digits that the mathematical libraries of all systems agree on."""
    return float(f"{chance:.10g}")


def normal_p(z: float) -> float:
    """The chance of a standard normal value at least as far from 0, on either side."""
    return _told(erfc(abs(z) / sqrt(2)))


def mean_z(values: Sequence[int], faces: int) -> tuple[float, float]:
    """The mean of dice, and how many standard deviations it lies from that of honest ones. ValueError for no dice."""
    if not values:
        raise ValueError("there is no mean of no dice")
    mean = sum(values) / len(values)
    return mean, (mean - (faces + 1) / 2) / sqrt((faces**2 - 1) / 12 / len(values))


def run_chance(chances: Sequence[float], length: int) -> float:
    """The chance that somewhere in a row of rolls ``length`` of them in succession fail, each of which succeeds with
    its own chance. ValueError for a run of no rolls."""
    if length < 1:
        raise ValueError(f"a run of {length} rolls")
    states, found = [1.0, *[0.0] * (length - 1)], 0.0
    for good in chances:
        found += states[-1] * (1 - good)
        states = [fsum(states) * good, *(state * (1 - good) for state in states[:-1])]
    return _told(found)

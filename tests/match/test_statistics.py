"""Chi-square, normal and mean against values that stand in tables or follow by hand."""

from __future__ import annotations

from itertools import product
from math import exp, isclose, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.match.statistics import chi_square, chi_square_p, mean_z, normal_p, run_chance

TABLE = [
    (3.841459, 1, 0.05), (6.634897, 1, 0.01), (5.991465, 2, 0.05), (11.070498, 5, 0.05), (15.086272, 5, 0.01),
    (20.515006, 5, 0.001), (1.145476, 5, 0.95), (4.351460, 5, 0.5), (18.307038, 10, 0.05), (124.342113, 100, 0.05),
    (43.187, 100, 1.0), (0.554298, 5, 0.99),
]


@pytest.mark.parametrize(("value", "freedom", "p"), TABLE)
def test_the_printed_table(value: float, freedom: int, p: float) -> None:
    assert chi_square_p(value, freedom) == pytest.approx(p, abs=2e-6)


def test_far_tails_and_edges() -> None:
    assert chi_square_p(0, 5) == 1.0
    assert isclose(chi_square_p(500.0, 2), exp(-250), rel_tol=1e-9)
    assert 0 < chi_square_p(720.0, 5) < 1e-150
    with pytest.raises(ValueError, match="degrees"):
        chi_square_p(1.0, 0)


@given(st.floats(0.01, 400), st.sampled_from((2, 4, 6, 8)))
def test_even_degrees_have_a_closed_form(value: float, freedom: int) -> None:
    term = total = 1.0
    for k in range(1, freedom // 2):
        term *= value / 2 / k
        total += term
    assert chi_square_p(value, freedom) == pytest.approx(exp(-value / 2) * total, rel=1e-9, abs=1e-15)


def test_counts() -> None:
    assert chi_square([10, 10, 10, 10, 10, 10]) == (0.0, 5)
    value, freedom = chi_square([5, 8, 9, 8, 10, 20])
    assert (round(value, 9), freedom) == (13.4, 5)
    with pytest.raises(ValueError, match="dice"):
        chi_square([0, 0])


def test_mean_and_normal() -> None:
    assert mean_z([1, 2, 3, 4, 5, 6], 6) == (3.5, 0.0)
    mean, z = mean_z([6] * 12, 6)
    assert mean == 6.0
    assert isclose(z, 2.5 / (35 / 12 / 12) ** 0.5)
    assert normal_p(0) == 1.0
    assert normal_p(1.959964) == pytest.approx(0.05, abs=1e-6)
    assert normal_p(-2.575829) == pytest.approx(0.01, abs=1e-6)
    with pytest.raises(ValueError, match="no dice"):
        mean_z([], 6)


@pytest.mark.parametrize("length", range(1, 7))
def test_runs_against_every_way_a_game_can_go(length: int) -> None:
    chances = [0.5, 1 / 6, 0.9, 0.25, 0.5, 1 / 3]
    found = 0.0
    for way in product((True, False), repeat=len(chances)):
        if any(not any(way[at : at + length]) for at in range(len(way) - length + 1)):
            found += prod(chance if won else 1 - chance for chance, won in zip(chances, way, strict=True))
    assert run_chance(chances, length) == pytest.approx(found)
    assert run_chance(chances, 7) == run_chance([], 1) == 0
    with pytest.raises(ValueError, match="run of 0"):
        run_chance(chances, 0)

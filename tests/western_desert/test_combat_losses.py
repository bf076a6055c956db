"""Losses: minimal sets, lawful sets, the default (WD 9.C, 9.D; pbem C2)."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from adjudicator.western_desert.losses import (
    Candidate,
    Duty,
    cheapest_set,
    loss_problems,
    minimal_sets,
    strength_of,
)

STRENGTHS = st.integers(0, 9).map(lambda n: Fraction(n, 2))
ROWS = st.lists(st.tuples(STRENGTHS, st.booleans(), st.booleans(), st.booleans()), min_size=1, max_size=8)


def duty_of(rows: list[tuple[Fraction, bool, bool, bool]], share: int) -> Duty:
    candidates = tuple(
        Candidate(f"u{i}", strength, cadre, giver, guns, 6 if cadre else 2)
        for i, (strength, cadre, giver, guns) in enumerate(rows)
    )
    everything = sum((c.strength for c in candidates), Fraction(0))
    return Duty("axis", everything * share / 4, "WD 9.C.AH-DH", candidates)


def every_set(duty: Duty) -> list[tuple[str, ...]]:
    names = [c.unit for c in duty.candidates]
    return [c for n in range(len(names) + 1) for c in combinations(names, n)]


@given(ROWS, st.integers(0, 4))
def test_the_minimal_sets_are_exactly_those_of_brute_force(
    rows: list[tuple[Fraction, bool, bool, bool]], n: int
) -> None:
    duty = duty_of(rows, n)
    enough = [s for s in every_set(duty) if strength_of(duty, s) >= duty.required]
    minimal = {tuple(sorted(s)) for s in enough if all(strength_of(duty, set(s) - {u}) < duty.required for u in s)}
    listed = list(minimal_sets(duty))
    assert len(listed) == len(set(listed))
    assert set(listed) == minimal


@given(ROWS, st.integers(0, 4))
def test_listed_equals_checked(rows: list[tuple[Fraction, bool, bool, bool]], n: int) -> None:
    duty = duty_of(rows, n)
    listed = [set(s) for s in minimal_sets(duty)]
    for chosen in every_set(duty):
        lawful = not loss_problems(duty, chosen)
        assert lawful == any(s <= set(chosen) for s in listed)


@given(ROWS, st.integers(1, 4))
def test_the_default_is_sufficient_minimal_and_cheapest(rows: list[tuple[Fraction, bool, bool, bool]], n: int) -> None:
    duty = duty_of(rows, n)
    if duty.required == 0:
        return
    chosen = cheapest_set(duty)
    excess = strength_of(duty, chosen) - duty.required
    least = min(strength_of(duty, s) for s in every_set(duty) if strength_of(duty, s) >= duty.required)
    assert chosen in set(minimal_sets(duty))
    assert excess == least - duty.required
    cadres = [c.unit for c in duty.candidates if c.cadre and c.strength == least]
    if not cadres:
        by_name = {c.unit: c for c in duty.candidates}
        same = [s for s in every_set(duty) if strength_of(duty, s) == least]
        assert sum(by_name[u].cadre for u in chosen) == min(sum(by_name[u].cadre for u in s) for s in same)
    else:
        assert chosen == (cadres[0],)


@given(ROWS, st.integers(1, 4), st.randoms())
def test_the_default_does_not_hang_on_the_order_of_units(
    rows: list[tuple[Fraction, bool, bool, bool]], n: int, random: object
) -> None:
    duty = duty_of(rows, n)
    shuffled = list(duty.candidates)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert cheapest_set(Duty(duty.side, duty.required, duty.rule, tuple(shuffled))) == cheapest_set(duty)


@given(ROWS, st.integers(1, 4), st.lists(st.sampled_from([f"u{i}" for i in range(8)]), unique=True))
def test_wishes_are_followed_and_always_lawful(
    rows: list[tuple[Fraction, bool, bool, bool]], n: int, named: list[str]
) -> None:
    duty = duty_of(rows, n)
    by_name = {c.unit: c for c in duty.candidates}
    chosen = cheapest_set(duty, order=named)
    assert not loss_problems(duty, chosen)
    worth = [u for u in named if u in by_name and by_name[u].strength > 0]
    if worth and duty.required > 0:
        assert worth[0] in chosen
    spared = cheapest_set(duty, never=named)
    assert not loss_problems(duty, spared)
    others = sum((c.strength for c in duty.candidates if c.unit not in named), Fraction(0))
    if others >= duty.required:
        assert not set(spared) & set(named)


def test_supporters_and_artillery_are_kept_where_it_costs_nothing() -> None:
    rows = [(Fraction(2), False, True, False), (Fraction(2), False, False, True), (Fraction(2), False, False, False)]
    assert cheapest_set(duty_of(rows, 1)) == ("u2",)
    assert cheapest_set(duty_of(rows[:2], 2)) == ("u1",)


def test_a_short_choice_is_told_in_numbers_with_a_mend() -> None:
    duty = duty_of([(Fraction(3), False, False, False), (Fraction(1), False, False, False)], 2)
    problem, basis = loss_problems(duty, ("u1",))
    assert (problem.rule, basis.rule) == ("WD 9.C.AH-DH", "WD 9.D")
    assert "loss of 1" in problem.text and "at least 2 of 4" in problem.text
    assert "u0" in problem.hint
    (strange,) = loss_problems(duty, ("x",))
    assert "x took no part" in strange.text


def test_forced_only_where_everything_must_go() -> None:
    assert duty_of([(Fraction(3), False, False, False)], 2).forced
    assert not duty_of([(Fraction(3), False, False, False), (Fraction(3), False, False, False)], 2).forced
    assert not duty_of([(Fraction(3), False, False, False), (Fraction(0), False, False, False)], 4).forced

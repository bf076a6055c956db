"""What is done in air combat where nobody says anything (WD 21): the defaults, the pairing by exact count."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.western_desert.air import policies
from adjudicator.western_desert.air.craft import DEFENSIVE_SUPPORT, DROP, ESCORT, GROUND_SUPPORT, INTERCEPT, TRANSFER
from adjudicator.western_desert.air.sky import Sky
from tests.western_desert.dogfights import bombers, escorts, flight, interceptors, sky


def at_screen(air: Sky, *ids: str) -> Sky:
    """The same air with those interceptors on the screen."""
    return replace(air, attackers=frozenset(ids))


# --- bombs ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("hunters", "dropped"), [(1, set()), (2, {"M2"}), (3, {"M1", "M2"}), (4, {"M1", "M2"})])
def test_bombs_are_dropped_while_interceptors_outnumber_the_screen(hunters: int, dropped: set[str]) -> None:
    """The smallest load first; never on ground support."""
    air = sky(
        *interceptors(*(f"I{n}" for n in range(hunters))),
        *escorts("E1"),
        flight("M1", "7F5", tactical=3),
        flight("M2", "7F5", DEFENSIVE_SUPPORT, tactical=1),
        flight("G1", "7F5", GROUND_SUPPORT, tactical=1),
        *bombers("B1"),
    )
    assert policies.jettison(air) == dropped


# --- split and pairs --------------------------------------------------------------------------------------------


def test_too_few_interceptors_all_pass_the_screen() -> None:
    assert policies.split(sky(*interceptors("I1"), *escorts("E1", "E2"), *bombers("B1"))) == frozenset()


def test_nobody_passes_where_there_is_nothing_behind_the_screen() -> None:
    air = sky(*interceptors("I1", "I2"), *escorts("E1", "E2", "E3"))
    assert policies.split(air) == {"I1", "I2"}
    assert policies.split(sky(*interceptors("I1", "I2"), *escorts("E1"))) == {"I1", "I2"}


def test_each_escort_is_covered_and_the_others_pass() -> None:
    """The good fighter is worth more against the escort, the poor one against the bomber."""
    air = sky(
        flight("I1", "3F3", INTERCEPT), flight("I2", "7F6", INTERCEPT), flight("E1", "5F5", ESCORT), *bombers("B1")
    )
    assert policies.split(air) == {"I2"}


def test_who_covers_is_weighed_against_who_is_missed_behind_the_screen() -> None:
    """The better fighter gains 36 at the escort and 33 at the dive bomber, the poor one 0 and loses 5."""
    air = sky(
        flight("I1", "3F3", INTERCEPT), flight("I2", "7F5", INTERCEPT), *escorts("E1"), *bombers("D1", figures="2D5")
    )
    assert policies.split(air) == {"I1"}


def test_pairs_at_the_screen_do_the_most_harm_together() -> None:
    """The strong one alone can hurt the strong escort; the weak ones take the weak escort."""
    air = sky(
        flight("I1", "3F3", INTERCEPT),
        flight("I2", "7F7", INTERCEPT),
        flight("I3", "4F3", INTERCEPT),
        flight("E1", "3F3", ESCORT),
        flight("E2", "7F7", ESCORT),
        *bombers("B1"),
    )
    found = policies.engage(at_screen(air, "I1", "I2", "I3"))
    assert found["I2"] == "E2"
    assert set(found) == {"I1", "I2", "I3"}
    assert {found["I1"], found["I3"]} == {"E1"}


def test_fewer_on_the_screen_face_an_escort_each() -> None:
    air = sky(*interceptors("I1", "I2"), *escorts("E1", "E2", "E3"), *bombers("B1"))
    assert len(set(policies.engage(at_screen(air, "I1", "I2")).values())) == 2


def test_spare_escorts_are_held_back_one_for_each_who_passes() -> None:
    """The best differential first; who is left over makes a second at them."""
    air = sky(
        flight("I1", "5F5", INTERCEPT),
        flight("I2", "5F2", INTERCEPT),
        flight("E1", "3F3", ESCORT),
        flight("E2", "7F5", ESCORT),
        flight("E3", "2F2", ESCORT),
        *bombers("B1"),
    )
    assert policies.Defaults().join(air) == {}
    assert policies.chase(air) == {"E2": "I2", "E1": "I1", "E3": "I2"}
    assert policies.chase(sky(*escorts("E1"), *bombers("B1"))) == {}


# --- targets ----------------------------------------------------------------------------------------------------


def test_the_most_bombing_strength_or_cargo_is_attacked() -> None:
    heavy, light = flight("B1", "1B3", tactical=6), flight("B2", "1B3", tactical=1)
    assert policies.strike(sky(*interceptors("I1"), heavy, light)) == {"I1": "B1"}
    full, empty = flight("T1", "1T2", DROP), flight("T2", "1T2", TRANSFER)
    air = sky(*interceptors("I1"), full, empty, light, cargo={"T1": Fraction(1, 2)})
    assert policies.strike(air) == {"I1": "T1"}


def test_a_second_interceptor_goes_on_where_it_adds_most() -> None:
    """Two equal bombers get one each; one worth far more than the other gets both."""
    even = sky(*interceptors("I1", "I2"), *bombers("B1", "B2"))
    assert set(policies.strike(even).values()) == {"B1", "B2"}
    uneven = sky(*interceptors("I1", "I2"), flight("B1", "1B3", tactical=9), flight("B2", "1B3", tactical=1))
    assert set(policies.strike(uneven).values()) == {"B1"}
    nearly = sky(*interceptors("I1", "I2"), flight("B1", "1B3", tactical=4), flight("B2", "1B3", tactical=3))
    assert set(policies.strike(nearly).values()) == {"B1", "B2"}


def test_worthless_missions_are_attacked_where_they_are_likeliest_to_fall() -> None:
    air = sky(*interceptors("I1"), flight("T1", "1T4", TRANSFER), flight("T2", "1T1", TRANSFER))
    assert policies.strike(air) == {"I1": "T2"}
    equal = sky(*interceptors("I1", "I2"), flight("T1", "1T2", TRANSFER), flight("T2", "1T2", TRANSFER))
    assert set(policies.strike(equal).values()) == {"T1", "T2"}


def test_of_several_the_likeliest_to_abort_or_kill_goes_first() -> None:
    air = sky(flight("I1", "3F3", INTERCEPT), flight("I2", "7F3", INTERCEPT), *bombers("B1"))
    assert policies.sequence(air, "B1", ["I1", "I2"]) == ("I2", "I1")
    assert policies.sequence(sky(*interceptors("I2", "I1"), *bombers("B1")), "B1", ["I2", "I1"]) == ("I1", "I2")


def test_chances_are_counted_over_all_rolls() -> None:
    """+2 and -1 on the dice at a bomber: up to 5 eliminates, 6 and 7 abort, 8 turns back."""
    air = sky(*interceptors("I1"), *bombers("B1"))
    assert tuple(policies.odds_of(air, "I1", "B1")) == (10, 5, 11, 10)
    assert policies.harm(policies.odds_of(air, "I1", "B1")) == 5 + 2 * 11 + 3 * 10


# --- the pairing ------------------------------------------------------------------------------------------------

GAINS = st.integers(1, 5).flatmap(
    lambda rows: st.integers(rows, 6).flatmap(
        lambda columns: st.lists(
            st.lists(st.integers(-60, 108), min_size=columns, max_size=columns), min_size=rows, max_size=rows
        )
    )
)


@given(GAINS)
def test_the_pairing_is_the_best_of_all(gains: list[list[int]]) -> None:
    found = policies.assignment(gains)
    assert len(set(found)) == len(found) == len(gains)
    best = max(
        sum(row[c] for row, c in zip(gains, chosen, strict=True))
        for chosen in permutations(range(len(gains[0])), len(gains))
    )
    assert sum(row[column] for row, column in zip(gains, found, strict=True)) == best


def test_the_larger_group_leaves_some_out() -> None:
    pairs = policies.best_pairs(["a", "b", "c"], ["x"], lambda one, _other: {"a": 1, "b": 3, "c": 2}[one])
    assert pairs == {"b": "x"}
    assert policies.best_pairs([], ["x"], lambda _one, _other: 0) == {}

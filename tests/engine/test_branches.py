"""Every way that dice can fall: exact chances, each way once."""

from __future__ import annotations

from fractions import Fraction

import pytest

from adjudicator.engine.branches import TooMany, branches
from adjudicator.engine.core import Roll
from adjudicator.engine.dice import DiceSource
from adjudicator.engine.tolls import Toll, amount, expected


def craps(dice: DiceSource) -> str:
    """Two dice; on a double one more."""
    first, second = dice(1, Roll("a", "throw", count=2))
    if first != second:
        return "no"
    (third,) = dice(1, Roll("b", "throw", faces=4))
    return "yes" if third == 4 else "nearly"


def test_each_way_comes_once_with_its_chance() -> None:
    found = list(branches(craps, 100))
    assert len(found) == 30 + 6 * 4
    assert len({branch.rolls for branch in found}) == len(found)
    assert sum(branch.chance for branch in found) == 1
    assert sum(branch.chance for branch in found if branch.result == "yes") == Fraction(1, 24)


def test_rolls_that_do_not_count_are_not_followed() -> None:
    found = list(branches(craps, 100, lambda roll: roll.label == "b"))
    assert [(branch.chance, branch.result) for branch in found] == [
        (Fraction(1, 4), "nearly"),
        (Fraction(1, 4), "nearly"),
        (Fraction(1, 4), "nearly"),
        (Fraction(1, 4), "yes"),
    ]


def test_too_many_ways_are_refused() -> None:
    assert len(list(branches(craps, 54))) == 54
    with pytest.raises(TooMany):
        list(branches(craps, 53))


def test_tolls_add_up() -> None:
    tolls = {"a": Toll(), "b": Toll()}
    tolls["a"].count(Fraction(1, 3))
    tolls["a"].lose("attacker", "RE", Fraction(3), Fraction(1, 3))
    tolls["b"].count(Fraction(2, 3))
    assert tolls["a"].mean("attacker", "RE") == 3
    assert tolls["b"].mean("attacker", "RE") == 0
    assert expected(tolls, "attacker", "RE") == 1


AMOUNTS = [("7/2", "3 1/2"), ("0", "0"), ("1/4", "1/4"), ("5", "5"), ("5/12", "0.42")]


@pytest.mark.parametrize(("value", "said"), AMOUNTS)
def test_amounts_read_as_on_the_counters(value: str, said: str) -> None:
    assert amount(Fraction(value)) == said

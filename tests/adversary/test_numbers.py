"""Numbers that are none, and numbers too long to read: a fault of the order, never of the program."""

from __future__ import annotations

import pytest

from adjudicator.engine.core import Tree, whole_number
from tests.adversary.scenes import ATTACK, strike

LONG = "1" * 5000
BAD = (LONG, "²", "1" * 10, "-1", "+1", "1.5", "½", "0x1", " ", "１")


@pytest.mark.parametrize("text", BAD)
def test_what_is_no_number(text: str) -> None:
    assert whole_number(text) is None


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("007", 7), ("9" * 9, 10**9 - 1)])
def test_what_is_one(text: str, number: int) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize(
    "supply",
    [
        f"supply-allied-1:{LONG}",
        [f"supply-allied-1:{LONG}"],
        {"counter": "supply-allied-1", "steps": LONG},
        [{"counter": "supply-allied-1", "steps": "²"}],
        "supply-allied-1:999999999",
    ],
)
def test_steps_of_an_attack(supply: Tree) -> None:
    duel = strike([{**ATTACK, "supply": supply}])
    assert "void" in duel.kinds


def test_figures_of_a_clause() -> None:
    clause = {"min_re": LONG, "keep_steps": "²", "counter": "any"}
    duel = strike([ATTACK], [{"type": "standing", "topic": "supply", "rules": [clause]}])
    assert "void" in duel.kinds
    assert "attack" in duel.kinds

"""The three verdicts of an order (DESIGN, rule 2) on a table where dice decide what is lawful."""

from __future__ import annotations

import hashlib
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from adjudicator.engine.core import Order
from adjudicator.engine.dice import Local
from adjudicator.engine.driver import Message, Run
from adjudicator.engine.game import Table
from adjudicator.match.draft import Draft
from adjudicator.match.preview import CheckResult, check_draft
from adjudicator.match.resolver import MatchResolver
from tests.match.dicey import OPEN_FROM, DiceyTable

FILES = st.lists(st.sampled_from(("try", "enter", "stay", "fly")), max_size=8)


def begun() -> tuple[MatchResolver, list[Message]]:
    """The game at message 3, the set-up opened."""
    resolver = MatchResolver.fresh(cast(Table, DiceyTable()))
    bodies: list[dict[str, Any]] = [{"orders": []} for _ in range(3)]
    for seq in range(3):
        resolver.resolve(seq, bodies, hashlib.sha256(bytes([seq])).digest())
    return resolver, resolver.messages_up_to(2, bodies)


def drafted(kinds: list[str]) -> Draft:
    return Draft(orders=[Order(index, kind, {}, {"": (index + 2, 3)}) for index, kind in enumerate(kinds)])


def checked(kinds: list[str]) -> CheckResult:
    resolver, before = begun()
    return check_draft(resolver, before, 3, "red", drafted(kinds))


def run(kinds: list[str], chance: int) -> Run[Any]:
    resolver, before = begun()
    dice = Local(lambda faces: hashlib.sha256(f"{chance} {dice_rolled(faces)}".encode()).digest()[0] % faces)
    return resolver.run([*before, Message(3, "red", tuple(drafted(kinds).orders))], dice)


_ROLLED = [0]


def dice_rolled(faces: int) -> int:
    """A number that differs at every die."""
    _ROLLED[0] += faces
    return _ROLLED[0]


def test_an_order_that_hangs_on_a_roll_depends_on_it_by_name() -> None:
    result = checked(["try", "enter", "stay"])
    assert [verdict.verdict for verdict in result.verdicts] == ["legal", "depends", "legal"]
    assert result.verdicts[1].depends == "door/1/0"
    assert result.legal
    (warning,) = result.warnings
    assert (warning.text, warning.depends, warning.place) == ("the door is shut", "door/1/0", (3, 3))


def test_an_order_that_no_roll_makes_lawful_is_illegal() -> None:
    result = checked(["enter", "try", "fly"])
    assert [verdict.verdict for verdict in result.verdicts] == ["illegal", "legal", "illegal"]
    assert [(problem.order, problem.depends) for problem in result.problems] == [(0, None), (2, None)]


@given(FILES, st.integers(0, 1000))
def test_legal_never_void_illegal_always_depends_only_by_the_roll(kinds: list[str], chance: int) -> None:
    verdicts = checked(kinds).verdicts
    done = run(kinds, chance)
    void = {problem.order: problem for problem in done.problems}
    for verdict in verdicts:
        problem = void.get(verdict.order.index)
        if verdict.verdict == "legal":
            assert problem is None
        elif verdict.verdict == "illegal":
            assert problem is not None
        elif problem is not None:
            assert problem.depends is not None
            assert done.rolls[(3, problem.depends)][0] < OPEN_FROM

"""Running a procedure of the rules inside a case: scripted dice, answers from the case's orders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from adjudicator.engine.core import Answer, Ask, Ctx, Proc, Roll
from adjudicator.engine.dice import Assume, DiceSource
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.cases.core import Case
from adjudicator.western_desert.state import State

T = TypeVar("T")
Reply = Callable[[Ask[Any]], Answer[Any]]


def context(state: State) -> Ctx[State]:
    """A context over the position of a case; it is changed in place."""
    return Ctx(state, apply)


def dice_of(case: Case) -> DiceSource:
    """The dice of a case; without any, what `check` assumes (CASE-FORMS 2.7)."""
    return case.dice if case.dice is not None else Assume()


def settled(ask: Ask[Any]) -> Answer[Any]:
    """Nobody says anything: the only choice, else the default."""
    atoms = ask.atoms() if ask.forced else ()
    if len(atoms) == 1:
        return Answer(atoms[0], "forced")
    return Answer(ask.default(), "default")


def drive(proc: Proc[T], dice: DiceSource, reply: Reply = settled) -> T:
    """Run a procedure to its end. Raises what a faulty script or rule raises."""
    answer: Any = None
    while True:
        try:
            request = proc.send(answer)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        answer = dice(0, request) if isinstance(request, Roll) else reply(request)

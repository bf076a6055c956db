"""Every way that dice can fall, with its exact chance: the rules are run once for each of them.

What is counted so is what the rules themselves make of the dice: there is no second reckoning beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Generic, NamedTuple, TypeVar

from adjudicator.engine.core import Roll
from adjudicator.engine.dice import DiceSource

T = TypeVar("T")


class TooMany(Exception):
    """There are more ways than were to be looked at."""


class Branch(NamedTuple, Generic[T]):
    """One way: its chance, the rolls in their order with the values taken, and what came of it."""

    chance: Fraction
    rolls: tuple[tuple[str, tuple[int, ...]], ...]
    result: T


@dataclass
class _Forced:
    """Dice that begin as they are told and go on with ones; it keeps what was asked for. Rolls of kinds that do not
    count come out as the rules assume."""

    told: list[int]
    counts: Callable[[Roll], bool]
    faces: list[int] = field(default_factory=list)
    values: list[int] = field(default_factory=list)
    rolls: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)

    def __call__(self, seq: int, roll: Roll) -> tuple[int, ...]:
        if not self.counts(roll):
            return tuple(roll.assume[at % len(roll.assume)] for at in range(roll.count))
        found = tuple(self._next(roll.faces) for _ in range(roll.count))
        self.rolls.append((roll.label, found))
        return found

    def _next(self, faces: int) -> int:
        at = len(self.values)
        value = self.told[at] if at < len(self.told) else 1
        self.faces.append(faces)
        self.values.append(value)
        return value


def every(_roll: Roll) -> bool:
    """All rolls count."""
    return True


def branches(
    play: Callable[[DiceSource], T], most: int, counts: Callable[[Roll], bool] = every
) -> Iterator[Branch[T]]:
    """Run ``play`` on every sequence of dice that it can meet, in the order of the dice; the chances add up to 1.

    Rolls that do not count for what is asked are not followed: what is asked must not hang on them. Raises
    :class:`TooMany` before the run after ``most`` runs.
    """
    told: list[int] | None = []
    runs = 0
    while told is not None:
        if runs == most:
            raise TooMany(f"there are more than {most:,} ways for the dice to fall")
        runs += 1
        dice = _Forced(told, counts)
        result = play(dice)
        chance = Fraction(1)
        for faces in dice.faces:
            chance /= faces
        yield Branch(chance, tuple(dice.rolls), result)
        told = _following(dice)


def _following(dice: _Forced) -> list[int] | None:
    """The next sequence: the last die that is not at its highest goes one up; None after the last one."""
    for at in range(len(dice.values) - 1, -1, -1):
        if dice.values[at] < dice.faces[at]:
            return [*dice.values[:at], dice.values[at] + 1]
    return None

"""Where the values of named rolls come from: opened seeds, assumptions, scripted lists, local chance.

A source answers a :class:`~adjudicator.engine.core.Roll` for the message whose seed is in use, or says that the seed
is not open yet.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from adjudicator.engine.core import Roll


class NotOpened(Exception):
    """The seed of this message is not open yet; the other side has to open it (PROTOCOL R1)."""


class ScriptFault(Exception):
    """A scripted roll found no value of its kind (CASE-FORMS 2.7)."""


class DiceSource(Protocol):
    """Answers rolls on the seed of message ``seq``."""

    def __call__(self, seq: int, roll: Roll) -> tuple[int, ...]:
        """Values 1..faces, ``count`` of them. Raises :class:`NotOpened` when the seed is closed."""


class Opened:
    """Dice out of opened seeds, for running and verifying. ``values`` is the protocol's labelled roll, ``picks`` its
    labelled choice of one out of so many, from 0; without it cards are picked by rolls."""

    def __init__(
        self,
        seeds: Mapping[int, bytes],
        values: Callable[[bytes, str, int, int], Sequence[int]],
        picks: Callable[[bytes, str, int], int] | None = None,
    ) -> None:
        self._seeds = seeds
        self._values = values
        self._picks = picks

    def __call__(self, seq: int, roll: Roll) -> tuple[int, ...]:
        seed = self._seeds.get(seq)
        if seed is None:
            raise NotOpened(roll.label)
        if roll.picks and self._picks is not None:
            return (self._picks(seed, roll.label, roll.faces) + 1,)
        return tuple(self._values(seed, roll.label, roll.faces, roll.count))


class Assume:
    """Dice for `check` and previews: each roll comes out as the rule says "nothing happens", or at an extreme."""

    def __init__(self, profile: str = "assume") -> None:
        self._profile = profile

    def __call__(self, seq: int, roll: Roll) -> tuple[int, ...]:
        if self._profile == "low":
            return (1,) * roll.count
        if self._profile == "high":
            return (roll.faces,) * roll.count
        values = roll.assume or (1,)
        return tuple(values[i % len(values)] for i in range(roll.count))


class Scripted:
    """Dice for cases: lists by kind of roll, in order. Where the rules use two dice a value is their sum."""

    def __init__(self, lists: Mapping[str, Sequence[int]]) -> None:
        self._left = {kind: list(values) for kind, values in lists.items()}

    def __call__(self, seq: int, roll: Roll) -> tuple[int, ...]:
        queue = self._left.get(roll.kind, [])
        if not queue:
            raise ScriptFault(f"no die is left for a roll of kind {roll.kind} ({roll.label})")
        if roll.kind in ("air_combat", "aa", "malta", "vichy"):
            return (queue.pop(0),)
        if len(queue) < roll.count:
            raise ScriptFault(f"{roll.label} needs {roll.count} dice of kind {roll.kind}, {len(queue)} are left")
        return tuple(queue.pop(0) for _ in range(roll.count))

    def left_over(self) -> dict[str, list[int]]:
        """Values that no roll has taken; a case with any of them fails."""
        return {kind: values for kind, values in self._left.items() if values}


class Local:
    """Chance of this machine, for trying a file out. Never for a game between two players."""

    def __init__(self, randbelow: Callable[[int], int] = secrets.randbelow) -> None:
        self._randbelow = randbelow

    def __call__(self, seq: int, roll: Roll) -> tuple[int, ...]:
        return tuple(self._randbelow(roll.faces) + 1 for _ in range(roll.count))

"""Shots of air combat and what they do: differential, dice, exchanges of fire one by one (WD 21.B.1, 21.B.2.b, 21.B.3).

A :class:`Series` is one air unit against those allocated to it, a plain pair being the shortest of all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from adjudicator.western_desert.air.craft import (
    ABORTED,
    ELIMINATED,
    FATE_OF,
    UNHURT,
    Flight,
    worst,
)
from adjudicator.western_desert.air.tables import AirTables, Chances, chances


class Shot(NamedTuple):
    """One attack of an exchange: who fires at whom in which step, on which column, with what on the dice.

    ``label`` names the dice (PROTOCOL 4.6). Nobody fires twice at the same air unit in a hex, so it is unique.
    """

    step: str
    firer: str
    target: str
    differential: int
    modifier: int
    label: str


class Fired(NamedTuple):
    """A shot with its dice: the two dice together, that sum modified, and the result of the table."""

    shot: Shot
    roll: int
    used: int
    result: str

    @property
    def fate(self) -> str:
        """What it does to the target (WD 21.B.1)."""
        return FATE_OF[self.result]


def differential(firer: Flight, target: Flight) -> int:
    """The air attack strength of the one less the air defense strength of the other (WD 21.B.3)."""
    return firer.attack - target.defense


def aim(tables: AirTables, step: str, place: str, firer: Flight, target: Flight) -> Shot:
    """The shot of one air unit at another in a hex of that name (WD 21.B.3, 21.B.3.mod)."""
    return Shot(
        step,
        firer.id,
        target.id,
        differential(firer, target),
        tables.combat_modifier(firer.craft, target.craft),
        f"air/{place}/{firer.id}/{target.id}",
    )


def fire(tables: AirTables, shot: Shot, roll: int) -> Fired:
    """The result of a shot whose two dice came to ``roll`` (WD 21.B.3)."""
    used = roll + shot.modifier
    return Fired(shot, roll, used, tables.combat.result(shot.differential, used))


def odds(tables: AirTables, firer: Flight, target: Flight) -> Chances:
    """What a shot of the one at the other may do."""
    return chances(tables.combat, differential(firer, target), tables.combat_modifier(firer.craft, target.craft))


class Series(NamedTuple):
    """A single air unit and those that exchange fire with it, one after the other (WD 21.B.2.b).

    ``answers`` is False for an interceptor on its way past the screen, which may not fire (WD 21.B.2.c). ``done`` are
    the exchanges fought, ``pending`` what the single unit has suffered so far: turned back or aborted it stays to the
    end of the series, aborted it fires no more, eliminated it is gone at once.
    """

    single: str
    several: tuple[str, ...]
    answers: bool = True
    done: int = 0
    pending: str = UNHURT

    @property
    def over(self) -> bool:
        """Whether there is no further exchange."""
        return self.done == len(self.several) or self.pending == ELIMINATED

    @property
    def fires(self) -> bool:
        """Whether the single unit may fire in a further exchange of the series (WD 21.B.2.b, 21.B.2.c)."""
        return self.answers and self.pending not in (ABORTED, ELIMINATED)

    @property
    def exchange(self) -> tuple[tuple[str, str], ...]:
        """Who fires at whom in the next exchange, both at the same moment; empty when the series is over."""
        if self.over:
            return ()
        other = self.several[self.done]
        return ((other, self.single), (self.single, other)) if self.fires else ((other, self.single),)

    def after(self, fates: Mapping[str, str]) -> Series:
        """The series once its next exchange has had these fates; those of the several are theirs at once."""
        return self._replace(done=self.done + 1, pending=worst((self.pending, fates.get(self.single, UNHURT))))

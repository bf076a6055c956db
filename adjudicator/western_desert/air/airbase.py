"""Airbases in the air war: take-offs of an air phase, escapes when the enemy comes, capture (WD 17).

What makes a base and what hits do to it stands in ``bases``; hits stay with a base that changes hands (WD 17.C).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from adjudicator.engine.core import Problem
from adjudicator.western_desert.air.craft import ELIMINATED, LONG, Craft
from adjudicator.western_desert.air.landing import Base
from adjudicator.western_desert.charts import ChartMissing, cell, rows
from adjudicator.western_desert.state import World

CAPACITY_RULE, ESCAPE_RULE, FLY_RULE = "WD 17.A", "WD 17.B", "WD 17.B.fly"
LOST_RULE, CAPTURE_RULE = "WD 17.B.capture", "WD 17.C"
ESCAPES, STAYS = "escapes", "stays"
ESCAPED, REMAINS = "escaped", "remains"
FACES = 6


class Escape(NamedTuple):
    """What an escape came to: ``escaped``, ``remains`` or ``eliminated``, and the base reached; "" for none."""

    outcome: str
    base: str = ""


# --- take-offs --------------------------------------------------------------------------------------------------


def take_offs_left(capacity: int, used: int) -> int:
    """How many air units may still take off from a base in an air phase (WD 17.A, ruling CAPACITY-WHO).

    ``used`` counts every take-off of the side that holds it in that air phase: missions, each leg of a transfer from
    the base it starts at, interceptors and scramblers. Patrol attacks and escapes are none (WD 19.free, 17.B), nor is
    who is merely there. It is never below 0, even where bombs took capacity that had been used.
    """
    return max(0, capacity - used)


def take_off_problems(name: str, base: str, capacity: int, used: int) -> list[Problem]:
    """What keeps one more air unit from taking off (WD 17.A)."""
    if take_offs_left(capacity, used):
        return []
    text = f"{base} has a capacity of {capacity}, and {used} took off in this air phase; {name} stays"
    return [Problem("capacity", CAPACITY_RULE, text, "send an air unit from another base, or fewer from this")]


# --- escape -----------------------------------------------------------------------------------------------------


def may_try(operative: bool) -> bool:
    """Whether an air unit may try to escape when an enemy ground unit enters its hex: an operative one (WD 17.B).

    Who has escaped came in inoperative and does not do so again (ruling ESCAPE-MISSIONS).
    """
    return operative


def escape_problems(name: str, operative: bool, entered: bool) -> list[Problem]:
    """What keeps an air unit from trying to escape (WD 17.B, 16.B.1)."""
    if not entered:
        text = f"no enemy ground unit enters the base of {name}"
        return [Problem("no_enemy", ESCAPE_RULE, text, "leave the order out")]
    if not may_try(operative):
        text = f"{name} is inoperative and can't escape"
        return [Problem("inoperative", ESCAPE_RULE, text, "hold the hex, or it is lost with the base")]
    return []


def escapes_on(world: World) -> tuple[int, ...]:
    """The die rolls on which an air unit escapes (WD chart.escape, ruling ESCAPE-CHART). Raises ChartMissing."""
    found = world.cache.get("air escape")
    if not isinstance(found, tuple):
        table = {int(cell(row, "die")): cell(row, "result") for row in rows(world.charts, "air_escape")}
        if sorted(table) != list(range(1, FACES + 1)) or not set(table.values()) <= {ESCAPES, STAYS}:
            raise ChartMissing("the chart air_escape must have escapes or stays for each roll of a die")
        found = world.cache["air escape"] = tuple(die for die in sorted(table) if table[die] == ESCAPES)
    return found


def havens(craft: Craft, bases: Iterable[Base]) -> list[Base]:
    """Where an air unit that escapes may fly: friendly airbases within three times its rating (WD 17.B.fly)."""
    return [base for base in bases if base.distance <= LONG * craft.movement]


def escape(world: World, craft: Craft, die: int, bases: Sequence[Base]) -> Escape:
    """What becomes of an air unit that tries to escape (WD 17.B, 17.B.fly).

    It flies at once to the first of the ``bases`` in its range, in the order its owner gave, and is inoperative there;
    without one it is eliminated. On another roll it stays where it is; where the chart is played against the text, it
    is eliminated at once (ruling ESCAPE-CHART).
    """
    if die not in escapes_on(world):
        return Escape(ELIMINATED if world.switches.get("escape_failure") == ELIMINATED else REMAINS)
    reached = havens(craft, bases)
    return Escape(ESCAPED, reached[0].id) if reached else Escape(ELIMINATED)


def lost_with_base(present: Iterable[str], outcomes: Mapping[str, Escape], enemy_controls: bool) -> list[str]:
    """Who is lost with a base: all air units still there once the enemy controls the hex (WD 17.B.capture, 17.C).

    To be asked after the escapes, and whenever control changes later in that player turn. ``present`` are all air
    units that were there, operative or not; while the hex is held they live (ruling ESCAPE-CHART).
    """
    if not enemy_controls:
        return []
    return [aid for aid in present if outcomes.get(aid, Escape(REMAINS)).outcome == REMAINS]

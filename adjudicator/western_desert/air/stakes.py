"""What the dice of the air war were worth to their roller, for `audit` (PROTOCOL 12)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from adjudicator.engine.core import Event, texts_of
from adjudicator.engine.stakes import Number, Stake, stake
from adjudicator.western_desert.air.airbase import escapes_on
from adjudicator.western_desert.air.bombing import HIT, bomb_table
from adjudicator.western_desert.air.drops import DISRUPTED_UP_TO
from adjudicator.western_desert.air.landing import crashes
from adjudicator.western_desert.air.patrol import turns_back_on
from adjudicator.western_desert.air.tables import ABORT, KILL, NONE, PIPS, TURN_BACK, Grid, air_tables
from adjudicator.western_desert.state import World

DIE = range(1, PIPS + 1)
FATES = {NONE: Fraction(0), TURN_BACK: Fraction(1, 4), ABORT: Fraction(1, 2), KILL: Fraction(1)}
"""What a result of air combat or antiaircraft fire is worth to those who fire."""

WORTH = (
    "patrol attacks: 1 for a flight turned back",
    "air combat and antiaircraft: 1 for an air unit eliminated, a half for one aborted, a quarter for one turned back",
    "bombing: 1 for a hit",
    "air drops: 1 for a unit that is not disrupted; landings at night: 1 for one without a crash",
    "escapes of air units: 1 for an escape; repairs: 1 for an air unit repaired",
    "the die that picks the air unit that bombs fall on has no value here",
)


def two_dice(what: str, who: str, by_total: Callable[[int], Number], dice: Sequence[int]) -> Stake | None:
    """The stake of two dice read as their sum: their 36 ways are all alike. Raises IndexError for dice off their
    faces."""
    if len(dice) != 2 or not all(die in DIE for die in dice):
        raise IndexError(f"{what}: dice {list(dice)} are not two of six faces")
    first, second = dice
    values = [by_total(a + b) for a in DIE for b in DIE]
    return stake(what, who, values, [(first - 1) * PIPS + second])


def _patrol(world: World, event: Event, who: str) -> Stake | None:
    hits = turns_back_on(world, _number(event, "attack"), _number(event, "defense"))
    return stake("patrol attack", who, [int(die in hits) for die in DIE], _die(event))


def _fire(what: str, grid: Grid, value: int, event: Event, who: str) -> Stake | None:
    modifier = _number(event, "modifier")
    return two_dice(what, who, lambda total: FATES[grid.result(value, total + modifier)], _dice(event))


def _shot(world: World, event: Event, who: str) -> Stake | None:
    return _fire("air combat", air_tables(world).combat, _number(event, "differential"), event, who)


def _aa(world: World, event: Event, who: str) -> Stake | None:
    """The whole points of the strength pick the column (ruling AA-ROUND)."""
    points = int(Fraction(str(event.data.get("strength") or "0")))
    return _fire("antiaircraft", air_tables(world).flak, points, event, who)


def _bombing(world: World, event: Event, who: str) -> Stake | None:
    table, strength = bomb_table(world), Fraction(str(event.data.get("strength") or "0"))
    change = _modifiers(event)
    values = [int(table.result(strength, die + change) == HIT) for die in DIE]
    return stake("bombing", who, values, _die(event))


def _disruption(world: World, event: Event, who: str) -> Stake | None:
    change = _modifiers(event)
    return stake("air drop", who, [int(die + change > DISRUPTED_UP_TO) for die in DIE], _die(event))


def _crash(world: World, event: Event, who: str) -> Stake | None:
    return stake("landing at night", who, [int(not crashes(die)) for die in DIE], _die(event))


def _escape(world: World, event: Event, who: str) -> Stake | None:
    return stake("escape", who, [int(die in escapes_on(world)) for die in DIE], _die(event))


def _repair(world: World, event: Event, who: str) -> Stake | None:
    return stake("air repair", who, [int(die <= _number(event, "needs")) for die in DIE], _die(event))


AIR_STAKES: dict[str, Callable[[World, Event, str], Stake | None]] = {
    "patrol-attack": _patrol,
    "air-shot": _shot,
    "aa-fire": _aa,
    "bombing": _bombing,
    "dropped": _disruption,
    "air-landed": _crash,
    "air-escape": _escape,
    "air-repaired": _repair,
}
"""By the kind of the event that tells the roll; one without a die has no stake."""


def air_stake(world: World, event: Event, who: str) -> Stake | None:
    """The stake of a roll of the air war; None for other events, and where nothing was rolled."""
    found = AIR_STAKES.get(event.kind)
    rolled = event.data.get("die") or event.data.get("dice")
    return found(world, event, who) if found and rolled else None


def _number(event: Event, field: str) -> int:
    return int(str(event.data.get(field) or "0"))


def _die(event: Event) -> list[int]:
    return [_number(event, "die")]


def _dice(event: Event) -> list[int]:
    return [int(die) for die in texts_of(event.data.get("dice"))]


def _modifiers(event: Event) -> int:
    """What the rows of ``modifiers`` change the die by, added."""
    listed = event.data.get("modifiers")
    found = [row for row in listed if isinstance(row, dict)] if isinstance(listed, list) else []
    return sum(int(str(row.get("die") or "0")) for row in found)

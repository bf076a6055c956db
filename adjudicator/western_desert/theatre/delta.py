"""The antiaircraft that the Allied player keeps in the full hex cities of the Delta, an optional rule (WD 33.G).

An order that takes the last of it out of a city is refused; what was lost is made good in the next Allied movement
phase in which a counter can get there (ruling DELTA-AA). It counts as long as the city is Allied.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from adjudicator.engine.core import Problem
from adjudicator.western_desert.state import State
from adjudicator.western_desert.units import Unit

OPTION, RULE = "33.G", "WD 33.G"
SIDE, REGION, FULL = "allied", "Delta", "full"
COMBAT_AA, POSITION_AA = "antiaircraft", "position_aa"
LEAST = 1


def cities(state: State) -> tuple[int, ...]:
    """The full hex cities of the Delta that the Allied player controls, where he plays by the rule."""
    if not state.world.plays(OPTION):
        return ()
    found = state.world.cache.get("delta cities")
    if not isinstance(found, tuple):
        land = sorted(state.board.land.items())
        full = [h for h, info in land if any(city.size == FULL for city in info.cities)]
        found = tuple(h for h in full if state.board.in_region(h, REGION))
        state.world.cache["delta cities"] = found
    return tuple(h for h in found if state.owner(h) == SIDE)


def guards(unit: Unit) -> bool:
    """Whether a counter is antiaircraft of the kinds that count: combat and position antiaircraft (WD 22.A.2, 22.A.3);
    what divisions and headquarters have of their own does not."""
    return unit.side == SIDE and unit.type in (COMBAT_AA, POSITION_AA) and unit.aa > 0


def points(state: State, h: int, without: Iterable[str] = ()) -> Fraction:
    """The points of such antiaircraft in a hex, some units left aside."""
    gone = set(without)
    there = [state.unit(uid) for uid in state.friends_at(h, SIDE) if uid not in gone]
    return sum((unit.aa for unit in there if guards(unit)), Fraction(0))


def lacking(state: State) -> list[int]:
    """The cities that have less than a point."""
    return [h for h in cities(state) if points(state, h) < LEAST]


def end_problems(state: State) -> list[Problem]:
    """What is wrong with the Delta as it stands (WD 33.G)."""
    return [_problem(state, h) for h in lacking(state)]


def leaving_problems(state: State, units: Iterable[str]) -> list[Problem]:
    """What is wrong with units leaving their hexes: they are the last antiaircraft of a city (WD 33.G)."""
    held = cities(state)
    if not held:
        return []
    gone = [uid for uid in units if uid in state.pieces]
    hexes = {state.hex_of(uid) for uid in gone if guards(state.unit(uid))}
    return [_problem(state, h) for h in held if h in hexes and points(state, h, gone) < LEAST]


def _problem(state: State, h: int) -> Problem:
    text = f"{state.board.feature_names(h)} would be without antiaircraft: a point of it stays there"
    return Problem("delta_aa", RULE, text, "bring another antiaircraft counter there first, or leave this one")

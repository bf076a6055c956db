"""Patrol attacks: zones, who may attack what and when, the die, and ways around the zones (WD 19, 24.E.patrol).

A patrol attack is no mission and no air combat: the fighter stays at its base, pays no capacity and risks nothing (WD
19.free).
"""

from __future__ import annotations

import heapq
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from adjudicator.engine.core import Problem
from adjudicator.western_desert import hexes
from adjudicator.western_desert.air.craft import Craft, Flight
from adjudicator.western_desert.air.missions import AIR_STEP, SURPRISE_RULE, Moment
from adjudicator.western_desert.charts import ChartMissing, cell, rows
from adjudicator.western_desert.state import World

RULE, ONCE, PER_HEX, WHEN = "WD 19", "WD 19.once", "WD 19.per-hex", "WD 19.when"
FACES = 6
EQUAL, MORE, TWICE = "1 or less", "more than 1 and under 2", "2 or more"
NO_ZONES: frozenset[int] = frozenset()
BANDS = (EQUAL, MORE, TWICE)
"""The rows of the chart: fighter against target (WD 19.odds)."""


class Patrol(NamedTuple):
    """A fighter at its base and what it has done in this air phase. ``attacks`` are the patrol attacks made."""

    craft: Craft
    base: int = 0
    operative: bool = True
    attacks: int = 0

    @property
    def name(self) -> str:
        """As the player knows it."""
        return self.craft.name or self.craft.id

    @property
    def zone(self) -> bool:
        """Whether it has a patrol zone: an operative fighter that is not flying a mission (WD 19, 16.B.1)."""
        return self.operative and self.craft.fighter

    @property
    def radius(self) -> int:
        """How many hexes its zone extends: half its rating, rounded down (WD 19)."""
        return self.craft.interception

    def covers(self, h: int) -> bool:
        """Whether a hex lies in its patrol zone (WD 19)."""
        return self.zone and hexes.distance(self.base, h) <= self.radius


class Entry(NamedTuple):
    """A hex entered by a flight: ``covered`` by the fighter that is asked about, ``attacked`` in it already."""

    covered: bool = True
    attacked: bool = False


class Seen(NamedTuple):
    """A flight as the owner of patrolling fighters sees it: its model and type, and whether it tows; the mission where
    that is known, else ""."""

    model: str
    type: str
    towing: bool
    mission: str = ""


def seen(world: World, flight: Flight) -> Seen:
    """What may be known of a flight that enters a patrol zone, to decide upon an attack (WD 19.when, 16.B.2).

    Its mission only where the house rule shows it (ruling MISSION-SEEN): else it is known in the target hex.
    """
    told = world.switches.get("patrol_sees_mission") == "true"
    return Seen(flight.craft.model, flight.craft.type, flight.tow is not None, flight.mission if told else "")


# --- may it -----------------------------------------------------------------------------------------------------


def patrol_problems(patrol: Patrol, target: Flight, entry: Entry, moment: Moment) -> list[Problem]:
    """What keeps a fighter from a patrol attack upon a flight that enters a hex (WD 19.when, 19.once, 19.per-hex).

    One that was turned back is out of reach (WD 19.result). ``moment`` is the fighter's: its owner must not be phasing.
    """
    found = [*_fighter(patrol, target), *_moment(moment)]
    if not entry.covered and not found:
        text = f"the hex lies outside the patrol zone of {patrol.name}, which extends {patrol.radius} hexes"
        found.append(Problem("outside", RULE, text, "attack in a hex of its zone"))
    if entry.attacked:
        text = f"{_named(target)} has met a patrol attack in this hex; it meets one in each hex that it enters"
        found.append(Problem("attacked", PER_HEX, text, "wait for the next hex that it enters"))
    if target.fate:
        text = f"{_named(target)} flies no farther in this air phase"
        found.append(Problem("gone", "WD 19.result", text, "attack another air unit"))
    return found


def _named(target: Flight) -> str:
    return target.craft.name or target.id


def _fighter(patrol: Patrol, target: Flight) -> list[Problem]:
    """WD 19, 16.B.1, 19.once, 24.E.patrol: an operative fighter that has made no patrol attack; at night of type NF."""
    craft = patrol.craft
    if not craft.fighter:
        text = f"{patrol.name} is of type {craft.type}; only fighters patrol"
        return [Problem("type", RULE, text, "name a fighter")]
    if not patrol.operative:
        text = f"{patrol.name} is inoperative and has no patrol zone"
        return [Problem("inoperative", "WD 16.B.1", text, "name an operative fighter")]
    if patrol.attacks:
        text = f"{patrol.name} has made its patrol attack of this air phase"
        return [Problem("patrol_used", ONCE, text, "name another fighter")]
    if target.night and not craft.night:
        text = f"{_named(target)} flies at night; {patrol.name} is no night fighter"
        return [Problem("night", "WD 24.E.patrol", text, "name a fighter of type NF")]
    return []


def _moment(moment: Moment) -> list[Problem]:
    """WD 19.when: in the enemy's air movement step; WD 28.B.3.air: never in the surprise turn."""
    if moment.step != AIR_STEP or moment.phasing:
        text = "patrol attacks are made in the enemy's air movement step only"
        return [Problem("step", WHEN, text, "leave it out")]
    if moment.surprise:
        return [Problem("surprise", SURPRISE_RULE, "nobody patrols in the surprise turn", "leave it out")]
    return []


# --- the die ----------------------------------------------------------------------------------------------------


def turns_back_on(world: World, attack: int, defense: int) -> tuple[int, ...]:
    """The die rolls that turn a target back: attack of the fighter, defense of the target as it flies (WD 19.odds).

    Against a defense of 0 any attack counts as twice as much (ruling PATROL-ZERO). Raises ChartMissing.
    """
    band = EQUAL if attack <= defense else MORE if attack < 2 * defense else TWICE
    return tuple(range(_rates(world)[band], FACES + 1))


def _rates(world: World) -> Mapping[str, int]:
    """The least roll by band (WD chart.patrol), read once."""
    found = world.cache.get("patrol rates")
    if not isinstance(found, dict):
        found = {cell(row, "ratio"): int(cell(row, "turn_back_from")) for row in rows(world.charts, "patrol")}
        missing = [band for band in BANDS if band not in found]
        if missing:
            raise ChartMissing(f"the chart patrol has no row {missing[0]}")
        world.cache["patrol rates"] = found
    return found


# --- ways around ------------------------------------------------------------------------------------------------


def zones_of(patrols: Iterable[Patrol], night: bool) -> frozenset[int]:
    """All hexes where somebody may attack a flight of that time of day: zones of fighters with an attack left (WD 19,
    19.once, 24.E.patrol)."""
    able = [one for one in patrols if one.zone and not one.attacks and (one.craft.night or not night)]
    return frozenset[int]().union(*(hexes.disc(one.base, one.radius) for one in able))


def entered(path: Iterable[int], zones: Container[int]) -> int:
    """How often a flight along a path may be attacked: once in each hex of the zones that it enters (WD 19.per-hex,
    19.when). The path leaves out the hex where it starts."""
    return sum(h in zones for h in path)


def quiet_path(
    start: int, goal: int, most: int, zones: Container[int], sky: Container[int] | None = None
) -> list[int] | None:
    """The default way: of all that fit the range the one that enters the fewest hexes of patrol zones, then the
    shortest (WD 18, ruling AIR-PATH). The hexes entered in order, the start left out; None where none fits.

    ``sky`` are the hexes that may be flown over; absent = the whole map. Of equal ways the one that is nearer to the
    goal, then the lower hex, is followed first, so that both sides find the same.
    """
    away = hexes.distance(start, goal)
    sky = hexes.all_hexes() if sky is None else sky
    ends: list[tuple[int, int]] = [(start, -1)]
    heap = [(0, away, away, start, 0, 0)] if away <= most else []
    shortest: dict[int, int] = {}
    while heap:
        met, _whole, _left, here, length, end = heapq.heappop(heap)
        if here == goal:
            return _walked(ends, end)
        if shortest.get(here, most + 1) <= length:
            continue
        shortest[here] = length
        length += 1
        for h in hexes.neighbours(here):
            if shortest.get(h, most + 1) > length and h in sky:
                left = hexes.distance(h, goal)
                if length + left <= most:
                    ends.append((h, end))
                    heapq.heappush(heap, (met + (h in zones), length + left, left, h, length, len(ends) - 1))
    return None


@lru_cache(maxsize=2048)
def known_path(
    start: int, goal: int, most: int, zones: frozenset[int], sky: frozenset[int]
) -> tuple[int, ...] | None:
    """:func:`quiet_path`, kept: a way that is judged before the phase is flown in it."""
    found = quiet_path(start, goal, most, zones, sky)
    return None if found is None else tuple(found)


def _walked(ends: Sequence[tuple[int, int]], end: int) -> list[int]:
    """The hexes of a way from its last one back, the start left out."""
    path: list[int] = []
    while ends[end][1] >= 0:
        path.append(ends[end][0])
        end = ends[end][1]
    return path[::-1]

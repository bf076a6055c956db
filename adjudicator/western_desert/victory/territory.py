"""Territory that counts for victory (WD 31.B, 31.D, chart.vp.capture): who holds all cities of a region, or any.

Dot, reference and full hex cities are all cities (ruling DOT-NAMES); a region without cities is held by nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from adjudicator.western_desert.state import State, World, turn_number
from adjudicator.western_desert.victory.points import price
from adjudicator.western_desert.world import rows, text

CYRENAICA, EGYPT, LIBYA = "cyrenaica", "egypt", "libya"
DELTA = "delta"
PRICED = {"malta": "Malta", "cyprus": "Cyprus", "levant": "the Levant", "palestine": "Palestine"}
"""Regions that the Axis captures for points, as the table names them (WD chart.vp.capture)."""
CAPTOR = "axis"
CONQUERORS = {"allied": LIBYA, "axis": DELTA}
"""Whose cities each side needs for an automatic victory (WD 31.B)."""


class Condition(NamedTuple):
    """What a side is paid for if it held at any time of a period (WD 31.D)."""

    side: str
    key: str
    rule: str
    what: str

    @property
    def id(self) -> str:
        """``axis/egypt``."""
        return f"{self.side}/{self.key}"

    def points(self, world: World) -> int:
        """What the table pays for it."""
        return price(world, self.side, self.what)


CONDITIONS = (
    Condition("allied", CYRENAICA, "WD 31.D.cyrenaica", "control of Cyrenaica"),
    Condition("axis", CYRENAICA, "WD 31.D.cyrenaica", "control of Cyrenaica"),
    Condition("axis", EGYPT, "WD 31.D.egypt", "control of any city in Egypt"),
    Condition("allied", LIBYA, "WD 31.D.libya", "control of any city in Libya outside of Cyrenaica"),
)


def cities(world: World, region: str) -> tuple[int, ...]:
    """The hexes of a region or country with a city, in order of number."""
    key = ("cities", region)
    found = world.cache.get(key)
    if not isinstance(found, tuple):
        board = world.board
        found = tuple(sorted(h for h, info in board.land.items() if info.cities and board.in_region(h, region)))
        world.cache[key] = found
    return found


def holds_all(state: State, side: str, region: str) -> bool:
    """Whether a side controls all cities of a region, and so the region (WD 3.G.region)."""
    places = cities(state.world, region)
    return bool(places) and all(state.owner(h) == side for h in places)


def met(state: State, condition: Condition) -> bool:
    """Whether a condition holds now (WD 31.D, 31.D.cyrenaica, 31.D.egypt, 31.D.libya)."""
    world, side = state.world, condition.side
    if condition.key == CYRENAICA:
        return holds_all(state, side, CYRENAICA)
    within = set(cities(world, condition.key))
    if condition.key == LIBYA:
        within -= set(cities(world, CYRENAICA))
    return any(state.owner(h) == side for h in within)


def winner(state: State) -> str:
    """The side that has an automatic victory by the ground it holds, "" for none (WD 31.B)."""
    return next((side for side, region in CONQUERORS.items() if holds_all(state, side, region)), "")


def captured(state: State) -> list[str]:
    """The regions with a price that the Axis holds now, by more than Vichy forces (rulings MALTA-CONTROL,
    CAPTURE-REPEAT)."""
    held = (region for region in PRICED if holds_all(state, CAPTOR, region))
    return [region for region in held if state.theatre.vichy_cities.isdisjoint(cities(state.world, region))]


class Period(NamedTuple):
    """A period at whose end territory is paid for: its first and last turn (WD 31.D). Awards of the Axis, or those for
    Cyrenaica, may depend on the situation at its end alone (WD 31.D.first)."""

    first: int
    last: int
    axis_at_end: bool = False
    cyrenaica_at_end: bool = False

    def at_end(self, condition: Condition) -> bool:
        """Whether only the end of the period counts for a condition (WD 31.D.first)."""
        axis = self.axis_at_end and condition.side == CAPTOR
        return axis or (self.cyrenaica_at_end and condition.key == CYRENAICA)


def periods(world: World) -> tuple[Period, ...]:
    """The periods of the scenario, in order."""
    told = (row for row in rows(world.scenario, "victory") if text(row, "kind") == "period")
    return tuple(
        Period(
            turn_number(text(row, "from")),
            turn_number(text(row, "to")),
            text(row, "axis_at_end") == "yes",
            text(row, "cyrenaica_at_end") == "yes",
        )
        for row in told
    )


def period_of(world: World, turn: int) -> Period | None:
    """The period in which a turn lies."""
    return next((period for period in periods(world) if period.first <= turn <= period.last), None)


def checks(world: World) -> list[int]:
    """The turns after which territory is paid for (WD 31.D)."""
    return [period.last for period in periods(world)]


def paid(state: State, period: Period, latched: Sequence[str] | frozenset[str]) -> list[Condition]:
    """The conditions that are paid for at the end of a period: met at any time of it, else at its end."""
    return [c for c in CONDITIONS if (met(state, c) if period.at_end(c) else c.id in latched or met(state, c))]

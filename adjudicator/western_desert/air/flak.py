"""Antiaircraft: who has how much of it in a hex, at whom it fires, and what that does (WD 22).

It always fires (ruling AA-OPTIONAL-FIRE), once at each air unit that it may fire at, with all strength together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

from adjudicator.western_desert.air.craft import (
    BOMBING,
    CARRYING,
    DEFENSIVE_SUPPORT,
    FATE_OF,
    HEAVY_BOMBER,
    UNHURT,
    Craft,
    Flight,
)
from adjudicator.western_desert.air.tables import AirTables, Chances, chances
from adjudicator.western_desert.bases import base_features
from adjudicator.western_desert.state import State
from adjudicator.western_desert.units import Unit

HEAVY, AXIS = "heavy", "axis"
ZERO = Fraction(0)
INTRINSIC = Fraction(1)
INTRINSIC_SIZES = ("division", "headquarters", "cadre")
INTRINSIC_TYPES = ("support_group",)
ISLANDS = ("Sicily", "Rhodes", "Crete")
ISLAND_BASE = Fraction(3)
AT_MISSIONS, AT_SUPPORT = "aa", "aa-support"
"""The two moments of antiaircraft fire: before the missions of a hex are carried out, and before an attack on a hex
with defensive support (WD 22.B, 20.F.2.d.aa)."""


class AAStrength(NamedTuple):
    """Strength points of antiaircraft, heavy and light (WD 22)."""

    heavy: Fraction = ZERO
    light: Fraction = ZERO

    def at(self, craft: Craft) -> Fraction:
        """The points that may fire at an air unit: only the heavy ones at type HB (WD 22.B.heavy)."""
        return self.heavy if craft.type == HEAVY_BOMBER else self.heavy + self.light

    def parted(self, hexes: int) -> AAStrength:
        """The strength divided by a number of hexes, not rounded yet (WD 22.B.def)."""
        return AAStrength(self.heavy / hexes, self.light / hexes)


def total(parts: Iterable[AAStrength]) -> AAStrength:
    """Several strengths together."""
    listed = tuple(parts)
    return AAStrength(sum((p.heavy for p in listed), ZERO), sum((p.light for p in listed), ZERO))


# --- who has antiaircraft ---------------------------------------------------------------------------------------


def aa_of_unit(unit: Unit) -> AAStrength:
    """The antiaircraft of a counter: what it prints, else the light 1 of a division, headquarters, cadre or support
    group (WD 22.A.1, 22.A.2, 22.A.3, 22.A.4)."""
    if unit.aa:
        return AAStrength(heavy=unit.aa) if unit.aa_type == HEAVY else AAStrength(light=unit.aa)
    own = unit.size in INTRINSIC_SIZES or unit.type in INTRINSIC_TYPES
    return AAStrength(light=INTRINSIC if own else ZERO)


def aa_of_base(state: State, h: int) -> AAStrength:
    """The antiaircraft of an airbase by itself: a heavy 3 where it is Axis controlled and lies on Sicily, Rhodes or
    Crete (WD 22.A.1, ruling AA-ISLAND)."""
    info = state.board.info(h)
    armed = info is not None and info.country in ISLANDS and state.owner(h) == AXIS and bool(base_features(state, h))
    return AAStrength(heavy=ISLAND_BASE if armed else ZERO)


def aa_of_units(state: State, units: Iterable[str]) -> AAStrength:
    """The antiaircraft of units on the map, each as it lies."""
    return total(aa_of_unit(state.unit(uid)) for uid in units)


def aa_of_hex(state: State, h: int, side: str) -> AAStrength:
    """All antiaircraft of a side in a hex, that of the San Giorgio with the units' (WD 22.A, 22.B.all)."""
    base = aa_of_base(state, h) if side == AXIS else AAStrength()
    return total((aa_of_units(state, state.friends_at(h, side)), base))


def aa_of_attack(state: State, units: Iterable[str]) -> AAStrength:
    """What attackers may fire at defensive support: their sum, divided by the hexes that they attack from (WD
    22.B.def). Units that take no part don't count."""
    by_hex: dict[int, list[str]] = {}
    for uid in units:
        by_hex.setdefault(state.hex_of(uid), []).append(uid)
    return shared({h: aa_of_units(state, there) for h, there in by_hex.items()})


def shared(by_hex: Mapping[int, AAStrength] | Mapping[str, AAStrength]) -> AAStrength:
    """The strengths of the hexes that attack, added and divided by their number (WD 22.B.def); nothing for none."""
    return total(by_hex.values()).parted(len(by_hex)) if by_hex else AAStrength()


# --- at whom ----------------------------------------------------------------------------------------------------


def may_be_fired_at(flight: Flight) -> bool:
    """Whether antiaircraft may fire at a flight: one on air transport or any bombing mission that is still there (WD
    22.B). A fighter without its bombs is an escort (WD 24.A.jettison)."""
    return flight.fate == UNHURT and flight.flies_as in (*BOMBING, *CARRYING)


class Burst(NamedTuple):
    """The fire at one air unit: exact strength, the whole strength that picks the column, and what the dice get."""

    target: str
    strength: Fraction
    column: int
    modifier: int
    label: str


class Flak(NamedTuple):
    """Fire with its dice: the two dice together, that sum modified, and the result of the table."""

    burst: Burst
    roll: int
    used: int
    result: str

    @property
    def fate(self) -> str:
        """What it does to the air unit, and to a glider on its tow (WD 22.B, 21.B.1)."""
        return FATE_OF[self.result]


def burst_at(
    tables: AirTables, place: str, strength: AAStrength, flight: Flight, when: str = AT_MISSIONS, suppressed: int = 0
) -> Burst:
    """The fire at a flight over a hex of that name: fractions are dropped (ruling AA-ROUND). Whether there is any is
    said by :func:`bursts`. Each hit of a suppression adds 1 to the dice (WD 33.I)."""
    points = strength.at(flight.craft)
    modifier = tables.flak_modifier(flight.craft, flight.night) + suppressed
    return Burst(flight.id, points, int(points), modifier, f"{when}/{place}/{flight.id}")


def bursts(
    tables: AirTables,
    place: str,
    strength: AAStrength,
    flights: Iterable[Flight],
    when: str = AT_MISSIONS,
    suppressed: int = 0,
) -> tuple[Burst, ...]:
    """All fire of a hex, once at each flight that may be fired at, in their order (WD 22.B.all); a strength under 1
    doesn't fire (ruling AA-ROUND). The night's come after the day's (ruling NIGHT-ORDER)."""
    found = [
        (flight.night, burst_at(tables, place, strength, flight, when, suppressed))
        for flight in flights
        if may_be_fired_at(flight)
    ]
    return tuple(burst for _night, burst in sorted(found, key=lambda pair: pair[0]) if burst.column)


def fire_at(tables: AirTables, burst: Burst, roll: int) -> Flak:
    """The result of fire whose two dice came to ``roll`` (WD 22.B, 22.B.mod)."""
    used = roll + burst.modifier
    return Flak(burst, roll, used, tables.flak.result(burst.column, used))


def flak_odds(tables: AirTables, burst: Burst) -> Chances:
    """What the fire may do."""
    return chances(tables.flak, burst.column, burst.modifier)


def support_points(flights: Iterable[Flight]) -> Fraction:
    """What defensive support adds to a defense, before its limit: air units that were hit add nothing (WD
    20.F.2.d.aa)."""
    return sum((f.tactical for f in flights if f.mission == DEFENSIVE_SUPPORT and f.fate == UNHURT), ZERO)

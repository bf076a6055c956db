"""Bombing: attacks and their strength, the table and what changes its die, what hits do (WD 20.F, 24.D, 24.E).

Ground and defensive support and harassment deliver points; all other missions roll. Antiaircraft has fired before:
what it stopped, or air combat did, delivers nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import NamedTuple

from adjudicator.engine.core import Problem
from adjudicator.western_desert.air.craft import (
    AIR_UNITS,
    AIRBASE,
    CANAL,
    DIVE_BOMBER,
    ELIMINATED,
    HEAVY_BOMBER,
    PORT,
    RAIL,
    SUPPRESS,
    TACTICAL_PORT,
    UNHURT,
    Craft,
    Flight,
)
from adjudicator.western_desert.air.landing import INOPERATIVE
from adjudicator.western_desert.air.tables import Band, band
from adjudicator.western_desert.bases import damage
from adjudicator.western_desert.charts import HARASS_POINTS, ChartMissing, cell, rows
from adjudicator.western_desert.graph import graph_of
from adjudicator.western_desert.state import State, World

ROLLED = (PORT, CANAL, AIR_UNITS, AIRBASE, RAIL, TACTICAL_PORT, SUPPRESS)
"""The missions that use the bombing table (WD 20.F, 33.I)."""
HIT, MISS = "H", "M"
FACES = 6
BY_NIGHT, ALL_DIVE, ANY_HEAVY = -1, 1, -1
CANAL_HIT = "hit on the Suez Canal"
GROUP_RULE = "WD 20.F"


class BombTable(NamedTuple):
    """The bombing table: columns from left to right, the first and the last row, the cells; and its house rules.

    ``chart``: the modifiers that only the chart has apply (ruling BOMB-MODS). ``first``: a whole strength of 1 uses the
    first column (ruling BOMB-UNDER-2, by its switch).
    """

    columns: tuple[Band, ...]
    lowest: int
    highest: int
    cells: Mapping[tuple[str, int], str]
    chart: bool
    first: bool

    def column(self, strength: Fraction) -> str:
        """The column of a strength, fractions dropped; "" for one that misses always (ruling BOMB-UNDER-2)."""
        whole = int(strength)
        if self.first and whole == 1:
            return self.columns[0].name
        return next((column.name for column in self.columns if column.takes(whole)), "")

    def result(self, strength: Fraction, roll: int) -> str:
        """``H`` or ``M`` for a strength and a modified die; beyond the rows the nearest is read."""
        column = self.column(strength)
        row = max(self.lowest, min(self.highest, roll))
        return self.cells[(column, row)] if column else MISS


class DieChange(NamedTuple):
    """What changes a die, and by which rule."""

    what: str
    value: int
    rule: str


class Strike(NamedTuple):
    """One bombing attack: who makes it, with what strength, in which column; "" where it misses without a die.

    ``label`` names its die: by the place and the first of its air units, whatever else is bombed there.
    """

    mission: str
    bombers: tuple[str, ...]
    strength: Fraction
    column: str
    modifiers: tuple[DieChange, ...]
    label: str

    @property
    def modifier(self) -> int:
        """What the die gets."""
        return sum(one.value for one in self.modifiers)


class Bombed(NamedTuple):
    """A bombing attack with its die as rolled and as used, and the result of the table."""

    strike: Strike
    die: int
    used: int
    result: str

    @property
    def hit(self) -> bool:
        """Whether the target is hit."""
        return self.result == HIT


def bomb_table(world: World) -> BombTable:
    """The bombing table of a game, compiled once (WD chart.bombing). Raises :class:`ChartMissing` without it."""
    found = world.cache.get("bombing table")
    if not isinstance(found, BombTable):
        cells = {
            (cell(row, "strength"), int(cell(row, "die"))): cell(row, "result") for row in rows(world.charts, "bombing")
        }
        lines = sorted({die for _column, die in cells})
        columns = tuple(band(column) for column in dict.fromkeys(column for column, _die in cells))
        found = world.cache["bombing table"] = BombTable(
            columns,
            lines[0],
            lines[-1],
            cells,
            chart=world.switches.get("bomb_mods", "chart") == "chart",
            first=world.switches.get("bomb_strength_1", "miss") == "first_column",
        )
    return found


# --- attacks ----------------------------------------------------------------------------------------------------


def delivers(flight: Flight) -> bool:
    """Whether a flight gets its bombs to the target: none turned back or worse, none without its bombs (WD 21.B.1,
    22.B, 24.A.jettison)."""
    return flight.bombing and flight.fate == UNHURT


def points(flights: Iterable[Flight]) -> Fraction:
    """The bombing strength that flights deliver, exact: strengths are added before anything is dropped (WD 20.F, ruling
    BOMB-UNDER-2)."""
    return sum((flight.strength for flight in flights if delivers(flight)), Fraction(0))


def grouping_problems(flights: Sequence[Flight], groups: Sequence[Sequence[str]]) -> list[Problem]:
    """What is wrong with air units that are to make one attack together, in groups of ids (WD 20.F).

    Each makes one attack. A group bombs one target: the same mission in the same hex at the same time of day (WD 24.E).
    """
    known = {flight.id: flight for flight in flights}
    named = list(chain.from_iterable(groups))
    found = []
    for aid in sorted(set(named)):
        if aid not in known or known[aid].flies_as not in ROLLED:
            text = f"{aid} flies no mission that rolls for its bombs"
            found.append(Problem("group_who", GROUP_RULE, text, "name air units that bomb the target"))
        elif named.count(aid) > 1:
            text = f"{_name(known[aid])} is to make {named.count(aid)} attacks; it makes one"
            found.append(Problem("group_twice", GROUP_RULE, text, "name it once"))
    return found or [problem for group in groups for problem in _mixed(known, group)]


def _mixed(known: Mapping[str, Flight], group: Sequence[str]) -> list[Problem]:
    if len({(known[aid].flies_as, known[aid].target, known[aid].night) for aid in group}) < 2:
        return []
    names = ", ".join(_name(known[aid]) for aid in group)
    text = f"{names} don't bomb one target: mission, hex and time of day are to be the same"
    return [Problem("group_target", GROUP_RULE, text, "let those attack together that bomb one target")]


def _name(flight: Flight) -> str:
    return flight.craft.name or flight.id


def strikes(
    table: BombTable, place: str, flights: Iterable[Flight], groups: Sequence[Sequence[str]] = ()
) -> tuple[Strike, ...]:
    """The attacks over a hex of that name: a group together, all others singly, in the order of the flights (WD 20.F).

    Who was stopped is left out of its group, and a group of which nobody is left makes no attack. Attacks by night
    come after those by day (ruling NIGHT-ORDER).
    """
    return tuple(strike_of(table, place, party) for party in parties(flights, groups))


def parties(flights: Iterable[Flight], groups: Sequence[Sequence[str]] = ()) -> list[list[Flight]]:
    """The flights that roll for their bombs, those of one attack together, in the order of :func:`strikes`."""
    there = [flight for flight in flights if delivers(flight) and flight.flies_as in ROLLED]
    of = {aid: number for number, group in enumerate(groups) for aid in group}
    found: dict[object, list[Flight]] = {}
    for flight in sorted(there, key=lambda one: one.night):
        found.setdefault(of.get(flight.id, flight.id), []).append(flight)
    return list(found.values())


def strike_of(table: BombTable, place: str, party: Sequence[Flight]) -> Strike:
    """The attack that flights make together (WD 20.F, 20.F.table). Raises ValueError for none."""
    if not party:
        raise ValueError("a bombing attack needs an air unit")
    strength = points(party)
    ids = tuple(flight.id for flight in party)
    mods = die_modifiers(table, party)
    return Strike(party[0].flies_as, ids, strength, table.column(strength), mods, f"bomb/{place}/{min(ids)}")


def die_modifiers(table: BombTable, party: Iterable[Flight]) -> tuple[DieChange, ...]:
    """What changes the die of an attack: -1 by night, +1 if all are of type D, -1 if one is of type HB (WD 24.D,
    chart.bombing, rulings BOMB-MODS, NIGHT-BOMB)."""
    listed = tuple(party)
    kinds = {flight.craft.plain for flight in listed}
    found = [DieChange("dive bombers only", ALL_DIVE, "WD 24.D")] if kinds == {DIVE_BOMBER} else []
    if table.chart and any(flight.night for flight in listed):
        found.append(DieChange("by night", BY_NIGHT, "WD chart.bombing"))
    if table.chart and HEAVY_BOMBER in kinds:
        found.append(DieChange("a heavy bomber", ANY_HEAVY, "WD chart.bombing"))
    return tuple(found)


def bomb(table: BombTable, strike: Strike, die: int) -> Bombed:
    """The result of an attack whose die fell so (WD 20.F.table)."""
    used = die + strike.modifier
    return Bombed(strike, die, used, table.result(strike.strength, used))


def chance_of(table: BombTable, strike: Strike) -> int:
    """On how many of the six faces of the die the attack hits."""
    return sum(bomb(table, strike, die).hit for die in range(1, FACES + 1))


# --- what hits do -----------------------------------------------------------------------------------------------


def hits_that_count(state: State, h: int, what: str, hits: int) -> int:
    """How many hits on the ``port`` or ``airbase`` of a hex count: up to a port's most damage, until an airbase has no
    capacity left (WD 20.F.1.a, 20.F.2.b, 20.F.2.g, 26.A.2)."""
    return min(hits, damage(state, h, what).room)


def canal_points(world: World, hits: int) -> int:
    """The victory points of the Axis for hits on the Suez Canal, whose ports keep their capacity (WD 20.F.1.b).

    Raises :class:`ChartMissing` for a pack that doesn't price them.
    """
    for row in rows(world.charts, "victory_points"):
        if row.get("for") == CANAL_HIT:
            return hits * int(cell(row, "points"))
    raise ChartMissing(f"the chart victory_points has no row for a {CANAL_HIT}")


def hit_on_ground(operative: bool) -> str:
    """What a hit makes of an air unit at its base: inoperative, and eliminated where it was so (WD 20.F.2.a)."""
    return INOPERATIVE if operative else ELIMINATED


def aims(world: World, listed: Sequence[str], there: Mapping[str, tuple[Craft, bool]]) -> tuple[str, ...]:
    """The air units at a base of which an attack bombs one: the one that the attacker named, the next of his list where
    that has gone, by default an operative one and the most valuable (WD 20.F.2.a, ruling AIR-TARGET).

    ``there`` are the enemy air units at the base now, not flying, each with whether it is operative: who scrambled is
    none of them (WD 20.B). One is returned, where the switch leaves it to chance all of them in order of id, and none
    of an empty base.
    """
    if world.switches.get("air_target_pick", "attacker") == "random":
        return tuple(sorted(there))
    rest = sorted(there, key=lambda aid: (not there[aid][1], -_value(there[aid][0]), aid))
    return tuple([*(aid for aid in listed if aid in there), *rest][:1])


def _value(craft: Craft) -> int:
    return craft.attack + craft.defense + craft.tactical + craft.strategic


def breaks_line(state: State, h: int) -> bool:
    """Whether a hit on the railroad of a hex breaks it: there is a whole one (WD 20.F.2.f, 7.C)."""
    return h not in state.broken and bool(graph_of(state).rail_neighbours(h))


# --- points -----------------------------------------------------------------------------------------------------


def harassment(flights: Iterable[Flight]) -> int:
    """The points of harassment that flights deliver upon a hex, fractions dropped from their sum (WD 20.F.2.e, ruling
    BOMB-UNDER-2). Those of all missions flown there in the air phase count together."""
    return int(points(flights))


def harassed_mp(harassed: int) -> int:
    """The MPs that each unit pays in addition for leaving a hex with so many points (WD 20.F.2.e, ruling
    HARASS-SCOPE)."""
    return harassed // HARASS_POINTS


def support_counted(delivered: Fraction, printed: Fraction) -> Fraction:
    """The air points that count in an attack: no more than the printed strength of the ground units they support (WD
    20.F.2.c, 20.F.2.d, ruling GS-CAP)."""
    return min(delivered, printed)

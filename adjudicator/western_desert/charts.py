"""The tables of movement, stacking and supply as the rules read them, compiled once per world.

All figures come from the charts of the pack; movement costs are half movement points (ruling HALF-MP). A cost of
None means closed: may not be entered or crossed.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from adjudicator.western_desert.state import World
from adjudicator.western_desert.units import Unit

MOT_OR_ART, OTHER, CAVALRY = "mot_or_art", "other", "cavalry"
COLUMNS = (MOT_OR_ART, OTHER, CAVALRY)
GERMAN, REST = "german_combat_motorized", "other"
HARASS_POINTS = 2  # WD 20.F.2.e: points that cost one MP
ADMIN_NUMERATOR, ADMIN_DENOMINATOR = 3, 2  # WD 6.B: one and one half times the rating
CARRY_RE2 = 2  # WD 6.C: a transport counter carries one RE
WHOLE_MP, HALF_MP = 2, 1  # what a ride is rounded up to, in half MPs

Row = Mapping[str, str]


class ChartMissing(KeyError):
    """The pack lacks a chart, or a row or column that the rules read."""


class PortRow(NamedTuple):
    """A type of port: what it takes in REs, the most hits it can have, what a hit takes off (WD chart.ports)."""

    capacity: int
    max_hits: int
    per_hit: Fraction


class Charts(NamedTuple):
    """What the charts say. ``terrain`` is by terrain and column, ``sides`` by kind of hexside without direction.

    ``as_hex`` names hexsides that cost as a hex of that terrain (ruling MTN-SIDE-MOVE). ``zoc`` is leave and zone to
    zone by class. ``rail`` holds (lowest rating, highest rating, hexes per MP); a ride is rounded up to ``ride_grain``
    half MPs (ruling RAIL-PARTIAL): all else costs whole MPs, so that half ones are as good as exact fractions.
    ``overruns`` holds for each class the least odds and the half MPs of an overrun, the lowest odds first (WD
    chart.overrun-costs). ``repair2`` is what a construction engineer pays by what it repairs: ``rail``, ``port``,
    ``airbase``; ``engineer2`` what it pays for its works by action. ``airbases`` is the capacity by kind of base,
    ``ports`` has the types of port, ``port_hits`` what a hit takes off at the places that are excepted.
    """

    terrain: Mapping[tuple[str, str], int | None]
    sides: Mapping[str, int | None]
    as_hex: Mapping[str, str]
    zoc: Mapping[str, tuple[int, int]]
    rail: tuple[tuple[int, int, int], ...]
    ride_grain: int
    overruns: Mapping[str, tuple[tuple[int, int], ...]]
    misc2: Mapping[str, int]
    repair2: Mapping[str, int]
    engineer2: Mapping[str, int]
    airbases: Mapping[str, int]
    ports: Mapping[str, PortRow]
    port_hits: Mapping[str, Fraction]
    stacking: Mapping[str, int]
    supply: Mapping[str, Mapping[str, Fraction]]
    limits: Mapping[str, int]

    @property
    def clear2(self) -> Mapping[str, int]:
        """What a road hex costs each column: as clear terrain (WD 7.B)."""
        return {column: _known(self.terrain[("clear", column)]) for column in COLUMNS}

    def rail_rate(self, rating: int) -> int:
        """Hexes by rail per MP for a printed rating (WD chart.rail, ruling RAIL-RATES)."""
        for low, high, hexes in self.rail:
            if low <= rating <= high:
                return hexes
        return self.rail[0][2] if rating > self.rail[0][1] else 0

    def ride2(self, rate: int, before: int, hexes: int) -> int:
        """Half MPs of further rail hexes at so many hexes per MP: all of the phase added and rounded up once (WD
        7.A.rate, ruling RAIL-PARTIAL)."""
        per_grain = rate * self.ride_grain  # twice the hexes that one grain buys
        whole = -(-2 * (before + hexes) // per_grain) - -(-2 * before // per_grain)
        return self.ride_grain * whole

    @property
    def overrun_odds(self) -> tuple[int, int]:
        """The odds to one that an overrun needs, and those of a target without defense (WD 13.odds, 13.zero)."""
        rates = self.overruns[REST]
        return rates[0][0], rates[-1][0]

    def overrun2(self, zone: str, odds: int) -> int:
        """Half MPs of an overrun on top of entering the hex, for a class of units at odds to one (WD 13.cost)."""
        return [cost2 for least, cost2 in self.overruns[zone] if odds >= least][-1]

    def movement(self, rating: int, supplied: bool) -> int:
        """Half MPs of a rating in or out of general supply (WD 12.B.effects)."""
        row = self.supply["general_supply" if supplied else "out_of_general_supply"]
        points = 2 * rating * row["movement"]
        return points.numerator // points.denominator


def column_of(unit: Unit) -> str:
    """The column of the terrain chart for a unit (chart note 1; cavalry as the chart excepts it)."""
    if unit.motorized or unit.artillery:
        return MOT_OR_ART
    return CAVALRY if unit.cavalry else OTHER


def zoc_class(unit: Unit) -> str:
    """The class of a unit in the ZOC costs (WD chart.zoc-costs)."""
    return GERMAN if unit.german_motorized else REST


def charts_of(world: World) -> Charts:
    """The compiled charts of a world. Raises :class:`ChartMissing` for a pack without one of them."""
    found = world.cache.get("charts")
    if not isinstance(found, Charts):
        grain = HALF_MP if world.switches.get("rail_partial") == "fraction" else WHOLE_MP
        found = world.cache["charts"] = _compile(world.charts, grain)
    return found


def _compile(charts: Mapping[str, object], ride_grain: int) -> Charts:
    """All charts of movement, stacking and supply, the costs of other actions with them (WD chart.misc)."""
    sides, costs = rows(charts, "hexsides"), rows(charts, "overrun_costs")
    return Charts(
        terrain={
            (cell(row, "terrain"), column): _half(cell(row, column))
            for row in rows(charts, "terrain")
            for column in COLUMNS
        },
        sides={cell(row, "kind"): _half(cell(row, "surcharge")) for row in sides},
        as_hex={cell(row, "kind"): row["as_hex"] for row in sides if row.get("as_hex")},
        zoc={
            cell(row, "class"): (_known(_half(cell(row, "leave"))), _known(_half(cell(row, "zone_to_zone"))))
            for row in rows(charts, "zoc_costs")
        },
        rail=tuple((int(cell(r, "from")), int(cell(r, "to")), int(cell(r, "hexes"))) for r in rows(charts, "rail")),
        ride_grain=ride_grain,
        overruns={
            kind: tuple(sorted((int(cell(r, "odds")), _mp2(r)) for r in costs if r["class"] == kind))
            for kind in (GERMAN, REST)
        },
        misc2={cell(row, "action"): _mp2(row) for row in rows(charts, "misc_costs")},
        repair2={
            cell(row, "action").removeprefix("repair_"): _mp2(row)
            for row in rows(charts, "engineer_costs")
            if cell(row, "action").startswith("repair_")
        },
        engineer2={cell(row, "action"): _mp2(row) for row in rows(charts, "engineer_costs")},
        airbases={cell(row, "kind"): int(cell(row, "capacity")) for row in rows(charts, "airbases")},
        ports={cell(row, "type"): _port(row) for row in rows(charts, "ports")},
        port_hits={cell(row, "place"): Fraction(cell(row, "per_hit")) for row in rows(charts, "port_exceptions")},
        stacking={cell(row, "what"): int(cell(row, "limit")) for row in rows(charts, "stacking")},
        supply={cell(row, "condition"): _fractions(row) for row in rows(charts, "supply")},
        limits={cell(row, "what"): int(cell(row, "value")) for row in rows(charts, "supply_limits")},
    )


def rows(charts: Mapping[str, object], name: str) -> list[Row]:
    """The rows of a chart. Raises :class:`ChartMissing`."""
    found = charts.get(name)
    if not isinstance(found, list):
        raise ChartMissing(f"the pack has no chart {name}")
    return found


def cell(row: Row, key: str) -> str:
    """A cell that the rules need. Raises :class:`ChartMissing`."""
    if key not in row:
        raise ChartMissing(f"a chart row has no column {key}: {dict(row)}")
    return row[key]


def _half(text: str) -> int | None:
    return None if text == "closed" else int(2 * Fraction(text))


def _mp2(row: Row) -> int:
    return _known(_half(cell(row, "mp")))


def _known(points: int | None) -> int:
    if points is None:
        raise ChartMissing("a chart closes what must be open")
    return points


def _port(row: Row) -> PortRow:
    return PortRow(int(cell(row, "capacity")), int(cell(row, "max_hits")), Fraction(cell(row, "per_hit")))


def _fractions(row: Row) -> dict[str, Fraction]:
    return {key: Fraction(value) for key, value in row.items() if key != "condition"}

"""The tables of air combat and antiaircraft fire, compiled once per world (WD chart.air-combat, chart.aa).

All cells come from the charts of the pack. Two dice give the row; what is modified beyond the table is read as its
first or last row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from adjudicator.western_desert.air.craft import Craft
from adjudicator.western_desert.charts import ChartMissing, cell, rows
from adjudicator.western_desert.state import World

NONE, TURN_BACK, ABORT, KILL = "none", "R", "A", "K"
RESULTS = (NONE, TURN_BACK, ABORT, KILL)
"""Results of air combat and antiaircraft fire from the mildest to the worst (WD 21.B.1)."""
RESULT_NAMES = {NONE: "no effect", TURN_BACK: "turned back", ABORT: "aborted", KILL: "eliminated"}
FIGHTER_AT_BOMBER, BOMBER_AT_FIGHTER = -1, 1
AA_AT_BOMBER, AA_AT_NIGHT = 1, 1
PIPS = 6
SUMS = range(2, 2 * PIPS + 1)
ROLLS = {total: PIPS - abs(PIPS + 1 - total) for total in SUMS}
"""In how many of the 36 ways two dice make each total."""
WAYS = PIPS * PIPS
_BAND = re.compile(r"(-?\d+)(?: to (-?\d+)|-(\d+)| or (less|more)|(\+))?")


class Band(NamedTuple):
    """A column: the least and the most that it takes; None where it has no end."""

    name: str
    least: int | None
    most: int | None

    def takes(self, value: int) -> bool:
        """Whether a number belongs in the column."""
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)


def band(name: str) -> Band:
    """The column of a heading: ``-5 or less``, ``3 to 4``, ``3-4``, ``17+``, ``2``. Raises :class:`ChartMissing`."""
    found = _BAND.fullmatch(name)
    if found is None:
        raise ChartMissing(f"a chart has a column {name}, which is no range of numbers")
    first, upto, dash, end, plus = found.groups()
    least: int | None = None if end == "less" else int(first)
    most: int | None = None if end == "more" or plus else int(upto or dash or first)
    return Band(name, least, most)


class Chances(NamedTuple):
    """In how many of 36 rolls a shot has each result."""

    none: int
    back: int
    abort: int
    kill: int

    @property
    def stop(self) -> int:
        """Rolls after which the target flies its mission no more."""
        return self.back + self.abort + self.kill

    @property
    def hurt(self) -> int:
        """Rolls that silence the target at once: it is aborted or eliminated (WD 21.B.2.b)."""
        return self.abort + self.kill


class Grid(NamedTuple):
    """A table of two dice: columns from left to right, the first and the last row, and the cells.

    ``counted`` keeps the chances that have been worked out, by number and modifier.
    """

    columns: tuple[Band, ...]
    first: int
    last: int
    cells: Mapping[tuple[str, int], str]
    counted: dict[tuple[int, int], Chances]

    def column(self, value: int) -> Band | None:
        """The column of a number; None where the table has none for it."""
        return next((column for column in self.columns if column.takes(value)), None)

    def result(self, value: int, roll: int) -> str:
        """The result of a number and a modified roll; no effect where the table has no column for the number."""
        column = self.column(value)
        row = max(self.first, min(self.last, roll))
        return self.cells[(column.name, row)] if column else NONE


class AirTables(NamedTuple):
    """Both tables, the types that are bombers in air combat (ruling AC-HB-NF) and to antiaircraft (ruling AA-HB)."""

    combat: Grid
    flak: Grid
    bombers: frozenset[str]
    flak_bombers: frozenset[str]

    def combat_modifier(self, firer: Craft, target: Craft) -> int:
        """What the dice get in air combat: -1 for a fighter at a bomber, +1 for a bomber at a fighter (WD 21.B.3.mod,
        ruling AC-HB-NF)."""
        if firer.fighter and target.type in self.bombers:
            return FIGHTER_AT_BOMBER
        return BOMBER_AT_FIGHTER if firer.type in self.bombers and target.fighter else 0

    def flak_modifier(self, target: Craft, night: bool) -> int:
        """What the dice get in antiaircraft fire: +1 at a bomber, +1 at night (WD 22.B.mod, ruling AA-HB)."""
        return (AA_AT_BOMBER if target.type in self.flak_bombers else 0) + (AA_AT_NIGHT if night else 0)


def chances(grid: Grid, value: int, modifier: int) -> Chances:
    """What two dice may do in the column of a number, counted over their 36 ways."""
    known = grid.counted.get((value, modifier))
    if known is None:
        found = dict.fromkeys(RESULTS, 0)
        for total, ways in ROLLS.items():
            found[grid.result(value, total + modifier)] += ways
        known = grid.counted[(value, modifier)] = Chances(*(found[result] for result in RESULTS))
    return known


def mildest(harmless: Callable[[int], bool]) -> tuple[int, int]:
    """Two dice whose sum does no harm where there is such a sum, the lowest; `check` goes on with them."""
    roll = next((total for total in SUMS if harmless(total)), SUMS[-1])
    return roll // 2, roll - roll // 2


def air_tables(world: World) -> AirTables:
    """The tables of a game, compiled once (WD chart.air-combat, chart.aa). Raises :class:`ChartMissing` for a pack
    without one of them."""
    found = world.cache.get("air tables")
    if not isinstance(found, AirTables):
        found = world.cache["air tables"] = AirTables(
            combat=_grid(world, "air_combat", "difference"),
            flak=_grid(world, "antiaircraft", "strength"),
            bombers=_types(world.switches.get("ac_bomber_types", "B,NB")),
            flak_bombers=_types(world.switches.get("aa_plus1_types", "B,NB,HB")),
        )
    return found


def _types(listed: str) -> frozenset[str]:
    return frozenset(listed.split(","))


def _grid(world: World, name: str, across: str) -> Grid:
    read = rows(world.charts, name)
    cells = {(cell(row, across), int(cell(row, "roll"))): cell(row, "result") for row in read}
    lines = sorted({roll for _column, roll in cells})
    columns = tuple(band(column) for column in dict.fromkeys(column for column, _roll in cells))
    return Grid(columns, lines[0], lines[-1], cells, {})

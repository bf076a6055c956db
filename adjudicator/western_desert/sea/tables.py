"""The tables of naval transport, compiled once per world (WD chart.malta, chart.shipping-results, chart.shipping,
26.D, 28.D)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from adjudicator.western_desert.charts import cell, rows
from adjudicator.western_desert.state import World

AFFECTED = "X"
SUPPLY = "supply"
UNAFFECTED, TURNED_BACK, SUNK = "NE", "R", "E"
EASTERN_ROWS = ("neither", "cyprus or alexandria", "cyprus and alexandria")


class SeaTables(NamedTuple):
    """``malta`` is by status and roll, ``results`` gives steps lost and the result for units and points by die.

    ``limits2`` are the half REs a side may ship on the map in a player turn, ``eastern`` the status numbers of map 19
    by how many of Cyprus and Alexandria the Allied player holds. ``run``: the least die of an Allied run to Malta, what
    changes it, from which status on, and the highest status (WD 28.D).
    """

    malta: Mapping[tuple[int, int], str]
    last_column: int
    results: Mapping[int, tuple[int, str]]
    limits2: Mapping[str, int]
    eastern: tuple[int, ...]
    run: Mapping[str, int]

    def affected(self, status: int, roll: int) -> bool:
        """Whether the Malta table has an X (WD 26.C, chart.malta); what is above the last column is read there (ruling
        MALTA-COLUMNS)."""
        return self.malta[(min(status, self.last_column), roll)] == AFFECTED

    def steps_lost(self, die: int) -> int:
        """Steps that an affected supply counter loses (WD chart.shipping-results)."""
        return -self.results[die][0]

    def result(self, die: int) -> str:
        """``NE``, ``R`` or ``E`` for an affected unit or replacement point (WD chart.shipping-results)."""
        return self.results[die][1]

    def runs_through(self, status: int, die: int) -> bool:
        """Whether an Allied shipment to or from Malta gets through (WD 28.D)."""
        return die + self.run_modifier(status) >= self.run["through_from"]

    def run_modifier(self, status: int) -> int:
        """What changes the die of such a run at a status of Malta (WD 28.D)."""
        return self.run["modifier"] if status >= self.run["modifier_from_status"] else 0

    @property
    def highest(self) -> int:
        """The highest status of Malta, which it has when the Axis player holds it (WD 28.D, 26.C)."""
        return self.run["highest_status"]


def sea_tables(world: World) -> SeaTables:
    """The tables of a game. Raises :class:`charts.ChartMissing` for a pack without one of them."""
    found = world.cache.get("sea tables")
    if not isinstance(found, SeaTables):
        found = world.cache["sea tables"] = _compile(world.charts)
    return found


def _compile(charts: Mapping[str, object]) -> SeaTables:
    table = rows(charts, "malta")
    malta = {(_column(cell(row, "status")), int(cell(row, "roll"))): cell(row, "result") for row in table}
    eastern = {cell(row, "allied_hold"): int(cell(row, "status")) for row in rows(charts, "map_19_status")}
    return SeaTables(
        malta,
        max(status for status, _roll in malta),
        {int(cell(r, "die")): (int(cell(r, SUPPLY)), cell(r, "unit_or_rp")) for r in rows(charts, "shipping_results")},
        {cell(row, "side"): 2 * int(cell(row, "re")) for row in rows(charts, "shipping")},
        tuple(eastern[name] for name in EASTERN_ROWS),
        {cell(row, "what"): int(cell(row, "value")) for row in rows(charts, "malta_run")},
    )


def _column(text: str) -> int:
    return int(text.rstrip("+"))

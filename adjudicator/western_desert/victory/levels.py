"""Levels of victory (WD 31.B, 31.E; rulings VICTORY-NAMES, RATIO-ZERO)."""

from __future__ import annotations

from fractions import Fraction

from adjudicator.western_desert.charts import ChartMissing
from adjudicator.western_desert.state import World, turn_number
from adjudicator.western_desert.world import rows, text

DECISIVE_UNTIL = turn_number("Dec II 41")
DECISIVE, MAJOR, SUBSTANTIAL = "decisive", "major", "substantial"


def automatic_level(turn: int) -> str:
    """An automatic victory is decisive to the end of 1941, later a major one (WD 31.B)."""
    return DECISIVE if turn <= DECISIVE_UNTIL else MAJOR


def ratio(allied: Fraction, axis: Fraction) -> Fraction | None:
    """The Allied tally to that of the Axis. None where one alone is above zero; two that are not are inverted, 0 as 1
    (ruling RATIO-ZERO)."""
    if allied > 0 and axis > 0:
        return allied / axis
    if allied > 0 or axis > 0:
        return None
    return (abs(axis) or Fraction(1)) / (abs(allied) or Fraction(1))


def level(world: World, allied: Fraction, axis: Fraction) -> str:
    """The level of victory: side and level, or a draw; a ratio counts as the next one below it (WD 31.E,
    chart.victory). Raises :class:`ChartMissing` for a pack without the table."""
    found = ratio(allied, axis)
    if found is None:
        return f"{'allied' if allied > 0 else 'axis'} {SUBSTANTIAL}"
    table = sorted((Fraction(text(row, "from")), text(row, "level")) for row in rows(world.charts, "victory_levels"))
    for least, name in reversed(table):
        if found >= least:
            return name
    raise ChartMissing("the chart victory_levels has no row for every ratio")

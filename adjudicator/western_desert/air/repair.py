"""Repair of air units in the initial phase of their owner (WD 23, chart.repair, 28.A.3.turn)."""

from __future__ import annotations

from adjudicator.engine.core import Problem
from adjudicator.western_desert.air.craft import Craft
from adjudicator.western_desert.charts import ChartMissing, cell, rows
from adjudicator.western_desert.sequence import FIRST_TURN
from adjudicator.western_desert.state import World, turn_number

RULE, DISARRAY_RULE = "WD 23", "WD 28.A.3.turn"
ITALIAN, GERMAN, ALLIED = "italian", "german", "allied"
NATIONS = (ITALIAN, GERMAN, ALLIED)


def nation_of(craft: Craft) -> str:
    """The line of the chart for an air unit: that of its nation for the Axis, one for all Allied ones (WD 23)."""
    return craft.nat if craft.nat in (ITALIAN, GERMAN) else ALLIED


def repaired_up_to(world: World, nation: str, turn: int) -> int:
    """The highest die roll that repairs an air unit of a nation on a game turn (WD 23, chart.repair).

    Raises :class:`ChartMissing` for a nation that the chart has not.
    """
    dated = [
        (turn_number(cell(row, "from")), int(cell(row, "up_to")))
        for row in rows(world.charts, "air_repair")
        if cell(row, "nation") == nation
    ]
    begun = [entry for entry in dated if entry[0] <= turn]
    if not begun:
        raise ChartMissing(f"the chart air_repair has no row for {nation} on turn {turn}")
    return max(begun)[1]


def repair_problems(craft: Craft, operative: bool, turn: int, phase: str, own_turn: bool) -> list[Problem]:
    """What keeps an air unit from an attempt at repair (WD 23; WD 28.A.3.turn: none for Italians on Dec I 40)."""
    name = craft.name or craft.id
    found = []
    if phase != "initial" or not own_turn:
        text = "air units are repaired in the initial phase of their owner's player turn"
        found.append(Problem("phase", RULE, text, "order it in your initial phase"))
    if operative:
        found.append(Problem("operative", RULE, f"{name} is operative", "name an inoperative air unit"))
    if turn == FIRST_TURN and nation_of(craft) == ITALIAN:
        text = f"{name} is Italian; the disarray of the first game turn forbids its repair"
        found.append(Problem("disarray", DISARRAY_RULE, text, "repair it from the second game turn on"))
    return found

"""Vichy France: who may go into the Levant, and what pressure on Vichy brings (WD 28.C). Pure.

``held_by`` is who controls the Vichy forces, "" while they are neutral: the side that did not invade. ``grant`` is
what Vichy has granted the Axis: "", ``air`` or ``full``.
"""

from __future__ import annotations

from adjudicator.engine.core import Problem
from adjudicator.western_desert.charts import rows
from adjudicator.western_desert.state import ENEMY, VICHY, State, World, turn_name, turn_number

RULE = "WD 28.C.1"
SIDE, ALLIED = "axis", "allied"
FIRST = "Apr I 41"
AIR, FULL = "air", "full"
GRANTS = ("", AIR, FULL)
NO_GRANT = "none"
IF_INVADED = -1


def allies_invaded(held_by: str) -> bool:
    """True once the Allied player has invaded: the Axis player controls the Vichy forces then (WD 28.C.invade)."""
    return held_by == SIDE


def roll_problems(turn: int, player: str, phase: str, held_by: str) -> list[Problem]:
    """When the Axis player may put pressure on Vichy France: in his initial phase from Apr I 41 on, sooner once the
    Allied player has invaded the Levant (WD 28.C.1)."""
    if (player, phase) != (SIDE, "initial"):
        text = "the Axis player puts pressure on Vichy France in his initial phase"
        return [Problem("moment", RULE, text, "leave the order out")]
    if turn < turn_number(FIRST) and not allies_invaded(held_by):
        text = f"pressure on Vichy France begins on {FIRST}, or once the Allies have invaded; this is {turn_name(turn)}"
        return [Problem("early", RULE, text, "leave the order out")]
    return []


def modifier(held_by: str) -> int:
    """What is added to the roll (WD 28.C.1)."""
    return IF_INVADED if allies_invaded(held_by) else 0


def outcome(world: World, roll: int, change: int = 0) -> str:
    """What the table gives: "", ``air`` or ``full`` (WD 28.C.1, chart.vichy); a roll below the table is read as its
    lowest row (VICHY-LOW)."""
    table = rows(world.charts, "vichy")
    lowest = min(int(row["from"]) for row in table)
    value = max(lowest, roll + change)
    found = next(row["result"] for row in table if int(row["from"]) <= value <= int(row["to"]))
    return "" if found == NO_GRANT else found


def better(before: str, result: str) -> str:
    """The best grant so far lasts, and a further one adds to it (ruling VICHY-UPGRADE)."""
    return max(before, result, key=GRANTS.index)


def admitted(state: State, side: str, h: int) -> bool:
    """Whether a side may land in a hex that Vichy France, still neutral, holds: the Axis player after the full grant
    (WD 28.C.1.effect)."""
    return side == SIDE and state.theatre.grant == FULL and state.owner(h) == VICHY


def may_fly(side: str, held_by: str, grant: str) -> bool:
    """Whether a side's air units may enter the Levant: the grant of air will do (WD 28.C.1.effect, LEVANT-AIR)."""
    return may_enter(side, held_by, grant) or (side == SIDE and grant == AIR)


def may_enter(side: str, held_by: str, grant: str) -> bool:
    """Whether a side's own ground units and supplies may go into the Levant (WD 28.C, 28.C.1.effect, 28.C.2).

    Either invader may, and the Allied player if the Axis player invades. The Axis player whom Vichy fights for needs
    the full grant.
    """
    if held_by == ENEMY.get(side):
        return True
    return grant == FULL if side == SIDE else held_by == side

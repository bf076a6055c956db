"""The garrison of Tripolitania: when it is released and where it appears (WD 28.A.2)."""

from __future__ import annotations

from adjudicator.engine.core import Problem
from adjudicator.western_desert import hexes
from adjudicator.western_desert.fifth_army import tripoli
from adjudicator.western_desert.graph import graph_of
from adjudicator.western_desert.state import ENEMY, State

RULE, BOX, SIDE = "WD 28.A.2", "tripolitania_garrison", "axis"
ALARM, RADIUS = 12, 3
"""Hexes from Tripoli within which an Allied unit releases the garrison, and within which it appears."""


def boxed(state: State) -> list[str]:
    """The units that are still in the box, in order of id."""
    return sorted(uid for uid, kept in state.boxes.items() if kept.box == BOX)


def alarmed(state: State) -> bool:
    """True where an Allied unit is within 12 hexes of Tripoli."""
    enemies = (uid for uid in state.side_units(ENEMY[SIDE]) if not state.unit(uid).counter)
    return any(hexes.distance(state.hex_of(uid), tripoli(state)) <= ALARM for uid in enemies)


def release_problems(state: State, side: str) -> list[Problem]:
    """What keeps the garrison in its box: side and phase, an empty box, no Allied unit near enough (WD 28.A.2)."""
    if side != SIDE or (state.player, state.phase) != (SIDE, "initial"):
        text = "the garrison of Tripolitania appears in an Axis initial phase"
        return [Problem("moment", RULE, text, "leave the order out")]
    if not boxed(state):
        return [Problem("empty", RULE, "no unit is left in the box of the garrison", "leave the order out")]
    if not alarmed(state):
        text = f"no Allied unit is within {ALARM} hexes of Tripoli"
        return [Problem("distance", RULE, text, "leave the order out")]
    return []


def spot_problems(state: State, h: int) -> list[Problem]:
    """Whether a unit of the garrison may appear in a hex: within 3 hexes of Tripoli, on ground open to it (WD
    28.A.2)."""
    where = state.board.feature_names(h)
    if h not in state.board.land or state.board.terrain(h) == "salt_marsh":
        text, rule = f"no unit can be in {where}", "WD 6.prohibited"
    elif hexes.distance(h, tripoli(state)) > RADIUS:
        text, rule = f"{where} is more than {RADIUS} hexes from Tripoli", RULE
    elif graph_of(state).closed(h):
        text, rule = f"{where} is neutral ground", "WD 3.B"
    elif state.enemy_in(h, SIDE):
        text, rule = f"{where} is held by the enemy", "WD 8.B.coexist"
    else:
        return []
    return [Problem("spot", rule, text, "name another hex", field="at")]


def spots(state: State) -> list[int]:
    """All hexes where the garrison may appear, the nearest to Tripoli first."""
    near = sorted(hexes.within(tripoli(state), RADIUS), key=lambda h: (hexes.distance(h, tripoli(state)), h))
    return [h for h in near if not spot_problems(state, h)]

"""Units that stay where they belong, whatever would carry them: Vichy forces, the brigades of Malta, South
Africans where that is played (WD 28.C, 28.D, 32.A.sa)."""

from __future__ import annotations

from collections.abc import Iterable

from adjudicator.engine.core import Problem
from adjudicator.western_desert.graph import SOUTH_AFRICAN, graph_for, home_of
from adjudicator.western_desert.sea.voyages import MALTA
from adjudicator.western_desert.state import State
from adjudicator.western_desert.walk import south_africans


def homebound_problems(state: State, units: Iterable[str], to: int, field: str = "unit") -> list[Problem]:
    """What keeps units from being carried to a hex by ship or by air (WD 28.C.invade, 28.D.brigades,
    32.A.sa)."""
    found = []
    for uid in units:
        name = state.unit(uid).name or uid
        if malta_brigade(state, uid) and not state.board.in_region(to, MALTA):
            text = f"{name} remains on Malta"
            found.append(Problem("malta_brigade", "WD 28.D.brigades", text, "leave it there", field=field))
        home = home_of(state, uid)
        if not home or not graph_for(state, uid).closed(to):
            continue
        if home == SOUTH_AFRICAN:
            found.append(south_africans(state.board, to, field))
        else:
            text = f"{name} would leave the Levant, in which Vichy forces stay"
            found.append(Problem("vichy_bound", "WD 28.C.invade", text, "keep it in Lebanon and Syria", field=field))
    return found


def malta_brigade(state: State, uid: str) -> bool:
    """A British infantry brigade with an M in its identification (WD 28.D.brigades)."""
    unit = state.world.units[uid]
    marked = "M" in unit.designation.split()
    return marked and (unit.nat, unit.type, unit.size) == ("british", "infantry", "brigade")

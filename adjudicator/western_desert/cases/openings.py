"""Who holds what when the campaign begins, for the form lookup: the set-up of the game itself, run once."""

from __future__ import annotations

from functools import cache

from adjudicator.engine.casecheck import NotBuilt
from adjudicator.engine.dice import Assume
from adjudicator.western_desert.cases.build import real_world
from adjudicator.western_desert.cases.drive import context, drive
from adjudicator.western_desert.cases.lookups import Asked, table
from adjudicator.western_desert.setup import setup_step
from adjudicator.western_desert.state import ENEMY, State
from adjudicator.western_desert.world import first_state

HELD = "egypt_held_or_in_zoc_of_italians"
REST = "egypt_rest"
NOBODY = "not_allied"


@cache
def _set_up() -> State:
    """The position after the set-up of the campaign's first scenario."""
    state = first_state(real_world())
    drive(setup_step(context(state)), Assume())
    return state


@table("initial_control", "owner")
def _initial_control(asked: Asked) -> Asked:
    """The one owner of an area: a country, or the part of Egypt that the Italians hold or reach."""
    state, area = _set_up(), str(asked[0])
    country = "Egypt" if area in (HELD, REST) else area
    places = [h for h in state.board.land if state.board.in_region(h, country)]
    if area in (HELD, REST):
        places = [h for h in places if _italian(state, h) == (area == HELD)]
    if not places:
        raise NotBuilt(f"the area {area}: the map has none of that name")
    owners = {owner if (owner := state.owner(h)) in ENEMY else NOBODY for h in places}
    return (owners.pop() if len(owners) == 1 else "mixed",)


def _italian(state: State, h: int) -> bool:
    """Whether Axis units stand in a hex or reach into it while no Allied unit stands there."""
    if state.friends_at(h, "allied"):
        return False
    return bool(state.friends_at(h, "axis")) or state.ezoc(h, "allied")

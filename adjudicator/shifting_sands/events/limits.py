"""What events in force keep units from: leaving a region, being redeployed by points that are not theirs (SS 7.51)."""

from __future__ import annotations

from adjudicator.engine.core import Problem
from adjudicator.shifting_sands.effects import in_force, of_round
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import Counter, text, texts

RULE = "SS 7.51"


def confined(state: State, unit: Counter, a: str, b: str) -> Problem | None:
    """Why a unit may not go from a to b of its own will: an event keeps its side in a region; None if it may."""
    for name, effect in in_force(state, "confine"):
        regions = texts(effect, "region")
        if text(effect, "side") != unit.side or not _within(state, a, regions) or _within(state, b, regions):
            continue
        said = f"{unit.id} may not leave {', '.join(regions)} while {name} is in force"
        return Problem("confined", RULE, said, "stay inside", field="path")
    return None


def _within(state: State, place: str, regions: list[str]) -> bool:
    return any(state.world.in_region(place, region) for region in regions)


def not_theirs(state: State, unit: Counter) -> Problem | None:
    """Points of redeployment that an event gives to some nations serve these alone."""
    for name, effect in of_round(state, "rd_points"):
        nations = texts(effect, "nations")
        if nations and unit.nation not in nations:
            said = f"the points of {name} are for {', '.join(nations)} units"
            return Problem("nation", RULE, said, "leave it out", field="unit")
    return None

"""Stacking (SS 8): three units in a space, four under Montgomery or Patton."""

from __future__ import annotations

from adjudicator.shifting_sands.nations import BRITISH_GROUP
from adjudicator.shifting_sands.state import State

LIMIT = 3
WIDE = 4


def _wide_rule(state: State, place: str, side: str) -> str:
    """The exception under which a space might hold four: "" for none, ``egypt`` everywhere, else one space a name."""
    nations = {state.counter(uid).nation for uid in state.friends(place, side)}
    if state.played("Montgomery") and nations <= set(BRITISH_GROUP):
        if state.world.in_region(place, "Egypt"):
            return "egypt"
        if state.world.in_region(place, "Libya"):
            return "montgomery-libya"
        if _tunisia(state, place):
            return "montgomery-tunisia"
    if state.played("Patton") and nations <= {"US"} and _tunisia(state, place):
        return "patton"
    return ""


def _tunisia(state: State, place: str) -> bool:
    return state.world.in_region(place, "Algeria") or state.world.in_region(place, "Tunisia")


def limit(state: State, place: str, side: str) -> int | None:
    """How many of a side's units a space may hold now; None for boxes (ruling A62)."""
    space = state.world.spaces.get(place)
    if place.startswith("@") or (space is not None and space.box):
        return None
    rule = _wide_rule(state, place, side)
    if not rule or (rule != "egypt" and _taken(state, place, side, rule)):
        return LIMIT
    return WIDE


def _taken(state: State, place: str, side: str, rule: str) -> bool:
    """True where another space already uses the one exception of its kind."""
    return any(
        other < place and len(state.friends(other, side)) > LIMIT and _wide_rule(state, other, side) == rule
        for other in state.at
    )


def excess(state: State, place: str, side: str) -> int:
    """Units over the limit in a space; 0 when all is well."""
    allowed = limit(state, place, side)
    return 0 if allowed is None else max(0, len(state.friends(place, side)) - allowed)


def room(state: State, place: str, side: str, nation: str = "") -> int:
    """Free places in a space for a unit of a nation; a large number for boxes."""
    allowed = limit(state, place, side)
    if allowed is None:
        return 99
    if allowed == WIDE and nation:
        may = ("US",) if _wide_rule(state, place, side) == "patton" else BRITISH_GROUP
        allowed = WIDE if nation in may else LIMIT
    return max(0, allowed - len(state.friends(place, side)))


def overstacked(state: State, side: str) -> list[str]:
    """Spaces where a side has too many units, by name."""
    return [place for place in sorted(state.at) if excess(state, place, side) > 0]

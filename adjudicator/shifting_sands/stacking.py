"""Stacking (SS 8): three units in a space, four under Montgomery or Patton."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Problem
from adjudicator.shifting_sands.nations import BRITISH_GROUP
from adjudicator.shifting_sands.state import State

LIMIT = 3
WIDE = 4
UNLIMITED = 99
EVERYWHERE = "egypt"
"""The one exception that holds in every space of its region; each of the others holds in a single space."""


def _wide_rule(state: State, place: str, nations: set[str]) -> str:
    """The exception under which units of these nations may stack to four in a space; "" for none (SS 8.1m, 8.1p)."""
    if state.played("Montgomery") and nations <= set(BRITISH_GROUP):
        if state.world.in_region(place, "Egypt"):
            return EVERYWHERE
        if state.world.in_region(place, "Libya"):
            return "montgomery-libya"
        if _tunisia(state, place):
            return "montgomery-tunisia"
    if state.played("Patton") and nations <= {"US"} and _tunisia(state, place):
        return "patton"
    return ""


def _tunisia(state: State, place: str) -> bool:
    return state.world.in_region(place, "Algeria") or state.world.in_region(place, "Tunisia")


def _nations(state: State, place: str, side: str) -> set[str]:
    return {state.counter(uid).nation for uid in state.friends(place, side)}


def _boundless(state: State, place: str) -> bool:
    """Boxes have no limit (ruling A62)."""
    space = state.world.spaces.get(place)
    return place.startswith("@") or (space is not None and space.box)


def limit(state: State, place: str, side: str) -> int | None:
    """How many of a side's units, forts aside, a space may hold as it is now; None for boxes (SS 8.1, 8.11).

    Where two spaces claim an exception that only one may use, the first by name has it.
    """
    if _boundless(state, place):
        return None
    rule = _wide_rule(state, place, _nations(state, place, side))
    if not rule:
        return LIMIT
    return LIMIT if any(other < place for other in _users(state, place, side, rule)) else WIDE


def _users(state: State, place: str, side: str, rule: str) -> list[str]:
    """Other spaces that use an exception of which there is one."""
    if rule == EVERYWHERE:
        return []
    return [
        other
        for other in sorted(state.at)
        if other != place
        and len(state.friends(other, side)) > LIMIT
        and _wide_rule(state, other, _nations(state, other, side)) == rule
    ]


def excess(state: State, place: str, side: str) -> int:
    """Units over the limit in a space; 0 when all is well (SS 8.1, 8.2)."""
    allowed = limit(state, place, side)
    return 0 if allowed is None else max(0, len(state.friends(place, side)) - allowed)


def room(state: State, place: str, side: str, nation: str) -> int:
    """How many more units of a nation a space may take now; a large number for boxes."""
    if _boundless(state, place):
        return UNLIMITED
    there = len(state.friends(place, side))
    rule = _wide_rule(state, place, _nations(state, place, side) | {nation})
    allowed = WIDE if rule and not _users(state, place, side, rule) else LIMIT
    return max(0, allowed - there)


def overstacked(state: State, side: str) -> list[str]:
    """Spaces where a side has too many units, by name."""
    return [place for place in sorted(state.at) if excess(state, place, side) > 0]


def least(state: State, place: str, side: str) -> list[str]:
    """Whom a space too full loses where nobody says: battlegroups before divisions, reduced units before full ones, the
    weakest first (SS 8.2, ruling A22)."""

    def rank(uid: str) -> tuple[bool, bool, int, str]:
        return state.counter(uid).division, not state.pieces[uid].reduced, state.cf(uid), uid

    return sorted(state.friends(place, side), key=rank)[: excess(state, place, side)]


def refuses(state: State) -> bool:
    """Whether orders that would leave a space too full are refused, as they are by ruling A22 (SS 8.2)."""
    return state.world.switch("overstack_orders", "reject") == "reject"


def overstack_problem(state: State, place: str, side: str) -> Problem:
    """What is wrong with a space that is too full at the end of movement (SS 8.1, 8.2, ruling A22)."""
    allowed, over = limit(state, place, side) or 0, excess(state, place, side)
    said = f"{place} would hold {allowed + over} units at the end of movement, {allowed} may stack"
    hint = "end elsewhere, move a unit out, or write end_movement with allow_overstack and eliminate"
    return Problem("stack", "SS 8.2", said, hint, field="path")


def elimination_problems(state: State, side: str, chosen: Sequence[str]) -> list[Problem]:
    """Why units named for 8.2 do not settle the overstacks of a side: exactly the excess of each space must go."""
    found: list[Problem] = []
    full = overstacked(state, side)
    for place in full:
        named = [uid for uid in chosen if uid in state.friends(place, side)]
        over = excess(state, place, side)
        if len(named) != over:
            said = f"{place} holds {over} too many, {len(named)} of its units are named to be eliminated"
            found.append(Problem("excess", "SS 8.2", said, f"name {over} of its units", field="eliminate"))
    strays = [uid for uid in chosen if not any(uid in state.friends(place, side) for place in full)]
    if strays:
        said = f"{', '.join(strays)} stand in no space that is too full"
        found.append(Problem("excess", "SS 8.2", said, "leave them out", field="eliminate"))
    return found

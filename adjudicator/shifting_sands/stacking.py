"""Stacking (SS 8): three units in a space, more where an event in force lets some nations stack higher."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.engine.core import Problem
from adjudicator.shifting_sands.effects import in_force
from adjudicator.shifting_sands.nations import BRITISH_GROUP
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import text, texts

LIMIT = 3
UNLIMITED = 99
GROUPS = {"british_group": BRITISH_GROUP}
"""Words of the vocabulary that stand for several nations."""


@dataclass(frozen=True, slots=True)
class Wide:
    """An exception that an event gives: how many units of some nations alone may stand in a space of these regions, in
    every one of them or in a single one (SS 8.1m, 8.1p)."""

    event: str
    regions: tuple[str, ...]
    limit: int
    everywhere: bool


def _wide(state: State, place: str, nations: set[str]) -> Wide | None:
    """The exception that units of these nations use in a space: the one that holds everywhere first, then the highest
    limit; None for none (SS 8.1m, 8.1p)."""
    found = []
    for name, effect in in_force(state, "stacking"):
        able = {nation for word in texts(effect, "nations") for nation in GROUPS.get(word, (word,))}
        regions = tuple(texts(effect, "region"))
        if nations <= able and any(state.world.in_region(place, region) for region in regions):
            found.append(Wide(name, regions, int(text(effect, "limit")), text(effect, "spaces") == "all"))
    return max(found, key=lambda wide: (wide.everywhere, wide.limit), default=None)


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
    wide = _wide(state, place, _nations(state, place, side))
    if wide is None or any(other < place for other in _users(state, place, side, wide)):
        return LIMIT
    return wide.limit


def _users(state: State, place: str, side: str, wide: Wide) -> list[str]:
    """Other spaces that use an exception of which there is one."""
    if wide.everywhere:
        return []
    return [
        other
        for other in sorted(state.at)
        if other != place
        and len(state.friends(other, side)) > LIMIT
        and _wide(state, other, _nations(state, other, side)) == wide
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
    wide = _wide(state, place, _nations(state, place, side) | {nation})
    allowed = LIMIT if wide is None or _users(state, place, side, wide) else wide.limit
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

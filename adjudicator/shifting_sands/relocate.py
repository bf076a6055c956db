"""Where overrun units go (SS 11.47, 11.471)."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from adjudicator.engine.core import Problem
from adjudicator.shifting_sands.access import NEAR_EAST, entry, step_problem
from adjudicator.shifting_sands.effects import in_force
from adjudicator.shifting_sands.fire import Combat
from adjudicator.shifting_sands.losses import ELIMINATED, REPLACEMENT
from adjudicator.shifting_sands.stacking import room
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.supply import serves
from adjudicator.shifting_sands.world import Counter, text

RELOCATE_TO = {"allied": ("Alexandria", "Cairo"), "axis": ("El Agheila", "Tarhuna")}
EAST_AFRICA = "East Africa"
UNLINKED = 999


def relocations(state: State, uid: str, target: str) -> list[str]:
    """Where an overrun unit may go, in the order of SS 11.47; ``@replacement`` is the voluntary loss.

    Where no place is open a division is lost for good, a battlegroup goes to the replacement box (SS 11.471, ex.3).
    """
    unit = state.counter(uid)
    places = open_places(state, unit, target)
    if places:
        return [*places, REPLACEMENT]
    return [ELIMINATED if unit.division else REPLACEMENT]


def place_problems(state: State, uid: str, target: str, places: Sequence[str], place: str) -> list[Problem]:
    """Why an overrun unit may not be placed there (SS 11.47, 11.471)."""
    if place in places:
        return []
    unit = state.counter(uid)
    rule, why = "SS 11.47", "it is no place that 11.47 names"
    if place == target:
        rule, why = "SS 11.471", "the defending space is never the place"
    elif place in state.world.spaces and state.owner(place) != unit.side:
        why = "it is not friendly"
    elif place in state.world.spaces and room(state, place, unit.side, unit.nation) < 1:
        rule, why = "SS 11.471", "it is full"
    elif unit.division and place not in _overland(state, unit, target):
        rule, why = "SS 11.471", "a division needs a way over friendly land"
    said = f"{uid} may not be placed in {place}: {why}"
    return [Problem("relocate", rule, said, "open: " + ", ".join(places), field="to")]


def poor_morale(state: State) -> str:
    """The event in force by which overrun Italians are lost for good (SS 11.473); "" for none."""
    return next((name for name, effect in in_force(state, "flag") if text(effect, "flag") == "poor_morale"), "")


def doomed(state: State, combat: Combat, uid: str) -> bool:
    """SS 11.473: an Italian infantry division overrun after Poor Morale is lost for good, unless Germans stood by.

    Germans count who defended when the combat began (ruling faq.cards.36: the overrun is one with its losses).
    SS faq.cards.36.
    """
    unit = state.counter(uid)
    if unit.nation != "IT" or not unit.division or unit.armor or not poor_morale(state):
        return False
    return not any(state.counter(other).nation == "GE" for other in combat.defenders)


def open_places(state: State, unit: Counter, target: str, rooms: bool = True) -> list[str]:
    """The places of SS 11.47 that are friendly, lawful, roomy and, for a division, to be reached over own land.

    Without ``rooms`` full spaces count as well.
    SS 11.47a, 11.47b, 11.471, faq.rules.9, faq.rules.10, faq.rules.12.
    """
    far = _overland(state, unit, target) if unit.division else links_from(state, target)
    able = [name for name in sorted(state.world.spaces) if name in far or not unit.division]
    able = [name for name in able if _open(state, unit, target, name, rooms)]
    found = [name for name in RELOCATE_TO[unit.side] if name in able]
    sources = {name: far.get(name, UNLINKED) for name in able if serves(state, unit, name)}
    near = min(sources.values(), default=0)
    return [*found, *(name for name in sources if sources[name] == near and name not in found)]


def _open(state: State, unit: Counter, target: str, name: str, rooms: bool) -> bool:
    return (
        name != target
        and state.owner(name) == unit.side
        and entry(state, unit, name) is None
        and not state.enemies(name, unit.side)
        and (not rooms or room(state, name, unit.side, unit.nation) > 0)
        and _near_enough(state, name, target)
    )


def _near_enough(state: State, name: str, target: str) -> bool:
    """Any theatre will do, unless the game has it otherwise (ruling A27)."""
    free = state.world.switch("overrun_same_theatre", "off") == "off"
    return free or _theatre(state, name) == _theatre(state, target)


def _theatre(state: State, name: str) -> str:
    """East Africa, the Near East, or North Africa and what lies around it (ruling A27)."""
    for region in (EAST_AFRICA, NEAR_EAST):
        if state.world.in_region(name, region):
            return region
    return "North Africa"


def _overland(state: State, unit: Counter, target: str) -> dict[str, int]:
    """Spaces a division can reach over friendly land, with their distance (SS 11.471)."""
    found = {target: 0}
    queue = deque([target])
    while queue:
        here = queue.popleft()
        for there in state.world.neighbours(here):
            if there in found or state.owner(there) != unit.side:
                continue
            if step_problem(state, unit, here, there, ending=False) is None:
                found[there] = found[here] + 1
                queue.append(there)
    return found


def links_from(state: State, *targets: str) -> dict[str, int]:
    """Distance from the nearest of these spaces over all lines, whoever holds the spaces (ruling A26)."""
    found, queue = dict.fromkeys(targets, 0), deque(targets)
    while queue:
        here = queue.popleft()
        for there in state.world.neighbours(here):
            if there not in found:
                found[there] = found[here] + 1
                queue.append(there)
    return found


def may_trace(state: State, unit: Counter, target: str) -> bool:
    """Whether a division lost in an overrun could have gone to a place, full or not, else it is lost for good."""
    return bool(open_places(state, unit, target, rooms=False))

"""Retreats, buying them off, and the relocation of overrun units (SS 11.47, 11.5)."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import pairwise

from adjudicator.shifting_sands.access import crossing, entry, step_problem
from adjudicator.shifting_sands.fire import Combat, terrain_row
from adjudicator.shifting_sands.losses import ELIMINATED, REPLACEMENT, replacements
from adjudicator.shifting_sands.stacking import room
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.supply import FULL, OUT, serves, supply
from adjudicator.shifting_sands.world import Counter, text

RELOCATE_TO = {"allied": ("Alexandria", "Cairo"), "axis": ("El Agheila", "Tarhuna")}
Path = tuple[str, ...]


def retreat_paths(state: State, uid: str, target: str, spaces: int) -> list[Path]:
    """The paths among which the owner chooses; empty where the unit is lost (SS 11.55, rulings A21, A23, A24).

    A path enters exactly ``spaces`` spaces and begins with the defending space. Ending in supply comes first, then
    entering the fewest enemy-controlled spaces.
    """
    legal = _walks(state, uid, target, spaces)
    if not legal:
        return []
    supplied = [path for path in legal if end_supply(state, uid, path[-1]) != OUT]
    kept = supplied or legal
    fewest = min(_enemy_spaces(state, uid, path) for path in kept)
    return [path for path in kept if _enemy_spaces(state, uid, path) == fewest]


def _walks(state: State, uid: str, target: str, spaces: int) -> list[Path]:
    unit = state.counter(uid)
    found: list[Path] = [(target,)]
    for number in range(1, spaces + 1):
        ending = number == spaces
        found = [
            (*path, there)
            for path in found
            for there in state.world.neighbours(path[-1])
            if there not in path and step_problem(state, unit, path[-1], there, ending) is None
        ]
    found = [path for path in found if spaces == 1 or not _crosses_nile(state, path)]
    return sorted(path for path in found if room(state, path[-1], unit.side, unit.nation) > 0)


def _crosses_nile(state: State, path: Path) -> bool:
    links = (state.world.link(a, b) for a, b in pairwise(path))
    return any(link is not None and link.whole_move for link in links)


def _enemy_spaces(state: State, uid: str, path: Path) -> int:
    side = state.counter(uid).side
    return sum(1 for name in path[1:] if state.owner(name) != side)


def end_supply(state: State, uid: str, end: str) -> str:
    """The supply a unit would have after ending a retreat, the space counted as its own (ruling A23)."""
    before = state.control.get(end)
    state.control[end] = state.counter(uid).side
    try:
        return supply(state, uid, end).status
    finally:
        if before is None:
            del state.control[end]
        else:
            state.control[end] = before


def best_path(state: State, uid: str, paths: Sequence[Path]) -> Path:
    """The default (pbem D5): full before limited supply, nearest to an own source, then by name."""

    def rank(path: Path) -> tuple[int, int, str]:
        found = supply(state, uid, path[-1])
        return (0 if end_supply(state, uid, path[-1]) == FULL else 1, found.distance or 99, path[-1])

    return min(paths, key=lambda path: (*rank(path), path))


def can_hold(state: State, combat: Combat) -> bool:
    """Whether the defender may cancel the retreat by a step (SS 11.53, 11.54)."""
    space = state.world.spaces[combat.target]
    if text(terrain_row(state, space.terrain), "hold") == "yes":
        return True
    froms = {state.pieces[uid].start for uid in combat.attackers}
    return bool(space.hold_from) and froms == {space.hold_from}


def holders(state: State, combat: Combat, survivors: Sequence[str]) -> list[str]:
    """Units that may pay the step: at least one defending step must remain (SS 11.53, ruling A28)."""
    if not can_hold(state, combat):
        return []
    return [uid for uid in survivors if _steps_after(state, survivors, uid) > 0]


def _steps_after(state: State, survivors: Sequence[str], payer: str) -> int:
    left = sum(1 if state.pieces[uid].reduced else 2 for uid in survivors) - 1
    counter = state.counter(payer)
    if state.pieces[payer].reduced and counter.division and replacements(state, payer):
        left += 1
    return left


def relocations(state: State, uid: str, target: str) -> list[str]:
    """Where an overrun unit may go, in the order of SS 11.47; ``@replacement`` is the voluntary loss.

    Where no place is open a division is lost for good, a battlegroup goes to the replacement box (SS 11.471).
    """
    unit = state.counter(uid)
    places = open_places(state, unit, target)
    if places:
        return [*places, REPLACEMENT]
    return [ELIMINATED if unit.division else REPLACEMENT]


def open_places(state: State, unit: Counter, target: str) -> list[str]:
    """The places of SS 11.47 that are friendly, lawful, roomy and, for a division, to be reached over own land."""
    reachable = _overland(state, unit, target) if unit.division else None
    found = [name for name in RELOCATE_TO[unit.side] if _open(state, unit, target, name, reachable)]
    for name in _nearest_sources(state, unit, target, reachable):
        if name not in found:
            found.append(name)
    return found


def _open(state: State, unit: Counter, target: str, name: str, reachable: dict[str, int] | None) -> bool:
    return (
        name in state.world.spaces
        and name != target
        and state.owner(name) == unit.side
        and entry(state, unit, name) is None
        and not state.enemies(name, unit.side)
        and room(state, name, unit.side, unit.nation) > 0
        and (reachable is None or name in reachable)
    )


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


def _links(state: State, target: str) -> dict[str, int]:
    """Distance over all lines, whoever holds the spaces (ruling A26)."""
    found = {target: 0}
    queue = deque([target])
    while queue:
        here = queue.popleft()
        for there in state.world.neighbours(here):
            if there not in found:
                found[there] = found[here] + 1
                queue.append(there)
    return found


def _nearest_sources(state: State, unit: Counter, target: str, reachable: dict[str, int] | None) -> list[str]:
    """The nearest open supply sources of the unit; several where they tie (ruling A26)."""
    far = reachable if reachable is not None else _links(state, target)
    sources = [
        name
        for name in sorted(state.world.spaces)
        if name in far and serves(state, unit, name) and _open(state, unit, target, name, reachable)
    ]
    if not sources:
        return []
    near = min(far[name] for name in sources)
    return [name for name in sources if far[name] == near]


def may_trace(state: State, unit: Counter, target: str) -> bool:
    """Whether a division lost in an overrun could have reached a place, else it is gone for good (SS 11.471)."""
    return bool(open_places(state, unit, target))


def crossing_allowed(state: State, unit: Counter, a: str, b: str) -> bool:
    """Whether a unit may attack from a into b as far as the line goes (SS 11.17)."""
    return crossing(state.world.link(a, b), unit, a, b) is None

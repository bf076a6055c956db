"""Retreats and buying them off (SS 11.5). Relocation of overrun units stands in relocate.py."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from adjudicator.engine.core import Problem
from adjudicator.shifting_sands.access import step_problem
from adjudicator.shifting_sands.fire import DEFENDER, Combat, fighters, terrain_of, terrain_row
from adjudicator.shifting_sands.losses import replacements
from adjudicator.shifting_sands.played import ends_apart, ignores
from adjudicator.shifting_sands.relocate import links_from
from adjudicator.shifting_sands.relocate import relocations as relocations
from adjudicator.shifting_sands.stacking import room
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.supply import FULL, OUT, Supplied, supply
from adjudicator.shifting_sands.world import text

Path = tuple[str, ...]
FAR = 99


def ways_back(state: State, combat: Combat, uid: str, spaces: int) -> list[Path]:
    """The paths of a defender of a combat, as its cards leave them (SS 11.55, 11.551)."""
    return retreat_paths(state, uid, combat.target, spaces, ends_apart(state.world, combat.cards))


def retreat_paths(state: State, uid: str, target: str, spaces: int, apart: bool = False) -> list[Path]:
    """The paths among which the owner chooses; empty where the unit is lost (SS 11.55, rulings A21, A23, A24).

    A path enters exactly ``spaces`` spaces and begins with the defending space; ``apart``: it does not end beside that
    (SS 11.551). Ending in supply comes first, then entering the fewest enemy-controlled spaces.
    SS 11.55c, 11.55d, 11.55g, 11.56, faq.rules.14.
    """
    legal = [path for path in _walks(state, uid, target, spaces) if _room(state, uid, path)]
    if apart:
        legal = [path for path in legal if not _beside(state, path)]
    supplied = [path for path in legal if end_supply(state, uid, path[-1]).status != OUT]
    kept = supplied or legal
    fewest = min((_enemy_spaces(state, uid, path) for path in kept), default=0)
    return [path for path in kept if _enemy_spaces(state, uid, path) == fewest]


def _walks(state: State, uid: str, target: str, spaces: int) -> list[Path]:
    """Every path that the unit could walk, stacking aside; it never comes back to a space (SS 11.55e).

    Rules: SS 11.55a, 11.55f, 11.55h.
    """
    unit = state.counter(uid)
    found: list[Path] = [(target,)]
    for number in range(1, spaces + 1):
        found = [
            (*path, there)
            for path in found
            for there in state.world.neighbours(path[-1])
            if there not in path and step_problem(state, unit, path[-1], there, number == spaces) is None
        ]
    return sorted(path for path in found if spaces == 1 or not _crosses_nile(state, path))


def _room(state: State, uid: str, path: Path) -> bool:
    """SS 11.55b: a retreat may pass through a full space and not end in one (ruling A21)."""
    unit = state.counter(uid)
    if state.world.switch("retreat_overstack", "retreater_dies") == "owner_choice":
        return True
    return room(state, path[-1], unit.side, unit.nation) > 0


def _beside(state: State, path: Path) -> bool:
    """True for a path that ends next to the space it began in."""
    return path[-1] in state.world.neighbours(path[0])


def _crosses_nile(state: State, path: Path) -> bool:
    """The way between Khartoum and Aswan takes a whole move, so nothing goes before or after it (SS 10.21)."""
    links = (state.world.link(a, b) for a, b in pairwise(path))
    return any(link is not None and link.whole_move for link in links)


def _enemy_spaces(state: State, uid: str, path: Path) -> int:
    side = state.counter(uid).side
    return sum(1 for name in path[1:] if state.owner(name) != side)


def end_supply(state: State, uid: str, end: str) -> Supplied:
    """The supply a unit would have after ending a retreat, the space counted as its own (ruling A23) (SS 11.55d)."""
    return supply(state, uid, end, owned=(end,))


def best_path(state: State, uid: str, paths: Sequence[Path]) -> Path:
    """The default (pbem D5): full before limited supply, nearest to an own source, then by name."""
    return min(paths, key=lambda path: default_rank(state, uid, path))


def default_rank(state: State, uid: str, path: Path) -> tuple[bool, int, str, Path]:
    """By what the default goes."""
    found = end_supply(state, uid, path[-1])
    return found.status != FULL, FAR if found.distance is None else found.distance, path[-1], path


def best_by_keys(
    state: State, combat: Combat, uid: str, paths: Sequence[Path], words: Sequence[str], near: Sequence[str]
) -> Path:
    """The end that the owner's keys rank first, in turn; what is equal goes by the default (pbem-decisions 5)."""
    away = [links_from(state, name) for name in near]
    beside = [one for one in combat.defenders if one != uid and one in state.pieces and state.pieces[one].retreated]

    def rank(path: Path) -> tuple[object, ...]:
        end, side = path[-1], state.counter(uid).side
        counted = {
            "full": end_supply(state, uid, end).status != FULL,
            "neighbours": -sum(state.owner(name) == side for name in state.world.neighbours(end)),
            "together": -sum(state.pieces[one].at == end for one in beside),
        }
        keys = tuple(counted[word] for word in words if word in counted)
        return keys, tuple(far.get(end, FAR) for far in away), default_rank(state, uid, path)

    return min(paths, key=rank)


def path_problems(
    state: State, uid: str, paths: Sequence[Path], path: Path, apart: bool = False
) -> list[Problem]:
    """Why a unit may not retreat along a path, the first rule that bars it named (SS 11.55, 11.551)."""
    if path in paths:
        return []
    ways = "; ".join(", ".join(p) for p in paths[:4]) or "none, the unit is lost"
    rule, why = _why_not(state, uid, paths, path, apart)
    return [Problem("retreat", rule, f"{', '.join(path)}: {why}", f"open to {uid}: {ways}", field="path")]


def _why_not(state: State, uid: str, paths: Sequence[Path], path: Path, apart: bool) -> tuple[str, str]:
    if not paths:
        return "SS 11.56", f"{uid} can make no retreat"
    target, spaces = paths[0][0], len(paths[0]) - 1
    if path[:1] != (target,):
        return "SS 11.55", f"a retreat begins in {target}, the space defended"
    if len(path) - 1 != spaces:
        many = "s" if spaces > 1 else ""
        return "SS 11.52", f"the retreat is of {spaces} space{many}, the path enters {len(path) - 1}"
    if len(set(path)) != len(path):
        return "SS 11.55e", "a retreat comes back to no space"
    found = _barred(state, uid, paths, path)
    if apart and found[0] in ("SS 11.55c", "SS 11.55d") and _beside(state, path):
        return "SS 11.551", f"{path[-1]} lies next to {target}, and the card forbids to end there"
    return found


def _barred(state: State, uid: str, paths: Sequence[Path], path: Path) -> tuple[str, str]:
    unit = state.counter(uid)
    for number, (a, b) in enumerate(pairwise(path), 1):
        problem = step_problem(state, unit, a, b, number == len(path) - 1)
        if problem:
            return ("SS 11.55a" if problem.code == "enemy" else "SS 11.55h"), problem.text
    if len(path) > 2 and _crosses_nile(state, path):
        return "SS 11.55h", "the way between Khartoum and Aswan takes a whole move"
    if not _room(state, uid, path):
        return "SS 11.55b", f"{path[-1]} is full"
    if end_supply(state, uid, path[-1]).status == OUT and end_supply(state, uid, paths[0][-1]).status != OUT:
        return "SS 11.55d", f"{uid} would be out of supply in {path[-1]}, and need not be"
    return "SS 11.55c", "it enters more enemy-controlled spaces than it must"


def can_hold(state: State, combat: Combat) -> bool:
    """Whether the defender may cancel the retreat by a step (SS 11.53, 11.54). A card that leaves terrain out of the
    combat leaves out what counts as marsh or mountain as well (SS faq.rules.3)."""
    if text(terrain_row(state, terrain_of(state, combat)), "hold") == "yes":
        return True
    space = state.world.spaces[combat.target]
    spared = bool(space.hold_from) and combat.origins == (space.hold_from,)
    return spared and not ignores(state.world, combat.cards, "terrain")


def holders(state: State, combat: Combat, units: Sequence[str] | None = None) -> list[str]:
    """Units that may pay the step: at least one defending step must remain (SS 11.53, ruling A28)."""
    units = fighters(state, combat, DEFENDER) if units is None else units
    return [uid for uid in units if not hold_problems(state, combat, uid)]


def hold_problems(state: State, combat: Combat, uid: str) -> list[Problem]:
    """Why a unit may not pay a step to cancel the retreat."""
    if not can_hold(state, combat):
        space = state.world.spaces[combat.target]
        if ignores(state.world, combat.cards, "terrain"):
            said = f"a card leaves the terrain of {combat.target} out of this combat"
            return [Problem("hold", "SS faq.rules.3", said, "retreat", field="unit")]
        if space.hold_from:
            said = f"{combat.target} is held only against an attack made from {space.hold_from} alone"
            return [Problem("hold", "SS 11.54", said, "retreat", field="unit")]
        said = f"{combat.target} is {terrain_of(state, combat)}: a retreat is bought off in marsh and mountain only"
        return [Problem("hold", "SS 11.53", said, "retreat", field="unit")]
    units = fighters(state, combat, DEFENDER)
    if uid not in units:
        said = f"{uid} is not among the units that must retreat"
        return [Problem("hold", "SS 11.53", said, "may pay: " + (", ".join(units) or "nobody"), field="unit")]
    if _steps_after(state, units, uid) < 1:
        said = f"no defending step would remain after {uid} has paid"
        return [Problem("hold", "SS 11.53", said, "retreat", field="unit")]
    return []


def _steps_after(state: State, units: Sequence[str], payer: str) -> int:
    left = sum(1 if state.pieces[uid].reduced else 2 for uid in units) - 1
    if state.pieces[payer].reduced and state.counter(payer).division and replacements(state, payer):
        left += 1
    return left

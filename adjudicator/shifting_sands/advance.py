"""Advance after combat (SS 11.6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from adjudicator.engine.core import Problem
from adjudicator.shifting_sands.access import step_problem
from adjudicator.shifting_sands.activation import ATTACK
from adjudicator.shifting_sands.events.limits import confined
from adjudicator.shifting_sands.fire import Combat, terrain_row
from adjudicator.shifting_sands.stacking import room
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import Counter, text

ONE, TWO, CLEARED = "retreat1", "retreat2", "cleared"
RULES = {ONE: "SS 11.62", TWO: "SS 11.63", CLEARED: "SS 11.64"}


@dataclass(frozen=True, slots=True)
class Opening:
    """What an attacker may follow: ``retreat1``, ``retreat2``, ``cleared`` (overrun or wiped out), "" for nothing.

    ``paths`` are those that retreating units took, the defending space first; ``terrain`` is that of the defending
    space where the combat reads it otherwise than the map.
    """

    category: str
    target: str
    paths: tuple[tuple[str, ...], ...] = ()
    terrain: str = ""

    @property
    def rule(self) -> str:
        """The rule that sets how far."""
        return RULES.get(self.category, "SS 11.61")

    def reach(self, unit: Counter) -> int:
        """How many spaces a unit may advance, never more than its movement factor (SS 11.62, 11.64)."""
        return min(unit.mf, {ONE: 1, TWO: 2, CLEARED: unit.mf}.get(self.category, 0))

    def followed(self) -> set[str]:
        """Spaces beyond the defending one that retreating units left again (SS 11.63)."""
        return {name for path in self.paths for name in path[1:-1]}


def eligible_problems(state: State, combat: Combat, uid: str) -> list[Problem]:
    """Why a unit has no part in the advance whatever became of the defender (SS 11.16, 11.61, 11.68)."""
    if uid not in state.world.counters or state.counter(uid).side != combat.attacker:
        said = f"{uid} did not attack: defending units never advance"
        return [Problem("defender", "SS 11.68", said, "leave the order out", field="unit")]
    if uid not in combat.attackers:
        said = f"{uid} took no part in the attack on {combat.target}"
        return [Problem("bystander", "SS 11.16", said, "advance units that attacked", field="unit")]
    return []


def advance_problems(state: State, opening: Opening, uid: str, path: Sequence[str]) -> list[Problem]:
    """Why a unit that attacked may not advance along a path, which names its start (SS 11.61, ex.3)."""
    unit, piece = state.counter(uid), state.pieces[uid]
    if not opening.category:
        said = f"{opening.target} is not cleared, nobody may advance"
        return [Problem("no-advance", "SS 11.61", said, "leave the order out")]
    if not state.on_map(uid):
        return [Problem("lost", "SS 11.61", f"{uid} did not survive the combat", "leave the order out", field="unit")]
    if len(path) < 2 or path[0] != piece.at:
        hint = f"begin the path with {piece.at}"
        return [Problem("path", "SS 11.6", f"{uid} stands in {piece.at}", hint, field="path")]
    problem = _length(opening, unit, path) or _direction(opening, unit, path) or _steps(state, opening, unit, path)
    return [problem] if problem else _end(state, opening, unit, path)


def _length(opening: Opening, unit: Counter, path: Sequence[str]) -> Problem | None:
    steps, allowed = len(path) - 1, opening.reach(unit)
    if steps <= allowed:
        return None
    said = f"{unit.id} may advance {allowed} space{'s' if allowed > 1 else ''} here, the path enters {steps}"
    return Problem("too-far", opening.rule, said, f"stop at {path[allowed]}", field="path")


def _direction(opening: Opening, unit: Counter, path: Sequence[str]) -> Problem | None:
    """Armor goes where it likes; infantry enters the vacated space and follows the retreat (SS 11.62, 11.63, 11.64)."""
    if unit.armor:
        return None
    if path[1] != opening.target:
        said = f"infantry must enter {opening.target} first, the space the defender left"
        return Problem("direction", opening.rule, said, f"path: {path[0]}, {opening.target}", field="path")
    if opening.category == TWO and len(path) > 2 and path[2] not in opening.followed():
        said = f"no retreating unit left {path[2]} again"
        return Problem("direction", opening.rule, said, "follow the retreat", field="path")
    return None


def _steps(state: State, opening: Opening, unit: Counter, path: Sequence[str]) -> Problem | None:
    """What bars a step of the way: movement rules (ruling A31), and where an advance must stop (SS 11.65, 11.66)."""
    last = len(path) - 1
    for number, (a, b) in enumerate(pairwise(path), 1):
        problem = confined(state, unit, a, b) or step_problem(state, unit, a, b, ending=number == last)
        if problem and problem.code == "enemy":
            return Problem("enemy", "SS 11.66", problem.text, f"stop at {a}" if number > 1 else "stay", field="path")
        if problem:
            return problem
        halt = _halts(state, opening, number == last, number == 1, a, b)
        if halt:
            return halt
    return None


def _halts(state: State, opening: Opening, last: bool, first: bool, a: str, b: str) -> Problem | None:
    """SS 11.65: an advance stops in marsh and mountain; along the Nile it is the whole advance (10.21)."""
    link = state.world.link(a, b)
    nile = link is not None and link.whole_move
    if nile and not (first and last):
        said = f"an advance between {a} and {b} begins and ends with that step"
        return Problem("stop", "SS 11.65", said, f"stop at {b if first else a}", field="path")
    terrain = (opening.terrain if b == opening.target else "") or state.world.spaces[b].terrain
    if not last and text(terrain_row(state, terrain), "stops_advance") == "yes":
        return Problem("stop", "SS 11.65", f"an advance must stop in {b} ({terrain})", f"stop at {b}", field="path")
    return None


def _end(state: State, opening: Opening, unit: Counter, path: Sequence[str]) -> list[Problem]:
    """What bars the end of an advance: an Attack marker (SS 11.63), a full space (SS 8.2)."""
    if opening.category == TWO and unit.armor and state.markers.get(path[-1]) == ATTACK:
        said = f"armor may not end its advance in {path[-1]}, which is activated for combat"
        return [Problem("attack-marker", "SS 11.63", said, "end elsewhere", field="path")]
    if path[-1] != path[0] and room(state, path[-1], unit.side, unit.nation) < 1:
        return [Problem("stack", "SS 8.2", f"{path[-1]} is full", "end elsewhere", field="path")]
    return []


def advances(state: State, opening: Opening, uid: str) -> list[tuple[str, ...]]:
    """Every lawful advance of a unit, one shortest path per end; staying is always lawful too.

    Infantry, which must enter the vacated space first, may come back through the space it left.
    """
    unit, start = state.counter(uid), state.pieces[uid].at
    known: dict[str, tuple[str, ...]] = {}
    edge: list[tuple[str, ...]] = [(start,)]
    for _ in range(opening.reach(unit)):
        walks = [path for walk in edge for path in _onward(state, opening, unit, walk)]
        edge = []
        for path in walks:
            if path[-1] not in known:
                known[path[-1]] = path
                edge.append(path)
    ends = [end for end in sorted(known) if end != start]
    return [known[end] for end in ends if not advance_problems(state, opening, uid, known[end])]


def _onward(state: State, opening: Opening, unit: Counter, walk: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The paths one step longer that a unit might walk; what they end in is judged by `advance_problems`."""
    paths = []
    for there in state.world.neighbours(walk[-1]):
        path = (*walk, there)
        if there in walk[1:] or _direction(opening, unit, path) or _turned_back(state, opening, unit, path):
            continue
        paths.append(path)
    return paths


def _turned_back(state: State, opening: Opening, unit: Counter, path: tuple[str, ...]) -> bool:
    """True where the last step of a path is barred, or the one before it had to be the last."""
    a, b = path[-2:]
    if confined(state, unit, a, b) or step_problem(state, unit, a, b, ending=False):
        return True
    return len(path) > 2 and _halts(state, opening, False, len(path) == 3, path[-3], a) is not None

"""Advance after combat (SS 11.6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from adjudicator.engine.core import Problem
from adjudicator.shifting_sands.access import step_problem
from adjudicator.shifting_sands.activation import ATTACK
from adjudicator.shifting_sands.fire import terrain_row
from adjudicator.shifting_sands.stacking import room
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import Counter, text

ONE, TWO, CLEARED = "retreat1", "retreat2", "cleared"


@dataclass(frozen=True, slots=True)
class Opening:
    """What an attacker may follow: ``retreat1``, ``retreat2``, ``cleared`` (overrun or wiped out), "" for nothing.

    ``paths`` are those that retreating units took, the defending space first.
    """

    category: str
    target: str
    paths: tuple[tuple[str, ...], ...] = ()

    def reach(self, unit: Counter) -> int:
        """How many spaces a unit may advance."""
        return {ONE: 1, TWO: 2, CLEARED: unit.mf}.get(self.category, 0)


def advance_problems(state: State, opening: Opening, uid: str, path: Sequence[str]) -> list[Problem]:
    """Why a unit may not advance along a path, which names its start."""
    unit, piece = state.counter(uid), state.pieces[uid]
    if not opening.category:
        return [Problem("no-advance", "SS 11.61", f"{opening.target} is not cleared, nobody may advance")]
    if len(path) < 2 or path[0] != piece.at:
        hint = f"begin the path with {piece.at}"
        return [Problem("path", "SS 11.6", f"{uid} stands in {piece.at}", hint, field="path")]
    found = _length(opening, unit, path) or _direction(opening, unit, path)
    if found:
        return [found]
    for number, (a, b) in enumerate(pairwise(path), 1):
        problem = step_problem(state, unit, a, b, ending=number == len(path) - 1) or _halts(state, path, number, a, b)
        if problem:
            return [problem]
    return _end(state, opening, unit, path)


def _length(opening: Opening, unit: Counter, path: Sequence[str]) -> Problem | None:
    steps, allowed = len(path) - 1, opening.reach(unit)
    if steps <= allowed:
        return None
    rule = {ONE: "SS 11.62", TWO: "SS 11.63"}.get(opening.category, "SS 11.64")
    said = f"{unit.id} may advance {allowed} spaces here, the path enters {steps}"
    return Problem("too-far", rule, said, f"stop at {path[allowed]}", field="path")


def _direction(opening: Opening, unit: Counter, path: Sequence[str]) -> Problem | None:
    """Armor goes where it likes; infantry enters the vacated space and follows the retreat (SS 11.62 to 11.64)."""
    if unit.armor:
        return None
    rule = {ONE: "SS 11.62", TWO: "SS 11.63"}.get(opening.category, "SS 11.64")
    if path[1] != opening.target:
        said = f"infantry must enter {opening.target}, the space the defender left"
        return Problem("direction", rule, said, f"path: {path[0]}, {opening.target}", field="path")
    if opening.category == TWO and len(path) > 2 and not any(path[2] in taken[1:-1] for taken in opening.paths):
        said = f"no retreating unit went through {path[2]}"
        return Problem("direction", rule, said, "follow the retreat", field="path")
    return None


def _halts(state: State, path: Sequence[str], number: int, a: str, b: str) -> Problem | None:
    """SS 11.65: an advance stops in marsh and mountain, and after the Nile."""
    if number == len(path) - 1:
        return None
    link = state.world.link(a, b)
    stops = text(terrain_row(state, state.world.spaces[b].terrain), "stops_advance") == "yes"
    if stops or (link is not None and link.whole_move):
        return Problem("stop", "SS 11.65", f"an advance must stop in {b}", f"stop at {b}", field="path")
    return None


def _end(state: State, opening: Opening, unit: Counter, path: Sequence[str]) -> list[Problem]:
    if opening.category == TWO and unit.armor and state.markers.get(path[-1]) == ATTACK:
        said = f"armor may not end its advance in {path[-1]}, which is activated for combat"
        return [Problem("attack-marker", "SS 11.63", said, field="path")]
    if path[-1] != path[0] and room(state, path[-1], unit.side, unit.nation) < 1:
        return [Problem("stack", "SS 8.2", f"{path[-1]} is full", "end elsewhere", field="path")]
    return []


def advances(state: State, opening: Opening, uid: str) -> list[tuple[str, ...]]:
    """Every lawful advance of a unit, one shortest path per end; staying is always lawful too."""
    unit = state.counter(uid)
    found: dict[str, tuple[str, ...]] = {}
    walks: list[tuple[str, ...]] = [(state.pieces[uid].at,)]
    for _ in range(opening.reach(unit)):
        walks = [
            (*path, there)
            for path in walks
            for there in state.world.neighbours(path[-1])
            if there not in path and step_problem(state, unit, path[-1], there, ending=False) is None
        ]
        for path in walks:
            if path[-1] not in found and not advance_problems(state, opening, uid, path):
                found[path[-1]] = path
    return [found[end] for end in sorted(found)]

"""Movement of activated units (SS 9), with stacking at its end (SS 8.2, ruling A22)."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import pairwise

from adjudicator.engine.core import Ctx, Order, Problem
from adjudicator.shifting_sands.access import step_problem
from adjudicator.shifting_sands.activation import ATTACK, MOVE
from adjudicator.shifting_sands.control import take
from adjudicator.shifting_sands.stacking import excess, limit, overstacked
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import Counter


def move_problems(state: State, side: str, uid: str, path: Sequence[str]) -> list[Problem]:
    """Why a unit may not walk a path (which names its start); stacking is judged at the end of movement."""
    problem = _starts(state, side, uid, path)
    if problem:
        return [problem]
    unit = state.counter(uid)
    steps = len(path) - 1
    if steps > unit.mf:
        said, hint = f"{uid} may enter {unit.mf} spaces, the path enters {steps}", f"stop at {path[unit.mf]}"
        return [Problem("mf", "SS 9.14", said, hint, field="path")]
    for number, (a, b) in enumerate(pairwise(path), 1):
        found = step_problem(state, unit, a, b, ending=number == steps)
        if found:
            return [found]
    return _whole_move(state, unit, path) or _end(state, unit, path)


def _starts(state: State, side: str, uid: str, path: Sequence[str]) -> Problem | None:
    piece = state.pieces.get(uid)
    if piece is None or state.counter(uid).side != side:
        return Problem("unit", "SS 9.1", f"{uid} is not one of your units on the map", field="unit")
    if not path or path[0] != piece.at:
        hint = f"begin the path with {piece.at}"
        return Problem("start", "SS 9.12", f"{uid} stands in {piece.at}", hint, field="path")
    if len(path) < 2:
        return Problem("path", "SS 9.12", "the path enters no space", "name the spaces to enter", field="path")
    if piece.moved:
        return Problem("moved", "SS 9.14", f"{uid} has moved in this round", field="unit")
    if piece.start != piece.at or state.markers.get(piece.at) != MOVE:
        hint = f"order move_marker for {piece.at}"
        return Problem("marker", "SS 9.1", f"{piece.at} is not activated for movement", hint, field="unit")
    if not state.active_unit(uid):
        return Problem("neutral", "SS 10.41", f"{uid} is not released yet", field="unit")
    return None


def _whole_move(state: State, unit: Counter, path: Sequence[str]) -> list[Problem]:
    """SS 10.21: between Khartoum and Aswan a unit goes from end to end, and does nothing else."""
    for a, b in pairwise(path):
        link = state.world.link(a, b)
        if link is not None and link.whole_move and len(path) > 2:
            said = f"going from {a} to {b} takes the whole movement of {unit.id}"
            return [Problem("nile", "SS 10.21", said, f"path: {a}, {b}", field="path")]
    return []


def _end(state: State, unit: Counter, path: Sequence[str]) -> list[Problem]:
    if state.markers.get(path[-1]) == ATTACK and not unit.armor:
        said = f"infantry may not end in {path[-1]}, which is activated for combat"
        return [Problem("attack-marker", "SS 9.15", said, "end elsewhere", field="path")]
    return []


def reach(state: State, side: str, uid: str) -> dict[str, list[str]]:
    """Every space where a unit may end its move, with a shortest path; ties go by name. Stacking aside."""
    piece, unit = state.pieces[uid], state.counter(uid)
    found: dict[str, list[str]] = {piece.at: [piece.at]}
    queue = deque([piece.at])
    while queue:
        here = queue.popleft()
        if len(found[here]) > unit.mf:
            continue
        for there in state.world.neighbours(here):
            if there not in found and step_problem(state, unit, here, there, ending=False) is None:
                found[there] = [*found[here], there]
                queue.append(there)
    return {end: path for end, path in found.items() if len(path) > 1 and not move_problems(state, side, uid, path)}


def movement(ctx: Ctx[State], side: str, orders: Sequence[Order], by: Sequence[int]) -> None:
    """Carry out the moves in the order written; the last one into a space that is too full is refused (A22)."""
    refused = _overfull(ctx.state, side, orders)
    for order in orders:
        uid, path = order.text("unit"), order.texts("path")
        problems = move_problems(ctx.state, side, uid, path) or refused.get(order.index, [])
        if problems:
            ctx.void(order, problems, by)
        else:
            _walk(ctx, side, order, by)


def _walk(ctx: Ctx[State], side: str, order: Order, by: Sequence[int]) -> None:
    uid, path = order.text("unit"), order.texts("path")
    unit = ctx.state.counter(uid)
    joined = "yes" if ctx.state.markers.get(path[-1]) == ATTACK else ""
    left = str(unit.mf - len(path) + 1)
    ctx.emit("move", "SS 9", by, order=str(order.index), unit=uid, path=list(path), left=left, joined=joined)
    take(ctx, side, path[1:], "SS 3", by)


def _overfull(state: State, side: str, orders: Sequence[Order]) -> dict[int, list[Problem]]:
    """Orders that would leave a space overstacked at the end of movement, found by trying them on a copy."""
    refused: dict[int, list[Problem]] = {}
    while True:
        trial, ended = state.copy(), {}
        for order in orders:
            uid, path = order.text("unit"), order.texts("path")
            if order.index not in refused and not move_problems(trial, side, uid, path):
                trial.shift(uid, path[-1])
                trial.pieces[uid].moved = True
                ended[path[-1]] = order
        full = [place for place in overstacked(trial, side) if place in ended]
        if not full:
            return refused
        for place in full:
            order = ended[place]
            allowed, over = limit(trial, place, side), excess(trial, place, side)
            said = f"{place} would hold {(allowed or 0) + over} units at the end of movement, {allowed} may stack"
            refused[order.index] = [Problem("stack", "SS 8.2", said, "end elsewhere, or move a unit out", field="path")]

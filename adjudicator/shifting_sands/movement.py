"""Movement of activated units (SS 9), with stacking at its end (SS 8.2, ruling A22)."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import pairwise

from adjudicator.engine.core import Ctx, Order, Problem, Proc
from adjudicator.shifting_sands.access import step_problem
from adjudicator.shifting_sands.activation import ATTACK, MOVE
from adjudicator.shifting_sands.capture import capture, captures
from adjudicator.shifting_sands.control import take
from adjudicator.shifting_sands.events.limits import confined
from adjudicator.shifting_sands.losses import ELIMINATED, REPLACEMENT
from adjudicator.shifting_sands.stacking import elimination_problems, least, overstack_problem, overstacked, refuses
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import Counter

MOVE_TYPES = ("move", "captured_supply", "end_movement")


def move_problems(state: State, side: str, uid: str, path: Sequence[str]) -> list[Problem]:
    """Why a unit may not walk a path (which names its start), a space for each movement factor (SS 3.mf, 9.11, 9.14).

    Stacking is judged at the end of movement.
    """
    problem = start_problem(state, side, uid, path)
    if problem:
        return [problem]
    unit = state.counter(uid)
    steps = len(path) - 1
    if steps > unit.mf:
        said, hint = f"{uid} may enter {unit.mf} spaces, the path enters {steps}", f"stop at {path[unit.mf]}"
        return [Problem("mf", "SS 9.14", said, hint, field="path")]
    for number, (a, b) in enumerate(pairwise(path), 1):
        found = confined(state, unit, a, b) or step_problem(state, unit, a, b, ending=number == steps)
        if found:
            return [found]
    return _whole_move(state, unit, path) or _end(state, unit, path)


def start_problem(state: State, side: str, uid: str, path: Sequence[str]) -> Problem | None:
    """Why a unit may not begin to move along a path, wherever the path goes (SS 10.41).

    Rules: SS 3.activated, 9.1, 9.14, 9.16.
    """
    piece = state.pieces.get(uid)
    if piece is None or state.counter(uid).side != side or not state.on_map(uid):
        said = f"{uid} is not one of your units on the map"
        return Problem("unit", "SS 9.1", said, "leave the order out", field="unit")
    if piece.joined or piece.fought:
        said = f"{uid} has joined an attack and counts as activated for combat"
        return Problem("joined", "SS 9.16", said, "leave the order out", field="unit")
    if piece.moved:
        said = f"{uid} has moved in this round"
        return Problem("moved", "SS 9.14", said, "give its whole way in one order", field="unit")
    if not path or path[0] != piece.at:
        hint = f"begin the path with {piece.at}"
        return Problem("start", "SS 9.12", f"{uid} stands in {piece.at}", hint, field="path")
    if len(path) < 2:
        return Problem("path", "SS 9.12", "the path enters no space", "name the spaces to enter", field="path")
    if not state.active_unit(uid):
        return Problem("neutral", "SS 10.41", f"{uid} is not released yet", "leave the order out", field="unit")
    if state.markers.get(piece.at) != MOVE:
        hint = f"order move_marker for {piece.at}"
        return Problem("marker", "SS 9.1", f"{piece.at} is not activated for movement", hint, field="unit")
    return None


def _crosses_nile(state: State, a: str, b: str) -> bool:
    link = state.world.link(a, b)
    return link is not None and link.whole_move


def _whole_move(state: State, unit: Counter, path: Sequence[str]) -> list[Problem]:
    """SS 10.21: between Khartoum and Aswan a unit goes from end to end, and does nothing else."""
    for a, b in pairwise(path):
        if len(path) > 2 and _crosses_nile(state, a, b):
            said = f"going from {a} to {b} takes the whole movement of {unit.id}"
            return [Problem("nile", "SS 10.21", said, f"path: {a}, {b}", field="path")]
    return []


def _end(state: State, unit: Counter, path: Sequence[str]) -> list[Problem]:
    """Of units that move only armor ends where an attack is prepared (SS 9.15, 9.16)."""
    if state.markers.get(path[-1]) == ATTACK and not unit.armor:
        said = f"infantry may not end in {path[-1]}, which is activated for combat"
        return [Problem("attack-marker", "SS 9.15", said, "end elsewhere", field="path")]
    return []


def left_after(state: State, unit: Counter, path: Sequence[str]) -> int:
    """Movement factors left after a path; the Nile takes all of them (SS 9.11, 10.21)."""
    if any(_crosses_nile(state, a, b) for a, b in pairwise(path)):
        return 0
    return unit.mf - len(path) + 1


def reach(state: State, side: str, uid: str) -> dict[str, list[str]]:
    """Every other space where a unit may end its move, with a shortest path; ties go by name. Stacking aside."""
    piece, unit = state.pieces[uid], state.counter(uid)
    found: dict[str, list[str]] = {piece.at: [piece.at]}
    queue = deque([piece.at])
    while queue:
        here = queue.popleft()
        if len(found[here]) > unit.mf:
            continue
        for there in state.world.neighbours(here):
            if there in found or (len(found[here]) > 1 and _crosses_nile(state, here, there)):
                continue
            if (confined(state, unit, here, there) or step_problem(state, unit, here, there, ending=False)) is None:
                found[there] = [*found[here], there]
                if not _crosses_nile(state, here, there):
                    queue.append(there)
    return {end: path for end, path in found.items() if len(path) > 1 and not move_problems(state, side, uid, path)}


def movement(ctx: Ctx[State], side: str, orders: Sequence[Order], by: Sequence[int]) -> Proc[None]:
    """Carry out the moves in the order written, captured supply where a move takes a town, and the stacking at the end.

    Without ``end_movement`` that names the units to be eliminated, the last move into a space too full is refused.
    """
    moves = [order for order in orders if order.type == "move"]
    end = next((order for order in orders if order.type == "end_movement"), None)
    problems = _end_problems(ctx.state, side, moves, end)
    refused = _overfull(ctx.state, side, moves) if (end is None or problems) and refuses(ctx.state) else {}
    pending = [order for order in orders if order is not end]
    while pending:
        order = pending.pop(0)
        if order.type != "move":
            ctx.void(order, [_stray(order)], by)
            continue
        found = move_problems(ctx.state, side, order.text("unit"), order.texts("path"))
        found = found or refused.get(order.index, [])
        if found:
            ctx.void(order, found, by)
            continue
        for town in captures(side, walk(ctx, side, order, by)):
            flip = pending.pop(0) if pending and pending[0].type == "captured_supply" else None
            yield from capture(ctx, town, flip, by)
    if end is not None:
        allowed = end.text("allow_overstack") == "yes"
        finish(ctx, side, end, problems if allowed else end_problems(ctx.state, side, end), by)
    thin_out(ctx, side, by)


def _stray(order: Order) -> Problem:
    if order.type == "captured_supply":
        said = "captured supply is used at the moment of capture, directly after the move that takes the town"
        return Problem("late", "SS 13.91", said, "put it after that move", field="units")
    return Problem("misplaced", "SS 8.2", f"{order.type} stands once, after the moves", "leave it out")


def walk(ctx: Ctx[State], side: str, order: Order, by: Sequence[int]) -> list[str]:
    """Move a unit along the path ordered; returns the spaces that changed hands (SS 3.control, 9.16)."""
    uid, path = order.text("unit"), order.texts("path")
    joined = "yes" if ctx.state.markers.get(path[-1]) == ATTACK else ""
    left = str(left_after(ctx.state, ctx.state.counter(uid), path))
    ctx.emit("move", "SS 9", by, order=str(order.index), unit=uid, path=list(path), left=left, joined=joined)
    return take(ctx, side, path[1:], "SS 3.control", by)


def _moved(state: State, side: str, moves: Sequence[Order], refused: Sequence[int]) -> tuple[State, dict[str, Order]]:
    """A copy of the state after the moves that are lawful, and the last of them into each space."""
    trial, ended = state.copy(), dict[str, Order]()
    for order in moves:
        uid, path = order.text("unit"), order.texts("path")
        if order.index not in refused and not move_problems(trial, side, uid, path):
            trial.shift(uid, path[-1])
            trial.pieces[uid].moved = True
            trial.control.update(dict.fromkeys(path[1:], side))
            ended[path[-1]] = order
    return trial, ended


def _overfull(state: State, side: str, moves: Sequence[Order]) -> dict[int, list[Problem]]:
    """Moves that would leave a space overstacked at the end of movement, found by trying them on a copy."""
    refused: dict[int, list[Problem]] = {}
    while True:
        trial, ended = _moved(state, side, moves, list(refused))
        full = [place for place in overstacked(trial, side) if place in ended]
        if not full:
            return refused
        for place in full:
            refused[ended[place].index] = [overstack_problem(trial, place, side)]


def _end_problems(state: State, side: str, moves: Sequence[Order], end: Order | None) -> list[Problem]:
    if end is None:
        return []
    trial, _ = _moved(state, side, moves, ())
    return end_problems(trial, side, end)


def end_problems(state: State, side: str, end: Order) -> list[Problem]:
    """Why movement may not end as ordered (SS 8.2, ruling A22): overstacks without leave, a wrong choice of units."""
    if end.text("allow_overstack") == "yes":
        return elimination_problems(state, side, end.texts("eliminate"))
    return [overstack_problem(state, place, side) for place in overstacked(state, side)]


def finish(ctx: Ctx[State], side: str, end: Order, problems: Sequence[Problem], by: Sequence[int]) -> None:
    """End movement; units named beyond the limit are eliminated, divisions for good (SS 8.2)."""
    if problems:
        ctx.void(end, problems, by)
        return
    chosen = end.texts("eliminate") if end.text("allow_overstack") == "yes" else []
    for uid in chosen:
        _lose(ctx, uid, by, str(end.index))


def thin_out(ctx: Ctx[State], side: str, by: Sequence[int]) -> None:
    """What is still too many is eliminated, where such orders are not refused (SS 8.2, ruling A22)."""
    for place in overstacked(ctx.state, side) if not refuses(ctx.state) else ():
        for uid in least(ctx.state, place, side):
            _lose(ctx, uid, by, "")


def _lose(ctx: Ctx[State], uid: str, by: Sequence[int], order: str) -> None:
    at, to = ctx.state.pieces[uid].at, ELIMINATED if ctx.state.counter(uid).division else REPLACEMENT
    ctx.emit("eliminated", "SS 8.2", by, order=order, unit=uid, to=to, why="overstacked", **{"from": at})

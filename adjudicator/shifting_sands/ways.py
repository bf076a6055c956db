"""From the end of a move to its whole path: the signed order names every space, the player need not (SS 9.12)."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from adjudicator.engine.core import Order, Problem, Tree
from adjudicator.shifting_sands.access import step_problem
from adjudicator.shifting_sands.state import State


def with_path(state: State, order: Order) -> tuple[Order, list[Problem]]:
    """A move to ``to`` alone as the same move with its shortest path, and what is wrong where there is none."""
    uid, end, path = order.text("unit"), order.text("to"), order.texts("path")
    if order.type != "move" or not end:
        return order, []
    if path and path[-1] != end:
        said = f"`to` is {end}, the path ends in {path[-1]}"
        return order, [Problem("way", "SS 9.12", said, "leave one of the two out", field="to")]
    piece = state.pieces.get(uid)
    found = path or (way(state, uid, end) if piece is not None and state.on_map(uid) else None)
    if found is None:
        where = piece.at if piece is not None else "its box"
        said = f"no way is open to {uid} from {where} to {end}"
        return order, [Problem("way", "SS 9.12", said, "name every space in `path`", field="to")]
    data: dict[str, Tree] = {name: value for name, value in order.data.items() if name != "to"}
    return replace(order, data={**data, "path": [*found]}), []


def way(state: State, uid: str, end: str) -> list[str] | None:
    """A shortest path of a unit to a space, whatever its movement factor; ties go by name. None where there is none."""
    unit, start = state.counter(uid), state.pieces[uid].at
    found: dict[str, list[str]] = {start: [start]}
    queue = deque([start])
    while queue and end not in found:
        here = queue.popleft()
        for there in state.world.neighbours(here):
            if there not in found and step_problem(state, unit, here, there, ending=there == end) is None:
                found[there] = [*found[here], there]
                queue.append(there)
    return found.get(end) if end != start else None

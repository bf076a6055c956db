"""From the end of a move to its whole path: the signed order names every space, the player need not (SS 9.12)."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace

from adjudicator.engine.core import Order, Problem, Tree
from adjudicator.shifting_sands.access import step_problem
from adjudicator.shifting_sands.redeploy import LAND, land_ways
from adjudicator.shifting_sands.state import State


def with_path(state: State, order: Order) -> tuple[Order, list[Problem]]:
    """A move to ``to`` alone as the same move with its shortest path, and what is wrong where there is none."""
    if order.type == "rd":
        return _redeployed(state, order), []
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
    return _with_path(order, found), []


def _with_path(order: Order, path: Sequence[str]) -> Order:
    """The order with its path in place of ``to``, where that stood in the file."""
    data: dict[str, Tree] = {name: value for name, value in order.data.items() if name != "to"}
    places = {"path": order.places["to"], **order.places} if "to" in order.places else order.places
    return replace(order, data={**data, "path": [*path]}, places=places)


def _redeployed(state: State, order: Order) -> Order:
    """A redeployment to ``to`` alone with its way: by land where there is one, else between two ports (SS 12.6, 12.7).

    Out of the reserve box there is no way to name. What has none is left as it stands, and judged so.
    """
    uid, end, mode = order.text("unit"), order.text("to"), order.text("mode")
    if uid not in state.pieces or not state.on_map(uid) or order.texts("path") or end not in state.world.spaces:
        return order
    at = state.pieces[uid].at
    path = land_ways(state, uid).get(end) if mode in ("", LAND) else None
    if path is None and mode != LAND:
        path = [at, end]
    if path is None:
        return order
    return _with_path(order, path)


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

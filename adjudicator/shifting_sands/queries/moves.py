"""``moves``: every space where a unit may end its move, or the way to one space, or why there is none (SS 9)."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from adjudicator.engine.core import Order, Problem
from adjudicator.engine.counting import counted
from adjudicator.engine.queries import Reply
from adjudicator.shifting_sands.access import step_problem
from adjudicator.shifting_sands.activation import MOVE
from adjudicator.shifting_sands.movement import left_after, move_problems, reach, start_problem
from adjudicator.shifting_sands.queries.stage import Staged, staged
from adjudicator.shifting_sands.stacking import limit
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.words import figures, moment, place_name, short_name, space_note, unit_name


def moves_reply(state: State, asked: Order) -> Reply:
    """Where the unit may go, its space activated for movement; with ``to`` or ``path`` the way and its judgement."""
    uid = asked.text("subject")
    if uid not in state.pieces or not state.on_map(uid):
        where = place_name(state.pieces[uid].at) if uid in state.pieces else "not in play"
        said = f"{unit_name(state, uid)} is not on the map: {where}"
        return Reply(problems=[Problem("not_there", "SS 9.1", said, "`status` and `template` list your units")])
    side = state.counter(uid).side
    stage = staged(state, side, [state.pieces[uid].at], MOVE, bool(asked.text("next")))
    lines, tree = _head(stage, uid)
    wanted = asked.text("to") or asked.texts("path")
    if wanted:
        return _way(stage.state, side, uid, asked, lines, tree)
    at = state.pieces[uid].at
    barred = start_problem(stage.state, side, uid, (at, at))
    if barred is not None:
        return Reply(lines, {**tree, "may_move": False}, [barred])
    found = reach(stage.state, side, uid)
    rows = [_row(stage.state, side, uid, path) for path in sorted(found.values(), key=lambda p: (len(p), p[-1]))]
    return Reply([*lines, *_rows_lines(rows)], {**tree, "may_move": True, "spaces": rows})


def _head(stage: Staged, uid: str) -> tuple[list[str], dict[str, Any]]:
    state = stage.state
    unit, piece = state.counter(uid), state.pieces[uid]
    who = f"{short_name(state, uid)} ({unit_name(state, uid)}, {figures(state, uid)})"
    lines = [f"{who} in {piece.at}. {moment(state)}."]
    lines += [f"{note}." for note in stage.notes]
    lines.append(f"It may enter {counted(unit.mf, 'space')} (SS 9.11).")
    tree = {"unit": uid, "space": piece.at, "mf": unit.mf, "assumed": list(stage.notes)}
    return lines, tree


def _row(state: State, side: str, uid: str, path: Sequence[str]) -> dict[str, Any]:
    end = path[-1]
    unit = state.counter(uid)
    notes = []
    most, there = limit(state, end, side), len(state.friends(end, side))
    if most is not None and there >= most:
        who = counted(there, "unit stands", "units stand")
        notes.append(f"{who} there, {most} may stack at the end of movement (SS 8.1)")
    if state.owner(end) not in ("", side):
        notes.append("taken from the enemy (SS 3)")
    return {
        "space": end,
        "note": space_note(state, end),
        "cost": len(path) - 1,
        "left": left_after(state, unit, path),
        "path": list(path),
        "notes": notes,
    }


def _rows_lines(rows: Sequence[dict[str, Any]]) -> list[str]:
    if not rows:
        return ["It can end nowhere else now."]
    wide = max(len(row["space"]) for row in rows)
    lines = [f"{counted(len(rows), 'space')} in reach: spaces entered, MF left, the way."]
    for row in rows:
        way = ", ".join(row["path"][1:])
        said = "; ".join([f"{row['note']}; by {way}" if row["cost"] > 1 else row["note"], *row["notes"]])
        lines.append(f"  {row['space']:{wide}}  {row['cost']:>2}  {row['left']:>2} left  {said}")
    return lines


# --- one way ----------------------------------------------------------------------------------------------------


def _way(state: State, side: str, uid: str, asked: Order, lines: list[str], tree: dict[str, Any]) -> Reply:
    start, to = state.pieces[uid].at, asked.text("to")
    path = asked.texts("path") or _shortest(state, uid, start, to)
    if path and path[0] != start:
        path = [start, *path]
    if not path:
        where = f"no way leads {unit_name(state, uid)} to {to}, however far it went"
        reasons = [Problem("no_way", "SS 9.12", where, "name another space"), *_first_bar(state, uid, start, to)]
        return Reply(lines, {**tree, "legal": False}, reasons)
    problems = move_problems(state, side, uid, path)
    lines = [*lines, f"Way to {path[-1]}, {len(path) - 1} of {state.counter(uid).mf} MF: {', '.join(path)}."]
    tree |= {"path": list(path), "cost": len(path) - 1, "legal": not problems}
    return Reply(lines, tree, problems)


def _shortest(state: State, uid: str, start: str, to: str) -> list[str]:
    """A shortest way as far as terrain and units let the unit go, whatever its MF; ties go by name."""
    listed = reach(state, state.counter(uid).side, uid).get(to) if start != to else [start]
    if listed:
        return listed
    unit, found = state.counter(uid), {start: [start]}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for there in state.world.neighbours(here):
            if there not in found and step_problem(state, unit, here, there, ending=there == to) is None:
                found[there] = [*found[here], there]
                queue.append(there)
    return found.get(to, [])


def _first_bar(state: State, uid: str, start: str, to: str) -> list[Problem]:
    """Why the first step that fails on a shortest way over the printed lines does so."""
    unit, path = state.counter(uid), _printed_way(state, start, to)
    steps = [(a, b, step_problem(state, unit, a, b, ending=b == to)) for a, b in pairwise(path)]
    return [
        Problem(found.code, found.rule, f"from {a} to {b}: {found.text}", found.hint)
        for a, b, found in steps
        if found is not None
    ][:1]


def _printed_way(state: State, start: str, to: str) -> list[str]:
    """A shortest way over lines, whoever may use them; ties go by name."""
    found = {start: [start]}
    queue = deque([start])
    while queue and to not in found:
        here = queue.popleft()
        for there in state.world.neighbours(here):
            if there not in found:
                found[there] = [*found[here], there]
                queue.append(there)
    return found.get(to, [])

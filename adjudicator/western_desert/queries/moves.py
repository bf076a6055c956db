"""``moves``: every hex a unit can reach with what it costs, or the way to one hex, or why there is none (WD 6, 7).

The listing is :mod:`reach`, the judgement :func:`moves.plan`: the same that check and run use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from adjudicator.engine.core import Order, Problem, Tree
from adjudicator.engine.counting import counted
from adjudicator.engine.queries import Reply
from adjudicator.western_desert.apply import mp_text
from adjudicator.western_desert.control import zone_names
from adjudicator.western_desert.eligible import carry_problems, may_move
from adjudicator.western_desert.mover import ADMIN, CARRIED, NORMAL, Mover, mover_of
from adjudicator.western_desert.moves import Plan, plan
from adjudicator.western_desert.queries.stage import Staged, staged
from adjudicator.western_desert.reach import Reach, Searches
from adjudicator.western_desert.stacking import fits
from adjudicator.western_desert.state import State
from adjudicator.western_desert.walk import Parts, Walk, parts_text, walk
from adjudicator.western_desert.words import moment, short_name, side_name, unit_name

WANTS = ("to", "path")


class Step(NamedTuple):
    """One hex of a way: what it costs in parts, what the way costs so far, and whether it can be paid."""

    start: int
    end: int
    parts: Parts
    total2: int
    paid: bool


def moves_reply(state: State, side: str, asked: Order) -> Reply:
    """Where the unit can go, now or in its next movement phase; with ``to`` or ``path`` the way and its judgement."""
    uid, transport = asked.text("subject"), asked.text("transport")
    mode = asked.text("mode") or (CARRIED if transport else NORMAL)
    stage = staged(state, uid, bool(asked.text("next")))
    owner = stage.state.world.units[uid].side
    if uid not in stage.state.pieces:
        return Reply(problems=[_absent(stage.state, uid)])
    reasons = _may_not(stage.state, owner, uid, mode, transport)
    if reasons:
        return Reply(_head_lines(stage, uid, side), {**_head_tree(stage, uid), "may_move": False}, reasons)
    searches = Searches(stage.state, owner)
    mover = _mover(stage.state, uid, mode, transport)
    head, tree = _head_lines(stage, uid, side), {**_head_tree(stage, uid), **_mover_tree(mover), "may_move": True}
    if any(asked.data.get(name) for name in WANTS):
        return _way_reply(searches, owner, asked, mover, [*head, _mp_line(mover)], tree)
    by = asked.text("by")
    reach = searches.reach(mover, by)
    rows = [_row(searches, mover, reach, h) for h in sorted(reach.cost2, key=lambda h: (reach.cost2[h], h))]
    lines = [*head, _mp_line(mover), *_rows_lines(rows)]
    if mode == NORMAL and not by and not may_move(stage.state, owner, uid, ADMIN):
        lines.append(_admin_line(searches, stage.state, uid))
    return Reply(lines, {**tree, "hexes": rows})


def _may_not(state: State, side: str, uid: str, mode: str, transport: str) -> list[Problem]:
    if mode == CARRIED:
        return may_move(state, side, uid, mode) + carry_problems(state, side, [uid], transport)
    return may_move(state, side, uid, mode)


def _absent(state: State, uid: str) -> Problem:
    gone = state.gone.get(uid)
    said = f"{unit_name(state, uid)} is {gone}" if gone else f"{unit_name(state, uid)} is not on the map"
    return Problem("not_there", "WD 3.A", said, "`template` lists the units there are")


def _mover(state: State, uid: str, mode: str, transport: str) -> Mover:
    return mover_of(state, transport, CARRIED, [uid]) if mode == CARRIED else mover_of(state, uid, mode)


# --- the head ---------------------------------------------------------------------------------------------------


def _head_lines(stage: Staged, uid: str, side: str) -> list[str]:
    state = stage.state
    unit = state.unit(uid)
    where = f" in {state.board.feature_names(state.hex_of(uid))}"
    whose = f", {side_name(unit.side)}" if unit.side != side else ""
    lines = [f"{short_name(state, uid)} ({unit_name(state, uid)}, {unit.figures}{whose}){where}. {moment(state)}."]
    return [*lines, *([f"{stage.note}."] if stage.note else [])]


def _head_tree(stage: Staged, uid: str) -> dict[str, Any]:
    state = stage.state
    at = state.board.name(state.hex_of(uid))
    return {"unit": uid, "hex": at, "phase": state.phase, "player": state.player, "note": stage.note}


def _mover_tree(mover: Mover) -> dict[str, Any]:
    return {
        "mode": mover.mode,
        "rating": mover.rating,
        "mp": mp_text(mover.allowance2),
        "spent": mp_text(mover.spent2),
        "left": mp_text(mover.left2),
        "supplied": mover.supplied,
    }


def _mp_line(mover: Mover) -> str:
    """``10 of 10 MP left``, with what made them more or fewer."""
    why = [] if mover.supplied else [f"half of {mover.rating}, out of general supply (WD 12.B.effects)"]
    why += [f"one and a half times {mover.rating}, administrative (WD 6.B)"] if mover.mode == ADMIN else []
    why += [f"{mp_text(mover.spent2)} spent"] if mover.spent2 else []
    return f"{mp_text(mover.left2)} of {mp_text(mover.allowance2)} MP left{': ' if why else ''}{'; '.join(why)}."


# --- all hexes --------------------------------------------------------------------------------------------------


def _row(searches: Searches, mover: Mover, reach: Reach, h: int) -> dict[str, Any]:
    """One end hex: cost in parts, means, way, and what is to be said of ending there."""
    state, arrival = searches.state, reach[h]
    found = walk(searches.field, mover, arrival.path, arrival.steps)
    name = state.board.name
    left2 = max(0, mover.left2 - arrival.cost2)
    return {
        "hex": name(h),
        "place": state.board.feature_names(h),
        "cost": mp_text(arrival.cost2),
        "left": mp_text(0 if found.means == "minimum" else left2),
        "means": found.means,
        "parts": _parts_tree(found.parts),
        "how": parts_text(found.parts),
        "path": [name(n) for n in arrival.path],
        "steps": list(arrival.steps),
        "notes": _notes(searches, mover, h, found),
    }


def _parts_tree(parts: Parts) -> list[dict[str, str]]:
    totals: dict[tuple[str, str], int] = {}
    for points2, rule, what in parts:
        totals[(rule, what)] = totals.get((rule, what), 0) + points2
    return [{"mp": mp_text(points), "rule": rule, "what": what} for (rule, what), points in totals.items() if points]


def _notes(searches: Searches, mover: Mover, h: int, found: Walk) -> list[str]:
    state = searches.state
    notes = ["the one guaranteed hex, the whole move (WD 6.min-hex)"] if found.means == "minimum" else []
    notes += [f"in the ZOC of {zone_names(state, h, mover.side)}"] if h in searches.field.zoc else []
    if not fits(state, h, mover.side, mover.ids):
        notes.append("full: it may pass, not end there (WD 8.A)")
    return notes


def _rows_lines(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    if not rows:
        return ["It can reach no hex now."]
    wide = max(len(str(row["place"])) for row in rows)
    reach = counted(len(rows), "hex", "hexes")
    lines = [f"{reach} in reach: cost, MPs left, what they are spent on; `--to HEX` shows the way."]
    for row in rows:
        rail = ", by rail" if row["means"] == "rail" and "rail" not in str(row["how"]) else ""
        said = "; ".join([f"{row['how']}{rail}", *row["notes"]])
        lines.append(f"  {row['place']:{wide}}  {row['cost']:>4} MP  {row['left']:>4} left  {said}")
    return lines


def _admin_line(searches: Searches, state: State, uid: str) -> str:
    mover = mover_of(state, uid, ADMIN)
    found = len(searches.reach(mover).cost2)
    hexes = counted(found, "hex", "hexes")
    return f"Administratively, by road only, with {mp_text(mover.allowance2)} MP (WD 6.B): {hexes}; `--mode admin`."


# --- one way ----------------------------------------------------------------------------------------------------


def _way_reply(
    searches: Searches, side: str, asked: Order, mover: Mover, lines: list[str], tree: dict[str, Any]
) -> Reply:
    """The way to one hex step by step, and what `check` would say of the order."""
    made = plan(searches, side, _order(asked))
    found = made.legs[0].walk if made.legs else None
    if found is None or not found.path:
        return Reply(lines, {**tree, "way": [], "legal": False}, made.problems)
    steps = _steps(searches, mover, found)
    name = searches.state.board.name
    way = [
        {
            "hex": name(step.end),
            "by": found.steps[at],
            "cost": mp_text(sum(part[0] for part in step.parts)),
            "total": mp_text(step.total2),
            "paid": step.paid,
            "parts": _parts_tree(step.parts),
        }
        for at, step in enumerate(steps)
    ]
    tree |= {"way": way, "total": mp_text(found.total2), "legal": not made.problems, "means": found.means}
    lines = [*lines, *_way_lines(searches.state, mover, found, steps, made)]
    lines += [f"Ends {note}." for note in _notes(searches, mover, found.path[-1], found) if not note.startswith("the")]
    return Reply(lines, tree, made.problems)


def _order(asked: Order) -> Order:
    """The move that the question is about, as an order; who names a transport counter wants to be carried."""
    data: dict[str, Tree] = {n: asked.data[n] for n in ("to", "path", "by", "mode", "transport") if asked.data.get(n)}
    if "transport" in data:
        data.setdefault("mode", CARRIED)
    return Order(0, "move", {"unit": asked.text("subject"), **data})


def _steps(searches: Searches, mover: Mover, found: Walk) -> list[Step]:
    """The steps of a way as far as each of them has a cost; a step is the difference between two walks."""
    steps: list[Step] = []
    before = 0
    way = [mover.start, *found.path]
    for at, (a, b) in enumerate(pairwise(way), 1):
        part = walk(searches.field, mover, found.path[:at], found.steps[:at])
        if len(part.parts) == before and part.total2 == (steps[-1].total2 if steps else 0):
            break
        paid = part.total2 <= mover.left2 or (at == 1 and part.means == "minimum")
        steps.append(Step(a, b, part.parts[before:], part.total2, paid))
        before = len(part.parts)
    return steps


def _way_lines(state: State, mover: Mover, found: Walk, steps: Sequence[Step], made: Plan) -> list[str]:
    name = state.board.feature_names
    kind = "Cheapest way" if not made.order.texts("path") else "Way"
    lines = [f"{kind} to {name(found.path[-1])}, {mp_text(found.total2)} MP:"]
    wide, failed = max((len(name(step.end)) for step in steps), default=0), False
    for at, step in enumerate(steps):
        cost = mp_text(sum(part[0] for part in step.parts))
        left = f"{mp_text(max(0, mover.left2 - step.total2))} left" if step.paid else "beyond"
        fails = "" if step.paid or failed else f"; fails here: {mp_text(step.total2)} of {mp_text(mover.left2)} MP"
        failed = failed or not step.paid
        what = parts_text(step.parts) if any(part[0] for part in step.parts) else f"by {found.steps[at]}, paid already"
        lines.append(f"  {name(step.end):{wide}}  {cost:>4} MP  {left:8}  {what}{fails}")
    if found.means == "minimum" and not made.problems:
        lines.append("It is the one guaranteed hex, and the whole move (WD 6.min-hex).")
    return lines


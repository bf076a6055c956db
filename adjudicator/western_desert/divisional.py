"""Divisional engineers, an optional rule: one task in a player turn, by a division that stays where it is (WD 33.D).

They work without movement points and else under the conditions of engineers; any division in the hex may finish what
was begun (ruling DIV-ENG-SUPPLY).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from adjudicator.engine.core import Ctx, Order, Problem, Tree
from adjudicator.western_desert.bases import AIRBASE, PORT, damage
from adjudicator.western_desert.forts import builder_problems, place_problems
from adjudicator.western_desert.labor import disarray_problems, elsewhere_problems, supply_problems
from adjudicator.western_desert.railworks import break_problems
from adjudicator.western_desert.sites import AIRFIELD, FORT
from adjudicator.western_desert.state import State
from adjudicator.western_desert.works import airfield_problems, target_problems

OPTION, RULE = "33.D", "WD 33.D"
By = tuple[int, ...]


class Task(NamedTuple):
    """One of the tasks: the event it makes, on what, whether it asks for supply, and what may stand against it.

    A repair asks for supply where that of engineers does (rulings ENG-SUPPLY, DIV-ENG-SUPPLY).
    """

    kind: str
    what: str
    supplied: bool
    problems: Callable[[State, str, int], list[Problem]]


def run_divisional(ctx: Ctx[State], side: str, order: Order, by: By) -> None:
    """Carry out an order ``div_engineers``, or void it (WD 33.D)."""
    state = ctx.state
    problems = divisional_problems(state, side, order)
    if problems:
        ctx.void(order, problems, by)
        return
    uid, task = order.text("unit"), TASKS[order.text("what")]
    where = state.board.name(state.hex_of(uid))
    number = str(order.index)
    ctx.emit("div-engineers", RULE, by, unit=uid, side=side, hex=where, task=order.text("what"), order=number)
    data: dict[str, Tree] = {"hex": where, "unit": uid, "divisional": "yes", "order": number}
    if task.what != "rail":
        data |= {"what": task.what, "side": side, **_hits(state, state.hex_of(uid), task)}
    ctx.emit(task.kind, RULE, by, "public", **data)


def _hits(state: State, h: int, task: Task) -> dict[str, Tree]:
    if task.what not in (PORT, AIRBASE):
        return {}
    hits = damage(state, h, task.what).hits + (1 if task.kind.endswith("-hit") else -1)
    return {"hits": "1", "after": str(hits)}


def divisional_problems(state: State, side: str, order: Order) -> list[Problem]:
    """What is wrong with an order ``div_engineers`` as things stand (WD 33.D)."""
    uid, what = order.text("unit"), order.text("what")
    if not state.world.plays(OPTION):
        text = "divisional engineers belong to option 33.D, which this game does not play"
        return [Problem("option", RULE, text, "leave the order out")]
    found = builder_problems(state, side, uid, RULE)
    if found:
        return found
    found += elsewhere_problems(state, uid, order, RULE) + _idle_problems(state, uid)
    task = TASKS.get(what)
    if task is None:
        known = ", ".join(TASKS)
        text = f"{what or 'nothing'} is no task of divisional engineers"
        return [*found, Problem("task", RULE, text, f"one of {known}", field="what")]
    if task.supplied or state.world.switches.get("repair_needs_supply") == "true":
        found += supply_problems(state, uid, RULE)
    return found + task.problems(state, side, state.hex_of(uid)) + _disarray(state, uid, task)


def _idle_problems(state: State, uid: str) -> list[Problem]:
    """A division or its headquarters that has neither moved nor attacked, and no other one has worked (WD 33.D)."""
    unit, piece = state.unit(uid), state.pieces[uid]
    name, found = unit.short or uid, []
    if unit.size not in ("division", "headquarters"):
        text = f"{name} is neither a division nor a divisional headquarters"
        found.append(Problem("no_division", RULE, text, "name one", field="unit"))
    if state.divisional:
        who = state.world.units[state.divisional].short or state.divisional
        text = f"the divisional engineers of {who} have worked in this player turn; there is one task in it"
        found.append(Problem("once", RULE, text, "leave the order out"))
    if piece.acted or piece.entered:
        text = f"{name} has moved or attacked in this player turn; for this it may do neither"
        found.append(Problem("moved", RULE, text, "name a division that stays", field="unit"))
    return found


def _disarray(state: State, uid: str, task: Task) -> list[Problem]:
    return disarray_problems(state, uid, "demolish no port") if task.kind == "port-hit" else []


def _hit(what: str, makes: bool) -> Callable[[State, str, int], list[Problem]]:
    def problems(state: State, side: str, h: int) -> list[Problem]:
        return target_problems(state, h, what, makes, RULE) or _full_problems(state, h, what, makes)

    return problems


def _full_problems(state: State, h: int, what: str, makes: bool) -> list[Problem]:
    if not makes or damage(state, h, what).room:
        return []
    text = f"the {what} in {state.board.feature_names(h)} has its most hits; more are ignored"
    return [Problem("ignored", "WD 26.A.2", text, "use them otherwise")]


def _start(what: str) -> Callable[[State, str, int], list[Problem]]:
    def problems(state: State, side: str, h: int) -> list[Problem]:
        found = place_problems(state, h, what) if what == FORT else airfield_problems(state, h)
        if (h, what) in state.sites:
            text = f"{_a(what)} is being built in {state.board.feature_names(h)} already"
            found.append(Problem("under_way", RULE, text, "leave the order out"))
        return found

    return problems


def _finish(what: str) -> Callable[[State, str, int], list[Problem]]:
    def problems(state: State, side: str, h: int) -> list[Problem]:
        site = state.sites.get((h, what))
        if site is None or site.unit or site.side != side:
            text = f"divisional engineers have begun no {what} in {state.board.feature_names(h)}"
            return [Problem("not_begun", RULE, text, f"start_{what} comes in an earlier turn", field="what")]
        return place_problems(state, h, what) if what == FORT else airfield_problems(state, h)

    return problems


def _a(what: str) -> str:
    return f"an {what}" if what == AIRFIELD else f"a {what}"


TASKS: dict[str, Task] = {
    "repair_rail": Task("rail-repaired", "rail", False, lambda state, _side, h: break_problems(state, h)),
    "repair_port": Task("port-repaired", PORT, False, _hit(PORT, False)),
    "repair_airbase": Task("airbase-repaired", AIRBASE, False, _hit(AIRBASE, False)),
    "demolish_port": Task("port-hit", PORT, True, _hit(PORT, True)),
    "start_fort": Task("work-begun", FORT, True, _start(FORT)),
    "finish_fort": Task("work-done", FORT, True, _finish(FORT)),
    "start_airfield": Task("work-begun", AIRFIELD, True, _start(AIRFIELD)),
    "finish_airfield": Task("work-done", AIRFIELD, True, _finish(AIRFIELD)),
}
"""The tasks by the word under ``what``."""

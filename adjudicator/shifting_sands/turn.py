"""The action phase as steps of the driver (SS 5.2, 6, PROTOCOL 9.2).

An action round is a stop of its owner. His message brings the section ``round``: card, markers, moves, combats. Each
combat stops for the defender; after the last combat he ordered the attacker is asked for his section ``followup``.
"""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Answer, Ask, Ctx, Order, Problem, Proc
from adjudicator.engine.driver import Step, Waits
from adjudicator.engine.sections import Section, section, sections
from adjudicator.shifting_sands.activation import activate
from adjudicator.shifting_sands.combat import combat
from adjudicator.shifting_sands.gate import sound
from adjudicator.shifting_sands.groups import Group, grouped
from adjudicator.shifting_sands.movement import movement
from adjudicator.shifting_sands.orders import SECTIONS
from adjudicator.shifting_sands.setup import setup_step
from adjudicator.shifting_sands.state import ROUNDS, State, other, turn_name

FIRST_ORDERS = 3
FREE_TYPES = ("standing", "answer")
ACTION_TYPES = ("play_card", "auto_op", "move_marker", "attack_marker")
Orders = tuple[Order, ...]


def next_step(state: State) -> tuple[str, Step[State]] | Waits:
    """The step at which the cursor stands; what this version does not play yet says so."""
    if state.step == "setup":
        return "setup", setup_step
    if state.step == "round":
        return "round", round_step
    return Waits("unbuilt", "", state.step)


def round_step(ctx: Ctx[State]) -> Proc[None]:
    """One side's part of an action round (SS 6.12, 7.2)."""
    side = ctx.state.active
    answer: Answer[Orders] = yield from ctx.ask(_round_ask(ctx.state, side))
    _refuse_strays(ctx, answer.value, ("round",), answer.by)
    own = section(answer.value, "round")
    found = grouped(sound(ctx, own.orders if own else (), answer.by), answer.by)
    activate(ctx, side, [o for o in found.leading if o.type in ACTION_TYPES], answer.by)
    movement(ctx, side, [o for o in found.leading if o.type == "move"], answer.by)
    for order in found.leading:
        if order.type not in (*ACTION_TYPES, "move"):
            ctx.void(order, [_misplaced(order)], answer.by)
    yield from _combats(ctx, side, list(found.combats), found.ended)
    _end(ctx)


def _round_ask(state: State, side: str) -> Ask[Orders]:
    return Ask(
        f"orders/{turn_name(state.turn).lower().replace(' ', '-')}/{state.round}/{side}", side, "SS 6.12", "orders",
        tuple, lambda _v: [], lambda: (), lambda: (), stop=True, fresh=True, forced=False, earliest=FIRST_ORDERS,
    )


def _combats(ctx: Ctx[State], side: str, queue: list[Group], ended: bool) -> Proc[None]:
    """The combats in the attacker's order; those ordered ahead bind, the last one asks what follows (PROTOCOL 9.2)."""
    while queue:
        group = queue.pop(0)
        bound = bool(queue) or ended
        rest: Orders = yield from combat(ctx, side, group, bound)
        if rest:
            more = grouped(sound(ctx, rest, (ctx.on,)), (ctx.on,))
            for order in more.leading:
                ctx.void(order, [_misplaced(order)], (ctx.on,))
            queue, ended = list(more.combats), more.ended


def _end(ctx: Ctx[State]) -> None:
    """The round passes to the other side, after the Allied part of the sixth to the attrition phase (SS 5.2, 6.14)."""
    state = ctx.state
    ctx.emit("end-round", "SS 6.14", side=state.active, round=str(state.round))
    if state.active == "axis":
        ctx.emit("round", "SS 6.11", round=str(state.round), active="allied")
    elif state.round < ROUNDS:
        ctx.emit("round", "SS 6.14", round=str(state.round + 1), active=other(state.active))
    else:
        ctx.emit("turn", "SS 5.3", turn=turn_name(state.turn), phase="attrition", step="attrition")


def _refuse_strays(ctx: Ctx[State], orders: Sequence[Order], allowed: Sequence[str], by: Sequence[int]) -> None:
    for found in sections(orders):
        if found.name in allowed:
            continue
        for order in found.orders:
            if found.name or order.type not in FREE_TYPES:
                ctx.void(order, [_stray(found, order)], by)


def _stray(found: Section, order: Order) -> Problem:
    if not found.name:
        hint = "put it under `- type: section` with `name: round`"
        return Problem("section", "SS 5.2", f"{order.type} stands outside any section", hint)
    if found.name not in SECTIONS:
        known = "the sections are " + ", ".join(SECTIONS)
        return Problem("section", "SS 5.2", f"there is no section {found.name}", known)
    text = f"the section {found.name} is not asked for now"
    return Problem("late", "SS 5.2", text, "orders of your action round stand in the section round")


def _misplaced(order: Order) -> Problem:
    text = f"{order.type} stands where it can do nothing"
    return Problem("misplaced", "SS 7.2", text, "card, markers, moves come first, losses and advances after an attack")

"""The action phase as steps of the driver (SS 5.2, 6, PROTOCOL 9.2).

An action round is a stop of its owner. His message brings the section ``round``: card, markers, moves, combats. Each
combat stops for the defender; after the last combat he ordered the attacker is asked for his section ``followup``. A
followup that stands in the same message ends the round there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from adjudicator.engine.core import Answer, Ask, Ctx, Order, Proc, Tree
from adjudicator.engine.driver import Step, Waits
from adjudicator.engine.sections import section
from adjudicator.shifting_sands.activation import no_action
from adjudicator.shifting_sands.arrival import ORDER as PLACE
from adjudicator.shifting_sands.combat import combat, forsake
from adjudicator.shifting_sands.designate import again_problems, attack_problems
from adjudicator.shifting_sands.events.play import end_of_actions, end_of_part
from adjudicator.shifting_sands.events.playable import ORDER as EVENT
from adjudicator.shifting_sands.events.rounds import actions, arrivals_first, mark_landings
from adjudicator.shifting_sands.fight import Planned
from adjudicator.shifting_sands.gate import sound
from adjudicator.shifting_sands.groups import BOUND_TYPES, Group, Groups, grouped
from adjudicator.shifting_sands.labels import combat_label
from adjudicator.shifting_sands.lrdg import ORDER as MISSION
from adjudicator.shifting_sands.lrdg import missions
from adjudicator.shifting_sands.movement import MOVE_TYPES, movement
from adjudicator.shifting_sands.phases import ATTRITION, OVER, REPLACEMENT, attrition_step, replacement_step
from adjudicator.shifting_sands.provisos import (
    call_off,
    conditional,
    has_won,
    proviso_problems,
    provisos_of,
    unmet,
)
from adjudicator.shifting_sands.redeploying import redeployments
from adjudicator.shifting_sands.setup import setup_step
from adjudicator.shifting_sands.state import ROUNDS, State, other, turn_slug
from adjudicator.shifting_sands.strays import FREE_TYPES as FREE_TYPES
from adjudicator.shifting_sands.strays import keep_only, refuse_strays

FIRST_ORDERS = 3
RD_TYPE = "rd"
ACTION_TYPES = ("play_card", "auto_op", EVENT, "move_marker", "attack_marker")
LEADING = (*ACTION_TYPES, *MOVE_TYPES, RD_TYPE, MISSION, PLACE)
MENDED = ("nobody", "neutral")
"""Faults of an attack that a combat before it may mend: its enemy comes there by retreat, or is released."""
WHERE = "card, markers, moves come first, combat cards, losses and advances after an attack"
Orders = tuple[Order, ...]


def next_step(state: State) -> tuple[str, Step[State]] | Waits:
    """The step at which the cursor stands; what this version does not play yet says so."""
    if state.step == "setup":
        return "setup", setup_step
    body = STEPS.get(state.step)
    if body is not None:
        return state.step, body
    if state.step == OVER:
        return Waits("over")
    return Waits("unbuilt", "", state.step)


def round_step(ctx: Ctx[State]) -> Proc[None]:
    """One side's part of an action round: card, markers, moves, then the combats (SS 6.12, 7.2, 7.28, sop.B)."""
    side = ctx.state.active
    found, ended = yield from before_combats(ctx, side)
    yield from _combats(ctx, side, list(found.combats), ended)
    _end(ctx)


def before_combats(ctx: Ctx[State], side: str) -> Proc[tuple[Groups, bool]]:
    """Card, markers and moves of a round. Returns its orders by group, and whether the round ends with its combats."""
    answer: Answer[Orders] = yield from ctx.ask(_round_ask(ctx.state, side))
    by = answer.by
    refuse_strays(ctx, answer.value, ("round", "followup"), by)
    own, early = section(answer.value, "round"), section(answer.value, "followup")
    found = grouped((*(own.orders if own else ()), *(early.orders if early else ())), by)
    leading = keep_only(ctx, sound(ctx, found.leading, by), LEADING, by, WHERE)
    wishes = arrivals_first(ctx, side, leading, by)
    before, after = _cut(leading)
    wishes = yield from actions(ctx, side, [order for order in before if order.type in ACTION_TYPES], wishes, by)
    mark_landings(ctx, side, by)
    yield from missions(ctx, side, [order for order in leading if order.type == MISSION], by)
    no_action(ctx, side, by)
    yield from movement(ctx, side, [order for order in (*before, *after) if order.type in MOVE_TYPES], by)
    yield from actions(ctx, side, [order for order in after if order.type in ACTION_TYPES], wishes, by)
    redeployments(ctx, side, [order for order in leading if order.type == RD_TYPE], by)
    return found, found.ended or early is not None


def _cut(leading: Orders) -> tuple[Orders, Orders]:
    """What stands before the first move, and the rest: no marker is placed after it (SS 7.27, sop.B)."""
    first = next((n for n, order in enumerate(leading) if order.type == "move"), len(leading))
    return leading[:first], leading[first:]


def _round_ask(state: State, side: str) -> Ask[Orders]:
    return Ask(
        f"orders/{turn_slug(state.turn)}/{state.round}/{side}", side, "SS 6.12", "orders",
        tuple, lambda _v: [], lambda: (), lambda: (), stop=True, fresh=True, forced=False, earliest=FIRST_ORDERS,
    )


def _combats(ctx: Ctx[State], side: str, ordered: Sequence[Group], ended: bool) -> Proc[None]:
    """The combats in the attacker's order; those ordered ahead bind, the last one asks what follows (PROTOCOL 9.2).

    A combat is numbered by its place among the attacks of the round, so that the other side can name it beforehand.
    """
    done, won = len(ordered), dict[int, bool]()
    queue = _judged(ctx, side, enumerate(ordered, 1))
    while queue:
        number, group = queue.pop(0)
        why = unmet(ctx.state, side, group.attack, won)
        if why:
            call_off(ctx, number, group, why, [later for _, later in queue])
            continue
        rest: Orders = yield from combat(ctx, side, group, number, bool(queue) or ended)
        won[number] = has_won(ctx, number)
        if rest:
            more = grouped(rest, (ctx.on,))
            keep_only(ctx, sound(ctx, more.leading, (ctx.on,)), (), (ctx.on,), WHERE)
            queue, ended = _judged(ctx, side, enumerate(more.combats, done + 1)), more.ended
            done += len(more.combats)


def _judged(ctx: Ctx[State], side: str, ordered: Iterable[tuple[int, Group]]) -> list[tuple[int, Group]]:
    """The attacks without those that no combat before them can make lawful: these are void at once (SS 11.14).

    One on a space that an earlier one attacks, or on one that is empty yet, hangs on the dice of the combats before.
    Several attacks ordered at once are known to both sides from now on, with the numbers they go by.
    """
    kept: list[tuple[int, Group]] = []
    for number, group in [(number, _followed(ctx, group)) for number, group in ordered]:
        order, earlier = group.attack, [before.attack for _, before in kept]
        if not sound(ctx, [order], group.by):
            forsake(ctx, group)
            continue
        problems = attack_problems(ctx.state, side, order) + again_problems(_sure(earlier, order), order)
        problems += proviso_problems(order, number)
        lasting = [problem for problem in problems if not kept or problem.code not in MENDED]
        if lasting:
            ctx.void(order, lasting, group.by)
            forsake(ctx, group)
            continue
        if problems or conditional(order) or any(other.text("target") == order.text("target") for other in earlier):
            before = earlier[-1] if earlier else order
            ctx.hang(order, combat_label(ctx.state, before.text("target"), "fire-attacker"), group.by)
        kept.append((number, group))
    if len(kept) > 1:
        ctx.emit("ordered", "SS 11.22", kept[0][1].by, side=side, combats=[_ordered(*one) for one in kept])
    return kept


def _sure(earlier: Sequence[Order], order: Order) -> list[Order]:
    """The attacks beside which an attack is surely made; of two of which one has a condition, one may be called off."""
    return [] if conditional(order) else [other for other in earlier if not conditional(other)]


def _followed(ctx: Ctx[State], group: Group) -> Group:
    """An attack with what may follow it; markers and moves come before all combats (SS 7.27, 7.28)."""
    told = sound(ctx, group.follow, group.by)
    return replace(group, follow=keep_only(ctx, told, BOUND_TYPES, group.by, WHERE))


def _ordered(number: int, group: Group) -> Tree:
    """A combat that is ordered ahead, as both sides know it."""
    order = group.attack
    planned = Planned(number, order.text("target"), tuple(order.texts("units")), provisos_of(order))
    return planned.row()


def _end(ctx: Ctx[State]) -> None:
    """The other side is next, after the Allied part of the sixth round the attrition phase (SS 5.2, 6.11, 6.14)."""
    state = ctx.state
    end_of_part(ctx, state.active)
    ctx.emit("end-round", "SS 6.14", side=state.active, round=str(state.round))
    if state.active == "axis":
        ctx.emit("round", "SS 6.11", round=str(state.round), active="allied")
    elif state.round < ROUNDS:
        ctx.emit("round", "SS 6.14", round=str(state.round + 1), active=other(state.active))
    else:
        end_of_actions(ctx)
        ctx.emit("phase", "SS 5.3", phase=ATTRITION, step=ATTRITION)


STEPS: dict[str, Step[State]] = {"round": round_step, ATTRITION: attrition_step, REPLACEMENT: replacement_step}

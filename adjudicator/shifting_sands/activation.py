"""Actions and activation: cards for OPS, the automatic operation, Move and Attack markers (SS 6.12, 7.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.engine.core import Ctx, Order, Problem, Tree
from adjudicator.shifting_sands.nations import group_of
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.supply import FULL, OUT, status
from adjudicator.shifting_sands.world import text

AUTOMATIC_OPS = 1
MOVE, ATTACK = "move", "attack"
USES = {"rd": ("SS 12", "redeployment"), "rp": ("SS 7.4", "replacement points")}


@dataclass(frozen=True, slots=True)
class Cost:
    """What a marker costs: points, the groups that pay once, the units that pay singly, and each unit's status."""

    points: int
    groups: tuple[str, ...]
    singly: tuple[str, ...]
    statuses: tuple[tuple[str, str], ...]


def activation_cost(state: State, space: str, side: str, marker: str) -> Cost:
    """SS 7.22, 7.23, 13.611, 13.71 and ruling A35 for spaces of mixed supply.

    A marker costs one point for each group of nationalities; for combat every unit that is not fully supplied, for
    movement every unit that is out of supply, pays a point of its own instead.
    """
    units = [uid for uid in state.friends(space, side) if state.active_unit(uid)]
    found = tuple((uid, status(state, uid)) for uid in units)
    apart = (OUT,) if marker == MOVE else tuple(s for s in (OUT, "limited") if s != FULL)
    singly = tuple(uid for uid, known in found if known in apart)
    groups = sorted({group_of(state.counter(uid).nation) for uid in units if uid not in singly})
    return Cost(len(groups) + len(singly), tuple(groups), singly, found)


def action_problems(state: State, side: str, order: Order) -> list[Problem]:
    """Why a card or the automatic operation may not be played now."""
    if state.ops.source or state.history.get(side, {}).get(state.round):
        return [Problem("action", "SS 6.12", "one action a round: it was chosen already", "leave one of the two out")]
    if order.type == "auto_op":
        return []
    card, use = order.text("card"), order.text("use")
    if use in USES:
        rule, what = USES[use]
        return [Problem("unbuilt", rule, f"playing a card for {what} is not built in this version", "use: ops")]
    if card not in state.hands.get(side, []):
        held = ", ".join(state.hands.get(side, [])) or "no card"
        return [Problem("hand", "SS 6.12", f"{card} is not in hand", f"in hand: {held}", field="card")]
    return []


def marker_problems(state: State, side: str, space: str, marker: str) -> list[Problem]:
    """Why a space may not be activated now (SS 7.2)."""
    if not state.ops.source:
        return [Problem("no-ops", "SS 7.21", "there are no operations points", "play a card with use: ops, or auto_op")]
    if space in state.markers:
        said = f"{space} has a marker already: a space is activated for movement or for combat"
        return [Problem("marked", "SS 7.25", said, field="space")]
    own = state.friends(space, side)
    if not own:
        return [Problem("empty", "SS 7.26", f"no friendly unit stands in {space}", field="space")]
    if not any(state.active_unit(uid) for uid in own):
        return [Problem("neutral", "SS 10.41", f"the units in {space} are not released yet", field="space")]
    return _cost_problems(state, side, space, marker)


def _cost_problems(state: State, side: str, space: str, marker: str) -> list[Problem]:
    cost = activation_cost(state, space, side, marker)
    left = state.ops.available - state.ops.spent
    if cost.points <= left:
        return []
    parts = [f"1 for {group} units" for group in cost.groups] + [f"1 for {uid}" for uid in cost.singly]
    said = f"{space} costs {cost.points} ({', '.join(parts)}), {left} of {state.ops.available} points are left"
    return [Problem("cost", "SS 13.611" if cost.singly else "SS 7.23", said, "choose a cheaper space", field="space")]


def activate(ctx: Ctx[State], side: str, orders: Sequence[Order], by: Sequence[int]) -> None:
    """Carry out the action and place the markers, in the order written (SS 6.12, 7.21 to 7.26)."""
    for order in orders:
        if order.type in ("play_card", "auto_op"):
            problems = action_problems(ctx.state, side, order)
            if problems:
                ctx.void(order, problems, by)
            else:
                _act(ctx, side, order, by)
            continue
        marker = MOVE if order.type == "move_marker" else ATTACK
        problems = marker_problems(ctx.state, side, order.text("space"), marker)
        if problems:
            ctx.void(order, problems, by)
        else:
            _mark(ctx, side, order, marker, by)
    if not ctx.state.history.get(side, {}).get(ctx.state.round):
        ctx.emit("action", "SS 6.12", by, side=side, use="auto", ops=str(AUTOMATIC_OPS), clause="nothing was ordered")


def _act(ctx: Ctx[State], side: str, order: Order, by: Sequence[int]) -> None:
    index = str(order.index)
    if order.type == "auto_op":
        ctx.emit("action", "SS 6.12", by, order=index, side=side, use="auto", ops=str(AUTOMATIC_OPS))
        return
    card = order.text("card")
    ops = text(ctx.state.world.cards[card], "ops")
    ctx.emit("action", "SS 7.21", by, order=index, side=side, use="ops", card=card, ops=ops)


def _mark(ctx: Ctx[State], side: str, order: Order, marker: str, by: Sequence[int]) -> None:
    space = order.text("space")
    cost = activation_cost(ctx.state, space, side, marker)
    statuses: list[Tree] = [{"unit": uid, "status": known} for uid, known in cost.statuses]
    left = ctx.state.ops.available - ctx.state.ops.spent - cost.points
    ctx.emit(
        "marker", "SS 7.25", by, order=str(order.index), side=side, space=space, marker=marker,
        cost=str(cost.points), left=str(left), supply=statuses,
    )

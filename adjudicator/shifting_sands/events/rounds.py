"""Events within an action round: which order ``place`` belongs to what, and the markers of a T (SS 10.53, 19.1)."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Ctx, Order, Proc
from adjudicator.shifting_sands.activation import MOVE, activate, mark, marker_problems
from adjudicator.shifting_sands.arrival import ORDER as PLACE
from adjudicator.shifting_sands.arrival import arrivals
from adjudicator.shifting_sands.events.play import play_event
from adjudicator.shifting_sands.events.playable import ORDER
from adjudicator.shifting_sands.extras import extra_of
from adjudicator.shifting_sands.state import State

NOBODY = -1


def arrivals_first(ctx: Ctx[State], side: str, orders: Sequence[Order], by: Sequence[int]) -> list[Order]:
    """Divisions of optional rules come before anything else; the other orders ``place`` belong to an event."""
    places = [order for order in orders if order.type == PLACE]
    playing = any(order.type == ORDER for order in orders)
    extra = [order for order in places if extra_of(ctx.state.counter(order.text("unit"))) or not playing]
    arrivals(ctx, side, extra, by)
    return [order for order in places if order not in extra]


def actions(
    ctx: Ctx[State], side: str, orders: Sequence[Order], wishes: Sequence[Order], by: Sequence[int]
) -> Proc[list[Order]]:
    """The action and the markers, in the order written; an event may stop for the other side (pbem D8). Returns the
    orders ``place`` that no event has taken."""
    left = list(wishes)
    for order in orders:
        if order.type == ORDER:
            yield from play_event(ctx, side, order, left, by)
            left = []
        else:
            activate(ctx, side, [order], by)
    return left


def mark_landings(ctx: Ctx[State], side: str, by: Sequence[int]) -> None:
    """A space where a T brought units gets a Move marker where its owner has placed none (SS 10.53)."""
    for place in [place for place in ctx.state.landed if place not in ctx.state.markers]:
        if not marker_problems(ctx.state, side, place, MOVE):
            mark(ctx, side, Order(NOBODY, "move_marker", {"space": place}), by)

"""The orders of a phase as they are run: sound ones, up to ``pass``, hanging on dice rolled before them (WD 4.A)."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Ctx, Order, Problem
from adjudicator.western_desert.gate import sound
from adjudicator.western_desert.state import State

STANDING_TYPES = ("standing", "answer", "special_operation", "display_garrison")
PASS = "pass"


def acting(orders: Sequence[Order]) -> list[Order]:
    """The orders that a phase runs; standing orders, answers and what carries out a plan may stand anywhere."""
    return [order for order in orders if order.type not in STANDING_TYPES]


def to_run(ctx: Ctx[State], orders: Sequence[Order], by: Sequence[int]) -> list[Order]:
    """The sound orders of a phase. After ``pass`` nothing more is done in it."""
    kept: list[Order] = []
    passed = False
    for order in sound(ctx, acting(orders), by):
        if passed:
            text = f"{order.type} stands after pass, which says that nothing more is done in the phase"
            ctx.void(order, [Problem("after_pass", "WD 4.A", text, "put pass last, or leave it out")], by)
        elif order.type == PASS:
            passed = True
        kept += [order] if not passed else []
    return kept


def hang(ctx: Ctx[State], orders: Sequence[Order], by: Sequence[int]) -> None:
    """Orders of a section that was written before the dice of the phases before it hang on them (PROTOCOL 4.8)."""
    rolled = [label for on, label in ctx.rolls if on in by]
    for order in orders if rolled else ():
        ctx.hang(order, rolled[-1], by)


def bound(ctx: Ctx[State], name: str, orders: Sequence[Order], by: Sequence[int], seq: int) -> None:
    """Void the orders of a section that came in a later message: the first one binds (PROTOCOL 5)."""
    for order in acting(orders):
        text = f"{order.type}: the section {name} of message {max(by, default=0)} binds, which is still to be run"
        ctx.void(order, [Problem("bound", "PROTOCOL 5", text, "leave the section out")], (seq,))

"""Orders of work carried out: the event that a plan comes to (see works.py)."""

from __future__ import annotations

from functools import partial

from adjudicator.engine.core import Ctx, Order, Tree
from adjudicator.western_desert.apply import mp_text
from adjudicator.western_desert.labor import Work
from adjudicator.western_desert.mover import CARRIED
from adjudicator.western_desert.state import State
from adjudicator.western_desert.works import plan_work

By = tuple[int, ...]
PUBLIC = "public"
RAIL_EVENTS = ("rail-broken", "rail-repaired")


def run_work(ctx: Ctx[State], side: str, order: Order, by: By) -> None:
    """Do a work as things stand, or void the order. A work that would change nothing is told to its author alone."""
    made = plan_work(ctx.state, side, order)
    if made.problems:
        ctx.void(order, made.problems, by)
        return
    if made.remarks:
        ctx.remark(order, partial(list, made.remarks), by)
    if made.payers:
        emit_work(ctx, side, made, order, by)


def emit_work(ctx: Ctx[State], side: str, made: Work, order: Order, by: By) -> None:
    """The event of a lawful work."""
    name = ctx.state.board.name
    if made.kind in RAIL_EVENTS:
        data = {"hex": name(made.hex), "order": str(order.index), **_flat(made)}
        ctx.emit(made.kind, made.rule, by, PUBLIC, **data)
        return
    ctx.emit(
        made.kind,
        made.rule,
        by,
        PUBLIC,
        side=side,
        hex=name(made.hex),
        units=[payer.unit for payer in made.payers],
        costs=made.costs,
        order=str(order.index),
        **made.data,
    )


def _flat(made: Work) -> dict[str, Tree]:
    """Work on a railroad has one payer."""
    (payer,) = made.payers
    mover, spent2 = payer.mover, payer.mover.spent2 + payer.cost2
    return {
        "unit": payer.unit,
        "units": list(mover.ids),
        "mp": mp_text(payer.cost2),
        "spent": mp_text(spent2),
        "left": mp_text(mover.allowance2 - spent2),
        "transport": mover.ids[-1] if mover.mode == CARRIED else "",
    }

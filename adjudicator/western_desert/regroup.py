"""Carrying out breakdowns and assemblies in a phase of movement (WD 15.A): divisions and components change places."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Ctx, Order, Tree
from adjudicator.western_desert.control import settle
from adjudicator.western_desert.divisions import ASSEMBLE, BREAK, Division, plan_assemble, plan_break_down
from adjudicator.western_desert.state import State

By = tuple[int, ...]
REGROUPING = (BREAK, ASSEMBLE)


def break_down(ctx: Ctx[State], side: str, order: Order, begun: bool, by: By) -> int | None:
    """Take a division from the map and place its components; the hex, or None where that is not lawful.

    WD 15.B.box.
    """
    return _change(ctx, order, plan_break_down(ctx.state, side, order, begun), ("broken-down", "WD 15.A.break"), by)


def assemble(ctx: Ctx[State], side: str, order: Order, last: bool, by: By) -> int | None:
    """Take components from the map and place their division; the hex, or None where that is not lawful.

    WD 15.B.box.
    """
    return _change(ctx, order, plan_assemble(ctx.state, side, order, last), ("assembled", "WD 15.A.assemble"), by)


def _change(ctx: Ctx[State], order: Order, made: Division, told: tuple[str, str], by: By) -> int | None:
    """Void the order, or make its event (kind, rule) and settle control."""
    if made.problems:
        ctx.void(order, made.problems, by)
        return None
    kind, rule = told
    here = ctx.state.board.name(made.hex)
    units: list[Tree] = [*made.units]
    ctx.emit(kind, rule, by, unit=made.unit, hex=here, units=units, form=made.form, order=str(order.index))
    settle(ctx, [made.hex], by=by)
    return made.hex


def closing(orders: Sequence[Order]) -> set[int]:
    """The places of the assemblies behind which nothing but assemblies follows (WD 15.A.assemble)."""
    found: set[int] = set()
    for n in range(len(orders) - 1, -1, -1):
        if orders[n].type != ASSEMBLE:
            break
        found.add(n)
    return found

"""The gate before the rules: anything in a signed order but known types, fields and ids is void (PROTOCOL 4.2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from adjudicator.engine.core import Ctx, Order, Problem
from adjudicator.engine.schema import Field, shape_problems
from adjudicator.western_desert import hexes
from adjudicator.western_desert.orders import TYPES
from adjudicator.western_desert.state import State


def sound(ctx: Ctx[State], orders: Iterable[Order], by: Sequence[int]) -> list[Order]:
    """The orders that rules may read; every other one is voided with all its problems."""
    kept: list[Order] = []
    for order in orders:
        problems = shape_problems(TYPES, order) or id_problems(ctx.state, order)
        if problems:
            ctx.void(order, problems, by)
        else:
            kept.append(order)
    return kept


def id_problems(state: State, order: Order) -> list[Problem]:
    """Fields that hold no id of this game."""
    kind = TYPES[order.type]
    found: list[Problem] = []
    for name, field in kind.fields.items():
        if name in order.data:
            for text in _ids(order, name, field):
                if not _known(state, field, text):
                    what = field.kind.rstrip("s") if field.kind != "hexes" else "hex"
                    found.append(Problem("id", kind.rule, f"{name}: {text!r} is no {what} of this game", field=name))
    return found


def _ids(order: Order, name: str, field: Field) -> list[str]:
    if field.all and order.data.get(name) == "all":
        return []
    return order.texts(name) if field.kind in ("unit", "units", "hex", "hexes") else []


def _known(state: State, field: Field, text: str) -> bool:
    if field.kind in ("unit", "units"):
        return text in state.world.units
    try:
        return state.board.name(state.board.find(text)) == text
    except hexes.HexError:
        return False

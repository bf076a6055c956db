"""The gate before the rules: anything in a signed order but known types, fields and ids is void (PROTOCOL 4.2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from adjudicator.engine.core import Ctx, Order, Problem
from adjudicator.engine.schema import Field, shape_problems
from adjudicator.shifting_sands.cards import is_handle
from adjudicator.shifting_sands.orders import TYPES
from adjudicator.shifting_sands.state import State

_BOOKS = {
    **dict.fromkeys(("unit", "units"), "unit"),
    **dict.fromkeys(("space", "spaces"), "space"),
    **dict.fromkeys(("card", "cards"), "card"),
    "place": "place",
}


def sound(ctx: Ctx[State], orders: Iterable[Order], by: Sequence[int]) -> list[Order]:
    """The orders that rules may read; every other one is voided with all its problems."""
    kept: list[Order] = []
    for order in orders:
        problems = form_problems(ctx.state, order)
        if problems:
            ctx.void(order, problems, by)
        else:
            kept.append(order)
    return kept


def form_problems(state: State, order: Order) -> list[Problem]:
    """Faults of type and fields, else texts that stand for no id."""
    return shape_problems(TYPES, order) or id_problems(state, order)


def id_problems(state: State, order: Order) -> list[Problem]:
    """Fields that hold no id of this game."""
    kind = TYPES[order.type]
    found: list[Problem] = []
    for name, field in kind.fields.items():
        book = _BOOKS.get(field.kind)
        for text in order.texts(name) if book else ():
            if not _known(state, book or "", text, field):
                said = f"{name}: {text!r} is no {book} of this game"
                found.append(Problem("id", kind.rule, said, "name what there is, by its id", field=name))
    return found


def _known(state: State, book: str, text: str, field: Field) -> bool:
    if text in field.words:
        return True
    if book == "unit":
        return text in state.world.counters
    if book == "card":
        return text in state.world.cards or is_handle(text)
    return text in state.world.spaces or (book == "place" and text in ("@replacement", "@reserve"))

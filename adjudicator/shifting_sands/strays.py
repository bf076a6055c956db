"""Orders that stand where nothing asks for them: void, with a word on where they belong (PROTOCOL 5)."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Ctx, Order, Problem
from adjudicator.engine.sections import Section, section, sections
from adjudicator.shifting_sands.orders import IN_COMBAT, SECTIONS
from adjudicator.shifting_sands.state import State

FREE_TYPES = ("standing", "answer")


def refuse_strays(ctx: Ctx[State], orders: Sequence[Order], allowed: Sequence[str], by: Sequence[int]) -> None:
    """Void what stands in no section, in one that is not asked for now, or in a second one of a name."""
    seen: list[str] = []
    for found in sections(orders):
        again = found.name in seen
        seen.append(found.name)
        if found.name in allowed and not again:
            continue
        for order in found.orders:
            if order.type not in FREE_TYPES:
                ctx.void(order, [_twice(found, order) if again else _stray(found, order, allowed)], by)


def topics_asked(ctx: Ctx[State], orders: Sequence[Order], by: Sequence[int]) -> tuple[str, ...]:
    """The choices that the head of the section reaction asks to be asked for (``ask: losses, retreat``)."""
    found = section(orders, "reaction")
    head = found.head if found is not None else None
    if head is None:
        return ()
    strange = [word for word in head.texts("ask") if word not in IN_COMBAT]
    if strange:
        said = f"ask: {', '.join(strange)} is no choice of a combat"
        hint = "the choices are " + ", ".join(IN_COMBAT)
        ctx.void(head, [Problem("word", "SS 11", said, hint, field="ask")], by)
    return tuple(word for word in head.texts("ask") if word in IN_COMBAT)


def _twice(found: Section, order: Order) -> Problem:
    said = f"{order.type} stands in a second section {found.name}; one holds all of its orders"
    return Problem("section", "SS 5.2", said, "put its orders into the first one")


def _stray(found: Section, order: Order, allowed: Sequence[str]) -> Problem:
    if not found.name:
        hint = f"put it under `- type: section` with `name: {allowed[0]}`"
        return Problem("section", "SS 5.2", f"{order.type} stands outside any section", hint)
    if found.name not in SECTIONS:
        known = "the sections are " + ", ".join(SECTIONS)
        return Problem("section", "SS 5.2", f"there is no section {found.name}", known)
    said = f"the section {found.name} is not asked for now"
    return Problem("late", "SS 5.2", said, f"what is asked for is the section {allowed[0]}")


def misplaced(order: Order, where: str) -> Problem:
    """An order of a known type in a place where it can do nothing; ``where`` tells what may stand there."""
    return Problem("misplaced", "SS 7.2", f"{order.type} stands where it can do nothing", where)


def keep_only(
    ctx: Ctx[State], orders: Sequence[Order], types: Sequence[str], by: Sequence[int], where: str
) -> tuple[Order, ...]:
    """The orders of these types; every other one is void, but those that may stand anywhere (:data:`FREE_TYPES`)."""
    for order in orders:
        if order.type not in (*types, *FREE_TYPES):
            ctx.void(order, [misplaced(order, where)], by)
    return tuple(order for order in orders if order.type in types)

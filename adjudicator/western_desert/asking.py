"""Asking a side for a choice in the midst of a phase: play stops for it where its standing order says `ask`.

PROTOCOL 5, 9.1: live mode is a sheet of `ask`; the answer stands in the side's next message, and the dice go on by it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from adjudicator.engine.core import Answer, Ask, Ctx, Order, Problem, Proc
from adjudicator.engine.sections import sections
from adjudicator.western_desert.state import State

A = TypeVar("A")
ANSWERS = ("standing", "answer", "losses", "retreat")
PARTS = ("", "combat", "reaction")
LATER = {"initial": ("movement", "combat", "exploitation"), "combat": ("exploitation",)}


def asked(ctx: Ctx[State], ask: Ask[A]) -> Proc[Answer[A]]:
    """The answer to a choice. Of a message that ended a stop nothing is run but answers, and the orders for later
    phases of the side that moves."""
    answer: Answer[A] = yield from ctx.ask(ask)
    for order in strays(ctx.state, ask.side, answer.message):
        text = f"{order.type}: the message answers {ask.key}, it holds answers and what the rules ask for later"
        ctx.void(order, [Problem("unasked", "PROTOCOL 5", text, "leave it out")], (ctx.on,))
    return answer


def strays(state: State, side: str, message: tuple[Order, ...]) -> Iterator[Order]:
    """The orders of a stop's answer that nobody asked for."""
    later = LATER.get(state.step, ()) if side == state.player else ()
    seen: set[str] = set()
    for part in sections(message):
        known = part.name not in seen and part.name in (*PARTS, *later)
        seen.add(part.name)
        if known and part.name in later:
            continue
        for order in part.orders:
            if not known or order.type not in ANSWERS:
                yield order

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
ANSWERS = ("standing", "answer", "losses", "retreat", "display_garrison")
FOUGHT = ("split", "targets")
"""Orders of the section reaction that may come as long as air combat is to be resolved (WD 21)."""
PARTS = ("", "combat", "reaction")
AFTER_AIR = ("combat", "exploitation")
LATER = {
    "initial": ("movement", "air", *AFTER_AIR),
    "movement": ("air", *AFTER_AIR),
    "air": AFTER_AIR,
    "reaction": AFTER_AIR,
    "combat": ("exploitation",),
}
"""The sections that may still come of the side that moves, by the step that is run."""
BEFORE_REACTION = ("initial", "movement", "air")


def asked(ctx: Ctx[State], ask: Ask[A]) -> Proc[Answer[A]]:
    """The answer to a choice. Of a message that ended a stop nothing is run but answers, and the orders for later
    phases."""
    answer: Answer[A] = yield from ctx.ask(ask)
    for order in strays(ctx.state, ask.side, answer.message):
        text = f"{order.type}: the message answers {ask.key}, it holds answers and what the rules ask for later"
        ctx.void(order, [Problem("unasked", "PROTOCOL 5", text, "leave it out")], (ctx.on,))
    return answer


def strays(state: State, side: str, message: tuple[Order, ...], wanted: str = "") -> Iterator[Order]:
    """The orders of a stop's answer that nobody asked for. ``wanted`` is the section that was asked for, if it was one:
    whoever asked judges its orders."""
    later = (wanted, *_later(state, side))
    seen: set[str] = set()
    for part in sections(message):
        known = part.name not in seen and part.name in (*PARTS, *later)
        seen.add(part.name)
        if known and part.name and part.name in later:
            continue
        for order in part.orders:
            if not known or not _answers(state, side, part.name, order):
                yield order


def _later(state: State, side: str) -> tuple[str, ...]:
    """The sections that a side may write now for what is to come in the player turn (PROTOCOL 5)."""
    if side == state.player:
        return LATER.get(state.step, ())
    return ("reaction",) if state.step in BEFORE_REACTION else ()


def _answers(state: State, side: str, part: str, order: Order) -> bool:
    """Whether an order answers choices: by key, of combat, or of an air combat that is still to be resolved."""
    fought = part == state.step == "reaction" and side != state.player
    return order.type in ANSWERS or (fought and order.type in FOUGHT)

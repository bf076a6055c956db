"""The course of one combat: what is known so far, and how its choices are settled (SS 11.2, PROTOCOL 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from adjudicator.engine.core import Answer, Ctx, Order, Problem, Proc
from adjudicator.engine.sections import section
from adjudicator.shifting_sands.advance import Opening
from adjudicator.shifting_sands.choices import PARTS, Choice, When
from adjudicator.shifting_sands.fire import ATTACKER, DEFENDER, Combat, Modifier
from adjudicator.shifting_sands.gate import sound
from adjudicator.shifting_sands.groups import split
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.strays import refuse_strays

A = TypeVar("A")
CARD = "combat_card"
Orders = tuple[Order, ...]
Seqs = tuple[int, ...]


@dataclass
class Course:
    """What has happened so far in a combat, and what each side has said about it.

    ``after`` is the message in use when it began: nothing said up to it is on file for the combat, but what names it by
    its number. ``bound``: the attacker ordered more than this combat and is not asked in between. ``given`` holds the
    orders of each role for this combat, ``sources`` the messages each of them is from, ``heard`` all of these messages;
    ``asked`` tells that the defender had his stop, ``waits`` for which topics he asked to be asked again, ``answered``
    for which he was: one stop serves all units, what he does not say then goes by default. ``settled`` are the choices
    made by orders: what is said of one later is void, since the first answer binds (PROTOCOL 5). ``numbers`` are the
    loss numbers inflicted; ``asks_cards``: the attacker wants to play cards when the flank die is known; ``forced`` is
    the retreat that a card forces, 0 for none.
    """

    combat: Combat
    after: int = 0
    bound: bool = False
    by: tuple[int, ...] = ()
    given: dict[str, Orders] = field(default_factory=lambda: {ATTACKER: (), DEFENDER: ()})
    sources: dict[str, tuple[Seqs, ...]] = field(default_factory=lambda: {ATTACKER: (), DEFENDER: ()})
    heard: dict[str, Seqs] = field(default_factory=lambda: {ATTACKER: (), DEFENDER: ()})
    asked: bool = False
    waits: frozenset[str] = frozenset()
    answered: frozenset[str] = frozenset()
    settled: list[tuple[str, Choice[Any], Seqs]] = field(default_factory=list)
    flank_tried: bool = False
    asks_cards: bool = False
    drms: dict[str, tuple[Modifier, ...]] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    bold: bool = False
    lost_divisions: list[str] = field(default_factory=list)
    winner: str = ""
    distance: int = 0
    overrun: bool = False
    forced: int = 0
    paths: list[tuple[str, ...]] = field(default_factory=list)
    opening: Opening | None = None

    @property
    def difference(self) -> int:
        """By how much the higher loss number is higher (SS 11.52)."""
        return abs(self.numbers.get(ATTACKER, 0) - self.numbers.get(DEFENDER, 0))

    def when(self, role: str, topic: str) -> When:
        """How a choice is asked: the attacker unless he is bound, the defender if he wishes or was not asked yet; both
        where their standing orders say `ask`."""
        if role == ATTACKER:
            return When(not self.bound, self.after, askable=True)
        wished, open_ = topic in self.waits or not self.asked, topic not in self.answered
        return When(wished and open_, self.after, askable=open_)

    def hear(self, role: str, orders: Sequence[Order], by: Sequence[int]) -> None:
        """Take up what a side says about this combat; the oldest stands first, because it binds."""
        self.given[role] = (*self.given[role], *orders)
        self.sources[role] = (*self.sources[role], *(tuple(by) for _ in orders))
        self.heard[role] = (*self.heard[role], *by)
        if role == DEFENDER:
            self.waits |= {order.text("topic") for order in orders if order.type == "wait"}

    def said_in(self, role: str, order: Order) -> Seqs:
        """The messages that an order of a side is from."""
        found = zip(self.given[role], self.sources[role], strict=True)
        return next((by for given, by in found if given is order), self.heard[role])


    def said(self, role: str, choice: Choice[Any]) -> Order | None:
        """The order that makes a choice: that of the first message which speaks of it (PROTOCOL 5)."""
        for by in dict.fromkeys(self.sources[role]):
            found = zip(self.given[role], self.sources[role], strict=True)
            order = choice.read([order for order, source in found if source == by])
            if order is not None:
                return order
        return None


def binds(by: Seqs) -> Problem:
    """What becomes of an order that comes after the first answer."""
    said = f"message {max(by, default=0)} said this before, and the first answer binds"
    return Problem("bound", "PROTOCOL 5", said, "leave it out")


def take_up(ctx: Ctx[State], course: Course, role: str, orders: Sequence[Order], by: Seqs) -> None:
    """Hear a message that ended a stop. What it says of a choice that was made by an older one is void."""
    kept = []
    for order in orders:
        made = next((of for who, choice, of in course.settled if who == role and choice.read([order]) is order), None)
        if made is None or made == by:
            kept.append(order)
        else:
            ctx.void(order, [binds(made)], by)
    course.hear(role, kept, by)


def settle(ctx: Ctx[State], course: Course, role: str, choice: Choice[A]) -> Proc[Answer[A]]:
    """Settle a choice by what its side has said about this combat, else ask for it."""
    answer: Answer[A] = yield from _settled(ctx, course, role, choice)
    if answer.source == "order":
        for order, by in zip(course.given[role], course.sources[role], strict=True):
            if by != answer.by and choice.read([order]) is order:
                ctx.void(order, [binds(answer.by)], by)
        course.settled.append((role, choice, answer.by))
    return answer


def _settled(ctx: Ctx[State], course: Course, role: str, choice: Choice[A]) -> Proc[Answer[A]]:
    order = course.said(role, choice)
    if order is not None:
        return _from(ctx, course, role, choice, order, early=True)
    before = ctx.on
    answer = yield from ctx.ask(choice.ask)
    if ctx.on != before:
        if role == DEFENDER and not choice.ask.key.endswith("/order"):
            course.answered |= {choice.ask.topic}
        listen(ctx, course, role, answer.message, (ctx.on,))
        if answer.source == "default":
            order = course.said(role, choice)
            if order is not None:
                return _from(ctx, course, role, choice, order)
    return answer


def _from(
    ctx: Ctx[State], course: Course, role: str, choice: Choice[A], order: Order, early: bool = False
) -> Answer[A]:
    """The choice an order makes; an unlawful one is void and the default holds.

    An ``early`` one was written before the dice; where they have made it unlawful it counts as a wish.
    """
    by, value = course.said_in(role, order), choice.value(order)
    problems = choice.ask.problems(value)
    if not problems:
        return Answer(value, "order", "", by)
    softened = choice.soften(order) if early else None
    if softened is not None:
        return Answer(softened, "order", "as near to the order as the rules allow", by)
    ctx.void(order, problems, by)
    return Answer(choice.ask.default(), "default", f"{problems[0].text}; the default was taken", by)


def listen(ctx: Ctx[State], course: Course, role: str, message: Sequence[Order], by: tuple[int, ...]) -> None:
    """Take up the section of a message that ended a stop within the combat; what stands elsewhere is void."""
    refuse_strays(ctx, message, (PARTS[role],), by)
    found = section(message, PARTS[role])
    mine = found.orders if found else ()
    if role == ATTACKER:
        mine, _ = split(mine)
    number = str(course.combat.number)
    own = sound(ctx, [o for o in mine if o.text("combat") in ("", number)], by)
    for order in [o for o in own if o.type == CARD]:
        ctx.void(order, [_too_late()], by)
    take_up(ctx, course, role, [o for o in own if o.type != CARD], by)


def _too_late() -> Problem:
    said = "combat cards are played before the dice of the fire"
    return Problem("late", "SS 11.25", said, "leave it out", field="card")

"""The sequence of play (WD 4.A) as steps of the driver, with the surprise turn (WD 28.B.3).

A player turn is a stop of its owner: its first message holds the orders of the initial phase and, in sections, of the
phases after it. A section that is there is on file, one that is absent is a stop (DESIGN, Turn file).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from adjudicator.engine.core import Answer, Ask, Ctx, Order, Problem, Proc
from adjudicator.engine.driver import Step, Waits
from adjudicator.engine.sections import Section, section, sections
from adjudicator.western_desert.combat import combat_phase
from adjudicator.western_desert.gate import sound
from adjudicator.western_desert.initial import initial_phase
from adjudicator.western_desert.movement import movement_phase
from adjudicator.western_desert.remarks import idle_answers
from adjudicator.western_desert.setup import setup_step
from adjudicator.western_desert.state import State, turn_name

FIRST_ORDERS = 3
KNOWN_SECTIONS = ("movement", "air", "reaction", "combat", "exploitation")
BUILT_SECTIONS = ("movement", "combat")
SECTION_RULES = {"air": "WD 4.A.3", "reaction": "WD 20.A", "exploitation": "WD 4.A.5"}
STANDING_TYPES = ("standing", "answer")
PASS = "pass"
Orders = tuple[Order, ...]


def next_step(state: State) -> tuple[str, Step[State]] | Waits:
    """The step at which the cursor stands; what this version does not play yet says so."""
    steps: dict[str, Step[State]] = {
        "setup": setup_step,
        "initial": initial_step,
        "movement": movement_step,
        "combat": combat_step,
    }
    body = steps.get(state.step)
    if body is None:
        return Waits("unbuilt", state.player, state.step)
    return state.step, body


def orders_ask(
    name: str, side: str, rule: str, find: Callable[[Sequence[Order]], Orders | None], **more: Any
) -> Ask[Orders]:
    """The orders of a phase, asked with the same verb as every other choice; never settled by standing orders."""
    return Ask(
        key=f"orders/{name}",
        side=side,
        rule=rule,
        topic="orders",
        find=find,
        problems=lambda _orders: [],
        atoms=lambda: (),
        default=lambda: (),
        stop=True,
        forced=False,
        **more,
    )


def _phase_orders(name: str) -> Callable[[Sequence[Order]], Orders | None]:
    def find(orders: Sequence[Order]) -> Orders | None:
        found = section(orders, name)
        return found.orders if found is not None else None

    return find


def initial_step(ctx: Ctx[State]) -> Proc[None]:
    """Initial phase: supply of both sides (WD 4.A.1). Opens the player turn, so nothing said before is on file."""
    state = ctx.state
    ask = orders_ask("initial", state.player, "WD 4.A.1", tuple, fresh=True, earliest=FIRST_ORDERS)
    answer: Answer[Orders] = yield from ctx.ask(ask)
    everything = answer.value
    _refuse_strays(ctx, everything, BUILT_SECTIONS, answer.by)
    opening = section(everything, "")
    own = _to_run(ctx, opening.orders if opening else (), answer.by)
    yield from initial_phase(ctx, state.player, own, answer.by)
    _open(ctx, "movement", "WD 4.A.2")


def movement_step(ctx: Ctx[State]) -> Proc[None]:
    """Movement phase (WD 4.A.2)."""
    answer = yield from _phase(ctx, "movement", "WD 4.A.2")
    yield from movement_phase(ctx, ctx.state.player, _to_run(ctx, answer.value, answer.by), answer.by)
    _open(ctx, "combat", "WD 4.A.4")


def combat_step(ctx: Ctx[State]) -> Proc[None]:
    """Combat phase (WD 4.A.4). After it the surprise turn is over; the regular one goes on to exploitation."""
    answer = yield from _phase(ctx, "combat", "WD 4.A.4")
    for order, problem in idle_answers(ctx.state, answer.value) if ctx.remarks is not None else ():
        ctx.remark(order, partial(list, (problem,)), answer.by)
    yield from combat_phase(ctx, ctx.state.player, _to_run(ctx, answer.value, answer.by), answer.by)
    if ctx.state.surprise:
        _open(ctx, "initial", "WD 28.B.3", surprise="")
    else:
        _open(ctx, "exploitation", "WD 4.A.5")


def _phase(ctx: Ctx[State], name: str, rule: str) -> Proc[Answer[Orders]]:
    """Ask for the orders of a phase; where a new message brought them, its other sections come too late."""
    answer: Answer[Orders] = yield from ctx.ask(orders_ask(name, ctx.state.player, rule, _phase_orders(name)))
    if answer.message:
        _refuse_late(ctx, name, answer.message)
    for seq, orders in answer.later:
        for order in _acting(orders):
            ctx.void(order, [_bound(name, order, answer.by)], (seq,))
    return answer


def _acting(orders: Sequence[Order]) -> list[Order]:
    """The orders that a phase runs; standing orders and answers may stand anywhere."""
    return [order for order in orders if order.type not in STANDING_TYPES]


def _to_run(ctx: Ctx[State], orders: Sequence[Order], by: Sequence[int]) -> list[Order]:
    """The sound orders of a phase. After ``pass`` nothing more is done in it."""
    kept: list[Order] = []
    passed = False
    for order in sound(ctx, _acting(orders), by):
        if passed:
            text = f"{order.type} stands after pass, which says that nothing more is done in the phase"
            ctx.void(order, [Problem("after_pass", "WD 4.A", text, "put pass last, or leave it out")], by)
        elif order.type == PASS:
            passed = True
        kept += [order] if not passed else []
    return kept


def _bound(name: str, order: Order, by: Sequence[int]) -> Problem:
    text = f"{order.type}: the section {name} of message {max(by, default=0)} binds, which is still to be run"
    return Problem("bound", "PROTOCOL 5", text, "leave the section out")


def _refuse_late(ctx: Ctx[State], name: str, message: Orders) -> None:
    """A stop's answer may hold the section asked for and those after it; anything else comes too late."""
    allowed = BUILT_SECTIONS[BUILT_SECTIONS.index(name) :]
    _refuse_strays(ctx, message, allowed, (ctx.on,))
    opening = section(message, "")
    for order in _acting(opening.orders if opening else ()):
        ctx.void(order, [_too_late(order, "the initial phase")], (ctx.on,))


def _open(ctx: Ctx[State], phase: str, rule: str, surprise: str | None = None) -> None:
    state = ctx.state
    was = "yes" if state.surprise else ""
    ctx.emit(
        "phase",
        rule,
        turn=turn_name(state.turn),
        player=state.player,
        phase=phase,
        surprise=was if surprise is None else surprise,
    )


def _refuse_strays(ctx: Ctx[State], orders: Sequence[Order], allowed: Sequence[str], by: Sequence[int]) -> None:
    """Sections of phases that are not built, over, unknown or there already: each of their orders is void, by name."""
    seen: set[str] = set()
    for found in sections(orders):
        head = (found.head,) if found.head else ()
        acting = _acting(found.orders)
        if found.name in seen:
            for order in acting or head:
                ctx.void(order, [_twice(found, order)], by)
        elif found.name and found.name not in allowed:
            for order in acting or (head if found.name not in KNOWN_SECTIONS else ()):
                ctx.void(order, [_stray(found, order)], by)
        seen.add(found.name)


def _twice(found: Section, order: Order) -> Problem:
    text = f"{order.type} stands in a second section {found.name}; one holds all orders of its phase"
    return Problem("section", "WD 4.A", text, "put its orders into the first one")


def _stray(found: Section, order: Order) -> Problem:
    if found.name not in KNOWN_SECTIONS:
        names = ", ".join(KNOWN_SECTIONS)
        return Problem("section", "WD 4.A", f"there is no section {found.name}", f"the sections are {names}")
    if found.name in BUILT_SECTIONS:
        return _too_late(order, f"the {found.name} phase")
    rule = SECTION_RULES[found.name]
    text = f"orders of the section {found.name} are not built in this version"
    return Problem("unbuilt", rule, text, "leave the section out")


def _too_late(order: Order, phase: str) -> Problem:
    return Problem("late", "WD 4.C", f"{order.type}: {phase} of this player turn is over", "leave the order out")

"""The interceptor movement step: what the side that is not phasing sends up (WD 16.C.2, 20.A, 20.B; PROTOCOL 9.1).

Play waits for it where, by public fact, a fighter may intercept or scramble. Its section ``reaction`` speaks for the
whole step: what it doesn't order stays on the ground. Without one the standing orders on ``intercept`` and
``scramble`` decide, each for itself, else the defaults.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from adjudicator.engine.core import Answer, Ask, Ctx, Order, Problem, Proc, Tree
from adjudicator.engine.sections import section
from adjudicator.western_desert.air.book import book_of
from adjudicator.western_desert.air.craft import INTERCEPT, craft_of
from adjudicator.western_desert.air.defending import (
    Plans,
    interception_by,
    may_intercept,
    may_scramble,
    scramble_by,
    usual_interception,
    usual_scramble,
)
from adjudicator.western_desert.air.facts import AirBook, stands_at
from adjudicator.western_desert.air.flying import take_off
from adjudicator.western_desert.air.orders import AIR_TYPES, INTERCEPTS, SCRAMBLES, TOPIC_RULES
from adjudicator.western_desert.air.plans import Checked, Plan, judged, plans_of, pointed, route
from adjudicator.western_desert.asking import strays
from adjudicator.western_desert.choices import told
from adjudicator.western_desert.orders import misplaced
from adjudicator.western_desert.running import acting, bound, hang, to_run
from adjudicator.western_desert.standing import hex_in
from adjudicator.western_desert.state import State

REACTION = "reaction"
FLOWN = ("intercept", "scramble")
TOLD = ("split", "targets")
"""Orders of the section that say how interceptors fight."""
UNRELATED = ("standing", "answer", "losses", "retreat")
"""Orders that may stand in the section and are read where the choices come up that they are about."""
ELSEWHERE = (*UNRELATED, "pass")
KEYS = {INTERCEPTS: "orders/reaction", SCRAMBLES: "orders/scramble"}


class Reaction(NamedTuple):
    """What a side does in the step: the orders of its section, None where it wrote none; else the flights that
    standing orders or the default make."""

    orders: tuple[Order, ...] | None = None
    plans: Plans = ()


def react(ctx: Ctx[State], side: str) -> Proc[None]:
    """The step for the side that is not phasing. Nobody is waited for where nothing is possible, as it always is in the
    surprise turn (WD 28.B.3.air); what was written ahead is judged all the same."""
    state, answered, decided = ctx.state, False, False
    for topic, possible in ((INTERCEPTS, may_intercept), (SCRAMBLES, may_scramble)):
        if not possible(state, side):
            continue
        before = ctx.on
        answer = yield from _asked(ctx, side, topic, stop=not answered)
        if answer.value.orders is not None:
            _by_orders(ctx, side, answer, decided)
            return
        answered, decided = answered or ctx.on != before, True
        _by_rules(ctx, side, topic, answer)
    if not decided:
        yield from _in_vain(ctx, side)


def _in_vain(ctx: Ctx[State], side: str) -> Proc[None]:
    """A section that came with the answer at an earlier stop: its orders are void, with the reasons (WD 16.C.2)."""
    ahead = Ask(
        key=KEYS[INTERCEPTS],
        side=side,
        rule=TOPIC_RULES[INTERCEPTS],
        topic="orders",
        find=_found,
        problems=lambda _reaction: [],
        atoms=lambda: (),
        default=Reaction,
        stop=False,
        forced=False,
    )
    answer: Answer[Reaction] = yield from ctx.ask(ahead)
    if answer.value.orders is not None:
        _by_orders(ctx, side, answer, decided=False)


def _asked(ctx: Ctx[State], side: str, topic: str, stop: bool) -> Proc[Answer[Reaction]]:
    """Ask for the reaction, and refuse what does not belong in the message that brought it."""
    answer: Answer[Reaction] = yield from ctx.ask(reaction_ask(ctx.state, side, topic, stop))
    for order in strays(ctx.state, side, answer.message, REACTION):
        text = f"{order.type}: the message brings the reaction in the air phase, and what the rules ask for later"
        ctx.void(order, [Problem("unasked", "PROTOCOL 5", text, "leave it out")], (ctx.on,))
    return answer


def reaction_ask(state: State, side: str, topic: str, stop: bool = True) -> Ask[Reaction]:
    """What a side sends up, asked under ``intercept``, or ``scramble`` alone (WD 20.A, 20.B; defaults pbem A2, A3)."""
    usual: Callable[[State, str], Plans] = usual_interception if topic == INTERCEPTS else usual_scramble
    by = interception_by if topic == INTERCEPTS else scramble_by

    def clause(rules: Tree) -> tuple[Reaction, str]:
        plans, said = by(state, side, rules)
        return Reaction(plans=plans), said

    return Ask(
        key=KEYS[topic],
        side=side,
        rule=TOPIC_RULES[topic],
        topic=topic,
        find=_found,
        problems=lambda _reaction: [],
        atoms=lambda: (),
        default=lambda: Reaction(plans=usual(state, side)),
        clause=clause,
        stop=stop,
        forced=False,
        askable=True,
    )


def _found(orders: Sequence[Order]) -> Reaction | None:
    """The section of a message. One that holds nothing but answers and the like says nothing of the step."""
    found = section(orders, REACTION)
    if found is None or (found.orders and all(order.type in UNRELATED for order in found.orders)):
        return None
    return Reaction(found.orders)


# --- by orders --------------------------------------------------------------------------------------------------


def _by_orders(ctx: Ctx[State], side: str, answer: Answer[Reaction], decided: bool) -> None:
    """Run the section: what is unlawful is void, all else flies. ``decided``: interceptions are settled already."""
    for seq, later in answer.later:
        bound(ctx, REACTION, later.orders or (), answer.by, seq)
    if not answer.message:
        hang(ctx, acting(answer.value.orders or ()), answer.by)
    orders = to_run(ctx, answer.value.orders or (), answer.by)
    for order, problems, plans in reactions(ctx.state, side, orders):
        if decided and order.type == INTERCEPT:
            text = f"{order.type}: the standing orders on {INTERCEPTS} have decided; only scrambles were asked for"
            problems = [Problem("unasked", "PROTOCOL 5", text, "leave it out")]
        if problems:
            ctx.void(order, problems, answer.by)
        else:
            ctx.remark(order, partial(idle_targets, ctx.state, order), answer.by)
        for plan in plans if not problems else ():
            _fly(ctx, side, plan, answer.by)


def _fly(ctx: Ctx[State], side: str, plan: Plan, by: Sequence[int]) -> None:
    book = book_of(ctx.state)
    start = stands_at(ctx.state, plan.air, book)
    take_off(ctx, side, tuple(sorted(set(by))), plan, start, route(ctx.state, plan, start, book))


def reactions(state: State, side: str, orders: Sequence[Order]) -> list[Checked]:
    """Every order of the section with what is wrong with it after the enemy's flights, and the flights that it makes.

    They are judged in the order listed, each on the take-offs that those before it have left (WD 17.A). Pure.
    """
    book, found = book_of(state), []
    for order in orders:
        plans = plans_of(state, order) if order.type in FLOWN else []
        problems = [] if plans or order.type in (*TOLD, *ELSEWHERE) else [misplaced(order, REACTION)]
        after = book
        for plan in plans:
            if not problems:
                problems, after = judged(state, side, plan, after)
                problems = [pointed(problem, plan) for problem in problems]
        book = book if problems else after
        found.append((order, problems, plans))
    said: set[tuple[str, int | None, str]] = set()
    return [(order, problems or _told_problems(state, order, book, said), plans) for order, problems, plans in found]


def _told_problems(state: State, order: Order, book: AirBook, said: set[tuple[str, int | None, str]]) -> list[Problem]:
    """What is wrong with an order on how interceptors fight: nobody intercepts there, or another said it before."""
    if order.type not in TOLD:
        return []
    h, rule = hex_in(state, order.text("hex")), AIR_TYPES[order.type].rule
    there = [flight.id for flight in book.now() if flight.mission == INTERCEPT and flight.target == h]
    where = order.text("hex")
    if not there:
        text = f"{order.type}: no interceptor of yours flies to {where}"
        return [Problem("no_interceptor", rule, text, "intercept there, or leave the order out", field="hex")]
    field = "screen" if order.type == "split" else "air"
    named = [aid for aid in order.texts(field) if aid in state.world.air]
    absent = [aid for aid in named if aid not in there]
    if absent:
        text = f"{order.type}: {absent[0]} does not intercept over {where}"
        return [Problem("no_interceptor", rule, text, f"choose from: {', '.join(there)}", field=field)]
    again = [who for who in named or there if (order.type, h, who) in said] if order.type == "targets" else []
    if again or (order.type == "split" and ("split", h, "") in said):
        text = f"{order.type}: another one on {where} stands above" + (f" for {again[0]}" if again else "")
        return [Problem("twice", rule, text, "leave one of them out", field="hex")]
    said.update([("split", h, "")] if order.type == "split" else [("targets", h, who) for who in named or there])
    return []


def idle_targets(state: State, order: Order) -> list[Problem]:
    """Air units that an order ``targets`` names and that fly no mission to its hex: nobody will attack them there."""
    if order.type != "targets":
        return []
    h = hex_in(state, order.text("hex"))
    there = {flight.id for flight in book_of(state).now() if flight.target == h and not flight.fate}
    found = []
    for i, aid in enumerate(order.texts("order")):
        if aid in state.world.air and aid not in there:
            text = f"targets: {craft_of(state.world, aid).name or aid} flies no mission to {order.text('hex')}"
            found.append(Problem("idle", "WD 21.B.2", text, "leave it out", field=f"order[{i}]"))
    return found


# --- by standing orders and defaults ----------------------------------------------------------------------------


def _by_rules(ctx: Ctx[State], side: str, topic: str, answer: Answer[Reaction]) -> None:
    """Tell what standing orders or the default made of a topic, and let it fly."""
    plans, name = answer.value.plans, ctx.state.board.name
    over = sorted({plan.target for plan in plans})
    data: dict[str, Tree] = {"side": side, "topic": topic, "with": [plan.air for plan in plans], **told(answer)}
    if len(over) == 1:
        data["hex"] = name(over[0])
    ctx.emit("reacts", TOPIC_RULES[topic], answer.by, "public", **data)
    for plan in plans:
        _fly(ctx, side, plan, answer.by)

"""When combat cards are played: the attacker's with his attack or after the flank die, the defender's in his reaction.

SS 7.61, 11.25, PROTOCOL 9.2. Which cards may be used stands in card_rules.py, what becomes of them in combat_cards.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Answer, Ctx, Order, Proc
from adjudicator.shifting_sands.card_rules import CONDITIONS_IF, ORDER
from adjudicator.shifting_sands.choices import PARTS, Orders, cards_ask, react_key
from adjudicator.shifting_sands.combat_cards import use
from adjudicator.shifting_sands.course import Course
from adjudicator.shifting_sands.fire import ATTACKER, DEFENDER
from adjudicator.shifting_sands.gate import sound
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.strays import keep_only, refuse_strays

CARDS_TOPIC = "cards"
WHERE = "before the defender answers the section followup holds combat_card alone"


def attack_cards(ctx: Ctx[State], course: Course) -> Proc[None]:
    """The attacker's cards: those of his attack, as far as the flank die lets them, then those he was asked for."""
    for order in [o for o in course.given[ATTACKER] if o.type == ORDER]:
        _attack_card(ctx, course, order, course.said_in(ATTACKER, order))
    if not course.asks_cards:
        return
    answer: Answer[Orders] = yield from ctx.ask(cards_ask(course.combat, course.after))
    by = answer.by or (ctx.on,)
    if answer.message:
        refuse_strays(ctx, answer.message, (PARTS[ATTACKER],), by)
    for order in keep_only(ctx, sound(ctx, answer.value, by), (ORDER, "answer"), by, WHERE):
        _attack_card(ctx, course, order, by)
    course.after = ctx.on


def _attack_card(ctx: Ctx[State], course: Course, order: Order, by: Sequence[int]) -> None:
    """A card that waits for a flank attack of another fate stays where it is: no fault of the order."""
    wanted = CONDITIONS_IF.get(order.text("if"))
    if wanted is None or course.combat.flank in wanted:
        use(ctx, course, ATTACKER, order, order.texts("card" if order.type == ORDER else "cards"), by)


def defence_cards(
    ctx: Ctx[State], course: Course, orders: Sequence[Order], by: Sequence[int], clause: str = ""
) -> None:
    """The defender's cards in the order in which he names them: by order, by answer, or by a standing order."""
    key = react_key(course.combat.number)
    for order in orders:
        if order.type == ORDER:
            use(ctx, course, DEFENDER, order, order.texts("card"), by, clause)
        elif order.type == "answer" and order.text("to") == key:
            use(ctx, course, DEFENDER, order, order.texts("cards"), by)

"""Combat cards as they are played, kept and lost (SS 7.61 to 7.62, 11.25, 11.282, rulings A43, A44)."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Ctx, Order
from adjudicator.shifting_sands.card_rules import HAND, card_problems, lies_in, name_of, with_card
from adjudicator.shifting_sands.course import Course
from adjudicator.shifting_sands.played import PlayedCard
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import text

DISCARD, REMOVED = "discard", "removed"
DISCARD_AFTER = "discard"


def use(
    ctx: Ctx[State], course: Course, role: str, order: Order, cards: Sequence[str], by: Sequence[int], clause: str = ""
) -> None:
    """Play the cards of an order one by one; one that may not be used makes the order void."""
    for card in cards:
        side = course.combat.side_of(role)
        name = name_of(ctx.state, side, order, card)
        problems = card_problems(ctx.state, course.combat, role, card, name)
        if problems:
            ctx.void(order, problems, by)
        else:
            lay(ctx, course, PlayedCard(role, card, name), by, _index(order), clause)


def _index(order: Order) -> str:
    """The index of an order that a message holds; "" for one that a standing order makes."""
    return str(order.index) if order.index >= 0 else ""


def lay(
    ctx: Ctx[State], course: Course, card: PlayedCard, by: Sequence[int], index: str = "", clause: str = ""
) -> None:
    """A card lies in the combat from now on (SS 11.25); one may undo the flank attack (SS faq.rules.3)."""
    found, side = course.combat, course.combat.side_of(card.role)
    course.combat = with_card(ctx.state, found, card)
    undone = course.combat.flank != found.flank
    ctx.emit(
        "combat-card", "SS 11.25", by, side=side, role=card.role, card=card.card, name=card.name, order=index,
        source=lies_in(ctx.state, side, card.card) or HAND, flank="cancelled" if undone else "", target=found.target,
        combat=str(found.number), clause=clause,
    )


def settle_cards(ctx: Ctx[State], course: Course) -> None:
    """The winner keeps his cards face up, all others go (SS 7.611, 7.613, 11.282, faq.cards.5); an asterisk goes for
    good."""
    for card in course.combat.cards:
        row, side = ctx.state.world.cards[card.name], course.combat.side_of(card.role)
        starred, once = text(row, "asterisk") == "yes", text(row, "after_combat") == DISCARD_AFTER
        kept = card.role == course.winner and not starred and not once
        rule = "SS 7.611" if card.role == course.winner or starred else "SS 7.613"
        ctx.emit(
            "card-kept" if kept else "card-gone", rule, course.by, side=side, card=card.card, name=card.name,
            to="" if kept else REMOVED if starred else DISCARD, combat=str(course.combat.number),
            target=course.combat.target,
        )


def put_down(ctx: Ctx[State]) -> None:
    """At the end of the turn all combat cards that lie face up are discarded (SS 7.62)."""
    for side in sorted(ctx.state.face_up):
        if ctx.state.face_up[side]:
            ctx.emit("put-down", "SS 7.62", (), "public", side=side, cards=[*ctx.state.face_up[side]])

"""The phases after the sixth round: attrition, victory, replacement of both sides, the next turn (SS 5.3 to 5.6, 5.1).

Attrition and victory need nobody. Then each side in turn, the Axis first, brings in one message its section
``replacement`` and its discards for the draw, which runs on the dice of that message (PROTOCOL 6, 9.2).
"""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Answer, Ask, Ctx, Order, Problem, Proc, Tree
from adjudicator.engine.sections import section
from adjudicator.shifting_sands.attrition import attrition
from adjudicator.shifting_sands.cards import called
from adjudicator.shifting_sands.combat_cards import put_down
from adjudicator.shifting_sands.drawing import (
    TAKE,
    WINTERS,
    fill_hand,
    force_discard,
    hand_size,
    take_any,
    take_cards,
    takes_later,
)
from adjudicator.shifting_sands.events.placing import fill_in
from adjudicator.shifting_sands.gate import sound
from adjudicator.shifting_sands.rebuilding import REBUILD_TYPES, rebuild, rebuild_by_default
from adjudicator.shifting_sands.state import State, other, turn_name, turn_slug
from adjudicator.shifting_sands.strays import keep_only, refuse_strays
from adjudicator.shifting_sands.victory import determine

PLACE = "place"
REPLACEMENT, OVER, ATTRITION = "replacement", "over", "attrition"
SECTIONS = ("replacement", "discard")
WHERE = "replacements in the section replacement, discards in the section discard"
Orders = tuple[Order, ...]


def attrition_step(ctx: Ctx[State]) -> Proc[None]:
    """Attrition of both sides, then the victory determination phase (SS 5.3, 5.4, sop.C, sop.D)."""
    put_down(ctx)
    attrition(ctx)
    ctx.emit("phase", "SS 5.4", phase="victory", step="victory")
    if determine(ctx):
        ctx.emit("phase", "SS 16.1", phase="over", step=OVER)
    else:
        ctx.emit("phase", "SS 5.5", phase=REPLACEMENT, step=REPLACEMENT, active="axis")
    return
    yield  # a step is a procedure, this one asks nobody


def replacement_step(ctx: Ctx[State]) -> Proc[None]:
    """One side's replacements, then its cards, then the next turn (SS 5.51, 5.52, 5.6, 5.11, 5.12, sop.A, sop.E,
    sop.F)."""
    state = ctx.state
    side = state.active
    answer: Answer[Orders] = yield from ctx.ask(_ask(state, side))
    refuse_strays(ctx, answer.value, SECTIONS, answer.by)
    told = section(answer.value, "replacement")
    wanted = _kept(ctx, told.orders if told else (), (*REBUILD_TYPES, PLACE), answer.by)
    fill_in(ctx, side, [order for order in wanted if order.type == PLACE], answer.by)
    if told is None:
        rebuild_by_default(ctx, side, answer.by)
    else:
        rebuild(ctx, side, [order for order in wanted if order.type != PLACE], answer.by)
    taken, late = discards_and_takes(ctx, side, answer.value, answer.by)
    winter = WINTERS.get(turn_name(state.turn + 1))
    yield from fill_hand(ctx, side, hand_size(state, side), winter, taken, lambda: _late(ctx, side, late, answer.by))
    if side == "axis":
        ctx.emit("phase", "SS 5.52", phase=REPLACEMENT, step=REPLACEMENT, active=other(side))
        return
    ctx.emit("turn", "SS 5.6", turn=turn_name(state.turn + 1), phase="action", step="round")
    ctx.emit("round", "SS 5.2", round="1", active="axis")


def _kept(ctx: Ctx[State], orders: Sequence[Order], types: Sequence[str], by: Sequence[int]) -> Orders:
    """The sound orders of a section that belong into it."""
    return keep_only(ctx, sound(ctx, orders, by), types, by, WHERE)


def discards_and_takes(
    ctx: Ctx[State], side: str, orders: Sequence[Order], by: Sequence[int]
) -> tuple[str, Orders]:
    """Carry out the section ``discard`` of a message: what is thrown away, what is taken by name (SS 5.11, 7.74).
    Returns the card that comes with the new year and was taken ("" for none), and the orders that wait until the deck
    is shuffled (rulings A46, A87)."""
    told = section(orders, "discard")
    cards = _kept(ctx, told.orders if told else (), ("discard", TAKE), by)
    thrown = tuple(order for order in cards if order.type == "discard")
    late = thrown if discards_wait(ctx.state) else ()
    if not late:
        _discard(ctx, side, thrown, by)
    force_discard(ctx, side)
    takes = tuple(order for order in cards if order.type == TAKE)
    if takes_later(ctx.state, side):
        return "", (*takes, *late)
    return take_cards(ctx, side, takes, by), late


def _late(ctx: Ctx[State], side: str, orders: Sequence[Order], by: Sequence[int]) -> None:
    """What waits until the deck is shuffled: a card is taken, then others are thrown away."""
    take_any(ctx, side, [order for order in orders if order.type == TAKE], by)
    _discard(ctx, side, [order for order in orders if order.type != TAKE], by)


def discards_wait(state: State) -> bool:
    """Whether the discards of a winter are not shuffled in (ruling A46, switch ``deck_winter_discard``)."""
    winter = turn_name(state.turn + 1) in WINTERS
    return winter and state.world.switch("deck_winter_discard", "before") == "after"


def _ask(state: State, side: str) -> Ask[Orders]:
    key = f"replacement/{turn_slug(state.turn)}/{side}"
    return Ask(
        key, side, "SS 5.5", "orders", tuple, lambda _v: [], lambda: (), lambda: (),
        stop=True, fresh=True, forced=False,
    )


# --- cards --------------------------------------------------------------------------------------------------------


def discard_problems(state: State, side: str, order: Order) -> list[Problem]:
    """What is wrong with cards to be discarded: they are in hand, each once (SS 5.11)."""
    hand, cards = state.hands.get(side, []), order.texts("cards")
    held = ", ".join(map(called, hand)) or "none"
    found = [
        Problem("hand", "SS 5.11", f"{called(card)} is not in hand", f"in hand: {held}", field="cards")
        for card in cards
        if card not in hand
    ]
    if len(set(cards)) != len(cards):
        found.append(Problem("twice", "SS 5.11", "a card is named twice", "name each once", field="cards"))
    return found


def _discard(ctx: Ctx[State], side: str, orders: Sequence[Order], by: Sequence[int]) -> None:
    """Put away what is not kept, before new cards are drawn (SS 5.11)."""
    for order in orders:
        problems = discard_problems(ctx.state, side, order)
        if problems:
            ctx.void(order, problems, by)
        else:
            cards: list[Tree] = [*order.texts("cards")]
            ctx.emit("discard", "SS 5.11", by, "public", side=side, cards=cards, order=str(order.index))

"""The phases after the sixth round: attrition, victory, replacement of both sides, the next turn (SS 5.3 to 5.6, 5.1).

Attrition and victory need nobody. Then each side in turn, the Axis first, brings in one message its section
``replacement`` and its discards for the draw, which runs on the dice of that message (PROTOCOL 6, 9.2).
"""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Answer, Ask, Ctx, Order, Problem, Proc, Tree
from adjudicator.engine.sections import section
from adjudicator.shifting_sands.attrition import attrition
from adjudicator.shifting_sands.effects import in_force
from adjudicator.shifting_sands.gate import sound
from adjudicator.shifting_sands.rebuilding import REBUILD_TYPES, rebuild, rebuild_by_default
from adjudicator.shifting_sands.setup import HAND_BY_YEAR, draw_hand
from adjudicator.shifting_sands.state import State, other, turn_name, turn_slug
from adjudicator.shifting_sands.strays import keep_only, refuse_strays
from adjudicator.shifting_sands.victory import determine
from adjudicator.shifting_sands.world import text

REPLACEMENT, OVER, ATTRITION = "replacement", "over", "attrition"
SECTIONS = ("replacement", "discard")
WINTERS = {"Winter 1941": ("1941", "SS 7.71"), "Winter 1942": ("1942", "SS 7.72"), "Winter 1943": ("", "SS 7.73")}
"""The turns before which a deck is shuffled anew, with the year of the cards that come in."""
Orders = tuple[Order, ...]


def attrition_step(ctx: Ctx[State]) -> Proc[None]:
    """Attrition of both sides, then the victory determination phase (SS 5.3, 5.4, sop.C, sop.D)."""
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
    parts = {name: section(answer.value, name) for name in SECTIONS}
    told = {name: sound(ctx, part.orders if part else (), answer.by) for name, part in parts.items()}
    where = "replacements in the section replacement, discards in the section discard"
    if parts["replacement"] is None:
        rebuild_by_default(ctx, side, answer.by)
    else:
        rebuild(ctx, side, keep_only(ctx, told["replacement"], REBUILD_TYPES, answer.by, where), answer.by)
    _discard(ctx, side, keep_only(ctx, told["discard"], ("discard",), answer.by, where), answer.by)
    _force_discard(ctx, side)
    yield from _draw(ctx, side)
    if side == "axis":
        ctx.emit("phase", "SS 5.52", phase=REPLACEMENT, step=REPLACEMENT, active=other(side))
        return
    ctx.emit("turn", "SS 5.6", turn=turn_name(state.turn + 1), phase="action", step="round")
    ctx.emit("round", "SS 5.2", round="1", active="axis")


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
    found = [
        Problem("hand", "SS 5.11", f"{card} is not in hand", f"in hand: {', '.join(hand) or 'none'}", field="cards")
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


def _force_discard(ctx: Ctx[State], side: str) -> None:
    """A hand over its limit is kept, and nothing is drawn; under the switch ``hand_force_discard`` the cards of the
    fewest operations points go (SS 5.12, ruling A47)."""
    hand, cards = ctx.state.hands[side], ctx.state.world.cards
    over = len(hand) - hand_size(ctx.state, side)
    if over > 0 and ctx.state.world.switch("hand_force_discard", "off") == "on":
        gone: list[Tree] = [*sorted(hand, key=lambda card: (int(text(cards[card], "ops")), card))[:over]]
        ctx.emit("discard", "SS 5.12", (), "public", side=side, cards=gone)


def _draw(ctx: Ctx[State], side: str) -> Proc[None]:
    """Winter brings the cards of its year and shuffles the discards in; then the hand is filled up, with the discards
    once the pile is empty (SS 5.12, 5.13, 7.71, 7.72, 7.73, sop.A)."""
    state = ctx.state
    coming = turn_name(state.turn + 1)
    size = hand_size(state, side)
    if coming in WINTERS:
        _merge(ctx, side, *WINTERS[coming])
    yield from draw_hand(ctx, side, size)
    if len(state.hands[side]) < size and state.discards.get(side):
        _merge(ctx, side, "", "SS 5.13")
        yield from draw_hand(ctx, side, size)


def hand_size(state: State, side: str) -> int:
    """How many cards a side holds in the turn to come: by its year, fewer where an event of this turn says so, whatever
    was played after it (SS 5.12, faq.cards.31)."""
    size = HAND_BY_YEAR[int(turn_name(state.turn + 1).split()[1])]
    less = (effect for name, effect in in_force(state, "hand_limit") if state.events[name] == state.turn)
    return min([size, *(int(text(effect, "value")) for effect in less if text(effect, "side") == side)])


def _merge(ctx: Ctx[State], side: str, year: str, rule: str) -> None:
    """The discards go back into the pile, with the cards of a year (SS 5.13, 7.71, 7.72, 7.73)."""
    cards = ctx.state.world.cards
    new: list[Tree] = [
        card for card, row in cards.items() if year and (text(row, "side"), text(row, "year")) == (side, year)
    ]
    back: list[Tree] = [*ctx.state.discards.get(side, [])]
    ctx.emit("merge", rule, (), "public", side=side, cards=back, new=new)

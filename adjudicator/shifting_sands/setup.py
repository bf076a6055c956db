"""Set-up of a scenario and the opening hands (SS 4, 5.12, 17).

The Axis hand is drawn on the seed of message 1, the Allied one on that of message 2, so that nobody sees his hand
before he is bound (PROTOCOL R6).
"""

from __future__ import annotations

from adjudicator.engine.core import Answer, Ask, Ctx, Order, Proc, Tree
from adjudicator.shifting_sands.cards import dealt
from adjudicator.shifting_sands.drawing import TAKE, begun_with, draw_hand, size_of, take_cards
from adjudicator.shifting_sands.gate import sound
from adjudicator.shifting_sands.nations import SIDES
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import Record, rows, text

SETUP_SEQ = {"axis": 1, "allied": 2}


def setup_step(ctx: Ctx[State]) -> Proc[None]:
    """Place everything, make the piles, draw both hands, open the first action round."""
    scenario = ctx.state.world.scenario
    ctx.emit("setup", "SS 4", scenario=text(scenario, "id"), title=text(scenario, "title"))
    place(ctx, scenario)
    set_out(ctx, scenario)
    for side in SIDES:
        yield from _bound(ctx, side)
        yield from draw_hand(ctx, side, int(text(scenario, "hand") or size_of(ctx.state.turn)))
    ctx.emit("round", "SS 5.2", round="1", active="axis")


def place(ctx: Ctx[State], scenario: Record) -> None:
    """Turn, units, control, events and VP of a scenario (SS 4.1, 4.2, 17, 18, 18.2, faq.map.1).

    SS 17.allied.reserve, 17.allied.egypt, 17.allied.ea, 17.allied.ne, 17.axis.reserve, 17.axis.libya, 17.axis.ea,
    17.neutral.vf, 17.neutral.ir, 18.allied, 18.allied.control, 18.axis and 18.neutral.

    Rules: SS 4.11, 4.12.
    """
    ctx.emit("turn", "SS 4.11", turn=text(scenario, "turn"), phase="setup", step="setup")
    for row in rows(scenario, "units"):
        ctx.emit("deploy", "SS 17", unit=text(row, "unit"), at=text(row, "at"), step=text(row, "step"))
    for row in rows(scenario, "control"):
        ctx.emit("control", "SS 17", side=text(row, "side"), spaces=[text(row, "space")])
    for row in rows(scenario, "events"):
        ctx.emit("event", "SS 18.2", event=text(row, "event"), turn=text(row, "turn"))
    ctx.emit("vp", "SS 4.12", to=text(scenario, "vp"), why="start")


def set_out(ctx: Ctx[State], scenario: Record) -> None:
    """Draw pile, discard pile and removed cards of both sides (SS 3.draw-pile, 4.3, 7.11, 18.1, 18.3)."""
    out = {name: [text(row, "card") for row in rows(scenario, name)] for name in ("discarded", "removed")}
    for side in SIDES:
        mine = {card for card, row in ctx.state.world.cards.items() if text(row, "side") == side}
        pile = begun_with(ctx.state, side)
        cards = dealt(1, len(pile)) if ctx.state.hidden else pile
        apart: dict[str, Tree] = {name: [card for card in listed if card in mine] for name, listed in out.items()}
        ctx.emit("pile", "SS 4.3", (), "public", side=side, cards=[*cards], **apart)


def _bound(ctx: Ctx[State], side: str) -> Proc[str]:
    """Wait for the side's set-up message, whose seed draws the hand; it may take a card by name (SS 18.3, 19.42)."""
    ask: Ask[tuple[Order, ...]] = Ask(
        f"setup/{side}", side, "SS 5.12", "setup", tuple, lambda _v: [], lambda: (), tuple,
        stop=True, fresh=True, forced=False, earliest=SETUP_SEQ[side],
    )
    answer: Answer[tuple[Order, ...]] = yield from ctx.ask(ask)
    take_cards(ctx, side, [order for order in sound(ctx, answer.value, answer.by) if order.type == TAKE], answer.by)
    return side

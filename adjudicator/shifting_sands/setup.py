"""Set-up of a scenario and the opening hands (SS 4, 5.12, 17).

The Axis hand is drawn on the seed of message 1, the Allied one on that of message 2, so that nobody sees his hand
before he is bound (PROTOCOL R6). Hands lie open in this version.
"""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Answer, Ask, Ctx, Order, Proc, Roll
from adjudicator.shifting_sands.nations import SIDES
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import Record, rows, text

HAND_BY_YEAR = {1940: 7, 1941: 8, 1942: 9, 1943: 10}
SETUP_SEQ = {"axis": 1, "allied": 2}


def setup_step(ctx: Ctx[State]) -> Proc[None]:
    """Place everything, make the piles, draw both hands, open the first action round."""
    scenario = ctx.state.world.scenario
    ctx.emit("setup", "SS 4", scenario=text(scenario, "id"), title=text(scenario, "title"))
    place(ctx, scenario)
    set_out(ctx, scenario)
    for side in SIDES:
        yield from _bound(ctx, side)
        take_named(ctx, side)
        yield from draw_hand(ctx, side, int(text(scenario, "hand") or HAND_BY_YEAR[1940]))
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
    years = {text(row, "year") for row in rows(scenario, "years")}
    for side in SIDES:
        mine = [card for card, row in ctx.state.world.cards.items() if text(row, "side") == side]
        of_years = [card for card in mine if text(ctx.state.world.cards[card], "year") in years]
        apart = {name: [card for card in cards if card in mine] for name, cards in out.items()}
        pile = [card for card in of_years if not any(card in cards for cards in apart.values())]
        ctx.emit(
            "pile", "SS 4.3", side=side, cards=list(pile), discarded=list(apart["discarded"]),
            removed=list(apart["removed"]),
        )


def take_named(ctx: Ctx[State], side: str) -> None:
    """The card that a side may begin with goes into its hand before it draws (SS 18.3; pbem: taken by default)."""
    for row in rows(ctx.state.world.scenario, "may_take"):
        if text(row, "side") == side and text(row, "card") in ctx.state.piles[side]:
            ctx.emit("draw", "SS 18.3", side=side, card=text(row, "card"))


def _bound(ctx: Ctx[State], side: str) -> Proc[None]:
    """Wait for the side's set-up message; what it says decides nothing, its seed draws the hand."""
    silent: tuple[Order, ...] = ()

    def find(_orders: Sequence[Order]) -> tuple[Order, ...] | None:
        return silent

    ask = Ask(
        f"setup/{side}", side, "SS 5.12", "setup", find, lambda _v: [], lambda: (), lambda: silent,
        stop=True, fresh=True, forced=False, earliest=SETUP_SEQ[side],
    )
    answer: Answer[tuple[Order, ...]] = yield from ctx.ask(ask)
    del answer


def draw_hand(ctx: Ctx[State], side: str, size: int) -> Proc[None]:
    """Draw up to a full hand, card by card, each a roll over what is left of the pile (SS 3.draw-pile, 5.12)."""
    while len(ctx.state.hands[side]) < size and ctx.state.piles[side]:
        pile = ctx.state.piles[side]
        epoch, drawn = ctx.state.epochs.get(side, (1, 0))
        label = f"deck/{side}-strategy/{epoch}/draw/{drawn + 1}"
        if len(pile) == 1:
            ctx.emit("draw", "SS 5.12", side=side, card=pile[0])
            continue
        faces = len(pile)
        (at,) = yield from ctx.roll(Roll(label, "draw", faces=faces, who=side))
        ctx.emit("draw", "SS 5.12", side=side, card=pile[at - 1], label=label, die=str(at), faces=str(faces))

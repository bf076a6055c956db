"""The Italian Fifth Army (WD 28.A.1): a unit of its box, drawn at random, comes to Tripoli in an Axis initial phase."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Ctx, Order, Problem, Proc, Roll
from adjudicator.western_desert.control import settle
from adjudicator.western_desert.landing import place_problems
from adjudicator.western_desert.orderbook import short
from adjudicator.western_desert.stacking import fits
from adjudicator.western_desert.state import State, turn_name, turn_number

By = tuple[int, ...]
RULE, BOX, ORDER = "WD 28.A.1", "fifth_army", "fifth_army"
OVERSTACK = "WD 8.B"
SIDE, PLACE, FIRST = "axis", "tripoli", "Dec II 40"
LABEL = "fifth-army/axis/draw"
NO = "no"


def boxed(state: State) -> list[str]:
    """The units that are still in the box, in order of id."""
    return sorted(uid for uid, kept in state.boxes.items() if kept.box == BOX)


def draw_problems(state: State, side: str) -> list[Problem]:
    """What keeps a unit from being drawn: side, date, an empty box, Tripoli, where it has room for none of them (WD
    28.A.1)."""
    if side != SIDE or state.player != SIDE:
        text = f"the Fifth Army is of the {SIDE} side and comes in its initial phase"
        return [Problem("side", RULE, text, "leave the order out")]
    if state.turn < turn_number(FIRST):
        text = f"the Fifth Army comes from {FIRST} on; this is {turn_name(state.turn)}"
        return [Problem("early", RULE, text, "leave the order out")]
    units = boxed(state)
    if not units:
        return [Problem("empty", RULE, "no unit is left in the box of the Fifth Army", "leave the order out")]
    return min((place_problems(state, side, [uid], tripoli(state), RULE) for uid in units), key=len)


def tripoli(state: State) -> int:
    """The hex of Tripoli."""
    return next(place.hex for place in state.board.places.values() if place.slug == PLACE)


def fifth_army(ctx: Ctx[State], side: str, orders: Sequence[Order], by: By) -> Proc[None]:
    """Draw a unit unless its owner says no (WD 28.A.1); where nothing can be drawn, an order that asks for it is void.

    A unit drawn for which Tripoli has no room stays in the box: no stack may be too high when the phase ends (WD 8.B),
    and where dice would make it so it is the last to arrive that stops (ruling OVERSTACK-END).
    """
    state = ctx.state
    mine = [order for order in orders if order.type == ORDER]
    problems = draw_problems(state, side)
    for order in mine if problems else ():
        if order.text("draw") != NO:
            ctx.void(order, problems, by)
    for order in mine[1:] if not problems else ():
        text = "the message says before whether a unit of the Fifth Army is drawn"
        ctx.void(order, [Problem("twice", RULE, text, "leave one of the two out")], by)
    mine = mine[:1]
    if problems or any(order.text("draw") == NO for order in mine):
        return
    units, h = boxed(state), tripoli(state)
    die = 1
    if len(units) > 1:
        (die,) = yield from ctx.roll(Roll(LABEL, ORDER, faces=len(units), who=SIDE))
    uid = units[die - 1]
    several = len(units) > 1
    die_, faces, label = (str(die), str(len(units)), LABEL) if several else ("", "", "")
    if not fits(state, h, side, [uid]):
        why = f"{short(state.world, uid)} is drawn for {state.board.feature_names(h)}, which has no room: it waits"
        ctx.emit("told", OVERSTACK, by, side=side, what=ORDER, why=why, unit=uid, die=die_, faces=faces, label=label)
        return
    ctx.emit(
        "landed",
        RULE,
        by,
        unit=uid,
        hex=state.board.name(h),
        box=BOX,
        die=die_,
        faces=faces,
        label=label,
        choice="order" if mine else "default",
    )
    settle(ctx, [h], by=by)

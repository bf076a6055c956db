"""Garrisons off the map for other tests: a state with some on the list, what programs write for them, what happens
(WD 33.C)."""

from __future__ import annotations

import random
from collections.abc import Iterator

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Answer, Ctx, Event, Tree
from adjudicator.engine.dice import Assume
from adjudicator.engine.driver import Waits
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.bot_more import listing_rows
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.movement import movement_phase
from adjudicator.western_desert.state import State
from adjudicator.western_desert.theatre.displaying import came_near, seal_lists, show_by_orders
from adjudicator.western_desert.theatre.listbook import GarrisonList
from adjudicator.western_desert.theatre.listed import OPTION, SIDE
from tests.western_desert.turns import Turns, order_of

CAVALRY, BRIGADE, NEAR = "br-22", "nz-4", "19/1927"
PLACES = {CAVALRY: "19/3127", BRIGADE: "19/3725"}
SEQ, SEEDS = 7, 24
Row = dict[str, Tree]


def quiet() -> State:
    """An Allied phase with two brigades in the Delta, no enemy near."""
    found = Turns(player=SIDE, options=OPTION)
    for uid, where in PLACES.items():
        found.at(uid, where)
    return found.state


def listed() -> State:
    """The same with both on the list since message 7."""
    state = quiet()
    for uid in PLACES:
        state.enlist(uid, "delta", SEQ)
    return state


def chance_rows() -> Iterator[Row]:
    """What programs order: units go on the list, move on it, are shown; and the order that opens an area."""
    state = listed()
    book, waits = GarrisonList(state.world), Waits("decision", SIDE, "orders/initial")
    for seed in range(SEEDS):
        chance = Chance(random.Random(f"garrisons {seed}").random)
        yield from listing_rows(quiet(), chance)
        yield from book.chance_orders(state, SIDE, waits, chance, dict)
    show = [order_of(0, {"type": "show_garrison", "area": "delta"})]
    (order,) = book.planning(state, SIDE, waits, show, dict).orders
    yield {"type": order.type, **order.data}


def happened(start: State | None = None) -> list[Event]:
    """Listed, sealed, an enemy near in both player turns, shown by him and by order."""
    ctx: Ctx[State] = Ctx(start or quiet(), apply)
    ctx.state.phase = ctx.state.step = "movement"
    orders = [order_of(0, {"type": "list_garrison", "units": [CAVALRY, BRIGADE]})]
    drive(movement_phase(ctx, SIDE, orders, (SEQ,)), Assume())
    seal_lists(ctx, SIDE, (SEQ + 4,))
    near = [ctx.state.board.find(NEAR)]
    drive(came_near(ctx, near, (SEQ + 4,)), Assume())
    ctx.state.player = "axis"
    drive(came_near(ctx, near, (SEQ + 5,)), Assume(), lambda _ask: Answer([], "standing", "the list"))
    ctx.state.enlist(CAVALRY, "delta", SEQ + 8)
    show_by_orders(ctx, SIDE, [order_of(0, {"type": "display_garrison", "areas": "delta"})], (), (SEQ + 12,))
    return ctx.events

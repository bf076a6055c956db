"""The orders of overruns, supply and railroads read back as sentences."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Order
from adjudicator.western_desert.readback import sentence
from adjudicator.western_desert.state import State, Supply
from tests.western_desert.ground import run
from tests.western_desert.test_overruns import ARMOR, meeting, overrun, weakling
from tests.western_desert.test_railworks import at_matruh, breaking, build, initial


def said(state: State, orders: Sequence[Order]) -> list[str]:
    """The sentences of orders, each with the events that name it."""
    ctx = run(state, orders)
    found = []
    for order in orders:
        own = [e for e in ctx.events if e.data.get("order") == str(order.index) or e.kind in ("advance", "eliminated")]
        found.append(sentence(ctx.state, order, own))
    return found


def test_an_overrun_tells_odds_prices_and_who_enters() -> None:
    state = meeting(weakling(state_of()))
    (told,) = said(state, [overrun(advance=[ARMOR[0]])])
    assert told.startswith("4th Armoured Brigade") and " overrun 19/0829 held by " in told
    assert ", 12:1; " in told and " MP, " in told and told.endswith("enters the hex")
    (quiet,) = said(state, [overrun()])
    assert quiet.endswith("nobody enters the hex")


def state_of() -> State:
    """A position to look units up in."""
    return at_matruh()


def test_an_unlawful_overrun_tells_what_was_meant() -> None:
    (told,) = said(meeting("it-62"), [overrun()])
    assert told.endswith("overrun 19/0829")


def test_supply_tells_way_and_points() -> None:
    state = at_matruh()
    state.supply["supply-allied-2"] = Supply(state.board.find("19/2423"), "allied", 2)
    told = said(
        state,
        [
            Order(0, "supply_move", {"counter": "supply-allied-2", "to": "19/1225"}),
            Order(1, "supply_split", {"counter": "supply-allied-2"}),
            Order(2, "supply_merge", {"counters": ["supply-allied-2", "supply-allied-split-1"]}),
            Order(3, "supply_destroy", {"counter": "supply-allied-2"}),
        ],
    )
    assert told == [
        "Allied supply 2 goes Alexandria (19/2423) to Matruh (19/1225) by rail, 0 SMP, 20 left this turn",
        "Allied supply 2 is split, the second step is supply-allied-split-1",
        "Allied supply 2 and supply-allied-split-1 merge into one counter",
        "Allied supply 2 is destroyed",
    ]


def test_rail_work_tells_place_and_price() -> None:
    (told,) = said(at_matruh("br-16"), [breaking("br-16")])
    assert told == "16th Infantry Brigade breaks the railroad in Matruh (19/1225), 3 MP, 5 left"


def test_construction_tells_the_hex() -> None:
    ctx = build(initial())
    assert sentence(ctx.state, Order(0, "extend_rail", {}), ctx.events) == "the railroad is built on to 19/1126"

"""Repair of Malta in the Allied initial phase (WD 28.D.repair)."""

from __future__ import annotations

from adjudicator.western_desert.readback import sentence
from adjudicator.western_desert.state import State, Supply
from adjudicator.western_desert.template_arrivals import initial_hints
from tests.western_desert.ground import cites, kinds
from tests.western_desert.test_arrivals import began, order, phase

VALLETTA, OTHER = "18/0408", "18/0308"


def besieged(points: str = "2", side: str = "allied", status: int = 5) -> State:
    state = began({"id": "m", "kind": "malta_repair", "points": points, "side": "allied"}, side=side)
    state.malta = status
    state.supply["supply-allied-1"] = Supply(state.board.find(VALLETTA), "allied", 1)
    state.port_hits[state.board.find(VALLETTA)] = 3
    state.base_hits[state.board.find(VALLETTA)] = 2
    return state


def test_left_out_the_points_lower_the_status() -> None:
    """WD 28.D.repair."""
    ctx = phase(besieged())
    assert ctx.state.malta == 3
    assert [(event["was"], event["status"]) for event in kinds(ctx, "malta-status")] == [("5", "3")]
    assert phase(besieged(side="axis")).state.malta == 5


def test_what_the_status_cannot_use_goes_to_port_and_airbases() -> None:
    """Ruling MALTA-MIN: the status ends at 0."""
    ctx = phase(besieged("4", status=1))
    h = ctx.state.board.find(VALLETTA)
    assert (ctx.state.malta, ctx.state.port_hits.get(h, 0), ctx.state.base_hits.get(h, 0)) == (0, 0, 0)


def test_orders_say_where_they_go_and_supply_gives_more() -> None:
    """WD 28.D.repair: 2 hits on the port, 3 on airbases for a point; a step of supply is one."""
    orders = [
        order("malta_repair", 0, what="port", points="2", counter="supply-allied-1"),
        order("malta_repair", 1, what="airbase", points="1"),
    ]
    ctx = phase(besieged(), *orders)
    h = ctx.state.board.find(VALLETTA)
    assert cites(ctx.problems) == [] and "supply-allied-1" not in ctx.state.supply
    assert (ctx.state.malta, ctx.state.port_hits.get(h, 0), ctx.state.base_hits.get(h, 0)) == (5, 0, 0)
    assert "repair points spent on the port" in sentence(ctx.state, orders[0], ctx.events)


def test_orders_that_spend_too_much_or_nothing_are_void() -> None:
    state = besieged()
    for what, points in (("status", "3"), ("port", "0"), ("airbase", "2")):
        ctx = phase(state, order("malta_repair", what=what, points=points))
        assert cites(ctx.problems) == ["WD 28.D.repair"], what
    far = besieged()
    far.supply["supply-allied-1"].hex = far.board.find("19/2423")
    paid = order("malta_repair", what="status", counter="supply-allied-1")
    assert cites(phase(far, paid).problems) == ["WD 28.D.repair"]
    assert cites(phase(besieged(side="axis"), order("malta_repair", what="status")).problems) == ["WD 28.D.repair"]


def test_the_file_to_fill_in_tells_the_points() -> None:
    assert any("2 repair points" in line for line in initial_hints(besieged(), "allied"))


def test_lost_malta_is_not_repaired() -> None:
    state = besieged()
    for name in (VALLETTA, OTHER):
        state.control[state.board.find(name)] = "axis"
    assert phase(state).state.malta == 5

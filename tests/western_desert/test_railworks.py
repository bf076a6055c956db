"""Railroads broken, repaired and built in play (WD 7.C, 7.D)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from adjudicator.engine.core import Answer, Ask, Ctx, Order, Tree
from adjudicator.engine.dice import Assume
from adjudicator.engine.driver import Waits
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.graph import graph_of
from adjudicator.western_desert.initial import initial_phase
from adjudicator.western_desert.railworks import railhead
from adjudicator.western_desert.state import State, Supply, turn_number
from adjudicator.western_desert.template import template
from tests.western_desert.ground import cites, kinds, run, start

LINE_HEX, NEXT = "19/1225", "19/1126"


def at_matruh(*units: str) -> State:
    """The set-up with units moved to the railhead."""
    state = start()
    for uid in units:
        state.shift(uid, state.board.find(LINE_HEX))
        state.pieces[uid].start = state.board.find(LINE_HEX)
    return state


def breaking(uid: str, index: int = 0, **more: Tree) -> Order:
    return Order(index, "break_rail", {"unit": uid, **more})


def engineer(state: State) -> str:
    """An Allied construction engineer on the map."""
    found = (uid for uid in state.side_units("allied") if state.unit(uid).type == "construction_engineer")
    uid = next(found, "")
    if not uid:
        pool = (u for u, unit in sorted(state.world.units.items()) if unit.type == "construction_engineer")
        uid = next(u for u in pool if state.world.units[u].side == "allied")
        state.place(uid, state.board.find(LINE_HEX))
    return uid


def test_breaking_costs_points_and_stops_rides_but_not_roads() -> None:
    state = at_matruh("br-16", "br-22")
    rides = Order(1, "move", {"unit": "br-22", "path": ["19/1326"], "by": "rail"})
    assert run(state, [rides]).problems == []
    ctx = run(state, [breaking("br-16"), rides, Order(2, "move", {"unit": "br-22", "path": ["19/1326"], "by": "road"})])
    assert "WD 7.C.effect" in cites(ctx.problems)
    assert [problem.order for problem in ctx.problems if problem.order == 2] == []
    (told,) = kinds(ctx, "rail-broken")
    assert (told["mp"], told["hex"]) == ("3", LINE_HEX)
    assert ctx.state.pieces["br-16"].spent2 == 6
    assert state.board.find(LINE_HEX) in ctx.state.broken


def test_breaking_after_a_move_takes_what_is_left() -> None:
    state = at_matruh("br-16")
    state.pieces["br-16"].spent2 = 2 * state.unit("br-16").movement - 5
    assert cites(run(state, [breaking("br-16")]).problems) == ["WD 7.C"]
    state.pieces["br-16"].spent2 -= 1
    assert run(state, [breaking("br-16")]).problems == []


def test_what_can_not_be_broken() -> None:
    state = at_matruh("br-16")
    twice = run(state, [breaking("br-16"), breaking("br-16", 1)])
    assert cites(twice.problems) == ["WD 7.C"]
    state.shift("br-16", state.board.find("19/0726"))
    assert "WD 7.C" in cites(run(state, [breaking("br-16")]).problems)
    assert cites(run(at_matruh("br-16"), [breaking("br-16", hex="19/1326")]).problems) == ["WD 7.C"]


def test_foot_units_break_nothing_in_exploitation_and_nobody_after_an_administrative_move() -> None:
    state = at_matruh("br-16", "br-7-arm-a")
    state.phase = "exploitation"
    assert cites(run(state, [breaking("br-16")]).problems)[0] == "WD 4.A.5"
    assert len(kinds(run(state, [breaking("br-7-arm-a")]), "rail-broken")) == 1
    state.phase = "movement"
    state.pieces["br-16"].means = "admin"
    assert cites(run(state, [breaking("br-16")]).problems)[0] == "WD 6.B.1"


def test_italians_break_nothing_on_the_first_turn() -> None:
    state = start()
    state.player = "axis"
    uid = next(u for u in state.side_units("axis") if state.unit(u).movement > 3 and state.unit(u).nat == "italian")
    rail = graph_of(state).rail_hexes[0]
    state.shift(uid, rail)
    assert "WD 28.A.3.turn" in cites(run(state, [breaking(uid)]).problems)
    state.turn = 2
    assert "WD 28.A.3.turn" not in cites(run(state, [breaking(uid)]).problems)


def test_a_carried_unit_works_with_the_points_of_both() -> None:
    state = at_matruh("br-16", "transport-1")
    for uid in ("br-16", "transport-1"):
        state.pieces[uid].carrier, state.pieces[uid].means, state.pieces[uid].spent2 = "transport-1", "carried", 8
        state.pieces[uid].entered = 1
    ctx = run(state, [breaking("br-16")])
    assert ctx.problems == []
    assert {ctx.state.pieces[uid].spent2 for uid in ("br-16", "transport-1")} == {14}
    assert {ctx.state.pieces[uid].means for uid in ("br-16", "transport-1")} == {"carried"}


def test_construction_engineers_repair() -> None:
    state = at_matruh("br-16")
    uid = engineer(state)
    if state.hex_of(uid) != state.board.find(LINE_HEX):
        state.shift(uid, state.board.find(LINE_HEX))
    state.broken.add(state.board.find(LINE_HEX))
    repair = Order(0, "repair", {"unit": uid, "what": "rail"})
    ctx = run(state, [repair])
    assert ctx.problems == [] and not ctx.state.broken
    assert kinds(ctx, "rail-repaired")[0]["mp"] == "4"
    assert cites(run(ctx.state, [repair]).problems)[0] == "WD 7.C"
    assert cites(run(state, [Order(0, "repair", {"unit": "br-16", "what": "rail"})]).problems) == ["WD 7.C.repair"]
    other = run(state, [Order(0, "repair", {"unit": uid, "what": "port"})]).problems
    assert cites(other) == ["WD 14.A.repair"] and "there is no port in" in other[0].text


# --- construction (WD 7.D) --------------------------------------------------------------------------------------


def initial(turn: str = "Aug II 41") -> State:
    """The set-up in an Allied initial phase, the Axis out of the way."""
    state = start()
    for uid in [uid for uid in state.side_units("axis") if state.hex_of(uid) > state.board.find("19/0301")]:
        state.take_off(uid, "test")
    for h in state.board.land:
        if state.board.in_region(h, "Egypt"):
            state.control[h] = "allied"
    state.turn, state.phase, state.step = turn_number(turn), "initial", "initial"
    return state


def build(state: State, *orders: Order) -> Ctx[State]:
    ctx = Ctx(state.copy(), apply)
    ctx.state.world = replace(state.world, events=())
    given = orders or (Order(0, "extend_rail", {}),)

    def reply(ask: Ask[Any]) -> Answer[Any]:
        found = ask.find(given)
        return Answer(ask.default(), "default") if found is None else Answer(found, "order")

    drive(initial_phase(ctx, "allied", given, (1,)), Assume(), reply)
    return ctx


def test_the_line_is_built_and_serves_at_once() -> None:
    """WD 7.D.operational: as railroad and as road."""
    """The example of WD 7.D: Aug II 41, Matruh to 19/1126."""
    state = initial()
    pair = state.board.find(LINE_HEX), state.board.find(NEXT)
    ctx = build(state)
    assert ctx.problems == []
    assert pair not in graph_of(state).rails and pair in graph_of(ctx.state).rails
    head = railhead(ctx.state)
    assert head is not None and ctx.state.board.name(head.at) == NEXT
    assert pair[1] in graph_of(ctx.state).road_neighbours(pair[0])


def test_one_hex_a_turn_from_august_on() -> None:
    twice = build(initial(), Order(0, "extend_rail", {}), Order(1, "extend_rail", {}))
    assert cites(twice.problems) == ["WD 7.D.build"] and len(kinds(twice, "rail-extended")) == 1
    assert cites(build(initial("Aug I 41")).problems) == ["WD 7.D.build"]


@pytest.mark.parametrize("h", [LINE_HEX, NEXT])
def test_control_supply_and_axis_units_bar_it(h: str) -> None:
    state = initial()
    state.control[state.board.find(h)] = "axis"
    assert "WD 7.D.cond1" in cites(build(state).problems)
    state = initial()
    near = next(n for n in state.board.open_neighbours(state.board.find(h)) if n not in state.at)
    state.place("it-60l", near) if "it-60l" not in state.pieces else state.shift("it-60l", near)
    assert "WD 7.D.cond3" in cites(build(state).problems)


def test_a_counter_that_pays_supplies_the_work() -> None:
    state = initial()
    for h, info in state.board.land.items():
        if info.terminal == "allied":
            state.control[h] = "axis"
    assert "WD 7.D.cond2" in cites(build(state).problems)
    state.supply["supply-allied-9"] = Supply(state.board.find(LINE_HEX), "allied", 2)
    ctx = build(state, Order(0, "general_supply", {"counter": "supply-allied-9"}), Order(1, "extend_rail", {}))
    assert "WD 7.D.cond2" not in cites(ctx.problems)
    unpaid = build(state, Order(0, "pass", {}), Order(1, "extend_rail", {}))
    assert "WD 7.D.cond2" in cites(unpaid.problems)


def test_without_a_railhead_nothing_is_built() -> None:
    state = initial()
    state.world = replace(state.world, scenario={})
    assert cites(build(state).problems) == ["WD 7.D"]


def test_the_template_offers_the_next_hex_when_it_may_be_built() -> None:
    waits = Waits("decision", "allied", "orders/initial")
    assert "The railroad may be built on to 19/1126 (WD 7.D)." in template(initial(), "allied", waits)
    assert "extend_rail" not in template(initial("Aug I 41"), "allied", waits)


def test_work_does_not_begin_the_count_of_orders_anew() -> None:
    state = at_matruh("br-16", "br-22")
    idle = [Order(n, "move", {"unit": "br-22", "to": "18/4818"}) for n in range(30)]
    later = [Order(n, "move", {"unit": "br-22", "to": "18/4818"}) for n in range(31, 51)]
    ctx = run(state, [*idle, breaking("br-16", 30), *later])
    assert [problem.code for problem in ctx.problems].count("too_often") == 10

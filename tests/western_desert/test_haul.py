"""Supply counters in play (WD 12.D): ways and prices, zones, rail, the points of a turn, merging, splitting."""

from __future__ import annotations

import pytest

from adjudicator.engine.core import Ctx, Order, Problem, Tree
from adjudicator.western_desert.apply import mp_points, mp_text
from adjudicator.western_desert.haul import reach, smp2, smp_left2
from adjudicator.western_desert.mover import Field
from adjudicator.western_desert.position import position, restore
from adjudicator.western_desert.state import State, Supply
from adjudicator.western_desert.switches import BUILT
from tests.western_desert.ground import cites, kinds, run, scattered, start
from tests.western_desert.surprise import Body, Played, voids

ONE, TWO = "supply-allied-1", "supply-allied-2"


def stocked(where: str = "19/1225", steps: int = 1, **more: str) -> State:
    """The set-up with an Allied counter, and others by id and hex."""
    state = start()
    for sid, at in {ONE: where, **more}.items():
        state.supply[sid] = Supply(state.board.find(at), "allied", steps)
    return state


def haul(index: int = 0, counter: str = ONE, **more: Tree) -> Order:
    return Order(index, "supply_move", {"counter": counter, **more})


def faulty(ctx: Ctx[State]) -> list[Problem]:
    """The problems of orders; those of stacks that stood there before are none of theirs."""
    return [problem for problem in ctx.problems if problem.order is not None]


def test_a_counter_rides_free_then_pays_by_the_hex_of_road_and_of_desert() -> None:
    state = stocked("19/2423")
    (ride,) = kinds(run(state, [haul(to="19/1225")]), "supply-moved")
    assert (ride["smp"], set(ride["steps"])) == ("0", {"rail"})
    for by, price in (("road", 1), ("foot", 3)):
        for steps in (1, 2):
            state = stocked("19/1225", steps)
            ends = reach(Field(state, "allied"), ONE, by)
            near = [h for h, (_cost2, way) in ends.items() if len(way) == 1]
            clear = [h for h in near if state.board.terrain(h) == "clear"]
            along = [h for h in clear if by == "road" or (state.board.find("19/1225"), h) not in state.board.roads]
            assert {ends[h][0] for h in along} == {2 * price * steps}, by


def test_points_are_those_of_the_turn_for_all_counters_together() -> None:
    state = stocked("19/1225", more="19/1225")
    state.supply[TWO] = Supply(state.board.find("19/1225"), "allied", 1)
    whole2 = smp2(state, "allied")
    ends = reach(Field(state, "allied"), ONE)
    farthest = max(ends, key=lambda h: (ends[h][0], h))
    assert whole2 - 6 <= ends[farthest][0] <= whole2
    ctx = run(state, [haul(to=state.board.name(farthest)), haul(1, TWO, to="19/1026", by="foot")])
    assert cites(ctx.problems) == ["WD 12.D.smp"]
    assert ctx.state.smp2 == ends[farthest][0]
    (told,) = kinds(ctx, "supply-moved")
    assert mp_points(str(told["left"])) == smp_left2(ctx.state, "allied")
    assert restore(ctx.state.world, position(ctx.state)).smp2 == ctx.state.smp2


def test_counters_of_one_order_share_the_points() -> None:
    state = stocked("19/1225")
    state.supply[TWO] = Supply(state.board.find("19/1225"), "allied", 1)
    ends = reach(Field(state, "allied"), ONE)
    farthest = state.board.name(max(ends, key=lambda h: (ends[h][0], h)))
    ctx = run(state, [Order(0, "supply_move", {"counters": [ONE, TWO], "to": farthest})])
    assert cites(ctx.problems) == ["WD 12.D.smp"]
    assert kinds(ctx, "supply-moved") == []


def test_points_change_by_the_order_of_battle() -> None:
    state = start()
    before = smp2(state, "allied")
    events = ({"turn": "Feb I 41", "side": "allied", "kind": "smp", "points": "24"},)
    state.world = type(state.world)(**{**state.world.__dict__, "events": events})
    assert smp2(state, "allied") == before
    state.turn = 5
    assert smp2(state, "allied") == 48


@pytest.mark.parametrize("escorted", [False, True])
def test_an_enemy_zone_is_entered_with_a_friend_in_it_only(escorted: bool) -> None:
    state = stocked("19/1225")
    h = next(n for n in state.board.open_neighbours(state.board.find("19/1225")) if n not in state.at)
    state.overlay_zoc["axis"] = {h}
    if escorted:
        state.shift("br-16", h)
    ctx = run(state, [haul(path=[state.board.name(h)])])
    assert cites(ctx.problems) == ([] if escorted else ["WD 12.D.zoc"])


@pytest.mark.parametrize(("switch", "more"), [("counter", 2), ("step", 4)])
def test_leaving_a_zone_is_paid_once_a_counter_or_by_the_step(switch: str, more: int) -> None:
    assert "smp_zoc_per" in BUILT
    state = stocked("19/1225", 2)
    state.world = type(state.world)(**{**state.world.__dict__, "switches": {"smp_zoc_per": switch}})
    plain = kinds(run(state, [haul(path=["19/1126"])]), "supply-moved")[0]["smp"]
    state.overlay_zoc["axis"] = {state.board.find("19/1225")}
    dear = kinds(run(state, [haul(path=["19/1126"])]), "supply-moved")[0]["smp"]
    assert mp_points(str(dear)) - mp_points(str(plain)) == 2 * more


def test_no_supply_moves_in_the_surprise_turn_or_in_exploitation() -> None:
    state = stocked()
    state.surprise = True
    assert cites(run(state, [haul(to="19/1126")]).problems) == ["WD 28.B.3"]
    state.surprise, state.phase = False, "exploitation"
    assert cites(run(state, [haul(to="19/1126")]).problems) == ["WD 12.D.smp"]


@pytest.mark.parametrize(
    ("order", "rule"),
    [
        ({"to": "18/4818"}, "WD 12.D"),
        ({"to": "19/0101"}, "WD 12.D"),
        ({"to": "19/1225"}, "WD 12.D"),
        ({"path": ["19/1425"]}, "WD 12.D"),
        ({"path": ["19/1126"], "to": "19/1225"}, "WD 12.D"),
        ({"to": "19/1126", "by": "rail"}, "WD 12.D"),
        ({}, "WD 12.D"),
        ({"counter": "supply-axis-1", "to": "19/1126"}, "WD 12.D"),
    ],
)
def test_what_bars_a_counter(order: dict[str, Tree], rule: str) -> None:
    ctx = run(stocked(), [Order(0, "supply_move", {"counter": ONE, **order})])
    assert rule in cites(ctx.problems), ctx.problems
    assert all(problem.text for problem in ctx.problems)
    assert kinds(ctx, "supply-moved") == []


def test_a_hex_too_far_is_told_with_its_price() -> None:
    state = stocked()
    state.smp2 = smp2(state, "allied") - 4
    (problem,) = run(state, [haul(to="19/0628")]).problems
    assert problem.rule == "WD 12.D.smp" and ", 2 are left this turn" in problem.text and problem.hint


def test_split_then_merge_gives_what_there_was() -> None:
    state = stocked(steps=2)
    split = Order(0, "supply_split", {"counter": ONE})
    ctx = run(state, [split])
    new = "supply-allied-split-1"
    assert {sid: c.steps for sid, c in ctx.state.supply.items()} == {ONE: 1, new: 1}
    again = run(ctx.state, [Order(0, "supply_merge", {"counters": [ONE, new]}), split])
    assert {sid: c.steps for sid, c in again.state.supply.items()} == {ONE: 1, "supply-allied-split-2": 1}
    assert restore(again.state.world, position(again.state)).split == 2


def test_what_does_not_merge_or_split() -> None:
    state = stocked(steps=1, **{TWO: "19/1126"})
    assert cites(run(state, [Order(0, "supply_merge", {"counters": [ONE, TWO]})]).problems) == ["WD 12.D.merge"]
    assert cites(run(state, [Order(0, "supply_merge", {"counters": [ONE]})]).problems) == ["WD 12.D.merge"]
    assert cites(run(state, [Order(0, "supply_split", {"counter": ONE})]).problems) == ["WD 12.D.merge"]
    state.supply[TWO] = Supply(state.supply[ONE].hex, "allied", 2)
    assert cites(run(state, [Order(0, "supply_merge", {"counters": [ONE, TWO]})]).problems) == ["WD 12.D.merge"]


def test_own_supply_is_destroyed_in_the_own_turn() -> None:
    state = stocked()
    destroy = Order(0, "supply_destroy", {"counter": ONE})
    assert ONE not in run(state, [destroy]).state.supply
    state.player = "axis"
    assert cites(run(state, [destroy]).problems) == ["WD 12.D.destroy"]


@pytest.mark.parametrize("seed", range(12))
def test_every_listed_end_is_lawful_at_its_price(seed: int) -> None:
    state = scattered(seed)
    h = state.board.find("19/1526")
    side = state.player
    state.supply[ONE] = Supply(h, side, 1 + seed % 2)
    if state.enemy_in(h, side):
        return
    ends = reach(Field(state, side), ONE)
    for end in sorted(ends)[:: max(1, len(ends) // 8)]:
        ctx = run(state, [haul(to=state.board.name(end))])
        assert faulty(ctx) == [] and ctx.state.smp2 == ends[end][0] <= smp2(state, side)
        (told,) = kinds(ctx, "supply-moved")
        assert told["smp"] == mp_text(ends[end][0])
        written = run(state, [haul(path=[state.board.name(n) for n in ends[end][1]])])
        assert faulty(written) == [] and written.state.smp2 == ctx.state.smp2


def test_supply_is_handled_before_the_sections_too() -> None:
    """A counter that is split first feeds units with one half and keeps the other (WD 12.D.merge, 12.B.2)."""
    played = Played.begun()
    split: Body = {"type": "supply_split", "counter": ONE}
    resolved = played.send([split, {"type": "section", "name": "movement"}])
    assert not voids(resolved)
    assert {sid: c.steps for sid, c in played.state.supply.items() if sid.startswith("supply-allied")}[ONE] == 1
    assert "supply-allied-split-1" in played.state.supply


def test_orders_without_end_for_one_counter_are_not_read() -> None:
    state = stocked()
    there = [haul(n, to="18/4818") for n in range(30)]
    ctx = run(state, there)
    assert [problem.code for problem in ctx.problems].count("too_often") == 10

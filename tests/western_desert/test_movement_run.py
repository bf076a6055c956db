"""What a movement phase may and may not change, whatever the orders: properties on random positions (WD 3.G, 6, 8)."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.engine.core import Ctx, Order
from adjudicator.western_desert import hexes
from adjudicator.western_desert.apply import apply, mp_points
from adjudicator.western_desert.charts import charts_of
from adjudicator.western_desert.control import holder, path_flips
from adjudicator.western_desert.graph import graph_of
from adjudicator.western_desert.mover import admin2, mover_of
from adjudicator.western_desert.position import position
from adjudicator.western_desert.reach import Searches
from adjudicator.western_desert.stacking import end_problems
from adjudicator.western_desert.state import WRECK, State, Supply, other
from tests.western_desert.ground import chance_dice, move, movers, run, scattered

seeds = st.integers(0, 2**32 - 1)
FEW = settings(max_examples=30, deadline=None)


def legal_orders(state: State, seed: int, most: int = 14) -> list[Order]:
    """Orders out of the listing, units in random order, some twice."""
    chance = random.Random(seed)
    searches = Searches(state, state.player)
    found: list[Order] = []
    ids = movers(state)
    chance.shuffle(ids)
    for uid in ids[:most]:
        listed = list(searches.reach(mover_of(state, uid)))
        if listed:
            found.append(move(len(found), uid, chance.choice(listed), state))
    return found


@FEW
@given(seeds)
def test_listed_orders_run_without_a_void_whatever_the_dice(seed: int) -> None:
    state = scattered(seed)
    supply_in_the_way(state, seed)
    orders = legal_orders(state, seed)
    for dice in range(3):
        ctx = run(state, orders, chance_dice(dice))
        assert [event for event in ctx.events if event.kind == "void"] == []


def supply_in_the_way(state: State, seed: int) -> None:
    """Enemy supply in hexes without units."""
    chance = random.Random(seed)
    places = [h for h in sorted(state.board.land) if h not in state.at and not graph_of(state).closed(h)]
    for number, h in enumerate(chance.sample(places, 60)):
        state.supply[f"dump-{number}"] = Supply(h, other(state.player), chance.randint(1, 2))


@FEW
@given(seeds)
def test_movement_points_are_never_exceeded(seed: int) -> None:
    state = scattered(seed)
    ctx = run(state, [*legal_orders(state, seed), *legal_orders(state, seed + 1)])
    charts = charts_of(state.world)
    for uid, piece in ctx.state.pieces.items():
        unit = ctx.state.unit(uid)
        allowance = admin2(unit.movement) if piece.means == "admin" else charts.movement(unit.movement, piece.gs)
        assert piece.spent2 <= allowance, uid
    for event in ctx.events:
        if event.kind == "move" and event.data["means"] != "minimum":
            assert mp_points(str(event.data["mp"])) <= mp_points(str(event.data["spent"]))


@FEW
@given(seeds)
def test_no_unit_is_lost_doubled_or_in_an_enemy_hex_and_stacks_hold(seed: int) -> None:
    state = scattered(seed)
    ctx = run(state, [*legal_orders(state, seed), *legal_orders(state, seed + 1)])
    new = ctx.state
    lost = {str(event.data["unit"]) for event in ctx.events if event.kind == "eliminated"}
    assert set(new.pieces) == set(state.pieces) - lost
    placed = [uid for ids in new.at.values() for uid in ids]
    assert sorted(placed) == sorted(new.pieces)
    assert all(uid in new.at[piece.hex] for uid, piece in new.pieces.items())
    for h in new.at:
        assert not new.enemy_in(h, state.player) or not new.friends_at(h, state.player)
        assert end_problems(new, h, state.player, "movement") == []
    for uid in state.pieces.keys() - {WRECK}:
        if state.world.units[uid].side != state.player:
            assert new.pieces[uid].hex == state.pieces[uid].hex


@FEW
@given(seeds)
def test_control_changes_only_as_the_rule_says(seed: int) -> None:
    """The steps of each way, judged anew over the whole map after every hex, give the same flips (WD 3.G)."""
    state = scattered(seed)
    chance = random.Random(seed)
    searches = Searches(state, state.player)
    for uid in chance.sample(movers(state), min(4, len(movers(state)))):
        found = searches.reach(mover_of(state, uid))
        if not len(found):
            continue
        path = found[chance.choice(list(found))].path
        assert path_flips(state, uid, path) == slow_flips(state, uid, path)


def slow_flips(state: State, uid: str, path: tuple[int, ...]) -> list[dict[int, str]]:
    """Move the piece hex by hex and ask of every hex of the map who holds it."""
    board = state.copy()
    steps = []
    for h in path:
        board.shift(uid, h)
        flips = {
            n: side
            for n in board.board.land
            if (side := holder(board, n)) and side != board.owner(n) and not graph_of(board).closed(n)
        }
        board.control.update(flips)
        steps.append(flips)
    return steps


@FEW
@given(seeds)
def test_events_alone_give_the_state(seed: int) -> None:
    state = scattered(seed)
    ctx = run(state, legal_orders(state, seed))
    again = Ctx(state.copy(), apply)
    for event in ctx.events:
        apply(again.state, event)
    assert position(again.state) == position(ctx.state)


@FEW
@given(seeds)
def test_independent_orders_may_come_in_any_order(seed: int) -> None:
    """Orders whose ways and zones do not touch give the same position whatever their order."""
    state = scattered(seed)
    orders = apart(state, legal_orders(state, seed))
    backward = run(state, orders[::-1])
    forward = run(state, orders)
    assert position(forward.state) == position(backward.state)


def apart(state: State, orders: list[Order]) -> list[Order]:
    """The orders whose ways, with the two hexes around, do not meet those of an earlier one."""
    touched: set[int] = set()
    kept = []
    searches = Searches(state, state.player)
    for order in orders:
        uid = order.text("unit")
        arrival = searches.reach(mover_of(state, uid))[state.board.find(order.text("to"))]
        near = {n for h in (state.hex_of(uid), *arrival.path) for n in hexes.within(h, 2)}
        if not near & touched:
            touched |= near
            kept.append(order)
    return kept


@FEW
@given(seeds)
def test_a_phase_run_twice_is_the_same_to_the_event(seed: int) -> None:
    state = scattered(seed)
    orders = legal_orders(state, seed)
    first, second = run(state, orders, chance_dice(seed)), run(state, orders, chance_dice(seed))
    assert [event.tree() for event in first.events] == [event.tree() for event in second.events]


def test_marked_start_of_turn_control_survives_the_phase() -> None:
    state = scattered(7)
    ctx = run(state, legal_orders(state, 7))
    for h in state.board.land:
        assert ctx.state.owner_at_start(h) == state.owner(h)

"""Listed equals checked (DESIGN, One rule, four uses), and the search against a slow one that shares only the step."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.engine.core import Order
from adjudicator.western_desert import hexes
from adjudicator.western_desert.mover import RAIL, Field, Mover, mover_of
from adjudicator.western_desert.moves import listing, plan
from adjudicator.western_desert.reach import Searches, reach
from adjudicator.western_desert.state import State
from adjudicator.western_desert.walk import walk
from tests.western_desert.ground import move, movers, run, scattered, start

seeds = st.integers(0, 2**32 - 1)
FAST = settings(max_examples=25, deadline=None)


@FAST
@given(seeds)
def test_every_listed_hex_is_a_legal_order_of_the_same_cost(seed: int) -> None:
    state = scattered(seed)
    searches = Searches(state, state.player)
    for uid in movers(state):
        found = searches.reach(mover_of(state, uid))
        for h in found:
            arrival = found[h]
            walked = walk(searches.field, mover_of(state, uid), arrival.path, arrival.steps)
            assert walked.problems == [], (uid, state.board.name(h), walked.problems)
            assert walked.cost2 == arrival.cost2
            assert walked.means == arrival.means
            assert arrival.path[-1] == h


@FAST
@given(seeds)
def test_a_hex_that_is_not_listed_is_refused(seed: int) -> None:
    state = scattered(seed)
    searches = Searches(state, state.player)
    chance = random.Random(seed)
    for uid in movers(state)[:6]:
        found = searches.reach(mover_of(state, uid))
        around = [h for h in hexes.within(state.hex_of(uid), 12) if h not in found and h != state.hex_of(uid)]
        for h in chance.sample(around, min(8, len(around))):
            made = plan(searches, state.player, move(0, uid, h, state))
            assert made.problems, (uid, state.board.name(h))
            assert all(problem.rule.startswith("WD ") and problem.text for problem in made.problems)


@FAST
@given(seeds)
def test_search_finds_the_cheapest_ways(seed: int) -> None:
    state = scattered(seed)
    field = Field(state, state.player)
    for uid in movers(state)[:5]:
        mover = mover_of(state, uid)
        slow = cheapest(state, field, mover)
        found = reach(state, state.player, [uid])
        assert {h: found[h].cost2 for h in found} == slow


def cheapest(state: State, field: Field, mover: Mover) -> dict[int, int]:
    """Costs by relaxing until nothing changes: on foot, one ride from each rail hex, on foot again, the guarantee."""
    left = mover.left2
    foot = settle_costs(field, mover, {mover.start: 0}, left)
    best = dict(foot)
    rate = field.charts.rail_rate(mover.rating)
    for h, cost in foot.items():
        if h in field.net.usable and rate:
            ridden = ride_from(field, mover, h, cost + field.charts.misc2["entrain"], rate, left)
            for end, total in settle_costs(field, mover, ridden, left).items():
                best[end] = min(best.get(end, total), total)
    if mover.fresh:
        for n in hexes.neighbours(mover.start):
            step = None if n in field.blocked else field.step2(mover, mover.start, n)
            if step is not None:
                best.setdefault(n, step)
    best.pop(mover.start, None)
    return best


def settle_costs(field: Field, mover: Mover, costs: dict[int, int], limit2: int) -> dict[int, int]:
    found = {h: cost for h, cost in costs.items() if cost <= limit2}
    ring = list(found)
    while ring:
        h = ring.pop()
        for n in hexes.neighbours(h):
            step = None if n in field.blocked else field.step2(mover, h, n)
            if step is not None and found[h] + step <= min(limit2, found.get(n, limit2 + 1) - 1):
                found[n] = found[h] + step
                ring.append(n)
    return found


def ride_from(field: Field, mover: Mover, start: int, ready2: int, rate: int, limit2: int) -> dict[int, int]:
    """Cheapest totals of a ride that begins in one hex; harassment is paid on the way."""
    found: dict[int, int] = {}
    labels = {(start, 0): ready2}
    ring = [(start, 0)]
    while ring:
        h, ridden = ring.pop()
        for n in field.graph.rail_neighbours(h):
            ready = labels[(h, ridden)] + field.harassed2.get(h, 0)
            total = ready + field.charts.ride2(rate, mover.ridden, ridden + 1)
            if n in field.net.usable and total <= limit2 and ready < labels.get((n, ridden + 1), limit2 + 1):
                labels[(n, ridden + 1)] = ready
                ring.append((n, ridden + 1))
                found[n] = min(found.get(n, total), total)
    return found


@FAST
@given(seeds)
def test_one_way_asked_for_is_the_one_listed(seed: int) -> None:
    state = scattered(seed)
    chance = random.Random(seed)
    for _order in range(2):
        for uid in movers(state):
            mover = mover_of(state, uid)
            for by in ("", "rail", "foot"):
                listed = Searches(state, state.player).reach(mover, by)
                asked = Searches(state, state.player)
                for h in chance.sample(sorted(hexes.within(mover.start, 9)), 9):
                    assert asked.way_to(mover, h, by) == listed.get(h)
        state = run(state, ridden(state, chance)).state


def ridden(state: State, chance: random.Random) -> list[Order]:
    """Orders by rail where units can ride, so that the next round has rides under way."""
    searches = Searches(state, state.player)
    found: list[Order] = []
    for uid in movers(state):
        listed = list(searches.reach(mover_of(state, uid), "rail")) or list(searches.reach(mover_of(state, uid)))
        if listed:
            found.append(move(len(found), uid, chance.choice(listed), state))
    return found


def test_nothing_is_listed_for_units_that_may_not_move() -> None:
    state = start()
    assert set(listing(state, "allied")) == set(movers(state))
    state.surprise = True
    force = set(listing(state, "allied"))
    assert {"br-4-arm-a", "transport-1"} < force
    assert reach(state, "allied", ["au-16"]) == {}
    assert "au-16" not in force
    state.surprise, state.phase = False, "exploitation"
    assert all(state.unit(uid).motorized for uid in listing(state, "allied"))
    assert listing(state, "axis") == {}


def test_rail_is_listed_and_runs_as_listed() -> None:
    state = start()
    found = reach(state, "allied", ["br-22"])
    alexandria = hexes.parse("19/2423")
    assert found[alexandria].means == RAIL
    ctx = run(state, [move(0, "br-22", hexes.parse("19/2424"), state)])
    (event,) = [e for e in ctx.events if e.kind == "move"]
    assert event.rule == "WD 7.A"
    assert event.data["mp"] == str(found[hexes.parse("19/2424")].cost2 // 2)
    assert ctx.problems == []


@FAST
@given(seeds)
def test_the_cheapest_way_does_not_depend_on_the_order_of_search(seed: int) -> None:
    state = scattered(seed)
    shared = Searches(state, state.player)
    for uid in sorted(movers(state), key=lambda u: random.Random(f"{seed}{u}").random()):
        alone = reach(state, state.player, [uid])
        together = shared.reach(mover_of(state, uid))
        assert {h: alone[h] for h in alone} == {h: together[h] for h in together}

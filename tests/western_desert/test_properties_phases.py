"""What holds in every phase, on scattered positions with orders and dice of chance, held against a second look at the
rulebook's own words (umpire.py). ``--hypothesis-profile long`` plays far more of them."""

from __future__ import annotations

import random
from itertools import combinations, pairwise

import pytest

from adjudicator.engine.core import Order, Tree
from adjudicator.engine.dice import Assume, Local
from adjudicator.engine.driver import play
from adjudicator.western_desert import hexes
from adjudicator.western_desert.apply import apply, mp_points
from adjudicator.western_desert.eligible import may_move
from adjudicator.western_desert.haul import reach, smp_left2
from adjudicator.western_desert.mover import Field, mover_of
from adjudicator.western_desert.overrun import overrun_options, plan_overrun
from adjudicator.western_desert.position import position
from adjudicator.western_desert.reach import Searches
from adjudicator.western_desert.state import State
from adjudicator.western_desert.supply import counters_in_reach, on_lines
from tests.western_desert.phases import PHASES, Row, checkpoint, message, phases
from tests.western_desert.surprise import table
from tests.western_desert.umpire import Umpire, on_a_line


@pytest.mark.parametrize("name", PHASES)
def test_what_is_listed_is_void_only_where_it_hangs_on_a_die(name: str) -> None:
    for phase in phases(name):
        wrong = [p for p in phase.run.problems if p.depends is None and p.order is not None]
        assert wrong == [], phase.rows


@pytest.mark.parametrize("name", PHASES)
def test_ways_prices_losses_retreats_stacks_and_control_are_what_the_umpire_finds(name: str) -> None:
    for phase in phases(name):
        assert Umpire(phase.before).follow(phase.events).at_rest().faults == [], phase.rows


@pytest.mark.parametrize("name", PHASES)
def test_the_events_alone_give_the_state(name: str) -> None:
    for phase in phases(name):
        again = phase.before.copy()
        for event in phase.events:
            apply(again, event)
        assert position(again) == position(phase.after)


# --- supply -----------------------------------------------------------------------------------------------------


def test_general_supply_is_what_lines_traced_from_each_unit_and_counters_spent_give() -> None:
    """WD 12.B: a line of seven hexes to an open transport line, or to a counter that gave a step; who has just come in
    needs neither (WD 29.A.supply)."""
    for phase in phases("initial"):
        umpire, fed, fresh = Umpire(phase.before), set[str](), set[str]()
        for event in phase.events:
            if event.kind == "supply-used":
                fed |= {str(uid) for uid in event.data["units"]}
            if event.kind in ("landed", "replaced"):
                fresh.add(str(event.data["unit"]))
            if event.kind == "supply-check":
                there = set(umpire.state.pieces)
                lined = {uid for uid in there if on_a_line(umpire, uid)}
                assert there - {str(uid) for uid in event.data["out"]} == lined | fed | (fresh & there)
                assert not (lined | fresh) & fed
            umpire.follow([event])


def test_removing_an_enemy_unit_cuts_nobody_off() -> None:
    for seed, phase in enumerate(phases("initial", "movement")):
        state, side = phase.before, phase.before.player
        lined, reach = on_lines(state, side), traced(state, side)
        enemies = [uid for uid in sorted(state.pieces) if state.world.units[uid].side != side]
        for uid in random.Random(seed).sample(enemies, min(2, len(enemies))):
            fewer = state.copy()
            fewer.take_off(uid, "gone")
            assert on_lines(fewer, side) >= lined
            assert all(traced(fewer, side)[own] >= reach[own] for own in reach)


def traced(state: State, side: str) -> dict[str, set[str]]:
    """The counters that each unit of a side traces to."""
    return {uid: set(counters_in_reach(state, side, state.hex_of(uid))) for uid in state.side_units(side)}


def test_an_attack_feeds_as_many_res_as_its_steps_and_nobody_out_of_reach() -> None:
    """WD 12.C: ten REs a step, what is left of a step serves later attacks of the phase."""
    for phase in phases("combat"):
        spare: dict[str, int] = {}
        for event in phase.events:
            if event.kind == "supply-used" and event.data["use"] == "attack":
                counter = str(event.data["counter"])
                room = spare.get(counter, 0) + 20 * int(str(event.data["steps"]))
                drawn = mp_points(str(event.data["re"]))
                assert drawn <= room
                assert drawn <= sum(phase.before.world.units[str(uid)].re2 for uid in event.data["units"])
                spare[counter] = room - drawn
                assert mp_points(str(event.data["spare"])) == spare[counter]


# --- cheapest ways, by trying everything ------------------------------------------------------------------------


def test_the_cheapest_ways_on_foot_are_those_of_trying_everything() -> None:
    for seed, phase in enumerate(phases("movement", "exploitation")):
        state, umpire = phase.before, Umpire(phase.before)
        searches, side = Searches(state, state.player), state.player
        able = [uid for uid in state.side_units(side) if not may_move(state, side, uid)]
        for uid in random.Random(seed).sample(able, min(1, len(able))):
            mover = mover_of(state, uid)
            listed = searches.reach(mover, "foot")
            assert {h: listed.cost2[h] for h in listed if listed[h].means != "minimum"} == by_trying(
                umpire, uid, mover.left2
            )


def by_trying(umpire: Umpire, uid: str, left2: int) -> dict[int, int]:
    """Half MPs to every hex within what is left: relax every step until nothing gets cheaper."""
    state, side = umpire.state, umpire.side(uid)
    start = state.hex_of(uid)
    best, ring = {start: 0}, [start]
    while ring:
        a = ring.pop()
        for b in hexes.neighbours(a):
            if not umpire.may_enter(side, a, b):
                continue
            cost2 = best[a] + int(2 * (umpire.step(uid, "", side, a, b) + umpire.harassed(a)))
            if cost2 <= min(left2, best.get(b, left2 + 1) - 1):
                best[b] = cost2
                ring.append(b)
    del best[start]
    return best


def test_supply_is_hauled_by_the_cheapest_way_there_is() -> None:
    for phase in phases("movement"):
        state, umpire = phase.before, Umpire(phase.before)
        field, left2 = Field(state, state.player), smp_left2(state, state.player)
        for sid in [sid for sid in sorted(state.supply) if state.supply[sid].side == state.player][:1]:
            listed = reach(field, sid, "foot")
            assert {h: cost2 for h, (cost2, _way) in listed.items()} == hauled_by_trying(umpire, sid, left2)


def hauled_by_trying(umpire: Umpire, sid: str, left2: int) -> dict[int, int]:
    """Half SMPs of a counter to every hex without riding."""
    counter = umpire.state.supply[sid]
    best, ring = {counter.hex: 0}, [counter.hex]
    while ring:
        a = ring.pop()
        for b in hexes.neighbours(a):
            if not umpire.may_enter(counter.side, a, b) or umpire.unescorted(counter.side, b):
                continue
            cost2 = best[a] + int(2 * umpire.haul(counter.side, counter.steps, a, b))
            if cost2 <= min(left2, best.get(b, left2 + 1) - 1):
                best[b] = cost2
                ring.append(b)
    del best[counter.hex]
    return best


# --- overruns, by trying everything -----------------------------------------------------------------------------


def test_an_overrun_is_listed_where_some_of_a_stack_can_do_it() -> None:
    """Every part of every small stack next to an enemy, tried; and odds no part can better."""
    tried = 0
    for phase in phases("movement", "exploitation"):
        state, side = phase.before, phase.before.player
        field = Field(state, side)
        options = overrun_options(field, side)
        for origin in sorted({state.hex_of(uid) for uid in state.side_units(side)}):
            free = [uid for uid in state.friends_at(origin, side) if not may_move(state, side, uid)]
            for h in hexes.neighbours(origin):
                if free and len(free) <= 6 and state.enemy_in(h, side):
                    parts = [part for n in range(1, len(free) + 1) for part in combinations(free, n)]
                    lawful = [p for p in parts if not plan_overrun(field, side, overrun_of(state, p, h)).problems]
                    assert bool(lawful) == ((origin, h) in options), (state.board.name(h), lawful)
                    assert not lawful or options[(origin, h)] in lawful
                    tried += 1
    assert tried


def overrun_of(state: State, units: tuple[str, ...], h: int) -> Order:
    """The order that overruns a hex."""
    return Order(0, "overrun", {"units": list(units), "hex": state.board.name(h)})


# --- what check says is what play does --------------------------------------------------------------------------


@pytest.mark.parametrize("name", PHASES)
def test_spoilt_orders_are_void_just_where_the_assumed_dice_call_them_unlawful(name: str) -> None:
    """Orders of two phases mixed: what no assumed die finds fault with runs, what is wrong before any die is void."""
    for one, two in pairwise(phases(name)):
        rows = spoilt(one.rows, two.rows, random.Random(str(one.rows)))
        start, sent = checkpoint(one.before), [message(one.before, rows)]
        looks = [play(table(), start, sent, Assume(kind)) for kind in ("low", "", "high")]
        wrong = {p.order for run in looks for p in run.problems if p.depends is None and p.order is not None}
        doubtful = {problem.order for run in looks for problem in run.problems}
        doubtful |= {index for run in looks for _seq, index in run.hanging}
        for dice in range(2):
            run = play(table(), start, sent, Local(random.Random(f"{dice}").randrange))
            void = {int(str(event.data["order"])) for event in run.events if event.kind == "void"}
            stacked = {p.order for p in run.problems if p.code in ("stacking", "divisions", "light_tank")}
            assert void <= doubtful, (rows, run.problems)
            assert wrong <= void | stacked, (rows, wrong, void)


def spoilt(rows: tuple[Row, ...], more: tuple[Row, ...], chance: random.Random) -> tuple[Row, ...]:
    """Orders doubled, left out, in another order, those of somebody else among them, fields exchanged."""
    head = [row for row in rows if row["type"] == "section"]
    body = [row for row in (*rows, *rows, *more) if row["type"] != "section" and chance.random() < 0.6]
    chance.shuffle(body)
    said: dict[str, list[Tree]] = {}
    for row in body:
        for name, value in row.items():
            said.setdefault(name, []).append(value)
    return (*head, *(exchanged(row, said, chance) if chance.random() < 0.4 else row for row in body))


def exchanged(row: Row, said: dict[str, list[Tree]], chance: random.Random) -> Row:
    """An order in which a field says what another order says there, is longer, shorter, or missing."""
    name = chance.choice([name for name in row if name != "type"] or ["unit"])
    value = row.get(name, "")
    other = chance.choice(said.get(name, [value]))
    found: list[Tree] = [other, other]
    if isinstance(value, list):
        found += [value[:1], [*value, *(other if isinstance(other, list) else [other])]]
    else:
        found += [[value, other] if isinstance(other, str) else value]
    kept: Row = {key: part for key, part in row.items() if key != name}
    return kept if chance.random() < 0.2 else {**kept, name: chance.choice(found)}

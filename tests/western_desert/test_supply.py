"""Supply lines, their sources, and the initial phase (WD 12.A, 12.B; pbem I1)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.engine.core import Answer, Ask, Ctx, Order, Tree
from adjudicator.engine.dice import Assume
from adjudicator.western_desert import hexes
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.initial import NONE, USE, clause_for, initial_phase, need_of, supply_ask, supply_reason
from adjudicator.western_desert.state import ENEMY, State, Supply
from adjudicator.western_desert.supply import FAR, counters_in_reach, net, on_lines, source_distance, would_be_supplied
from tests.western_desert.ground import cites, kinds, scattered, start

seeds = st.integers(0, 2**32 - 1)
FEW = settings(max_examples=25, deadline=None)
TOBRUK = "18/4818"
AROUND_TOBRUK = ("18/4719", "18/4819", "18/4919")


def besieged() -> State:
    """The example of WD 12.B: Allied units and a supply counter in Tobruk, Axis units in all land hexes around."""
    state = start()
    for uid in [*state.units_at(hexes.parse(TOBRUK))]:
        state.take_off(uid, "aside")
    for uid in ("br-22", "in-5", "in-11"):
        state.shift(uid, hexes.parse(TOBRUK))
    for uid, h in zip(("it-61", "it-60", "it-62"), AROUND_TOBRUK, strict=True):
        if uid in state.pieces:
            state.shift(uid, hexes.parse(h))
        else:
            state.place(uid, hexes.parse(h))
    state.phase = "initial"
    state.supply["S1"] = Supply(hexes.parse(TOBRUK), "allied", 1)
    return state


def initial(
    state: State, orders: tuple[Order, ...] = (), reply: Callable[[Ask[str]], Answer[str]] | None = None
) -> Ctx[State]:
    ctx = Ctx(state.copy(), apply)
    drive(initial_phase(ctx, state.player, orders, (1,)), Assume(), reply or by_orders(orders))
    return ctx


def by_orders(orders: tuple[Order, ...]) -> Callable[[Ask[str]], Answer[str]]:
    def reply(ask: Ask[str]) -> Answer[str]:
        found = ask.find(orders)
        return Answer(ask.default(), "default") if found is None else Answer(found, "order")

    return reply


def out(ctx: Ctx[State]) -> set[str]:
    (event,) = kinds(ctx, "supply-check")
    found = event["out"]
    assert isinstance(found, list)
    return {str(uid) for uid in found}


# --- the worked example -----------------------------------------------------------------------------------------


def test_tobruk_spends_a_step_for_all_its_units() -> None:
    state = besieged()
    ctx = initial(state, (Order(0, "general_supply", {"counter": "S1"}),))
    assert not out(ctx) & {"br-22", "in-5", "in-11"}
    (used,) = kinds(ctx, "supply-used")
    assert (used["counter"], used["use"], used["left"]) == ("S1", "general", "0")
    assert "S1" not in ctx.state.supply
    assert ctx.problems == []


def test_tobruk_may_keep_its_step() -> None:
    ctx = initial(besieged(), (Order(0, "pass", {}),))
    assert out(ctx) >= {"br-22", "in-5", "in-11"}
    assert ctx.state.supply["S1"].steps == 1


def test_the_default_spends_a_step_for_three_re_with_an_enemy_near() -> None:
    assert not out(initial(besieged())) & {"br-22", "in-5", "in-11"}
    state = besieged()
    state.take_off("in-11", "aside")
    assert out(initial(state)) >= {"br-22", "in-5"}


def test_why_a_stack_is_cut_off_is_said() -> None:
    (event,) = kinds(initial(besieged(), (Order(0, "pass", {}),)), "supply-check")
    reasons = event["reasons"]
    assert isinstance(reasons, list)
    whys = {str(row["hex"]): str(row["why"]) for row in reasons if isinstance(row, dict)}
    assert whys[TOBRUK].startswith("cut off: ")
    assert "is held by" in whys[TOBRUK] or "lies in the ZOC of" in whys[TOBRUK]
    assert whys["18/0408"] == "no supply line leads from there to a terminal, enemies or not"
    assert supply_reason(besieged(), "br-22").endswith("it can trace to S1 (1 step)")


# --- orders and choices -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "rule", "words"),
    [
        (
            Order(0, "general_supply", {"counter": "S9"}),
            "WD 12.B.2",
            "no supply counter of the allied side; yours are S1",
        ),
        (Order(0, "general_supply", {}), "WD 12.B.2", "names no supply counter"),
        (Order(0, "malta_repair", {}), "WD 28.D.repair", "is not repaired with points"),
        (Order(0, "move", {}), "WD 4.C", "move is no order of the initial phase"),
    ],
)
def test_orders_of_the_initial_phase_are_judged(order: Order, rule: str, words: str) -> None:
    ctx = initial(besieged(), (order,))
    assert cites(ctx.problems) == [rule]
    assert words in f"{ctx.problems[0].text}; {ctx.problems[0].hint}".replace("; yours", "; yours")


def test_a_counter_that_serves_nobody_is_not_spent() -> None:
    state = start()
    state.phase = "initial"
    state.supply["S1"] = Supply(hexes.parse("19/1225"), "allied", 1)
    ctx = initial(state, (Order(0, "general_supply", {"counter": "S1"}),))
    assert "would serve no unit" in ctx.problems[0].text
    assert ctx.state.supply["S1"].steps == 1


@pytest.mark.parametrize(
    ("rules", "value"),
    [
        ([{"counter": "S1", "use": "always"}], USE),
        ([{"counter": "S1", "use": "never"}], NONE),
        ([{"counter": "S1", "use": "if_cut_off", "min_re": "4"}], NONE),
        ([{"counter": "any", "use": "if_cut_off", "min_re": "3"}], USE),
        ([{"counter": "S2", "use": "never"}, {"use": "always"}], USE),
        ([{"use": "always", "keep_steps": "1"}], NONE),
        ([{"use": "always", "reserve": "yes"}], NONE),
    ],
)
def test_standing_clauses_settle_the_choice(rules: Tree, value: str) -> None:
    state = besieged()
    need = need_of(state, "S1", on_lines(state, "allied"))
    settled = clause_for(state, need, rules)
    assert settled is not None
    assert settled[0] == value
    assert settled[1].startswith("supply clause ")
    ask = supply_ask(state, "allied", need)
    assert ask.key == "supply/18.4818/S1"
    assert ask.clause(rules) == settled
    assert ask.find((Order(0, "answer", {"to": ask.key, "use": "no"}),)) == NONE
    assert ask.problems("maybe")[0].rule == "WD 12.B.2"


def test_both_sides_are_checked_in_every_initial_phase() -> None:
    state = start()
    state.phase = "initial"
    for player in ("allied", "axis"):
        state.player = player
        for before in (True, False):
            for piece in state.pieces.values():
                piece.gs = before
            found = initial(state).state
            assert not found.pieces["br-10aa"].gs
            assert found.pieces["it-62"].gs
            assert found.pieces["in-5"].gs


# --- lines ------------------------------------------------------------------------------------------------------


def rings(state: State, side: str, h: int, limit: int = FAR) -> Iterator[tuple[set[int], int]]:
    """Hexes that lines come to, traced forward from the unit at h, and how many hexes are entered (WD 12.A)."""
    enemy = ENEMY[side]
    units = state.world.units

    def may_enter(a: int, b: int) -> bool:
        if b not in state.board.land or not state.board.passable(a, b) or net(state, side).neutral(b):
            return False
        if any(units[u].side == enemy for u in state.units_at(b)):
            return False
        friend = any(units[u].side == side and not units[u].counter for u in state.units_at(b))
        return friend or not state.ezoc(b, side)

    seen, ring, length = {h}, [h], 0
    while ring and length <= limit:
        yield set(ring), length
        ring = [n for a in ring for n in hexes.neighbours(a) if n not in seen and may_enter(a, n) and not seen.add(n)]  # type: ignore[func-returns-value]
        length += 1


def slow_distance(state: State, side: str, h: int, goals: set[int]) -> int:
    """Hexes entered on the shortest line from h to a goal."""
    return next((length for ring, length in rings(state, side, h) if goals & ring), FAR)


@FEW
@given(seeds)
def test_lengths_are_those_of_lines_traced_from_the_unit(seed: int) -> None:
    state = scattered(seed)
    chance = random.Random(seed)
    for side in ("allied", "axis"):
        goals = set(net(state, side).lines)
        for h in chance.sample(sorted(state.board.land), 12):
            slow = slow_distance(state, side, h, goals)
            assert source_distance(state, side, h) == slow
            assert would_be_supplied(state, side, h) == (slow <= 7)


@FEW
@given(seeds)
def test_counters_in_reach_are_those_a_line_of_seven_leads_to(seed: int) -> None:
    state = scattered(seed)
    chance = random.Random(seed)
    for number, h in enumerate(chance.sample(sorted(state.board.land), 25)):
        state.supply[f"c{number}"] = Supply(h, "allied", chance.randint(0, 2))
    for uid in list(state.side_units("allied"))[:6]:
        h = state.hex_of(uid)
        found = counters_in_reach(state, "allied", h)
        far = {there: length for ring, length in rings(state, "allied", h) for there in ring}
        lengths = {sid: far.get(c.hex, FAR) for sid, c in state.supply.items() if c.steps}
        assert found == sorted((s for s in lengths if lengths[s] <= 7), key=lambda s: (lengths[s], s))


@FEW
@given(seeds)
def test_removing_an_enemy_never_puts_a_unit_out_of_supply(seed: int) -> None:
    state = scattered(seed)
    side = state.player
    enemies = [uid for uid in state.pieces if state.world.units[uid].side != side]
    before = on_lines(state, side)
    for uid in random.Random(seed).sample(enemies, min(4, len(enemies))):
        fewer = state.copy()
        fewer.take_off(uid, "gone")
        assert on_lines(fewer, side) >= before


@FEW
@given(seeds)
def test_a_kept_net_is_never_stale(seed: int) -> None:
    state = scattered(seed)
    chance = random.Random(seed)
    for _change in range(6):
        uid = chance.choice(sorted(state.pieces))
        if chance.random() < 0.5:
            state.take_off(uid, "gone")
        else:
            state.shift(uid, chance.choice(sorted(state.board.land)))
        for side in ("allied", "axis"):
            kept = dict(net(state, side).near)
            state.world.cache.pop(("supply net", side))
            assert kept == net(state, side).near

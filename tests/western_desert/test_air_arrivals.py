"""Air units that the order of battle brings, back from Greece, out of the pool (WD 29.A, 29.B, 29.C.1.placing)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from adjudicator.engine.core import Ctx, Order
from adjudicator.engine.dice import Assume
from adjudicator.western_desert.air.arriving import (
    air_pool,
    arrival_entry,
    arrival_problems,
    replace_problems,
    replacement_entry,
    waiting_air,
)
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.arrivals import bring, land_rest
from adjudicator.western_desert.bases import base_capacity
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.initial import initial_phase
from adjudicator.western_desert.invariants import faults
from adjudicator.western_desert.position import position, restore
from adjudicator.western_desert.state import AIR_POOL, Boxed, State, turn_number
from tests.western_desert.ground import start
from tests.western_desert.skirmish import fixed, orders, told
from tests.western_desert.test_air_movement import BLEN, at

HURRI4, STUKA = "air-hurri-1-4", "air-ju-87b-1"


def at_turn(side: str, turn: str) -> State:
    """The initial phase of a side on a game turn."""
    found = start()
    found.phase = found.step = "initial"
    found.player, found.turn = side, turn_number(turn)
    return found


def run(state: State, *rows: Mapping[str, object], dice: tuple[int, ...] = ()) -> Ctx[State]:
    """The initial phase with those orders."""
    ctx: Ctx[State] = Ctx(state, apply)
    drive(initial_phase(ctx, state.player, orders(*rows), (3,)), fixed(*dice))
    return ctx


def test_air_units_come_to_the_bases_of_their_area() -> None:
    state = at_turn("axis", "Jan I 41")
    ctx: Ctx[State] = Ctx(state, apply)
    bring(ctx, "axis", (3,))
    waiting = waiting_air(state, "axis")
    assert STUKA in waiting and len(waiting) == 8
    drive(land_rest(ctx, "axis", (), (3,)), Assume())
    placed = [e for e in told(ctx, "landed") if e.data["unit"] in waiting]
    assert {e.rule for e in placed} == {"WD 29.A.2.air"} and not waiting_air(state, "axis")
    sicily = arrival_entry(state, "axis", "sicily").bases
    assert sicily and all(state.board.in_region(h, "Sicily") for h in sicily)
    assert {state.air[aid].hex for aid in waiting} <= set(sicily)
    assert all(state.air[aid].operative for aid in waiting)
    most = max(base_capacity(state, h) for h in sicily)
    assert base_capacity(state, state.air[waiting[0]].hex) == most
    assert state.points["italian_air"] == 8
    assert position(restore(state.world, position(state))) == position(state)


def test_crete_and_rhodes_serve_from_june_1941() -> None:
    """WD 29.A.2.air."""
    early, late = at_turn("axis", "May II 41"), at_turn("axis", "Jun I 41")
    assert not any(early.board.in_region(h, "Rhodes") for h in arrival_entry(early, "axis", "sicily").bases)
    assert any(late.board.in_region(h, "Rhodes") for h in arrival_entry(late, "axis", "sicily").bases)


def test_an_order_places_or_keeps_them_waiting() -> None:
    state = at_turn("allied", "Jan II 41")
    delta = arrival_entry(state, "allied", "egypt").bases
    row = {"type": "reinforce", "air": [HURRI4], "at": state.board.name(delta[-1])}
    ctx = run(state.copy(), row)
    (event,) = (e for e in told(ctx, "landed") if e.data["unit"] == HURRI4)
    assert (event.data["hex"], event.data["choice"], event.rule) == (row["at"], "order", "WD 29.A.1.egypt")
    kept = run(state.copy(), {"type": "reinforce", "air": [HURRI4], "delay": "yes"})
    assert kept.problems == [] and HURRI4 in waiting_air(kept.state, "allied")
    wrong = run(state.copy(), {**row, "at": state.board.name(at(state, "Matruh"))})
    assert [p.rule for p in wrong.problems] == ["WD 29.A.1.egypt"]
    assert arrival_problems(state, "allied", "air-a-30-1")[0].code == "not_due"


@pytest.mark.parametrize(("result", "operative"), [("intact", True), ("inoperative", False)])
def test_back_from_greece(result: str, operative: bool) -> None:
    state = at_turn("allied", "Jun I 41")
    state.boxes[HURRI4] = Boxed("greece")
    ctx: Ctx[State] = Ctx(state, apply)
    ctx.emit("greece", "WD 29.C.1.return", (3,), unit=HURRI4, side="allied", result=result)
    drive(land_rest(ctx, "allied", (), (3,)), Assume())
    (event,) = (e for e in told(ctx, "landed") if e.data["unit"] == HURRI4)
    assert event.rule == "WD 29.C.1.placing" and state.air[HURRI4].operative is operative
    assert HURRI4 in state.still


def test_who_was_lost_in_greece_is_not_replaced_in_that_turn() -> None:
    state = at_turn("allied", "Jun I 41")
    state.boxes[HURRI4] = Boxed("greece")
    Ctx(state, apply).emit("greece", "WD 29.C.1.return", (3,), unit=HURRI4, side="allied", result="eliminated")
    state.points["any_air"] = 8
    assert air_pool(state, "allied") == [HURRI4]
    assert [p.rule for p in replace_problems(state, "allied", HURRI4)] == ["WD 29.C.1.placing"]


def test_a_point_brings_one_back() -> None:
    state = at_turn("allied", "May I 41")
    state.air.pop(BLEN, None)
    state.boxes[BLEN] = Boxed(AIR_POOL)
    row = {"type": "replace", "air": [BLEN]}
    short = run(state.copy(), row, dice=(6,))  # a run to Malta
    assert [p.rule for p in short.problems] == []  # the turn brings a point
    state.turn = turn_number("Jan II 41")
    assert [p.rule for p in run(state.copy(), row).problems] == ["WD 29.B.cost"]
    state.points["any_air"] = 8
    ctx = run(state.copy(), row)
    (event,) = told(ctx, "replaced")
    assert (event.data["unit"], event.data["cost"], event.rule) == (BLEN, "1", "WD 29.B")
    assert ctx.state.air[BLEN].operative and not ctx.state.points.get("any_air") and BLEN not in ctx.state.boxes
    far = run(state.copy(), {**row, "at": state.board.name(at(state, "Matruh"))})
    assert [p.rule for p in far.problems] == ["WD 29.B.2"]
    assert not [line for line in faults(ctx.state) if BLEN in line]
    assert [p.code for p in replace_problems(state, "allied", STUKA)] == ["pool_only"]


def test_replaced_air_units_of_each_side_have_their_bases() -> None:
    """WD 29.B.1, 29.B.2."""
    axis, allied = at_turn("axis", "Jul I 41"), at_turn("allied", "Jul I 41")
    for state, side, names in ((axis, "axis", ("Sicily", "Rhodes", "Crete")), (allied, "allied", ("Delta", "Malta"))):
        for h in replacement_entry(state, side, "").bases:
            where = (*names, "Palestine") if side == "allied" else names
            assert any(state.board.in_region(h, name) for name in where)
    assert Order(0, "replace", {"air": ["x"]}).texts("air") == ["x"]

"""The Levant in play: invasion by either side, pressure on Vichy France, where its forces may go (WD 28.C)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adjudicator.engine.core import Ctx, Order, Tree
from adjudicator.engine.dice import Assume
from adjudicator.western_desert.air.facts import base_hexes, sky_of
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.graph import LEVANT, graph_of
from adjudicator.western_desert.homebound import homebound_problems
from adjudicator.western_desert.initial import initial_phase
from adjudicator.western_desert.invariants import faults
from adjudicator.western_desert.movement import movement_phase
from adjudicator.western_desert.position import position, restore
from adjudicator.western_desert.state import Air, State, turn_number
from tests.western_desert.ground import compass, start

GUEST = "air-me-110c-1"
RAYAK, LIMASSOL = "19/4606", "19/3206"


def order(index: int, kind: str, **data: Tree) -> Order:
    return Order(index, kind, data)


def invaded(side: str) -> State:
    """The Levant has just been invaded."""
    return moved(side, order(0, "invade_levant")).state


def moved(side: str, *orders: Order, state: State | None = None) -> Ctx[State]:
    state = state or start()
    state.player, state.phase, state.step = side, "movement", "movement"
    ctx: Ctx[State] = Ctx(state, apply)
    drive(movement_phase(ctx, side, orders, (1,)), Assume())
    return ctx


def vichy_units(state: State) -> list[str]:
    return [uid for uid in sorted(state.pieces) if state.world.units[uid].nat == "vichy"]


@pytest.mark.parametrize(("side", "held"), [("allied", "axis"), ("axis", "allied")])
def test_an_invasion_gives_the_vichy_forces_to_the_other_player(side: str, held: str) -> None:
    """WD 28.C.invade, 28.C.2."""
    state = invaded(side)
    units = vichy_units(state)
    assert units and {state.world.units[uid].side for uid in units} == {held}
    assert {state.unit(uid).side for uid in units} == {held}
    inside = [h for h in state.board.land if state.board.in_region(h, LEVANT)]
    assert "vichy" not in {state.owner(h) for h in inside}
    assert state.theatre.vichy == held
    assert (state.theatre.invaded == state.turn) == (side == "allied")
    assert set(faults(state)) <= set(faults(start()))


def test_the_position_after_an_invasion_is_read_back_as_it_was() -> None:
    state = invaded("allied")
    back = restore(compass(), position(state))
    assert position(back) == position(state)
    assert back.zones == state.zones and back.theatre == state.theatre
    assert {back.world.units[uid].side for uid in vichy_units(back)} == {"axis"}
    assert compass().units[vichy_units(back)[0]].side == "vichy"


def test_nobody_enters_the_neutral_levant() -> None:
    """WD 28.C."""
    state = start()
    for side in ("allied", "axis"):
        assert graph_of(state, side).closed(state.board.find(RAYAK))
        assert sky_of(state, side).closed(state.board.find(RAYAK))


def test_an_invasion_is_announced_before_movement_and_once() -> None:
    twice = moved("allied", order(0, "invade_levant"), order(1, "invade_levant"))
    assert [(p.code, p.order) for p in twice.problems] == [("invaded", 1)]
    state = start()
    uid = next(u for u in state.side_units("allied") if state.unit(u).movement)
    state.pieces[uid].spent2, state.pieces[uid].entered = 2, 1
    assert [p.code for p in moved("allied", order(0, "invade_levant"), state=state).problems] == ["moved"]


def test_the_axis_player_needs_the_grant_even_where_vichy_fights_for_him() -> None:
    """WD 28.C.1.effect, 28.C.2."""
    state = invaded("allied")
    rayak = state.board.find(RAYAK)
    assert not graph_of(state, "allied").closed(rayak)
    assert graph_of(state, "axis").closed(rayak) and sky_of(state, "axis").closed(rayak)
    assert not graph_of(invaded("axis"), "axis").closed(rayak)


def test_vichy_units_stay_in_the_levant_and_move_with_their_controller() -> None:
    state = invaded("allied")
    uid = vichy_units(state)[0]
    border = next(
        (a, b)
        for a in sorted(state.board.land)
        if state.board.in_region(a, LEVANT)
        for b in state.board.open_neighbours(a)
        if state.board.in_region(b, "Palestine") and not state.units_at(b)
    )
    state.shift(uid, border[0])
    state.pieces[uid].start = border[0]
    state.player = "axis"
    ctx = moved("axis", order(0, "move", unit=uid, path=[state.board.name(border[1])]), state=state)
    assert "WD 28.C.invade" in {p.rule for p in ctx.problems}
    assert state.hex_of(uid) == border[0]


def test_vichy_units_go_nowhere_else_by_ship_or_by_air() -> None:
    """WD 28.C.invade."""
    state = invaded("allied")
    uid, state.player = vichy_units(state)[0], "axis"
    beyrouth = next(p.hex for p in state.board.places.values() if p.slug == "beyrouth")
    limassol, rayak = state.board.find(LIMASSOL), state.board.find(RAYAK)
    state.shift(uid, beyrouth)
    state.control |= {limassol: "axis", beyrouth: "axis", rayak: "axis"}
    state.turn = turn_number("Jun I 42")
    ship = moved("axis", order(0, "ship", unit=uid, to=LIMASSOL), state=state)
    assert "vichy_bound" in {p.code for p in ship.problems}
    assert state.hex_of(uid) == beyrouth
    assert [p.field for p in homebound_problems(state, [uid], limassol, "cargo")] == ["cargo"]
    assert homebound_problems(state, [uid], rayak) == []


def test_vichy_units_trace_to_their_own_terminals() -> None:
    state = invaded("allied")
    state.player, state.phase, state.step, state.turn = "axis", "initial", "initial", turn_number("Mar I 41")
    drive(initial_phase(Ctx(state, apply), "axis", [], ()), Assume())
    assert {state.pieces[uid].gs for uid in vichy_units(state)} == {True}
    for place in ("beyrouth", "damas"):
        h = next(p.hex for p in state.board.places.values() if p.slug == place)
        state.control[h] = "allied"
    drive(initial_phase(Ctx(state, apply), "axis", [], ()), Assume())
    assert {state.pieces[uid].gs for uid in vichy_units(state)} == {False}


def pressed(state: State, *dice: int) -> Ctx[State]:
    state.player, state.phase, state.step = "axis", "initial", "initial"
    ctx: Ctx[State] = Ctx(state, apply)

    def source(seq: int, roll) -> tuple[int, ...]:  # type: ignore[no-untyped-def]
        return dice if roll.kind == "vichy" else (1,) * roll.count

    drive(initial_phase(ctx, "axis", [order(0, "vichy_roll")], (1,)), source)
    return ctx


def test_pressure_brings_grants_that_last() -> None:
    """WD 28.C.1, 28.C.1.effect, chart.vichy."""
    state = start()
    state.turn = turn_number("May I 41")
    rayak = state.board.find(RAYAK)
    pressed(state, 2, 2)
    assert state.theatre.grant == "air"
    assert graph_of(state, "axis").closed(rayak) and not sky_of(state, "axis").closed(rayak)
    assert rayak in base_hexes(state, "axis") and rayak not in base_hexes(state, "allied")
    pressed(state, 6, 6)
    assert state.theatre.grant == "air"
    pressed(state, 1, 2)
    assert state.theatre.grant == "full"
    assert not graph_of(state, "axis").closed(rayak) and graph_of(state, "allied").closed(rayak)


def guests() -> State:
    """An Axis air unit at a base of neutral Vichy France, as the grant of air lets it."""
    state = start()
    state.turn, state.theatre = turn_number("May I 41"), replace(state.theatre, grant="air")
    state.boxes.pop(GUEST, None)
    state.air[GUEST] = Air(state.board.find(RAYAK))
    return state


@pytest.mark.parametrize("side", ["", "allied", "axis"])
def test_air_units_that_vichy_france_lets_in_are_no_fault(side: str) -> None:
    """Not while it is neutral, nor where its forces fight for them; against them it gives no shelter: they try to
    escape, and none is left at a base that is the enemy's (WD 28.C.1.effect, 17.B.capture)."""
    state = guests()
    ctx = moved(side, order(0, "invade_levant"), state=state) if side else None
    after = state if ctx is None else ctx.state
    assert not [line for line in faults(after) if GUEST in line]
    assert (GUEST in after.air and after.air[GUEST].hex == state.board.find(RAYAK)) == (side != "axis")


def test_pressure_has_its_modifier_after_an_invasion_and_comes_sooner() -> None:
    """WD 28.C.1."""
    state = start()
    state.turn = turn_number("Mar I 41")
    assert [p.code for p in pressed(state, 1, 1).problems] == ["early"]
    state = invaded("allied")
    state.turn = turn_number("Mar I 41")
    pressed(state, 2, 2)
    assert state.theatre.grant == "full"


def test_vichy_air_units_stay_in_the_levant() -> None:
    state = invaded("allied")
    aid = "air-m-167-vichy-1"
    state.air[aid] = Air(state.board.find(RAYAK))
    haifa = next(place.hex for place in state.board.places.values() if place.slug == "haifa")
    assert sky_of(state, "axis", aid).closed(haifa)
    assert not sky_of(state, "axis", aid).closed(state.board.find(RAYAK))

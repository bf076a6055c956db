"""Transfers and the flights that follow them: gliders on tow, those who carry together, the pass of the night (WD 20.D,
20.E, 24.C, 24.E)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from adjudicator.engine.core import Ctx
from adjudicator.western_desert.air.book import book_of, towed
from adjudicator.western_desert.air.facts import patrols_of
from adjudicator.western_desert.air.flying import air_movement
from adjudicator.western_desert.air.homecoming import fly_home
from adjudicator.western_desert.air.plans import checked
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.bases import base_capacity
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.state import Air, State
from adjudicator.western_desert.theatre.record import Operation
from tests.western_desert.skirmish import fixed, orders, told
from tests.western_desert.sorties import (
    GLIDER,
    HURRI,
    JU_52,
    JU_52_2,
    JU_87,
    ME,
    PARA,
    Script,
    air_phase,
    at,
    empty,
    lay,
)

Row = dict[str, Any]


@pytest.fixture
def state() -> State:
    """The Axis air phase of Compass: transports and a glider at Derna, a parachute regiment at Tobruk."""
    found = air_phase("axis")
    found.step = "air"
    empty(found, "Tobruk")
    lay(found, PARA, "Tobruk")
    for place in ("Derna", "Tobruk"):
        found.airfields[at(found, place)] = "axis"
    for aid in (JU_52, JU_52_2, GLIDER):
        found.boxes.pop(aid, None)
        found.air[aid] = Air(at(found, "Derna"))
    return found


def order(state: State, kind: str, who: list[str], where: str, **more: object) -> Row:
    """An order for air units to a place; who drops was planned for that hex (WD 27.A)."""
    if kind == "air_drop":
        one = Operation(PARA, "german_1941", state.turn, at(state, where))
        state.theatre = replace(state.theatre, operations=(one,))
    return {"type": kind, "air": who, "hex": state.board.name(at(state, where)), **more}


def faults_of(state: State, *rows: Row) -> list[list[str]]:
    """The codes of what is wrong with each order before the phase."""
    found = checked(state, "axis", orders(*rows))
    return [[problem.code for problem in problems] for _order, problems, _plans in found]


def fly(state: State, *rows: Row, dice: tuple[int, ...] = ()) -> Ctx[State]:
    """Run the section."""
    ctx: Ctx[State] = Ctx(state, apply)
    drive(air_movement(ctx, "axis", orders(*rows), (3,)), fixed(*dice))
    return ctx


def test_a_glider_that_was_transferred_is_towed_on(state: State) -> None:
    """WD 20.D, 24.C: the pair transfers within its rating, then drops; what is lawful beforehand is flown."""
    drop = order(state, "air_drop", [JU_52], "Bardia", tow=[GLIDER], cargo=[PARA])
    rows = order(state, "transfer", [JU_52], "Tobruk", tow=[GLIDER]), drop
    assert faults_of(state, *rows) == [[], []]
    ctx = fly(state, *rows)
    assert [event.kind for event in ctx.events] == ["flight", "flight", "special-used", "vp"]
    assert ctx.events[1].data["tow"] == GLIDER and towed(state) == {GLIDER: JU_52}
    assert state.air[GLIDER].hex == state.air[JU_52].hex == at(state, "Tobruk")


def test_a_glider_stays_where_it_was_transferred_to(state: State) -> None:
    """WD 24.C: its tow flies on without it; it is at the base that they came to, not at the one that they left."""
    back = order(state, "air_transport", [JU_52], "Derna", cargo=[PARA])
    fly(state, order(state, "transfer", [JU_52], "Tobruk", tow=[GLIDER]), back)
    assert towed(state) == {} and state.air[GLIDER].hex == at(state, "Tobruk")
    drive(fly_home(Ctx(state, apply)), Script())
    assert state.air[GLIDER] == Air(at(state, "Tobruk"), legs=state.air[GLIDER].legs)


def test_another_transport_takes_a_transferred_glider_over(state: State) -> None:
    state.air[JU_52_2].hex = at(state, "Tobruk")
    drop = order(state, "air_drop", [JU_52_2], "Bardia", tow=[GLIDER], cargo=[PARA])
    rows = order(state, "transfer", [JU_52], "Tobruk", tow=[GLIDER]), drop
    assert faults_of(state, *rows) == [[], []]
    fly(state, *rows)
    assert towed(state) == {GLIDER: JU_52_2}


def test_a_glider_is_bound_by_its_long_transfer(state: State) -> None:
    """WD 20.D.long: the other mission is barred for it, whoever would tow it."""
    state.air[JU_52_2].hex = at(state, "Tobruk")
    away = [state.board.name(at(state, "Benghazi"))]
    rows = (
        order(state, "transfer", [JU_52], "Tobruk", tow=[GLIDER], via=away),
        order(state, "air_drop", [JU_52_2], "Bardia", tow=[GLIDER], cargo=[PARA]),
    )
    assert faults_of(state, *rows) == [[], ["long_transfer"]]


def test_those_who_carry_together_fly_all_or_none(state: State) -> None:
    """WD 20.E.2: one of two transports is turned back on its transfer; the other drops no whole regiment."""
    state.air[HURRI] = Air(at(state, "Sidi Barrani"))
    state.airfields[at(state, "Bardia")] = "axis"
    state.air[JU_52].hex, state.air[JU_52_2].hex = at(state, "Bardia"), at(state, "Tobruk")
    rows = (
        order(state, "transfer", [JU_52], "Tobruk", via=[state.board.name(at(state, "Sidi Barrani"))]),
        order(state, "air_drop", [JU_52_2, JU_52], "Derna", cargo=[PARA]),
    )
    assert faults_of(state, *rows) == [[], []]
    ctx = fly(state, *rows, dice=(6,))
    (skipped,) = told(ctx, "skipped")
    assert skipped.data["with"] == [JU_52_2, JU_52] and len(told(ctx, "flight")) == 1
    assert book_of(state).last(JU_52_2) is None


def test_orders_are_judged_in_the_order_of_the_passes(state: State) -> None:
    """WD 24.E, ruling NIGHT-ORDER: the night comes after the day, so its transfer brings nobody nearer by day."""
    state.boxes.pop(JU_87, None)
    state.air[JU_87] = Air(at(state, "Benghazi"))
    rows = (
        order(state, "transfer", [JU_87], "Tobruk", night="yes"),
        order(state, "ground_support", [JU_87], "Sidi Barrani"),
    )
    assert "range" in faults_of(state, *rows)[1]


def test_units_that_may_not_leave_their_hex_are_not_flown_out(state: State) -> None:
    """WD 6.mr0, 29.C.1.placing, 33.D: a rating of 0, a return from Greece, divisional engineers at work."""
    state.air[JU_52].hex = at(state, "Tobruk")
    row = order(state, "air_transport", [JU_52], "Derna", cargo=[PARA])
    assert faults_of(state, row) == [[]]
    state.still, state.divisional = frozenset({PARA}), PARA
    assert faults_of(state, row) == [["divisional", "greece"]]
    state.still, state.divisional = frozenset(), ""
    fixed_one = replace(state.world.units[PARA], movement=0)
    state.world = replace(state.world, units={**state.world.units, PARA: fixed_one}, cache={})
    assert faults_of(state, row) == [["rating_0"]]


def test_a_base_without_capacity_takes_air_units_in_and_lets_none_go(state: State) -> None:
    """WD 17.A, 19.free: whoever lands there flies no mission until it is repaired, but patrols and may be bombed."""
    derna = at(state, "Derna")
    state.air[ME] = Air(at(state, "Tobruk"))
    state.base_hits[derna] = base_capacity(state, derna)
    fly(state, order(state, "transfer", [ME], "Derna"))
    drive(fly_home(Ctx(state, apply)), Script())
    assert state.air[ME].hex == derna and ME in patrols_of(state, "axis", book_of(state))
    Ctx(state, apply).emit("phase", "WD 4", turn="Dec II 40", player="axis", phase="air", surprise="")
    row = order(state, "transfer", [ME], "Tobruk")
    assert faults_of(state, row) == [["capacity"]]
    state.base_hits[derna] -= 1
    assert faults_of(state, row) == [[]]

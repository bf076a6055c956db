"""Orders of transport and drops: cargo, size, gliders, ground, a whole party together (WD 20.E, 24, 25)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from adjudicator.engine.core import Ctx
from adjudicator.western_desert.air.flying import air_movement
from adjudicator.western_desert.air.plans import checked, plans_of
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.state import Air, State
from adjudicator.western_desert.theatre.record import Operation
from tests.western_desert.ground import start
from tests.western_desert.skirmish import fixed, orders, told
from tests.western_desert.sorties import (
    BLEN,
    GLIDER,
    GLIDER_2,
    JU_52,
    JU_52_2,
    LANDER,
    PARA,
    PARA_2,
    at,
    empty,
    lay,
)

JU_52_3 = "air-ju-52-special-1"
Row = Mapping[str, object]


@pytest.fixture
def state() -> State:
    """The Axis air phase: transports, gliders and airborne units at Tobruk."""
    found = start()
    found.player, found.phase, found.step = "axis", "air", "air"
    empty(found, "Tobruk")
    for uid in (PARA, PARA_2, LANDER):
        lay(found, uid, "Tobruk")
    for aid in (JU_52, JU_52_2, JU_52_3, GLIDER, GLIDER_2):
        found.air[aid] = Air(at(found, "Tobruk"))
    found.airfields[at(found, "Tobruk")] = "axis"
    return found


def lift(state: State, kind: str, who: object, where: str, cargo: object, **more: object) -> Row:
    """An order for transports; whoever drops was planned for that hex (WD 27.A)."""
    if kind == "air_drop" and isinstance(cargo, list):
        planned(state, [str(uid) for uid in cargo], at(state, where))
    return {"type": kind, "air": who, "hex": state.board.name(at(state, where)), "cargo": cargo, **more}


def planned(state: State, units: list[str], h: int) -> None:
    """Operations of units against a hex, on this turn, in place of those before."""
    found = tuple(Operation(uid, "german_1941", state.turn, h) for uid in units)
    state.theatre = replace(state.theatre, operations=found)


def codes(state: State, *rows: Row) -> list[list[str]]:
    """What is wrong with each order, by code."""
    return [[problem.code for problem in found] for _order, found, _plans in checked(state, "axis", orders(*rows))]


def test_one_re_on_a_transport_and_half_of_it_on_a_drop(state: State) -> None:
    assert codes(state, lift(state, "air_transport", [JU_52], "Derna", [PARA])) == [[]]
    assert codes(state, lift(state, "air_transport", [JU_52], "Derna", [PARA, PARA_2])) == [["lift"]]
    assert codes(state, lift(state, "air_drop", [JU_52], "Bardia", [PARA])) == [["lift"]]
    assert codes(state, lift(state, "air_drop", [JU_52, JU_52_2], "Bardia", [PARA])) == [[]]
    assert codes(state, lift(state, "air_drop", [JU_52, JU_52_2], "Bardia", [PARA], extended="yes")) == [["lift"]]


def test_units_with_heavy_equipment_stay(state: State) -> None:
    lay(state, "it-22art", "Tobruk")
    assert codes(state, lift(state, "air_transport", [JU_52, JU_52_2], "Derna", ["it-22art"])) == [["heavy"]]


def test_only_airborne_units_drop_and_air_landing_units_from_gliders(state: State) -> None:
    lay(state, "it-60", "Tobruk")
    assert codes(state, lift(state, "air_drop", [JU_52, JU_52_2], "Bardia", ["it-60"]))[0][-1:] != []
    found = codes(state, lift(state, "air_drop", [JU_52, JU_52_2], "Bardia", [LANDER]))
    assert found == [["gliders_only"]]
    towing = lift(state, "air_drop", [JU_52, JU_52_2], "Bardia", [LANDER], tow=[GLIDER, GLIDER_2])
    assert codes(state, towing) == [[]]
    plans = plans_of(state, orders(towing)[0])
    assert [(plan.air, plan.tow, plan.cargo) for plan in plans] == [
        (JU_52, GLIDER, (LANDER,)),
        (JU_52_2, GLIDER_2, (LANDER,)),
    ]


def test_each_transport_tows_one_glider_and_each_glider_has_one_tow(state: State) -> None:
    both = lift(state, "air_transport", [JU_52], "Derna", [PARA], tow=[GLIDER, GLIDER_2])
    assert codes(state, both) == [["tow"]]
    one = lift(state, "air_transport", [JU_52], "Derna", [PARA], tow=[GLIDER])
    again = lift(state, "air_transport", [JU_52_2], "Derna", [PARA_2], tow=[GLIDER])
    assert codes(state, one, again) == [[], ["tow"]]


def test_the_ground_of_a_drop(state: State) -> None:
    for aid in (JU_52, JU_52_2):
        state.air[aid] = Air(at(state, "Bardia"))
    state.shift(PARA, at(state, "Bardia"))
    assert codes(state, lift(state, "air_drop", [JU_52, JU_52_2], "Alexandria", [PARA])) == [["drop_terrain"]]
    assert codes(state, lift(state, "air_drop", [JU_52, JU_52_2], "Matruh", [PARA])) == [[]]


def test_nobody_is_carried_twice(state: State) -> None:
    one = lift(state, "air_transport", [JU_52], "Derna", [PARA])
    again = lift(state, "air_transport", [JU_52_2], "Benghazi", [PARA])
    assert codes(state, one, again) == [[], ["cargo_twice"]]
    ctx: Ctx[State] = Ctx(state, apply)
    rows = ({**one, "unless_back": [JU_52_3]}, {**again, "unless_back": [JU_52]})
    drive(air_movement(ctx, "axis", orders(*rows), (3,)), fixed())
    assert [event.kind for event in ctx.events] == ["flight", "skipped"]
    assert told(ctx, "skipped")[0].rule == "WD 20.E"


def test_cargo_rides_where_it_fits_and_the_flight_tells_it(state: State) -> None:
    row = lift(state, "air_transport", [JU_52, JU_52_2], "Derna", [PARA, PARA_2])
    ctx: Ctx[State] = Ctx(state, apply)
    drive(air_movement(ctx, "axis", orders(row), (3,)), fixed())
    assert [event.data["cargo"] for event in told(ctx, "flight")] == [[PARA], [PARA_2]]


def test_a_stack_that_would_be_too_large_is_seen_before(state: State) -> None:
    derna = at(state, "Derna")
    sized = [uid for uid in sorted(state.side_units("axis")) if state.unit(uid).re2]
    for uid in [uid for uid in sized if not state.unit(uid).counter and not state.unit(uid).artillery][:5]:
        if uid not in (PARA, PARA_2, LANDER):
            state.shift(uid, derna)
    assert codes(state, lift(state, "air_transport", [JU_52], "Derna", [PARA])) == [["stacking"]]


def test_other_air_units_carry_nothing(state: State) -> None:
    state.air[BLEN] = Air(at(state, "Tobruk"))
    assert codes(state, lift(state, "air_transport", [BLEN], "Derna", [PARA])) == [["side"]]

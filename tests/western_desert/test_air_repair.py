"""Air units are repaired in the initial phase of their owner (WD 23, 28.A.3.turn, 28.B.3)."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from adjudicator.engine.core import Ctx
from adjudicator.western_desert.air.repairing import problems_of, repair_all
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.initial import order_problems
from adjudicator.western_desert.labels import LABEL_FORMS
from adjudicator.western_desert.state import Air, State
from tests.western_desert.ground import start
from tests.western_desert.skirmish import fixed, orders, told
from tests.western_desert.test_air_movement import BLEN, HURRI, ME, WELL, at

ITALIAN = "air-cr-42-1"


@pytest.fixture
def state() -> State:
    """The Allied initial phase of Jan I 41, with two inoperative air units at Matruh."""
    found = start()
    found.phase = found.step = "initial"
    found.turn = 3
    for aid in (BLEN, HURRI, WELL):
        found.air[aid] = Air(at(found, "Matruh"), operative=aid == WELL)
    found.air[ME] = Air(at(found, "Tobruk"), operative=False)
    return found


def run(state: State, *rows: Mapping[str, object], dice: tuple[int, ...] = (), side: str = "allied") -> Ctx[State]:
    """The attempts of a side by its orders."""
    ctx: Ctx[State] = Ctx(state, apply, remarks=[])
    drive(repair_all(ctx, side, orders(*rows), (3,)), fixed(*dice))
    return ctx


def test_all_inoperative_air_units_of_the_phasing_player_are_tried(state: State) -> None:
    """Allied: 1 or 2 until Jun II 41."""
    ctx = run(state, dice=(2, 3))
    found = [(e.data["air"], e.data["die"], e.data["needs"], e.data["repaired"]) for e in ctx.events]
    assert found == [(BLEN, "2", "2", "yes"), (HURRI, "3", "2", "")]
    assert (state.air[BLEN].operative, state.air[HURRI].operative, state.air[ME].operative) == (True, False, False)
    assert {(e.kind, e.rule) for e in ctx.events} == {("air-repaired", "WD 23")}
    label = str(ctx.events[0].data["label"])
    assert label.startswith("repair/") and any(re.fullmatch(form, label) for form in LABEL_FORMS)


def test_an_order_says_who_is_tried(state: State) -> None:
    ctx = run(state, {"type": "air_repair", "air": [HURRI]}, dice=(1,))
    assert [e.data["air"] for e in told(ctx, "air-repaired")] == [HURRI]
    assert ctx.remarks and "nobody tries to repair" in ctx.remarks[0].text
    assert run(state, {"type": "air_repair", "air": "none"}).events == []


@pytest.mark.parametrize(("aid", "rule"), [(WELL, "WD 23"), (ME, "WD 16.A"), ("air-well-1c-2", "WD 16.A")])
def test_who_can_not_be_tried_voids_the_order(state: State, aid: str, rule: str) -> None:
    ctx = run(state, {"type": "air_repair", "air": [aid]})
    assert [e.kind for e in ctx.events] == ["void"] and ctx.problems[0].rule == rule


def test_the_disarray_of_the_first_turn_forbids_it_to_italians(state: State) -> None:
    state.player, state.turn = "axis", 1
    state.air[ITALIAN] = Air(at(state, "Tobruk"), operative=False)
    assert [p.rule for p in problems_of(state, "axis", ITALIAN)] == ["WD 28.A.3.turn"]
    assert [e.data["air"] for e in run(state, side="axis", dice=(3,)).events] == [ME]
    state.turn = 2
    assert problems_of(state, "axis", ITALIAN) == []


def test_who_came_back_from_greece_waits(state: State) -> None:
    state.still = frozenset({BLEN})
    assert [p.rule for p in problems_of(state, "allied", BLEN)] == ["WD 29.C.1.placing"]


def test_none_in_the_surprise_turn(state: State) -> None:
    state.surprise = True
    assert run(state).events == []
    order = orders({"type": "air_repair", "air": [BLEN]})[0]
    assert [p.rule for p in order_problems(state, "allied", order)] == ["WD 28.B.3"]

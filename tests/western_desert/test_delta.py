"""The antiaircraft of the Delta, an optional rule: who counts, what may not leave (WD 33.G, ruling DELTA-AA)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adjudicator.engine.core import Order
from adjudicator.western_desert.battle import Attack
from adjudicator.western_desert.mover import Field
from adjudicator.western_desert.sea.convoys import plan_ship
from adjudicator.western_desert.state import State
from adjudicator.western_desert.theatre import delta
from tests.western_desert.ground import start
from tests.western_desert.turns import Turns

ALEXANDRIA, CAIRO = "19/2423", "19/3127"
LAST = "br-laa-1"


@pytest.fixture
def state() -> State:
    """Compass with the rule; one counter of antiaircraft is left in each city."""
    return bare(Turns(options="33.G").state)


def bare(state: State) -> State:
    """Without the antiaircraft of the Delta but one point in Cairo."""
    for uid in ("br-haa-3", "paa-allied-02", "paa-allied-01"):
        state.take_off(uid, "spare")
        del state.gone[uid]
    return state


def test_headquarters_and_divisions_are_none_of_it(state: State) -> None:
    """WD 33.G, ruling DELTA-KINDS: combat and position antiaircraft; a headquarters has a point of its own, which does
    not count."""
    cairo = state.board.find(CAIRO)
    assert state.unit("nz-2-hq").aa and delta.points(state, cairo) == state.unit(LAST).aa
    assert [delta.guards(state.unit(uid)) for uid in (LAST, "nz-2-hq", "nz-6")] == [True, False, False]
    assert [state.board.name(h) for h in delta.cities(state)] == [ALEXANDRIA, CAIRO]


def test_a_city_that_is_lost_needs_none(state: State) -> None:
    state.take_off(LAST, "spare")
    assert [state.board.name(h) for h in delta.lacking(state)] == [CAIRO]
    state.control[state.board.find(CAIRO)] = "axis"
    assert not delta.lacking(state)


def test_the_last_of_it_goes_by_no_way(state: State) -> None:
    """On foot, by ship, in an advance."""
    state.phase = state.step = "movement"
    order = Order(0, "ship", {"units": ["br-haa-1"], "to": "Port Said"})
    assert "WD 33.G" in [problem.rule for problem in plan_ship(Field(state, "allied"), "allied", order).problems]
    attack = Attack("allied", state.board.find("19/3026"), (LAST,))
    assert attack.units and [problem.rule for problem in delta.leaving_problems(state, attack.units)] == ["WD 33.G"]
    state.world = replace(state.world, switches={}, cache={})
    assert not delta.leaving_problems(state, [LAST])


def test_another_may_take_its_place(state: State) -> None:
    state.place("br-haa-3", state.board.find(CAIRO))
    assert not delta.leaving_problems(state, [LAST])
    assert delta.leaving_problems(state, [LAST, "br-haa-3"])


def test_a_loss_is_made_good_only_with_what_can_be_spared() -> None:
    """The one counter of Alexandria stays there, whatever Cairo lacks."""
    game = Turns(options="33.G")
    bare(game.state).take_off(LAST, "spare")
    game.play()
    assert not [row for row in game.told("told") if row["what"] == "delta" and row["unit"] == "br-haa-1"]
    assert game.state.hex_of("br-haa-1") == game.state.board.find(ALEXANDRIA)
    assert start().units_at(game.state.board.find(CAIRO))

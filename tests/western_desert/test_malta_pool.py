"""The replacement pool of Malta, an optional rule: who goes into it, what brings him back, how it is lost (WD 33.B)."""

from __future__ import annotations

import pytest

from adjudicator.engine.core import Ctx, Order
from adjudicator.engine.driver import Waits
from adjudicator.western_desert.air import arriving
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.control import emit_flips
from adjudicator.western_desert.mover import Field
from adjudicator.western_desert.pool import replace_problems
from adjudicator.western_desert.position import position, restore
from adjudicator.western_desert.sea.convoys import plan_ship
from adjudicator.western_desert.situation import situation
from adjudicator.western_desert.state import Air, State
from adjudicator.western_desert.template import template
from adjudicator.western_desert.theatre import malta_pool
from adjudicator.western_desert.victory.points import STORE, count_of
from adjudicator.western_desert.victory.territory import cities
from tests.western_desert.turns import Turns

LOST, ELSEWHERE, HURRI, BLEN = "br-16", "br-22", "air-hurri-1-1", "air-blen-4-1"
KEY = "british_non_armor"


@pytest.fixture
def state() -> State:
    """A brigade and a fighter are lost on Malta, another brigade and a bomber in the desert."""
    found = Turns(options="33.B").state
    island = cities(found.world, "malta")[0]
    found.shift(LOST, island)
    found.take_off(LOST, "eliminated")
    found.take_off(ELSEWHERE, "eliminated")
    found.air |= {HURRI: Air(island), BLEN: Air(found.board.find("19/1225"))}
    found.lose_air(HURRI)
    found.lose_air(BLEN)
    found.points |= {KEY: 16, "any_air": 16}
    return found


def rules(state: State, uid: str, h: int) -> list[str]:
    return [problem.rule for problem in replace_problems(state, "allied", uid, h)]


def test_who_was_on_malta_or_flew_from_it_lies_in_its_pool(state: State) -> None:
    """WD 33.B."""
    assert malta_pool.marked(state) == [HURRI, LOST]
    assert malta_pool.marked(restore(state.world, position(state))) == [HURRI, LOST]


def test_points_that_were_shipped_bring_him_back_there(state: State) -> None:
    island, cairo = cities(state.world, "malta")[0], state.board.find("19/3127")
    assert rules(state, LOST, island) == ["WD 33.B"]
    state.points[STORE + KEY] = 8
    assert not rules(state, LOST, island)
    assert rules(state, LOST, cairo) == ["WD 33.B"]
    assert rules(state, ELSEWHERE, island) and not rules(state, ELSEWHERE, cairo)
    state.place(LOST, cairo)
    state.take_off(LOST, "eliminated")
    assert malta_pool.marked(state) == [HURRI], "lost again, and elsewhere"


def test_air_units_need_no_ship_but_only_those_of_the_pool_come_to_malta(state: State) -> None:
    """WD 33.B; one of the pool may also be placed elsewhere (ruling MALTA-POOL)."""
    island, elsewhere = cities(state.world, "malta")[0], arriving.replacement_entry(state, "allied", BLEN).bases[0]
    assert not arriving.replace_problems(state, "allied", HURRI, island)
    assert not arriving.replace_problems(state, "allied", HURRI, elsewhere)
    assert [problem.code for problem in arriving.replace_problems(state, "allied", BLEN, island)] == ["place"]


def test_what_is_shipped_to_malta(state: State) -> None:
    """Ground points at hand, from a port in Egypt, to Malta alone, as much as the port takes (ruling MALTA-POOL)."""
    state.phase = state.step = "movement"
    valletta, said = state.board.name(cities(state.world, "malta")[0]), "19/3420"

    def codes(**row: str) -> list[str]:
        order = Order(0, "ship", {"rp": KEY, "from": said, "to": valletta, **row})
        return [problem.code for problem in plan_ship(Field(state, "allied"), "allied", order).problems]

    assert not codes() and not codes(points="2")
    assert codes(points="3") == codes(rp="any_air") == codes(points="0") == ["rp"]
    assert "island" in codes(to="19/2423") and "start" in codes(**{"from": "18/4818"})
    assert codes(unit="br-7-arm-a") == ["rp"]


def test_all_of_it_is_lost_with_the_island(state: State) -> None:
    """WD 33.B."""
    state.points[STORE + KEY] = 8
    assert count_of(state, "allied").ground_rp == 3
    ctx: Ctx[State] = Ctx(state, apply)
    emit_flips(ctx, dict.fromkeys(cities(state.world, "malta"), "axis"))
    (told,) = (event.data for event in ctx.events if event.kind == "pool-lost")
    assert told["units"] == [HURRI, LOST] and told["rp"] == [STORE + KEY]
    assert state.gone[LOST] == "permanent" and HURRI in state.gone and not malta_pool.marked(state)
    assert state.gone[ELSEWHERE] == "eliminated" and BLEN in state.boxes
    assert state.points == {KEY: 16, "any_air": 16}


def test_the_player_sees_what_lies_there_and_how_points_are_shipped(state: State) -> None:
    assert any("16 Inf X (Malta)" in line for line in situation(state, "allied"))
    written = template(state, "allied", Waits("decision", "allied", "orders/initial"))
    assert "rp: british_non_armor" in written and "to: Valletta" in written

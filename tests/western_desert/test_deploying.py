"""Free set-up in play: who comes first, what may stand where, what stands where nobody says so (WD 30)."""

from __future__ import annotations

from typing import Any

import pytest

from adjudicator.engine.core import Ctx, Tree
from adjudicator.engine.driver import Run
from adjudicator.engine.switches import BadSwitch
from adjudicator.match.games import table as table_of
from adjudicator.western_desert import hexes
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.deploying import deploy_problems, listed, may_hold, things
from adjudicator.western_desert.invariants import faults
from adjudicator.western_desert.position import position
from adjudicator.western_desert.setup import DEPLOYERS, start_control
from adjudicator.western_desert.situation import situation
from adjudicator.western_desert.state import State
from tests.western_desert.deployments import deployed, free, orders, put, set_ups
from tests.western_desert.sorties import at

TOBRUK, MATRUH, DERNA, ALEXANDRIA = "18/4818", "19/1225", "18/4117", "19/2423"


def codes(run: Run[Any]) -> list[tuple[int | None, str]]:
    return [(problem.order, problem.code) for problem in run.problems]


def where(run: Run[Any], name: str) -> str:
    state: State = run.state
    found = state.pieces.get(name) or state.supply.get(name) or state.air[name]
    return state.board.name(found.hex)


def ask_of(run: Run[Any]) -> tuple[str, str]:
    return run.waits.side, run.waits.key


def test_the_axis_player_is_asked_first_then_the_allied_player_then_play_begins() -> None:
    """WD 30.deploy."""
    assert ask_of(deployed()) == ("axis", "orders/deploy")
    assert ask_of(deployed([])) == ("allied", "orders/deploy")
    assert ask_of(deployed([], [])) == ("allied", "orders/initial")
    assert [run.state.player for run in (deployed(), deployed([]))] == list(DEPLOYERS)


def test_nothing_stands_before_its_owner_has_set_up() -> None:
    """WD 30.deploy: the Axis player sets up the Vichy forces."""
    begun, half = deployed().state, deployed([]).state
    assert not begun.pieces and not begun.air and not begun.supply
    assert {half.world.units[uid].side for uid in half.pieces} == {"axis", "vichy"}
    assert {half.world.units[uid].side for uid in half.boxes} == {"axis"}


def test_without_orders_it_is_the_set_up_as_listed() -> None:
    """Ruling FREE-SETUP."""
    run, whole = deployed([], []), listed(free().start().world)
    state: State = run.state
    assert {uid: piece.hex for uid, piece in state.pieces.items()} == {u: p.hex for u, p in whole.pieces.items()}
    assert {sid: c.hex for sid, c in state.supply.items()} == {sid: c.hex for sid, c in whole.supply.items()}
    assert {aid: unit.hex for aid, unit in state.air.items()} == {aid: unit.hex for aid, unit in whole.air.items()}
    assert state.control == whole.control
    assert faults(state) == [] and not run.problems


def test_the_dice_of_disarray_fall_when_the_axis_player_has_set_up() -> None:
    assert not [event for event in deployed().events if event.kind == "disarray"]
    after = [event.kind for event in deployed([]).events]
    assert after.index("disarray") > max(n for n, kind in enumerate(after) if kind == "deploy-air")


@pytest.mark.parametrize(
    ("row", "code"),
    [
        (put(TOBRUK, units=["it-4tk"]), ""),
        (put(DERNA, air=["air-cr-42-1"]), ""),
        (put(ALEXANDRIA, units=["it-64"]), "control"),
        (put(ALEXANDRIA, units=["vi-le6"]), "area"),
        (put("18/4819", air=["air-cr-42-1"]), ""),
        (put("19/0326", air=["air-cr-42-1"]), "no_base"),
        (put(TOBRUK, units=["it-sangiorgio"]), "not_yours"),
        (put(TOBRUK, units=["br-16"]), "not_yours"),
        (put(TOBRUK), "units"),
        (put("18/4822", units=["it-1cn", "it-2cn", "it-61", "it-60"]), "stacking"),
    ],
)
def test_what_may_stand_where(row: dict[str, Tree], code: str) -> None:
    """Ruling FREE-SETUP: in its area, in ground of its side, air units at airbases."""
    run = deployed(orders(row))
    assert codes(run) == ([(0, code)] if code else [])
    if not code:
        named = next(iter([*run_named(row)]))
        assert where(run, named) == row["at"]


def run_named(row: dict[str, Tree]) -> list[str]:
    return [str(name) for key in ("units", "air", "counters") for name in (row.get(key) or [])]


def test_alike_units_change_places() -> None:
    """A division of Egypt stands in Tobruk; the one of Cyrenaica that is like it stands in Egypt for it (ruling
    FREE-SETUP)."""
    run = deployed(orders(put(TOBRUK, units=["it-63"])))
    assert not run.problems and where(run, "it-63") == TOBRUK
    other = next(uid for uid in ("it-60", "it-61", "it-62", "it-64") if where(run, uid) == "19/0527")
    assert run.state.board.name(listed(run.state.world).pieces[other].hex) != "19/0527"
    assert faults(run.state) == []


def test_a_void_order_leaves_no_trace() -> None:
    run = deployed(orders(put(TOBRUK, units=["it-63", "vi-le6"])))
    assert codes(run) == [(0, "area")]
    assert where(run, "it-63") == "19/0527"


def test_what_finds_no_room_stands_as_near_as_may_be() -> None:
    """The 62nd Division is listed where as many as may stack stand now."""
    full = ("it-61", "it-60", "it-1cn")
    run = deployed(orders(put("19/0226", units=[*full])))
    assert not run.problems and {where(run, uid) for uid in full} == {"19/0226"}
    assert hexes.distance(run.state.pieces["it-62"].hex, run.state.board.find("19/0226")) == 1
    assert faults(run.state) == []


def test_brigades_of_malta_stay_there() -> None:
    run = deployed([], orders(put(MATRUH, units=["br-1m"])))
    assert codes(run) == [(0, "area")]


def test_what_the_axis_leaves_of_egypt_is_allied_ground() -> None:
    """Without Italians beyond Sollum the Allied player may begin at Sidi Barrani (ruling FREE-SETUP)."""
    sidi = "19/0725"
    back = [put("19/0426", counters=["supply-axis-1"])]
    gone = [uid for uid in things(free().start().world, "axis") if uid.kind == "unit" and uid.name.startswith("it-")]
    inside = [t.name for t in gone if free().start().board.name(t.home).startswith("19/0") and t.home in egypt()]
    spots = ["19/0426", "19/0327", "19/0427"]
    rows = [put(spots[n % 3], units=[name]) for n, name in enumerate(inside)]
    run = deployed(orders(*back, *rows))
    state: State = run.state
    assert not run.problems
    h = state.board.find(sidi)
    assert state.owner(h) == "allied" and may_hold(state, "allied", h)
    assert where(deployed(orders(*back, *rows), orders(put(sidi, units=["br-16"]))), "br-16") == sidi


def egypt() -> list[int]:
    board = free().start().board
    return [h for h in board.land if board.in_region(h, "Egypt")]


def test_other_orders_are_refused() -> None:
    run = deployed(orders({"type": "general_supply", "counter": "supply-axis-1"}, {"type": "section", "name": "air"}))
    assert codes(run) == [(0, "setup")]


def test_deploy_is_an_order_of_the_set_up_alone() -> None:
    run = deployed([], [], [], orders(put(MATRUH, units=["br-16"])))
    assert codes(run) == [(0, "setup")]
    start = table_of("western-desert", "compass", ()).start()
    start.phase = "initial"
    assert [p.code for p in deploy_problems(start, "allied")] == ["setup"]


def test_the_allied_player_waits_for_the_axis_player() -> None:
    assert [p.code for p in deploy_problems(deployed().state, "allied")] == ["axis_first"]
    assert deploy_problems(deployed().state, "axis") == []
    assert deploy_problems(deployed([]).state, "allied") == []


def test_each_side_is_told_what_it_sets_up() -> None:
    assert "47 ground units, 17 air units and 4 supply counters" in situation(deployed().state, "axis")[1]
    assert situation(deployed().state, "allied")[1].startswith("The Axis player sets up first")
    assert situation(deployed([]).state, "axis")[1].startswith("You have set up")


def test_the_position_in_between_is_read_back() -> None:
    state: State = deployed([]).state
    assert position(free().restore(position(state))) == position(state)


def test_scenarios_without_areas_are_set_up_as_listed() -> None:
    with pytest.raises(BadSwitch, match="is set up as it is listed"):
        table_of("western-desert", "crusader", (("setup", "free"),))
    assert ask_of(deployed(rules=free("campaign"))) == ("axis", "orders/deploy")


def test_programs_set_up() -> None:
    sent: list[list[dict[str, Tree]]] = list(set_ups(2))
    for axis, allied in (sent[:2], sent[2:]):
        run = deployed(orders(*axis), orders(*allied))
        assert not run.problems, run.problems
        assert faults(run.state) == []
        assert ask_of(run) == ("allied", "orders/initial")
    kinds = {key for rows in sent for row in rows for key in row}
    assert kinds >= {"units", "air", "counters"}
    assert at(run.state, "Tobruk") in {piece.hex for piece in run.state.pieces.values()}


def test_what_units_occupy_or_threaten_at_the_start_is_theirs() -> None:
    """WD 30.control: in Egypt and Libya; Crete is not Allied."""
    rules = table_of("western-desert", "campaign", ())
    ctx: Ctx[State] = Ctx(rules.start(), apply)
    land, matruh = ctx.state.board.land, ctx.state.board.find(MATRUH)
    ctx.state.place("it-63", matruh)
    start_control(ctx, ctx.state.world.scenario)
    assert ctx.state.owner(matruh) == "axis" and [event.kind for event in ctx.events] == ["control"]
    assert not [h for h, info in land.items() if info.country == "Crete" and ctx.state.owner(h) == "allied"]

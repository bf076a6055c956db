"""Raids, the garrison of Tripolitania and the check of garrisons in play (WD 28.A.2, 28.B.2, 28.B.4)."""

from __future__ import annotations

import pytest

from adjudicator.engine.core import Ctx, Event, Order, Tree
from adjudicator.engine.dice import Assume, Scripted
from adjudicator.engine.driver import Checkpoint, play
from adjudicator.match.games import table as table_of
from adjudicator.western_desert import hexes
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.fifth_army import tripoli
from adjudicator.western_desert.initial import initial_phase
from adjudicator.western_desert.position import position, restore
from adjudicator.western_desert.state import Air, State, turn_number
from adjudicator.western_desert.theatre import tripolitania
from adjudicator.western_desert.theatre.phase import missing_of
from tests.western_desert.ground import start

DERNA = "18/4117"


def phase(state: State, side: str, turn: str, orders: list[Order], **dice: list[int]) -> Ctx[State]:
    """An initial phase of a side on a turn of which the order of battle brings nothing here."""
    state.player, state.turn, state.surprise = side, turn_number(turn), False
    state.phase = state.step = "initial"
    ctx: Ctx[State] = Ctx(state, apply)
    drive(initial_phase(ctx, side, orders, (1,)), Rest(dice))
    return ctx


class Rest(Scripted):
    """Dice of the kinds that a test is about; all others are ones."""

    def __init__(self, dice: dict[str, list[int]]) -> None:
        super().__init__(dice)
        self.kinds = set(dice)

    def __call__(self, seq: int, roll) -> tuple[int, ...]:  # type: ignore[no-untyped-def]
        return super().__call__(seq, roll) if roll.kind in self.kinds else (1,) * roll.count


def order(kind: str, **data: Tree) -> Order:
    return Order(0, kind, data)


def of_kind(ctx: Ctx[State], kind: str) -> list[Event]:
    return [event for event in ctx.events if event.kind == kind]


BASED = ["air-sm-79-1", "air-sm-79-2", "air-sm-79-3"]


def airy() -> State:
    """Three bombers at Derna, the first of them inoperative."""
    state = start()
    for aid in BASED:
        state.air[aid] = Air(state.board.find(DERNA), operative=aid != BASED[0])
    return state


def test_a_raid_hits_one_unit_drawn_at_random() -> None:
    """WD 28.B.4, chart.raid."""
    state = airy()
    ctx = phase(state, "allied", "Nov I 41", [order("raid", at=DERNA)], raid=[5], raid_victim=[2])
    assert [event.data["air"] for event in of_kind(ctx, "raided")] == [BASED[2]]
    assert not state.air[BASED[2]].operative and state.air[BASED[1]].operative
    assert restore(state.world, position(state)).theatre == state.theatre


def test_a_raid_that_misses_counts_for_the_month_all_the_same() -> None:
    """WD 28.B.4."""
    state = start()
    ctx = phase(state, "allied", "Nov I 41", [order("raid", at=DERNA)], raid=[4])
    assert [event.data["result"] for event in of_kind(ctx, "raid")] == ["none"]
    assert [p.code for p in phase(state, "allied", "Nov II 41", [order("raid", at=DERNA)]).problems] == ["month"]
    assert not phase(state, "allied", "Dec I 41", [order("raid", at=DERNA)], raid=[1]).problems


@pytest.mark.parametrize("where", ["19/1912", "18/0602", "18/3030", "nowhere"])
def test_only_axis_airbases_in_egypt_and_libya_are_raided(where: str) -> None:
    """WD 28.B.4."""
    ctx = phase(start(), "allied", "Nov I 41", [order("raid", at=where)])
    assert len(ctx.problems) == 1 and ctx.problems[0].field == "at"
    assert of_kind(ctx, "raid") == []


def threatened() -> State:
    """An Allied brigade within 12 hexes of Tripoli."""
    state = start()
    for uid in ("it-gaf33", "it-gaf34", "it-libg"):
        state.put_by(uid, tripolitania.BOX)
    state.place("br-16", next(h for h in sorted(state.board.land) if hexes.distance(h, tripoli(state)) == 12))
    return state


def test_the_garrison_appears_all_together() -> None:
    """WD 28.A.2: within 3 hexes of Tripoli."""
    state = threatened()
    units = tripolitania.boxed(state)
    spot = max(tripolitania.spots(state), key=lambda h: (hexes.distance(h, tripoli(state)), h))
    name = state.board.name(spot)
    ctx = phase(state, "axis", "Mar I 41", [order("tripolitania", unit=units[0], at=name)])
    assert not ctx.problems
    assert tripolitania.boxed(state) == []
    assert state.hex_of(units[0]) == spot
    assert {state.hex_of(uid) for uid in units[1:]} == {tripoli(state)}


def test_without_an_order_the_garrison_stays() -> None:
    state = threatened()
    units = tripolitania.boxed(state)
    assert not phase(state, "axis", "Mar I 41", []).problems
    assert tripolitania.boxed(state) == units


def test_an_unlawful_order_brings_nobody() -> None:
    state = threatened()
    units = tripolitania.boxed(state)
    far = order("tripolitania", unit=units[0], at=DERNA)
    assert [p.code for p in phase(state, "axis", "Mar I 41", [far]).problems] == ["spot"]
    assert tripolitania.boxed(state) == units


def test_garrisons_of_crusader_are_manned() -> None:
    table = table_of("western-desert", "crusader", ())
    run = play(table, Checkpoint(table.start()), [], Assume())
    after = run.checkpoint.state
    assert after.theatre.invaded == turn_number("Jun I 41")
    assert [missing_of(after, region) for region in ("Palestine", "Levant")] == [(0, 0), (0, 0)]


def test_a_garrison_that_is_missing_costs_points_each_initial_phase() -> None:
    """WD 28.B.2: a point for each of the 3 REs of Palestine."""
    state = start()
    for uid in [u for u in state.side_units("allied") if state.board.in_region(state.hex_of(u), "Palestine")]:
        state.take_off(uid, "eliminated")
    ctx = phase(state, "allied", "Feb I 41", [])
    lost = [event.data["vp"] for event in of_kind(ctx, "vp") if event.rule == "WD 28.B.2"]
    assert lost == ["-3"]

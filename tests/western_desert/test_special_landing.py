"""The seaborne invasion of Malta in play: waves, dice, zones, the attack at a quarter, supply (WD 27.C)."""

from __future__ import annotations

from adjudicator.engine.core import Ctx, Event, Order, Tree
from adjudicator.engine.dice import Scripted
from adjudicator.western_desert.air.drops import must_attack
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.movement import movement_phase
from adjudicator.western_desert.position import position, restore
from adjudicator.western_desert.sea.tables import SUNK, sea_tables
from adjudicator.western_desert.state import State
from adjudicator.western_desert.theatre.assault import FIRST, SECOND, landing_order_problems
from adjudicator.western_desert.theatre.operation import count_losses
from adjudicator.western_desert.theatre.special import SIDE
from tests.western_desert.operations import FRIULI, GOZO, LIVORNO, SAN_MARCO, SUPERGA, landed, landing, waves

PASS = [2, 2]


def wave(state: State, kind: str, *units: str, steps: str = "") -> Ctx[State]:
    """A section with one wave in it; every item passes the Malta table."""
    data: dict[str, Tree] = {"units": [*units]} if units else {}
    data |= {"steps": steps} if steps else {}
    ctx: Ctx[State] = Ctx(state, apply)
    drive(movement_phase(ctx, SIDE, [Order(0, kind, data)], (3,)), Scripted({"malta": PASS * 8, "shipping": [1] * 8}))
    return ctx


def of_kind(ctx: Ctx[State], kind: str) -> list[Event]:
    return [event for event in ctx.events if event.kind == kind]


def held(state: State) -> State:
    """The invasion hex is the Axis player's."""
    state.control[state.board.find(GOZO)] = SIDE
    return state


def test_the_first_wave_lands_without_a_zone_and_is_paid_for() -> None:
    """WD 27.C.wave1, 27.C.zoc, 27.B.2.cost."""
    state = landing()
    ctx = wave(state, FIRST, LIVORNO, SAN_MARCO)
    assert [event.data["unit"] for event in of_kind(ctx, "special-landed")] == [LIVORNO, SAN_MARCO]
    assert state.owner(state.board.find(GOZO)) == SIDE and state.pieces[LIVORNO].seaborne
    assert not state.ezoc(state.board.find("18/0408"), "allied"), "no zone of control in this player turn"
    assert [event.data["vp"] for event in of_kind(ctx, "vp")] == ["-6"]
    assert position(restore(state.world, position(state))) == position(state)


def test_on_enemies_it_must_attack_at_a_quarter() -> None:
    state = landing()
    brigade = next(u for u, unit in sorted(state.world.units.items()) if unit.side == "allied" and unit.re2 == 2)
    state.place(brigade, state.board.find(GOZO))
    wave(state, FIRST, LIVORNO)
    assert must_attack(state, LIVORNO) and state.owner(state.board.find(GOZO)) != SIDE


def test_the_waves_have_limits() -> None:
    """WD 27.C, 27.C.wave2: 4 REs, then 7 REs and two steps into a hex that the Axis holds."""
    def codes(state: State, kind: str, **data: Tree) -> list[str]:
        return [problem.code for problem in landing_order_problems(state, SIDE, Order(0, kind, data))]

    assert codes(landing(), FIRST, units=[LIVORNO, FRIULI]) == []
    assert "wave_re" in codes(landing(), FIRST, units=[LIVORNO, FRIULI, SAN_MARCO])
    assert codes(landing(), SECOND, units=[LIVORNO]) == ["moment"]
    assert codes(landing("exploitation"), SECOND, units=[LIVORNO]) == ["not_held"]
    assert codes(landing("exploitation"), SECOND, steps="2") == ["not_held"]
    assert codes(held(landing("exploitation")), SECOND, units=[LIVORNO], steps="2") == []
    assert codes(held(landing("exploitation")), SECOND, units=[LIVORNO], steps="3") == ["wave_supply"]
    assert codes(landing(), FIRST, units=["it-26ass"]) == ["not_announced"]
    state = landing()
    wave(state, FIRST, LIVORNO)
    assert "wave_re" in codes(state, FIRST, units=[FRIULI, SAN_MARCO]), "what landed before counts"


def test_supply_comes_once_with_the_second_wave() -> None:
    """WD 27.C.wave2, 27.B.2.cost."""
    state = held(landing("exploitation"))
    ctx = wave(state, SECOND, SUPERGA, steps="1")
    (counter,) = of_kind(ctx, "supply-landed")
    assert counter.data["steps"] == "1" and counter.data["hex"] == GOZO
    assert [event.data["vp"] for event in of_kind(ctx, "vp")] == ["-4", "-3"]
    again = landing_order_problems(state, SIDE, Order(0, SECOND, {"steps": "1"}))
    assert [problem.code for problem in again] == ["spent"]


def test_what_is_sunk_costs_as_much_again_and_is_out_of_play() -> None:
    state = landing()
    tables = sea_tables(state.world)
    dice = next([n] for n in range(2, 13) if tables.affected(state.malta, n))
    ctx: Ctx[State] = Ctx(state, apply)
    lost = Scripted({"malta": dice, "shipping": [next(die for die in range(1, 7) if tables.result(die) == SUNK)]})
    drive(movement_phase(ctx, SIDE, [Order(0, FIRST, {"units": [SAN_MARCO]})], (3,)), lost)
    count_losses(ctx)
    assert state.gone[SAN_MARCO] == "permanent" and not of_kind(ctx, "special-landed")
    assert [event.data["vp"] for event in of_kind(ctx, "vp")] == ["-2", "-2"]


def test_programs_land_what_the_rules_let_go() -> None:
    kinds = {str(row["type"]) for row in waves()}
    assert kinds == {FIRST, SECOND}
    assert [e.data["wave"] for e in landed() if e.kind == "special-landed"] == ["first", "first", "second"]

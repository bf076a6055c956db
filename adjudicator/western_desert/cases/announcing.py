"""The case in words about a special operation that is announced (SO-06; WD 27.A.announce)."""

from __future__ import annotations

from dataclasses import replace

from adjudicator.engine.core import Answer, Ask, Order, Proof, Roll, Tree
from adjudicator.western_desert.cases.build import new_state, real_world
from adjudicator.western_desert.cases.drive import context, drive
from adjudicator.western_desert.cases.narratives import play
from adjudicator.western_desert.initial import USE, initial_phase
from adjudicator.western_desert.state import ENEMY, State, Supply, turn_number
from adjudicator.western_desert.theatre.forces import pool_box
from adjudicator.western_desert.theatre.operation import announce
from adjudicator.western_desert.theatre.plans import BOOK, CARRY_OUT, country_of
from adjudicator.western_desert.theatre.special import GERMAN_1941, MALTA, SIDE

FORCE, HEX, WHEN, DUE = "lw-1para", "18/0408", "Jun II 41", "Sep I 41"
PLANNED: Tree = {"hex": HEX, "planned": WHEN, "turn": DUE}


@play("SO-06")
def _announced() -> str:
    """An operation against Malta is due: what its owner announces, and what the Allied player may do then."""
    state = announced_against(MALTA)
    ctx = context(state)
    order = Order(0, CARRY_OUT, {"units": [FORCE]})
    announce(ctx, SIDE, [order], [Proof(BOOK, 1, FORCE, PLANNED)], (2,))
    (event,) = ctx.events
    said = {"side", "places", "order", "units"}
    if event.kind != "special-announced" or event.data["places"] != [MALTA] or set(event.data) != said:
        return f"{event.kind}: {event.data}"
    drive(initial_phase(ctx, SIDE, [], (2,)), _ones, _use_supply)
    used = [one.data for one in ctx.events if one.kind == "supply-used" and one.data["side"] == ENEMY[SIDE]]
    if not used or not all(state.pieces[uid].gs for uid in state.side_units(ENEMY[SIDE])):
        return "The Allied player may not spend a supply step on Malta."
    return (
        "Its owner announces the island or country only, not the hex. The Allied player may then spend a supply step "
        "for general supply on Malta."
    )


def announced_against(place: str) -> State:
    """An Axis initial phase for which an operation was planned in time; an Allied brigade with supply on the island."""
    real = real_world()
    state = new_state(real.board, SIDE, "initial")
    state.world = replace(real, cache={})
    state.turn = turn_number(DUE)
    state.theatre = replace(state.theatre, sealed=((turn_number(WHEN), 1),))
    state.put_by(FORCE, pool_box(GERMAN_1941))
    target = state.board.find(HEX)
    assert country_of(state, target) == place
    brigade = next(uid for uid, unit in sorted(state.world.units.items()) if unit.side == ENEMY[SIDE] and unit.re2 == 2)
    state.place(brigade, target)
    state.supply["island"] = Supply(target, ENEMY[SIDE], 1)
    return state


def _use_supply(request: Ask[object]) -> Answer[object]:
    """Every counter that may be spent is."""
    return Answer(USE if request.topic == "supply" else request.default(), "order")


def _ones(seq: int, roll: Roll) -> tuple[int, ...]:
    return (1,) * roll.count

"""Axis player turns of the campaign in which special operations are planned and come due."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Event, Order, Tree
from adjudicator.engine.dice import Assume
from adjudicator.engine.driver import Checkpoint, Message, Waits, play
from adjudicator.match.games import table
from adjudicator.packs import load_pack
from adjudicator.western_desert.bot_special import plan_rows, wave_rows
from adjudicator.western_desert.state import State, World, turn_number
from adjudicator.western_desert.theatre.forces import AT_SEA, pool_box
from adjudicator.western_desert.theatre.plans import WesternPlans
from adjudicator.western_desert.theatre.record import Operation
from adjudicator.western_desert.theatre.special import GERMAN_1941, ITALIAN, SIDE
from adjudicator.western_desert.world import first_state, world_from_pack

PARA, PARA_2, JU, JU_2 = "lw-1para", "lw-2para", "air-ju-52-special-1", "air-ju-52-special-2"
NICOSIA, RHODES = "19/3304", "19/1003"
PLANNED, DUE = "Jun II 41", "Sep I 41"
TOPIC: dict[str, Tree] = {"hex": NICOSIA, "planned": PLANNED, "turn": DUE}
BOOKS = tuple((turn, turn - 10) for turn in range(turn_number(PLANNED) - 2, turn_number(DUE)))
AT = 20
SEEDS = 40
Row = dict[str, Tree]


@cache
def world() -> World:
    """The world of the campaign; never changed."""
    return world_from_pack(load_pack("western-desert").tree, "campaign")


def autumn(turn: str = DUE) -> State:
    """An Axis initial phase of the campaign whose books were sealed in every turn; the pool of 1941 lies ready."""
    state = first_state(replace(world(), cache={}))
    state.player, state.phase, state.step, state.turn = SIDE, "initial", "initial", turn_number(turn)
    state.theatre = replace(state.theatre, sealed=tuple(one for one in BOOKS if one[0] < state.turn))
    for uid in (PARA, PARA_2, JU, JU_2):
        state.put_by(uid, pool_box(GERMAN_1941))
    for name in ("Crete", "Rhodes"):
        state.control.update({h: SIDE for h in state.board.land if state.board.in_region(h, name)})
    state.airfields[state.board.find(RHODES)] = SIDE
    return state


def chance_rows() -> Iterator[Row]:
    """What programs plan and cancel, with the order that carries out what is due."""
    for seed in range(SEEDS):
        chance = Chance(random.Random(f"plans {seed}").random)
        kept: dict[str, Tree] = {PARA: TOPIC, JU: TOPIC} if seed % 2 else {}
        yield from plan_rows(autumn(PLANNED), chance, kept)
    (order,) = due().orders[-1:]
    yield {"type": order.type, **order.data}


def due(state: State | None = None, seq: int = AT) -> Message:
    """The message of the turn on which an operation of two regiments and two transports is due: one of them drops."""
    kept: dict[str, Tree] = dict.fromkeys((PARA, PARA_2, JU, JU_2), TOPIC)
    start = state or autumn()
    made = WesternPlans(start.world).planning(start, SIDE, Waits("decision", SIDE, "orders/initial"), (), lambda: kept)
    drop: Row = {"type": "air_drop", "air": [JU, JU_2], "cargo": [PARA], "hex": NICOSIA, "land": [RHODES]}
    rows: list[Row] = [{"type": "section", "name": "movement"}, {"type": "section", "name": "air"}, drop]
    rows += [{"type": "section", "name": "combat"}, {"type": "section", "name": "exploitation", "say": "none"}]
    orders = [Order(n, str(row.pop("type")), row) for n, row in enumerate(rows)]
    return Message(seq, SIDE, (*orders, *made.orders), made.proofs)


def happened() -> list[Event]:
    """The whole player turn: announced, mustered, dropped, the others back in the pool."""
    messages = [due(), *(Message(AT + n, SIDE if n % 2 == 0 else "allied") for n in range(1, 5))]
    rules = table("western-desert", "campaign", ())
    return play(rules, Checkpoint(autumn(), AT - 1, AT - 1, ()), messages, Assume()).events


# --- the landing on Malta -----------------------------------------------------------------------------------------

LIVORNO, SAN_MARCO, FRIULI, SUPERGA = "it-4liv", "it-sm", "it-20fri", "it-1sup"
VALLETTA, GOZO = "18/0408", "18/0308"
LANDING = "Jun I 42"


def landing(phase: str = "movement") -> State:
    """An Axis player turn of 1942 with a landing announced: four Italian units wait for their ships."""
    state = first_state(replace(world(), cache={}))
    state.player, state.phase, state.step, state.turn = SIDE, phase, phase, turn_number(LANDING)
    units = (LIVORNO, SAN_MARCO, FRIULI, SUPERGA)
    found = tuple(Operation(uid, ITALIAN, state.turn, state.board.find(GOZO)) for uid in units)
    state.theatre = replace(state.theatre, operations=found)
    for uid in units:
        state.put_by(uid, AT_SEA)
    return state


def waves() -> list[Row]:
    """What programs order: the first wave, and the second with supply once the hex is theirs."""
    chance = Chance(random.Random("waves").random)
    later = landing("exploitation")
    later.control[later.board.find(GOZO)] = SIDE
    rows = [row for state in (landing(), later) for _ in range(3) for row in wave_rows(state, chance)]
    state = landing()
    for uid in (SAN_MARCO, FRIULI, SUPERGA):
        state.theatre = state.theatre.without(uid)
    return [*rows, *wave_rows(state, chance), *wave_rows(state, chance)]


def landed() -> list[Event]:
    """Both waves on the island of Gozo, which nobody holds."""
    rows: list[Row] = [{"type": "section", "name": "movement"}, {"type": "seaborne", "units": [LIVORNO, SAN_MARCO]}]
    rows += [{"type": "section", "name": name} for name in ("air", "combat", "exploitation")]
    rows.append({"type": "land_second_wave", "units": [FRIULI], "steps": "2"})
    told = Message(AT, SIDE, tuple(Order(n, str(row.pop("type")), row) for n, row in enumerate(rows)))
    messages = [told, *(Message(AT + n, SIDE if n % 2 == 0 else "allied") for n in range(1, 5))]
    rules = table("western-desert", "campaign", ())
    return play(rules, Checkpoint(landing(), AT - 1, AT - 2, (AT,)), messages, Assume()).events

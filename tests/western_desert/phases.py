"""Phases of chance on scattered positions of the real map: the programs that play write the orders, the driver runs."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache

from hypothesis import settings

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Event, Order, Tree
from adjudicator.engine.dice import Assume, Local
from adjudicator.engine.driver import Checkpoint, Message, Run, play
from adjudicator.match.play.watch import order_of
from adjudicator.western_desert import hexes
from adjudicator.western_desert.component_sets import PartSet, is_headquarters, is_own, must_be_own, sets_of
from adjudicator.western_desert.divisions import assemblies
from adjudicator.western_desert.due import due
from adjudicator.western_desert.graph import graph_of
from adjudicator.western_desert.railworks import railhead
from adjudicator.western_desert.stacking import fits
from adjudicator.western_desert.state import LAST_TURN, State, Supply, turn_number
from adjudicator.western_desert.units import Unit
from tests.western_desert.ground import FRONTIER, run, scattered, settled
from tests.western_desert.surprise import table

PHASES = ("initial", "movement", "combat", "exploitation")
AT = 3
ROUNDS = max(1, settings().max_examples // 2)
"""Positions of each phase that the usual run looks at; ``--hypothesis-profile long`` looks at 120 times as many."""

Row = dict[str, Tree]


@dataclass(frozen=True)
class Phase:
    """A phase that was played: the position before it, the orders, what happened, the position after it."""

    before: State
    rows: tuple[Row, ...]
    run: Run[State]

    @property
    def after(self) -> State:
        """The position when the next choice is waited for."""
        return self.run.state

    @property
    def events(self) -> list[Event]:
        """What happened."""
        return self.run.events

    @property
    def orders(self) -> tuple[Order, ...]:
        """The orders as the driver read them."""
        return tuple(order_of(dict(row), index) for index, row in enumerate(self.rows))


def position(seed: int, phase: str) -> State:
    """Units and supply of both sides at random around the frontier, before a phase of one of them."""
    chance = random.Random(f"position {seed}")
    crowded = phase == "combat" or chance.random() < 0.3
    units = 90 if phase == "combat" else 40
    state = scattered(seed, units, chance.sample(FRONTIER, 2)) if crowded else scattered(seed, 30)
    for side in ("allied", "axis"):
        own = sorted({state.hex_of(uid) for uid in state.side_units(side)})
        for _number in range(chance.randint(0, 4) if own else 0):
            h = chance.choice(own)
            state.captured += 1
            state.supply[f"supply-{side}-captured-{state.captured}"] = Supply(h, side, chance.randint(1, 2))
    state = _divisions(state, chance)
    state.phase = state.step = phase
    _date(state, chance, phase)
    _engineers(state, chance)
    _trucks(state, chance)
    settled(state)
    return state


def _divisions(state: State, chance: random.Random) -> State:
    """Components of some divisions of the phasing side stacked together, now and then assembled (WD 15)."""
    world, side = state.world, state.player
    own = sorted({state.hex_of(uid) for uid in state.side_units(side)})
    whole = [u for uid, u in sorted(world.units.items()) if u.side == side and u.division and uid not in state.pieces]
    for division in chance.sample(whole, 4) if own else ():
        h = chance.choice(own)
        sets = sets_of(world, division)
        parts = _components(state, division, chance.choice(sets)) if sets else []
        if parts and fits(state, h, side, parts):
            for uid in parts:
                state.place(uid, h)
    for uid, _h, units in assemblies(state, side):
        if chance.random() < 0.5 and not {*units} - state.pieces.keys():
            state = run(state, [Order(0, "assemble", {"into": uid, "units": list(units)})]).state
    return state


def _components(state: State, division: Unit, made: PartSet) -> list[str]:
    """Units off the map that make a set of a division; empty where some are missing."""
    spare = [u for uid, u in sorted(state.world.units.items()) if uid not in state.pieces and u.nat == division.nat]
    found = [u.id for u in spare if made.hq and is_headquarters(u, division)]
    for part in made.parts:
        fitting = [u for u in spare if part.fits(u) and u.id not in found]
        lawful = [u.id for u in fitting if not must_be_own(made, u) or is_own(u, division)]
        if not lawful:
            return []
        found.append(lawful[0])
    return found


def _date(state: State, chance: random.Random, phase: str) -> None:
    """Any turn; for the initial phase the surprise turn, or one that brings nothing. The line from Matruh grows."""
    turns = [turn for turn in range(1, LAST_TURN + 1) if phase != "initial" or not _due(state, turn)]
    state.turn = chance.choice(turns)
    state.surprise = phase == "initial" and state.turn == 1
    head = railhead(state)
    if head is not None and state.turn >= turn_number("Aug II 41"):
        state.built[head.line] = chance.randrange(len(state.board.unbuilt[head.line]))


def _due(state: State, turn: int) -> bool:
    state.turn = turn
    return bool(due(state)) and turn > 1


def _engineers(state: State, chance: random.Random) -> None:
    """Now and then construction engineers on a railroad, broken where they are; and somebody at the railhead."""
    rails = [h for h in graph_of(state).rail_hexes if not state.enemy_in(h, state.player)]
    waiting = _waiting(state, "construction_engineer")
    if rails and waiting and chance.random() < 0.4:
        h = chance.choice(rails)
        state.place(waiting[0], h)
        if chance.random() < 0.8:
            state.broken.add(h)
    head = railhead(state)
    if head is not None and state.player == "allied" and chance.random() < 0.5:
        guards = [uid for uid in _waiting(state, "infantry") if fits(state, head.at, "allied", [uid])]
        if guards and not state.enemy_in(head.at, "allied"):
            state.place(guards[0], head.at)


def _trucks(state: State, chance: random.Random) -> None:
    """Transport counters beside units of the phasing side, which may take them up (WD 6.C)."""
    own = sorted({state.hex_of(uid) for uid in state.side_units(state.player)})
    own = [h for h in own if any(state.enemy_in(n, state.player) for n in hexes.neighbours(h))] or own
    for uid in _waiting(state, "transport_counter"):
        if own and chance.random() < 0.5:
            state.place(uid, chance.choice(own))


def _waiting(state: State, kind: str) -> list[str]:
    """Units of a type that the phasing side does not have on the map."""
    units = ((uid, unit) for uid, unit in sorted(state.world.units.items()) if uid not in state.pieces)
    return [uid for uid, unit in units if unit.type == kind and unit.side == state.player]


def checkpoint(state: State) -> Checkpoint[State]:
    """The position as the beginning of a step, after message 3."""
    return Checkpoint(state, AT, AT, ())


def message(state: State, rows: tuple[Row, ...]) -> Message:
    """The orders as the next message of the phasing side."""
    return Message(AT + 1, state.player, tuple(order_of(dict(row), index) for index, row in enumerate(rows)))


@cache
def played(seed: int, phase: str) -> Phase | None:
    """One phase of chance, the same for the same seed, never to be changed; None where nobody is asked for it."""
    state = position(seed, phase)
    start = play(table(), checkpoint(state), [], Assume())
    if start.ask is None or start.ask.key != f"orders/{phase}":
        return None
    rows = table().bot_orders(state, state.player, start.ask, Chance(random.Random(f"orders {seed}").random))
    rows = [row for row in rows if row["type"] != "section" or row["name"] == phase]
    if seed % 4 == 0:
        told = table().bot_standing(state, state.player, Chance(random.Random(f"standing {seed}").random))
        rows = [*told, *rows]
    found = tuple(rows) or ({"type": "pass"},)
    dice = Local(random.Random(f"dice {seed}").randrange)
    return Phase(state, found, play(table(), checkpoint(state), [message(state, found)], dice))


def phases(*names: str) -> list[Phase]:
    """The phases that every property looks at, of some kinds or of all."""
    found = (played(seed, name) for name in names or PHASES for seed in range(ROUNDS))
    return [phase for phase in found if phase is not None]

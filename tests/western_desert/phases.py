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
from adjudicator.western_desert.state import ENEMY, State
from tests.western_desert.positions import position
from tests.western_desert.surprise import table

PHASES = ("initial", "movement", "air", "reaction", "combat", "exploitation")
REACTION = "reaction"
AT = 3
OTHER_KEYS = {REACTION: ("orders/scramble",)}
ROUNDS = max(1, settings().max_examples * 2 // 5)
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


def checkpoint(state: State) -> Checkpoint[State]:
    """The position as the beginning of a step, after message 3."""
    return Checkpoint(state, AT, AT, ())


def message(state: State, rows: tuple[Row, ...]) -> Message:
    """The orders as the next message of the side that is asked: in the reaction step the one that is not phasing."""
    return Message(AT + 1, author(state), tuple(order_of(dict(row), index) for index, row in enumerate(rows)))


def author(state: State) -> str:
    """The side that a step asks for its orders."""
    return ENEMY[state.player] if state.step == REACTION else state.player


def begun(seed: int, phase: str) -> State | None:
    """The position before a phase; before the reaction the enemy has flown. None where nobody may react."""
    if phase != REACTION:
        return position(seed, phase)
    flown = played(seed, "air")
    if flown is None or flown.run.step != REACTION or flown.run.ask is None:
        return None
    return flown.run.checkpoint.state


@cache
def played(seed: int, phase: str) -> Phase | None:
    """One phase of chance, the same for the same seed, never to be changed; None where nobody is asked for it."""
    state = begun(seed, phase)
    if state is None:
        return None
    start = play(table(), checkpoint(state), [], Assume())
    if start.ask is None or start.ask.key not in (f"orders/{phase}", *OTHER_KEYS.get(phase, ())):
        return None
    rows = table().bot_orders(state, author(state), start.ask, Chance(random.Random(f"orders {seed}").random))
    rows = [row for row in rows if row["type"] != "section" or row["name"] == phase]
    if seed % 4 == 0:
        told = table().bot_standing(state, author(state), Chance(random.Random(f"standing {seed}").random))
        rows = [*told, *rows]
    found = tuple(rows) or ({"type": "pass"},)
    dice = Local(random.Random(f"dice {seed}").randrange)
    return Phase(state, found, play(table(), checkpoint(state), [message(state, found)], dice))


def phases(*names: str) -> list[Phase]:
    """The phases that every property looks at, of some kinds or of all."""
    found = (played(seed, name) for name in names or PHASES for seed in range(ROUNDS))
    return [phase for phase in found if phase is not None]

"""Player turns through the driver, one message each, on the real map, without the order of battle that stops a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from adjudicator.engine.core import Event, Order
from adjudicator.engine.dice import Assume, DiceSource
from adjudicator.engine.driver import Checkpoint, Message, play
from adjudicator.western_desert.invariants import faults
from adjudicator.western_desert.position import position, restore
from adjudicator.western_desert.state import turn_number
from tests.western_desert.ground import settled, start
from tests.western_desert.surprise import table

Row = Mapping[str, Any]
FIRST = 3
QUIET = ({"kind": "smp", "turn": "Dec I 40", "side": "axis", "points": "20"},)
MOVEMENT: Row = {"type": "section", "name": "movement"}
AIR: Row = {"type": "section", "name": "air"}
COMBAT: Row = {"type": "section", "name": "combat"}
NO_EXPLOITATION: Row = {"type": "section", "name": "exploitation", "say": "none"}


class Turns:
    """A game of whole player turns. After each, what must hold is held, and the position is written and read back."""

    def __init__(self, turn: str = "Mar I 41", player: str = "allied", options: str = "") -> None:
        self.state = start()
        switches = {"options": options} if options else {}
        scenario = {**self.state.world.scenario, "end": "Jan II 43"}
        world = replace(self.state.world, events=QUIET, switches=switches, scenario=scenario, cache={})
        self.state.world = world
        self.state.turn, self.state.player = turn_number(turn), player
        self.state.phase = self.state.step = "initial"
        self.events: list[Event] = []
        self.begun = len(self.state.pieces)

    def at(self, uid: str, where: str) -> None:
        """Place a unit, whose side has held the hex."""
        h = self.state.board.find(where)
        if uid in self.state.pieces:
            self.state.shift(uid, h)
        else:
            self.state.place(uid, h)
        settled(self.state)

    def play(self, *rows: Row, moves: Sequence[Row] = (), dice: DiceSource | None = None) -> list[Event]:
        """The player turn of who is phasing: orders of the initial phase, then those of movement; no flight, no attack,
        and no exploitation. Where ``rows`` hold sections of their own, they are the whole message."""
        whole = any(row["type"] == "section" for row in rows)
        orders = list(rows) if whole else [*rows, MOVEMENT, *moves, AIR, COMBAT, NO_EXPLOITATION]
        message = Message(FIRST, self.state.player, tuple(order_of(n, row) for n, row in enumerate(orders)))
        run = play(table(), Checkpoint(self.state, since=FIRST), [message], dice or Assume())
        assert run.waits.why == "decision" and run.waits.key == "orders/initial", run.waits
        self.state = restore(self.state.world, position(run.state))
        broken = [line for line in faults(self.state) if " the game" not in line]
        assert not broken, broken
        self.events = list(run.events)
        return self.events

    def told(self, kind: str) -> list[dict[str, Any]]:
        """What the events of a kind in the last player turn say."""
        return [dict(event.data) for event in self.events if event.kind == kind]


def order_of(index: int, row: Row) -> Order:
    """An order out of a row with its type."""
    return Order(index, str(row["type"]), {name: value for name, value in row.items() if name != "type"})

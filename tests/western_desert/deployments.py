"""Free set-ups of tests: the game asked for them, and orders of chance for both players."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Order, Tree
from adjudicator.engine.dice import Assume
from adjudicator.engine.driver import Checkpoint, Message, Run, play
from adjudicator.engine.game import Table, orders_of
from adjudicator.match.games import table as table_of

FREE = (("setup", "free"),)
Row = dict[str, Tree]


def free(scenario: str = "compass") -> Table:
    """A scenario with free set-up."""
    return table_of("western-desert", scenario, FREE)


def deployed(*messages: Sequence[Order], rules: Table | None = None) -> Run[Any]:
    """The run of messages 3 and on: the Axis player's, the Allied player's."""
    table = rules or free()
    sent = [Message(3 + n, ("axis", "allied")[n % 2], tuple(orders)) for n, orders in enumerate(messages)]
    return play(table, Checkpoint(table.start()), sent, Assume())


def orders(*rows: Row) -> list[Order]:
    """Orders of a message."""
    return [*orders_of(rows)]


def put(at: str, **named: Tree) -> Row:
    """An order ``deploy``."""
    return {"type": "deploy", "at": at, **named}


def set_ups(seeds: int = 4) -> Iterator[list[Row]]:
    """What a program orders for the set-up of each player."""
    for seed in range(seeds):
        sent: list[list[Order]] = []
        for side in ("axis", "allied"):
            run = deployed(*sent)
            assert run.ask is not None and run.ask.key == "orders/deploy"
            rows = free().bot_orders(run.state, side, run.ask, Chance(random.Random(f"{side} {seed}").random))
            sent.append(orders(*rows))
            yield rows

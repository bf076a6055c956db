"""Whole campaigns over the rules alone, from Dec I 40 to Jan II 43, on dice of chance: the stretch of every message.

``python -m tests.western_desert.campaigns PLAYER SEED`` plays one and reckons its victory points a second time.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Ask
from adjudicator.engine.driver import Checkpoint, Message, play
from adjudicator.engine.game import message_of
from adjudicator.match.play.players import asked
from adjudicator.match.resolver import author
from adjudicator.western_desert.invariants import faults
from adjudicator.western_desert.state import State
from tests.western_desert.accounts import Accounts
from tests.western_desert.endings import campaign
from tests.western_desert.test_properties_games import Stretch, dice_of

Maker = Callable[[State, str, Ask[Any], Chance], list[Any]]
MESSAGES_AT_MOST = 1500


def _silent(state: State, side: str, ask: Ask[Any], chance: Chance) -> list[Any]:
    return [{"type": "pass"}] if ask.key == "orders/initial" else []


MAKERS: dict[str, Maker] = {
    "silent": _silent,
    "simple": lambda *of: campaign().simple_orders(*of),
    "random": lambda *of: campaign().bot_orders(*of),
}


def stretches(player: str, seed: str) -> Iterator[Stretch]:
    """A campaign in which a player plays both sides, message by message."""
    chance = Chance(random.Random(f"campaign {player} {seed}").random)
    point: Checkpoint[State] = Checkpoint(campaign().start())
    messages: list[Message] = []
    for seq in range(MESSAGES_AT_MOST):
        run = play(campaign(), point, messages, dice_of(seed))
        yield Stretch(point.state.copy(), run.events[: run.kept], run.checkpoint.state)
        point = run.checkpoint
        if run.waits.why in ("over", "unbuilt"):
            return
        side = author(campaign(), seq + 1)
        ask = asked(run, side)
        rows = MAKERS[player](run.state, side, ask, chance) if ask is not None else []
        messages = [m for m in messages if m.seq >= point.at]
        messages.append(message_of(seq + 1, side, rows))


class Audited:
    """A campaign followed to its end, its points counted by :class:`Accounts`."""

    def __init__(self, player: str, seed: str) -> None:
        self.faults: list[str] = []
        self.turns: set[int] = set()
        accounts: Accounts | None = None
        for stretch in stretches(player, seed):
            accounts = accounts or Accounts(stretch.before, "campaign")
            accounts.follow(stretch.events)
            self.faults += faults(stretch.after)
            self.turns.add(stretch.after.turn)
            self.state = stretch.after
        assert accounts is not None
        self.accounts = accounts


if __name__ == "__main__":
    done = Audited(*sys.argv[1:3])
    books = ", ".join(f"{side} {points}" for side, points in done.accounts.books.items())
    print(f"{len(done.turns)} turns, {done.state.level}; {books}; the game says {done.state.vp2}, in halves")
    print(*(done.faults or done.accounts.faults or ["no fault"]), sep="\n")

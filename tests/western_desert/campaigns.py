"""Whole campaigns over the rules alone, from Dec I 40 to Jan II 43, on dice of chance: the stretch of every message.

``python -m tests.western_desert.campaigns PLAYER SEED`` plays one and reckons its victory points a second time.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Ask
from adjudicator.western_desert.invariants import faults
from adjudicator.western_desert.state import State
from tests.western_desert.accounts import Accounts
from tests.western_desert.endings import campaign
from tests.western_desert.test_properties_games import Maker, Stretch, stretches_of

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
    return islice(stretches_of(campaign(), MAKERS[player], chance, seed), MESSAGES_AT_MOST)


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

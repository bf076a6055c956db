"""Random play over the rules alone: listed, chosen, applied, with no protocol between. For measuring only."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from adjudicator.engine.dice import Opened
from adjudicator.engine.driver import Checkpoint, Message, play
from adjudicator.engine.game import Table, message_of
from adjudicator.match.games import table
from adjudicator.match.play.players import asked
from adjudicator.match.play.seats import Pairing, bytes_of, chance_of
from adjudicator.match.resolver import SETUP_MESSAGES, author
from adjudicator.protocol.dice import pick, roll

SEED_BYTES = 32
MESSAGES_AT_MOST = 4000


@dataclass
class Pace:
    """Orders that were listed, chosen and applied, heads of sections not counted, and the processor's seconds for it.

    ``listing`` is the part of the seconds that listing and choosing took. Others on the machine do not count.
    """

    orders: int = 0
    seconds: float = 0.0
    listing: float = 0.0
    messages: int = 0

    @property
    def a_second(self) -> float:
        """Orders a second."""
        return self.orders / self.seconds if self.seconds else 0.0


def play_directly(pairing: Pairing, pace: Pace) -> None:
    """Play one game and add to the pace; the set-up, in which nobody orders, is not measured."""
    rules = table(pairing.system, pairing.scenario, pairing.switches)
    game = _Game(rules, pairing)
    while game.seq < SETUP_MESSAGES:
        game.step(Pace())
    started = time.process_time()
    while game.step(pace) and game.seq < MESSAGES_AT_MOST:
        pass
    pace.seconds += time.process_time() - started


class _Game:
    """A game under way: the checkpoint, the messages and seeds since."""

    def __init__(self, rules: Table, pairing: Pairing) -> None:
        words = (pairing.system, pairing.scenario, pairing.seed)
        self.rules = rules
        self.chance = chance_of(*words, "direct")
        self.more: Callable[[int], bytes] = bytes_of(*words, "direct")
        self.point: Checkpoint[Any] = Checkpoint(rules.start())
        self.seeds = {0: self.more(SEED_BYTES)}
        self.messages: list[Message] = []
        self.seq = 0

    def step(self, pace: Pace) -> bool:
        """Run on the messages so far and write the next one; False at the end."""
        run = play(self.rules, self.point, self.messages, Opened(self.seeds, roll, pick))
        self.point = run.checkpoint
        if run.waits.why in ("over", "unbuilt"):
            return False
        self.seq += 1
        side = author(self.rules, self.seq)
        ask = asked(run, side)
        started = time.process_time()
        rows = self.rules.bot_orders(run.state, side, ask, self.chance) if ask is not None else []
        pace.listing += time.process_time() - started
        pace.orders += sum(row["type"] != "section" for row in rows)
        pace.messages += 1
        self.messages = [m for m in self.messages if m.seq >= self.point.at]
        self.messages.append(message_of(self.seq, side, rows))
        self.seeds[self.seq] = self.more(SEED_BYTES)
        return True

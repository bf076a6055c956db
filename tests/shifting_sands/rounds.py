"""Plays rounds of Shifting Sands over the driver with fixed seeds, for tests of words, reports and message flows.

Orders are written as players write them; names are resolved in the position in which the message is written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from adjudicator.engine.core import Event, Order, Tree
from adjudicator.engine.dice import Opened
from adjudicator.engine.driver import Checkpoint, Message, Run, play
from adjudicator.engine.game import Table, message_of
from adjudicator.match.draft import read_draft, resolve_orders
from adjudicator.match.facedown import as_seen, faces_of
from adjudicator.match.games import game
from adjudicator.match.match import Match
from adjudicator.match.preview import CheckResult, check_draft
from adjudicator.match.resolver import MatchResolver
from adjudicator.packs.load import load_pack
from adjudicator.protocol.dice import pick, roll
from adjudicator.report.chapter import Chapter, Opening
from adjudicator.shifting_sands.state import State

SYSTEM = "shifting-sands"
AXIS, ALLIED = "axis", "allied"
EXAMPLE = Path(__file__).resolve().parents[2] / "turnfiles" / SYSTEM / "first-rounds"
HIGHEST = "HIGHEST"
FIRST_ROUNDS = (
    "01-axis-round", "02-allied-reaction", "03-axis-followup", "04-allied-round", "05-axis-round",
    "06-allied-reaction", "07-axis-followup", "08-allied-round", "09-axis-reaction", "10-allied-followup",
)


@cache
def table(scenario: str = "campaign") -> Table:
    """A scenario of the real pack; never changed."""
    return game(SYSTEM).table(load_pack(SYSTEM).tree, scenario, {})


def seed(salt: str, seq: int) -> bytes:
    """The seed of a message."""
    return hashlib.sha256(f"{salt} {seq}".encode()).digest()


def author(seq: int) -> str:
    """Who writes a message: the Axis player the odd ones."""
    return AXIS if seq % 2 else ALLIED


@dataclass
class Rounds:
    """A game under way: the messages so far. ``salt`` fixes all dice."""

    salt: str = "sands"
    scenario: str = "campaign"
    messages: list[Message] = field(default_factory=lambda: [Message(1, AXIS), Message(2, ALLIED)])

    @property
    def seq(self) -> int:
        """The next message."""
        return len(self.messages) + 1

    @property
    def side(self) -> str:
        """Its author."""
        return author(self.seq)

    def run(self, closed: int = 0) -> Run[Any]:
        """The game run over all messages; the seeds from ``closed`` on are not open."""
        opened = range(closed or self.seq)
        dice = Opened({n: seed(self.salt, n) for n in opened}, roll, pick)
        return play(table(self.scenario), Checkpoint(table(self.scenario).start()), self.messages, dice)

    @property
    def state(self) -> State:
        """Where the game stands."""
        found = self.run().state
        assert isinstance(found, State)
        return found

    def bare(self) -> Rounds:
        """A message without orders."""
        self.messages.append(Message(self.seq, self.side))
        return self

    def write(self, text: str) -> Rounds:
        """The next message from a turn file's text; ``HIGHEST`` stands for the card with the most OPS in hand."""
        state = self.state
        draft = read_draft(text.replace(HIGHEST, highest(state, self.side)).encode())
        assert draft.problems == []
        resolved = resolve_orders(table(self.scenario), state, self.side, draft.orders)
        assert resolved.problems == []
        rows = [{"type": order.type, **order.data} for order in resolved.orders]
        self.messages.append(message_of(self.seq, self.side, rows))
        return self

    def orders(self, section: str, *rows: Mapping[str, Tree]) -> Rounds:
        """The next message with orders, ids and all, in one section."""
        everything = [{"type": "section", "name": section}, *rows] if section else list(rows)
        self.messages.append(message_of(self.seq, self.side, everything))
        return self

    def check(self, text: str) -> CheckResult:
        """What the player hears of a turn file before he signs it as the next message."""
        seeds = {n: seed(self.salt, n) for n in range(self.seq)}
        resolver = MatchResolver(table(self.scenario), Checkpoint(table(self.scenario).start()), seeds)
        draft = read_draft(text.replace(HIGHEST, highest(self.state, self.side)).encode())
        return check_draft(resolver, self.messages, self.seq, self.side, draft)

    def said(self, text: str) -> list[str]:
        """The sentences of a turn file in which nothing is wrong."""
        found = self.check(text)
        assert found.problems == []
        return [verdict.sentence for verdict in found.verdicts]

    def events(self, seq: int) -> list[Event]:
        """The events on the seed of a message."""
        return [event for event in self.run().events if event.on == seq]

    def before(self, seq: int) -> State:
        """The state before the events of a message."""
        state = table(self.scenario).start()
        for event in self.run().events:
            if event.on < seq:
                table(self.scenario).apply(state, event)
        assert isinstance(state, State)
        return state

    def chapter(self, seq: int, note: str = "") -> Chapter:
        """The chapter of a message as its dice are opened by the next one."""
        orders = self.messages[seq - 1].orders if seq else ()
        opener = author(seq + 1)
        return Chapter(
            seq=seq,
            author=author(seq),
            message_id=hashlib.sha256(f"id {seq}".encode()).hexdigest(),
            game_id=hashlib.sha256(b"game").hexdigest(),
            viewer="public",
            title="First rounds",
            scenario=table(self.scenario).title,
            note=note,
            orders=sum(order.type != "section" for order in orders),
            link=(seq + 1) // 2,
            local=False,
            opening=Opening(opener, seq // 2 + 1, seed(self.salt, seq), seq + 1),
            events=tuple(self.events(seq)),
            sides=(AXIS, ALLIED),
        )


def highest(state: State, side: str) -> str:
    """The card in hand with the most OPS, the first of equals."""
    cards = state.world.cards
    hand = sorted(state.hands.get(side, []), key=lambda card: (-int(str(cards[card]["ops"])), card))
    return hand[0] if hand else ""


def own_highest(match: Match, state: State) -> str:
    """The card with the most OPS in the hand of a folder's player, who alone can tell."""
    return highest(as_seen(match.table, state, match.me, faces_of(match)), match.me)


def example(name: str) -> str:
    """A bundled turn file."""
    return (EXAMPLE / f"{name}.yaml").read_text(encoding="utf-8")


@cache
def first_rounds(salt: str = "sands", upto: int = len(FIRST_ROUNDS)) -> Rounds:
    """The bundled example up to one of its files. Never changed: take a :func:`fresh` one to go on."""
    return fresh(salt, upto)


def fresh(salt: str = "sands", upto: int = len(FIRST_ROUNDS)) -> Rounds:
    """The bundled example up to one of its files, to go on with."""
    found = Rounds(salt)
    for name in FIRST_ROUNDS[:upto]:
        found.write(example(name))
    return found


def order(kind: str, **data: Tree) -> dict[str, Tree]:
    """An order of a message."""
    return {"type": kind, **data}


def of(index: int, kind: str, **data: Tree) -> Order:
    """An order by itself."""
    return Order(index, kind, data)


def names_of(events: Sequence[Event]) -> list[str]:
    """The kinds of events, in order."""
    return [event.kind for event in events]

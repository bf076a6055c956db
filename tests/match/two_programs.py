"""Two programs at work: a folder for each side with nothing but its own secrets, and messages that go across as files.

Dice can't be set, so where a test wants a certain fall of them the author of the orders draws entropy until it comes;
the test can look ahead, since it holds the secrets of both.
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from adjudicator.engine.core import Tree
from adjudicator.match.draft import Draft, read_draft
from adjudicator.match.games import EDITIONS, Edition
from adjudicator.match.match import Match
from adjudicator.match.offers import Player, accept_offer, make_game, receive_genesis
from adjudicator.match.proof import Proof, Proved
from adjudicator.match.sheets import open_orders
from adjudicator.packs.load import Pack
from adjudicator.protocol.compose import Extras, compose_body, sign_body
from adjudicator.protocol.dice import roll, seed_of
from adjudicator.protocol.log import read_turn
from adjudicator.protocol.message import Message
from adjudicator.report import narrative
from adjudicator.turnfile.canon import canon
from tests.match.conftest import entropy

AXIS, ALLIED = "axis", "allied"
SIDES = (AXIS, ALLIED)
NAMES = {AXIS: "alice", ALLIED: "bob"}
Wish = Callable[[Callable[[str], int]], bool]
"""What the dice of a message must do: it is asked with a function that gives the d6 of a label."""


def prepared(
    monkeypatch: pytest.MonkeyPatch, system: str, scenario: str, **changes: Sequence[Mapping[str, str]]
) -> None:
    """Let both programs play with a pack in which parts of a scenario are others: ``units``, ``control`` .."""
    edition = EDITIONS[system][1]
    pack = edition.pack()
    tree = copy.deepcopy(pack.tree)
    row = next(row for row in tree["scenarios"] if row["id"] == scenario)
    for name, value in changes.items():
        row[name] = [dict(one) for one in value]
    other = Pack(pack.system, pack.version, pack.title, tree)
    monkeypatch.setitem(EDITIONS[system], 1, Edition(edition.rules, lambda: other, edition.folder))


def _die(seed: bytes, label: str) -> int:
    return roll(seed, label, 6)[0]


@dataclass
class TwoPrograms:
    """Both folders below ``root``; ``post`` is where the files lie that were mailed."""

    root: Path
    system: str
    scenario: str
    title: str = "Two programs"
    switches: Mapping[str, str] | None = None
    sent: list[Path] = field(default_factory=list)

    def __post_init__(self) -> None:
        players = [Player(name, key_seed=name[0].encode() * 32, random=entropy(name)) for name in NAMES.values()]
        offer = make_game(self.root / AXIS, self.system, self.scenario, players[0], self.title, self.switches)
        genesis = accept_offer(self.root / ALLIED, offer.read_bytes(), players[1])
        receive_genesis(self.root / AXIS, read_turn(genesis.read_bytes()))
        (self.root / "post").mkdir()

    def load(self, side: str) -> Match:
        """A side's program, begun anew from its folder."""
        return Match.load(self.root / side)

    @property
    def side(self) -> str:
        """Who writes next."""
        return SIDES[self.load(AXIS).verifier.head % 2]

    def send(self, text: str = "", wish: Wish | None = None) -> Message:
        """The next message: checked and signed by its author's program, mailed as a file, received by the other."""
        side = self.side
        match = self.load(side)
        result = match.check(read_draft(text.encode()) if text else Draft())
        assert result.legal, result.problems
        chosen = self._entropy(match, result.orders, wish)
        match.sign(result, entropy=lambda count: chosen[:count])
        file = self.root / "post" / match.outfile(match.verifier.head).name
        file.write_bytes(match.outfile(match.verifier.head).read_bytes())
        self.sent.append(file)
        return self.deliver(file.read_bytes(), SIDES[1 - SIDES.index(side)])

    def deliver(self, data: bytes, side: str) -> Message:
        """Let a side's program take in the file of a message."""
        message = read_turn(data)
        received = self.load(side).receive(message)
        assert received.verdict.ok, received.verdict.show()
        return message

    def _entropy(self, match: Match, orders: Sequence[Any], wish: Wish | None) -> bytes:
        """Entropy with which the dice of the next message fall as wished."""
        seq = match.verifier.next_seq
        other = self.load(SIDES[1 - SIDES.index(match.me)])
        chain = other.verifier.chain(other.me)
        link = other.secret().chain_link(chain.cid, chain.links, other.verifier.next_link(other.me))
        rows: list[Any] = [{"type": order.type, **order.data} for order in open_orders(orders, match.table.order_types)]
        extras = Extras(own=match.own_books())
        for number in range(2000):
            drawn = hashlib.sha256(f"{seq} {number}".encode()).digest()
            if wish is None:
                return drawn
            body = compose_body(match.verifier, match.me, match.secret(), rows, drawn, extras=extras)
            message = sign_body(body, match.key())
            seed = seed_of(seq, bytes.fromhex(message.id), bytes.fromhex(match.verifier.game_id), link)
            if wish(partial(_die, seed)):
                return drawn
        raise AssertionError("no entropy gives such dice")

    def events(self, kind: str, on: int) -> list[dict[str, Any]]:
        """The events of a kind on the dice of a message, as both programs hold them."""
        found = [self.load(side).events(on) for side in SIDES]
        assert found[0] == found[1] and found[0] is not None
        return [event for event in found[0] if event["kind"] == kind]

    def report(self, side: str, on: int) -> str:
        """What a side's report says of a message."""
        return narrative(self.load(side), on)

    # -- what is to be shown ---------------------------------------------------------------------------------------

    def refuses(self, tampered: Mapping[str, Any]) -> None:
        """The reader's program refuses the next message with these fields in place of its own, and stays as it is."""
        match = self.load(self.side)
        match.look()
        extras = Extras(own=match.own_books())
        body = compose_body(match.verifier, match.me, match.secret(), [], bytes(32), extras=extras)
        changed = {name: value for name, value in {**body, **tampered}.items() if value is not None}
        reader = self.load(SIDES[1 - SIDES.index(match.me)])
        before = reader.verifier.head_id
        verdict = reader.receive(sign_body(changed, match.key())).verdict
        assert verdict.code == "E_SEAL", verdict.show()
        assert self.load(reader.me).verifier.head_id == before

    def proved(self) -> None:
        """Both logs are the same, and hold for a third person who has nothing but them."""
        logs = [(self.root / side / "log.jsonl").read_bytes() for side in SIDES]
        assert logs[0] == logs[1]
        steps = list(Proof(logs[0]).steps())
        assert all(isinstance(step, Proved) for step in steps), steps[-1]

    def openings(self) -> list[dict[str, Any]]:
        """What the next message rightly opens."""
        match = self.load(self.side)
        match.look()
        extras = Extras(own=match.own_books())
        body: Any = compose_body(match.verifier, match.me, match.secret(), [], bytes(32), extras=extras)
        return [dict(row) for row in body.get("open", [])]

    def hidden(self, side: str, words: Sequence[str]) -> None:
        """Only the folder of `side` holds what it sealed: neither any mail nor a file of the other side does."""
        books = [book for book in self.load(side).own_books() if book.rules]
        assert books
        secrets = [canon(rules) for book in books for rules in book.rules.values() if not isinstance(rules, str)]
        for path in self.sent:
            assert not [word for word in words if word.encode() in path.read_bytes()], path
        for path in (self.root / SIDES[1 - SIDES.index(side)]).rglob("*"):
            assert not path.is_file() or not [one for one in secrets if one in path.read_bytes()], path


def opened(message: Message) -> dict[str, Tree]:
    """The topics that a message opens, with their rules; None for one that was sealed empty."""
    rows: Any = message.body.get("open", [])
    assert len({row["topic"] for row in rows}) == len(rows)
    return {row["topic"]: row.get("rules") for row in rows}

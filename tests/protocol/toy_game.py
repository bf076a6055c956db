"""A toy game on the protocol, and a table with two players on which tests play it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from adjudicator.protocol.compose import compose_body, sign_body
from adjudicator.protocol.dice import Dice
from adjudicator.protocol.genesis import Terms, complete_offer, make_offer
from adjudicator.protocol.keys import SigningKey
from adjudicator.protocol.message import Message
from adjudicator.protocol.resolve import Resolution
from adjudicator.protocol.rules import pack_digest
from adjudicator.protocol.secret import Secret
from adjudicator.protocol.verdicts import Verdict
from adjudicator.protocol.verifier import Verifier
from adjudicator.turnfile.nodes import Tree

VECTORS_FILE = Path(__file__).with_name("vectors.json")
A, B = "axis", "allies"


@cache
def vectors() -> dict[str, Any]:
    """The vectors both independent implementations agree on."""
    data: dict[str, Any] = json.loads(VECTORS_FILE.read_text("utf-8"))
    return data


def known(text: str) -> bytes:
    """32 bytes that every run of the tests knows."""
    return sha256(f"pbem1 test {text}".encode()).digest()


@cache
def key_of(name: str) -> SigningKey:
    return SigningKey.from_seed(known(f"{name} key"))


def secret_of(name: str, links: int = 64) -> Secret:
    cid, nonce = known(f"{name} cid")[:16], known(f"{name} nonce")
    return Secret(known(f"{name} game secret"), cid, links, nonce, key_of(name).public)


class ToyGame:
    """Attacks on hexes: each rolls one die, a hex attacked twice in one message is void the second time.

    Orders that make a faulty engine of it: `crash` raises, `twice` rolls a label again, `future` reads a choice of
    a later message, `number` puts a number into the position. `win` ends the game.
    """

    def __init__(self) -> None:
        self.calls: list[int] = []
        self.hits = {A: 0, B: 0}

    def resolve(self, n: int, bodies: Sequence[Mapping[str, Tree]], seed: bytes) -> Resolution:
        assert len(bodies) == n + 1 and len(seed) == 32
        self.calls.append(n)
        dice, events, over = Dice(seed), [], False
        if n == 0:
            events.append(event("weather", n, [], die=str(dice.roll("setup/weather", 6)[0])))
        orders = bodies[n]["orders"] if n > 2 else []
        assert isinstance(orders, list)
        for order in orders:
            assert isinstance(order, dict)
            events += self._order(order, n, str(bodies[n]["side"]), dice, events)
            over = over or order["type"] == "win"
        position: dict[str, Any] = {"turn": str(n), "hits": {side: str(hits) for side, hits in self.hits.items()}}
        if any(one["kind"] == "number" for one in events):
            position["turn"] = n
        return Resolution(events, position, over=over)

    def _order(
        self, order: dict[str, Tree], n: int, side: str, dice: Dice, before: list[dict[str, Tree]]
    ) -> list[dict[str, Tree]]:
        kind, where = order["type"], order.get("hex")
        if kind == "crash":
            raise ZeroDivisionError("no such chart")
        if kind == "twice":
            dice.roll("combat/x/crt", 6)
            dice.roll("combat/x/crt", 6)
        if kind == "future":
            return [event("peek", n, [n, n + 1])]
        if kind == "number":
            return [event("number", n, [n])]
        if kind != "attack" or not isinstance(where, str) or not where.isalnum():
            return [event("void", n, [n], rule="toy 1")]
        if any(one["kind"] == "combat" and one["hex"] == where for one in before):
            return [event("void", n, [n], rule="toy 2")]
        die = dice.roll(f"combat/{where.lower()}/crt", 6)[0]
        self.hits[side] += die > 3
        return [event("combat", n, [n], hex=where, die=str(die))]


def event(kind: str, n: int, by: list[int], /, **more: str) -> dict[str, Tree]:
    return {"kind": kind, "on": str(n), "by": [str(seq) for seq in by], **more}


def attack(*hexes: str) -> list[Tree]:
    return [{"type": "attack", "hex": where} for where in hexes]


def order(kind: str) -> list[Tree]:
    return [{"type": kind}]


PACK = pack_digest({"system": "toy", "hexes": ["1203", "1304"]})
TERMS = Terms("Toy", "toy", "s1", 1, PACK, A, {"fog": "yes"})


@cache
def toy_genesis(links: int = 64) -> Message:
    offer = make_offer(TERMS, secret_of("alice", links).player("alice", A))
    return sign_body(complete_offer(offer, secret_of("bob", links).player("bob", B)), key_of("bob"))


@dataclass
class Table:
    """Both players at one verifier; `sent` holds every message that was accepted."""

    links: int = 64
    verifier: Verifier = field(init=False)
    game: ToyGame = field(default_factory=ToyGame)
    sent: list[Message] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.verifier = Verifier(toy_genesis(self.links), self.game)

    def name(self, seq: int) -> str:
        return "alice" if seq % 2 else "bob"

    def body(self, orders: list[Tree] | None = None, **kw: Any) -> dict[str, Tree]:
        """The next body, as an honest program composes it."""
        seq = self.verifier.next_seq
        secret, entropy = secret_of(self.name(seq), self.links), known(f"{self.name(seq)} entropy {seq}")
        return compose_body(self.verifier, self.verifier.next_side, secret, orders or [], entropy, **kw)

    def sign(self, body: dict[str, Tree], name: str | None = None) -> Message:
        """Sign a body with the key of its author (by seq), or of `name`."""
        return sign_body(body, key_of(name or self.name(int(str(body["seq"])))))

    def next(self, orders: list[Tree] | None = None, **kw: Any) -> Message:
        """The next message, not yet sent."""
        return self.sign(self.body(orders, **kw))

    def changed(self, orders: list[Tree] | None = None, /, **fields: Any) -> Message:
        """The next message with some fields set, None to leave one out; signed by its author."""
        body = {**self.body(orders), **fields}
        return self.sign(
            {key: value for key, value in body.items() if value is not None}, self.name(self.verifier.next_seq)
        )

    def receive(self, message: Message) -> Verdict:
        verdict = self.verifier.receive(message)
        if verdict.ok:
            self.sent.append(message)
        return verdict

    def play(self, *turns: list[Tree]) -> Message:
        """Send messages with these orders, one after the other; gives the last."""
        for orders in turns:
            verdict = self.receive(self.next(orders))
            assert verdict.ok, verdict.show()
        return self.sent[-1]

    def start(self, messages: int = 4) -> Table:
        """Play the first messages: two bare ones, then attacks."""
        self.play([], [], *[attack("1203", f"13{number:02d}") for number in range(messages - 2)])
        return self


def code(table: Table, message: Message) -> str:
    """The verdict's code; nothing may change unless it is accepted."""
    before = table.verifier.head_id
    verdict = table.receive(message)
    assert verdict.ok == (table.verifier.head_id != before)
    assert verdict.ok or verdict.way_out
    return verdict.code

"""A log of signed messages with labelled rolls and no rules of a game, for `bench.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256

from adjudicator.protocol.compose import compose_body, sign_body
from adjudicator.protocol.dice import Dice
from adjudicator.protocol.genesis import Terms, complete_offer, make_offer
from adjudicator.protocol.keys import SigningKey
from adjudicator.protocol.log import read_log, write_line
from adjudicator.protocol.message import Message
from adjudicator.protocol.resolve import Resolution
from adjudicator.protocol.rules import pack_digest
from adjudicator.protocol.secret import Secret
from adjudicator.protocol.verifier import Verifier
from adjudicator.turnfile.nodes import Tree

MESSAGES, ROLLS = 400, 20
SIDES = ("axis", "allied")


class OnlyDice:
    """Rolls a die for each order of a message; there is nothing else to it."""

    def resolve(self, n: int, bodies: Sequence[Mapping[str, Tree]], seed: bytes) -> Resolution:
        """One event a die."""
        dice, orders = Dice(seed), bodies[n].get("orders", [])
        events: list[dict[str, Tree]] = []
        for at in range(len(orders)):
            die = dice.roll(f"combat/{at}/crt", 6)[0]
            events.append({"kind": "combat", "on": str(n), "by": [str(n)], "die": str(die)})
        return Resolution(events, {"turn": str(n)})


def _bytes(text: str) -> bytes:
    return sha256(text.encode()).digest()


def make_log() -> bytes:
    """The log: genesis and 400 messages, each with 20 orders of which each rolls a die."""
    keys = {side: SigningKey.from_seed(_bytes(f"{side} key")) for side in SIDES}
    secrets = {}
    for side in SIDES:
        cid, nonce = _bytes(f"{side} cid")[:16], _bytes(f"{side} nonce")
        secrets[side] = Secret(_bytes(f"{side} game"), cid, 512, nonce, keys[side].public)
    offer = make_offer(Terms("Bench", "bench", "one", 1, pack_digest({}), "axis"), secrets["axis"].player("a", "axis"))
    genesis = sign_body(complete_offer(offer, secrets["allied"].player("b", "allied")), keys["allied"])
    verifier, sent = Verifier(genesis, OnlyDice()), [genesis]
    for seq in range(1, MESSAGES + 1):
        side = SIDES[(seq + 1) % 2]
        orders: list[Tree] = [{"type": "attack", "hex": f"18.{at:04d}", "with": "u1, u2"} for at in range(ROLLS)]
        message = sign_body(compose_body(verifier, side, secrets[side], orders, _bytes(f"entropy {seq}")), keys[side])
        verdict = verifier.receive(message)
        if not verdict.ok:
            raise ValueError(verdict.show())
        sent.append(message)
    return b"".join(write_line(message) for message in sent)


def verify(log: bytes) -> Verifier:
    """The log proved from nothing: canonical lines, signatures, links, dice, states."""
    messages: list[Message] = read_log(log)
    verifier = Verifier(messages[0], OnlyDice())
    for message in messages[1:]:
        verdict = verifier.receive(message)
        if not verdict.ok:
            raise ValueError(verdict.show())
    return verifier

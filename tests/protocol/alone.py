"""A whole game of another kind on the protocol, by its public interface alone: each attack on a hex rolls a die.

Run by a test in a folder that holds nothing but the packages `adjudicator.protocol` and `adjudicator.turnfile`.
Prints the dice of the game, then what a third person finds who has only the log.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence

from adjudicator.protocol.compose import Extras, compose_body, sign_body
from adjudicator.protocol.dice import Dice
from adjudicator.protocol.genesis import Terms, complete_offer, make_offer
from adjudicator.protocol.keys import SigningKey
from adjudicator.protocol.log import read_log, write_line
from adjudicator.protocol.resolve import Resolution
from adjudicator.protocol.rules import pack_digest
from adjudicator.protocol.secret import Secret
from adjudicator.protocol.verifier import Verifier
from adjudicator.turnfile.nodes import Tree

PACK: dict[str, Tree] = {"hexes": ["1203", "1304"]}


class Attacks:
    """The game: from message n, all before it and a seed to events and a position."""

    def resolve(self, n: int, bodies: Sequence[Mapping[str, Tree]], seed: bytes) -> Resolution:
        """Orders count from message 3 on; each names a hex and rolls one die of that hex's label."""
        dice, events = Dice(seed), []
        orders = bodies[n]["orders"] if n > 2 else []
        assert isinstance(orders, list)
        for order in orders:
            assert isinstance(order, dict)
            die = str(dice.roll(f"attack/{order['hex']}", 6)[0])
            events.append({"kind": "attack", "on": str(n), "by": [str(n)], "hex": order["hex"], "die": die})
        return Resolution(events, {"turn": str(n)})


def main() -> None:
    """Two players, six messages and the end."""
    keys = {side: SigningKey.generate() for side in ("axis", "allies")}
    secrets = {side: Secret.fresh(key.public) for side, key in keys.items()}
    terms = Terms(
        title="Demo", system="attacks", scenario="any", version=1, pack=pack_digest(PACK), switches={}, first="axis"
    )
    offer = make_offer(terms, secrets["axis"].player("alice", "axis"))
    genesis = sign_body(complete_offer(offer, secrets["allies"].player("bob", "allies")), keys["allies"])
    programs = {side: Verifier(genesis, Attacks()) for side in keys}
    lines = [write_line(genesis)]
    for seq in range(1, 9):
        side = ("allies", "axis")[seq % 2]
        orders: list[Tree] = [{"type": "attack", "hex": "1203"}] if 3 <= seq < 6 else []
        extras = Extras(end="resign") if seq == 6 else Extras()
        body = compose_body(programs[side], side, secrets[side], orders, os.urandom(32), extras=extras)
        message = sign_body(body, keys[side])
        for program in programs.values():
            verdict = program.receive(message)
            if not verdict.ok:
                sys.exit(verdict.show())
        lines.append(write_line(message))
    judge = replay(lines)
    print("sides agree:", programs["axis"].digest(7) == programs["allies"].digest(7) == judge.digest(7))
    print("closed:", judge.closed)


def replay(lines: Sequence[bytes]) -> Verifier:
    """What a third person does with the log."""
    messages = read_log(b"".join(lines))
    judge = Verifier(messages[0], Attacks())
    for message in messages[1:]:
        verdict = judge.receive(message)
        print(message.body["seq"], verdict.code)
    return judge


if __name__ == "__main__":
    main()

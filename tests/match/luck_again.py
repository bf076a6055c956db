"""The luck of a game computed a second time, by a program that imports nothing of ours.

It reads the log itself, makes every die itself with SHA-256 and HMAC, takes the tables from the sources of the pack
(`module/*/*.yaml`, as a person would: `luck_tables`), and lists all that each roll could have brought. Only what the
rules made of the messages it has to be told: the events and the position after every message. That these are what the
players signed it sees by the digests in the log (PROTOCOL 4.7).
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import erfc, exp, pi, sqrt
from typing import Any

from tests.match.luck_tables import counter, outcomes

DRAWN = ("deck", "fifth-army", "bombed")
"""One of several things is drawn: cards, units, the air unit that bombs fall on."""
FIRED_AT = ("aa", "aa-support")
ROLLS_FOR_ITSELF = ("patrol", "air", "bomb", "bombed", "disruption", "crash", "escape", "repair")
"""Rolls of the other side than that of the air unit in the label, and of the side of the first unit in it."""


def u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def digest(tag: str, *parts: bytes) -> bytes:
    everything = (tag.encode(), *parts)
    return hashlib.sha256(b"".join(u32(len(part)) + part for part in everything)).digest()


def keyed(key: bytes, *parts: bytes) -> bytes:
    return hmac.new(key, b"".join(parts), hashlib.sha256).digest()


def canonical(tree: Any) -> bytes:
    return json.dumps(tree, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def throw(seed: bytes, label: str, faces: int, count: int, kind: bytes = b"pbem1/roll") -> list[int]:
    """Dice of at most 256 faces."""
    found: list[int] = []
    head = b"".join(u32(len(part)) + part for part in (kind, label.encode(), u32(faces)))
    for block in range(count * 9 + 9):
        found += [byte % faces + 1 for byte in keyed(seed, head, u32(block)) if byte < 256 // faces * faces]
    return found[:count]


@dataclass
class Side:
    """What is counted for one side."""

    dice: list[int] = field(default_factory=list)
    draws: int = 0
    worth: list[tuple[int, Fraction, Fraction, Fraction, Fraction]] = field(default_factory=list)
    """For each roll that has a value: message, value, expectation, variance, chance of more than the expectation."""

    @property
    def faces(self) -> list[int]:
        return [self.dice.count(face) for face in (1, 2, 3, 4, 5, 6)]

    @property
    def luck(self) -> float:
        return sum(float(value - mean) / sqrt(variance) for _, value, mean, variance, _ in self.worth)

    @property
    def chi_square(self) -> tuple[float, float]:
        """The value and its p for five degrees of freedom, by the closed form."""
        even = len(self.dice) / 6
        value = sum((count - even) ** 2 / even for count in self.faces)
        return value, erfc(sqrt(value / 2)) + sqrt(2 * value / pi) * exp(-value / 2) * (1 + value / 3)

    def drought(self) -> tuple[int, int, int, float, float] | None:
        """Rolls, first and last message of the longest run without more than the expectation; the chance of just that
        run, and of one as long anywhere."""
        poor = [value <= mean for _, value, mean, _, _ in self.worth]
        runs = [(end - at, -at) for at in range(len(poor)) for end in range(at + 1, len(poor) + 1) if all(poor[at:end])]
        if not runs:
            return None
        length, at = max(runs)
        rows = self.worth[-at : length - at]
        chance = Fraction(1)
        for row in rows:
            chance *= 1 - row[4]
        return length, rows[0][0], rows[-1][0], float(chance), self._anywhere(length)

    def _anywhere(self, length: int) -> float:
        """By where the first such run ends: a roll of more before it, and no such run before that."""
        good = [row[4] for row in self.worth]
        none = [Fraction(1)]
        for end in range(1, len(good) + 1):
            here = Fraction(end >= length)
            for chance in good[max(0, end - length) : end]:
                here *= 1 - chance
            if end > length:
                here *= good[end - length - 1] * none[end - length - 1]
            none.append(none[-1] - here)
        return float(1 - none[-1])


class Log:
    """A log as anybody can read it: bodies, ids, and the seed of every message whose dice are open."""

    def __init__(self, data: bytes) -> None:
        self.bodies: list[dict[str, Any]] = [json.loads(line)["body"] for line in data.decode().splitlines()]
        self.ids = [digest("pbem1/msg", canonical(body)) for body in self.bodies]
        players = self.bodies[0]["players"]
        self.sides = (players["a"]["side"], players["b"]["side"])
        self.seeds: dict[int, bytes] = {}
        chains = [{**players[one], "last": players[one]["anchor"], "used": 0} for one in ("b", "a")]
        for n, body in enumerate(self.bodies[1:], 1):
            chain = chains[n % 2]
            if "lost" not in body:
                chain["used"] += 1
                link = bytes.fromhex(body["reveal"])
                below = digest("pbem1/chain", bytes.fromhex(chain["cid"]), u32(chain["used"]), link)
                assert below.hex() == chain["last"] and body["link"] == str(chain["used"])
                chain["last"] = body["reveal"]
                info = b"".join(u32(len(part)) + part for part in (b"pbem1/seed", self.ids[0], u32(n - 1)))
                self.seeds[n - 1] = keyed(keyed(self.ids[n - 1], link), info, b"\x01")
            if "reanchor" in body:
                chains[n % 2] = {**body["reanchor"], "last": body["reanchor"]["anchor"], "used": 0}

    def author(self, n: int) -> str:
        return str(self.sides[1 - n % 2])

    def holds(self, told: Sequence[tuple[Any, Any]]) -> None:
        """That events and position after each message are those that the next message signs."""
        before = self.ids[0]
        for n, (events, position) in enumerate(told):
            before = digest("pbem1/state", before, canonical(events), canonical(position))
            assert n + 1 >= len(self.bodies) or self.bodies[n + 1]["state"] == before.hex(), n


def count(data: bytes, told: Sequence[tuple[Any, Any]]) -> dict[str, Side]:
    """The dice and luck of both sides. ``told``: events and position after message 0, 1, .."""
    log, before = Log(data), Told()
    log.holds(told)
    found = {side: Side() for side in log.sides}
    for n, (events, _) in enumerate(told):
        for event in events:
            before.hear(event)
            if event.get("label"):
                _add(log, n, {"turn": before.turn, **event}, found[side_of(log.author, log.sides, event, before)])
    return found


def _add(log: Log, n: int, event: dict[str, Any], side: Side) -> None:
    values = [int(die) for die in event["dice"]] if "dice" in event else [int(event["die"])]
    drawn = event["label"].split("/")[0] in DRAWN or event["label"].endswith("/victim")
    faces = int(event["faces"]) if drawn else 6
    kind = b"pbem1/pick" if event.get("pick") else b"pbem1/roll"
    assert throw(log.seeds[n], event["label"], faces, len(values), kind) == values, event
    if drawn:
        side.draws += 1
        return
    side.dice += values
    came, ways = outcomes(log.bodies[0]["switches"], event, values)
    if len(set(ways)) > 1:
        side.worth.append((n, *weighed(came, ways)))


def weighed(came: Fraction, ways: Sequence[Fraction]) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Value, expectation, variance and the chance of more than that, over every way that the dice could have come."""
    mean = sum(ways, Fraction()) / len(ways)
    variance = sum(((one - mean) ** 2 for one in ways), Fraction()) / len(ways)
    return came, mean, variance, Fraction(sum(one > mean for one in ways), len(ways))


# --- the games --------------------------------------------------------------------------------------------------


@dataclass
class Told:
    """What was told before a roll and says more of it: the turn, and who attacks where."""

    turn: str = ""
    attackers: dict[str, str] = field(default_factory=dict)

    def hear(self, event: dict[str, Any]) -> None:
        """The next event."""
        if event["kind"] == "phase":
            self.turn = str(event.get("turn", ""))
        if event["kind"] == "attack" and "side" in event:
            self.attackers[event["hex"]] = event["side"]


def side_of(author: Callable[[int], str], sides: Sequence[str], event: dict[str, Any], before: Told) -> str:
    """Whose roll it is: by the label where it says so, else who attacks, else who owns what rolls."""
    parts = event["label"].split("/")
    if parts[0] == "deck":
        return str(parts[1].removesuffix("-strategy"))
    if parts[0] in ("setup", "fifth-army", "greece", "raid", "vichy"):
        return str(parts[1])
    if parts[0] == "capture":
        return str(next(side for side in sides if not parts[2].startswith(f"supply-{side}-")))
    if parts[-1].startswith("fire-"):
        return str(event["side"])
    if parts[0] in FIRED_AT:
        return str(next(side for side in sides if side != counter(parts[2])["side"]))
    if parts[0] in ROLLS_FOR_ITSELF:
        return str(counter(parts[2])["side"])
    return before.attackers[event["hex"]] if parts[-1].startswith("crt") else author(int(event["by"][0]))


def kinds(told: Sequence[tuple[Any, Any]]) -> Iterator[str]:
    """Every kind of roll that was seen."""
    for events, _ in told:
        yield from (event["kind"] for event in events if event.get("label"))

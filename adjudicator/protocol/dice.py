"""Seed, rolls, picks and shuffles (PROTOCOL 4.4, 4.5): randomness is a function of (seed, label)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count as count_from
from itertools import islice
from typing import NamedTuple

from adjudicator.protocol.hashing import hkdf, hmac256, lp, u32
from adjudicator.protocol.labels import LabelError, check_label

ROLL, PICK = b"pbem1/roll", b"pbem1/pick"
MAX_FACES = 2**32 - 1


def seed_of(seq: int, message_id: bytes, game_id: bytes, reveal: bytes) -> bytes:
    """seed(m) = HKDF(reveal of m+1, id(m), lp("pbem1/seed", game_id, u32(m))), 32 bytes."""
    return hkdf(reveal, message_id, lp(b"pbem1/seed", game_id, u32(seq)))


def _values(seed: bytes, kind: bytes, label: str, faces: int) -> Iterator[int]:
    """Unbiased values 0 .. faces-1 without end: bytes (or words) of HMAC blocks, those beyond the span skipped."""
    head = lp(kind, label.encode("ascii"), u32(faces))
    width = 1 if faces <= 256 else 4
    limit = 256**width - 256**width % faces
    for block in count_from():
        data = hmac256(seed, head + u32(block))
        for at in range(0, 32, width):
            value = int.from_bytes(data[at : at + width], "big")
            if value < limit:
                yield value % faces


def _check_faces(faces: int) -> None:
    if not 2 <= faces <= MAX_FACES:
        raise ValueError(f"a die has 2 to {MAX_FACES} faces, not {faces}")


def roll(seed: bytes, label: str, faces: int, count: int = 1) -> tuple[int, ...]:
    """`count` dice of one label, each 1 .. faces, in the order they are read."""
    _check_faces(faces)
    return tuple(value + 1 for value in islice(_values(seed, ROLL, check_label(label), faces), count))


def pick(seed: bytes, label: str, choices: int) -> int:
    """One of 0 .. choices-1; a single choice needs no block."""
    check_label(label)
    if choices == 1:
        return 0
    _check_faces(choices)
    return next(_values(seed, PICK, label, choices))


def shuffle(seed: bytes, label: str, size: int) -> list[int]:
    """The numbers 0 .. size-1 in an order fixed by seed and label (Fisher-Yates by named picks)."""
    order = list(range(size))
    for last in range(size - 1, 0, -1):
        other = pick(seed, f"{label}/{last}", last + 1)
        order[last], order[other] = order[other], order[last]
    return order


class Rolled(NamedTuple):
    """One use of a label: for reports and audit. `faces` is the number of faces or choices."""

    label: str
    kind: str
    faces: int
    values: tuple[int, ...]


class Dice:
    """The dice of one resolution. Each label serves once; a second use raises LabelError (E_LABEL).

    Anything with `roll(label, faces, count)` and `pick(label, choices)` can stand in for it where a player
    tries out orders with dice of his own.
    """

    def __init__(self, seed: bytes) -> None:
        self.seed = seed
        self.rolled: list[Rolled] = []
        self._used: set[str] = set()

    def _use(self, label: str) -> None:
        if label in self._used:
            raise LabelError(f"label {label!r} is used a second time in one resolution")
        self._used.add(label)

    def roll(self, label: str, faces: int, count: int = 1) -> tuple[int, ...]:
        """`count` dice of `faces` faces, values 1 .. faces."""
        self._use(label)
        values = roll(self.seed, label, faces, count)
        self.rolled.append(Rolled(label, "roll", faces, values))
        return values

    def pick(self, label: str, choices: int) -> int:
        """One of 0 .. choices-1."""
        self._use(label)
        value = pick(self.seed, label, choices)
        self.rolled.append(Rolled(label, "pick", choices, (value,)))
        return value

    def shuffle(self, label: str, size: int) -> list[int]:
        """0 .. size-1 in random order."""
        self._use(label)
        order = shuffle(self.seed, label, size)
        self.rolled.append(Rolled(label, "shuffle", size, tuple(order)))
        return order

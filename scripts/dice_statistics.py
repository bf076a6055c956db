"""Rolls six million labelled dice and looks for a bias; a die made as ``byte % 6`` must be found out.

Run it as ``python3 scripts/dice_statistics.py``, or with ``--rolls 600000`` for a quicker look. Exit code 1 where the
generator looks biased (p below one in a million), or where the biased die is not seen at full size.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterable
from hashlib import sha256

from adjudicator.protocol.dice import roll
from adjudicator.protocol.hashing import hmac256, lp, u32

FACES, FULL = 6, 6_000_000
"""Faces of a die, dice of a full run: one die a label, as a game rolls most of them."""
ALARM = 1e-6


def chi_square(counts: Iterable[int]) -> float:
    """Distance of counts from equal shares."""
    found = list(counts)
    expected = sum(found) / len(found)
    return sum((count - expected) ** 2 / expected for count in found)


def chance_of_more(distance: float) -> float:
    """The chance that six equally likely faces give a larger chi-square (five degrees of freedom)."""
    half = distance / 2
    return math.erfc(math.sqrt(half)) + math.sqrt(4 * half / math.pi) * math.exp(-half) * (1 + distance / 3)


def seed(number: int) -> bytes:
    """A seed for each thousand labels, as a message would have one."""
    return sha256(f"dice statistics {number}".encode()).digest()


def honest(rolls: int) -> list[int]:
    """Faces of labelled dice, counted."""
    counts = [0] * FACES
    for number in range(rolls):
        counts[roll(seed(number // 1000), f"combat/{number}/crt", FACES)[0] - 1] += 1
    return counts


def biased(rolls: int) -> list[int]:
    """The same blocks, read as ``byte % 6`` with no byte skipped: faces 1 to 4 come a little too often."""
    counts = [0] * FACES
    for number in range(rolls // 32):
        label = f"combat/{number}/crt".encode()
        for byte in hmac256(seed(number // 1000), lp(b"pbem1/roll", label, u32(FACES)) + u32(0)):
            counts[byte % FACES] += 1
    return counts


def told(name: str, counts: list[int]) -> float:
    """Print one line, and give p."""
    distance = chi_square(counts)
    chance = chance_of_more(distance)
    print(f"{name:<22} {sum(counts):>9,} dice  chi-square {distance:8.2f}  p {chance:.2g}  {counts}")
    return chance


def main() -> int:
    """Roll, count, tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rolls", type=int, default=FULL, help="how many dice")
    rolls = parser.parse_args().rolls
    good, bad = told("labelled dice", honest(rolls)), told("control: byte % 6", biased(rolls))
    if good < ALARM:
        print("the dice look biased")
        return 1
    if bad >= ALARM and rolls >= FULL:
        print("the control was not found out: this test sees nothing")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

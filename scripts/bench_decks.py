"""A deck of 55 cards face down, by the protocol's formulas alone: committed, drawn, proved, audited (PROTOCOL 6)."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from hashlib import sha256
from itertools import count
from statistics import median

from bench_games import BenchError

from adjudicator.packs.load import load_pack
from adjudicator.protocol.decks import Epoch, deck_key, draw, opening_root
from adjudicator.shifting_sands.cards import ATTRIBUTES, NAME, face_of
from adjudicator.turnfile.nodes import Tree

SIDE, DECK, NUMBER, AT_ONCE = "axis", "axis-strategy", 1, 20
DRAWS_A_SECOND, PROOFS_A_SECOND = 43_000, 44_000
"""The lower ends of what PROTOCOL 12 measured: labelled rolls, proofs of a card."""

Figures = tuple[str, str, str, str]


def _epoch(faces: tuple[Mapping[str, str], ...], number: int) -> Epoch:
    """The cards under a key that was not used before: nothing of it is known yet."""
    cid = sha256(b"bench cid").digest()[:16]
    return Epoch(cid, DECK, NUMBER, deck_key(sha256(b"bench game").digest(), cid, DECK, number), ATTRIBUTES, faces)


def deck_figures(rounds: int) -> list[Figures]:
    """What is measured, what is to be reached, median and best: rates of a card, milliseconds of a deck."""
    listed = [card for card in load_pack("shifting-sands").rows("cards") if card["side"] == SIDE]
    faces: tuple[Mapping[str, str], ...] = tuple(face_of(card) for card in listed)
    epoch, keys = _epoch(faces, 0), count(1)
    size, root, seed = len(epoch.cards), epoch.root(), sha256(b"bench seed").digest()
    proofs = [epoch.opening(pos, NAME) for pos in range(size)]

    def deal() -> None:
        pile = list(range(size))
        for number in range(1, size + 1):
            pile.remove(draw(seed, DECK, NUMBER, number, pile))

    def check(given: list[dict[str, Tree]]) -> None:
        if any(opening_root(epoch.cid0, size, ATTRIBUTES, one) != root for one in given):
            raise BenchError("a proof of a card leads to another root")

    return [
        _whole(f"commit or audit a deck of {size} cards", lambda: _epoch(faces, next(keys)).root(), rounds),
        _rate(f"draw a deck of {size}, cards a second", DRAWS_A_SECOND, deal, size, rounds),
        _rate(f"prove a deck of {size}, cards a second", PROOFS_A_SECOND, lambda: check(proofs), size, rounds),
        _whole("open the name of a card to the other side", lambda: epoch.opening(size // 2, NAME), rounds),
    ]


def _seconds(work: Callable[[], object], rounds: int) -> list[float]:
    work()
    found = []
    for _ in range(rounds):
        started = time.process_time()
        for _ in range(AT_ONCE):
            work()
        found.append((time.process_time() - started) / AT_ONCE)
    return found


def _whole(what: str, work: Callable[[], object], rounds: int) -> Figures:
    found = _seconds(work, rounds)
    return what, "", f"{median(found) * 1e3:.1f} ms", f"{min(found) * 1e3:.1f} ms"


def _rate(what: str, reach: int, work: Callable[[], object], cards: int, rounds: int) -> Figures:
    found = _seconds(work, rounds)
    return what, f"{reach:,}", f"{cards / median(found):,.0f}", f"{cards / min(found):,.0f}"

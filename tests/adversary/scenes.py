"""Positions where nasty messages begin: the Allied surprise turn, with three brigades next to the Maletti group."""

from __future__ import annotations

from collections.abc import Sequence

from tests.adversary.duel import Duel, Row

FIRST = 4
TARGET = "19/0726"
BRIGADES = ("br-16", "in-11", "in-5")
MOVES: tuple[Row, ...] = (
    {"type": "section", "name": "movement"},
    *({"type": "move", "unit": unit, "to": "19/0826"} for unit in BRIGADES),
    {"type": "section", "name": "air"},
)
ATTACK: Row = {"type": "attack", "hex": TARGET, "with": [*BRIGADES]}
COMBAT: Row = {"type": "section", "name": "combat"}


def western_desert(seed: str = "scene") -> Duel:
    """A game in which the first Allied orders are due."""
    duel = Duel("western-desert", "compass", seed)
    bare(duel, FIRST)
    return duel


def bare(duel: Duel, until: int) -> None:
    """Bare messages up to (not with) message ``until``."""
    while duel.seq < until:
        duel.look()
        duel.send([])


def strike(rows: Sequence[Row], before: Sequence[Row] = (), seed: str = "scene") -> Duel:
    """The Allied surprise turn in one message: the brigades move up and these rows stand in the section combat."""
    duel = western_desert(seed)
    duel.look()
    duel.send([*before, *MOVES, COMBAT, *rows])
    bare(duel, FIRST + 3)
    duel.verify()
    return duel

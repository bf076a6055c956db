"""The position in which a question is looked at: markers and the active side as the question takes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from adjudicator.shifting_sands.activation import ATTACK, MOVE, Cost, activation_cost
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.words import cost_words, side_name

VERBS = {MOVE: "for movement", ATTACK: "for combat"}


class Staged(NamedTuple):
    """A position, and what was assumed to come to it."""

    state: State
    notes: tuple[str, ...] = ()


def staged(state: State, side: str, spaces: Sequence[str], marker: str, later: bool = False) -> Staged:
    """A copy in which these spaces of the side are activated, with what that costs (SS 7.22 to 7.25).

    Where the round is the other side's, or a ``later`` one is asked for, the side's own is taken to begin now: nothing
    has moved or fought in it.
    """
    found, notes = state.copy(), list[str]()
    if found.active != side or found.fight is not None or later:
        notes.append(f"As if a round of the {side_name(side)} side began now")
        found.active, found.fight, found.markers = side, None, {}
        for piece in found.pieces.values():
            piece.moved = piece.joined = piece.fought = piece.retreated = False
            piece.supply = ""
    for space in dict.fromkeys(spaces):
        if not space.startswith("@") and space not in found.markers:
            cost = activation_cost(found, space, side, marker)
            notes.append(f"As if {space} were activated {VERBS[marker]}: {cost_words(found, cost)} (SS 7.22)")
            _mark(found, space, marker, cost)
    return Staged(found, tuple(notes))


def _mark(state: State, space: str, marker: str, cost: Cost) -> None:
    """The marker, and the supply that is fixed with it (SS 13.11, ruling A25)."""
    state.markers[space] = marker
    for uid, status in cost.statuses:
        state.pieces[uid].supply = status

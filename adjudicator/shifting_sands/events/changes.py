"""What the events of this package do to the state (see apply.py)."""

from __future__ import annotations

from collections.abc import Callable

from adjudicator.engine.core import Event
from adjudicator.engine.event_fields import text_in as get
from adjudicator.engine.event_fields import texts_in as listed
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import text

RESERVE = "@reserve"


def scores_once(state: State, name: str) -> bool:
    """True for an event whose points come a single time in a game."""
    return any(event == name and text(effect, "once_per_game") == "yes" for event, effect in state.world.effects("vp"))


def noted(state: State, event: Event) -> None:
    """What an event that is played leaves behind: its class for the turn (SS 7.53), its point where it came before the
    game."""
    name, side, kind = get(event, "event"), get(event, "side"), get(event, "class")
    if kind:
        state.reinforced.setdefault(side, []).append(kind)
    if get(event, "turn") and scores_once(state, name):
        state.scored.append(name)


def _counts(state: State, event: Event) -> None:
    """The round counts as one for points as well (SS 7.33, 7.43)."""
    rounds = state.history.setdefault(get(event, "side"), {})
    rounds[state.round] = f"{rounds.get(state.round, '')} {get(event, 'use')}".strip()
    if get(event, "use") == "rd":
        state.rd_left = int(get(event, "points") or "0")


def _scored(state: State, event: Event) -> None:
    state.scored.append(get(event, "event"))


def _mandate(state: State, event: Event) -> None:
    name, status = get(event, "event"), get(event, "status")
    state.mandates[name] = status


def _upgraded(state: State, event: Event) -> None:
    """The stronger counter lies where the weaker one lay; one that is not in play will come in its stead (SS 7.54a,
    7.54b, 7.54c)."""
    old, new = get(event, "unit"), get(event, "to")
    state.upgrades[old] = new
    if old in state.pieces:
        piece = state.pieces[old]
        state.place(new, piece.at, piece.reduced)
        state.pieces[new], at = piece, piece.at
        state.lift(old, at)


def _waits(state: State, event: Event) -> None:
    """A unit that found no place (ruling A53): a battlegroup lies in the reserve, a division comes later."""
    uid = get(event, "unit")
    if get(event, "lost") == "yes":
        state.place(uid, "@eliminated")
    else:
        state.delayed[uid] = get(event, "event")


def _withdrawn(state: State, event: Event) -> None:
    uid = get(event, "unit")
    state.shift(uid, get(event, "to"))
    state.pieces[uid].reduced = False


def _substituted(state: State, event: Event) -> None:
    """A battlegroup of the reserve takes the place of a division that was withdrawn."""
    uid = get(event, "unit")
    state.shift(uid, get(event, "at"))
    state.pieces[uid].start = get(event, "at")


def _card_removed(state: State, event: Event) -> None:
    """A card with an asterisk leaves the game after its round (SS 7.52, 7.52.event)."""
    side = get(event, "side")
    for card in listed(event, "cards"):
        state.discards[side].remove(card)
        state.removed.setdefault(side, []).append(card)
    state.leaving = ""


CHANGES: dict[str, Callable[[State, Event], None]] = {
    "counts": _counts,
    "scored": _scored,
    "mandate": _mandate,
    "upgraded": _upgraded,
    "waits": _waits,
    "withdrawn": _withdrawn,
    "substituted": _substituted,
    "card-removed": _card_removed,
}

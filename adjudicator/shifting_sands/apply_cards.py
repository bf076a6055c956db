"""What events of combat cards do to the state (SS 7.6): a card in hand, before its side, in the discards, or gone."""

from __future__ import annotations

from collections.abc import Callable

from adjudicator.engine.core import Event
from adjudicator.shifting_sands.cards import is_handle
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import text, texts


def _played(state: State, event: Event) -> None:
    """A card lies face up before its side and counts as used in this action round; one of the hand leaves it."""
    side, card = text(event.data, "side"), text(event.data, "card")
    if card in state.hands.get(side, []):
        state.hands[side].remove(card)
        state.face_up.setdefault(side, []).append(card)
    state.used.setdefault(side, []).append(card)
    if is_handle(card):
        state.opened.setdefault(side, {})[card] = text(event.data, "name")


def _gone(state: State, event: Event) -> None:
    side, card = text(event.data, "side"), text(event.data, "card")
    state.face_up[side].remove(card)
    zone = state.removed if text(event.data, "to") == "removed" else state.discards
    zone.setdefault(side, []).append(card)


def _put_down(state: State, event: Event) -> None:
    side = text(event.data, "side")
    for card in texts(event.data, "cards"):
        state.face_up[side].remove(card)
        state.discards.setdefault(side, []).append(card)


def _shown(state: State, event: Event) -> None:
    """Cards of a hand are known to both sides."""
    names = zip(texts(event.data, "cards"), texts(event.data, "names"), strict=True)
    state.opened.setdefault(text(event.data, "side"), {}).update(names)


def forget(state: State) -> None:
    """What lies in a pile or the discards, or got a new handle, is known by nobody but its owner any more."""
    for side in list(state.opened):
        lying = {card for zone in (state.hands, state.face_up, state.removed) for card in zone.get(side, [])}
        state.opened[side] = {card: name for card, name in state.opened[side].items() if card in lying}
        if not state.opened[side]:
            del state.opened[side]


APPLY: dict[str, Callable[[State, Event], None]] = {
    "combat-card": _played,
    "card-gone": _gone,
    "put-down": _put_down,
    "cards-shown": _shown,
}

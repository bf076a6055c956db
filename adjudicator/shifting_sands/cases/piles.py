"""The cards of a case: so many in each zone of a side, the first of the pack where it names none."""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.shifting_sands.cases.core import CaseFault, Record, as_number, as_text, as_texts
from adjudicator.shifting_sands.drawing import WINTERS
from adjudicator.shifting_sands.state import State, turn_name
from adjudicator.shifting_sands.world import text

ZONES = ("hand", "face_up", "discard", "removed", "pile")


def fill(state: State, side: str, deck: Record) -> None:
    """The zones of a side, as many cards in each as the case says: those named, then cards of the pack in order."""
    zones = {"hand": state.hands, "face_up": state.face_up, "discard": state.discards, "pile": state.piles}
    zones["removed"] = state.removed
    _check_new(state, side, deck)
    used = {card for zone in zones.values() for card in zone.get(side, [])}
    free = (card for card in _in_order(state, side) if card not in used)
    for name in ZONES:
        listed = zones[name].setdefault(side, [])
        while len(listed) < (as_number(deck.get(name)) or 0):
            listed.append(next(free))
    years = [as_text(year) for year in as_texts(deck.get("pile_contains_year"))]
    state.piles[side] += [card for card in free if text(state.world.cards[card], "year") in years][:1]


def _in_order(state: State, side: str) -> Iterator[str]:
    found = state.world.cards.items()
    return (card for card, row in found if text(row, "side") == side)


def counts(state: State, side: str) -> dict[str, int]:
    """How many cards lie in each zone of a side."""
    return {
        "hand": len(state.hands[side]),
        "pile": len(state.piles[side]),
        "discard": len(state.discards[side]),
        "removed": len(state.removed[side]),
        "face_up": len(state.face_up[side]),
    }


def _check_new(state: State, side: str, deck: Record) -> None:
    """The cards that a case lets come in with a year are as many as the pack has. Raises CaseFault."""
    told = as_number(deck.get("new_cards"))
    year = WINTERS.get(turn_name(state.turn), ("", ""))[0]
    have = sum(1 for row in state.world.cards.values() if (text(row, "side"), text(row, "year")) == (side, year))
    if "new_cards" in deck and told != have:
        raise CaseFault(f"{told} new cards of {side}, the pack has {have}")

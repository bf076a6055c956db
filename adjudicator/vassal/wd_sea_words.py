"""Western Desert: events of the war at sea in one line of chat each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from adjudicator.engine.core import Event
from adjudicator.engine.event_fields import text_in as _text

RESULTS = {"arrives": "arrives", "turned_back": "turned back", "lost": "lost", "pool": "sunk"}


class Names(Protocol):
    """What says units and places."""

    def unit(self, unit_id: str) -> str:
        """A unit as players speak of it."""
        ...

    def place(self, hex_name: str) -> str:
        """A hex with the town in it."""
        ...


def _item(words: Names, event: Event) -> str:
    name = _text(event, "item")
    return f"{name.replace('_', ' ')} point" if _text(event, "what") == "rp" else words.unit(name)


def _to(words: Names, event: Event) -> str:
    to = _text(event, "to")
    return "Tunisia" if to == "tunisia" else words.place(to)


def _roll(words: Names, event: Event) -> str:
    result = "affected" if _text(event, "result") == "X" else "passes"
    who, to = _item(words, event), _to(words, event)
    return f"{who} to {to}: {_text(event, 'roll')} at status {_text(event, 'status')}, {result}"


def _voyage(words: Names, event: Event) -> str:
    die = f" (die {_text(event, 'die')})" if _text(event, "die") else ""
    return f"{_item(words, event)} to {_to(words, event)}: {RESULTS[_text(event, 'result')]}{die}"


def _status(words: Names, event: Event) -> str:
    return f"The status of Malta is {_text(event, 'status') or '0'}"


def _shipped(words: Names, event: Event) -> str:
    name = words.unit(_text(event, "unit") or _text(event, "counter"))
    return f"{name} is shipped from {words.place(_text(event, 'from'))} to {words.place(_text(event, 'to'))}"


SEA_TELLERS: dict[str, Callable[[Names, Event], str]] = {
    "malta-roll": _roll,
    "voyage": _voyage,
    "malta-status": _status,
    "shipped": _shipped,
}

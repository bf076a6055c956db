"""The chat lines of cards played as events of Shifting Sands (SS 7.5)."""

from __future__ import annotations

from adjudicator.engine.core import Event
from adjudicator.engine.event_fields import text_in as get

USES = {"rd": "redeployment", "rp": "replacement points"}
STATUS = {"open": "demands an attack", "done": "is obeyed", "void": "is cancelled", "failed": "is not obeyed"}


def counts(event: Event) -> str:
    """The round counts for something else as well."""
    gives = f", {get(event, 'points')} points" if get(event, "points") else ""
    return f"The round counts as one of {USES.get(get(event, 'use'), get(event, 'use'))} too{gives}"


def scored(event: Event) -> str:
    """Points that come once."""
    return f"The points of {get(event, 'event')} come once in a game only"


def mandate(event: Event) -> str:
    """An attack that an event demands."""
    return f"{get(event, 'event')} {STATUS.get(get(event, 'status'), get(event, 'status'))}"


def waits(name: str, event: Event) -> str:
    """A unit without a place."""
    return f"{name} finds no place and {'is lost' if get(event, 'lost') == 'yes' else 'waits'}"


def withdrawn(name: str, start: str, end: str, event: Event) -> str:
    """A unit that an event takes."""
    return f"{name} leaves {start} and goes to {end} ({get(event, 'why')})"

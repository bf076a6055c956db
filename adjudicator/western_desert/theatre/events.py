"""How the events of the theatre change the state: the Levant, pressure on Vichy France, raids, disarray (WD 28)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from adjudicator.engine.core import Event
from adjudicator.engine.event_fields import text_in
from adjudicator.western_desert.state import State, turn_number

NOT_HELD = "no"


def _levant(state: State, event: Event) -> None:
    state.levant = text_in(event, "state")
    if text_in(event, "invaded"):
        state.theatre = replace(state.theatre, invaded=turn_number(text_in(event, "invaded")))
    gained = text_in(event, "gained")
    if gained:
        state.theatre = replace(state.theatre, held=0 if gained == NOT_HELD else turn_number(gained))


def _invasion(state: State, event: Event) -> None:
    allied = text_in(event, "side") == "allied"
    invaded = turn_number(text_in(event, "turn")) if allied else state.theatre.invaded
    state.theatre = replace(state.theatre, vichy=text_in(event, "held"), invaded=invaded)
    state.swear(text_in(event, "held"))


def _pressure(state: State, event: Event) -> None:
    state.theatre = replace(state.theatre, grant=text_in(event, "grant"))


def _raid(state: State, event: Event) -> None:
    state.theatre = replace(state.theatre, raided=state.turn)


def _raided(state: State, event: Event) -> None:
    state.air[text_in(event, "air")].operative = False


def _disarray(state: State, event: Event) -> None:
    state.air[text_in(event, "air")].operative = text_in(event, "state") == "operative"


THEATRE_APPLY: dict[str, Callable[[State, Event], None]] = {
    "levant": _levant,
    "invasion": _invasion,
    "pressure": _pressure,
    "raid": _raid,
    "raided": _raided,
    "disarray": _disarray,
}

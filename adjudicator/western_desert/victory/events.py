"""How the events of victory change the state (WD 31)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from adjudicator.engine.core import Event
from adjudicator.engine.event_fields import text_in, texts_in
from adjudicator.western_desert.state import State


def _vp(state: State, event: Event) -> None:
    side, halves = text_in(event, "side"), int(2 * Fraction(text_in(event, "vp")))
    state.vp2[side] = int(2 * Fraction(text_in(event, "total")))
    state.tally[(side, event.rule)] = state.tally.get((side, event.rule), 0) + halves


def _period(state: State, event: Event) -> None:
    state.met = frozenset(texts_in(event, "met"))


def _held(state: State, event: Event) -> None:
    state.met |= {f"{text_in(event, 'side')}/{text_in(event, 'what')}"}


def _conquest(state: State, event: Event) -> None:
    region = {text_in(event, "region")}
    held = text_in(event, "held") == "yes"
    state.conquered = state.conquered | region if held else state.conquered - region


def _decided(state: State, event: Event) -> None:
    state.level = text_in(event, "level")


VICTORY_APPLY: dict[str, Callable[[State, Event], None]] = {
    "vp": _vp,
    "period": _period,
    "held": _held,
    "conquest": _conquest,
    "decided": _decided,
}

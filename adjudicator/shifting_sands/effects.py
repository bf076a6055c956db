"""What events in force do to movement and combat, read from the cards (SS 7.5; vocabulary of the data pack)."""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import Record, text


def in_force(state: State, do: str) -> Iterator[tuple[str, Record]]:
    """Effects of one kind whose event was played, has not run out and was not cancelled; once for each event."""
    for name, effect in state.world.lasting(do):
        if name in state.events and _lasts(state, name, effect) and not cancelled(state, name):
            yield name, effect


def of_round(state: State, do: str) -> Iterator[tuple[str, Record]]:
    """Effects of one kind of the events played in this part of the round."""
    return ((name, effect) for name, effect in state.world.lasting(do) if name in state.fresh)


def _lasts(state: State, name: str, effect: Record) -> bool:
    until = text(effect, "until") or ("end_of_round" if text(effect, "scope") == "round" else "")
    if until == "end_of_round":
        return name in state.fresh
    return until != "end_of_turn" or state.events[name] == state.turn


def cancelled(state: State, name: str) -> bool:
    """True where an event that cancels this one was played after it."""
    order = list(state.events)
    return any(
        text(effect, "event") == name and canceller in order and order.index(canceller) > order.index(name)
        for canceller, effect in state.world.effects("cancel")
    )

"""Conditions of the data files: when a supply source serves, a region is open, a card may be played."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from adjudicator.shifting_sands.state import State, turn_name, turn_number
from adjudicator.shifting_sands.world import Record, rows, text, texts


class UnknownCondition(ValueError):
    """A pack holds a condition that the rules do not know; a fault of the pack, found by `pack check`."""


def hold(state: State, conditions: Iterable[Record]) -> bool:
    """True where every condition of a list holds; an empty list always holds."""
    return all(holds(state, condition) for condition in conditions)


def holds(state: State, condition: Record) -> bool:
    """True where every part of one condition holds. Raises :class:`UnknownCondition`.

    Which cards are played together is a matter of the order that plays them, not of the state.
    """
    if "with_card" in condition:
        return True
    for name in condition:
        if name not in _TESTS:
            raise UnknownCondition(f"condition {name}")
    return all(_TESTS[name](state, condition) for name in condition if name in _TESTS)


def _if_played(state: State, c: Record) -> bool:
    """One event asks for another once it was played, as the siege of Malta does (SS 7.521)."""
    return not state.played(text(c, "if_played")) or state.played(text(c, "then_played"))


def _controls(state: State, c: Record) -> bool:
    wanted = c.get("controls")
    return isinstance(wanted, dict) and state.owner(text(wanted, "space")) == text(wanted, "side")


def _units_at(state: State, c: Record) -> bool:
    """All the units named stand there, whatever their steps (SS 10.321)."""
    wanted = c.get("units_at")
    if not isinstance(wanted, dict):
        return False
    there = {state.counter(uid).kind for uid in state.units_in(text(wanted, "space"))}
    return set(texts(wanted, "counters")) <= there


def _year(state: State, c: Record) -> bool:
    return turn_name(state.turn).split()[1] in texts(c, "year")


def _season(state: State, c: Record) -> bool:
    return turn_name(state.turn).split()[0] in texts(c, "season")


def _option(state: State, c: Record) -> bool:
    """An optional rule is in use (SS 19.11, 19.3)."""
    return state.world.option(text(c, "option"))


_TESTS: dict[str, Callable[[State, Record], bool]] = {
    "played": lambda s, c: s.played(text(c, "played")),
    "not_played": lambda s, c: not s.played(text(c, "not_played")),
    "if_played": _if_played,
    "then_played": lambda _s, _c: True,
    "rule": lambda _s, _c: True,
    "played_this_turn": lambda s, c: s.events.get(text(c, "played_this_turn")) == s.turn,
    "controls": _controls,
    "units_at": _units_at,
    "turn_min": lambda s, c: s.turn >= turn_number(text(c, "turn_min")),
    "turn_max": lambda s, c: s.turn <= turn_number(text(c, "turn_max")),
    "round_max": lambda s, c: s.round <= int(text(c, "round_max")),
    "year": _year,
    "season": _season,
    "option": _option,
    "any_of": lambda s, c: any(holds(s, part) for part in rows(c, "any_of")),
    "not": lambda s, c: not hold(s, rows(c, "not")),
}

KNOWN = tuple(sorted(_TESTS))

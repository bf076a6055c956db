"""From the events of a message to the steps of a log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from adjudicator.engine.core import Event, Tree

Words = Callable[[Event], str]


class Replay(Protocol):
    """What a log needs of a game: to change a state by an event and to write it down."""

    def apply(self, state: Any, event: Event) -> None:
        """Changes the state by one event."""

    def position(self, state: Any) -> dict[str, Tree]:
        """The public position."""


@dataclass(frozen=True, slots=True)
class LogStep:
    """One step: what is said, the position after it, the hexes each unit went through, its first one first."""

    lines: tuple[str, ...]
    after: Mapping[str, Any]
    paths: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    clear: bool = False


# Kinds of events that belong to the step before them, and kinds of which many make one step.
FOLLOW = frozenset({"control", "supply-used", "supply-spent", "captured", "losses", "stays", "work-lost"})
SET_UP = ("deploy", "deploy-air", "deploy-supply", "deploy-works", "deploy-box", "levant", "disarray")
GATHER = frozenset({*SET_UP, "void", "skipped", "due", "due-supply", "points"})
# A player turn begins with this phase; exploitation is a new movement.
CLEARING = ("initial", "exploitation")


def log_steps(
    replay: Replay, state: Any, events: Iterable[Event], words: Words, viewer: str | None = None
) -> Iterator[LogStep]:
    """The steps of these events, which change the given state as they go.

    `words` says an event in one line, or nothing. An event that the viewer may not know is left out.
    """
    for group in groups([event for event in events if event.see in ("public", viewer)]):
        lines: list[str] = []
        paths: dict[str, tuple[str, ...]] = {}
        for event in group:
            lines += [line for line in words(event).split("\n") if line]
            paths.update(way_of(event))
            replay.apply(state, event)
        clear = any(e.kind == "phase" and e.data.get("phase") in CLEARING for e in group)
        yield LogStep(tuple(lines), replay.position(state), paths, clear)


def groups(events: Sequence[Event]) -> Iterator[list[Event]]:
    """Events that make one step together."""
    group: list[Event] = []
    for event in events:
        gathers = bool(group) and event.kind in GATHER and group[0].kind == event.kind
        if group and not gathers and event.kind not in FOLLOW:
            yield group
            group = []
        group.append(event)
    if group:
        yield group


def way_of(event: Event) -> dict[str, tuple[str, ...]]:
    """The way of the unit that an event moves, if it moves one."""
    unit, start = event.data.get("unit"), event.data.get("from")
    path = event.data.get("path") or event.data.get("to")
    if not isinstance(unit, str) or not isinstance(start, str) or not path:
        return {}
    hexes = [path] if isinstance(path, str) else [hex_name for hex_name in path if isinstance(hex_name, str)]
    return {unit: (start, *hexes)}

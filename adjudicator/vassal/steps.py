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


def way_of(event: Event) -> dict[str, tuple[str, ...]]:
    """The way of the unit that an event moves, if it moves one: from `from` along `path`, or to `to`."""
    unit, start = event.data.get("unit"), event.data.get("from")
    path = event.data.get("path") or event.data.get("to")
    if not isinstance(unit, str) or not isinstance(start, str) or not path:
        return {}
    hexes = [path] if isinstance(path, str) else [hex_name for hex_name in path if isinstance(hex_name, str)]
    return {unit: (start, *hexes)}


@dataclass(frozen=True, slots=True)
class Staging:
    """How a game's events make steps: kinds that belong to the step before them, kinds of which many make one step,
    which events take moved marks and trails off the map, and the way of a unit in an event.
    """

    follow: frozenset[str] = frozenset()
    gather: frozenset[str] = frozenset()
    clears: Callable[[Event], bool] = lambda _event: False
    way: Callable[[Event], dict[str, tuple[str, ...]]] = way_of


PLAIN = Staging()


def log_steps(
    replay: Replay,
    state: Any,
    events: Iterable[Event],
    words: Words,
    viewer: str | None = None,
    staging: Staging = PLAIN,
) -> Iterator[LogStep]:
    """The steps of these events, which change the given state as they go.

    `words` says an event in one line, or nothing. An event that the viewer may not know is left out.
    """
    for group in groups([event for event in events if event.see in ("public", viewer)], staging):
        lines: list[str] = []
        paths: dict[str, tuple[str, ...]] = {}
        for event in group:
            lines += [line for line in words(event).split("\n") if line]
            paths.update(staging.way(event))
            replay.apply(state, event)
        clear = any(staging.clears(event) for event in group)
        yield LogStep(tuple(lines), replay.position(state), paths, clear)


def groups(events: Sequence[Event], staging: Staging = PLAIN) -> Iterator[list[Event]]:
    """Events that make one step together."""
    group: list[Event] = []
    for event in events:
        gathers = bool(group) and event.kind in staging.gather and group[0].kind == event.kind
        if group and not gathers and event.kind not in staging.follow:
            yield group
            group = []
        group.append(event)
    if group:
        yield group

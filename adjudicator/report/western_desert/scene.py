"""The stage on which events are told: the state as it stands before each event, and what has been seen so far.

Events are told in order; each is described on the state before it and then applied, so the report needs no state of
its own beyond what the events make.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from adjudicator.engine.core import Event, Tree
from adjudicator.engine.game import Table
from adjudicator.report.chapter import Chapter
from adjudicator.report.document import Item, Words, code, line, quiet
from adjudicator.report.western_desert.names import hex_words, people, where
from adjudicator.report.western_desert.sectors import Sectors
from adjudicator.report.words import joined
from adjudicator.western_desert.board import Board
from adjudicator.western_desert.state import State


@dataclass
class Scene:
    """The state before the next event.

    ``words`` has, for every kind of event, its sentence when it is told by itself, on the state before it.
    ``touched`` are the hexes in which something happened; ``named`` those that the phase has placed already, so that
    ``south of Sidi Barrani`` is said once, and ``faced`` those of which it was said whom they face.
    """

    table: Table
    chapter: Chapter
    state: State
    sectors: Sectors
    words: Mapping[str, Telling] = field(default_factory=dict)
    touched: set[int] = field(default_factory=set)
    named: set[int] = field(default_factory=set)
    faced: set[tuple[int, ...]] = field(default_factory=set)

    @property
    def board(self) -> Board:
        """The printed map."""
        return self.state.board

    def tell(self, event: Event) -> Item:
        """An event by itself; it is not applied. Raises KeyError for a kind without words: a fault of these modules."""
        return self.words[event.kind](self, event)

    def apply(self, event: Event) -> None:
        """Let an event happen."""
        self.table.apply(self.state, event)

    def find(self, text: str) -> int:
        """The hex of a number, noted as touched."""
        h = self.board.find(text)
        self.touched.add(h)
        return h

    def open_phase(self) -> None:
        """Begin a phase: its readers start afresh."""
        self.named.clear()
        self.faced.clear()

    def place(self, h: int) -> str:
        """A hex so that one can find it; once it is placed, by its number alone."""
        if h in self.named:
            return hex_words(self.board, h)
        self.named.add(h)
        return where(self.board, h)

    def die(self, event: Event) -> tuple[Words, ...]:
        """``die 4, label combat/19.0726/crt, opened by the Axis, link 3``."""
        opening = self.chapter.opening
        dice = items(event, "dice") or [get(event, "die")]
        word = "die" if len(dice) == 1 else "dice"
        opened = f", opened by {people(opening.side)}, link {opening.link}"
        return (f"{word} {joined(dice)}, label ", code(get(event, "label")), opened)


Telling = Callable[[Scene, Event], Item]


def get(event: Event, name: str, default: str = "") -> str:
    """A text of an event."""
    value = event.data.get(name, default)
    return value if isinstance(value, str) else default


def items(event: Event, name: str) -> list[str]:
    """A list of texts of an event."""
    return texts(event.data.get(name))


def texts(tree: Tree | None) -> list[str]:
    """The texts of a list."""
    return [item for item in tree if isinstance(item, str)] if isinstance(tree, list) else []


def records(event: Event, name: str) -> list[Mapping[str, Tree]]:
    """A list of mappings of an event."""
    value = event.data.get(name)
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def record(event: Event, name: str) -> Mapping[str, Tree]:
    """A mapping of an event, empty where it is absent."""
    value = event.data.get(name)
    return value if isinstance(value, dict) else {}


def word(row: Mapping[str, Tree], name: str, default: str = "") -> str:
    """A text of a mapping."""
    value = row.get(name, default)
    return value if isinstance(value, str) else default


def rule(address: str) -> Words:
    """The address of a rule, to be read over: `` (WD 11)``."""
    return line(" ", quiet(f"({address})")) if address else ""


def by_choice(event: Event, default: str = "") -> str:
    """Who chose: "" for an order, else the clause, that it was forced, or what the default takes and why it came."""
    source, clause = get(event, "choice"), get(event, "clause")
    if source == "standing":
        return f"by standing order, {clause}"
    if source == "default":
        return ": ".join(part for part in (f"by default, {default}" if default else "by default", clause) if part)
    if source == "forced":
        return "there was no other choice"
    return ""


def of_kind(events: Iterable[Event], kind: str) -> list[Event]:
    """The events of a kind."""
    return [event for event in events if event.kind == kind]

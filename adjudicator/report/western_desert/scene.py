"""The stage on which events are told: the state as it stands before each event, and what has been seen so far.

Events are told in order; each is described on the state before it and then applied, so the report needs no state of
its own beyond what the events make.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from adjudicator.engine.core import Event
from adjudicator.engine.game import Table
from adjudicator.report.chapter import Chapter
from adjudicator.report.document import Item, Words
from adjudicator.report.fields import by_choice, die_words, get, items, of_kind, record, records, rule, texts, word
from adjudicator.report.western_desert.names import hex_words, people, where
from adjudicator.report.western_desert.sectors import Sectors
from adjudicator.western_desert.board import Board
from adjudicator.western_desert.state import State

__all__ = [
    "Scene", "Telling", "by_choice", "get", "items", "of_kind", "record", "records", "rule", "texts", "word",
]


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
        return die_words(event, self.chapter.opening, people)


Telling = Callable[[Scene, Event], Item]

"""The stage on which events of Shifting Sands are told: the state before each event, and what was touched so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from adjudicator.engine.core import Event
from adjudicator.engine.game import Table
from adjudicator.report.chapter import Chapter
from adjudicator.report.document import Item, Words
from adjudicator.report.fields import die_words
from adjudicator.report.shifting_sands.names import people
from adjudicator.shifting_sands.state import State


@dataclass
class Scene:
    """The state before the next event.

    ``words`` has, for every kind of event, its sentence when it is told by itself, on the state before it.
    ``touched`` are the spaces in which something happened, ``notable`` those of them that are told of even when empty.
    """

    table: Table
    chapter: Chapter
    state: State
    words: Mapping[str, Telling] = field(default_factory=dict)
    touched: set[str] = field(default_factory=set)
    notable: set[str] = field(default_factory=set)

    def tell(self, event: Event) -> Item:
        """An event by itself; it is not applied. Raises KeyError for a kind without words: a fault of these modules."""
        return self.words[event.kind](self, event)

    def apply(self, event: Event) -> None:
        """Let an event happen."""
        self.table.apply(self.state, event)

    def tell_all(self, events: Sequence[Event]) -> list[Item]:
        """Events one by one, each applied after it is told."""
        told = []
        for event in events:
            told.append(self.tell(event))
            self.apply(event)
        return told

    def touch(self, *names: str) -> None:
        """Note that something happens in spaces."""
        self.touched.update(name for name in names if name in self.state.world.spaces)

    def stage(self, *names: str) -> None:
        """Note that spaces changed hands or were fought for."""
        self.touch(*names)
        self.notable.update(name for name in names if name in self.state.world.spaces)

    def die(self, event: Event) -> tuple[Words, ...]:
        """``die 4, label combat/halfaya/fire-attacker, opened by the Axis, link 3``."""
        return die_words(event, self.chapter.opening, people)


Telling = Callable[[Scene, Event], Item]

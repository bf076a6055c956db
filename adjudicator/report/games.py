"""Which game has which words. The generic part of the report knows no game; it asks a :class:`Teller`."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any, NamedTuple, Protocol, cast

from adjudicator.engine.core import Event
from adjudicator.engine.game import Table
from adjudicator.report.chapter import Chapter, ReportError
from adjudicator.report.document import Document, Item

_MODULES = {
    "shifting-sands": "adjudicator.report.shifting_sands",
    "western-desert": "adjudicator.report.western_desert",
}


class Told(NamedTuple):
    """An event as a line of a message, and what lies behind it: strengths, modifiers, chances."""

    event: Event
    line: Item
    behind: tuple[Item, ...] = ()


class Teller(Protocol):
    """The words of one game."""

    def side(self, side: str) -> str:
        """A side as adjective: ``Allied``."""

    def people(self, side: str) -> str:
        """A side as noun: ``the Allies``."""

    def headline(self, chapter: Chapter, before: Any) -> str:
        """What the message is in the game: ``Dec I 40, the Allied surprise turn``."""

    def story(self, table: Table, chapter: Chapter, before: Any) -> Document:
        """What happened, phase by phase, and where it left both sides."""

    def lines(self, table: Table, chapter: Chapter, before: Any) -> Iterator[Told]:
        """The events one by one, each as a line with what lies behind it; ``before`` is used up."""

    def kinds(self) -> frozenset[str]:
        """The kinds of event that the game module has words for."""


def teller(system: str) -> Teller:
    """The words of a game. Raises ReportError for a game without any."""
    module = _MODULES.get(system)
    if module is None:
        raise ReportError(f"there are no reports for the game {system!r} in this version")
    return cast(Teller, import_module(module).TELLER)

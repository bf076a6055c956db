"""What a game supplies so that modules, saves and logs of it can be made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from adjudicator.engine.core import Event
    from adjudicator.vassal.logfile import Step
    from adjudicator.vassal.model import Module, Save
    from adjudicator.vassal.plans import Names
    from adjudicator.vassal.steps import LogStep, Staging


class ChatTeller(Protocol):
    """The words of one game for the chat, and which of its events make one step of a log together."""

    staging: Staging

    def __call__(self, event: Event) -> str:
        """The event in a line or several, or nothing."""


class Adaptor(Protocol):
    """One pack's module. Whatever a pack or its art lacks raises ExportError."""

    def module(self, *, pictures: bool = True) -> Module:
        """The module; without pictures, zones, charts and set-ups it is enough to write saves."""

    def save(self, position: Mapping[str, Any], viewer: str | None, title: str) -> Save:
        """A position as a save."""

    def log(
        self, position: Mapping[str, Any], steps: Iterable[LogStep], viewer: str | None, title: str
    ) -> tuple[Save, Iterator[Step]]:
        """A position and what follows it. The steps are made one by one, as they are asked for."""

    def place_at(self, map_name: str, x: int, y: int) -> str | None:
        """The hex or space at a point of a map; None beside them."""

    def names(self, side: str) -> Names:
        """How a side's orders name its units."""

    def words(self) -> ChatTeller:
        """Says events in a line of chat each."""

    def piece_keys(self) -> list[str]:
        """The keys of all counters of the module."""

    def boards(self) -> dict[str, bytes]:
        """Each board drawn as SVG, by the name of its picture."""

    def whole_map(self) -> bytes:
        """All boards as one SVG."""

    def drawn_from(self) -> str:
        """What the boards are drawn from, as a number: equal inputs give equal pictures."""

    def counter_sheet(self) -> bytes:
        """One SVG sheet with every counter, front and back."""

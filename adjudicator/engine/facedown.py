"""Decks with a hidden hand (PROTOCOL 6): what a game tells of them to the program that carries its messages.

A card that lies face down is known by its handle ``epoch.pos``. What an order needs to be known of a card its message
opens; the rules read it as :attr:`~adjudicator.engine.core.Order.shown`. In the eyes of its owner a card is its id in
the pack.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from adjudicator.engine.core import Event, Order, Tree
from adjudicator.engine.driver import Waits
from adjudicator.engine.queries import Reply

Face = Mapping[str, str]
"""The attributes of a card by name."""


@dataclass(frozen=True)
class Deck:
    """A deck of one side: its attributes, the cards that it begins with, and what rules add to it, by word."""

    side: str
    attributes: tuple[str, ...]
    cards: tuple[Face, ...]
    additions: Mapping[str, tuple[Face, ...]] = field(default_factory=dict)


class Use(NamedTuple):
    """A card that an order names: deck, handle, the attribute to be opened ("" for none), the zones it may lie in, and
    the value that a rule fixes ("" for any)."""

    deck: str
    card: str
    attr: str = ""
    zones: tuple[str, ...] = ("hand",)
    value: str = ""


class Change(NamedTuple):
    """A new epoch that a message owes: deck, the handles it is made of, the zone of its cards, what a rule adds."""

    deck: str
    cards: tuple[str, ...]
    zone: str
    add: str = ""


class Done(NamedTuple):
    """What an event does to a deck: ``draw`` on dice, ``pick`` for the other side, ``show`` to it, ``move`` to a zone,
    ``change``."""

    verb: str
    deck: str
    cards: tuple[str, ...] = ()
    zone: str = ""
    label: str = ""


class FaceDown(Protocol):
    """What a game with face-down decks knows of them."""

    def decks(self) -> Mapping[str, Deck]:
        """All decks, by id: ``<side>-<name>``."""

    def start(self) -> Any:
        """The state before set-up, for a game in which cards lie face down."""

    def uses(self, state: Any, side: str, orders: Sequence[Order]) -> list[Use]:
        """The cards that a message's orders name, in whatever section."""

    def changes(self, state: Any, side: str, orders: Sequence[Order]) -> list[Change]:
        """The new epochs that a message of a side owes, for which play waits in this state."""

    part_topics: tuple[str, ...]
    """The topics of books in which parts of sealed orders lie that name cards."""

    def parts(self, side: str, order: Order) -> Mapping[str, Tree]:
        """What a sealed order that names cards says, topic by topic, each card as ``{deck, card}`` with its id; {} for
        any other order."""

    def done(self, event: Event) -> list[Done]:
        """What an event does to the decks."""

    def seen(self, state: Any, side: str, faces: Mapping[str, str]) -> Any:
        """The state as a side sees it: its cards by id, as far as ``faces`` has them by handle."""

    def name(self, state: Any, side: str, faces: Mapping[str, str]) -> None:
        """Let a state know what the own cards of a side are called, by handle: for words, never for rules."""

    def laid(self, state: Any, side: str, order: Order, faces: Mapping[str, Face]) -> Order:
        """An order with handles in place of the ids of own cards, and what its message will open of them."""

    def hand(
        self, state: Any, side: str, faces: Mapping[str, str], waits: Waits, spoken: Callable[[str], str]
    ) -> Reply:
        """The hand of a side for its owner: each card with what it may be played for now, and if not, why."""

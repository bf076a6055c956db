"""What a rules module fixes of hidden things: books with their topics, decks with their cards (PROTOCOL 5, 6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from adjudicator.protocol.fields import is_slug
from adjudicator.protocol.forms import MAX_BOOKS
from adjudicator.turnfile.canon import is_key

NAME = "name"
"""The first attribute of every card: its id in the pack, unique in its deck."""


class DeckForm(NamedTuple):
    """A deck of one side: `cards` of the scenario in pack order, each a mapping of attribute values.

    `additions` are the cards a rule adds at a transfer, by what `add` says there.
    """

    side: str
    attributes: tuple[str, ...]
    cards: tuple[Mapping[str, str], ...]
    additions: Mapping[str, tuple[Mapping[str, str], ...]] = MappingProxyType({})

    def names(self) -> frozenset[str]:
        """The names of all cards that can ever be in the deck."""
        more = (card for cards in self.additions.values() for card in cards)
        return frozenset(card[NAME] for card in (*self.cards, *more))


@dataclass(frozen=True)
class Layout:
    """Books (name -> topics in their order) and decks (id -> form) of a game. ValueError when it breaks 3.1, 5 or 6."""

    books: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    decks: Mapping[str, DeckForm] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.books) > MAX_BOOKS:
            raise ValueError(f"{len(self.books)} books, at most {MAX_BOOKS} are allowed")
        for book, topics in self.books.items():
            if not is_key(book) or not topics or len({*topics}) != len(topics) or not all(map(is_slug, topics)):
                raise ValueError(f"the book {book!r} or one of its topics has no proper name")
        for deck, form in self.decks.items():
            if not is_slug(deck) or not deck.startswith(f"{form.side}-"):
                raise ValueError(f"a deck is called <side>-<name>, not {deck!r}")
            if form.attributes[:1] != (NAME,) or not all(map(is_slug, form.attributes)):
                raise ValueError(f"the first attribute of a card of {deck} must be `{NAME}`")

    def decks_of(self, side: str) -> dict[str, DeckForm]:
        """The decks of a side, by id."""
        return {deck: self.decks[deck] for deck in sorted(self.decks) if self.decks[deck].side == side}


NOTHING_HIDDEN = Layout()
"""The layout of a game without books and decks."""

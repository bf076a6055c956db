"""What a game is handed to resolve a message with hidden things in it: dice, books, decks (PROTOCOL 4.7, 5, 6).

A desk serves one resolution. It reads closed topics of nobody but the author of the next message (R5), counts what it
demanded, and draws from a deck on its owner's seed only (R6).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from adjudicator.protocol.dice import Dice
from adjudicator.protocol.forms import Row, rows
from adjudicator.protocol.history import Sealed
from adjudicator.protocol.layout import Layout
from adjudicator.protocol.piles import DRAW, HAND, Handle, Pile, PileFault, handle_text
from adjudicator.protocol.verdicts import ProtocolError
from adjudicator.turnfile.nodes import Tree

Wanted = tuple[str, int, str]
"""A topic to be opened: book, the message it stands in, topic."""

Source = Callable[[Wanted], Row | None]
"""Where openings come from: the field `open` of the next message, or its author's own books."""


class Unopened(ProtocolError):
    """A topic was demanded that is not opened (E_SEAL): no fault of the engine, which must let it pass."""


class Topic(NamedTuple):
    """An opened topic: the message its book stands in, and its rules; None when it was sealed empty."""

    seq: int
    rules: Tree | None


@dataclass
class Shelf:
    """The books in force of both sides and their opened topics."""

    opened: dict[tuple[str, str, int], dict[str, Topic]] = field(default_factory=dict)

    def copy(self) -> Shelf:
        """An independent copy."""
        return Shelf({key: dict(topics) for key, topics in self.opened.items()})

    def topics(self, book: Sealed) -> dict[str, Topic]:
        """The opened topics of a book."""
        return self.opened.setdefault((book.side, book.book, book.seq), {})

    def keep(self, books: Sequence[Sealed]) -> None:
        """Forget the opened topics of all books but these, those in force."""
        keys = [(one.side, one.book, one.seq) for one in books]
        self.opened = {key: self.opened[key] for key in keys if key in self.opened}

    def position(self, books: Sequence[Sealed]) -> list[Tree]:
        """Books as they stand in the public position, in the order given."""
        found: list[Tree] = []
        for book in books:
            opened: list[Tree] = []
            for name, topic in sorted(self.opened.get((book.side, book.book, book.seq), {}).items()):
                rules: dict[str, Tree] = {} if topic.rules is None else {"rules": topic.rules}
                opened.append({"topic": name, **rules})
            row: dict[str, Tree] = {"book": book.book, "opened": opened, "root": book.root}
            found.append({**row, "seq": str(book.seq), "side": book.side})
        return found


@dataclass
class Desk:
    """Dice, books and decks of the resolution of message `n`.

    `author` wrote n, `opener` writes n + 1 and opens its dice. `books` are those in force (seq < n), `after` those in
    force for the next resolution. `end` is `resign` or `draw` where n ends the game: its orders are void then.
    `lost` is true where the opener lost his chain: nothing is resolved but time goes on, without dice, orders and
    answers. `history` are the topics the author brought as proof of age; each fits its root.
    """

    n: int
    author: str
    opener: str
    layout: Layout
    dice: Dice
    books: Mapping[tuple[str, str], Sealed]
    after: tuple[Sealed, ...]
    older: Mapping[tuple[str, str], Sequence[Sealed]]
    shelf: Shelf
    piles: dict[str, Pile]
    source: Source
    end: str = ""
    lost: bool = False
    history: tuple[Row, ...] = ()
    shown: tuple[Row, ...] = ()
    transfers: list[Row] = field(default_factory=list)
    demanded: list[Wanted] = field(default_factory=list)
    missing: Unopened | None = None

    # -- books -----------------------------------------------------------------------------------------------

    def topic(self, side: str, book: str, topic: str) -> Topic | None:
        """What a side's book in force says on a topic. None: no book, or a closed one that can't be read now - a stop.

        A closed topic of the author of n + 1 is *demanded* by this call: he must open it, so ask only when a choice
        of its kind is reached. ValueError for a book or topic the layout does not have.
        """
        if topic not in self.layout.books.get(book, ()):
            raise ValueError(f"there is no topic {topic!r} in a book {book!r}")
        sealed = self.books.get((side, book))
        if sealed is None:
            return None
        opened = self.shelf.topics(sealed)
        if topic not in opened:
            if side != self.opener:
                return None
            opened[topic] = self._demand(sealed, topic)
        return opened[topic]

    def display(self, side: str, book: str, topic: str, since: int = 0) -> list[Topic] | None:
        """A topic with its history: out of all books of that name from message `since` on, the one in force last.

        For what a public trigger shows (a hidden garrison). None where they can't be read now.
        """
        if side != self.opener or (side, book) not in self.books:
            return None
        in_force = self.books[side, book]
        found = [one for one in self.older.get((side, book), ()) if since <= one.seq < in_force.seq]
        older = [self._demand(one, topic) for one in found]
        last = self.topic(side, book, topic)
        assert last is not None
        return [*older, last]

    def _demand(self, sealed: Sealed, topic: str) -> Topic:
        wanted = sealed.book, sealed.seq, topic
        if wanted not in self.demanded:
            self.demanded.append(wanted)
        row = self.source(wanted)
        if row is None:
            text = f"topic {topic} of book {sealed.book} of message {sealed.seq} is demanded and not opened"
            self.missing = Unopened("E_SEAL", text, self.n + 1)
            raise self.missing
        return Topic(sealed.seq, row.get("rules"))

    def books_position(self) -> list[Tree]:
        """The books in force after this resolution, for the public position: those of message n among them."""
        return self.shelf.position(self.after)

    # -- decks -----------------------------------------------------------------------------------------------

    def draw(self, deck: str) -> Handle:
        """Draw a card into its owner's hand. PileFault (I3) unless he wrote n, or when the pile is empty."""
        pile = self.piles[deck]
        if pile.side != self.author:
            raise PileFault(f"{deck} is drawn from on a seed of {self.author} (I3)")
        cards = pile.zone(DRAW)
        if not cards:
            raise PileFault(f"{deck} has no card to draw")
        epoch = cards[0][0]
        if epoch != cards[-1][0]:
            raise PileFault(f"{deck}: zone draw holds two epochs")
        pile.drawn += 1
        card = cards[self.dice.pick(f"deck/{deck}/{epoch}/draw/{pile.drawn}", len(cards))]
        pile.move(card, HAND)
        return card

    def pick_card(self, deck: str, label: str, without: Sequence[Handle] = ()) -> Handle:
        """A random card of a hidden hand; its owner must show its name in his next message."""
        pile = self.piles[deck]
        cards = [card for card in pile.zone(HAND) if card not in without]
        if not cards:
            raise PileFault(f"{deck} has no card in hand to pick")
        card = cards[self.dice.pick(label, len(cards))]
        self.demand_show(deck, card)
        return card

    def demand_show(self, deck: str, card: Handle) -> None:
        """A card that a rule lets the other side see: its owner must show its name in his next message."""
        if card not in self.piles[deck].cards:
            raise PileFault(f"{deck} has no such card to show")
        if card not in self.piles[deck].shows:
            self.piles[deck].shows.append(card)

    def move(self, deck: str, card: Handle, zone: str) -> None:
        """Put a card into another zone."""
        self.piles[deck].move(card, zone)

    def transfer(self, deck: str) -> Row:
        """Carry out the next transfer of a deck that stands in n, after discards and takes; gives its row."""
        row = next((row for row in self.transfers if row["deck"] == deck), None)
        if row is None:
            raise PileFault(f"message {self.n} has no transfer of {deck}")
        self.transfers.remove(row)
        self.piles[deck].transfer(row)
        return row

    def decks_position(self) -> list[Tree]:
        """All decks, by id, for the public position."""
        return [self.piles[deck].position() for deck in sorted(self.piles)]

    def shows_position(self) -> list[Tree]:
        """The cards each side must show in its next message."""
        return [
            {"cards": [handle_text(card) for card in pile.shows], "side": pile.side}
            for _, pile in sorted(self.piles.items())
            if pile.shows
        ]

    def public(self, body: Mapping[str, Tree]) -> None:
        """Step 1 of a resolution: what message n opened is public, its transfers wait for the game."""
        for row in (*rows(body.get("cards")), *rows(body.get("show"))):
            self.piles[str(row["deck"])].open(row)
        for pile in self.piles.values():
            if pile.side == self.author:
                pile.shows.clear()
        self.history, self.shown = tuple(rows(body.get("history"))), tuple(rows(body.get("show")))
        self.transfers = rows(body.get("decks"))

"""Sealed standing orders of a match, in the books that its game names: the topic decides the book (PROTOCOL 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from adjudicator.engine.core import Order, Tree
from adjudicator.engine.driver import Message, Told, standing_in_force
from adjudicator.engine.game import Table, ordered
from adjudicator.engine.schema import Types
from adjudicator.match.facedown import cards_shown, forms_of
from adjudicator.match.folder import FolderError
from adjudicator.protocol.books import filled
from adjudicator.protocol.desk import Desk
from adjudicator.protocol.history import Sealed
from adjudicator.protocol.layout import NOTHING_HIDDEN, Layout
from adjudicator.protocol.own import OwnBooks

WAY_OUT = "`recover` brings it back out of a copy, the sealed copy in your sent mail, or the turn file you wrote"
SEALED = "sealed"
Found = tuple[int, Tree] | None
Judge = Callable[[str, str, Tree], str]
"""What keeps the rules of a side on a topic from being read; "" where nothing does."""


def _readable(_side: str, _topic: str, _rules: Tree) -> str:
    return ""


def topics_of(table: Table) -> tuple[str, ...]:
    """The topics of the standing orders of a game, book by book; none where it has no standing orders."""
    secret = table.plans.books if table.plans is not None else ()
    parts = table.facedown.part_topics if table.facedown is not None else ()
    listed = (topic for book, topics in table.books.items() if book not in secret for topic in topics)
    return tuple(topic for topic in listed if topic not in parts)


def layout_of(table: Table) -> Layout:
    """The books and decks of a game. ValueError where a topic stands in two: it would have two places."""
    topics = [topic for told in table.books.values() for topic in told]
    twice = sorted(topic for topic in {*topics} if topics.count(topic) > 1)
    if twice:
        raise ValueError(f"{table.title}: the topic {twice[0]} stands in more than one book")
    decks = forms_of(table)
    return Layout(dict(table.books) if topics else {}, decks) if topics or decks else NOTHING_HIDDEN


def book_of(layout: Layout, topic: str) -> str:
    """The book in which a topic stands; "" where the game has no such topic."""
    return next((book for book, topics in layout.books.items() if topic in topics), "")


def is_sealed(order: Order) -> bool:
    """True for a standing order of a turn file that is to be sealed: it goes into the book, not into the message."""
    return order.type == "standing" and order.text(SEALED) == "yes"


def open_orders(orders: Iterable[Order], types: Types) -> list[Order]:
    """The orders that stand in the message: neither sealed nor secret."""
    return [order for order in orders if not is_sealed(order) and not is_secret(order, types)]


def is_secret(order: Order, types: Types) -> bool:
    """True for an order that plans in secret: it goes into a book, wherever it stands."""
    return order.type in types and types[order.type].secret


def contents(
    orders: Iterable[Order], own: OwnBooks, before: Mapping[str, Sealed], layout: Layout, openly: Mapping[str, int]
) -> dict[str, Mapping[str, Tree]]:
    """The new books that the sealed standing orders of a turn file make, by name; {} where it has none.

    Only books with a topic among them are new: the others stay in force (``before``, by name). A new book replaces the
    old one of its name whole (PROTOCOL 5), so what the player sealed in that goes into it again, but not on topics of
    which he gave newer open orders (``openly``, their messages by topic): these would be undone. Raises FolderError
    where it is not kept here, or the game has no such topic: it would be gone without a word.
    """
    told: dict[str, dict[str, Tree]] = {}
    for order in filter(is_sealed, orders):
        topic = order.text("topic")
        book = book_of(layout, topic)
        if not book:
            raise FolderError(f"this game has no sealed topic {topic}; send it as an open standing order")
        told.setdefault(book, {})[topic] = order.data.get("rules", [])
    return {book: filled({**_sealed_before(own, before.get(book), openly), **told[book]}) for book in sorted(told)}


def _sealed_before(own: OwnBooks, before: Sealed | None, openly: Mapping[str, int]) -> Mapping[str, Tree]:
    if before is None:
        return {}
    old = own.find(before.book, before.seq, before.root)
    if old is None:
        text = f"what you sealed in message {before.seq} is not kept here, so it can't go into the new book"
        raise FolderError(f"{text}; {WAY_OUT}")
    return {topic: rules for topic, rules in old.rules.items() if openly.get(topic, 0) < before.seq}


def openly_told(messages: Sequence[Message], side: str, before: int) -> dict[str, int]:
    """The messages before one that brought the open standing orders of a side in force, by topic."""
    return {topic: seq for topic, (seq, _) in standing_in_force(messages, side, before).items()}


class Sheets:
    """The books of both sides as the driver asks for them.

    A step may be run again over the dice of several messages; what a book said on the dice of one holds for ever, so
    it is remembered (``told``) as long as the step may be run again. Beyond the dice that are open only topics are
    read that lie open already (``public``). ``judge`` says what can't be read: a sealed topic passes no `check` of the
    other side, so anything may stand in it.
    """

    def __init__(self) -> None:
        self.judge: Judge = _readable
        self._told: dict[tuple[int, str, str], Found] = {}
        self._public: dict[tuple[str, str], tuple[int, Tree]] = {}
        self._desk: Desk | None = None

    def begin(self, desk: Desk) -> None:
        """Read from this desk: its message is being resolved."""
        self._desk = desk

    def end(self) -> None:
        """The message is resolved, or could not be."""
        self._desk = None

    def keep(self, since: int) -> None:
        """After a resolution: forget what was said on the dice of messages before ``since``, note what lies open."""
        assert self._desk is not None
        self._told = {key: found for key, found in self._told.items() if key[0] >= since}
        self._public = {
            (book.side, topic): (book.seq, cards_shown(self._desk, book.side, found.rules))
            for book in self._desk.after
            for topic, found in self._desk.shelf.topics(book).items()
            if found.rules is not None
        }

    def read(self, at: int, side: str, topic: str, since: int) -> Told | None:
        """What the book of a side says on a topic (:class:`adjudicator.engine.driver.Books`)."""
        found = self._found(at, side, topic, since)
        if found is None:
            return None
        rules = ordered(found[1])  # the same for who sealed them and who reads the opening, and no longer than orders
        return Told(found[0], rules, self.judge(side, topic, rules))

    def display(self, at: int, side: str, topic: str, since: int) -> Told | None:
        """A topic with its history (:class:`adjudicator.engine.driver.Books`): read on the dice that are being opened,
        and remembered as long as the step may be run again."""
        desk = self._desk
        if desk is not None and at == desk.n:
            self._told[at, side, topic] = _history(desk, side, topic, since)
        found = self._told.get((at, side, topic))
        return None if found is None else Told(found[0], ordered(found[1]))

    def _found(self, at: int, side: str, topic: str, since: int) -> Found:
        desk = self._desk
        if desk is not None and at == desk.n:
            self._told[at, side, topic] = found = _read(desk, side, topic, since)
            return found
        if (at, side, topic) in self._told:
            return self._told[at, side, topic]
        public = self._public.get((side, topic))
        return public if public is not None and public[0] > since and public[0] < at else None

    def position(self) -> list[Any]:
        """The books in force, for the public position; none outside a resolution."""
        return [] if self._desk is None else self._desk.books_position()

    def export(self) -> dict[str, Any]:
        """As plain trees, where there is anything to keep."""
        told = [_row({"at": str(at), "side": side, "topic": t}, f) for (at, side, t), f in sorted(self._told.items())]
        public = [_row({"side": side, "topic": t}, found) for (side, t), found in sorted(self._public.items())]
        return {name: rows for name, rows in (("told", told), ("public", public)) if rows}

    @classmethod
    def restored(cls, tree: Mapping[str, Any]) -> Sheets:
        """From exported trees."""
        self = cls()
        told: Sequence[Mapping[str, Any]] = tree.get("told", ())
        self._told = {(int(row["at"]), row["side"], row["topic"]): _found(row) for row in told}
        for row in tree.get("public", ()):
            self._public[row["side"], row["topic"]] = (int(row["seq"]), row["rules"])
        return self


@dataclass(frozen=True)
class Known:
    """Sealed standing orders as one player knows them who plans: what lies open of both sides, and his own.

    His own are read where they would be opened, on the dice of the other side's messages: whoever opens the dice of a
    message opens the topics (PROTOCOL 5). ``writes`` tells the author of a message, ``own`` for each topic the message
    that sealed it and its rules.
    """

    sheets: Sheets
    side: str
    writes: Callable[[int], str]
    own: Mapping[str, tuple[int, Tree]] = field(default_factory=dict)
    history: Callable[[str, int], Sequence[tuple[int, Tree]]] = lambda _topic, _since: ()

    def read(self, at: int, side: str, topic: str, since: int) -> Told | None:
        """What a book says on a topic (:class:`adjudicator.engine.driver.Books`)."""
        found = self.sheets.read(at, side, topic, since)
        if found is not None or side != self.side or self.writes(at) == side or topic not in self.own:
            return found
        seq, rules = self.own[topic][0], ordered(self.own[topic][1])
        return Told(seq, rules, self.sheets.judge(side, topic, rules)) if since < seq < at else None

    def display(self, at: int, side: str, topic: str, since: int) -> Told | None:
        """A topic with its history; his own out of the books that he keeps."""
        found = self.sheets.display(at, side, topic, since)
        if found is not None or side != self.side or self.writes(at) == side:
            return found
        rows: list[Tree] = [history_row(seq, rules) for seq, rules in self.history(topic, since) if seq < at]
        return Told(at, ordered(rows)) if rows else None


def _read(desk: Desk, side: str, topic: str, since: int) -> Found:
    book = book_of(desk.layout, topic)
    sealed = desk.books.get((side, book))
    if sealed is None or sealed.seq <= since:
        return None
    found = desk.topic(side, book, topic)
    return None if found is None or found.rules is None else (found.seq, cards_shown(desk, side, found.rules))


def _history(desk: Desk, side: str, topic: str, since: int) -> Found:
    found = desk.display(side, book_of(desk.layout, topic), topic, since)
    if not found:
        return (desk.n, []) if side == desk.opener else None  # whoever sealed nothing has nothing to say
    return found[-1].seq, [history_row(one.seq, one.rules) for one in found]


def history_row(seq: int, rules: Tree | None) -> dict[str, Tree]:
    """What one book says on a topic, in its history."""
    return {"rules": rules if rules is not None else "", "seq": str(seq)}


def _row(row: dict[str, Any], found: Found) -> dict[str, Any]:
    return row if found is None else {**row, "seq": str(found[0]), "rules": found[1]}


def _found(row: Mapping[str, Any]) -> Found:
    return (int(row["seq"]), row["rules"]) if "seq" in row else None

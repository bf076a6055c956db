"""Sealed standing orders of a match: one book, whose topics are those of the standing orders (PROTOCOL 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from adjudicator.engine.core import Order, Tree
from adjudicator.engine.driver import Told
from adjudicator.engine.game import Table, ordered
from adjudicator.match.folder import FolderError
from adjudicator.protocol.books import filled
from adjudicator.protocol.desk import Desk
from adjudicator.protocol.history import Sealed
from adjudicator.protocol.layout import NOTHING_HIDDEN, Layout
from adjudicator.protocol.own import OwnBooks

WAY_OUT = "`recover` brings it back out of a copy, the sealed copy in your sent mail, or the turn file you wrote"
BOOK = "sheet"
SEALED = "sealed"
Found = tuple[int, Tree] | None
Judge = Callable[[str, str, Tree], str]
"""What keeps the rules of a side on a topic from being read; "" where nothing does."""


def _readable(_side: str, _topic: str, _rules: Tree) -> str:
    return ""


def topics_of(table: Table) -> tuple[str, ...]:
    """The topics of the standing orders of a game; none where it has no standing orders."""
    standing = table.order_types.get("standing")
    return tuple(standing.fields["topic"].words) if standing is not None else ()


def layout_of(table: Table) -> Layout:
    """The book of a game: a topic for each topic of its standing orders; none where it has no standing orders."""
    topics = topics_of(table)
    return Layout({BOOK: topics}) if topics else NOTHING_HIDDEN


def is_sealed(order: Order) -> bool:
    """True for a standing order of a turn file that is to be sealed: it goes into the book, not into the message."""
    return order.type == "standing" and order.text(SEALED) == "yes"


def open_orders(orders: Iterable[Order]) -> list[Order]:
    """The orders that stand in the message."""
    return [order for order in orders if not is_sealed(order)]


def contents(orders: Iterable[Order], own: OwnBooks, before: Sealed | None) -> dict[str, Mapping[str, Tree]]:
    """The new book that the sealed standing orders of a turn file make; {} where it has none.

    A new book replaces the old one whole (PROTOCOL 5), so what the player sealed before goes into it again. Raises
    FolderError where that is not kept here: it would be gone without a word.
    """
    told = {order.text("topic"): order.data.get("rules", []) for order in orders if is_sealed(order)}
    if not told:
        return {}
    old = own.find(BOOK, before.seq, before.root) if before is not None else None
    if before is not None and old is None:
        text = f"what you sealed in message {before.seq} is not kept here, so it can't go into the new book"
        raise FolderError(f"{text}; {WAY_OUT}")
    return {BOOK: filled({**(old.rules if old is not None else {}), **told})}


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
            (book.side, topic): (book.seq, found.rules)
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
    message opens the topics (PROTOCOL 5). ``writes`` tells the author of a message.
    """

    sheets: Sheets
    side: str
    writes: Callable[[int], str]
    own: Mapping[str, Tree] = field(default_factory=dict)
    seq: int = 0

    def read(self, at: int, side: str, topic: str, since: int) -> Told | None:
        """What a book says on a topic (:class:`adjudicator.engine.driver.Books`)."""
        found = self.sheets.read(at, side, topic, since)
        if found is not None or side != self.side or self.writes(at) == side or not since < self.seq < at:
            return found
        if topic not in self.own:
            return None
        rules = ordered(self.own[topic])
        return Told(self.seq, rules, self.sheets.judge(side, topic, rules))


def _read(desk: Desk, side: str, topic: str, since: int) -> Found:
    sealed = desk.books.get((side, BOOK))
    if sealed is None or sealed.seq <= since or topic not in desk.layout.books.get(BOOK, ()):
        return None
    found = desk.topic(side, BOOK, topic)
    return None if found is None or found.rules is None else (found.seq, found.rules)


def _row(row: dict[str, Any], found: Found) -> dict[str, Any]:
    return row if found is None else {**row, "seq": str(found[0]), "rules": found[1]}


def _found(row: Mapping[str, Any]) -> Found:
    return (int(row["seq"]), row["rules"]) if "seq" in row else None

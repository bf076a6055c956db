"""What a player's program keeps and computes of his hidden things: contents of his books, faces of his cards.

Of a deck nothing is kept: its keys come from K_game, its order from the keys and the log (PROTOCOL 6). What a player
wrote into a book stands nowhere else, so it is stored *before* the message that seals it is signed; lost contents
can't be opened, and the next demand would be E_SEAL for ever.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from adjudicator.protocol.books import Book, book_key, filled
from adjudicator.protocol.decks import Epoch, deck_key
from adjudicator.protocol.desk import Source, Wanted
from adjudicator.protocol.fields import is_hash, uint
from adjudicator.protocol.forms import Row, handle, rows
from adjudicator.protocol.keys import sync_folder
from adjudicator.protocol.layout import Layout
from adjudicator.protocol.openings import epochs, own_books
from adjudicator.protocol.piles import Owed
from adjudicator.protocol.secret import Secret
from adjudicator.protocol.verdicts import ProtocolError
from adjudicator.protocol.verifier import Verifier
from adjudicator.turnfile.canon import CanonError, canon, parse
from adjudicator.turnfile.nodes import Tree

FORMAT = "pbem1-books/1"


class OwnBooks:
    """The books one player sealed in one game, with their keys: enough to open topics without K_game (`serve`)."""

    def __init__(self, books: Iterable[Book] = ()) -> None:
        self._books = {(book.book, book.seq, book.root()): book for book in books}

    def __iter__(self) -> Iterator[Book]:
        return iter(self._books.values())

    def __len__(self) -> int:
        return len(self._books)

    def add(self, books: Iterable[Book]) -> None:
        """Keep more books. One that was composed and never signed does no harm: its root stands in no message."""
        self._books.update({(book.book, book.seq, book.root()): book for book in books})

    def find(self, book: str, seq: int, root: str) -> Book | None:
        """The book that message `seq` sealed under this root; None when it is not kept here."""
        return self._books.get((book, seq, root))

    def source(self, verifier: Verifier, side: str) -> Source:
        """Openings of this player's topics as a resolution demands them."""
        sealed = {(one.book, one.seq): one.root for one in verifier.history.sealed if one.side == side}

        def opening(wanted: Wanted) -> Row | None:
            book, seq, topic = wanted
            found = self.find(book, seq, sealed.get((book, seq), ""))
            return None if found is None else found.opening(topic)

        return opening

    def to_tree(self) -> dict[str, Tree]:
        """All contents as a plain tree: private."""
        return {"format": FORMAT, "books": [_book_tree(book) for book in self._books.values()]}

    @classmethod
    def from_tree(cls, tree: Mapping[str, Tree]) -> OwnBooks:
        """The books of a plain tree. Raises ValueError when it is none."""
        if tree.get("format") != FORMAT:
            raise ValueError("this is no file of own books; take the backup of `private/`")
        return cls([_book_of(row) for row in rows(tree.get("books"))])

    def save(self, path: Path) -> None:
        """Write a file that only its owner can read (0600): a new file, synced, in the place of the old one."""
        beside = path.with_name(path.name + ".new")
        beside.unlink(missing_ok=True)
        handle_ = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle_, "wb") as stream:
            stream.write(canon(self.to_tree()) + b"\n")
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(path)
        sync_folder(path.parent)

    @classmethod
    def load(cls, path: Path) -> OwnBooks:
        """Read a file of own books; none is written before the first book. Raises ValueError, or OSError."""
        if not path.exists():
            return cls()
        try:
            tree = parse(path.read_bytes().removesuffix(b"\n"))
        except CanonError as error:
            raise ValueError(f"the file of own books is damaged ({error}); take the backup of `private/`") from None
        if not isinstance(tree, dict):
            raise ValueError("the file of own books is damaged; take the backup of `private/`")
        return cls.from_tree(tree)


def _book_tree(book: Book) -> dict[str, Tree]:
    contents: list[Tree] = [
        {"topic": topic, **({"rules": book.rules[topic]} if topic in book.rules else {})} for topic in book.topics
    ]
    where: dict[str, Tree] = {"game": book.game_id.hex(), "seq": str(book.seq), "side": book.side, "book": book.book}
    return {**where, "key": book.key.hex(), "topics": contents}


def _book_of(row: Row) -> Book:
    seq, topics = uint(row.get("seq")), rows(row.get("topics"))
    if seq is None or not topics or not is_hash(row.get("game")) or not is_hash(row.get("key")):
        raise ValueError("the file of own books is damaged; take the backup of `private/`")
    names = tuple(str(one["topic"]) for one in topics)
    rules = {str(one["topic"]): one["rules"] for one in topics if "rules" in one}
    game, key = bytes.fromhex(str(row["game"])), bytes.fromhex(str(row["key"]))
    return Book(game, seq, str(row["side"]), str(row["book"]), key, names, filled(rules))


def seal(verifier: Verifier, side: str, secret: Secret, contents: Mapping[str, Mapping[str, Tree]]) -> list[Book]:
    """Books of these contents (book -> topic -> rules) for the next message of `side`: keep them, then sign.

    Topics that are left out, or whose rules are empty, are sealed empty. Raises ProtocolError (E_SEAL) for a book or
    topic the game has not.
    """
    seq, game = verifier.next_seq_of(side), bytes.fromhex(verifier.game_id)
    found = []
    for book, rules in contents.items():
        topics = verifier.layout.books.get(book, ())
        unknown = sorted({*rules} - {*topics}) or ([] if topics else [book])
        if unknown:
            raise ProtocolError("E_SEAL", f"this game has no book {book} with a topic {unknown[0]}", seq)
        key = book_key(secret.k_game, verifier.player(side).cid, game, seq, book)
        found.append(Book(game, seq, side, book, key, topics, filled(rules)))
    return found


def open_history(verifier: Verifier, side: str, own: OwnBooks, wanted: Sequence[Wanted]) -> list[Tree]:
    """Openings of own books of the past as proof of age, for `history`. Raises ProtocolError (E_SEAL)."""
    source, found = own.source(verifier, side), list[Tree]()
    for one in wanted:
        row = source(one)
        if row is None:
            raise missing(verifier, one)
        found.append(row)
    return found


class NotKept(ProtocolError):
    """The contents of an own book are demanded and not kept here (E_SEAL): nothing can be signed until they are."""


def missing(verifier: Verifier, wanted: Wanted) -> NotKept:
    """The error for an own book whose contents are not here."""
    book, seq, topic = wanted
    text = f"what you sealed in book {book} of message {seq} ({topic}) is not kept here; bring `private/` back"
    return NotKept("E_SEAL", text, verifier.next_seq)


class OwnDecks:
    """The faces of one player's decks as far as the log goes, from K_game (PROTOCOL 6)."""

    def __init__(self, layout: Layout, side: str, secret: Secret, cid0: bytes, transfers: Iterable[Row] = ()) -> None:
        self._secret, self._cid0, self._forms = secret, cid0, layout.decks_of(side)
        moved = list(transfers)
        self._transfers = {deck: [row for row in moved if row["deck"] == deck] for deck in self._forms}
        self._epochs = {deck: self._all(deck, self._transfers[deck]) for deck in self._forms}

    @classmethod
    def of(cls, verifier: Verifier, side: str, secret: Secret) -> OwnDecks:
        """The decks of a side in a running game."""
        transfers = [row for _, row in verifier.history.transfers]
        return cls(verifier.layout, side, secret, verifier.player(side).cid, transfers)

    def _all(self, deck: str, transfers: Sequence[Row]) -> list[Epoch]:
        keys = self.keys(deck, len(transfers) + 1)
        return epochs(self._cid0, deck, self._forms[deck], transfers, keys)

    def keys(self, deck: str, count: int | None = None) -> list[bytes]:
        """D of the epochs so far, or of the first `count`."""
        count = len(self._epochs[deck]) if count is None else count
        return [deck_key(self._secret.k_game, self._cid0, deck, epoch) for epoch in range(1, count + 1)]

    def genesis(self) -> list[Tree]:
        """What `decks` of a player holds in genesis."""
        return [
            {"deck": deck, "epoch": "1", "n": str(len(found[0].cards)), "root": found[0].root()}
            for deck, found in self._epochs.items()
        ]

    def face(self, deck: str, card: str) -> Mapping[str, str]:
        """The face of an own card by its handle. KeyError for a handle that never was."""
        at = handle(card)
        if at is None or at[0] > len(self._epochs[deck]) or at[1] >= len(self._epochs[deck][at[0] - 1].cards):
            raise KeyError(card)
        return self._epochs[deck][at[0] - 1].faces()[at[1]]

    def faces(self, deck: str) -> dict[str, Mapping[str, str]]:
        """The faces of all cards of a deck that ever had a handle, by it."""
        return {
            f"{epoch.epoch}.{pos}": face for epoch in self._epochs[deck] for pos, face in enumerate(epoch.faces())
        }

    def opening(self, deck: str, card: str, attr: str) -> Row:
        """The opening of one attribute of an own card."""
        at = handle(card)
        if at is None:
            raise KeyError(card)
        self.face(deck, card)
        return self._epochs[deck][at[0] - 1].opening(at[1], attr)

    def transfers(self, owed: Owed) -> list[Tree]:
        """The transfers a message owes, with the roots of the new epochs."""
        return [
            {**row, "epoch": str(epoch.epoch), "n": str(len(epoch.cards)), "root": epoch.root()}
            for row, epoch in self._owed(owed)
        ]

    def to_come(self, owed: Owed) -> dict[str, Mapping[str, str]]:
        """The faces of the cards of the epochs that a message owes, by their new handles."""
        made = [epoch for _, epoch in self._owed(owed)]
        return {f"{epoch.epoch}.{pos}": face for epoch in made for pos, face in enumerate(epoch.faces())}

    def _owed(self, owed: Owed) -> Iterator[tuple[Row, Epoch]]:
        made = {deck: list(moved) for deck, moved in self._transfers.items()}
        for transfer in owed.transfers:
            row: Row = {"deck": transfer.deck, "from": list(transfer.cards), "zone": transfer.zone}
            if transfer.add:
                row["add"] = transfer.add
            made[transfer.deck].append(row)
            yield row, self._all(transfer.deck, made[transfer.deck])[-1]


def final_of(verifier: Verifier, side: str, own: OwnBooks, decks: OwnDecks | None) -> dict[str, Tree]:
    """The final openings of a side: keys and contents of all its books, keys of its decks. Raises E_SEAL."""
    sealed = {(one.book, one.seq, one.root): one for one in own_books(verifier.history, side, verifier.next_seq)}
    found: list[Tree] = []
    for book in own:
        if sealed.pop((book.book, book.seq, book.root()), None) is not None:
            topics: list[Tree] = [{"topic": one, "rules": book.rules[one]} for one in book.topics if one in book.rules]
            found.append({"seq": str(book.seq), "book": book.book, "key": book.key.hex(), "topics": topics})
    if sealed:
        book_, seq, _ = min(sealed)
        raise missing(verifier, (book_, seq, "all topics"))
    keys: list[Tree] = []
    for deck in verifier.layout.decks_of(side) if decks is not None else ():
        assert decks is not None
        keys.append({"deck": deck, "keys": [key.hex() for key in decks.keys(deck)]})
    return {"books": found, "decks": keys}

"""Contents of own sealed books after a loss: the words of the secret give the salts, not what was written (PROTOCOL 5).

Three things bring it back, and each is held against the root in the log, so that a wrong one does no harm: a copy of
`private/books.json`; the sealed copy that `sign` puts into the outbox, which only the secret opens and which may lie in
any mailbox; and the turn file in which the standing orders were written.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.engine.core import Order, Tree
from adjudicator.match.draft import read_draft, resolve_orders
from adjudicator.match.facedown import in_parts
from adjudicator.match.files import write_whole
from adjudicator.match.folder import FolderError
from adjudicator.match.sheets import WAY_OUT, is_sealed, is_secret
from adjudicator.protocol.books import Book, book_key, filled
from adjudicator.protocol.forms import rows
from adjudicator.protocol.hashing import hkdf, hmac256, lp, u32
from adjudicator.protocol.history import Sealed
from adjudicator.protocol.kit import Kit
from adjudicator.protocol.openings import own_books
from adjudicator.protocol.own import OwnBooks
from adjudicator.protocol.secret import Secret
from adjudicator.turnfile.canon import CanonError, canon, parse

if TYPE_CHECKING:
    from adjudicator.match.match import Match

MARK = "adjudicator sealed copy 1"
PADDED, LINE = 1024, 76
_COPY = re.compile(rf"{MARK} (?P<seq>[0-9]{{1,9}})\s*:(?P<data>[A-Za-z0-9+/=\s>]+?)(?:\n\s*\n|\Z)")
Rules = Mapping[str, Tree]


@dataclass
class Recovered:
    """What came of a search: messages with a book that is here again, those that still lack one, files that held
    nothing. A message that sealed several books may stand in both lists, each once."""

    found: list[int] = field(default_factory=list)
    missing: list[int] = field(default_factory=list)
    idle: list[str] = field(default_factory=list)


def missing_books(match: Match, own: OwnBooks | None = None) -> list[Sealed]:
    """The books this player must be able to open whose contents are not here, oldest first. Raises FolderError."""
    if not match.me:
        return []
    kept = match.own_books() if own is None else own
    sealed = own_books(match.verifier.history, match.me, match.verifier.next_seq)
    return [one for one in sorted(sealed, key=lambda one: one.seq) if kept.find(one.book, one.seq, one.root) is None]


def missing_text(books: Sequence[Sealed]) -> str:
    """What is missing, in words, with the way out."""
    seqs = ", ".join(map(str, dict.fromkeys(one.seq for one in books)))
    return f"what you sealed in message {seqs} is not kept here: the game can't go on when it is asked for; {WAY_OUT}"


# --- the sealed copy --------------------------------------------------------------------------------------------


def copy_path(match: Match, seq: int) -> Path:
    """Where the sealed copy of a message lies: beside the file to mail."""
    return match.outfile(seq).with_suffix(".sealed")


def write_copy(match: Match, seq: int) -> Path | None:
    """Write the sealed copy of a message that sealed something: the rules of all its books by topic, since no topic
    stands in two. The same bytes each time. None where it sealed nothing, or the contents of a book are not here: the
    key of the copy is never used for other contents."""
    sealed = [one for one in match.verifier.history.sealed if (one.side, one.seq) == (match.me, seq)]
    kept = match.own_books() if sealed else OwnBooks()
    books = [book for one in sealed if (book := kept.find(one.book, seq, one.root)) is not None]
    secret = match.secret() if sealed and len(books) == len(sealed) else None
    if secret is None or isinstance(secret, Kit):
        return None  # without K_game the key of a copy would be one that everybody can compute
    plain = _plain(match, books)
    title = match.verifier.genesis.body["title"]
    text = base64.b64encode(_masked(match, secret, seq, plain)).decode()
    lines = "\n".join(text[at : at + LINE] for at in range(0, len(text), LINE))
    told = (
        f"A copy of what {match.me} sealed in message {seq} of {title}, for its player.\n"
        "Keep it in your mail. Only the secret of the game opens it, with `adjudicator recover DIR FILE`.\n\n"
    )
    path = copy_path(match, seq)
    write_whole(path, f"{told}{MARK} {seq}:\n{lines}\n".encode())
    return path


def _plain(match: Match, books: Sequence[Book]) -> bytes:
    """The rules of books by topic, padded. Secret plans count with the room that all of them could take: the length,
    which anybody sees who gets the copy, is the same whether anything is planned or not."""
    plans = match.table.plans
    hidden = () if plans is None else plans.books
    open_, secret = ([book for book in books if (book.book in hidden) is wanted] for wanted in (False, True))
    room = sum(plans.room(book.book) for book in secret) if plans is not None else 0
    size = len(canon(_keyed(open_))) + room
    plain = canon(_keyed(books))
    return plain.ljust(size + -size % PADDED) if len(plain) <= size else plain + b" " * (-len(plain) % PADDED)


def _keyed(books: Sequence[Book]) -> dict[str, Tree]:
    return {_key(topic): rules for book in books for topic, rules in book.rules.items()}


def _key(topic: str) -> str:
    """A topic as key of a mapping, which holds no hyphen."""
    return topic.replace("-", "_")


def _masked(match: Match, secret: Secret, seq: int, data: bytes) -> bytes:
    """Data under a key stream out of the secret, or out from under it. What comes out is held against the root."""
    game = bytes.fromhex(match.verifier.game_id)
    key = hkdf(secret.k_game, match.verifier.player(match.me).cid, lp(b"adjudicator/sealed-copy", game, u32(seq)))
    stream = b"".join(hmac256(key, u32(block)) for block in range(len(data) // 32 + 1))
    return bytes(one ^ two for one, two in zip(data, stream, strict=False))


# --- the search -------------------------------------------------------------------------------------------------


def recover(match: Match, files: Sequence[tuple[str, bytes]]) -> Recovered:
    """Bring back what these files (name, bytes) hold of the missing books, and keep it. Raises FolderError."""
    secret = match.secret()
    if isinstance(secret, Kit):
        raise FolderError(f"{match.folder.kit}: a kit holds no secret; bring contents back in your own folder")
    own, drafts, useful = match.own_books(), dict[str, list[Rules]](), set[str]()
    plans: dict[str, list[Order]] = {}
    copies: list[tuple[str, int, Rules]] = []
    for name, data in files:
        copies += [(name, *found) for found in (*_kept(match, data), *_copies(match, secret, data))]
        drafts[name] = list(_drafted(match, data))
        plans[name] = _plan_orders(match, data)
    result, before = Recovered(), dict[str, Book]()
    missing = missing_books(match, own)
    for one in sorted(own_books(match.verifier.history, match.me, match.verifier.next_seq), key=lambda s: s.seq):
        book = own.find(one.book, one.seq, one.root)
        carried = _carried(match, before.get(one.book), one.seq)
        tried = [(name, rules) for name, seq, rules in copies if seq == one.seq]
        found = [(name, told) for name, drafted in drafts.items() for told in drafted]
        tried += [(name, {**kept, **told}) for name, told in found for kept in carried]
        tried += _planned(match, one, before.get(one.book), plans)
        for name, rules in tried:
            made = _book(match, secret, one, rules)
            if made is not None:
                useful.add(name)
                book = made
        if book is not None:
            own.add([book])
            before[one.book] = book
        seqs = result.missing if book is None else result.found
        if one in missing and one.seq not in seqs:
            seqs.append(one.seq)
    if result.found:
        own.save(match.folder.books)
    result.idle = [name for name, _ in files if name not in useful]
    return result


def _planned(
    match: Match, one: Sealed, before: Book | None, drafts: Mapping[str, Sequence[Order]]
) -> Iterator[tuple[str, Rules]]:
    """What a book of secret plans may be that follows another one: as it was, or as a turn file made it."""
    plans = match.table.plans
    if plans is None or one.book not in plans.books:
        return
    kept = before.rules if before is not None else {}
    for name, orders in (("", ()), *drafts.items()):
        yield from ((name, rules) for rules in plans.drafted(one.book, orders, kept))


def _plan_orders(match: Match, data: bytes) -> list[Order]:
    """The orders of a turn file that plan in secret, with ids."""
    orders = [order for order in read_draft(data).orders if is_secret(order, match.table.order_types)]
    return resolve_orders(match.table, match.resolver.checkpoint.state, match.me, orders).orders if orders else []


def _carried(match: Match, old: Book | None, seq: int) -> list[Rules]:
    """What a book of message `seq` may have carried on of the one before: what no open standing order came after
    (:func:`~adjudicator.match.sheets.contents`), or all, as programs of before did."""
    if old is None:
        return [{}]
    bodies = [match.verifier.body(at) for at in match.own_messages() if max(old.seq, 1) <= at < seq]
    told = [row for body in bodies for row in rows(body.get("orders")) if row.get("type") == "standing"]
    openly = {row.get("topic") for row in told}
    return [{topic: rules for topic, rules in old.rules.items() if topic not in openly}, old.rules]


def _book(match: Match, secret: Secret, one: Sealed, rules: Rules) -> Book | None:
    """The book of these rules if it is the one that was sealed."""
    game, topics = bytes.fromhex(match.verifier.game_id), match.verifier.layout.books.get(one.book, ())
    key = book_key(secret.k_game, match.verifier.player(match.me).cid, game, one.seq, one.book)
    kept = filled({name: rules[name] for name in topics if name in rules})
    book = Book(game, one.seq, match.me, one.book, key, topics, kept)
    return book if book.root() == one.root else None


def _kept(match: Match, data: bytes) -> Iterator[tuple[int, Rules]]:
    """The books in a copy of `private/books.json`."""
    try:
        tree = parse(data.removesuffix(b"\n"))
        books = OwnBooks.from_tree(tree) if isinstance(tree, dict) else OwnBooks()
    except (CanonError, ValueError, KeyError):
        return
    yield from ((book.seq, book.rules) for book in books if book.side == match.me)


def _copies(match: Match, secret: Secret, data: bytes) -> Iterator[tuple[int, Rules]]:
    """The sealed copies in a text, as it is or in a mail that quotes it."""
    for found in _COPY.finditer(data.decode("utf-8", "replace").replace("\r", "")):
        seq = int(found["seq"])
        try:
            masked = base64.b64decode(re.sub(r"[\s>]", "", found["data"]), validate=True)
            tree = parse(_masked(match, secret, seq, masked).rstrip(b" "))
        except (binascii.Error, CanonError, ValueError):
            continue
        if isinstance(tree, dict):
            known = {_key(topic): topic for topics in match.verifier.layout.books.values() for topic in topics}
            yield seq, {known.get(key, key): rules for key, rules in tree.items()}


def _drafted(match: Match, data: bytes) -> Iterator[Rules]:
    """What a turn file seals, its names read as things stand and as they stood at the start. Cards are those that have
    their handles still: what was sealed before a shuffle of the deck comes out of the copies alone."""
    draft = read_draft(data)
    orders = [order for order in draft.orders if is_sealed(order)]
    for state in (match.resolver.checkpoint.state, match.table.start()) if orders else ():
        found = resolve_orders(match.table, state, match.me, orders).orders
        found = in_parts(match.table, match.verifier, match.me, match.secret, found)
        yield {order.text("topic"): order.data.get("rules", []) for order in found}

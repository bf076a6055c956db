"""The checks of sealed books, of opened topics, and of the openings that close a game (PROTOCOL 5, 6, 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudicator.protocol.books import EMPTY, Book, opening_root
from adjudicator.protocol.decks import Epoch
from adjudicator.protocol.desk import Source, Wanted
from adjudicator.protocol.forms import Row, handle, rows, texts
from adjudicator.protocol.history import Body, History, Sealed
from adjudicator.protocol.layout import DeckForm, Layout
from adjudicator.protocol.verdicts import ProtocolError
from adjudicator.turnfile.nodes import Tree


def wanted_of(row: Row) -> Wanted:
    """Book, message and topic of an opening."""
    return str(row["book"]), int(str(row["seq"])), str(row["topic"])


def check_openings(history: History, layout: Layout, seq: int, given: Tree | None, before: int) -> dict[Wanted, Row]:
    """Openings of the author of `seq` by what they open; E_SEAL unless each fits a root of a message < `before`."""
    side = history.author(seq).side
    roots = {(one.book, one.seq): one.root for one in history.sealed if one.side == side and one.seq < before}
    found: dict[Wanted, Row] = {}
    for row in rows(given):
        wanted = wanted_of(row)
        book, at, topic = wanted
        if wanted in found:
            raise _seal(f"topic {topic} of book {book} of message {at} is opened twice", seq)
        if (book, at) not in roots:
            raise _seal(f"{side} sealed no book {book} in message {at}", seq)
        if row.get("rules") in EMPTY:
            raise _seal(f"topic {topic} of book {book} has empty `rules`: they are left out", seq)
        root = opening_root(bytes.fromhex(history.game_id), side, row, layout.books.get(book, ()))
        if root != roots[book, at]:
            raise _seal(f"topic {topic} of book {book} is not what message {at} sealed", seq)
        found[wanted] = row
    return found


def check_demanded(demanded: Sequence[Wanted], opened: Mapping[Wanted, Row], seq: int) -> None:
    """Raise E_SEAL unless exactly the demanded topics are opened."""
    for book, at, topic in demanded:
        if (book, at, topic) not in opened:
            raise _seal(f"topic {topic} of book {book} of message {at} is demanded and not opened", seq)
    for book, at, topic in opened:
        if (book, at, topic) not in demanded:
            raise _seal(f"topic {topic} of book {book} of message {at} is opened and was not demanded", seq)


def source_of(opened: Mapping[Wanted, Row]) -> Source:
    """Openings as a desk asks for them."""
    return opened.get


def check_sealed(layout: Layout, body: Body, seq: int) -> None:
    """Raise E_SEAL for a book the game does not have."""
    sealed = body.get("sealed")
    for book in sorted(sealed) if isinstance(sealed, dict) else ():
        if book not in layout.books:
            raise _seal(f"this game has no book {book}; it has {', '.join(layout.books) or 'none'}", seq)


def own_books(history: History, side: str, seq: int) -> list[Sealed]:
    """The books a side must open at the end: all it sealed before `seq`, but for those that a lost chain ended."""
    ended = history.lost.get(side, 0)
    return [one for one in history.sealed if one.side == side and ended < one.seq < seq]


def check_final(history: History, layout: Layout, body: Body, seq: int) -> None:
    """Every root of the author recomputed from the keys he opens: books (E_SEAL), decks (E_DECK)."""
    final = body["final"]
    assert isinstance(final, dict)
    _check_final_books(history, layout, rows(final["books"]), seq)
    _check_final_decks(history, layout, rows(final["decks"]), seq)


def _check_final_books(history: History, layout: Layout, given: Sequence[Row], seq: int) -> None:
    side = history.author(seq).side
    waiting = {(one.book, one.seq): one.root for one in own_books(history, side, seq)}
    for row in given:
        book, at = str(row["book"]), int(str(row["seq"]))
        root = waiting.pop((book, at), None)
        if root is None:
            raise _seal(f"`final` opens a book {book} of message {at} that is not there, or twice", seq)
        topics = layout.books[book]
        rules = {str(one["topic"]): one["rules"] for one in rows(row["topics"])}
        if len(rules) != len(rows(row["topics"])) or not rules.keys() <= {*topics}:
            raise _seal(f"`final`: topics of book {book} of message {at} are unknown or there twice", seq)
        if any(said in EMPTY for said in rules.values()):
            raise _seal(f"`final`: topics of book {book} of message {at} have empty `rules`: they are left out", seq)
        game, key = bytes.fromhex(history.game_id), bytes.fromhex(str(row["key"]))
        if Book(game, at, side, book, key, topics, rules).root() != root:
            raise _seal(f"`final`: book {book} is not what message {at} sealed", seq)
    if waiting:
        book, at = min(waiting)
        raise _seal(f"`final` does not open book {book} of message {at}", seq)


def _check_final_decks(history: History, layout: Layout, given: Sequence[Row], seq: int) -> None:
    player = history.author(seq)
    decks = layout.decks_of(player.side)
    if [str(row["deck"]) for row in given] != list(decks):
        raise ProtocolError("E_DECK", f"`final` must open the decks {', '.join(decks) or 'of nobody'}, by id", seq)
    for row in given:
        deck = str(row["deck"])
        roots = [_first_root(history, deck, player.side)] + [
            str(one["root"]) for _, one in history.transfers if one["deck"] == deck
        ]
        keys = [bytes.fromhex(key) for key in texts(row["keys"])]
        if len(keys) != len(roots):
            raise ProtocolError("E_DECK", f"`final`: {deck} has {len(roots)} epochs, {len(keys)} keys are given", seq)
        moved = [one for _, one in history.transfers if one["deck"] == deck]
        for epoch, root in zip(epochs(player.cid, deck, decks[deck], moved, keys), roots, strict=True):
            if epoch.root() != root:
                raise ProtocolError("E_DECK", f"`final`: epoch {epoch.epoch} of {deck} is not what was committed", seq)


def _first_root(history: History, deck: str, side: str) -> str:
    players = history.genesis.body["players"]
    assert isinstance(players, dict)
    for player in players.values():
        if isinstance(player, dict) and player["side"] == side:
            return next(str(row["root"]) for row in rows(player.get("decks")) if row["deck"] == deck)
    raise KeyError(side)


def epochs(
    cid0: bytes, deck: str, form: DeckForm, transfers: Sequence[Row], keys: Sequence[bytes]
) -> list[Epoch]:
    """All epochs of a deck, from its keys D: the list of each is fixed by rule (PROTOCOL 6). E_DECK where it is not.

    `transfers` are those of epochs 2, 3, ..; only the part that `keys` reach is made.
    """
    found = [Epoch(cid0, deck, 1, keys[0], form.attributes, form.cards)]
    for number, (row, key) in enumerate(zip(transfers, keys[1:], strict=False), 2):
        cards = []
        for text in texts(row["from"]):
            card = handle(text)
            if card is None or card[0] >= number or card[1] >= len(found[card[0] - 1].cards):
                raise ProtocolError("E_DECK", f"{text} is no card of {deck}")
            cards.append(found[card[0] - 1].faces()[card[1]])
        cards += form.additions.get(str(row.get("add", "")), ())
        found.append(Epoch(cid0, deck, number, key, form.attributes, tuple(cards)))
    return found


def _seal(text: str, seq: int) -> ProtocolError:
    return ProtocolError("E_SEAL", text, seq)

"""The forms of the fields for books, decks, housekeeping and the end (PROTOCOL 5 to 8): E_FIELD, whatever they mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from adjudicator.protocol.fields import is_cid, is_hash, is_slug, only, refuse, uint
from adjudicator.turnfile.canon import is_key
from adjudicator.turnfile.nodes import Tree

MAX_BOOKS = 16
ENDS = ("resign", "offer-draw", "accept-draw", "claim")

Row = dict[str, Tree]


def check_forms(body: Mapping[str, Tree]) -> None:
    """Raise E_FIELD unless every optional field of the body has its form."""
    for name, check in _FORMS.items():
        if name in body:
            check(body[name], name)


def rows(value: Tree | None) -> list[Row]:
    """The mappings of a list whose form was checked; an absent list is empty."""
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def texts(value: Tree | None) -> list[str]:
    """The texts of a list whose form was checked."""
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []


def handle(text: Tree | None) -> tuple[int, int] | None:
    """Epoch and position of a handle `epoch.pos`; None when it is none."""
    if not isinstance(text, str):
        return None
    epoch, dot, pos = text.partition(".")
    numbers = uint(epoch), uint(pos)
    return (numbers[0], numbers[1]) if dot and numbers[0] and numbers[1] is not None else None


def _row(value: Tree, where: str, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> Row:
    if not isinstance(value, dict):
        raise refuse(f"`{where}` must be a mapping of {', '.join(required)}")
    only(value, required, optional, where)
    return value


def _list(value: Tree, where: str) -> list[Tree]:
    if not isinstance(value, list):
        raise refuse(f"`{where}` must be a list")
    return value


def _hashes(value: Tree, where: str) -> None:
    if not all(is_hash(item) for item in _list(value, where)):
        raise refuse(f"`{where}` must be a list of 64 small hex digits each")


def _need(row: Row, where: str, good: Callable[[Tree], bool], what: str, *names: str) -> None:
    for name in names:
        if not good(row[name]):
            raise refuse(f"`{where}.{name}` must be {what}")


def _is_number(value: Tree) -> bool:
    return bool(uint(value))


def _is_book(value: Tree) -> bool:
    return isinstance(value, str) and is_key(value)


def _sealed(value: Tree, where: str) -> None:
    if not isinstance(value, dict) or not all(is_hash(root) for root in value.values()):
        raise refuse(f"`{where}` must be a mapping of books to roots of 64 small hex digits")
    if len(value) > MAX_BOOKS:
        raise refuse(f"`{where}` names {len(value)} books, at most {MAX_BOOKS} are allowed")


def _openings(value: Tree, where: str) -> None:
    for number, item in enumerate(_list(value, where), 1):
        at = f"{where}[{number}]"
        row = _row(item, at, ("book", "seq", "topic", "salt", "path"), ("rules",))
        _need(row, at, _is_book, "the name of a book", "book")
        _need(row, at, _is_number, "the number of a message", "seq")
        _need(row, at, is_slug, "a slug", "topic")
        _need(row, at, is_hash, "64 small hex digits", "salt")
        _hashes(row["path"], f"{at}.path")


def _faces(value: Tree, where: str) -> None:
    names = ("deck", "card", "attr", "value", "salt", "others", "leaf_salt", "path")
    for number, item in enumerate(_list(value, where), 1):
        at = f"{where}[{number}]"
        row = _row(item, at, names)
        _need(row, at, is_slug, "a slug", "deck", "attr")
        _need(row, at, lambda card: handle(card) is not None, "a handle like 1.0", "card")
        _need(row, at, lambda text: isinstance(text, str), "a text", "value")
        _need(row, at, is_hash, "64 small hex digits", "salt", "leaf_salt")
        _hashes(row["others"], f"{at}.others")
        _hashes(row["path"], f"{at}.path")


def _transfers(value: Tree, where: str) -> None:
    for number, item in enumerate(_list(value, where), 1):
        at = f"{where}[{number}]"
        row = _row(item, at, ("deck", "epoch", "n", "root", "from", "zone"), ("add",))
        _need(row, at, is_slug, "a slug", "deck", "zone")
        _need(row, at, _is_number, "a number from 1", "epoch", "n")
        _need(row, at, is_hash, "64 small hex digits", "root")
        if not all(handle(card) is not None for card in _list(row["from"], f"{at}.from")):
            raise refuse(f"`{at}.from` must be a list of handles like 1.0")
        if "add" in row:
            _need(row, at, lambda text: isinstance(text, str), "a text", "add")


def genesis_decks(value: Tree, where: str) -> None:
    """Raise E_FIELD unless it is the list of decks of a player in genesis: {deck, epoch 1, n, root}."""
    for number, item in enumerate(_list(value, where), 1):
        at = f"{where}[{number}]"
        row = _row(item, at, ("deck", "epoch", "n", "root"))
        _need(row, at, is_slug, "a slug", "deck")
        _need(row, at, lambda text: text == "1", "1", "epoch")
        _need(row, at, _is_number, "a number from 1", "n")
        _need(row, at, is_hash, "64 small hex digits", "root")


def _rekey(value: Tree, where: str) -> None:
    row = _row(value, where, ("key", "proof"))
    _need(row, where, lambda text: isinstance(text, str), "a text", "key", "proof")


def _reanchor(value: Tree, where: str) -> None:
    row = _row(value, where, ("cid", "anchor", "links"))
    _need(row, where, is_cid, "32 small hex digits", "cid")
    _need(row, where, is_hash, "64 small hex digits", "anchor")
    _need(row, where, _is_number, "a number", "links")


def _upgrade(value: Tree, where: str) -> None:
    row = _row(value, where, ("rules", "from"))
    _need(row, where, is_hash, "64 small hex digits", "rules")
    _need(row, where, _is_number, "the number of a message", "from")


def _restored(value: Tree, where: str) -> None:
    row = _row(value, where, ("seq", "sig"))
    _need(row, where, lambda text: uint(text) is not None, "the number of a message", "seq")
    _need(row, where, lambda text: isinstance(text, str), "a text", "sig")


def _lost(value: Tree, where: str) -> None:
    if value != "1":
        raise refuse(f"`{where}` must be 1")


def _hash(value: Tree, where: str) -> None:
    if not is_hash(value):
        raise refuse(f"`{where}` must be 64 small hex digits")


def _end(value: Tree, where: str) -> None:
    if value not in ENDS:
        raise refuse(f"`{where}` must be one of {', '.join(ENDS)}")


def _final(value: Tree, where: str) -> None:
    row = _row(value, where, ("books", "decks"))
    for number, item in enumerate(_list(row["books"], f"{where}.books"), 1):
        at = f"{where}.books[{number}]"
        book = _row(item, at, ("seq", "book", "key", "topics"))
        _need(book, at, _is_number, "the number of a message", "seq")
        _need(book, at, _is_book, "the name of a book", "book")
        _need(book, at, is_hash, "64 small hex digits", "key")
        for topic in _list(book["topics"], f"{at}.topics"):
            _need(_row(topic, f"{at}.topics", ("topic", "rules")), f"{at}.topics", is_slug, "a slug", "topic")
    for number, item in enumerate(_list(row["decks"], f"{where}.decks"), 1):
        at = f"{where}.decks[{number}]"
        deck = _row(item, at, ("deck", "keys"))
        _need(deck, at, is_slug, "a slug", "deck")
        _hashes(deck["keys"], f"{at}.keys")


_FORMS: dict[str, Callable[[Tree, str], None]] = {
    "sealed": _sealed,
    "open": _openings,
    "history": _openings,
    "decks": _transfers,
    "cards": _faces,
    "show": _faces,
    "rekey": _rekey,
    "reanchor": _reanchor,
    "upgrade": _upgrade,
    "lost": _lost,
    "allow_lost": _hash,
    "restored": _restored,
    "end": _end,
    "final": _final,
}

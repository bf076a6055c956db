"""The end of a game: resignation, draws, final openings (rows 83 to 88, 90)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.protocol.card_table import CardTable
from tests.protocol.forge.case import Case
from tests.protocol.toy_game import known
from tests.protocol.twelve import attack, played

ONE: list[Any] = [attack("1203", "axis-u1")]


def end_cases() -> Iterator[Case]:
    """Rows 83 to 88, 90."""
    table = played(10)
    final: Any = table.body()
    case = Case.at("83", "resignation-without-final-openings", table)
    case.add("E_END", table.changed(change={"final": None}), "without")
    case.add("E_END", table.changed(change={"orders": ONE}), "with-orders")
    for name, value in (("sealed", {}), ("end", "offer-draw"), ("decks", [])):
        case.add("E_END", table.changed(change={name: value}), f"with-{name}")
    upgrade = {"rules": known("x").hex(), "from": "99"}
    yield case.add("E_END", table.changed(change={"upgrade": upgrade}), "with-upgrade")
    yield _closed()
    yield _false_books(table, final)
    yield from _draws()
    yield _early(played(2))
    yield Case.at("90", "a-whole-game", played(0)).add("OK", played(1).sent[0]).expect(head="1")
    whole = played(12)
    yield Case.at("90", "the-game-of-the-vectors", whole).add("DUPLICATE", whole.sent[11]).expect(closed="yes")
    yield Case.at("88", "log-without-end", played(9)).add("DUPLICATE", whole.sent[8]).expect(closed="no", head="9")


def _closed() -> Case:
    table = played(10)
    case = Case.at("84", "resignation-and-one-message-more", table)
    case.add("OK", table.play(), "first-final").add("OK", table.play(), "second-final")
    body = {**table.verifier.body(11), "seq": "13", "prev": table.verifier.head_id, "link": "7"}
    body["reveal"] = table.secrets["axis"].link(7).hex()
    return case.add("E_END", table.sign(body), "more").expect(closed="yes", head="12")


def _false_books(table: CardTable, body: Any) -> Case:
    final = body["final"]
    books, decks = final["books"], final["decks"]
    rows: Any
    case = Case.at("85", "false-or-missing-book", table)
    wrong = known("x").hex()
    for name, rows in (
        ("missing", books[1:]),
        ("twice", [*books, books[0]]),
        ("key", [{**books[0], "key": wrong}, *books[1:]]),
        ("rules", [{**books[0], "topics": [{"topic": "react", "rules": "yes"}]}, *books[1:]]),
        ("fewer-topics", [{**books[0], "topics": []}, *books[1:]]),
        ("topic-twice", [{**books[0], "topics": [*books[0]["topics"], books[0]["topics"][0]]}, *books[1:]]),
        ("unknown-topic", [{**books[0], "topics": [{"topic": "weather", "rules": "x"}]}, *books[1:]]),
        ("of-another-message", [{**books[0], "seq": "3"}, *books[1:]]),
    ):
        case.add("E_SEAL", table.sign({**body, "final": {"books": rows, "decks": decks}}), name)
    for name, rows in (
        ("no-deck", []),
        ("deck-key", [{**decks[0], "keys": [decks[0]["keys"][0], wrong]}]),
        ("one-epoch", [{**decks[0], "keys": decks[0]["keys"][:1]}]),
        ("other-deck", [{**decks[0], "deck": "allies-ops"}]),
    ):
        case.add("E_DECK", table.sign({**body, "final": {"books": books, "decks": rows}}), name)
    return case.expect(head="10", closed="no")


def _draws() -> Iterator[Case]:
    table = played(2)
    case = Case.at("86", "accept-draw-without-offer", table).add("OK", table.play(ONE, end="accept-draw"))
    yield case.add("OK", table.next()).expect(closed="no", waits="react/1203")
    table = played(2)
    case = Case.at("86", "draw-offered-and-accepted", table).add("OK", table.play(ONE, end="offer-draw"))
    case.add("OK", table.play([{"type": "attack", "hex": "1", "loss": "x"}], end="accept-draw"))
    case.add("E_END", table.changed(change={"final": None}), "no-final")
    case.add("OK", table.play(), "first-final").add("OK", table.play(), "second-final")
    yield case.expect(closed="yes", kinds="final", head="6")
    table = played(2)
    case = Case.at("86", "draw-accepted-too-late", table).add("OK", table.play(ONE, end="offer-draw"))
    case.add("OK", table.play()).add("OK", table.play([], end="accept-draw")).add("OK", table.next())
    yield case.expect(closed="no")


def _early(table: CardTable) -> Case:
    case = Case.at("87", "final-before-the-end", table)
    empty: Any = {"books": [], "decks": []}
    case.add("E_END", table.changed(ONE, change={"final": empty}))
    table.play([], end="resign")
    new: Any = {"sheet": known("x").hex()}
    return case.add("OK", table.sent[-1]).add("E_END", table.changed(change={"sealed": new}), "with-a-new-book")

"""Attacks on sealed books (rows 23, 28, 35 to 42, 80 to 82, 85, 97)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adjudicator.protocol.own import seal
from tests.protocol.card_table import CardTable
from tests.protocol.forge.case import Case
from tests.protocol.toy_game import A, B, known
from tests.protocol.twelve import PLAN, answer, attack, played, turns

RAID = [attack("1500", "allies-u1")]
RECON = [{"type": "recon", "unit": "u1"}]


def opened(table: CardTable, *args: Any, **kw: Any) -> list[dict[str, Any]]:
    """The openings that the next message rightly carries."""
    body: Any = table.body(*args, **kw)
    return [dict(row) for row in body.get("open", [])]


def book_cases() -> Iterator[Case]:
    """Rows 23, 28, 35 to 42, 80 to 82, 97."""
    yield from _openings()
    yield from _in_force()
    yield from _empty()
    yield from _plans()
    yield from _garrisons()


def _openings() -> Iterator[Case]:
    table = played(3)
    row = opened(table)[0]
    assert (row["book"], row["topic"]) == ("sheet", "react")
    wrong = known("x").hex()
    case = Case.at("23", "topic-opened-as-something-else", table)
    for name, change in (
        ("rules", {"rules": "yes"}),
        ("salt", {"salt": wrong}),
        ("path", {"path": [wrong, *row["path"][1:]]}),
        ("short-path", {"path": row["path"][:-1]}),
        ("topic", {"topic": "supply"}),
        ("no-topic", {"topic": "nothing"}),
        ("book", {"book": "plans"}),
        ("no-book", {"book": "diary"}),
        ("message", {"seq": "4"}),
        ("future", {"seq": "999999999"}),
    ):
        case.add("E_SEAL", table.changed(change={"open": [{**row, **change}]}), name)
    yield case
    case = Case.at("28", "demanded-topic-not-opened", table).add("E_SEAL", table.changed(change={"open": None}))
    yield case.add("E_SEAL", table.changed(change={"open": []}))
    losses = table.own[B].source(table.verifier, B)(("sheet", 2, "losses"))
    assert losses is not None
    case = Case.at("38", "surplus-opening", table)
    case.add("E_SEAL", table.changed(change={"open": [row, losses]}), "undemanded")
    yield case.add("E_SEAL", table.changed(change={"open": [row, row]}), "twice")
    other = played(3).own[A].source(table.verifier, A)(("sheet", 1, "react"))
    assert other is not None
    case = Case.at("39", "opening-without-a-book", table)
    yield case.add("E_SEAL", table.changed(change={"open": [row, {**row, "book": "plans"}]}), "never-sealed").add(
        "E_SEAL", table.changed(change={"open": [other]}), "of-the-other-side"
    )
    table = played(2)
    case = Case.at("23", "book-that-the-game-has-not", table)
    yield case.add("E_SEAL", table.changed(change={"sealed": {"diary": wrong}}))


def _in_force() -> Iterator[Case]:
    table = played(3)
    reply: list[Any] = [answer("react/1203", "no"), answer("react/1304", "no")]
    new = {"sheet": {"react": "yes"}}
    row = opened(table)[0]
    wrong = {**row, "seq": "4", "rules": "yes"}
    case = Case.at("36", "new-book-in-the-opening-message", table)
    case.add("E_SEAL", table.changed(reply, books=new, change={"open": [wrong]}), "opened-at-once")
    yield case.add("OK", table.play(reply, books=new), "counts-from-the-next").expect(head="4", waits="react/1203")
    table = played(5)
    table.play(RAID)
    case = Case.at("37", "old-book-is-still-owed", played(5)).add("OK", table.sent[-1])
    yield case.add("E_SEAL", table.changed(change={"open": None})).add("OK", table.next()).expect(head="7")
    table = played(5)
    case = Case.at("40", "opening-for-a-void-order", table).add("OK", table.play([{"type": "attack", "hex": []}]))
    react = table.own[A].source(table.verifier, A)(("sheet", 1, "react"))
    yield case.add("E_SEAL", table.changed(change={"open": [react]})).add("OK", table.next()).expect(kinds="void draw")
    table = played(4)
    table.play(books={"sheet": {"react": "yes"}})
    case = Case.at("41", "the-older-of-two-books", table).add("OK", table.play(RAID))
    old = table.own[A].source(table.verifier, A)(("sheet", 1, "react"))
    case.add("E_SEAL", table.changed(change={"open": [old]}), "older").add("OK", table.next(), "newer")
    yield case.expect(head="7")
    table = played(5)
    case = Case.at("35", "answer-to-what-the-book-covers", table).add("OK", table.play(RAID))
    case.add("OK", table.play([answer("react/1500", "yes")])).add("OK", table.next())
    yield case.expect(kinds="void draw")


def _empty() -> Iterator[Case]:
    table = played(3)
    row = opened(table)[0]
    assert "rules" not in row
    case = Case.at("42", "empty-topic", table)
    case.add("E_SEAL", table.changed(change={"open": [{**row, "rules": "no"}]}), "pretended-rule")
    case.add("E_SEAL", table.changed(change={"open": [{**row, "rules": []}]}), "pretended-list")
    yield case.add("OK", table.play(), "opened-as-empty").expect(waits="react/1203")
    yield _keyed()


def _keyed() -> Case:
    """A topic without rules that another program sealed as an empty list: nothing opens it."""
    table, turn = played(1), turns()[1]
    (book,) = seal(table.verifier, B, table.secrets[B], turn["books"])
    keyed = book._replace(rules={**book.rules, "react": []})
    case = Case.at("42", "empty-topic-sealed-with-its-key", table)
    sealing = table.changed(**turn, change={"sealed": {"sheet": keyed.root()}})
    assert table.receive(sealing).ok
    case.add("OK", sealing, "seals-it").add("OK", table.play(**turns()[2]), "demands-it")
    bare = {**keyed.opening("react")}
    del bare["rules"]
    table.own[B].add([keyed])
    for name, row in (("with-its-key", keyed.opening("react")), ("without", bare)):
        case.add("E_SEAL", table.changed(change={"open": [row]}), name)
    return case


def _plans() -> Iterator[Case]:
    table = played(8)
    execute: list[Any] = [{"type": "execute", "unit": "u1", "hex": "2001"}]
    both = [("plans", 3, "u1"), ("plans", 7, "u1")]
    case = Case.at("80", "sealed-plan-executed-with-history", table)
    case.add("OK", table.play(execute, history=both)).add("OK", table.next())
    yield case.expect(kinds="history history executed draw")
    for name, change, history, kinds in (
        ("too-late", 3, [("plans", 7, "u1")], "history void draw"),
        ("absent-in-the-older-book", 3, [("plans", 3, "u1"), ("plans", 7, "u1")], "history history void draw"),
    ):
        table = CardTable()
        for number, turn in enumerate(turns()[:8], 1):
            table.play(**({**turn, "books": {"plans": {}}} if number == change else turn))
        case = Case.at("81", f"plan-{name}", table)
        case.add("OK", table.play(execute, history=history)).add("OK", table.next())
        yield case.expect(kinds=kinds)
    table = played(8)
    rows: Any = table.body(execute, history=both)["history"]
    other = {**PLAN, "hex": "2002"}
    case = Case.at("82", "plan-swapped", table)
    for name, change_ in (
        ("rules", [{**rows[0], "rules": other}, rows[1]]),
        ("message", [{**rows[0], "seq": "5"}, rows[1]]),
        ("twice", [rows[0], rows[0]]),
        ("of-this-message", [{**rows[0], "seq": "9"}]),
    ):
        case.add("E_SEAL", table.changed(execute, change={"history": change_}), name)
    yield case


def _garrisons() -> Iterator[Case]:
    """A public trigger demands a topic with its history back to its last display (row 97)."""
    table = played(5)
    case = Case.at("97", "garrison-shown-with-its-history", table).add("OK", table.play(RECON))
    rows = opened(table)
    assert [(row["book"], row["seq"]) for row in rows] == [("plans", "1"), ("plans", "3")]
    for name, change in (
        ("without-history", rows[1:]),
        ("history-only", rows[:1]),
        ("swapped", [{**rows[0], "rules": PLAN}, rows[1]]),
        ("surplus", [*rows, {**rows[0], "topic": "u2"}]),
    ):
        case.add("E_SEAL", table.changed(change={"open": change}), name)
    yield case.add("OK", table.next(), "whole").expect(kinds="seen draw", head="7")

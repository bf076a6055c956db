"""Thousands of mutants of valid files (row 89): none is another accepted message, none raises but a rejection.

Two kinds: bytes of a file or log line, changed by whoever carries it; and trees, changed and signed anew by a dishonest
author, which reach every check behind the signature. `--hypothesis-profile long` makes 20,000 of them instead of 2,000.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import settings

from adjudicator.protocol.compose import compose_lost
from adjudicator.protocol.log import read_line, read_turn, write_line, write_turn
from adjudicator.protocol.message import Message
from adjudicator.protocol.verdicts import Kind, ProtocolError
from adjudicator.turnfile.nodes import Tree
from adjudicator.turnfile.reader import ReadError
from tests.protocol.card_table import CardTable
from tests.protocol.forge.by_housekeeping import fresh_secret, lost_table
from tests.protocol.toy_game import B, key_of, known
from tests.protocol.twelve import attack, played, turns

POINTS = (2, 3, 6, 7, 8, 9, 10)
"""Messages played before the one that is changed: with cards, openings, transfers, shows, history, end, final."""
LOST, ALLOWED = "lost", "allowed"
"""Two more, in a game without decks: a chain is lost, and the loss is allowed."""


def count() -> int:
    """How many mutants of each kind are made."""
    return 20_000 if settings().max_examples >= 12_000 else 2_000


@cache
def seat(point: int) -> tuple[CardTable, Message]:
    """A table at a point of the game, and the honest next message with housekeeping in it."""
    table = played(point)
    extras: dict[str, Any] = {}
    if point == 2:
        extras = {"rekey": key_of("alice new"), "upgrade": (known("rules").hex(), 7), "note": "good luck"}
        extras["reanchor"] = (known("second chain")[:16], 64)
    return table, table.next(**turns()[point], **extras)


def table_at(point: int | str) -> CardTable:
    """The table at a point, played anew."""
    if isinstance(point, int):
        return played(point)
    table = lost_table()
    if point == ALLOWED:
        lost = compose_lost(table.verifier, B, fresh_secret("bob"), known("entropy")).body
        assert table.receive(table.sign(lost)).ok
        table.secrets[B] = fresh_secret("bob")
    return table


def message_at(point: int | str) -> tuple[CardTable, Message]:
    """A table, and the honest next message."""
    if isinstance(point, int):
        return seat(point)
    table = table_at(point)
    if point == LOST:
        return table, table.sign(compose_lost(table.verifier, B, fresh_secret("bob"), known("entropy")).body)
    return table, table.next([attack("1203", "axis-u1")], allow_lost=True)


def changed_bytes(data: bytes, source: Random) -> bytes:
    """One to three changes of bytes."""
    for _ in range(source.randint(1, 3)):
        at, value = source.randrange(len(data)), source.randrange(256)
        what = source.randrange(5)
        if what == 0:
            data = data[:at] + bytes([value]) + data[at + 1 :]
        elif what == 1:
            data = data[:at] + data[at + 1 + value % 40 :]
        elif what == 2:
            data = data[:at] + bytes([value]) + data[at:]
        elif what == 3:
            data = data[:at] + data[at + 1 : at + 2] + data[at : at + 1] + data[at + 2 :]
        else:
            data = data[:at] + data[at : at + value] + data[at:]
        data = data or b"x"
    return data


def test_mutants_of_bytes() -> None:
    source = Random(89)
    for number in range(count()):
        table, message = seat(POINTS[number % len(POINTS)])
        line = number % 2 == 1
        data = changed_bytes(write_line(message) if line else write_turn(message), source)
        try:
            found = read_line(data) if line else read_turn(data)
        except ReadError:
            continue
        except ProtocolError as error:
            assert error.code == "E_CANON"
            continue
        verdict = table.verifier.check(found)
        assert not verdict.ok or found.id == message.id
        assert verdict.kind not in (Kind.HALT, Kind.PROOF)


def places(tree: Tree, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every place in a tree."""
    yield path
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from places(value, (*path, key))
    elif isinstance(tree, list):
        for at, value in enumerate(tree):
            yield from places(value, (*path, at))


VALUES: tuple[Any, ...] = (
    "", "0", "1", "2", "x", "-1", "01", "999999999", "9999999999", "a" * 64, "0" * 64, "é", "ſ", "²", [], {}, ["x"],
    {"a": "b"}, [[]], "1.0", "1.7", "2.0", "9.9", "0.0", "1.", ".1", "1.01", "axis-ops", "allies-ops", "axis", "sheet",
    "plans", "draw", "hand", "name", "ops", "resign", "claim", "offer-draw",
)  # fmt: skip


def changed_tree(body: dict[str, Tree], source: Random, others: list[Tree]) -> dict[str, Tree]:
    """A copy with one to three values dropped, replaced, doubled or exchanged."""
    for _ in range(source.randint(1, 3)):
        spots = [path for path in places(body) if path and path[0] not in ("seq", "game", "side", "pbem")]
        path = source.choice(spots)
        value: Any = source.choice(others) if source.random() < 0.3 else source.choice(VALUES)
        body = _set(body, path, value, source.randrange(4))
    return body


def _set(tree: Any, path: tuple[str | int, ...], value: Any, what: int) -> Any:
    head, *rest = path
    new: Any = dict(tree) if isinstance(tree, dict) else list(tree)
    if rest:
        new[head] = _set(tree[head], tuple(rest), value, what)
    elif what == 0:
        del new[head]
    elif what == 1 and isinstance(new, list):
        new.insert(int(head), new[int(head)])
    elif what == 2 and isinstance(new[head], str) and new[head]:
        text = str(new[head])
        new[head] = text[:-1] + ("0" if text[-1] != "0" else "1")
    else:
        new[head] = value
    return new


@pytest.mark.parametrize("point", [*POINTS, LOST, ALLOWED])
def test_mutants_signed_by_their_author(point: int | str) -> None:
    """Whatever a dishonest author signs gets a verdict and halts nothing; what is accepted can be answered."""
    table, message = message_at(point)
    head, source = table.verifier.head, Random(point)
    others: list[Tree] = [value for key, value in table.verifier.body(head).items() if key != "sig"]
    others += [row for name in ("open", "cards", "decks", "show", "history") for row in _rows(message.body.get(name))]
    accepted: list[Message] = []
    for _ in range(count() // len(POINTS)):
        try:
            mutant = table.sign(changed_tree(message.body, source, others))
        except ProtocolError as error:
            assert error.code == "E_CANON"
            continue
        verdict = table.verifier.check(mutant)
        assert verdict.ok or verdict.kind is Kind.REJECT, verdict.show()
        assert table.verifier.failed is None and table.verifier.head == head
        if verdict.ok and mutant.id != message.id:
            accepted.append(mutant)
    assert accepted or point == 10, "some changes are lawful: orders and notes are the author's own"
    for mutant in accepted[:12]:
        answered(point, mutant)


def _rows(value: Tree | None) -> list[Tree]:
    return list(value) if isinstance(value, list) else []


def answered(point: int | str, mutant: Message) -> None:
    """The other side takes the message in, opens its dice and answers."""
    table = table_at(point)
    assert table.receive(mutant).ok
    if "lost" in mutant.body:
        table.play([attack("1203", "axis-u1")], allow_lost=True)
    elif not table.verifier.closed:
        table.play()

"""Thousands of mutants of valid files (row 89): none is another accepted message, none raises but a rejection.

Two kinds: bytes of a file or log line, changed by whoever carries it; and trees, changed and signed anew by a dishonest
author, which reach every check behind the signature. The verdicts are counted: many of them must be seen, so that no
mutant stops all the others at one check. `--hypothesis-profile long` makes 20,000 of them instead of 2,000.
"""

from __future__ import annotations

from collections import Counter
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
from tests.protocol.mutants import changed_bytes, changed_tree
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


def test_mutants_of_bytes() -> None:
    source, codes = Random(89), Counter[str]()
    for number in range(count()):
        table, message = seat(POINTS[number % len(POINTS)])
        line = number % 2 == 1
        data = changed_bytes(write_line(message) if line else write_turn(message), source)
        try:
            found = read_line(data) if line else read_turn(data)
        except ReadError:
            codes["unread"] += 1
            continue
        except ProtocolError as error:
            assert error.code == "E_CANON"
            codes["E_CANON"] += 1
            continue
        verdict = table.verifier.check(found)
        codes[verdict.code] += 1
        assert not verdict.ok or found.id == message.id
        assert verdict.kind not in (Kind.HALT, Kind.PROOF)
    assert {"unread", "E_CANON", "E_SIG", "E_FIELD", "E_GAME", "OK"} <= set(codes), codes
    assert max(codes.values()) < 0.6 * codes.total(), codes


@pytest.mark.parametrize("point", [*POINTS, LOST, ALLOWED])
def test_mutants_signed_by_their_author(point: int | str) -> None:
    """Whatever a dishonest author signs gets a verdict and halts nothing; what is accepted can be answered."""
    table, message = message_at(point)
    head, source = table.verifier.head, Random(point)
    others: list[Tree] = [value for key, value in table.verifier.body(head).items() if key != "sig"]
    codes: Counter[str] = Counter()
    others += [row for name in ("open", "cards", "decks", "show", "history") for row in _rows(message.body.get(name))]
    accepted: list[Message] = []
    for _ in range(count() // len(POINTS)):
        try:
            mutant = table.sign(changed_tree(message.body, source, others))
        except ProtocolError as error:
            assert error.code == "E_CANON"
            codes["E_CANON"] += 1
            continue
        verdict = table.verifier.check(mutant)
        codes[verdict.code] += 1
        assert verdict.ok or verdict.kind is Kind.REJECT, verdict.show()
        assert table.verifier.failed is None and table.verifier.head == head
        if verdict.ok and mutant.id != message.id:
            accepted.append(mutant)
    assert len(set(codes) - {"OK"}) >= 4, codes
    assert max(codes.values()) < 0.95 * codes.total(), codes
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

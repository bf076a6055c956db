"""Messages as long as they may be: they are resolved and told in seconds, and their events stay of a size with them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import pytest

from tests.adversary.duel import Row
from tests.adversary.scenes import ATTACK, BRIGADES, COMBAT, MOVES, TARGET, bare, western_desert

ROOM = 240_000
SECONDS = 30.0
FACTOR = 12
"""Events of one message may have so many times its size: each void tells order, type, rule and reason."""


def fill(row: Row, room: int = ROOM) -> list[Row]:
    """One row again and again."""
    return [row] * (room // (len(json.dumps(row, separators=(",", ":"))) + 1))


def long_list(row: Row, name: str, items: Sequence[str]) -> Row:
    """A row with a list as long as may be."""
    return {**row, name: list(items) * (ROOM // sum(len(item) + 3 for item in items))}


MOVE: Row = {"type": "move", "unit": "in-5", "to": "19/0826"}
LONG: dict[str, Callable[[], list[Row]]] = {
    "one section with a long name over many orders": lambda: [
        {"type": "section", "name": "x" * (ROOM // 2)}, *fill({"type": "pass"}, ROOM // 2)
    ],
    "unknown orders": lambda: [*MOVES, COMBAT, *fill({"type": "zz"})],
    "sections": lambda: fill({"type": "section", "name": "movement"}),
    "the same attack": lambda: [*MOVES, COMBAT, *fill(ATTACK)],
    "one supply counter": lambda: [long_list({"type": "general_supply"}, "counters", ["supply-allied-1"])],
    "a way to and fro": lambda: [MOVES[0], long_list({"type": "move", "unit": "in-5"}, "path", ["19/0826", "19/0827"])],
    "far moves": lambda: [MOVES[0], *fill({"type": "move", "unit": "in-5", "to": "18/0101", "by": "rail"})],
    "losses by name": lambda: [*MOVES, COMBAT, ATTACK, *fill({"type": "losses", "hex": TARGET, "units": [*BRIGADES]})],
    "a long word": lambda: [MOVES[0], {**MOVE, "by": "r" * ROOM}],
    "many fields": lambda: [MOVES[0], {**MOVE, **{f"a{n}": "x" for n in range(ROOM // 15)}}],
    "answers": lambda: [*MOVES, COMBAT, ATTACK, *fill({"type": "answer", "to": "losses/19.0726/zz", "units": ["zz"]})],
    "clauses": lambda: [
        {"type": "standing", "topic": "losses", "rules": fill({"stack": "19/0101", "order": ["in-5"]})}, *MOVES
    ],
}


@pytest.mark.parametrize("name", LONG)
def test_a_message_as_long_as_may_be(name: str) -> None:
    duel = western_desert("size")
    duel.look()
    rows = LONG[name]()
    duel.send(rows)
    bare(duel, 6)
    assert duel.slowest < SECONDS
    last = duel.seats[0].verifier.last
    assert last is not None
    told = json.dumps([dict(event) for event in last.resolution.events])
    assert len(told) < FACTOR * len(json.dumps(rows))

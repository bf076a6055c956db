"""Makes mutants: bytes changed as whoever carries a file may change them, and trees as a dishonest author may."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from adjudicator.turnfile.nodes import Tree


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

"""Canonical bytes: exactly one form, within the limits."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.turnfile.canon import MAX_BYTES, CanonError, canon, canon_body, parse
from adjudicator.turnfile.nodes import Tree
from adjudicator.turnfile.whitelist import RANGES

TEXTS = st.text(st.one_of(*[st.characters(min_codepoint=a, max_codepoint=b) for a, b in RANGES]), max_size=8)
KEYS = st.from_regex(r"[a-z][a-z0-9_]{0,5}", fullmatch=True)
TREES: st.SearchStrategy[Tree] = st.recursive(
    TEXTS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
)


@settings(max_examples=200, deadline=None)
@given(TREES)
def test_canon_is_sorted_json_and_reads_back(tree: Tree) -> None:
    data = canon(tree)
    assert data == json.dumps(tree, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()
    assert parse(data) == tree


@pytest.mark.parametrize(
    "line",
    [
        b'{"b":"1","a":"2"}',
        b'{"a": "1"}',
        b'{"a":"1","a":"1"}',
        b'{"a":1}',
        b'{"a":true}',
        b'{"a":null}',
        b'{"a":NaN}',
        b'{"a":"\\u0041"}',
        b'{"a":"\\/"}',
        b'{"a":"\\t"}',
        b'{"a":"\\ud800"}',
        b'{"a":"\xff"}',
        b'{"A":"1"}',
        b' {"a":"1"}',
        b'{"a":"1"}\n',
        b"\xef\xbb\xbf{}",
        b"[" * 100_000,
        b"[" * 300 + b"]" * 300,
        b"",
        b"{",
    ],
)
def test_lines_that_are_not_canonical(line: bytes) -> None:
    with pytest.raises(CanonError):
        parse(line)


@pytest.mark.parametrize(
    ("tree", "path"),
    [
        ({"a": [{"b": 1}]}, r"a\[0\]\.b"),
        ({"a": None}, "a"),
        ({"a": {"B": "x"}}, "a"),
        ({"a": {"b" * 65: "x"}}, "a"),
        ({"orders": [{}, {"unit": "x\ty"}]}, r"orders\[1\]\.unit"),
        ({"a": "\ud800"}, "a"),
        ({"a": b"x"}, "a"),
    ],
)
def test_faults_are_named_by_their_path(tree: Tree, path: str) -> None:
    for check in (canon, canon_body):
        with pytest.raises(CanonError, match=f"^{path}: "):
            check(tree)


def nested(depth: int) -> Tree:
    tree: Tree = {"a": "x"}
    for _ in range(depth - 1):
        tree = {"a": tree}
    return tree


def test_limits_of_a_body() -> None:
    """Attack table 68: depth 16, canonical body over 256 KiB."""
    assert canon_body(nested(15))
    with pytest.raises(CanonError, match="15 containers"):
        canon_body(nested(16))
    assert len(canon_body({"a": "x" * (MAX_BYTES - 8)})) == MAX_BYTES
    with pytest.raises(CanonError, match="262,145 bytes"):
        canon_body({"a": "x" * (MAX_BYTES - 7)})
    assert len(canon({"a": "x" * MAX_BYTES})) > MAX_BYTES, "packs and positions have no limit of size"
    with pytest.raises(CanonError):
        canon(nested(5000))
    for no_mapping in ("text", ["a"]):
        with pytest.raises(CanonError, match="mapping"):
            canon_body(no_mapping)

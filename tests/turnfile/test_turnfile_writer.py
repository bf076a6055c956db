"""The writer writes what the reader reads back; the armor survives mail."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.turnfile.armor import ArmorError, armor, is_armored, unarmor
from adjudicator.turnfile.canon import CanonError
from adjudicator.turnfile.nodes import Tree, tree_map
from adjudicator.turnfile.reader import c_parser, default_parser, pure_parser, read
from adjudicator.turnfile.whitelist import RANGES
from adjudicator.turnfile.writer import write, write_turn

CHARS = st.one_of(
    st.sampled_from("\n \n :#-'\"\\>|[]{},&*!%@`?~=0ab“”’…"),
    *[st.characters(min_codepoint=a, max_codepoint=b) for a, b in RANGES],
)
KEYS = st.from_regex(r"[a-z][a-z0-9_]{0,6}", fullmatch=True) | st.sampled_from(["type", "null", "yes", "y", "no", "on"])
TREES: st.SearchStrategy[Tree] = st.recursive(
    st.text(CHARS, max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(KEYS, TREES, max_size=4))
def test_round_trip(tree: dict[str, Tree]) -> None:
    text = write(tree)
    for parser in (default_parser, pure_parser):
        assert tree_map(read(text.encode(), parser=parser, max_depth=100).root) == tree
    assert tree_map(read(text.replace("\n", "\r\n").encode(), max_depth=100).root) == tree


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(KEYS, TREES, max_size=4), st.text(CHARS, max_size=12))
def test_turn_round_trip(body: dict[str, Tree], sig: str) -> None:
    text = write_turn(body, sig)
    assert tree_map(read(text.encode(), max_depth=100).root) == {"body": body, "sig": sig}
    assert tree_map(read(write_turn(body, None).encode(), max_depth=100).root) == {"body": body}


def test_a_turn_is_readable() -> None:
    orders: list[Tree] = [{"unit": "7-arm", "type": "move", "by": ["19/1126", "19/1125"]}, {"type": "pass", "x": {}}]
    body: dict[str, Tree] = {"entropy": "00", "pbem": "1", "note": "one\ntwo\n", "orders": orders, "seq": "4", "zz": []}
    assert write_turn(body, "-----A-----\nbc\n-----E-----\n") == (
        "body:\n"
        "  pbem: 1\n"
        "  seq: 4\n"
        "  note: |\n"
        "    one\n"
        "    two\n"
        "  orders:\n"
        "    - type: move\n"
        "      unit: 7-arm\n"
        "      by:\n"
        "        - 19/1126\n"
        "        - 19/1125\n"
        "    - type: pass\n"
        "      x: {}\n"
        "  entropy: 00\n"
        "  zz: []\n"
        "sig: |\n"
        "  -----A-----\n"
        "  bc\n"
        "  -----E-----\n"
    )


def test_what_has_no_canonical_form_is_not_written() -> None:
    for tree in ({"A": "x"}, {"a": "x\ty"}):
        with pytest.raises(CanonError):
            write(tree)


@given(st.binary(max_size=300))
def test_armor_round_trip(data: bytes) -> None:
    text = armor(data)
    assert is_armored(text.encode()) and not is_armored(b"body: {}")
    assert unarmor(text.encode()) == data
    quoted = "Hello,\r\n" + "".join(f"> {line}\r\n" for line in text.splitlines()) + "> Bob\r\n"
    assert unarmor(quoted.encode()) == data


@pytest.mark.parametrize("text", ["", armor(b"x" * 99)[:-20], armor(b"abc").replace("YWJj", "YW*j")])
def test_damaged_armor(text: str) -> None:
    with pytest.raises(ArmorError):
        unarmor(text.encode())


def test_parsers_are_the_ones_named() -> None:
    assert type(pure_parser("a: b")).__name__ == "PureParser"
    assert c_parser is not pure_parser

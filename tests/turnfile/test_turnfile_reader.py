"""The strict reader: what it accepts, what it refuses, and that both YAML parsers agree."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.turnfile import whitelist
from adjudicator.turnfile.canon import MAX_BYTES, canon
from adjudicator.turnfile.nodes import Mapping, Pos, Scalar, Sequence, from_tree, tree, tree_map
from adjudicator.turnfile.reader import Document, ParserFactory, ReadError, c_parser, pure_parser, read

VECTORS: dict[str, Any] = json.loads((Path(__file__).parents[1] / "protocol" / "vectors.json").read_text("utf-8"))
MOVE = "orders:\n  - type: move\n"
PARSERS: list[ParserFactory] = [pure_parser]
try:
    c_parser("")
    PARSERS.append(c_parser)
except ImportError:  # PyYAML without libyaml: the parser in Python is tested alone
    pass


def outcome(data: bytes, parser: ParserFactory) -> Document | None:
    """The document, or None when it is refused; anything else than ReadError is a fault of the reader."""
    try:
        return read(data, parser=parser)
    except ReadError:
        return None


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(("text", "expected"), VECTORS["canon_ok"])
def test_vectors_accepted(text: str, expected: str, parser: ParserFactory) -> None:
    assert canon(tree(read(text.encode(), parser=parser).root)).decode() == expected


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize("text", VECTORS["canon_reject"])
def test_vectors_refused(text: str, parser: ParserFactory) -> None:
    with pytest.raises(ReadError) as caught:
        read(text.encode("utf-8", "surrogatepass"), parser=parser)
    assert caught.value.code == "E_CANON"


def test_white_list_is_the_vector() -> None:
    numbers = [code for code in range(0x110000) if whitelist.first_foreign(chr(code)) < 0]
    assert [[f"{a:04x}", f"{b:04x}"] for a, b in whitelist.RANGES] == VECTORS["white_list"]["ranges"]
    assert len(numbers) == VECTORS["white_list"]["count"]
    assert hashlib.sha256(",".join(map(str, numbers)).encode()).hexdigest() == VECTORS["white_list"]["sha256"]


@pytest.mark.parametrize(
    "char", "\u202e\u0301\u2060\u00ad\ufe0f\U000e0041\u3164\u00a0\U00010efd\t\u0085\u2028\ufeff\0\x7f中"
)
def test_characters_off_the_white_list(char: str) -> None:
    for text in (f"a: x{char}y\n", f'a: "x\\U{ord(char):08x}y"\n'):
        with pytest.raises(ReadError):
            read(text.encode())


def test_twelve_writings_give_identical_bytes() -> None:
    """Attack table 21: YAML's types, CRLF, quotes and flow style change nothing."""
    block = 'a: no\nb: 0o14\nc: 012\nd: 1:30\ne: 2001-01-01\nf: 1e3\ng: ~\nh: "x"\nlist:\n- "1"\n- null\n'
    flow = "{list: ['1', \"null\"], h: x, g: '~', f: 1e3,\n e: 2001-01-01, d: '1:30', c: 012, b: 0o14, a: no}\n"
    expected = canon(tree(read(block.encode()).root))
    for other in (block.replace("\n", "\r\n"), flow, "# signed? no\n" + block, "---\n" + block + "...\n"):
        assert canon(tree(read(other.encode()).root)) == expected
    assert b'"b":"0o14"' in expected and b'"g":"~"' in expected


def test_nodes_keep_their_places() -> None:
    root = read(b"# head\norders:\n  - type: move\n    to: [a, 'b c']\n").root
    orders = root.get("orders")
    assert isinstance(orders, Sequence) and orders.pos == Pos(3, 3) and root.key_pos("orders") == Pos(2, 1)
    order = orders.items[0]
    assert isinstance(order, Mapping) and order.keys() == ("type", "to") and order.key_pos("to") == Pos(4, 5)
    to = order.get("to")
    assert isinstance(to, Sequence) and to.flow and to.items[1] == Scalar("b c", Pos(4, 13), plain=False)
    assert "to" in order and order.get("by") is None and order.key_pos("by") == order.pos
    assert from_tree(tree_map(root)) == from_tree(tree(root))


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("orders:\n\t- type: move\n", "2:1", "tab"),
        (MOVE + "    with: {7 Arm X, 4 Arm X}\n", "3:12", "no braces"),
        (MOVE + "    to: @18/4818\n", "3:9", "quotes"),
        (MOVE + "    to: !here\n", "3:9", "begins with !"),
        (MOVE + "    if: >= 3\n", "3:9", '">= 3"'),
        (MOVE + "    if: > 3:1\n    x: y\n", "3:9", '"> 3:1"'),
        (MOVE + "    if: |#\n", "3:9", "quotes"),
        (MOVE + "    x: %50\n", "3:8", "quotes"),
        (MOVE + "    x: &50 a\n", "3:8", "anchor"),
        (MOVE + "    x: *all\n", "3:8", "alias"),
        (MOVE + "    x: `a`\n", "3:8", "back quote"),
        (MOVE + "    x: - 7\n", "3:8", "begin with"),
        (MOVE + "    unit:7 Arm X\n    to: x\n", "3:10", "`unit: 7 Arm X`"),
        ("orders:\n  - type:move\n    to: x\n", "2:10", "`type: move`"),
        ("orders:\n  -type: move\n", "2:3", "`- type: ...`"),
        (MOVE + "      unit: 7 Arm\n", "3:7", "indented by 6, line 2 above it by 4"),
        (MOVE + "   unit: 7 Arm\n", "3:4", "indented by 3, line 2 above it by 4"),
        ("orders:\n  type: move\n  - type: x\n", "3:3", "list entry"),
        (MOVE + "    note: good luck: bob\n", "3:11", '"good luck: bob"'),
        (MOVE + "    unit: '7 Arm\n    to: x\n", "3:11", "never closed"),
        (MOVE + "    unit: 'Arm's\n", "3:16", "closing quote"),
        (MOVE + "    “unit”: x\n", "3:5", "typographic"),
        (MOVE + "    unit:\u00a07 Arm\n", "3:10", "no-break space"),
        (MOVE + "    with: [a, b\n    to: x\n", "3:11", "not closed"),
        (MOVE + "    with: {a, b\n    to: x\n", "3:11", "not closed"),
        (MOVE + "    Unit: x\n", "3:5", "`unit:`"),
        (MOVE + "    air-mission: x\n", "3:5", "`air_mission:`"),
        (MOVE + "    unit: a\n    unit: b\n", "4:5", "first in line 3"),
        (MOVE + "    unit 7 Arm\n    to: x\n", "3:5", "`unit: 7 Arm`"),
        ("- type: move\n", "1:1", "mapping"),
        ("", "1:1", "empty"),
        ("# nothing\n", "1:1", "empty"),
        ("a: {<<: {b: c}}\n", "1:5", "merge"),
        ("a: b\n---\nc: d\n", "2:1", "second document"),
        ("%YAML 1.1\n---\na: b\n", "1:1", "directives"),
        ("? [a]\n: b\n", "1:3", "can't be a key"),
        ("a: b\rc: d\n", "1:5", "carriage return"),
        ("\ufeffa: b\n", "1:1", "without BOM"),
    ],
)
@pytest.mark.parametrize("parser", PARSERS)
def test_slips_get_a_place_and_a_hint(text: str, place: str, words: str, parser: ParserFactory) -> None:
    with pytest.raises(ReadError) as caught:
        read(text.encode(), parser=parser)
    shown = caught.value.show("my.turn")
    assert shown.startswith(f"my.turn:{place}: error[E_CANON]: ")
    assert words in shown.split("\n")[0]


@pytest.mark.parametrize("parser", PARSERS)
def test_question_mark_in_brackets(parser: ParserFactory) -> None:
    with pytest.raises(ReadError, match="question mark"):
        read(b"a: [b?]\n", parser=parser)


def test_all_faults_at_once() -> None:
    with pytest.raises(ReadError) as caught:
        read(b"A: 1\nb: 2\nb: 3\nc: !x 4\n")
    assert [problem.pos.line for problem in caught.value.problems] == [1, 3, 4]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (MOVE + "    unit: #7 Arm\n", "comment"),
        (MOVE + "    unit: 7 Arm #2\n", "comment"),
        (MOVE + "    odds: >3\n", "empty block"),
        (MOVE + "    unit: “7 Arm”\n", "typographic"),
        ("orders:\n  - type:move\n", "space after the colon"),
    ],
)
def test_what_only_looks_wrong_is_a_warning(text: str, words: str) -> None:
    warnings = read(text.encode()).warnings
    assert len(warnings) == 1 and words in warnings[0].show("x")
    assert "warning[W_YAML]" in warnings[0].show("x")


def test_ordinary_comments_and_texts_give_no_warning() -> None:
    text = "# all\norders:  # of today\n  - type: move  # first\n    to: 18/4818\n    at: 12:30\n    note: |\n      x\n"
    assert read(text.encode()).warnings == ()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\xff\xfea\0:\0", "UTF-16"),
        (b"PK\x03\x04rest", "zip"),
        (b"a: b\0", "binary"),
        (b"a: \xe9\n", "byte 0xE9 is not UTF-8"),
        (b"a: \xed\xa0\x80\n", "UTF-8"),
        (b"a: " + b"x" * MAX_BYTES, "262,147 bytes"),
    ],
)
def test_files_that_are_no_text(data: bytes, words: str) -> None:
    with pytest.raises(ReadError, match=words):
        read(data)


@pytest.mark.parametrize("parser", PARSERS)
def test_size_and_depth_limits(parser: ParserFactory) -> None:
    assert len(tree_map(read(b"a: " + b"x" * (MAX_BYTES - 3), parser=parser).root)["a"]) == MAX_BYTES - 3
    assert outcome(b"a: " + b"[" * 15 + b"]" * 15, parser)
    assert outcome(b"a:\n" + b"  - x: [{}]\n" * 40, parser), "depth counts what is nested, not what stands beside"
    assert outcome(b"a: " + b"[" * 16 + b"]" * 16, parser) is None
    assert outcome(b"a: " + b"[" * 200_000, parser) is None
    assert outcome(b"[" * 200_000, parser) is None


CHARS = st.sampled_from(list("ab1 \n\n:#-'\"\\>|[]{},&*!%@`?~é“\t"))
BLOCKS = st.sampled_from(
    ["a: ", "b: ", "\n", "\n  ", "\n  - ", "- ", ": ", " #", "|\n  ", ">\n  ", "|-#", "\r\n", "\n\n"]
)
OTHERS = st.sampled_from(["'x y'", '"x"', "[", "]", "{", "}", ", ", "? ", "---", "...", "<<: ", "a:", ":b", "%TAG"])


@pytest.mark.skipif(len(PARSERS) < 2, reason="PyYAML without libyaml")
@settings(max_examples=1000, deadline=None)
@given(st.lists(st.one_of(BLOCKS, OTHERS, CHARS), max_size=14))
def test_both_parsers_accept_and_refuse_the_same(pieces: list[str]) -> None:
    """Same verdict, and the same tree with the same places."""
    data = "".join(["a: ", *pieces]).encode()
    assert outcome(data, c_parser) == outcome(data, pure_parser)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes_give_a_document_or_an_error(data: bytes) -> None:
    outcome(data, PARSERS[-1])


def test_reading_needs_no_cryptography() -> None:
    code = "import sys, adjudicator.turnfile.reader, adjudicator.turnfile.writer; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"cryptography", "typer", "lxml"} & set(loaded)

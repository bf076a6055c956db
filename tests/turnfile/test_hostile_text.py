"""Files made to keep a reader busy, or to make it stumble: each is answered at once, by a rejection or a turn."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

import pytest

from adjudicator.turnfile.armor import BEGIN, END, ArmorError, unarmor
from adjudicator.turnfile.canon import MAX_BYTES, CanonError, parse
from adjudicator.turnfile.mail import MAX_PARTS, MailError, find, unflowed
from adjudicator.turnfile.reader import ReadError, read

SIZE = 200_000
SECONDS = 5.0
"""All of them take less than a second; what grows with the square of the size took minutes."""

MAIL = b"From: a\nTo: b\n"


def many(text: str | bytes, size: int = SIZE) -> bytes:
    """A text again and again, up to a size in bytes."""
    data = text.encode() if isinstance(text, str) else text
    return data * (size // len(data))


def armored(inner: bytes) -> bytes:
    """Something between the two lines of a block."""
    return BEGIN.encode() + b"\n" + inner + b"\n" + END.encode() + b"\n"


BLOCKS = {
    "spaces": many(" ") + b"x",
    "words": many("abc ") + b"x",
    "quoting marks": many("> "),
    "tags that never end": many("<br "),
    "signs": many("<"),
    "a number without end": b"&#" + many("1") + b";",
    "entities": many("&amp"),
    "sums": many("(1"),
}
TEXTS = {
    "bodies, quoted": b"hello\n" + many("> body:\n"),
    "bodies, deeper and deeper": b"hello\n" + b"".join(b" " * n + b"body:\n" for n in range(600)),
    "blocks on one line": many(f"{BEGIN} {END} "),
    "half a block": many(f"{BEGIN}\n"),
    "dashes": many("-"),
    "dashes and spaces": many("--" + " " * 500),
    "comments": many("#\n"),
    "tags": b"<p>" + many("<a "),
    "ends of tags": b"<p>" + many("</"),
    "tags with quotes": b"<p>" + many("<a '\"'"),
    "remarks": b"<p>" + many("<!--"),
    "declarations": b"<p>" + many("<![a"),
    "quotations": many("<blockquote>"),
    "bits of text on one line": b"<p>" + many("<b>a</b>"),
    "lines kept": b"<pre>" + many("\n<b>"),
    "a number without end": b"<p>&#" + many("1") + b";",
    "a long header": MAIL + b"Content-Type: text/plain; " + many("a=b;") + b"\n\nx",
    "numbered parameters": b"Content-Type: text/plain; " + b"".join(b"a*%d=b;" % n for n in range(20_000)) + b"\n\nx",
    "encoded words": b'Content-Type: text/plain; name="' + many("=?utf-8?q?a?= ") + b'"\n\nx',
    "brackets in a name": MAIL + b"Content-Disposition: attachment; filename=" + many("(") + b"\n\nx",
    "folded header": MAIL + b"Content-Type: a\n" + many(" b\n"),
    "parts within parts": MAIL + many("Content-Type: multipart/mixed; boundary=a\n\n--a\n"),
    "mails": many("From a 2020\nTo: x\n\n"),
    "an odd alphabet": b"Content-Type: text/plain; charset=punycode\n\n" + many("a") + b"-" + many("a9", 400),
    "no alphabet": b"Content-Type: text/plain; charset=zlib\n\n" + many("a"),
    "quoted-printable": MAIL + b"Content-Transfer-Encoding: quoted-printable\n\n" + many("="),
}
YAML = {
    "dashes and a key": b"a: b\n" + many("- ") + b"x:y",
    "dashes after a key": b"a: " + many("- ") + b"@",
    "brackets": b"a: " + many("["),
    "short texts": b"a: [" + many("b,") + b"]",
    "short rows": b"a:\n" + many("- b\n"),
    "quotes": b"a: '" + many("''"),
    "texts after quotes": b"a: " + many("'b' "),
    "an open quote": b'x: "\n' + many("a: b\n"),
    "spaces": b"a: b" + many(" ") + b"#x",
    "marks": b"a: [b" + many(" #\n"),
    "a long key": many("a") + b": b",
    "one key again": many("a: b\n"),
    "folded": b"a: b" + many("\n  c"),
    "documents": many("a: b\n---\n"),
}
LINES = {
    "a number": b'{"a":' + many("1") + b"}",
    "lists": b'{"a":' + many("["),
    "keys": b"{" + b",".join(b'"a%d":""' % n for n in range(18_000)) + b"}",
    "escapes": b'{"a":"' + many("\\u0041") + b'"}',
}


def quickly(work: Callable[[], object], *refusals: type[Exception]) -> None:
    """Do it; only these refusals may come of it, and soon."""
    started = time.perf_counter()
    with suppress(*refusals):
        work()
    assert time.perf_counter() - started < SECONDS


@pytest.mark.parametrize("name", BLOCKS)
def test_blocks(name: str) -> None:
    quickly(lambda: unarmor(armored(BLOCKS[name])), ArmorError)


@pytest.mark.parametrize("name", TEXTS)
def test_mails_and_pasted_texts(name: str) -> None:
    quickly(lambda: find(TEXTS[name]), ArmorError, MailError)


@pytest.mark.parametrize("name", YAML)
def test_turn_files(name: str) -> None:
    assert len(YAML[name]) < MAX_BYTES
    quickly(lambda: read(YAML[name]), ReadError)


@pytest.mark.parametrize("name", LINES)
def test_lines_of_a_log(name: str) -> None:
    quickly(lambda: parse(LINES[name]), CanonError)


def test_what_is_too_much_says_so() -> None:
    turn = b"body:\n  a: b\n"
    assert len(find(b"hello\n" + b"".join(b"> body:\n>   a: b%d\n" % n for n in range(MAX_PARTS)))) == MAX_PARTS
    with pytest.raises(MailError, match=f"more than {MAX_PARTS} turns"):
        find(b"hello\n" + turn * (MAX_PARTS + 1))
    with pytest.raises(MailError, match=f"more than {MAX_PARTS} mails"):
        find(b"From a 2020\nTo: x\n\n" * (MAX_PARTS + 1))
    with pytest.raises(ArmorError, match="more than 200 blocks"):
        find(armored(b"x") * 201)


def test_flowed_lines() -> None:
    quickly(lambda: unflowed(many("a \n", 4 * SIZE).decode()))

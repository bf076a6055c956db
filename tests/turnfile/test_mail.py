"""Turns found in what mailers make of them: quoted, wrapped, encoded, in HTML, among headers and footers."""

from __future__ import annotations

import base64
import io
import quopri
import re
import textwrap
import zipfile
from collections.abc import Callable
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.turnfile.armor import ArmorError, armor, blocks, unarmor
from adjudicator.turnfile.mail import MailError, find, html_text, unflowed

TURN = (
    "body:\n  pbem: 1\n  seq: 4\n  note: |\n    a word - and = more & <less> \u00fc\n    From here on\n"
    "  orders:\n    - type: move\n      to: 19/0826\n"
    "sig: |\n  -----BEGIN SSH SIGNATURE-----\n  U1NIU0lHAAAAAQ==\n  -----END SSH SIGNATURE-----\n"
).encode()
OLD = TURN.replace(b"seq: 4", b"seq: 2")
LINES = armor(TURN)


def html_of(text: str, end: str = "<br>\n") -> str:
    """Lines as an HTML mailer writes them."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return end.join(re.sub(r"^ +", lambda m: "&nbsp;" * len(m[0]), line) for line in escaped.split("\n"))


MANGLERS: dict[str, Callable[[str], str]] = {
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "quoted": lambda text: textwrap.indent(text, "> ", lambda _line: True),
    "quoted three deep": lambda text: textwrap.indent(text, ">>> ", lambda _line: True),
    "quoted with gaps": lambda text: textwrap.indent(text, "> > ", lambda _line: True),
    "quoted with initials": lambda text: textwrap.indent(text, "AB> ", lambda _line: True),
    "quoted with bars": lambda text: textwrap.indent(text, "| ", lambda _line: True),
    "narrow": lambda text: re.sub(r"(.{31})(?=.)", r"\1\n", text),
    "quoted, then wrapped": lambda text: "\n".join(
        "> " + piece for line in text.split("\n") for piece in (textwrap.wrap(line, 40) or [""])
    ),
    "all on one line": lambda text: text.replace("\n", " "),
    "indented": lambda text: textwrap.indent(text, "\t  "),
    "HTML line breaks": lambda text: text.replace("\n", "<br/>\r\n"),
    "HTML in blocks": lambda text: "".join(f'<div class="x">{line}</div>' for line in text.split("\n")),
    "HTML quoted": lambda text: html_of(textwrap.indent(text, "> ")),
    "entities": lambda text: text.replace("+", "&#43;").replace("=", "&equals;").replace(" ", "&nbsp;"),
    "quoted-printable": lambda text: quopri.encodestring(text.encode()).decode(),
    "quoted-printable, narrow and quoted": lambda text: textwrap.indent(
        re.sub(r"(.{50})(?=.)", r"\1=\n", text.replace("=", "=3D")), "> "
    ),
    "no-break spaces": lambda text: text.replace(" ", "\u00a0"),
    "long dashes": lambda text: text.replace("-----", "\u2014\u2014-"),
    "zero width spaces": lambda text: re.sub(r"(\w{20})", "\\1\u200b", text),
}


@pytest.mark.parametrize("name", MANGLERS)
def test_armor_survives(name: str) -> None:
    for text in (LINES, armor(TURN[:-1]), armor(TURN[:-2])):
        data = unarmor(text.encode())
        mangled = f"Hello Bob,\n\n{MANGLERS[name](text)}\n-- \nA footer of the list\nhttp://example.org/?a=3Db\n"
        assert unarmor(mangled.encode()) == data, mangled


@given(st.data())
def test_armor_never_gives_another_file(data: st.DataObject) -> None:
    """Whatever is done to a block, what comes out is the file or an error; never other bytes."""
    text = LINES
    for _ in range(data.draw(st.integers(1, 4))):
        at, end = sorted((data.draw(st.integers(0, len(text))), data.draw(st.integers(0, len(text)))))
        how = data.draw(st.sampled_from(("cut", "double", "change", "swap")))
        piece = {"cut": "", "double": text[at:end] * 2, "change": data.draw(st.text("AZaz09+/=>\n", max_size=9)),
                 "swap": text[at:end][::-1]}[how]
        text = text[:at] + piece + text[end:]
    try:
        found = unarmor(text.encode())
    except ArmorError as error:
        assert str(error)
    else:
        assert found == TURN or "sum" not in text


def test_a_block_that_is_cut_says_so() -> None:
    with pytest.raises(ArmorError, match="cut off"):
        unarmor(LINES[: LINES.index("-----END")].encode())
    with pytest.raises(ArmorError, match="cut off"):
        unarmor((LINES[:150] + LINES).encode())
    lines = LINES.split("\n")
    with pytest.raises(ArmorError, match=r"bytes with the sum .* made of \d+ bytes"):
        unarmor("\n".join([*lines[:2], *lines[3:]]).encode())
    with pytest.raises(ArmorError, match="2 different blocks"):
        unarmor((LINES + armor(OLD)).encode())
    assert unarmor((LINES + LINES).encode()) == TURN
    assert [block.quoted for block in blocks(LINES + textwrap.indent(armor(OLD), "> > "))] == [0, 2]


# --- whole mails ------------------------------------------------------------------------------------------------


def mail(text: str = "Here is my turn.\n", html: str = "", files: dict[str, bytes] | None = None) -> EmailMessage:
    """A mail with its text, the same as HTML, and attachments."""
    found = EmailMessage()
    found["From"], found["To"], found["Subject"] = "Alice <a@example.org>", "bob@example.org", "Turn 4 \u00fc"
    found.set_content(text)
    if html:
        found.add_alternative(html, subtype="html")
    for name, data in (files or {}).items():
        found.add_attachment(data, "application", "octet-stream", filename=name)
    return found


def as_text_attachment(encoding: str) -> EmailMessage:
    """A mail whose turn travels as attached text."""
    found = mail()
    found.add_attachment(TURN.decode(), subtype="plain", charset="utf-8", cte=encoding, filename="x-0004-axis.turn")
    return found


def flowed() -> bytes:
    """Text as `format=flowed` sends it: lines that begin with a space or `From` get one more space."""
    text = re.sub(r"(?m)^(?= |From|>)", " ", TURN.decode())
    head = "From: a@example.org\nContent-Type: text/plain; charset=utf-8; format=flowed\n\n"
    return (head + "Hello,\n\n" + text + "\nAlice\n").encode()


def flowed_and_broken(mark: str = "", greeting: str = "Hello,\n\n") -> bytes:
    """Text as `format=flowed` sends it whose long lines the mailer has broken at a space (RFC 3676)."""
    lines = TURN.decode().split("\n")
    broken = [re.sub(r"^(   .*?and) (?==)", r"\1 \n", line) for line in lines]
    own = "\n".join(broken).replace("SSH SIGNATURE", "SSH \nSIGNATURE").split("\n")
    text = "\n".join(mark + (" " + line if mark or line.startswith((" ", "From", ">")) else line) for line in own)
    assert text.count(" \n") == 3
    head = "From: a@example.org\nContent-Type: text/plain; charset=utf-8; format=flowed\n\n"
    return (head + greeting + text + "\n-- \nAlice\n").encode()


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return made.getvalue()


def forwarded() -> EmailMessage:
    """A mail within a mail."""
    outer = mail("I forward this.\n")
    outer.add_attachment(mail(files={"t.turn": TURN}))
    return outer


QUOTED = textwrap.indent(armor(OLD), "> ")
ENTRY = b"From alice@example.org Mon Nov 30 10:00:00 2026\n"
PRE = f"<div>Hi</div><pre>{html_of(TURN.decode(), chr(10))}</pre>"
MAILS: dict[str, Callable[[], bytes]] = {
    "an attachment in base64": lambda: mail(files={"t.turn": TURN, "map.png": b"\x89PNG\0"}).as_bytes(),
    "an attachment as text, quoted-printable": lambda: as_text_attachment("quoted-printable").as_bytes(),
    "an attachment as text, base64": lambda: as_text_attachment("base64").as_bytes(),
    "attachment and armor": lambda: mail(LINES, files={"t.turn": TURN}).as_bytes(),
    "armor attached": lambda: mail(files={"t.txt": LINES.encode()}).as_bytes(),
    "text and HTML": lambda: mail(LINES, f"<html><body><p>{html_of(LINES)}</p></body></html>").as_bytes(),
    "HTML only": lambda: mail("none\n", f"<style>p{{}}</style><div>Hi</div>{html_of(LINES)}").as_bytes(),
    "the turn itself in the text": lambda: mail("Hello,\n\n" + TURN.decode() + "\nAlice\n").as_bytes(),
    "the turn itself in HTML": lambda: mail("none\n", PRE).as_bytes(),
    "the turn itself in HTML lines": lambda: mail("none\n", f"Hi<br>{html_of(TURN.decode())}").as_bytes(),
    "flowed text": flowed,
    "forwarded": lambda: forwarded().as_bytes(),
    "an mbox entry": lambda: ENTRY + mail(files={"t.turn": TURN}).as_bytes(),
    "an mbox of two": lambda: ENTRY + mail("first\n").as_bytes() + b"\n" + ENTRY + mail(LINES).as_bytes(),
    "CRLF": lambda: mail(LINES).as_bytes().replace(b"\n", b"\r\n"),
    "a reply with the old turn below": lambda: mail(f"{LINES}\nBob wrote:\n{QUOTED}").as_bytes(),
    "a reply in HTML": lambda: mail(
        "x\n", f"<div>{html_of(LINES)}</div><blockquote>{html_of(armor(OLD))}</blockquote>"
    ).as_bytes(),
    "headers pasted, no mail": lambda: b"From: Alice\nSubject: turn\n\n" + TURN,
    "pasted text": lambda: ("Hello Bob,\nhere it is:\n\n" + TURN.decode() + "\n\nAlice\n").encode(),
    "pasted and quoted": lambda: f"Alice wrote:\n{textwrap.indent(TURN.decode(), '> ', lambda _: True)}ok\n".encode(),
    "pasted as UTF-16": lambda: ("Hello\n" + LINES).encode("utf-16"),
    "a saved page": lambda: f"<html><head><title>Mail</title></head><body>{html_of(LINES)}</body></html>".encode(),
    "pasted as UTF-16 without mark": lambda: ("Hello\n" + LINES).encode("utf-16-be"),
    "pasted with zero width spaces": lambda: ("Hello\n" + TURN.decode().replace("sig:", "\u200bsig\u200b:")).encode(),
    "zero width spaces in the first line": lambda: LINES.replace("BEGIN ", "BEGIN\u200b ").encode(),
    "flowed text with broken lines": flowed_and_broken,
    "flowed text with broken lines, quoted": lambda: flowed_and_broken(">"),
    "flowed text that begins with the turn": lambda: flowed_and_broken(greeting=""),
    "a phone's words behind the turn": lambda: TURN + b"\nSent from my phone\n",
    "a list's words behind the turn": lambda: mail(TURN.decode() + "_____\nwargames list\nhttp://x.org\n").as_bytes(),
    "a zip attached": lambda: mail(files={"t.zip": zipped({"a/t.turn": TURN, "map.png": b"\x89PNG\0"})}).as_bytes(),
    "a zip of armored text": lambda: zipped({"t.txt": LINES.encode()}),
    "a saved mail attached": lambda: mail(files={"t.eml": mail(files={"t.turn": TURN}).as_bytes()}).as_bytes(),
    "an mbox with a damaged one before": lambda: ENTRY + mail(LINES[:200]).as_bytes() + ENTRY + mail(LINES).as_bytes(),
    "the file itself": lambda: TURN,
    "the file with a comment": lambda: b"# from Alice\n" + TURN,
}


@pytest.mark.parametrize("name", MAILS)
def test_the_turn_is_found(name: str) -> None:
    found = find(MAILS[name]())
    assert len(found) == 1, found
    assert found[0].data.removeprefix(b"# from Alice\n").replace(b"\r\n", b"\n") == TURN


def test_two_turns_are_both_given() -> None:
    two = find(mail(files={"a.turn": TURN, "b.turn": OLD}).as_bytes())
    assert [(one.data, one.where) for one in two] == [
        (TURN, "in the attachment a.turn"), (OLD, "in the attachment b.turn")
    ]
    assert len(find((LINES + armor(OLD)).encode())) == 2


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (mail().as_bytes(), "no turn in this mail"),
        (mail(LINES[:300]).as_bytes(), "cut off; if two mails hold its parts, copy them into one file"),
        (mail(LINES[300:]).as_bytes(), "its beginning is lost; if two mails hold its parts"),
        (b"Hello Bob, see you on Monday\n", "no turn in this text: .* it begins with `Hello Bob, see you on Monday`"),
        (zipped({"t.turn": TURN}).replace(b"PK\1\2\x14\3\x14\0\0\0", b"PK\1\2\x14\3\x14\0\1\0"), "pass word"),
        (mail(files={"t.txt": LINES.replace("Y", "Z").encode()}).as_bytes(), "damaged"),
        (mail("x" * 9 + "\n" + LINES[:-40]).as_bytes(), "cut off"),
        (b"From: a\nContent-Type: application/ms-tnef; name=winmail.dat\n\nxx\n", "winmail.dat"),
        (b"".join(b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n" % (n, n) for n in range(900)), "."),
        (b"From: a\nContent-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 300, "parts"),
        (b"From: a\nContent-Type: text/plain; charset=nonsense\n\nhello\n", "no turn"),
    ],
)
def test_mails_without_a_whole_turn(data: bytes, said: str) -> None:
    with pytest.raises((MailError, ArmorError), match=said):
        find(data)


@given(st.binary(max_size=400))
def test_anything_is_answered(data: bytes) -> None:
    for text in (data, b"From: a\n" + data, b"From x 2026\nA: b\n" + data, base64.b64encode(data), b"<p>" + data):
        try:
            assert find(text)
        except (MailError, ArmorError) as error:
            assert str(error)


@pytest.mark.parametrize(
    "data",
    [
        zipped({"a.vsav": b"x"}),
        zipped({"t.turn": TURN})[:-9],
        zipped({"t.turn": b"body:" * 900_000}),
        b"{\\rtf1 " + TURN,
    ],
)
def test_what_the_reader_names(data: bytes) -> None:
    """Archives without a turn, damaged or too big, and rich text are given on as they are: the reader says what."""
    assert [one.data for one in find(data)] == [data]


def test_a_second_signature_is_no_footer() -> None:
    """What could be a part of the file is judged with it, strictly."""
    data = TURN + b"sig: x\n"
    assert [one.data for one in find(data)] == [data]


def test_flowed_lines_are_joined() -> None:
    text = "a \nb\n> c \n> d\n>> e \n> f\n stuffed\n-- \nsig \n"
    assert unflowed(text).split("\n") == ["a b", "> c d", ">> e ", "> f", "stuffed", "-- ", "sig "]
    assert unflowed("ab \ncd\n", del_sp=True) == "abcd\n"


def test_html_reads_as_seen() -> None:
    page = "<head><title>x</title></head><p>a  b\nc</p><blockquote>d<br>&gt; e</blockquote><pre>f\n  g</pre>"
    assert html_text(page).split("\n") == ["", "a b c", "", "> d", "> > e", "", "f", "  g", ""]

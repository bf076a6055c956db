"""Base64 lines around a file, for mailers that mangle indentation (PROTOCOL 3.2, `--armor`).

Reading forgives what mailers do to text: other line lengths and line ends, quoting marks, HTML line breaks and
entities, quoted-printable that nobody decoded, dashes made long, and whatever stands before and behind the block. It
does not forgive a block that is not whole: its last line tells length and sum of the file.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import html
import re
from dataclasses import dataclass

from adjudicator.turnfile.canon import MAX_BYTES

MAX_BLOCKS = 200
"""A text with more blocks than this is not looked through."""

BEGIN, END = "-----BEGIN PBEM TURN-----", "-----END PBEM TURN-----"
_WIDTH = 72
_DASHES = "[-\u2010-\u2015\u00ad]{2,10}"
_SPACE = r"(?:[\s\u00a0\u00ad\u200b-\u200f\u2060\ufeff>|]|=\r?\n|=20|&nbsp;)*"
_FIRST = re.compile(rf"{_DASHES}{_SPACE}BEGIN{_SPACE}PBEM{_SPACE}TURN{_SPACE}{_DASHES}")
_LAST = re.compile(rf"{_DASHES}{_SPACE}END{_SPACE}PBEM{_SPACE}TURN{_SPACE}{_DASHES}")
_BREAK = re.compile(r"<br\b[^<>]*>|</?(?:p|div|li|tr|pre|blockquote)\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_MARKS = re.compile(r"^(?:\s*(?:\w{1,3}\s*)?[>|])+")
_LONG_NUMBER = re.compile(r"&#0*[0-9]{9,};?")
_SUM = re.compile(r"\((\d+)bytes,sum([0-9a-f]{8})\)")
_ESCAPED = re.compile(r"=([0-9A-F]{2})")
_INVISIBLE = re.compile(r"[\s>|\u00a0\u00ad\u200b-\u200f\u2060\ufeff]+")


class ArmorError(ValueError):
    """An armored block that is damaged; the text says how, and how to mend it."""

    code = "E_CANON"


@dataclass(frozen=True, slots=True)
class Block:
    """A whole block in a text: what stands between its two lines, where it begins, how deeply it is quoted."""

    inner: str
    start: int
    quoted: int

    def data(self) -> bytes:
        """The file inside. Raises ArmorError for a block that is damaged or cut."""
        return _decoded(_plain(self.inner))


def armor(data: bytes) -> str:
    """The file as base64 lines between BEGIN and END, the last with its length and the head of its SHA-256."""
    text = base64.b64encode(data).decode()
    lines = [text[at : at + _WIDTH] for at in range(0, len(text), _WIDTH)]
    return "\n".join([BEGIN, *lines, f"({len(data)} bytes, sum {_sum(data)})", END, ""])


def is_armored(data: bytes) -> bool:
    """Whether the bytes hold the beginning of an armored block, anywhere (a whole mail may stand around it)."""
    return _FIRST.search(data.decode("utf-8", "replace")) is not None


def blocks(text: str) -> list[Block]:
    """Every whole block of a text, in order. Raises ArmorError where one begins and does not end."""
    found: list[Block] = []
    at = 0
    while first := _FIRST.search(text, at):
        last, again = _LAST.search(text, first.end()), _FIRST.search(text, first.end())
        if last is None or (again is not None and again.start() < last.start()):
            raise ArmorError(f"the block that begins with `{BEGIN}` has no line `{END}`: it is cut off; {_JOIN}")
        if len(found) == MAX_BLOCKS:
            raise ArmorError(f"there are more than {MAX_BLOCKS} blocks; save the newest turn in a file of its own")
        line = text[text.rfind("\n", 0, first.start()) + 1 : first.start()]
        found.append(Block(text[first.end() : last.start()], first.start(), len(re.findall(r"[>|]|&gt;", line))))
        at = last.end()
    if not found and _LAST.search(text):
        raise ArmorError(f"the block that ends with `{END}` has no line `{BEGIN}`: its beginning is lost; {_JOIN}")
    return found


def unarmor(data: bytes) -> bytes:
    """The file inside the one armored block of a text. Raises ArmorError where there is none, or more than one file."""
    found = {block.data() for block in blocks(data.decode("utf-8", "replace"))}
    if not found:
        raise ArmorError(f"there is no whole block from `{BEGIN}` to `{END}`; copy it with both lines")
    if len(found) > 1:
        raise ArmorError(f"there are {len(found)} different blocks; save each in a file of its own")
    return found.pop()


def unescaped(text: str) -> str:
    """Text with HTML entities read; a number too long for any character becomes U+FFFD, as browsers show it."""
    return html.unescape(_LONG_NUMBER.sub("\ufffd", text)) if "&" in text else text


_AGAIN = "copy it whole, with both lines, or ask for the same file once more"
_JOIN = f"if two mails hold its parts, copy them into one file, with nothing between; else {_AGAIN}"


def _sum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:8]


def _plain(inner: str) -> str:
    """The block without what mailers add: base64 has no `<` or `&`, and `=` at its end only, so these are theirs."""
    if "<" in inner:
        inner = _TAG.sub("", _BREAK.sub("\n", inner))
    return "".join(_line(line) for line in unescaped(inner).splitlines())


def _line(line: str) -> str:
    """One line: without quoting marks, quoted-printable undone; padding goes too, the length says how much it was."""
    own = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), _MARKS.sub("", line))
    return _INVISIBLE.sub("", own).rstrip("=")


def _decoded(text: str) -> bytes:
    told = _SUM.search(text)
    coded = (text[: told.start()] if told else text).rstrip("=")
    if len(coded) > MAX_BYTES * 4 // 3 + 4:
        raise ArmorError(f"the block holds more than {MAX_BYTES:,} bytes; it is no turn file")
    try:
        data = base64.b64decode(coded + "=" * (-len(coded) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise ArmorError(f"the block is damaged: its lines are no whole base64; {_AGAIN}") from None
    if told and (len(data), _sum(data)) != (int(told[1][:9]), told[2]):
        raise ArmorError(
            f"the block is damaged: {len(data):,} bytes with the sum {_sum(data)} are here, it was made of "
            f"{int(told[1][:9]):,} bytes with the sum {told[2]}; {_AGAIN}"
        )
    return data

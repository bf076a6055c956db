"""Finding a turn in what a player saved: a mail (.eml, an mbox entry), a zip archive, or text copied out of a mail.

A file that begins as a turn file is taken as it stands and judged strictly, but for what a mailer added behind its
signature. In anything else the turns are looked for: attachments (base64, quoted-printable, zipped), armored blocks
(:mod:`~adjudicator.turnfile.armor`), and turns that stand in the text as they are, quoted or not. Nothing found
here is trusted: what a turn says is covered by its signature.
"""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from email.message import Message as Mail
from itertools import islice

from adjudicator.turnfile.armor import ArmorError, blocks, unescaped
from adjudicator.turnfile.canon import MAX_BYTES
from adjudicator.turnfile.hints import can_be_shown
from adjudicator.turnfile.zipped import ZipFault, is_zip, members

MAX_PARTS = 200
"""A file with more mails, parts of a mail, or pasted turns than this is not looked through."""

MAX_HEADER = 1000
"""Characters of a header that are read; reading a long one takes time by the square of its length."""

_FIELD = re.compile(r"(?i)(?:from|to|cc|subject|date|sender|received|return-path|delivered-to|message-id|reply-to|"
                    r"mime-version|content-[a-z-]+|x-[a-z0-9-]+|dkim-signature|authentication-results|envelope-to):")
_ENTRY = re.compile(rb"^From [^\r\n]*\d{4}[^\r\n]*\r?\n(?=[A-Za-z-]+:)", re.MULTILINE)
_BODY = re.compile(r"^(?P<mark>[ \t>|\u00a0]*)body:[ \t]*$", re.MULTILINE)
_TURN = re.compile(r"\s*(?:#[^\n]*\n\s*)*(?:body|sig):")
_LIKE = re.compile(r"^[^\w\n]*(?:\w{1,3}>[^\S\n]*)?(?:body|sig|orders|game|seq|pbem|side)[^\w\n]*:", re.MULTILINE)
_BOUNDARY = re.compile(rb"(?i)boundary=")
_PARTS = f"this mail has more than {MAX_PARTS} parts; save the .turn file in it"
_PACKED = "application/ms-tnef"
_END = "-----END SSH SIGNATURE-----"
_UNSEEN = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
_MAX_DEPTH = 3
_NO_TURN = "neither a .turn file nor an armored block nor a pasted turn"


class _ShortHeaders(email.policy.Compat32):
    """The forgiving policy (the newer one stumbles over odd headers), but for headers that nobody writes."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        """Name and value, cut where it is too long."""
        name, value = super().header_source_parse(sourcelines)
        return name, value[:MAX_HEADER]


_POLICY = _ShortHeaders()


class MailError(ValueError):
    """A saved mail or pasted text out of which no one turn can be taken; the text says why, and how to mend it."""

    code = "E_CANON"


@dataclass(frozen=True, slots=True)
class Found:
    """A turn found in a file: its bytes, where it stood ("" when it is the file itself), how deeply it was quoted."""

    data: bytes
    where: str = ""
    quoted: int = 0


def find(data: bytes) -> list[Found]:
    """The turns in a file, each different one once; those quoted below a newer one are left out.

    A file that is neither mail nor text around a turn is given back as it is, for the reader to judge. Raises
    MailError for a mail without a turn, and for a turn that is cut off or damaged on its way.
    """
    text = _text(data)
    if is_zip(data):
        return _newest(list(_in_zip(data, ""))) or [Found(data)]
    if text.startswith("{\\rtf") or (_TURN.match(text) and not _added(text)):
        return [Found(data)]
    is_mail = _FIELD.match(text.lstrip()) is not None or _ENTRY.match(data.lstrip()) is not None
    found = list(_in_mails(data)) if is_mail else []
    if not found:
        found = list(_in_text(html_text(text) if text.lstrip().startswith("<") else text, "in the text"))
    if found:
        return _newest(found)
    if is_mail:
        raise MailError(f"there is no turn in this mail: {_NO_TURN}; ask for the file again, or for the text that "
                        "--armor makes")
    if _is_prose(text):
        raise MailError(f"there is no turn in this text: {_NO_TURN}; it begins with `{' '.join(text.split())[:40]}`; "
                        "name the file that you were mailed, or save the whole mail and name that")
    return [Found(data)]


def _added(text: str) -> bool:
    """Whether something stands behind a turn's signature that isn't of the turn: a footer, a phone's last words."""
    behind = text.rpartition(_END)[2].strip() if _END in text else ""
    return bool(behind) and not re.match(r"#|[a-z_]+\s*:", behind)


def _is_prose(text: str) -> bool:
    """Whether this is readable text in which nothing looks like a turn or orders."""
    readable = bool(text.strip()) and all(can_be_shown(char) or char in " \r\n\t\f" for char in text)
    return readable and not text.startswith(("%", "{", "[")) and not _LIKE.search(text.replace("\r", "\n"))


def _newest(found: list[Found]) -> list[Found]:
    """Without repetitions (a mail often holds its text twice), and without what is only quoted from earlier."""
    level = min((one.quoted for one in found), default=0)
    kept: dict[bytes, Found] = {}
    for one in found:
        if one.quoted == level:
            kept.setdefault(one.data, one)
    return list(kept.values())


def _text(data: bytes) -> str:
    """The characters of a saved text; UTF-16 where it says so (as Windows saves it), or shows it in each character."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    for zeros, others, coding in ((0, 1, "utf-16-be"), (1, 0, "utf-16-le")):
        if len(data) >= 4 and not any(data[zeros:8:2]) and all(data[others:8:2]):
            return data.decode(coding, "replace")
    return data.decode("utf-8", "replace").removeprefix("\ufeff")


# --- mails ------------------------------------------------------------------------------------------------------


def _in_mails(data: bytes, depth: int = 0) -> Iterator[Found]:
    """Every entry of an mbox, or the one mail that a file is; a damaged one counts where no other has a turn."""
    found: list[Found] = []
    fault: ArmorError | None = None
    for entry in _entries(data):
        try:
            found += _in_mail(email.message_from_bytes(entry, policy=_POLICY), depth)
        except ArmorError as error:
            fault = fault or error
        except MailError:
            raise
        except RecursionError:
            raise MailError("the parts of this mail are nested too deeply; save the .turn file in it") from None
        except (LookupError, ValueError, TypeError, AttributeError):  # what Python's reader makes of odd headers
            raise MailError("the headers of this mail can't be read; save the .turn file in it") from None
    if fault is not None and not found:
        raise fault
    yield from found


def _entries(data: bytes) -> Iterator[bytes]:
    """The mails of a file, without the lines that only an mbox has."""
    starts = [entry.start() for entry in islice(_ENTRY.finditer(data), MAX_PARTS + 1)] or [0]
    if len(starts) > MAX_PARTS:
        raise MailError(f"this file holds more than {MAX_PARTS} mails; save the newest one by itself")
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(data)
        entry = data[start:end].lstrip(b"\r\n")
        if entry.startswith(b"From "):
            entry = re.sub(rb"(?m)^>(>*From )", rb"\1", entry.partition(b"\n")[2])
        if len(_BOUNDARY.findall(entry)) > MAX_PARTS:
            raise MailError(_PARTS)
        yield entry


def _in_mail(mail: Mail[str, str], depth: int) -> Iterator[Found]:
    fault: ArmorError | None = None
    any_found = False
    for number, part in enumerate(mail.walk()):
        if number > MAX_PARTS:
            raise MailError(_PARTS)
        if part.is_multipart():
            continue
        try:
            for found in _in_part(part, depth):
                any_found = True
                yield found
        except ArmorError as error:
            fault = error
    if fault is not None and not any_found:
        raise fault


def _in_part(part: Mail[str, str], depth: int) -> Iterator[Found]:
    """The turns in one part: the part itself, or what its text holds."""
    if part.get_content_type() == _PACKED:
        raise ArmorError("the attachments of this mail are packed in winmail.dat, as Outlook does; ask for the text "
                         "that --armor makes, or for a mail in plain text")
    content = _content(part)
    name = _name(part)
    where = f"in the attachment {name}" if name else "in the text of the mail"
    text = _text(content)
    if is_zip(content):
        yield from _in_zip(content, name)
    elif _TURN.match(text) and part.get_content_type() != "text/html" and (name or not _is_flowed(part)):
        yield from _in_text(text, where) if _added(text) else [Found(content.removeprefix(b"\xef\xbb\xbf"), where)]
    elif name and depth < _MAX_DEPTH and _FIELD.match(text.lstrip()):
        yield from _in_mails(content, depth + 1)
    elif part.get_content_type() == "text/html":
        yield from _in_text(html_text(text), where)
    else:
        yield from _in_text(unflowed(text, _del_sp(part)) if _is_flowed(part) else text, where)


def _is_flowed(part: Mail[str, str]) -> bool:
    return str(part.get_param("format", "")).lower() == "flowed"


def _del_sp(part: Mail[str, str]) -> bool:
    return str(part.get_param("delsp", "")).lower() == "yes"


def unflowed(text: str, del_sp: bool = False) -> str:
    """Text of a `format=flowed` part with the lines joined that the mailer has broken (RFC 3676)."""
    parts: list[str] = []
    open_at = -1
    for line in text.replace("\r\n", "\n").split("\n"):
        bare = line.lstrip(">")
        depth, own = len(line) - len(bare), bare.removeprefix(" ")
        if open_at == depth and own != "-- ":
            parts.append(own)
        else:
            parts += ["\n" if parts else "", f"{'>' * depth} {own}" if depth else own]
        goes_on = own.endswith(" ") and own != "-- "
        open_at = depth if goes_on else -1
        if goes_on and del_sp:
            parts[-1] = parts[-1][:-1]
    return "".join(parts)


def _in_zip(data: bytes, name: str) -> Iterator[Found]:
    """The turns in a zip archive, whatever its files are called. Raises MailError for one with a pass word."""
    try:
        for called, content in members(data):
            text = _text(content)
            where = f"in {called} of the archive {name}".rstrip()
            if _TURN.match(text):
                yield Found(content.removeprefix(b"\xef\xbb\xbf"), where)
            elif not is_zip(content):
                yield from _in_text(text, where)
    except ZipFault as fault:
        raise MailError(str(fault)) from None


def _content(part: Mail[str, str]) -> bytes:
    """The decoded bytes of a part, text in another alphabet as UTF-8."""
    content = part.get_payload(decode=True)
    data = content if isinstance(content, bytes) else b""
    charset = part.get_content_charset("utf-8") if part.get_content_maintype() == "text" else "utf-8"
    try:
        return data if charset in ("utf-8", "us-ascii") else data.decode(charset, "replace").encode()
    except (LookupError, UnicodeError):
        return data


def _name(part: Mail[str, str]) -> str:
    try:
        name = part.get_filename() or ""
    except (LookupError, ValueError, TypeError, AttributeError):
        return ""
    return "".join(c if c == " " or can_be_shown(c) else "?" for c in name)[:80]


# --- text -------------------------------------------------------------------------------------------------------


def _in_text(text: str, where: str) -> Iterator[Found]:
    """Armored blocks, then turns as they are."""
    text = text.replace("\r\n", "\n")
    for block in blocks(text):
        yield Found(block.data(), f"in the block {where}", block.quoted)
    for number, start in enumerate(_BODY.finditer(text), 1):
        if number > MAX_PARTS:
            raise MailError(f"more than {MAX_PARTS} turns stand {where}; save the newest one by itself")
        yield replace(_pasted(text, start), where=where)


def _lines(text: str, start: int) -> Iterator[str]:
    """The lines from a place on, as far as a turn file can go."""
    last = min(len(text), start + 2 * MAX_BYTES)
    while start < last:
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield text[start:end]
        start = end + 1


def _pasted(text: str, start: re.Match[str]) -> Found:
    """A turn out of the lines of a text, from `body:` to the first line that can't be its own any more."""
    mark = start["mark"]
    bare = mark.rstrip()
    kept: list[str] = []
    for line in _lines(text, start.start()):
        own = (line.removeprefix(mark) if line.startswith(mark) else line.removeprefix(bare)).replace("\u00a0", " ")
        if kept and own.strip() and not _UNSEEN.sub("", own).startswith((" ", "\t", "sig:")):
            break
        kept.append(own)
        if own.strip() == _END:
            break
    whole = _UNSEEN.sub("", "\n".join(kept)).rstrip() + "\n"
    return Found(whole.encode(), "", sum(mark.count(sign) for sign in ">|"))


_MARKUP = re.compile(
    r"""<(?P<end>/?)(?P<tag>[A-Za-z][A-Za-z0-9:-]*)(?:[^<>"']|"[^"<]*"|'[^'<]*')*>|<[!?/][^<>]*>|<[/A-Za-z][^<>]*>"""
)
"""A tag or what browsers show as little as one. It ends before the next `<`, so a page is read in one go."""

_BREAKS = frozenset({"br", "p", "div", "li", "tr", "pre", "table", "ul", "ol", "h1", "h2", "h3", "h4", "hr"})
_HIDDEN_TAGS = frozenset({"script", "style", "head", "title"})
_MAX_QUOTED = 40
"""Quotations deeper than this are marked as if they were not deeper."""


class _Page:
    """The text of an HTML part, its lines as a reader sees them, quotations marked with `>`."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.begun = False
        self.depth = 0
        self.hidden = 0
        self.kept = 0

    def _break(self) -> None:
        self.parts.append("\n" + "> " * min(self.depth, _MAX_QUOTED))
        self.begun = False

    def start(self, tag: str) -> None:
        """A new line where a reader sees one."""
        self.hidden += tag in _HIDDEN_TAGS
        self.kept += tag == "pre"
        self.depth += tag == "blockquote"
        if tag in _BREAKS or tag == "blockquote":
            self._break()

    def end(self, tag: str) -> None:
        """A new line behind a block."""
        self.hidden -= tag in _HIDDEN_TAGS and self.hidden > 0
        self.kept -= tag == "pre" and self.kept > 0
        self.depth -= tag == "blockquote" and self.depth > 0
        if (tag in _BREAKS and tag != "br") or tag == "blockquote":
            self._break()

    def text(self, data: str) -> None:
        """Text; a line end in it is a space, except in `pre`."""
        if self.hidden or not data:
            return
        data = unescaped(data)
        if not self.kept:
            words = re.sub(r"[ \t\r\n]+", " ", data)
            self.parts.append(words if self.begun else words.lstrip(" "))
            self.begun = self.begun or bool(words.strip("> "))
            return
        first, *more = data.split("\n")
        self.parts.append(first)
        for line in more:
            self._break()
            self.parts.append(line)


def _without_comments(page: str) -> str:
    """The page without `<!-- .. -->`; one that is never closed is left standing."""
    kept, at = [], 0
    while (start := page.find("<!--", at)) >= 0 and (end := page.find("-->", start + 4)) >= 0:
        kept.append(page[at:start])
        at = end + 3
    return "".join([*kept, page[at:]])


def html_text(page: str) -> str:
    """The text of an HTML page, quotations marked with `>` as plain mails do."""
    page, shown, at = _without_comments(page), _Page(), 0
    for found in _MARKUP.finditer(page):
        shown.text(page[at : found.start()])
        at = found.end()
        if tag := (found["tag"] or "").lower():
            (shown.end if found["end"] else shown.start)(tag)
    shown.text(page[at:])
    return "".join(shown.parts)

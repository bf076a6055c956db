"""What to tell a player whose file the reader refuses: the usual slips, each with its own mend.

Every function returns (text, hint): what is wrong, how to mend it. The wording never depends on which of
the two YAML parsers found the fault; their messages only choose between the cases.
"""

from __future__ import annotations

import re
import unicodedata

from adjudicator.turnfile.nodes import Pos

_NAMES = {
    0x09: ("a tab", "use spaces; set your editor to insert spaces for tabs"),
    0x0D: ("a lone carriage return", "save the file with ordinary line ends"),
    0xA0: ("a no-break space", "type an ordinary space; it often comes from a word processor or a web page"),
    0xAD: ("a soft hyphen", "delete it; it often comes from a web page"),
    0x202F: ("a narrow no-break space", "type an ordinary space"),
    0x2007: ("a figure space", "type an ordinary space"),
    0x3000: ("an ideographic space", "type an ordinary space"),
    0xFEFF: ("a byte order mark", "save the file as UTF-8 without BOM (without signature)"),
    0xFE0F: ("an invisible emoji selector", "delete the emoji or use one without a variant"),
    0x200B: ("a zero-width space", "delete it; it often comes from a web page or a chat"),
    0x2028: ("a line separator", "use ordinary line ends"),
    0x2060: ("a word joiner", "delete it; it is invisible"),
}

_STARTS = (
    (b"\xff\xfe", "UTF-16 text"),
    (b"\xfe\xff", "UTF-16 text"),
    (b"PK\x03\x04", "a zip archive (a word processor's file or a VASSAL module?)"),
    (b"%PDF", "a PDF"),
    (b"{\\rtf", "rich text"),
    (b"\xd0\xcf\x11\xe0", "an old word processor's file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
)

BAD_ESCAPE = ("this \\ escape is not allowed", "write \\\\ for a backslash, or use single quotes")
"""Text and hint for an escape inside double quotes that gives no character."""

FLOW_QUESTION = ("a question mark inside [ ] or { } needs quotes", "put the text in quotes")
"""Text and hint for `[a?]`, which the two parsers read differently."""

_TIGHT_COLON = re.compile(r"\s*(?:- +)*([a-z][a-z0-9_]*):([^\s:/].*)")
_KEY_LINE = re.compile(r"\s*(?:- +)*([^\s:#][^:#]*):(?:\s+(\S.*))?$")
_CLOSED_QUOTE = re.compile(r"\s*(?:- +)*(?:[a-z][a-z0-9_]*: +)?(?:'(?:[^']|'')*'|\"(?:[^\"\\]|\\.)*\")(?=[^\s:,#\]}])")
_BLOCK_HEADER = re.compile(r"[>|](?:[+-]?[1-9]?|[1-9][+-])(?:\s+#.*|\s*)")
_COMMENT = re.compile(r" *#(\S?)")
_BAD_STARTS = {"@": "@", "`": "a back quote", "%": "%", "!": "!", "&": "&", "*": "*", ">": ">", "|": "|"}


def foreign_format(data: bytes) -> tuple[str, str] | None:
    """Whether the bytes are no text file at all."""
    for start, name in _STARTS:
        if data.startswith(start):
            return f"this is {name}, not a turn file", "save it as plain text in UTF-8"
    if b"\0" in data[:4096]:
        return "this is a binary file (or UTF-16), not a turn file", "save it as plain text in UTF-8"
    return None


def foreign_character(char: str) -> tuple[str, str]:
    """A character off the white list."""
    code = ord(char)
    name, hint = _NAMES.get(code, ("", ""))
    if name:
        return f"{name} (U+{code:04X}) is not allowed", hint
    if code < 0x20 or 0x7F <= code < 0xA0:
        return f"a control character (U+{code:04X}) is not allowed", "delete it"
    if 0x300 <= code <= 0x36F:
        return f"a combining accent (U+{code:04X}) is not allowed", "type the accented letter as one character"
    if 0x200B <= code <= 0x200F or 0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069:
        return f"an invisible text direction mark (U+{code:04X}) is not allowed", "delete it"
    shown = f" {char}" if can_be_shown(char) else ""
    return f"the character{shown} (U+{code:04X}) is not allowed", "use letters of a European alphabet, digits, signs"


def can_be_shown(char: str) -> bool:
    """Whether a character has a glyph. By a list that is the same in every Python: newer ones know more characters."""
    if 0x1F300 <= ord(char) <= 0x1F6FF:
        return True
    return unicodedata.ucd_3_2_0.category(char)[0] not in "CZ"


def bad_key(text: str, flow: bool) -> tuple[str, str]:
    """A key outside the grammar `[a-z][a-z0-9_]{0,63}`."""
    what = f"{_shown(text)} can't be a key"
    if text == "<<":
        return what, "merge keys are not allowed; write the entries out"
    if flow:
        return (
            f"{_shown(text)} stands in braces like a key",
            "for a list write the names with commas and no braces, `with: 7 Arm X, 4 Arm X`, or use [ ]",
        )
    if text.startswith("-"):
        return what, f"put a space after the dash: `- {_clip(text.lstrip('-').strip())}: ...`"
    if text.strip("“”‘’„«»\"'") != text:
        return what, "typographic quotes are no YAML quotes; write the key without quotes"
    mended = re.sub(r"[\s-]+", "_", text.strip().lower())
    if re.fullmatch(r"[a-z][a-z0-9_]{0,63}", mended):
        return what, f"write `{mended}:` (small letters, digits and _)"
    return what, "a key is a-z, 0-9 and _, a letter first, at most 64 long; a text with `: ` in it needs quotes"


def container_key(flow: bool) -> tuple[str, str]:
    """A list or mapping where a key should stand."""
    hint = "write `with: a, b` or `with: [a, b]`" if flow else "write `key: value`; delete the `?`"
    return "a list or mapping can't be a key", hint


def double_key(key: str, first: Pos) -> tuple[str, str]:
    """The same key twice in one mapping."""
    return (
        f"`{key}` stands here a second time, first in line {first.line}",
        "delete one; for a new entry of a list begin it with `- `",
    )


def suspicious(text: str, style: str, rest: str, end: int) -> tuple[str, str] | None:
    """A warning for a value that is allowed but looks like a slip.

    `rest` is the line on which the value ends, `end` the column after it.
    """
    if style in "|>" and style and not text.strip():
        return f"`{style}` begins an empty block of text here", f"put the value in quotes if it begins with {style}"
    if style:
        return None
    comment = _COMMENT.match(rest, end)
    if comment and not text:
        return "the value is empty, because `#` begins a comment", 'put the value in quotes: "#..."'
    if comment and comment.group(1) not in ("", "#", "-", "="):
        return "all from ` #` to the end of the line is a comment", "put the value in quotes if # belongs to it"
    if text[:1] in "“”„‘«" and text[:1]:
        return "typographic quotes are part of the text", 'use straight quotes "..." or none'
    if (tight := _TIGHT_COLON.fullmatch(text)) and not tight[2][0].isdigit():
        return f"`{_clip(text)}` is one text, no key and value", f"put a space after the colon: `{tight[1]}: ...`"
    return None


def grammar(lines: list[str], pos: Pos, message: str) -> tuple[Pos, str, str]:
    """Place, text and hint for a fault that YAML's own grammar found at `pos`."""
    line = lines[pos.line - 1] if 0 < pos.line <= len(lines) else ""
    found = (
        _quote(lines, pos, message)
        or _after_quote(line, pos)
        or _bad_start(line, pos)
        or _tight_colon(lines, pos)
        or _flow(lines, pos, message)
        or _indent(lines, pos, message)
        or _colon_in_value(line, pos)
        or _no_colon(lines, pos)
    )
    if found:
        return found
    return pos, f"this is not valid YAML ({message})", "compare it with what `template` writes"


def _bad_start(line: str, pos: Pos) -> tuple[Pos, str, str] | None:
    """A value that begins with a sign YAML keeps for itself: @ ` % ! & * > |."""
    dash = re.match(r"\s*(?:- +)*([a-z][a-z0-9_]*): +(- +.*)", line)
    if dash:
        hint = f"put it in quotes, or write the list below `{dash[1]}:`, one `- ` a line"
        return Pos(pos.line, dash.start(2) + 1), "a value can't begin with `- ` here", hint
    match = re.match(r"\s*(?:- +)*(?:[a-z][a-z0-9_]*: +(?:- +)*)?([@`%!&*>|])", line)
    if match is None or (match[1] in ">|" and _BLOCK_HEADER.fullmatch(line[match.start(1) :])):
        return None
    value = _clip(line[match.start(1) :].strip())
    name = _BAD_STARTS[match[1]]
    return Pos(pos.line, match.start(1) + 1), f"a value can't begin with {name} here", f'put it in quotes: "{value}"'


def _tight_colon(lines: list[str], pos: Pos) -> tuple[Pos, str, str] | None:
    """`unit:7 Arm X` on the line of the fault or the one before it."""
    for number in _this_and_before(lines, pos):
        match = _TIGHT_COLON.fullmatch(lines[number - 1])
        if match:
            place = Pos(number, match.start(2) + 1)
            return place, "no space after the colon", f"write `{match[1]}: {_clip(match[2])}`"
    return None


def _quote(lines: list[str], pos: Pos, message: str) -> tuple[Pos, str, str] | None:
    """A quote that is never closed, or an escape YAML does not know."""
    if "escape" in message or "hexdecimal" in message or "hexadecimal" in message or "Unicode character" in message:
        return pos, *BAD_ESCAPE
    if not ("end of stream" in message or "document separator" in message or "document indicator" in message):
        return None
    for number in range(min(pos.line, len(lines)), 0, -1):
        match = re.match(r"\s*(?:- +)*(?:[a-z][a-z0-9_]*: +)?([\"'])", lines[number - 1])
        if match and lines[number - 1].count(match[1]) % 2:
            place = Pos(number, match.start(1) + 1)
            return place, f"the quote {match[1]} is never closed", "close it, or drop it: most values need no quotes"
    return None


def _after_quote(line: str, pos: Pos) -> tuple[Pos, str, str] | None:
    """`'Arm's day'`: text goes on behind the closing quote."""
    match = re.match(
        r"\s*(?:- +)*(?:[a-z][a-z0-9_]*: +)?(?:'(?:[^']|'')*'|\"(?:[^\"\\\\]|\\\\.)*\")(?=[^\s:,#\]}])", line
    )
    if match is None:
        return None
    hint = "drop the outer quotes, or use double quotes around the whole text"
    return Pos(pos.line, match.end() + 1), "text goes on after the closing quote", hint


def _flow(lines: list[str], pos: Pos, message: str) -> tuple[Pos, str, str] | None:
    """Brackets or braces that do not fit."""
    if not re.search(r"',' or '[\]}]'|flow|'[\]}]'", message):
        return None
    if "'?'" in message:
        return pos, *FLOW_QUESTION
    sign = "}" if "}" in message else "]"
    opening = "{" if sign == "}" else "["
    for number in range(min(pos.line, len(lines)), 0, -1):
        at = lines[number - 1].rfind(opening)
        if at >= 0:
            place = Pos(number, at + 1)
            return place, f"{opening} is not closed by {sign}, or a comma is missing", "write a list as `with: a, b`"
    return pos, f"a {sign} too many, or a bracket of the other kind", "write a list as `with: a, b`"


def _indent(lines: list[str], pos: Pos, message: str) -> tuple[Pos, str, str] | None:
    """A line that stands too far right or left for its neighbours."""
    before = next((number for number in _this_and_before(lines, pos) if number < pos.line), 0)
    line = lines[pos.line - 1] if pos.line <= len(lines) else ""
    if not before or not (_KEY_LINE.match(line) or line.lstrip().startswith("-")):
        return None
    above = lines[before - 1]
    mine, other = _indentation(line), _indentation(above)
    if (
        line.lstrip().startswith("- ")
        and len(line) - len(line.lstrip()) == other
        and re.search("block|expected key", message)
    ):
        text = f"a list entry begins here, but line {before} above it belongs to none"
        return Pos(pos.line, other + 1), text, "begin every entry of the list with `- `"
    deeper = "not allowed" in message and mine > other and _has_value(lines[before - 1])
    if not deeper and "block" not in message and "expected key" not in message and "indicator" not in message:
        return None
    if mine == other:
        return (
            Pos(pos.line, mine + 1),
            f"this line does not fit line {before} above it",
            "a list entry begins with `- `",
        )
    text = f"this line is indented by {mine}, line {before} above it by {other}"
    hint = "entries that belong together begin in the same column (after `- ` if there is one)"
    return Pos(pos.line, mine + 1), text, hint


def _colon_in_value(line: str, pos: Pos) -> tuple[Pos, str, str] | None:
    match = re.match(r"\s*(?:- +)*([a-z][a-z0-9_]*): +(\S.*: .*|\S.*:)$", line)
    if match is None:
        return None
    place = Pos(pos.line, match.start(2) + 1)
    return place, "a value with a colon and a space in it needs quotes", f'write `{match[1]}: "{_clip(match[2])}"`'


def _no_colon(lines: list[str], pos: Pos) -> tuple[Pos, str, str] | None:
    """A line that should be `key: value` and has no colon."""
    for number in _this_and_before(lines, pos):
        line = lines[number - 1]
        match = re.match(r"\s*(?:- +)*(\S+)(?:\s+(.*))?$", line)
        if match and ":" not in line and not line.lstrip().startswith("- "):
            place = Pos(number, match.start(1) + 1)
            return (
                place,
                f"there is no colon after {_shown(match[1])}",
                f"write `{_clip(match[1])}: {match[2] or '...'}`",
            )
    return None


def _this_and_before(lines: list[str], pos: Pos) -> list[int]:
    """The number of the faulty line and of the last line with content before it."""
    found = [pos.line] if pos.line <= len(lines) and lines[pos.line - 1].strip() else []
    for number in range(min(pos.line - 1, len(lines)), 0, -1):
        content = lines[number - 1].strip()
        if content and not content.startswith("#"):
            return [*found, number]
    return found


def _indentation(line: str) -> int:
    """Column of the first key on a line, counted from 0: `- ` belongs to the indentation."""
    match = re.match(r"\s*(?:- +)*", line)
    return match.end() if match else 0


def _has_value(line: str) -> bool:
    match = _KEY_LINE.match(line)
    return match is None or bool(match[2])


def _clip(text: str, size: int = 40) -> str:
    return text if len(text) <= size else text[: size - 3] + "..."


def _shown(text: str) -> str:
    return f"`{_clip(text)}`" if text else "an empty text"

"""Delimited sequences as the VASSAL engine reads and writes them.

A list of tokens is joined by one delimiter. Inside a token every delimiter gets a
backslash before it and nothing else is escaped; a token that begins with a backslash, or
stands in single quotes, is put into single quotes. A token that *ends* in a backslash would
swallow the next delimiter; it is quoted too, which the engine reads back unharmed.
"""

from __future__ import annotations

from collections.abc import Iterable

ESC = "\x1b"
TAB = "\t"


def encode_token(token: str, delimiter: str) -> str:
    """One token, escaped for a sequence with this delimiter."""
    if not token:
        return ""
    escaped = token.replace(delimiter, "\\" + delimiter)
    if "\\" in (token[0], token[-1]) or (token[0] == "'" and token[-1] == "'"):
        return f"'{escaped}'"
    return escaped


def encode(tokens: Iterable[str], delimiter: str) -> str:
    """The sequence of these tokens."""
    whole = list(tokens)
    text = delimiter.join(whole)
    if "\\" not in text and "'" not in text and text.count(delimiter) == len(whole) - 1:
        return text  # nothing to escape and nothing to quote
    return delimiter.join(encode_token(token, delimiter) for token in whole)


def decode(text: str, delimiter: str) -> list[str]:
    """The tokens of a sequence, as the engine's decoder splits it.

    The empty text is one empty token: the encoding cannot tell it from an empty list.
    """
    *closed, last = text.split(delimiter)
    tokens: list[str] = []
    held = ""
    for part in closed:
        if part.endswith("\\"):
            held += part[:-1] + delimiter
        else:
            tokens.append(_unquote(held + part))
            held = ""
    tokens.append(_unquote(held + last))
    return tokens


def _unquote(token: str) -> str:
    """The token without one pair of enclosing single quotes."""
    if len(token) > 1 and token[0] == "'" and token[-1] == "'":
        return token[1:-1]
    return token


def decode_padded(text: str, delimiter: str, size: int) -> list[str]:
    """The tokens, filled up with empty ones to at least `size`."""
    tokens = decode(text, delimiter)
    return tokens + [""] * (size - len(tokens))


def nest(outer_to_inner: Iterable[str]) -> str:
    """Types or states of a piece's traits, outermost first, nested by tabs.

    Each trait is a sequence of two tokens: its own text and everything further in.
    """
    parts = list(outer_to_inner)
    text = parts[-1]
    for part in reversed(parts[:-1]):
        text = encode((part, text), TAB)
    return text


def unnest(text: str) -> list[str]:
    """The types of a piece's traits from their nested text, outermost first."""
    parts: list[str] = []
    while True:
        tokens = decode(text, TAB)
        parts.append(tokens[0])
        if len(tokens) == 1:
            return parts
        text = tokens[1]


def unnest_states(text: str, count: int) -> list[str]:
    """The states of a piece with `count` traits, outermost first.

    The list is shorter when the text holds fewer states; the innermost keeps any tab.
    """
    parts: list[str] = []
    while len(parts) < count - 1:
        tokens = decode(text, TAB)
        parts.append(tokens[0])
        if len(tokens) == 1:
            return parts
        text = tokens[1]
    parts.append(text)
    return parts


def chars_unsafe_in_xml(text: str) -> set[str]:
    """Characters of a text that no XML 1.0 document can carry."""
    return {c for c in text if (ord(c) < 0x20 and c not in "\t\n\r") or c in "\ufffe\uffff"}

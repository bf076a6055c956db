"""A report as a document: headings, paragraphs, lists and tables, before anybody decides how it looks.

The game modules write documents; :mod:`adjudicator.report.render` turns one into plain text or into Markdown. So both
forms carry the same facts, because there is only one place where facts are written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

PLAIN, STRONG, QUIET, CODE = "", "strong", "quiet", "code"


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text in one style: ``""``, ``strong``, ``quiet`` or ``code``."""

    text: str
    style: str = PLAIN


Line = tuple[Span, ...]
Words = str | Span | Line


def strong(text: str) -> Span:
    """Text that carries the result."""
    return Span(text, STRONG)


def quiet(text: str) -> Span:
    """Text that may be read over, such as the address of a rule."""
    return Span(text, QUIET)


def code(text: str) -> Span:
    """Text to be copied exactly: labels, hashes."""
    return Span(text, CODE)


def line(*words: Words) -> Line:
    """Join texts and spans to one line; empty texts fall away."""
    found: list[Span] = []
    for word in words:
        parts = (Span(word),) if isinstance(word, str) else (word,) if isinstance(word, Span) else word
        found.extend(part for part in parts if part.text)
    return tuple(found)


def plain(words: Words) -> str:
    """The text of a line without its styles."""
    return "".join(span.text for span in line(words))


def capital_first(words: Sequence[Words]) -> list[Words]:
    """The words of a line with a capital letter in front."""
    first, *rest = words
    return [first[:1].upper() + first[1:] if isinstance(first, str) else first, *rest]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of level 1, 2 or 3."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Para:
    """A paragraph."""

    line: Line


@dataclass(frozen=True, slots=True)
class Item:
    """An entry of a list, with entries below it."""

    line: Line
    below: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list."""

    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table; ``right`` names the columns, counted from 0, whose numbers are set to the right."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[int, ...] = ()


Block = Heading | Para | Bullets | Table
Document = Sequence[Block]


def para(*words: Words) -> Para:
    """A paragraph out of texts and spans."""
    return Para(line(*words))


def item(*words: Words, below: Sequence[Item] = ()) -> Item:
    """An entry of a list out of texts and spans."""
    return Item(line(*words), tuple(below))


def bullets(items: Sequence[Item]) -> list[Block]:
    """A list as blocks: none where there is no entry."""
    return [Bullets(tuple(items))] if items else []

"""A document as plain text for a mail, or as Markdown (GitHub's, which most players' tools show)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from textwrap import TextWrapper

from adjudicator.report.document import CODE, QUIET, STRONG, Block, Bullets, Document, Heading, Item, Line, Para, Table

WIDTH = 100
_SPECIAL = re.compile(r"([\\`*_\[\]<>|~])")
_LEADING = re.compile(r"^(\s*\d*)([#+.)-])(?=\s)")
_UNDERLINES = {1: "=", 2: "-", 3: "~"}
_MARKS = {STRONG: "**", QUIET: "*"}


def text(document: Document) -> str:
    """The document as plain text, at most 100 columns but for tables and single long words."""
    return _join(_text_block(block) for block in document)


def markdown(document: Document) -> str:
    """The document as Markdown, one line a paragraph."""
    return _join(_markdown_block(block) for block in document)


def _join(blocks: Iterable[str]) -> str:
    return "\n\n".join(block for block in blocks if block) + "\n"


# --- plain text -------------------------------------------------------------------------------------------------


def _text_block(block: Block) -> str:
    if isinstance(block, Heading):
        return _text_heading(block)
    if isinstance(block, Para):
        return _wrap(_text_line(block.line), "", "")
    if isinstance(block, Bullets):
        return "\n".join(_text_items(block.items, ""))
    return _text_table(block)


def _text_heading(block: Heading) -> str:
    return f"{block.text}\n{_UNDERLINES[block.level] * len(block.text)}"


def _text_line(line: Line) -> str:
    return "".join(span.text for span in line)


def _text_items(items: Sequence[Item], indent: str) -> list[str]:
    found: list[str] = []
    for item in items:
        found.append(_wrap(_text_line(item.line), f"{indent}- ", f"{indent}  "))
        found += _text_items(item.below, f"{indent}  ")
    return found


def _wrap(content: str, first: str, rest: str) -> str:
    wrapper = TextWrapper(
        WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
    return wrapper.fill(content)


def _text_table(block: Table) -> str:
    rows = [block.head, *block.rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(block.head))]
    lines = [_text_row(row, widths, block.right) for row in rows]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def _text_row(row: Sequence[str], widths: Sequence[int], right: Sequence[int]) -> str:
    cells = [
        cell.rjust(width) if column in right else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
    return "  ".join(cells).rstrip()


# --- Markdown ---------------------------------------------------------------------------------------------------


def _markdown_block(block: Block) -> str:
    if isinstance(block, Heading):
        return f"{'#' * block.level} {escape(block.text)}"
    if isinstance(block, Para):
        return _shield(_markdown_line(block.line))
    if isinstance(block, Bullets):
        return "\n".join(_markdown_items(block.items, ""))
    return _markdown_table(block)


def _markdown_line(line: Line) -> str:
    return "".join(_markdown_span(span.text, span.style) for span in line)


def _markdown_span(content: str, style: str) -> str:
    if style == CODE:
        return f"`{content.replace('`', chr(39))}`"
    mark = _MARKS.get(style, "")
    body = content.strip()
    if not mark or not body:
        return escape(content)
    at = content.index(body)
    return f"{content[:at]}{mark}{escape(body)}{mark}{content[at + len(body) :]}"


def _shield(content: str) -> str:
    """Keep a line that begins like a heading or list from becoming one."""
    return _LEADING.sub(r"\1\\\2", content)


def escape(content: str) -> str:
    """Text that Markdown must not read as marks: what players write, names, signs."""
    return _SPECIAL.sub(r"\\\1", content.replace("\n", " "))


def _markdown_items(items: Sequence[Item], indent: str) -> list[str]:
    found: list[str] = []
    for item in items:
        found.append(f"{indent}- {_shield(_markdown_line(item.line))}")
        found += _markdown_items(item.below, f"{indent}  ")
    return found


def _markdown_table(block: Table) -> str:
    rule = ["---:" if column in block.right else "---" for column in range(len(block.head))]
    rows = [[escape(cell) for cell in block.head], rule, *([escape(cell) for cell in row] for row in block.rows)]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)

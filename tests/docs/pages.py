"""Reads the pages of the project: their code blocks, links and headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```(\w*)\s*$")
MARK = re.compile(r"^<!-- (\w+)(?:: (.+?))? -->$")
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


@dataclass(frozen=True)
class Block:
    """A fenced block: language, text, line of its fence, and the mark on the line above it (``file: my.turn``)."""

    language: str
    text: str
    line: int
    mark: str = ""
    value: str = ""


@dataclass(frozen=True)
class Page:
    """A Markdown page by its path below the clone."""

    path: str
    text: str

    def blocks(self, language: str = "") -> list[Block]:
        """Its fenced blocks in order, those of one language only if one is given."""
        return [block for block in _blocks(self.text) if not language or block.language == language]

    def links(self) -> list[str]:
        """Targets of its links, outside code."""
        return LINK.findall(re.sub(r"`[^`\n]*`", "", _without_blocks(self.text)))

    def anchors(self) -> set[str]:
        """What a link behind ``#`` may name: its headings as they are turned into anchors."""
        heads = re.findall(r"^#+ (.+)$", _without_blocks(self.text), re.MULTILINE)
        return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def _blocks(text: str) -> Iterator[Block]:
    lines = text.split("\n")
    start: int | None = None
    language = ""
    for number, line in enumerate(lines):
        fence = FENCE.match(line)
        if fence is None:
            continue
        if start is None:
            start, language = number, fence[1]
            continue
        mark = MARK.match(lines[start - 1]) if start else None
        body = "\n".join(lines[start + 1 : number]) + "\n"
        yield Block(language, body, start + 1, mark[1] if mark else "", (mark[2] or "") if mark else "")
        start = None


def _without_blocks(text: str) -> str:
    return re.sub(r"^```.*?^```\s*$", "", text, flags=re.MULTILINE | re.DOTALL)


@cache
def pages() -> tuple[Page, ...]:
    """All pages that people read: those in the root and those in docs."""
    paths = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
    return tuple(Page(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")) for path in paths)


def page(name: str) -> Page:
    """A page by its path."""
    return next(found for found in pages() if found.path == name)

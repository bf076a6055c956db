"""Writes a tree as a turn file that people can read and that `reader.read` reads back to the same tree.

Block style, one key a line; what could be mistaken stands in double quotes, text of several lines as a
literal block. Mappings keep the order they have, except the head of a message, which is put in reading order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from adjudicator.turnfile.canon import canon
from adjudicator.turnfile.nodes import TreeView

BODY_ORDER = (
    "pbem",
    "type",
    "title",
    "system",
    "scenario",
    "version",
    "game",
    "seq",
    "side",
    "note",
    "orders",
    "prev",
    "rules",
    "link",
    "reveal",
    "state",
    "entropy",
)
"""Reading order of a body: what concerns people first, hashes after the orders."""

_PLAIN = re.compile(r"[A-Za-z0-9À-ɏΑ-ԯ/(][A-Za-z0-9À-ɏΑ-ԯ _.,;/()+*=&%@!?'’–-]*\Z")
_SAFE_BLOCK = re.compile(r"[^\n ][^\n]*(?:\n+[^\n ][^\n]*)*\n\Z")
_INDENT = "  "


def write_turn(body: Mapping[str, TreeView], sig: str | None) -> str:
    """A turn file: `body` and `sig` (literal block). Without signature (an offer) `body` alone.

    Raises CanonError for a body that can't be written.
    """
    whole: dict[str, TreeView] = {"body": _reading_order(body)}
    if sig is not None:
        whole["sig"] = sig
    return write(whole)


def write(tree: Mapping[str, TreeView]) -> str:
    """YAML text of a mapping. Raises CanonError for keys or characters off the grammar."""
    canon(tree)
    return "".join(f"{line}\n" for line in _mapping(tree, "")) or "{}\n"


def _reading_order(body: Mapping[str, TreeView]) -> dict[str, TreeView]:
    first = [key for key in BODY_ORDER if key in body]
    return {key: body[key] for key in [*first, *(key for key in body if key not in BODY_ORDER)]}


def _mapping(tree: Mapping[str, TreeView], indent: str) -> Iterator[str]:
    for key in sorted(tree, key=lambda name: name != "type") if "type" in tree else tree:
        yield from _entry(f"{indent}{key}:", tree[key], indent)


def _entry(start: str, value: TreeView, indent: str) -> Iterator[str]:
    """The lines of `start` (a key with colon, or a dash) and its value; `indent` is that of the key."""
    if isinstance(value, str):
        yield from _text(start, value, indent)
    elif not value:
        yield f"{start} {{}}" if isinstance(value, Mapping) else f"{start} []"
    elif isinstance(value, Mapping):
        yield start
        yield from _mapping(value, indent + _INDENT)
    else:
        yield start
        yield from _sequence(value, indent + _INDENT)


def _sequence(items: Sequence[TreeView], indent: str) -> Iterator[str]:
    for item in items:
        if isinstance(item, str):
            yield from _text(f"{indent}-", item, indent)
        elif not item:
            yield f"{indent}- {{}}" if isinstance(item, Mapping) else f"{indent}- []"
        else:
            yield from _inline(item, indent)


def _inline(item: TreeView, indent: str) -> Iterator[str]:
    """A container within a list: its first line stands behind the dash."""
    deeper = indent + _INDENT
    assert not isinstance(item, str)
    lines = _mapping(item, deeper) if isinstance(item, Mapping) else _sequence(item, deeper)
    for number, line in enumerate(lines):
        yield f"{indent}- {line[len(deeper) :]}" if number == 0 else line


def _text(start: str, text: str, indent: str) -> Iterator[str]:
    if "\n" in text and _SAFE_BLOCK.match(text):
        yield f"{start} |"
        yield from (f"{indent}{_INDENT}{line}" if line else "" for line in text[:-1].split("\n"))
    else:
        yield f"{start} {_scalar(text)}"


def _scalar(text: str) -> str:
    if _PLAIN.match(text) and not text.endswith(" "):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'

"""Data files read with the place of every record, so that a fault can be shown with file and line.

A pack file is YAML in which every scalar is its text. Mappings and lists become :class:`Record` and :class:`Rows`,
which are plain ``dict`` and ``list`` that remember where they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import yaml

from adjudicator.packs.errors import PackError

MAX_DEPTH: Final = 32
"""How deep the lists and mappings of a data file may stand in one another."""
MAX_BYTES: Final = 16_000_000
_PLAIN: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_OPEN: Final = re.compile(r"[\[{]")


class _Loader(_PLAIN):  # type: ignore[misc]
    """YAML's loader, which does not guess what a text without a tag might be: every scalar is its text."""

    def resolve(self, kind: type[yaml.Node], value: object, implicit: object) -> str:
        """The tag of what has none."""
        return "tag:yaml.org,2002:str"


class Record(dict[str, Any]):
    """A mapping of a data file; ``file``, ``line`` and ``column`` (from 1) say where it begins.

    ``key_lines`` has the line of each key, but only of the mapping that is the whole file. ``corrected`` is true of a
    record that an overlay put in place of the pack's own, and of the head of a pack (pack.yaml) that has one over it.
    """

    __slots__ = ("column", "corrected", "file", "key_lines", "line")

    def __init__(self, file: str, line: int, column: int) -> None:
        super().__init__()
        self.file, self.line, self.column = file, line, column
        self.key_lines: dict[str, int] = _NONE
        self.corrected = False


_NONE: Final[dict[str, int]] = {}


class Rows(list[Any]):
    """A list of a data file, with the line of each of its entries in ``lines``."""

    __slots__ = ("file", "line", "lines")

    def __init__(self, file: str, line: int) -> None:
        super().__init__()
        self.file, self.line = file, line
        self.lines: list[int] = []


def read(path: Path, shown: str) -> Record:
    """Read one data file whose top is a mapping.

    Args:
        path: the file.
        shown: the name of the file in faults.

    Raises:
        PackError: if it can't be read, is no YAML, or holds the same key twice.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            text = f"{path.stat().st_size:,} bytes are too many, {MAX_BYTES:,} are the most; shorten the file"
            raise PackError(f"{shown}:1:1: error: {text}")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as err:
        raise PackError(f"{shown}:1:1: error: the file can't be read ({err.strerror}); put it back") from err
    except UnicodeDecodeError as err:
        raise PackError(f"{shown}:1:1: error: the file is not UTF-8 text; save it as UTF-8") from err
    return parse(text, shown)


def parse(text: str, shown: str) -> Record:
    """The mapping that a YAML text holds; ``shown`` is the name of the file in faults.

    Raises:
        PackError: if it is no YAML, no mapping, or holds the same key twice.
    """
    _shallow(text, shown)
    try:
        node = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as err:
        mark = err.problem_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        raise PackError(f"{shown}:{line}:{column}: error: {err.problem}; mend the YAML") from err
    except yaml.YAMLError as err:
        raise PackError(f"{shown}:{_strange(text)}:1: error: {_first_line(err)}; delete it") from err
    top = _build(node, shown, set(), 0)
    if not isinstance(top, Record):
        raise PackError(f"{shown}:1:1: error: the file must be a mapping of lists; see the other files of the pack")
    assert isinstance(node, yaml.MappingNode)
    top.key_lines = {str(key.value): key.start_mark.line + 1 for key, _ in node.value}
    return top


def records(rows: Any) -> Iterator[Record]:
    """The entries of a list that are mappings; nothing when ``rows`` is no list."""
    if isinstance(rows, list):
        yield from (row for row in rows if isinstance(row, Record))


def _shallow(text: str, shown: str) -> None:
    """Refuse a text whose brackets or dashes stand too deep in one another, before a tree is built of it."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.count("- ") > MAX_DEPTH and "- " * MAX_DEPTH in line:
            raise _deep(shown, number, 1)
        if len(_OPEN.findall(line)) > MAX_DEPTH:
            depth = deepest = 0
            for sign in line:
                depth += (sign in "[{") - (sign in "]}")
                deepest = max(depth, deepest)
            if deepest > MAX_DEPTH:
                raise _deep(shown, number, 1)


def _deep(shown: str, line: int, column: int) -> PackError:
    text = f"more than {MAX_DEPTH} lists and mappings stand in one another; write plain records"
    return PackError(f"{shown}:{line}:{column}: error: {text}")


def _strange(text: str) -> int:
    """The line of the first character that YAML does not allow."""
    place = next((i for i, c in enumerate(text) if c not in "\t\n\r" and not c.isprintable()), 0)
    return text.count("\n", 0, place) + 1


def _first_line(err: Exception) -> str:
    return str(err).split("\n", 1)[0]


def _build(node: yaml.Node | None, shown: str, seen: set[int], depth: int) -> Any:
    """The value of a node. ``seen`` are the lists and mappings built before: one that comes again is an alias."""
    if node is None:
        return ""
    if not node.tag.startswith("tag:yaml.org,2002:") or node.tag.startswith("tag:yaml.org,2002:python"):
        raise _at(node, shown, f"the tag {node.tag} means nothing here; write the value itself")
    if isinstance(node, yaml.ScalarNode):
        return str(node.value)
    if id(node) in seen:
        raise _at(node, shown, "an alias repeats this list or mapping; write each record out")
    seen.add(id(node))
    if depth >= MAX_DEPTH:
        raise _deep(shown, node.start_mark.line + 1, node.start_mark.column + 1)
    if isinstance(node, yaml.MappingNode):
        return _record(node, shown, seen, depth)
    rows = Rows(shown, node.start_mark.line + 1)
    for value in node.value:
        rows.append(_build(value, shown, seen, depth + 1))
        rows.lines.append(value.start_mark.line + 1)
    return rows


def _record(node: yaml.MappingNode, shown: str, seen: set[int], depth: int) -> Record:
    record = Record(shown, node.start_mark.line + 1, node.start_mark.column + 1)
    for key_node, value in node.value:
        if not isinstance(key_node, yaml.ScalarNode):
            raise _at(key_node, shown, "a list or mapping can't be a key; write the key as one word")
        key = str(key_node.value)
        if key in record:
            raise _at(key_node, shown, f"{key} stands twice in one record; keep one")
        record[key] = _build(value, shown, seen, depth + 1)
    return record


def _at(node: yaml.Node, shown: str, text: str) -> PackError:
    return PackError(f"{shown}:{node.start_mark.line + 1}:{node.start_mark.column + 1}: error: {text}")


def plain(value: Any) -> Any:
    """A copy of plain dicts, lists and strings, without the places where they stood."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value

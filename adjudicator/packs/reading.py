"""Data files read with the place of every record, so that a fault can be shown with file and line.

A pack file is YAML in which every scalar is its text. Mappings and lists become :class:`Record` and :class:`Rows`,
which are plain ``dict`` and ``list`` that remember where they stand.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import yaml

from adjudicator.packs.errors import PackError

_LOADER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Record(dict[str, Any]):
    """A mapping of a data file; ``file``, ``line`` and ``column`` (from 1) say where it begins.

    ``key_lines`` has the line of each key, but only of the mapping that is the whole file. ``corrected`` is true of a
    record that an overlay put in place of the pack's own.
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
        text = path.read_text(encoding="utf-8")
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
    try:
        node = yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as err:
        mark = err.problem_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        raise PackError(f"{shown}:{line}:{column}: error: {err.problem}; mend the YAML") from err
    top = _build(node, shown)
    if not isinstance(top, Record):
        raise PackError(f"{shown}:1:1: error: the file must be a mapping of lists; see the other files of the pack")
    assert isinstance(node, yaml.MappingNode)
    top.key_lines = {str(key.value): key.start_mark.line + 1 for key, _ in node.value}
    return top


def records(rows: Any) -> Iterator[Record]:
    """The entries of a list that are mappings; nothing when ``rows`` is no list."""
    if isinstance(rows, list):
        yield from (row for row in rows if isinstance(row, Record))


def _build(node: yaml.Node | None, shown: str) -> Any:
    if isinstance(node, yaml.MappingNode):
        record = Record(shown, node.start_mark.line + 1, node.start_mark.column + 1)
        for key_node, value in node.value:
            key = str(key_node.value)
            if key in record:
                at = key_node.start_mark
                raise PackError(
                    f"{shown}:{at.line + 1}:{at.column + 1}: error: {key} stands twice in one record; keep one"
                )
            record[key] = _build(value, shown)
        return record
    if isinstance(node, yaml.SequenceNode):
        rows = Rows(shown, node.start_mark.line + 1)
        for value in node.value:
            rows.append(_build(value, shown))
            rows.lines.append(value.start_mark.line + 1)
        return rows
    return "" if node is None else str(node.value)


def plain(value: Any) -> Any:
    """A copy of plain dicts, lists and strings, without the places where they stood."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value

"""The typed tree of a turn file, with the place of every node in the file.

A turn file knows three shapes only: text, list and mapping (PROTOCOL 3.2: *every scalar is its text*).
`Node` keeps where each of them stood so that a problem can name line and column; `tree` forgets the
places and gives the plain value that is signed.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as AbstractMapping
from collections.abc import Sequence as AbstractSequence
from dataclasses import dataclass
from typing import TypeAlias, Union

Tree: TypeAlias = "str | list[Tree] | dict[str, Tree]"
"""A plain value: text, list or mapping of such values. What the reader and the log give."""

TreeView: TypeAlias = Union[str, "AbstractSequence[TreeView]", "AbstractMapping[str, TreeView]"]
"""The same, read-only (covariant): what functions that only look at a tree accept."""


@dataclass(frozen=True, slots=True, order=True)
class Pos:
    """A place in a file; line and column count from 1, the column in characters."""

    line: int
    col: int

    def __str__(self) -> str:
        return f"{self.line}:{self.col}"


NOWHERE = Pos(0, 0)
"""Place of nodes that stand in no file."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text. `plain` is true when it stood in the file without quotes and not as a block."""

    text: str
    pos: Pos = NOWHERE
    plain: bool = True


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list. `flow` is true when it was written with brackets."""

    items: tuple[Node, ...] = ()
    pos: Pos = NOWHERE
    flow: bool = False

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


@dataclass(frozen=True, slots=True)
class Mapping:
    """A mapping; entries stand in the order of the file. `flow`: written with braces."""

    items: tuple[tuple[str, Pos, Node], ...] = ()
    pos: Pos = NOWHERE
    flow: bool = False

    def get(self, key: str) -> Node | None:
        """The value of `key`, or None."""
        return next((node for name, _, node in self.items if name == key), None)

    def key_pos(self, key: str) -> Pos:
        """Where `key` stands; the place of the mapping itself when it has no such key."""
        return next((pos for name, pos, _ in self.items if name == key), self.pos)

    def keys(self) -> tuple[str, ...]:
        """The keys in the order of the file."""
        return tuple(name for name, _, _ in self.items)

    def __contains__(self, key: object) -> bool:
        return any(name == key for name, _, _ in self.items)

    def __len__(self) -> int:
        return len(self.items)


Node: TypeAlias = Scalar | Sequence | Mapping


def tree(node: Node) -> Tree:
    """The plain value of a node, without places."""
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Sequence):
        return [tree(item) for item in node.items]
    return tree_map(node)


def tree_map(node: Mapping) -> dict[str, Tree]:
    """The plain value of a mapping, typed as one."""
    return {key: tree(value) for key, _, value in node.items}


def from_tree(value: TreeView) -> Node:
    """Nodes without places for a plain value: for rules that run on a signed body.

    Raises TypeError for anything but text, list and mapping.
    """
    if isinstance(value, str):
        return Scalar(value)
    if isinstance(value, AbstractMapping):
        return Mapping(tuple((str(key), NOWHERE, from_tree(item)) for key, item in value.items()))
    if isinstance(value, AbstractSequence):
        return Sequence(tuple(from_tree(item) for item in value))
    raise TypeError(f"a tree holds text, lists and mappings only, not {type(value).__name__}")

"""Parts of a compiled pack for people: ``pack show SYSTEM PART [WORDS]``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from adjudicator.packs.errors import PackError
from adjudicator.packs.shifting_sands import show as shifting_sands
from adjudicator.packs.summary import Datum
from adjudicator.packs.western_desert import show as western_desert

Tree = Mapping[str, Any]
_OF_GAMES: Final = {"western-desert": western_desert.PARTS, "shifting-sands": shifting_sands.PARTS}
_QUIET: Final = ("overlap", "sheets", "sea", "system", "version", "title")


@dataclass(frozen=True, slots=True)
class Shown:
    """A part of a pack: its records, and the lines that tell them."""

    rows: list[dict[str, Any]]
    lines: list[str]


def parts(tree: Tree) -> list[str]:
    """The parts that can be shown."""
    lists = [key for key, value in tree.items() if key not in _QUIET and isinstance(value, list)]
    own = _OF_GAMES.get(str(tree["system"]), {})
    return sorted({*lists, *own, *(["charts"] if "charts" in tree else [])})


def show_part(tree: Tree, part: str, words: list[str]) -> Shown:
    """What a part holds that fits some words: all of them must stand in a record, or be what the part asks for.

    Raises:
        PackError: for a part or words that there are not.
    """
    own = _OF_GAMES.get(str(tree["system"]), {})
    if part not in parts(tree):
        raise PackError(f"a pack of {tree['system']} has no part {part}; use one of: {', '.join(parts(tree))}")
    if part in own:
        rows, lines = own[part](tree, words)
        return Shown(rows, lines)
    rows = (
        tree[part]
        if isinstance(tree[part], list)
        else [{"chart": name, **row} for name, found in tree[part].items() for row in found]
    )
    found = matching(rows, words)
    if words and not found:
        raise PackError(f"nothing among {part} fits {' '.join(words)}; leave words out, or list all without any")
    return Shown(found, [line(row) for row in found])


def matching(rows: list[Any], words: list[str]) -> list[dict[str, Any]]:
    """The records in which every word stands, in any field, in capitals or not."""
    wanted = [word.lower() for word in words]
    return [row for row in rows if isinstance(row, dict) and all(word in _text(row) for word in wanted)]


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(_text(item) for item in value.values())
    if isinstance(value, list):
        return " ".join(_text(item) for item in value)
    return str(value).lower()


def line(row: Mapping[str, Any]) -> str:
    """A record in one line."""
    return Datum("", row).line if "source" in row else Datum("", {**row, "source": ""}).line.removesuffix(" []")

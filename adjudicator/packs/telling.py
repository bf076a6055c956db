"""How records of a pack are told to people, in parts of the packs of all games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

Tree = Mapping[str, Any]
Row = dict[str, Any]
Part = tuple[list[Row], list[str]]
"""Records, and the lines that tell them."""

_FIRST: Final = (
    "hex", "name", "terrain", "kind", "feature", "class", "what", "action", "condition", "type", "nation", "side",
    "when", "division", "level", "die", "from", "to", "column", "ratio", "result", "rule",
)  # fmt: skip
"""Fields that say which record it is; they are told first."""


def rulings(tree: Tree, words: list[str]) -> Part:
    """Numbered rulings with their switches."""
    rows = fitting(tree["rulings"], words)
    return rows, [
        f"{row['n']} {row['id']} ({', '.join(row['rules'])}): {row['ruling']}"
        + (f" [switch {row['switch']['name']}: {', '.join(row['switch']['values'])}]" if "switch" in row else "")
        for row in rows
    ]


def assumptions(tree: Tree, words: list[str]) -> Part:
    """What the pack had to assume, with the reason and what to look at in the printed game."""
    rows = fitting(tree["assumptions"], words)
    return rows, [f"{r['id']}: {r['what']}; because {r['why']}; in {r['where']}; look at {r['look']}" for r in rows]


def fitting(rows: list[Row], words: list[str]) -> list[Row]:
    """The records that words name: by id or short name exactly, else those in which all words stand."""
    said = " ".join(words).lower()
    keys = ("id", "short", "slug")
    exact = [row for row in rows if said in [str(row[key]).lower() for key in keys if key in row]]
    if exact and words:
        return exact
    wanted = [word.lower() for word in words]
    return [row for row in rows if all(word in _text(row) for word in wanted)]


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(_text(item) for key, item in value.items() if key != "cites")
    if isinstance(value, list):
        return " ".join(_text(item) for item in value)
    return str(value).lower()


def plain(row: Row) -> str:
    """A record field by field."""
    rest = [key for key in row if key not in (*_FIRST, "source", "confidence")]
    fields = {key: row[key] for key in [*(key for key in _FIRST if key in row), *rest]}
    said = ", ".join(f"{key} {value}" for key, value in fields.items() if isinstance(value, str))
    return f"{said} {source_of(row)}".rstrip()


def source_of(row: Row) -> str:
    """Where a record is known from, in brackets."""
    told = [str(row[key]) for key in ("source", "confidence") if row.get(key)]
    told += [str(cite) for cite in row.get("cites", [])]
    return f"[{', '.join(told)}]" if told else ""

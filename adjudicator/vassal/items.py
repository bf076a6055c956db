"""What the positions of all games have in common on their way to the pieces of a save."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Row = Mapping[str, Any]
YES = ("yes", "true", "1")
NO = ("no", "false", "0")
PUBLIC = ("", "public", "both", "all")


class PositionError(ValueError):
    """A position that does not fit the pack; the message names the row."""


@dataclass(frozen=True, slots=True)
class Item:
    """A piece with where it goes and what decides its height in a stack."""

    id: str
    piece: str
    place: str
    side: str
    rank: tuple[int, int, str]
    states: Mapping[str, str]


def may_see(row: Row, viewer: str) -> bool:
    """Whether a row is public, or for this side's eyes."""
    word = str(row.get("visibility", row.get("visible", ""))).lower()
    return word in PUBLIC or word in YES or (word == viewer and word != "")


def rows_of(position: Row, part: str, key: str, viewer: str | None) -> list[Row]:
    """The rows of a part that the viewer may see, all of them for None.

    A part may also be a mapping of rows by `key`, or a list of keys.
    """
    found = position.get(part) or ()
    if isinstance(found, Mapping):
        rows: Iterable[Row] = [
            {key: name, **value} if isinstance(value, Mapping) else {key: name, "side": value, "value": value}
            for name, value in found.items()
        ]
    else:
        rows = [row if isinstance(row, Mapping) else {key: row} for row in found]
    return [row for row in rows if viewer is None or may_see(row, viewer)]


def stacked(items: Iterable[Item]) -> list[tuple[str, list[Item]]]:
    """Items by their place, in the order of places, each stack bottom first."""
    spots: dict[str, list[Item]] = {}
    for item in items:
        spots.setdefault(item.place, []).append(item)
    for group in spots.values():
        group.sort(key=lambda item: item.rank)
    return sorted(spots.items())

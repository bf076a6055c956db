"""Shifting Sands: where spaces, tracks and boxes lie on the board, in whole pixels at 100 per cent.

The figures come from the game's `art/board.yaml` and `art/places.json`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from adjudicator.vassal.board import BoardError, Box, Track, read_yaml
from adjudicator.vassal.model import Point
from adjudicator.vassal.shore import Ring

PLACES = "places.json"
# The half of a space's square, and how far from its middle a point still belongs to it.
HALF, REACH = 42, 70


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of the board that shows one stretch of land."""

    name: str
    x: int
    y: int
    width: int
    height: int

    def holds(self, x: int, y: int) -> bool:
        """Whether a point of the board lies in it."""
        return 0 <= x - self.x < self.width and 0 <= y - self.y < self.height


@dataclass(frozen=True, slots=True)
class Pile:
    """Where a side's cards of one zone lie on the board."""

    zone: str
    name: str
    side: str
    x: int
    y: int
    width: int
    height: int

    @property
    def deck(self) -> str:
        """The lasting id of the pile."""
        return f"deck.{self.side}.{self.zone}"

    @property
    def middle(self) -> Point:
        """Where the cards lie, below the heading."""
        return self.x + self.width // 2, self.y + self.height // 2 + 16


@dataclass(frozen=True)
class SandsLayout:
    """All geometry of the map. `spaces` are the middles of spaces by name, `borders` lines between regions, `labels`
    the names of regions with their place and size.
    """

    map: str
    version: str
    board: str
    image: str
    width: int
    height: int
    spaces: Mapping[str, Point]
    land: tuple[Ring, ...]
    borders: tuple[Ring, ...]
    panels: tuple[Panel, ...]
    labels: tuple[tuple[str, int, int, int], ...]
    tracks: tuple[Track, ...]
    boxes: tuple[Box, ...]
    piles: tuple[Pile, ...]
    cell: tuple[int, int, int]
    order: tuple[tuple[str, ...], ...]
    overview_scale: str
    turns: tuple[str, ...]
    rounds: tuple[str, ...]
    phases: tuple[str, ...]
    colours: Mapping[str, str]

    def pixel(self, space: str) -> Point:
        """The middle of a space. Raises BoardError for none."""
        spot = self.spaces.get(space)
        if spot is None:
            raise BoardError(f"{space!r} is no space of the map")
        return spot

    def space_at(self, x: int, y: int) -> str | None:
        """The space that a point lies on; None beside them."""
        name = min(self.spaces, key=lambda space: self._far(space, x, y))
        return name if self._far(name, x, y) <= REACH else None

    def _far(self, space: str, x: int, y: int) -> int:
        at = self.spaces[space]
        return max(abs(at[0] - x), abs(at[1] - y))

    def track(self, track_id: str) -> Track:
        """A track by its id. Raises KeyError."""
        return self._tracks[track_id]

    @cached_property
    def _tracks(self) -> dict[str, Track]:
        return {track.id: track for track in self.tracks}

    def box(self, word: str, side: str) -> Box:
        """A side's box of this name. Raises BoardError."""
        for box in self.boxes:
            if (box.id, box.side) == (word, side):
                return box
        raise BoardError(f"{word!r} is no box of the {side} side")

    def cells(self, box: Box) -> list[Point]:
        """The middles of a box's cells, row by row."""
        width, height, heading = self.cell
        columns, rows = max(1, box.width // width), max(1, (box.height - heading) // height)
        left, top = box.x + 4 + width // 2, box.y + heading + height // 2
        return [(left + column * width, top + row * height) for row in range(rows) for column in range(columns)]


def load_sands(folder: Path) -> SandsLayout:
    """The layout of an art folder.

    Raises BoardError when a file or a figure is missing.
    """
    try:
        tree = read_yaml(folder / "board.yaml")
        places = json.loads((folder / PLACES).read_text(encoding="utf-8"))
        return _layout(tree, places)
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise BoardError(f"{folder.name}: {error!r}") from error


def _layout(tree: dict[str, Any], places: dict[str, Any]) -> SandsLayout:
    board, words = tree["board"], {key: tuple(map(str, tree[key])) for key in ("turns", "rounds", "phases")}
    name = str(board["name"])
    return SandsLayout(
        map=str(tree["map"]), version=str(tree["version"]), board=name, image=str(board["image"]),
        width=int(board["width"]), height=int(board["height"]),
        spaces={str(space): (int(x), int(y)) for space, (x, y) in places["spaces"].items()},
        land=_lines(places["land"]), borders=_lines(places["borders"]),
        panels=tuple(_panel(row) for row in tree["panels"]), labels=tuple(_label(row) for row in tree["labels"]),
        tracks=tuple(_track(t, name, words) for t in tree["tracks"]),
        boxes=tuple(_box(row, name) for row in tree["boxes"]),
        piles=tuple(_pile(row) for row in tree["piles"]),
        cell=tuple(int(tree["box_cells"][key]) for key in ("width", "height", "heading")),  # type: ignore[arg-type]
        order=tuple(tuple(map(str, row)) for row in tree["box_order"]), overview_scale=str(tree["overview_scale"]),
        turns=words["turns"], rounds=words["rounds"], phases=words["phases"], colours=dict(tree["colours"]),
    )  # fmt: skip


def _lines(rows: list[list[list[float]]]) -> tuple[Ring, ...]:
    return tuple(tuple((float(x), float(y)) for x, y in row) for row in rows)


def _panel(row: dict[str, Any]) -> Panel:
    return Panel(str(row["name"]), *(int(row[key]) for key in ("x", "y", "width", "height")))


def _label(row: dict[str, Any]) -> tuple[str, int, int, int]:
    return str(row["text"]), int(row["x"]), int(row["y"]), int(row["size"])


def _track(row: dict[str, Any], board: str, words: Mapping[str, tuple[str, ...]]) -> Track:
    entries = words.get(str(row["entries"]), ())
    if not entries:
        first, _, last = str(row["entries"]).partition("-")
        entries = tuple(str(n) for n in range(int(first), int(last) + 1))
    x, y, columns, width, height = (int(row[key]) for key in ("x", "y", "columns", "width", "height"))
    return Track(str(row["id"]), str(row["name"]), board, x, y, columns, width, height, entries)


def _box(row: dict[str, Any], board: str) -> Box:
    x, y, width, height = (int(row[key]) for key in ("x", "y", "width", "height"))
    return Box(str(row["id"]), str(row["name"]), str(row["side"]), board, x, y, width, height, ())


def _pile(row: dict[str, Any]) -> Pile:
    x, y, width, height = (int(row[key]) for key in ("x", "y", "width", "height"))
    return Pile(str(row["zone"]), str(row["name"]), str(row["side"]), x, y, width, height)

"""Hex numbers and pixels agree, judged by the engine's own arithmetic on what the build file says."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from adjudicator.vassal.board import BoardError, BoardLayout, clip_columns, game_turns, load_board, outlines
from adjudicator.vassal.reader import ReadModule
from adjudicator.vassal.western_desert import WesternDesert
from tests.vassal.structure import GRID, png_size

Point = tuple[int, int]


class EngineGrid:
    """A hex grid with numbering as the engine computes it (flat-topped, no stagger)."""

    def __init__(self, element: etree._Element) -> None:
        self.x0, self.y0 = int(element.get("x0", "")), int(element.get("y0", ""))
        self.dx, self.dy = float(element.get("dx", "")), float(element.get("dy", ""))
        numbering = element.find(GRID + "mapgrid.HexGridNumbering")
        assert numbering is not None
        assert numbering.get("first") == "H"
        assert numbering.get("stagger") == "false"
        self.columns, self.rows = int(numbering.get("hOff", "")), int(numbering.get("vOff", ""))
        self.format = numbering.get("locationFormat", "")

    def name(self, x: int, y: int) -> str:
        column = math.floor((x - self.x0) / self.dx + 0.5)
        low = self.dy / 2 if column % 2 else 0
        row = math.floor((y - self.y0 - low) / self.dy + 0.5)
        return self.format.replace("$gridLocation$", f"{column + self.columns:02d}{row + self.rows:02d}")

    def centre(self, column: int, row: int) -> Point:
        low = int(self.dy / 2) if column % 2 else 0
        return int(self.dx * column + self.x0), int(self.dy * row + low + self.y0)

    def snap(self, x: int, y: int) -> Point:
        """The centre of the hex that holds a point: of all hexes near, the nearest in the hex's own measure."""
        column = math.floor((x - self.x0 + self.dx / 2) / self.dx)
        row = math.floor((y - self.y0) / self.dy)
        near = [self.centre(c, r) for c in (column - 1, column, column + 1) for r in range(row - 1, row + 3)]
        return min(near, key=lambda c: _hex_measure(x - c[0], y - c[1], self.dx, self.dy))


def _hex_measure(x: float, y: float, dx: float, dy: float) -> float:
    """Below 1 inside a flat-topped hex, 1 on its edge."""
    return max(abs(y) / (dy / 2), abs(x) / (dx * 2 / 3) + abs(y) / dy)


class EngineBoard:
    """A board of the module: where it begins, its size, its zones."""

    def __init__(self, element: etree._Element, x: int, size: Point) -> None:
        self.x, self.width, self.height = x, *size
        self.zones: list[tuple[str, list[Point], EngineGrid | None]] = []
        for zone in element.iter(GRID + "mapgrid.Zone"):
            path = [(int(a), int(b)) for a, b in (p.split(",") for p in zone.get("path", "").split(";"))]
            grid = zone.find(GRID + "HexGrid")
            self.zones.append((zone.get("name", ""), path, None if grid is None else EngineGrid(grid)))

    def zone(self, x: int, y: int) -> tuple[str, EngineGrid | None] | None:
        for name, path, grid in self.zones:
            if _inside(path, x, y):
                return name, grid
        return None


def _inside(path: list[Point], x: int, y: int) -> bool:
    inside = False
    for (x1, y1), (x2, y2) in zip(path, path[1:] + path[:1], strict=True):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            inside = not inside
    return inside


class EngineMap:
    """The main map: finds the board of a point, names and snaps it."""

    def __init__(self, module: ReadModule) -> None:
        self.boards: list[EngineBoard] = []
        x = 0
        for element in module.elements("boardPicker.Board"):
            size = png_size(module.entries[f"images/{element.get('image')}"])
            self.boards.append(EngineBoard(element, x, size))
            x += size[0]

    def board(self, x: int, y: int) -> EngineBoard | None:
        return next((b for b in self.boards if b.x <= x < b.x + b.width and 0 <= y < b.height), None)

    def name(self, x: int, y: int) -> str | None:
        board = self.board(x, y)
        found = board.zone(x - board.x, y) if board else None
        if board is None or found is None:
            return None
        return found[1].name(x - board.x, y) if found[1] else found[0]

    def snap(self, x: int, y: int) -> Point:
        board = self.board(x, y)
        found = board.zone(x - board.x, y) if board else None
        if board is None or found is None or found[1] is None:
            return x, y
        near = found[1].snap(x - board.x, y)
        return near[0] + board.x, near[1]


@pytest.fixture(scope="module")
def engine_map(module: ReadModule) -> EngineMap:
    return EngineMap(module)


@pytest.fixture(scope="module")
def layout(game: WesternDesert) -> BoardLayout:
    return game.layout


def test_every_hex_is_named_as_it_is_placed(engine_map: EngineMap, layout: BoardLayout) -> None:
    hexes = list(layout.hexes())
    assert len(hexes) == 51 * 35 * 2 - 29
    for name, u, v in hexes:
        assert engine_map.name(*layout.centre(u, v)) == name
        assert layout.pixel(name) == layout.centre(u, v)


def test_every_centre_is_a_snap_point(engine_map: EngineMap, layout: BoardLayout) -> None:
    for _, u, v in layout.hexes():
        assert engine_map.snap(*layout.centre(u, v)) == layout.centre(u, v)


def test_corners_beyond_the_seam_snap_home(engine_map: EngineMap, layout: BoardLayout) -> None:
    """The outer corners of 18/5130 to 18/5135 lie on the other board, where no hex of map 19 is beside them."""
    for name, u, v in layout.hexes():
        if u == 51:
            x, y = layout.centre(u, v)
            assert x + 40 >= engine_map.boards[1].x
            spot = engine_map.snap(x + 40, y)
            assert (spot, engine_map.name(*spot)) == ((x, y), name)


@given(st.data())
def test_any_spot_inside_a_hex_snaps_to_it(engine_map: EngineMap, layout: BoardLayout, data: st.DataObject) -> None:
    seam = [h for h in layout.hexes() if 49 <= h[1] <= 53]
    name, u, v = data.draw(st.sampled_from(seam) | st.sampled_from(list(layout.hexes())))
    x, y = layout.centre(u, v)
    dx = data.draw(st.integers(-40, 40))
    reach = int(layout.dy / 2 * min(1, 2 - abs(dx) / 22)) - 3
    if reach < 1:
        return
    dy = data.draw(st.integers(-reach, reach))
    spot = engine_map.snap(x + dx, y + dy)
    assert (spot, engine_map.name(*spot)) == ((x, y), name)


@pytest.mark.parametrize(
    ("one", "two", "touch"),
    [
        ("18/4818", "18/4719", True),
        ("18/4818", "18/4919", True),
        ("18/4818", "18/4819", True),
        ("18/4818", "18/4718", True),
        ("18/4818", "18/4717", False),
        ("19/1225", "19/1126", True),
        ("19/0426", "19/0326", True),
        ("18/5120", "19/0225", True),
        ("18/5119", "19/0225", True),
        ("18/5121", "19/0225", False),
    ],
)
def test_neighbours_of_the_rulebook_lie_side_by_side(layout: BoardLayout, one: str, two: str, touch: bool) -> None:
    (x1, y1), (x2, y2) = layout.pixel(one), layout.pixel(two)
    assert (math.hypot(x1 - x2, y1 - y2) < 80) == touch


def test_a_hex_on_both_sheets_is_one_spot(layout: BoardLayout) -> None:
    assert layout.pixel("19/0107") == layout.pixel("18/5101")
    assert layout.pixel("19/0135") == layout.pixel("18/5129")
    assert layout.name(*layout.locate("19/0135")) == "18/5129"
    assert layout.name(*layout.locate("19/0106")) == "19/0106"


NO_HEXES = ["17/0101", "18/0001", "18/5201", "18/0136", "18/101", "4818", "", "18/48a8", "18/٠١٠١"]


@pytest.mark.parametrize("name", NO_HEXES)
def test_what_is_no_hex_is_refused(layout: BoardLayout, name: str) -> None:
    with pytest.raises(BoardError):
        layout.locate(name)


def test_boards_are_as_large_as_their_pictures(engine_map: EngineMap, layout: BoardLayout) -> None:
    sizes = [(b.width, b.height) for b in engine_map.boards]
    assert sizes == [(part.width, layout.height) for part in layout.boards]


def test_boxes_and_tracks_name_themselves(engine_map: EngineMap, layout: BoardLayout) -> None:
    for box in layout.boxes:
        x = layout.board(box.board).x + box.x
        assert engine_map.name(x + box.width // 2, box.y + box.height // 2) == box.name
    for track in layout.tracks:
        start = layout.board(track.board).x
        for index in range(len(track.entries)):
            x, y = track.centre(index)
            assert engine_map.name(start + x, y) == track.name


def test_boxes_and_tracks_cover_no_hex(layout: BoardLayout) -> None:
    centres = [layout.centre(u, v) for _, u, v in layout.hexes()]
    areas = [(b.board, b.x, b.y, b.width, b.height) for b in layout.boxes]
    for t in layout.tracks:
        rows = -(-len(t.entries) // t.columns)
        areas.append((t.board, t.x, t.y, t.columns * t.width, rows * t.height))
    for board, x, y, width, height in areas:
        left = layout.board(board).x + x
        assert not [c for c in centres if left - 30 < c[0] < left + width + 30 and y - 30 < c[1] < y + height + 30]


def test_outlines_close_and_clip() -> None:
    layout = load_board_of_game()
    (loop,) = outlines(layout, {(2, 2), (2, 3), (3, 3)})
    assert len(loop) == 12
    left = min(x for x, _ in loop)
    half = clip_columns(loop, left + 30, left + 60)
    assert {x for x, _ in half} <= set(range(left + 30, left + 61))


def load_board_of_game() -> BoardLayout:
    from adjudicator.packs import pack_folder

    return load_board(pack_folder("western-desert") / "art" / "board.yaml")


def test_the_turn_record_has_every_half_month() -> None:
    turns = list(game_turns("Dec I 40", "Jan II 43"))
    assert len(turns) == 52
    assert [*turns[:3], turns[-1]] == ["Dec I 40", "Dec II 40", "Jan I 41", "Jan II 43"]


def test_a_board_between_pixels_is_refused(tmp_path: Any, pack: Mapping[str, Any]) -> None:
    from adjudicator.packs import pack_folder

    text = (pack_folder("western-desert") / "art" / "board.yaml").read_text(encoding="utf-8")
    (tmp_path / "board.yaml").write_text(text.replace("dy: 76", "dy: 75"), encoding="utf-8")
    with pytest.raises(BoardError, match="between pixels"):
        load_board(tmp_path / "board.yaml")
    (tmp_path / "board.yaml").write_text(text.replace("sheets:", "leaves:"), encoding="utf-8")
    with pytest.raises(BoardError, match="sheets"):
        load_board(tmp_path / "board.yaml")

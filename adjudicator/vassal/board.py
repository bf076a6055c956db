"""Where things lie on the boards: hexes, tracks and boxes, in whole pixels at 100 per cent.

The figures come from a game's `art/board.yaml`. A hex centre is exact: the engine computes the
same pixel from the same figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adjudicator.vassal.model import Point


class BoardError(ValueError):
    """A board description or a hex that does not fit it; the message says what is wrong."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A printed map sheet: how many columns and rows, and where its column 0, row 0 lies in (u, v)."""

    number: str
    columns: int
    rows: int
    u: int
    v: int

    def holds(self, u: int, v: int) -> bool:
        """Whether the sheet has the hex."""
        return 1 <= u - self.u <= self.columns and 1 <= v - self.v <= self.rows

    def name(self, u: int, v: int) -> str:
        """The hex's number on this sheet."""
        return f"{self.number}/{u - self.u:02d}{v - self.v:02d}"


@dataclass(frozen=True, slots=True)
class BoardPart:
    """One board: the part of the whole picture between two columns. x is where it begins."""

    name: str
    image: str
    x: int
    width: int


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of a board for units that are not on a hex."""

    id: str
    name: str
    side: str
    board: str
    x: int
    y: int
    width: int
    height: int
    takes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Track:
    """Named cells in rows; each has a centre that a marker snaps to."""

    id: str
    name: str
    board: str
    x: int
    y: int
    columns: int
    width: int
    height: int
    entries: tuple[str, ...]

    def centre(self, index: int) -> Point:
        """The centre of a cell, in pixels of the board. Raises IndexError for none."""
        if not 0 <= index < len(self.entries):
            raise IndexError(index)
        row, column = divmod(index, self.columns)
        return self.x + column * self.width + self.width // 2, self.y + row * self.height + self.height // 2


@dataclass(frozen=True, slots=True)
class Area:
    """A large faint name in the middle of a region."""

    text: str
    hex: str
    size: float


@dataclass(frozen=True, slots=True)
class BoardLayout:
    """All geometry of a game's main map."""

    map: str
    version: str
    dx: int
    dy: int
    left: int
    top: int
    sheets: tuple[Sheet, ...]
    boards: tuple[BoardPart, ...]
    tracks: tuple[Track, ...]
    boxes: tuple[Box, ...]
    cell: tuple[int, int, int]
    cell_of: Mapping[str, int]
    overview_scale: str
    turns: tuple[str, ...]
    player_turns: tuple[str, ...]
    phases: tuple[str, ...]
    colours: Mapping[str, str]
    areas: tuple[Area, ...]

    @property
    def radius(self) -> int:
        """From a hex's centre to its left or right corner."""
        return self.dx * 2 // 3

    @property
    def first_v(self) -> int:
        """The row that lies highest on the picture."""
        return min(sheet.v for sheet in self.sheets) + 1

    @property
    def width(self) -> int:
        """Pixels of the whole picture across."""
        return self.boards[-1].x + self.boards[-1].width

    @property
    def height(self) -> int:
        """Pixels of the picture, and of each board, down."""
        rows = max(sheet.v + sheet.rows for sheet in self.sheets) - self.first_v + 1
        return self.top * 2 + rows * self.dy + self.dy // 2

    def centre(self, u: int, v: int) -> Point:
        """The centre of a hex in pixels of the whole map."""
        low = self.dy // 2 if u % 2 == 0 else 0
        x = self.left + self.radius + (u - 1) * self.dx
        return x, self.top + self.dy // 2 + (v - self.first_v) * self.dy + low

    def locate(self, hex_name: str) -> tuple[int, int]:
        """(u, v) of a hex name such as 18/4818. Raises BoardError for what is no hex here."""
        sheet_name, _, number = hex_name.partition("/")
        for sheet in self.sheets:
            if sheet.number == sheet_name and len(number) == 4 and number.isdigit() and number.isascii():
                u, v = sheet.u + int(number[:2]), sheet.v + int(number[2:])
                if sheet.holds(u, v):
                    return u, v
        raise BoardError(f"{hex_name!r} is no hex of the map")

    def pixel(self, hex_name: str) -> Point:
        """The centre of a named hex in pixels of the whole map."""
        return self.centre(*self.locate(hex_name))

    def name(self, u: int, v: int) -> str | None:
        """The number of a hex; one on two sheets goes by the first. None off the map."""
        for sheet in self.sheets:
            if sheet.holds(u, v):
                return sheet.name(u, v)
        return None

    def hex_at(self, x: int, y: int) -> str | None:
        """The number of the hex that holds a point of the whole map; None beside the map."""
        guess = round((x - self.left - self.radius) / self.dx) + 1
        spots = [(u, v) for u in (guess - 1, guess, guess + 1) for v in self._rows_near(u, y)]
        u, v = min(spots, key=lambda uv: self._reach(uv, x, y))
        return self.name(u, v) if self._reach((u, v), x, y) <= 1 else None

    def _rows_near(self, u: int, y: int) -> range:
        row = round((y - self.centre(u, self.first_v)[1]) / self.dy) + self.first_v
        return range(row - 1, row + 2)

    def _reach(self, uv: tuple[int, int], x: int, y: int) -> float:
        """How far a point is from a hex's centre: below 1 inside the hex, 1 on its edge."""
        cx, cy = self.centre(*uv)
        return max(abs(y - cy) * 2 / self.dy, abs(x - cx) / self.radius + abs(y - cy) / self.dy)

    def hexes(self) -> Iterator[tuple[str, int, int]]:
        """Every hex once: name, u, v, in the order of columns and rows."""
        last_u = max(sheet.u + sheet.columns for sheet in self.sheets)
        last_v = max(sheet.v + sheet.rows for sheet in self.sheets)
        for u in range(1, last_u + 1):
            for v in range(self.first_v, last_v + 1):
                name = self.name(u, v)
                if name is not None:
                    yield name, u, v

    def corners(self, u: int, v: int) -> list[Point]:
        """The six corners of a hex, clockwise from the upper left."""
        x, y = self.centre(u, v)
        half, low = self.radius // 2, self.dy // 2
        return [
            (x - half, y - low), (x + half, y - low), (x + self.radius, y),
            (x + half, y + low), (x - half, y + low), (x - self.radius, y),
        ]  # fmt: skip

    def board(self, name: str) -> BoardPart:
        """A board by name. Raises KeyError."""
        for part in self.boards:
            if part.name == name:
                return part
        raise KeyError(name)

    def track(self, track_id: str) -> Track:
        """A track by its id. Raises KeyError."""
        for track in self.tracks:
            if track.id == track_id:
                return track
        raise KeyError(track_id)


UV = tuple[int, int]


def neighbours(uv: UV) -> list[UV]:
    """The six hexes round one, clockwise from the north, on the map or not."""
    u, v = uv
    low = 1 if u % 2 == 0 else 0
    steps = ((0, -1), (1, low - 1), (1, low), (0, 1), (-1, low), (-1, low - 1))
    return [(u + du, v + dv) for du, dv in steps]


def outlines(layout: BoardLayout, hexes: set[UV]) -> list[list[Point]]:
    """The edges of an area of hexes, each a closed line from corner to corner."""
    edges: dict[Point, list[Point]] = {}
    for uv in sorted(hexes):
        corners = layout.corners(*uv)
        for side, other in enumerate(neighbours(uv)):
            if other not in hexes:
                edges.setdefault(corners[side], []).append(corners[(side + 1) % 6])
    loops: list[list[Point]] = []
    while edges:
        start = min(edges)
        loop = [start]
        while (following := _next_corner(edges, loop[-1])) != start:
            loop.append(following)
        loops.append(loop)
    return loops


def _next_corner(edges: dict[Point, list[Point]], corner: Point) -> Point:
    ends = edges[corner]
    following = ends.pop()
    if not ends:
        del edges[corner]
    return following


def clip_columns(path: list[Point], left: int, right: int) -> list[Point]:
    """The part of a closed line between two vertical lines."""
    for edge, keep_right in ((left, True), (right, False)):
        path = _clip(path, edge, keep_right=keep_right)
    return path


def _clip(path: list[Point], edge: int, *, keep_right: bool) -> list[Point]:
    kept: list[Point] = []
    for one, two in zip(path, path[1:] + path[:1], strict=True):
        inside = (one[0] >= edge) if keep_right else (one[0] <= edge)
        beyond = (two[0] >= edge) if keep_right else (two[0] <= edge)
        if inside:
            kept.append(one)
        if inside != beyond:
            kept.append((edge, round(one[1] + (two[1] - one[1]) * (edge - one[0]) / (two[0] - one[0]))))
    return [point for i, point in enumerate(kept) if point != kept[i - 1]]


# --- reading -------------------------------------------------------------------------------


def read_yaml(path: Path) -> Any:
    """A YAML file of ours. The C reader is used where there is one: exports must be quick.

    Raises ValueError for what is no YAML, OSError for a file that cannot be read.
    """
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return yaml.load(path.read_bytes(), Loader=loader)
    except yaml.YAMLError as error:
        raise ValueError(f"{path.name} is no YAML ({str(error).splitlines()[0]})") from error


def load_board(path: Path) -> BoardLayout:
    """The layout of a `board.yaml`.

    Raises BoardError when a figure is missing or would put hex centres between pixels.
    """
    try:
        return _layout(read_yaml(path))
    except (KeyError, TypeError, ValueError) as error:
        raise BoardError(f"{path.name}: {error!r}") from error


def _layout(tree: dict[str, Any]) -> BoardLayout:
    grid = tree["grid"]
    dx, dy, left, top = (int(grid[key]) for key in ("dx", "dy", "left", "top"))
    if dy % 2 or dx % 3 or (dx * 2 // 3) % 2:
        raise BoardError(f"dx {dx} must be divisible by 3 and dy {dy} by 2, or corners fall between pixels")
    sheets = tuple(
        Sheet(str(s["sheet"]), int(s["columns"]), int(s["rows"]), int(s["u"]), int(s["v"])) for s in tree["sheets"]
    )
    turns = tuple(game_turns(tree["turns"]["first"], tree["turns"]["last"]))
    return BoardLayout(
        map=str(tree["map"]), version=str(tree["version"]), dx=dx, dy=dy, left=left, top=top, sheets=sheets,
        boards=_parts(tree["boards"], dx, left), tracks=tuple(_track(t, turns) for t in tree["tracks"]),
        boxes=_boxes(tree["boxes"], tree["box_rows"]),
        cell=tuple(int(tree["box_cells"][key]) for key in ("width", "height", "heading")),  # type: ignore[arg-type]
        cell_of={str(kind): i for i, kinds in enumerate(tree["box_order"]) for kind in kinds},
        overview_scale=str(tree["overview_scale"]), turns=turns, player_turns=tuple(tree["player_turns"]),
        phases=tuple(tree["phases"]), colours=dict(tree["colours"]),
        areas=tuple(Area(str(a["text"]), str(a["hex"]), float(a["size"])) for a in tree["areas"]),
    )  # fmt: skip


def _parts(rows: list[dict[str, Any]], dx: int, left: int) -> tuple[BoardPart, ...]:
    """Boards side by side; the cut lies half-way between two columns."""
    parts: list[BoardPart] = []
    radius, start = dx * 2 // 3, 0
    for row in rows:
        centre = left + radius + (int(row["last_u"]) - 1) * dx
        end = centre + (radius + left if row is rows[-1] else dx // 2)
        parts.append(BoardPart(str(row["name"]), str(row["image"]), start, end - start))
        start = end
    return tuple(parts)


def _track(row: dict[str, Any], turns: tuple[str, ...]) -> Track:
    entries = turns
    if row["entries"] != "turns":
        first, _, last = str(row["entries"]).partition("-")
        entries = tuple(str(n) for n in range(int(first), int(last) + 1))
    return Track(
        str(row["id"]), str(row["name"]), str(row["board"]), int(row["x"]), int(row["y"]), int(row["columns"]),
        int(row["width"]), int(row["height"]), entries,
    )  # fmt: skip


def _boxes(rows: list[dict[str, Any]], place: dict[str, Any]) -> tuple[Box, ...]:
    x, y, columns, width, height = (int(place[k]) for k in ("x", "y", "columns", "width", "height"))
    boxes: list[Box] = []
    for index, row in enumerate(rows):
        line, column = divmod(index, columns)
        boxes.append(
            Box(
                str(row["id"]), str(row["name"]), str(row["side"]), str(row["board"]),
                x + column * width, y + line * height, width - 6, height - 6,
                tuple(str(word) for word in row["takes"]),
            )
        )  # fmt: skip
    return tuple(boxes)


MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def game_turns(first: str, last: str) -> Iterator[str]:
    """The half-month turns from one to another, such as Dec I 40 to Jan II 43.

    Raises ValueError for a text that is no such turn.
    """
    number, end = _turn_number(first), _turn_number(last)
    while number <= end:
        month, half = divmod(number, 2)
        yield f"{MONTHS[month % 12]} {'II' if half else 'I'} {month // 12:02d}"
        number += 1


def _turn_number(name: str) -> int:
    month, half, year = name.split()
    return (int(year) * 12 + MONTHS.index(month)) * 2 + ("I", "II").index(half)

"""The grid of maps 18 and 19 as one field of ints (WD 2.B, 30).

A hex is ``u * 64 + v + 16``: u counts columns from 1 on map 18 to 101 on map 19, v rows southwards as map 18 counts
them. Map 19 is joined by 19/CCRR = 18/(CC+50)(RR-6). Hexes are flat-topped; an even column lies half a hex lower.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

COLUMNS = 51
ROWS = 35
_STRIDE = 64
_SHIFT = 16
_SHEET_19_COLUMN = 50
_SHEET_19_ROW = -6
HEXES = (COLUMNS + _SHEET_19_COLUMN + 2) * _STRIDE  # more than any code of a hex or of a neighbour of one

DIRECTIONS = ("N", "NE", "SE", "S", "SW", "NW")


class HexError(ValueError):
    """A text that names no hex of the two sheets."""


def code(u: int, v: int) -> int:
    """The int of a hex by unified column and row."""
    return u * _STRIDE + v + _SHIFT


def column(h: int) -> int:
    """Unified column, 1 to 101."""
    return h // _STRIDE


def row(h: int) -> int:
    """Unified row, -5 to 35."""
    return h % _STRIDE - _SHIFT


def on_sheets(h: int) -> bool:
    """True where one of the two sheets has the hex."""
    u, v = column(h), row(h)
    return (1 <= u <= COLUMNS and 1 <= v <= ROWS) or (
        1 <= u - _SHEET_19_COLUMN <= COLUMNS and 1 <= v - _SHEET_19_ROW <= ROWS
    )


@cache
def all_hexes() -> frozenset[int]:
    """Every hex of the two sheets."""
    return frozenset(h for h in range(HEXES) if on_sheets(h))


@lru_cache(maxsize=8192)
def parse(text: str) -> int:
    """The hex of ``18/4818``. Raises :class:`HexError` for anything else."""
    sheet, slash, number = text.partition("/")
    if slash and len(number) == 4 and number.isascii() and number.isdigit():
        u, v = int(number[:2]), int(number[2:])
        if 1 <= u <= COLUMNS and 1 <= v <= ROWS:
            if sheet == "18":
                return code(u, v)
            if sheet == "19":
                return code(u + _SHEET_19_COLUMN, v + _SHEET_19_ROW)
    raise HexError(f"{text} is no hex of sheets 18 and 19")


@cache
def name(h: int) -> str:
    """The number of a hex; a hex on both sheets goes by its sheet-18 name."""
    u, v = column(h), row(h)
    if 1 <= u <= COLUMNS and 1 <= v <= ROWS:
        return f"18/{u:02d}{v:02d}"
    return f"19/{u - _SHEET_19_COLUMN:02d}{v - _SHEET_19_ROW:02d}"


def names(h: int) -> tuple[str, ...]:
    """All numbers of a hex: a hex on both sheets has two (WD 30.overlap)."""
    u, v = column(h) - _SHEET_19_COLUMN, row(h) - _SHEET_19_ROW
    also = f"19/{u:02d}{v:02d}"
    return (name(h), also) if name(h) != also and 1 <= u <= COLUMNS and 1 <= v <= ROWS else (name(h),)


def label(h: int) -> str:
    """The form that labels of dice use: ``18.4818`` (PROTOCOL 4.6)."""
    return name(h).replace("/", ".")


@cache
def neighbours(h: int) -> tuple[int, int, int, int, int, int]:
    """The six neighbours, clockwise from the north."""
    low = 1 if column(h) % 2 == 0 else 0
    east, west = h + _STRIDE, h - _STRIDE
    return (h - 1, east - 1 + low, east + low, h + 1, west + low, west - 1 + low)


def direction(a: int, b: int) -> int | None:
    """0..5 for the direction from a to its neighbour b, clockwise from the north; None if they do not touch."""
    around = neighbours(a)
    return around.index(b) if b in around else None


def adjacent(a: int, b: int) -> bool:
    """True where two hexes share a hexside."""
    return b in neighbours(a)


@cache
def _cube(h: int) -> tuple[int, int]:
    u, v = column(h), row(h)
    return u, v - (u + (u & 1)) // 2


def distance(a: int, b: int) -> int:
    """Hexes entered on the shortest way from a to b."""
    (qa, ra), (qb, rb) = _cube(a), _cube(b)
    dq, dr = qa - qb, ra - rb
    return max(abs(dq), abs(dr), abs(dq + dr))


@cache
def disc(h: int, radius: int) -> frozenset[int]:
    """All hexes at most ``radius`` away, the hex itself included."""
    return frozenset(within(h, radius))


def within(h: int, radius: int) -> Iterable[int]:
    """All hexes at most ``radius`` away, the hex itself included, in a fixed order."""
    seen, ring = {h}, [h]
    yield h
    for _ in range(radius):
        ring = [n for c in ring for n in neighbours(c) if n not in seen and not seen.add(n)]  # type: ignore[func-returns-value]
        yield from ring

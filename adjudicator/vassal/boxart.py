"""Signs of the map boards: terrain textures, hexside marks, towns, and the panels beside the map."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from lxml import etree

from adjudicator.vassal import svg
from adjudicator.vassal.board import BoardLayout, Box, Track

Spot = tuple[float, float]
FONT = "DejaVu Sans"
NARROW = "DejaVu Sans Condensed"


def _scatter(seed: int, count: int) -> Iterator[tuple[float, float, float]]:
    """Points of -1..1 and a third number of 0..1, the same for the same seed on every machine."""
    state = (seed * 2654435761 + 12345) & 0xFFFFFFFF
    for _ in range(count):
        values = []
        for _ in range(3):
            state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
            values.append((state >> 8) / 0xFFFFFF)
        yield values[0] * 2 - 1, values[1] * 2 - 1, values[2]


def texture(group: etree._Element, terrain: str, centre: Spot, seed: int) -> None:
    """Small strokes that tell the terrain without its tint. Clear hexes have none."""
    draw = {"rough": _rough, "mountain": _mountain, "sand": _sand, "swamp": _swamp, "salt_marsh": _salt}.get(terrain)
    if draw is not None:
        draw(group, centre, seed)


def _strokes(group: etree._Element, d: str, colour: str, width: float, opacity: float) -> None:
    svg.add(
        group, "path", d=d, fill="none", stroke=colour, stroke_width=width, stroke_opacity=opacity,
        stroke_linecap="round",
    )  # fmt: skip


def _cells(seed: int, columns: int, rows: int) -> Iterator[tuple[float, float, float]]:
    """Scattered points, one in each cell of a grid inside the hex, in pixels from its centre."""
    noise = _scatter(seed, columns * rows)
    for row in range(rows):
        for column in range(columns):
            nx, ny, size = next(noise)
            x = ((column + 0.5) / columns * 2 - 1) * 32 + nx * 32 / columns * 0.6
            y = ((row + 0.5) / rows * 2 - 1) * 30 + ny * 30 / rows * 0.6
            if abs(x) * 0.5 + abs(y) * 0.9 < 38:
                yield x, y, size


def _rough(group: etree._Element, centre: Spot, seed: int) -> None:
    d = ""
    for x, y, size in _cells(seed, 4, 4):
        w = 2.2 + size * 2
        d += f"M{centre[0] + x - w:.1f},{centre[1] + y + w * 0.6:.1f}l{w:.1f},{-w:.1f}l{w:.1f},{w:.1f}"
    _strokes(group, d, "#8a6b3c", 1.1, 0.65)


def _mountain(group: etree._Element, centre: Spot, seed: int) -> None:
    dark = light = ""
    for x, y, size in _cells(seed, 3, 3):
        w = 5.5 + size * 3.5
        px, py = centre[0] + x, centre[1] + y + w * 0.5
        light += f"M{px - w:.1f},{py:.1f}L{px:.1f},{py - w * 1.25:.1f}L{px:.1f},{py:.1f}Z"
        dark += f"M{px + w:.1f},{py:.1f}L{px:.1f},{py - w * 1.25:.1f}L{px:.1f},{py:.1f}Z"
    svg.add(group, "path", d=light, fill="#c9a67e", fill_opacity=0.9)
    svg.add(group, "path", d=dark, fill="#6e4c2a", fill_opacity=0.75)


def _sand(group: etree._Element, centre: Spot, seed: int) -> None:
    d = ""
    for x, y, size in _cells(seed, 7, 7):
        r = 0.7 + size * 0.5
        px, py = centre[0] + x, centre[1] + y
        d += f"M{px - r:.1f},{py:.1f}a{r:.1f},{r:.1f} 0 1,0 {2 * r:.1f},0a{r:.1f},{r:.1f} 0 1,0 {-2 * r:.1f},0"
    svg.add(group, "path", d=d, fill="#a87b24", fill_opacity=0.75)


def _swamp(group: etree._Element, centre: Spot, seed: int) -> None:
    d = ""
    for x, y, _ in _cells(seed, 4, 4):
        px, py = centre[0] + x, centre[1] + y
        d += f"M{px - 5:.1f},{py:.1f}h10M{px:.1f},{py:.1f}v-6M{px - 3:.1f},{py:.1f}l-2,-4M{px + 3:.1f},{py:.1f}l2,-4"
    _strokes(group, d, "#2f7a56", 1.1, 0.8)


def _salt(group: etree._Element, centre: Spot, seed: int) -> None:
    d = ""
    for x, y, size in _cells(seed, 4, 6):
        w = 3 + size * 4
        d += f"M{centre[0] + x - w:.1f},{centre[1] + y:.1f}h{2 * w:.1f}"
    _strokes(group, d, "#8a6a5c", 1.1, 0.7)


# --- hexsides ------------------------------------------------------------------------------


def escarpment(
    group: etree._Element, ends: tuple[Spot, Spot], low: Spot | None, colour: Mapping[str, str], *, closed: bool
) -> None:
    """A scarp along a hexside: a line with teeth that point to the lower hex."""
    (x1, y1), (x2, y2) = ends
    length = math.hypot(x2 - x1, y2 - y1)
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    nx, ny = -uy, ux
    if low is not None and (low[0] - x1) * nx + (low[1] - y1) * ny < 0:
        nx, ny = -nx, -ny
    paint = colour["cliff" if closed else "escarpment"]
    svg.add(group, "line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=paint, stroke_width=3.4 if closed else 2.2)
    teeth, depth = (7, 8.0) if closed else (6, 6.0)
    d = ""
    for i in range(teeth):
        at = length * (i + 0.5) / teeth
        half = length / teeth * 0.38
        bx, by = x1 + ux * at, y1 + uy * at
        d += f"M{bx - ux * half:.1f},{by - uy * half:.1f}L{bx + nx * depth:.1f},{by + ny * depth:.1f}"
        d += f"L{bx + ux * half:.1f},{by + uy * half:.1f}Z"
    svg.add(group, "path", d=d, fill=paint)


def plain_side(group: etree._Element, kind: str, ends: tuple[Spot, Spot], colour: Mapping[str, str]) -> None:
    """Wadi, sebkha or mountain hexside."""
    (x1, y1), (x2, y2) = ends
    styles = {
        "wadi": (colour["wadi"], 2.4, "5 3.5"), "sebkha": (colour["sebkha"], 7.0, "3 2"),
        "mountain": (colour["mountain"], 9.0, ""),
    }  # fmt: skip
    paint, width, dash = styles[kind]
    extra = {"stroke_dasharray": dash} if dash else {"stroke_linecap": "round"}
    svg.add(group, "line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=paint, stroke_width=width, **extra)


# --- towns ---------------------------------------------------------------------------------


def city(group: etree._Element, kind: str, centre: Spot, colour: str) -> None:
    """Dot city: filled; reference city: open; a full hex city has its whole hex tinted."""
    x, y = centre
    if kind == "full":
        size = {"x": x - 7, "y": y - 7, "width": 14, "height": 14}
        svg.add(group, "rect", fill="#3c3c3c", stroke="#ffffff", stroke_width=1.5, **size)
    elif kind == "dot":
        svg.add(group, "circle", cx=x, cy=y, r=7, fill=colour, stroke="#ffffff", stroke_width=1.5)
    else:
        svg.add(group, "circle", cx=x, cy=y, r=5.5, fill="#ffffff", stroke=colour, stroke_width=2.2)


def fortress(group: etree._Element, corners: list[tuple[int, int]], centre: Spot, colour: str) -> None:
    """A line inside the hexsides with a bastion at each corner."""
    cx, cy = centre
    inner = [(cx + (x - cx) * 0.84, cy + (y - cy) * 0.84) for x, y in corners]
    svg.add(group, "polygon", points=svg.points(inner), fill="none", stroke=colour, stroke_width=2.6)
    for x, y in inner:
        svg.add(group, "rect", x=x - 3.6, y=y - 3.6, width=7.2, height=7.2, fill=colour)


def port(group: etree._Element, kind: str, at: Spot, colour: str) -> None:
    """An anchor; its letter gives the type: major, standard, minor."""
    x, y = at
    shank = f"M{x},{y - 6}V{y + 5}M{x - 4},{y - 3}H{x + 4}"
    d = shank + f"M{x - 6},{y + 1}Q{x - 5},{y + 6} {x},{y + 6}Q{x + 5},{y + 6} {x + 6},{y + 1}"
    svg.add(group, "path", d=d, fill="none", stroke="#ffffff", stroke_width=3.6, stroke_opacity=0.8)
    svg.add(group, "path", d=d, fill="none", stroke=colour, stroke_width=1.8)
    svg.add(group, "circle", cx=x, cy=y - 7, r=1.8, fill="#ffffff", stroke=colour, stroke_width=1.3)
    letter = {"major": "M", "standard": "s", "minor": "m"}.get(kind, "?")
    svg.text(group, x - 12.5, y + 5, letter, 10.5, fill=colour, font_family=FONT, font_weight="bold")


def terminal(group: etree._Element, at: Spot, colour: str) -> None:
    """A supply terminal: a barrel in its side's colour."""
    x, y = at
    svg.add(group, "rect", x=x - 6, y=y - 7, width=12, height=14, rx=3, fill=colour, stroke="#ffffff", stroke_width=1)
    svg.text(group, x, y + 3.8, "T", 10, fill="#ffffff", font_family=FONT, font_weight="bold")


# --- panels --------------------------------------------------------------------------------


def draw_panels(group: etree._Element, layout: BoardLayout) -> None:
    """Title, key, tracks and boxes."""
    _title(group, layout)
    _key(group, layout)
    for track in layout.tracks:
        _track(group, layout, track)
    for box in layout.boxes:
        _box(group, layout, box)


def _title(group: etree._Element, layout: BoardLayout) -> None:
    svg.text(
        group, 44, 92, layout.map.upper(), 50, text_anchor="start", font_family=FONT, font_weight="bold",
        letter_spacing=6, fill=layout.colours["label"],
    )  # fmt: skip
    sheets = ", ".join(f"sheet {s.number}: {s.columns} columns of {s.rows} hexes" for s in layout.sheets)
    first = layout.sheets[0].number
    line = f"16 miles a hex. {sheets[0].upper() + sheets[1:]}. A hex on both goes by its sheet {first} number."
    svg.text(group, 46, 124, line, 15, text_anchor="start", font_family=NARROW, fill=layout.colours["region"])


def _key(group: etree._Element, layout: BoardLayout) -> None:
    """The terrain key: a small hex for each terrain, a line for each hexside and route."""
    colour = layout.colours
    terrains = ("clear", "rough", "mountain", "sand", "swamp", "salt_marsh")
    for i, terrain in enumerate(terrains):
        x, y = 92.0 + i * 142, 190.0
        corners = [(x + 44 * c, y + 38 * s) for c, s in _HEX]
        svg.add(group, "polygon", points=svg.points(corners), fill=colour[terrain], stroke=colour["grid"])
        texture(group, terrain, (x, y), seed=7 + i)
        _key_text(group, x, y + 58, terrain.replace("_", " "), colour)
    sides = ("escarpment", "impassable escarpment", "wadi", "sebkha", "mountain side")
    for i, name in enumerate(sides):
        x, y = 60.0 + (i % 3) * 300, 288.0 + (i // 3) * 40
        ends = ((x, y), (x + 60, y))
        if "escarpment" in name:
            escarpment(group, ends, (x, y + 20), colour, closed=name != "escarpment")
        else:
            plain_side(group, name.split()[0], ends, colour)
        _key_text(group, x + 70, y + 5, name if i else "escarpment (teeth: low side)", colour, anchor="start")
    _key_lines(group, colour)
    _key_towns(group, colour)


_HEX = ((-0.5, -1.0), (0.5, -1.0), (1.0, 0.0), (0.5, 1.0), (-0.5, 1.0), (-1.0, 0.0))


def _key_text(
    group: etree._Element, x: float, y: float, words: str, colour: Mapping[str, str], anchor: str = "middle"
) -> None:
    svg.text(group, x, y, words, 14, text_anchor=anchor, font_family=NARROW, fill=colour["label"])


def _key_lines(group: etree._Element, colour: Mapping[str, str]) -> None:
    lines = (
        ("river", colour["river"], 3.0, ""), ("major river", colour["river"], 7.0, ""),
        ("canal", colour["canal"], 5.0, "11 4"), ("lake or sea side", colour["water_side"], 9.0, ""),
        ("border", colour["border"], 2.6, "9 3 2 3"), ("road", colour["road"], 2.2, ""),
        ("railroad", colour["rail"], 2.0, ""), ("railroad to be built", colour["rail"], 1.6, "6 5"),
    )  # fmt: skip
    for i, (name, paint, width, dash) in enumerate(lines):
        x, y = 60.0 + (i % 4) * 218, 368.0 + (i // 4) * 34
        extra = {"stroke_dasharray": dash} if dash else {}
        svg.add(group, "line", x1=x, y1=y, x2=x + 60, y2=y, stroke=paint, stroke_width=width, **extra)
        if name == "railroad":
            svg.add(
                group, "line", x1=x, y1=y, x2=x + 60, y2=y, stroke=paint, stroke_width=7.5, stroke_dasharray="1.6 7.4"
            )
        _key_text(group, x + 70, y + 5, name, colour, anchor="start")


def _key_towns(group: etree._Element, colour: Mapping[str, str]) -> None:
    y = 442.0
    towns = ((70.0, "dot", "dot city"), (220.0, "ref", "reference city"), (400.0, "full", "full hex city"))
    for x, kind, name in towns:
        city(group, kind, (x, y), colour["city"])
        _key_text(group, x + 16, y + 5, name, colour, anchor="start")
    port(group, "major", (565.0, y), colour["canal"])
    _key_text(group, 588, y + 5, "port: M major, s standard, m minor", colour, anchor="start")
    terminal(group, (838.0, y), colour["allied"])
    _key_text(group, 852, y + 5, "supply terminal", colour, anchor="start")


def _track(group: etree._Element, layout: BoardLayout, track: Track) -> None:
    start = layout.board(track.board).x
    x0, y0 = start + track.x, track.y
    svg.text(
        group, x0, y0 - 9, track.name, 18, text_anchor="start", font_family=FONT, font_weight="bold",
        fill=layout.colours["label"],
    )  # fmt: skip
    for index, entry in enumerate(track.entries):
        x, y = track.centre(index)
        left, top = start + x - track.width / 2, y - track.height / 2
        svg.add(
            group, "rect", x=left, y=top, width=track.width, height=track.height, fill=layout.colours["box"],
            stroke=layout.colours["box_line"], stroke_width=1.2,
        )  # fmt: skip
        svg.text(group, start + x, top + 14, entry, 13, font_family=NARROW, fill=layout.colours["label"])


def _box(group: etree._Element, layout: BoardLayout, box: Box) -> None:
    x = layout.board(box.board).x + box.x
    svg.add(
        group, "rect", x=x, y=box.y, width=box.width, height=box.height, rx=6, fill=layout.colours["box"],
        stroke=layout.colours["box_line"], stroke_width=1.2,
    )  # fmt: skip
    band = layout.colours.get(box.side, layout.colours["box_line"])
    svg.add(group, "rect", x=x, y=box.y, width=box.width, height=22, rx=6, fill=band)
    svg.text(
        group, x + box.width / 2, box.y + 16, box.name, 14, font_family=FONT, font_weight="bold", fill="#ffffff"
    )

"""Shifting Sands: what lies beside the map on the board: title, key, tracks, boxes."""

from __future__ import annotations

from lxml import etree

from adjudicator.vassal import ss_signs, svg
from adjudicator.vassal.board import Box, Track
from adjudicator.vassal.ss_board import Pile, SandsLayout

FONT, NARROW = "DejaVu Sans", "DejaVu Sans Condensed"
REMARK = (
    "A reconstruction: the printed map is not to be had. Spaces lie as on the earth, stretched where they are close.",
    "Names in italics and pale lines are in no text on this game; the list of data and their sources is in the help.",
)
TERRAINS = ("clear", "mountain", "marsh", "oasis", "deep_desert", "box")
SUPPLY = (("allied", (), "supply source, for whom"), ("axis", ("",), "the same after an event"))
LINES = (
    ({"only": ""}, True, "line, known"),
    ({"only": ""}, False, "line, reconstructed"),
    ({"only": "battlegroups"}, True, "battlegroups only"),
    ({"only": "lrdg"}, True, "LRDG only"),
    ({"only": "allied"}, True, "Allied only"),
)


def draw_panes(group: etree._Element, layout: SandsLayout, title: str) -> None:
    """Title, key, tracks and boxes."""
    _title(group, layout, title)
    _terrains(group, layout)
    _signs(group, layout)
    for track in layout.tracks:
        _track(group, layout, track)
    frames: tuple[Box | Pile, ...] = (*layout.boxes, *layout.piles)
    for box in frames:
        _box(group, layout, box)


def _words(
    group: etree._Element, layout: SandsLayout, x: float, y: float, words: str, size: float = 17, anchor: str = "start"
) -> None:
    fill = layout.colours["label"]
    svg.text(group, x, y, words, size, text_anchor=anchor, font_family=NARROW, fill=fill)


def _title(group: etree._Element, layout: SandsLayout, title: str) -> None:
    svg.text(
        group, 60, 1778, title.upper(), 62, text_anchor="start", font_family=FONT, font_weight="bold",
        letter_spacing=8, fill=layout.colours["label"],
    )  # fmt: skip
    for number, line in enumerate(REMARK):
        _words(group, layout, 62, 1815 + 26 * number, line, 18)


def _terrains(group: etree._Element, layout: SandsLayout) -> None:
    """A space for each terrain, and one for each side's printed control."""
    y = 1935
    for number, terrain in enumerate(TERRAINS):
        x = 112 + 150 * number
        ss_signs.space(group, {"terrain": terrain}, (x, y), layout.colours)
        _words(group, layout, x, y + 68, terrain.replace("_", " "), anchor="middle")
    for number, side in enumerate(("axis", "allied")):
        x = 1062 + 190 * number
        ss_signs.space(group, {"terrain": "clear", "control": side}, (x, y), layout.colours)
        _words(group, layout, x, y + 68, f"{side.capitalize()} at the start", anchor="middle")


def _signs(group: etree._Element, layout: SandsLayout) -> None:
    """Fort, port and star; the kinds of lines."""
    colour, y = layout.colours, 2062
    ss_signs.fort(group, (88, y), "2", colour["fort"])
    _words(group, layout, 114, y + 6, "fort and its CF")
    ss_signs.port(group, (312, y), colour["port"])
    _words(group, layout, 336, y + 6, "port")
    ss_signs.star(group, (442, y), colour["vp"])
    _words(group, layout, 468, y + 6, "counts for victory")
    for number, (side, conditions, words) in enumerate(SUPPLY):
        x = 668 + 420 * number
        ss_signs.supply(group, (x, y + 9), {"user": side, "conditions": conditions}, colour)
        _words(group, layout, x + 70, y + 6, words)
    ss_signs.border(group, "M722,2158H818", colour["region"])
    _words(group, layout, 830, 2164, "border of a region")
    for number, (row, known, words) in enumerate(LINES):
        x, down = 62 + 330 * (number % 3), 2118 + 40 * (number // 3)
        paint, dash = ss_signs.link_style(row, colour, known=known)
        extra = {"stroke_dasharray": dash} if dash else {}
        svg.add(group, "line", x1=x, y1=down, x2=x + 96, y2=down, stroke=paint, stroke_width=5.5, **extra)
        _words(group, layout, x + 108, down + 6, words)


def _track(group: etree._Element, layout: SandsLayout, track: Track) -> None:
    colour = layout.colours
    svg.text(
        group, track.x, track.y - 10, track.name, 19, text_anchor="start", font_family=FONT, font_weight="bold",
        fill=colour["label"],
    )  # fmt: skip
    for index, entry in enumerate(track.entries):
        x, y = track.centre(index)
        left, top = x - track.width / 2, y - track.height / 2
        size = {"width": track.width, "height": track.height}
        svg.add(
            group, "rect", x=left, y=top, fill=colour["panel"], stroke=colour["panel_line"], stroke_width=1.4, **size
        )
        _words(group, layout, x, top + 15, entry, 13.5, "middle")


def _box(group: etree._Element, layout: SandsLayout, box: Box | Pile) -> None:
    colour = layout.colours
    size = {"x": box.x, "y": box.y, "width": box.width}
    fill, line = colour["panel"], colour["panel_line"]
    svg.add(group, "rect", height=box.height, rx=7, fill=fill, stroke=line, stroke_width=1.4, **size)
    svg.add(group, "rect", height=28, rx=7, fill=colour.get(box.side, line), **size)
    x, y = box.x + box.width / 2, box.y + 20
    svg.text(group, x, y, box.name, 17, font_family=FONT, font_weight="bold", fill="#ffffff")

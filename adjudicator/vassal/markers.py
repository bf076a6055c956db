"""Draws markers: supply, works, control and the like."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lxml import etree

from adjudicator.vassal import svg
from adjudicator.vassal.counters import TERRAIN_CANVAS, Style
from adjudicator.vassal.symbols import draw_aircraft

Spec = Mapping[str, Any]
Painter = Callable[[etree._Element, Mapping[str, str], int], None]
PainterOf = Callable[[Spec], Painter]


def marker_levels(spec: Spec) -> int:
    """How many faces a marker has: its steps, its named levels, or one."""
    return int(spec.get("steps") or len(spec.get("levels", ())) or 1)


def marker_size(spec: Spec, style: Style) -> tuple[int, int]:
    """Width and height of a marker's picture."""
    if spec.get("size"):
        return int(spec["size"]), int(spec["size"])
    return TERRAIN_CANVAS if spec["layer"] == "Terrain" else (style.size, style.size)


def painter_of(spec: Spec) -> Painter:
    """How a marker is drawn. Raises KeyError for a kind that has no drawing."""
    return PAINTERS[str(spec["kind"])]


def marker_picture(style: Style, spec: Spec, level: int = 1, painter: PainterOf = painter_of) -> bytes:
    """One face of a marker. Raises KeyError for a kind that has no drawing."""
    colours = style.side(str(spec["side"]))
    document = svg.root(*marker_size(spec, style))
    painter(spec)(document, colours, level)
    return svg.to_bytes(document)


def _card(document: etree._Element, colours: Mapping[str, str]) -> None:
    svg.add(
        document, "rect", x=0.5, y=0.5, width=55, height=55, rx=4, fill=colours["paper"], stroke="#222222",
        stroke_width=1,
    )  # fmt: skip


def _supply(document: etree._Element, colours: Mapping[str, str], level: int) -> None:
    """Barrels: as many as steps."""
    _card(document, colours)
    svg.text(document, 28, 11, "SUPPLY", 9.5, fill=colours["ink"], font_weight="bold")
    spots = (28.0,) if level == 1 else (17.0, 39.0)
    for x in spots:
        svg.add(
            document, "path", d=f"M{x - 8} 19V36A8 3 0 0 0 {x + 8} 36V19A8 3 0 0 0 {x - 8} 19A8 3 0 0 0 {x + 8} 19",
            fill=colours["mark"], stroke=colours["ink"], stroke_width=1.3,
        )  # fmt: skip
        svg.add(document, "path", d=f"M{x - 8} 27A8 3 0 0 0 {x + 8} 27", fill="none", stroke=colours["ink"])
    steps = "1 step" if level == 1 else f"{level} steps"
    svg.text(document, 28, 51.5, steps, 11, fill=colours["ink"], font_weight="bold")


def _airfield(document: etree._Element, colours: Mapping[str, str], level: int) -> None:
    x, y = 14.0, 58.0
    svg.add(document, "circle", cx=x, cy=y, r=12.5, fill=colours["paper"], stroke=colours["mark"], stroke_width=2.4)
    plane = svg.add(document, "g", transform=f"translate({x} {y}) scale(0.6)")
    draw_aircraft(plane, "single", 0, 0, colours["ink"])


_HEX = ((-0.5, -1.0), (0.5, -1.0), (1.0, 0.0), (0.5, 1.0), (-0.5, 1.0), (-1.0, 0.0))


def _works(document: etree._Element, colour: str, *, dashed: bool) -> None:
    """A ring inside the hexsides with a bastion at each corner."""
    corners = [(42 + 37 * x, 37 + 32 * y) for x, y in _HEX]
    dash = "7 4" if dashed else "none"
    svg.add(
        document, "polygon", points=svg.points(corners), fill="none", stroke=colour, stroke_width=3.4,
        stroke_dasharray=dash,
    )  # fmt: skip
    for x, y in corners:
        svg.add(document, "rect", x=x - 4, y=y - 4, width=8, height=8, fill=colour, stroke="#ffffff", stroke_width=0.8)


def _fort(document: etree._Element, colours: Mapping[str, str], level: int) -> None:
    _works(document, colours["mark"], dashed=True)


def _fortress(document: etree._Element, colours: Mapping[str, str], level: int) -> None:
    _works(document, "#9b1111", dashed=level == 2)


def _control(document: etree._Element, colours: Mapping[str, str], level: int) -> None:
    svg.add(document, "path", d="M68 20V3", stroke="#222222", stroke_width=1.6, fill="none")
    svg.add(document, "path", d="M68 3H82L79 7.5L82 12H68Z", fill=colours["mark"], stroke="#ffffff", stroke_width=0.8)


def _railhead(document: etree._Element, colours: Mapping[str, str], level: int) -> None:
    svg.add(document, "rect", x=58, y=52, width=24, height=20, rx=3, fill="#ffffff", stroke="#111111", stroke_width=1.6)
    svg.text(document, 70, 66.5, "RH", 12, fill="#111111", font_weight="bold")


def _break(document: etree._Element, colours: Mapping[str, str], level: int) -> None:
    for width, colour in ((6.5, "#ffffff"), (3.4, "#c01515")):
        svg.add(document, "path", d="M30 58L46 72M46 58L30 72", stroke=colour, stroke_width=width, fill="none")


def _site(document: etree._Element, colours: Mapping[str, str], level: int) -> None:
    """A work under way: scaffolding in the colour of its side with the letters of what it will be."""
    svg.add(document, "rect", x=27, y=2, width=30, height=20, rx=3, fill="#ffffff", stroke=colours["mark"],
            stroke_width=2.4, stroke_dasharray="4 3")  # fmt: skip
    svg.text(document, 42, 16.5, ("FT", "FS", "AF")[level - 1], 12, fill=colours["mark"], font_weight="bold")


def _hit_on(word: str) -> Painter:
    """Hits with a plate below that says on what."""

    def paint(document: etree._Element, colours: Mapping[str, str], level: int) -> None:
        _hit(document, colours, level)
        plate = {"x": 9, "y": 42, "width": 38, "height": 13, "rx": 2}
        svg.add(document, "rect", **plate, fill="#ffffff", stroke="#5d1500", stroke_width=1)
        svg.text(document, 28, 52, word, 10, fill="#5d1500", font_weight="bold")

    return paint


def _hit(document: etree._Element, colours: Mapping[str, str], level: int) -> None:
    spikes = [(28 + r * dx, 28 + r * dy) for r, (dx, dy) in zip((24, 13) * 8, _STAR, strict=True)]
    svg.add(document, "polygon", points=svg.points(spikes), fill="#e2521d", stroke="#5d1500", stroke_width=1.4)
    svg.text(document, 28, 35, str(level), 19, fill="#ffffff", font_weight="bold")


_STAR = (
    (0.0, -1.0), (0.38, -0.92), (0.71, -0.71), (0.92, -0.38), (1.0, 0.0), (0.92, 0.38), (0.71, 0.71), (0.38, 0.92),
    (0.0, 1.0), (-0.38, 0.92), (-0.71, 0.71), (-0.92, 0.38),
    (-1.0, 0.0), (-0.92, -0.38), (-0.71, -0.71), (-0.38, -0.92),
)  # fmt: skip


def _attack(document: etree._Element, colours: Mapping[str, str], level: int) -> None:
    svg.add(
        document, "polygon", points="28,3 47,27 36,27 36,52 20,52 20,27 9,27", fill="#c01515", fill_opacity=0.85,
        stroke="#ffffff", stroke_width=1.5,
    )  # fmt: skip


def _malta(document: etree._Element, colours: Mapping[str, str], level: int) -> None:
    _card(document, colours)
    svg.add(document, "path", d="M28 26L17 12L28 17L39 12ZM28 26L42 15L37 26L42 37Z", fill="#b01818")
    svg.add(document, "path", d="M28 26L39 40L28 35L17 40ZM28 26L14 37L19 26L14 15Z", fill="#b01818")
    svg.text(document, 28, 51.5, "MALTA", 10, fill="#000000", font_weight="bold")


def _turn(document: etree._Element, colours: Mapping[str, str], level: int) -> None:
    _card(document, colours)
    svg.add(document, "circle", cx=28, cy=23, r=14, fill="#f4c95a", stroke="#7a5200", stroke_width=2)
    svg.add(document, "path", d="M28 14V23L34 27", fill="none", stroke="#7a5200", stroke_width=2.2)
    svg.text(document, 28, 50.5, "TURN", 11, fill="#000000", font_weight="bold")


PAINTERS: dict[str, Painter] = {
    "supply": _supply,
    "airfield": _airfield,
    "fort": _fort,
    "fortress": _fortress,
    "control": _control,
    "railhead": _railhead,
    "break": _break,
    "hit": _hit,
    "port-hit": _hit_on("PORT"),
    "airbase-hit": _hit_on("BASE"),
    "site": _site,
    "attack": _attack,
    "malta": _malta,
    "turn": _turn,
}

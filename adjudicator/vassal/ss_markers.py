"""Shifting Sands: how its markers are drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lxml import etree

from adjudicator.vassal import svg
from adjudicator.vassal.counters import fit
from adjudicator.vassal.markers import Painter, Spec, painter_of

INK = "#000000"
USES = ("OPS", "RD", "RP", "EVENT", "AUTO", "LRDG", "...")


def sands_painter(spec: Spec) -> Painter:
    """How a marker is drawn. Raises KeyError for a kind that has no drawing."""
    kind = str(spec["kind"])
    if kind in WORDED:
        return WORDED[kind](spec)
    return OWN.get(kind) or painter_of(spec)


def _plate(document: etree._Element, fill: str, stroke: str = "#222222") -> None:
    size = {"x": 0.5, "y": 0.5, "width": 55, "height": 55, "rx": 4}
    svg.add(document, "rect", **size, fill=fill, stroke=stroke, stroke_width=1)


def _said(document: etree._Element, y: float, words: str, size: float, fill: str) -> None:
    svg.text(document, 28, y, words, fit(words, size, 50.0, bold=True), fill=fill, font_weight="bold")


def _activate(spec: Spec) -> Painter:
    """An activation marker: a bar above the counters of its space."""

    def paint(document: etree._Element, colours: Mapping[str, str], level: int) -> None:
        colour = str(spec["colour"])
        bar = {"x": 1, "y": 20, "width": 54, "height": 17, "rx": 3}
        svg.add(document, "rect", **bar, fill=colour, fill_opacity=0.9, stroke="#ffffff", stroke_width=1.4)
        _said(document, 33, str(spec["text"]), 12, "#ffffff")

    return paint


def _count(spec: Spec) -> Painter:
    """A marker of the general record: its `text`, and `below` it a word for each face."""

    def paint(document: etree._Element, colours: Mapping[str, str], level: int) -> None:
        _plate(document, "#fffdf2" if level == 1 else "#ffd9a8")
        svg.add(document, "rect", x=5, y=5, width=46, height=30, rx=3, fill=str(spec["colour"]))
        _said(document, 26, str(spec["text"]), 17, "#ffffff")
        _said(document, 49, str(spec["below"][level - 1]), 11, INK)

    return paint


def _word(spec: Spec) -> Painter:
    """A marker that is one word in the colours of its side."""

    def paint(document: etree._Element, colours: Mapping[str, str], level: int) -> None:
        plate = {"x": 1, "y": 38, "width": 54, "height": 16, "rx": 3}
        svg.add(document, "rect", **plate, fill=colours["mark"], stroke="#ffffff", stroke_width=1.2)
        _said(document, 50, str(spec["text"]), 11, "#ffffff")

    return paint


def _owner(document: etree._Element, colours: Mapping[str, str], level: int) -> None:
    """A frame over the printed edge of a space, and a flag at its corner."""
    frame = {"x": 6, "y": 6, "width": 84, "height": 84, "rx": 11, "fill": "none"}
    for width, paint in ((10, "#ffffff"), (7, colours["mark"])):
        svg.add(document, "rect", stroke=paint, stroke_width=width, **frame)
    svg.add(document, "path", d="M72 30V10", stroke="#222222", stroke_width=2, fill="none")
    svg.add(document, "path", d="M72 10H90L86 16L90 22H72Z", fill=colours["mark"], stroke="#ffffff", stroke_width=1)


def _attacked(document: etree._Element, colours: Mapping[str, str], level: int) -> None:
    """A small star at the lower corner of the space."""
    star = "70,54 73,62 81,62 75,67 77,74 70,70 63,74 65,67 59,62 67,62"
    svg.add(document, "polygon", points=star, fill="#c01515", stroke="#ffffff", stroke_width=1)


def _combat(document: etree._Element, colours: Mapping[str, str], level: int) -> None:
    """Crossed swords; a letter tells of the flank attack: tried, succeeded, failed."""
    for width, paint in ((7.0, "#ffffff"), (3.6, "#7a0d0d")):
        svg.add(document, "path", d="M10 8L44 46M46 8L12 46M8 38L20 50M48 38L36 50", stroke=paint, stroke_width=width,
                fill="none", stroke_linecap="round")  # fmt: skip
    if level > 1:
        colour = ("#555555", "#1d6b3a", "#b01818")[level - 2]
        svg.add(document, "circle", cx=28, cy=14, r=10, fill=colour, stroke="#ffffff", stroke_width=1.4)
        svg.text(document, 28, 18.6, "F", 13, fill="#ffffff", font_weight="bold")


def _round(document: etree._Element, colours: Mapping[str, str], level: int) -> None:
    fill, ink = (("#a9b3ac", INK), ("#dcc496", INK))[level - 1]
    _plate(document, fill)
    _said(document, 19, "ACTION", 11, ink)
    _said(document, 33, "ROUND", 11, ink)
    _said(document, 50, ("AXIS", "ALLIED")[level - 1], 13, ink)


def _phase(document: etree._Element, colours: Mapping[str, str], level: int) -> None:
    _plate(document, "#fffdf2")
    svg.add(document, "path", d="M12 22H36V14L48 26L36 38V30H12Z", fill="#35509a")
    _said(document, 51, "PHASE", 11, INK)


def _action(document: etree._Element, colours: Mapping[str, str], level: int) -> None:
    _plate(document, colours["paper"])
    _said(document, 34, USES[level - 1], 17, colours["ink"])


OWN: dict[str, Painter] = {
    "owner": _owner,
    "attacked": _attacked,
    "combat": _combat,
    "round": _round,
    "phase": _phase,
    "action": _action,
}
# Kinds whose markers bear words or colours of their own.
WORDED: dict[str, Callable[[Spec], Painter]] = {"count": _count, "word": _word, "activate": _activate}

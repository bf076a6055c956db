"""Shifting Sands: signs of the map: spaces with their terrain, fort, port and victory star, and lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lxml import etree

from adjudicator.vassal import svg
from adjudicator.vassal.model import Point
from adjudicator.vassal.ss_board import HALF

Row = Mapping[str, Any]
Colours = Mapping[str, str]
FONT = "DejaVu Sans"


def space(group: etree._Element, row: Row, at: Point, colour: Colours) -> None:
    """A space: its tint and texture tell the terrain, its edge the printed control, its corners what it has."""
    x, y = at
    half = HALF
    box = {"x": x - half, "y": y - half, "width": 2 * half, "height": 2 * half, "rx": 11}
    terrain, owner = str(row["terrain"]), str(row.get("control", ""))
    svg.add(group, "rect", fill=colour[terrain], stroke="#ffffff", stroke_width=10, **box)
    svg.add(group, "rect", fill=colour[terrain], stroke=colour.get(owner, colour["frame"]), stroke_width=6, **box)
    texture(group, terrain, at)
    if int(row.get("fort") or "0"):
        fort(group, (x - half, y - half), str(row["fort"]), colour["fort"])
    if row.get("vp") == "yes":
        star(group, (x + half, y - half), colour["vp"])
    if row.get("port") == "yes":
        port(group, (x - half - 2, y + half - 18), colour["port"])


def texture(group: etree._Element, terrain: str, at: Point) -> None:
    """Small marks along the edge of a space that tell the terrain without its tint. Clear spaces have none."""
    marks = _TEXTURES.get(terrain)
    if marks is not None:
        d, paint = marks(*at)
        svg.add(group, "path", d=d, fill="none", stroke=paint, stroke_width=2.2, stroke_linejoin="round")


def _mountain(x: int, y: int) -> tuple[str, str]:
    peaks = [(x + dx, y + dy) for dx in (-24, 0, 24) for dy in (-31, 37)]
    return "".join(f"M{px - 9},{py}L{px},{py - 9}L{px + 9},{py}" for px, py in peaks), "#5f3f1e"


def _marsh(x: int, y: int) -> tuple[str, str]:
    tufts = [(x + dx, y + dy) for dx in (-24, 0, 24) for dy in (-30, 37)]
    return "".join(
        f"M{px - 8},{py}h16M{px},{py}v-8M{px - 5},{py}l-2,-6M{px + 5},{py}l2,-6" for px, py in tufts
    ), "#2f6a4a"


def _oasis(x: int, y: int) -> tuple[str, str]:
    palms = [(x + dx, y + dy) for dx in (-22, 22) for dy in (-28, 38)]
    d = "".join(f"M{px},{py}v-8M{px},{py - 8}q-7,-3 -9,2M{px},{py - 8}q7,-3 9,2M{px},{py - 8}l0,-3" for px, py in palms)
    return d, "#2f6a2a"


def _deep_desert(x: int, y: int) -> tuple[str, str]:
    dunes = [(x + dx, y + dy) for dx in (-24, 0, 24) for dy in (-32, 36)]
    return "".join(f"M{px - 9},{py}q5,-8 9,0q5,-5 9,0" for px, py in dunes), "#a5741b"


_TEXTURES: dict[str, Callable[[int, int], tuple[str, str]]] = {
    "mountain": _mountain,
    "marsh": _marsh,
    "oasis": _oasis,
    "deep_desert": _deep_desert,
}


def fort(group: etree._Element, at: Point, strength: str, paint: str) -> None:
    """A bastion with the CF of the fort."""
    x, y = at
    d = f"M{x - 15},{y + 13}V{y - 13}h6v5h5v-5h8v5h5v-5h6V{y + 13}Z"
    svg.add(group, "path", d=d, fill=paint, stroke="#ffffff", stroke_width=2)
    svg.text(group, x, y + 10, strength, 16, fill="#ffffff", font_family=FONT, font_weight="bold")


def star(group: etree._Element, at: Point, paint: str) -> None:
    """The star of a space that counts for victory."""
    x, y = at
    shape = ((0, -16), (4.5, -5), (16, -5), (7, 3), (10, 14), (0, 7.5), (-10, 14), (-7, 3), (-16, -5), (-4.5, -5))
    spots = [(x + dx, y + dy) for dx, dy in shape]
    svg.add(group, "polygon", points=svg.points(spots), fill=paint, stroke="#ffffff", stroke_width=2)


def port(group: etree._Element, at: Point, paint: str) -> None:
    """An anchor."""
    x, y = at
    svg.add(group, "circle", cx=x, cy=y, r=14, fill="#ffffff", stroke=paint, stroke_width=2)
    d = f"M{x},{y - 6}V{y + 9}M{x - 5},{y - 3}H{x + 5}M{x - 8},{y + 2}"
    d += f"Q{x - 7},{y + 9} {x},{y + 9}Q{x + 7},{y + 9} {x + 8},{y + 2}"
    svg.add(group, "path", d=d, fill="none", stroke=paint, stroke_width=2.2)
    svg.add(group, "circle", cx=x, cy=y - 8, r=2.3, fill="#ffffff", stroke=paint, stroke_width=1.6)


def link_style(row: Row, colour: Colours, *, known: bool) -> tuple[str, str]:
    """Colour and dashes of a line."""
    only = str(row.get("only", ""))
    styles = {
        "battlegroups": (colour["battlegroups"], "16 10"), "lrdg": (colour["lrdg"], "3 9"),
        "allied": (colour["allied_only"], "22 7 4 7"),
    }  # fmt: skip
    return styles.get(only, (colour["link" if known else "link_inferred"], ""))

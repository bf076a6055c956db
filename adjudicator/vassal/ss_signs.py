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
FONT, NARROW = "DejaVu Sans", "DejaVu Sans Condensed"
USERS = {
    "axis": ("axis", "AXIS"), "ge_it": ("axis", "GE IT"), "it": ("axis", "IT"), "vf": ("axis", "VF"),
    "ir": ("axis", "IR"), "eg": ("axis", "EG"), "allied": ("allied", "ALLIED"), "british_group": ("allied", "BRIT"),
    "ff_br": ("allied", "FF BR"), "lrdg": ("allied", "LRDG"),
}  # fmt: skip
"""Users of a supply source: their side, and their word on the map."""
ONLY = {"allied": "Allied only", "battlegroups": "battlegroups only", "lrdg": "LRDG only"}
CROSSING = {"whole_move": "whole move", "rd_stops": "RD stops"}


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
    for number, source in enumerate(row.get("sources") or ()):
        supply(group, (x + half - 20, y + half + 1 - 18 * number), source, colour)


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


def supply(group: etree._Element, at: Point, source: Row, colour: Colours) -> None:
    """A plate with those for whom the space is a source of supply (SS 13.2 to 13.44), its lower left corner here.

    It is empty where an event must have been played.
    """
    x, y = at
    side, words = USERS[str(source["user"])]
    width = 10 + 8 * len(words)
    paint, open_ = colour[side], bool(source["conditions"])
    plate = {"x": x, "y": y - 17, "width": width, "height": 17, "rx": 4, "stroke": paint if open_ else "#ffffff"}
    svg.add(group, "rect", fill="#ffffff" if open_ else paint, stroke_width=1.6, **plate)
    look = {"font_family": NARROW, "font_weight": "bold", "fill": paint if open_ else "#ffffff"}
    svg.text(group, x + width / 2, y - 4.5, words, 12, **look)


def border(group: etree._Element, path: str, paint: str) -> None:
    """A border between regions."""
    look = {"fill": "none", "stroke": paint, "stroke_width": 4, "stroke_dasharray": "18 8 4 8"}
    svg.add(group, "path", d=path, stroke_opacity=0.6, stroke_linejoin="round", **look)


def link_words(row: Row) -> str:
    """What a dotted line restricts, in words (SS 10.21, 10.22, 9.13, 11.263, 12.61)."""
    words = [ONLY.get(str(row.get("only", "")), "")]
    words += [said for key, said in CROSSING.items() if row.get(key) == "yes"]
    if row.get("attack_drm"):
        words.append(f"attack {row['attack_drm']}")
    return ", ".join(word for word in words if word)


def link_style(row: Row, colour: Colours, *, known: bool) -> tuple[str, str]:
    """Colour and dashes of a line."""
    only = str(row.get("only", ""))
    styles = {
        "battlegroups": (colour["battlegroups"], "16 10"), "lrdg": (colour["lrdg"], "3 9"),
        "allied": (colour["allied_only"], "22 7 4 7"),
    }  # fmt: skip
    return styles.get(only, (colour["link" if known else "link_inferred"], ""))

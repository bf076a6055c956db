"""Draws the map of Shifting Sands as SVG from the compiled pack and the board's layout."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lxml import etree

from adjudicator.vassal import ss_signs, svg
from adjudicator.vassal.model import Point
from adjudicator.vassal.ss_board import HALF, PLACES, SandsLayout
from adjudicator.vassal.ss_paneart import draw_panes

Row = Mapping[str, Any]
# The parts of a pack that the board shows.
DRAWN = ("spaces", "links", "title")
KNOWN = ("rulebook", "public")
"""Sources that speak of this very game: what has another one is drawn as reconstructed."""
FONT, NARROW = "DejaVu Sans", "DejaVu Sans Condensed"
NAME, NOTE, LONG = 17.0, 13.0, 30
SLIM = 0.85
"""How much narrower the condensed letters are than those that a text is measured by."""


class SandsArt:
    """One drawing of the whole board."""

    def __init__(self, layout: SandsLayout, pack: Row) -> None:
        self.layout = layout
        self.pack = pack
        self.colour = layout.colours
        self.rows: dict[str, Row] = {str(row["name"]): row for row in pack["spaces"]}

    def document(self) -> etree._Element:
        """The board as a document of its size."""
        width, height = self.layout.width, self.layout.height
        document = svg.root(width, height)
        svg.add(document, "rect", x=0, y=0, width=width, height=height, fill=self.colour["off_map"])
        group = svg.add(document, "g")
        for number, _ in enumerate(self.layout.panels):
            self._ground(group, number)
        self._borders(group)
        self._links(group)
        for name in sorted(self.rows):
            ss_signs.space(group, self.rows[name], self.layout.pixel(name), self.colour)
        for name in sorted(self.rows):
            self._name(group, name)
        draw_panes(group, self.layout, str(self.pack["title"]))
        return document

    def _ground(self, group: etree._Element, number: int) -> None:
        """Sea and land of a panel, in its frame."""
        panel = self.layout.panels[number]
        frame = {"x": panel.x, "y": panel.y, "width": panel.width, "height": panel.height}
        clip = svg.add(svg.add(group, "defs"), "clipPath", id=f"panel-{number}")
        svg.add(clip, "rect", **frame)
        inside = svg.add(group, "g", clip_path=f"url(#panel-{number})", stroke_linejoin="round")
        svg.add(inside, "rect", fill=self.colour["sea"], **frame)
        rings = [ring for ring in self.layout.land if panel.holds(*_middle(ring))]
        path = "".join("M" + "L".join(f"{x:g},{y:g}" for x, y in ring) + "Z" for ring in rings)
        svg.add(inside, "path", d=path, fill="none", stroke=self.colour["shallow"], stroke_width=22)
        svg.add(inside, "path", d=path, fill=self.colour["land"], fill_rule="evenodd")
        svg.add(inside, "path", d=path, fill="none", stroke=self.colour["coast"], stroke_width=2)
        svg.add(group, "rect", fill="none", stroke=self.colour["frame"], stroke_width=5, **frame)

    def _borders(self, group: etree._Element) -> None:
        """Borders of the regions, which rules tell apart, and their names, large and faint."""
        for line in self.layout.borders:
            path = "M" + "L".join(f"{x:g},{y:g}" for x, y in line)
            ss_signs.border(group, path, self.colour["region"])
        for words, x, y, size in self.layout.labels:
            svg.text(
                group, x, y, words.upper(), size, fill=self.colour["region"], font_family=FONT,
                font_style="italic", letter_spacing=size // 3, fill_opacity=0.45,
            )  # fmt: skip

    def _links(self, group: etree._Element) -> None:
        """Lines between spaces. One that no text on this game shows is drawn paler."""
        for row in sorted(self.pack["links"], key=lambda row: row["source"] in KNOWN):
            one, two = self.layout.pixel(str(row["a"])), self.layout.pixel(str(row["b"]))
            paint, dash = ss_signs.link_style(row, self.colour, known=row["source"] in KNOWN)
            ends = {"x1": one[0], "y1": one[1], "x2": two[0], "y2": two[1]}
            svg.add(group, "line", stroke=self.colour["land"], stroke_width=11, stroke_opacity=0.8, **ends)
            extra = {"stroke_dasharray": dash} if dash else {}
            svg.add(group, "line", stroke=paint, stroke_width=5.5, **ends, **extra)
        for row in self.pack["links"]:
            one, two = self.layout.pixel(str(row["a"])), self.layout.pixel(str(row["b"]))
            words = ss_signs.link_words(row)
            if words and svg.text_width(words, NOTE) * SLIM < math.dist(one, two) - 2 * HALF:
                self._note(group, one, two, words, ss_signs.link_style(row, self.colour, known=True)[0])

    def _note(self, group: etree._Element, one: Point, two: Point, words: str, paint: str) -> None:
        x, y = (one[0] + two[0]) / 2, (one[1] + two[1]) / 2
        size = NOTE if len(words) < LONG else NOTE - 2
        angle = math.degrees(math.atan2(two[1] - one[1], two[0] - one[0]))
        angle += 180 if abs(angle) > 90 else 0
        place = svg.add(group, "g", transform=f"translate({svg.num(x)} {svg.num(y)}) rotate({svg.num(angle)})")
        self._halo(place, 0, -8, words, size, paint, "italic")

    def _name(self, group: etree._Element, name: str) -> None:
        """The name below a space; one that no text on this game names stands in italics."""
        x, y = self.layout.pixel(name)
        style = "normal" if self.rows[name]["source"] in KNOWN else "italic"
        self._halo(group, x, y + HALF + 17, name, NAME, self.colour["label"], style)

    def _halo(self, group: etree._Element, x: float, y: float, words: str, size: float, fill: str, style: str) -> None:
        look: dict[str, object] = {"font_family": NARROW, "font_weight": "bold", "font_style": style}
        edge = {"stroke": self.colour["land"], "stroke_width": 4, "stroke_linejoin": "round", "stroke_opacity": 0.9}
        svg.text(group, x, y, words, size, fill=self.colour["land"], **edge, **look)
        svg.text(group, x, y, words, size, fill=fill, **look)


def _middle(ring: tuple[tuple[float, float], ...]) -> Point:
    return int(sum(x for x, _ in ring) / len(ring)), int(sum(y for _, y in ring) / len(ring))


def drawn_from(pack: Row, folder: Path) -> str:
    """What the board is drawn from, as a number: equal inputs give equal pictures."""
    text = json.dumps({name: pack.get(name) for name in DRAWN}, sort_keys=True, separators=(",", ":"))
    kept = (folder / "board.yaml").read_bytes() + (folder / PLACES).read_bytes()
    return hashlib.sha256(text.encode("utf-8") + kept).hexdigest()

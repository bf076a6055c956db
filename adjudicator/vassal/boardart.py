"""Draws a game's map boards as SVG from the compiled pack and the board layout."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from lxml import etree

from adjudicator.vassal import boxart, svg
from adjudicator.vassal.board import BoardLayout, neighbours
from adjudicator.vassal.coast import sea_outline
from adjudicator.vassal.labels import Label, Obstacle, place
from adjudicator.vassal.shore import FILE_NAME, Shore

UV = tuple[int, int]
# The parts of a pack that a board shows.
DRAWN = ("hexes", "sea", "sides", "borders", "lines", "unbuilt", "places")
FONT = "DejaVu Sans"
NARROW = "DejaVu Sans Condensed"


class BoardArt:
    """One drawing of the whole map, cut into boards by its view.

    With a shore that fits the pack the coast is drawn as it is in nature, else as the smooth outline of the sea hexes.
    """

    def __init__(self, layout: BoardLayout, pack: Mapping[str, Any], shore: Shore | None = None) -> None:
        self.layout = layout
        self.pack = pack
        self.shore = shore if shore is not None and shore.fits(layout, map(str, pack["sea"])) else None
        self.colour = layout.colours
        self.land: dict[UV, Mapping[str, Any]] = {layout.locate(str(h["hex"])): h for h in pack["hexes"]}
        self.sea: set[UV] = {layout.locate(str(name)) for name in pack["sea"]}
        self.obstacles: list[Obstacle] = []
        ends = [{uv for link in self._links(kind) for uv in link} for kind in ("road", "rail")]
        self.junctions = ends[0] & ends[1]

    def draw(self) -> etree._Element:
        """The whole picture as one group; `board` puts it into a document."""
        group = etree.Element(f"{{{svg.NS}}}g", nsmap=svg.NSMAP)
        size = {"width": self.layout.width, "height": self.layout.height}
        svg.add(group, "rect", x=0, y=0, fill=self.colour["off_map"], **size)
        if self.shore is None:
            self._hexes(group)
            self._sea(group)
        else:
            self._natural_sea(group, self.shore)
        self._region_names(group)
        self._water_sides(group)
        self._grid(group)
        self._relief_sides(group)
        self._borders(group)
        self._unbuilt(group)
        self._roads(group)
        self._rails(group)
        self._numbers(group)
        self._cities(group)
        self._names(group)
        boxart.draw_panels(group, self.layout)
        return group

    def board(self, name: str, group: etree._Element) -> etree._Element:
        """The document of one board."""
        part = self.layout.board(name)
        document = svg.root(part.width, self.layout.height, (part.x, 0, part.width, self.layout.height))
        document.append(group)
        return document

    # --- areas -----------------------------------------------------------------------------

    def _hexes(self, group: etree._Element) -> None:
        """Land hexes in the tint of their terrain, with its texture."""
        for uv, info in self.land.items():
            terrain, fill = str(info["terrain"]), self._tint(info)
            svg.add(group, "polygon", points=svg.points(self.layout.corners(*uv)), fill=fill, stroke=fill)
            boxart.texture(group, terrain, self.layout.centre(*uv), seed=uv[0] * 64 + uv[1])

    def _natural_sea(self, group: etree._Element, shore: Shore) -> None:
        """Sea everywhere, and on it the land with its hexes. What of nature's land lies in a sea hex bears the tint of
        the hex beside it."""
        water = self._on_the_map(group)
        width, height = self.layout.width, self.layout.height
        svg.add(water, "rect", x=0, y=0, width=width, height=height, fill=self.colour["sea"])
        svg.add(water, "path", d=shore.path, fill="none", stroke=self.colour["shallow"], stroke_width=9)
        clip = svg.add(svg.add(group, "defs"), "clipPath", id="land-area")
        svg.add(clip, "path", d=shore.path, clip_rule="evenodd")
        land = svg.add(water, "g", clip_path="url(#land-area)")
        svg.add(land, "rect", x=0, y=0, width=width, height=height, fill=self.colour["clear"])
        for uv in self.land:
            if any(other in self.sea for other in neighbours(uv)):
                x, y = self.layout.centre(*uv)
                wide = [(x + (px - x) * 1.5, y + (py - y) * 1.5) for px, py in self.layout.corners(*uv)]
                svg.add(land, "polygon", points=svg.points(wide), fill=self._tint(self.land[uv]))
        self._hexes(land)
        svg.add(water, "path", d=shore.path, fill="none", stroke=self.colour["coast"], stroke_width=1.8)

    def _on_the_map(self, group: etree._Element) -> etree._Element:
        """A group of which only what lies on hexes is seen."""
        clip = svg.add(svg.add(group, "defs"), "clipPath", id="map-area")
        hexes = sorted((u, v) for _, u, v in self.layout.hexes())
        svg.add(clip, "path", d="".join(f"M{svg.points(self.layout.corners(*uv))}Z" for uv in hexes))
        return svg.add(group, "g", clip_path="url(#map-area)", stroke_linejoin="round")

    def _tint(self, info: Mapping[str, Any]) -> str:
        return self.colour["full_city"] if _is_full_city(info) else self.colour[str(info["terrain"])]

    def _sea(self, group: etree._Element) -> None:
        """The sea over the land's edge: a smooth shore inside the coast hexes."""
        for uv in self.sea:
            svg.add(group, "polygon", points=svg.points(self.layout.corners(*uv)), fill=self.colour["sea"])
        hexes = {(u, v) for _, u, v in self.layout.hexes()}
        shore = self._on_the_map(group)
        outline = sea_outline(self.layout, self.sea, hexes)
        svg.add(shore, "path", d=outline, fill="none", stroke=self.colour["coast"], stroke_width=19)
        svg.add(shore, "path", d=outline, fill="none", stroke=self.colour["shallow"], stroke_width=15.5)
        svg.add(shore, "path", d=outline, fill=self.colour["sea"], stroke=self.colour["shallow"], stroke_width=5)

    def _grid(self, group: etree._Element) -> None:
        for stroke, members in ((self.colour["grid_sea"], self.sea), (self.colour["grid"], set(self.land))):
            path = "".join(f"M{svg.points(self.layout.corners(*uv))}Z" for uv in sorted(members))
            svg.add(group, "path", d=path, fill="none", stroke=stroke, stroke_width=0.8, stroke_opacity=0.75)

    def _numbers(self, group: etree._Element) -> None:
        for name, u, v in self.layout.hexes():
            x, y = self.layout.centre(u, v)
            info = self.land.get((u, v))
            fill = self.colour["number" if info else "number_sea"]
            wet = self.shore is not None and info is not None and not self.shore.holds(x, y - 30)
            tint = self._tint(info) if info and not wet else self.colour["sea"]
            if info:
                svg.text(
                    group, x, y - 26.5, name[3:], 10, fill=tint, font_family=FONT, stroke=tint, stroke_width=3,
                    stroke_linejoin="round", stroke_opacity=0.8,
                )  # fmt: skip
            svg.text(group, x, y - 26.5, name[3:], 10, fill=fill, font_family=FONT)
            self.obstacles.append(Obstacle((x - 14, y - 36, x + 14, y - 26), 1.2))

    def _region_names(self, group: etree._Element) -> None:
        """Names of countries and seas, large and faint, under everything that counts."""
        for area in self.layout.areas:
            x, y = self.layout.pixel(area.hex)
            fill = self.colour["number_sea" if self.layout.locate(area.hex) in self.sea else "region"]
            svg.text(
                group, x, y + area.size * 0.35, area.text, area.size, fill=fill, font_family=FONT,
                font_style="italic", letter_spacing=area.size * 0.3, fill_opacity=0.5,
            )  # fmt: skip

    # --- hexsides --------------------------------------------------------------------------

    def side(self, a: UV, b: UV) -> tuple[tuple[float, float], tuple[float, float]]:
        """The two ends of the hexside between neighbours."""
        shared = [p for p in self.layout.corners(*a) if p in set(self.layout.corners(*b))]
        if len(shared) != 2:
            raise ValueError(f"{a} and {b} share no hexside")
        return shared[0], shared[1]

    def _water_sides(self, group: etree._Element) -> None:
        styles = {
            "river": (self.colour["river"], 3.0, ""), "major_river": (self.colour["river"], 7.0, ""),
            "lake": (self.colour["water_side"], 9.0, ""), "sea": (self.colour["water_side"], 9.0, ""),
            "canal": (self.colour["canal"], 5.0, "11 4"),
        }  # fmt: skip
        for row in self.pack["sides"]:
            if row["kind"] in styles:
                colour, width, dash = styles[row["kind"]]
                (x1, y1), (x2, y2) = self._pair(row)
                extra = {"stroke_dasharray": dash} if dash else {}
                svg.add(
                    group, "line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=colour, stroke_width=width,
                    stroke_linecap="butt" if dash else "round", **extra,
                )  # fmt: skip

    def _relief_sides(self, group: etree._Element) -> None:
        for row in self.pack["sides"]:
            ends = self._pair(row)
            if row["kind"] in ("escarpment", "impassable_escarpment"):
                low = self.layout.pixel(str(row["low"])) if row.get("low") else None
                boxart.escarpment(group, ends, low, self.colour, closed=row["kind"] != "escarpment")
            elif row["kind"] in ("wadi", "sebkha", "mountain"):
                boxart.plain_side(group, str(row["kind"]), ends, self.colour)

    def _borders(self, group: etree._Element) -> None:
        path = ""
        for row in self.pack["borders"]:
            (x1, y1), (x2, y2) = self._pair(row)
            path += f"M{x1},{y1}L{x2},{y2}"
        svg.add(
            group, "path", d=path, fill="none", stroke=self.colour["border"], stroke_width=2.6,
            stroke_dasharray="9 3 2 3", stroke_opacity=0.85,
        )  # fmt: skip

    def _pair(self, row: Mapping[str, Any]) -> tuple[tuple[float, float], tuple[float, float]]:
        return self.side(self.layout.locate(str(row["a"])), self.layout.locate(str(row["b"])))

    # --- lines -----------------------------------------------------------------------------

    def _links(self, kind: str) -> list[tuple[UV, UV]]:
        rows = [row for row in self.pack["lines"] if row["kind"] == kind]
        return [(self.layout.locate(str(r["a"])), self.layout.locate(str(r["b"]))) for r in rows]

    def _track(self, links: Iterable[tuple[UV, UV]], shift: float = 0.0) -> str:
        """A path along links, curved through hexes that two links meet in and that hold no town."""
        ends: dict[UV, list[UV]] = {}
        for a, b in links:
            ends.setdefault(a, []).append(b)
            ends.setdefault(b, []).append(a)
        path = ""
        for uv, others in sorted(ends.items()):
            x, y = (c + shift for c in self.layout.centre(*uv))
            halves = [self._half(uv, other, shift) for other in others]
            if len(halves) == 2 and not self._is_node(uv):
                (x1, y1), (x2, y2) = halves
                path += f"M{x1},{y1}Q{x},{y} {x2},{y2}"
            else:
                path += "".join(f"M{x},{y}L{hx},{hy}" for hx, hy in halves)
            self._block_line(uv, halves)
        return path

    def _half(self, a: UV, b: UV, shift: float) -> tuple[float, float]:
        (ax, ay), (bx, by) = self.layout.centre(*a), self.layout.centre(*b)
        return (ax + bx) / 2 + shift, (ay + by) / 2 + shift

    def _block_line(self, uv: UV, halves: list[tuple[float, float]]) -> None:
        x, y = self.layout.centre(*uv)
        for hx, hy in halves:
            for step in range(1, 8):
                px, py = x + (hx - x) * step / 7, y + (hy - y) * step / 7
                self.obstacles.append(Obstacle((px - 3, py - 3, px + 3, py + 3), 1.0))

    def _is_node(self, uv: UV) -> bool:
        """True where a line must run through the very centre: a town, or where road and rail meet."""
        info = self.land.get(uv)
        return bool(info and info.get("cities")) or uv in self.junctions

    def _roads(self, group: etree._Element) -> None:
        path = self._track(self._links("road"))
        svg.add(group, "path", d=path, fill="none", stroke="#ffffff", stroke_width=4.6, stroke_opacity=0.8)
        svg.add(group, "path", d=path, fill="none", stroke=self.colour["road"], stroke_width=2.2)

    def _rails(self, group: etree._Element) -> None:
        path = self._track(self._links("rail"), shift=2.5)
        for width, dash in ((2.0, "none"), (7.5, "1.6 7.4")):
            svg.add(
                group, "path", d=path, fill="none", stroke=self.colour["rail"], stroke_width=width,
                stroke_dasharray=dash,
            )  # fmt: skip

    def _unbuilt(self, group: etree._Element) -> None:
        for row in self.pack["unbuilt"]:
            spots = [self.layout.pixel(str(name)) for name in row["path"]]
            d = "M" + "L".join(f"{x + 4},{y + 4}" for x, y in spots)
            svg.add(
                group, "path", d=d, fill="none", stroke=self.colour["rail"], stroke_width=1.6,
                stroke_dasharray="6 5", stroke_opacity=0.55,
            )  # fmt: skip

    # --- towns and names -------------------------------------------------------------------

    def _cities(self, group: etree._Element) -> None:
        for uv, info in sorted(self.land.items()):
            centre = self.layout.centre(*uv)
            if info.get("fortress") == "yes":
                boxart.fortress(group, self.layout.corners(*uv), centre, self.colour["fortress"])
            for city in info["cities"]:
                boxart.city(group, str(city["class"]), centre, self.colour["city"])
                x, y = centre
                self.obstacles.append(Obstacle((x - 8, y - 8, x + 8, y + 8), 6.0))
            if info.get("port"):
                x, y = centre
                boxart.port(group, str(info["port"]), (x - 20, y + 14), self.colour["canal"])
                self.obstacles.append(Obstacle((x - 36, y + 4, x - 12, y + 24), 3.0))
            if info.get("terminal"):
                x, y = centre
                boxart.terminal(group, (x + 22, y + 14), self.colour.get(str(info["terminal"]), "#000000"))
                self.obstacles.append(Obstacle((x + 13, y + 4, x + 31, y + 24), 3.0))

    def _names(self, group: etree._Element) -> None:
        rows = [row for row in self.pack["places"] if row["class"] in _SIZES]
        labels: list[Label] = []
        for row in rows:
            x, y = self.layout.pixel(str(row["hex"]))
            size, rank, bold, clear = _SIZES[str(row["class"])]
            width = svg.text_width(str(row["name"]), size, bold=bold) * 0.9
            labels.append(Label(str(row["name"]), x, y, width, size * 1.05, clear, rank))
        bounds = (6.0, 6.0, self.layout.width - 6.0, self.layout.height - 6.0)
        cuts = [part.x for part in self.layout.boards[1:]]
        walls = [Obstacle((x - 1.5, 0, x + 1.5, self.layout.height), 400.0) for x in cuts]
        for row, rect in zip(rows, place(labels, [*self.obstacles, *walls], bounds), strict=True):
            self._name(group, row, rect)

    def _name(self, group: etree._Element, row: Mapping[str, Any], rect: tuple[float, float, float, float]) -> None:
        size, _, bold, _ = _SIZES[str(row["class"])]
        x, y = (rect[0] + rect[2]) / 2, rect[3] - size * 0.22
        style: dict[str, object] = {"font_family": NARROW, "font_weight": "bold" if bold else "normal"}
        if row["class"] == "place":
            style["font_style"] = "italic"
        halo = {**style, "stroke": self.colour["clear"], "stroke_width": 3, "stroke_linejoin": "round"}
        svg.text(group, x, y, str(row["name"]), size, fill=self.colour["clear"], stroke_opacity=0.85, **halo)
        svg.text(group, x, y, str(row["name"]), size, fill=self.colour["label"], **style)


# Font size, rank, bold, distance kept from the centre.
_SIZES = {
    "full": (15.0, 0, True, 14.0),
    "dot": (14.0, 1, True, 9.0),
    "ref": (12.5, 2, False, 9.0),
    "place": (11.5, 3, False, 2.0),
}


def _is_full_city(info: Mapping[str, Any]) -> bool:
    return any(city["class"] == "full" for city in info["cities"])


def input_digest(pack: Mapping[str, Any], board_file: Path) -> str:
    """What a board picture was drawn from, as a number: equal inputs give equal pictures."""
    parts = {name: pack.get(name) for name in DRAWN}
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
    shore = board_file.parent / FILE_NAME
    kept = shore.read_bytes() if shore.is_file() else b""
    return hashlib.sha256(text.encode("utf-8") + board_file.read_bytes() + kept).hexdigest()

"""Draws a game's counters and markers as SVG, in the colours its style file names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree

from adjudicator.vassal import svg
from adjudicator.vassal.board import read_yaml
from adjudicator.vassal.symbols import Frame, draw_aircraft, draw_symbol, wheels

# Markers that lie under the units are as large as the hex, their sign in a corner beside the counters.
TERRAIN_CANVAS = (84, 74)
NEUTRAL = {"paper": "#efe9d6", "ink": "#000000", "mark": "#444444", "name": ""}


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of one kind of counter."""

    paper: str
    ink: str
    bold: str


class Style:
    """A game's `style.yaml`: colours, letters, sizes, markers."""

    def __init__(self, tree: Mapping[str, Any]) -> None:
        self.size = int(tree["counter"]["size"])
        self.sizes: dict[str, str] = dict(tree["sizes"])
        self.letters: dict[str, str] = dict(tree["letters"])
        self.branch_letters: dict[str, str] = dict(tree.get("branch_letters", {}))
        self.markers: list[dict[str, Any]] = list(tree["markers"])
        self.sides: dict[str, dict[str, str]] = {str(row["side"]): row for row in tree["sides"]}
        self.biplanes = frozenset(str(model) for model in tree.get("biplanes", ()))
        frames = tree.get("airframes", {}).items()
        self._frames: dict[str, str] = {str(m): str(kind) for kind, models in frames for m in models}
        self._nations = {
            (str(row["nat"]), str(row.get("branch", ""))): Colours(
                str(row["paper"]), str(row["ink"]), str(row.get("bold", row["ink"]))
            )
            for row in tree["nations"]
        }

    @property
    def known(self) -> frozenset[tuple[str, str]]:
        """The nationalities and branches that have colours of their own."""
        return frozenset(self._nations)

    def colours(self, nat: str, branch: str, side: str) -> Colours:
        """Colours of a nationality and branch; a branch without its own has the nation's, and so on."""
        found = self._nations.get((nat, branch)) or self._nations.get((nat, ""))
        if found is not None:
            return found
        row = self.side(side)
        return Colours(row["paper"], row["ink"], row["ink"])

    def side(self, side: str) -> dict[str, str]:
        """Name and colours of a side; an unnamed one has neutral colours."""
        return self.sides.get(side, NEUTRAL)

    def airframe(self, model: str, kind: str) -> str:
        """The outline of a model of aircraft."""
        fallback = "single" if kind in ("F", "D") else "glider" if kind == "GT" else "twin"
        return self._frames.get(model) or fallback


def load_style(path: Path) -> Style:
    """The style of a `style.yaml`. Raises KeyError for a part it lacks."""
    return Style(read_yaml(path))


# --- ground units --------------------------------------------------------------------------


def strength_text(attack: str, defense: str, movement: str) -> str:
    """Figures as the rulebook writes them: 8-7-10, or 2-10 where attack and defense are equal."""
    return f"{attack}-{movement}" if attack == defense else f"{attack}-{defense}-{movement}"


def designation_text(style: Style, counter: Mapping[str, Any]) -> str:
    """The designation with letters of the nation or branch, unless it names them itself."""
    own = str(counter.get("designation", "")).strip("- ")
    letters = style.branch_letters.get(str(counter.get("branch", ""))) or style.letters.get(str(counter["nat"]), "")
    has_letters = any(c.isalpha() for c in own.replace("I", "").replace("V", "").replace("/", ""))
    return own if has_letters or not letters else f"{own} {letters}".strip()


def blank(size: int, colours: Colours) -> etree._Element:
    """An empty counter."""
    document = svg.root(size, size)
    svg.add(
        document, "rect", x=0.5, y=0.5, width=size - 1, height=size - 1, rx=4, fill=colours.paper,
        stroke="#222222", stroke_width=1,
    )  # fmt: skip
    return document


def fit(content: str, size: float, room: float, *, bold: bool) -> float:
    """The font size, smaller if the text would be wider than its room."""
    width = svg.text_width(content, size, bold=bold)
    return size if width <= room else size * room / width


def ground_counter(style: Style, counter: Mapping[str, Any], *, cadre: bool = False) -> bytes:
    """The front of a ground unit, or the back with its cadre strength."""
    colours = style.colours(str(counter["nat"]), str(counter.get("branch", "")), str(counter["side"]))
    document = blank(style.size, colours)
    if cadre:
        corner = f"1,1 {style.size - 1},1 1,{style.size - 1}"
        svg.add(document, "polygon", points=corner, fill="#ffffff", fill_opacity=0.28)
    frame = Frame(14.0, 13.0, 28.0, 17.0, colours.ink, colours.paper)
    kind = str(counter.get("hq_of") or counter.get("symbol") or counter["type"])
    draw_symbol(document, kind, frame)
    if counter.get("motorized") == "yes":
        wheels(document, frame)
    _top_line(document, style, counter, colours, cadre=cadre)
    _dots(document, counter, colours)
    name = designation_text(style, counter)
    size = fit(name, 9.0, 50.0, bold=True)
    svg.text(document, 28, 39.6, name, size, fill=colours.bold, font_weight="bold")
    _figures(document, counter, colours, cadre=cadre)
    return svg.to_bytes(document)


def _top_line(
    document: etree._Element, style: Style, counter: Mapping[str, Any], colours: Colours, *, cadre: bool
) -> None:
    """Size mark above the box; a headquarters says so, a cadre stands in brackets."""
    mark = style.sizes.get(str(counter["size"]), "")
    x, size = 28.0, 9.5
    if counter["size"] == "headquarters":
        mark, x, size = f"{mark} HQ", 32.0, 8.5
    if cadre:
        mark = f"({mark})"
    svg.text(document, x, 10.4, mark, size, fill=colours.ink, font_weight="bold")


def _dots(document: etree._Element, counter: Mapping[str, Any], colours: Colours) -> None:
    """The dot of a unit supported by its counter alone, and antiaircraft strength."""
    by_kind = counter["size"] in ("division", "headquarters") or counter.get("caps", {}).get("gives_support") == "yes"
    if counter.get("supported") == "yes" and not by_kind:
        svg.add(document, "circle", cx=48.5, cy=22, r=2.6, fill=colours.ink)
    if counter.get("aa"):
        letter = "H" if counter.get("aa_type") == "heavy" else "L"
        svg.text(document, 2.6, 10, f"{letter}{counter['aa']}", 7.5, text_anchor="start", fill=colours.ink)


def _figures(document: etree._Element, counter: Mapping[str, Any], colours: Colours, *, cadre: bool) -> None:
    attack, defense, movement = str(counter["attack"]), str(counter["defense"]), str(counter["movement"])
    if cadre:
        attack = defense = str(counter["cadre"])
        movement = str(counter.get("cadre_movement") or movement)
    figures = strength_text(attack, defense, movement)
    size = fit(figures, 14.5, 51.0, bold=True)
    svg.text(document, 28, 52.2, figures, size, fill=colours.ink, font_weight="bold")


# --- air units -----------------------------------------------------------------------------


def air_ratings(air: Mapping[str, Any]) -> tuple[str, str]:
    """Attack, type, defense; then tactical and strategic strength and movement: 1B3, 3-5/18."""
    strategic = str(air.get("strategic") or "0")
    bombs = f"{air['tactical']}-{strategic}" if strategic != "0" else str(air["tactical"])
    return f"{air['attack']}{air['type']}{air['defense']}", f"{bombs}/{air['movement']}"


def air_counter(style: Style, air: Mapping[str, Any], *, operative: bool = True) -> bytes:
    """The front of an air unit, or its inoperative side."""
    colours = style.colours(str(air["nat"]), str(air.get("branch", "")), str(air["side"]))
    document = blank(style.size, colours)
    if not operative:
        # Black on the faded paper of every nation: white ink could not be read on it.
        colours = Colours(colours.paper, "#000000", "#000000")
        whole = {"width": style.size - 2, "height": style.size - 2, "rx": 4}
        svg.add(document, "rect", x=1, y=1, fill="#ffffff", fill_opacity=0.45, **whole)
    model = str(air.get("model") or air["name"])
    svg.text(document, 28, 10, model, fit(model, 9.0, 52.0, bold=True), fill=colours.bold, font_weight="bold")
    frame = style.airframe(model, str(air["type"]))
    draw_aircraft(document, frame, 28, 23, colours.ink, biplane=model in style.biplanes)
    combat, bombing = air_ratings(air)
    svg.text(document, 28, 44.5, combat, fit(combat, 12.5, 50.0, bold=True), fill=colours.ink, font_weight="bold")
    svg.text(document, 28, 53.3, bombing, fit(bombing, 9.0, 50.0, bold=True), fill=colours.ink, font_weight="bold")
    if not operative:
        _inoperative(document, style.size)
    return svg.to_bytes(document)


def _inoperative(document: etree._Element, size: int) -> None:
    """The band across an inoperative unit."""
    svg.add(document, "rect", x=1, y=16, width=size - 2, height=13, fill="#b01818")
    svg.text(document, size / 2, 25.6, "INOP", 9.5, fill="#ffffff", font_weight="bold")


# --- overlays ------------------------------------------------------------------------------


def badge(size: int, letter: str, colour: str, corner: str) -> bytes:
    """A small round sign in a corner of a clear square, to lie over a counter."""
    document = svg.root(size, size)
    x = size - 8 if "right" in corner else 8
    y = size - 8 if "low" in corner else 8
    svg.add(document, "circle", cx=x, cy=y, r=7, fill=colour, stroke="#ffffff", stroke_width=1.4)
    svg.text(document, x, y + 3.7, letter, 10, fill="#ffffff", font_weight="bold")
    return svg.to_bytes(document)

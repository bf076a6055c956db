"""Shifting Sands: counters and cards as SVG, in the colours the style file names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lxml import etree

from adjudicator.vassal import svg
from adjudicator.vassal.board import read_yaml
from adjudicator.vassal.counters import Colours, Style, blank, fit
from adjudicator.vassal.symbols import Frame, draw_symbol

Row = Mapping[str, Any]


class SandsStyle(Style):
    """Colours and markers, the names of nations and the side of each."""

    def __init__(self, tree: Mapping[str, Any]) -> None:
        super().__init__(tree)
        self.names: dict[str, str] = {str(key): str(name) for key, name in tree["names"].items()}
        self.axis = frozenset(map(str, tree["axis"]))

    def side_of(self, nation: str) -> str:
        """The side a nation fights for."""
        return "axis" if nation in self.axis else "allied"


def load_sands_style(path: Path) -> SandsStyle:
    """The style of a `style.yaml`. Raises KeyError for a part it lacks."""
    return SandsStyle(read_yaml(path))


def factors(row: Row, *, reduced: bool = False) -> str:
    """Combat, loss and movement factor as players write them: 3-3-5 (SS 2.22)."""
    return f"{row['cf_reduced' if reduced else 'cf_full']}-{row['lf']}-{row['mf']}"


def title(row: Row) -> str:
    """What tells the counter from others of its nation: its number, or its number within its kind."""
    name = str(row["short"]).partition(" ")[2]
    for word, short in (("inf BG", ""), ("arm BG", ""), ("BG", ""), ("(upgrade ", "+"), (")", "")):
        name = name.replace(word, short)
    return name.strip()


def unit_counter(style: SandsStyle, row: Row, *, reduced: bool = False) -> bytes:
    """The front of a unit, or its reduced side with a stripe across."""
    nation = str(row["nation"])
    colours = style.colours(nation, "", style.side_of(nation))
    document = blank(style.size, colours)
    if reduced:
        corner = f"1,1 {style.size - 1},1 1,{style.size - 1}"
        svg.add(document, "polygon", points=corner, fill="#ffffff", fill_opacity=0.38)
    _head(document, style, row, colours, reduced=reduced)
    frame = Frame(14.0, 14.0, 28.0, 17.0, colours.ink, colours.paper)
    draw_symbol(document, "armor" if row["type"] == "armor" else "infantry", frame)
    if row.get("dot") == "yes":
        svg.add(document, "circle", cx=48.5, cy=22, r=2.8, fill=colours.ink)
    _foot(document, row, colours, reduced=reduced)
    return svg.to_bytes(document)


def _head(document: etree._Element, style: SandsStyle, row: Row, colours: Colours, *, reduced: bool) -> None:
    """Nation and size; the size of a reduced unit in brackets."""
    nation = str(row["nation"]).replace("FF_BR", "FF").replace("FF_US", "FF*")
    mark = style.sizes.get(str(row["size"]), "")
    svg.text(document, 3.5, 11, nation, 8.5, text_anchor="start", fill=colours.ink, font_weight="bold")
    words = f"({mark})" if reduced else mark
    svg.text(document, 52.5, 11, words, 9, text_anchor="end", fill=colours.ink, font_weight="bold")


def _foot(document: etree._Element, row: Row, colours: Colours, *, reduced: bool) -> None:
    name = title(row)
    size = fit(name, 9.0, 50.0, bold=True)
    svg.text(document, 28, 39.8, name, size, fill=colours.bold, font_weight="bold")
    figures = factors(row, reduced=reduced)
    size = fit(figures, 14.5, 51.0, bold=True)
    svg.text(document, 28, 52.6, figures, size, fill=colours.ink, font_weight="bold")

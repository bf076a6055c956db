"""All counters of a pack on one sheet, nation by nation, each front beside its back: to be looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from lxml import etree

from adjudicator.vassal import svg

COLUMNS: Final = 24
MARGIN, GAP, TITLE, SCALE = 12, 4, 26, 1.5


@dataclass(frozen=True, slots=True)
class Panel:
    """The counters below one title, by the names of their pictures."""

    title: str
    files: tuple[str, ...]


def counter_sheet(panels: Sequence[Panel], found: Mapping[str, bytes], size: int) -> bytes:
    """The sheet as SVG: panel by panel the pictures of counters of this size, each once."""
    step = size * SCALE + GAP
    width, y = int(2 * MARGIN + COLUMNS * step), float(MARGIN)
    group = etree.Element(f"{{{svg.NS}}}g", nsmap=svg.NSMAP)
    for panel in panels:
        attributes = {"text_anchor": "start", "font_weight": "bold", "fill": "#202020"}
        svg.text(group, MARGIN, y + TITLE - 8, panel.title, 15, **attributes)
        y += TITLE
        for index, name in enumerate(panel.files):
            x, down = MARGIN + (index % COLUMNS) * step, y + (index // COLUMNS) * step
            _put(group, found[name], x, down)
        y += -(-len(panel.files) // COLUMNS) * step
    document = svg.root(width, int(y + MARGIN))
    svg.add(document, "rect", width=width, height=int(y + MARGIN), fill="#e8e6e0")
    document.append(group)
    return svg.to_bytes(document)


def _put(group: etree._Element, picture: bytes, x: float, y: float) -> None:
    counter = etree.fromstring(picture)
    place = svg.add(group, "g", transform=f"translate({svg.num(x)} {svg.num(y)}) scale({svg.num(SCALE)})")
    place.extend(list(counter))

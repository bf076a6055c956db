"""All counters of a pack on one sheet, nation by nation, each front beside its back: to be looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from lxml import etree

from adjudicator.vassal import svg
from adjudicator.vassal.counters import Style
from adjudicator.vassal.wd_pieces import nation, pictures

Row = Mapping[str, Any]
COLUMNS: Final = 24
MARGIN, GAP, TITLE, SCALE = 12, 4, 26, 1.5
BACKS: Final = ("", "-cadre", "-inoperative")
SIDES: Final = (("allied", "Allied"), ("axis", "Axis"))


@dataclass(frozen=True, slots=True)
class Panel:
    """The counters below one title, by the names of their pictures."""

    title: str
    files: tuple[str, ...]


def counter_sheet(pack: Row, style: Style) -> bytes:
    """The sheet as SVG: ground and air units of each nation with their backs, then markers with every level."""
    found = pictures(pack, style)
    step = style.size * SCALE + GAP
    width, y = int(2 * MARGIN + COLUMNS * step), float(MARGIN)
    group = etree.Element(f"{{{svg.NS}}}g", nsmap=svg.NSMAP)
    for panel in _panels(pack, found):
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


def _panels(pack: Row, found: Mapping[str, bytes]) -> list[Panel]:
    units = [(row, kind) for kind in ("counters", "air") for row in pack[kind]]
    panels: dict[str, list[str]] = {}
    titles = dict(SIDES)
    for row, kind in units:
        side = titles.get(str(row["side"]), "Others")
        title = f"{side}: {nation(row)}, {'air units' if kind == 'air' else 'ground units'}"
        names = (f"images/{row['id']}{back}.svg" for back in BACKS)
        panels.setdefault(title, []).extend(name for name in names if name in found)
    drawn = {name for names in panels.values() for name in names}
    panels["Markers"] = [name for name in found if name not in drawn]
    return [Panel(title, tuple(panels[title])) for title in sorted(panels, key=_rank)]


def _rank(title: str) -> tuple[int, str]:
    order = ("Allied", "Axis", "Others", "Markers")
    return order.index(title.split(":")[0]), title

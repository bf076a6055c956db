"""Shifting Sands: kinds of counters, their traits and their pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from adjudicator.vassal.counters import badge
from adjudicator.vassal.countersheet import Panel
from adjudicator.vassal.markerpieces import STEP, marker_key, marker_pictures, marker_piece
from adjudicator.vassal.model import Palette, Piece, PrototypeDefinition
from adjudicator.vassal.registry import Registry
from adjudicator.vassal.ss_board import SandsLayout
from adjudicator.vassal.ss_cards import CARD, card_key, card_pictures, card_pieces
from adjudicator.vassal.ss_counters import SandsStyle, factors, unit_counter
from adjudicator.vassal.ss_markers import sands_painter
from adjudicator.vassal.traits import (
    Calculated,
    Delete,
    Label,
    Layer,
    Mark,
    MarkMoved,
    Prototype,
    SendTo,
    SubMenu,
    Trail,
    Trait,
    ctrl,
)

Row = Mapping[str, Any]

# Layers that show how a unit stands; a position sets them by these names. Their levels, the first as new.
SUPPLY = "Supply"
SUPPLIES = ("", "full", "limited", "oos")
DEED = "Deed"
DEEDS = ("", "moved", "joined", "fought", "retreated", "redeployed")
SAID = {
    "full": "full supply", "limited": "limited supply", "oos": "out of supply", "moved": "moved",
    "joined": "joins an attack", "fought": "fought", "retreated": "retreated", "redeployed": "redeployed",
}  # fmt: skip
_SIGNS = {
    "full": ("F", "#2f7a3a"), "limited": ("L", "#c07a00"), "oos": ("S", "#b01818"), "moved": ("M", "#1d6b3a"),
    "joined": ("J", "#7a5200"), "fought": ("A", "#c05a00"), "retreated": ("R", "#35509a"),
    "redeployed": ("D", "#6b3d8a"),
}  # fmt: skip
# Markers of which there is one: a new game puts them on the first cell of their tracks, and the palette has none.
POOLS = ("GE", "IT", "BR", "CW", "A")
"""The pools whose markers stand on the record from the start (SS 4.13); the American one comes later."""
AT_START = {
    "turn": "turn", "phase": "phase", "round": "round", "vp": "record", "ops": "record", "rd": "record",
    **{f"rp-{pool.lower()}": "record" for pool in POOLS},
}  # fmt: skip
SIDES = {"axis": "Axis", "allied": "Allied"}


def piece_keys(pack: Row, style: SandsStyle) -> list[str]:
    """The keys of all kinds of counters of a pack."""
    units = [str(row["id"]) for row in pack["counters"]]
    units += [card_key(str(row["id"])) for row in pack["cards"]]
    return units + [marker_key(str(spec["id"])) for spec in style.markers]


def prototypes(layout: SandsLayout) -> tuple[PrototypeDefinition, ...]:
    """What all units share: moving, trails, notes, signs of supply and deeds, sending to a box."""
    sends = [SendTo(box.name, "", layout.map, box.name) for box in layout.boxes]
    unit: list[Trait] = [
        Delete("Remove", ctrl("D")),
        MarkMoved("/images/moved.gif", 12, -36, "Mark moved", ctrl("M")),
        Trail(ctrl("T")),
        Label("Note", "Write a note", ctrl("L")),
        SubMenu("Send to", tuple(send.menu for send in sends)),
        *(SendTo(send.menu, f"57348,0,sendTo{n}", send.map, send.zone) for n, send in enumerate(sends)),
        _signs(SUPPLY, SUPPLIES, ctrl("U")),
        _signs(DEED, DEEDS, ctrl("E")),
    ]
    return (
        PrototypeDefinition("Unit", tuple(unit)),
        PrototypeDefinition("Marker", (Delete("Remove", ctrl("D")),)),
    )


def _signs(name: str, words: tuple[str, ...], key: str) -> Layer:
    pictures = ("", *(f"badge-{word}.svg" for word in words[1:]))
    return Layer(name, pictures, ("", *(f"+ ({SAID[word]})" for word in words[1:])), name, key)


def pieces(pack: Row, style: SandsStyle, registry: Registry) -> tuple[Piece, ...]:
    """All kinds of counters, in the order of the pack."""
    made = [_unit(row, style, registry) for row in pack["counters"]]
    made += [marker_piece(spec, style, registry) for spec in style.markers]
    return (*made, *card_pieces(pack, registry))


def _unit(row: Row, style: SandsStyle, registry: Registry) -> Piece:
    key, nation = str(row["id"]), str(row["nation"])
    marks = (
        ("PieceLayer", "Unit"), ("Kind", str(row["size"]).capitalize()), ("Side", SIDES[style.side_of(nation)]),
        ("Nation", style.names.get(nation, nation)), ("UnitType", str(row["type"])), ("Strength", factors(row)),
        ("CounterId", key), ("FullCF", str(row["cf_full"])), ("ReducedCF", str(row["cf_reduced"])),
        ("LF", str(row["lf"])), ("MF", str(row["mf"])),
    )  # fmt: skip
    own: tuple[Trait, ...] = (
        Prototype("Unit"),
        Mark(marks),
        Calculated("CF", f"{{{STEP}_Level==2?ReducedCF:FullCF}}"),
        Layer(STEP, (f"{key}.svg", f"{key}-reduced.svg"), ("", "+ (reduced)"), "Flip", ctrl("F")),
    )
    return Piece(key, registry.numbers[key], str(row["name"]), own, layer="Unit")


def pictures(pack: Row, style: SandsStyle) -> dict[str, bytes]:
    """The pictures of all counters by entry name."""
    files: dict[str, bytes] = {}
    for row in pack["counters"]:
        files[f"{row['id']}.svg"] = unit_counter(style, row)
        files[f"{row['id']}-reduced.svg"] = unit_counter(style, row, reduced=True)
    files.update(marker_pictures(style, sands_painter))
    files.update(card_pictures(pack, style))
    for word in (*SUPPLIES[1:], *DEEDS[1:]):
        letter, colour = _SIGNS[word]
        files[f"badge-{word}.svg"] = badge(style.size, letter, colour, "top right" if word in SUPPLIES else "low right")
    return {f"images/{name}": content for name, content in files.items()}


def palette(pack: Row, style: SandsStyle) -> Palette:
    """The tabs of the palette: the units of each side by nation, and markers."""
    tabs = [Palette("tab", title, _by_nation(pack, style, side)) for side, title in SIDES.items()]
    markers = tuple(marker_key(str(spec["id"])) for spec in style.markers if spec["id"] not in AT_START)
    tabs.append(Palette("panel", "Markers", pieces=markers))
    return Palette("tab", "Counters", tuple(tabs))


def _by_nation(pack: Row, style: SandsStyle, side: str) -> tuple[Palette, ...]:
    rows = [row for row in pack["counters"] if style.side_of(str(row["nation"])) == side]
    found = _nations(rows, style)
    return tuple(Palette("panel", name, pieces=tuple(str(row["id"]) for row in found[name])) for name in found)


def _nations(rows: Iterable[Row], style: SandsStyle) -> dict[str, list[Row]]:
    """Units by the name of their nation, in the style's order of nations; divisions first."""
    found: dict[str, list[Row]] = {name: [] for name in style.names.values()}
    for row in sorted(rows, key=lambda row: (row["size"] != "division", row["type"] != "armor", str(row["id"]))):
        found.setdefault(style.names.get(str(row["nation"]), str(row["nation"])), []).append(row)
    return {name: members for name, members in found.items() if members}


def panels(pack: Row, style: SandsStyle, found: Mapping[str, bytes]) -> list[Panel]:
    """The counters of the sheet: the units of each nation, each front beside its back, then markers."""
    made: list[Panel] = []
    for side, title in SIDES.items():
        rows = [row for row in pack["counters"] if style.side_of(str(row["nation"])) == side]
        for name, members in _nations(rows, style).items():
            files = [f"images/{row['id']}{back}.svg" for row in members for back in ("", "-reduced")]
            made.append(Panel(f"{title}: {name}", tuple(files)))
    drawn = {name for panel in made for name in panel.files}
    rest = [name for name in found if name not in drawn and not name.startswith(f"images/{CARD}")]
    return [*made, Panel("Markers", tuple(rest))]

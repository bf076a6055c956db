"""Western Desert: kinds of counters, their traits and their pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from adjudicator.vassal.board import BoardLayout
from adjudicator.vassal.counters import Style, air_counter, air_ratings, badge, ground_counter, strength_text
from adjudicator.vassal.markers import marker_levels, marker_picture, marker_size
from adjudicator.vassal.model import Palette, Piece, PrototypeDefinition
from adjudicator.vassal.registry import Registry
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
MARKER = "marker-"

# Layers that show how a unit stands; a position sets them by these names.
SUPPLY = "Supply"
CONDITION = "Condition"
CONDITIONS = ("", "attacked", "retreated", "disrupted")
STEP = "Step"
STATE = "State"

# Markers of which there is one: a new game puts them on their tracks, and the palette has none, since a
# counter of the module stands in one place only. The track of each.
AT_START = {"game-turn": "turn", "malta-status": "malta"}


def marker_key(marker_id: str) -> str:
    """The key of a marker among the counters."""
    return MARKER + marker_id


def piece_keys(pack: Row, style: Style) -> list[str]:
    """The keys of all kinds of counters of a pack."""
    units = [str(row["id"]) for row in (*pack["counters"], *pack["air"])]
    return units + [marker_key(str(spec["id"])) for spec in style.markers]


def prototypes(layout: BoardLayout) -> tuple[PrototypeDefinition, ...]:
    """What all units share: moving, trails, notes, supply and combat signs, sending to a box."""
    sends = [
        SendTo(box.name, "", layout.map, box.name) for box in layout.boxes if box.id.endswith(("_pool", "_scrapped"))
    ]
    unit: list[Trait] = [
        Delete("Remove", ctrl("D")),
        MarkMoved("/images/moved.gif", 12, -36, "Mark moved", ctrl("M")),
        Trail(ctrl("T")),
        Label("Note", "Write a note", ctrl("L")),
        SubMenu("Send to", tuple(send.menu for send in sends)),
        *(SendTo(send.menu, f"57348,0,sendTo{n}", send.map, send.zone) for n, send in enumerate(sends)),
    ]
    ground: list[Trait] = [
        Prototype("Unit"),
        Layer(SUPPLY, ("", "badge-supply.svg"), ("", "+ (out of supply)"), "Supply", ctrl("U")),
        Layer(CONDITION, ("", *(f"badge-{c}.svg" for c in CONDITIONS[1:])), _names(CONDITIONS), "Condition", ctrl("E")),
    ]
    marker: list[Trait] = [Delete("Remove", ctrl("D"))]
    return (
        PrototypeDefinition("Unit", tuple(unit)),
        PrototypeDefinition("Ground unit", tuple(ground)),
        PrototypeDefinition("Air unit", (Prototype("Unit"),)),
        PrototypeDefinition("Marker", tuple(marker)),
    )


def _names(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"+ ({word})" if word else "" for word in words)


def pieces(pack: Row, style: Style, registry: Registry) -> tuple[Piece, ...]:
    """All kinds of counters, in the order of the pack."""
    made = [_ground(row, registry) for row in pack["counters"]]
    made += [_air(row, registry) for row in pack["air"]]
    made += [_marker(spec, style, registry) for spec in style.markers]
    return tuple(made)


def _ground(row: Row, registry: Registry) -> Piece:
    key = str(row["id"])
    attack, defense, movement = str(row["attack"]), str(row["defense"]), str(row["movement"])
    marks = _marks(row, "Ground", strength_text(attack, defense, movement))
    marks += [("FullAttack", attack), ("FullDefense", defense), ("CadreStrength", str(row.get("cadre") or "0"))]
    own: list[Trait] = [Prototype("Ground unit"), Mark(tuple(marks))]
    if row.get("cadre"):
        own += [
            Calculated("Attack", f"{{{STEP}_Level==2?CadreStrength:FullAttack}}"),
            Calculated("Defense", f"{{{STEP}_Level==2?CadreStrength:FullDefense}}"),
            Layer(STEP, (f"{key}.svg", f"{key}-cadre.svg"), ("", "+ (cadre)"), "Flip", ctrl("F")),
        ]
        return Piece(key, registry.numbers[key], str(row["name"]), tuple(own), layer="Unit")
    own += [Mark((("Attack", attack), ("Defense", defense)))]
    return Piece(key, registry.numbers[key], str(row["name"]), tuple(own), image=f"{key}.svg", layer="Unit")


def _air(row: Row, registry: Registry) -> Piece:
    key = str(row["id"])
    combat, bombing = air_ratings(row)
    own: tuple[Trait, ...] = (
        Prototype("Air unit"),
        Mark(tuple(_marks(row, "Air", f"{combat} {bombing}"))),
        Layer(STATE, (f"{key}.svg", f"{key}-inoperative.svg"), ("", "+ (inoperative)"), "Flip", ctrl("F")),
    )
    return Piece(key, registry.numbers[key], str(row["name"]), own, layer="Unit")


def _marks(row: Row, kind: str, strength: str) -> list[tuple[str, str]]:
    return [
        ("PieceLayer", "Unit"),
        ("Kind", kind),
        ("Side", str(row["side"]).capitalize()),
        ("Nation", nation(row)),
        ("UnitType", str(row["type"]).replace("_", " ")),
        ("Size", str(row.get("size", ""))),
        ("Strength", strength),
        ("CounterId", str(row["id"])),
    ]


def nation(row: Row) -> str:
    """The nationality of a counter as a heading."""
    return str(row["nat"]).replace("_", " ").title().replace("Us", "US")


def _marker(spec: Row, style: Style, registry: Registry) -> Piece:
    key = marker_key(str(spec["id"]))
    marks = (("PieceLayer", str(spec["layer"])), ("Kind", "Marker"), ("Side", str(spec["side"]).capitalize()))
    own: list[Trait] = [Prototype("Marker")]
    if spec["layer"] == "Unit":
        own = [Prototype("Unit")]
    own.append(Mark(marks))
    width, height = marker_size(spec, style)
    levels = marker_levels(spec)
    if levels == 1:
        return Piece(
            key, registry.numbers[key], str(spec["name"]), tuple(own), f"{key}.svg", width, height, str(spec["layer"])
        )
    images = tuple(f"{key}-{level}.svg" for level in range(1, levels + 1))
    own.append(Layer(STEP, images, _level_names(spec, levels), "Next", ctrl("F")))
    return Piece(key, registry.numbers[key], str(spec["name"]), tuple(own), "", width, height, str(spec["layer"]))


def _level_names(spec: Row, levels: int) -> tuple[str, ...]:
    words = spec.get("levels")
    if words:
        return tuple(f"+ ({word})" for word in words)
    unit = "step" if spec["kind"] == "supply" else str(spec["kind"])
    return tuple(f"+ ({n} {unit}{'s' if n > 1 else ''})" for n in range(1, levels + 1))


def pictures(pack: Row, style: Style) -> dict[str, bytes]:
    """The pictures of all counters by entry name."""
    files: dict[str, bytes] = {}
    for row in pack["counters"]:
        files[f"{row['id']}.svg"] = ground_counter(style, row)
        if row.get("cadre"):
            files[f"{row['id']}-cadre.svg"] = ground_counter(style, row, cadre=True)
    for row in pack["air"]:
        files[f"{row['id']}.svg"] = air_counter(style, row)
        files[f"{row['id']}-inoperative.svg"] = air_counter(style, row, operative=False)
    for spec in style.markers:
        key, levels = marker_key(str(spec["id"])), marker_levels(spec)
        for level in range(1, levels + 1):
            name = f"{key}.svg" if levels == 1 else f"{key}-{level}.svg"
            files[name] = marker_picture(style, spec, level)
    files["badge-supply.svg"] = badge(style.size, "S", "#b01818", "top right")
    for condition, colour in zip(CONDITIONS[1:], ("#c05a00", "#35509a", "#6a1b8a"), strict=True):
        files[f"badge-{condition}.svg"] = badge(style.size, condition[0].upper(), colour, "low right")
    return {f"images/{name}": content for name, content in files.items()}


def palette(pack: Row, style: Style) -> Palette:
    """The tabs of the palette: ground units of each side by nation, air units, markers."""
    tabs: list[Palette] = []
    for side, title in (("allied", "Allied"), ("axis", "Axis")):
        ground = _by_nation(row for row in pack["counters"] if row["side"] == side)
        air = _by_nation(row for row in pack["air"] if row["side"] == side)
        tabs.append(Palette("tab", f"{title} ground", ground))
        tabs.append(Palette("tab", f"{title} air", air))
    rest = [row for row in (*pack["counters"], *pack["air"]) if row["side"] not in ("allied", "axis")]
    if rest:
        tabs.append(Palette("tab", "Others", _by_nation(rest)))
    markers = tuple(marker_key(str(spec["id"])) for spec in style.markers if spec["id"] not in AT_START)
    tabs.append(Palette("panel", "Markers", pieces=markers))
    return Palette("tab", "Counters", tuple(tabs))


def _by_nation(rows: Iterable[Row]) -> tuple[Palette, ...]:
    nations: dict[str, list[str]] = {}
    for row in rows:
        nations.setdefault(nation(row), []).append(str(row["id"]))
    return tuple(Palette("panel", name, pieces=tuple(keys)) for name, keys in nations.items())

"""Western Desert: kinds of counters, their traits and their pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from adjudicator.vassal.board import BoardLayout
from adjudicator.vassal.counters import Style, air_counter, air_ratings, badge, ground_counter, strength_text
from adjudicator.vassal.countersheet import Panel
from adjudicator.vassal.markerpieces import STEP, marker_key, marker_pictures, marker_piece
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

# Layers that show how a unit stands; a position sets them by these names.
SUPPLY = "Supply"
CONDITION = "Condition"
CONDITIONS = ("", "attacked", "retreated", "disrupted")
STATE = "State"

# Markers of which there is one: a new game puts them on their tracks, and the palette has none, since a
# counter of the module stands in one place only. The track of each.
AT_START = {"game-turn": "turn", "malta-status": "malta"}


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
    made += [marker_piece(spec, style, registry) for spec in style.markers]
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
    files.update(marker_pictures(style))
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


def panels(pack: Row, found: Mapping[str, bytes]) -> list[Panel]:
    """The counters of the sheet: ground and air units of each nation with their backs, then markers."""
    units = [(row, kind) for kind in ("counters", "air") for row in pack[kind]]
    made: dict[str, list[str]] = {}
    for row, kind in units:
        side = {"allied": "Allied", "axis": "Axis"}.get(str(row["side"]), "Others")
        title = f"{side}: {nation(row)}, {'air units' if kind == 'air' else 'ground units'}"
        names = (f"images/{row['id']}{back}.svg" for back in ("", "-cadre", "-inoperative"))
        made.setdefault(title, []).extend(name for name in names if name in found)
    drawn = {name for names in made.values() for name in names}
    made["Markers"] = [name for name in found if name not in drawn]
    order = ("Allied", "Axis", "Others", "Markers")
    return [Panel(title, tuple(made[title])) for title in sorted(made, key=lambda t: (order.index(t.split(":")[0]), t))]

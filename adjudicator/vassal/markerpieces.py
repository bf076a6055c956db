"""Markers as kinds of counters: one piece for each row of a style's `markers`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudicator.vassal.counters import Style
from adjudicator.vassal.markers import PainterOf, marker_levels, marker_picture, marker_size, painter_of
from adjudicator.vassal.model import Piece
from adjudicator.vassal.registry import Registry
from adjudicator.vassal.traits import Layer, Mark, Prototype, Trait, ctrl

Row = Mapping[str, Any]
MARKER = "marker-"
# The layer that shows a marker's steps or words; a position sets it by this name.
STEP = "Step"


def marker_key(marker_id: str) -> str:
    """The key of a marker among the counters."""
    return MARKER + marker_id


def marker_piece(spec: Row, style: Style, registry: Registry) -> Piece:
    """The piece of a marker. One that says `order` is read as that order where a player puts it on the map."""
    key, layer = marker_key(str(spec["id"])), str(spec["layer"])
    marks = [("PieceLayer", layer), ("Kind", "Marker"), ("Side", str(spec["side"]).capitalize())]
    if spec.get("order"):
        marks.append(("Order", str(spec["order"])))
    own: list[Trait] = [Prototype("Unit" if layer == "Unit" else "Marker"), Mark(tuple(marks))]
    width, height = marker_size(spec, style)
    levels, number, name = marker_levels(spec), registry.numbers[key], str(spec["name"])
    if levels == 1:
        return Piece(key, number, name, tuple(own), f"{key}.svg", width, height, layer)
    images = tuple(f"{key}-{level}.svg" for level in range(1, levels + 1))
    own.append(Layer(STEP, images, _level_names(spec, levels), "Next", ctrl("F")))
    return Piece(key, number, name, tuple(own), "", width, height, layer)


def _level_names(spec: Row, levels: int) -> tuple[str, ...]:
    words = spec.get("levels")
    if words:
        return tuple(f"+ ({word})" for word in words)
    unit = "step" if spec["kind"] == "supply" else str(spec["kind"])
    return tuple(f"+ ({n} {unit}{'s' if n > 1 else ''})" for n in range(1, levels + 1))


def marker_pictures(style: Style, painter: PainterOf = painter_of) -> dict[str, bytes]:
    """The faces of all markers by file name."""
    files: dict[str, bytes] = {}
    for spec in style.markers:
        key, levels = marker_key(str(spec["id"])), marker_levels(spec)
        for level in range(1, levels + 1):
            name = f"{key}.svg" if levels == 1 else f"{key}-{level}.svg"
            files[name] = marker_picture(style, spec, level, painter)
    return files

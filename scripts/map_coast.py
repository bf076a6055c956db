"""Land and sea: the extract of the coastline, the share of land in each hex, hexsides that are all sea."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from map_grid import Hex, Side, neighbours, outline, side
from map_projection import Georeference
from shapely import Polygon, box, prepare, segmentize
from shapely.geometry import LineString, mapping, shape
from shapely.ops import substring, unary_union

WINDOW = (9.0, 25.0, 41.5, 39.5)
"""West, south, east, north of the extract, in degrees: both sheets and a margin."""
DIGITS = 4
MAX_EDGE = 0.05
"""Degrees: longer straight pieces of coast are divided before they are projected."""
END_PART = 1 / 18
"""Land that only touches the end of a hexside leaves it a sea hexside."""


def extract(topojson: Path) -> dict[str, Any]:
    """The part of the Natural Earth land polygons that both sheets need, as GeoJSON.

    Args:
        topojson: ``land-10m.json`` of the npm package world-atlas 2.0.2 (Natural Earth 1:10m, public domain).
    """
    data = json.loads(topojson.read_text(encoding="utf-8"))
    arcs = _arcs(data)
    window = box(*WINDOW)
    parts = []
    for geometry in data["objects"]["land"]["geometries"]:
        polygons = geometry["arcs"] if geometry["type"] == "MultiPolygon" else [geometry["arcs"]]
        for rings in polygons:
            outer, *holes = (_ring(ring, arcs) for ring in rings)
            polygon = Polygon(outer, [hole for hole in holes if len(hole) > 3])
            if polygon.intersects(window):
                parts.append(polygon.buffer(0).intersection(window))
    land = unary_union(parts)
    return {
        "type": "Feature",
        "properties": {
            "source": "Natural Earth 1:10m land polygons (public domain), from the npm package world-atlas 2.0.2",
            "window": "9 to 41.5 degrees east, 25 to 39.5 degrees north",
        },
        "geometry": _rounded(mapping(land)),
    }


def land_polygon(coastline: dict[str, Any], earth: Georeference) -> Any:
    """The land in the plane of the hex grid."""
    parts = []
    for polygon in _polygons(shape(coastline["geometry"])):
        fine = segmentize(polygon, MAX_EDGE)
        rings = [earth.points([(lat, lon) for lon, lat in ring.coords]) for ring in (fine.exterior, *fine.interiors)]
        parts.append(Polygon(rings[0], rings[1:]).buffer(0))
    land = unary_union(parts)
    prepare(land)
    return land


def land_shares(hexes: list[Hex], land: Any) -> dict[Hex, float]:
    """The share of each hex that is land, 0 to 1."""
    shares = {}
    for hex_ in hexes:
        polygon = Polygon(outline(hex_))
        shares[hex_] = polygon.intersection(land).area / polygon.area if land.intersects(polygon) else 0.0
    return shares


def sea_sides(land_hexes: set[Hex], land: Any) -> set[Side]:
    """Hexsides between land hexes on which no land lies, their ends aside."""
    found = set()
    for hex_ in land_hexes:
        for other in neighbours(hex_):
            if hex_ < other and other in land_hexes:
                middle = substring(_line(hex_, other), END_PART, 1 - END_PART, normalized=True)
                if not land.intersects(middle):
                    found.add(side(hex_, other))
    return found


def _line(one: Hex, other: Hex) -> LineString:
    near = {(round(x, 1), round(y, 1)) for x, y in outline(other)}
    return LineString([p for p in outline(one) if (round(p[0], 1), round(p[1], 1)) in near])


def _arcs(data: dict[str, Any]) -> list[list[tuple[float, float]]]:
    scale, shift = data["transform"]["scale"], data["transform"]["translate"]
    arcs = []
    for arc in data["arcs"]:
        x = y = 0
        points = []
        for dx, dy in arc:
            x, y = x + dx, y + dy
            points.append((x * scale[0] + shift[0], y * scale[1] + shift[1]))
        arcs.append(points)
    return arcs


def _ring(ids: list[int], arcs: list[list[tuple[float, float]]]) -> list[tuple[float, float]]:
    ring: list[tuple[float, float]] = []
    for number in ids:
        points = arcs[number] if number >= 0 else arcs[~number][::-1]
        ring += points if not ring else points[1:]
    return ring


def _polygons(geometry: Any) -> list[Any]:
    return list(geometry.geoms) if geometry.geom_type == "MultiPolygon" else [geometry]


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    return value

#!/usr/bin/env python3
"""Works out the shore of the boards: coastline and hexes of a pack -> art/shore.json, in pixels of the board.

Usage: build_shore.py [SYSTEM] [--check]

Needs numpy, scipy, pyproj and shapely (`pip install adjudicator[maps]`). With --check nothing is written; exit 1 when
the kept shore is another one (by its sea hexes, its grid or more than a thousandth of its land: releases of the
libraries differ in single points). The shore is nature's (Natural Earth), bent only where the hex map asks for it: the
middle of a land hex, its roads and its passable hexsides are land, the middle of a sea hex is water.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from build_map import ROOT, read
from map_coast import land_polygon
from map_grid import HEIGHT, WIDTH
from map_projection import Georeference
from shapely import LineString, Point, Polygon, box, set_precision
from shapely.affinity import affine_transform
from shapely.ops import unary_union

sys.path.insert(0, str(ROOT))

from adjudicator.packs import load_pack
from adjudicator.vassal.board import BoardLayout, load_board, neighbours
from adjudicator.vassal.shore import FILE_NAME, grid_of

MARGIN = 200
CITY, TRACK, NECK, WATER = 13, 8, 7, 22
"""Pixels around the middle of a land hex, along a road, between hexes, around the middle of a sea hex."""
SMOOTH, FINE, POINTS, PRECISION = 7, 4, 0.7, 0.1
SMALLEST_ISLAND, SMALLEST_LAKE = 60, 900
SAME = 0.001
UNDRAWN = ("sea", "lake")
UV = tuple[int, int]


def shore(folder: Path) -> dict[str, Any]:
    """The shore of a pack folder: land as rings of pixels, the grid and the sea hexes it is made for."""
    layout, tree = load_board(folder / "art" / "board.yaml"), load_pack(folder.name).tree
    land = displayed(layout, tree, natural(folder, layout))
    parts = [part for part in _parts(land) if part.area > SMALLEST_ISLAND]
    rings: list[Any] = []
    for part in (part.simplify(POINTS) for part in parts):
        rings.append(part.exterior)
        rings += [ring for ring in part.interiors if Polygon(ring).area > SMALLEST_LAKE]
    lines = [[[round(x, 1), round(y, 1)] for x, y in ring.coords[:-1]] for ring in rings]
    return {"grid": list(grid_of(layout)), "sea": sorted(map(str, tree["sea"])), "land": sorted(lines)}


def natural(folder: Path, layout: BoardLayout) -> Any:
    """Nature's land in pixels of the board."""
    earth = Georeference(read(folder / "georeference.yaml"), read(folder / "geography.yaml")["control_points"])
    land = land_polygon(json.loads((folder / "coastline.json").read_text(encoding="utf-8")), earth)
    across, down = layout.dx / WIDTH, layout.dy / HEIGHT
    x, y = layout.left + layout.radius - layout.dx, layout.top + layout.dy / 2 - layout.first_v * layout.dy
    frame = box(-MARGIN, -MARGIN, layout.width + MARGIN, layout.height + MARGIN)
    return affine_transform(land, [across, 0, 0, down, x, y]).intersection(frame)


def displayed(layout: BoardLayout, tree: dict[str, Any], land: Any) -> Any:
    """The land as it is drawn: nature's, without islets in sea hexes, and with all that must be land."""
    hexes = {layout.locate(str(row["hex"])) for row in tree["hexes"]}
    area = unary_union([Polygon(layout.corners(*uv)).buffer(0.3) for uv in sorted(hexes)])
    sea = unary_union([Polygon(layout.corners(*layout.locate(str(name)))) for name in tree["sea"]])
    real = [part for part in _parts(land) if part.intersection(area).area >= part.intersection(sea).area]
    middles = [Point(layout.centre(*uv)).buffer(CITY) for uv in sorted(hexes)]
    roads = [_between(layout, row).buffer(TRACK) for row in tree["lines"]]
    solid = unary_union([*real, *middles, *roads, *_necks(layout, tree, hexes)])
    water = unary_union([Point(layout.pixel(str(name))).buffer(WATER) for name in tree["sea"]])
    return _smooth(_smooth(solid, SMOOTH).difference(water), FINE).intersection(unary_union([area, sea]).buffer(30))


def _necks(layout: BoardLayout, tree: dict[str, Any], hexes: set[UV]) -> list[Any]:
    """What joins land hexes across hexsides that are no water: bands from middle to middle, and what lies between."""
    wet = [row for row in tree["sides"] if row["kind"] in UNDRAWN]
    shut = {frozenset((layout.locate(str(row["a"])), layout.locate(str(row["b"])))) for row in wet}
    found = []
    for uv in sorted(hexes):
        around = neighbours(uv)
        dry = [other in hexes and frozenset((uv, other)) not in shut for other in around]
        for index, other in enumerate(around):
            third, next_dry = around[(index + 1) % 6], dry[(index + 1) % 6]
            if dry[index] and uv < other:
                found.append(LineString([layout.centre(*uv), layout.centre(*other)]).buffer(NECK))
            if dry[index] and next_dry and frozenset((other, third)) not in shut:
                found.append(Polygon([layout.centre(*p) for p in (uv, other, third)]).buffer(1))
    return found


def _between(layout: BoardLayout, row: dict[str, Any]) -> LineString:
    return LineString([layout.pixel(str(row["a"])), layout.pixel(str(row["b"]))])


def _smooth(land: Any, size: float) -> Any:
    for step in (size, -2 * size, size):
        # On points closer together than this the buffers of GEOS lose whole islands.
        land = set_precision(land, PRECISION).buffer(step)
    return land


def _parts(land: Any) -> list[Any]:
    return [part for part in getattr(land, "geoms", [land]) if part.geom_type == "Polygon"]


def alike(kept: dict[str, Any], found: dict[str, Any]) -> bool:
    """Whether two shores are made for the same hexes and show the same land."""
    one, two = _area(kept), _area(found)
    same_hexes = all(kept[part] == found[part] for part in ("grid", "sea"))
    return bool(same_hexes and one.symmetric_difference(two).area < SAME * two.area)


def _area(tree: dict[str, Any]) -> Any:
    """The land of a kept shore: what lies within an odd number of its lines."""
    land: Any = Polygon()
    for ring in sorted(tree["land"], key=lambda ring: -Polygon(ring).area):
        land = land.symmetric_difference(Polygon(ring).buffer(0))
    return land


def main(arguments: list[str]) -> int:
    """Work out and write, or compare; the exit code."""
    names = [argument for argument in arguments if not argument.startswith("-")] or ["western-desert"]
    folder = ROOT / "module" / names[0]
    target, found = folder / "art" / FILE_NAME, shore(folder)
    if "--check" in arguments:
        same = target.is_file() and alike(json.loads(target.read_text(encoding="utf-8")), found)
        print(f"{target.name} is {'up to date' if same else 'another one: run scripts/build_shore.py'}")
        return 0 if same else 1
    text = json.dumps(found, separators=(",", ":")) + "\n"
    target.write_text(text, encoding="utf-8", newline="\n")
    print(f"{target.relative_to(ROOT)}: {len(text)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

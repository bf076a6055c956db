#!/usr/bin/env python3
"""Works out where the spaces of Shifting Sands lie on its board, and the shore that fits them.

Usage: sands_places.py [--check]

Needs numpy, scipy and shapely (`pip install adjudicator[maps]`). Reads the pack, `art/board.yaml` (panels) and
`coastline.json`; writes `art/places.json`: the middle of each space, the land as rings and the borders of regions as
lines midway between their spaces, in pixels of the board. Each panel stretches longitude and latitude so that close
places get room, then spaces that would cover each other push each other apart; the shore is bent along with them, and
what joins land spaces is land. With --check nothing is written; exit 1 when a kept space lies elsewhere.
"""

from __future__ import annotations

import json
import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from scipy.interpolate import RBFInterpolator
from shapely import LineString, MultiPoint, Point, Polygon, box, line_merge, set_precision, voronoi_polygons
from shapely.geometry import shape
from shapely.ops import unary_union

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from adjudicator.packs import load_pack  # noqa: E402
from adjudicator.vassal.board import read_yaml  # noqa: E402

FOLDER = ROOT / "module" / "shifting-sands"
ROOM = np.array([134.0, 138.0])
"""How far two spaces must lie apart, across or down, so that counters, names and the line below a name fit."""
ROUNDS, PULL, EDGE = 3000, 0.012, 70
LAND, ROAD, SMOOTH, SMALLEST, POINTS = 52, 16, 6, 260, 0.8
BEND, SHORTEST, ASHORE, NEAR = 14, 20, 20, 330
"""How far a border may be straightened, how long a piece of one must be to be drawn, how far it runs off the shore and
away from all spaces.
"""


class Panel:
    """A frame of the board with its own stretching of longitude and latitude."""

    def __init__(self, row: dict[str, Any]) -> None:
        self.x, self.y, self.width, self.height = (float(row[key]) for key in ("x", "y", "width", "height"))
        self.areas = set(row["areas"])
        self.across = np.array(row["across"], dtype=float)
        self.down = np.array(row["down"], dtype=float)
        self.shift: RBFInterpolator | None = None

    def flat(self, points: np.ndarray) -> np.ndarray:
        """Longitude and latitude as pixels, before spaces push each other apart."""
        x = _along(points[:, 0], self.across)
        y = _along(points[:, 1], self.down)
        return np.stack([x, y], axis=1)

    def bent(self, points: np.ndarray) -> np.ndarray:
        """Longitude and latitude as pixels, moved as the spaces near them were."""
        flat = self.flat(points)
        return flat if self.shift is None else flat + self.shift(flat)

    def frame(self) -> Any:
        """The panel's rectangle."""
        return box(self.x, self.y, self.x + self.width, self.y + self.height)


def _along(values: np.ndarray, stops: np.ndarray) -> np.ndarray:
    """Straight pieces between stops of degree and pixel, the outer pieces going on."""
    stops = stops[np.argsort(stops[:, 0])]
    degrees, pixels = stops[:, 0], stops[:, 1]
    found = np.interp(values, degrees, pixels)
    for one, two, beyond in ((0, 1, values < degrees[0]), (-1, -2, values > degrees[-1])):
        slope = (pixels[two] - pixels[one]) / (degrees[two] - degrees[one])
        found = np.where(beyond, pixels[one] + (values - degrees[one]) * slope, found)
    return np.asarray(found)


def settled(panel: Panel, start: np.ndarray, fixed: np.ndarray) -> np.ndarray:
    """Where points come to rest that are pulled to their start and push apart those too close."""
    at = start.copy()
    low = np.array([panel.x + EDGE, panel.y + EDGE])
    high = np.array([panel.x + panel.width - EDGE, panel.y + panel.height - EDGE])
    for step in range(ROUNDS):
        gap = at[:, None, :] - at[None, :, :]
        short = np.maximum(0.0, 1.0 - np.max(np.abs(gap) / ROOM, axis=2))
        np.fill_diagonal(short, 0.0)
        way = np.where(np.abs(gap[:, :, :1]) / ROOM[0] >= np.abs(gap[:, :, 1:]) / ROOM[1], [1.0, 0.35], [0.35, 1.0])
        push = np.sign(gap) * way * short[:, :, None] * ROOM * 0.25
        pull = (start - at) * PULL * (1 - step / ROUNDS)
        at = np.where(fixed[:, None], at, np.clip(at + push.sum(axis=1) + pull, low, high))
    return np.round(at)


def positions(tree: dict[str, Any], board: dict[str, Any]) -> tuple[dict[str, list[int]], list[Panel]]:
    """The middle of each space, and the panels bent to fit."""
    placed = {str(row["name"]): [int(row["x"]), int(row["y"])] for row in board["placed"]}
    panels = [Panel(row) for row in board["panels"]]
    for panel in panels:
        rows = [row for row in tree["spaces"] if row["area"] in panel.areas and row["name"] not in placed]
        start = panel.flat(np.array([[float(row["lon"]), float(row["lat"])] for row in rows]))
        nudged = {str(row["name"]): (row["dx"], row["dy"]) for row in board.get("nudged", ())}
        start += np.array([nudged.get(str(row["name"]), (0, 0)) for row in rows], dtype=float)
        inside = [spot for spot in placed.values() if panel.frame().contains(Point(spot))]
        points = np.concatenate([start, np.array(inside, dtype=float).reshape(-1, 2)])
        fixed = np.arange(len(points)) >= len(rows)
        at = settled(panel, points, fixed)[: len(rows)]
        placed.update({str(row["name"]): [int(x), int(y)] for row, (x, y) in zip(rows, at, strict=True)})
        real = panel.flat(np.array([[float(row["lon"]), float(row["lat"])] for row in rows]))
        panel.shift = _shift(panel, real, at)
    return dict(sorted(placed.items())), panels


def _shift(panel: Panel, start: np.ndarray, at: np.ndarray) -> RBFInterpolator:
    """How far a point of the panel moves: as the spaces near it, not at all far away."""
    grid = np.linspace(0, 1, 9)
    rim = [(x, y) for x in grid for y in (-0.15, 1.15)] + [(x, y) for y in grid for x in (-0.15, 1.15)]
    corner, size = np.array([panel.x, panel.y]), np.array([panel.width, panel.height])
    anchors = corner + np.array(rim) * size
    known = np.concatenate([start, anchors])
    moves = np.concatenate([at - start, np.zeros_like(anchors)])
    return RBFInterpolator(known, moves, kernel="thin_plate_spline", smoothing=40.0)


def land(tree: dict[str, Any], panel: Panel, spots: dict[str, list[int]]) -> list[Any]:
    """The land of a panel: nature's, bent, and all that spaces and the lines between them need."""
    window = json.loads((FOLDER / "coastline.json").read_text(encoding="utf-8"))
    parts = []
    for part in shape(window["geometry"]).geoms:
        shell = _ring(panel, part.exterior)
        holes = unary_union([_ring(panel, ring) for ring in part.interiors])
        parts.append(shell.difference(holes))
    dry = [row for row in tree["spaces"] if row["area"] in panel.areas and row["terrain"] != "box"]
    names = {str(row["name"]) for row in dry}
    solid = [Point(spots[name]).buffer(LAND) for name in sorted(names)]
    roads = [row for row in tree["links"] if {row["a"], row["b"]} <= names and row.get("only") != "allied"]
    solid += [LineString([spots[str(row["a"])], spots[str(row["b"])]]).buffer(ROAD) for row in roads]
    whole = unary_union([*parts, *solid]).intersection(panel.frame())
    for step in (SMOOTH, -2 * SMOOTH, SMOOTH):
        whole = set_precision(whole, 0.1).buffer(step)
    return [p for p in getattr(whole, "geoms", [whole]) if p.geom_type == "Polygon" and p.area > SMALLEST]


def borders(tree: dict[str, Any], panel: Panel, spots: dict[str, list[int]], ground: Any) -> list[Any]:
    """Lines on land midway between the spaces of different regions."""
    rows = [row for row in tree["spaces"] if row["area"] in panel.areas and row["terrain"] != "box"]
    here = {tuple(spots[str(row["name"])]): str(row["region"]) for row in rows}
    parts: dict[str, list[Any]] = {}
    for cell in voronoi_polygons(MultiPoint(list(here)), extend_to=panel.frame()).geoms:
        region = next(region for spot, region in here.items() if cell.contains(Point(spot)))
        parts.setdefault(region, []).append(cell)
    whole = {region: unary_union(cells) for region, cells in parts.items()}
    near = unary_union([Point(spot).buffer(NEAR) for spot in here])
    ground = ground.buffer(ASHORE).intersection(near).intersection(panel.frame())
    found: list[Any] = []
    for one, two in combinations(sorted(whole), 2):
        shared = line_merge(whole[one].boundary.intersection(whole[two].boundary)).intersection(ground)
        lines = getattr(shared, "geoms", [shared])
        found += [line.simplify(BEND) for line in lines if line.geom_type == "LineString" and line.length > SHORTEST]
    return found


def _ring(panel: Panel, ring: Any) -> Any:
    """A ring of degrees as an area of pixels; long edges are cut first, so that they bend."""
    dense = ring.segmentize(0.25)
    return Polygon(panel.bent(np.array(dense.coords)[:, :2])).buffer(0)


def found() -> dict[str, Any]:
    """All that is kept."""
    tree, board = load_pack("shifting-sands").tree, read_yaml(FOLDER / "art" / "board.yaml")
    spots, panels = positions(tree, board)
    rings: list[Any] = []
    lines: list[Any] = []
    for panel in panels:
        parts = land(tree, panel, spots)
        for line in borders(tree, panel, spots, unary_union(parts)):
            lines.append([[round(x, 1), round(y, 1)] for x, y in line.coords])
        for part in parts:
            part = part.simplify(POINTS)
            for ring in (part.exterior, *(r for r in part.interiors if Polygon(r).area > SMALLEST)):
                rings.append([[round(x, 1), round(y, 1)] for x, y in ring.coords[:-1]])
    return {"spaces": spots, "land": sorted(rings), "borders": sorted(lines)}


def main(arguments: list[str]) -> int:
    """Work out and write, or compare; the exit code."""
    target, tree = FOLDER / "art" / "places.json", found()
    if "--check" in arguments:
        kept = json.loads(target.read_text(encoding="utf-8"))["spaces"] if target.is_file() else {}
        far = [name for name, spot in tree["spaces"].items() if np.abs(np.array(spot) - kept.get(name, -9)).max() > 2]
        print(f"{len(far)} spaces lie elsewhere" + (": run scripts/sands_places.py" if far else ""))
        return 1 if far else 0
    text = json.dumps(tree, separators=(",", ":")) + "\n"
    target.write_text(text, encoding="utf-8", newline="\n")
    print(f"{target.relative_to(ROOT)}: {len(tree['spaces'])} spaces, {len(tree['land'])} rings, {len(text)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

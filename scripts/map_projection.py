"""From latitude and longitude to the plane of the hex grid (georeference.yaml)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from map_grid import Point, centre, parse
from pyproj import Proj
from scipy.interpolate import RBFInterpolator

METRES_PER_MILE = 1609.344


class Georeference:
    """The conic projection bent by a thin-plate spline, which puts every anchor exactly on its hex."""

    def __init__(self, georeference: dict[str, Any], control_points: list[dict[str, Any]]) -> None:
        self._proj = Proj(georeference["projection"]["proj"])
        anchors = [*georeference["anchors"], *control_points]
        miles = self._miles([(a["lat"], a["lon"]) for a in anchors])
        hexes = np.array([centre(parse(a["hex"])) for a in anchors])
        self._spline = RBFInterpolator(miles, hexes, kernel="thin_plate_spline", degree=1)

    def points(self, places: Iterable[Any]) -> list[Point]:
        """Points of the grid plane, in miles, for pairs of latitude and longitude."""
        found = self._spline(self._miles([(place[0], place[1]) for place in places]))
        return [(float(x), float(y)) for x, y in found]

    def point(self, lat: Any, lon: Any) -> Point:
        """One point of the grid plane."""
        return self.points([(lat, lon)])[0]

    def _miles(self, places: list[tuple[Any, Any]]) -> Any:
        lat = np.array([float(p[0]) for p in places])
        lon = np.array([float(p[1]) for p in places])
        x, y = self._proj(lon, lat)
        return np.column_stack([x, y]) / METRES_PER_MILE

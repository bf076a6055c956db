"""Builds the records of map.yaml from the geography: land, countries, terrain, hexsides, lines and places."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from map_coast import land_polygon, land_shares, sea_sides
from map_grid import Hex, Sheets, Side, SideGraph, at, centre, neighbours, outline, parse, side
from map_lines import HexLines, SideLines
from map_projection import Georeference
from shapely import Polygon, prepare
from shapely.geometry import Point as Dot

Row = dict[str, Any]

SOURCES = {
    "rulebook": "rulebook",
    "published": "sibling",
    "high": "history",
    "medium": "history",
    "low": "inferred",
}
"""Confidence words of the geography and the source class that they stand for."""
RANK = (
    "wadi",
    "mountain",
    "river",
    "major_river",
    "canal",
    "escarpment",
    "sebkha",
    "impassable_escarpment",
    "lake",
)
"""A hexside has one kind: of two lines on it the one that ranks higher stays, of two equals the later."""
NO_LINE_OVER = ("sea", "lake", "sebkha", "impassable_escarpment")
TERRAIN_SHARE = 0.5
DELTA = {"west": "19/2423", "south": "19/3127"}
CYRENAICA_FROM = 29
"""First column of map 18 that is in Cyrenaica (WD 3.C)."""


class Builder:
    """Puts the geography on the hexes. ``build`` gives the lists of map.yaml, in its order."""

    def __init__(self, geography: Row, georeference: Row, coastline: Row) -> None:
        self.data, self.sheets = geography, Sheets.full()
        self.earth = Georeference(georeference, geography["control_points"])
        self.ground = land_polygon(coastline, self.earth)
        self.overrides = geography["coast_overrides"]
        self.land = self._land()
        self.sea = [hex_ for hex_ in self.sheets.hexes if hex_ not in self.land]
        self.sea_set = set(self.sea)
        self.open_sea = sea_sides(self.land, self.ground) - self._opened()
        self.country = self._countries()
        self.terrain = self._terrain()
        self.places = {p["name"]: self._place_hex(p) for p in geography["places"]}
        self.sides = self._sides()
        self.delta = self._flood(parse(DELTA["west"]), centre(parse(DELTA["south"]))[1])

    def build(self) -> Row:
        """All lists of map.yaml."""
        return {
            "hexes": [self._hex(hex_) for hex_ in self.sheets.hexes if hex_ in self.land],
            "sea": [self.sheets.name(hex_) for hex_ in self.sea],
            "places": [self._place(p) for p in sorted(self.data["places"], key=lambda p: str(p["name"]))],
            "hexsides": sorted(self._side_rows(), key=lambda row: (row["a"], row["b"])),
            "borders": sorted(self._borders()),
            "railroads": self._segments("railways"),
            "roads": self._segments("roads"),
            "unbuilt_railroads": self._unbuilt(),
        }

    def _land(self) -> set[Hex]:
        least = float(self.data["meta"]["land_min_fraction"])
        shares = land_shares(self.sheets.hexes, self.ground)
        land = {hex_ for hex_, share in shares.items() if share >= least}
        land |= {parse(row["hex"]) for row in self.overrides["land"]}
        return land - {parse(row["hex"]) for row in self.overrides["sea"]}

    def _opened(self) -> set[Side]:
        """Open though the coastline shuts them: hexsides named, and all of a hex that is land by rule."""
        named = {side(*map(parse, row["side"].split("|"))) for row in self.overrides["hexsides_open"]}
        ruled = {parse(row["hex"]) for row in self.overrides["land"]}
        return named | {side(hex_, other) for hex_ in ruled for other in neighbours(hex_)}

    def _polygon(self, corners: list[Any]) -> Any:
        polygon = Polygon(self.earth.points(corners)).buffer(0)
        prepare(polygon)
        return polygon

    def _countries(self) -> dict[Hex, Row]:
        """The first country whose polygon holds the middle of the hex, or that named for the hex."""
        polygons = [(row, self._polygon(row["polygon"])) for row in self.data["countries"]]
        found = {}
        for hex_ in self.land:
            middle = Dot(centre(hex_))
            found[hex_] = next(row for row, polygon in polygons if polygon.contains(middle))
        by_name = {str(row["name"]): row for row in self.data["countries"]}
        for ruled in self.data["country_hexes"]:
            found.update({parse(name): by_name[ruled["country"]] for name in ruled["hexes"]})
        return found

    def _terrain(self) -> dict[Hex, Row]:
        """Terrain by areas that hold half of a hex's land, a later over an earlier, then by single hexes."""
        found: dict[Hex, Row] = {}
        for area in self.data["terrain_areas"]:
            polygon, least = self._polygon(area["polygon"]), float(area.get("share", TERRAIN_SHARE))
            for hex_ in self.land:
                if self._share(hex_, polygon) >= least:
                    found[hex_] = {**_origin(area), "terrain": area["terrain"], "of": area["name"]}
        for row in self.data["terrain_hexes"]:
            for name in row["hexes"]:
                found[parse(name)] = {**_origin(row), "terrain": row["terrain"]}
        return found

    def _share(self, hex_: Hex, polygon: Any) -> float:
        cell = Polygon(outline(hex_))
        if not polygon.intersects(cell):
            return 0.0
        land = cell.intersection(self.ground)
        base = land if land.area else cell
        return float(base.intersection(polygon).area / base.area)

    def _place_hex(self, place: Row) -> Hex:
        return parse(place["hex"]) if "hex" in place else at(self.earth.point(place["lat"], place["lon"]))

    def _sides(self) -> dict[Side, Row]:
        lines = SideLines(SideGraph(self.sheets.hexes), self.earth)
        found: dict[Side, Row] = {s: {"kind": "sea", "of": "coast", **_from("high")} for s in self.open_sea}
        for line in self.data["hexside_lines"]:
            sure = {side(*map(parse, text.split("|"))) for text in line.get("ruled", [])}
            for a, b in lines.walk(line["path"]):
                where = lines.graph.between(a, b)
                if set(where) <= self.land and _outranks(line["kind"], found.get(where)):
                    row = {"kind": line["kind"], "of": line["name"], **_origin(line)}
                    if where in sure:
                        row.update(_from("rulebook"))
                    if "lower" in line:
                        left = lines.graph.left_of(a, b)
                        row["low"] = left if line["lower"] == "left" else _other(where, left)
                    found[where] = row
        return found

    def _hex(self, hex_: Hex) -> Row:
        row: Row = {"hex": self.sheets.name(hex_)}
        if other := self.sheets.other_name(hex_):
            row["also"] = other
        terrain = self.terrain.get(hex_, {"terrain": "clear", **_from("medium")})
        row["terrain"] = terrain["terrain"]
        if self._on_coast(hex_):
            row["coast"] = True
        row["country"] = self.country[hex_]["name"]
        if regions := self._regions(hex_):
            row["region"] = regions
        row["control"] = self.country[hex_]["start_control"]
        row.update(self._built_up(hex_))
        row.update({key: terrain[key] for key in ("of", "source", "confidence") if key in terrain})
        return row

    def _on_coast(self, hex_: Hex) -> bool:
        around = neighbours(hex_)
        return any(n in self.sea_set or side(hex_, n) in self.open_sea for n in around)

    def _built_up(self, hex_: Hex) -> Row:
        here = [p for p in self.data["places"] if self.places[p["name"]] == hex_]
        row: Row = {}
        cities = [{"name": p["name"], "class": p["class"]} for p in here if p["class"] != "place"]
        names = [p["name"] for p in here if p["class"] == "place"]
        row.update({"cities": cities} if cities else {})
        row.update({"places": names} if names else {})
        for place in here:
            row.update({key: place[key] for key in ("port", "terminal") if key in place})
            row.update({"fortress": True} if place.get("fortress") == "true" else {})
        return row

    def _regions(self, hex_: Hex) -> list[str]:
        country = self.country[hex_]["name"]
        if country == "Libya":
            return ["Cyrenaica" if hex_[0] >= CYRENAICA_FROM else "Tripolitania"]
        if country in ("Lebanon", "Syria"):
            return ["Levant"]
        return ["Delta"] if hex_ in self.delta else []

    def _flood(self, start: Hex, south: float) -> set[Hex]:
        """The Delta: Egypt west of the canal, from Alexandria's column on, not south of Cairo's hex (WD 3.C)."""
        shut = {s for s, row in self.sides.items() if row["kind"] in ("canal", "sea")}
        found, queue = {start}, [start]
        while queue:
            hex_ = queue.pop()
            for other in neighbours(hex_):
                if other in found or other not in self.land or side(hex_, other) in shut:
                    continue
                inside = other[0] >= start[0] and centre(other)[1] <= south + 0.1
                if inside and self.country[other]["name"] == "Egypt":
                    found.add(other)
                    queue.append(other)
        return found

    def _place(self, place: Row) -> Row:
        row: Row = {"name": place["name"], "hex": self.sheets.name(self.places[place["name"]])}
        row.update({"class": place["class"], "country": place["country"]})
        row.update({"port": place["port"]} if "port" in place else {})
        return {**row, **_origin(place)}

    def _side_rows(self) -> list[Row]:
        rows = []
        for (one, other), found in self.sides.items():
            a, b = sorted((self.sheets.name(one), self.sheets.name(other)))
            row = {"a": a, "b": b, "kind": found["kind"], "of": found["of"]}
            if "low" in found:
                row["low"] = self.sheets.name(found["low"])
            rows.append({**row, "source": found["source"], "confidence": found["confidence"]})
        return rows

    def _borders(self) -> list[list[str]]:
        pairs = ((a, b) for a in self.land for b in neighbours(a) if a < b and b in self.land)
        return [
            sorted((self.sheets.name(a), self.sheets.name(b)))
            for a, b in pairs
            if self.country[a]["name"] != self.country[b]["name"]
        ]

    def _lines(self) -> HexLines:
        passable = {h for h in self.land if self.terrain.get(h, {}).get("terrain") != "salt_marsh"}
        shut = {s for s, row in self.sides.items() if row["kind"] in NO_LINE_OVER}
        return HexLines(self.earth, self.places, passable, shut)

    def _segments(self, key: str) -> list[Row]:
        lines = self._lines()
        found: dict[tuple[str, str], Row] = {}
        for line in self.data[key]:
            if line.get("counts") == "false" or line.get("status") in ("unbuilt", "optional"):
                continue
            way = lines.hexes(line["path"])
            for one, other in pairwise(way):
                a, b = sorted((self.sheets.name(one), self.sheets.name(other)))
                row = found.setdefault((a, b), {"a": a, "b": b, "of": [], **_origin(line)})
                row["of"].append(line["name"])
        return [{**row, "of": sorted(row["of"])} for _, row in sorted(found.items())]

    def _unbuilt(self) -> list[Row]:
        lines, rows = self._lines(), []
        for line in self.data["railways"]:
            if line.get("status") in ("unbuilt", "optional"):
                path = [self.sheets.name(hex_) for hex_ in lines.hexes(line["path"])]
                rows.append({"name": line["name"], "status": line["status"], "path": path, **_origin(line)})
        return rows


def _origin(row: Row) -> Row:
    """Source and confidence of a record of the geography."""
    source = str(row.get("source", ""))
    word = "rulebook" if source.startswith("WD") else str(row.get("confidence", "medium"))
    return _from(word)


def _from(word: str) -> Row:
    return {"source": SOURCES[word], "confidence": word}


def _outranks(kind: str, row: Row | None) -> bool:
    if row is None:
        return True
    return row["kind"] != "sea" and RANK.index(kind) >= RANK.index(row["kind"])


def _other(where: Side, hex_: Hex) -> Hex:
    return where[1] if where[0] == hex_ else where[0]

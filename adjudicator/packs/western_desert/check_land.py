"""Checks what the map means: ports, terminals, fortresses, regions, countries and lines as the rules name them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from adjudicator.packs.faults import Faults
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, Rows, records
from adjudicator.packs.western_desert.board import canonical, pair
from adjudicator.packs.western_desert.check_map import SIDED, MapCheck
from adjudicator.packs.western_desert.printed import Printed

Pair = tuple[str, str]
PLAIN: Final = "place"


class LandCheck:
    """Checks over the hexes that ``MapCheck`` found; what an overlay corrected is the owner's word."""

    def __init__(self, files: PackFiles, board: MapCheck, printed: Printed, faults: Faults) -> None:
        self.board, self.printed, self.faults, self.grid = board, printed, faults, files.grid
        self.data, self.land = files.files["map.yaml"], board.land
        self.overlaid = files.files["pack.yaml"].corrected
        self.ports = printed.by_place("ports", "kind")
        self.terminals = printed.by_place("terminals", "side")
        self.islands = {str(name) for row in printed.rows("ports") for name in row.get("islands", [])}
        self.control = {str(c): str(r["control"]) for r in printed.rows("countries") for c in r.get("countries", [])}
        self.places = {str(row.get("name")): row for row in records(self.data.get("places"))}

    def run(self) -> None:
        """Check everything."""
        self._names()
        self._sides()
        self._borders()
        if self.printed.facts is None:
            return
        for name, row in self.land.items():
            self._country(name, row)
            if not row.corrected:
                self._terrain(name, row)
                self._port(name, row)
                self._city(name, row)
                self._region(name, row)
        if not self.overlaid:
            self._around()
            self._escarpment()
            self._canal()
            self._roads()
            self._railways()

    # --- hexes ------------------------------------------------------------------------------------------------------

    def _names(self) -> None:
        """What a hex lists stands among the places, alike."""
        for name, row in self.land.items():
            listed = [(str(c.get("name")), str(c.get("class"))) for c in records(row.get("cities"))]
            listed += [(str(text), PLAIN) for text in row.get("places", []) if isinstance(text, str)]
            for place, kind in listed:
                known = self.places.get(place)
                if known is None:
                    self.faults.add(row, "place", f"{place} in {name} is not among the places; add it or correct it")
                elif known.get("class") != kind:
                    text = f"{place} is {kind} in {name}, but {known.get('class')} in line {known.line}; correct one"
                    self.faults.add(row, "place", text)
        for row in self.places.values():
            hex_ = self.land.get(canonical(self.grid, row.get("hex")))
            if hex_ is None:
                continue
            own, country = row.corrected or hex_.corrected, str(row.get("country") or hex_.get("country"))
            if country != hex_.get("country") and not own and not self._on_border(str(row["hex"]), country):
                text = f"{row['name']} is in {country}, its hex in {hex_.get('country')}; correct one"
                self.faults.add(row, "country", text)
            if "port" in row and row["port"] != hex_.get("port"):
                text = f"the port of {row['name']} is {row['port']}, that of its hex {hex_.get('port', 'none')}"
                self.faults.add(row, "port", f"{text}; correct one of them")

    def _on_border(self, name: str, country: str) -> bool:
        around = self.grid.neighbours(canonical(self.grid, name))
        return any(self.land[o].get("country") == country for o in around if o in self.land)

    def _country(self, name: str, row: Record) -> None:
        country = str(row.get("country"))
        if country not in self.control:
            known = ", ".join(sorted(self.control))
            self.faults.add(
                row, "country", f"{name} is in {country}, which is no country of the map; use one of: {known}"
            )
        elif row.get("control") != self.control[country] and not row.corrected:
            text = f"{name} is {row.get('control')}, but {country} is {self.control[country]} at the start (WD 30)"
            self.faults.add(row, "control", f"{text}; correct it")

    def _terrain(self, name: str, row: Record) -> None:
        if row.get("terrain") == "full_city":
            text = f"{name} is a full city by its cities, never by its terrain; give the terrain beside it"
            self.faults.add(row, "terrain", text)

    def _port(self, name: str, row: Record) -> None:
        """WD 26.A lists the ports, WD 12.B.1 the terminals."""
        cities = [str(city.get("name")) for city in records(row.get("cities"))]
        island = row.get("country") in self.islands and row.get("coast") == "true" and cities
        wanted = next((self.ports[c] for c in cities if c in self.ports), "standard" if island else None)
        if row.get("port") != wanted:
            told = f"a {wanted} port" if wanted else "no port"
            text = f"{name} {' '.join(cities)} has port {row.get('port', 'none')}, WD 26.A makes it {told}; correct it"
            self.faults.add(row, "port", text)
        terminal = next((self.terminals[c] for c in cities if c in self.terminals), None)
        if row.get("terminal") != terminal:
            text = f"{name} {' '.join(cities)} has terminal {row.get('terminal', 'none')}, WD 12.B.1 has"
            self.faults.add(row, "terminal", f"{text} {terminal or 'none'} there; correct it")

    def _city(self, name: str, row: Record) -> None:
        cities = {str(city.get("name")): city for city in records(row.get("cities"))}
        full = self.printed.words("full_cities")
        for city, entry in cities.items():
            if (entry.get("class") == "full") != (city in full):
                text = f"{city} is a {entry.get('class')} city; the full hex cities are {', '.join(full)} (WD 33.G)"
                self.faults.add(row, "city", f"{text}; correct it")
        fortress = row.get("fortress") == "true"
        if fortress and not cities:
            self.faults.add(row, "fortress", f"the fortress in {name} has no city; take it out or list its city")
        elif not fortress and set(cities) & set(self.printed.words("fortresses")):
            text = f"{' '.join(cities)} in {name} is a fortress (WD 2.B); add fortress: true"
            self.faults.add(row, "fortress", text)

    def _region(self, name: str, row: Record) -> None:
        """WD 3.C: the regions of Libya by column of map 18, the Levant, the Delta with its cities."""
        regions = row.get("region", [])
        found = [str(item) for item in regions] if isinstance(regions, list) else []
        facts = self.printed.rows("regions")
        for region in found:
            if region not in {str(fact["region"]) for fact in facts}:
                known = ", ".join(dict.fromkeys(str(fact["region"]) for fact in facts))
                self.faults.add(row, "region", f"there is no region {region}; use one of: {known}")
            elif not any(f["region"] == region and self._may(name, row, f) for f in facts):
                text = f"{name} in {row.get('country')} can't be in {region} (WD 3.C); correct its region"
                self.faults.add(row, "region", text)
        for fact in facts:
            if fact["region"] not in found and self._must(name, row, fact):
                text = f"{name} in {row.get('country')} belongs to {fact['region']} (WD 3.C); add its region"
                self.faults.add(row, "region", text)

    def _may(self, name: str, row: Record, fact: Record) -> bool:
        place = self.grid.parse(name)
        if place is None or row.get("country") != fact["country"]:
            return False
        column = place[1] if place[0] == self.grid.sizes[0][0] else 99
        return int(str(fact.get("from", "0"))) <= column <= int(str(fact.get("to", "99")))

    def _must(self, name: str, row: Record, fact: Record) -> bool:
        if not self._may(name, row, fact):
            return False
        if "places" not in fact:
            return True
        inside = [o for o in self.grid.neighbours(name) if o in self.land]
        closed = bool(inside) and all(fact["region"] in self.land[o].get("region", []) for o in inside)
        return closed or any(str(city.get("name")) in fact["places"] for city in records(row.get("cities")))

    def _around(self) -> None:
        for fact in self.printed.rows("land_around"):
            found = sorted(o for o in self.grid.neighbours(str(fact["hex"])) if o in self.land)
            row = self.land.get(str(fact["hex"]))
            if row is not None and found != sorted(fact["land"]):
                text = f"land around {fact['hex']} is {', '.join(found)}, {fact['rule']} has {', '.join(fact['land'])}"
                self.faults.add(row, "printed", f"{text}; correct the hexes")
        for fact in self.printed.rows("land_hexes"):
            rows = [row for row in self.land.values() if row.get("country") == fact["country"]]
            if len(rows) != int(str(fact["hexes"])):
                text = f"{fact['country']} has {len(rows)} hexes, {fact['rule']} needs {fact['hexes']}; correct the map"
                self.faults.at("map.yaml", rows[0].line if rows else 1, "printed", text)

    # --- hexsides ---------------------------------------------------------------------------------------------------

    def _sides(self) -> None:
        for row in records(self.data.get("hexsides")):
            if "low" in row and row.get("kind") not in SIDED:
                self.faults.add(row, "low", f"only an escarpment has a lower side, no {row.get('kind')}; take low out")

    def _borders(self) -> None:
        """A border between any two land hexes of different countries, each once."""
        rows: Any = self.data.get("borders")
        seen: dict[Pair, int] = {}
        for index, value in enumerate(rows if isinstance(rows, Rows) else []):
            if isinstance(value, list) and len(value) == 2:
                key = pair(self.grid, value[0], value[1])
                line = rows.lines[index]
                if seen.setdefault(key, line) != line:
                    self.faults.at("map.yaml", line, "twice", f"the border {key[0]} to {key[1]} stands twice; keep one")
        for name, row in self.land.items():
            for other in self.grid.neighbours(name):
                far = self.land.get(other)
                if far is None or name > other or row.corrected or far.corrected:
                    continue
                if far.get("country") != row.get("country") and (name, other) not in seen:
                    countries = f"{row.get('country')} and {far.get('country')}"
                    text = f"no border stands between {name} and {other}, {countries}; add it or correct a country"
                    self.faults.add(row, "border", text)

    def _escarpment(self) -> None:
        fact: Any = self.printed.facts["up"] if self.printed.facts is not None else {}
        key = pair(self.grid, fact["from"], fact["into"])
        side = self.board.sides.get(key)
        if side is None or side.get("kind") not in SIDED or canonical(self.grid, side.get("low")) != fact["from"]:
            text = f"from {fact['from']} into {fact['into']} it goes up an escarpment ({fact['rule']})"
            self._printed(side, f"{text}; give the hexside that kind, low: {fact['from']}", "hexsides")

    def _canal(self) -> None:
        """The canal is one line from hexside to hexside, from one port to the other."""
        fact: Any = self.printed.facts["canal"] if self.printed.facts is not None else {}
        sides = {key: row for key, row in self.board.sides.items() if row.get("kind") == "canal"}
        start = [key for key in sorted(sides) if fact["from"] in key]
        joined, ring = set(start), start
        while ring:
            ring = sorted(k for k in sides if k not in joined and any(self._touch(k, other) for other in ring))
            joined.update(ring)
        if not any(fact["to"] in key for key in joined) or len(joined) < len(sides):
            gap = next((row for key, row in sides.items() if key not in joined), next(iter(sides.values()), None))
            text = f"the canal is no unbroken line from {fact['from']} to {fact['to']} ({fact['rule']})"
            self._printed(gap, f"{text}; add the hexsides that are missing", "hexsides")

    def _touch(self, one: Pair, other: Pair) -> bool:
        """Whether two hexsides share a corner: they share a hex, and their other hexes are neighbours."""
        shared = set(one) & set(other)
        rest = [(set(side) - shared) for side in (one, other)]
        return len(shared) == 1 and self.grid.adjacent(rest[0].pop(), rest[1].pop())

    # --- lines ------------------------------------------------------------------------------------------------------

    def _roads(self) -> None:
        fact: Any = self.printed.facts["road_to"] if self.printed.facts is not None else {}
        steps = self._steps(("roads", "railroads"), str(fact["from"]), str(fact["to"]))
        if str(steps) != fact["hexes"]:
            text = f"the road from {fact['from']} to {fact['to']} has {steps or 'no'} hexes, {fact['rule']} has"
            self._printed(None, f"{text} {fact['hexes']}; correct the road", "roads")

    def _railways(self) -> None:
        facts = self.printed.rows("rail")
        for fact in facts:
            if self._steps(("railroads",), str(fact["from"]), str(fact["to"])) is None:
                text = f"no railway joins {fact['from']} and {fact['to']} ({fact['rule']}); add what is missing"
                self._printed(None, text, "railroads")
        line: Any = self.printed.facts["unbuilt"] if self.printed.facts is not None else {}
        rows = [row for row in records(self.data.get("unbuilt_railroads")) if row.get("status") == "unbuilt"]
        paths = [[canonical(self.grid, text) for text in row.get("path", [])] for row in rows]
        wanted = [line["from"], line["next"]]
        if not any(path[:2] == wanted and path[-1] == line["to"] for path in paths):
            text = f"the railway to be built goes from {' by '.join(wanted)} to {line['to']} ({line['rule']})"
            self._printed(rows[0] if rows else None, f"{text}; correct its path", "unbuilt_railroads")

    def _steps(self, keys: Iterable[str], start: str, goal: str) -> int | None:
        links: dict[str, set[str]] = {}
        for key in keys:
            for row in records(self.data.get(key)):
                a, b = pair(self.grid, row.get("a"), row.get("b"))
                links.setdefault(a, set()).add(b)
                links.setdefault(b, set()).add(a)
        seen, ring, steps = {start}, [start], 0
        while ring:
            if goal in ring:
                return steps
            ring = sorted({n for name in ring for n in links.get(name, set()) if n not in seen})
            seen.update(ring)
            steps += 1
        return None

    def _printed(self, row: Record | None, text: str, key: str) -> None:
        if row is not None:
            self.faults.add(row, "printed", text)
        else:
            self.faults.at("map.yaml", self.data.key_lines.get(key, 1), "printed", text)

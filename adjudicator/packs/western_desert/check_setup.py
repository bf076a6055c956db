"""Checks what a set-up means: whose land units stand on, one of each thing, boxes of the right side, dates, victory."""

from __future__ import annotations

from collections import Counter
from pathlib import PurePosixPath
from typing import Any, Final

from adjudicator.packs.faults import Faults
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, Rows, records
from adjudicator.packs.western_desert.board import canonical, slug
from adjudicator.packs.western_desert.check_map import MapCheck
from adjudicator.packs.western_desert.check_units import NATIONS
from adjudicator.packs.western_desert.printed import Printed
from adjudicator.packs.western_desert.turns import turn_number

PLAYERS: Final = ("allied", "axis")
ONCE: Final = ("automatic", "events", "final", "levels")
BOX_SIDES: Final = {
    "greece": ("allied",),
    "fifth_army": ("axis",),
    "tripolitania_garrison": ("axis",),
    "special_pool_1941": ("axis",),
    "special_pool_1942": ("axis",),
}
"""Whose units a box holds (WD 27, 28.A.1, 28.A.2, 29.C.1)."""
GROUND_BOXES: Final = ("fifth_army", "tripolitania_garrison")
SIZES: Final = ("division", "brigade", "regiment", "battalion", "headquarters")
WITH_HEX: Final = ("deploy", "air_deploy", "supply", "fortresses", "airfields")


class SetupCheck:
    """The checks of one scenario; those of its single units are ``ScenarioCheck``'s."""

    def __init__(self, files: PackFiles, scenario: Record, board: MapCheck, printed: Printed, faults: Faults) -> None:
        self.files, self.scenario, self.board, self.faults, self.grid = files, scenario, board, faults, files.grid
        rows = [*files.rows("counters.yaml", "counters"), *files.rows("air.yaml", "air")]
        self.units: dict[str, Any] = {str(row.get("id")): row for row in records(rows)}
        self.places = {slug(str(r.get("name"))): r for r in records(files.rows("map.yaml", "places"))}
        self.islands = {str(name) for row in printed.rows("ports") for name in row.get("islands", [])}
        self.countries = {str(row.get("country")) for row in board.land.values()}
        self.stands: dict[str, set[str]] = {}
        for row in records(scenario.get("deploy")):
            side = str(self.units.get(str(row.get("unit")), {}).get("side"))
            self.stands.setdefault(canonical(self.grid, row.get("hex")), set()).add(side)

    def run(self) -> None:
        """Check everything."""
        self._head()
        self._victory()
        if "setup" in self.scenario:
            return
        self._owners()
        for key in WITH_HEX:
            for row in records(self.scenario.get(key)):
                self._named(row)
        self._once("smp", "side")
        self._once("fortresses", "hex")
        self._once("airfields", "hex")
        self._once("supply", "short")
        self._complete()
        self._boxes()
        self._force()
        self._railhead()
        self._done()
        self._control()

    # --- head and victory -------------------------------------------------------------------------------------------

    def _head(self) -> None:
        stem = PurePosixPath(self.scenario.file).stem
        if self.scenario.get("id") != stem and "/" in self.scenario.file and not self.scenario.corrected:
            text = f"the id {self.scenario.get('id')} is not the name of its file, {stem}; correct one of them"
            self.faults.add_at(self.scenario, "id", "id", text)

    def _victory(self) -> None:
        """What decides the game: each part of rule 31 once, awards of units that there are."""
        kinds = Counter(str(row.get("kind")) for row in records(self.scenario.get("victory")))
        for kind in ONCE:
            if kinds[kind] != 1:
                text = f"victory has {kinds[kind]} records of kind {kind}, it needs one (WD 31); correct it"
                self.faults.add_at(self.scenario, "victory", "victory", text)
        nations = {nation for names in NATIONS.values() for nation in names}
        for row in records(self.scenario.get("victory")):
            known: dict[str, Any] = {"nat": nations, "size": SIZES, "country": self.countries}
            for key, allowed in known.items():
                if key in row and row[key] not in allowed:
                    text = f"{key} {row[key]} is unknown; use one of: {', '.join(sorted(allowed))}"
                    self.faults.add(row, "word", text)
            for key in ("from", "to"):
                if key in row and not self._within(row[key]):
                    text = f"{key} {row[key]} lies outside {self.scenario.get('start')} to {self.scenario.get('end')}"
                    self.faults.add(row, "turn", f"{text}; correct it")

    def _within(self, name: Any) -> bool:
        turn, start, end = (turn_number(t) for t in (name, self.scenario.get("start"), self.scenario.get("end")))
        return turn is None or start is None or end is None or start <= turn <= end

    # --- whose land -------------------------------------------------------------------------------------------------

    def _owner(self, name: str) -> str:
        """Who holds a hex at the start, before those who stand there are counted."""
        row: Any = self.board.land.get(name, {})
        owner = str(row.get("control"))
        for entry in records(self.scenario.get("control_start")):
            hexes = entry.get("hexes", [])
            named = {canonical(self.grid, text) for text in hexes} if isinstance(hexes, list) else set()
            inside = "country" in entry and entry["country"] == row.get("country") and self._east(name, entry)
            if name in named or inside:
                owner = str(entry.get("side"))
        return owner

    def _east(self, name: str, entry: Record) -> bool:
        place, column = self.grid.parse(name), str(entry.get("from_column", "0"))
        first = self.grid.sizes[0][0]
        return place is None or place[0] != first or not column.isdigit() or place[1] >= int(column)

    def _owners(self) -> None:
        for key in ("deploy", "air_deploy"):
            for row in records(self.scenario.get(key)):
                unit = self.units.get(str(row.get("unit")))
                if unit is not None:
                    self._on(row, str(row["unit"]), str(unit.get("side")), key == "deploy")
        for key, what in (("supply", "supply counter"), ("airfields", "airfield")):
            for row in records(self.scenario.get(key)):
                self._on(row, f"the {what} {row.get('id', '')}".strip(), str(row.get("side")), False)

    def _on(self, row: Record, what: str, side: str, takes: bool) -> None:
        """A fault unless a thing of a side lies on its own land, or where ground units of the side stand."""
        name = canonical(self.grid, row.get("hex"))
        land = self.board.land.get(name)
        if land is None or self._owner(name) == side:
            return
        there = self.stands.get(name, set())
        if not takes and side in there and there == {side}:
            return
        if takes and self._may_take(land, side, name):
            return
        text = (
            f"{what} of the {side} side is in {name}, {land.get('country')}, which is {self._owner(name)} at the start"
        )
        self.faults.add(row, "owner", f"{text}; move it")

    def _may_take(self, land: Record, side: str, name: str) -> bool:
        """Ground units hold what they stand on, on the mainland between the two players (WD 3.G, 30)."""
        if land.get("country") in self.islands or side not in PLAYERS or self._owner(name) not in PLAYERS:
            return False
        countries = self.scenario.get("control_countries", [])
        return self.scenario.get("control_rule") == "listed" or (side == "axis" and land.get("country") in countries)

    # --- things -----------------------------------------------------------------------------------------------------

    def _named(self, row: Record) -> None:
        """The place that a record tells is that of its hex."""
        if "place" not in row or (self.files.files["pack.yaml"].corrected and not row.corrected):
            return
        place = self.places.get(slug(str(row["place"])))
        if place is None or canonical(self.grid, place.get("hex")) != canonical(self.grid, row.get("hex")):
            where = f"in {place.get('hex')}" if place is not None else "nowhere on the map"
            text = f"{row['place']} is {where}, not in {row.get('hex')}; correct the hex or the place"
            self.faults.add(row, "place", text)

    def _once(self, key: str, field: str) -> None:
        seen: dict[str, Record] = {}
        for row in records(self.scenario.get(key)):
            value = canonical(self.grid, row.get(field)) if field == "hex" else str(row.get(field))
            if field in row:
                self.faults.unique(seen, value, row, f"{key} {field}")

    def _complete(self) -> None:
        """SMPs of both sides, the state of each fortress, the counters there are for supplies."""
        for side in PLAYERS:
            given = any(row.get("side") == side for row in records(self.scenario.get("smp")))
            if not given and isinstance(self.scenario.get("smp"), Rows):
                text = f"smp has no record of the {side} side; add its supply movement points (WD 12.D)"
                self.faults.add_at(self.scenario, "smp", "smp", text)
        stated = {canonical(self.grid, row.get("hex")) for row in records(self.scenario.get("fortresses"))}
        for name, land in self.board.land.items():
            if land.get("fortress") == "true" and name not in stated and not land.corrected:
                text = f"the fortress in {name} has no state; add it as improved or unimproved (WD 14.A)"
                self.faults.add_at(self.scenario, "fortresses", "fortress", text)
        rows = self.files.rows("counters.yaml", "markers")
        markers: dict[str, Any] = {str(row.get("id")): row for row in records(rows)}
        for side in PLAYERS:
            count = sum(row.get("side") == side for row in records(self.scenario.get("supply")))
            box = str(markers.get(f"{side}-supply-counter", {}).get("count", ""))
            if box.isdigit() and count > int(box):
                text = f"{count} supply counters of the {side} side are set up, there are {box} (counters.yaml)"
                self.faults.add_at(self.scenario, "supply", "supply", f"{text}; take some out")

    def _boxes(self) -> None:
        for row in records(self.scenario.get("boxes")):
            unit, box = self.units.get(str(row.get("unit")), {}), str(row.get("box"))
            sides = BOX_SIDES.get(box, PLAYERS)
            if unit and unit.get("side") not in (*sides, *(("vichy",) if box not in BOX_SIDES else ())):
                text = (
                    f"{row.get('unit')} is {unit.get('side')}, the box {box} is of {' and '.join(sides)}; correct one"
                )
                self.faults.add(row, "box", text)
            elif box in GROUND_BOXES and "model" in unit:
                self.faults.add(row, "box", f"{row.get('unit')} is an air unit, {box} holds ground units; correct one")
            if ("of" in row) != (box == "assembled"):
                text = "add of, the division it is a part of" if box == "assembled" else f"take of out of a {box}"
                self.faults.add(row, "box", f"{row.get('unit')}: {text}; only assembled goes with of")

    def _force(self) -> None:
        rows: Any = self.scenario.get("attack_force")
        seen: set[str] = set()
        for index, unit in enumerate(rows if isinstance(rows, Rows) else []):
            line, known = rows.lines[index], self.units.get(str(unit))
            if str(unit) in seen:
                self.faults.at(self.scenario.file, line, "twice", f"{unit} stands in the attack force twice; keep one")
            if known is not None and known.get("side") != "allied":
                text = f"{unit} is {known.get('side')}; the attack force is Allied (WD 28.B.3); take it out"
                self.faults.at(self.scenario.file, line, "attack-force", text)
            seen.add(str(unit))

    def _railhead(self) -> None:
        """The railhead is on the line to be built, where the rails that lie end (WD 7.D)."""
        row = self.scenario.get("railhead")
        if not isinstance(row, Record):
            if self.scenario.get("opening") == "surprise":
                self.faults.add(self.scenario, "missing", "the set-up has no railhead; add it (WD 7.D)")
            return
        name, data = canonical(self.grid, row.get("hex")), self.files.files["map.yaml"]
        paths = [
            {canonical(self.grid, text) for text in line.get("path", [])}
            for line in records(data.get("unbuilt_railroads"))
            if line.get("status") == "unbuilt"
        ]
        if not any(name in path for path in paths):
            text = f"the railhead {row.get('hex')} is not on the railway to be built; correct it (WD 7.D)"
            self.faults.add(row, "railhead", text)

    # --- dates and control ------------------------------------------------------------------------------------------

    def _done(self) -> None:
        """Events that are in a set-up lie before it, and up to the turn before it."""
        done, start = self.scenario.get("events_done"), turn_number(self.scenario.get("start"))
        if done is None:
            if start not in (None, 1):
                text = (
                    f"the scenario begins in {self.scenario.get('start')}; add events_done (allied: TURN, axis: TURN)"
                )
                self.faults.add_at(self.scenario, "start", "events-done", text)
            return
        for side, name in done.items() if isinstance(done, Record) else ():
            turn = turn_number(name)
            if turn is not None and start is not None and turn not in (start - 1, start):
                text = f"events_done {side} {name} is neither the first turn nor the one before it; correct it"
                self.faults.add_at(self.scenario, "events_done", "events-done", text)

    def _control(self) -> None:
        countries = self.scenario.get("control_countries", [])
        for name in countries if isinstance(countries, list) else []:
            if str(name) not in self.countries:
                text = f"no hex lies in {name}; use one of: {', '.join(sorted(self.countries))}"
                self.faults.add_at(self.scenario, "control_countries", "country", text)
        rule, entries = self.scenario.get("control_rule"), self.scenario.get("control_start")
        if rule == "listed" and not entries:
            self.faults.add_at(self.scenario, "control_rule", "control", "control is listed nowhere; add control_start")
        if rule == "wd-30" and not countries:
            text = "control_rule wd-30 needs control_countries; add the countries it speaks of"
            self.faults.add_at(self.scenario, "control_rule", "control", text)
        for entry in records(entries):
            if not ({"country", "hexes"} & set(entry)):
                self.faults.add(entry, "control", "the entry names neither a country nor hexes; add one")

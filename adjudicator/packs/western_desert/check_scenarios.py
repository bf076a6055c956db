"""Checks scenarios: every unit once, on legal land, within stacking and in supply, every air unit on an airbase.

What a set-up rests on beside its own file, the order of battle at its date and supply, is checked in check_start.
"""

from __future__ import annotations

from typing import Any, Final

from adjudicator.packs.faults import Faults, number
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, records
from adjudicator.packs.western_desert.check_map import CONTROL, MapCheck
from adjudicator.packs.western_desert.turns import turn_number, turns_between

MAX_UNITS: Final = 6
MAX_DIVISIONS: Final = 3
MAX_ARTILLERY: Final = 2
"""The stacking limit of WD 8.A: two artillery units on top of the six."""
MAX_STEPS: Final = 2
STATES: Final = ("improved", "unimproved")
BUILD_ON: Final = ("clear", "rough")
SIDES: Final = ("axis", "allied")
BOXES: Final = (
    "greece",
    "fifth_army",
    "tripolitania_garrison",
    "replacement_pool",
    "scrapped",
    "removed",
    "withdrawn",
    "assembled",
    "special_pool_1941",
    "special_pool_1942",
)
"""Where a counter can be that is in the game but on no hex: sent to Greece, in a box of the Axis game chart, in its
replacement pool, scrapped, out for good, withdrawn for a time, part of a division on the map, special forces."""
VICTORY: Final = ("automatic", "period", "events", "final", "award", "levels")


class ScenarioCheck:
    """The checks of one scenario file."""

    def __init__(self, files: PackFiles, scenario: Record, board: MapCheck, faults: Faults) -> None:
        self.files, self.scenario, self.board, self.faults, self.grid = files, scenario, board, faults, files.grid
        self.counters = {str(r.get("id")): r for r in records(files.rows("counters.yaml", "counters"))}
        self.air = {str(r.get("id")): r for r in records(files.rows("air.yaml", "air"))}
        kinds = records(files.rows("types.yaml", "types"))
        self.artillery = {str(r.get("slug")) for r in kinds if r.get("artillery") == "yes"}
        self.placed: dict[str, Record] = {}
        self.stacks: dict[str, list[tuple[Record, Record]]] = {}

    def run(self) -> None:
        """Check everything."""
        if not self.faults.need(self.scenario, ("id", "title", "start", "end", "first", "victory")):
            return
        self._span()
        self._victory()
        if "setup" in self.scenario:
            self._borrowed()
        elif self.faults.need(self.scenario, ("deploy",)):
            self._set_up()

    def _set_up(self) -> None:
        for row in records(self.scenario.get("deploy")):
            self._unit(row)
        for name, stack in self.stacks.items():
            self._stack(name, stack)
        for row in records(self.scenario.get("boxes")):
            self._boxed(row)
        self._things()
        for row in records(self.scenario.get("air_deploy")):
            self._air_unit(row)
        self._attack_force()
        self._control()

    def _borrowed(self) -> None:
        known = {str(s.get("id")): s for s in self.files.scenarios}
        other = known.get(str(self.scenario["setup"]))
        if other is None or "setup" in other:
            text = f"there is no set-up of {self.scenario['setup']} to take; name a scenario with one of its own"
            self.faults.add_at(self.scenario, "setup", "setup", text)
        elif other.get("start") != self.scenario["start"]:
            text = f"the set-up of {self.scenario['setup']} is of {other.get('start')}, not {self.scenario['start']}"
            self.faults.add_at(self.scenario, "setup", "setup", f"{text}; correct one of them")

    def _span(self) -> None:
        start, end = self.scenario["start"], self.scenario["end"]
        span = turns_between(start, end)
        if not span:
            text = f"{start} to {end} are no turns of the game in their order; write them as Dec I 40"
            key = "start" if turn_number(start) is None else "end"
            self.faults.add_at(self.scenario, key, "turn", text)
        listed = self.scenario.get("turns")
        if listed is not None and list(listed) != span:
            text = f"turns does not list {start} to {end}; correct it or take it out"
            self.faults.add_at(self.scenario, "turns", "turn", text)
        if self.scenario["first"] not in SIDES:
            text = f"first {self.scenario['first']} is no player; use one of: {', '.join(SIDES)}"
            self.faults.add_at(self.scenario, "first", "word", text)

    def _victory(self) -> None:
        """Rule 31 for the span of the scenario: its periods follow one another and fill it."""
        periods = []
        for row in records(self.scenario["victory"]):
            if self.faults.need(row, ("rule", "kind")) and self.faults.one_of(row, "kind", VICTORY):
                self.faults.source(row)
                if row["kind"] == "period" and self.faults.need(row, ("from", "to")):
                    periods.append(row)
        turns = [turn for row in periods for turn in turns_between(row["from"], row["to"])]
        if turns != turns_between(self.scenario["start"], self.scenario["end"]):
            text = f"the periods of victory do not fill {self.scenario['start']} to {self.scenario['end']}"
            self.faults.add_at(self.scenario, "victory", "victory", f"{text} one after the other; correct (WD 31.D)")

    def _place(self, row: Record, what: str) -> str | None:
        """The hex of a record if units may stand there; a fault if it is no hex, sea or prohibited."""
        name = self.grid.canonical(str(row.get("hex")))
        if name is None:
            self.faults.add(row, "hex", f"{row.get('hex')} is no hex of these sheets; correct it (SHEET/CCRR)")
        elif name not in self.board.land:
            self.faults.add(row, "sea", f"{what} stands in {name}, which is sea; choose a land hex")
            return None
        elif not self.board.passable(name):
            terrain = self.board.land[name].get("terrain")
            self.faults.add(row, "terrain", f"{what} stands in {name}, {terrain}, which is prohibited; move it")
        return name

    def _known(self, row: Record, units: dict[str, Record]) -> Record | None:
        unit_id = str(row.get("unit"))
        self.faults.source(row)
        if unit_id not in units:
            self.faults.add(row, "unit", f"there is no counter {unit_id}; correct the id")
            return None
        if not self.faults.unique(self.placed, unit_id, row, "unit"):
            return None
        return units[unit_id]

    def _unit(self, row: Record) -> None:
        unit = self._known(row, self.counters)
        name = self._place(row, str(row.get("unit")))
        if unit is not None and name is not None:
            self.stacks.setdefault(name, []).append((row, unit))

    def _stack(self, name: str, stack: list[tuple[Record, Record]]) -> None:
        last = stack[-1][0]
        sides = {str(unit.get("side")) for _, unit in stack}
        if len(sides) > 1:
            self.faults.add(last, "sides", f"{name} holds units of {' and '.join(sorted(sides))}; move one side out")
        counted = [unit for _, unit in stack if unit.get("size") != "none"]
        divisions = sum(unit.get("size") == "division" for unit in counted)
        artillery = sum(unit.get("type") in self.artillery for unit in counted)
        units = len(counted) - min(artillery, MAX_ARTILLERY)
        if units > MAX_UNITS:
            text = f"{name} holds {units} units beside {MAX_ARTILLERY} artillery units, {MAX_UNITS} are allowed"
            self.faults.add(last, "stacking", f"{text} (WD 8.A); move one out")
        if divisions > MAX_DIVISIONS:
            text = f"{name} holds {divisions} divisions, {MAX_DIVISIONS} are allowed (WD 8.A)"
            self.faults.add(last, "stacking", f"{text}; move one out")
        light = [unit for unit in counted if unit.get("type") == "light_tank" and unit.get("nat") == "italian"]
        if light and len(light) == len(counted):
            self.faults.add(last, "light-tanks", f"Italian light tanks stand alone in {name} (WD 28.A.4); add a unit")

    def _boxed(self, row: Record) -> None:
        self._known(row, {**self.counters, **self.air})
        if self.faults.need(row, ("box",)):
            self.faults.one_of(row, "box", BOXES)
        if row.get("box") == "assembled" and str(row.get("of")) not in {
            str(unit["id"]) for stack in self.stacks.values() for _, unit in stack
        }:
            text = f"{row.get('unit')} is a part of {row.get('of')}, which stands nowhere; deploy the division"
            self.faults.add(row, "assembled", text)

    def _things(self) -> None:
        seen: dict[str, Record] = {}
        for row in records(self.scenario.get("supply")):
            self.faults.unique(seen, str(row.get("id")), row, "supply counter")
            self._place(row, str(row.get("id")))
            self.faults.source(row)
            self.faults.one_of(row, "side", SIDES)
            if str(row.get("steps")) not in [str(n) for n in range(1, MAX_STEPS + 1)]:
                text = f"a supply counter has 1 or {MAX_STEPS} steps, not {row.get('steps')}; correct it"
                self.faults.add(row, "steps", text)
        for row in records(self.scenario.get("fortresses")):
            name = self._place(row, "a fortress")
            self.faults.one_of(row, "state", STATES)
            if name and self.board.land[name].get("fortress") != "true":
                self.faults.add(row, "fortress", f"{name} has no fortress on the map; correct one of them")
        for row in records(self.scenario.get("airfields")):
            name = self._place(row, "an airfield")
            if name and self.board.land[name].get("terrain") not in BUILD_ON:
                self.faults.add(row, "airfield", f"an airfield can't stand in {name} (WD 14.A); move it")
        for row in records(self.scenario.get("smp")):
            self.faults.one_of(row, "side", SIDES)
            if not number(row.get("points")):
                self.faults.add(row, "number", f"points {row.get('points')} is no whole number; correct it")
        status = self.scenario.get("malta_status")
        if status is not None and not (number(status) and 0 <= int(status) <= 15):
            text = f"the Malta status {status} is not from 0 to 15; correct it (WD 28.D)"
            self.faults.add_at(self.scenario, "malta_status", "number", text)
        if self.scenario.get("levant", "open") != "open":
            text = f"levant {self.scenario['levant']} is not known; write open, or leave the line out (WD 28.C)"
            self.faults.add_at(self.scenario, "levant", "levant", text)

    def _air_unit(self, row: Record) -> None:
        unit = self._known(row, self.air)
        name = self._place(row, str(row.get("unit")))
        if unit is None or name is None:
            return
        fields = {self.grid.canonical(str(r.get("hex"))) for r in records(self.scenario.get("airfields"))}
        hex_: dict[str, Any] = self.board.land.get(name, {})
        if not (hex_.get("cities") or hex_.get("fortress") == "true" or name in fields):
            self.faults.add(row, "airbase", f"{name} is no airbase (WD 17.A); add an airfield or move {unit['id']}")

    def _attack_force(self) -> None:
        rows = self.scenario.get("attack_force", [])
        for index, unit_id in enumerate(rows if isinstance(rows, list) else []):
            if str(unit_id) not in self.placed:
                text = f"{unit_id} of the attack force is not deployed; deploy it or take it out"
                self.faults.at(self.scenario.file, rows.lines[index], "attack-force", text)

    def _control(self) -> None:
        """Who holds what at the start is said by country or by hex."""
        countries = {str(row.get("country")) for row in self.board.land.values()}
        for row in records(self.scenario.get("control_start")):
            self.faults.one_of(row, "side", CONTROL)
            self.faults.source(row)
            if "country" in row and row["country"] not in countries:
                text = f"no hex lies in {row['country']}; use one of: {', '.join(sorted(countries))}"
                self.faults.add(row, "country", text)
            for text in row.get("hexes", []):
                if self.grid.canonical(str(text)) not in self.board.land:
                    self.faults.add(row, "hex", f"{text} is no land hex of these sheets; correct it")
        done = self.scenario.get("events_done")
        if isinstance(done, Record):
            for side, turn in done.items():
                if side not in SIDES or turn_number(turn) is None:
                    text = f"events_done {side} {turn} is no side with a turn; write allied: Mar II 41"
                    self.faults.add(done, "turn", text)

"""Checks the order of battle: each event by itself, and all of them carried out one after the other.

Every event must have at least one legal way to be carried out: its unit is there and in the right state at that date
(or another that may go in its place), its area has a hex or port that takes it, its parts are together.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from adjudicator.packs.faults import Faults
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, records
from adjudicator.packs.western_desert.check_units import NATIONS
from adjudicator.packs.western_desert.events import KINDS, event_order
from adjudicator.packs.western_desert.parts import lacking_parts
from adjudicator.packs.western_desert.roster import GREECE, HERE, OUT, POOL, SPECIAL, Roster, fraction
from adjudicator.packs.western_desert.turns import turn_number

Tree = dict[str, Any]

SIDES: Final = ("allied", "axis")
AXIS_AREAS: Final = ("europe", "sicily")
RP: Final = ("armor", "non_armor", "air")
POOLS: Final = ("german_1941", "german_1942", "italian_1942")
CONFIDENCE: Final = ("exact", "partly exact", "reported", "checked", "high", "medium", "low")
NEEDS: Final = {
    "reinforce": ("unit", "area"),
    "supply": ("steps", "area"),
    "withdraw": ("unit", "to"),
    "supply_withdraw": ("steps", "to"),
    "return": ("unit", "area"),
    "convert": ("from", "to"),
    "special": ("pool", "wave"),
    "component": ("unit", "of"),
    "assemble": ("unit",),
    "replacement": ("nat", "rp", "points"),
    "smp": ("points",),
    "malta_repair": ("points",),
}
"""What each kind of event must say."""
START: Final = "campaign"
"""The scenario that the order of battle begins from."""


class EventCheck:
    """All checks of events.yaml over the compiled tree."""

    def __init__(self, files: PackFiles, tree: Tree, faults: Faults) -> None:
        self.files, self.tree, self.faults = files, tree, faults
        self.units = {str(row.get("id")): row for key in ("counters", "air") for row in tree[key]}
        self.areas = {str(row.get("area")): row for row in tree["areas"]}
        self.capacity = {str(row["type"]): fraction(row["capacity"]) for row in tree["charts"].get("ports", [])}
        self.ports = {str(row["hex"]): str(row["port"]) for row in tree["hexes"] if "port" in row}

    def run(self) -> None:
        """Check everything."""
        for row in records(self.files.rows("events.yaml", "areas")):
            self._area(row)
        seen: dict[str, Record] = {}
        sound = [row for row in records(self.files.rows("events.yaml", "events")) if self._event(row, seen)]
        start = next((s for s in self.tree["scenarios"] if s.get("id") == START), None)
        if start is None:
            text = f"there is no scenario {START}, from which the events begin; add scenarios/{START}.yaml"
            self.faults.at("events.yaml", 1, "start", text)
            return
        roster = Roster(self.units)
        roster.set_up(start)
        for row in sorted(sound, key=event_order):
            self._possible(row, roster)
            roster.apply(row)

    # --- each by itself ---------------------------------------------------------------------------------------------

    def _area(self, row: Record) -> None:
        if not self.faults.need(row, ("area", "title", "rule")):
            return
        if "by" in row and not self.areas[str(row["area"])].get("ground"):
            self.faults.add(row, "area", f"no hex belongs to the area {row['area']}; correct its ports, cities or edge")
        for name in row.get("ports", []):
            if not any(place["name"] == name for place in self.tree["places"]):
                self.faults.add(row, "area", f"there is no place {name} on the map; correct the ports of the area")

    def _event(self, row: Record, seen: dict[str, Record]) -> bool:
        """Whether an event is whole, with known words; only then it is carried out."""
        if not self.faults.need(row, ("id", "side", "kind", "source", "confidence")):
            return False
        if not self.faults.unique(seen, str(row["id"]), row, "event"):
            return False
        self.faults.source(row)
        words = (("side", SIDES), ("kind", KINDS), ("confidence", CONFIDENCE), ("rp", RP), ("pool", POOLS))
        known = [self.faults.one_of(row, key, allowed) for key, allowed in words if key in row]
        if not all(known) or not self.faults.need(row, NEEDS[row["kind"]]):
            return False
        return self._turn(row) and self._names(row) and self._amounts(row)

    def _turn(self, row: Record) -> bool:
        if "after" in row or turn_number(row.get("turn")) is not None:
            return True
        text = f"{row.get('turn')} is no turn of the game; write it as Mar I 41, from Dec I 40 to Jan II 43"
        self.faults.add(row, "turn", text)
        return False

    def _names(self, row: Record) -> bool:
        target = row.get("to")
        several = [*row.get("from", []), *(target if isinstance(target, list) else [])]
        named = [str(name) for name in (row.get("unit"), row.get("of"), *several) if name is not None]
        unknown = [name for name in named if name not in self.units]
        for name in unknown:
            self.faults.add(row, "unit", f"there is no counter {name}; correct the id")
        if "area" in row and str(row["area"]) not in self.areas:
            self.faults.add(row, "area", f"there is no area {row['area']}; use one of: {', '.join(sorted(self.areas))}")
            return False
        wrong = [name for name in named if name in self.units and not self._own(row, name)]
        for name in wrong:
            self.faults.add(row, "side", f"{name} is no unit of the {row['side']} side; correct one of them")
        return not unknown and not wrong

    def _own(self, row: Record, unit: str) -> bool:
        return bool(self.units[unit].get("side") == row["side"])

    def _amounts(self, row: Record) -> bool:
        for key in ("points", "steps"):
            if key in row and not (fraction(row[key]) > 0 and (2 * fraction(row[key])).denominator == 1):
                self.faults.add(row, "number", f"{key} {row[key]} is no amount; write a number above 0")
                return False
        return True

    # --- one after the other ----------------------------------------------------------------------------------------

    def _possible(self, row: Record, roster: Roster) -> None:
        """A fault unless the event has a legal way, where the ones before it have been carried out."""
        kind = str(row["kind"])
        check = getattr(self, f"_can_{kind}", None)
        text = check(row, roster) if check is not None else ""
        if text:
            when = f"{row.get('turn')}: " if "turn" in row else ""
            self.faults.add(row, "event", f"{when}{text}")
        elif "area" in row and kind in ("reinforce", "supply", "return", "replacement"):
            self._arrival(row)

    def _can_reinforce(self, row: Record, roster: Roster) -> str:
        state = roster.state.get(str(row["unit"]), "")
        if state in ("", SPECIAL):
            return ""
        return f"{row['unit']} is there already ({state}); take the event out or correct its turn"

    def _can_return(self, row: Record, roster: Roster) -> str:
        state, wanted = roster.state.get(str(row["unit"]), ""), OUT
        if row["area"] == "greece_table":
            wanted = GREECE
        if state == wanted:
            return ""
        where = "in Greece" if wanted == GREECE else "away"
        return f"{row['unit']} can't come back: it is not {where}; correct its turn"

    def _can_withdraw(self, row: Record, roster: Roster) -> str:
        unit = str(row["unit"])
        state, alike = roster.state.get(unit, ""), roster.like(unit, nation=row["to"] != "greece")
        if state in HERE or alike:
            return ""
        if state == POOL and self._payable(unit, roster):
            return ""
        return f"{unit} can't leave: neither it nor a unit of its kind is in play; correct its turn"

    def _payable(self, unit: str, roster: Roster) -> bool:
        """Whether a unit in the pool could have been replaced by now (WD 29.B)."""
        row = self.units[unit]
        points = roster.points.get((str(row["nat"]), _rp(row)), Fraction(0))
        return points >= fraction(row.get("re", "1"))

    def _can_convert(self, row: Record, roster: Roster) -> str:
        present = [str(unit) for unit in row["to"] if str(unit) in roster.state]
        if present:
            return f"{present[0]} is there already; take the conversion out or correct its turn"
        for unit in map(str, row["from"]):
            state = roster.state.get(unit, "")
            left = state == OUT and unit in roster.spared
            if not (state in (*HERE, POOL, GREECE) or left or (row.get("like") == "yes" and roster.like(unit))):
                return f"{unit} can't be converted: it is not in play; correct its turn"
        if "rp" in row and not self._affordable(row, roster):
            return f"no {row['rp']} points for this conversion have been received by then; correct its turn"
        return ""

    def _affordable(self, row: Record, roster: Roster) -> bool:
        nation = str(self.units[str(row["to"][0])]["nat"])
        return roster.points.get((nation, str(row["rp"])), Fraction(0)) >= fraction(row.get("points"))

    def _can_special(self, row: Record, roster: Roster) -> str:
        if "unit" not in row:
            return "" if "steps" in row else "the event names neither a unit nor steps; add one"
        state = roster.state.get(str(row["unit"]), "")
        return "" if state in ("", SPECIAL) else f"{row['unit']} is in play, so it is in no pool of special forces"

    def _can_component(self, row: Record, roster: Roster) -> str:
        state = roster.state.get(str(row["unit"]), "")
        return "" if not state else f"{row['unit']} is there already ({state}), it can't be a part of {row['of']} only"

    def _can_assemble(self, row: Record, roster: Roster) -> str:
        unit = self.units[str(row["unit"])]
        if not unit.get("components"):
            return f"{row['unit']} has no components; take the event out or add them to the counter"
        lacking = lacking_parts(unit, self.units, roster)
        return f"{row['unit']} can't be put together: {lacking}; correct its turn" if lacking else ""

    def _can_replacement(self, row: Record, roster: Roster) -> str:
        nation, kind = str(row["nat"]), str(row["rp"])
        nations = NATIONS[str(row["side"])]
        if nation not in ("any", *nations):
            return f"{nation} is no nation of the {row['side']} side; use any or one of: {', '.join(nations)}"
        known = [self.units[unit] for unit in roster.state if unit in self.units]
        fit = [u for u in known if u.get("side") == row["side"] and nation in ("any", u.get("nat")) and _rp(u) == kind]
        if any(unit.get("replaceable", "yes") == "yes" for unit in fit):
            return ""
        return f"no {nation} unit that {kind} points could replace has been in the game; correct the event"

    def _arrival(self, row: Record) -> None:
        """The area takes what comes: an airbase for air units, else a hex, and a port big enough."""
        area = self.areas[str(row["area"])]
        if (row["side"] == "axis") != (row["area"] in AXIS_AREAS):
            self.faults.add(row, "area", f"nothing of the {row['side']} side comes in {row['area']}; correct the area")
            return
        unit = self.units.get(str(row.get("unit")), {})
        if "model" in unit:
            if not area.get("air"):
                self.faults.add(row, "area", f"the area {row['area']} has no airbases for {row['unit']}; correct one")
            return
        size = fraction(unit.get("re", "1")) * (2 if row["kind"] == "supply" else 1)
        if not area.get("ground"):
            self.faults.add(row, "area", f"no ground unit can come in {row['area']}; correct the area")
        elif area.get("by") == "sea" and not any(self._takes(h, size) for h in area["ground"]):
            self.faults.add(row, "port", f"no port of {row['area']} takes {size} REs; correct the area or the unit")

    def _takes(self, hex_: str, size: Fraction) -> bool:
        return self.capacity.get(self.ports.get(hex_, ""), 0) >= size


def _rp(unit: Tree) -> str:
    """The kind of point that replaces a unit (WD 29.B); headquarters are no armored units."""
    if "model" in unit:
        return "air"
    caps = unit.get("caps", {})
    return "armor" if caps.get("armored") == "yes" and unit.get("size") != "headquarters" else "non_armor"

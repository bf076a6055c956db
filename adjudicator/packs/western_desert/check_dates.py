"""Checks what the order of battle says beside who is where: areas, dates, returns, pools, parts."""

from __future__ import annotations

import re
from typing import Any, Final

from adjudicator.packs.faults import Faults
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, records
from adjudicator.packs.western_desert.board import slug
from adjudicator.packs.western_desert.check_events import NEEDS
from adjudicator.packs.western_desert.turns import turn_number

_DATE: Final = re.compile(r"[a-z-]+?-(4[0-3])-(0[1-9]|1[0-2])-([12])(-.*)?")
NO_AREA: Final = ("withdraw", "supply_withdraw", "convert", "special", "component", "assemble", "smp", "malta_repair")


class DateCheck:
    """All checks of events.yaml that need no replay."""

    def __init__(self, files: PackFiles, faults: Faults) -> None:
        self.faults, self.files = faults, files
        self.events = list(records(files.rows("events.yaml", "events")))
        self.areas = list(records(files.rows("events.yaml", "areas")))
        rows = [*files.rows("counters.yaml", "counters"), *files.rows("air.yaml", "air")]
        self.units: dict[str, Any] = {str(row.get("id")): row for row in records(rows)}
        hexes = list(records(files.rows("map.yaml", "hexes")))
        self.where = {str(row.get("country")) for row in hexes} | {
            str(region) for row in hexes for region in row.get("region", []) if isinstance(row.get("region"), list)
        }
        self.places = {slug(str(row.get("name"))) for row in records(files.rows("map.yaml", "places"))}

    def run(self) -> None:
        """Check everything."""
        self._areas()
        back = {(e.get("unit"), e.get("turn")) for e in self.events if e.get("kind") == "return"}
        last: Record | None = None
        for row in self.events:
            if row.get("kind") not in NEEDS:
                continue
            self._date(row, last)
            last = last if row.corrected or "after" in row else row
            self._returns(row, back)
            self._unit(row)
        self._smp()

    def _areas(self) -> None:
        seen: dict[str, Record] = {}
        for row in self.areas:
            self.faults.unique(seen, str(row.get("area")), row, "area")
            for key in ("air", "cities", "countries", "ports_of"):
                self._named(row, key, row.get(key, []))
            for later in records(row.get("air_later")):
                self._named(row, "air_later", later.get("in", []))
            for name in row.get("ports", []) if isinstance(row.get("ports"), list) else []:
                if slug(str(name)) not in self.places:
                    self.faults.add(row, "area", f"there is no place {name} on the map; correct the ports of the area")
            if row.get("by") == "sea" and not ({"ports", "countries", "ports_of"} & set(row)):
                text = f"what comes in {row.get('area')} comes by sea, but it names no ports; add them, or by: land"
                self.faults.add(row, "area", text)
            self._edge(row)

    def _named(self, row: Record, key: str, names: Any) -> None:
        for name in names if isinstance(names, list) else []:
            if str(name) not in self.where:
                known = ", ".join(sorted(self.where))
                self.faults.add(row, "area", f"{key} {name} is no country or region; use one of: {known}")

    def _edge(self, row: Record) -> None:
        edge = row.get("edge")
        if isinstance(edge, Record) and str(edge.get("sheet")) not in {str(size[0]) for size in self.files.grid.sizes}:
            self.faults.add(
                row, "area", f"there is no sheet {edge.get('sheet')}; correct the edge of {row.get('area')}"
            )

    def _date(self, row: Record, last: Record | None) -> None:
        """The turn stands in the id, and the records in the order of turns; either turn or after is given."""
        if ("turn" in row) == ("after" in row):
            self.faults.add(row, "turn", "an event has either a turn, or after and turns; give one of them")
        if ("after" in row) != ("turns" in row):
            self.faults.add(row, "turn", "after and turns go together; add the one that is missing")
        number, before = turn_number(row.get("turn")), turn_number(last.get("turn")) if last is not None else None
        if number is None or row.corrected:
            return
        if last is not None and before is not None and number < before:
            text = f"{row.get('turn')} stands after {last.get('turn')} of line {last.line}; move it to its turn"
            self.faults.add(row, "order", f"{text}, or correct the turn")
        match = _DATE.fullmatch(str(row.get("id")))
        if match and number != 2 * (12 * int(match[1]) + int(match[2]) - 492) + int(match[3]):
            text = f"the id {row['id']} speaks of another turn than {row['turn']}; correct one of them"
            self.faults.add(row, "turn", text)

    def _returns(self, row: Record, back: set[tuple[Any, Any]]) -> None:
        if "returns" not in row:
            return
        away, home = turn_number(row.get("turn")), turn_number(row["returns"])
        if away is not None and home is not None and home <= away:
            text = f"{row.get('unit')} returns in {row['returns']}, not after {row.get('turn')}; correct one"
            self.faults.add(row, "returns", text)
        elif home is not None and (row.get("unit"), row["returns"]) not in back:
            text = f"{row.get('unit')} is to return in {row['returns']}, but no event brings it back then"
            self.faults.add(row, "returns", f"{text}; add a return or correct the turn")

    def _unit(self, row: Record) -> None:
        kind, unit = row.get("kind"), self.units.get(str(row.get("unit")), {})
        if row.get("step") == "cadre" and "cadre" not in unit:
            self.faults.add(row, "cadre", f"{row.get('unit')} has no cadre to come as; take step out (WD 9.E)")
        if kind == "special" and unit and str(unit.get("nat")) != str(row.get("pool")).split("_", maxsplit=1)[0]:
            text = f"{row.get('unit')} is {unit.get('nat')}, no unit of the pool {row.get('pool')}; correct one"
            self.faults.add(row, "pool", text)
        if kind == "component":
            self._part(row, unit)
        if kind == "convert":
            self._alike(row)

    def _part(self, row: Record, unit: Any) -> None:
        """A part of a division that is never alone: one of its components (WD 15.C)."""
        whole = self.units.get(str(row.get("of")), {})
        forms = list(records(whole.get("components")))
        if not forms:
            text = f"{row.get('of')} has no components, so {row.get('unit')} can't be a part of it; correct one"
            self.faults.add(row, "component", text)
            return
        parts = [part for form in forms for part in records(form.get("parts"))]
        fits = any(part.get("type") == unit.get("type") and part.get("size") == unit.get("size") for part in parts)
        own = unit.get("size") == "headquarters" and unit.get("designation") == whole.get("designation")
        if unit and not (fits or own):
            text = f"{row.get('unit')} is no component of {row.get('of')} by type and size; correct one (WD 15.B)"
            self.faults.add(row, "component", text)

    def _alike(self, row: Record) -> None:
        """Air units become air units, ground units ground units."""
        names = [str(n) for key in ("from", "to") for n in row.get(key, []) if isinstance(row.get(key), list)]
        kinds = {"model" in self.units[name] for name in names if name in self.units}
        if len(kinds) > 1:
            self.faults.add(row, "convert", "an air unit can't become a ground unit or the other way; correct the ids")
        if ("rp" in row) != ("points" in row):
            self.faults.add(row, "convert", "rp and points go together; add the one that is missing")

    def _smp(self) -> None:
        """One amount of SMPs a side and turn."""
        seen: dict[tuple[Any, Any], Record] = {}
        for row in self.events:
            if row.get("kind") == "smp":
                first = seen.setdefault((row.get("side"), row.get("turn")), row)
                if first is not row:
                    text = f"the SMPs of {row.get('turn')} stand in line {first.line} already; keep one"
                    self.faults.add(row, "twice", text)

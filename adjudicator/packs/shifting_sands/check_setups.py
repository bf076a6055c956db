"""Checks the set-ups of Shifting Sands: units, stacks, supply, control, cards, victory points."""

from __future__ import annotations

from typing import Final

from adjudicator.packs.faults import Faults, number
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, records
from adjudicator.packs.shifting_sands.check_board import listed
from adjudicator.packs.shifting_sands.counters import how_many
from adjudicator.packs.shifting_sands.graph import Graph, Position
from adjudicator.packs.shifting_sands.scenarios import BOXES, CARD_LISTS, times
from adjudicator.packs.shifting_sands.vocabulary import NEUTRALS, SIDES, TURNS, side_of

STACK: Final = 3
"""Units in a space, whatever their size (SS 8.1); boxes hold any number (ruling A62)."""
STEPS: Final = ("full", "reduced")
CHAD: Final = ("Chad", "FF_BR")
"""The space and the only nation that may be there (SS 10.11)."""
NOBODY: Final = "Malta"
"""A box that no unit enters (SS 10.31)."""

Placed = tuple[Record, str, int]
"""The row of a set-up, the nation of its unit, how many of it."""


class SetupCheck:
    """The checks of one set-up: a scenario, or what an event puts on the map."""

    def __init__(self, files: PackFiles, setup: Record, graph: Graph, faults: Faults) -> None:
        self.setup, self.graph, self.faults = setup, graph, faults
        self.kinds = {str(r.get("kind")): r for r in records(files.rows("units.yaml", "units"))}
        self.cards = list(records(files.rows("cards.yaml", "cards")))
        self.position = self._position()
        self.stacks: dict[str, list[Placed]] = {}

    def units(self) -> None:
        """Check what stands where, and who controls what."""
        self._control()
        count: dict[str, int] = {}
        for row in records(self.setup.get("units")):
            self._unit(row, count)
        for name, stack in self.stacks.items():
            self._stack(name, stack)
            for row, nation, _ in stack:
                self._stands(row, nation, name)

    def scenario(self) -> None:
        """Check what only a scenario has: turns, hand, years, events, cards, victory points."""
        keys = ("id", "title", "turn", "last_turn", "vp", "hand", "years", "victory")
        if not self.faults.need(self.setup, keys):
            return
        for key in ("turn", "last_turn"):
            self.faults.one_of(self.setup, key, TURNS)
        names = {str(card.get("name")) for card in self.cards}
        for event in listed(self.setup.get("events")):
            if event not in names:
                self.faults.add(self.setup, "name", f"there is no event {event}; correct events")
        self._cards()
        self._years()
        self._points()

    def _position(self) -> Position:
        control = {name: str(row.get("control", "")) for name, row in self.graph.spaces.items()}
        for row in records(self.setup.get("control")):
            control.update(dict.fromkeys(listed(row.get("spaces")), str(row.get("side"))))
        played = set(listed(self.setup.get("events")))
        for card in self.cards:
            effects = records(card.get("effects"))
            if any(e.get("do") == "setup" and e.get("name") == self.setup.get("id") for e in effects):
                played.add(str(card.get("name")))
        return Position(self.graph, control, frozenset(played), str(self.setup.get("turn", "")).rpartition(" ")[2])

    def _control(self) -> None:
        seen: dict[str, Record] = {}
        for row in records(self.setup.get("control")):
            self.faults.one_of(row, "side", SIDES)
            self.faults.source(row)
            self.faults.need(row, ("side", "spaces"))
            for name in listed(row.get("spaces")):
                if name not in self.graph.spaces:
                    self.faults.add(row, "space", f"control of {name}, which is no space; correct the name")
                elif self.graph.spaces[name].get("control") == row.get("side"):
                    text = f"{name} is {row.get('side')} on the map already; take it out of control"
                    self.faults.add(row, "control", text)
                self.faults.unique(seen, name, row, "control of")

    def _unit(self, row: Record, count: dict[str, int]) -> None:
        if not self.faults.need(row, ("unit", "at")):
            return
        self.faults.source(row)
        self.faults.one_of(row, "step", STEPS)
        kind = self.kinds.get(str(row["unit"]))
        if kind is None:
            self.faults.add(row, "unit", f"there is no unit {row['unit']}; correct the name")
            return
        if not number(row.get("count", "1")):
            self.faults.add(row, "number", f"count {row['count']} is no whole number; correct it")
        name = str(row["unit"])
        used = count[name] = count.get(name, 0) + times(row)
        if used > how_many(kind):
            text = f"the set-up uses {used} of {row['unit']}, there are {how_many(kind)}; take one out"
            self.faults.add(row, "count", text)
        where = str(row["at"])
        if where in self.graph.spaces:
            self.stacks.setdefault(where, []).append((row, str(kind.get("nation")), times(row)))
        elif where not in BOXES:
            self.faults.add(row, "space", f"{row['unit']} stands in {where}, which is no space or box; correct it")

    def _stack(self, name: str, stack: list[Placed]) -> None:
        last = stack[-1][0]
        total = sum(times for _, _, times in stack)
        if name not in self.graph.boxes() and total > STACK:
            text = f"{name} holds {total} units, {STACK} are allowed (SS 8.1); move one out"
            self.faults.add(last, "stacking", text)
        sides = sorted({side_of(nation) for _, nation, _ in stack if nation not in NEUTRALS})
        if len(sides) > 1:
            self.faults.add(last, "sides", f"{name} holds units of {' and '.join(sides)}; move one side out")

    def _stands(self, row: Record, nation: str, name: str) -> None:
        """A unit stands where it may, in a space of its side, in supply. Neutrals wait (SS 10.41)."""
        side, unit = side_of(nation), row["unit"]
        if self._barred(nation, name):
            self.faults.add(row, "closed", f"{unit} may not be in {name} at this time; move it")
        elif nation in NEUTRALS or name in self.graph.boxes():
            return
        elif not self.position.mine(name, side):
            text = f"{unit} stands in {name}, which is {self.position.control.get(name)}; correct control or move it"
            self.faults.add(row, "control", text)
        elif not self.position.supplied(nation, name):
            self.faults.add(row, "supply", f"{unit} in {name} can trace no supply (SS 13.5); move it or open a line")

    def _barred(self, nation: str, name: str) -> bool:
        if name == NOBODY:
            return True
        if name in self.graph.boxes() or nation in NEUTRALS:
            return False
        return (name == CHAD[0] and nation != CHAD[1]) or self.position.closed(name, side_of(nation))

    def _cards(self) -> None:
        by_number = {(str(card.get("side")), str(card.get("number"))): card for card in self.cards}
        seen: dict[str, Record] = {}
        for key in CARD_LISTS:
            for row in records(self.setup.get(key)):
                if not self.faults.need(row, ("side", "number", "name")):
                    continue
                card = by_number.get((str(row["side"]), str(row["number"])))
                self.faults.unique(seen, f"{row['side']} {row['number']}", row, "card")
                if card is None or card.get("name") != row["name"]:
                    text = f"{row['side']} card {row['number']} is {card.get('name') if card else 'none'}"
                    self.faults.add(row, "card", f"{text}, not {row['name']}; correct one of them")
                else:
                    self._starred(row, card, key)

    def _starred(self, row: Record, card: Record, key: str) -> None:
        """Cards leave the game by their asterisk; those on the discard pile have none (SS 7.511)."""
        starred = card.get("asterisk") == "yes"
        if key == "removed" and not starred:
            self.faults.add(row, "asterisk", f"{row['name']} is removed but has no asterisk; correct one of them")
        if key == "discarded" and starred:
            self.faults.add(row, "asterisk", f"{row['name']} is discarded but has an asterisk; correct one of them")
        if key != "removed":
            return
        placed = {str(r.get("unit")) for r in records(self.setup.get("units"))}
        for effect in records(card.get("effects")):
            if effect.get("do") == "place" and str(effect.get("unit")) not in placed:
                text = f"{row['name']} is out of the game but {effect.get('unit')} is not set up; set it up"
                self.faults.add(row, "mix", text)

    def _years(self) -> None:
        years = {str(card.get("year")) for card in self.cards}
        for year in listed(self.setup["years"]):
            if year not in years:
                self.faults.add(self.setup, "year", f"there are no cards of {year}; correct years")
        for row in records(self.setup.get("may_take")):
            card = next((c for c in self.cards if c.get("name") == row.get("name")), Record("", 0, 0))
            if card.get("year") not in listed(self.setup["years"]):
                self.faults.add(row, "year", f"{row.get('name')} is in no pile of this scenario; correct it")

    def _points(self) -> None:
        """The marker starts at the spaces the Axis control and what the events so far have moved it (SS 4.12, 18.2)."""
        held = sum(row.get("vp") == "yes" and self.position.mine(name, "axis") for name, row in self._spaces())
        moved = 0
        for event in listed(self.setup.get("events")):
            card = next((c for c in self.cards if c.get("name") == event), Record("", 0, 0))
            deltas = [e.get("delta") for e in records(card.get("effects")) if e.get("do") == "vp"]
            moved += sum(int(str(delta)) for delta in deltas if number(delta))
        if str(held + moved) != self.setup["vp"]:
            text = f"the Axis hold {held} VP spaces and events moved {moved}, which is not vp {self.setup['vp']}"
            self.faults.add(self.setup, "vp", f"{text}; correct one of them")

    def _spaces(self) -> list[tuple[str, Record]]:
        return list(self.graph.spaces.items())

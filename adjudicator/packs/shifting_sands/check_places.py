"""Checks place sets: no circle, and a lawful place for every unit that a card brings in an ordinary game."""

from __future__ import annotations

from adjudicator.packs.faults import Faults
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, records
from adjudicator.packs.shifting_sands.check_board import listed
from adjudicator.packs.shifting_sands.check_chains import needs
from adjudicator.packs.shifting_sands.graph import Graph, Position
from adjudicator.packs.shifting_sands.vocabulary import BOXES, TERRAIN, side_of


class PlaceCheck:
    """The checks of place sets against the map as it is at the start, or after the set-up that an event brings."""

    def __init__(self, files: PackFiles, graph: Graph, faults: Faults) -> None:
        self.files, self.graph, self.faults = files, graph, faults
        self.sets = {str(r.get("name")): r for r in records(files.rows("cards.yaml", "places"))}
        self.cards = list(records(files.rows("cards.yaml", "cards")))
        self.nations = {str(r.get("kind")): str(r.get("nation")) for r in records(files.rows("units.yaml", "units"))}

    def run(self) -> None:
        """Check everything."""
        sound = True
        for name, row in self.sets.items():
            if self._circle(name, ()):
                sound = False
                self.faults.add(row, "circle", f"place set {name} includes itself; take that out")
        if sound:
            for card in self.cards:
                self._card(card)

    def _circle(self, name: str, above: tuple[str, ...]) -> bool:
        if name in above:
            return True
        parts = records(self.sets[name].get("any")) if name in self.sets else []
        return any(self._circle(str(part["include"]), (*above, name)) for part in parts if "include" in part)

    def _card(self, card: Record) -> None:
        position = self._position(card)
        turned = {s for e in records(card.get("effects")) if e.get("do") == "control" for s in listed(e.get("spaces"))}
        for effect in records(card.get("effects")):
            unit, where = str(effect.get("unit")), str(effect.get("where"))
            if effect.get("do") != "place" or unit not in self.nations or where not in self.sets:
                continue
            side = side_of(self.nations[unit])
            places = members(self.sets, where, position)
            turns = any(e.get("spaces") == "placed" for e in records(card.get("effects")))
            if not any(p in BOXES or turns or p in turned or position.mine(p, side) for p in places):
                text = f"{card.get('name')} brings {unit} to {where}, where no space is {side} in an ordinary game"
                self.faults.add(effect, "nowhere", f"{text}; correct the place set")

    def _position(self, card: Record) -> Position:
        """The start of the campaign, with the set-ups of the events that the card needs."""
        control = {name: str(row.get("control", "")) for name, row in self.graph.spaces.items()}
        played = frozenset(needs(card))
        names = {
            str(effect.get("name"))
            for other in self.cards
            if str(other.get("name")) in played
            for effect in records(other.get("effects"))
            if effect.get("do") == "setup"
        }
        for setup in records(self.files.rows("setups.yaml", "setups")):
            if str(setup.get("id")) in names:
                for row in records(setup.get("control")):
                    control.update(dict.fromkeys(listed(row.get("spaces")), str(row.get("side"))))
        return Position(self.graph, control, played, str(card.get("year", "")))


def members(sets: dict[str, Record], name: str, position: Position) -> set[str]:
    """The spaces and boxes of a place set in a position; whether they are own or full is not asked."""
    found: set[str] = set()
    for part in records(sets[name].get("any")) if name in sets else []:
        if not all(map(position.holds, records(part.get("if")))):
            continue
        if "box" in part:
            found.add(str(part["box"]))
        elif "include" in part:
            found |= members(sets, str(part["include"]), position)
        elif "select" in part:
            found |= {space for space in position.graph.spaces if _selected(part["select"], space, position)}
        else:
            found.update(listed(part.get("spaces")))
    return found


def _selected(wanted: Record, name: str, position: Position) -> bool:
    """Whether a space has all values asked for; units are not looked at, so ``occupied`` is left aside."""
    space = position.graph.spaces[name]
    if not isinstance(wanted, Record):
        return False
    for key in ("terrain", "region"):
        if key in wanted and space.get(key) not in listed(wanted[key]):
            return False
    if space.get("terrain") not in TERRAIN:
        return False
    flags = all(space.get(key, "no") == wanted[key] for key in ("port", "vp") if key in wanted)
    return flags and ("control" not in wanted or position.mine(name, str(wanted["control"])))

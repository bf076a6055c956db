"""Names of units, counters and hexes as players write them (WD 2.B, 3.C)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from adjudicator.engine.names import NameBook, Resolver
from adjudicator.western_desert.hexes import HexError
from adjudicator.western_desert.hexes import name as hex_name
from adjudicator.western_desert.hexes import parse as parse_hex
from adjudicator.western_desert.orders import TYPES
from adjudicator.western_desert.state import ENEMY, State
from adjudicator.western_desert.world import Record, rows, text, texts


def books_of(pack: Record, scenario: Record) -> dict[str, NameBook]:
    """The name books of a pack: ``unit``, ``counter`` and ``hex``."""
    units = NameBook("unit")
    for row in rows(pack, "counters"):
        units.add(text(row, "id"), [text(row, "short"), text(row, "name"), *texts(row, "aliases")])
    counters = NameBook("supply counter")
    for row in rows(scenario, "supply"):
        counters.add(text(row, "id"), [text(row, "short"), text(row, "name")])
    return {"unit": units, "counter": counters, "hex": _hexes(pack)}


def _hexes(pack: Record) -> NameBook:
    found = HexBook("hex")
    for row in rows(pack, "places"):
        place_hex = hex_name(parse_hex(text(row, "hex")))
        found.add_place(place_hex, [text(row, "name"), *texts(row, "aliases")])
    return found


class HexBook(NameBook):
    """Hex numbers and places; a number of the shared column goes by its sheet-18 name."""

    def add_place(self, ident: str, names: Sequence[str]) -> None:
        """Enter the names of a place under its hex."""
        for name in names:
            self.add(ident, [name])

    def find(self, text: str) -> list[str]:
        """The hex of a number or place."""
        try:
            return [hex_name(parse_hex(text))]
        except HexError:
            return super().find(text)


def resolver(books: dict[str, NameBook], state: State, side: str) -> Resolver:
    """Reads names for one side in one position: units on the map before others, own before enemy ones."""
    return Resolver(TYPES, books, _narrow(state, side), lambda book, ident: _describe(state, book, ident))


def _narrow(state: State, side: str) -> Callable[[str, str, Sequence[str]], Sequence[str]]:
    def pick(_order: str, _field: str, found: Sequence[str]) -> Sequence[str]:
        present = [uid for uid in found if uid in state.pieces] or list(found)
        units = state.world.units
        own = [uid for uid in present if uid in units and units[uid].side == side]
        return own or present

    return pick


def _describe(state: State, book: str, ident: str) -> str:
    if book != "unit" or ident not in state.world.units:
        return ident
    unit = state.world.units[ident]
    where = state.board.name(state.pieces[ident].hex) if ident in state.pieces else "not on the map"
    whose = "" if unit.side in ENEMY else f", {unit.side}"
    return f"{ident} ({unit.name}, {where}{whose})"

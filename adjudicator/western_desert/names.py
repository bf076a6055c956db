"""Names of units, counters and hexes as players write them (WD 2.B, 3.C)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from adjudicator.engine.names import NameBook, Resolver, key
from adjudicator.western_desert.air.orders import AGAINST, ANYTHING, LIKINGS, TARGETS
from adjudicator.western_desert.gate import CAPTURED
from adjudicator.western_desert.hexes import DIRECTIONS, HexError
from adjudicator.western_desert.hexes import name as hex_name
from adjudicator.western_desert.hexes import parse as parse_hex
from adjudicator.western_desert.orders import TOWARD_SUPPLY, TYPES
from adjudicator.western_desert.state import ENEMY, State
from adjudicator.western_desert.world import Record, rows, text, texts

BEARINGS = (
    ("north",),
    ("northeast", "north-east"),
    ("southeast", "south-east"),
    ("south",),
    ("southwest", "south-west"),
    ("northwest", "north-west"),
)
_CAPTURED = re.compile(r"(captured|split|arrived) supply (\d+)")


def books_of(pack: Record, scenario: Record) -> dict[str, NameBook]:
    """The name books of a pack: ``unit``, ``air``, ``counter``, ``hex``, ``wish``, and the words on air units."""
    units = NameBook("unit")
    for row in rows(pack, "counters"):
        units.add(text(row, "id"), [text(row, "short"), text(row, "name"), *texts(row, "aliases")])
    flying = NameBook("air unit")
    for row in rows(pack, "air"):
        flying.add(text(row, "id"), [text(row, "short"), text(row, "name"), *texts(row, "aliases")])
    counters = CounterBook("supply counter")
    for row in rows(scenario, "supply"):
        counters.add(text(row, "id"), [text(row, "short"), text(row, "name")])
    places = _hexes(pack)
    books = {"unit": units, "air": flying, "counter": counters, "hex": places, "wish": _wishes(pack, places)}
    return {**books, **_air_words(pack, flying)}


def _air_words(pack: Record, flying: NameBook) -> dict[str, NameBook]:
    """What clauses on the air war may name: ``mission``, ``model``, and ``target``, which may be an air unit, too."""
    missions, models = NameBook("air mission"), NameBook("model or kind of air units")
    targets = TargetBook("air unit, model or kind of them")
    targets.flying = flying
    for word in (*AGAINST, ANYTHING):
        missions.add(word, [])
    kinds = (*TARGETS, *{text(row, "model"): None for row in rows(pack, "air")})
    for book, words in ((models, kinds), (targets, (*kinds, *LIKINGS))):
        for word in words:
            book.add(word, [])
    return {"mission": missions, "model": models, "target": targets}


class TargetBook(NameBook):
    """Whom air units attack: kinds, models, ways of liking, else an air unit by id or name."""

    flying: NameBook

    def find(self, text: str) -> list[str]:
        """The word, else the air unit."""
        return super().find(text) or self.flying.find(text)

    def near(self, text: str) -> list[str]:
        """Words that look like the text, else air units."""
        return super().near(text) or self.flying.near(text)


def _hexes(pack: Record) -> HexBook:
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


class CounterBook(NameBook):
    """Supply counters; those that play makes go by number: ``captured supply 1``, ``split supply 1``."""

    def find(self, text: str) -> list[str]:
        """The counter of an id or name."""
        number = _CAPTURED.fullmatch(key(text))
        if number is not None:
            return [f"supply-{side}-{number[1]}-{number[2]}" for side in sorted(ENEMY)]
        return [text] if CAPTURED.fullmatch(text) else super().find(text)


class WishBook(NameBook):
    """What a retreat may wish for: bearings, terrains, the own source of supply, and hexes."""

    hexes: HexBook

    def find(self, text: str) -> list[str]:
        """The wish of a word; else the hex of a number or place."""
        return super().find(text) or self.hexes.find(text)


def _wishes(pack: Record, places: HexBook) -> WishBook:
    found = WishBook("hex, bearing or terrain")
    found.hexes = places
    for short, names in zip(DIRECTIONS, BEARINGS, strict=True):
        found.add(short, names)
    found.add(TOWARD_SUPPLY, ("towards supply",))
    for row in rows(pack.get("charts"), "terrain"):
        found.add(text(row, "terrain"), ())
    return found


def resolver(books: dict[str, NameBook], state: State, side: str) -> Resolver:
    """Reads names for one side in one position: units on the map before others, own before enemy ones."""
    return Resolver(TYPES, books, _narrow(state, side), lambda book, ident: _describe(state, book, ident))


def _narrow(state: State, side: str) -> Callable[[str, str, Sequence[str]], Sequence[str]]:
    units, supply, flying = state.world.units, state.supply, state.world.air

    def pick(_order: str, _field: str, found: Sequence[str]) -> Sequence[str]:
        present = [name for name in found if name in state.pieces or name in supply or name in state.air]
        present = present or list(found)
        own = [name for name in present if name in units and units[name].side == side]
        own = own or [name for name in present if name in flying and text(flying[name], "side") == side]
        return own or [name for name in present if name.startswith(f"supply-{side}-")] or present

    return pick


def _describe(state: State, book: str, ident: str) -> str:
    if book == "air" and ident in state.world.air:
        where = state.board.name(state.air[ident].hex) if ident in state.air else "not in play"
        return f"{ident} ({text(state.world.air[ident], 'name')}, {where})"
    if book != "unit" or ident not in state.world.units:
        return ident
    unit = state.world.units[ident]
    where = state.board.name(state.pieces[ident].hex) if ident in state.pieces else "not on the map"
    whose = "" if unit.side in ENEMY else f", {unit.side}"
    return f"{ident} ({unit.name}, {where}{whose})"

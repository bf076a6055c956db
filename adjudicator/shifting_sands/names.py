"""Names of units, spaces and cards as players write them (SS 2.4, ruling A09)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from adjudicator.engine.names import NameBook, Resolver
from adjudicator.shifting_sands.nations import WORDS
from adjudicator.shifting_sands.orders import TYPES
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import Record, rows, text, texts


def books_of(pack: Record) -> dict[str, NameBook]:
    """The name books of a pack: ``unit``, ``space``, ``place`` and ``card``, misprints and all (SS errata.map,
    errata.card.X40, errata.counters)."""
    units, spaces, places, cards = NameBook("unit"), NameBook("space"), NameBook("place"), NameBook("card")
    for row in rows(pack, "counters"):
        units.add(text(row, "id"), [text(row, "short"), *_spoken(row), text(row, "kind"), *texts(row, "aliases")])
    for row in rows(pack, "spaces"):
        for book in (spaces, places):
            book.add(text(row, "name"), [text(row, "slug"), *texts(row, "aliases")])
    places.ids.add("@replacement")
    for row in rows(pack, "cards"):
        others = texts(row, "aliases")
        cards.add(text(row, "id"), [text(row, "name"), *others, f"{text(row, 'side')} {text(row, 'number')}"])
    return {"unit": units, "space": spaces, "place": places, "card": cards}


def _spoken(row: Record) -> list[str]:
    """The full name, and without the nation: ``62nd Division`` for the Italian 62nd Division."""
    name, nation = text(row, "name"), WORDS.get(text(row, "nation"), "")
    return [name, name.removeprefix(f"{nation} ")]


def resolver(books: dict[str, NameBook], state: State, side: str) -> Resolver:
    """Reads names for one side in one position: own units on the map first, cards in hand first."""
    return Resolver(TYPES, books, _narrow(state, side), lambda book, ident: _describe(state, book, ident))


def _narrow(state: State, side: str) -> Callable[[str, str, Sequence[str]], Sequence[str]]:
    def pick(_order: str, _field: str, found: Sequence[str]) -> Sequence[str]:
        own = (*state.hands.get(side, []), *state.face_up.get(side, []))
        hand = [card for card in found if card in own]
        if hand:
            return hand
        known = [uid for uid in found if uid in state.pieces]
        on_map = [uid for uid in known if state.on_map(uid)] or known or list(found)
        counters = state.world.counters
        return [uid for uid in on_map if uid in counters and counters[uid].side == side] or on_map

    return pick


def _describe(state: State, book: str, ident: str) -> str:
    if book != "unit" or ident not in state.world.counters:
        return ident
    where = state.pieces[ident].at if ident in state.pieces else "not in play"
    return f"{ident} ({state.world.counters[ident].name}, {where})"

"""The secret books of Western Desert: plans of special operations on one side, garrisons off the map on the other
(WD 27.A, 33.C; PROTOCOL 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Order, Problem, Tree
from adjudicator.engine.driver import Waits
from adjudicator.engine.planning import NOTHING_PLANNED, Planning
from adjudicator.western_desert.state import State, World
from adjudicator.western_desert.theatre import listed, special
from adjudicator.western_desert.theatre.listbook import GarrisonList
from adjudicator.western_desert.theatre.plans import WesternPlans, topics_of

Kept = Callable[[], Mapping[str, Tree]]


class SecretBook(Protocol):
    """The secret book of one side, with its topics and the bytes that a sealed copy keeps for it."""

    book: str
    types: tuple[str, ...]
    topics: tuple[str, ...]
    room: int

    def since(self, state: State, side: str) -> int:
        """The message whose book holds what stands; 0 for none."""

    def planning(self, state: State, side: str, waits: Waits, orders: Sequence[Order], kept: Kept) -> Planning:
        """What the secret orders of a turn file come to."""

    def told(self, state: State, side: str, kept: Mapping[str, Tree]) -> list[str]:
        """The contents in words, for their owner."""

    def chance_orders(
        self, state: State, side: str, waits: Waits, chance: Chance, kept: Kept
    ) -> list[dict[str, Tree]]:
        """Secret orders of chance."""

    def drafted(self, orders: Sequence[Order], kept: Mapping[str, Tree]) -> Iterable[Mapping[str, Tree]]:
        """What a turn file may have made of it."""


def secret_books(world: World) -> dict[str, SecretBook]:
    """The secret books of a scenario, by side: none where there is nothing to plan, nor to hide."""
    found: dict[str, SecretBook] = {}
    if topics_of(world):
        found[special.SIDE] = WesternPlans(world)
    if world.plays(listed.OPTION):
        found[listed.SIDE] = GarrisonList(world)
    return found


class HouseBooks:
    """The secret books as the house keeps them (engine.planning.SecretPlans)."""

    def __init__(self, parts: Mapping[str, SecretBook]) -> None:
        self._parts = parts
        self.books = tuple(part.book for part in parts.values())

    def book_of(self, side: str) -> str:
        """The secret book of a side."""
        return self._parts[side].book if side in self._parts else ""

    def room(self, book: str) -> int:
        """The bytes that a sealed copy keeps for a book."""
        return self._named(book).room

    def since(self, state: State, side: str) -> int:
        """The message whose book holds what stands; 0 for none."""
        return self._parts[side].since(state, side) if side in self._parts else 0

    def planning(self, state: State, side: str, waits: Waits, orders: Sequence[Order], kept: Kept) -> Planning:
        """What the secret orders of a turn file come to; one that belongs to the other side's book is refused."""
        part = self._parts.get(side)
        mine = [order for order in orders if part is not None and order.type in part.types]
        strange = {order.index: [_not_here(order)] for order in orders if order not in mine}
        made = NOTHING_PLANNED if part is None else part.planning(state, side, waits, mine, kept)
        return replace(made, problems={**made.problems, **strange}) if strange else made

    def told(self, state: State, side: str, kept: Mapping[str, Tree]) -> list[str]:
        """The secret contents in words, for their owner."""
        return self._parts[side].told(state, side, kept) if side in self._parts else []

    def chance_orders(
        self, state: State, side: str, waits: Waits, chance: Chance, kept: Kept
    ) -> list[dict[str, Tree]]:
        """Secret orders of chance."""
        return self._parts[side].chance_orders(state, side, waits, chance, kept) if side in self._parts else []

    def drafted(self, book: str, orders: Sequence[Order], kept: Mapping[str, Tree]) -> Iterable[Mapping[str, Tree]]:
        """What a turn file may have made of a book."""
        return self._named(book).drafted(orders, kept)

    def _named(self, book: str) -> SecretBook:
        return next(part for part in self._parts.values() if part.book == book)


def _not_here(order: Order) -> Problem:
    """An order for a book that its author does not keep in this game."""
    if order.type in GarrisonList.types:
        text = f"{order.type}: the Allied player keeps a list of garrisons, by option {listed.OPTION}"
        return Problem("option", listed.RULE, text, "leave the order out")
    return special.moment_problems("", "", "")[0]

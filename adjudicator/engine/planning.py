"""Secret long-term plans (PROTOCOL 5, History): what a turn file makes of the book that holds them.

A game that has such plans names their book. Each message that ends the planning step seals it anew, planned or not, so
that nobody can see from outside whether anything is planned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Order, Problem, Proof, Tree
from adjudicator.engine.driver import Waits


@dataclass(frozen=True)
class Planning:
    """What the orders of a turn file come to, by the plans that their author has kept so far.

    ``contents`` is the new book by topic, None where the message ends no planning step: then nothing is sealed.
    ``orders`` are added to those of the message: they carry out what is due. ``proofs`` are the topics of older books
    that these need. ``problems`` and ``warnings`` are faults of the author's orders, by index, or of a plan, by -1.
    """

    contents: Mapping[str, Tree] | None = None
    orders: tuple[Order, ...] = ()
    proofs: tuple[Proof, ...] = ()
    problems: Mapping[int, list[Problem]] = field(default_factory=dict)
    warnings: tuple[Problem, ...] = ()


NOTHING_PLANNED = Planning()


class SecretPlans(Protocol):
    """What a game with secret long-term plans knows of them."""

    books: tuple[str, ...]

    def book_of(self, side: str) -> str:
        """The book of plans of a side; "" where it keeps none."""

    def room(self, book: str) -> int:
        """The bytes that a sealed copy keeps for the contents of a book, whatever is planned."""

    def since(self, state: Any, side: str) -> int:
        """The message whose book holds the plans of a side that stand in a position; 0 for none."""

    def planning(
        self, state: Any, side: str, waits: Waits, orders: Sequence[Order], kept: Callable[[], Mapping[str, Tree]]
    ) -> Planning:
        """What a turn file comes to in a position that waits so; ``kept`` reads the plans so far, and is asked only
        where the message ends a planning step."""

    def told(self, state: Any, side: str, kept: Mapping[str, Tree]) -> list[str]:
        """The plans of a side in words, for its own eyes."""

    def chance_orders(
        self, state: Any, side: str, waits: Waits, chance: Chance, kept: Callable[[], Mapping[str, Tree]]
    ) -> list[dict[str, Tree]]:
        """Lawful orders of chance that plan in secret, for players that are programs; none where nothing is asked."""

    def drafted(self, book: str, orders: Sequence[Order], kept: Mapping[str, Tree]) -> Iterable[Mapping[str, Tree]]:
        """The books that a turn file may have made of the plans before it, whenever it was written."""

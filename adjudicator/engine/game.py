"""What a game is to the rest of the house (DESIGN, The house): `match` and `cli` see a game only through this."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Ask, Event, Order, Problem, Tree
from adjudicator.engine.driver import Game, Message, Waits
from adjudicator.engine.facedown import FaceDown
from adjudicator.engine.planning import SecretPlans
from adjudicator.engine.schema import Types

if TYPE_CHECKING:
    from adjudicator.engine.queries import Queries
    from adjudicator.engine.stakes import Stake

TEXT_AT_MOST = 1000
ORDERS_AT_MOST = 1000


class Table(Game[Any], Protocol):
    """One scenario of a game, ready to play: rules, names and words over one compiled pack."""

    title: str
    order_types: Types
    books: Mapping[str, tuple[str, ...]]
    """The books in which standing orders are sealed (PROTOCOL 5): name -> topics, in the order of their leaves. Every
    topic of the standing orders stands in one book, and in one only; a game without standing orders has no book. One
    book more may hold secret plans, which are no standing orders."""
    plans: SecretPlans | None
    """The secret long-term plans of a game; None where it has none."""
    facedown: FaceDown | None
    """The decks of a game whose cards lie face down; None where it has none."""
    setup_types: tuple[str, ...]
    """Types of orders that may stand in the messages of the set-up, 1 and 2."""

    def start(self) -> Any:
        """The state before set-up."""

    def position(self, state: Any) -> dict[str, Tree]:
        """The public position as tree of texts (PROTOCOL 4.7)."""

    def restore(self, tree: Mapping[str, object]) -> Any:
        """The state of a position. Raises ValueError for one of another form."""

    def resolve(self, state: Any, side: str, order: Order) -> tuple[Order, list[Problem]]:
        """The order with ids in place of names, and what could not be resolved."""

    def refusal(self, state: Any, side: str, order: Order) -> list[Problem]:
        """What is wrong with an order that no phase runs (standing orders, answers), in whatever position: such an
        order is not signed, and void in a message. Empty for all other orders."""

    def remarks(self, state: Any, side: str, order: Order) -> list[Problem]:
        """Warnings about a sound order that no phase runs; the phases remark on the others themselves."""

    def read_back(self, state: Any, order: Order, events: Sequence[Event]) -> str:
        """An order as a sentence for the player to confirm; ``events`` are those it led to in the preview."""

    def template(self, state: Any, side: str, waits: Waits) -> str:
        """The orders of a turn file to fill in, as YAML lines with comments."""

    def asked(self, state: Any, key: str) -> str:
        """What a choice that is waited for asks of its side, so that ``you owe .. to:`` may stand before it."""

    def spoken(self, text: str) -> str:
        """What the rules say of an order, with the names that players use in place of ids."""

    def situation(self, state: Any, side: str) -> list[str]:
        """What a player must keep in mind, for `status`."""

    def queries(self) -> Queries:
        """What a player may ask while he plans a turn."""

    def label_forms(self) -> tuple[str, ...]:
        """Regular expressions of every label this game rolls; each roll fits exactly one (PROTOCOL 4.6)."""

    # -- for players that are programs, and for those who watch them ----------------------------------------------

    def bot_orders(
        self, state: Any, side: str, ask: Ask[Any], chance: Chance, written: Sequence[Mapping[str, Tree]] = ()
    ) -> list[dict[str, Tree]]:
        """Lawful orders that answer a choice waited for, picked from what the rules list; may be none.

        ``written`` are the orders that stand in the message already.
        """

    def simple_orders(
        self, state: Any, side: str, ask: Ask[Any], chance: Chance, written: Sequence[Mapping[str, Tree]] = ()
    ) -> list[dict[str, Tree]]:
        """The same with simple aims in place of chance."""

    def speak(self, state: Any, side: str, row: Mapping[str, Tree], chance: Chance) -> dict[str, Tree]:
        """An order with ids in which some are written by name, as players write them; it resolves to the same."""

    def bot_standing(self, state: Any, side: str, chance: Chance, topic: str = "") -> list[dict[str, Tree]]:
        """A standing order of chance on a topic, or on one of chance; lawful in its form, none where there is no
        topic."""

    def answer(self, state: Any, ask: Ask[Any], value: Any) -> dict[str, Tree] | None:
        """The order that gives a listed answer to a choice; None where no single order does."""

    def event_kinds(self) -> frozenset[str]:
        """Every kind of event there is; all others are faults of the rules."""

    def faults(self, state: Any, before: Any | None = None) -> list[str]:
        """What is wrong with a state between two choices by the rules themselves: nothing, while they are sound.

        ``before`` is a state from earlier in the game, for what must not grow, shrink or go back.
        """

    def disagreements(self, state: Any, side: str, ask: Ask[Any], chance: Chance) -> list[str]:
        """Where listing and checking differ, tried on some orders of chance, listed and not: nothing, if sound."""

    # -- for `audit` ---------------------------------------------------------------------------------------------

    def stake(self, event: Event, who: str) -> Stake | None:
        """What the roll that an event tells was worth to the side that rolled; None where no table says it."""

    def worth(self) -> tuple[str, ...]:
        """How :meth:`stake` counts, in words, one kind of roll a line."""


class Rules(Protocol):
    """A game: its slug, the version of its rules, its two sides (the first proposes), its orders and its tables."""

    system: str
    version: int
    sides: tuple[str, str]
    order_types: Types

    def first(self, pack: Mapping[str, object], scenario: str) -> str:
        """The side that moves first, for genesis."""

    def table(self, pack: Mapping[str, object], scenario: str, switches: Mapping[str, str]) -> Table:
        """A scenario ready to play. Raises ValueError for an unknown scenario or switch."""


def message_of(seq: int, side: str, orders: Sequence[Mapping[str, Tree]]) -> Message:
    """A signed body's orders as the driver reads them.

    The first :data:`ORDERS_AT_MOST` orders are read, so that no message takes minutes to resolve; :func:`beyond` gives
    the others. A text is read up to :data:`TEXT_AT_MOST` characters: no id or number is that long, and a longer one
    might be repeated in thousands of events. Fields stand in canonical order, whatever the order in which they were
    written or read: the first fault of an order is part of an event, and must be the same for who signed it, who
    received it and who reads the log.
    """
    return Message(seq, side, orders_of(orders[:ORDERS_AT_MOST]))


def orders_of(rows: Iterable[Mapping[str, Tree]]) -> tuple[Order, ...]:
    """Rows as orders, numbered in their order, as :func:`message_of` reads them."""
    return tuple(
        Order(index, str(row.get("type", "")), {name: ordered(row[name]) for name in sorted(row) if name != "type"})
        for index, row in enumerate(rows)
    )


def beyond(orders: Sequence[Mapping[str, Tree]]) -> list[tuple[Order, Problem]]:
    """The first order that is not read because the message holds too many, with the reason; nothing for others."""
    if len(orders) <= ORDERS_AT_MOST:
        return []
    order = Order(ORDERS_AT_MOST, str(orders[ORDERS_AT_MOST].get("type", "")), {})
    return [(order, too_many(len(orders)))]


def too_many(count: int) -> Problem:
    """The fault of a message with so many orders."""
    said = f"the message holds {count:,} orders, {ORDERS_AT_MOST:,} are read: this one and all behind it are void"
    return Problem("too_many", "PROTOCOL 4.2", said, "send fewer, `units` moves several at once")


def ordered(tree: Tree) -> Tree:
    """The same tree with the fields of every mapping in canonical order, and its texts cut."""
    if isinstance(tree, str):
        return tree[:TEXT_AT_MOST]
    if isinstance(tree, list):
        return [ordered(item) for item in tree]
    return {name: ordered(tree[name]) for name in sorted(tree)}

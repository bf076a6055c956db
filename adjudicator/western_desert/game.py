"""Western Desert as the rest of the house sees it (engine.game.Rules and engine.game.Table).

What only questions, audits and playing programs need is loaded when it is wanted: every command starts with this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Ask, Event, Order, Problem, Tree
from adjudicator.engine.driver import Step, Waits
from adjudicator.engine.facedown import FaceDown
from adjudicator.engine.planning import SecretPlans
from adjudicator.engine.schema import Types
from adjudicator.engine.spoken import spoken
from adjudicator.western_desert import apply as changes
from adjudicator.western_desert import position as positions
from adjudicator.western_desert import turn
from adjudicator.western_desert.labels import LABEL_FORMS
from adjudicator.western_desert.names import books_of, resolver
from adjudicator.western_desert.orders import BOOKS, TYPES
from adjudicator.western_desert.readback import sentence
from adjudicator.western_desert.remarks import standing_remarks
from adjudicator.western_desert.situation import situation
from adjudicator.western_desert.standing import refusal
from adjudicator.western_desert.state import State
from adjudicator.western_desert.switches import check_switches
from adjudicator.western_desert.template import template
from adjudicator.western_desert.theatre.secrets import HouseBooks, secret_books
from adjudicator.western_desert.words import asked
from adjudicator.western_desert.world import first_state, rows, text, world_from_pack

if TYPE_CHECKING:
    from adjudicator.engine.queries import Queries
    from adjudicator.engine.stakes import Stake

SIDES = ("axis", "allied")


class WesternDesertTable:
    """One scenario of Western Desert over one compiled pack."""

    sides = SIDES
    order_types: Types = TYPES
    books: Mapping[str, tuple[str, ...]] = BOOKS
    plans: SecretPlans | None = None
    facedown: FaceDown | None = None
    setup_types: tuple[str, ...] = ()

    def __init__(self, pack: Mapping[str, object], scenario: str, switches: Mapping[str, str]) -> None:
        check_switches(pack, switches, scenario)
        self.world = world_from_pack(pack, scenario, switches)
        self.title = text(self.world.scenario, "title")
        self._books = books_of(pack, self.world.scenario)
        secret = secret_books(self.world)
        if secret:
            self.plans = HouseBooks(secret)
            self.books = {**BOOKS, **{one.book: one.topics for one in secret.values()}}

    def apply(self, state: State, event: Event) -> None:
        """Change the state by one event."""
        changes.apply(state, event)

    def copy(self, state: State) -> State:
        """An independent working copy."""
        return state.copy()

    def next_step(self, state: State) -> tuple[str, Step[State]] | Waits:
        """The step at which the cursor stands."""
        return turn.next_step(state)

    def start(self) -> State:
        """The state before set-up."""
        return first_state(self.world)

    def position(self, state: State) -> dict[str, Tree]:
        """The public position."""
        return positions.position(state)

    def restore(self, tree: Mapping[str, object]) -> State:
        """The state of a position. Raises ValueError for one of another form."""
        return positions.restore(self.world, tree)

    def resolve(self, state: State, side: str, order: Order) -> tuple[Order, list[Problem]]:
        """The order with ids in place of names."""
        return resolver(self._books, state, side).order(order)

    def refusal(self, state: State, side: str, order: Order) -> list[Problem]:
        """What is wrong with a standing order or an answer, in whatever position."""
        return refusal(state, side, order)

    def remarks(self, state: State, side: str, order: Order) -> list[Problem]:
        """What is odd about a standing order."""
        return standing_remarks(state, order) if order.type == "standing" else []

    def read_back(self, state: State, order: Order, events: Sequence[Event]) -> str:
        """An order as a sentence."""
        return sentence(state, order, events)

    def template(self, state: State, side: str, waits: Waits) -> str:
        """Orders to fill in."""
        return template(state, side, waits)

    def asked(self, state: State, key: str) -> str:
        """What a choice asks: the orders of a phase, or an answer."""
        return asked(key)

    def spoken(self, text: str) -> str:
        """What the rules say names units as players do already."""
        return text

    def situation(self, state: State, side: str) -> list[str]:
        """What a player must keep in mind."""
        return situation(state, side)

    def queries(self) -> Queries:
        """What a player may ask; loaded when it is wanted."""
        from adjudicator.western_desert.queries import WesternDesertQueries

        return WesternDesertQueries(self, self._books)

    def label_forms(self) -> tuple[str, ...]:
        """Every form of label that is rolled."""
        return LABEL_FORMS

    def bot_orders(
        self, state: State, side: str, ask: Ask[Any], chance: Chance, written: Sequence[Mapping[str, Tree]] = ()
    ) -> list[dict[str, Tree]]:
        """Lawful orders of chance for a choice."""
        from adjudicator.western_desert import bots

        return bots.orders(state, side, ask, chance, written)

    def simple_orders(
        self, state: State, side: str, ask: Ask[Any], chance: Chance, written: Sequence[Mapping[str, Tree]] = ()
    ) -> list[dict[str, Tree]]:
        """Lawful orders with simple aims for a choice."""
        from adjudicator.western_desert import bot_simple

        return bot_simple.simple_orders(state, side, ask, chance, written)

    def speak(self, state: State, side: str, row: Mapping[str, Tree], chance: Chance) -> dict[str, Tree]:
        """An order with some ids written by name."""
        return spoken(resolver(self._books, state, side), row, chance)

    def bot_standing(self, state: State, side: str, chance: Chance, topic: str = "") -> list[dict[str, Tree]]:
        """A standing order of chance."""
        from adjudicator.western_desert import bots

        return bots.standing(state, side, chance, topic)

    def event_kinds(self) -> frozenset[str]:
        """Every kind of event there is."""
        return frozenset(changes.APPLY)

    def answer(self, state: State, ask: Ask[Any], value: Any) -> dict[str, Tree] | None:
        """The order that gives a listed answer."""
        from adjudicator.western_desert import bots

        return bots.answer(state, ask, value)

    def faults(self, state: State, before: State | None = None) -> list[str]:
        """What is wrong with a state."""
        from adjudicator.western_desert import invariants

        return invariants.faults(state, before)

    def disagreements(self, state: State, side: str, ask: Ask[Any], chance: Chance) -> list[str]:
        """Where listing and checking differ."""
        from adjudicator.western_desert import invariants

        return invariants.disagreements(state, side, ask, chance)

    def stake(self, event: Event, who: str) -> Stake | None:
        """What a roll was worth to its roller."""
        from adjudicator.western_desert.stakes import stake_of

        return stake_of(self.world, event, who)

    def worth(self) -> tuple[str, ...]:
        """How that is counted."""
        from adjudicator.western_desert.stakes import WORTH

        return WORTH


class WesternDesert:
    """The game: slug, version of the rules, sides (the Axis player proposes), scenarios."""

    system = "western-desert"
    version = 1
    sides = SIDES
    order_types: Types = TYPES
    places = frozenset({"control", "boxes", "levant"})

    def first(self, pack: Mapping[str, object], scenario: str) -> str:
        """The side that moves first in a scenario."""
        for row in rows(pack, "scenarios"):
            if text(row, "id") == scenario:
                return text(row, "first")
        return SIDES[1]

    def table(
        self, pack: Mapping[str, object], scenario: str, switches: Mapping[str, str]
    ) -> WesternDesertTable:
        """A scenario ready to play. Raises UnknownScenario with the names there are."""
        return WesternDesertTable(pack, scenario, switches)


GAME = WesternDesert()

"""Shifting Sands as the rest of the house sees it (engine.game.Rules and engine.game.Table).

What only questions, audits and playing programs need is loaded when it is wanted: every command starts with this.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Ask, Ctx, Event, Order, Problem, Tree
from adjudicator.engine.driver import Step, Waits
from adjudicator.engine.facedown import FaceDown
from adjudicator.engine.planning import SecretPlans
from adjudicator.engine.schema import Types
from adjudicator.engine.spoken import spoken
from adjudicator.shifting_sands import apply as changes
from adjudicator.shifting_sands import position as positions
from adjudicator.shifting_sands import turn
from adjudicator.shifting_sands.cards import not_held
from adjudicator.shifting_sands.drawing import TAKE, resort
from adjudicator.shifting_sands.facedown import (
    StrategyDecks,
    cards_named,
    is_part,
    is_sealed,
    sealed_card_problems,
    show,
)
from adjudicator.shifting_sands.gate import form_problems
from adjudicator.shifting_sands.labels import LABEL_FORMS
from adjudicator.shifting_sands.names import books_of, resolver
from adjudicator.shifting_sands.oddities import remarks
from adjudicator.shifting_sands.orders import BOOKS, TYPES
from adjudicator.shifting_sands.readback import sentence
from adjudicator.shifting_sands.situation import asked, situation
from adjudicator.shifting_sands.standing import rules_problems
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.switches import check_switches
from adjudicator.shifting_sands.template import template
from adjudicator.shifting_sands.ways import with_path
from adjudicator.shifting_sands.words import names_in
from adjudicator.shifting_sands.world import world_from_pack

if TYPE_CHECKING:
    from adjudicator.engine.queries import Queries
    from adjudicator.engine.stakes import Stake

SIDES = ("axis", "allied")


class ShiftingSandsTable:
    """One scenario of Shifting Sands over one compiled pack."""

    sides = SIDES
    order_types: Types = TYPES
    books: Mapping[str, tuple[str, ...]] = BOOKS
    plans: SecretPlans | None = None
    setup_types: tuple[str, ...] = (TAKE,)

    def __init__(self, pack: Mapping[str, object], scenario: str, switches: Mapping[str, str]) -> None:
        check_switches(pack, switches)
        self.world = world_from_pack(pack, scenario, switches)
        self.title = str(self.world.scenario.get("title", ""))
        self._books = books_of(pack)
        self._names = names_in(self.world)
        self.facedown: FaceDown | None = StrategyDecks(self.world)

    @cached_property
    def _ids(self) -> re.Pattern[str]:
        listed = "|".join(map(re.escape, sorted(self._names, key=len, reverse=True)))
        return re.compile(rf"(?<![\w-])(?:{listed})(?![\w-])")

    def apply(self, state: State, event: Event) -> None:
        """Change the state by one event."""
        changes.apply(state, event)

    def copy(self, state: State) -> State:
        """An independent working copy."""
        return state.copy()

    def begin(self, ctx: Ctx[State], side: str, orders: Sequence[Order]) -> None:
        """A hand that was looked into is dealt anew with its owner's next message (SS 11.73, PROTOCOL 6); cards that
        a standing order names are shown."""
        if side in ctx.state.resorting:
            resort(ctx, side, cards_named(orders))
        show(ctx, side, orders)

    def next_step(self, state: State) -> tuple[str, Step[State]] | Waits:
        """The step at which the cursor stands."""
        return turn.next_step(state)

    def start(self) -> State:
        """The state before set-up."""
        return positions.first_state(self.world)

    def position(self, state: State) -> dict[str, Tree]:
        """The public position."""
        return positions.position(state)

    def restore(self, tree: Mapping[str, object]) -> State:
        """The state of a position. Raises ValueError for one of another form."""
        return positions.restore(self.world, tree)

    def resolve(self, state: State, side: str, order: Order) -> tuple[Order, list[Problem]]:
        """The order with ids in place of names, and a move with its whole path."""
        found, problems = resolver(self._books, state, side).order(order)
        return (found, problems) if problems else with_path(state, found)

    def refusal(self, state: State, side: str, order: Order) -> list[Problem]:
        """What is wrong with a standing order or an answer, in whatever position."""
        if order.type not in turn.FREE_TYPES or is_part(order):
            return []
        if state.hidden and is_sealed(order) and cards_named([order]):
            problems = sealed_card_problems(state, side, order)
            if problems:
                return problems
        absent = [] if is_sealed(order) else not_held(state, side, cards_named([order]))
        if absent:
            said = f"{', '.join(absent)} {'is' if len(absent) == 1 else 'are'} neither in hand nor face up before you"
            return [Problem("hand", "PROTOCOL 6", said, "name cards that you hold, or leave it out", field="rules")]
        return form_problems(state, order) or rules_problems(order.text("topic"), order.data.get("rules", []))

    def remarks(self, state: State, side: str, order: Order) -> list[Problem]:
        """What is odd about an order that is sound by itself."""
        return remarks(state, side, order)

    def read_back(self, state: State, order: Order, events: Sequence[Event]) -> str:
        """An order as a sentence."""
        return sentence(state, order, events)

    def template(self, state: State, side: str, waits: Waits) -> str:
        """Orders to fill in."""
        return template(state, side, waits)

    def asked(self, state: State, key: str) -> str:
        """What a choice asks, in words."""
        return asked(state, key)

    def spoken(self, text: str) -> str:
        """Units by their short names and cards by their titles, where the rules write ids."""
        return self._ids.sub(lambda found: self._names[found.group()], text)

    def situation(self, state: State, side: str) -> list[str]:
        """What a player must keep in mind."""
        return situation(state, side)

    def queries(self) -> Queries:
        """What a player may ask; loaded when it is wanted."""
        from adjudicator.shifting_sands.queries import ShiftingSandsQueries

        return ShiftingSandsQueries(self, self._books)

    def label_forms(self) -> tuple[str, ...]:
        """Every form of label that is rolled."""
        return LABEL_FORMS

    def bot_orders(
        self, state: State, side: str, ask: Ask[Any], chance: Chance, written: Sequence[Mapping[str, Tree]] = ()
    ) -> list[dict[str, Tree]]:
        """Lawful orders of chance for a choice."""
        from adjudicator.shifting_sands import bots

        return bots.orders(state, side, ask, chance, written)

    def simple_orders(
        self, state: State, side: str, ask: Ask[Any], chance: Chance, written: Sequence[Mapping[str, Tree]] = ()
    ) -> list[dict[str, Tree]]:
        """Orders with simple aims."""
        from adjudicator.shifting_sands import bot_simple

        return bot_simple.simple_orders(state, side, ask, chance, written)

    def speak(self, state: State, side: str, row: Mapping[str, Tree], chance: Chance) -> dict[str, Tree]:
        """An order with some ids written by name."""
        return spoken(resolver(self._books, state, side), row, chance)

    def bot_standing(self, state: State, side: str, chance: Chance, topic: str = "") -> list[dict[str, Tree]]:
        """A standing order of chance."""
        from adjudicator.shifting_sands import bots

        return bots.standing(state, side, chance, topic)

    def event_kinds(self) -> frozenset[str]:
        """Every kind of event there is."""
        return frozenset(changes.APPLY)

    def answer(self, state: State, ask: Ask[Any], value: Any) -> dict[str, Tree] | None:
        """The order that gives a listed answer."""
        from adjudicator.shifting_sands import bots

        return bots.answer(state, ask, value)

    def faults(self, state: State, before: State | None = None) -> list[str]:
        """What is wrong with a state."""
        from adjudicator.shifting_sands import invariants

        return invariants.faults(state, before)

    def disagreements(self, state: State, side: str, ask: Ask[Any], chance: Chance) -> list[str]:
        """Where listing and checking differ."""
        from adjudicator.shifting_sands import invariants

        return invariants.disagreements(state, side, ask, chance)

    def stake(self, event: Event, who: str) -> Stake | None:
        """What a roll was worth to its roller."""
        from adjudicator.shifting_sands.stakes import stake_of

        return stake_of(self.start(), event, who)

    def worth(self) -> tuple[str, ...]:
        """How that is counted."""
        from adjudicator.shifting_sands.stakes import WORTH

        return WORTH


class ShiftingSands:
    """The game: slug, version of the rules, sides (the Axis player proposes), scenarios."""

    system = "shifting-sands"
    version = 1
    sides = SIDES
    order_types: Types = TYPES

    def first(self, pack: Mapping[str, object], scenario: str) -> str:
        """The side that moves first: the Axis player opens every action round (SS 6.11)."""
        return SIDES[0]

    def table(
        self, pack: Mapping[str, object], scenario: str, switches: Mapping[str, str]
    ) -> ShiftingSandsTable:
        """A scenario ready to play. Raises UnknownScenario with the names there are."""
        return ShiftingSandsTable(pack, scenario, switches)


GAME = ShiftingSands()

"""What a player of Western Desert may ask while he plans: moves, supply, odds, and what a tried turn came to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from adjudicator.engine.core import Event, Order, Problem
from adjudicator.engine.driver import Game
from adjudicator.engine.names import NameBook
from adjudicator.engine.queries import MISSION, OVERRUN, SUPPLY, Reply, Scene, Tried, place_or_unit, unknown
from adjudicator.engine.schema import Types
from adjudicator.western_desert.names import resolver
from adjudicator.western_desert.queries.missions import mission_reply
from adjudicator.western_desert.queries.moves import moves_reply
from adjudicator.western_desert.queries.odds import odds_reply
from adjudicator.western_desert.queries.overruns import overrun_reply
from adjudicator.western_desert.queries.questions import QUESTIONS
from adjudicator.western_desert.queries.rehearsal import Rehearsal
from adjudicator.western_desert.queries.supply import supply_reply
from adjudicator.western_desert.queries.tried import tried
from adjudicator.western_desert.state import State


class WesternDesertQueries:
    """The questions of one table (engine.queries.Queries)."""

    types: Types = QUESTIONS

    def __init__(self, table: Game[State], books: Mapping[str, NameBook]) -> None:
        self._table = table
        self._books = dict(books)

    def resolve(self, scene: Scene, order: Order) -> tuple[Order, list[Problem]]:
        """A question with ids in place of names."""
        reader = replace(resolver(self._books, scene.state, scene.side), types=QUESTIONS)
        missing = unknown(order.text("subject"), [self._books["unit"], self._books["hex"]])
        if missing and order.type == SUPPLY and order.text("subject"):
            return order, missing
        return reader.order(place_or_unit(self._books, "hex", order))

    def rehearsal(self, question: str, side: str, drafted: bool) -> Game[Any]:
        """The game up to the moment that the question is about."""
        return Rehearsal(self._table, question, side)

    def moves(self, scene: Scene, asked: Order) -> Reply:
        """Where a unit can go."""
        return moves_reply(scene.state, scene.side, asked)

    def supply(self, scene: Scene, asked: Order) -> Reply:
        """Who is in supply, and why."""
        return supply_reply(scene.state, scene.side, asked)

    def odds(self, scene: Scene, asked: Order) -> Reply:
        """The exact chances of an attack or an air mission, or what an overrun comes to."""
        if asked.type == OVERRUN:
            return overrun_reply(scene.state, asked)
        if asked.type == MISSION:
            return mission_reply(scene, asked)
        return odds_reply(self._table, scene, asked)

    def tried(self, before: State, after: State, events: Sequence[Event]) -> Tried:
        """What came of a turn."""
        return tried(self._table, before, after, events)

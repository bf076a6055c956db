"""What a game answers while a player plans (DESIGN, Command line): moves, supply, odds, trying a turn, addresses.

Answers are words for people and a tree for programs. They come from the rules that adjudicate and change nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

from adjudicator.engine.core import Event, Order, Problem, Tree
from adjudicator.engine.driver import NO_BOOKS, Books, Game, Message
from adjudicator.engine.names import NameBook
from adjudicator.engine.schema import Types, shape_problems

MOVES, SUPPLY, ODDS, OVERRUN, MISSION = "moves", "supply", "odds", "overrun", "mission"
Asked = Mapping[str, Tree]


@dataclass(frozen=True)
class Reply:
    """An answer: lines for people, a tree for programs, and where the answer is no, the rules that say so.

    ``problems`` are faults of the question itself (a unit that is not there), which then has no answer.
    """

    lines: Sequence[str] = ()
    tree: Mapping[str, Any] = field(default_factory=dict)
    reasons: Sequence[Problem] = ()
    problems: Sequence[Problem] = ()


@dataclass(frozen=True)
class Scene:
    """What a question is about: the position, who asks, and what is known beside the position.

    ``messages`` are those from which choices may be read, ``at`` the seq of the newest that is in use and ``answered``
    those that were asked for (:class:`adjudicator.engine.driver.Checkpoint`): standing orders and a draft's own words.
    ``books`` are the sealed standing orders that whoever asks may know: his own, and what lies open.
    """

    state: Any
    side: str
    messages: Sequence[Message] = ()
    at: int = 0
    answered: tuple[int, ...] = ()
    books: Books = NO_BOOKS


@dataclass(frozen=True)
class Clash:
    """One combat in a turn that was tried: a key that is the same in every try, its title, result, and losses by side.

    A loss is a mapping from a measure (``RE``) to an amount.
    """

    key: str
    title: str
    result: str
    losses: Mapping[str, Mapping[str, Fraction]] = field(default_factory=dict)


@dataclass(frozen=True)
class Tried:
    """What is worth counting in one try of a turn: its combats, and what happened or did not.

    ``marks`` are sentences by group (``Taken``, ``Lost``); each of them is counted by itself. ``idle`` are the orders
    that came to nothing, by message and index: ``void`` or ``called off``.
    """

    clashes: Sequence[Clash] = ()
    marks: Mapping[str, Sequence[str]] = field(default_factory=dict)
    idle: Mapping[tuple[int, int], str] = field(default_factory=dict)


class Queries(Protocol):
    """The questions of one table. Each method is pure; a fault of the question is a problem of its reply.

    ``types`` are the questions as order types: the fields of one are its subject and the options that the game knows.
    The asked mappings hold ids.
    """

    types: Types

    def resolve(self, scene: Scene, order: Order) -> tuple[Order, list[Problem]]:
        """A question with ids in place of names, and what could not be resolved."""

    def rehearsal(self, question: str, side: str, drafted: bool) -> Game[Any]:
        """The game, stopping at the moment a question is about: orders up to there, those of a draft included where
        there is one (``drafted``), are carried out."""

    def moves(self, scene: Scene, asked: Order) -> Reply:
        """Where a unit can go and at what cost; with ``to``, the way there or why there is none."""

    def supply(self, scene: Scene, asked: Order) -> Reply:
        """The supply of a unit or place, or of all units of the side."""

    def odds(self, scene: Scene, asked: Order) -> Reply:
        """The exact chances of a combat; of an overrun that takes no die, whether it is lawful and what it costs;
        of an air mission, what may befall it and what it does."""

    def tried(self, before: Any, after: Any, events: Sequence[Event]) -> Tried:
        """What came of a turn, for counting; ``before`` is the state before the events."""


def put(queries: Queries, question: str, scene: Scene, asked: Asked) -> Reply:
    """Put a question in a player's words: form and names are read first, and what is wrong with them is told."""
    order = Order(0, question, asked)
    if question not in queries.types:
        return Reply(problems=[Problem("field", "", f"this game has no {question}", field=question)])
    problems = shape_problems(queries.types, order)
    if not problems:
        order, problems = queries.resolve(scene, order)
    if problems:
        return Reply(problems=problems)
    answers = {MOVES: queries.moves, SUPPLY: queries.supply, **dict.fromkeys((ODDS, OVERRUN, MISSION), queries.odds)}
    return answers[question](scene, order)


def unknown(text: str, books: Sequence[NameBook]) -> list[Problem]:
    """A subject that is in none of the books, with the names that look like it; nothing where one has it."""
    if any(book.find(text) for book in books):
        return []
    said = f"there is no {' or '.join(book.what for book in books)} {text!r}"
    near = list(dict.fromkeys(name for book in books for name in book.near(text)))
    hint = "did you mean " + " or ".join(near) + "?" if near else "look up the names with `template` or `status`"
    return [Problem("unknown", "names", said, hint, field="subject")]


def place_or_unit(books: Mapping[str, NameBook], place: str, order: Order) -> Order:
    """A supply question whose subject may be a unit or a place: put into the field, ``unit`` or that of places, that it
    fits."""
    subject = order.text("subject")
    if order.type != SUPPLY or not subject:
        return order
    rest = {name: value for name, value in order.data.items() if name != "subject"}
    field_ = place if books[place].find(subject) and not books["unit"].find(subject) else "unit"
    return Order(order.index, order.type, {field_: subject, **rest}, order.places)


def percent(chance: Fraction) -> str:
    """A chance as ``16.7%``; a small one that is not 0 never reads as 0, nor a great one as 100."""
    shown = f"{float(100 * chance):.1f}"
    if shown == "0.0" and chance:
        return "<0.1%"
    return ">99.9%" if shown == "100.0" and chance != 1 else f"{shown.removesuffix('.0')}%"

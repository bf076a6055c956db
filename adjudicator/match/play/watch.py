"""A table that is watched: every choice, roll and step of the rules is looked at as it comes by, and let through.

Only the rules themselves decide; the watcher notes what is not as it should be and changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from functools import partial
from typing import Any, cast

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Answer, Ask, Ctx, Order, Proc, Roll, Tree
from adjudicator.engine.driver import Step, Waits
from adjudicator.engine.game import Table
from adjudicator.protocol.labels import is_label

ATOMS_TRIED = 12
DISAGREE_SHARE = 0.25


class Watched:
    """Stands for a table and notes faults; everything it does not name goes to the table itself.

    ``looking`` switches the costly looks on. ``faults`` is emptied by the reader. ``settled`` are the choices that
    were settled by a standing order: key of the choice, topic, the order's message, and what it made of it.
    """

    def __init__(self, table: Table, chance: Chance) -> None:
        self._table = table
        self._chance = chance
        self._forms = [re.compile(form) for form in table.label_forms()]
        self._last: Any = None
        self.looking = False
        self.faults: list[str] = []
        self.asked = 0
        self.rolled = 0
        self.settled: set[tuple[str, str, int, str]] = set()

    @property
    def table(self) -> Table:
        """This as a table."""
        return cast(Table, self)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def take(self) -> list[str]:
        """The faults noted since the last time."""
        found, self.faults = self.faults, []
        return found

    def next_step(self, state: Any) -> tuple[str, Step[Any]] | Waits:
        """The step of the table, watched."""
        found = self._table.next_step(state)
        if isinstance(found, Waits) or not self.looking:
            return found
        name, body = found
        return name, partial(self._watch, name, body)

    def _watch(self, name: str, body: Step[Any], ctx: Ctx[Any]) -> Proc[None]:
        steps: Generator[Any, Any, None] = body(ctx)
        reply: Any = None
        while True:
            try:
                request = steps.send(reply)
            except StopIteration:
                break
            if isinstance(request, Ask):
                self._ask(ctx.state, request)
            elif isinstance(request, Roll):
                self._roll(request)
            reply = yield request
            if isinstance(reply, Answer) and reply.by and reply.source in ("standing", "default"):
                self.settled.add((request.key, request.topic, reply.by[-1], reply.source))
        self._note(f"after {name}", self._table.faults(ctx.state, self._last))
        self._last = self._table.copy(ctx.state)

    def _note(self, where: str, lines: Sequence[str]) -> None:
        self.faults += [f"{where}: {line}" for line in lines]

    # -- rolls ---------------------------------------------------------------------------------------------------

    def _roll(self, roll: Roll) -> None:
        self.rolled += roll.count
        fitting = sum(form.fullmatch(roll.label) is not None for form in self._forms)
        if fitting != 1 or not is_label(roll.label):
            self._note(roll.label, [f"the label fits {fitting} declared forms, it must fit one"])
        if roll.faces < 2 or roll.count < 1 or not all(1 <= value <= roll.faces for value in roll.assume):
            self._note(roll.label, [f"{roll.count} dice of {roll.faces} faces, assumed {roll.assume}"])

    # -- choices -------------------------------------------------------------------------------------------------

    def _ask(self, state: Any, ask: Ask[Any]) -> None:
        self.asked += 1
        where = ask.key
        if not is_label(ask.key):
            self._note(where, ["the key of the choice is off the grammar of labels"])
        if ask.stop:
            self._note(where, self._table.faults(state, self._last))
        before = self._table.position(state)
        self._default(where, ask)
        atoms = list(ask.atoms())
        for value in self._chance.some(atoms, least=ATOMS_TRIED, most=ATOMS_TRIED):
            self._atom(state, where, ask, value)
        if self._chance.likely(DISAGREE_SHARE):
            self._note(where, self._table.disagreements(state, ask.side, ask, self._chance))
        if self._table.position(state) != before:
            self._note(where, ["listing or checking changed the state"])

    def _default(self, where: str, ask: Ask[Any]) -> None:
        value = ask.default()
        problems = ask.problems(value)
        if problems:
            self._note(where, [f"the default {value!r} is unlawful: {problems[0].text}"])

    def _atom(self, state: Any, where: str, ask: Ask[Any], value: Any) -> None:
        """A listed answer is lawful, and the order that gives it is read as just that answer."""
        problems = ask.problems(value)
        if problems:
            self._note(where, [f"{value!r} is listed and unlawful: {problems[0].text}"])
        row = self._table.answer(state, ask, value)
        if row is not None:
            read = ask.find([order_of(row)])
            if read != value:
                self._note(where, [f"{value!r} ordered as {row} is read as {read!r}"])


def order_of(row: dict[str, Tree], index: int = 0) -> Order:
    """A row of orders as the rules read it."""
    return Order(index, str(row.get("type", "")), {name: value for name, value in row.items() if name != "type"})

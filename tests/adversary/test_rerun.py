"""A step that is run again over more messages says the same of what was resolved before, whatever was kept in between.

A little game of four steps: red orders, red is asked twice more, blue answers. What red said early must be on file for
the last step, and what was made void in the first must stay void.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from adjudicator.engine.core import Ask, Ctx, Event, Order, Problem, Proc, Roll, Tree
from adjudicator.engine.driver import Step, Waits
from adjudicator.engine.game import Table
from adjudicator.match.resolver import MatchResolver
from adjudicator.protocol.resolve import Resolution

Row = dict[str, Any]


@dataclass
class Place:
    """The state: which step comes next, and what was told."""

    step: str = "first"
    told: list[str] = field(default_factory=list)


def of_type(name: str) -> Callable[[Sequence[Order]], str | None]:
    """Reads the field ``say`` of the first order of a type."""
    return lambda orders: next((order.text("say") for order in orders if order.type == name), None)


def ask(key: str, side: str, **more: Any) -> Ask[str]:
    return Ask(
        key, side, "T 1", key, of_type(key), lambda _v: [], lambda: (), lambda: "nothing", stop=True, forced=False,
        **more,
    )


def first(ctx: Ctx[Place]) -> Proc[None]:
    answer = yield from ctx.ask(ask("first", "red", fresh=True, earliest=3))
    for order in answer.message:
        if order.type == "third" and order.text("say") == "bad":
            ctx.void(order, [Problem("bad", "T 2", "it is bad")], (ctx.on,))
    (die,) = yield from ctx.roll(Roll("first", "die", assume=(1,)))
    ctx.emit("told", "T 1", answer.by, what=answer.value, die=str(die), step="second")


def second(ctx: Ctx[Place]) -> Proc[None]:
    answer = yield from ctx.ask(ask("second", "red"))
    ctx.emit("told", "T 1", answer.by, what=answer.value, step="third")


def third(ctx: Ctx[Place]) -> Proc[None]:
    answer = yield from ctx.ask(ask("third", "red"))
    (die,) = yield from ctx.roll(Roll("third", "die", assume=(1,)))
    ctx.emit("told", "T 1", answer.by, what=answer.value, die=str(die), step="third")
    reply = yield from ctx.ask(ask("fourth", "blue"))
    (die,) = yield from ctx.roll(Roll("fourth", "die", assume=(1,)))
    ctx.emit("told", "T 1", reply.by, what=reply.value, die=str(die), step="over")


class Little:
    """The little game as a table."""

    sides = ("red", "blue")
    facedown = None
    setup_types: tuple[str, ...] = ()

    def start(self) -> Place:
        return Place()

    def copy(self, state: Place) -> Place:
        return Place(state.step, [*state.told])

    def apply(self, state: Place, event: Event) -> None:
        if event.kind == "told":
            state.step = str(event.data["step"])
            state.told.append(str(event.data["what"]))

    def next_step(self, state: Place) -> tuple[str, Step[Place]] | Waits:
        steps: dict[str, Step[Place]] = {"first": first, "second": second, "third": third}
        return (state.step, steps[state.step]) if state.step in steps else Waits("over")

    def position(self, state: Place) -> dict[str, Tree]:
        return {"step": state.step, "told": [*state.told]}

    def restore(self, tree: Row) -> Place:
        return Place(tree["step"], [*tree["told"]])

    def refusal(self, state: Place, side: str, order: Order) -> list[Problem]:
        return [Problem("odd", "T 3", "it is odd")] if order.type == "answer" and order.text("say") == "odd" else []


EARLY: list[Row] = [
    {"type": "answer", "say": "odd"},
    {"type": "third", "say": "bad"},
    {"type": "first", "say": "one"},
]


def played(messages: dict[int, list[Row]], restored: bool) -> tuple[list[Resolution], list[list[Event]]]:
    """The resolutions of messages 0 to 7, and the runs; ``restored``: the resolver is kept and taken up after each."""
    table = cast(Table, Little())
    resolver = MatchResolver.fresh(table)
    bodies: list[Row] = [{"orders": messages.get(seq, [])} for seq in range(8)]
    found, runs = [], []
    for seq in range(8):
        found.append(resolver.resolve(seq, bodies[: seq + 1], hashlib.sha256(bytes([seq])).digest()))
        assert resolver.last is not None
        runs.append(resolver.last.events)
        if restored:
            resolver = MatchResolver.restored(table, json.loads(json.dumps(resolver.export())))
    return found, runs


SECOND: Row = {"type": "second", "say": "two"}
CASES: dict[str, dict[int, list[Row]]] = {
    "told early": {3: [{"type": "first", "say": "one"}, {"type": "third", "say": "early"}], 5: [SECOND]},
    "void": {3: EARLY, 5: [SECOND]},
    "void and told": {3: [*EARLY, {"type": "third", "say": "good"}], 5: [SECOND]},
    "silent": {},
}


@pytest.mark.parametrize("name", CASES)
def test_what_was_shown_does_not_change(name: str) -> None:
    found, runs = played(CASES[name], restored=False)
    shown: list[Row] = []
    for seq, (resolution, run) in enumerate(zip(found, runs, strict=True)):
        again = [event.tree() for event in run if event.on < seq]
        assert shown[len(shown) - len(again) :] == again
        shown += [event.tree() for event in run if event.on == seq]
        assert [event for event in shown if event["on"] == str(seq)] == [
            event for event in resolution.events if event.get("code") != "odd"
        ]


@pytest.mark.parametrize("name", CASES)
def test_a_resolver_taken_up_again_says_the_same(name: str) -> None:
    assert played(CASES[name], restored=True)[0] == played(CASES[name], restored=False)[0]


def told(name: str) -> list[str]:
    events = [event for found in played(CASES[name], restored=True)[0] for event in found.events]
    return [str(event["what"]) for event in events if "what" in event]


def test_what_was_told_early_is_on_file() -> None:
    assert told("told early") == ["one", "two", "early", "nothing"]


def test_what_was_void_is_read_by_no_later_step() -> None:
    assert told("void") == ["one", "two", "nothing"]
    assert told("void and told") == ["one", "two", "good", "nothing"]

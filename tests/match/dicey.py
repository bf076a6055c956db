"""A toy table in which what is lawful hangs on dice: a door that a die opens, and orders that go through it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adjudicator.engine.core import Ask, Ctx, Event, Order, Problem, Proc, Roll, Tree
from adjudicator.engine.driver import Step, Waits
from adjudicator.engine.schema import Field, OrderType

OPEN_FROM = 4
NO_BOOKS: Mapping[str, tuple[str, ...]] = {}
TYPES = {
    "section": OrderType("section", "", "T 1", "opens a part", {"name": Field("word", "the part", True, ("turn",))}),
    "try": OrderType("try", "turn", "T 2", "rolls for the door", {}),
    "enter": OrderType("enter", "turn", "T 3", "goes through the open door", {}),
    "stay": OrderType("stay", "turn", "T 4", "always lawful", {}),
    "fly": OrderType("fly", "turn", "T 5", "never lawful", {}),
    "standing": OrderType("standing", "", "T 6", "a standing order", {}),
}


@dataclass
class Room:
    """Whether the door is open, how often it was tried, who went through, and whose turn it is."""

    open: bool = False
    tries: int = 0
    entered: int = 0
    turn: int = 1


class DiceyTable:
    """The toy as match sees it. Only what checking and resolving need is there."""

    title = "The door"
    sides = ("red", "blue")
    order_types = TYPES
    books = NO_BOOKS
    plans = None
    facedown = None
    setup_types: tuple[str, ...] = ()

    def start(self) -> Room:
        return Room()

    def copy(self, state: Room) -> Room:
        return Room(state.open, state.tries, state.entered, state.turn)

    def apply(self, state: Room, event: Event) -> None:
        if event.kind == "tried":
            state.open, state.tries = event.data["open"] == "yes", state.tries + 1
        elif event.kind == "entered":
            state.entered += 1
        elif event.kind == "turn":
            state.turn += 1

    def next_step(self, state: Room) -> tuple[str, Step[Room]] | Waits:
        return ("turn", room_turn) if state.turn < 4 else Waits("over")

    def position(self, state: Room) -> dict[str, Tree]:
        numbers = {"tries": state.tries, "entered": state.entered, "turn": state.turn}
        return {"open": "yes" if state.open else "", **{name: str(value) for name, value in numbers.items()}}

    def restore(self, tree: Mapping[str, object]) -> Room:
        numbers = [int(str(tree[name])) for name in ("tries", "entered", "turn")]
        return Room(tree.get("open") == "yes", *numbers)

    def resolve(self, state: Room, side: str, order: Order) -> tuple[Order, list[Problem]]:
        return order, []

    def refusal(self, state: Room, side: str, order: Order) -> list[Problem]:
        return []

    def remarks(self, state: Room, side: str, order: Order) -> list[Problem]:
        return []

    def read_back(self, state: Room, order: Order, events: Sequence[Event]) -> str:
        return order.type

    def spoken(self, text: str) -> str:
        return text


def room_turn(ctx: Ctx[Room]) -> Proc[None]:
    """One turn of a side: its orders as listed."""
    side = DiceyTable.sides[1 - ctx.state.turn % 2]
    ask: Ask[Any] = Ask(
        "orders/turn", side, "T 1", "orders", tuple, lambda _v: [], tuple, tuple,
        stop=True, fresh=True, forced=False, earliest=3,
    )
    answer = yield from ctx.ask(ask)
    for order in answer.value:
        if order.type == "try":
            (die,) = yield from ctx.roll(Roll(f"door/{ctx.state.turn}/{ctx.state.tries}", "door", assume=(1,)))
            ctx.emit("tried", "T 2", answer.by, open="yes" if die >= OPEN_FROM else "no", die=str(die))
        elif order.type == "enter" and not ctx.state.open:
            ctx.void(order, [Problem("shut", "T 3", "the door is shut", "stay")], answer.by)
        elif order.type == "fly":
            ctx.void(order, [Problem("fly", "T 5", "nobody flies", "walk")], answer.by)
        elif order.type == "enter":
            ctx.emit("entered", "T 3", answer.by)
    ctx.emit("turn", "T 1")

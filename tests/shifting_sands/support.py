"""Positions, messages and dice for the tests of Shifting Sands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Any

from adjudicator.engine.core import Event, Order, Roll, Tree
from adjudicator.engine.dice import DiceSource, NotOpened
from adjudicator.engine.driver import Checkpoint, Message, Run, Waits, play
from adjudicator.packs import load_pack
from adjudicator.shifting_sands.cases.board import context
from adjudicator.shifting_sands.cases.core import Case
from adjudicator.shifting_sands.game import GAME, ShiftingSandsTable
from adjudicator.shifting_sands.state import State

AXIS, ALLIED = "axis", "allied"
SIDES = {AXIS: "allied", ALLIED: "axis"}
Row = dict[str, Any]
LEAD = 2
"""The newest message before the first orders of a test."""


@cache
def table(scenario: str = "campaign") -> ShiftingSandsTable:
    """A scenario of the pack, ready to play."""
    return GAME.table(load_pack("shifting-sands").tree, scenario, {})


def unit(uid: str, nation: str, at: str, **more: Any) -> Row:
    """A unit as a case writes it: an infantry battlegroup at full strength, or what the keywords make of it."""
    small: Row = {"size": "battlegroup", "type": "infantry", "cf": [1, 1], "lf": 2, "mf": 3, "step": "full"}
    return {"id": uid, "nation": nation, "at": at, **small, **more}


def division(uid: str, nation: str, at: str, **more: Any) -> Row:
    """A unit that is an infantry division."""
    return unit(uid, nation, at, **{"size": "division", "cf": [3, 2], "lf": 3, **more})


def mini(spaces: Mapping[str, Row], links: Sequence[tuple[str, ...]], **given: object) -> State:
    """A small board as a case describes it; both sides hold a card, so that the defender has his stop."""
    rows = [{"a": link[0], "b": link[1], "only": link[2] if len(link) > 2 else ""} for link in links]
    tree = {"board": "mini", "map": {"spaces": spaces, "links": rows}, **given}
    return with_cards(context(Case("test", "", (), tree, (), {}, {})).state)


def with_cards(state: State) -> State:
    """Give each side a card that does nothing in combat."""
    for side, card in ((AXIS, "afrika-korps"), (ALLIED, "minefields")):
        if not state.hands.get(side):
            state.hands[side] = [next(name for name in sorted(state.world.cards) if name.startswith(card))]
    return state


def order(index: int, kind: str, data: Mapping[str, Tree]) -> Order:
    """An order at a place of its message."""
    return Order(index, kind, data)


def message(seq: int, side: str, *rows: Row) -> Message:
    """A message of orders, each a mapping with a ``type``."""
    data = [{key: tree(value) for key, value in row.items() if key != "type"} for row in rows]
    found = [order(n, str(row["type"]), data[n]) for n, row in enumerate(rows)]
    return Message(seq, side, tuple(found))


def tree(value: object) -> Tree:
    """A value of an order: texts, lists and mappings of them."""
    if isinstance(value, Mapping):
        return {str(key): tree(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [tree(item) for item in value]
    return str(value)


def section(name: str) -> Row:
    """The head of a section."""
    return {"type": "section", "name": name}


def attack(units: str, target: str, **more: object) -> Row:
    """An attack order."""
    return {"type": "attack", "units": units, "target": target, **more}


class Seeds:
    """Dice from a made-up seed for each message, open up to one of them. Fixed for good by message and label."""

    def __init__(self, upto: int, salt: str = "") -> None:
        self.upto = upto
        self.salt = salt

    def __call__(self, seq: int, roll: Roll) -> tuple[int, ...]:
        if seq > self.upto:
            raise NotOpened(roll.label)
        return tuple(self._die(seq, roll, n) for n in range(roll.count))

    def _die(self, seq: int, roll: Roll, n: int) -> int:
        digest = sha256(f"{self.salt}/{seq}/{roll.label}/{n}".encode()).digest()
        return int.from_bytes(digest[:4], "big") % roll.faces + 1


def run(state: State, messages: Sequence[Message], dice: DiceSource, at: int = LEAD) -> Run[State]:
    """Play from a position over messages."""
    return play(table(), Checkpoint(state, at, at), messages, dice)


def kinds(events: Iterable[Event], *wanted: str) -> list[Event]:
    """The events of some kinds."""
    return [event for event in events if event.kind in wanted]


def voids(events: Iterable[Event]) -> list[str]:
    """Why orders were void."""
    return [f"{event.rule}: {event.data['why']}" for event in kinds(events, "void")]


def marked(state: State, *spaces: str) -> State:
    """Attack markers placed and paid for, for a position in the middle of a round."""
    for space in spaces:
        state.markers[space] = "attack"
    return state


class Fixed(Seeds):
    """Dice by label, whatever the message, and closed beyond it; labels not named come from the seeds."""

    def __init__(self, upto: int, values: Mapping[str, int], salt: str = "") -> None:
        super().__init__(upto, salt)
        self.values = values

    def _die(self, seq: int, roll: Roll, n: int) -> int:
        return self.values[roll.label] if roll.label in self.values else super()._die(seq, roll, n)


Writer = Callable[[Waits], Sequence[Row]]


def author(seq: int) -> str:
    """Who writes a message."""
    return AXIS if seq % 2 else ALLIED


def by_mail(
    state: State, write: Writer, values: Mapping[str, int] | None = None, before: Sequence[Message] = (), first: int = 3
) -> tuple[list[Message], Run[State]]:
    """Play one part of a round by messages in turn: each opens the one before, and speaks only where it is asked.

    Returns the messages of the part, the first order of the other side excluded, and the run that they come to.
    """
    sent: list[Message] = []
    while True:
        seq = first + len(sent)
        found = run(state, [*before, *sent], Fixed(seq - 1, values or {}), first - 1)
        if sent and found.waits.key.startswith("orders/") and found.waits.side == author(seq):
            return sent, found
        asked = found.waits.why == "decision" and found.waits.side == author(seq)
        sent.append(message(seq, author(seq), *(write(found.waits) if asked else ())))


def script(rows: Mapping[str, Sequence[Row]]) -> Writer:
    """Writes by the first part of the key, or by the whole key; nothing where none is named."""

    def write(waits: Waits) -> Sequence[Row]:
        return rows.get(waits.key) or rows.get(waits.key.split("/")[0]) or ()

    return write

"""The real game at its first orders: the Allied surprise turn of Dec I 40, played and checked through the house."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from adjudicator.engine.core import Order, Problem
from adjudicator.engine.driver import Message
from adjudicator.match.draft import Draft, body_orders, read_draft
from adjudicator.match.games import game
from adjudicator.match.preview import CheckResult, check_draft
from adjudicator.match.resolver import MatchResolver
from adjudicator.packs.load import load_pack
from adjudicator.protocol.resolve import Resolution
from adjudicator.western_desert.game import WesternDesertTable
from adjudicator.western_desert.state import State

AXIS, ALLIED = "axis", "allied"
Body = dict[str, Any]
Rows = Sequence[Mapping[str, Any]]


@cache
def table() -> WesternDesertTable:
    """The scenario Compass; never changed."""
    found = game("western-desert").table(load_pack("western-desert").tree, "compass", {})
    assert isinstance(found, WesternDesertTable)
    return found


def seed_of(seq: int, chance: int) -> bytes:
    """The seed of a message, in a game of its own for each ``chance``."""
    return hashlib.sha256(f"{chance}/{seq}".encode()).digest()


class Played:
    """A match without signatures and folders: bodies in, resolutions out."""

    def __init__(self, resolver: MatchResolver, bodies: Sequence[Body], chance: int = 0) -> None:
        self.resolver, self.bodies, self.chance = resolver, list(bodies), chance

    @classmethod
    def begun(cls, axis: Rows = (), chance: int = 0) -> Played:
        """Message 3 of the Axis is there and opened; the Allied player's first orders are due."""
        played = cls(MatchResolver.fresh(table()), [], chance)
        for orders in ((), (), (), axis):
            played.send(orders)
        return played

    def send(self, orders: Rows = ()) -> Resolution:
        """Take a message in and open its dice."""
        self.bodies.append({"orders": [dict(order) for order in orders]})
        n = len(self.bodies) - 1
        return self.resolver.resolve(n, self.bodies, seed_of(n, self.chance))

    def copy(self, chance: int | None = None) -> Played:
        """The same match, to be played on otherwise: read back from what a game folder keeps."""
        kept = MatchResolver.restored(self.resolver.table, self.resolver.export())
        return Played(kept, self.bodies, self.chance if chance is None else chance)

    @property
    def state(self) -> State:
        """The working state after the last message."""
        assert self.resolver.last is not None
        state: State = self.resolver.last.state
        return state

    @property
    def waits(self) -> tuple[str, str]:
        """Who is waited for, and for what."""
        assert self.resolver.last is not None
        waits = self.resolver.last.waits
        return waits.side, waits.key

    def check(self, draft: Draft, side: str = ALLIED) -> CheckResult:
        """Check a draft as the next message."""
        n = len(self.bodies)
        before = self.resolver.messages_up_to(n - 1, self.bodies)
        return check_draft(self.resolver, before, n, side, draft)

    def check_text(self, text: str, side: str = ALLIED) -> CheckResult:
        """Check a turn file."""
        return self.check(read_draft(text.encode()), side)

    def check_orders(self, orders: Rows, side: str = ALLIED) -> CheckResult:
        """Check orders that stand in no file."""
        return self.check(drafted(orders), side)

    def message(self, orders: Rows, side: str = ALLIED) -> Message:
        """Orders as the driver reads them."""
        return Message(len(self.bodies), side, tuple(drafted(orders).orders))


def drafted(orders: Rows) -> Draft:
    """A draft of orders that stand in no file."""
    found = [
        Order(index, str(row["type"]), {name: value for name, value in row.items() if name != "type"})
        for index, row in enumerate(orders)
    ]
    return Draft(orders=found)


def signed(result: CheckResult) -> list[Body]:
    """The orders of a checked draft as they would be signed."""
    return body_orders(result.orders)


def told(problems: Sequence[Problem]) -> list[str]:
    """Problems as ``LINE:COL CODE text; mend``."""
    found = []
    for problem in problems:
        line, column = problem.place or (0, 0)
        found.append(f"{line}:{column} {problem.code} {problem.text}; {problem.hint}")
    return found


def voids(resolution: Resolution) -> list[Mapping[str, Any]]:
    """The void events of a resolution."""
    return [event for event in resolution.events if event["kind"] == "void"]

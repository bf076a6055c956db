"""Figures of games played by programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from adjudicator.engine.core import Tree
from adjudicator.engine.counting import counted
from adjudicator.engine.game import Table
from adjudicator.engine.schema import OrderType


@dataclass
class Tally:
    """What happened in some games, by count; times in seconds.

    ``sealed`` are topics of books that were opened with content, or ``empty``; ``settled`` the choices that a standing
    order settled, by topic: ``sealed`` by its rules, by ``default`` where these could not be read or obeyed.
    """

    games: int = 0
    failed: int = 0
    messages: int = 0
    bare: int = 0
    rolls: int = 0
    choices: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    orders: Counter[str] = field(default_factory=Counter)
    fields: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)
    voids: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    sealed: Counter[str] = field(default_factory=Counter)
    settled: Counter[str] = field(default_factory=Counter)

    @property
    def ordered(self) -> int:
        """All orders, heads of sections included."""
        return sum(self.orders.values())

    def add(self, other: Tally) -> None:
        """Count the games of another tally in."""
        for name in ("games", "failed", "messages", "bare", "rolls", "choices", "seconds"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in COUNTED:
            getattr(self, name).update(getattr(other, name))
        self.slowest = max(self.slowest, other.slowest)

    def tree(self) -> dict[str, Any]:
        """All figures for other programs."""
        counts = {name: dict(sorted(getattr(self, name).items())) for name in COUNTED}
        plain = {name: getattr(self, name) for name in ("games", "failed", "messages", "bare", "rolls", "choices")}
        return {**plain, "seconds": round(self.seconds, 3), "slowest_message": round(self.slowest, 3), **counts}

    def lines(self) -> list[str]:
        """The figures for people."""
        pace = self.ordered / self.seconds if self.seconds else 0.0
        lines = [
            f"{counted(self.games, 'game')}, {self.failed} failed; "
            f"{counted(self.messages, 'message')}, {self.bare} of them bare",
            f"{counted(self.ordered, 'order')}, {counted(self.rolls, 'die', 'dice')}, "
            f"{counted(self.choices, 'choice')}, {counted(sum(self.events.values()), 'event')}",
            f"{self.seconds:.1f} s, {pace:.0f} orders a second; the slowest message took {self.slowest:.2f} s",
        ]
        shown = [name for name in COUNTED if name not in QUIET and getattr(self, name)]
        return [*lines, *(f"{name}: {_listed(getattr(self, name))}" for name in shown)]


COUNTED = ("ends", "orders", "fields", "verdicts", "events", "voids", "sealed", "settled")
QUIET = ("fields",)
"""Too many for a line; `--json` has them."""


def fields_of(row: Mapping[str, Tree], kind: OrderType) -> list[str]:
    """What an order says, as ``move.to`` or, of a field that holds one of some words, ``move.mode=admin``."""
    found = []
    for name in sorted(row.keys() & kind.fields.keys()):
        words, value = kind.fields[name].words, row[name]
        found.append(f"{kind.name}.{name}={value}" if value in words else f"{kind.name}.{name}")
    return found


def unseen(table: Table, tally: Tally) -> dict[str, list[str]]:
    """What no game has shown: order types, fields and words of orders, kinds of events."""
    built = [kind for kind in table.order_types.values() if kind.built]
    fields = {
        f"{kind.name}.{name}{'=' + word if word else ''}"
        for kind in built
        for name, field_ in kind.fields.items()
        if field_.built
        for word in (field_.words if field_.kind == "word" else ("",))
    }
    return {
        "orders": sorted({kind.name for kind in built} - tally.orders.keys()),
        "fields": sorted(fields - tally.fields.keys()),
        "events": sorted(table.event_kinds() - tally.events.keys()),
    }


def _listed(counts: Counter[str]) -> str:
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{name} {count}" for name, count in ranked)

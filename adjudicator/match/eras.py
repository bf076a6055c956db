"""Which rules hold for which message of a game whose players agree to others in its course (PROTOCOL 7, upgrade).

Everything here follows from the log: an upgrade is the same pair of rules and message in two messages that follow each
other. The rules for a hash come from a :class:`Shelf`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, cast

from adjudicator.engine.driver import Game
from adjudicator.engine.game import Table
from adjudicator.match.facedown import first_state

RULE = "PROTOCOL 7"


class Shelf(Protocol):
    """Where the rules for a hash are found."""

    def table(self, rules: str) -> Table:
        """The scenario by these rules, the same object for the same hash. Raises an error that says what is missing."""


class Agreed(NamedTuple):
    """An upgrade: the first message that it holds for, its rules hash, the messages that offer and accept it."""

    start: int
    rules: str
    by: tuple[int, int]


@dataclass
class Eras:
    """The rules of a game in their order: those of genesis, and the upgrades noted so far.

    It is the :class:`~adjudicator.engine.driver.Succession` of the driver.
    """

    first: Table
    shelf: Shelf | None = None
    agreed: list[Agreed] = field(default_factory=list)

    def note(self, seq: int, bodies: Sequence[Mapping[str, Any]]) -> None:
        """Take in what a message changes; one that was taken in before changes nothing again."""
        pair = bodies[seq].get("upgrade")
        if seq < 2 or not isinstance(pair, Mapping) or bodies[seq - 1].get("upgrade") != pair:
            return
        if all(seq not in one.by and seq - 1 != one.by[1] for one in self.agreed):
            self.agreed.append(Agreed(int(pair["from"]), str(pair["rules"]), (seq - 1, seq)))

    def holding(self, seq: int) -> Agreed | None:
        """The upgrade whose rules hold for message `seq`; None for the rules of genesis."""
        begun = [(one.start, at) for at, one in enumerate(self.agreed) if one.start <= seq]
        return self.agreed[max(begun)[1]] if begun else None

    def begins(self, seq: int) -> Agreed | None:
        """The upgrade that message `seq` is the first to be resolved by."""
        now, before = self.holding(seq), self.holding(seq - 1)
        return now if now is not None and now != before and self.game_at(seq) is not self.game_at(seq - 1) else None

    def change_after(self, seq: int) -> bool:
        """Whether messages after this one go by other rules."""
        return any(one.start > seq for one in self.agreed)

    def game_at(self, seq: int) -> Table:
        """The rules for everything that happens on the dice of message `seq`."""
        held = self.holding(seq)
        if held is None:
            return self.first
        if self.shelf is None:
            raise ValueError(f"from message {held.start} on other rules hold ({held.rules[:12]}); they are not here")
        return self.shelf.table(held.rules)

    def carry(self, state: Any, old: Game[Any], new: Game[Any]) -> Any:
        """A state of the old rules as the new ones hold it: its public position, read by them."""
        return stood(cast(Table, new), cast(Table, old).position(state))

    def alike(self, one: Any, old: Game[Any], two: Any, new: Game[Any]) -> bool:
        """Whether two states are the same public position."""
        return cast(Table, old).position(one) == cast(Table, new).position(two)

    def export(self) -> list[dict[str, Any]]:
        """As plain trees."""
        return [
            {"start": str(one.start), "rules": one.rules, "by": [str(seq) for seq in one.by]} for one in self.agreed
        ]

    def restore(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """From exported trees. Raises ValueError or LookupError for another form."""
        self.agreed = [Agreed(int(row["start"]), row["rules"], (int(row["by"][0]), int(row["by"][1]))) for row in rows]


def stood(table: Table, position: Mapping[str, Any]) -> Any:
    """The state of a public position; before the set-up it is the first state there is."""
    return table.restore(position) if position.get("step") != "setup" else first_state(table)

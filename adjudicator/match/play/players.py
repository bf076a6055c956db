"""Players that are programs. They see what a person at the same seat sees, and write turn files as he would."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Protocol

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Ask, Order, Tree
from adjudicator.engine.driver import Run
from adjudicator.match.play.seats import Seat
from adjudicator.match.preview import CheckResult
from adjudicator.match.resolver import SETUP_MESSAGES
from adjudicator.turnfile.writer import write

Row = dict[str, Tree]
PARTS_AT_MOST = 12
SILENT_SHARE, STOP_SHARE, STANDING_SHARE, NAMES_SHARE, SEALED_SHARE = 0.06, 0.3, 0.12, 0.3, 0.7


class UnknownPlayer(ValueError):
    """There is no player of that name; the text lists those there are."""


@dataclass(frozen=True)
class Draft:
    """A turn file as its player wrote it, its check, and the orders in it.

    ``meant`` are the orders with ids that a file with names stands for; None where it has ids itself.
    """

    text: str
    result: CheckResult
    rows: tuple[Row, ...]
    meant: tuple[Order, ...] | None = None

    @property
    def misread(self) -> list[int]:
        """The orders that `check` reads otherwise than they were meant."""
        read = self.result.orders
        meant = read if self.meant is None else self.meant
        pairs = enumerate(zip_longest(read, meant))
        return [at for at, (one, other) in pairs if not one or not other or one.data != other.data]


class Player(Protocol):
    """Writes the next message of a seat."""

    def write(self, seat: Seat, chance: Chance) -> Draft:
        """The turn file to sign; an empty list of orders is a bare message."""


class RandomPlayer:
    """Any lawful orders: section by section, each picked from what the rules list in the position before it."""

    def write(self, seat: Seat, chance: Chance) -> Draft:
        """Add sections while the preview asks this side for more, or stop early, or say nothing.

        A choice that is asked afresh, as at the start of a player turn, waits for a message of its own.
        """
        rows: list[Row] = []
        if seat.verifier.next_seq > SETUP_MESSAGES and not seat.verifier.over:
            run = seat.now()
            if chance.likely(STANDING_SHARE):
                rows += seat.table.bot_standing(run.state, seat.side, chance)
            if not chance.likely(SILENT_SHARE):
                return self._named(seat, chance, self._on(seat, chance, rows, run), run)
        return draft_of(seat, rows)

    def _named(self, seat: Seat, chance: Chance, draft: Draft, run: Run[Any]) -> Draft:
        """The same file with names in place of some ids, now and then."""
        if not draft.rows or not chance.likely(NAMES_SHARE):
            return draft
        said = [seat.table.speak(run.state, seat.side, row, chance) for row in draft.rows]
        named = draft_of(seat, said)
        return Draft(named.text, named.result, draft.rows, tuple(draft.result.orders))

    def _on(self, seat: Seat, chance: Chance, rows: list[Row], run: Run[Any]) -> Draft:
        found = draft_of(seat, rows)
        for number in range(PARTS_AT_MOST):
            ask = asked(run, seat.side)
            if ask is None or (ask.fresh and number):
                break
            rows += seat.table.bot_orders(run.state, seat.side, ask, chance, rows)
            found = draft_of(seat, rows)
            after = found.result.run
            if after is None or found.result.problems or chance.likely(STOP_SHARE):
                break
            if after.waits.key == ask.key:
                break
            run = after
        return found


class SealingPlayer(RandomPlayer):
    """The same, but its standing orders are sealed as often as not."""

    def write(self, seat: Seat, chance: Chance) -> Draft:
        """Sealed orders stand last: they are not part of the message, and the others keep their places."""
        draft = super().write(seat, chance)
        chosen = [row for row in draft.rows if row["type"] == "standing" and chance.likely(SEALED_SHARE)]
        if not chosen:
            return draft
        rows = [row for row in draft.rows if row not in chosen]
        return draft_of(seat, [*rows, *({**row, "sealed": "yes"} for row in chosen)])


def asked(run: Run[Any], side: str) -> Ask[Any] | None:
    """The choice that play waits for, if it is the side's."""
    return run.ask if run.waits.why == "decision" and run.waits.side == side else None


def draft_of(seat: Seat, rows: list[Row]) -> Draft:
    """The rows as a turn file, read and checked like any other."""
    verifier = seat.verifier
    head: dict[str, Tree] = {"game": verifier.game_id[:12], "seq": str(verifier.next_seq), "side": seat.side}
    text = write({**head, "orders": list(rows)})
    return Draft(text, seat.check(text.encode()), tuple(rows))


PLAYERS: Mapping[str, Callable[[], Player]] = {"random": RandomPlayer, "sealing": SealingPlayer}


def player(name: str) -> Player:
    """A player by name. Raises :class:`UnknownPlayer`."""
    made = PLAYERS.get(name)
    if made is None:
        raise UnknownPlayer(f"there is no player {name!r}; choose one of: {', '.join(sorted(PLAYERS))}")
    return made()

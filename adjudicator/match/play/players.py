"""Players that are programs. They see what a person at the same seat sees, and write turn files as he would."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import zip_longest
from typing import Any, Protocol

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Ask, Order, Tree
from adjudicator.engine.driver import Run
from adjudicator.match.play.seats import Seat
from adjudicator.match.preview import CheckResult
from adjudicator.match.resolver import FREE_TYPES, SETUP_MESSAGES
from adjudicator.match.sheets import SEALED, topics_of
from adjudicator.turnfile.writer import write

Row = dict[str, Tree]
PARTS_AT_MOST = 12
SILENT_SHARE, STOP_SHARE, NAMES_SHARE = 0.06, 0.3, 0.3
STANDING_SHARE, SEALED_SHARE, WILD_SHARE = 0.2, 0.5, 0.15
WILD: tuple[Tree, ...] = (
    "nonsense",
    ["a clause without fields", ["deep", ["deeper"]]],
    [{"stack": "99/9999", "order": "no-such-unit", "zz": "1"}],
    {"use": ["always"], "prefer": {"to": "the moon"}, "first": {"a": "b"}, "to": [["x"]]},
    [{"min_re": "-3", "steps": "1e9", "difference": "\u00bd", "counter": "any"}],
)
"""Rules that no program of ours would let pass, as one of another make may seal them."""


class UnknownPlayer(ValueError):
    """There is no player of that name; the text lists those there are."""


@dataclass(frozen=True)
class Draft:
    """A turn file as its player wrote it, its check, and the orders in it.

    ``meant`` are the orders with ids that a file with names stands for; None where it has ids itself. ``wild`` are
    rules by topic that are sealed unchecked beside the orders.
    """

    text: str
    result: CheckResult
    rows: tuple[Row, ...]
    meant: tuple[Order, ...] | None = None
    wild: Mapping[str, Tree] = field(default_factory=dict)

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
    """Any lawful orders: section by section, each picked from what the rules list in the position before it.

    Now and then it writes a sheet of standing orders, each of them open or sealed; ``standing`` and ``sealed`` are
    the shares of both.
    """

    standing, sealed = STANDING_SHARE, SEALED_SHARE

    def write(self, seat: Seat, chance: Chance) -> Draft:
        """Add sections while the preview asks this side for more, or stop early, or say nothing; the first two messages
        carry nothing but what is sealed.

        A choice that is asked afresh, as at the start of a player turn, waits for a message of its own.
        """
        if seat.verifier.over:
            return draft_of(seat, [])
        run, early = seat.now(), seat.verifier.next_seq <= SETUP_MESSAGES
        sheet = self._sheet(seat, run, chance)
        rows: list[Row] = [] if early else [row for row in sheet if SEALED not in row]
        if early or chance.likely(SILENT_SHARE):
            return self._sealed(seat, draft_of(seat, rows), sheet, chance)
        draft = self._sealed(seat, self._planned(seat, self._on(seat, chance, rows, run), run, chance), sheet, chance)
        return self._named(seat, chance, draft, run)

    def _sheet(self, seat: Seat, run: Run[Any], chance: Chance) -> list[Row]:
        """Standing orders on some topics, or on all of them; mostly none."""
        if not chance.likely(self.standing):
            return []
        topics = chance.some(topics_of(seat.table), least=1)
        seen = seat.seen(run.state)
        found = [row for topic in topics for row in seat.table.bot_standing(seen, seat.side, chance, topic)]
        return [{**row, SEALED: "yes"} if chance.likely(self.sealed) else row for row in found]

    def _sealed(self, seat: Seat, draft: Draft, sheet: list[Row], chance: Chance) -> Draft:
        """With the sealed orders behind all others: they are not part of the message, and the others keep their
        places. One of them may be wild: nobody can check it before it is opened."""
        rows = [row for row in sheet if SEALED in row]
        if not rows:
            return draft
        wild = {str(rows.pop()["topic"]): chance.pick(WILD)} if chance.likely(WILD_SHARE) else {}
        return replace(draft_of(seat, [*draft.rows, *rows]) if rows else draft, wild=wild)

    def _planned(self, seat: Seat, draft: Draft, run: Run[Any], chance: Chance) -> Draft:
        """With secret plans behind all other orders: like what is sealed, they are not part of the message."""
        plans = seat.table.plans
        if plans is None:
            return draft
        rows = plans.chance_orders(run.state, seat.side, run.waits, chance, partial(seat.kept, run.state))
        return draft_of(seat, [*draft.rows, *rows]) if rows else draft

    def _named(self, seat: Seat, chance: Chance, draft: Draft, run: Run[Any]) -> Draft:
        """The same file with names in place of some ids, now and then."""
        if not draft.rows or not chance.likely(NAMES_SHARE):
            return draft
        seen = seat.seen(run.state)
        said = [seat.table.speak(seen, seat.side, row, chance) for row in draft.rows]
        named = draft_of(seat, said)
        return replace(named, rows=draft.rows, meant=tuple(draft.result.orders), wild=draft.wild)

    def _on(self, seat: Seat, chance: Chance, rows: list[Row], run: Run[Any]) -> Draft:
        found, before = draft_of(seat, rows), _said_before(seat, run)
        for number in range(PARTS_AT_MOST):
            ask = asked(run, seat.side)
            if ask is None or (ask.fresh and number):
                break
            rows += self._orders(seat, run.state, ask, chance, [*before, *rows])
            found = draft_of(seat, rows)
            after = found.result.run
            if after is None or found.result.problems or chance.likely(STOP_SHARE):
                break
            if after.waits.key == ask.key:
                break
            run = after
        return found

    def _orders(self, seat: Seat, state: Any, ask: Ask[Any], chance: Chance, written: list[Row]) -> list[Row]:
        return seat.table.bot_orders(seat.seen(state), seat.side, ask, chance, written)


class SealingPlayer(RandomPlayer):
    """The same, but it writes many sheets, and seals almost all of them."""

    standing, sealed = 0.5, 0.9


class SimplePlayer(RandomPlayer):
    """Orders with simple aims, phase by phase; choices are left to the default."""

    standing = sealed = 0.0

    def _orders(self, seat: Seat, state: Any, ask: Ask[Any], chance: Chance, written: list[Row]) -> list[Row]:
        return seat.table.simple_orders(seat.seen(state), seat.side, ask, chance, written)


def asked(run: Run[Any], side: str) -> Ask[Any] | None:
    """The choice that play waits for, if it is the side's."""
    return run.ask if run.waits.why == "decision" and run.waits.side == side else None


def _said_before(seat: Seat, run: Run[Any]) -> list[Row]:
    """What this side has said in earlier messages of the player turn: the first answer to a choice binds."""
    answered = [seat.resolver.messages[seq] for seq in run.answered if seq in seat.resolver.messages]
    orders = [order for message in answered if message.side == seat.side for order in message.orders]
    return [{"type": order.type, **order.data} for order in orders if order.type not in ("section", *FREE_TYPES)]


def draft_of(seat: Seat, rows: list[Row]) -> Draft:
    """The rows as a turn file, read and checked like any other."""
    verifier = seat.verifier
    head: dict[str, Tree] = {"game": verifier.game_id[:12], "seq": str(verifier.next_seq), "side": seat.side}
    text = write({**head, "orders": list(rows)})
    return Draft(text, seat.check(text.encode()), tuple(rows))


PLAYERS: Mapping[str, Callable[[], Player]] = {
    "random": RandomPlayer,
    "sealing": SealingPlayer,
    "simple": SimplePlayer,
}


def player(name: str) -> Player:
    """A player by name. Raises :class:`UnknownPlayer`."""
    if name not in PLAYERS:
        raise UnknownPlayer(f"there is no player {name!r}; choose one of: {', '.join(sorted(PLAYERS))}")
    return PLAYERS[name]()

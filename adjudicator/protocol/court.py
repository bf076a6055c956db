"""Resolving messages in order, at a desk where the game has hidden things; what is known after the newest one."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.protocol.checkpoint import Checkpoint
from adjudicator.protocol.desk import Desk, Shelf, Source, Unopened, Wanted
from adjudicator.protocol.dice import Dice
from adjudicator.protocol.ending import ended_by
from adjudicator.protocol.fields import refuse
from adjudicator.protocol.history import History, Sealed
from adjudicator.protocol.labels import LabelError
from adjudicator.protocol.layout import NOTHING_HIDDEN, Layout
from adjudicator.protocol.piles import NOTHING_OWED, Owed, Pile, first_piles
from adjudicator.protocol.resolve import (
    DeskResolver,
    LossResolver,
    Resolution,
    Resolved,
    Resolver,
    check_desk,
    check_resolution,
    state_digest,
)
from adjudicator.protocol.verdicts import ProtocolError, Verdict
from adjudicator.turnfile.nodes import Tree

NOTHING_LOST = b""
"""Stands for the link of a message whose author lost his chain, and for the seed it can't open."""


class CantLose(ProtocolError):
    """A message with `lost` in a game that can't resolve one without dice (E_FIELD)."""

    def __init__(self, text: str) -> None:
        super().__init__("E_FIELD", text)


class Court:
    """Where messages are resolved: one after the other, each once, since its seed can't change any more.

    `last` is the newest resolution, `demanded` the topics each resolution asked for, `shelf` and `piles` books and
    decks after it, `failed` the halt if the engine failed.
    """

    def __init__(self, history: History, resolver: Resolver | DeskResolver) -> None:
        self._history, self.resolver = history, resolver
        self._at_desk = resolver if isinstance(resolver, DeskResolver) else None
        self.layout: Layout = NOTHING_HIDDEN if self._at_desk is None else self._at_desk.layout
        self.shelf = Shelf()
        self.piles: dict[str, Pile] = first_piles(
            self.layout,
            ((one.side, one.cid, one.decks) for one in (history.a, history.b)),
        )
        self.demanded: dict[int, tuple[Wanted, ...]] = {}
        self.last: Resolved | None = None
        self.over_at: int | None = None
        self.failed: Verdict | None = None

    @property
    def can_lose(self) -> bool:
        """Whether the game can resolve a message without its dice."""
        return isinstance(self.resolver, DeskResolver | LossResolver)

    @property
    def resolved(self) -> int:
        """The newest resolved message; -1 when none is."""
        return -1 if self.last is None else self.last.n

    def resolve(self, n: int, link: bytes, source: Source) -> Resolved:
        """Resolution of the head. Raises ProtocolError: a halt, or E_SEAL where a demanded topic is not opened."""
        return self.resolve_on(n, self._history.seed(n, link) if link else NOTHING_LOST, source)

    def resolve_on(self, n: int, seed: bytes, source: Source) -> Resolved:
        """The same with the seed itself."""
        if self.last is not None and self.last.n == n:
            if self.last.seed == seed:
                return self.last
            raise refuse(f"the dice of message {n} are open here: who can open them has not lost his chain")
        if self.failed is not None:
            raise halted(self.failed)
        try:
            return self._resolve(n, seed, source)
        except (Unopened, CantLose):
            raise
        except Exception as error:  # whatever an engine raises halts the game, it never rejects a message
            self.failed = _halt(n, error)
            raise halted(self.failed) from error

    def _resolve(self, n: int, seed: bytes, source: Source) -> Resolved:
        bodies = self._history.bodies
        desk: Desk | None = None
        if self._at_desk is not None:
            desk = self._desk(n, seed, source)
            try:
                resolution = self._at_desk.resolve_at(desk, bodies)
            except Exception:
                if desk.missing is not None:
                    raise desk.missing from None
                raise
            check_desk(desk, resolution)
        else:
            resolution = self._plain(n, seed)
        events, position = check_resolution(n, resolution, self.resolved)
        self._keep(n, resolution, desk)
        self.last = Resolved(n, seed, resolution, state_digest(self._history.digest(n - 1), events, position))
        self._history.digests.append(self.last.digest)
        return self.last

    def _plain(self, n: int, seed: bytes) -> Resolution:
        """Resolution by a game without hidden things."""
        assert not isinstance(self.resolver, DeskResolver)
        if seed:
            return self.resolver.resolve(n, self._history.bodies, seed)
        if not isinstance(self.resolver, LossResolver):
            raise CantLose("this game has no way to go on without the dice of a message")
        return self.resolver.resolve_lost(n, self._history.bodies)

    def _keep(self, n: int, resolution: Resolution, desk: Desk | None) -> None:
        if desk is not None:
            self.shelf, self.piles = desk.shelf, desk.piles
            self.shelf.keep(desk.after)
            if desk.demanded:
                self.demanded[n] = tuple(desk.demanded)
        if self.over_at is None and (resolution.over or ended_by(self._history.bodies, n)):
            self.over_at = n

    def _desk(self, n: int, seed: bytes, source: Source) -> Desk:
        history, body = self._history, self._history.bodies[n]
        sides = history.a.side, history.b.side
        author, opener = (sides if n % 2 else sides[::-1])
        shelf = self.shelf.copy()
        piles = {deck: pile.copy() for deck, pile in self.piles.items()}
        books = {(one.side, one.book): one for side in sides for one in history.in_force(side, n).values()}
        after = [one for side in sides for _, one in sorted(history.in_force(side, n + 1).items())]
        older: dict[tuple[str, str], list[Sealed]] = {}
        for one in history.sealed:
            if one.seq < n and (one.side, one.book) in books and one.seq > history.lost.get(one.side, 0):
                older.setdefault((one.side, one.book), []).append(one)
        lost, dice = not seed, Dice(seed)
        parts = dice, books, tuple(after), older, shelf, piles, source
        end = "" if n == 0 else ended_by(history.bodies, n)
        desk = Desk(n, author, opener, self.layout, *parts, end=end, lost=lost)
        if n and not lost:
            desk.public(body)
        return desk

    def take_over(self, point: Checkpoint) -> None:
        """Go on where a checkpoint was made. ValueError when its decks are not those of genesis."""
        if point.piles.keys() != self.piles.keys():
            raise ValueError("the checkpoint has other decks than genesis")
        for deck, pile in self.piles.items():
            pile.restore(point.piles[deck])
        self.shelf, self.demanded = point.shelf, dict(point.demanded)
        self.last, self.over_at = point.last, point.over_at

    def owed(self, seq: int, body: Mapping[str, Tree]) -> Owed:
        """What message `seq`, the next one, owes by its orders. Raises a halt when the engine fails."""
        if self._at_desk is None or body.get("end") == "resign":
            return NOTHING_OWED
        if self.over_at is not None and self.over_at < seq:
            return NOTHING_OWED  # a closing message carries nothing new, and the final openings show everything
        if body.get("end") == "accept-draw" and self._history.bodies[seq - 1].get("end") == "offer-draw":
            return NOTHING_OWED
        try:
            return self._at_desk.owed(seq, body, self.piles)
        except Exception as error:  # the message is not part of the game yet, so the game itself goes on
            raise halted(_halt(seq, error)) from error


def _halt(n: int, error: Exception) -> Verdict:
    code = "E_LABEL" if getattr(error, "code", "") == LabelError.code else "HALT"
    return Verdict(code, n, f"{type(error).__name__}: {error}")


def halted(verdict: Verdict) -> ProtocolError:
    """The exception for a halt."""
    return ProtocolError(verdict.code, verdict.text, verdict.seq, verdict.id)

"""Two programs that exchange messages signed by the protocol alone, past `check`: what a cheating opponent can send.

After every message everything is held that must hold whatever was signed: both programs accept it and come to the same
digest, nothing halts, events once resolved never change, every event reads earlier messages only, reports, templates
and status can be made.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from adjudicator.engine.core import Event, Tree
from adjudicator.engine.driver import Run, Waits
from adjudicator.engine.game import Table
from adjudicator.match.facedown import first_state
from adjudicator.match.match import table_of
from adjudicator.match.play.referee import event_of
from adjudicator.match.play.seats import Pairing, Seat, seats_of
from adjudicator.match.resolver import MatchResolver
from adjudicator.protocol.compose import compose_body, sign_body
from adjudicator.protocol.log import read_line, write_line
from adjudicator.protocol.message import Message
from adjudicator.protocol.resolve import Resolved
from adjudicator.protocol.verdicts import ProtocolError
from adjudicator.protocol.verifier import Verifier
from adjudicator.report import document_of
from adjudicator.report.chapter import Chapter, Opening, visible
from adjudicator.report.games import teller
from adjudicator.report.render import markdown, text

Row = dict[str, Any]
FRAME = ("waits", "at", "answered", "standing", "decks", "shows")
SECONDS_AT_MOST = 20.0


class Harm(AssertionError):
    """Something that no message may bring about."""


class Duel:
    """A game between two seats in memory."""

    def __init__(self, system: str, scenario: str, seed: str, switches: tuple[tuple[str, str], ...] = ()) -> None:
        self.pairing = Pairing(system, scenario, switches, seed)
        self.genesis, self.seats = seats_of(self.pairing, lambda table: table)
        self.table: Table = self.seats[1].table
        self.lines = [write_line(self.genesis).removesuffix(b"\n")]
        self.told = first_state(self.table)
        self.judged = -1
        self.slowest = 0.0
        self.kinds: Counter[str] = Counter()
        self.tail: list[Any] = []
        self.stories = True

    # -- playing -------------------------------------------------------------------------------------------------

    @property
    def seat(self) -> Seat:
        """The seat that writes the next message."""
        side = self.seats[0].verifier.next_side
        return next(seat for seat in self.seats if seat.side == side)

    @property
    def seq(self) -> int:
        """The number of the next message."""
        return self.seats[0].verifier.next_seq

    def look(self) -> Run[Any]:
        """Where play stands for the side that writes next."""
        self.timed(self.seat.look)
        self.judge(self.seat)
        return self.seat.now()

    def sign(self, rows: Sequence[Mapping[str, Tree]]) -> Message:
        """Any rows as the next message, signed without a look at them."""
        seat = self.seat
        body = compose_body(seat.verifier, seat.side, seat.secret, [dict(row) for row in rows], seat.entropy(32))
        return sign_body(body, seat.key)

    def send(self, rows: Sequence[Mapping[str, Tree]]) -> None:
        """Sign rows, let both programs take the message in, and hold all that must hold."""
        message = self.sign(rows)
        writer = self.seat
        for seat in (writer, *(other for other in self.seats if other is not writer)):
            verdict = self.timed(lambda seat=seat: seat.verifier.receive(message))  # type: ignore[misc]
            if not verdict.ok:
                raise Harm(f"{seat.side}: message {message.text('seq')}: {verdict.show()}")
        self.lines.append(write_line(message).removesuffix(b"\n"))
        self.agree()
        self.judge(self.seats[0])

    def timed(self, work: Callable[[], Any]) -> Any:
        """Do something and note how long it took. A halt is harm."""
        started = time.perf_counter()
        try:
            return work()
        except ProtocolError as error:
            raise Harm(str(error)) from error.__cause__ or error
        finally:
            self.slowest = max(self.slowest, time.perf_counter() - started)

    # -- what must hold ------------------------------------------------------------------------------------------

    def agree(self) -> None:
        """Both programs stand at the same message and state."""
        a, b = (seat.verifier for seat in self.seats)
        last = min(a.resolved, b.resolved)
        if a.head_id != b.head_id or (last >= 0 and a.digest(last) != b.digest(last)):
            raise Harm(f"the two programs differ at message {last}")

    def judge(self, seat: Seat) -> None:
        """Judge what a seat has resolved since the last time, each message once."""
        resolved = seat.verifier.last
        if resolved is None or resolved.n <= self.judged:
            return
        self.judged = resolved.n
        events = [event_of(tree) for tree in resolved.resolution.events]
        self.kinds.update(event.kind for event in events)
        self._steady(seat)
        before = self.table.copy(self.told)
        for event in events:
            self.table.apply(self.told, event)
        self._position(resolved)
        self._sound()
        self._shown(resolved, events, before, seat)

    def _steady(self, seat: Seat) -> None:
        """What the run says of earlier messages is what was said when they were resolved (R5)."""
        run = seat.resolver.last
        if run is None:
            raise Harm("nothing was run")
        again = [event.tree() for event in run.events if event.on < seat.resolver.done]
        if again != self.tail:
            pairs = zip_longest(self.tail, again)
            one, two = next(pair for pair in pairs if pair[0] != pair[1])
            raise Harm(f"an event that was shown has changed: {one} became {two}")
        self.tail = [event.tree() for event in run.events[run.kept :]]

    def _position(self, resolved: Resolved) -> None:
        """Only events change the state."""
        position = {k: v for k, v in resolved.resolution.position.items() if k not in FRAME}
        told = self.table.position(self.told)
        parts = sorted(k for k in position.keys() | told.keys() if position.get(k) != told.get(k))
        if parts:
            raise Harm(f"the events of message {resolved.n} lead to another position in {', '.join(parts)}")
        again = self.table.position(self.table.restore(resolved.resolution.position))
        if again != told:
            raise Harm(f"the position after message {resolved.n} is not read back as it was")

    def _sound(self) -> None:
        faults = self.table.faults(self.told)
        if faults:
            raise Harm("; ".join(faults))

    def _shown(self, resolved: Resolved, events: Sequence[Event], before: Any, seat: Seat) -> None:
        """All that people see of it can be made."""
        waits = resolved.resolution.position.get("waits")
        found = dict(waits) if isinstance(waits, Mapping) else {}
        stop = Waits(str(found.get("why", "")), str(found.get("side", "")), str(found.get("key", "")))
        state = self.table.restore(resolved.resolution.position)
        for side in self.table.sides:
            self.table.situation(state, side)
            self.table.template(state, side, stop)
        if stop.key:
            self.table.asked(state, stop.key)
        for viewer in ("public", *self.table.sides) if self.stories else ():
            chapter = self._chapter(resolved.n, events, seat, viewer)
            document = document_of(self.table, chapter, self.table.copy(before), teller(self.pairing.system))
            if not markdown(document).strip() or not text(document).strip():
                raise Harm(f"no report of message {resolved.n}")

    def _chapter(self, n: int, events: Sequence[Event], seat: Seat, viewer: str) -> Chapter:
        verifier, sides = seat.verifier, self.table.sides
        body = verifier.body(n) if n else {}
        orders = body.get("orders")
        return Chapter(
            seq=n,
            author=sides[0] if n % 2 else sides[1],
            message_id=verifier.id(n),
            game_id=verifier.game_id,
            viewer=viewer,
            title=str(verifier.genesis.body["title"]),
            scenario=self.table.title,
            note="",
            orders=len(orders) if isinstance(orders, list) else 0,
            link=int(str(body.get("link", "0"))),
            local=False,
            opening=Opening(sides[1] if n % 2 else sides[0], n // 2 + 1, verifier.seed(n), None),
            events=visible(tuple(events), viewer),
            sides=sides,
        )

    def reload(self, which: int) -> None:
        """One seat goes through what its folder keeps between two commands."""
        self.seats[which].reload(self.genesis, self.lines)

    def verify(self) -> None:
        """A third program, which knows only the log, comes to the same end."""
        verifier = Verifier(self.genesis, MatchResolver.fresh(table_of(self.genesis)))
        for line in self.lines[1:]:
            verdict = verifier.receive(read_line(line))
            if not verdict.ok:
                raise Harm(f"verify: {verdict.show()}")
        mine = self.seats[0].verifier
        last = min(verifier.resolved, mine.resolved)
        if verifier.head_id != mine.head_id or verifier.digest(last) != mine.digest(last):
            raise Harm("verify comes to another end")


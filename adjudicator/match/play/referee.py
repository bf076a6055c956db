"""What is held against every message of a played game: the two seats, the events, the verdicts, the story.

The watcher (watch.py) looks into the rules while they run; the referee looks at what came out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from adjudicator.engine.core import Event, Tree
from adjudicator.engine.game import Table
from adjudicator.match.play.players import Draft
from adjudicator.match.play.seats import Seat
from adjudicator.match.play.tally import Tally, fields_of
from adjudicator.match.play.watch import Watched
from adjudicator.match.preview import CheckResult
from adjudicator.protocol.forms import rows
from adjudicator.protocol.resolve import Resolved
from adjudicator.protocol.verifier import Verifier

FRAME = ("waits", "at", "answered", "standing", "books", "decks", "shows")
EVENT_FRAME = ("kind", "rule", "on", "by", "see")


@dataclass(frozen=True)
class Scene:
    """A resolved message with all that a report of it needs: what happened, and the state before it."""

    seq: int
    verifier: Verifier
    table: Table
    events: tuple[Event, ...]
    before: Any


Story = Callable[[Scene], Sequence[str]]
"""Tells a message in some way (a report, a log) and says what is wrong with the result."""


def _sealed_topics(table: Table, body: Mapping[str, Any]) -> set[str]:
    """The topics of the books that a message seals, those without rules too."""
    return {topic for book in body.get("sealed", {}) for topic in table.books[book]}


def event_of(tree: Mapping[str, Any]) -> Event:
    """An event out of its tree."""
    data: dict[str, Tree] = {name: value for name, value in tree.items() if name not in EVENT_FRAME}
    by = tuple(int(seq) for seq in tree["by"])
    return Event(str(tree["kind"]), str(tree["rule"]), data, str(tree.get("see", "public")), int(tree["on"]), by)


@dataclass
class Referee:
    """Judges one game message by message. ``told`` is the state that the events alone lead to."""

    table: Table
    watched: Watched
    stories: Sequence[Story]
    tally: Tally
    told: Any
    verdicts: dict[int, CheckResult] = field(default_factory=dict)

    def draft(self, seq: int, draft: Draft) -> list[str]:
        """What is wrong with the check of a turn file whose orders were all listed."""
        result = draft.result
        found = [f"listed, but not lawful: {p.text} [{p.rule}]" for p in result.problems]
        found += [f"order {index} is read otherwise than it was meant" for index in draft.misread]
        if len(result.orders) != len(draft.rows):
            found.append(f"{len(draft.rows)} orders are read as {len(result.orders)}")
        self.verdicts[seq] = result
        self.tally.orders.update(str(row["type"]) for row in draft.rows)
        kinds = self.table.order_types
        self.tally.fields.update(said for row in draft.rows for said in fields_of(row, kinds[str(row["type"])]))
        self.tally.verdicts.update(verdict.verdict for verdict in result.verdicts)
        self.tally.bare += not draft.rows
        for verdict in result.verdicts:
            if verdict.verdict != "illegal" and not verdict.sentence:
                found.append(f"order {verdict.order.index} ({verdict.order.type}) is read back as nothing")
        return found

    def resolved(self, resolved: Resolved, verifier: Verifier) -> list[str]:
        """What is wrong with a message that was just resolved at the watched seat."""
        n = resolved.n
        events = tuple(event_of(tree) for tree in resolved.resolution.events)
        self.tally.events.update(event.kind for event in events)
        self._books(verifier)
        found = [f"message {n}: {line}" for line in self.watched.take()]
        found += self._voids(n, events)
        before = self.table.copy(self.told)
        for event in events:
            self.table.apply(self.told, event)
        found += self._position(resolved)
        for story in self.stories:
            scene = Scene(n, verifier, self.table, events, self.table.copy(before))
            found += [f"message {n}: {line}" for line in story(scene)]
        return found

    def _books(self, verifier: Verifier) -> None:
        """Count what standing orders settled since the last time."""
        for _key, topic, seq, source in sorted(self.watched.settled):
            body = verifier.body(seq) if seq <= verifier.head else {}
            told = {str(row.get("topic")) for row in rows(body.get("orders")) if row.get("type") == "standing"}
            kind = "open" if topic in told else "sealed" if topic in _sealed_topics(self.table, body) else "no"
            if kind != "no":
                self.tally.settled[f"{topic} {kind if source == 'standing' else f'{kind}, default'}"] += 1
        self.watched.settled.clear()

    def _position(self, resolved: Resolved) -> list[str]:
        """Only events change the state: applied from the start they lead to the position that was signed."""
        position = {k: v for k, v in resolved.resolution.position.items() if k not in FRAME}
        told = self.table.position(self.told)
        parts = sorted(k for k in position.keys() | told.keys() if position.get(k) != told.get(k))
        return [f"message {resolved.n}: its events lead to another position in {', '.join(parts)}"] if parts else []

    def _voids(self, n: int, events: Sequence[Event]) -> list[str]:
        """An order that was called legal is not void when it runs; one that depends may be."""
        found = []
        for event in events:
            if event.kind == "void":
                code, index = str(event.data.get("code")), int(str(event.data.get("order")))
                self.tally.voids[code] += 1
                verdict = self._verdict(max(event.by, default=n), index)
                if verdict != "depends":
                    why = event.data.get("why")
                    found.append(f"message {n}: order {index} of message {event.by} was {verdict} and is void: {why}")
        return found

    def _verdict(self, seq: int, index: int) -> str:
        result = self.verdicts.get(seq)
        verdicts = result.verdicts if result is not None else []
        return next((v.verdict for v in verdicts if v.order.index == index), "never given")


def agree(one: Seat, two: Seat) -> list[str]:
    """What differs between the two seats after both have resolved the same messages."""
    a, b = one.verifier, two.verifier
    if a.head != b.head or a.head_id != b.head_id:
        return [f"{one.side} stands at message {a.head}, {two.side} at {b.head}"]
    last = min(a.resolved, b.resolved)
    if last >= 0 and a.digest(last) != b.digest(last):
        return [f"the digest of message {last} differs between {one.side} and {two.side}"]
    return []

"""What a report is made from: the events of one message, who opened its dice, and the state before it.

Everything comes out of events: the state before a message is the start with all earlier events applied, as far as the
viewer may know them. Nothing here changes the game folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adjudicator.engine.core import Event, Tree
from adjudicator.match.facedown import NO_FACES, faces_of, first_state, seen_in, told_of
from adjudicator.match.match import Match
from adjudicator.match.renewal import renewed
from adjudicator.match.upgrading import changes_at
from adjudicator.protocol.resolve import Resolution
from adjudicator.report.ending import ending_of

PUBLIC = "public"
FRAME = ("kind", "rule", "on", "by", "see")


class ReportError(Exception):
    """A report that can't be written; the text says why and how to mend."""


@dataclass(frozen=True, slots=True)
class Opening:
    """Who opened the dice of a message, with which link of his chain, and in which message he sent it.

    ``carried`` is the seq of that message, None while it is not written: then only the folder of the opener knows the
    seed.
    """

    side: str
    link: int
    seed: bytes
    carried: int | None


@dataclass(frozen=True)
class Chapter:
    """One message and what came of it. ``events`` are those the viewer may know, in order; ``ending`` is what it says
    of the end of the game (:func:`adjudicator.report.ending.ending_of`); ``rules`` is what is different in the rules
    it goes by from those of the message before; ``renewed`` tells of another key or chain that it names;
    ``shown`` are the cards that it shows because the other side has looked into the hand.
    """

    seq: int
    author: str
    message_id: str
    game_id: str
    viewer: str
    title: str
    scenario: str
    note: str
    orders: int
    link: int
    local: bool
    opening: Opening
    events: tuple[Event, ...]
    sides: tuple[str, str]
    ending: str = ""
    rules: tuple[str, ...] = ()
    renewed: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()


def event_of(tree: Mapping[str, Any]) -> Event:
    """An event out of its stored tree."""
    data: dict[str, Tree] = {name: value for name, value in tree.items() if name not in FRAME}
    by = tuple(int(seq) for seq in tree.get("by", ()))
    return Event(str(tree["kind"]), str(tree["rule"]), data, str(tree.get("see", PUBLIC)), int(tree["on"]), by)


def visible(events: Sequence[Event], viewer: str) -> tuple[Event, ...]:
    """The events that a side may know; the viewer ``public`` knows the public ones only."""
    return tuple(event for event in events if event.see in (PUBLIC, viewer))


def newest(match: Match) -> int:
    """The newest resolved message. Raises ReportError where none is."""
    seq = match.verifier.resolved
    if seq < 0:
        raise ReportError(
            f"{match.folder.root}: no dice are open yet, so there is nothing to report; "
            "wait for the other side's next message, or `open` the dice that are yours to open"
        )
    return seq


def chapter_of(match: Match, seq: int | None, viewer: str | None) -> tuple[Chapter, Any]:
    """The chapter of a message, the newest resolved one where ``seq`` is None, and the state before it.

    Raises ReportError for a message that is not there or not resolved, and for a viewer that does not play.
    """
    at = _seq(match, seq)
    who = _viewer(match, viewer)
    story = Events(match)
    body = match.verifier.body(at)
    genesis = match.verifier.genesis.body
    sides = match.table.sides
    chapter = Chapter(
        seq=at,
        author=sides[0] if at % 2 else sides[1],
        message_id=match.verifier.id(at),
        game_id=match.verifier.game_id,
        viewer=who,
        title=str(genesis.get("title", "")),
        scenario=match.table_at(at).title,
        note=str(body.get("note", "")) if at else "",
        orders=_orders(body.get("orders")) if at else 0,
        link=int(str(body.get("link", "0"))) if at else 0,
        local=genesis.get("dice") == "local",
        opening=opening_of(match, at),
        events=visible(story.of(at), who),
        sides=sides,
        ending=ending_of(match.verifier.bodies, at),
        rules=tuple(changes_at(match, at)),
        renewed=tuple(one.text for one in renewed(match.verifier.history) if one.seq == at),
        shown=tuple(seen_in(match.table_at(at), body)),
    )
    faces = faces_of(match) if who == match.me else NO_FACES
    return chapter, told_of(match.table_at(at), state_before(match, story, at, who), who, faces)


def _orders(tree: object) -> int:
    """How many orders a body holds; the heads of sections are none."""
    orders = tree if isinstance(tree, list) else []
    return sum(isinstance(order, dict) and order.get("type") != "section" for order in orders)


def _seq(match: Match, seq: int | None) -> int:
    last = newest(match)
    if seq is None:
        return last
    if 0 <= seq <= last:
        return seq
    if 0 <= seq <= match.verifier.head:
        raise ReportError(f"the dice of message {seq} are not open yet; the newest message with a report is {last}")
    raise ReportError(f"there is no message {seq}; the messages with a report are 0 to {last}")


def _viewer(match: Match, viewer: str | None) -> str:
    known = (PUBLIC, *match.table.sides)
    if viewer is None:
        return PUBLIC
    if viewer not in known:
        raise ReportError(f"there is no side {viewer!r} in this game; write one of: {', '.join(known)}")
    return viewer


def opening_of(match: Match, seq: int) -> Opening:
    """Who opened the dice of a resolved message (PROTOCOL 4.4, R1)."""
    verifier = match.verifier
    seed = verifier.seed(seq)
    if seq < verifier.head:
        answer = verifier.body(seq + 1)
        return Opening(str(answer["side"]), int(str(answer.get("link", "0"))), seed, seq + 1)
    side = verifier.next_side
    return Opening(side, verifier.next_link(side), seed, None)


class Events:
    """The events of a game, message by message: from the game folder, or worked out again where a file is gone."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._again: Iterator[Resolution] | None = None
        self._worked: list[Resolution] = []

    def of(self, seq: int) -> list[Event]:
        """All events of a resolved message."""
        stored = self._match.events(seq)
        if stored is None:
            stored = [dict(event) for event in self._resolution(seq).events]
        return [event_of(tree) for tree in stored]

    def _resolution(self, seq: int) -> Resolution:
        if self._again is None:
            self._again = _replay(self._match)
        while len(self._worked) <= seq:
            self._worked.append(next(self._again))
        return self._worked[seq]


def _replay(match: Match) -> Iterator[Resolution]:
    source = match.own_books().source(match.verifier, match.me) if match.me else None
    for resolved in match.verifier.replay(match.resolver.again(), source):
        yield resolved.resolution


def state_before(match: Match, story: Events, seq: int, viewer: str) -> Any:
    """The state before a message as the viewer knows it: the start with all earlier events that he may see. Where the
    rules changed it passes from one to the other, up to those of the message itself."""
    table = match.table_at(0)
    state = first_state(table)
    for n in range(seq):
        for event in visible(story.of(n), viewer):
            table.apply(state, event)
        following = match.table_at(n + 1)
        if following is not table:
            state, table = match.resolver.eras.carry(state, table, following), following
    return state

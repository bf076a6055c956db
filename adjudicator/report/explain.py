"""Why a thing came out as it did: the events of a message as numbered lines, and all that lies behind one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from adjudicator.engine.core import Event, Order
from adjudicator.engine.game import message_of
from adjudicator.match.match import Match
from adjudicator.report.chapter import Chapter, ReportError, chapter_of
from adjudicator.report.dice import Die, die_item, die_of, rolls_of
from adjudicator.report.document import Item, plain
from adjudicator.report.games import Told, teller

SECTION = "section"
CHOICES = {
    "order": "as ordered",
    "standing": "by a standing order",
    "default": "by the default, for nothing was said",
    "forced": "forced: there was no other lawful choice",
}
"""Where a choice came from (:class:`adjudicator.engine.core.Answer`)."""


@dataclass(frozen=True)
class Line:
    """One line of a message: its number from 1, the event, its words, the entry of the orders that it carries out."""

    number: int
    told: Told
    text: str

    @property
    def event(self) -> Event:
        """The event."""
        return self.told.event

    @property
    def order(self) -> tuple[int, int] | None:
        """Message and index of the order that the event carries out."""
        at = self.event.data.get("order")
        return (max(self.event.by, default=self.event.on), int(at)) if isinstance(at, str) and at.isdigit() else None


@dataclass(frozen=True)
class Explained:
    """A message told line by line: what it is, who opened its dice, its lines, and the state before it."""

    chapter: Chapter
    headline: str
    opened: str
    lines: tuple[Line, ...]
    before: Any = None


@dataclass
class Detail:
    """Everything about one line: what lies behind it, its dice, the choice in it, the order, what followed from it."""

    line: Line
    behind: list[str] = field(default_factory=list)
    dice: list[Die] = field(default_factory=list)
    dice_lines: list[str] = field(default_factory=list)
    choice: str = ""
    order: str = ""
    followed: list[Line] = field(default_factory=list)


def explained(match: Match, seq: int, viewer: str) -> Explained:
    """A resolved message line by line, as far as the viewer may know it. Raises ReportError."""
    chapter, before = chapter_of(match, seq, viewer)
    words = teller(str(match.verifier.genesis.body["system"]))
    table = match.table_at(chapter.seq)
    headline, stood = words.headline(chapter, before), table.copy(before)
    told = words.lines(table, chapter, before)
    lines = tuple(Line(n, one, table.spoken(plain(one.line.line))) for n, one in enumerate(told, 1))
    opening = chapter.opening
    opened = f"Its dice were opened by {words.people(opening.side)} with link {opening.link}"
    return Explained(chapter, headline, opened, lines, stood)


def detail(match: Match, found: Explained, number: int) -> Detail:
    """All about one line. Raises ReportError for a number that is not there."""
    if not 1 <= number <= len(found.lines):
        has = f"1 to {len(found.lines)}" if found.lines else "none"
        raise ReportError(f"message {found.chapter.seq} has no line {number}; its lines are {has}")
    line = found.lines[number - 1]
    chosen = Detail(line)
    for item in (*line.told.line.below, *line.told.behind):
        chosen.behind += _item_lines(item, "", match)
    rolls = rolls_of([line.event])
    chosen.dice = [die_of(found.chapter.opening.seed, *rolled) for rolled in rolls]
    chosen.dice_lines = [text for die in chosen.dice for text in _item_lines(die_item(die), "", match)]
    chosen.choice = _choice(line.event)
    chosen.order = _order(match, found, line)
    chosen.followed = _followed(found.lines, line)
    return chosen


def _item_lines(item: Item, indent: str, match: Match) -> list[str]:
    """An entry and those below it, each a line, deeper ones set in."""
    lines = [f"{indent}{match.table.spoken(plain(item.line))}"]
    for below in item.below:
        lines += _item_lines(below, f"{indent}  ", match)
    return lines


def _choice(event: Event) -> str:
    """Who made the choice that an event tells, and out of which messages it was read."""
    source, clause = event.data.get("choice"), event.data.get("clause")
    if not isinstance(source, str) or source not in CHOICES:
        return ""
    read = f"; read from message {', '.join(map(str, event.by))}" if event.by else ""
    return f"{CHOICES[source]}{f' ({clause})' if clause else ''}{read}"


def _order(match: Match, found: Explained, line: Line) -> str:
    """The order that led to a line, as it was read back to its author."""
    at = line.order
    if at is None or not 0 < at[0] <= match.verifier.head:
        return ""
    seq, index = at
    body = match.verifier.body(seq)
    rows: Any = body.get("orders", [])
    order = next((o for o in message_of(seq, str(body["side"]), rows).orders if o.index == index), None)
    if order is None:
        return ""
    return f"entry {index + 1} of the orders of message {seq}: {_words(match, found.before, order, [line.event])}"


def _words(match: Match, state: Any, order: Order, events: Sequence[Event]) -> str:
    """An order as a sentence; a void one, of which there is none, by its fields."""
    if all(event.kind != "void" for event in events):
        return match.table.spoken(match.table.read_back(state, order, events))
    fields = (f"{name}: {value if isinstance(value, str) else _flat(value)}" for name, value in order.data.items())
    return match.table.spoken("; ".join([order.type, *fields]))


def _flat(value: object) -> str:
    return ", ".join(str(one) for one in value) if isinstance(value, list) else str(value)


def _followed(lines: Sequence[Line], line: Line) -> list[Line]:
    """The lines after one that begins something, up to the next order or phase."""
    if line.order is None:
        return []
    found: list[Line] = []
    for later in lines[line.number :]:
        if later.order is not None or later.event.kind in ("phase", "round", "turn", "end-round"):
            break
        found.append(later)
    return found

"""Reading the fields of events, and phrases that every game's report has in common: rules, choices, dice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from adjudicator.engine.core import Event, Tree
from adjudicator.engine.event_fields import text_in, texts_in
from adjudicator.report.chapter import Opening
from adjudicator.report.document import Words, code, line, quiet
from adjudicator.report.words import joined

get = text_in
items = texts_in


def texts(tree: Tree | None) -> list[str]:
    """The texts of a list."""
    return [item for item in tree if isinstance(item, str)] if isinstance(tree, list) else []


def records(event: Event, name: str) -> list[Mapping[str, Tree]]:
    """A list of mappings of an event."""
    value = event.data.get(name)
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def record(event: Event, name: str) -> Mapping[str, Tree]:
    """A mapping of an event, empty where it is absent."""
    value = event.data.get(name)
    return value if isinstance(value, dict) else {}


def word(row: Mapping[str, Tree], name: str, default: str = "") -> str:
    """A text of a mapping."""
    value = row.get(name, default)
    return value if isinstance(value, str) else default


def rule(address: str) -> Words:
    """The address of a rule, to be read over: `` (WD 11)``."""
    return line(" ", quiet(f"({address})")) if address else ""


def by_choice(event: Event, default: str = "") -> str:
    """Who chose: "" for an order, else the clause, that it was forced, or what the default takes and why it came."""
    source, clause = get(event, "choice"), get(event, "clause")
    if source == "standing":
        return f"by standing order, {clause}"
    if source == "default":
        return ": ".join(part for part in (f"by default, {default}" if default else "by default", clause) if part)
    if source == "forced":
        return "there was no other choice"
    return ""


def die_words(event: Event, opening: Opening, people: Callable[[str], str]) -> tuple[Words, ...]:
    """``die 4, label combat/19.0726/crt, opened by the Axis, link 3``."""
    dice = items(event, "dice") or [get(event, "die")]
    kind = "die" if len(dice) == 1 else "dice"
    opened = f", opened by {people(opening.side)}, link {opening.link}"
    return (f"{kind} {joined(dice)}, label ", code(get(event, "label")), opened)


def of_kind(events: Iterable[Event], kind: str) -> list[Event]:
    """The events of a kind."""
    return [event for event in events if event.kind == kind]

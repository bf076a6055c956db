"""Reading the fields of events: texts and lists of texts, whatever stands there (docs/state-format.md)."""

from __future__ import annotations

from adjudicator.engine.core import Event, Tree


def text_in(event: Event, key: str, default: str = "") -> str:
    """A text of an event; the default where it has none."""
    value = event.data.get(key, default)
    return value if isinstance(value, str) else default


def texts_in(event: Event, key: str) -> list[str]:
    """A list of texts of an event; empty where it has none."""
    value: Tree = event.data.get(key, [])
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []

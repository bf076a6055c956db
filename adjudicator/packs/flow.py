"""Values in the flow style of YAML, one record a line, as the data files are written."""

from __future__ import annotations

import re
from typing import Any, Final

_PLAIN: Final = re.compile(r"[A-Za-z0-9_/+(-][A-Za-z0-9_/+.() '&=;:-]*")
_BARE_COLON: Final = re.compile(r":( |$)")


def flow(value: Any) -> str:
    """A value in one line, texts quoted only where they must be. Every scalar is read back as its text."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    text = str(value)
    plain = _PLAIN.fullmatch(text) and not text.endswith(" ") and not text.startswith("- ") and text != "-"
    if plain and not _BARE_COLON.search(text):
        return text
    return "'" + text.replace("'", "''") + "'"

"""The grammar of labels (PROTOCOL 4.6): ASCII, at most 200, `seg(/seg)*`.

A label names the *event* a roll belongs to; the game makes it from ids and declares its own forms.
"""

from __future__ import annotations

import re

MAX_LENGTH = 200
_LABEL = re.compile(r"[a-z0-9][a-z0-9._#-]*(?:/[a-z0-9][a-z0-9._#-]*)*\Z")


class LabelError(Exception):
    """A label off the grammar, or used twice in one resolution (E_LABEL): a fault of the engine, it halts."""

    code = "E_LABEL"


def is_label(text: str) -> bool:
    """Whether `text` fits the grammar."""
    return len(text) <= MAX_LENGTH and _LABEL.match(text) is not None


def check_label(text: str) -> str:
    """`text` itself; raises LabelError when it is off the grammar."""
    if not is_label(text):
        raise LabelError(f"{text!r} is no label: small letters, digits and . _ # - in segments with /, at most 200")
    return text

"""The white list of characters (PROTOCOL 3.2).

2,427 code points, none invisible or combining, none that composes with one before it: every text of
them is NFC in every version of Unicode, so nothing is ever normalised.
"""

from __future__ import annotations

import re

RANGES: tuple[tuple[int, int], ...] = (
    (0x0A, 0x0A),
    (0x20, 0x7E),
    (0xA1, 0xAC),
    (0xAE, 0x24F),
    (0x391, 0x3A1),
    (0x3A3, 0x481),
    (0x48A, 0x52F),
    (0x1E00, 0x1EFF),
    (0x2010, 0x2027),
    (0x2030, 0x205E),
    (0x20A0, 0x20BF),
    (0x2190, 0x21FF),
    (0x2600, 0x26FF),
    (0x1F300, 0x1F5FF),
)
"""First and last code point of each allowed range."""

_FOREIGN = re.compile("[^" + "".join(f"\\U{a:08x}-\\U{b:08x}" for a, b in RANGES) + "]")


def first_foreign(text: str, start: int = 0) -> int:
    """Index of the first character off the white list, or -1."""
    found = _FOREIGN.search(text, start)
    return -1 if found is None else found.start()

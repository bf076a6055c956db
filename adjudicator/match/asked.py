"""What a player wants of his next message beside orders: an end, another key, another chain (PROTOCOL 7)."""

from __future__ import annotations

from typing import NamedTuple


class Asked(NamedTuple):
    """`end`: ``resign``, ``offer-draw``, ``accept-draw``, ``claim``, or ""; `allow_lost`: consent to the lost chain
    that the message before tells of.
    """

    end: str = ""
    allow_lost: bool = False


NOTHING_ASKED = Asked()

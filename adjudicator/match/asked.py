"""What a player wants of his next message beside orders: an end, consent, other rules (PROTOCOL 7)."""

from __future__ import annotations

from typing import NamedTuple


class Asked(NamedTuple):
    """`end`: ``resign``, ``offer-draw``, ``accept-draw``, ``claim``, or ""; `allow_lost`: consent to the lost chain
    that the message before tells of; `upgrade`: hash and first message of rules to be offered or accepted.
    """

    end: str = ""
    allow_lost: bool = False
    upgrade: tuple[str, int] | None = None


NOTHING_ASKED = Asked()

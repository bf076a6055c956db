"""What a player wants of his next message beside orders: an end, another key, another chain (PROTOCOL 7)."""

from __future__ import annotations

from typing import NamedTuple


class Asked(NamedTuple):
    """`end`: ``resign``, ``offer-draw``, ``accept-draw``, or ""; see :data:`adjudicator.protocol.forms.ENDS`."""

    end: str = ""


NOTHING_ASKED = Asked()

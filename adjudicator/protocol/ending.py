"""How a game ends, and what the two messages that close its log may carry (PROTOCOL 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudicator.protocol.verdicts import ProtocolError
from adjudicator.turnfile.nodes import Tree

NOTHING_NEW = ("sealed", "decks", "upgrade", "end")
"""Fields that a closing message must not carry."""

RESIGN, DRAW_AGREED = "resign", "draw"


def ended_by(bodies: Sequence[Mapping[str, Tree]], n: int) -> str:
    """How message n ends the game by itself: `resign`, `draw` (agreed), or ""; its orders are void then.

    A rules module that knows no desk asks this of the bodies it is handed.
    """
    end = bodies[n].get("end")
    if end == "resign":
        return RESIGN
    if end == "accept-draw" and bodies[n - 1].get("end") == "offer-draw":
        return DRAW_AGREED
    return ""


def check_end(body: Mapping[str, Tree], seq: int, over_at: int | None) -> None:
    """`final` stands in the two messages after the end and nowhere else; they carry no orders and nothing new."""
    closing = over_at is not None and over_at < seq <= over_at + 2
    if "final" in body and not closing:
        raise ProtocolError("E_END", "`final` before the end of the game", seq)
    if not closing:
        return
    if "final" not in body:
        raise ProtocolError("E_END", f"the game ended in message {over_at}: only the final openings may follow", seq)
    if body["orders"]:
        raise ProtocolError("E_END", f"the game ended in message {over_at}: a closing message has no orders", seq)
    for name in NOTHING_NEW:
        if name in body:
            raise ProtocolError("E_END", f"the game ended in message {over_at}: no `{name}` may follow", seq)

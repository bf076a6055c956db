"""What a message says about the end of the game, in the words of its report (PROTOCOL 7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from adjudicator.protocol.ending import DRAW_AGREED, RESIGN, ended_by
from adjudicator.turnfile.nodes import Tree


def ending_of(bodies: Sequence[Mapping[str, Tree]], seq: int) -> str:
    """What message ``seq`` says of the end: ``resign``, ``draw``, ``offer-draw``, ``accept-draw`` (of nothing),
    ``claim``, ``final``; also ``lost`` and ``allow_lost`` of a lost chain; or ""."""
    body = bodies[seq] if seq else {}
    said = next((name for name in ("lost", "allow_lost", "final") if name in body), "")
    return (ended_by(bodies, seq) if seq else "") or str(body.get("end", "")) or said


def told(ending: str, seq: int, author: str, other: str, side: Callable[[str], str]) -> str:
    """The sentence for it; "" where nothing is to be said."""
    one, two = side(author), side(other)
    closing = f"Messages {seq + 1} and {seq + 2} open everything both sides kept hidden."
    return {
        RESIGN: f"The {one} player resigns: the {two} player wins. Orders of this message are void. {closing}",
        DRAW_AGREED: f"The {one} player accepts the draw offered in message {seq - 1}: nobody wins. Orders of this "
        f"message are void. {closing}",
        "offer-draw": f"The {one} player offers a draw; only message {seq + 1} can accept it.",
        "accept-draw": f"The {one} player accepts a draw that nobody offered, which does nothing.",
        "claim": f"The {one} player closes the game, because the {two} player has lost the chain of his dice.",
        "lost": f"The {one} player says that the chain of his numbers is lost, and names another one. The dice of "
        f"message {seq - 1} can't be opened; nothing of it happened, and the {two} player gives his orders anew or "
        "closes the game.",
        "allow_lost": f"The {one} player agrees to go on after the lost chain: this message stands for message "
        f"{seq - 2}.",
        "final": f"The game is over. With this message the {one} player opens everything he kept hidden.",
    }.get(ending, "")

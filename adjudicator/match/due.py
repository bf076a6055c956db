"""Who owes what since which message: for `status`, and for what `sign` and `receive` say comes next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from adjudicator.match.endings import end_of
from adjudicator.match.match import Match
from adjudicator.match.resolver import SETUP_MESSAGES

ORDERS_KEY = "orders/"


@dataclass(frozen=True)
class Due:
    """The next message: its number, who writes it, since which message, and what it is for.

    ``kind``: ``setup`` (a bare message that opens set-up dice), ``orders`` (a phase's orders, ``key`` names it),
    ``answer`` (a choice, ``key``), ``opening`` (nothing to decide, the other side's dice are opened), ``unknown`` (what
    the other side must decide shows when it opens the dice), ``final`` (the game is over: everything hidden is opened),
    ``halt``, ``closed``, ``unbuilt`` (the rules end here). ``asked`` says in the game's words what a choice asks, and
    how a game that is over ended.
    """

    kind: str
    seq: int
    side: str
    since: int
    key: str = ""
    asked: str = ""

    @property
    def text(self) -> str:
        """What the message is for, in words."""
        texts = {
            "setup": f"a bare message; it opens the dice of message {self.since}, and nobody orders before message 3",
            "orders": self.asked,
            "answer": self.asked,
            "opening": f"a bare message, which opens the dice of message {self.since}; nothing is to be decided",
            "unknown": f"it opens the dice of message {self.since} and shows what follows from them",
            "halt": "the game stands: the program could not resolve a message",
            "final": f"the final openings, which show everything hidden; the game is over: {self.asked}",
            "closed": f"nothing, the game is over and closed: {self.asked}",
            "unbuilt": f"nothing: the {self.key} phase comes next, which this version does not play",
        }
        return texts[self.kind]


def due(match: Match) -> Due:
    """What is owed now. Opens the head with one's own link where one may (see :meth:`Match.look`)."""
    verifier = match.verifier
    seq, side, since = verifier.next_seq, verifier.next_side, verifier.head
    match.look_or_halt()
    if verifier.failed is not None:
        return Due("halt", seq, side, since)
    over = end_of(verifier)
    if over is not None:
        return Due("closed" if verifier.closed else "final", seq, side, since, asked=over.text)
    if seq <= SETUP_MESSAGES:
        return Due("setup", seq, side, since)
    if side != match.me:
        return Due("unknown", seq, side, since)
    waits = waits_of(match)
    why, key = str(waits.get("why", "")), str(waits.get("key", ""))
    if why == "unbuilt" and not _something_happened(match):
        return Due("unbuilt", seq, side, since, key)
    if why != "decision" or waits.get("side") != match.me:
        return Due("opening", seq, side, since)
    kind = "orders" if key.startswith(ORDERS_KEY) else "answer"
    position = position_of(match)
    asked = match.table.asked(match.table.restore(position), key) if position is not None else key
    return Due(kind, seq, side, since, key, asked)


def _something_happened(match: Match) -> bool:
    """Whether the head led to anything that the other side can't see before it is opened."""
    resolved = match.look_or_halt()
    return resolved is not None and resolved.n == match.verifier.head and bool(resolved.resolution.events)


def waits_of(match: Match) -> Mapping[str, Any]:
    """What the newest known position waits for: ``why``, ``side``, ``key``."""
    resolved = match.look_or_halt()
    waits = resolved.resolution.position.get("waits") if resolved is not None else None
    return waits if isinstance(waits, Mapping) else {}


def position_of(match: Match) -> Mapping[str, Any] | None:
    """The newest known position; None before the set-up is opened."""
    resolved = match.look_or_halt()
    return resolved.resolution.position if resolved is not None else None

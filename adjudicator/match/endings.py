"""How a game ends: resignation, agreed draw, the rules; who still owes final openings (PROTOCOL 7)."""

from __future__ import annotations

from dataclasses import dataclass

from adjudicator.protocol.ending import DRAW_AGREED, RESIGN, ended_by
from adjudicator.protocol.verifier import Verifier

RULES, CLAIM = "rules", "claim"


@dataclass(frozen=True, slots=True)
class End:
    """The end of a game: ``how`` (``resign``, ``draw``, ``rules``, ``claim``), where, whose, and the other side."""

    how: str
    seq: int
    side: str
    other: str

    @property
    def text(self) -> str:
        """The end in words."""
        one, two = _people(self.side), _people(self.other)
        return {
            RESIGN: f"{one} resigned in message {self.seq}, so {two} wins",
            DRAW_AGREED: f"a draw, which {two} offered in message {self.seq - 1} and {one} accepted",
            CLAIM: f"{one} closed it with message {self.seq}, because {two} had lost its chain",
        }.get(self.how, f"it ended by its rules with message {self.seq}")


def _people(side: str) -> str:
    return side[:1].upper() + side[1:]


def end_of(verifier: Verifier) -> End | None:
    """The end of the game as far as is known, before its dice are opened, too. None while it goes on."""
    if verifier.head and verifier.body(verifier.head).get("end") == CLAIM:
        return _end(verifier, verifier.head, CLAIM)
    at = verifier.over_at
    if at is None and verifier.head and ended_by(verifier.bodies, verifier.head):
        at = verifier.head
    if at is None:
        return None
    return _end(verifier, at, (ended_by(verifier.bodies, at) if at else "") or RULES)


def _end(verifier: Verifier, at: int, how: str) -> End:
    sides = [player.side for player in verifier.players]
    side = sides[0] if at % 2 else sides[1]
    return End(how, at, side, _other(verifier, side))


def owing(verifier: Verifier) -> list[tuple[int, str]]:
    """The final openings that are still to come, as number and side of their messages; [] for a game not over."""
    end = end_of(verifier)
    if end is None or verifier.closed:
        return []
    due = [(verifier.next_seq, verifier.next_side), (verifier.next_seq + 1, _other(verifier, verifier.next_side))]
    return [one for one in due if one[0] <= end.seq + 2]


def _other(verifier: Verifier, side: str) -> str:
    return next(player.side for player in verifier.players if player.side != side)


def draw_offered(verifier: Verifier) -> tuple[int, str] | None:
    """The message that offers a draw, and its side, while it can still be accepted: by the very next message."""
    body = verifier.body(verifier.head)
    if body.get("end") != "offer-draw" or end_of(verifier) is not None:
        return None
    return verifier.head, str(body["side"])


def lost_chain(verifier: Verifier) -> tuple[int, str] | None:
    """The newest message, and its side, if it says that the chain of its author is lost; else None."""
    body = verifier.body(verifier.head)
    return (verifier.head, str(body["side"])) if "lost" in body else None


def refusal_of_loss(verifier: Verifier, agreed: bool, claimed: bool) -> str:
    """Why the next message must not answer a lost chain as it would; "" where it may."""
    lost = lost_chain(verifier)
    if lost is None:
        name = "--allow-lost" if agreed else "--claim"
        return f"message {verifier.head} tells of no lost chain; leave {name} away" if agreed or claimed else ""
    if agreed and claimed:
        return "you can't both go on and close the game; choose --allow-lost or --claim"
    if agreed or claimed:
        return ""
    return (
        f"{_people(lost[1])} says in message {lost[0]} that his chain is lost; say --allow-lost with your orders of "
        f"message {lost[0] - 1} anew, or close the game with `open --claim`"
    )


def refusal_of(verifier: Verifier, end: str) -> str:
    """Why the next message must not carry this `end`; "" where it may."""
    over = end_of(verifier)
    if over is not None:
        return f"the game is over: {over.text}; sign the final openings with `open`, nothing else may follow"
    offered = draw_offered(verifier)
    if end == "accept-draw" and offered is None:
        return (
            f"message {verifier.head} offers no draw, so there is none to accept; an offer holds for the next message "
            "only: offer one yourself with --offer-draw"
        )
    if end == "offer-draw" and offered is not None:
        return f"message {offered[0]} offers you a draw already; accept it with --accept-draw"
    return ""

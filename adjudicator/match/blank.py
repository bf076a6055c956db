"""A turn file to fill in: the head from here, the orders from the game (DESIGN, `template`)."""

from __future__ import annotations

from adjudicator.engine.driver import Waits
from adjudicator.match.draft import Draft, read_draft
from adjudicator.match.due import due, position_of, waits_of
from adjudicator.match.endings import end_of
from adjudicator.match.facedown import as_seen, faces_of
from adjudicator.match.folder import FolderError
from adjudicator.match.header import header_lines
from adjudicator.match.match import Match
from adjudicator.match.resolver import SETUP_MESSAGES

EMPTY = "orders: []"
ANSWERED = "answered"
"""Why the game waits where one's own message, not opened yet, has answered: what it asks next is not known."""


def blank(match: Match) -> str:
    """The turn file for this player's next message. Raises FolderError for a folder without a player."""
    if not match.me:
        raise FolderError(f"{match.folder.root}: this folder belongs to no player; there is nothing to fill in")
    seq = match.my_next_seq
    head = header_lines(match.verifier.game_id, seq, match.me)
    about = [f"# {line}" for line in _about(match, seq)]
    return "\n".join([*about, *head, _orders(match, seq)]).rstrip("\n") + "\n"


def _about(match: Match, seq: int) -> list[str]:
    owed = due(match)
    lines = [f"{match.verifier.genesis.body['title']}: message {seq} of {match.me}."]
    if owed.kind == "closed":
        return [*lines, f"{owed.text[:1].upper()}{owed.text[1:]}."]
    if owed.side == match.me:
        lines.append(f"Asked: {owed.text}.")
    else:
        lines.append(f"Message {owed.seq} of {owed.side} comes first; make this file anew when it is here.")
    return [*lines, "Fill it in, then `check` and `sign` it. Lines that begin with # are for you alone."]


def _orders(match: Match, seq: int) -> str:
    position = position_of(match)
    if end_of(match.verifier) is not None:
        return f"# Nothing is ordered any more: `open` makes the closing messages.\n{EMPTY}"
    if position is None or (seq <= SETUP_MESSAGES and not match.table.setup_types):
        return f"# Messages 1 and 2 carry no orders: `open` sends them.\n{EMPTY}"
    waits = waits_of(match)
    why = str(waits.get("why", ""))
    if match.verifier.next_side != match.me and waits.get("side") == match.me:
        why = ANSWERED
    found = Waits(why, str(waits.get("side", "")), str(waits.get("key", "")))
    seen = as_seen(match.table, match.table.restore(position), match.me, faces_of(match))
    return match.table.template(seen, match.me, found)


def by_default(match: Match) -> Draft:
    """What a message holds for which its owner writes no turn file: at the set-up what the file to fill in holds (SS
    18.3), else nothing."""
    if match.my_next_seq > SETUP_MESSAGES or not match.table.setup_types or not match.my_turn:
        return Draft()
    return read_draft(blank(match).encode())

"""Messages that came for the number that is due and were refused: why, and what is to be done (PROTOCOL 4.8).

The file of a refused message is kept as it came. It is judged anew whenever it is asked for, by the log as it is now:
once the number has its message, or a repaired program finds nothing against this one, it is told no more.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from adjudicator.match.incoming import kept_files
from adjudicator.match.match import Match
from adjudicator.protocol.fields import uint
from adjudicator.protocol.verdicts import Kind, Verdict

AGAIN = "the program finds nothing against it any more: take the file in with `receive`"


@dataclass(frozen=True, slots=True)
class Refused:
    """A message of the other side that is not part of the game: its verdict now, its author, and its file."""

    verdict: Verdict
    side: str
    file: Path
    mend: str

    @property
    def text(self) -> str:
        """What came and why it is refused."""
        came = f"message {self.verdict.seq} of {self.side[:1].upper()}{self.side[1:]} came"
        if self.verdict.ok:
            return f"{came} and was refused or kept before ({self.file})"
        parts = f": {self.verdict.text}" if self.verdict.text else ""
        return f"{came} and was refused: {self.verdict.code}, {self.verdict.meaning}{parts} ({self.file})"


def refused(match: Match) -> list[Refused]:
    """What came for the number that is due, where the other side writes it, and is no part of the game."""
    verifier, found = match.verifier, dict[str, Refused]()
    if verifier.next_side == match.me or verifier.closed:
        return []
    for path, message in kept_files(match.folder):
        if (message.text("game"), uint(message.body.get("seq"))) != (verifier.game_id, verifier.next_seq):
            continue
        verdict = verifier.check(message)
        if verdict.ok or verdict.kind in (Kind.TRANSPORT, Kind.REJECT):
            mend = AGAIN if verdict.ok else verdict.way_out.replace("`dispute DIR ", f"`dispute {match.folder.root} ")
            found.setdefault(message.id, Refused(verdict, verifier.next_side, path, mend))
    return list(found.values())

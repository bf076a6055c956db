"""What becomes of a message: codes, their classes, a short text and a way out for each (PROTOCOL 4.8)."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """Class of a verdict; the consequence stands beside it."""

    ACCEPTED = "accepted"  # the message is part of the game
    TRANSPORT = "transport"  # fault of the file: the same body is sent again, never another
    REJECT = "reject"  # the message does not exist; nothing changes, the file is kept
    WAIT = "wait"  # kept until the gap is filled
    IGNORE = "ignore"  # no change
    PROOF = "proof"  # second body for a played seq: both are kept and exported
    HALT = "halt"  # the game stops until both programs can resolve it; never a reject


_AGAIN = "ask for the same file once more; the other side must not write a new turn"
_OWN = "the sender's own program shows the same fault: he may sign one corrected turn that carries `replaces`"

CODES: dict[str, tuple[Kind, str, str]] = {
    "OK": (Kind.ACCEPTED, "accepted", ""),
    "E_CANON": (Kind.TRANSPORT, "the file is damaged or is no turn file", _AGAIN),
    "E_SIG": (Kind.TRANSPORT, "the signature does not fit text and key", _AGAIN),
    "E_VERSION": (Kind.REJECT, "another version of the protocol", "use a program that speaks pbem1"),
    "E_FIELD": (Kind.REJECT, "a field is missing, unknown or malformed", _OWN),
    "E_GAME": (Kind.REJECT, "a message of another game", "look for the folder of that game, or ask for the right file"),
    "E_AUTHOR": (Kind.REJECT, "the other side is to write this message", "wait for the side whose turn it is"),
    "E_PREV": (Kind.REJECT, "it answers another history than ours", "compare both logs with `verify`"),
    "E_RULES": (Kind.REJECT, "made under other rules or data", "install the same version and data pack on both sides"),
    "E_KEY": (
        Kind.REJECT,
        "a key, chain or side that must not be used",
        "make fresh keys with `keygen` and offer anew",
    ),
    "E_HEAD": (Kind.REJECT, "the head statement is not the other side's", "ask the other side for a new statement"),
    "E_REVEAL": (Kind.REJECT, "the opened link is not the next one of the chain", _OWN),
    "E_SEAL": (Kind.REJECT, "a sealed topic is opened wrongly or not at all", _OWN),
    "E_DECK": (Kind.REJECT, "a card or deck is used wrongly", _OWN),
    "E_END": (Kind.REJECT, "the game is over, the log is closed", "start a new game with `new`"),
    "E_STATE": (
        Kind.REJECT,
        "it was written on another state of the game",
        "both run `dispute DIR SEQ` for the message it answers and exchange the files",
    ),
    "E_GAP": (Kind.WAIT, "a message before it is missing", "ask for the missing message; this one is kept"),
    "DUPLICATE": (Kind.IGNORE, "this message is in the log already", "nothing to do"),
    "E_FORK": (Kind.PROOF, "a second, different message for a number already played", "both are kept as proof"),
    "E_LABEL": (Kind.HALT, "the program used a die label twice or wrongly", "both install a repaired program"),
    "HALT": (Kind.HALT, "the program can't resolve a message", "both install a repaired program; the message stands"),
}
"""code -> (class, what it means, way out)."""

REJECT_CODES = frozenset(code for code, (kind, _, _) in CODES.items() if kind is Kind.REJECT)
"""The codes a `replaces` may carry."""


class Verdict(NamedTuple):
    """What a verifier says about one message.

    `seq` is the message the verdict speaks of (for a halt: the one that could not be resolved; None when the
    file does not even say), `text` says in numbers what is wrong, `id` the message's id where it has one, `mend` the
    way out where the one of the code does not fit, as for what one's own secret can't do.
    """

    code: str
    seq: int | None = None
    text: str = ""
    id: str = ""
    mend: str = ""

    @property
    def kind(self) -> Kind:
        """Class of the code."""
        return CODES[self.code][0]

    @property
    def ok(self) -> bool:
        """Whether the message is now part of the game."""
        return self.kind is Kind.ACCEPTED

    @property
    def meaning(self) -> str:
        """What the code means, without the particulars."""
        return CODES[self.code][1]

    @property
    def way_out(self) -> str:
        """What to do about it."""
        return self.mend or CODES[self.code][2]

    def show(self) -> str:
        """One line: `message 4: error[E_STATE]: what it means: particulars; way out`."""
        who = "message" if self.seq is None else f"message {self.seq}"
        if self.ok:
            return f"{who}: accepted"
        word = "note" if self.kind in (Kind.IGNORE, Kind.WAIT) else "error"
        parts = f": {self.text}" if self.text else ""
        return f"{who}: {word}[{self.code}]: {self.meaning}{parts}; {self.way_out}"


class ProtocolError(Exception):
    """A refusal where no verdict can be returned: a file that can't be read, a genesis that is none."""

    def __init__(self, code: str, text: str = "", seq: int | None = None, id: str = "", mend: str = "") -> None:
        self.verdict = Verdict(code, seq, text, id, mend)
        super().__init__(self.verdict.show())

    @property
    def code(self) -> str:
        """The verdict's code."""
        return self.verdict.code

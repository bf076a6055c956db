"""Proving a game from nothing: every step that makes a log believable, one after the other (PROTOCOL 8, verify).

Nothing in a folder but its log, and the overlay it was begun with, is looked at: no cache, no state, no secret, no
network, no clock.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from adjudicator.engine.counting import counted
from adjudicator.match.endings import end_of, owing
from adjudicator.match.evidence import judge_pair, pair_beside
from adjudicator.match.expect import Expectation, expectation
from adjudicator.match.folder import Folder, FolderError
from adjudicator.match.games import UnknownSystem
from adjudicator.match.match import resolver_of
from adjudicator.match.overlays import OVERLAY_FILE
from adjudicator.match.terms import LOCAL
from adjudicator.packs.errors import PackError
from adjudicator.protocol.log import read_line, split_log
from adjudicator.protocol.message import Message
from adjudicator.protocol.resolve import Resolved
from adjudicator.protocol.verdicts import ProtocolError, Verdict
from adjudicator.protocol.verifier import Verifier
from adjudicator.turnfile.nodes import Tree

USUAL_FACES = 6
_DAMAGED = (
    "bring log.jsonl back from a copy, or ask the other side for his; in a game folder of your own move it away, and "
    "it is made again from private/journal.jsonl"
)
"""What helps against a log with a line that is no message: nobody is to send one message again for it."""


@dataclass(frozen=True)
class Proved:
    """One step of the proof that holds. ``parts`` are the single things checked, in the order of checking."""

    title: str
    parts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Failed:
    """The step at which the proof breaks: message, code, the way out; what was ``expected`` and ``found``, in full."""

    seq: int | None
    code: str
    text: str
    mend: str = ""
    expected: str = ""
    found: str = ""

    @property
    def title(self) -> str:
        """What does not hold."""
        return f"{'The log' if self.seq is None else f'Message {self.seq}'} does not hold: {self.code}"

    def show(self) -> str:
        """One line."""
        who = "the log" if self.seq is None else f"message {self.seq}"
        return f"{who}: error[{self.code}]: {self.text}" + (f"; {self.mend}" if self.mend else "")


def find_log(path: Path) -> Path:
    """The log of a game folder, or the log itself. Raises FolderError."""
    log = path / "log.jsonl" if path.is_dir() else path
    if not log.is_file():
        raise FolderError(f"{path}: there is no log.jsonl; name a game folder or a log file")
    return log


@dataclass(frozen=True, slots=True)
class Die:
    """One roll that a message led to, as the events of the rules tell it."""

    seq: int
    label: str
    faces: int
    values: tuple[int, ...]
    pick: bool = False

    def line(self) -> str:
        """Message, label, faces, values, for `verify --dice`; `14p` is a pick, one thing out of 14."""
        faces = f"{self.faces}p" if self.pick else str(self.faces)
        return " ".join((str(self.seq), self.label, faces, *map(str, self.values)))


def dice_in(resolved: Resolved) -> list[Die]:
    """Every roll that the events of a resolution tell: ``label`` with ``die`` or ``dice``, ``faces`` if not six."""
    found: list[Die] = []
    for event in resolved.resolution.events:
        label, values = event.get("label"), event.get("dice", event.get("die"))
        if isinstance(label, str) and label and values:
            texts = [values] if isinstance(values, str) else list(values)
            faces = int(str(event.get("faces", USUAL_FACES)))
            found.append(Die(resolved.n, label, faces, tuple(int(str(text)) for text in texts), "pick" in event))
    return found


class Proof:
    """Walks a log and says step by step what holds. ``verifier`` is there once genesis holds.

    ``beside`` is the folder of the log, in which an overlay may lie that the game was begun with.
    """

    def __init__(self, data: bytes, beside: Path | None = None) -> None:
        self._data = data
        self._folder = None if beside is None else Folder(beside)
        self.verifier: Verifier | None = None
        self.dice = 0
        self.rolled: list[Die] = []
        self._expected = Expectation()

    def steps(self) -> Iterator[Proved | Failed]:
        """The steps in order; a :class:`Failed` is the last."""
        try:
            lines = split_log(self._data)
            if not lines:
                raise ProtocolError("E_CANON", "the log is empty", 0)
            size = counted(len(lines), "line")
            yield Proved(f"The log is whole: {size}, each one message in its only canonical form")
            yield self._genesis(_message(lines[0], 0))
            yield from self._messages(lines)
            yield self._end()
            yield from self._fork()
        except ProtocolError as error:
            yield _failed(error.verdict, self._expected)
        except (FolderError, PackError, UnknownSystem) as error:
            yield Failed(0, "E_RULES", str(error))

    def _genesis(self, genesis: Message) -> Proved:
        if genesis.body.get("type") != "genesis":
            raise ProtocolError("E_FIELD", "line 1 of the log is no genesis", 0)
        for name in ("system", "scenario", "version", "pack", "switches", "players"):
            if name not in genesis.body:
                raise ProtocolError("E_FIELD", f"genesis has no `{name}`", 0)
        resolver = resolver_of(genesis, self._folder, fresh=True)
        try:
            verifier = self.verifier = Verifier(genesis, resolver)
        except ProtocolError as error:
            raise ProtocolError(error.verdict.code, error.verdict.text, 0, genesis.id) from None
        a, b = verifier.players
        body = genesis.body
        return Proved(
            f"Genesis (message 0) of {body['title']}: {a.name} ({a.side}) against {b.name} ({b.side})",
            (
                f"signed by {b.side} with the key it names; both keys are sound and differ, so do both chains",
                f"rules and data are those of this program{self._corrected()}: {body['system']} version "
                f"{body['version']}, rules {verifier.rules[:12]}",
                f"its hash is the game's name: {verifier.game_id[:12]}",
                *((LOCAL,) if body["dice"] == "local" else ()),
            ),
        )

    def _corrected(self) -> str:
        """Where the data are corrected by an overlay, which was laid over the program's own pack just now."""
        there = self._folder is not None and self._folder.overlay.is_file()
        return f" with the overlay {OVERLAY_FILE} beside the log" if there else ""

    def _messages(self, lines: Sequence[bytes]) -> Iterator[Proved]:
        verifier = self._sure()
        for seq, line in enumerate(lines[1:], 1):
            message = _message(line, seq)
            verdict = verifier.receive(message)
            if not verdict.ok:
                self._expected = expectation(verifier, message, verdict)
                raise ProtocolError(verdict.code, verdict.text, seq, verdict.id)
            resolved = verifier.last
            if resolved is None or resolved.n != seq - 1:
                raise ProtocolError("HALT", f"message {seq - 1} was not resolved", seq - 1)
            yield self._message_step(seq, resolved)

    def _message_step(self, seq: int, resolved: Resolved) -> Proved:
        verifier = self._sure()
        body, side = verifier.body(seq), str(verifier.body(seq)["side"])
        events = resolved.resolution.events
        rolled = dice_in(resolved)
        rolls = len(rolled)
        self.rolled += rolled
        self.dice += rolls
        orders = body.get("orders", [])
        count = len(orders) if isinstance(orders, list) else 0
        return Proved(
            f"Message {seq}, {side}, {counted(count, 'order')}",
            (
                f"signed by {side}'s key; answers message {seq - 1} ({verifier.id(seq - 1)[:12]})",
                *self._opening(seq, resolved, rolls, len(events)),
                f"the state after message {seq - 1} is the one {side} signed: {resolved.digest[:12]}",
            ),
        )

    def _opening(self, seq: int, resolved: Resolved, rolls: int, events: int) -> Iterator[str]:
        """What the message says of the dice of the one before, and of hidden things."""
        body = self._sure().body(seq)
        side = str(body["side"])
        if "lost" in body:
            yield f"{side} lost the chain and names a new one: message {seq - 1} has no dice, its orders are said anew"
            return
        where = "in genesis" if self._sure().history.chain(seq).start <= 2 else "in the course of the game"
        yield f"link {body['link']} lies on the chain that {side} fixed {where}"
        yield (
            f"it opens the dice of message {seq - 1}: seed {resolved.seed.hex()[:12]}, {counted(rolls, 'roll')}, "
            f"{counted(events, 'event')}, all rules run again"
        )
        if (new := self._sure().history.rules(seq)) != self._sure().history.rules(seq - 1):
            yield f"it is the first by the rules that both agreed on: {new[:12]}"
        if opened := _count(body, "open"):
            topics = "topic" if opened == 1 else "topics"
            yield f"{opened} sealed {topics} opened, as demanded; each fits the book it stood in"
        if "allow_lost" in body:
            yield f"{side} agrees to go on after the lost chain"
        if "rekey" in body:
            yield f"from message {seq + 2} on {side} signs with another key, which signed its own coming"
        if "reanchor" in body:
            yield f"from message {seq + 2} on {side} opens the links of a new chain, never used in this game"
        if "upgrade" in body:
            yield from self._upgrade(seq)
        if "final" in body:
            yield f"everything {side} sealed is opened, and each book and deck is what was committed"

    def _upgrade(self, seq: int) -> Iterator[str]:
        """What a message offers or accepts of other rules, and from when on they hold."""
        history, pair = self._sure().history, self._sure().body(seq)["upgrade"]
        assert isinstance(pair, dict)
        start, rules = int(str(pair["from"])), str(pair["rules"])
        if history.offered_upgrade is None and (start, rules) in history.upgrades:
            yield f"it accepts the rules {rules[:12]}: they hold from message {start} on"
        else:
            yield f"it offers the rules {rules[:12]} from message {start} on; the next message may accept them"

    def _end(self) -> Proved:
        verifier = self._sure()
        over = end_of(verifier)
        state = "the game is over and closed" if verifier.closed else "the game is unfinished"
        if over is not None:
            state += f": {over.text}"
        due = " and ".join(f"{side} in message {seq}" for seq, side in owing(verifier))
        state += f"; the final openings are still owed by {due}" if due else ""
        head = f"message {verifier.head} ({verifier.head_id[:12]})"
        opened = "" if verifier.closed else f"; the dice of message {verifier.head} are not open yet"
        rolls = counted(self.dice, "roll")
        follows = (
            f"{rolls}; every die follows from its seed"
            if verifier.genesis.body["dice"] == "local"
            else f"{rolls}; every die follows from two commitments: a link fixed before the orders were "
            "written, and the signed orders themselves"
        )
        return Proved(f"Head: {head}; {state}{opened}", (*self._counted(), follows))

    def _counted(self) -> Iterator[str]:
        """What both players should know of, though it is allowed: bodies replaced, logs restored."""
        verifier = self._sure()
        if verifier.replaced:
            verb = "replaces" if verifier.replaced == 1 else "replace"
            yield f"{counted(verifier.replaced, 'message')} {verb} a rejected one of the same author"
        lost = [seq for seq, body in enumerate(verifier.bodies) if "lost" in body]
        if lost:
            yield f"message {lost[0]} says that its author lost his chain: what it left without dice was never rolled"
        if verifier.restored:
            verb = "follows" if verifier.restored == 1 else "follow"
            yield f"{counted(verifier.restored, 'message')} {verb} a log brought back from the other side"

    def _fork(self) -> Iterator[Proved]:
        """Two messages of one number beside the log, as `export-proof` writes them."""
        pair = None if self._folder is None else pair_beside(self._folder.root)
        if pair is not None:
            yield Proved(
                judge_pair(self._sure(), *pair),
                ("both fit this log, and neither is excused: proof that their author signed two turns for one",),
            )

    def _sure(self) -> Verifier:
        assert self.verifier is not None
        return self.verifier


def _count(body: Mapping[str, Tree], name: str) -> int:
    value = body.get(name)
    return len(value) if isinstance(value, list) else 0


def _message(line: bytes, seq: int) -> Message:
    try:
        return read_line(line)
    except ProtocolError as error:
        raise ProtocolError("E_CANON", f"line {seq + 1} of the log: {error.verdict.text}", seq) from None


def _failed(verdict: Verdict, expected: Expectation) -> Failed:
    text = f"{verdict.meaning}: {verdict.text}" if verdict.text else verdict.meaning
    mend = _DAMAGED if verdict.code == "E_CANON" else verdict.way_out
    return Failed(verdict.seq, verdict.code, text, mend, *expected)

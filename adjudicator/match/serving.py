"""Bare openings without a person, on folders (PROTOCOL 8, `serve`), and the kit for a program without K_game.

Only a message that decides nothing is written: no order, no answer, no card, no key, no end. Two programs that sign for
one side with two journals would sign two messages of one number; so while a kit is away its home folder signs nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Callable
from pathlib import Path

from adjudicator.match.draft import Draft
from adjudicator.match.due import due
from adjudicator.match.files import PRIVATE, FolderBusy, lock, write_whole
from adjudicator.match.folder import Folder
from adjudicator.match.incoming import IncomingError, message_in
from adjudicator.match.keepsake import OWN_KEY
from adjudicator.match.match import Match
from adjudicator.match.renewal import waiting
from adjudicator.match.restored import RESTORED
from adjudicator.match.upgrading import offer_of
from adjudicator.protocol.kit import Kit
from adjudicator.protocol.log import read_line, split_log
from adjudicator.protocol.verdicts import Kind, ProtocolError
from adjudicator.turnfile.nodes import Tree

BARE = ("setup", "opening")
MAX_FILE = 4 * 1024 * 1024
JUMP = 90.0
"""Seconds by which the time of day may be corrected while `serve` runs."""
HAND_OVER = "to-hand-over.txt"
"""The number of the message that goes into the folder for mails, written before it is signed."""
Entropy = Callable[[int], bytes]


class ServeError(Exception):
    """Why nothing may be opened without a person; the text says what he must do."""


class Clock:
    """Sees the jump that the time of day makes when a running computer is put back to a snapshot of itself.

    The two clocks go on side by side while the computer runs or sleeps; only the time of day is set right afterwards.
    """

    def __init__(self) -> None:
        self._before = self._difference()

    @staticmethod
    def _difference() -> float:
        running = getattr(time, "CLOCK_BOOTTIME", None)
        return time.time() - (time.monotonic() if running is None else time.clock_gettime(running))

    def jumped(self) -> bool:
        """Whether the time of day has moved against the other clock by more than a correction."""
        return abs(self._difference() - self._before) > JUMP


class Server:
    """A game folder, watched: what comes into ``inbox`` is taken in, and bare messages that are due are signed.

    ``head`` is the number of the newest message, as a person says it. Raises ServeError where the log is another one.
    """

    def __init__(self, root: Path, inbox: Path, head: int, outbox: Path | None = None) -> None:
        self.root, self.inbox, self.outbox = root, inbox, outbox
        self._seen: set[str] = set()
        self._said = ""
        self._clock = Clock()
        Folder(root).require()
        with lock(Folder(root).private):
            match = Match.load(root)
        if not match.me:
            raise ServeError(f"{root} belongs to no player; name the folder of one")
        if match.verifier.head != head:
            raise ServeError(
                f"the log ends at message {match.verifier.head}, you say {head}; if the folder is an old copy bring "
                "the newest one, else say the number that `status` tells"
            )
        if (match.folder.private / RESTORED).is_file():
            raise ServeError("the log was brought back after a loss; sign the next message yourself")
        self._head = (head, match.verifier.head_id)

    def round(self, entropy: Entropy = os.urandom) -> list[str]:
        """Take in what has come and sign what may be signed; what was done, a line each. Raises ServeError.

        While another program works on the game nothing is done; the next round will see to it.
        """
        Folder(self.root).require()
        with contextlib.ExitStack() as stack:
            try:
                stack.enter_context(lock(Folder(self.root).private))
            except FolderBusy:
                return []
            match = Match.load(self.root)
            self._check_not_older(match)
            lines = [f"signed before, handed over now: {path}" for path in self._hand_over(match)]
            lines += self._take_in(match)
            while match.my_turn:
                why = hindrance(match)
                if why:
                    lines += [f"waits for you: {why}"] if why != self._said else []
                    self._said = why
                    break
                lines.append(self._open(match, entropy))
            self._head = (match.verifier.head, match.verifier.head_id)
        return lines

    def _check_not_older(self, match: Match) -> None:
        """The folder may have been put back to an older state while this program runs."""
        seq, known = self._head
        if self._clock.jumped():
            raise ServeError(
                f"the computer's clock has jumped, as after a snapshot was put back; the log ends at message "
                f"{match.verifier.head}: see whether that is the newest, then begin again"
            )
        if match.verifier.head < seq or match.verifier.id(seq) != known:
            raise ServeError(
                f"the log has gone back: it ended at message {seq}, now at {match.verifier.head}; see which copy is "
                "the newest, then begin again"
            )

    def _take_in(self, match: Match) -> list[str]:
        lines = []
        for path in sorted(path for path in self.inbox.iterdir() if path.is_file() and not path.name.startswith(".")):
            try:
                with path.open("rb") as stream:
                    data = stream.read(MAX_FILE + 1)
            except FileNotFoundError:
                continue  # taken away by the mailer a moment ago
            mark = hashlib.sha256(data).hexdigest()
            if mark in self._seen:
                continue
            self._seen.add(mark)
            lines += self._take(match, path, data)
        return lines

    def _take(self, match: Match, path: Path, data: bytes) -> list[str]:
        if len(data) > MAX_FILE:
            return [f"{path}: passed over: more than {MAX_FILE:,} bytes"]
        try:
            message = message_in(data, str(path))
        except IncomingError as error:
            return [f"{path}: passed over: {error.lines[0]}"]
        received = match.receive(message)
        if received.verdict.kind is Kind.IGNORE:
            return []
        if not received.verdict.ok:
            match.folder.keep(path.name, data)
        return [f"{path}: {received.verdict.show()}"]

    def _open(self, match: Match, entropy: Entropy) -> str:
        if self.outbox is not None:
            write_whole(match.folder.private / HAND_OVER, f"{match.verifier.next_seq}\n".encode(), PRIVATE)
        match.sign(match.check(Draft()), None, entropy)
        seq = match.verifier.head
        (path,) = self._hand_over(match) or [str(match.outfile(seq))]
        return f"signed message {seq}, bare: {path}"

    def _hand_over(self, match: Match) -> list[str]:
        """Put the message that was signed last into the folder for mails, also where a crash came in between."""
        mark = match.folder.private / HAND_OVER
        if self.outbox is None or not mark.is_file():
            return []
        text, found = mark.read_text("utf-8", "replace").strip(), list[str]()
        if text.isascii() and text.isdigit() and int(text) in match.own_messages():
            path = match.resend(int(text))
            write_whole(self.outbox / path.name, path.read_bytes())
            found.append(str(self.outbox / path.name))
        mark.unlink(missing_ok=True)
        return found


def hindrance(match: Match) -> str:
    """Why the message that is due must not be signed without a person; "" where it may."""
    verifier = match.verifier
    last = verifier.body(verifier.head)
    if match.refusal() or match.trouble():
        return match.refusal() or match.trouble()
    if verifier.forks:
        return "there are two different messages of one number; see `doctor`"
    if "lost" in last:
        return f"message {verifier.head} says that a chain is lost: your consent is asked"
    if last.get("end"):
        return f"message {verifier.head} carries `end: {last['end']}`"
    if renewal := waiting(match.folder):
        return f"a new {' and a new '.join(renewal)} waits for your next message; sign it yourself"
    if verifier.next_link(match.me) >= verifier.chain(match.me).links:
        return "your chain is used up: the next message must name a new one"
    offer = offer_of(match)
    if offer is not None and offer.side != match.me:
        return f"message {offer.seq} offers other rules from message {offer.start} on; accept them, or `open` without"
    if verifier.piles:
        return "cards and decks are opened by their owner only"
    owed = due(match)
    if verifier.over:
        return "the game is over: the final openings are yours to sign"
    return "" if owed.kind in BARE else f"message {owed.seq}: {owed.text}"


# --- kits -------------------------------------------------------------------------------------------------------


def make_kit(match: Match, top: int, folder: Path) -> Path:
    """Write a game folder that can open links up to ``top`` and holds no K_game; from now on it signs, not this one.

    Raises ServeError, FolderError.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ServeError(f"{folder}: there is something of that name already; name a new folder with -o")
    if waiting(match.folder):
        raise ServeError("your next message brings a new key or chain, which a kit can't do; sign it first")
    number, chain = match.verifier.next_link(match.me), match.verifier.chain(match.me)
    secret = match.secret()
    if isinstance(secret, Kit):
        raise ServeError("a kit is made of a whole secret, and this folder is a kit; make it in your own folder")
    if not number <= top < chain.links:
        raise ServeError(f"link {top} is no good end; choose one from {number}, the next, to {chain.links - 1}")
    kit = Folder(folder)
    kit.private.mkdir(parents=True)
    kit.private.chmod(0o700)
    if match.folder.books.is_file():
        write_whole(kit.books, match.folder.books.read_bytes(), PRIVATE)
    if match.folder.overlay.is_file():
        write_whole(kit.overlay, match.folder.overlay.read_bytes())
    for path in sorted((match.folder.root / "rules").glob("*.json")):
        write_whole(kit.root / "rules" / path.name, path.read_bytes())
    about: dict[str, Tree] = {**match.folder.read_about(), "key": OWN_KEY}
    kit.write_about(about)
    kit.write_log(match.lines)
    note = f"a kit was made at message {match.verifier.head}; it signs until `serve --end {folder}` brings its log home"
    write_whole(match.folder.away, f"{note}\n".encode(), PRIVATE)  # before the kit can sign: never two that can
    match.key().save(folder / OWN_KEY)
    Kit.of(secret, chain.cid, chain.links, top).save(kit.kit)
    return folder


def end_kit(match: Match, log: Path) -> int:
    """Take the log of a kit home; from now on this folder signs again. Gives the newest message.

    Raises ServeError for a log that is not this game's further on.
    """
    kit = Folder(log.parent)
    away = kit.private.is_dir() and kit.root.resolve() != match.folder.root.resolve()
    with lock(kit.private) if away else contextlib.nullcontext():
        _take_home(match, log)
        if away:
            kit.kit.unlink(missing_ok=True)  # before this folder can sign: never two that can
        match.folder.away.unlink(missing_ok=True)
    return match.verifier.head


def _take_home(match: Match, log: Path) -> None:
    """The messages of a kit's log. Raises ServeError."""
    try:
        lines = split_log(log.read_bytes())
        for line in lines[match.verifier.head + 1 :]:
            received = match.receive(read_line(line))
            if not received.verdict.ok and received.verdict.kind is not Kind.IGNORE:  # one that waited here is in now
                raise ServeError(f"{log}: {received.verdict.show()}")
    except ProtocolError as error:
        raise ServeError(f"{log}: {error.verdict.show()}") from None
    if len(lines) <= match.verifier.head or read_line(lines[match.verifier.head]).id != match.verifier.head_id:
        text = f"it ends before message {match.verifier.head} of this folder, or is of another game; name the kit"
        raise ServeError(f"{log}: {text}")

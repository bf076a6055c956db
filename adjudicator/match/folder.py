"""Where things lie in a game folder, and reading and writing them whole (DESIGN, The game folder)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adjudicator.match.files import PRIVATE, write_json, write_whole
from adjudicator.protocol.log import read_line, split_log, write_line
from adjudicator.protocol.message import Message
from adjudicator.protocol.verdicts import ProtocolError
from adjudicator.turnfile.nodes import Tree, tree_map
from adjudicator.turnfile.reader import ReadError, read
from adjudicator.turnfile.writer import write as write_yaml

GENESIS_FILE = "genesis.turn"
"""What the file of message 0 is called in the outbox."""

_ANEW = (
    "bring the file back from a copy, or write it anew: `side: SIDE` with your side in small letters, and below it "
    "`key: private/key`, or the place of your key"
)
"""The way out where game.yaml is damaged or gone: these two lines are all that a game begun needs of it."""
_BARE = (
    "; a log alone is read by `verify` and `audit`, and for all else it must lie as log.jsonl in a folder with a file "
    "game.yaml, in which a line `title: TITLE` is enough to look"
)
_KEPT, _SUM = b'{"kept":', b',"sum":"'


class FolderError(Exception):
    """A folder that is no game folder, or whose files do not fit together; the text says how to mend."""


def without_cr(data: bytes) -> bytes:
    """A log whose line ends a program has changed to those of Windows, as git may, as it was. No line holds a CR."""
    return data.replace(b"\r\n", b"\n")


def reason(error: OSError) -> str:
    """Why the system could not do something, in its own words."""
    return (error.strerror or str(error)).lower()


def locate(file: Path) -> Path:
    """The game folder that a file lies in: its own folder or one above it. Raises :class:`FolderError`."""
    here = file.parent
    for folder in (here, *here.resolve().parents):
        if (folder / "game.yaml").is_file() and not (folder / "log.jsonl").is_dir():
            return folder
    raise FolderError(f"{file}: neither its folder nor one above it is a game folder; name the game with --game DIR")


@dataclass(frozen=True)
class Folder:
    """A game folder by its root. In a ``still`` one nothing is written, so that looking leaves no trace."""

    root: Path
    still: bool = False

    @property
    def log(self) -> Path:
        """The signed messages: the only truth."""
        return self.root / "log.jsonl"

    @property
    def about(self) -> Path:
        """What a person wants to know."""
        return self.root / "game.yaml"

    @property
    def private(self) -> Path:
        """Own secrets; never leaves this folder."""
        return self.root / "private"

    @property
    def secret(self) -> Path:
        """K_game of this game."""
        return self.private / "secret.yaml"

    @property
    def books(self) -> Path:
        """What was sealed: contents and keys of own books, written before the message that seals them."""
        return self.private / "books.json"

    @property
    def kit(self) -> Path:
        """The links up to a chosen one, in place of the secret, in a folder that only opens (`serve`)."""
        return self.private / "kit.yaml"

    @property
    def away(self) -> Path:
        """The note that a kit of this folder is away and signs for it."""
        return self.private / "away.txt"

    @property
    def offer(self) -> Path:
        """The offer that this folder's player made."""
        return self.private / "offer.turn"

    @property
    def journal(self) -> Path:
        """Every message this folder has accepted or signed, written before anything is shown (PROTOCOL 8)."""
        return self.private / "journal.jsonl"

    @property
    def cache(self) -> Path:
        """What was verified, so that no command reads the whole log."""
        return self.private / "verified.json"

    @property
    def newest(self) -> Path:
        """The newest public position."""
        return self.root / "state" / "newest.json"

    def events(self, seq: int) -> Path:
        """The events resolved on the seed of a message."""
        return self.root / "state" / "events" / f"{seq:04d}.json"

    def report(self, seq: int, viewer: str) -> Path:
        """The narrative of a message for a viewer."""
        return self.root / "reports" / f"{seq:04d}-{viewer}.md"

    @property
    def overlay(self) -> Path:
        """The corrections that both players agreed to lay over the pack; none in most games."""
        return self.root / "overlay.yaml"

    @property
    def pack(self) -> Path:
        """The pack compiled with the overlay; it can be made again."""
        return self.root / "state" / "pack.json"

    def rules(self, rules: str) -> Path:
        """The rules that the players may agree to in the course of the game, by their hash."""
        return self.root / "rules" / f"{rules[:12]}.json"

    def rules_pack(self, rules: str) -> Path:
        """The pack compiled for such rules; it can be made again."""
        return self.root / "state" / f"rules-{rules[:12]}-pack.json"

    @property
    def next_rules(self) -> Path:
        """The hash of the rules that this player made ready to be offered."""
        return self.private / "next-rules.txt"

    @property
    def outbox(self) -> Path:
        """Files to mail."""
        return self.root / "outbox"

    @property
    def kept(self) -> Path:
        """Files that were refused, kept as they came."""
        return self.root / "kept"

    def keep(self, name: str, data: bytes) -> Path:
        """Keep a refused file as it came, once."""
        clean = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "-" for c in name).lstrip(".")[-60:]
        path = self.kept / f"{hashlib.sha256(data).hexdigest()[:12]}-{clean or 'file'}"
        write_whole(path, data)
        return path

    def require(self) -> None:
        """Raise :class:`FolderError` unless this is a game folder."""
        if self.root.is_file():
            raise FolderError(f"{self.root}: this is a file; name the folder that it lies in{_BARE}")
        if not self.root.is_dir():
            raise FolderError(f"{self.root}: there is no such folder; make a game with `new` or `accept`")
        if self.about.is_file():
            return
        if self.secret.is_file() or self.kit.is_file():
            raise FolderError(f"{self.about}: no such file, but the secrets of a player are here; {_ANEW}")
        if self.log.is_file():
            raise FolderError(f"{self.root}: there is a log, but no game.yaml beside it{_BARE}")
        raise FolderError(f"{self.root}: this is no game folder (no game.yaml); name the folder of a game")

    def read_about(self) -> dict[str, Tree]:
        """The texts of game.yaml."""
        self.require()
        try:
            return tree_map(read(self.about.read_bytes()).root)
        except ReadError as error:
            problem = error.problems[0]  # its hint is for turn files
            text = f"{self.about}:{problem.pos}: error[{problem.code}]: {problem.text}; {_ANEW}"
            raise FolderError(text) from None

    def write_about(self, about: Mapping[str, Tree]) -> None:
        """Write game.yaml."""
        write_whole(self.about, write_yaml(about).encode())

    def lines(self) -> list[bytes]:
        """The lines of the log. Raises :class:`FolderError` for a log that is not whole."""
        if not self.log.is_file():
            return []
        try:
            return split_log(without_cr(self.log.read_bytes()))
        except ProtocolError as error:
            raise FolderError(f"{self.log}: {error.verdict.text}; {self.mend()}") from None

    def mend(self) -> str:
        """How to get the log back."""
        if self.journal.is_file():
            return f"move it away: it is made again from {self.journal}"
        return "run `verify`, or take the last copy"

    @staticmethod
    def sum_of(lines: Sequence[bytes]) -> str:
        """A hash of lines of the log, to see that none of them has changed since it was verified."""
        found = hashlib.sha256()
        for line in lines:
            found.update(line + b"\n")
        return found.hexdigest()

    def begun(self) -> bool:
        """True once there is a genesis, if only in the journal (a crash came before the log)."""
        return self.log.is_file() or self.journal.is_file()

    def write_log(self, lines: Sequence[bytes]) -> None:
        """Replace the log in one step."""
        if not self.still:
            write_whole(self.log, b"".join(line + b"\n" for line in lines))

    def journal_after(self, head: int) -> list[Message]:
        """What the journal holds beyond message ``head``, in order; only its tail is read."""
        if not self.journal.is_file():
            return []
        found: dict[int, Message] = {}
        for message in self._journaled():
            seq = int(message.text("seq") or 0)
            if seq <= head:
                break
            found.setdefault(seq, message)
        return [found[seq] for seq in sorted(found)]

    def _journaled(self) -> Iterator[Message]:
        """The messages of the journal, the newest first. Raises :class:`FolderError` for a journal that is damaged."""
        try:
            for line in reversed(split_log(without_cr(self.journal.read_bytes()))):
                yield read_line(line)
        except ProtocolError as error:
            raise FolderError(
                f"{self.journal}: {error.verdict.text}; bring its backup, or, if `verify` says that log.jsonl is whole "
                "and you are sure that you sent nothing newer, move the journal away"
            ) from None

    def write_journal(self, message: Message, anew: bool = False) -> None:
        """Add a message to the journal, or begin it ``anew``; on disk before anything else happens."""
        if self.still:
            return
        write_whole(self.journal, (b"" if anew else self._journal()) + write_line(message), PRIVATE)

    def _journal(self) -> bytes:
        """The journal so far; where it is lost or older than the log, it goes on with what the log holds."""
        log = b"".join(line + b"\n" for line in self.lines())
        if not self.journal.is_file():
            return log
        kept = without_cr(self.journal.read_bytes())
        return log if len(kept) < len(log) and log.startswith(kept) else kept

    def second_body(self, lines: Sequence[bytes]) -> tuple[int, Message, Message] | None:
        """The first message of which the journal holds another body than these lines of a log: number, ours, the log's.

        So it is where two copies of a folder were both gone on with, and the log of one was put into the other.
        """
        if not self.journal.is_file():
            return None
        kept, log = without_cr(self.journal.read_bytes()), b"".join(line + b"\n" for line in lines)
        if log.startswith(kept) or kept.startswith(log):
            return None
        for message in reversed(list(self._journaled())):
            seq = int(message.text("seq") or 0)
            if seq < len(lines) and lines[seq] + b"\n" != write_line(message):
                try:
                    other = read_line(lines[seq])
                except ProtocolError:
                    return None  # a damaged line is told by its place by who reads the whole log
                if other.id != message.id:
                    return seq, message, other
        return None

    def forget_beyond(self, head: int) -> None:
        """Drop what was made of messages after ``head``, when another log is taken over on purpose."""
        for path in self.events(0).parent.glob("*.json"):
            if path.stem.isdigit() and int(path.stem) > head:
                path.unlink(missing_ok=True)

    def read_json(self, path: Path) -> Any:
        """A JSON file of the folder; None where it is absent or damaged (it can be made again)."""
        try:
            return json.loads(path.read_bytes())
        except (OSError, ValueError):
            return None

    def write_state(self, path: Path, tree: object) -> None:
        """Write a JSON file under state/ in one step."""
        if not self.still:
            write_json(path, tree)

    def read_cache(self) -> Any:
        """What :meth:`write_cache` kept; None where it is absent or has changed by as much as a bit."""
        try:
            data = self.cache.read_bytes()
        except OSError:
            return None
        kept, between, rest = data.removeprefix(_KEPT).rpartition(_SUM)
        if not between or rest != _sum(kept) + b'"}\n':
            return None
        return json.loads(kept)

    def write_cache(self, tree: object) -> None:
        """Keep what was verified, with its hash: a state that a broken disk has changed would be signed otherwise."""
        if self.still:
            return
        kept = json.dumps(tree, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()
        write_whole(self.cache, _KEPT + kept + _SUM + _sum(kept) + b'"}\n', PRIVATE)


def _sum(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()

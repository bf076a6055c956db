"""A new key and a new chain: made ready in the folder, carried by the next own message (PROTOCOL 7, rekey, reanchor).

The message is in the journal before anything changes places; a crash in between is mended when the folder is opened.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import NamedTuple

from adjudicator.match.endings import end_of
from adjudicator.match.files import PRIVATE, write_whole
from adjudicator.match.folder import Folder, FolderError, reason
from adjudicator.protocol.history import History
from adjudicator.protocol.keys import KeyFileError, SigningKey
from adjudicator.protocol.secret import Secret, SecretError
from adjudicator.protocol.verifier import Verifier

OWN_KEY = "private/key"
NEXT_KEY, NEXT_CHAIN, NEXT_SECRET = "next-key", "next-chain.txt", "next-secret.yaml"


class RenewalError(Exception):
    """Why no new key or chain can be made ready; the text says what to do."""


class Renewed(NamedTuple):
    """A message that names another key or chain of its author: number, side, ``key`` or ``chain``."""

    seq: int
    side: str
    what: str

    @property
    def text(self) -> str:
        """What it means."""
        side = self.side[:1].upper() + self.side[1:]
        does = "signs with it" if self.what == "key" else "opens dice from it"
        another = "signing key" if self.what == "key" else "chain"
        return f"Message {self.seq} names another {another} of {side}, who {does} from message {self.seq + 2} on"


def renewed(history: History) -> list[Renewed]:
    """Every change of a key or chain; the chain that comes for a lost one is told with the loss."""
    fields = {"rekey": "key", "reanchor": "chain"}
    return [
        Renewed(seq, history.author(seq).side, what)
        for seq in history.marked
        for field, what in fields.items()
        if field in history.bodies[seq] and "lost" not in history.bodies[seq]
    ]


def _key_file(folder: Folder) -> Path:
    return folder.private / NEXT_KEY


def _chain_file(folder: Folder) -> Path:
    return folder.private / NEXT_CHAIN


def waiting(folder: Folder) -> list[str]:
    """What the next own message will bring: ``key``, ``chain``."""
    files = {"key": _key_file(folder), "chain": _chain_file(folder)}
    return [name for name, path in files.items() if path.is_file()]


def may_renew(folder: Folder, verifier: Verifier, side: str) -> None:
    """Raise RenewalError where no message of this folder's player can bring anything new."""
    if not side:
        raise RenewalError(f"{folder.root} belongs to no player; nobody signs for it")
    if folder.kit.is_file() and not folder.secret.is_file():
        raise RenewalError("a kit signs bare messages only; do this in your own folder")
    if folder.away.is_file():
        raise RenewalError("a kit is away and signs for this folder; take its log home with `serve --end` first")
    over = end_of(verifier)
    if over is not None:
        raise RenewalError(f"the game is over: {over.text}; nothing new may follow")


def prepare_key(folder: Folder, seed: bytes, name: str) -> SigningKey:
    """Make the next key. Raises RenewalError where one waits already."""
    key = SigningKey.from_seed(seed, name)
    try:
        key.save(_key_file(folder))
    except FileExistsError:
        text = f"{_key_file(folder)}: a new key waits there already; sign your next message, or drop it with --undo"
        raise RenewalError(text) from None
    return key


def prepare_chain(folder: Folder, verifier: Verifier, side: str) -> None:
    """Note that the next own message names a new chain. Raises RenewalError where that is noted already."""
    path = _chain_file(folder)
    if path.is_file():
        raise RenewalError("your next message names a new chain already; sign it, or drop that with --undo")
    write_whole(path, f"{verifier.chain(side).cid.hex()}\n".encode(), PRIVATE)


def undo(folder: Folder, name: str) -> None:
    """Drop what was made ready and stands in no message yet (:func:`settle` went before). Raises RenewalError."""
    path = {"key": _key_file(folder), "chain": _chain_file(folder)}[name]
    if not path.is_file():
        raise RenewalError(f"no new {name} waits here; what stands in a signed message can't be taken back")
    path.unlink()
    path.with_name(f"{path.name}.pub").unlink(missing_ok=True)


def next_key(folder: Folder) -> SigningKey | None:
    """The key that the next own message brings; None where none waits. Raises FolderError for a damaged file."""
    path = _key_file(folder)
    if not path.is_file():
        return None
    try:
        return SigningKey.load(path)
    except KeyFileError as error:
        raise FolderError(f"{path}: {error}; drop it with `new-key --undo` and make another") from None
    except OSError as error:
        raise FolderError(f"{path}: {reason(error)}") from None


def chain_wanted(folder: Folder, verifier: Verifier, side: str) -> bool:
    """Whether the next own message names a new chain because the player wants one."""
    path = _chain_file(folder)
    return path.is_file() and path.read_text("utf-8", "replace").strip() == verifier.chain(side).cid.hex()


def prepare_secret(folder: Folder, secret: Secret) -> None:
    """Keep the secret that a message with `lost` is about to name: on disk before the message is signed."""
    path = folder.private / NEXT_SECRET
    write_whole(path, secret.text(), PRIVATE)  # over that of an attempt that came to nothing; one in force was settled


def _settle_secret(folder: Folder, verifier: Verifier, side: str) -> None:
    """Put the secret of a chain that came for a lost one into its place; what is left of the old is kept beside it."""
    path = folder.private / NEXT_SECRET
    if not path.is_file():
        return
    with contextlib.suppress(SecretError, OSError):
        if Secret.load(path).cid != verifier.chain(side).cid:
            return
        if folder.secret.is_file():
            seq = verifier.history.lost.get(side, 0)
            folder.secret.replace(folder.private / f"secret-until-{seq:04d}.yaml")
        path.replace(folder.secret)


def settle(folder: Folder, verifier: Verifier, side: str) -> None:
    """Put a key or chain that a message has brought into its place; the old key is kept beside it.

    The order matters: at each point of it the next call goes on where this one was cut short.
    """
    if folder.still or not side:
        return
    _settle_secret(folder, verifier, side)
    if _chain_file(folder).is_file() and not chain_wanted(folder, verifier, side):
        _chain_file(folder).unlink()
    key = None
    with contextlib.suppress(FolderError):  # `sign` tells of a damaged one
        key = next_key(folder)
    if key is None or key.public != verifier.key(side):
        return
    own, old = folder.root / OWN_KEY, f"key-until-{_last_with_the_old(verifier, side):04d}"
    _move(own, folder.private / old)
    folder.write_about({**folder.read_about(), "key": OWN_KEY})
    _move(_key_file(folder), own)


def _move(path: Path, new: Path) -> None:
    """A key with its public half; the key itself comes last, it tells whether anything is left to be done."""
    for suffix in (".pub", ""):
        half = path.with_name(path.name + suffix)
        if half.is_file():
            half.replace(new.with_name(new.name + suffix))


def _last_with_the_old(verifier: Verifier, side: str) -> int:
    """The newest message of a side that brings a key."""
    for seq in range(verifier.head, 0, -1):
        body = verifier.body(seq)
        if body["side"] == side and "rekey" in body:
            return seq
    return 0

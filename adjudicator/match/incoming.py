"""What the other player sent, out of a file, a saved mail or pasted text (PROTOCOL 3.2; `receive`, `accept`)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from adjudicator.match.folder import Folder
from adjudicator.protocol.log import read_offer, read_turn
from adjudicator.protocol.message import Message
from adjudicator.turnfile.armor import ArmorError
from adjudicator.turnfile.canon import CanonError, canon
from adjudicator.turnfile.nodes import Tree
from adjudicator.turnfile.reader import ReadError, read

if TYPE_CHECKING:
    from adjudicator.turnfile.mail import Found

T = TypeVar("T")


class IncomingError(Exception):
    """A file out of which no one message can be taken; ``lines`` say why and how to mend it."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__(lines[0])
        self.lines = lines


def message_in(data: bytes, name: str) -> Message:
    """The signed message in a file called ``name``. Raises IncomingError (E_CANON)."""
    return _one(data, name, read_turn, lambda message: message.id, _told, _no_message)[0]


def offer_in(data: bytes, name: str) -> bytes:
    """The bytes of the offer in a file called ``name``. Raises IncomingError (E_CANON)."""
    return _one(data, name, read_offer, _offer_key, _offer_told, _no_offer)[1]


def _offer_told(offer: dict[str, Tree]) -> str:
    return f"the offer of {offer.get('title', '')!s:.60}"


def _no_message(data: bytes) -> str:
    """What a file is that is no signed message, where another command takes it; else ""."""
    try:
        if read_offer(data).get("type") == "genesis":
            return "this is an offer; take it up with `accept FILE DIR`"
    except ReadError:
        pass
    return _unsigned(data, "`sign` makes the file to mail out of them")


def _unsigned(data: bytes, mend: str) -> str:
    """That a file holds orders as a player writes them, where it does; else ""."""
    try:
        keys = {key for key, _, _ in read(data).root.items}
    except ReadError:
        return ""
    unsigned = "orders" in keys and not keys & {"body", "sig"}
    return f"these are orders that nobody has signed; {mend}" if unsigned else ""


def _no_offer(data: bytes) -> str:
    """What a file is that is no offer, where another command takes it; else ""."""
    try:
        message = read_turn(data)
    except ReadError:
        return _unsigned(data, "`accept` takes up an offer, the file that `new` makes")
    return f"this is {_told(message)}, not an offer; take it in with `receive DIR FILE`"


def kept_messages(folder: Folder) -> Iterator[Message]:
    """The messages in the refused files that a folder has kept, in a fixed order; what is none is passed over."""
    for _, message in kept_files(folder):
        yield message


def kept_files(folder: Folder) -> Iterator[tuple[Path, Message]]:
    """The refused files that a folder has kept and that hold a message, in a fixed order."""
    for path in sorted(folder.kept.glob("*")) if folder.kept.is_dir() else ():
        with contextlib.suppress(OSError, IncomingError):
            yield path, message_in(path.read_bytes(), path.name)


def _offer_key(offer: object) -> str:
    try:
        return canon(offer).decode() if isinstance(offer, dict) else ""
    except CanonError as error:  # read_offer gives canonical trees only
        raise IncomingError([str(error)]) from None


def _told(message: Message) -> str:
    if message.body.get("type") == "genesis":
        return "a genesis"
    return f"message {message.text('seq')[:9] or '?'} of {message.text('side')[:20] or '?'}"


def _one(
    data: bytes,
    name: str,
    read: Callable[[bytes], T],
    key: Callable[[T], str],
    tell: Callable[[T], str],
    other: Callable[[bytes], str],
) -> tuple[T, bytes]:
    """The one thing of its kind in a file; what can't be read is passed over where another can."""
    faults: list[list[str]] = []
    seen: dict[str, tuple[T, Found]] = {}
    for found in _candidates(data, name):
        try:
            thing = read(found.data)
        except ReadError as error:
            shown = f"{name} ({found.where})" if found.where else name
            instead = other(found.data)
            faults.append([f"{shown}: error[E_CANON]: {instead}"] if instead else error.show(shown).splitlines())
        else:
            seen.setdefault(key(thing), (thing, found))
    if len(seen) > 1:
        listed = "; ".join(f"{tell(thing)} {found.where}" for thing, found in seen.values())
        text = f"it holds {len(seen)} different turns ({listed}); save each in a file of its own, the older first"
        raise IncomingError([f"{name}: error[E_CANON]: {text}"])
    if not seen:
        raise IncomingError(faults[0])
    ((thing, found),) = seen.values()
    return thing, found.data


def _candidates(data: bytes, name: str) -> list[Found]:
    from adjudicator.turnfile.mail import MailError, find  # reading mails takes modules that most commands don't need

    try:
        return find(data)
    except (MailError, ArmorError) as error:
        raise IncomingError([f"{name}: error[E_CANON]: {error}"]) from None

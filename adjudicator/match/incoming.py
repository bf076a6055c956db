"""What the other player sent, out of a file, a saved mail or pasted text (PROTOCOL 3.2; `receive`, `accept`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from adjudicator.protocol.log import read_offer, read_turn
from adjudicator.protocol.message import Message
from adjudicator.turnfile.armor import ArmorError
from adjudicator.turnfile.canon import CanonError, canon
from adjudicator.turnfile.mail import Found, MailError, find
from adjudicator.turnfile.reader import ReadError

T = TypeVar("T")


class IncomingError(Exception):
    """A file out of which no one message can be taken; ``lines`` say why and how to mend it."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__(lines[0])
        self.lines = lines


def message_in(data: bytes, name: str) -> Message:
    """The signed message in a file called ``name``. Raises IncomingError (E_CANON)."""
    return _one(data, name, read_turn, lambda message: message.id, _told)[0]


def offer_in(data: bytes, name: str) -> bytes:
    """The bytes of the offer in a file called ``name``. Raises IncomingError (E_CANON)."""
    return _one(data, name, read_offer, _offer_key, lambda offer: f"the offer of {offer.get('title', '')!s:.60}")[1]


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
    data: bytes, name: str, read: Callable[[bytes], T], key: Callable[[T], str], tell: Callable[[T], str]
) -> tuple[T, bytes]:
    """The one thing of its kind in a file; what can't be read is passed over where another can."""
    faults: list[list[str]] = []
    seen: dict[str, tuple[T, Found]] = {}
    for found in _candidates(data, name):
        try:
            thing = read(found.data)
        except ReadError as error:
            shown = f"{name} ({found.where})" if found.where else name
            faults.append(error.show(shown).splitlines())
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
    try:
        return find(data)
    except (MailError, ArmorError) as error:
        raise IncomingError([f"{name}: error[E_CANON]: {error}"]) from None

"""What a verifier expected where a proof breaks, and what it found, both in full (PROTOCOL 4.8)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from adjudicator.protocol.chain import below
from adjudicator.protocol.fields import is_hash
from adjudicator.protocol.message import Message
from adjudicator.protocol.verdicts import Verdict
from adjudicator.protocol.verifier import Verifier


class Expectation(NamedTuple):
    """What should have stood there, and what does; both in words and full figures, "" where there is none."""

    expected: str = ""
    found: str = ""


def expectation(verifier: Verifier, message: Message, verdict: Verdict) -> Expectation:
    """Both halves for a message that comes next and was not accepted."""
    looked = _LOOK.get(verdict.code)
    if looked is None:
        return Expectation(f"a message {verifier.next_seq} that every check lets pass", verdict.text)
    return looked(verifier, message)


def _state(verifier: Verifier, message: Message) -> Expectation:
    n = verifier.next_seq - 1
    if verifier.resolved < n:
        return Expectation()
    what = f"digest of message {n}: "
    return Expectation(what + verifier.digest(n), what + message.text("state"))


def _prev(verifier: Verifier, message: Message) -> Expectation:
    return Expectation(f"id of message {verifier.head}: {verifier.head_id}", f"prev: {message.text('prev')}")


def _rules(verifier: Verifier, message: Message) -> Expectation:
    return Expectation(f"rules: {verifier.rules}", f"rules: {message.text('rules')}")


def _game(verifier: Verifier, message: Message) -> Expectation:
    return Expectation(f"game: {verifier.game_id}", f"game: {message.text('game') or message.id}")


def _author(verifier: Verifier, message: Message) -> Expectation:
    wanted = f"message {verifier.next_seq} by {verifier.next_side}"
    return Expectation(wanted, f"message {message.text('seq')} by {message.text('side')}")


def _number(verifier: Verifier, message: Message) -> Expectation:
    return Expectation(f"message {verifier.next_seq}", f"message {message.text('seq') or '0'} ({message.id})")


def _signature(verifier: Verifier, message: Message) -> Expectation:
    side = verifier.next_side
    return Expectation(f"a signature of {side}'s key {verifier.key(side)}", f"over the text whose id is {message.id}")


def _reveal(verifier: Verifier, message: Message) -> Expectation:
    side = verifier.next_side
    number, chain = verifier.next_link(side), verifier.chain(side)
    reveal = message.text("reveal")
    if message.text("link") != str(number) or not is_hash(reveal):
        return Expectation(f"link {number} of {side}", f"link {message.text('link')} of {message.text('side')}")
    last = verifier.head - 1
    known = str(verifier.body(last).get("reveal", "")) if last > 0 and number > 1 else chain.anchor.hex()
    return Expectation(
        f"a secret whose hash is link {number - 1} of {side}: {known}",
        f"a secret whose hash is: {below(chain.cid, number, bytes.fromhex(reveal)).hex()}",
    )


_LOOK: dict[str, Callable[[Verifier, Message], Expectation]] = {
    "E_STATE": _state,
    "E_PREV": _prev,
    "E_RULES": _rules,
    "E_GAME": _game,
    "E_AUTHOR": _author,
    "E_GAP": _number,
    "DUPLICATE": _number,
    "E_FORK": _number,
    "E_SIG": _signature,
    "E_REVEAL": _reveal,
}

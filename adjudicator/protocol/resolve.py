"""What the protocol asks of a game: resolve message n on seed(n) (PROTOCOL 4.7), and what it checks of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from adjudicator.protocol.hashing import tagged_hash
from adjudicator.turnfile.canon import CanonError, canon
from adjudicator.turnfile.nodes import Tree, TreeView

MAX_SEQ = 999_999_999


class Resolution(NamedTuple):
    """All that happened on seed(n), and the public position after it. Strings, lists and mappings only.

    `events`: each has at least `kind`, `on` (= n as text) and `by` (list of the seqs, as text, of the messages
    whose choices it read; none later than n). `position`: the public position in the form of the rules module.
    `demanded`: topics of sealed books that message n+1 must open (none in this version).
    `over`: the game is over in the resolution of n.
    """

    events: Sequence[Mapping[str, TreeView]]
    position: Mapping[str, TreeView]
    demanded: tuple[tuple[str, str], ...] = ()
    over: bool = False


class Resolver(Protocol):
    """A game as the protocol sees it. Called once for every n, in order n = 0, 1, 2, .."""

    def resolve(self, n: int, bodies: Sequence[Mapping[str, Tree]], seed: bytes) -> Resolution:
        """Resolve message n. `bodies` holds genesis and the messages 0 .. n, `seed` is seed(n), 32 bytes.

        Must be a pure function of these and of the resolutions before. Faults in orders void the order, they
        never raise; whatever is raised halts the game.
        """
        ...


class Resolved(NamedTuple):
    """Message n resolved: its seed, what happened, and digest(n) in hex."""

    n: int
    seed: bytes
    resolution: Resolution
    digest: str


class EngineFault(Exception):
    """A resolution that breaks I1 or the form of events and position: a fault of the engine, it halts."""

    code = "HALT"


def check_resolution(n: int, resolution: Resolution) -> tuple[bytes, bytes]:
    """Canonical bytes of events and position; raises EngineFault.

    I1 (R5): every event names the message whose seed it ran on and each message it read; none is later.
    """
    for number, event in enumerate(resolution.events):
        _check_event(n, f"events[{number}]", event)
    if resolution.demanded:
        raise EngineFault("the resolution demands sealed topics; books are not built yet in this version")
    try:
        return canon(list(resolution.events)), canon(resolution.position)
    except CanonError as error:
        raise EngineFault(f"events or position of {n} have no canonical form: {error}") from None


def _check_event(n: int, where: str, event: Mapping[str, TreeView]) -> None:
    kind, on, by = event.get("kind"), event.get("on"), event.get("by")
    if not isinstance(kind, str) or not kind:
        raise EngineFault(f"{where} has no `kind`")
    if on != str(n):
        raise EngineFault(f"{where} ({kind}) says `on` {on!r}, it ran on {n}")
    if isinstance(by, str) or not isinstance(by, Sequence):
        raise EngineFault(f"{where} ({kind}) has no list `by` of the messages it read")
    for seq in by:
        if not isinstance(seq, str) or not seq.isdigit() or str(int(seq)) != seq:
            raise EngineFault(f"{where} ({kind}) names {seq!r} in `by`, no message number")
        if int(seq) > n:
            raise EngineFault(f"{where} ({kind}) on seed {n} reads a choice of the later message {seq} (I1)")


def state_digest(before: str, events: bytes, position: bytes) -> str:
    """digest(n) = H("pbem1/state", digest(n-1), canon(events), canon(position)); digest(-1) = game_id. Hex."""
    return tagged_hash("pbem1/state", bytes.fromhex(before), events, position).hex()

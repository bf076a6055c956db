"""What the protocol asks of a game: resolve message n on seed(n) (PROTOCOL 4.7), and what it checks of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from adjudicator.protocol.desk import Desk
from adjudicator.protocol.dice import Rolled
from adjudicator.protocol.hashing import tagged_hash
from adjudicator.protocol.layout import Layout
from adjudicator.protocol.piles import Owed, Pile
from adjudicator.turnfile.canon import CanonError, canon
from adjudicator.turnfile.nodes import Tree, TreeView

MAX_SEQ = 999_999_999


class Resolution(NamedTuple):
    """All that happened on seed(n), and the public position after it. Strings, lists and mappings only.

    `events`: each has at least `kind`, `on` (= n as text) and `by` (list of the seqs, as text, of the messages
    whose choices it read; none later than n). `position`: the public position in the form of the rules module.
    `over`: the game is over in the resolution of n.
    """

    events: Sequence[Mapping[str, TreeView]]
    position: Mapping[str, TreeView]
    over: bool = False


class Resolver(Protocol):
    """A game as the protocol sees it. Called for every n, in order n = 0, 1, 2, .."""

    def resolve(self, n: int, bodies: Sequence[Mapping[str, Tree]], seed: bytes) -> Resolution:
        """Resolve message n. `bodies` holds genesis and the messages 0 .. n, `seed` is seed(n), 32 bytes.

        Must be a pure function of these and of the resolutions before. Faults in orders void the order, they
        never raise; whatever is raised halts the game.
        """
        ...


@runtime_checkable
class LossResolver(Protocol):
    """A game without books and decks that can go on when a chain is lost (PROTOCOL 7)."""

    def resolve_lost(self, n: int, bodies: Sequence[Mapping[str, Tree]]) -> Resolution:
        """Message n without dice, orders and answers: the same side is asked the same thing again."""
        ...

    def again(self) -> Resolver:
        """The same game before genesis is resolved: to judge such a message apart, before it is accepted."""
        ...


@runtime_checkable
class DeskResolver(Protocol):
    """A game with sealed books or decks: it resolves at a desk. The verifier asks for `resolve_at` then.

    A call that raises must leave the game as it was: when a topic is not opened (`desk.Unopened`, which the game
    lets pass) the same n is asked for again, with another message that opens it.
    """

    @property
    def layout(self) -> Layout:
        """Books and decks of this game."""
        ...

    def resolve_at(self, desk: Desk, bodies: Sequence[Mapping[str, Tree]]) -> Resolution:
        """Resolve message `desk.n` with the dice, books and decks of `desk`, as `Resolver.resolve` does.

        In this order: what n opened (`desk.shown`, `desk.history`), discards and takes, `desk.transfer`; draws due to
        the author; his answers or orders; then the position, in which the books of n are in force. `desk.end`: the
        orders are void. `desk.lost`: no dice, no orders, no answers.
        """
        ...

    def owed(self, seq: int, body: Mapping[str, Tree], piles: Mapping[str, Pile]) -> Owed:
        """What message `seq` owes by its own orders and public state after seq - 1: card openings and transfers."""
        ...

    def again(self) -> DeskResolver:
        """The same game before genesis is resolved: to judge a message of long ago from the beginning."""
        ...


class Resolved(NamedTuple):
    """Message n resolved: its seed, what happened, and digest(n) in hex."""

    n: int
    seed: bytes
    resolution: Resolution
    digest: str


class EngineFault(Exception):
    """A resolution that breaks I1, I2, I3 or the form of events and position: a fault of the engine, it halts."""

    code = "HALT"


def check_resolution(n: int, resolution: Resolution, resolved: int | None = None) -> tuple[bytes, bytes]:
    """Canonical bytes of events and position; raises EngineFault.

    I1 (R5): every event names the message whose seed it ran on and each message it read; none is later. I2 (R3): n is
    resolved once, after n - 1 (`resolved`, where it is known).
    """
    if resolved is not None and n != resolved + 1:
        raise EngineFault(f"message {n} is resolved after message {resolved} (I2)")
    for number, event in enumerate(resolution.events):
        _check_event(n, f"events[{number}]", event)
    try:
        return canon(list(resolution.events)), canon(resolution.position)
    except CanonError as error:
        raise EngineFault(f"events or position of {n} have no canonical form: {error}") from None


def check_desk(desk: Desk, resolution: Resolution) -> None:
    """Raise EngineFault unless the game left the desk as the protocol wants it.

    I3 (R6): a deck is drawn from on a seed of its owner's message. Transfers are carried out, a game that ended by
    the message is over, and the position shows the books in force.
    """
    if desk.missing is not None:
        raise desk.missing
    check_draws(desk.dice.rolled, desk.layout, desk.author)
    if desk.transfers:
        raise EngineFault(f"the transfer of {desk.transfers[0]['deck']} in message {desk.n} was not carried out")
    for pile in desk.piles.values():
        if len({epoch for epoch, _ in pile.zone("draw")}) > 1:
            raise EngineFault(f"zone draw of {pile.deck} holds two epochs")
    books = desk.books_position()
    if books and resolution.position.get("books") != books:
        raise EngineFault(f"the position after {desk.n} does not show the books in force")
    if desk.piles and resolution.position.get("decks") != desk.decks_position():
        raise EngineFault(f"the position after {desk.n} does not show the decks")


def check_draws(rolled: Sequence[Rolled], layout: Layout, author: str) -> None:
    """I3: no label `deck/<deck>/..` of another side than the author of the message on whose seed it was rolled."""
    for one in rolled:
        kind, _, rest = one.label.partition("/")
        deck = rest.partition("/")[0]
        if kind == "deck" and deck in layout.decks and layout.decks[deck].side != author:
            raise EngineFault(f"{one.label} was drawn on a seed of {author} (I3)")


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

"""The accepted part of a game: what every check of a message looks things up in (PROTOCOL 4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, overload

from adjudicator.protocol import keys
from adjudicator.protocol.chain import below
from adjudicator.protocol.dice import seed_of
from adjudicator.protocol.forms import rows
from adjudicator.protocol.message import Message
from adjudicator.protocol.verdicts import ProtocolError
from adjudicator.turnfile.nodes import Tree

Body = dict[str, Tree]

MARKS = frozenset({"rekey", "reanchor", "upgrade", "lost", "sealed", "decks"})
"""Fields that change what later messages are checked by."""


class Bodies(Sequence[Body]):
    """Genesis and the accepted messages, read-only for whoever is handed it: a given start and what was added."""

    def __init__(self, start: Sequence[Body], count: int) -> None:
        self._start, self._count = start, count
        self._added: list[Body] = []

    def add(self, body: Body) -> None:
        """Append the body of the message just accepted."""
        self._added.append(body)

    def __len__(self) -> int:
        return self._count + len(self._added)

    @overload
    def __getitem__(self, index: int) -> Body: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Body]: ...
    def __getitem__(self, index: int | slice) -> Body | Sequence[Body]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        at = range(len(self))[index]
        return self._start[at] if at < self._count else self._added[at - self._count]

    def __iter__(self) -> Iterator[Body]:
        return (self[at] for at in range(len(self)))


class Player(NamedTuple):
    """One player of genesis. `raw_key` are the 32 bytes of the key line, `anchor` is x[0], `cid` is cid0.

    `decks` are his rows of genesis, empty where he has none.
    """

    name: str
    side: str
    key: str
    raw_key: bytes
    cid: bytes
    anchor: bytes
    links: int
    nonce: str
    decks: Tree


class Chain(NamedTuple):
    """A chain of links: its id, x[0], its length, and the message that opens link 1."""

    cid: bytes
    anchor: bytes
    links: int
    start: int


class Sealed(NamedTuple):
    """A commitment in `sealed`: book of a side, root in hex, the message it stands in."""

    side: str
    book: str
    root: str
    seq: int


def _player(tree: Tree) -> Player:
    assert isinstance(tree, dict)
    text = {name: str(value) for name, value in tree.items() if name != "decks"}
    decks = tree.get("decks", [])
    cid, anchor = bytes.fromhex(text["cid"]), bytes.fromhex(text["anchor"])
    raw = keys.public_raw(text["key"])
    return Player(text["name"], text["side"], text["key"], raw, cid, anchor, int(text["links"]), text["nonce"], decks)


class History:
    """Genesis and the accepted messages 1 .. head, with their ids and the state digests known so far.

    Keys, chains, rules and books change by messages; every question about them names the seq it is asked for, so that
    a second body of a played message can be judged as on the day it was due. `marked` are the messages that changed
    any of them; of a log that was verified before only these are read again.
    """

    def __init__(
        self,
        genesis: Message,
        bodies: Bodies,
        ids: list[str],
        digests: list[str],
        marked: Sequence[int] = (),
    ) -> None:
        self.genesis = genesis
        self.game_id = genesis.id
        self.bodies, self.ids, self.digests = bodies, ids, digests
        players = genesis.body["players"]
        assert isinstance(players, dict)
        self.a, self.b = _player(players["a"]), _player(players["b"])
        self._keys = {one.side: [(0, one.key, one.raw_key)] for one in (self.a, self.b)}
        self._chains = {
            one.side: [Chain(one.cid, one.anchor, one.links, start)] for one, start in ((self.a, 1), (self.b, 2))
        }
        self._rules = [(0, str(genesis.body["rules"]))]
        self._offers: dict[int, Tree] = {}
        self.sealed: list[Sealed] = []
        self.transfers: list[tuple[int, Body]] = []
        self.lost: dict[str, int] = {}
        self.marked: list[int] = []
        for seq in marked:
            self._note(seq, bodies[seq])

    @property
    def head(self) -> int:
        """Seq of the newest accepted message; 0 after genesis."""
        return len(self.ids) - 1

    def add(self, message: Message) -> None:
        """Append an accepted message."""
        self.bodies.add(message.body)
        self.ids.append(message.id)
        self._note(self.head, message.body)

    def _note(self, seq: int, body: Body) -> None:
        """Take in what a message changes from the next one on."""
        if MARKS.isdisjoint(body):
            return
        self.marked.append(seq)
        side = self.author(seq).side
        if isinstance(rekey := body.get("rekey"), dict):
            line = str(rekey["key"])
            self._keys[side].append((seq + 1, line, keys.public_raw(line)))
        if isinstance(chain := body.get("reanchor"), dict):
            cid, anchor = bytes.fromhex(str(chain["cid"])), bytes.fromhex(str(chain["anchor"]))
            self._chains[side].append(Chain(cid, anchor, int(str(chain["links"])), seq + 2))
        if "lost" in body:
            self.lost[side] = seq
        if isinstance(books := body.get("sealed"), dict):
            self.sealed += [Sealed(side, book, str(root), seq) for book, root in sorted(books.items())]
        self.transfers += [(seq, row) for row in rows(body.get("decks"))]
        self._note_upgrade(seq, body.get("upgrade"))

    def _note_upgrade(self, seq: int, upgrade: Tree | None) -> None:
        """A pair of rules and message is offered, or accepted by the same pair in the next message (PROTOCOL 7)."""
        if not isinstance(upgrade, dict):
            return
        if self.accepts_upgrade(seq, upgrade):
            self._rules.append((int(str(upgrade["from"])), str(upgrade["rules"])))
        else:
            self._offers[seq] = upgrade

    @property
    def upgrades(self) -> list[tuple[int, str]]:
        """The upgrades agreed so far, in that order: the message from which on they hold, and their rules hash."""
        return self._rules[1:]

    @property
    def offered_upgrade(self) -> tuple[str, int] | None:
        """Rules hash and first message of the upgrade that the newest message offers: the next one may accept it."""
        pair = self._offers.get(self.head)
        if not isinstance(pair, dict):
            return None
        return str(pair["rules"]), int(str(pair["from"]))

    def accepts_upgrade(self, seq: int, upgrade: Tree) -> bool:
        """Whether `upgrade` in message `seq` accepts the one offered in the message before, whatever came later."""
        return self._offers.get(seq - 1) == upgrade

    def author(self, seq: int) -> Player:
        """a writes the odd messages, b the even ones (and signs genesis)."""
        return self.a if seq % 2 else self.b

    def player(self, side: str) -> Player:
        """The player of a side. KeyError for a side that does not play."""
        for player in (self.a, self.b):
            if player.side == side:
                return player
        raise KeyError(side)

    def key(self, side: str, seq: int) -> tuple[str, bytes]:
        """The key in force for a message `seq` of `side`: its line and its 32 bytes."""
        line, raw = [(line, raw) for start, line, raw in self._keys[side] if start <= seq][-1]
        return line, raw

    def keys_before(self, seq: int) -> set[str]:
        """Every key line that stood in the game before message `seq`."""
        return {line for side in self._keys.values() for start, line, _ in side if start <= seq}

    def chains_before(self, seq: int) -> list[Chain]:
        """Every chain of either side that was named before message `seq`."""
        return [chain for side in self._chains.values() for chain in side if chain.start < seq + 2]

    def chain(self, seq: int) -> Chain:
        """The chain on which message `seq` opens a link."""
        return [chain for chain in self._chains[self.author(seq).side] if chain.start <= seq][-1]

    def rules(self, seq: int) -> str:
        """The rules hash that message `seq` must carry: that of the latest upgrade in force from `seq` or before."""
        return max(enumerate(self._rules), key=lambda one: (one[1][0] if one[1][0] <= seq else -1, one[0]))[1][1]

    def in_force(self, side: str, seq: int) -> dict[str, Sealed]:
        """The books of a side that govern the resolution of message `seq`: of messages before it, the newest of each.

        The books of a side that lost its chain end with that message (PROTOCOL 7).
        """
        ended = self.lost.get(side, seq)
        ended = ended if ended < seq else 0
        return {one.book: one for one in self.sealed if one.side == side and ended < one.seq < seq}

    def link_number(self, seq: int) -> int:
        """Which link the author of `seq` opens: the messages he has sent on this chain, plus one."""
        return (seq - self.chain(seq).start) // 2 + 1

    def link_below(self, seq: int) -> bytes:
        """The author's last accepted link before message `seq`: the anchor, or the one in seq - 2."""
        chain = self.chain(seq)
        return chain.anchor if seq == chain.start else bytes.fromhex(str(self.bodies[seq - 2]["reveal"]))

    def check_link(self, seq: int, link: bytes) -> None:
        """Raise ProtocolError (E_REVEAL) unless `link` is the one that message `seq` must open."""
        chain, number = self.chain(seq), self.link_number(seq)
        if number > chain.links:
            raise ProtocolError("E_REVEAL", f"the chain of {chain.links} links is used up", seq)
        if below(chain.cid, number, link) != self.link_below(seq):
            raise ProtocolError("E_REVEAL", f"it does not lead to link {number - 1} of {self.author(seq).side}", seq)

    def leads_down(self, seq: int, number: str, link: bytes) -> bool:
        """Whether a message that comes too early opens a link that leads down to its author's last accepted one.

        Such a message is kept. Without this anybody could sign a message of the far future, and who receives it would
        take his own log for an old one; with it he would have to give the keys of all his dice up to there away.
        Raises E_REVEAL when the link is wrong whatever stands in the messages between.
        """
        last = self.head if (self.head - seq) % 2 == 0 else self.head - 1
        chain = self.chain(seq)
        wanted = (seq - chain.start) // 2 + 1
        if number != str(wanted):
            if last < seq - 2 * int(number) < seq:
                return False  # a new chain may have been named in the message that would make this its number
            raise ProtocolError("E_REVEAL", f"it opens link {number}, message {seq} must open link {wanted}", seq)
        if wanted > chain.links:
            raise ProtocolError("E_REVEAL", f"the chain of {chain.links} links is used up", seq)
        known = max((last - chain.start) // 2 + 1, 0)
        for index in range(wanted, known, -1):
            link = below(chain.cid, index, link)
        if link != (bytes.fromhex(str(self.bodies[last]["reveal"])) if known else chain.anchor):
            raise ProtocolError("E_REVEAL", f"it does not lead to link {known} of {self.author(seq).side}", seq)
        return True

    def seed(self, seq: int, link: bytes) -> bytes:
        """seed(seq) when message seq + 1 opens `link`."""
        return seed_of(seq, bytes.fromhex(self.ids[seq]), bytes.fromhex(self.game_id), link)

    def digest(self, seq: int) -> str:
        """digest(seq) in hex; digest(-1) is the game id. IndexError when `seq` is not resolved yet."""
        if seq < -1:
            raise IndexError(f"there is no message {seq}")
        return self.game_id if seq == -1 else self.digests[seq]

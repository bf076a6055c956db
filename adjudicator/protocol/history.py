"""The accepted part of a game: what every check of a message looks things up in (PROTOCOL 4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, overload

from adjudicator.protocol import keys
from adjudicator.protocol.chain import below
from adjudicator.protocol.dice import seed_of
from adjudicator.protocol.message import Message
from adjudicator.protocol.verdicts import ProtocolError
from adjudicator.turnfile.nodes import Tree

Body = dict[str, Tree]


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
    """One player of genesis. `raw_key` are the 32 bytes of the key line, `anchor` is x[0], `cid` the chain's id."""

    name: str
    side: str
    key: str
    raw_key: bytes
    cid: bytes
    anchor: bytes
    links: int
    nonce: str


def _player(tree: Tree) -> Player:
    assert isinstance(tree, dict)
    text = {name: str(value) for name, value in tree.items()}
    cid, anchor = bytes.fromhex(text["cid"]), bytes.fromhex(text["anchor"])
    raw = keys.public_raw(text["key"])
    return Player(text["name"], text["side"], text["key"], raw, cid, anchor, int(text["links"]), text["nonce"])


class History:
    """Genesis and the accepted messages 1 .. head, with their ids and the state digests known so far.

    Keys, chains and rules are those of genesis: `rekey`, `reanchor` and `upgrade` are not built, and would make
    `key`, `link_number`, `link_below` and `rules` functions of seq.
    """

    def __init__(self, genesis: Message, bodies: Bodies, ids: list[str], digests: list[str]) -> None:
        self.genesis = genesis
        self.game_id = genesis.id
        self.bodies, self.ids, self.digests = bodies, ids, digests
        players = genesis.body["players"]
        assert isinstance(players, dict)
        self.a, self.b = _player(players["a"]), _player(players["b"])

    @property
    def head(self) -> int:
        """Seq of the newest accepted message; 0 after genesis."""
        return len(self.ids) - 1

    def add(self, message: Message) -> None:
        """Append an accepted message."""
        self.bodies.add(message.body)
        self.ids.append(message.id)

    def author(self, seq: int) -> Player:
        """a writes the odd messages, b the even ones (and signs genesis)."""
        return self.a if seq % 2 else self.b

    def player(self, side: str) -> Player:
        """The player of a side. KeyError for a side that does not play."""
        for player in (self.a, self.b):
            if player.side == side:
                return player
        raise KeyError(side)

    def rules(self, seq: int) -> str:
        """The rules hash that message `seq` must carry."""
        del seq  # the same throughout the game until `upgrade` is built
        return str(self.genesis.body["rules"])

    def link_number(self, seq: int) -> int:
        """Which link the author of `seq` opens: the messages he has sent on this chain, plus one."""
        return (seq + 1) // 2

    def link_below(self, seq: int) -> bytes:
        """The author's last accepted link before message `seq`: the anchor, or the one in seq - 2."""
        return self.author(seq).anchor if seq <= 2 else bytes.fromhex(str(self.bodies[seq - 2]["reveal"]))

    def check_link(self, seq: int, link: bytes) -> None:
        """Raise ProtocolError (E_REVEAL) unless `link` is the one that message `seq` must open."""
        author, number = self.author(seq), self.link_number(seq)
        if number >= author.links:
            raise ProtocolError(
                "E_REVEAL",
                f"the chain of {author.links} links is used up; a new chain is not built in this version",
                seq,
            )
        if below(author.cid, number, link) != self.link_below(seq):
            raise ProtocolError("E_REVEAL", f"it does not lead to link {number - 1} of {author.side}", seq)

    def check_later_link(self, seq: int, number: str, link: bytes) -> None:
        """The same for a message that comes too early: its link must lead down to the author's last accepted one.

        Without this anybody could sign a message of the far future, and who receives it would take his own log for an
        old one. With it he would have to give the keys of all his dice up to there away.
        """
        author, wanted = self.author(seq), self.link_number(seq)
        if number != str(wanted) or wanted >= author.links:
            raise ProtocolError("E_REVEAL", f"it opens link {number}, message {seq} must open link {wanted}", seq)
        last = self.head if (self.head - seq) % 2 == 0 else self.head - 1
        known = self.link_number(last) if last > 0 else 0
        for index in range(wanted, known, -1):
            link = below(author.cid, index, link)
        if link != (bytes.fromhex(str(self.bodies[last]["reveal"])) if last > 0 else author.anchor):
            raise ProtocolError("E_REVEAL", f"it does not lead to link {known} of {author.side}", seq)

    def seed(self, seq: int, link: bytes) -> bytes:
        """seed(seq) when message seq + 1 opens `link`."""
        return seed_of(seq, bytes.fromhex(self.ids[seq]), bytes.fromhex(self.game_id), link)

    def digest(self, seq: int) -> str:
        """digest(seq) in hex; digest(-1) is the game id. IndexError when `seq` is not resolved yet."""
        if seq < -1:
            raise IndexError(f"there is no message {seq}")
        return self.game_id if seq == -1 else self.digests[seq]

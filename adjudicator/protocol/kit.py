"""A part of a player's secret: the links of one chain up to a chosen one, for a program that only opens (PROTOCOL 8).

Whoever has link j can open the links up to j and no further; K_game can't be found from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from adjudicator.protocol.chain import MAX_LINKS, MIN_LINKS, below
from adjudicator.protocol.fields import is_cid, is_hash, uint
from adjudicator.protocol.keys import write_private
from adjudicator.protocol.secret import Secret, SecretError
from adjudicator.protocol.verdicts import ProtocolError
from adjudicator.turnfile.nodes import Tree, tree_map
from adjudicator.turnfile.reader import ReadError, read
from adjudicator.turnfile.writer import write

FORMAT = "pbem1-kit/1"
_ANOTHER = "make a new kit where the whole secret is"


@dataclass(frozen=True, slots=True)
class Kit(Secret):
    """A secret without K_game: ``top`` is the highest link it can open, ``x`` that link."""

    top: int
    x: bytes

    @classmethod
    def of(cls, secret: Secret, cid: bytes, links: int, top: int) -> Kit:
        """The kit that opens one chain of a secret, its first or a later one, up to ``top``. ValueError outside it."""
        return cls(b"", cid, links, secret.nonce, secret.key, top, secret.chain_link(cid, links, top))

    def chain_link(self, cid: bytes, links: int, number: int) -> bytes:
        """x[number], up to ``top``. Raises ProtocolError (E_REVEAL) beyond it, or for another chain."""
        if cid != self.cid:
            raise ProtocolError("E_REVEAL", "the kit is of another chain than the one in force", mend=_ANOTHER)
        if not 0 <= number <= self.top:
            text = f"the kit opens links up to {self.top}, {number} is due"
            raise ProtocolError("E_REVEAL", text, mend=_ANOTHER)
        link = self.x
        for index in range(self.top, number, -1):
            link = below(cid, index, link)
        return link

    def to_tree(self) -> dict[str, Tree]:
        """The kit as a plain tree."""
        return {
            "format": FORMAT,
            "cid": self.cid.hex(),
            "links": str(self.links),
            "nonce": self.nonce.hex(),
            "key": self.key,
            "top": str(self.top),
            "x": self.x.hex(),
        }

    def save(self, path: Path) -> None:
        """Write a file that only its owner can read (0600). An existing file is never overwritten."""
        write_private(path, write(self.to_tree()).encode("utf-8"))

    @classmethod
    def load(cls, path: Path) -> Kit:
        """Read a kit. Raises SecretError, or OSError."""
        try:
            tree = tree_map(read(path.read_bytes()).root)
        except ReadError as error:
            raise SecretError(f"the kit is damaged (at {error.problems[0].pos}); make a new one") from None
        links, top = uint(tree.get("links")), uint(tree.get("top"))
        known = all(is_hash(tree.get(name)) for name in ("nonce", "x")) and is_cid(tree.get("cid"))
        if tree.get("format") != FORMAT or not known or links is None or top is None:
            raise SecretError("this is no kit for `serve`; make one with --make-kit")
        if not (MIN_LINKS <= links <= MAX_LINKS and 0 < top <= links):
            raise SecretError("the kit is damaged; make a new one")
        cid, nonce, x = (bytes.fromhex(str(tree[name])) for name in ("cid", "nonce", "x"))
        return cls(b"", cid, links, nonce, str(tree.get("key", "")), top, x)

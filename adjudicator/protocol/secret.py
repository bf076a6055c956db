"""A player's secret of one game (PROTOCOL 4.3): 32 bytes from which all links come, and what genesis needs."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from adjudicator.protocol.chain import MAX_LINKS, MIN_LINKS, USUAL_LINKS, link_at
from adjudicator.protocol.fields import is_cid, is_hash, uint
from adjudicator.protocol.keys import write_private
from adjudicator.turnfile.nodes import Tree, tree_map
from adjudicator.turnfile.reader import ReadError, read
from adjudicator.turnfile.writer import write

FORMAT = "pbem1-secret/1"


class SecretError(ValueError):
    """A secret file that can't be used; the text says why and how to mend."""


@dataclass(frozen=True, slots=True)
class Secret:
    """K_game (32 bytes), cid (16), number of links, nonce (32), and the public line of the signing key.

    The signing key itself is kept apart: a program that only writes bare openings needs it without K_game. A
    secret belongs to one game for ever.
    """

    k_game: bytes = field(repr=False)
    cid: bytes
    links: int
    nonce: bytes
    key: str

    @classmethod
    def fresh(cls, key: str, links: int = USUAL_LINKS, random: Callable[[int], bytes] = os.urandom) -> Secret:
        """A new secret for one game; `random` is given another source only for tests and example games."""
        if not MIN_LINKS <= links <= MAX_LINKS:
            raise ValueError(f"{links} links, allowed are {MIN_LINKS} to {MAX_LINKS}")
        return cls(random(32), random(16), links, random(32), key)

    def link(self, number: int) -> bytes:
        """x[number]: the key of the other side's dice. ValueError outside the chain."""
        return self.chain_link(self.cid, self.links, number)

    def chain_link(self, cid: bytes, links: int, number: int) -> bytes:
        """x[number] of any chain of this secret, the first or one of a `reanchor`. ValueError outside it."""
        return link_at(self.k_game, cid, links, number)

    @property
    def anchor(self) -> str:
        """x[0] in hex, public."""
        return self.link(0).hex()

    def player(self, name: str, side: str) -> dict[str, Tree]:
        """The player's part of genesis."""
        return {
            "name": name,
            "side": side,
            "key": self.key,
            "cid": self.cid.hex(),
            "anchor": self.anchor,
            "links": str(self.links),
            "nonce": self.nonce.hex(),
        }

    def to_tree(self) -> dict[str, Tree]:
        """The secret as a plain tree."""
        return {
            "format": FORMAT,
            "k_game": self.k_game.hex(),
            "cid": self.cid.hex(),
            "links": str(self.links),
            "nonce": self.nonce.hex(),
            "key": self.key,
        }

    @classmethod
    def from_tree(cls, tree: dict[str, Tree]) -> Secret:
        """The secret of a plain tree. Raises SecretError."""
        links = uint(tree.get("links"))
        if tree.get("format") != FORMAT or links is None or not MIN_LINKS <= links <= MAX_LINKS:
            raise SecretError("this is no secret file of a game; take the backup of `private/`")
        if not (is_hash(tree.get("k_game")) and is_hash(tree.get("nonce")) and is_cid(tree.get("cid"))):
            raise SecretError("the secret file is damaged; take the backup of `private/`")
        parts = (bytes.fromhex(str(tree[name])) for name in ("k_game", "cid", "nonce"))
        k_game, cid, nonce = parts
        return cls(k_game, cid, links, nonce, str(tree.get("key", "")))

    def save(self, path: Path) -> None:
        """Write a file that only its owner can read (0600). An existing file is never overwritten."""
        write_private(path, self.text())

    def text(self) -> bytes:
        """What a secret file holds."""
        return write(self.to_tree()).encode("utf-8")

    @classmethod
    def load(cls, path: Path) -> Secret:
        """Read a secret file. Raises SecretError, or OSError."""
        try:
            return cls.from_tree(tree_map(read(path.read_bytes()).root))
        except ReadError as error:
            # By its place alone: the text of the fault may hold the line, and the line a secret.
            place = error.problems[0].pos
            raise SecretError(f"the secret file is damaged (at {place}); take the backup of `private/`") from None

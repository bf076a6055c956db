"""Formulas of face-down decks: keys, leaves, draws, openings (PROTOCOL 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from adjudicator.protocol.dice import pick, shuffle
from adjudicator.protocol.hashing import (
    hkdf,
    hmac256,
    lp,
    merkle_path,
    merkle_root,
    path_root,
    sha256,
    tagged_hash,
    u32,
)
from adjudicator.turnfile.nodes import Tree


def deck_key(k_game: bytes, cid0: bytes, deck: str, epoch: int) -> bytes:
    """D = HKDF(K_game, cid0, lp("pbem1/deck", deck, u32(epoch)))."""
    return hkdf(k_game, cid0, lp(b"pbem1/deck", deck.encode(), u32(epoch)))


def attr_salt(key: bytes, attr: str, pos: int) -> bytes:
    """salt_x = HMAC(D, lp("pbem1/attr-salt", x, u32(p)))."""
    return hmac256(key, lp(b"pbem1/attr-salt", attr.encode(), u32(pos)))


def attr_hash(attr: str, value: str, salt: bytes) -> bytes:
    """A_x = H("pbem1/attr", x, value, salt_x)."""
    return tagged_hash("pbem1/attr", attr.encode(), value.encode(), salt)


def leaf_salt(key: bytes, pos: int) -> bytes:
    """s = HMAC(D, lp("pbem1/leaf-salt", u32(p)))."""
    return hmac256(key, lp(b"pbem1/leaf-salt", u32(pos)))


def leaf(cid0: bytes, deck: str, epoch: int, pos: int, content: str, salt: bytes) -> bytes:
    """SHA-256(00 || lp("pbem1/leaf", cid0, deck, u32(epoch), u32(p), c, s)).

    `content` is F in hex, or the card id in a deck without attributes.
    """
    parts = cid0, deck.encode(), u32(epoch), u32(pos), content.encode(), salt
    return sha256(b"\x00" + lp(b"pbem1/leaf", *parts))


def draw(seed: bytes, deck: str, epoch: int, number: int, handles: Sequence[int]) -> int:
    """The handle that draw `number` (1, 2, .. within the epoch) takes out of zone draw, ascending `handles`."""
    return handles[pick(seed, f"deck/{deck}/{epoch}/draw/{number}", len(handles))]


@lru_cache(maxsize=64)
def _face_down(key: bytes, size: int) -> tuple[int, ...]:
    """The order in which an epoch's list lies face down. It hangs on nothing but the key, and a program asks for it
    at every card it looks at."""
    return tuple(shuffle(key, "face-down", size))


class Epoch(NamedTuple):
    """One commitment of a deck: its list of cards face down in the order of the key.

    `cards` are mappings of attribute values; without `attributes` a card is its `name` alone.
    """

    cid0: bytes
    deck: str
    epoch: int
    key: bytes
    attributes: tuple[str, ...]
    cards: tuple[Mapping[str, str], ...]

    def faces(self) -> list[Mapping[str, str]]:
        """The card of each position: list[perm[p]]."""
        return [self.cards[at] for at in _face_down(self.key, len(self.cards))]

    def _attr_hashes(self, pos: int, card: Mapping[str, str]) -> list[bytes]:
        return [attr_hash(name, card[name], attr_salt(self.key, name, pos)) for name in self.attributes]

    def _content(self, pos: int, card: Mapping[str, str]) -> str:
        if not self.attributes:
            return card["name"]
        return tagged_hash("pbem1/face", *self._attr_hashes(pos, card)).hex()

    def leaves(self) -> list[bytes]:
        """The leaf of each position."""
        return [
            leaf(self.cid0, self.deck, self.epoch, pos, self._content(pos, card), leaf_salt(self.key, pos))
            for pos, card in enumerate(self.faces())
        ]

    def root(self) -> str:
        """The commitment, in hex."""
        return merkle_root(self.leaves()).hex()

    def path(self, pos: int) -> list[Tree]:
        """The Merkle path of a position, in hex."""
        return [item.hex() for item in merkle_path(self.leaves(), pos)]

    def opening(self, pos: int, attr: str) -> dict[str, Tree]:
        """What `cards` or `show` carries to open one attribute; the rest of the face stays closed."""
        card = self.faces()[pos]
        hashes = dict(zip(self.attributes, self._attr_hashes(pos, card), strict=True))
        others: list[Tree] = [hashes[name].hex() for name in self.attributes if name != attr]
        return {
            "deck": self.deck,
            "card": f"{self.epoch}.{pos}",
            "attr": attr,
            "value": card[attr],
            "salt": attr_salt(self.key, attr, pos).hex(),
            "others": others,
            "leaf_salt": leaf_salt(self.key, pos).hex(),
            "path": self.path(pos),
        }


def opening_root(cid0: bytes, size: int, attributes: Sequence[str], opening: Mapping[str, Tree]) -> str | None:
    """The root that the opening of one attribute leads to, in hex; None when it fits no card of the epoch.

    ValueError for malformed numbers and hex.
    """
    epoch, pos = (int(part) for part in str(opening["card"]).split("."))
    others, path = opening["others"], opening["path"]
    if opening["attr"] not in attributes or not isinstance(others, list) or not isinstance(path, list):
        return None
    hashes = [bytes.fromhex(str(item)) for item in others]
    if len(hashes) != len(attributes) - 1:
        return None
    own = attr_hash(str(opening["attr"]), str(opening["value"]), bytes.fromhex(str(opening["salt"])))
    hashes.insert(list(attributes).index(str(opening["attr"])), own)
    content = tagged_hash("pbem1/face", *hashes).hex()
    salt = bytes.fromhex(str(opening["leaf_salt"]))
    bottom = leaf(cid0, str(opening["deck"]), epoch, pos, content, salt)
    root = path_root(bottom, pos, size, [bytes.fromhex(str(item)) for item in path])
    return None if root is None else root.hex()

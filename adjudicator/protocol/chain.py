"""The secret hash chain (PROTOCOL 4.3): its anchor is published, one link is opened with every message."""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple

from adjudicator.protocol.hashing import hkdf, lp, tagged_hash, u32

MIN_LINKS, USUAL_LINKS, MAX_LINKS = 64, 4096, 65536


def chain_top(k_game: bytes, cid: bytes, links: int) -> bytes:
    """x[N] = HKDF(K_game, cid, lp("pbem1/chain-top", u32(N)))."""
    return hkdf(k_game, cid, lp(b"pbem1/chain-top", u32(links)))


def below(cid: bytes, index: int, link: bytes) -> bytes:
    """x[index - 1] from x[index]: what a verifier computes, one hash a message."""
    return tagged_hash("pbem1/chain", cid, u32(index), link)


class Links(NamedTuple):
    """x[number] of a chain: opens the links up to this one and no later ones.

    What a program that writes bare openings unattended is given in place of the secret (PROTOCOL 8, serve).
    """

    cid: bytes
    number: int
    top: bytes

    def link(self, number: int) -> bytes:
        """x[number]. ValueError for a link above."""
        if not 0 <= number <= self.number:
            raise ValueError(f"link {number}, at most {self.number} can be opened with this")
        link = self.top
        for index in range(self.number, number, -1):
            link = below(self.cid, index, link)
        return link


def link_at(k_game: bytes, cid: bytes, links: int, index: int) -> bytes:
    """x[index], from the top down; x[0] is the anchor. ValueError outside 0 .. links."""
    if not 0 <= index <= links:
        raise ValueError(f"link {index} of a chain of {links}")
    link = chain_top(k_game, cid, links)
    head = lp(b"pbem1/chain", cid) + u32(4)
    for number in range(links, index, -1):
        link = sha256(head + number.to_bytes(4, "big") + b"\x00\x00\x00\x20" + link).digest()
    return link

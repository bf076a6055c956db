"""Length-prefixed hashing, HKDF and the Merkle tree (PROTOCOL 3.1)."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence

from adjudicator.turnfile.canon import canon
from adjudicator.turnfile.nodes import TreeView


def u32(number: int) -> bytes:
    """Four bytes, big-endian. Raises OverflowError outside 0 .. 2^32 - 1."""
    return number.to_bytes(4, "big")


def lp(*parts: bytes) -> bytes:
    """Each part with its length before it: no two lists of parts give the same bytes."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def tagged_hash(tag: str, *parts: bytes) -> bytes:
    """H(tag, a, ..) = SHA-256(lp(tag, a, ..)), 32 bytes."""
    return hashlib.sha256(lp(tag.encode("ascii"), *parts)).digest()


def tree_hash(tag: str, tree: TreeView) -> str:
    """H(tag, canon(tree)) in hex: ids, pack digest."""
    return tagged_hash(tag, canon(tree)).hex()


def hmac256(key: bytes, data: bytes) -> bytes:
    """HMAC-SHA-256."""
    return hmac.digest(key, data, "sha256")


def hkdf(ikm: bytes, salt: bytes, info: bytes) -> bytes:
    """RFC 5869 with SHA-256, 32 bytes: one block of expansion."""
    return hmac256(hmac256(salt, ikm), info + b"\x01")


def sha256(data: bytes) -> bytes:
    """SHA-256."""
    return hashlib.sha256(data).digest()


def node(left: bytes, right: bytes) -> bytes:
    """An inner node of the Merkle tree."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def _split(count: int) -> int:
    """The largest power of two below `count` (count >= 2)."""
    return 1 << ((count - 1).bit_length() - 1)


def merkle_root(leaves: Sequence[bytes]) -> bytes:
    """The root over the leaves in order (shape of RFC 6962); one leaf is its own root. ValueError for none."""
    if not leaves:
        raise ValueError("a Merkle tree needs at least one leaf")
    if len(leaves) == 1:
        return leaves[0]
    cut = _split(len(leaves))
    return node(merkle_root(leaves[:cut]), merkle_root(leaves[cut:]))


def merkle_path(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """The sibling hashes from the leaf to the root. IndexError outside the leaves."""
    if not 0 <= index < len(leaves):
        raise IndexError(f"leaf {index} of {len(leaves)}")
    if len(leaves) == 1:
        return []
    cut = _split(len(leaves))
    if index < cut:
        return [*merkle_path(leaves[:cut], index), merkle_root(leaves[cut:])]
    return [*merkle_path(leaves[cut:], index - cut), merkle_root(leaves[:cut])]


def path_root(leaf: bytes, index: int, count: int, path: Sequence[bytes]) -> bytes | None:
    """The root that `path` leads to from leaf `index` of `count`; None when the path has the wrong length."""
    if not 0 <= index < count:
        return None
    if count == 1:
        return leaf if not path else None
    if not path:
        return None
    cut = _split(count)
    if index < cut:
        below = path_root(leaf, index, cut, path[:-1])
        return None if below is None else node(below, path[-1])
    below = path_root(leaf, index - cut, count - cut, path[:-1])
    return None if below is None else node(path[-1], below)

"""Pack digest and rules hash (PROTOCOL 3.4): both sides play by the same rules and data, or notice at once."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.protocol.hashing import tagged_hash, tree_hash
from adjudicator.turnfile.canon import canon
from adjudicator.turnfile.nodes import TreeView


def pack_digest(pack: TreeView) -> str:
    """H("pbem1/pack", canon(pack)) in hex. `pack` is the compiled data pack with the owner's overlay, as texts."""
    return tree_hash("pbem1/pack", pack)


def canonical_digest(data: bytes) -> str:
    """The pack digest of bytes that are canonical already, without reading them: the digest of a compiled file."""
    return tagged_hash("pbem1/pack", data).hex()


def rules_hash(system: str, version: int, pack: str, switches: Mapping[str, TreeView]) -> str:
    """H("pbem1/rules", system, version, pack_digest, canon(switches)) in hex.

    `pack` is the digest in hex, `switches` the house rules that differ from the default. The digest is hashed
    as its 32 bytes.
    """
    parts = system.encode(), str(version).encode(), bytes.fromhex(pack), canon(switches)
    return tagged_hash("pbem1/rules", *parts).hex()

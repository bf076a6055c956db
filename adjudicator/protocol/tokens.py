"""Digests that are signed outside messages (PROTOCOL 7, 8), and the reserved secret roll (PROTOCOL 11)."""

from __future__ import annotations

from adjudicator.protocol.hashing import hkdf, lp, tagged_hash, u32


def head_digest(game_id: bytes, seq: int, message_id: bytes) -> bytes:
    """H("pbem1/head", game_id, u32(seq), id(seq)): signed by whoever hands over his log."""
    return tagged_hash("pbem1/head", game_id, u32(seq), message_id)


def rekey_digest(game_id: bytes, seq: int, side: str, key_line: str) -> bytes:
    """H("pbem1/rekey", game_id, u32(seq), side, key line): signed by the new key."""
    return tagged_hash("pbem1/rekey", game_id, u32(seq), side.encode(), key_line.encode())


def secret_roll_seed(secret: bytes, seed: bytes, game_id: bytes, seq: int) -> bytes:
    """HKDF(v, seed(m), lp("pbem1/secret-roll", game_id, u32(m)))."""
    return hkdf(secret, seed, lp(b"pbem1/secret-roll", game_id, u32(seq)))

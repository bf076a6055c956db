"""Formulas of sealed books: keys, salts, leaves, openings (PROTOCOL 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from adjudicator.protocol.hashing import hkdf, hmac256, lp, merkle_path, merkle_root, path_root, tagged_hash, u32
from adjudicator.turnfile.canon import canon
from adjudicator.turnfile.nodes import Tree, TreeView

EMPTY: tuple[Tree, ...] = ("", [], {})
"""Rules that say nothing: their topic is sealed, kept and opened without the key `rules`."""


def filled(rules: Mapping[str, Tree]) -> dict[str, Tree]:
    """The rules by topic without the empty ones."""
    return {topic: said for topic, said in rules.items() if said not in EMPTY}


def book_key(k_game: bytes, cid0: bytes, game_id: bytes, seq: int, book: str) -> bytes:
    """B = HKDF(K_game, cid0, lp("pbem1/book", game_id, u32(seq), book))."""
    return hkdf(k_game, cid0, lp(b"pbem1/book", game_id, u32(seq), book.encode()))


def topic_salt(key: bytes, topic: str) -> bytes:
    """salt = HMAC(B, lp("pbem1/sealed-salt", topic))."""
    return hmac256(key, lp(b"pbem1/sealed-salt", topic.encode()))


def sealed_leaf(game_id: bytes, seq: int, side: str, salt: bytes, payload: TreeView) -> bytes:
    """leaf = H("pbem1/sealed", game_id, u32(seq), side, salt, canon(payload))."""
    return tagged_hash("pbem1/sealed", game_id, u32(seq), side.encode(), salt, canon(payload))


def topic_payload(book: str, topic: str, rules: Tree | None) -> dict[str, Tree]:
    """t = {book, topic, rules}; `rules` is left out of an empty topic."""
    payload: dict[str, Tree] = {"book": book, "topic": topic}
    if rules is not None:
        payload["rules"] = rules
    return payload


class Book(NamedTuple):
    """A sealed book of one side: topics in the order of the rules module, rules of the non-empty ones (`filled`)."""

    game_id: bytes
    seq: int
    side: str
    book: str
    key: bytes
    topics: tuple[str, ...]
    rules: Mapping[str, Tree]

    def leaves(self) -> list[bytes]:
        """One leaf a topic, empty ones too."""
        return [self._leaf(topic) for topic in self.topics]

    def _leaf(self, topic: str) -> bytes:
        payload = topic_payload(self.book, topic, self.rules.get(topic))
        return sealed_leaf(self.game_id, self.seq, self.side, topic_salt(self.key, topic), payload)

    def root(self) -> str:
        """The commitment that stands in `sealed`, in hex."""
        return merkle_root(self.leaves()).hex()

    def opening(self, topic: str) -> dict[str, Tree]:
        """What `open` or `history` carries for one topic."""
        path: list[Tree] = [item.hex() for item in merkle_path(self.leaves(), self.topics.index(topic))]
        opening: dict[str, Tree] = {
            "book": self.book,
            "seq": str(self.seq),
            "topic": topic,
            "salt": topic_salt(self.key, topic).hex(),
            "path": path,
        }
        if topic in self.rules:
            opening["rules"] = self.rules[topic]
        return opening


def opening_root(game_id: bytes, side: str, opening: Mapping[str, Tree], topics: Sequence[str]) -> str | None:
    """The root an opening leads to, in hex; None when it fits no topic. ValueError for malformed hex."""
    topic, path = str(opening["topic"]), opening["path"]
    if topic not in topics or not isinstance(path, list):
        return None
    payload = topic_payload(str(opening["book"]), topic, opening.get("rules"))
    leaf = sealed_leaf(game_id, int(str(opening["seq"])), side, bytes.fromhex(str(opening["salt"])), payload)
    root = path_root(leaf, list(topics).index(topic), len(topics), [bytes.fromhex(str(item)) for item in path])
    return None if root is None else root.hex()

"""What a verifier knows, as a plain tree and back: the cache of a game folder, no part of the protocol."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from adjudicator.protocol.desk import Shelf, Topic, Wanted
from adjudicator.protocol.fields import is_hash, uint
from adjudicator.protocol.forms import rows, texts
from adjudicator.protocol.message import Message
from adjudicator.protocol.resolve import Resolution, Resolved
from adjudicator.turnfile.nodes import Tree, TreeView

FORMAT = "pbem1-verifier/1"


class Checkpoint(NamedTuple):
    """The parts of a verifier that verifying from nothing would give again."""

    game: str
    ids: tuple[str, ...]
    digests: tuple[str, ...]
    last: Resolved | None
    over_at: int | None
    replaced: int
    waiting: tuple[Message, ...]
    forks: tuple[Message, ...]
    marked: tuple[int, ...] = ()
    restored: int = 0
    shelf: Shelf = Shelf()
    piles: Mapping[str, Mapping[str, Tree]] = MappingProxyType({})
    demanded: Mapping[int, tuple[Wanted, ...]] = MappingProxyType({})


def write_checkpoint(point: Checkpoint) -> dict[str, Tree]:
    """The plain tree of a checkpoint."""
    state: dict[str, Tree] = {
        "format": FORMAT,
        "game": point.game,
        "ids": list(point.ids),
        "digests": list(point.digests),
        "replaced": str(point.replaced),
        "waiting": [{"body": one.body, "sig": one.sig} for one in point.waiting],
        "forks": [{"body": one.body, "sig": one.sig} for one in point.forks],
    }
    _write_hidden(state, point)
    if point.over_at is not None:
        state["over_at"] = str(point.over_at)
    if point.last is not None:
        state["last"] = {
            "n": str(point.last.n),
            "seed": point.last.seed.hex(),
            "events": [plain(event) for event in point.last.resolution.events],
            "position": plain(point.last.resolution.position),
            "over": "yes" if point.last.resolution.over else "no",
        }
    return state


def _write_hidden(state: dict[str, Tree], point: Checkpoint) -> None:
    """Housekeeping, books and decks, where a game has any."""
    if point.marked:
        state["marked"] = [str(seq) for seq in point.marked]
    if point.restored:
        state["restored"] = str(point.restored)
    if point.shelf.opened:
        state["opened"] = [
            {"side": side, "book": book, "seq": str(seq), "topic": name, **({} if one.rules is None else
             {"rules": plain(one.rules)})}
            for (side, book, seq), topics in sorted(point.shelf.opened.items())
            for name, one in sorted(topics.items())
        ]
    if point.piles:
        state["piles"] = [dict(tree) for tree in point.piles.values()]
    if point.demanded:
        state["demanded"] = [
            {"n": str(n), "book": book, "seq": str(seq), "topic": topic}
            for n, wanted in sorted(point.demanded.items())
            for book, seq, topic in wanted
        ]


def plain(tree: TreeView) -> Tree:
    """A copy of a tree in plain str, list and dict."""
    if isinstance(tree, str):
        return tree
    if isinstance(tree, Mapping):
        return {key: plain(value) for key, value in tree.items()}
    return [plain(value) for value in tree]


def read_checkpoint(state: Mapping[str, Tree]) -> Checkpoint:
    """The checkpoint of a plain tree. Raises ValueError when it is none."""
    try:
        return _read(state)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"this is no checkpoint of a verifier ({error})") from None


def _read(state: Mapping[str, Tree]) -> Checkpoint:
    if state["format"] != FORMAT:
        raise ValueError(f"format {state['format']!r}, {FORMAT} is known")
    ids, digests = _hashes(state["ids"]), _hashes(state["digests"])
    last = _last(state.get("last"), digests)
    if not ids or len(digests) not in (len(ids) - 1, len(ids)) or (last is None) != (not digests):
        raise ValueError("ids, digests and last resolution do not fit")
    replaced, over_at = uint(state["replaced"]), uint(state.get("over_at"))
    if replaced is None or (over_at is None and "over_at" in state):
        raise ValueError("a number is missing")
    messages = _messages(state["waiting"]), _messages(state["forks"])
    return Checkpoint(
        str(state["game"]),
        ids,
        digests,
        last,
        over_at,
        replaced,
        *messages,
        marked=_read_marks(state, len(ids)),
        restored=uint(state.get("restored", "0")) or 0,
        shelf=_read_shelf(state),
        piles=_piles(state),
        demanded=_demanded(state),
    )


def _read_marks(state: Mapping[str, Tree], count: int) -> tuple[int, ...]:
    marked = tuple(int(text) for text in texts(state.get("marked")))
    if any(not 0 < seq < count for seq in marked):
        raise ValueError("a message is marked that is not there")
    return marked


def _read_shelf(state: Mapping[str, Tree]) -> Shelf:
    shelf = Shelf()
    for row in rows(state.get("opened")):
        seq = int(str(row["seq"]))
        topics = shelf.opened.setdefault((str(row["side"]), str(row["book"]), seq), {})
        topics[str(row["topic"])] = Topic(seq, row.get("rules"))
    return shelf


def _piles(state: Mapping[str, Tree]) -> dict[str, dict[str, Tree]]:
    return {str(row["deck"]): row for row in rows(state.get("piles"))}


def _demanded(state: Mapping[str, Tree]) -> dict[int, tuple[Wanted, ...]]:
    found: dict[int, tuple[Wanted, ...]] = {}
    for row in rows(state.get("demanded")):
        n, wanted = int(str(row["n"])), (str(row["book"]), int(str(row["seq"])), str(row["topic"]))
        found[n] = (*found.get(n, ()), wanted)
    return found


def _hashes(value: Tree) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(is_hash(item) for item in value):
        raise ValueError("a list of hashes is missing")
    return tuple(str(item) for item in value)


def _last(value: Tree | None, digests: tuple[str, ...]) -> Resolved | None:
    if value is None:
        return None
    assert isinstance(value, dict)
    events, position, n = value["events"], value["position"], uint(value["n"])
    if n != len(digests) - 1 or not isinstance(position, dict) or not isinstance(events, list):
        raise ValueError("the last resolution is malformed")
    resolution = Resolution([dict(event) for event in events if isinstance(event, dict)], position)
    if value["over"] == "yes":
        resolution = Resolution(resolution.events, position, over=True)
    return Resolved(n, bytes.fromhex(str(value["seed"])), resolution, digests[-1])


def _messages(value: Tree) -> tuple[Message, ...]:
    if not isinstance(value, list):
        raise ValueError("a list of messages is missing")
    found = []
    for item in value:
        if not isinstance(item, dict) or not isinstance(item["body"], dict):
            raise ValueError("a kept message is malformed")
        found.append(Message.of(item["body"], str(item["sig"])))
    return tuple(found)

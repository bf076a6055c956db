"""When two programs come to different results (E_STATE): what each makes of one message, as a file, and the first
difference between two such files (PROTOCOL 8)."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from adjudicator import __version__
from adjudicator.engine.core import Roll
from adjudicator.engine.dice import DiceSource
from adjudicator.engine.driver import Message as OrderMessage
from adjudicator.engine.driver import Run
from adjudicator.match.match import Match
from adjudicator.match.resolver import MatchResolver
from adjudicator.protocol.checkpoint import plain
from adjudicator.turnfile.canon import CanonError, canon

FORMAT = "adjudicator-dispute/1"
MAX_BYTES = 64 * 1024 * 1024
_ORDER = (
    ("game", "they are of different games"),
    ("seq", "they are of different messages"),
    ("log", "the logs differ: one of you has another history"),
    ("rules", "the games were begun under different rules"),
    ("versions", "the programs are of different versions: take the same one first"),
    ("seed", "the seeds differ: the dice of one program are not those of the protocol"),
    ("before", "the states differ before this message: make the file for the message before it"),
    ("rolls", "the programs rolled different dice"),
    ("events", "the same dice, but the rules made something else of them"),
    ("position", "the same events, but the position after them is written differently"),
    ("digest", "the digests differ"),
)
"""What is compared, in this order, and what a difference there means."""
_ROWS = {"log": ("message", ""), "rolls": ("roll", "label"), "events": ("event", "kind")}
"""Lists that are compared row by row: what a row is called, and which field says what it is; messages count from 0."""


class DisputeError(Exception):
    """A file that can't be made or compared; the text says why and how to mend."""


class _Heard(MatchResolver):
    """A resolver that remembers every roll of the message being resolved, in the order of rolling."""

    heard: list[tuple[int, Roll, tuple[int, ...]]]

    def run(self, messages: Sequence[OrderMessage], dice: DiceSource, remarks: bool = False) -> Run[Any]:
        """Play on, listening to the dice."""
        self.heard = []

        def listen(seq: int, roll: Roll) -> tuple[int, ...]:
            values = dice(seq, roll)
            self.heard.append((seq, roll, values))
            return values

        return super().run(messages, listen, remarks)


def bundle(match: Match, seq: int | None = None) -> dict[str, Any]:
    """What this program makes of a message, worked out anew from the log; the newest resolved one without ``seq``.

    Raises DisputeError for a message whose dice are not open for both.
    """
    verifier = match.verifier
    newest = verifier.head - 1 if verifier.resolved == verifier.head and match.my_turn else verifier.resolved
    n = newest if seq is None else seq
    if not 0 <= n <= newest:
        raise DisputeError(
            f"the dice of message {n} are not open for both; choose one of the messages 0 to {newest}"
            if newest >= 0 else "no dice are open yet; there is nothing to compare"
        )
    resolver = _Heard.fresh(match.resolver.table, match.shelf)
    source = match.own_books().source(verifier, match.me) if match.me else None
    for resolved in verifier.replay(resolver, source):
        if resolved.n == n:
            break
    rules = match.rules_at(n)
    return {
        "format": FORMAT,
        "game": verifier.game_id,
        "seq": str(n),
        "side": match.me,
        "versions": {"program": __version__, "rules": str(rules.version), "pack": rules.digest},
        "machine": {"python": platform.python_version(), "system": sys.platform},
        "rules": rules.hash,
        "log": [line.decode() for line in match.lines[: n + 1]],
        "seed": verifier.seed(n).hex(),
        "before": verifier.digest(n - 1),
        "rolls": [_roll_tree(roll, values) for on, roll, values in resolver.heard if on == n],
        "events": [plain(event) for event in resolved.resolution.events],
        "position": plain(resolved.resolution.position),
        "digest": resolved.digest,
    }


def _roll_tree(roll: Roll, values: Sequence[int]) -> dict[str, Any]:
    return {"label": roll.label, "faces": str(roll.faces), "values": [str(value) for value in values]}


def write_bundle(tree: Mapping[str, Any]) -> bytes:
    """The file, for people too: one field a line."""
    return json.dumps(tree, ensure_ascii=False, indent=1, sort_keys=True).encode() + b"\n"


def read_bundle(data: bytes, name: str) -> dict[str, Any]:
    """A file out of :func:`write_bundle`. Raises DisputeError for anything else."""
    try:
        tree = json.loads(data)
        canon(tree)
    except (ValueError, CanonError, RecursionError):
        raise DisputeError(f"{name}: this is no file of `dispute`, or it is damaged; ask for it again") from None
    if not isinstance(tree, dict) or tree.get("format") != FORMAT:
        raise DisputeError(f"{name}: this is no file that `dispute` has written; name the two files")
    missing = [field for field, _ in _ORDER if field not in tree]
    if missing:
        raise DisputeError(f"{name}: `{missing[0]}` is missing in it; ask for the file once more")
    return tree


def first_difference(one: Mapping[str, Any], two: Mapping[str, Any]) -> tuple[str, str, str, str] | None:
    """Where two files first differ, what both say there, and what it means; None where they agree."""
    for field, meaning in _ORDER:
        left, right = one[field], two[field]
        rows = field in _ROWS and isinstance(left, list) and isinstance(right, list)
        for found in _row_differences(field, left, right) if rows else _differences(left, right, field):
            return *found, meaning
    return None


def _row_differences(field: str, left: Sequence[Any], right: Sequence[Any]) -> Iterator[tuple[str, str, str]]:
    """The rows of two lists that differ, in order: which it is, and of both sides the fields that differ."""
    row, name = _ROWS[field]
    for at in range(max(len(left), len(right))):
        one, two = (rows[at] if at < len(rows) else None for rows in (left, right))
        if one == two:
            continue
        where = f"{row} {at + 1 if name else at}"
        if not (isinstance(one, dict) and isinstance(two, dict)):
            yield where, _shown(one), _shown(two)
        elif one.get(name) != two.get(name):
            yield f"{where}: another {name}", _shown(one), _shown(two)
        else:
            fields = [key for key in sorted({*one, *two}) if one.get(key) != two.get(key)]
            parts = ({key: tree.get(key) for key in fields} for tree in (one, two))
            first, second = ("; ".join(f"{key}: {_shown(value)}" for key, value in part.items()) for part in parts)
            yield f"{where} ({_shown(one.get(name))}): {', '.join(fields)}", first, second


def _differences(left: Any, right: Any, path: str) -> Iterator[tuple[str, str, str]]:
    """The places where two trees differ, in reading order."""
    if isinstance(left, dict) and isinstance(right, dict):
        for key in sorted({*left, *right}):
            yield from _differences(left.get(key), right.get(key), f"{path}.{key}")
    elif isinstance(left, list) and isinstance(right, list):
        for at in range(max(len(left), len(right))):
            pair = (left[at] if at < len(left) else None, right[at] if at < len(right) else None)
            yield from _differences(*pair, f"{path}[{at}]")
    elif left != right:
        yield path, _shown(left), _shown(right)


def _shown(tree: Any) -> str:
    text = "nothing" if tree is None else tree if isinstance(tree, str) else json.dumps(tree, ensure_ascii=False)
    return text if len(text) <= 300 else f"{text[:297]}..."

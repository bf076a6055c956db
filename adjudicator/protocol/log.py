"""Messages in files: the signed turn file (YAML) and the log (one canonical JSON line a message, PROTOCOL 3.2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import overload

from adjudicator.protocol.message import Message, message_id
from adjudicator.protocol.sshsig import tidy
from adjudicator.protocol.verdicts import ProtocolError, Verdict
from adjudicator.turnfile.canon import FILE_DEPTH, MAX_BYTES, CanonError, canon, canon_body, parse
from adjudicator.turnfile.nodes import Mapping, Scalar, Tree, tree_map
from adjudicator.turnfile.reader import Problem, ReadError, read
from adjudicator.turnfile.writer import write_turn as yaml_turn

MAX_LINE = MAX_BYTES + 4096
"""Largest line of a log, in bytes: a body, its signature and the frame around them."""

_UNSIGNED = "an order file is made into a turn by `sign`; ask the other side for the signed file"


def read_turn(data: bytes) -> Message:
    """The message of a signed turn file (or genesis): a mapping of `body` and `sig`.

    Raises ReadError (E_CANON) with places. The signature is not checked here.
    """
    root = read(data).root
    body, sig = root.get("body"), root.get("sig")
    problems = _frame_problems(root, ("body", "sig"))
    if sig is None:
        problems.append(Problem(root.pos, "there is no `sig`: this file is not signed", _UNSIGNED))
    elif not isinstance(sig, Scalar):
        problems.append(Problem(sig.pos, "`sig` must be a text", "take an unharmed copy of the file"))
    if problems or not isinstance(body, Mapping) or not isinstance(sig, Scalar):
        raise ReadError(problems)
    return _message(body, tidy(sig.text))


def read_offer(data: bytes) -> dict[str, Tree]:
    """The body of an unsigned file (an offer): a mapping with `body` alone. Raises ReadError (E_CANON)."""
    root = read(data).root
    body = root.get("body")
    problems = _frame_problems(root, ("body",))
    if problems or not isinstance(body, Mapping):
        raise ReadError(problems)
    return _message(body, "").body


def _frame_problems(root: Mapping, allowed: tuple[str, ...]) -> list[Problem]:
    problems = [
        Problem(pos, f"`{key}` does not belong beside `body`", f"the file holds {' and '.join(allowed)} only")
        for key, pos, _ in root.items
        if key not in allowed
    ]
    body = root.get("body")
    if body is None:
        problems.insert(0, Problem(root.pos, "there is no `body`", _UNSIGNED))
    elif not isinstance(body, Mapping):
        problems.append(Problem(body.pos, "`body` must be a mapping", "take an unharmed copy of the file"))
    return problems


def _message(body: Mapping, sig: str) -> Message:
    tree = tree_map(body)
    try:
        canonical = canon_body(tree)
    except CanonError as error:
        raise ReadError([Problem(body.pos, error.text, error.hint)]) from None
    return Message(tree, sig, canonical, message_id(canonical))


def write_turn(message: Message) -> bytes:
    """The message as a turn file for people."""
    return yaml_turn(message.body, message.sig).encode("utf-8")


def write_offer(body: dict[str, Tree]) -> bytes:
    """An unsigned offer as a file."""
    return yaml_turn(body, None).encode("utf-8")


def read_verdict(error: ReadError) -> Verdict:
    """The verdict (E_CANON) on a file that could not be read."""
    return Verdict("E_CANON", None, "; ".join(problem.show() for problem in error.problems[:3]))


def write_line(message: Message) -> bytes:
    """One line of the log, line end included."""
    return canon({"body": message.body, "sig": message.sig}) + b"\n"


def read_line(line: bytes) -> Message:
    """The message of one line of the log. Raises ProtocolError (E_CANON) unless it is canonical."""
    data = line.removesuffix(b"\n")
    if len(data) > MAX_LINE:
        raise ProtocolError("E_CANON", f"a line of {len(data):,} bytes, {MAX_LINE:,} are allowed")
    if data.endswith(b"\r"):
        text = "the line ends in CR LF, as on Windows: a program changed the file (git, an editor, a mailer)"
        raise ProtocolError("E_CANON", f"{text}; turn the line ends back to LF")
    try:
        tree = parse(data, FILE_DEPTH)
    except CanonError as error:
        raise ProtocolError("E_CANON", str(error)) from None
    if not isinstance(tree, dict) or set(tree) != {"body", "sig"}:
        raise ProtocolError("E_CANON", 'a line of the log is {"body":..,"sig":..}')
    body, sig = tree["body"], tree["sig"]
    if not isinstance(body, dict) or not isinstance(sig, str):
        raise ProtocolError("E_CANON", "`body` must be a mapping and `sig` a text")
    return Message.of(body, sig)


def split_log(data: bytes) -> list[bytes]:
    """The lines of a log, without line ends. Raises ProtocolError (E_CANON) for a torn or empty line."""
    if not data:
        return []
    if not data.endswith(b"\n"):
        raise ProtocolError("E_CANON", "the last line of the log is torn", data.count(b"\n"))
    lines = data[:-1].split(b"\n")
    for number, line in enumerate(lines):
        if not line:
            raise ProtocolError("E_CANON", f"line {number + 1} of the log is empty", number)
    return lines


def read_log(data: bytes) -> list[Message]:
    """All messages of a log, genesis first. Raises ProtocolError (E_CANON) naming the line (seq = line - 1)."""
    messages = []
    for number, line in enumerate(split_log(data)):
        try:
            messages.append(read_line(line))
        except ProtocolError as error:
            raise ProtocolError("E_CANON", f"line {number + 1}: {error.verdict.text}", number) from None
    return messages


class LazyBodies(Sequence[dict[str, Tree]]):
    """The bodies of a log that was verified before: a line is parsed when it is asked for, not earlier.

    Parsing checks the canonical form, nothing else; use it only with `Verifier.restore`, which binds the
    bodies to the ids it verified.
    """

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines = list(lines)
        self._parsed: dict[int, dict[str, Tree]] = {}

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, index: int) -> dict[str, Tree]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[dict[str, Tree]]: ...
    def __getitem__(self, index: int | slice) -> dict[str, Tree] | Sequence[dict[str, Tree]]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        at = range(len(self))[index]
        if at not in self._parsed:
            self._parsed[at] = read_line(self._lines[at]).body
        return self._parsed[at]

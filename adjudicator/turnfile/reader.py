"""The strict reader (PROTOCOL 3.2): YAML as text, lists and mappings, nothing else.

It works on the *events* of the YAML parser (libyaml's when PyYAML carries it, else the one in Python),
so that no resolver ever turns `no`, `012` or `1:30` into something else. Directives, anchors, aliases,
tags, merge keys, a second document and a key that stands twice are refused; so is every character off
the white list, in the file and in each text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

from adjudicator.turnfile import hints
from adjudicator.turnfile.canon import FILE_DEPTH, MAX_BYTES, is_key
from adjudicator.turnfile.nodes import Mapping, Node, Pos, Scalar, Sequence
from adjudicator.turnfile.whitelist import first_foreign

MAX_PROBLEMS = 50
"""The reader stops collecting after so many faults of one file."""


class Problem(NamedTuple):
    """One fault or warning of a file: its place, what is wrong, and how to mend it."""

    pos: Pos
    text: str
    hint: str = ""
    code: str = "E_CANON"
    severity: str = "error"

    def show(self, name: str = "") -> str:
        """`FILE:LINE:COL: error[CODE]: what is wrong; how to mend`."""
        start = f"{name}:{self.pos}" if name else str(self.pos)
        return f"{start}: {self.severity}[{self.code}]: {self.text}" + (f"; {self.hint}" if self.hint else "")


class ReadError(ValueError):
    """A file that is no turn file (E_CANON). `problems` holds every fault found, in order of the file."""

    code = "E_CANON"

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda problem: problem.pos))
        super().__init__(self.problems[0].show())

    def show(self, name: str = "") -> str:
        """All problems, one a line, each with the file's name before it."""
        return "\n".join(problem.show(name) for problem in self.problems)


class Document(NamedTuple):
    """What a file holds: its root and the warnings (things that are allowed but look like a slip)."""

    root: Mapping
    warnings: tuple[Problem, ...] = ()


class EventParser(Protocol):
    """The part of PyYAML's parsers that is used."""

    def get_event(self) -> Any:
        """The next event; None at the end."""
        ...


ParserFactory = Callable[[str], EventParser]


def pure_parser(text: str) -> EventParser:
    """PyYAML's parser written in Python."""
    from yaml.parser import Parser
    from yaml.reader import Reader
    from yaml.scanner import Scanner

    class PureParser(Reader, Scanner, Parser):  # type: ignore[misc,unused-ignore]
        def __init__(self, stream: str) -> None:
            Reader.__init__(self, stream)
            Scanner.__init__(self)
            Parser.__init__(self)

    return PureParser(text)  # type: ignore[no-any-return,no-untyped-call,unused-ignore]


def c_parser(text: str) -> EventParser:
    """libyaml's parser; raises ImportError when PyYAML was built without it."""
    from yaml._yaml import CParser

    return CParser(text)  # type: ignore[no-any-return,no-untyped-call,unused-ignore]


def default_parser(text: str) -> EventParser:
    """libyaml's parser if there is one, else the one in Python."""
    try:
        return c_parser(text)
    except ImportError:
        return pure_parser(text)


def read(data: bytes, *, max_depth: int = FILE_DEPTH, parser: ParserFactory = default_parser) -> Document:
    """The nodes of a turn file.

    `max_depth` counts nested containers, the root being the first. Raises ReadError (E_CANON) with every
    fault found; nothing of a faulty file is returned.
    """
    text = decode(data)
    lines = text.split("\n")
    return _Builder(lines, max_depth).build(parser(text))


def decode(data: bytes) -> str:
    """The text of a file: size, UTF-8, CRLF -> LF, white list. Raises ReadError."""
    if len(data) > MAX_BYTES:
        hint = "leave out what the program does not need, or send less in one turn"
        raise ReadError([Problem(Pos(1, 1), f"the file has {len(data):,} bytes, {MAX_BYTES:,} are allowed", hint)])
    foreign = hints.foreign_format(data)
    if foreign:
        raise ReadError([Problem(Pos(1, 1), *foreign)])
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        pos = _place(data[: error.start].decode("utf-8"), error.start)
        text = f"byte 0x{data[error.start]:02X} is not UTF-8"
        raise ReadError([Problem(pos, text, "save the file as UTF-8 in your editor")]) from None
    text = text.replace("\r\n", "\n")
    problems = list(_foreign_characters(text))
    if problems:
        raise ReadError(problems)
    return text


def _place(text: str, at: int) -> Pos:
    before = text[:at].replace("\r\n", "\n")
    return Pos(before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)


def _foreign_characters(text: str) -> Iterator[Problem]:
    """A problem for each character off the white list, one a line at most."""
    at, count = first_foreign(text), 0
    while at >= 0 and count < MAX_PROBLEMS:
        yield Problem(_place(text, at), *hints.foreign_character(text[at]))
        end = text.find("\n", at)
        at, count = (first_foreign(text, end) if end >= 0 else -1), count + 1


class _Stop(Exception):
    """Raised inside the builder when there is no sense in reading on."""


class _Builder:
    """Turns events into nodes; faults of meaning are collected, the first fault of YAML's grammar ends it."""

    def __init__(self, lines: list[str], max_depth: int) -> None:
        self.lines = lines
        self.max_depth = max_depth
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []
        self.depth = 0
        self.flow = 0
        self.next: Callable[[], Any] = lambda: None

    def build(self, parser: EventParser) -> Document:
        from yaml import YAMLError

        self.next = parser.get_event
        root: Node | None = None
        try:
            root = self._document()
        except _Stop:
            pass
        except YAMLError as error:
            self._grammar(error)
        except (ValueError, OverflowError):  # PyYAML's own parser on escapes beyond U+10FFFF
            mark = parser.get_mark() if hasattr(parser, "get_mark") else None
            pos = Pos(mark.line + 1, mark.column + 1) if mark else Pos(1, 1)
            self.problems.append(Problem(pos, *hints.BAD_ESCAPE))
        if not self.problems and not isinstance(root, Mapping):
            self._report(Pos(1, 1), "the file must be a mapping", "begin with a line like `orders:`")
        if self.problems or not isinstance(root, Mapping):
            raise ReadError(self.problems)
        return Document(root, tuple(self.warnings))

    def _document(self) -> Node | None:
        event = self.next()
        while type(event).__name__ == "StreamStartEvent":
            event = self.next()
        if type(event).__name__ == "StreamEndEvent":
            self._report(Pos(1, 1), "the file is empty", "begin with a line like `orders:`")
            return None
        if event.version or event.tags:
            self._report(_pos(event), "directives (`%`) are not allowed", "delete the line that begins with %")
        root = self._node(self.next())
        self.next()
        event = self.next()
        if type(event).__name__ != "StreamEndEvent":
            self._report(_pos(event), "a second document begins here", "delete the `---` line; one file, one document")
        return root

    def _node(self, event: Any) -> Node:
        kind = type(event).__name__
        pos = _pos(event)
        if kind == "AliasEvent":
            self._report(pos, f"*{event.anchor} is a YAML alias", "put the value in quotes if it begins with *")
            return Scalar("", pos)
        if event.anchor is not None:
            self._report(pos, f"&{event.anchor} is a YAML anchor", "put the value in quotes if it begins with &")
        if event.tag is not None:
            self._report(pos, f"{event.tag} is a YAML tag", "put the value in quotes if it begins with !")
        if kind == "ScalarEvent":
            return self._scalar(event, pos)
        return self._container(event, kind, pos)

    def _scalar(self, event: Any, pos: Pos) -> Scalar:
        text: str = event.value
        at = first_foreign(text)
        if at >= 0:
            self._report(pos, *hints.foreign_character(text[at]))
        plain = not event.style
        if event.style in ("|", ">"):
            self._block_header(pos)
        end = event.end_mark
        rest = self.lines[end.line] if end.line < len(self.lines) else ""
        if self.flow and plain:
            self._flow_scalar(text, rest[end.column : end.column + 2], pos)
        warning = hints.suspicious(text, event.style or "", rest, end.column)
        if warning:
            self.warnings.append(Problem(pos, *warning, code="W_YAML", severity="warning"))
        return Scalar(text, pos, plain)

    def _block_header(self, pos: Pos) -> None:
        """libyaml takes `|#` for a block with a comment, YAML and PyYAML's own parser do not."""
        header = self.lines[pos.line - 1][pos.col - 1 :]
        if header.lstrip("|>+-123456789").startswith("#"):
            self._report(pos, f"a value can't begin with {header[0]} here", f'put it in quotes: "{header.strip()}"')

    def _flow_scalar(self, text: str, after: str, pos: Pos) -> None:
        """Where the two parsers differ inside brackets, `{a:}` and `[a?]`, both refuse."""
        if "?" in text:
            self._report(pos, *hints.FLOW_QUESTION)
        elif after[:1] == ":" and after[1:] in tuple(",[]{}"):
            self._report(pos, "no space after the colon", "write `key: value`, each on a line of its own")

    def _container(self, event: Any, kind: str, pos: Pos) -> Node:
        self.depth += 1
        if self.depth > self.max_depth:
            text = f"more than {self.max_depth} lists and mappings inside one another"
            self._report(pos, text, "flatten this value")
            raise _Stop
        flow = bool(event.flow_style)
        self.flow += flow
        node = self._sequence(pos, flow) if kind == "SequenceStartEvent" else self._mapping(pos, flow)
        self.flow -= flow
        self.depth -= 1
        return node

    def _sequence(self, pos: Pos, flow: bool) -> Sequence:
        items: list[Node] = []
        while type(event := self.next()).__name__ != "SequenceEndEvent":
            items.append(self._node(event))
        return Sequence(tuple(items), pos, flow)

    def _mapping(self, pos: Pos, flow: bool) -> Mapping:
        items: list[tuple[str, Pos, Node]] = []
        seen: dict[str, Pos] = {}
        while type(event := self.next()).__name__ != "MappingEndEvent":
            key, key_pos = self._key(event, flow, seen)
            items.append((key, key_pos, self._node(self.next())))
        return Mapping(tuple(items), pos, flow)

    def _key(self, event: Any, flow: bool, seen: dict[str, Pos]) -> tuple[str, Pos]:
        node = self._node(event)
        if not isinstance(node, Scalar):
            self._report(node.pos, *hints.container_key(flow))
            return "", node.pos
        if not is_key(node.text):
            self._report(node.pos, *hints.bad_key(node.text, flow))
        elif node.text in seen:
            self._report(node.pos, *hints.double_key(node.text, seen[node.text]))
        seen.setdefault(node.text, node.pos)
        return node.text, node.pos

    def _report(self, pos: Pos, text: str, hint: str = "") -> None:
        self.problems.append(Problem(pos, text, hint))
        if len(self.problems) >= MAX_PROBLEMS:
            raise _Stop

    def _grammar(self, error: Any) -> None:
        """A problem for what the YAML parser could not read."""
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        pos = Pos(mark.line + 1, mark.column + 1) if mark else Pos(1, 1)
        message = str(getattr(error, "problem", None) or getattr(error, "reason", None) or error)
        problem = Problem(*hints.grammar(self.lines, pos, message))
        self.problems = [one for one in self.problems if one.pos < problem.pos] + [problem]


def _pos(event: Any) -> Pos:
    mark = event.start_mark
    return Pos(mark.line + 1, mark.column + 1)

"""What a rule sees and says: orders, problems, events, and the verbs ask, roll, emit (DESIGN, How a turn flows).

A step of a game is a generator of type :data:`Proc`. It yields an :class:`Ask` where the rules leave a choice to a
side and a :class:`Roll` where they call for dice, and it changes the state only through :meth:`Ctx.emit`. Nothing here
knows a game, a message or a file.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, NamedTuple, TypeVar

Tree = str | list["Tree"] | dict[str, "Tree"]
Side = str
Place = tuple[int, int]
DIGITS = 9
SAID_AT_MOST = 500
QUOTING = ("why", "clause")

A = TypeVar("A")
S = TypeVar("S")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Order:
    """One order of a turn file: its type, its fields as text trees, and where each field stands.

    ``shown`` is what its message has opened of the cards that it names: of each the value by attribute (PROTOCOL 6).

    ``index`` counts the entries of the list ``orders`` from 0. ``places`` gives line and column per field, "" for the
    order itself, ``with[1]`` for the second entry of a list, ``rules[0].order[2]`` for one deeper down; it is empty for
    an order out of a signed message.
    """

    index: int
    type: str
    data: Mapping[str, Tree]
    places: Mapping[str, Place] = field(default_factory=dict)
    shown: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def place(self, name: str = "") -> Place | None:
        """Line and column of a field or of an entry in it, else of what it stands in, else None."""
        while name and name not in self.places:
            name = name[: max(name.rfind("."), name.rfind("["), 0)]
        return self.places.get(name)

    def text(self, name: str, default: str = "") -> str:
        """A scalar field; the default where it is absent or is no text."""
        value = self.data.get(name, default)
        return value if isinstance(value, str) else default

    def texts(self, name: str) -> list[str]:
        """A list field: a list of texts, or one text with commas (DESIGN, Turn file)."""
        return texts_of(self.data.get(name))


def texts_of(value: Tree | None) -> list[str]:
    """A list of texts, or one text with commas (DESIGN, Turn file)."""
    if isinstance(value, str):
        return [part for part in (piece.strip() for piece in value.split(",")) if part]
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def whole_number(text: object) -> int | None:
    """The number of a text of 1 to 9 decimal digits (PROTOCOL 3.1); None for anything else.

    More digits are no number on purpose: Python refuses to read more than 4,300, which would stop the rules.
    """
    plain = isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= DIGITS
    return int(str(text)) if plain else None


def said(text: str) -> str:
    """A text of an event on one line of bounded length, since it may quote what a player wrote."""
    line = " ".join(text.split()) if "\n" in text else text
    return line if len(line) <= SAID_AT_MOST else line[: SAID_AT_MOST - 3] + "..."


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with an order: what, why in numbers, and how to mend it.

    ``rule`` is an address such as ``WD 9.B.4``. ``depends`` names the roll on which the fault may hang; None = no die
    was rolled before it. ``seq`` is the message the order stands in. ``field`` names the field, or an entry in it as
    :meth:`Order.place` reads it.
    """

    code: str
    rule: str
    text: str
    hint: str = ""
    place: Place | None = None
    order: int | None = None
    depends: str | None = None
    field: str = ""
    seq: int = 0


class Event(NamedTuple):
    """A fact of the game. The only thing that changes state; carries what report and export need.

    ``see`` is who may know it: ``public``, a side, or ``nobody``. ``on`` is the seq of the message on whose seed it
    happened, ``by`` the seqs of the messages whose choices it read (PROTOCOL 4.7, invariant I1).
    """

    kind: str
    rule: str
    data: Mapping[str, Tree]
    see: str = "public"
    on: int = 0
    by: tuple[int, ...] = ()

    def tree(self) -> dict[str, Tree]:
        """The event as canonical text tree, the form that the state digest covers."""
        out: dict[str, Tree] = {"kind": self.kind, "rule": self.rule, "on": str(self.on)}
        out["by"] = [str(seq) for seq in self.by]
        if self.see != "public":
            out["see"] = self.see
        out.update({name: value for name, value in self.data.items() if value not in ("", [], {})})
        return out


@dataclass(frozen=True)
class Ask(Generic[A]):
    """A choice that the rules leave to one side.

    ``key`` is unique in the step and follows the grammar of labels (``retreat/19.0726/it-62``); ``topic`` names the
    standing orders that may settle it. ``find`` reads an answer out of that side's orders of one message, or returns
    None when the message does not speak of it. ``problems`` is the one legality, ``atoms`` the one listing; a single
    atom is forced and taken without asking. ``default`` answers where nobody does; ``clause`` reads the side's
    standing orders and says which clause decided.
    ``stop`` tells whether play waits for the side when nothing is on file (PROTOCOL 5); ``fresh`` that nothing said
    earlier can be on file, as at the start of a player turn; ``earliest`` is the first seq that may answer.
    ``after`` bars messages up to that seq from being on file (a choice that arises again in every combat).
    ``forced=False`` keeps a single atom from being taken, where that would betray or decide something.
    ``askable`` tells that play waits also without ``stop`` where the side's standing order says ``ask``.
    ``history`` asks for the topic out of all the side's books since that message, not of the newest alone (PROTOCOL 5,
    Hidden garrisons): ``clause`` is given rows of ``seq`` and ``rules``, and nothing but these books is read. On the
    dice of a message of the side itself, which don't open them, play stops.
    ``parted`` is what a book says whose clauses lie in further topics of it: ``by_part`` reads of these one after the
    other, no more than it needs, and gives None where one can't be read now, which is a stop.
    """

    key: str
    side: Side
    rule: str
    topic: str
    find: Callable[[Sequence[Order]], A | None]
    problems: Callable[[A], list[Problem]]
    atoms: Callable[[], Sequence[A]]
    default: Callable[[], A]
    clause: Callable[[Tree], tuple[A, str] | None] = lambda _rules: None
    stop: bool = False
    fresh: bool = False
    earliest: int = 0
    after: int = 0
    forced: bool = True
    askable: bool = False
    history: int | None = None
    parted: str = ""
    by_part: Callable[[Callable[[str], Tree | None]], tuple[A, str] | None] = lambda _read: None


class Proof(NamedTuple):
    """A topic out of an own sealed book of the past, which a message brings as proof of age (PROTOCOL 5, History).

    It fits the root that message ``seq`` of the same side sealed; ``rules`` is empty for a topic sealed empty.
    """

    book: str
    seq: int
    topic: str
    rules: Tree = ""


@dataclass(frozen=True, slots=True)
class Answer(Generic[A]):
    """What came of an :class:`Ask`: the choice, who made it, and the messages it was read from.

    ``source`` is ``forced``, ``order``, ``standing``, ``default``; ``clause`` names the clause or default used.
    ``message`` holds all orders of the message that ended a stop, empty where none did. ``later`` are the answers of
    later messages, with their seqs: the first one binds, so they come to nothing. ``proofs`` are those that the message
    brought which ended a stop.
    """

    value: A
    source: str
    clause: str = ""
    by: tuple[int, ...] = ()
    message: tuple[Order, ...] = ()
    later: tuple[tuple[int, A], ...] = ()
    proofs: tuple[Proof, ...] = ()


@dataclass(frozen=True, slots=True)
class Roll:
    """Dice under a label (PROTOCOL 4.6). ``assume`` is what `check` goes on with; ``kind`` names the scripted list.

    ``picks``: it chooses one of so many cards, which the protocol does by a formula of its own (PROTOCOL 4.5).
    """

    label: str
    kind: str
    faces: int = 6
    count: int = 1
    assume: tuple[int, ...] = (1,)
    who: Side = ""
    picks: bool = False


Proc = Generator[Any, Any, T]


@dataclass
class Ctx(Generic[S]):
    """What a rule sees: the state, and the verbs ``ask``, ``roll``, ``emit``, ``void`` and ``remark``.

    ``voided`` are the orders made void, by message and index: no choice is read from them. ``hanging`` are those that
    are lawful as things stand and whose moment is still to come, with the label of the roll that may undo them.
    ``remarks`` are warnings about lawful orders; None where nobody wants them.
    """

    state: S
    apply: Callable[[S, Event], None]
    on: int = 0
    events: list[Event] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    rolls: dict[tuple[int, str], tuple[int, ...]] = field(default_factory=dict)
    voided: set[tuple[int, int]] = field(default_factory=set)
    hanging: dict[tuple[int, int], str] = field(default_factory=dict)
    remarks: list[Problem] | None = None

    def emit(self, kind: str, rule: str, by: Iterable[int] = (), see: str = "public", **data: Tree) -> Event:
        """Make an event, apply it at once and log it. What may quote a player is kept short (:data:`QUOTING`)."""
        for name in QUOTING:
            quoted = data.get(name)
            if isinstance(quoted, str):
                data[name] = said(quoted)
        event = Event(kind, rule, data, see, self.on, tuple(sorted(set(by))))
        self.apply(self.state, event)
        self.events.append(event)
        return event

    def ask(self, request: Ask[A]) -> Proc[Answer[A]]:
        """Ask a side for a choice; the driver answers from force, orders, standing orders or default."""
        answer: Answer[A] = yield request
        return answer

    def roll(self, request: Roll) -> Proc[tuple[int, ...]]:
        """Roll named dice; the label must be new in this resolution (PROTOCOL 4.6)."""
        values: tuple[int, ...] = yield request
        self.rolls[(self.on, request.label)] = values
        return values

    def hang(self, order: Order, label: str, by: Iterable[int]) -> None:
        """An order that is lawful unless a roll, or what the other side makes of it, says otherwise (PROTOCOL 4.8)."""
        self.hanging[(max(by, default=self.on), order.index)] = label

    def void(self, order: Order, problems: Sequence[Problem], by: Iterable[int] = ()) -> None:
        """An order that is unlawful at its moment: nothing happens, and both sides see why."""
        first = problems[0]
        read = tuple(sorted(set(by)))
        seq = read[-1] if read else self.on
        rolled = next((label for on, label in reversed(self.rolls) if on == self.on), None)
        for problem in problems:
            self.problems.append(replace(_placed(problem, order, seq), depends=problem.depends or rolled))
        self.voided.add((seq, order.index))
        self.emit(
            "void", first.rule, read, order=str(order.index), type=order.type, code=first.code, why=first.text
        )

    def remark(self, order: Order, make: Callable[[], Iterable[Problem]], by: Iterable[int] = ()) -> None:
        """Warn of a lawful order that its author may not mean so. ``make`` is not called where nobody listens."""
        if self.remarks is not None:
            seq = max(by, default=self.on)
            self.remarks += [_placed(problem, order, seq) for problem in make()]


def _placed(problem: Problem, order: Order, seq: int) -> Problem:
    """A problem tied to its order, message and place in the file."""
    return replace(problem, place=problem.place or order.place(problem.field), order=order.index, seq=seq)

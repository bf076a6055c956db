"""The only place that knows how choices travel in messages (PROTOCOL 5): it runs steps and stops where it must wait.

A step is re-run from its checkpoint over all messages since; nothing half-done is stored. The run is a pure function
of checkpoint, messages and dice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from adjudicator.engine.core import Answer, Ask, Ctx, Event, Order, Problem, Proc, Proof, Roll, Side, Tree
from adjudicator.engine.dice import DiceSource, NotOpened

AUTO = "auto"
"""Rules of a standing order: the default, without a stop (PROTOCOL 5)."""
ASK = "ask"
"""Rules of a standing order: play stops for the side when the choice comes up (PROTOCOL 5)."""

EMPTY: tuple[Tree, ...] = ("", [], {})

S = TypeVar("S")
Step = Callable[[Ctx[S]], Proc[None]]
Begin = Callable[[Ctx[S], Side, Sequence[Order]], None]
"""What happens first of all on the dice of a message of a side: `begin` of a game, where it has any."""


@dataclass(frozen=True, slots=True)
class Message:
    """A signed message as the driver sees it: seq, author, orders, and what it proves to be as old as it says."""

    seq: int
    side: Side
    orders: tuple[Order, ...] = ()
    proofs: tuple[Proof, ...] = ()


class Waits(NamedTuple):
    """Why play stands still: ``decision`` of ``side`` on ``key``, ``opening`` by ``side``, ``over`` or ``unbuilt``."""

    why: str
    side: Side = ""
    key: str = ""


class Game(Protocol[S]):
    """What the driver needs of a game."""

    sides: tuple[Side, Side]

    def apply(self, state: S, event: Event) -> None:
        """Change the state by one event; the only place where a state changes."""

    def copy(self, state: S) -> S:
        """An independent working copy."""

    def next_step(self, state: S) -> tuple[str, Step[S]] | Waits:
        """The step that the cursor in the state stands at, or why there is none."""


class Succession(Protocol[S]):
    """Rules that change in the course of a game: which hold for the dice of a message, and how a state passes on."""

    def game_at(self, seq: int) -> Game[S]:
        """The rules for everything that happens on the dice of message `seq`."""

    def carry(self, state: S, old: Game[S], new: Game[S]) -> S:
        """A state of the old rules as the new ones hold it."""

    def alike(self, one: S, old: Game[S], two: S, new: Game[S]) -> bool:
        """Whether two states, one by the old rules and one by the new, are the same position."""


@dataclass(frozen=True)
class Checkpoint(Generic[S]):
    """Where a step begins: state, the message whose seed is in use, and the messages that were asked for.

    ``since`` is the seq that began the player turn; ``answered`` are the seqs from which choices may be read, apart
    from the orders that are ``voided``, by message and index.
    """

    state: S
    at: int = 0
    since: int = 0
    answered: tuple[int, ...] = ()
    voided: frozenset[tuple[int, int]] = frozenset()


@dataclass
class Run(Generic[S]):
    """What a run came to: the working state, all events since the checkpoint, why it stopped, and the new checkpoint.

    ``kept`` and ``kept_problems`` count the events and problems that lie before the new checkpoint. ``ask`` is the
    choice that a decision is waited for, with its listing; None where the run waits for anything else. ``hanging`` are
    the orders that a roll may undo (:meth:`Ctx.hang`). ``game`` are the rules that hold where the run ended,
    ``finished`` the steps that went on by their old rules on the dice of a message that has new ones (see
    :class:`Driver`), by that message.
    """

    state: S
    events: list[Event]
    waits: Waits
    checkpoint: Checkpoint[S]
    kept: int
    at: int
    answered: tuple[int, ...]
    problems: list[Problem] = field(default_factory=list)
    rolls: dict[tuple[int, str], tuple[int, ...]] = field(default_factory=dict)
    step: str = ""
    kept_problems: int = 0
    remarks: list[Problem] = field(default_factory=list)
    ask: Ask[Any] | None = None
    hanging: dict[tuple[int, int], str] = field(default_factory=dict)
    game: Game[S] | None = None
    finished: dict[int, str] = field(default_factory=dict)


class Told(NamedTuple):
    """Standing rules on a topic: the message they came into force with, and what keeps them from being read."""

    seq: int
    rules: Tree
    fault: str = ""


class Books(Protocol):
    """Sealed standing orders (PROTOCOL 5), as the driver asks for them."""

    def read(self, at: int, side: Side, topic: str, since: int) -> Told | None:
        """The rules of a topic in a book of `side` that governs the dice of message `at`, with the book's seq.

        None where there is no book newer than message `since`, where the topic is empty, or where it can't be read
        now. The call demands the topic: ask only when a choice of its kind is reached.
        """
        ...

    def display(self, at: int, side: Side, topic: str, since: int) -> Told | None:
        """The rules of a topic out of all books of `side` from message `since` on that govern the dice of message
        `at`, as rows of ``seq`` and ``rules``, oldest first; None where they can't be read now."""
        ...


class NoBooks:
    """Nothing was sealed."""

    def read(self, at: int, side: Side, topic: str, since: int) -> Told | None:
        """None."""
        return None

    def display(self, at: int, side: Side, topic: str, since: int) -> Told | None:
        """None."""
        return None


NO_BOOKS = NoBooks()


_Midst = tuple[Ctx[S], Proc[None], Ask[Any]]
"""A step that stands before a choice: what it sees, its run, the choice."""


@dataclass(frozen=True)
class _Begun(Generic[S]):
    """Where a step begins, with what the steps before it have left in this run; that is kept where it may be needed."""

    point: Checkpoint[S]
    events: tuple[Event, ...] = ()
    problems: tuple[Problem, ...] = ()
    rolls: dict[tuple[int, str], tuple[int, ...]] = field(default_factory=dict)
    hanging: dict[tuple[int, int], str] = field(default_factory=dict)
    remarks: tuple[Problem, ...] = ()

    @classmethod
    def after(cls, point: Checkpoint[S], ctx: Ctx[S]) -> _Begun[S]:
        """What a context has come to."""
        left = tuple(ctx.events), tuple(ctx.problems), dict(ctx.rolls), dict(ctx.hanging), tuple(ctx.remarks or ())
        return cls(point, *left)


class _Stopped(Exception):
    def __init__(self, waits: Waits, ask: Ask[Any] | None = None) -> None:
        super().__init__(waits.why)
        self.waits, self.ask = waits, ask


class Driver(Generic[S]):
    """Runs one game from a checkpoint over the messages since.

    Where the rules change (``succession``), a step begins by those of the message whose dice are in use. One that moves
    on to dice of other rules in its midst goes on by these: it is run again by them from its beginning, and where they
    tell the same up to here, it goes on from there. Where they would have told something else, what has happened
    stands, and the step is finished by the rules that it began with (PROTOCOL 7: an upgrade never reaches back).
    """

    def __init__(
        self,
        game: Game[S],
        messages: Sequence[Message],
        dice: DiceSource,
        remarks: bool = False,
        books: Books = NO_BOOKS,
        succession: Succession[S] | None = None,
    ) -> None:
        self._game = game
        self._succession = succession
        self._finished: dict[int, str] = {}
        self._books = books
        self._remarks = remarks
        self._voided: set[tuple[int, int]] = set()
        self._messages = sorted(messages, key=lambda message: message.seq)
        self._dice = dice
        self._at = 0
        self._since = 0
        self._answered: tuple[int, ...] = ()

    def run(self, start: Checkpoint[S]) -> Run[S]:
        """Play on until a choice, an opening or the end is waited for. Raises what a faulty rule raises."""
        self._at, self._since, self._answered = start.at, start.since, start.answered
        self._begun = _Begun(start)
        ctx = self._context(self._begun)
        kept, kept_problems, name = 0, 0, ""
        ask: Ask[Any] | None = None
        while True:
            step = self._game.next_step(ctx.state)
            if isinstance(step, Waits):
                waits = step
                break
            name, body = step
            try:
                ctx = self._drive(ctx, body(ctx))
            except _Stopped as stopped:
                waits, ask, ctx = stopped.waits, stopped.ask, self._ctx
                break
            self._pass_on(ctx)
            point = self._point(ctx)
            self._begun = _Begun(point) if self._succession is None else _Begun.after(point, ctx)
            kept, kept_problems = len(ctx.events), len(ctx.problems)
        return Run(
            ctx.state,
            ctx.events,
            waits,
            self._begun.point,
            kept,
            self._at,
            self._answered,
            ctx.problems,
            ctx.rolls,
            name,
            kept_problems,
            ctx.remarks or [],
            ask,
            ctx.hanging,
            self._game,
            self._finished,
        )

    def _context(self, begun: _Begun[S]) -> Ctx[S]:
        """What a step sees that begins here, with what the steps before it have left."""
        ctx: Ctx[S] = Ctx(self._game.copy(begun.point.state), self._game.apply, on=begun.point.at)
        ctx.events, ctx.problems = list(begun.events), list(begun.problems)
        ctx.rolls, ctx.hanging = dict(begun.rolls), dict(begun.hanging)
        ctx.remarks = list(begun.remarks) if self._remarks else None
        ctx.voided.update(begun.point.voided)
        self._voided = ctx.voided
        return ctx

    def _pass_on(self, ctx: Ctx[S]) -> None:
        """Between two steps the rules of the message in use take over."""
        if self._succession is None:
            return
        new = self._succession.game_at(self._at)
        if new is not self._game:
            ctx.state, ctx.apply = self._succession.carry(ctx.state, self._game, new), new.apply
            self._game = new

    def _point(self, ctx: Ctx[S]) -> Checkpoint[S]:
        """A checkpoint between two steps; of the orders made void those that could still be read."""
        voided = frozenset(mark for mark in ctx.voided if mark[0] in self._answered)
        return Checkpoint(self._game.copy(ctx.state), self._at, self._since, self._answered, voided)

    def _drive(self, ctx: Ctx[S], proc: Proc[None]) -> Ctx[S]:
        """Run a step to its end, or to where it stops; what it saw, which is another one where the rules changed."""
        reply: Any = None
        self._ctx = ctx
        while True:
            try:
                request = proc.send(reply)
            except StopIteration:
                return ctx
            if isinstance(request, Roll):
                reply = self._roll(ctx, request)
            elif isinstance(request, Ask):
                if self._succession is not None:
                    ctx, proc, request = self._by_new_rules(ctx, proc, request)
                    self._ctx = ctx
                reply = self._answer(request)
                self._move_on(ctx)
            else:
                raise TypeError(f"a step yielded {type(request).__name__}; only Ask and Roll are known")

    def _move_on(self, ctx: Ctx[S]) -> None:
        """The dice in use are those of another message."""
        if ctx.on == self._at:
            return
        ctx.on = self._at
        begin: Begin[S] | None = getattr(self._game, "begin", None)
        if begin is not None:
            message = next(m for m in self._messages if m.seq == self._at)
            begin(ctx, message.side, message.orders)

    def _by_new_rules(self, ctx: Ctx[S], proc: Proc[None], ask: Ask[Any]) -> _Midst[S]:
        """The step as it stands before a choice, by the rules that hold for the dice of the message that makes it."""
        assert self._succession is not None
        message = None if self._settled(ask) else self._asked(ask)
        new = self._game if message is None else self._succession.game_at(message.seq)
        if message is None or new is self._game:
            return ctx, proc, ask
        found = self._again(new, message.seq, ctx, ask)
        if found is None:
            self._finished[message.seq] = self._game.next_step(self._begun.point.state)[0]
            return ctx, proc, ask
        self._game, self._voided = new, found[0].voided
        return found

    def _again(self, new: Game[S], before: int, ctx: Ctx[S], ask: Ask[Any]) -> _Midst[S] | None:
        """The step run again by other rules up to the same choice; None where they tell anything otherwise."""
        assert self._succession is not None
        point = self._begun.point
        begun = replace(self._begun, point=replace(point, state=self._succession.carry(point.state, self._game, new)))
        messages = [message for message in self._messages if message.seq < before]
        other = Driver(new, messages, self._dice, self._remarks, self._books)
        found = other._so_far(begun)
        if found is None or (found[2].key, found[2].side) != (ask.key, ask.side) or other._at != self._at:
            return None
        if found[0].events != ctx.events or found[0].rolls != ctx.rolls or other._answered != self._answered:
            return None
        some = len(ctx.events) > len(self._begun.events)
        if some and not self._succession.alike(ctx.state, self._game, found[0].state, new):
            return None
        self._begun = begun
        return found

    def _so_far(self, begun: _Begun[S]) -> _Midst[S] | None:
        """Run the one step that begins here to where it stops for a choice; None where it does not."""
        self._at, self._since, self._answered = begun.point.at, begun.point.since, begun.point.answered
        ctx = self._context(begun)
        step = self._game.next_step(ctx.state)
        if isinstance(step, Waits):
            return None
        proc = step[1](ctx)
        try:
            self._drive(ctx, proc)
        except _Stopped as stopped:
            return None if stopped.ask is None else (ctx, proc, stopped.ask)
        except Exception:  # what the new rules can't run is left to the old ones
            return None
        return None

    def _roll(self, ctx: Ctx[S], request: Roll) -> tuple[int, ...]:
        if (self._at, request.label) in ctx.rolls:
            raise LabelTwice(request.label)
        try:
            return self._dice(self._at, request)
        except NotOpened:
            raise _Stopped(Waits("opening", self._opener(), request.label)) from None

    def _opener(self) -> Side:
        first, second = self._game.sides
        return second if (self._author() or second) == first else first

    def _author(self) -> Side:
        """Who wrote the message whose dice are in use; "" before the first one."""
        return next((m.side for m in self._messages if m.seq == self._at), "")

    def _answer(self, ask: Ask[Any]) -> Answer[Any]:
        settled = self._settled(ask)
        if settled is not None:
            return settled
        message = self._asked(ask)
        self._at = message.seq
        if ask.fresh:
            self._since, self._answered = message.seq, ()
        self._answered = (*self._answered, message.seq)
        answer = self._read(ask, message) or self._silent(ask)
        return replace(answer, message=message.orders, proofs=message.proofs)

    def _settled(self, ask: Ask[Any]) -> Answer[Any] | None:
        """The answer that is on file; None where a message must give it."""
        return None if ask.fresh else self._on_file(ask)

    def _asked(self, ask: Ask[Any]) -> Message:
        """The message that gives an answer. Raises _Stopped while there is none."""
        for message in self._messages:
            if message.side == ask.side and message.seq > self._at and message.seq >= ask.earliest:
                return message
        raise _Stopped(Waits("decision", ask.side, ask.key), ask)

    def _on_file(self, ask: Ask[Any]) -> Answer[Any] | None:
        if ask.forced:
            atoms = ask.atoms()
            if len(atoms) == 1:
                return Answer(atoms[0], "forced", "only one choice is lawful")
        told = [
            message
            for message in self._messages
            if message.side == ask.side and message.seq in self._answered and ask.after < message.seq <= self._at
        ]
        for i, message in enumerate(told):
            answer = self._read(ask, message)
            if answer is not None:
                later = [(m.seq, ask.find(self._fit(m))) for m in told[i + 1 :]]
                return replace(answer, later=tuple((seq, value) for seq, value in later if value is not None))
        rules = self._rules(ask)
        if rules is not None:
            return self._by_rules(ask, rules)
        unread = ask.history is not None and self._author() == ask.side  # his own dice don't open his books
        return None if ask.stop or unread else self._silent(ask)

    def _read(self, ask: Ask[Any], message: Message) -> Answer[Any] | None:
        value = ask.find(self._fit(message))
        if value is None:
            return None
        problems = ask.problems(value)
        if problems:
            return Answer(ask.default(), "default", f"{problems[0].text}; the default was taken", (message.seq,))
        return Answer(value, "order", "", (message.seq,))

    def _fit(self, message: Message) -> tuple[Order, ...]:
        """The orders of a message that are not void."""
        if not self._voided:
            return message.orders
        return tuple(order for order in message.orders if (message.seq, order.index) not in self._voided)

    def _rules(self, ask: Ask[Any]) -> Told | None:
        """Standing orders are in force for the dice of the messages after their own; of an open and a sealed one on
        the same topic the newer holds, of two in one message the later one (PROTOCOL 5)."""
        if ask.history is not None:
            return self._books.display(self._at, ask.side, ask.topic, ask.history)
        found: Told | None = None
        for message in self._messages:
            if message.side != ask.side or message.seq >= self._at or message.seq < 3:
                continue
            for order in message.orders:
                if order.type == "standing" and order.text("topic") == ask.topic:
                    found = Told(message.seq, order.data.get("rules", []))
        return self._books.read(self._at, ask.side, ask.topic, found.seq if found else 0) or found

    def _by_rules(self, ask: Ask[Any], told: Told) -> Answer[Any] | None:
        """What standing rules make of a choice; None where play must stop: where they say `ask`, or are empty.

        Rules that can't be read or obeyed give the default without a stop, `auto` gives it on purpose (PROTOCOL 5).
        """
        if told.fault:
            said_ = f"the sealed rules can't be read ({told.fault}); the default was taken"
            return Answer(ask.default(), "default", said_, (told.seq,))
        if told.rules == AUTO:
            return Answer(ask.default(), "standing", "auto: the default, by standing order", (told.seq,))
        if told.rules in (ASK, *EMPTY) and (ask.stop or (ask.askable and told.rules == ASK)):
            return None
        if ask.parted and told.rules == ask.parted:
            found = ask.by_part(lambda topic: self._part(ask, topic, told.seq))
            return None if found is None else Answer(found[0], "standing", found[1], (told.seq,))
        nothing = told.rules in (ASK, *EMPTY) and ask.history is None  # a history without a book says: none moved
        settled = None if nothing else ask.clause(told.rules)
        if settled is None or ask.problems(settled[0]):
            return Answer(ask.default(), "default", "no standing rule fits", (told.seq,))
        return Answer(settled[0], "standing", settled[1], (told.seq,))

    def _part(self, ask: Ask[Any], topic: str, seq: int) -> Tree | None:
        """A further topic of the book of message `seq`; None where it can't be read now."""
        told = self._books.read(self._at, ask.side, topic, seq - 1)
        return None if told is None else told.rules

    def _silent(self, ask: Ask[Any]) -> Answer[Any]:
        return Answer(ask.default(), "default", "no order and no standing rule")


class LabelTwice(Exception):
    """A label was rolled twice in one resolution: a fault of the rules, the game halts (PROTOCOL 4.6, E_LABEL)."""

    code = "E_LABEL"


def play(
    game: Game[S],
    start: Checkpoint[S],
    messages: Sequence[Message],
    dice: DiceSource,
    remarks: bool = False,
    books: Books = NO_BOOKS,
    succession: Succession[S] | None = None,
) -> Run[S]:
    """Run a game from a checkpoint over the messages since; with ``remarks``, the rules warn of odd orders.

    ``game`` holds the checkpoint's state; with a ``succession`` other rules follow on the dice of later messages.
    """
    return Driver(game, messages, dice, remarks, books, succession).run(start)


def standing_in_force(messages: Sequence[Message], side: Side, before: int) -> dict[str, tuple[int, Tree]]:
    """Open standing orders of a side by topic, with the seq that set them."""
    found: dict[str, tuple[int, Tree]] = {}
    for message in sorted(messages, key=lambda item: item.seq):
        if message.side == side and 3 <= message.seq < before:
            for order in message.orders:
                if order.type == "standing":
                    found[order.text("topic")] = (message.seq, order.data.get("rules", []))
    return found

"""A game as the protocol sees it: resolves message after message through the driver (PROTOCOL 4.7, 5).

What is kept between calls is the checkpoint of the step being played and the seeds since; both can be exported, so a
game folder loads the newest checkpoint and never replays the whole log for a `check`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self, cast

from adjudicator.engine.core import Event, Order, Problem, Tree, said
from adjudicator.engine.dice import DiceSource, Opened
from adjudicator.engine.driver import Checkpoint, Message, Run, Waits, play, standing_in_force
from adjudicator.engine.game import Table, beyond, message_of
from adjudicator.match.eras import RULE as UPGRADE
from adjudicator.match.eras import Eras, Shelf, stood
from adjudicator.match.facedown import carry_out, first_state, owed_by, shown_in, with_shown
from adjudicator.match.secretplans import proofs_in
from adjudicator.match.sheets import Sheets, layout_of
from adjudicator.protocol.desk import Desk
from adjudicator.protocol.dice import pick, roll
from adjudicator.protocol.ending import ended_by
from adjudicator.protocol.layout import Layout
from adjudicator.protocol.piles import NOTHING_OWED, Owed, Pile
from adjudicator.protocol.resolve import Resolution

SETUP_MESSAGES = 2
FREE_TYPES = ("standing",)
RULE = "PROTOCOL 5"


def author(table: Table, seq: int) -> str:
    """The side that writes message seq: the first side the odd ones, the second genesis and the even ones."""
    return table.sides[0] if seq % 2 else table.sides[1]


@dataclass
class MatchResolver:
    """Resolver of one match. ``last`` is the run that resolved message ``done``.

    ``table`` are the rules of genesis; the players may agree to others, which ``shelf`` holds: :meth:`table_at` gives
    those of a message. The checkpoint's state is always one of the rules for the message that it stands at.

    ``stands`` is the state after message ``done``, and what play waits for in it.

    ``messages`` hold the orders that may be read; those that no phase would judge and that are faulty by themselves
    (standing orders, answers) are kept apart in ``faulty``, to be made void.
    """

    table: Table
    checkpoint: Checkpoint[Any]
    seeds: dict[int, bytes] = field(default_factory=dict)
    messages: dict[int, Message] = field(default_factory=dict)
    done: int = -1
    last: Run[Any] | None = None
    faulty: dict[int, list[tuple[Order, Problem]]] = field(default_factory=dict)
    sheets: Sheets = field(default_factory=Sheets)
    shelf: Shelf | None = None
    stands: tuple[Any, Waits] | None = None

    def __post_init__(self) -> None:
        self.eras = Eras(self.table, self.shelf)
        self.sheets.judge = self._unreadable

    def table_at(self, seq: int) -> Table:
        """The rules for everything that happens on the dice of message `seq`."""
        return self.eras.game_at(seq)

    def _unreadable(self, side: str, topic: str, rules: Tree) -> str:
        """What keeps sealed rules from being read: the same that makes an open standing order void."""
        order = Order(0, "standing", {"topic": topic, "rules": rules, "sealed": "yes"})
        problems = self.table_at(self.checkpoint.at).refusal(self.checkpoint.state, side, order)
        return said(problems[0].text) if problems else ""

    @property
    def layout(self) -> Layout:
        """The books that the rules of genesis name: an upgrade changes none (PROTOCOL 5, 7)."""
        return layout_of(self.table)

    def resolve_at(self, desk: Desk, bodies: Sequence[Mapping[str, Any]]) -> Resolution:
        """The same with the books of both sides at hand (PROTOCOL 5)."""
        self.sheets.begin(desk)
        try:
            found = self._without_dice(desk.n, bodies) if desk.lost else self._at(desk, bodies)
            self.sheets.keep(self.checkpoint.at)
            return found if not desk.piles else _with_decks(found, desk)
        finally:
            self.sheets.end()

    def _at(self, desk: Desk, bodies: Sequence[Mapping[str, Any]]) -> Resolution:
        """Resolve on the dice of a desk, and do with its decks what has happened."""
        facedown = self.table_at(desk.n).facedown
        found = self.resolve(desk.n, bodies, desk.dice.seed)
        if facedown is not None and self.last is not None and not desk.end:
            carry_out(facedown, desk, (event for event in self.last.events if event.on == desk.n))
        return found

    def owed(self, seq: int, body: Mapping[str, Any], piles: Mapping[str, Pile]) -> Owed:
        """The openings of the cards that the orders of the next message name, and the new epochs that it owes."""
        facedown, stands = self.table_at(seq).facedown, self.stands
        if facedown is None or stands is None:
            return NOTHING_OWED
        state, waits = stands
        side = author(self.table, seq)
        asked = waits.why == "decision" and waits.side == side
        orders = message_of(seq, side, body.get("orders", [])).orders
        return owed_by(facedown, state, side, asked, orders)

    def again(self) -> MatchResolver:
        """The same game before genesis is resolved."""
        return MatchResolver.fresh(self.table, self.shelf)

    @classmethod
    def fresh(cls, table: Table, shelf: Shelf | None = None) -> Self:
        """Before genesis is resolved."""
        return cls(table, Checkpoint(first_state(table)), shelf=shelf)

    def resolve(self, n: int, bodies: Sequence[Mapping[str, Any]], seed: bytes) -> Resolution:
        """Everything that happens on seed(n), and the position after it."""
        ended = next((seq for seq in (n - 1, n) if seq > 0 and ended_by(bodies, seq)), 0)
        if ended:
            return self._after_the_end(ended, n, bodies)
        self.seeds[n] = seed
        messages = self.messages_up_to(n, bodies)
        run = self.run(messages, Opened(self.seeds, roll, pick))
        events = [*self._of_the_rules(n, run), *(event for event in run.events if event.on == n)]
        events += self._unasked(n, messages, run)
        self._keep(n, run)
        position = self._position(messages, run, n)
        return Resolution([event.tree() for event in events], position, over=run.waits.why == "over")

    def _of_the_rules(self, n: int, run: Run[Any]) -> Iterator[Event]:
        """That other rules hold from message n on, and that a step which began before them was finished without them
        (PROTOCOL 7)."""
        upgrade = self.eras.begins(n) if n else None
        if upgrade is not None:
            offered, accepted = map(str, upgrade.by)
            data: dict[str, Tree] = {"rules": upgrade.rules, "offered": offered, "accepted": accepted}
            yield Event("rules", UPGRADE, data, on=n, by=upgrade.by)
        if n in run.finished:
            yield Event("rules-later", UPGRADE, {"step": run.finished[n]}, on=n, by=(n,))

    def _after_the_end(self, ended: int, n: int, bodies: Sequence[Mapping[str, Any]]) -> Resolution:
        """A player resigned or agreed to a draw in message `ended`: its orders are void, nothing more happens."""
        messages, run = self._as_it_stood(ended - 1, n, bodies)
        run.waits = Waits("over")
        void = message_of(n, author(self.table, n), bodies[n].get("orders", [])).orders
        events = [self._void(n, order, Problem("ended", "PROTOCOL 7", "this message ends the game")) for order in void]
        return Resolution([event.tree() for event in events], self._position(messages, run, n), over=True)

    def _without_dice(self, n: int, bodies: Sequence[Mapping[str, Any]]) -> Resolution:
        """The opener of n lost his chain: nothing happens, and the author of n says his orders anew (PROTOCOL 7)."""
        messages, run = self._as_it_stood(n - 1, n, bodies)
        return Resolution([], self._position(messages, run, n))

    def _as_it_stood(
        self, before: int, n: int, bodies: Sequence[Mapping[str, Any]]
    ) -> tuple[list[Message], Run[Any]]:
        """The messages up to one, and the run over them: what comes after it changes nothing. Message n is done."""
        messages = self.messages_up_to(before, bodies)
        run = self.run(messages, Opened(self.seeds, roll, pick))
        self.last, self.done, self.stands = run, n, (run.state, run.waits)
        return messages, run

    def messages_up_to(self, n: int, bodies: Sequence[Mapping[str, Any]]) -> list[Message]:
        """The messages a run needs: all since the checkpoint, and the standing orders of those before.

        One whose opener lost his chain is left out: its orders are said anew.
        """
        for seq in range(max(1, self.checkpoint.at), n + 1):
            self.eras.note(seq, bodies)
            if seq + 1 < len(bodies) and "lost" in bodies[seq + 1]:
                self.messages.pop(seq, None)
            elif seq not in self.messages or seq > self.done:
                orders = bodies[seq].get("orders", [])
                read = message_of(seq, author(self.table, seq), orders)
                laid = with_shown(read.orders, shown_in(bodies[seq]))
                self._take(replace(read, orders=laid, proofs=proofs_in(bodies[seq])), beyond(orders))
        return [self.messages[seq] for seq in sorted(self.messages) if seq <= n]

    def _take(self, message: Message, unread: list[tuple[Order, Problem]]) -> None:
        """Take a message in, without what is faulty by itself."""
        table, now = self.table_at(message.seq), self.table_at(self.checkpoint.at)
        state = self.checkpoint.state if table is now else self.eras.carry(self.checkpoint.state, now, table)
        judged = [(order, table.refusal(state, message.side, order)) for order in message.orders]
        self.faulty[message.seq] = [(order, problems[0]) for order, problems in judged if problems] + unread
        self.messages[message.seq] = replace(message, orders=tuple(o for o, problems in judged if not problems))

    def run(self, messages: Sequence[Message], dice: DiceSource, remarks: bool = False) -> Run[Any]:
        """Play on from the checkpoint over these messages; changes nothing."""
        return self.go_on(self.checkpoint, messages, dice, remarks)

    def go_on(
        self, point: Checkpoint[Any], messages: Sequence[Message], dice: DiceSource, remarks: bool = False
    ) -> Run[Any]:
        """Play on from any checkpoint of a run of this match, by the rules of each message and with the books of both
        sides; changes nothing."""
        later = self.eras if self.eras.change_after(point.at) else None
        return play(self.table_at(point.at), point, messages, dice, remarks, self.sheets, later)

    def _keep(self, n: int, run: Run[Any]) -> None:
        point = self.checkpoint = run.checkpoint
        self.last, self.done, self.stands = run, n, (run.state, run.waits)
        self.seeds = {seq: seed for seq, seed in self.seeds.items() if seq >= point.at}
        self.faulty.clear()
        kept = {
            seq: message if seq >= point.at or seq in point.answered else _standing_only(message)
            for seq, message in self.messages.items()
        }
        self.messages = {seq: message for seq, message in kept.items() if seq >= point.at or message.orders}

    def _unasked(self, n: int, messages: Sequence[Message], run: Run[Any]) -> list[Event]:
        """Orders of a side that was not asked are void, and faulty ones that no phase judges; open standing orders
        are noted (PROTOCOL 5)."""
        message = next((m for m in messages if m.seq == n), None)
        if message is None:
            return []
        found = [self._noted(n, order) for order in message.orders if order.type in FREE_TYPES]
        if n <= SETUP_MESSAGES or n not in run.answered:
            free = (*FREE_TYPES, *self.table.setup_types) if n <= SETUP_MESSAGES else FREE_TYPES
            found += [self._void(n, order, _unasked(n)) for order in message.orders if order.type not in free]
        return found + [self._void(n, order, problem) for order, problem in self.faulty.get(n, ())]

    def _noted(self, n: int, order: Order) -> Event:
        if n <= SETUP_MESSAGES:
            return self._void(n, order, _unasked(n))
        return Event("standing", RULE, {"topic": order.text("topic"), "side": author(self.table, n)}, on=n, by=(n,))

    def _void(self, n: int, order: Order, problem: Problem) -> Event:
        data: dict[str, Tree] = {
            "order": str(order.index), "type": order.type, "code": problem.code, "why": said(problem.text),
            "side": author(self.table, n),
        }
        return Event("void", problem.rule, data, on=n, by=(n,))

    def _position(self, messages: Sequence[Message], run: Run[Any], n: int) -> dict[str, Any]:
        waits = {"why": run.waits.why, "side": run.waits.side, "key": run.waits.key}
        standing = [
            {"side": side, "topic": topic, "seq": str(seq), "rules": rules}
            for side in sorted(self.table.sides)
            for topic, (seq, rules) in sorted(standing_in_force(messages, side, n + 1).items())
        ]
        tree: dict[str, Any] = {
            **table_of_run(run, self.table).position(run.state),
            "waits": {key: value for key, value in waits.items() if value},
            "at": str(run.at),
            "answered": [str(seq) for seq in run.answered],
            "standing": standing,
            "books": self.sheets.position(),
        }
        return {key: value for key, value in tree.items() if value not in ([], {}, "")}

    def export(self) -> dict[str, Any]:
        """The checkpoint as a plain tree, for the game folder."""
        point = self.checkpoint
        return {
            **self.sheets.export(),
            "position": self.table_at(point.at).position(point.state),
            **({"agreed": agreed} if (agreed := self.eras.export()) else {}),
            **self._standing_still(),
            "at": str(point.at),
            "since": str(point.since),
            "answered": [str(seq) for seq in point.answered],
            "voided": [{"seq": str(seq), "order": str(index)} for seq, index in sorted(point.voided)],
            "seeds": [{"seq": str(seq), "seed": seed.hex()} for seq, seed in sorted(self.seeds.items())],
            "older": [_message_row(message) for seq, message in sorted(self.messages.items()) if seq < point.at],
            "done": str(self.done),
        }

    def _standing_still(self) -> dict[str, Any]:
        """Where play stands, for a game in which that says what a message owes (PROTOCOL 6)."""
        if self.stands is None or self.table.facedown is None:
            return {}
        state, waits = self.stands
        return {"stands": self.table_at(self.done).position(state), "waits": list(waits)}

    @classmethod
    def restored(cls, table: Table, tree: Mapping[str, Any], shelf: Shelf | None = None) -> MatchResolver:
        """From an exported tree. Raises ValueError or KeyError for a tree of another form, and what the shelf raises
        where rules are missing."""
        answered = tuple(int(seq) for seq in tree["answered"])
        voided = frozenset((int(row["seq"]), int(row["order"])) for row in tree["voided"])
        seeds = {int(row["seq"]): bytes.fromhex(row["seed"]) for row in tree["seeds"]}
        older = {int(row["seq"]): _message_of_row(row) for row in tree["older"]}
        at, done, blank = int(tree["at"]), int(tree["done"]), Checkpoint(None)
        found = cls(table, blank, seeds, older, done=done, sheets=Sheets.restored(tree), shelf=shelf)
        found.eras.restore(tree.get("agreed", []))
        state = stood(found.table_at(at), tree["position"])
        found.checkpoint = Checkpoint(state, at, int(tree["since"]), answered, voided)
        if "stands" in tree:
            found.stands = stood(found.table_at(done), tree["stands"]), Waits(*tree["waits"])
        return found


def _with_decks(found: Resolution, desk: Desk) -> Resolution:
    """A resolution whose position shows the decks as everybody sees them (PROTOCOL 6)."""
    decks = {"decks": desk.decks_position(), "shows": desk.shows_position()}
    position = {**found.position, **{name: value for name, value in decks.items() if value}}
    return found._replace(position=position)


def table_of_run(run: Run[Any], table: Table) -> Table:
    """The rules that a run ended by, which its state belongs to; those given where it does not say."""
    return table if run.game is None else cast(Table, run.game)


def _unasked(n: int) -> Problem:
    """Why an order comes to nothing whatever it says."""
    if n <= SETUP_MESSAGES:
        return Problem("unasked", "PROTOCOL 4.1", "messages 1 and 2 carry no orders")
    return Problem("unasked", RULE, "this side was not asked")


def _standing_only(message: Message) -> Message:
    return Message(message.seq, message.side, tuple(o for o in message.orders if o.type in FREE_TYPES))


def _message_row(message: Message) -> dict[str, Any]:
    """A message as a plain tree. Each order keeps its index in the signed body, since events and voids name it."""
    orders = [
        {"index": str(order.index), "order": {"type": order.type, **order.data}, "shown": _shown_row(order)}
        for order in message.orders
    ]
    return {"seq": str(message.seq), "side": message.side, "orders": orders}


def _message_of_row(row: Mapping[str, Any]) -> Message:
    read = message_of(int(row["seq"]), row["side"], [item["order"] for item in row["orders"]])
    indexed = zip(read.orders, row["orders"], strict=True)
    return replace(read, orders=tuple(_indexed(order, item) for order, item in indexed))


def _shown_row(order: Order) -> dict[str, Any]:
    return {card: dict(opened) for card, opened in order.shown.items()}


def _indexed(order: Order, item: Mapping[str, Any]) -> Order:
    return replace(order, index=int(item["index"]), shown=item.get("shown", {}))

"""The verifier: takes genesis, then messages one at a time, and says what each is (PROTOCOL 4.8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudicator.protocol import sshsig
from adjudicator.protocol.checkpoint import Checkpoint, read_checkpoint, write_checkpoint
from adjudicator.protocol.checks import (
    check_before_resolution,
    check_end,
    check_replaces,
    check_sender,
    check_state,
)
from adjudicator.protocol.fields import uint
from adjudicator.protocol.genesis import check_genesis
from adjudicator.protocol.history import Bodies, Body, History, Player
from adjudicator.protocol.labels import LabelError
from adjudicator.protocol.message import Message, message_id
from adjudicator.protocol.resolve import Resolved, Resolver, check_resolution, state_digest
from adjudicator.protocol.verdicts import Kind, ProtocolError, Verdict
from adjudicator.turnfile.canon import canon_body
from adjudicator.turnfile.nodes import Tree


class Verifier:
    """One game as one side knows it: log, ids, digests, the newest resolution.

    `receive` never raises for a bad message, it returns a verdict. Everything it accepts has been checked from
    nothing, or rests on a checkpoint of a verifier that did (`export`, `restore`).
    """

    def __init__(self, genesis: Message, resolver: Resolver) -> None:
        """Begin with a signed genesis. Raises ProtocolError (E_VERSION E_FIELD E_RULES E_KEY E_SIG)."""
        check_genesis(genesis.body)
        self._history = History(genesis, Bodies([genesis.body], 1), [genesis.id], [])
        sshsig.verify(genesis.canonical, genesis.sig, self._history.b.raw_key)
        self._resolver = resolver
        self._last: Resolved | None = None
        self._over_at: int | None = None
        self._failed: Verdict | None = None
        self._waiting: dict[str, Message] = {}
        self._forks: dict[str, Message] = {}
        self._replaced = 0

    # -- what is known ---------------------------------------------------------------------------------------

    @property
    def genesis(self) -> Message:
        """The signed genesis."""
        return self._history.genesis

    @property
    def game_id(self) -> str:
        """id(0), in hex."""
        return self._history.game_id

    @property
    def players(self) -> tuple[Player, Player]:
        """Player a (odd messages) and player b (even messages)."""
        return self._history.a, self._history.b

    def player(self, side: str) -> Player:
        """The player of a side. KeyError for a side that does not play."""
        return self._history.player(side)

    def key(self, side: str) -> str:
        """The key line in force for the next message of `side`."""
        return self._history.player(side).key

    @property
    def rules(self) -> str:
        """The rules hash that the next message carries."""
        return self._history.rules(self.next_seq)

    @property
    def head(self) -> int:
        """Seq of the newest accepted message; 0 after genesis."""
        return self._history.head

    @property
    def head_id(self) -> str:
        """id(head), in hex."""
        return self._history.ids[-1]

    def id(self, seq: int) -> str:
        """id(seq), in hex. IndexError for a message that is not there."""
        return self._history.ids[_index(seq, self.head)]

    def body(self, seq: int) -> Body:
        """The body of an accepted message (0: genesis). IndexError for a message that is not there."""
        return self._history.bodies[_index(seq, self.head)]

    @property
    def bodies(self) -> Sequence[Body]:
        """Genesis and the accepted messages."""
        return self._history.bodies

    @property
    def next_seq(self) -> int:
        """Seq of the message that is due."""
        return self.head + 1

    @property
    def next_side(self) -> str:
        """The side that writes the next message."""
        return self._history.author(self.next_seq).side

    def next_link(self, side: str) -> int:
        """Number of the link that the next message of `side` opens."""
        player = self._history.player(side)
        seq = self.next_seq if self._history.author(self.next_seq) is player else self.next_seq + 1
        return self._history.link_number(seq)

    @property
    def resolved(self) -> int:
        """The newest resolved message: head - 1, or head after `open_head`; -1 when none is resolved."""
        return -1 if self._last is None else self._last.n

    @property
    def last(self) -> Resolved | None:
        """The newest resolution."""
        return self._last

    def digest(self, seq: int) -> str:
        """digest(seq) in hex, -1 <= seq <= resolved. IndexError otherwise."""
        return self._history.digest(seq)

    def seed(self, seq: int) -> bytes:
        """seed(seq) of a resolved message. IndexError otherwise."""
        if self._last is not None and seq == self._last.n:
            return self._last.seed
        opener = self._history.bodies[_index(seq + 1, self.head)]
        return self._history.seed(_index(seq, self.head), bytes.fromhex(str(opener["reveal"])))

    @property
    def over_at(self) -> int | None:
        """The message in whose resolution the game ended, as far as resolved."""
        return self._over_at

    @property
    def over(self) -> bool:
        """The game is over; the next two messages close the log with `final`."""
        return self._over_at is not None

    @property
    def closed(self) -> bool:
        """The log is closed: game over and both final openings there. A log without this is unfinished."""
        return self._over_at is not None and self.head >= self._over_at + 2

    @property
    def failed(self) -> Verdict | None:
        """The halt, if the engine failed on a message: its seq and code (E_LABEL, HALT)."""
        return self._failed

    @property
    def waiting(self) -> list[Message]:
        """Messages kept because one before them is missing, or because the engine failed (E_GAP, halt)."""
        return list(self._waiting.values())

    @property
    def forks(self) -> list[Message]:
        """Second bodies of played messages: with the log each is a proof (E_FORK)."""
        return list(self._forks.values())

    @property
    def replaced(self) -> int:
        """How many accepted messages carry `replaces`."""
        return self._replaced

    # -- messages --------------------------------------------------------------------------------------------

    def receive(self, message: Message) -> Verdict:
        """Check a message in the order of PROTOCOL 4.8 and keep it if it is the next one of the game."""
        verdict = self.check(message)
        self._waiting.pop(message.id, None)
        if verdict.ok:
            self._accept(message)
        elif verdict.kind in (Kind.WAIT, Kind.HALT):
            self._waiting[message.id] = message
        elif verdict.kind is Kind.PROOF:
            self._forks[message.id] = message
        return verdict

    def check(self, message: Message) -> Verdict:
        """The verdict on a message, without taking it in. (The dice it opens may be resolved: they are fixed.)"""
        try:
            return self._judge(message)
        except ProtocolError as error:
            verdict = error.verdict
            seq = verdict.seq if verdict.seq is not None else uint(message.body.get("seq"))
            return Verdict(verdict.code, seq, verdict.text, message.id)

    def retry(self) -> list[Verdict]:
        """Take in what waited and is now due; the verdicts of the messages that were tried."""
        verdicts: list[Verdict] = []
        while due := [one for one in self._waiting.values() if int(one.text("seq")) <= self.next_seq]:
            for message in due:
                del self._waiting[message.id]
                verdicts.append(self.receive(message))
            if self._failed:
                break
        return verdicts

    def open_head(self, link: bytes) -> Resolved:
        """Resolve the head with the link that the next message will open: what its writer sees before he writes.

        Raises ProtocolError: E_REVEAL for a wrong link, a halt code when the engine fails.
        """
        self._history.check_link(self.next_seq, link)
        return self._resolve(self.head, link)

    def _judge(self, message: Message) -> Verdict:
        history = self._history
        if message.body.get("type") == "genesis":
            return self._judge_genesis(message)
        seq = check_sender(history, message)
        if seq <= history.head:
            return self._judge_played(message, seq)
        if seq > history.head + 1:
            history.check_later_link(seq, message.text("link"), bytes.fromhex(message.text("reveal")))
            return Verdict("E_GAP", seq, f"the next message of this game is {history.head + 1}", message.id)
        self._check_at(message, seq)
        return Verdict("OK", seq, "", message.id)

    def _judge_genesis(self, message: Message) -> Verdict:
        """A genesis that comes again, or that of another game; a second one on an offer is the journal's business."""
        if message.id == self.game_id:
            return Verdict("DUPLICATE", 0, "", message.id)
        return Verdict("E_GAME", 0, f"it is the genesis of game {message.id[:12]}", message.id)

    def _judge_played(self, message: Message, seq: int) -> Verdict:
        """A message for a seq that is in the log: the same again, a fork, or one that was truly replaced."""
        played = self._history.ids[seq]
        if message.id == played:
            return Verdict("DUPLICATE", seq, "", message.id)
        if _replaced_id(self._history.bodies[seq]) == message.id:
            self._check_at(message, seq)  # raises what it was rejected for; if it passes, the excuse was false
        text = f"ours is {played[:12]}, this one {message.id[:12]}; both are signed"
        return Verdict("E_FORK", seq, text, message.id)

    def proves_fork(self, one: Message, two: Message) -> bool:
        """Whether two messages prove that their author signed two bodies for one seq (PROTOCOL 4.8).

        Needs the log up to seq - 1, no more. A pair is excused when one names the other in `replaces` and the
        log shows the named one invalid.
        """
        try:
            seq, other = check_sender(self._history, one), check_sender(self._history, two)
        except ProtocolError:
            return False
        if one.id == two.id or seq != other or seq > self.next_seq:
            return False
        pairs = ((one, two), (two, one))
        return not any(_replaced_id(new.body) == old.id and self._invalid_at(old, seq) for new, old in pairs)

    def _invalid_at(self, message: Message, seq: int) -> bool:
        try:
            self._check_at(message, seq)
        except ProtocolError as error:
            return error.verdict.kind is Kind.REJECT
        return False

    def _check_at(self, message: Message, seq: int) -> None:
        """All checks of a message at its seq, with the log up to seq - 1; raises ProtocolError."""
        over_at = self._over_at if self._over_at is not None and self._over_at < seq else None
        check_replaces(self._history, message.body)
        link = check_before_resolution(self._history, message, seq, over_at)
        if seq - 1 > self.resolved:
            self._resolve(seq - 1, link)
            over_at = self._over_at
        check_end(message.body, seq, over_at)
        check_state(self._history, message, seq)

    def _accept(self, message: Message) -> None:
        self._history.add(message)
        self._replaced += "replaces" in message.body

    # -- resolution ------------------------------------------------------------------------------------------

    def _resolve(self, n: int, link: bytes) -> Resolved:
        """Resolution of the head, once; its seed can't change any more, so it is kept."""
        seed = self._history.seed(n, link)
        if self._last is not None and self._last.n == n and self._last.seed == seed:
            return self._last
        if self._failed is not None:
            raise _error(self._failed)
        try:
            resolution = self._resolver.resolve(n, self._history.bodies, seed)
            events, position = check_resolution(n, resolution)
        except Exception as error:  # whatever an engine raises halts the game, it never rejects a message
            self._failed = _halt(n, error)
            raise _error(self._failed) from error
        self._last = Resolved(n, seed, resolution, state_digest(self._history.digest(n - 1), events, position))
        self._history.digests.append(self._last.digest)
        if resolution.over and self._over_at is None:
            self._over_at = n
        return self._last

    # -- checkpoints -----------------------------------------------------------------------------------------

    def export(self) -> dict[str, Tree]:
        """All that was verified, as a plain tree, so that the log need not be verified again.

        After `open_head` it holds the seed of the head, which only the next message makes public: keep it
        private then (`resolved == head`).
        """
        return write_checkpoint(
            Checkpoint(
                self.game_id,
                tuple(self._history.ids),
                tuple(self._history.digests),
                self._last,
                self._over_at,
                self._replaced,
                tuple(self._waiting.values()),
                tuple(self._forks.values()),
            )
        )

    @classmethod
    def restore(
        cls, state: Mapping[str, Tree], genesis: Message, bodies: Sequence[Body], resolver: Resolver
    ) -> Verifier:
        """A verifier as it was at `export`. `bodies` are genesis and the messages of the log (more do no harm).

        No signature is checked and nothing is resolved again; the resolver goes on with `resolved + 1`. Raises
        ValueError when the state is damaged or belongs to another log: verify the log from the beginning then.
        """
        point = read_checkpoint(state)
        if point.game != genesis.id or point.ids[0] != genesis.id or len(bodies) < len(point.ids):
            raise ValueError("the checkpoint belongs to another log")
        _check_same_log(point, bodies)
        self = cls.__new__(cls)
        history_bodies = Bodies(bodies, len(point.ids))
        self._history = History(genesis, history_bodies, list(point.ids), list(point.digests))
        self._resolver, self._last, self._over_at = resolver, point.last, point.over_at
        self._failed, self._replaced = None, point.replaced
        self._waiting = {message.id: message for message in point.waiting}
        self._forks = {message.id: message for message in point.forks}
        return self


def _index(seq: int, last: int) -> int:
    if not 0 <= seq <= last:
        raise IndexError(f"there is no message {seq}, the newest is {last}")
    return seq


def _check_same_log(point: Checkpoint, bodies: Sequence[Body]) -> None:
    """Genesis and newest message bind all between, each names the id before it."""
    for at in {0, len(point.ids) - 1}:
        try:
            found = message_id(canon_body(bodies[at]))
        except ProtocolError as error:
            raise ValueError(str(error)) from None
        if found != point.ids[at]:
            raise ValueError(f"the checkpoint has another message {at} than the log")


def _replaced_id(body: Body) -> Tree | None:
    replaces = body.get("replaces")
    return replaces.get("id") if isinstance(replaces, dict) else None


def _halt(n: int, error: Exception) -> Verdict:
    code = "E_LABEL" if getattr(error, "code", "") == LabelError.code else "HALT"
    return Verdict(code, n, f"{type(error).__name__}: {error}")


def _error(verdict: Verdict) -> ProtocolError:
    return ProtocolError(verdict.code, verdict.text, verdict.seq, verdict.id)

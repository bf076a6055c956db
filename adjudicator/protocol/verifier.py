"""The verifier: takes genesis, then messages one at a time, and says what each is (PROTOCOL 4.8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from adjudicator.protocol import sshsig
from adjudicator.protocol.checkpoint import Checkpoint, read_checkpoint, write_checkpoint
from adjudicator.protocol.checks import check_before_resolution, check_replaces, check_sender, check_state
from adjudicator.protocol.court import NOTHING_LOST, Court
from adjudicator.protocol.desk import Source, Wanted
from adjudicator.protocol.ending import check_end
from adjudicator.protocol.fields import uint
from adjudicator.protocol.forms import Row
from adjudicator.protocol.genesis import check_genesis
from adjudicator.protocol.history import Bodies, Body, Chain, History, Player
from adjudicator.protocol.housekeeping import check_reanchor, check_rekey, check_upgrade
from adjudicator.protocol.layout import Layout
from adjudicator.protocol.message import Message, message_id
from adjudicator.protocol.openings import check_demanded, check_final, check_openings, check_sealed, source_of
from adjudicator.protocol.piles import Owed, Pile, check_shows, check_transfers, check_uses
from adjudicator.protocol.resolve import DeskResolver, LossResolver, Resolved, Resolver
from adjudicator.protocol.verdicts import Kind, ProtocolError, Verdict
from adjudicator.turnfile.canon import canon_body
from adjudicator.turnfile.nodes import Tree


class Verifier:
    """One game as one side knows it: log, ids, digests, the newest resolution.

    `receive` never raises for a bad message, it returns a verdict. Everything it accepts has been checked from
    nothing, or rests on a checkpoint of a verifier that did (`export`, `restore`).
    """

    def __init__(self, genesis: Message, resolver: Resolver | DeskResolver) -> None:
        """Begin with a signed genesis. Raises ProtocolError (E_VERSION E_FIELD E_RULES E_KEY E_DECK E_SIG)."""
        check_genesis(genesis.body)
        self._history = History(genesis, Bodies([genesis.body], 1), [genesis.id], [])
        sshsig.verify(genesis.canonical, genesis.sig, self._history.b.raw_key)
        self._court = Court(self._history, resolver)
        self._waiting: dict[str, Message] = {}
        self._forks: dict[str, Message] = {}
        self._replaced = 0
        self._restored = 0

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
        return self._history.key(self._history.player(side).side, self.next_seq_of(side))[0]

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

    def next_seq_of(self, side: str) -> int:
        """Seq of the next message of `side`."""
        player = self._history.player(side)
        return self.next_seq if self._history.author(self.next_seq) is player else self.next_seq + 1

    def next_link(self, side: str) -> int:
        """Number of the link that the next message of `side` opens, on its present chain."""
        return self._history.link_number(self.next_seq_of(side))

    def chain(self, side: str) -> Chain:
        """The chain on which the next message of `side` opens a link."""
        return self._history.chain(self.next_seq_of(side))

    @property
    def resolved(self) -> int:
        """The newest resolved message: head - 1, or head after `open_head`; -1 when none is resolved."""
        return self._court.resolved

    @property
    def last(self) -> Resolved | None:
        """The newest resolution."""
        return self._court.last

    def digest(self, seq: int) -> str:
        """digest(seq) in hex, -1 <= seq <= resolved. IndexError otherwise."""
        return self._history.digest(seq)

    def seed(self, seq: int) -> bytes:
        """seed(seq) of a resolved message; b"" where its opener lost his chain. IndexError otherwise."""
        if self._court.last is not None and seq == self._court.last.n:
            return self._court.last.seed
        opener = self._history.bodies[_index(seq + 1, self.head)]
        if "lost" in opener:
            return b""
        return self._history.seed(_index(seq, self.head), bytes.fromhex(str(opener["reveal"])))

    @property
    def over_at(self) -> int | None:
        """The message in whose resolution the game ended, as far as resolved."""
        return self._court.over_at

    @property
    def over(self) -> bool:
        """The game is over; the next two messages close the log with `final`."""
        return self._court.over_at is not None

    @property
    def closed(self) -> bool:
        """The log is closed: game over and both final openings there. A log without this is unfinished."""
        if self._history.bodies[self.head].get("end") == "claim":
            return True
        return self._court.over_at is not None and self.head >= self._court.over_at + 2

    @property
    def failed(self) -> Verdict | None:
        """The halt, if the engine failed on a message: its seq and code (E_LABEL, HALT)."""
        return self._court.failed

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

    @property
    def restored(self) -> int:
        """How many accepted messages carry `restored`."""
        return self._restored

    # -- messages --------------------------------------------------------------------------------------------

    def receive(self, message: Message) -> Verdict:
        """Check a message in the order of PROTOCOL 4.8 and keep it if it is the next one of the game."""
        verdict = self.check(message)
        self._waiting.pop(message.id, None)
        if verdict.ok:
            self._accept(message)
        elif verdict.kind is Kind.HALT or (
            verdict.kind is Kind.WAIT and self._leads_down(message, int(message.text("seq")))
        ):
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
            return verdict._replace(seq=seq, id=message.id)

    def retry(self) -> list[Verdict]:
        """Take in what waited and is now due; the verdicts of the messages that were tried."""
        verdicts: list[Verdict] = []
        while due := [one for one in self._waiting.values() if int(one.text("seq")) <= self.next_seq]:
            head = self.head
            for message in due:
                del self._waiting[message.id]
                verdicts.append(self.receive(message))
            if self._court.failed or self.head == head:
                break  # what halted waits on: it would only halt again
        return verdicts

    def open_head(self, link: bytes, source: Source | None = None) -> Resolved:
        """Resolve the head with the link that the next message will open: what its writer sees before he writes.

        `source` gives the openings of his own books that are demanded (`OwnBooks.source`). Raises ProtocolError:
        E_REVEAL for a wrong link, E_SEAL for a demanded topic without opening, a halt code when the engine fails.
        """
        self._history.check_link(self.next_seq, link)
        return self._court.resolve(self.head, link, source or source_of({}))

    def open_lost(self) -> Resolved:
        """What the head comes to without its dice, for a message with `lost`. Raises ProtocolError.

        Nothing is taken in: until such a message is accepted the dice may yet be opened.
        """
        return self._before_lost(self.next_seq)._court.resolve(self.head, NOTHING_LOST, source_of({}))

    def _judge(self, message: Message) -> Verdict:
        history = self._history
        if message.body.get("type") == "genesis":
            return self._judge_genesis(message)
        seq = check_sender(history, message)
        if seq <= history.head:
            return self._judge_played(message, seq)
        if seq > history.head + 1:
            text = f"the next message of this game is {history.head + 1}"
            kept = self._leads_down(message, seq)
            text += "" if kept else "; it can't be judged before those are here and is not kept: ask for it again then"
            return Verdict("E_GAP", seq, text, message.id)
        self._check_at(message, seq)
        return Verdict("OK", seq, "", message.id)

    def _leads_down(self, message: Message, seq: int) -> bool:
        """Whether a message that comes too early opens a link of its author's known chain; only such are kept."""
        if "lost" in message.body:
            return False
        return self._history.leads_down(seq, message.text("link"), bytes.fromhex(message.text("reveal")))

    def _judge_genesis(self, message: Message) -> Verdict:
        """A genesis that comes again, or that of another game; a second one on an offer is the journal's business.

        A body that only says it is a genesis is judged as one (E_VERSION, E_FIELD, ..).
        """
        if message.id == self.game_id:
            return Verdict("DUPLICATE", 0, "", message.id)
        check_genesis(message.body)
        return Verdict("E_GAME", 0, f"it is the genesis of game {message.id[:12]}", message.id)

    def _judge_played(self, message: Message, seq: int) -> Verdict:
        """A message for a seq that is in the log: the same again, a fork, or one that was truly replaced."""
        played = self._history.ids[seq]
        if message.id == played:
            return Verdict("DUPLICATE", seq, "", message.id)
        if _replaced_id(self._history.bodies[seq]) == message.id:
            self._check_at(message, seq)  # raises what it was rejected for; if it passes, the excuse was false
        if "restored" in self._history.bodies[seq] and "restored" not in message.body:
            text = f"void: its author restored the log in his message {seq}, this one was signed before"
            return Verdict("DUPLICATE", seq, text, message.id)
        text = f"ours is {played[:12]}, this one {message.id[:12]}; both are signed"
        return Verdict("E_FORK", seq, text, message.id)

    def proves_fork(self, one: Message, two: Message) -> bool:
        """Whether two messages prove that their author signed two bodies for one seq (PROTOCOL 4.8).

        Needs the log up to seq - 1, no more. A pair is excused when one names the other in `replaces` and the
        log shows the named one invalid, or when one was signed before its author restored the log by the other.
        """
        try:
            seq, other = check_sender(self._history, one), check_sender(self._history, two)
        except ProtocolError:
            return False
        if one.id == two.id or seq != other or seq > self.next_seq:
            return False
        if self._excused(one, two, seq):
            return False
        pairs = ((one, two), (two, one))
        return not any(_replaced_id(new.body) == old.id and self._invalid_at(old, seq) for new, old in pairs)

    def _excused(self, one: Message, two: Message, seq: int) -> bool:
        """Whether one of them rightly carries `restored`, and the log has not the other one (PROTOCOL 8)."""
        if ("restored" in one.body) == ("restored" in two.body):
            return False
        new, old = (one, two) if "restored" in one.body else (two, one)
        played = seq <= self.head and self.id(seq) == old.id
        return not played and not self._invalid_at(new, seq)

    def _invalid_at(self, message: Message, seq: int) -> bool:
        try:
            self._check_at(message, seq)
        except ProtocolError as error:
            return error.verdict.kind is Kind.REJECT
        return False

    def _check_at(self, message: Message, seq: int) -> None:
        """All checks of a message at its seq, with the log up to seq - 1; raises ProtocolError."""
        if seq - 1 < self.resolved and self._court.piles:
            self._as_on_its_day(seq)._check_here(message, seq)
        elif "lost" in message.body:
            self._before_lost(seq)._check_here(message, seq)
        else:
            self._check_here(message, seq)

    def _before_lost(self, seq: int) -> Verifier:
        """Where a message with `lost` is judged: apart, since its author may yet open the dice if it is refused."""
        return self._as_on_its_day(seq) if seq - 1 > self.resolved and self._court.can_lose else self

    def _check_here(self, message: Message, seq: int) -> None:
        """The same where the court stands at most one message before."""
        history, body, court = self._history, message.body, self._court
        over_at = court.over_at if court.over_at is not None and court.over_at < seq else None
        check_replaces(history, body)
        link = check_before_resolution(history, message, seq, over_at)
        opened = check_openings(history, court.layout, seq, body.get("open"), seq - 1)
        if seq - 1 > self.resolved or (not link and seq - 1 == self.resolved):
            court.resolve(seq - 1, link, source_of(opened))
            over_at = court.over_at if court.over_at is not None and court.over_at < seq else None
        check_demanded(court.demanded.get(seq - 1, ()), opened, seq)
        self._check_after(body, seq)
        check_end(body, seq, over_at)
        if "final" in body:
            check_final(history, court.layout, body, seq)
        if link or seq > history.head or "lost" in history.bodies[seq]:
            check_state(history, message, seq)  # else it was resolved with dice: what `lost` made of it is not known

    def _check_after(self, body: Body, seq: int) -> None:
        """What a message brings of its own, looked at with the state after seq - 1: cards, books, housekeeping."""
        history, court = self._history, self._court
        side = history.author(seq).side
        if court.piles:
            owed = court.owed(seq, body)
            check_uses(court.piles, side, owed.uses, body.get("cards"))
            check_shows(court.piles, side, body.get("show"))
        else:
            owed = Owed()
            check_uses({}, side, (), body.get("cards"))
            check_shows({}, side, body.get("show"))
        check_sealed(court.layout, body, seq)
        check_openings(history, court.layout, seq, body.get("history"), seq)
        check_transfers(court.piles, side, owed.transfers, body.get("decks"))
        check_reanchor(history, body, seq)
        check_rekey(history, body, seq)
        check_upgrade(history, body, seq)

    def _as_on_its_day(self, seq: int) -> Verifier:
        """A verifier at the head seq - 1 of its own: the game played again up to there."""
        resolver = self._court.resolver
        assert isinstance(resolver, DeskResolver | LossResolver)
        then = Verifier(self.genesis, resolver.again())
        for at in range(1, seq):
            then._follow(self, at)
        return then

    def _follow(self, played: Verifier, at: int) -> Resolved:
        """Resolve message at - 1 as it was, and take message `at` in, of a log that was verified before."""
        body = played.body(at)
        opened = check_openings(self._history, self._court.layout, at, body.get("open"), at - 1)
        resolved = self._court.resolve_on(at - 1, played.seed(at - 1), source_of(opened))
        self._history.add(Message.of(body, ""))
        return resolved

    def replay(self, resolver: Resolver | DeskResolver, source: Source | None = None) -> Iterator[Resolved]:
        """Every resolution so far once more, from genesis on, by a fresh resolver; no signature is checked.

        Where the head is opened already its topics are those that its resolution read: they were the opener's own
        (`open_head`), or came in a message that was then rejected (E_STATE). `source` gives what is not kept of them.
        """
        again = Verifier(self.genesis, resolver)
        for at in range(1, min(self.resolved + 1, self.head) + 1):
            yield again._follow(self, at)
        if self.resolved == self.head:
            yield again._court.resolve_on(self.head, self.seed(self.head), self._read_at_head(source))

    def _read_at_head(self, source: Source | None) -> Source:
        """The openings that the resolution of the head read, whoever they came from."""
        side, shelf = self.next_side, self._court.shelf

        def opening(wanted: Wanted) -> Row | None:
            book, seq, name = wanted
            topic = shelf.opened.get((side, book, seq), {}).get(name)
            if topic is not None:
                return {} if topic.rules is None else {"rules": topic.rules}
            return source(wanted) if source is not None else None

        return opening

    def _accept(self, message: Message) -> None:
        if "lost" in message.body:
            self._court.resolve(self.head, NOTHING_LOST, source_of({}))
        self._history.add(message)
        self._replaced += "replaces" in message.body
        self._restored += "restored" in message.body

    # -- what a writer needs ---------------------------------------------------------------------------------

    @property
    def layout(self) -> Layout:
        """Books and decks of the game."""
        return self._court.layout

    @property
    def history(self) -> History:
        """The accepted part of the game: keys, chains, books by seq. Only to be looked at."""
        return self._history

    @property
    def piles(self) -> Mapping[str, Pile]:
        """The decks after the newest resolution, as everybody sees them. Only to be looked at."""
        return self._court.piles

    @property
    def demanded(self) -> tuple[tuple[str, int, str], ...]:
        """The topics (book, message, topic) that the message after the newest resolved one must open."""
        return self._court.demanded.get(self.resolved, ())

    def owed(self, body: Body) -> Owed:
        """What the next message owes if it has this body: openings for its card uses, and transfers."""
        return self._court.owed(self.next_seq, body)

    # -- checkpoints -----------------------------------------------------------------------------------------

    def export(self) -> dict[str, Tree]:
        """All that was verified, as a plain tree, so that the log need not be verified again.

        After `open_head` it holds the seed of the head, which only the next message makes public: keep it
        private then (`resolved == head`).
        """
        court = self._court
        return write_checkpoint(
            Checkpoint(
                self.game_id,
                tuple(self._history.ids),
                tuple(self._history.digests),
                court.last,
                court.over_at,
                self._replaced,
                tuple(self._waiting.values()),
                tuple(self._forks.values()),
                tuple(self._history.marked),
                self._restored,
                court.shelf,
                {deck: pile.to_tree() for deck, pile in sorted(court.piles.items())},
                dict(court.demanded),
            )
        )

    @classmethod
    def restore(
        cls, state: Mapping[str, Tree], genesis: Message, bodies: Sequence[Body], resolver: Resolver | DeskResolver
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
        self._history = History(genesis, history_bodies, list(point.ids), list(point.digests), point.marked)
        self._court = court = Court(self._history, resolver)
        court.take_over(point)
        self._replaced, self._restored = point.replaced, point.restored
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

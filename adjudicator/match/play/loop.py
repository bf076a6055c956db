"""One game from genesis to its end or to the first thing that is wrong with it."""

from __future__ import annotations

import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field

from adjudicator.engine.game import Table
from adjudicator.match.facedown import first_state
from adjudicator.match.match import table_of
from adjudicator.match.play.players import Draft, Player, draft_of, player
from adjudicator.match.play.referee import Referee, Story, agree
from adjudicator.match.play.seats import Pairing, Seat, chance_of, seats_of
from adjudicator.match.play.tally import Tally
from adjudicator.match.play.watch import Watched
from adjudicator.match.resolver import MatchResolver
from adjudicator.protocol.forms import rows
from adjudicator.protocol.log import read_line, read_turn, write_line, write_turn
from adjudicator.protocol.message import Message
from adjudicator.protocol.resolve import Resolved
from adjudicator.protocol.verifier import Verifier

MESSAGES_AT_MOST = 4000
SECONDS_AT_MOST = 20.0
"""Of the processor, for one message; others on the machine do not count."""
RELOAD_SHARE = 0.15


@dataclass(frozen=True)
class Settings:
    """What is played: the pairing, the players by side, how many messages at most (0 = to the end), what is told."""

    pairing: Pairing
    players: dict[str, str]
    messages: int = 0
    stories: Sequence[Story] = ()


@dataclass
class Played:
    """What became of a game. ``faults`` is empty for a sound one; ``draft`` is the turn file it broke at, if any."""

    pairing: Pairing
    lines: list[bytes] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    draft: str = ""
    seq: int = 0
    tally: Tally = field(default_factory=Tally)

    @property
    def sound(self) -> bool:
        """True where nothing was wrong."""
        return not self.faults


class Broken(Exception):
    """Something is wrong; play of this game ends here."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = list(faults)


def play_game(settings: Settings) -> Played:
    """Play one game. Nothing is raised: whatever goes wrong is a fault of the game."""
    started = time.perf_counter()
    playing = Playing(settings)
    played = playing.played
    try:
        playing.run()
    except Broken as broken:
        played.faults += broken.faults
    except Exception as error:  # whatever a rule raises is a finding, never the end of the run
        played.faults += [f"{type(error).__name__}: {error}", traceback.format_exc()]
    tally = played.tally
    tally.games, tally.failed = 1, int(not played.sound)
    tally.ends["failed" if not played.sound else playing.end] += 1
    tally.rolls, tally.choices = playing.watched.rolled, playing.watched.asked
    tally.seconds = time.perf_counter() - started
    return played


class Playing:
    """A game under way."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        pairing = settings.pairing
        self.chance = chance_of(pairing.system, pairing.scenario, pairing.seed, "play")
        self.played = Played(pairing)
        self.end = ""
        self._watched: list[Watched] = []
        self.genesis, self.seats = seats_of(pairing, self._watch)
        self.watched = self._watched[0]
        table = self.seats[1].table
        self.players: dict[str, Player] = {side: player(name) for side, name in settings.players.items()}
        stories = settings.stories
        self.referee = Referee(table, self.watched, stories, self.played.tally, first_state(table))
        self.judged = -1
        self._keep(self.genesis)

    def _watch(self, table: Table) -> Table:
        pairing = self.settings.pairing
        self._watched.append(Watched(table, chance_of(pairing.system, pairing.scenario, pairing.seed, "watch")))
        return self._watched[0].table

    def run(self) -> None:
        """Message by message to the end. Raises Broken at the first fault."""
        while not self.end:
            seat = self._seat(self.seats[0].verifier.next_side)
            self.played.seq = seat.verifier.next_seq
            started = time.process_time()
            resolved = self._look(seat)
            self._judge()
            self.end = self._ending(resolved)
            self._message(seat)
            self._judge()
            self._pace(time.process_time() - started)
        self._verify()

    def _seat(self, side: str) -> Seat:
        return next(seat for seat in self.seats if seat.side == side)

    def _look(self, seat: Seat) -> Resolved:
        """The head resolved at the seat that holds its key, watched where it is the watched one."""
        self.watched.looking = True
        try:
            return seat.look()
        finally:
            self.watched.looking = False

    def _judge(self) -> None:
        """Judge what the watched seat has resolved since the last time."""
        resolved = self.seats[0].verifier.last
        if resolved is not None and resolved.n > self.judged:
            self.judged = resolved.n
            self._must(self.referee.resolved(resolved, self.seats[0].verifier))

    def _must(self, faults: Sequence[str]) -> None:
        if faults:
            raise Broken(faults)

    def _ending(self, resolved: Resolved) -> str:
        """Why play ends with the next message; "" where it goes on."""
        if self.seats[0].verifier.over:
            return "" if resolved.n == self.seats[0].verifier.over_at else "over"
        waits = resolved.resolution.position.get("waits")
        found = waits if isinstance(waits, dict) else {}
        if found.get("why") == "unbuilt":
            return f"before {found.get('key')}"
        if self.settings.messages and self.played.seq >= self.settings.messages:
            return "messages"
        if self.played.seq >= MESSAGES_AT_MOST:
            raise Broken([f"the game has not ended after {MESSAGES_AT_MOST} messages"])
        return ""

    # -- one message ---------------------------------------------------------------------------------------------

    def _message(self, seat: Seat) -> None:
        """Write, check, sign; both seats receive the file that would be mailed."""
        seq = seat.verifier.next_seq
        draft = self._draft(seat)
        self.played.draft = draft.text
        self._must(self.referee.draft(seq, draft))
        message = seat.sign(draft.result, draft.wild)
        for receiver in (seat, *(other for other in self.seats if other is not seat)):
            self._receive(receiver, message)
        self._keep(message)
        self.played.tally.messages += 1
        for row in rows(message.body.get("open")):
            self.played.tally.sealed[str(row["topic"]) + ("" if row.get("rules") else ", empty")] += 1
        self.played.draft = ""
        self._must(agree(*self.seats))
        if self.chance.likely(RELOAD_SHARE):
            self.chance.pick(self.seats).reload(self.genesis, self.played.lines)

    def _draft(self, seat: Seat) -> Draft:
        """The player's turn file; the last message of a game that stops short is bare."""
        if self.end:
            return draft_of(seat, [])
        return self.players[seat.side].write(seat, self.chance)

    def _receive(self, seat: Seat, message: Message) -> None:
        self.watched.looking = True
        try:
            verdict = seat.verifier.receive(read_turn(write_turn(message)))
        finally:
            self.watched.looking = False
        if not verdict.ok:
            raise Broken([f"{seat.side} does not accept message {message.text('seq')}: {verdict.show()}"])

    def _keep(self, message: Message) -> None:
        self.played.lines.append(write_line(message).removesuffix(b"\n"))

    def _pace(self, seconds: float) -> None:
        self.played.tally.slowest = max(self.played.tally.slowest, seconds)
        if seconds > SECONDS_AT_MOST:
            raise Broken([f"message {self.played.seq} took {seconds:.1f} s"])

    # -- the end -------------------------------------------------------------------------------------------------

    def _verify(self) -> None:
        """A third program, which knows only the log, comes to the same end."""
        verifier = Verifier(self.genesis, MatchResolver.fresh(table_of(self.genesis)))
        for line in self.played.lines[1:]:
            verdict = verifier.receive(read_line(line))
            self._must([] if verdict.ok else [f"verify: {verdict.show()}"])
        mine = self.seats[0].verifier
        last = min(verifier.resolved, mine.resolved)
        same = verifier.head_id == mine.head_id and verifier.digest(last) == mine.digest(last)
        self._must([] if same else ["verify comes to another end"])


def pairings(first: Pairing, games: int) -> list[Pairing]:
    """So many pairings, each with a seed of its own: ``7/0``, ``7/1`` ... of the seed ``7``."""
    return [Pairing(first.system, first.scenario, first.switches, f"{first.seed}-{number}") for number in range(games)]


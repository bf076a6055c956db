"""Two folders of a game that programs of chance play by the command line, for games that change their rules."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from adjudicator.cli import chance
from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Order, Problem, Tree
from adjudicator.engine.driver import Run
from adjudicator.engine.game import Table
from adjudicator.match import games
from adjudicator.match.draft import read_draft
from adjudicator.match.facedown import Faces, as_seen, faces_of
from adjudicator.match.games import Edition
from adjudicator.match.match import Match
from adjudicator.match.play.players import RandomPlayer
from adjudicator.match.preview import CheckResult, PreviewDice
from adjudicator.match.secretplans import kept_plans
from tests.cli.conftest import ALLIED, AXIS, Pair, Result, good

WD, SS = "western-desert", "shifting-sands"
SCENARIO = {WD: "compass", SS: "campaign"}
OTHER = {AXIS: ALLIED, ALLIED: AXIS}
OVERLAY = {
    WD: "overlay: western-desert\ncounters:\n- {id: br-7rt, attack: 4}\n",
    SS: "overlay: shifting-sands\nunits:\n- {id: br-7-arm, cf_full: 4}\n",
}
SWITCH = {WD: "exchange_basis=modified", SS: "tables_fire=btb"}
STANDING: dict[str, dict[str, Any]] = {
    WD: {"type": "standing", "topic": "losses", "rules": [{"stack": "any", "never": "it-12art"}]},
    SS: {"type": "standing", "topic": "losses", "rules": "default"},
}
"""An order that version 2 of the tests does not know, and version 1 takes in."""


@dataclass
class Seat:
    """A player of chance over a game folder: what `RandomPlayer` needs of its seat."""

    match: Match

    @property
    def side(self) -> str:
        return self.match.me

    @property
    def verifier(self) -> Any:
        return self.match.verifier

    @property
    def table(self) -> Table:
        return self.match.table

    @property
    def resolver(self) -> Any:
        return self.match.resolver

    def now(self) -> Run[Any]:
        return self.match.resolver.run(self.match.before_draft(), PreviewDice(self.match.resolver.seeds, "assume"))

    def check(self, data: bytes) -> CheckResult:
        return self.match.checked(read_draft(data))

    def faces(self) -> Faces:
        return faces_of(self.match)

    def seen(self, state: Any) -> Any:
        return as_seen(self.match.table, state, self.match.me, self.faces())

    def kept(self, state: Any) -> Mapping[str, Tree]:
        match = self.match
        return kept_plans(match.table, match.verifier, match.me, match.own_books, state)


@dataclass
class Players:
    """Both players of a game."""

    pair: Pair
    seed: str

    def folder(self, side: str) -> Path:
        return self.pair.folder(side)

    @property
    def log(self) -> list[Any]:
        """The messages both have."""
        return Match.load(self.folder(AXIS), still=True).lines

    @property
    def head(self) -> int:
        return Match.load(self.folder(AXIS), still=True).verifier.head

    @property
    def next_side(self) -> str:
        return Match.load(self.folder(AXIS), still=True).verifier.next_side

    def rules(self, seq: int) -> str:
        return str(Match.load(self.folder(AXIS), still=True).verifier.body(seq)["rules"])

    def sign(self, *more: object, text: str = "") -> Result:
        """The side whose turn it is signs, orders of chance unless others are given; the other takes it in."""
        side = self.next_side
        path = self.folder(side) / "orders.yaml"
        path.write_text(text or self._written(side), encoding="utf-8")
        result = good("sign", path, "--yes", *more)
        self.pair.deliver(side)
        return result

    def _written(self, side: str) -> str:
        good("status", self.folder(side))
        match = Match.load(self.folder(side), still=True)
        numbers = random.Random(f"{self.seed}/{match.verifier.head}")
        draft = RandomPlayer().write(Seat(match), Chance(numbers.random))  # type: ignore[arg-type]
        return draft.text if not draft.result.problems else "orders: []\n"

    def on(self, count: int) -> None:
        """So many messages of chance."""
        for _ in range(count):
            self.sign()

    def make(self, side: str, *options: object) -> Result:
        return good("upgrade", self.folder(side), *options)

    def hand_over(self, side: str) -> Result:
        """The rules file that a side mails beside its offer, taken in by the other."""
        files = sorted((self.folder(side) / "outbox").glob("*-rules.json"), key=lambda path: path.stat().st_mtime_ns)
        return good("upgrade", self.folder(OTHER[side]), "--take", files[-1])

    def agree(self, *options: object, first: int | None = None) -> int:
        """Both agree to other rules in the next two messages; the first message by them."""
        side = self.next_side
        self.make(side, *options)
        more = () if first is None else ("--upgrade-from", first)
        start = self.head + 3 if first is None else first
        self.sign("--offer-upgrade", *more)
        self.hand_over(side)
        self.sign("--accept-upgrade")
        return start

    def dice(self) -> list[int]:
        """The messages that dice were rolled for."""
        path = self.pair.root / "dice.txt"
        good("verify", self.folder(AXIS), "--dice", path)
        rows = path.read_text(encoding="utf-8").splitlines()
        return sorted({int(row.split()[0]) for row in rows if row[:1].isdigit()})

    def same(self) -> None:
        """Both folders hold the same game, proved from nothing, whole and in step."""
        logs = {(self.folder(side) / "log.jsonl").read_bytes() for side in OTHER}
        assert len(logs) == 1
        for side in OTHER:
            assert "Everything holds." in good("verify", self.folder(side)).out
            good("doctor", self.folder(side))
            good("audit", self.folder(side))

    def digests(self, side: str) -> list[str]:
        verifier = Match.load(self.folder(side), still=True).verifier
        return [verifier.digest(seq) for seq in range(self.head)]

    def forget(self, side: str) -> None:
        """Everything of a folder that can be made again is gone."""
        shutil.rmtree(self.folder(side) / "state")
        (self.folder(side) / "private" / "verified.json").unlink()


def begin(root: Path, system: str, seed: str, *more: object) -> Players:
    """A game after its set-up messages."""
    pair = Pair(root)
    with chance.fixed(seed):
        words = ("--name", "Alice", "--title", "Changing")
        good("new", system, SCENARIO[system], pair.folder(AXIS), *words, *more)
        good("accept", pair.folder(AXIS) / "outbox" / "offer.turn", pair.folder(ALLIED), "--name", "Bob")
        good("receive", pair.folder(AXIS), pair.folder(ALLIED) / "outbox" / "genesis.turn")
        pair.bare(AXIS)
        pair.bare(ALLIED)
    return Players(pair, seed)


class _Later:
    """Version 2 of the rules of a game: as version 1, but a standing order on losses is void."""

    def __init__(self, first: Any) -> None:
        self._first, self.version = first, 2

    def __getattr__(self, name: str) -> Any:
        return getattr(self._first, name)

    def table(self, pack: Mapping[str, object], scenario: str, switches: Mapping[str, str]) -> Any:
        found = self._first.table(pack, scenario, switches)
        found.refusal = partial(_refusal, found.refusal)
        return found


def _refusal(before: Any, state: Any, side: str, order: Order) -> list[Problem]:
    if order.type == "standing" and order.text("topic") == "losses":
        return [Problem("version_2", "PROTOCOL 7", "version 2 has no standing orders on losses", "leave it out")]
    return list(before(state, side, order))


@contextmanager
def two_versions(system: str) -> Iterator[None]:
    """A program that plays version 2 of a game beside version 1."""
    first = games.EDITIONS[system][1]
    games.EDITIONS[system][2] = Edition(lambda: _Later(first.rules()), first.pack, first.folder)
    try:
        yield
    finally:
        del games.EDITIONS[system][2]

"""The dice of a whole game, counted and measured (PROTOCOL 12): what `audit` tells.

The game is proved again from its log while its dice are gathered, so no number here rests on a file but the log. Luck
is measured by the game's own tables (:meth:`~adjudicator.engine.game.Table.stake`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import fsum, prod, sqrt
from typing import Any

from adjudicator.engine.core import Event, Roll
from adjudicator.engine.dice import DiceSource
from adjudicator.engine.driver import Message as OrderMessage
from adjudicator.engine.driver import Run
from adjudicator.engine.game import Table
from adjudicator.engine.stakes import Stake
from adjudicator.match.eras import Shelf
from adjudicator.match.resolver import MatchResolver
from adjudicator.match.statistics import ENOUGH, chi_square, chi_square_p, mean_z, normal_p, run_chance
from adjudicator.protocol.message import Message
from adjudicator.protocol.verdicts import ProtocolError
from adjudicator.protocol.verifier import Verifier

USUAL = 6
"""Dice of so many faces are put together in one count; what is drawn (cards, units) is counted apart."""


@dataclass(frozen=True, slots=True)
class Throw:
    """One roll of the game: the message it was for, its label, whose it is, and its stake where a table tells one.

    ``drawn``: one of so many things was drawn by it, be they six by chance; no die of the table.
    """

    seq: int
    label: str
    side: str
    faces: int
    values: tuple[int, ...]
    stake: Stake | None
    drawn: bool = False

    @property
    def usual(self) -> bool:
        """True for dice of six faces."""
        return self.faces == USUAL and not self.drawn


@dataclass(frozen=True, slots=True)
class Drought:
    """The longest run of rolls without more than was to be expected: how likely exactly that run was, and how likely
    one at least as long was ``somewhere`` among the same rolls."""

    rolls: int
    first: int
    last: int
    chance: float
    somewhere: float


@dataclass(frozen=True)
class Share:
    """The dice of one side, or of the whole game (``side`` "")."""

    side: str
    throws: tuple[Throw, ...]

    @property
    def values(self) -> list[int]:
        """Every die of six faces, in order."""
        return [value for throw in self.throws if throw.usual for value in throw.values]

    @property
    def counts(self) -> list[int]:
        """How often each of the six faces came."""
        values = self.values
        return [values.count(face) for face in range(1, USUAL + 1)]

    @property
    def others(self) -> int:
        """How many rolls were none of dice of six faces: draws, as the games are."""
        return sum(not throw.usual for throw in self.throws)

    @property
    def stakes(self) -> list[tuple[Throw, Stake]]:
        """The rolls that the game's tables give a value."""
        return [(throw, throw.stake) for throw in self.throws if throw.stake is not None]

    @property
    def luck(self) -> float:
        """The sum over all such rolls of (value - expectation) / standard deviation."""
        return fsum(stake.luck for _, stake in self.stakes)

    @property
    def luck_z(self) -> float:
        """Luck in standard deviations of such a sum; 0 for no rolls."""
        count = len(self.stakes)
        return self.luck / sqrt(count) if count else 0.0

    def drought(self) -> Drought | None:
        """The longest run of rolls that brought no more than was to be expected."""
        best: list[tuple[Throw, Stake]] = []
        current: list[tuple[Throw, Stake]] = []
        for throw, stake in self.stakes:
            current = [] if stake.good else [*current, (throw, stake)]
            best = max(best, current, key=len)
        if not best:
            return None
        chance = prod(1 - float(stake.chance) for _, stake in best)
        anywhere = run_chance([float(stake.chance) for _, stake in self.stakes], len(best))
        somewhere = max(chance, anywhere)  # the same number, summed up in another order, may be a hair smaller
        return Drought(len(best), best[0][0].seq, best[-1][0].seq, chance, somewhere)


@dataclass
class Audit:
    """All that `audit` tells. ``oddities`` are the counts of what is allowed and should be known."""

    title: str
    sides: tuple[str, str]
    names: dict[str, str]
    local: bool
    head: int
    throws: list[Throw] = field(default_factory=list)
    oddities: dict[str, list[int]] = field(default_factory=dict)
    worth: tuple[str, ...] = ()

    def share(self, side: str = "") -> Share:
        """The dice of a side; those of the whole game without one."""
        return Share(side, tuple(throw for throw in self.throws if side in ("", throw.side)))


class _Heard(MatchResolver):
    """A resolver that remembers the rolls of the message being resolved."""

    heard: dict[tuple[int, str], Roll]

    def run(self, messages: Sequence[OrderMessage], dice: DiceSource, remarks: bool = False) -> Run[Any]:
        """Play on, listening to the dice."""
        self.heard = {}

        def listen(seq: int, roll: Roll) -> tuple[int, ...]:
            self.heard[(seq, roll.label)] = roll
            return dice(seq, roll)

        return super().run(messages, listen, remarks)


def audit(
    table: Table, messages: Sequence[Message], forks: Sequence[int] = (), shelf: Shelf | None = None
) -> Audit:
    """Prove the messages (genesis first) once more and gather their dice. Raises ProtocolError where they don't hold.

    ``forks`` are the numbers of which a second message is known in the folder; ``shelf`` holds the rules that the
    players may have agreed to since genesis.
    """
    genesis = messages[0]
    resolver = _Heard.fresh(table, shelf)
    verifier = Verifier(genesis, resolver)
    names = {player.side: player.name for player in verifier.players}
    local, head = genesis.body["dice"] == "local", len(messages) - 1
    found = Audit(str(genesis.body["title"]), table.sides, names, local, head, worth=table.worth())
    for message in messages[1:]:
        verdict = verifier.receive(message)
        if not verdict.ok:
            raise ProtocolError(verdict.code, verdict.text, verdict.seq, verdict.id)
        if verifier.last is not None:
            n = verifier.last.n
            found.throws += _throws(resolver.table_at(n), n, verifier.last.resolution.events, resolver)
    found.oddities = {name: list(seqs) for name, seqs in _oddities(messages, forks)}
    return found


def _throws(table: Table, n: int, events: Sequence[Any], resolver: _Heard) -> Iterator[Throw]:
    """The rolls that the events of a message tell, each with whose it was as the rules asked for it."""
    for tree in events:
        label, values = tree.get("label"), tree.get("dice", tree.get("die"))
        if not label or not values:
            continue
        dice = tuple(int(str(value)) for value in ([values] if isinstance(values, str) else values))
        roll = resolver.heard.get((n, str(label)))
        side = roll.who if roll is not None else str(tree.get("side", ""))
        faces = roll.faces if roll is not None else int(str(tree.get("faces", USUAL)))
        data = {name: value for name, value in tree.items() if name not in ("kind", "rule", "on", "by", "see")}
        event = Event(str(tree["kind"]), str(tree["rule"]), data, on=n)
        yield Throw(n, str(label), side, faces, dice, table.stake(event, side), drawn=bool(tree.get("faces")))


def _oddities(messages: Sequence[Message], forks: Sequence[int]) -> Iterator[tuple[str, list[int]]]:
    """What a fair game may contain, but both players and a league should know of."""
    for name, key in (("replaced", "replaces"), ("restored", "restored"), ("lost", "lost"), ("rekeyed", "rekey")):
        yield name, [seq for seq, message in enumerate(messages) if key in message.body]
    yield "reanchored", [n for n, one in enumerate(messages) if "reanchor" in one.body and "lost" not in one.body]
    upgrades = [message.body.get("upgrade") for message in messages]
    yield "upgraded", [n for n, pair in enumerate(upgrades) if n and pair is not None and pair == upgrades[n - 1]]
    yield "forked", sorted(set(forks))


# --- as text and tree -------------------------------------------------------------------------------------------


def face_test(share: Share) -> tuple[float, int, float] | None:
    """Chi-square, degrees of freedom and p of the six faces; None where there are too few dice to tell it."""
    counts = share.counts
    if sum(counts) < ENOUGH * USUAL:
        return None
    value, freedom = chi_square(counts)
    return value, freedom, chi_square_p(value, freedom)


def share_tree(share: Share) -> dict[str, Any]:
    """The numbers of a share for other programs."""
    values, tested, drought = share.values, face_test(share), share.drought()
    mean = mean_z(values, USUAL) if values else None
    return {
        "side": share.side or "both",
        "rolls": len(share.throws),
        "dice": len(values),
        "other_rolls": share.others,
        "faces": share.counts,
        "chi_square": None if tested is None else dict(zip(("value", "df", "p"), tested, strict=True)),
        "mean": mean and mean[0],
        "mean_z": mean and mean[1],
        "weighed": len(share.stakes),
        "luck": share.luck,
        "luck_z": share.luck_z,
        "luck_p": normal_p(share.luck_z),
        "drought": drought
        and {
            "rolls": drought.rolls,
            "from": drought.first,
            "to": drought.last,
            "chance": drought.chance,
            "somewhere": drought.somewhere,
        },
    }

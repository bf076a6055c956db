"""Trying a draft: the turn played many times with local dice, in memory, and what came of it counted.

The dice come from a seed text of this command alone, never from a link, key or message of the game, and nothing of a
try is kept: a draft that was tried meets other dice when it is sent.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from adjudicator.engine.core import Event, Roll
from adjudicator.engine.dice import Opened
from adjudicator.engine.driver import Message, Run
from adjudicator.engine.queries import Tried
from adjudicator.match.draft import Draft
from adjudicator.match.due import ORDERS_KEY
from adjudicator.match.match import Match
from adjudicator.match.preview import CheckResult
from adjudicator.match.resolver import author
from adjudicator.match.secretplans import planned_message
from adjudicator.match.sheets import is_secret
from adjudicator.protocol.dice import pick
from adjudicator.protocol.dice import roll as labelled_roll

MARK = "adjudicator try, local dice of no game"
SILENCES_AT_MOST = 40
EXPLAINS = Fraction(1, 2)
"""What a combat must explain of a thing's coming and going for it to be named."""


class TrialDice:
    """Dice of one try beside the seeds that are open already."""

    def __init__(self, seeds: Mapping[int, bytes], seed: str, number: int) -> None:
        self._seeds, self._name = seeds, f"{MARK}/{seed}/{number}"
        self._opened = Opened(seeds, labelled_roll, pick)

    def __call__(self, seq: int, roll: Roll) -> tuple[int, ...]:
        if seq in self._seeds:
            return self._opened(seq, roll)
        return tuple(self._one(f"{self._name}/{seq}/{roll.label}/{at}", roll.faces) for at in range(roll.count))

    @staticmethod
    def _one(text: str, faces: int) -> int:
        return int.from_bytes(hashlib.sha256(text.encode()).digest(), "big") % faces + 1


@dataclass
class Tally:
    """One combat over all tries: how often each result came, and the losses of each try by side and measure."""

    title: str
    results: Counter[str] = field(default_factory=Counter)
    losses: dict[tuple[str, str], list[Fraction]] = field(default_factory=lambda: defaultdict(list))
    by_result: dict[tuple[str, str, str], list[Fraction]] = field(default_factory=lambda: defaultdict(list))

    def mean(self, side: str, measure: str, result: str = "") -> Fraction:
        """The mean loss over the tries, or over those with one result."""
        found = self.by_result[(result, side, measure)] if result else self.losses[(side, measure)]
        return sum(found, Fraction(0)) / len(found)


@dataclass
class Depends:
    """The combat on which a thing hangs: with each result, in how many of its tries the thing happened."""

    clash: str
    title: str
    with_result: dict[str, tuple[int, int]]


@dataclass
class Trial:
    """What the tries came to. ``marks`` and ``idle`` count in how many tries a thing happened."""

    times: int
    seed: str
    checked: CheckResult
    rolls: int = 0
    assumed: int = 0
    waits: Counter[str] = field(default_factory=Counter)
    clashes: dict[str, Tally] = field(default_factory=dict)
    marks: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    idle: Counter[tuple[int, str]] = field(default_factory=Counter)
    depends: dict[tuple[str, str], Depends] = field(default_factory=dict)


def try_draft(match: Match, draft: Draft, times: int, seed: str) -> Trial:
    """Play a sound draft so many times. Where it is not sound nothing is played: see ``checked``."""
    checked = match.checked(draft)
    trial = Trial(times, seed, checked)
    if not checked.legal:
        return trial
    resolver, seq = match.resolver, match.my_next_seq
    said = [order for order in checked.orders if not is_secret(order, match.table.order_types)]
    messages = [*match.before_draft(), planned_message(seq, match.me, said, checked.planning)]
    head = resolver.run(messages, Opened(resolver.seeds, labelled_roll, pick))
    queries = match.table.queries()
    seen: list[tuple[Tried, set[tuple[str, str]]]] = []
    for number in range(times):
        dice = TrialDice(resolver.seeds, seed, number)
        run, silences = _one(match, head, messages, dice)
        events = [*head.events[: head.kept], *run.events]
        found = queries.tried(resolver.checkpoint.state, run.state, events)
        trial.rolls = max(trial.rolls, len(run.rolls))
        trial.assumed = max(trial.assumed, silences)
        trial.waits[_waits(match, run)] += 1
        seen.append((found, _count(trial, found, seq, events)))
    _explain(trial, seen)
    return trial


def _one(match: Match, head: Run[Any], messages: Sequence[Message], dice: TrialDice) -> tuple[Run[Any], int]:
    """One try, and how many bare messages it took: where the turn stops for an answer to what has happened, its side
    is taken to say nothing. It ends where a side is asked for orders."""
    said = list(messages)
    for silences in range(SILENCES_AT_MOST):
        run = match.resolver.go_on(head.checkpoint, said, dice)
        waits = run.waits
        if waits.why != "decision" or waits.key.startswith(ORDERS_KEY):
            return run, silences
        seq = said[-1].seq + 1
        while author(match.table, seq) != waits.side:
            said.append(Message(seq, author(match.table, seq)))
            seq += 1
        said.append(Message(seq, waits.side))
    return run, SILENCES_AT_MOST


def _waits(match: Match, run: Run[Any]) -> str:
    """Where the try ended, in words: what is waited for next."""
    if run.waits.why != "decision":
        return run.waits.key or run.waits.why
    return f"{run.waits.side[:1].upper()}{run.waits.side[1:]}, {match.table.asked(run.state, run.waits.key)}"


# --- counting ---------------------------------------------------------------------------------------------------


def _count(trial: Trial, found: Tried, seq: int, events: Sequence[Event]) -> set[tuple[str, str]]:
    """Add one try up; returns the things that happened in it."""
    for clash in found.clashes:
        tally = trial.clashes.setdefault(clash.key, Tally(clash.title))
        tally.results[clash.result] += 1
        for side, losses in clash.losses.items():
            for measure, lost in losses.items():
                tally.losses[(side, measure)].append(lost)
                tally.by_result[(clash.result, side, measure)].append(lost)
    things: set[tuple[str, str]] = set()
    for group, sentences in found.marks.items():
        for sentence in dict.fromkeys(sentences):
            trial.marks[group][sentence] += 1
            things.add((group, sentence))
    for (message, index), what in found.idle.items():
        if message == seq:
            trial.idle[(index, what)] += 1
            things.add((f"order {index}", what))
    return things


def _explain(trial: Trial, seen: Sequence[tuple[Tried, set[tuple[str, str]]]]) -> None:
    """For each thing that happened in some tries and not in others, the combat that explains most of it."""
    results = [{clash.key: clash.result for clash in found.clashes} for found, _things in seen]
    for thing in sorted({thing for _found, things in seen for thing in things}):
        happened = [thing in things for _found, things in seen]
        if all(happened):
            continue
        best = max(_shares(trial, results, happened), key=lambda share: (share[0], -share[1]), default=None)
        if best is not None and best[0] >= EXPLAINS:
            trial.depends[thing] = best[2]


def _shares(
    trial: Trial, results: Sequence[Mapping[str, str]], happened: Sequence[bool]
) -> Iterator[tuple[Fraction, int, Depends]]:
    """For each combat the share of the variance of a thing that its results explain, and the counts by result."""
    total, yes = len(happened), sum(happened)
    variance = Fraction(yes * (total - yes), total)
    for at, (key, tally) in enumerate(trial.clashes.items()):
        counts: dict[str, list[int]] = {}
        for row, there in zip(results, happened, strict=True):
            pair = counts.setdefault(row.get(key, "not fought"), [0, 0])
            pair[0] += there
            pair[1] += 1
        left = sum((Fraction(n * (of - n), of) for n, of in counts.values()), Fraction(0))
        found = {result: (n, of) for result, (n, of) in sorted(counts.items())}
        yield 1 - left / variance, at, Depends(key, tally.title, found)

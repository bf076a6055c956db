"""Loss fulfilment: every lawful way to satisfy a loss number, and the default among them (SS 11.4, ruling A17)."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from adjudicator.shifting_sands.access import LRDG
from adjudicator.shifting_sands.nations import REPLACED_BY
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import Counter

CORSETING = "19.5"
REPLACEMENT, ELIMINATED, RESERVE = "@replacement", "@eliminated", "@reserve"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way to take losses: the steps in order, what becomes of each unit, and how many points they absorb.

    ``ends`` maps a unit to ``reduced``, ``@replacement``, ``@eliminated``, and a battlegroup that came out of the
    reserve to ``full`` or ``reduced``. ``steps`` names one unit per step.
    """

    steps: tuple[str, ...]
    ends: tuple[tuple[str, str], ...]
    absorbed: int
    replaced: tuple[tuple[str, str], ...] = ()

    @property
    def end_map(self) -> dict[str, str]:
        """``ends`` as a mapping."""
        return dict(self.ends)


@dataclass(frozen=True, slots=True)
class _Node:
    pool: tuple[tuple[str, bool], ...]
    ends: tuple[tuple[str, str], ...]
    used: tuple[str, ...]
    steps: tuple[str, ...]
    absorbed: int
    replaced: tuple[tuple[str, str], ...]


def fulfilments(state: State, units: Sequence[str], number: int) -> list[Outcome]:
    """All maximal ways to satisfy a loss number; one without steps where no unit can take a loss (SS 11.42, 11.43).

    Rule: SS ex.1.
    """
    start = _Node(tuple((uid, state.pieces[uid].reduced) for uid in units), (), (), (), 0, ())
    best: dict[tuple[tuple[str, str], ...], Outcome] = {}
    most = 0
    seen: set[tuple[object, ...]] = set()
    stack = [start]
    while stack:
        node = stack.pop()
        mark = (tuple(sorted(node.pool)), tuple(sorted(node.ends)), node.absorbed)
        if mark in seen:
            continue
        seen.add(mark)
        if node.absorbed > most:
            most, best = node.absorbed, {}
        if node.absorbed == most:
            outcome = Outcome(node.steps, tuple(sorted(node.ends)), node.absorbed, node.replaced)
            old = best.get(outcome.ends)
            if old is None or outcome.steps < old.steps:
                best[outcome.ends] = outcome
        stack.extend(_next(state, node, number - node.absorbed))
    return [best[key] for key in sorted(best)]


def _next(state: State, node: _Node, left: int) -> Iterator[_Node]:
    for uid, reduced in node.pool:
        counter = state.counter(uid)
        if counter.lf > left:
            continue
        yield from step(state, node, uid, reduced)


def step(state: State, node: _Node, uid: str, reduced: bool) -> Iterator[_Node]:
    """The positions after one unit takes one step (SS 11.42, 11.421).

    Rules: SS 3.lf.
    """
    counter = state.counter(uid)
    rest = tuple((u, r) for u, r in node.pool if u != uid)
    kept = tuple((u, e) for u, e in node.ends if u != uid)
    steps, absorbed = (*node.steps, uid), node.absorbed + counter.lf
    if not reduced:
        yield _Node((*rest, (uid, True)), (*kept, (uid, "reduced")), node.used, steps, absorbed, node.replaced)
    elif not counter.division:
        yield _Node(rest, (*kept, (uid, REPLACEMENT)), node.used, steps, absorbed, node.replaced)
    else:
        yield from _lost_division(state, node, uid, rest, kept, steps, absorbed)


def _lost_division(
    state: State,
    node: _Node,
    uid: str,
    rest: tuple[tuple[str, bool], ...],
    kept: tuple[tuple[str, str], ...],
    steps: tuple[str, ...],
    absorbed: int,
) -> Iterator[_Node]:
    """A battlegroup of the reserve must take its place; without one it is lost for good (SS 11.44, 11.441)."""
    choices = replacements(state, uid, node.used)
    if not choices:
        yield _Node(rest, (*kept, (uid, ELIMINATED)), node.used, steps, absorbed, node.replaced)
    for bg in choices:
        reduced = state.pieces[bg].reduced
        ends = (*kept, (uid, REPLACEMENT), (bg, "reduced" if reduced else "full"))
        pool = (*rest, (bg, reduced))
        yield _Node(pool, ends, (*node.used, bg), steps, absorbed, (*node.replaced, (uid, bg)))


def replacements(state: State, uid: str, used: Sequence[str] = ()) -> list[str]:
    """Battlegroups in the reserve box that may replace a division: full ones if any, one of each kind, own first.

    SS 11.44 to 11.45; under option 19.5 Germans may also stand in for Italian infantry.
    SS 11.442, 11.443, 11.444.
    """
    division = state.counter(uid)
    nations = _substitutes(state, division)
    box = [bg for bg in state.in_box(RESERVE, division.side) if bg not in used]
    found = [bg for bg in box if _fits(state, division, nations, bg)]
    full = [bg for bg in found if not state.pieces[bg].reduced]
    kinds: dict[tuple[object, ...], str] = {}
    for bg in sorted(full or found, key=lambda b: (nations.index(state.counter(b).nation), b)):
        c = state.counter(bg)
        kinds.setdefault((c.nation, c.type, c.cf, c.lf, c.mf, c.kind), bg)
    return list(kinds.values())


def _substitutes(state: State, division: Counter) -> tuple[str, ...]:
    """The nations whose battlegroups replace a division (SS 11.442, 11.45, 19.5)."""
    nations = REPLACED_BY[division.nation]
    if division.nation == "IT" and not division.armor and state.world.option(CORSETING):
        return (*nations, "GE")
    return nations


def _fits(state: State, division: Counter, nations: Sequence[str], bg: str) -> bool:
    counter = state.counter(bg)
    alike = counter.nation in nations and counter.type == division.type
    return alike and not counter.division and counter.kind != LRDG


def cost(state: State, outcome: Outcome) -> tuple[int, int, tuple[str, ...]]:
    """The order of the default (pbem D2): fewest divisions lost, cheapest to replace, then ids."""
    lost = sum(1 for uid, end in outcome.ends if end.startswith("@") and state.counter(uid).division)
    halves = sum(2 if state.counter(uid).division else 1 for uid in outcome.steps)
    return lost, halves, outcome.steps


def default(state: State, outcomes: Sequence[Outcome]) -> Outcome:
    """The outcome that is taken when its owner says nothing; own battlegroups replace first (pbem D3)."""
    return min(outcomes, key=lambda outcome: (cost(state, outcome), foreign(state, outcome), outcome.ends))


def foreign(state: State, outcome: Outcome) -> int:
    """How many divisions a battlegroup of another nation replaces."""
    return sum(1 for uid, bg in outcome.replaced if state.counter(uid).nation != state.counter(bg).nation)


def listing(outcome: Outcome) -> tuple[str, ...]:
    """The steps of an outcome as a player lists them: a battlegroup that replaces directly follows its division."""
    found = list(outcome.steps)
    for uid, bg in outcome.replaced:
        found.insert(len(found) - found[::-1].index(uid), bg)
    return tuple(found)


def matching(state: State, outcomes: Sequence[Outcome], steps: Sequence[str]) -> Outcome | None:
    """The outcome that a list of steps names; a battlegroup that replaces may be named as well, to choose it.

    Where it could replace one division or another, it replaces the one that it directly follows.
    """
    wanted = Tally(steps)
    found = [o for o in outcomes if Tally(listing(o)) == wanted]
    found = [o for o in found if all(_follows(steps, *pair) for pair in o.replaced)] or found
    found = found or [o for o in outcomes if Tally(o.steps) == wanted]
    return default(state, found) if found else None


def _follows(steps: Sequence[str], uid: str, bg: str) -> bool:
    """True where a unit is named directly behind the last step of another."""
    last = len(steps) - 1 - list(steps)[::-1].index(uid)
    return list(steps[last + 1 : last + 2]) == [bg]

"""What a player wishes of losses: who goes first, who is spared, what counts before what (pbem-decisions D2, D3, D7).

One wish ranks the ways to satisfy a loss number, the units beyond a limit, and who stands in for a lost division.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adjudicator.engine.core import Tree, texts_of
from adjudicator.shifting_sands.losses import Outcome, cost, foreign
from adjudicator.shifting_sands.state import State

DIVISIONS, BATTLEGROUPS, REDUCED, ARMOR = "divisions", "battlegroups", "reduced", "armor"
PREFER = (DIVISIONS, BATTLEGROUPS, REDUCED, ARMOR)
"""Fewest divisions lost; battlegroups hit before divisions; reduced units before full ones; armor spared."""
Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wish:
    """The units to be spared count before all else, then those to go first, then the words of ``prefer`` in turn, the
    nations hit first, and the battlegroups that stand in; what is equal after that goes by the default."""

    first: Names = ()
    keep: Names = ()
    prefer: Names = ()
    nations: Names = ()
    replace: Names = ()

    @classmethod
    def of(cls, data: Mapping[str, Tree]) -> Wish:
        """The wish of an order or of a clause."""
        return cls(*(tuple(texts_of(data.get(name))) for name in cls.__slots__))


NO_WISH = Wish()


def preferred(state: State, outcomes: Sequence[Outcome], wish: Wish) -> Outcome:
    """The outcome that comes nearest to a wish."""

    def rank(outcome: Outcome) -> tuple[object, ...]:
        hits = _rank(state, wish, outcome.steps, sum(end.startswith("@") for end in _divisions(state, outcome)))
        stand_in = sum(_place(state, wish.replace, bg) for _uid, bg in outcome.replaced)
        return hits, stand_in, cost(state, outcome), foreign(state, outcome), outcome.ends

    return min(outcomes, key=rank)


def _divisions(state: State, outcome: Outcome) -> list[str]:
    return [end for uid, end in outcome.ends if state.counter(uid).division]


def crowd_out(state: State, ways: Sequence[Names], wish: Wish) -> Names:
    """Of the units beyond a limit those to lose (SS 8.2): by default fewest divisions, the cheapest, then by id."""

    def rank(chosen: Names) -> tuple[object, ...]:
        divisions = sum(state.counter(uid).division for uid in chosen)
        steps = sum(1 if state.pieces[uid].reduced else 2 for uid in chosen)
        return _rank(state, wish, chosen, divisions), divisions, steps, chosen

    return min(ways, key=rank)


def given_up(state: State, ways: Sequence[Names], wish: Wish) -> Names:
    """Of the ways to give units up to an event the one nearest to a wish; of equal ones the first (pbem D8)."""

    def rank(at: int) -> tuple[object, ...]:
        divisions = sum(state.counter(uid).division for uid in ways[at])
        return _rank(state, wish, ways[at], divisions), at

    return ways[min(range(len(ways)), key=rank)]


def stand_in(state: State, groups: Sequence[str], wish: Wish) -> str:
    """Which battlegroup takes the place of a lost division (SS 11.44)."""
    return min(groups, key=lambda bg: (_place(state, wish.replace, bg), groups.index(bg)))


def _place(state: State, wanted: Names, bg: str) -> int:
    """Where a battlegroup, or one like it, stands in a list; behind it where it does not."""
    able = (n for n, uid in enumerate(wanted) if uid == bg or _kind(state, uid) == _kind(state, bg))
    return next(able, len(wanted))


def _kind(state: State, uid: str) -> tuple[object, ...]:
    """What makes battlegroups alike; a unit that is not in play is like no other."""
    if uid not in state.pieces:
        return (uid,)
    c, piece = state.counter(uid), state.pieces[uid]
    return c.nation, c.type, c.cf, c.lf, c.mf, c.kind, c.division, piece.at, piece.reduced


def _rank(state: State, wish: Wish, hit: Names, divisions_lost: int) -> tuple[object, ...]:
    """How far the units hit, one name a step, are from a wish; the least is the nearest."""
    counters = [state.counter(uid) for uid in hit]
    counted = {
        DIVISIONS: divisions_lost,
        BATTLEGROUPS: sum(unit.division for unit in counters),
        REDUCED: sum(not state.pieces[uid].reduced for uid in dict.fromkeys(hit)),
        ARMOR: sum(unit.armor for unit in counters),
    }
    spared = sum(uid in wish.keep for uid in hit)
    wished = tuple(-hit.count(uid) for uid in dict.fromkeys(wish.first))
    nations = tuple(-sum(unit.nation == nation for unit in counters) for nation in dict.fromkeys(wish.nations))
    return spared, wished, tuple(counted[word] for word in wish.prefer if word in counted), nations

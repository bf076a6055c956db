"""What is done in air combat where neither order nor standing rule says anything (WD 21): the defaults.

All of it is worked out from what both sides see. Chances are counted in 36ths, the ways that two dice may fall, so
that nothing is rounded; where two choices are as good the ids decide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import lcm

from adjudicator.western_desert.air import allocation
from adjudicator.western_desert.air.craft import GROUND_SUPPORT
from adjudicator.western_desert.air.shots import differential, odds
from adjudicator.western_desert.air.sky import Pairs, Sky
from adjudicator.western_desert.air.tables import WAYS, Chances

HARM_BACK, HARM_ABORT, HARM_KILL = 1, 2, 3
"""How much a result counts against the others: an air unit gone for a turn, out of order, lost."""
POINTS_PER_RE = 4
"""How much a RE on a transport counts against a point of bombing strength."""

Gain = Callable[[str, str], int]


class Defaults:
    """A :class:`~adjudicator.western_desert.air.engagement.Policy` of either side: the defaults of this module."""

    def jettison(self, sky: Sky) -> frozenset[str]:
        """See :func:`jettison`."""
        return jettison(sky)

    def split(self, sky: Sky) -> frozenset[str]:
        """See :func:`split`."""
        return split(sky)

    def engage(self, sky: Sky) -> Pairs:
        """See :func:`engage`."""
        return engage(sky)

    def join(self, sky: Sky) -> Pairs:
        """Nobody: all spare escorts are held back for those who try to pass."""
        return {}

    def chase(self, sky: Sky) -> Pairs:
        """See :func:`chase`."""
        return chase(sky)

    def strike(self, sky: Sky) -> Pairs:
        """See :func:`strike`."""
        return strike(sky)

    def sequence(self, sky: Sky, single: str, several: Sequence[str]) -> tuple[str, ...]:
        """See :func:`sequence`."""
        return sequence(sky, single, several)


# --- the owner of the missions ----------------------------------------------------------------------------------


def jettison(sky: Sky) -> frozenset[str]:
    """Fighters drop their bombs while interceptors outnumber the screen, the smallest load first (WD 24.A.jettison).

    Never those on ground support, on which an attack may have been planned.
    """
    missing = len(sky.interceptors) - len(sky.escorts)
    ready = [aid for aid in allocation.jettisoners(sky) if sky.flight(aid).mission != GROUND_SUPPORT]
    ready.sort(key=lambda aid: load_order(sky, aid))
    return frozenset(ready[: max(0, missing)])


def load_order(sky: Sky, aid: str) -> tuple[Fraction, int, str]:
    """Who drops his bombs first: the smallest load, of equal ones the best fighter."""
    return sky.flight(aid).strength, -sky.flight(aid).craft.attack, aid


def chase(sky: Sky, named: Pairs | None = None) -> dict[str, str]:
    """One unengaged escort for each passing interceptor, the best differential first, then a second for each, until
    all escorts are used: nobody fires back at them (WD 21.B.2.c). ``named`` are pairs that stand already."""
    found = dict(named or {})
    free = set(sky.held) - set(found)
    while free and sky.bypass:
        after = Counter(found.values())
        fewest = min(after[aid] for aid in sky.bypass)
        targets = [aid for aid in sky.bypass if after[aid] == fewest]
        escort, target = min(
            ((one, other) for one in free for other in targets),
            key=lambda pair: (-differential(sky.flight(pair[0]), sky.flight(pair[1])), pair),
        )
        found[escort] = target
        free.discard(escort)
    return found


# --- the owner of the interceptors ------------------------------------------------------------------------------


def split(sky: Sky, per_escort: int | None = None) -> frozenset[str]:
    """Each escort is covered by one interceptor, the others pass; where they are too few all of them pass, where there
    is no mission force none does (WD 21.A.split). A number ``per_escort`` that somebody asked for is met as far as the
    interceptors go.

    Who covers whom, and who passes, is what does the most harm for what comes back, over all pairs together.
    """
    ours, escorts = sky.interceptors, sky.escorts
    if per_escort is not None:
        escorts = escorts * min(per_escort, len(ours))
    elif not sky.force:
        return frozenset(ours)
    elif len(ours) < len(escorts):
        return frozenset()
    best_strike = {aid: max((_trade(sky, aid, other) for other in sky.force), default=0) for aid in ours}
    columns: list[str] = [*escorts, *[""] * (len(ours) - len(escorts))]
    gains = [[_trade(sky, one, other) if other else best_strike[one] for other in columns] for one in ours]
    return frozenset(aid for aid, column in zip(ours, assignment(gains), strict=True) if columns[column])


def engage(sky: Sky, named: Pairs | None = None) -> dict[str, str]:
    """Every escort gets one interceptor so that the pairs do the most harm for what comes back; further ones go where
    they are likeliest to abort or kill (WD 21.B.2.a). ``named`` are pairs that stand already; they must
    leave an interceptor for each escort without one, or have an escort of its own for each."""
    ours, escorts = sky.at_screen, sky.escorts
    found = dict(named or {})
    free = [aid for aid in ours if aid not in found]
    left = [aid for aid in escorts if aid not in found.values()]
    found |= best_pairs(free, left, lambda one, other: _trade(sky, one, other))
    for one in ours:
        if one not in found:
            found[one] = min(escorts, key=lambda other: (-odds_of(sky, one, other).hurt, other))
    return found


def strike(sky: Sky, named: Pairs | None = None) -> dict[str, str]:
    """Each interceptor goes for the air unit of the mission force with which the enemy is to lose the most bombing
    strength or cargo (WD 21.B.2.d).

    One after the other they are set where that adds most to what the enemy is to lose; a unit that others attack
    already is worth what they are likely to leave of it. Where nothing is to be lost, harm to the air unit counts.
    ``named`` are pairs that stand already.
    """
    shots = {(one, other): odds_of(sky, one, other) for one in sky.bypass for other in sky.force}
    left, alive = _shares(sky)
    found: dict[str, str] = {}

    def key(pair: tuple[str, str]) -> tuple[int, int, tuple[str, str]]:
        shot = shots[pair]
        return -left[pair[1]] * shot.stop, -alive[pair[1]] * harm(shot), pair

    def take(one: str, target: str) -> None:
        found[one] = target
        missed = WAYS - shots[(one, target)].stop
        left[target] = left[target] * missed // WAYS
        alive[target] = alive[target] * missed // WAYS

    for one, target in (named or {}).items():
        take(one, target)
    free = set(sky.bypass) - set(found)
    while free and sky.force:
        one, target = min(((one, other) for one in free for other in sky.force), key=key)
        take(one, target)
        free.discard(one)
    return found


def _shares(sky: Sky) -> tuple[dict[str, int], dict[str, int]]:
    """What each mission is worth, and the air unit itself, in parts so small that every interceptor may take its 36ths
    of what the others leave without rounding."""
    parts = WAYS ** len(sky.bypass)
    points = {aid: worth(sky, aid) for aid in sky.force}
    whole = lcm(*(value.denominator for value in points.values()))
    return {aid: int(value * whole) * parts for aid, value in points.items()}, dict.fromkeys(sky.force, parts)


def worth(sky: Sky, aid: str) -> Fraction:
    """What the enemy loses with a mission: its bombing strength and its cargo, in points."""
    return sky.flight(aid).strength + POINTS_PER_RE * sky.cargo.get(aid, Fraction(0))


# --- both -------------------------------------------------------------------------------------------------------


def sequence(sky: Sky, single: str, several: Iterable[str]) -> tuple[str, ...]:
    """Of several the one with the best chance to abort or kill the single unit goes first (WD 21.B.2.b)."""

    def key(aid: str) -> tuple[int, int, str]:
        shot = odds_of(sky, aid, single)
        return -shot.hurt, -shot.stop, aid

    return tuple(sorted(several, key=key))


def odds_of(sky: Sky, firer: str, target: str) -> Chances:
    """What a shot over the hex may do."""
    return odds(sky.tables, sky.flight(firer), sky.flight(target))


def harm(shot: Chances) -> int:
    """How much a shot is likely to do, in 36ths of a turn back."""
    return HARM_BACK * shot.back + HARM_ABORT * shot.abort + HARM_KILL * shot.kill


def _trade(sky: Sky, one: str, other: str) -> int:
    """What an exchange does to the other less what it does to the one."""
    return harm(odds_of(sky, one, other)) - harm(odds_of(sky, other, one))


def best_pairs(ones: Sequence[str], others: Sequence[str], gain: Gain) -> dict[str, str]:
    """Pairs of the two groups, as many as the smaller one has, whose gains together are the greatest."""
    if len(ones) <= len(others):
        columns = assignment([[gain(one, other) for other in others] for one in ones])
        return {one: others[column] for one, column in zip(ones, columns, strict=True)}
    found = assignment([[gain(one, other) for one in ones] for other in others])
    return {ones[column]: other for other, column in zip(others, found, strict=True)}


def assignment(gains: Sequence[Sequence[int]]) -> list[int]:
    """A column for each row, none twice, with the greatest sum of gains: rows are added one at a time, each along the
    cheapest chain of changes. There must be at least as many columns as rows."""
    width = len(gains[0]) if gains else 0
    rows, columns = [0] * (len(gains) + 1), [0] * (width + 1)
    taken = [0] * (width + 1)
    for number in range(1, len(gains) + 1):
        taken[0] = number
        _add_row(gains, rows, columns, taken)
    found = [0] * len(gains)
    for column in range(1, width + 1):
        if taken[column]:
            found[taken[column] - 1] = column - 1
    return found


def _add_row(gains: Sequence[Sequence[int]], rows: list[int], columns: list[int], taken: list[int]) -> None:
    """Find the cheapest chain that ends at a free column, keep the potentials right, and change along it.

    ``rows`` and ``columns`` are potentials, ``taken`` the row of each column; index 0 is the row that is added.
    """
    width = len(columns) - 1
    least: list[int | None] = [None] * (width + 1)
    came, seen, at = [0] * (width + 1), [False] * (width + 1), 0
    while True:
        seen[at] = True
        row, nearest, step = taken[at], 0, None
        for column in range(1, width + 1):
            if seen[column]:
                continue
            cost = -gains[row - 1][column - 1] - rows[row] - columns[column]
            known = least[column]
            if known is None or cost < known:
                least[column] = known = cost
                came[column] = at
            if step is None or known < step:
                step, nearest = known, column
        assert step is not None
        for column in range(width + 1):
            if seen[column]:
                rows[taken[column]] += step
                columns[column] -= step
            else:
                value = least[column]
                least[column] = None if value is None else value - step
        at = nearest
        if taken[at] == 0:
            break
    while at:
        taken[at] = taken[came[at]]
        at = came[at]

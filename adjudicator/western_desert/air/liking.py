"""Whom an air unit is to attack, in the words of orders and clauses: ids, models, types, groups, the strongest, the
weakest (WD 21.B.2; pbem A6, A7).

The one place that reads such words over a hex. All of them speak of what both sides see.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction

from adjudicator.western_desert.air.craft import STRATEGIC, TACTICAL, Flight
from adjudicator.western_desert.air.orders import HIGHEST_STRATEGIC, HIGHEST_TACTICAL, WEAKEST
from adjudicator.western_desert.air.patrolling import speaks_of
from adjudicator.western_desert.air.policies import worth
from adjudicator.western_desert.air.shots import differential
from adjudicator.western_desert.air.sky import Sky

Wishes = Mapping[str, Sequence[str]]
"""Words by air unit: whom it is to attack, what it likes best first."""


def _bombs(missions: Collection[str]) -> Callable[[Flight], Fraction]:
    return lambda flight: flight.strength if flight.mission in missions else Fraction(0)


_RATES: Mapping[str, Callable[[Flight], Fraction]] = {
    HIGHEST_TACTICAL: _bombs(TACTICAL),
    HIGHEST_STRATEGIC: _bombs(STRATEGIC),
}


def meant(sky: Sky, word: str, others: Collection[str]) -> list[str]:
    """Those of the air units over a hex that a word means: none with a bombing strength that it asks for is none."""
    rate = _RATES.get(word)
    if rate is not None:
        return [aid for aid in others if rate(sky.flight(aid))]
    if word == WEAKEST:
        return list(others)
    return [aid for aid in others if word == aid or speaks_of(word, sky.flight(aid))]


def liked(sky: Sky, wishes: Wishes, ones: Collection[str], others: Collection[str]) -> dict[str, str]:
    """For each air unit that has a wish the target of its first word that means any.

    Of those whom a word means the one that the fewest of its own side go for already, then the one that the word puts
    first: the highest strength, the lowest defense, else the most valuable mission, the best differential.
    """
    taken: Counter[str] = Counter()
    found: dict[str, str] = {}
    for one in sorted(set(ones) & set(wishes)):
        for word in wishes[one]:
            there = meant(sky, word, others)
            if there:
                found[one] = min(there, key=lambda aid: (taken[aid], *_rank(sky, word, one, aid)))
                taken[found[one]] += 1
                break
    return found


def _rank(sky: Sky, word: str, one: str, aid: str) -> tuple[Fraction, int, str]:
    flight = sky.flight(aid)
    rate = _RATES.get(word)
    first = Fraction(flight.defense) if word == WEAKEST else -(rate(flight) if rate else worth(sky, aid))
    return first, -differential(sky.flight(one), flight), aid

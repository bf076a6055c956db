"""Losses of a combat: what must be given up, which sets are lawful, which is cheapest (WD 9.C, 9.D, 9.E).

Losses count printed strengths: attack strengths of attackers, defense strengths of defenders. A set is lawful as soon
as it reaches the minimum (ruling LOSS-CHOICE); units that retreated into the hex count nothing (RETREAT-ATTACKED).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from math import lcm
from typing import NamedTuple

from adjudicator.engine.core import Problem
from adjudicator.western_desert.state import State
from adjudicator.western_desert.strength import ZERO, printed
from adjudicator.western_desert.units import Unit, number

Set = tuple[str, ...]
LIST_AT_MOST = 500


class Candidate(NamedTuple):
    """A unit that may be lost, with its counted strength and what the default weighs."""

    unit: str
    strength: Fraction
    cadre: bool
    giver: bool
    artillery: bool
    re2: int


class Duty(NamedTuple):
    """What a side must lose of its units in a combat: at least ``required`` printed strength."""

    side: str
    required: Fraction
    rule: str
    candidates: tuple[Candidate, ...]

    @property
    def available(self) -> Fraction:
        """All the strength that could be lost."""
        return sum((c.strength for c in self.candidates), ZERO)

    @property
    def forced(self) -> bool:
        """True where only the loss of everything reaches the minimum, so that there is nothing to choose."""
        return all(self.available - c.strength < self.required for c in self.candidates)


def candidate(state: State, uid: str, attacking: bool, counts: bool = True) -> Candidate:
    """A unit as a possible loss. ``counts`` False is for units that share a result without adding strength."""
    unit = state.unit(uid)
    strength = printed(state, uid, attacking) if counts else ZERO
    return Candidate(uid, strength, has_cadre(unit), unit.giver, unit.artillery, unit.re2)


def has_cadre(unit: Unit) -> bool:
    """True for a division with a cadre behind it (WD 9.E); its cadre face has none."""
    return unit.back is not None


def strength_of(duty: Duty, units: Iterable[str]) -> Fraction:
    """Counted strength of a set."""
    worth = {c.unit: c.strength for c in duty.candidates}
    return sum((worth[uid] for uid in set(units)), ZERO)


# --- legality ---------------------------------------------------------------------------------------------------


def loss_problems(duty: Duty, units: Sequence[str]) -> list[Problem]:
    """What is wrong with a choice of losses; empty for a lawful one (WD 9.C, ruling LOSS-CHOICE)."""
    known = {c.unit for c in duty.candidates}
    strange = sorted(set(units) - known)
    if strange:
        text = f"{', '.join(strange)} took no part in this combat on the {duty.side} side"
        return [Problem("not_affected", duty.rule, text, f"choose from {', '.join(sorted(known))}", field="units")]
    total = strength_of(duty, units)
    if total >= duty.required:
        return []
    text = (
        f"{', '.join(units) or 'nobody'} is a loss of {number(total)}, "
        f"but at least {number(duty.required)} of {number(duty.available)} must be lost by printed strength"
    )
    smallest = cheapest_set(duty)
    hint = f"add {number(duty.required - total)} or more; the cheapest lawful set is {', '.join(smallest)}"
    worth = ", ".join(f"{c.unit} {number(c.strength)}" for c in duty.candidates)
    return [
        Problem("too_few_losses", duty.rule, text, hint, field="units"),
        Problem("printed_strength", "WD 9.D", f"losses count printed strengths: {worth}", hint, field="units"),
    ]


# --- listing ----------------------------------------------------------------------------------------------------


def minimal_sets(duty: Duty) -> Iterator[Set]:
    """All sets that reach the minimum and from which no unit could be spared, in a fixed order.

    Any lawful choice contains one of them; any set that contains one is lawful.
    """
    items = sorted((c for c in duty.candidates if c.strength > 0), key=lambda c: (-c.strength, c.unit))
    left = [ZERO] * (len(items) + 1)
    for i in range(len(items) - 1, -1, -1):
        left[i] = left[i + 1] + items[i].strength
    if duty.required <= 0:
        yield ()
        return
    yield from _grow(items, left, 0, (), ZERO, duty.required)


def _grow(
    items: Sequence[Candidate], left: Sequence[Fraction], at: int, chosen: Set, total: Fraction, required: Fraction
) -> Iterator[Set]:
    """Largest first: a set that just reached the minimum is minimal, as its last unit is its smallest."""
    if total >= required:
        yield tuple(sorted(chosen))
        return
    for i in range(at, len(items)):
        if total + left[i] < required:
            return
        yield from _grow(items, left, i + 1, (*chosen, items[i].unit), total + items[i].strength, required)


def listed_sets(duty: Duty) -> list[Set]:
    """The minimal sets, the first 500 of them where there are more."""
    found: list[Set] = []
    for loss in minimal_sets(duty):
        found.append(loss)
        if len(found) == LIST_AT_MOST:
            break
    return found


# --- the default (pbem C2) --------------------------------------------------------------------------------------

_Cost = tuple[int, int, int, int, int]
_Best = tuple[_Cost, Set]


def cheapest_set(duty: Duty, order: Sequence[str] = (), never: Sequence[str] = ()) -> Set:
    """The cheapest sufficient set: the smallest excess over the minimum; among those one cadred division alone, else
    no cadred division; then supporters are kept, then artillery, then REs, then units (pbem C2).

    ``order`` is given up first, in turn, until the minimum is reached; units of ``never`` only if nothing else is
    left.
    """
    known = {c.unit: c for c in duty.candidates}
    first: list[str] = []
    need = duty.required
    for uid in dict.fromkeys(order):
        if need > 0 and uid in known and uid not in never and known[uid].strength > 0:
            first.append(uid)
            need -= known[uid].strength
    rest = [c for c in duty.candidates if c.unit not in first]
    more = _cheapest(rest, need, set(never))
    return tuple(sorted((*first, *more)))


def _cheapest(items: Sequence[Candidate], need: Fraction, never: set[str]) -> Set:
    """The cheapest set of the items; those of ``never`` are spared as long as the others suffice."""
    if need <= 0:
        return ()
    willing = [c for c in items if c.unit not in never]
    if sum((c.strength for c in willing), ZERO) < need:
        spared = [c for c in items if c.unit in never]
        given = tuple(c.unit for c in willing if c.strength > 0)
        return (*given, *_cheapest(spared, need - sum((c.strength for c in willing), ZERO), set()))
    sums = _best_by_sum(willing)
    least = min(total for total in sums if total >= need)
    alone = sorted(c.unit for c in willing if c.cadre and c.strength == least)
    return (alone[0],) if alone else sums[least][1]


def _best_by_sum(items: Sequence[Candidate]) -> Mapping[Fraction, _Best]:
    """For each strength that can be lost the best set that loses it."""
    scale = reduce(lcm, (c.strength.denominator for c in items), 1)
    best: dict[int, _Best] = {0: ((0, 0, 0, 0, 0), ())}
    for item in sorted(items, key=lambda c: c.unit):
        if item.strength <= 0:
            continue
        weight = int(item.strength * scale)
        cost = (int(item.cadre), int(item.giver), int(item.artillery), item.re2, 1)
        for total, (paid, ids) in list(best.items()):
            a, b, c, d, e = (x + y for x, y in zip(paid, cost, strict=True))
            new: _Best = ((a, b, c, d, e), (*ids, item.unit))
            if total + weight not in best or new < best[total + weight]:
                best[total + weight] = new
    return {Fraction(total, scale): found for total, found in best.items()}


# --- exchanges --------------------------------------------------------------------------------------------------


def weaker_side(attack: Fraction, defense: Fraction) -> str:
    """The side that an exchange eliminates: the weaker one, the defender if both are equal (WD 9.C.HX, 9.C.EX)."""
    return "attacker" if attack < defense else "defender"


def exchange_share(result: str, lost: Fraction) -> Fraction:
    """What the other side must lose at least: as much in an exchange, half of it in a half exchange."""
    return lost if result == "EX" else lost / 2

"""What antiaircraft makes of the flights of a mission, and how many of its attacks hit, in exact chances.

Where the guns of a hex may be suppressed (WD 33.I), the hits of those who bomb them before count, each with its chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from adjudicator.western_desert.air.bombing import ROLLED, BombTable, bomb_table, chance_of, strike_of
from adjudicator.western_desert.air.craft import SUPPRESS, SUPPRESSION, Flight
from adjudicator.western_desert.air.drops import FACES
from adjudicator.western_desert.air.flak import aa_of_hex, burst_at, flak_odds, may_be_fired_at
from adjudicator.western_desert.air.tables import WAYS, air_tables
from adjudicator.western_desert.state import ENEMY, State

ONE, ZERO = Fraction(1), Fraction(0)
Spread = dict[int, Fraction]
"""The chance of each number of hits."""
UNTOUCHED: Spread = {0: ONE}
"""Guns that nobody has bombed."""


class Fates(NamedTuple):
    """What antiaircraft may do to an air unit: the chances that it comes through, turns back, is aborted or lost.

    ``modifier`` is that of its dice without suppression.
    """

    strength: int
    modifier: int
    through: Fraction
    back: Fraction
    abort: Fraction
    lost: Fraction


class Course(NamedTuple):
    """Attacks in the order in which they are made: what befalls each flight, and how many of them hit."""

    fates: dict[str, Fates]
    hits: Spread


# --- antiaircraft -----------------------------------------------------------------------------------------------


def fates_of(state: State, flight: Flight, suppressed: int = 0) -> Fates:
    """What the antiaircraft of its target hex may do to a flight, after so many hits on it (WD 22.B, 33.I)."""
    tables = air_tables(state.world)
    strength = aa_of_hex(state, flight.target, ENEMY[flight.craft.side])
    burst = burst_at(tables, state.board.label(flight.target), strength, flight, suppressed=suppressed)
    if not burst.column or not may_be_fired_at(flight):
        return Fates(0, 0, ONE, ZERO, ZERO, ZERO)
    found = flak_odds(tables, burst)
    parts = [Fraction(part, WAYS) for part in (found.none, found.back, found.abort, found.kill)]
    return Fates(burst.column, burst.modifier - suppressed, *parts)


def weighed(state: State, flight: Flight, guns: Spread) -> Fates:
    """The same where it is not sure how often the guns were hit before."""
    found = [(chance, fates_of(state, flight, hits)) for hits, chance in guns.items()]
    shares = [sum((chance * fates[part] for chance, fates in found), ZERO) for part in range(2, len(Fates._fields))]
    return Fates(found[0][1].strength, found[0][1].modifier, *shares)


# --- attacks ----------------------------------------------------------------------------------------------------


def course_of(state: State, parties: Sequence[Sequence[Flight]], guns: Spread) -> Course:
    """Attacks upon one hex, each by the flights of a party; ``guns`` are the hits on its antiaircraft before. Missions
    that roll for no bombs hit nothing."""
    if parties[0][0].mission not in ROLLED:
        return Course({flight.id: weighed(state, flight, guns) for party in parties for flight in party}, {})
    fates: dict[str, Fates] = {}
    at = {(hits, 0): chance for hits, chance in guns.items()}
    for party in parties:
        sums: Spread = {}
        for (hits, _own), chance in at.items():
            sums[hits] = sums.get(hits, ZERO) + chance
        fates |= {flight.id: weighed(state, flight, sums) for flight in party}
        at = _after(state, party, at)
    spread: Spread = {}
    for (_hits, own), chance in at.items():
        spread[own] = spread.get(own, ZERO) + chance
    return Course(fates, spread)


def guns_after(state: State, parties: Iterable[Sequence[Flight]]) -> Spread:
    """How often the guns of a hex are hit by those who bomb it one after the other."""
    at = {(0, 0): ONE}
    for party in parties:
        at = _after(state, party, at)
    found: Spread = {}
    for (hits, _own), chance in at.items():
        found[hits] = found.get(hits, ZERO) + chance
    return found


def _after(
    state: State, party: Sequence[Flight], at: Mapping[tuple[int, int], Fraction]
) -> dict[tuple[int, int], Fraction]:
    """The chances of each number of hits on the guns, and by attacks, when one more attack is made."""
    table, place = bomb_table(state.world), state.board.label(party[0].target)
    suppresses = party[0].mission == SUPPRESS and state.world.plays(SUPPRESSION)
    found: dict[tuple[int, int], Fraction] = {}
    for (guns, own), chance in at.items():
        hit = hit_chance(table, place, party, {flight.id: fates_of(state, flight, guns) for flight in party})
        for key, share in (((guns + suppresses, own + 1), hit), ((guns, own), 1 - hit)):
            if share:
                found[key] = found.get(key, ZERO) + chance * share
    return found


def hit_chance(table: BombTable, place: str, party: Sequence[Flight], fates: Mapping[str, Fates]) -> Fraction:
    """The chance that an attack hits when antiaircraft has thinned it out: over all who may be left of it."""
    left: dict[tuple[Fraction, frozenset[str]], tuple[Fraction, tuple[Flight, ...]]] = {(ZERO, frozenset()): (ONE, ())}
    for flight in party:
        following: dict[tuple[Fraction, frozenset[str]], tuple[Fraction, tuple[Flight, ...]]] = {}
        for (strength, kinds), (chance, here) in left.items():
            through = fates[flight.id].through
            more = (strength + flight.strength, kinds | {flight.craft.plain}), through, (*here, flight)
            for key, share, crew in (more, ((strength, kinds), 1 - through, here)):
                known = following.get(key, (ZERO, crew))
                following[key] = (known[0] + chance * share, known[1])
        left = following
    return sum((chance * _hits(table, place, crew) for chance, crew in left.values() if crew), ZERO)


def _hits(table: BombTable, place: str, crew: Sequence[Flight]) -> Fraction:
    return Fraction(chance_of(table, strike_of(table, place, crew)), FACES)

"""Coming home: when an air unit lands, where it may, and in what state (WD 18.return, 20.F.2, 24.B, 24.E)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from adjudicator.western_desert.air.craft import (
    ABORTED,
    DEFENSIVE_SUPPORT,
    ELIMINATED,
    GROUND_SUPPORT,
    REACTIONS,
    Flight,
)
from adjudicator.western_desert.sequence import PlayerTurn

INTERCEPTOR_RETURN, AIR_RETURN = "interceptor_return", "air_return"
AFTER_COMBAT, NEXT_AIR_PHASE = "combat_phase_end", "own_air_phase_start"
CRASH_FROM = 6
OPERATIVE, INOPERATIVE = "operative", "inoperative"
RULE, FAR_RULE, CRASH_RULE = "WD 18.return", "WD 24.B.return", "WD 24.E.crash"


class Base(NamedTuple):
    """An airbase of the flier's side, by its distance from where the air unit is."""

    id: str
    distance: int


def lands_in(flight: Flight, own_phase: bool = True) -> str:
    """When a flight goes home (WD 16.C.5, 16.C.6, 20.F.2.c, 20.F.2.d).

    Interceptors and scramblers in their return step, others in theirs; ground support waits for the end of the combat
    phase, made or not made its attack, defensive support for the start of its owner's next air phase. What was turned
    back or aborted in the air phase of its mission, or has jettisoned its bombs, goes home in that phase (WD 21.B.1,
    24.A.jettison); ``own_phase`` is False where that befell it later.
    """
    mission = flight.flies_as
    if mission in REACTIONS:
        return INTERCEPTOR_RETURN
    if flight.fate and own_phase:
        return AIR_RETURN
    return {GROUND_SUPPORT: AFTER_COMBAT, DEFENSIVE_SUPPORT: NEXT_AIR_PHASE}.get(mission, AIR_RETURN)


def next_own(flown: PlayerTurn) -> PlayerTurn:
    """The player turn with the owner's next air phase after the one in which he flew (WD 20.F.2.d)."""
    following = flown.next()
    while following.player != flown.player:
        following = following.next()
    return following


def blocks_new_mission(flight: Flight) -> bool:
    """Whether the flight keeps its air unit from a mission in the air phase in which it lands (WD 20.F.2.d).

    Defensive support comes home at the start of a new air phase and may fly again in it; all others land at its end
    or later.
    """
    return flight.flies_as != DEFENSIVE_SUPPORT


def bases_in_range(flight: Flight, bases: Iterable[Base]) -> list[Base]:
    """Where a flight may land: friendly airbases within the range of its mission, from where it is (WD 18.return).

    At extended range twice the rating (WD 24.B.return). It may be any base, its own lost or not (ruling DS-BASE), and
    for one turned back the hex counts where that happened (ruling TURNBACK-PLACE). Capacity is none of landing (WD
    17.A).
    """
    return [base for base in bases if base.distance <= flight.reach]


def may_crash(flight: Flight) -> bool:
    """Whether a die is rolled at its landing: a day air unit that flew at night (WD 24.E.crash)."""
    return flight.night and not flight.craft.night and flight.fate != ELIMINATED


def crashes(die: int) -> bool:
    """Whether a day air unit crash lands (WD 24.E.crash)."""
    return die >= CRASH_FROM


def landed(flight: Flight, bases: Sequence[Base] | None, die: int | None = None) -> str:
    """State of an air unit once home: operative, inoperative or eliminated (WD 17, 18.return, 21.B.1, 24.E.crash).

    ``bases`` are those known to the caller, None where its home is at hand; without one in range it is lost. ``die``
    is the roll of a landing that may crash.
    """
    if flight.fate == ELIMINATED or (bases is not None and not bases_in_range(flight, bases)):
        return ELIMINATED
    crashed = die is not None and may_crash(flight) and crashes(die)
    return INOPERATIVE if flight.fate == ABORTED or crashed else OPERATIVE


def supports(flight: Flight, friends: bool) -> bool:
    """Whether defensive support does anything for its hex: with friendly ground units there, and the flight unhurt (WD
    20.F.2.d, 20.F.2.d.aa). Without them it stays and returns in its time all the same (ruling DS-EMPTY)."""
    return flight.flies_as == DEFENSIVE_SUPPORT and friends and not flight.fate

"""The air units of a position as the rules of the air phase see them: flights in the air, and what waits for what.

An :class:`~adjudicator.western_desert.air.facts.AirBook` is read off the state, so that every choice of the phase,
and whoever looks at a position in its midst, sees the same.
"""

from __future__ import annotations

from typing import NamedTuple

from adjudicator.western_desert.air.craft import REACTIONS, Flight, craft_of
from adjudicator.western_desert.air.facts import AirBook
from adjudicator.western_desert.air.landing import AIR_RETURN, lands_in
from adjudicator.western_desert.air.missions import Leg
from adjudicator.western_desert.state import Sortie, State


def flight_of(state: State, aid: str) -> Flight:
    """An air unit that is in the air. Raises KeyError for one that is at its base, or on the tow of another."""
    unit = state.air[aid]
    sortie = unit.sortie
    if sortie is None:
        raise KeyError(f"{aid} is at its base")
    key = ("flight", aid)
    kept = state.world.cache.get(key)
    if isinstance(kept, _Kept) and kept.sortie is sortie and kept.base == unit.hex:
        return kept.flight
    flight = _flight(state, aid, sortie)
    state.world.cache[key] = _Kept(sortie, unit.hex, flight)
    return flight


class _Kept(NamedTuple):
    """A flight as it was made last of this sortie from this base: it is asked for again and again in a phase."""

    sortie: Sortie
    base: int
    flight: Flight


def _flight(state: State, aid: str, sortie: Sortie) -> Flight:
    return Flight(
        craft_of(state.world, aid),
        sortie.mission,
        night=sortie.night,
        extended=sortie.extended,
        jettisoned=sortie.jettisoned,
        tow=craft_of(state.world, sortie.tow) if sortie.tow else None,
        base=state.air[aid].hex,
        target=sortie.over,
        fate=sortie.fate,
    )


def in_the_air(state: State) -> list[str]:
    """Who is over a hex, in the order in which they took off; gliders on tow are none of them."""
    flying = [(unit.sortie.number, aid) for aid, unit in state.air.items() if unit.sortie is not None]
    return [aid for _number, aid in sorted(flying)]


def towed(state: State) -> dict[str, str]:
    """The gliders on tow, each with the air unit that tows it (WD 24.C)."""
    return {unit.sortie.tow: aid for aid, unit in sorted(state.air.items()) if unit.sortie and unit.sortie.tow}


def of_this_phase(state: State, flight: Flight) -> bool:
    """Whether a flight belongs to the air phase at hand: flown by the phasing player, or in reaction to him.

    Defensive support that the other player flew in his own turn is still over its hex, and meets nobody (ruling
    INTERCEPT-WHAT).
    """
    return flight.craft.side == state.player or flight.mission in REACTIONS


def book_of(state: State) -> AirBook:
    """The air phase so far, with those who are still in the air from an earlier one."""
    return AirBook(
        flights=tuple(flight_of(state, aid) for aid in in_the_air(state)),
        used=dict(state.take_offs),
        legs={aid: tuple(Leg(*leg) for leg in unit.legs) for aid, unit in state.air.items() if unit.legs},
        attacks={aid: 1 for aid, unit in state.air.items() if unit.patrolled},
    )


def waits_for(state: State, aid: str) -> str:
    """When an air unit in the air goes home: a step of the air phase, the end of the combat phase, or the start of its
    owner's next air phase (WD 16.C.5, 16.C.6, 20.F.2.c, 20.F.2.d)."""
    flight = flight_of(state, aid)
    own_phase = state.phase == "air" and flight.craft.side == state.player
    return lands_in(flight, own_phase)


def home_late(state: State, aid: str) -> bool:
    """Whether an air unit stays over its hex when the air phase is over (WD 20.F.2.c, 20.F.2.d)."""
    flight = flight_of(state, aid)
    return not of_this_phase(state, flight) or (flight.mission not in REACTIONS and waits_for(state, aid) != AIR_RETURN)

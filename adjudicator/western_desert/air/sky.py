"""The air over one hex in air combat, as both sides see it: who flies there, in which group, allocated to whom (WD 21).

A :class:`Sky` never changes; each step of :mod:`~adjudicator.western_desert.air.engagement` makes the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import NamedTuple

from adjudicator.western_desert.air.craft import ESCORT, INTERCEPT, SCRAMBLE, UNHURT, Flight
from adjudicator.western_desert.air.tables import AirTables

Pairs = Mapping[str, str]
SCREEN, MISSION, BYPASS = "screen", "mission", "bypass"
"""The groups: of the escorts and of the interceptors that attack them, of the mission force, of those who pass by."""


@dataclass(frozen=True)
class Sky:
    """All flights over a hex by day, or all by night, with what has been decided and what has happened so far.

    ``place`` names the hex. ``flights`` are by id, as they fly now. ``cargo`` is what transports carry, in REs.
    ``attackers`` are the interceptors on the screen, ``engaged`` names the escort that each of them faces, ``joined``
    the interceptor that each further escort was set on.
    """

    tables: AirTables
    place: str
    flights: Mapping[str, Flight]
    cargo: Mapping[str, Fraction] = field(default_factory=dict)
    attackers: frozenset[str] = frozenset()
    engaged: Pairs = field(default_factory=dict)
    joined: Pairs = field(default_factory=dict)

    @property
    def interceptors(self) -> tuple[str, ...]:
        """Fighters that fly interception, as far as they are still in the fight (WD 20.A)."""
        return self._flying(lambda flight: flight.mission == INTERCEPT)

    @property
    def escorts(self) -> tuple[str, ...]:
        """The escort screen: escorts and fighters that dropped their bombs (WD 21.A.screen, 24.A.jettison)."""
        return self._flying(lambda flight: flight.flies_as == ESCORT)

    @property
    def force(self) -> tuple[str, ...]:
        """The mission force: all that fly other missions (WD 21.A)."""
        return self._flying(lambda flight: flight.mission != INTERCEPT and flight.flies_as != ESCORT)

    @property
    def bypass(self) -> tuple[str, ...]:
        """Interceptors that try to get past the screen (WD 21.A.split)."""
        return tuple(aid for aid in self.interceptors if aid not in self.attackers)

    @property
    def at_screen(self) -> tuple[str, ...]:
        """Interceptors on the screen that are still in the fight."""
        return tuple(aid for aid in self.interceptors if aid in self.attackers)

    @property
    def held(self) -> tuple[str, ...]:
        """Escorts that nobody faces and that joined no fight: they may go for those who pass by (WD 21.B.2.c)."""
        faced = set(self.engaged.values())
        return tuple(aid for aid in self.escorts if aid not in faced and aid not in self.joined)

    def flight(self, aid: str) -> Flight:
        """A flight over the hex. Raises KeyError for any other."""
        return self.flights[aid]

    def name(self, aid: str) -> str:
        """An air unit as people say it."""
        flight = self.flights.get(aid)
        return flight.craft.name or aid if flight else aid

    def flying(self, aid: str) -> bool:
        """Whether an air unit is over the hex and nothing has befallen it yet."""
        return aid in self.flights and self.flights[aid].fate == UNHURT

    def _flying(self, wanted: Callable[[Flight], bool]) -> tuple[str, ...]:
        return tuple(sorted(aid for aid, flight in self.flights.items() if flight.fate == UNHURT and wanted(flight)))

    def after(self, fates: Mapping[str, str]) -> Sky:
        """The same air once results have been implemented (WD 21.B.1)."""
        hit = {aid: replace(self.flights[aid], fate=fate) for aid, fate in fates.items() if fate != UNHURT}
        return replace(self, flights={**self.flights, **hit}) if hit else self

    def jettisoned(self, chosen: Iterable[str]) -> Sky:
        """The same air after fighters have dropped their bombs (WD 24.A.jettison)."""
        light = {aid: replace(self.flights[aid], jettisoned=True) for aid in chosen}
        return replace(self, flights={**self.flights, **light})


class NightAndDay(ValueError):
    """Flights by night and by day do not meet (WD 24.E)."""


class Battle(NamedTuple):
    """Where air combat takes place: the hex, the time, and all flights that meet there (WD 21)."""

    hex: int
    night: bool
    flights: tuple[Flight, ...]


def battles(flights: Iterable[Flight]) -> tuple[Battle, ...]:
    """The air combats of an air phase: one for each hex and time in which interceptors meet missions (WD 21, 24.E).

    Those by day come first (ruling NIGHT-ORDER), then hex by hex. Units turned back before are gone (ruling
    INTERCEPT-WHAT), those that scramble meet nobody; support flown in an earlier turn is not to be handed in.
    """
    found: dict[tuple[bool, int], list[Flight]] = {}
    for flight in flights:
        if flight.fate == UNHURT and flight.mission != SCRAMBLE:
            found.setdefault((flight.night, flight.target), []).append(flight)
    return tuple(
        Battle(h, night, tuple(there))
        for (night, h), there in sorted(found.items(), key=lambda item: item[0])
        if {flight.mission == INTERCEPT for flight in there} == {True, False}
    )


def sky_over(
    tables: AirTables, place: str, flights: Iterable[Flight], cargo: Mapping[str, Fraction] | None = None
) -> Sky:
    """The air over a hex before air combat. Raises :class:`NightAndDay`, and ValueError for an id that comes twice."""
    there = tuple(flights)
    if len({flight.night for flight in there}) > 1:
        raise NightAndDay(f"flights by night and by day over {place} do not meet (WD 24.E)")
    by_id = {flight.id: flight for flight in there}
    if len(by_id) < len(there):
        raise ValueError(f"an air unit flies twice over {place}")
    return Sky(tables, place, by_id, dict(cargo or {}))

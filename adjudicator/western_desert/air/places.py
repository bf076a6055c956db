"""What a clause of standing orders on the air war is about: hexes, missions, air units."""

from __future__ import annotations

from collections.abc import Iterable

from adjudicator.engine.core import texts_of
from adjudicator.western_desert.air.craft import Flight
from adjudicator.western_desert.air.facts import is_airbase
from adjudicator.western_desert.air.orders import ANYTHING, BASES, MISSION_OF, OTHERWISE, PORTS
from adjudicator.western_desert.bases import port_row
from adjudicator.western_desert.standing import Clause, hex_in
from adjudicator.western_desert.state import State


def over(state: State, clause: Clause, h: int, field: str = "hex") -> bool:
    """Whether a clause is about a hex: it names it or its kind, or no hex at all."""
    named = texts_of(clause.get(field))
    if not named or ANYTHING in named:
        return True
    if (PORTS in named and port_row(state, h) is not None) or (BASES in named and is_airbase(state, h)):
        return True
    return any(hex_in(state, name) == h for name in named)


def for_air(clause: Clause, aid: str) -> bool:
    """Whether a clause is for an air unit."""
    named = texts_of(clause.get("air"))
    return not named or ANYTHING in named or aid in named


def cited(topic: str, numbers: Iterable[int]) -> str:
    """The clauses that decided, for the event."""
    listed = sorted(set(numbers))
    return f"{topic} clause{'s' if len(listed) > 1 else ''} {', '.join(map(str, listed))}"


def against(clause: Clause, flights: Iterable[Flight]) -> bool:
    """Whether a clause is about any of the flights: it names the mission of one, or no mission at all."""
    named = texts_of(clause.get("missions"))
    if not named or ANYTHING in named:
        return True
    wanted = {MISSION_OF[name] for name in named if name in MISSION_OF}
    wanted |= {mission for (name, _field, _word), mission in OTHERWISE.items() if name in named}
    return any(flight.mission in wanted for flight in flights)

"""Airbases and ports as things on the map: what makes them, what they take, what hits do (WD 17, 26.A).

Both belong to whoever controls the hex (WD 17.C, 26.A); hits stay when they change hands.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from adjudicator.western_desert.charts import PortRow, charts_of
from adjudicator.western_desert.state import State

AIRFIELD, FORTRESS, FULL_CITY = "airfield", "fortress", "full_city"
PORT, AIRBASE = "port", "airbase"
KIND_OF_CITY = {"full": FULL_CITY, "dot": "dot_city", "ref": "reference_city"}


class Damage(NamedTuple):
    """A port or airbase under damage: its hits now, and the most that count."""

    what: str
    hits: int
    most: int

    @property
    def room(self) -> int:
        """Hits that would still count."""
        return max(0, self.most - self.hits)


def base_features(state: State, h: int) -> list[str]:
    """What makes a hex an airbase: its cities, its fortress, improved or not, its airfield (WD chart.airbase)."""
    info = state.board.info(h)
    if info is None:
        return []
    found = [KIND_OF_CITY[city.size] for city in info.cities if city.size in KIND_OF_CITY]
    if info.terrain == FULL_CITY and FULL_CITY not in found:
        found.append(FULL_CITY)
    return [*found, *([FORTRESS] if info.fortress else []), *([AIRFIELD] if h in state.airfields else [])]


def undamaged_base(state: State, h: int) -> int:
    """The capacity of an airbase without its hits (WD chart.airbase); 0 where there is none. Several features add up
    (ruling BASE-ADD)."""
    table = charts_of(state.world).airbases
    found = [table[kind] for kind in base_features(state, h)]
    return max(found, default=0) if state.world.switches.get("airbase_capacity") == "max" else sum(found)


def base_capacity(state: State, h: int) -> int:
    """How many air units may take off from the hex in an air phase (WD 17.A); each hit takes one away (WD 17.D)."""
    return max(0, undamaged_base(state, h) - state.base_hits.get(h, 0))


def port_row(state: State, h: int) -> PortRow | None:
    """The port of a hex, of its type, with what a hit takes off there (WD 26.A, 26.A.types, 26.A.2.a, 26.A.2.b,
    chart.ports); None where there is none."""
    info = state.board.info(h)
    row = charts_of(state.world).ports.get(info.port) if info else None
    return row._replace(per_hit=_excepted(state).get(h, row.per_hit)) if row else None


def _excepted(state: State) -> dict[int, Fraction]:
    found = state.world.cache.get("port exceptions")
    if not isinstance(found, dict):
        rates = charts_of(state.world).port_hits
        places = sorted(state.board.places.values())
        found = {place.hex: rates[place.slug] for place in places if place.slug in rates}
        state.world.cache["port exceptions"] = found
    return found


def port_capacity(state: State, h: int) -> Fraction:
    """How many REs may use the port of the hex in a player turn (WD 26.A.1), less what its hits take off (WD 26.A.2); 0
    where there is none."""
    row = port_row(state, h)
    if row is None:
        return Fraction(0)
    return max(Fraction(0), row.capacity - row.per_hit * state.port_hits.get(h, 0))


def damage(state: State, h: int, what: str) -> Damage:
    """The hits on the ``port`` or ``airbase`` of a hex, and the most that count: the port's maximum (WD 26.A.2), the
    whole capacity of an airbase (WD 17.D)."""
    if what == PORT:
        row = port_row(state, h)
        return Damage(what, state.port_hits.get(h, 0), row.max_hits if row else 0)
    return Damage(what, state.base_hits.get(h, 0), undamaged_base(state, h))


def capacity(state: State, h: int, what: str) -> Fraction:
    """The capacity of the ``port`` or ``airbase`` of a hex as its hits leave it."""
    return port_capacity(state, h) if what == PORT else Fraction(base_capacity(state, h))

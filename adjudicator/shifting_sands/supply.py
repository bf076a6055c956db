"""Supply: tracing, status, distance (SS 13.1 to 13.7). A unit is in ``full`` or ``limited`` supply or ``oos``."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from adjudicator.shifting_sands.access import LRDG, crossing, entry
from adjudicator.shifting_sands.conditions import hold
from adjudicator.shifting_sands.nations import BRITISH_GROUP
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import Counter

FULL_WITHIN = 3
FULL, LIMITED, OUT = "full", "limited", "oos"
LAND_ONLY = ("VF", "IR", "EG")
REGION_EVENTS = (
    (("East Africa",), "Ethiopian Campaign", "SS 13.22"),
    (("near_east",), "Exporter", "SS 13.23"),
    (("Algeria", "Tunisia"), "Vulcan", "SS 13.421"),
)
NO_SUPPLY_PORTS = ("Mersa Matruh",)
BENGHAZI, BASRA = "Benghazi", "Basra"

_USERS: dict[str, Callable[[Counter], bool]] = {
    "axis": lambda u: u.nation in ("GE", "IT"),
    "ge_it": lambda u: u.nation in ("GE", "IT"),
    "it": lambda u: u.nation == "IT",
    "allied": lambda u: u.side == "allied",
    "british_group": lambda u: u.nation in BRITISH_GROUP,
    "ff_br": lambda u: u.nation == "FF_BR",
    "lrdg": lambda u: u.kind == LRDG,
    "vf": lambda u: u.nation == "VF",
    "ir": lambda u: u.nation == "IR",
    "eg": lambda u: u.nation == "EG",
}


@dataclass(frozen=True, slots=True)
class Supplied:
    """The supply of a unit: its status, the spaces to the nearest source by land (None: none), and how."""

    status: str
    distance: int | None = None
    how: str = ""
    rule: str = "SS 13.5"


def serves(state: State, unit: Counter, name: str) -> bool:
    """True where a space is a supply source of the unit now (SS 13.2 to 13.4)."""
    space = state.world.spaces.get(name)
    if space is None or state.owner(name) != unit.side:
        return False
    return any(_USERS[s.user](unit) and hold(state, s.conditions) for s in space.sources if s.user in _USERS)


def reached(state: State, unit: Counter, start: str) -> dict[str, int]:
    """Friendly spaces that the unit can trace to by land, with their distance (SS 13.51 to 13.53)."""
    found = {start: 0}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for there in state.world.neighbours(here):
            if there in found or state.owner(there) != unit.side:
                continue
            if crossing(state.world.link(here, there), unit, here, there) or _no_trace(state, unit, there):
                continue
            found[there] = found[here] + 1
            queue.append(there)
    return found


def _no_trace(state: State, unit: Counter, name: str) -> bool:
    """Spaces the unit could not pass (SS 13.51, 13.52, 9.22, 9.23); Chad may be traced to, though not stood in."""
    problem = entry(state, unit, name)
    return problem is not None and problem.code not in ("chad", "malta")


def supply(state: State, uid: str, where: str | None = None) -> Supplied:
    """The supply of a unit where it is, or where it would be. Never a frozen status."""
    unit = state.counter(uid)
    place = where or state.pieces[uid].at
    imposed = state.imposed.get(place) or state.imposed.get("*")
    if imposed:
        return Supplied(imposed, None, "imposed")
    if not state.active_unit(uid):
        return Supplied(FULL, None, "neutral units wait", "SS 10.41")
    return _status(state, unit, place, _trace(state, unit, place))


def supply_of_counter(state: State, unit: Counter, where: str) -> Supplied:
    """The supply a counter would have in a space, whether it is in play or not (ruling A18)."""
    return _status(state, unit, where, _trace(state, unit, where))


def _trace(state: State, unit: Counter, place: str) -> Supplied:
    land = reached(state, unit, place)
    distances = [far for name, far in land.items() if serves(state, unit, name)]
    if distances:
        near = min(distances)
        return Supplied(FULL if near <= FULL_WITHIN else LIMITED, near, "by land", "SS 13.61")
    if unit.nation not in LAND_ONLY and _by_sea(state, unit, land):
        return Supplied(LIMITED, None, "by sea", "SS 13.54")
    return Supplied(OUT, None, "no line to a source", "SS 13.55")


def _by_sea(state: State, unit: Counter, land: dict[str, int]) -> bool:
    """One sea link between two friendly ports, the far one a source or joined to one by land (ruling A39)."""
    if not any(supply_port(state, unit, name) for name in land):
        return False
    for name in sorted(state.world.spaces):
        if name not in land and supply_port(state, unit, name):
            far = reached(state, unit, name)
            if any(serves(state, unit, there) for there in far):
                return True
    return False


def supply_port(state: State, unit: Counter, name: str) -> bool:
    """True where a unit may trace over the sea from or to a port (SS 13.54)."""
    space = state.world.spaces[name]
    if not space.port or state.owner(name) != unit.side or name in NO_SUPPLY_PORTS:
        return False
    if name == BENGHAZI:
        return unit.nation in BRITISH_GROUP and state.played("Montgomery")
    return not (name == BASRA and unit.side == "axis")


def _status(state: State, unit: Counter, place: str, traced: Supplied) -> Supplied:
    """Regions where the trace counts as limited or full whatever its length (SS 13.22, 13.23, 13.421, 13.43)."""
    if traced.status == OUT:
        return _italian_highlands(state, unit, place) or traced
    if unit.side != "allied":
        return traced
    for regions, event, rule in REGION_EVENTS:
        if any(state.world.in_region(place, region) for region in regions):
            status = FULL if state.played(event) else LIMITED
            return Supplied(status, traced.distance, traced.how, rule)
    return traced


def _italian_highlands(state: State, unit: Counter, place: str) -> Supplied | None:
    """SS 13.43: Italians in Massawa or a mountain of East Africa live in limited supply when they are cut off."""
    space = state.world.spaces.get(place)
    if unit.nation != "IT" or space is None or space.region != "East Africa":
        return None
    if place == "Massawa" or space.terrain == "mountain":
        return Supplied(LIMITED, None, "holds out", "SS 13.43")
    return None


def status(state: State, uid: str) -> str:
    """The status that counts now: frozen at activation, else as traced (ruling A25)."""
    frozen = state.pieces[uid].supply
    if frozen and state.world.switch("supply_attacker_frozen", "on") == "on":
        return frozen
    return supply(state, uid).status

"""Supply: tracing, status, distance (SS 13.1 to 13.7). A unit is in ``full`` or ``limited`` supply or ``oos``."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from adjudicator.shifting_sands.access import LRDG, crossing, entry
from adjudicator.shifting_sands.conditions import hold
from adjudicator.shifting_sands.effects import in_force
from adjudicator.shifting_sands.nations import BRITISH_GROUP
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import Counter, text, texts

FULL_WITHIN = 3
FULL, LIMITED, OUT = "full", "limited", "oos"
LAND_ONLY = ("VF", "IR", "EG")
LIMITED_REGIONS = {"East Africa": "SS 13.22", "near_east": "SS 13.23", "Algeria": "SS 13.421", "Tunisia": "SS 13.421"}
"""Where Allied units are in limited supply at any distance, until an event gives them full supply (SS 13.62)."""
BENGHAZI, BASRA = "Benghazi", "Basra"
CLOSED_PORTS = ("Mersa Matruh", BENGHAZI)
"""Ports over which nobody traces, but those for whom an event opens them (SS 13.54)."""
EAST_AFRICA = "East Africa"
TOWN_SOURCES = (BENGHAZI, "Tobruk")

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


@dataclass(frozen=True, slots=True)
class Trace:
    """A supply line being traced for a unit: the spaces counted as its own beside those controlled, and whether it is
    for activation only (ruling A38).
    """

    state: State
    unit: Counter
    owned: frozenset[str] = frozenset()
    activating: bool = False

    def mine(self, name: str) -> bool:
        """True for a space under the control of the unit's side, or counted so (ruling A23)."""
        return name in self.owned or self.state.owner(name) == self.unit.side

    def serves(self, name: str) -> bool:
        """True where a space is a supply source of the unit now (SS 13.2 to 13.4).

        Rules: SS 13.21, 13.24, 13.25, 13.31, 13.32, 13.33, 13.34, 13.35, 13.36, 13.41, 13.42, 13.44, 3.supply-source.
        """
        space = self.state.world.spaces.get(name)
        if space is None or not self.mine(name):
            return False
        if name in TOWN_SOURCES and not self.activating and _towns_only_activate(self.state):
            return False
        return any(_USERS[s.user](self.unit) and hold(self.state, s.conditions) for s in space.sources)

    def reached(self, start: str) -> dict[str, int]:
        """Own spaces that the unit can trace to by land, with their distance (SS 13.51 to 13.53, 13.52).

        Rules: SS 3.supply-line, 9.22.
        """
        found = {start: 0}
        queue = deque([start])
        while queue:
            here = queue.popleft()
            for there, link in self.state.world.links.get(here, {}).items():
                if there in found or not self.mine(there) or crossing(link, self.unit, here, there):
                    continue
                if entry(self.state, self.unit, there) is None:
                    found[there] = found[here] + 1
                    queue.append(there)
        return found

    def port(self, name: str) -> bool:
        """True where the unit may trace over the sea from or to a port (SS 13.54, 13.43).

        No Axis ship comes to East Africa: Addis Ababa alone supplies it (SS faq.rules.27, ruling A39).
        """
        space = self.state.world.spaces[name]
        if not space.port or not self.mine(name):
            return False
        if name in CLOSED_PORTS:
            return self._opened(name)
        far = name == BASRA or self.state.world.in_region(name, EAST_AFRICA)
        return not (far and self.unit.side == "axis")

    def _opened(self, name: str) -> bool:
        """Whether an event in force opens a port for the unit."""
        effects = (effect for _event, effect in in_force(self.state, "supply_port"))
        return any(name in texts(e, "spaces") and _USERS[text(e, "user")](self.unit) for e in effects)

    def line(self, place: str) -> Supplied:
        """The supply line from a space, whatever region it lies in (SS 13.5, 13.61, 13.55).

        Rules: SS 3.full-supply, 3.limited-supply.
        """
        land = self.reached(place)
        distances = [far for name, far in land.items() if self.serves(name)]
        if distances:
            near = min(distances)
            return Supplied(FULL if near <= FULL_WITHIN else LIMITED, near, "by land", "SS 13.61")
        if self.unit.nation not in LAND_ONLY and self._by_sea(land):
            return Supplied(LIMITED, None, "by sea", "SS 13.54")
        return Supplied(OUT, None, "no line to a source", "SS 13.55")

    def _by_sea(self, land: Mapping[str, int]) -> bool:
        """One sea link between two own ports, the far one a source or joined to one by land (ruling A39) (SS 13.54)."""
        if not any(self.port(name) for name in land):
            return False
        far = [name for name in sorted(self.state.world.spaces) if name not in land and self.port(name)]
        return any(self.serves(there) for name in far for there in self.reached(name))


def _towns_only_activate(state: State) -> bool:
    return state.world.switch("supply_benghazi_tobruk", "all") == "activation"


def serves(state: State, unit: Counter, name: str) -> bool:
    """True where a space is a supply source of the unit now (SS 13.2 to 13.4)."""
    return Trace(state, unit).serves(name)


def by_land(state: State, unit: Counter, name: str) -> bool:
    """True where a space is joined to a supply source of the unit by land (SS 13.51, 19.13)."""
    trace = Trace(state, unit)
    return any(trace.serves(place) for place in trace.reached(name))


def supply(
    state: State, uid: str, where: str | None = None, owned: Iterable[str] = (), activating: bool = False
) -> Supplied:
    """The supply of a unit where it is, or where it would be; ``owned`` spaces count as its side's.

    Never a frozen status. Neutral units that are not released are never out of supply (ruling A80).
    """
    unit = state.counter(uid)
    place = where or state.pieces[uid].at
    imposed = state.imposed.get(place) or state.imposed.get(unit.side) or state.imposed.get("*")
    if imposed:
        return Supplied(imposed, None, "imposed")
    if not state.active_unit(uid):
        return Supplied(FULL, None, "neutral units wait", "SS 10.41")
    return _status(state, unit, place, Trace(state, unit, frozenset(owned), activating).line(place))


def supply_of_counter(state: State, unit: Counter, where: str) -> Supplied:
    """The supply a counter would have in a space, whether it is in play or not (ruling A18)."""
    return _status(state, unit, where, Trace(state, unit).line(where))


def _status(state: State, unit: Counter, place: str, traced: Supplied) -> Supplied:
    """Regions where the trace counts as limited or full whatever its length (SS 13.22, 13.23, 13.421, 13.43).

    Rules: SS 13.421v, 13.62, 13.621, 13.622, 13.623, faq.cards.6.
    """
    if traced.status == OUT:
        return _italian_highlands(state, unit, place) or traced
    for _event, effect in in_force(state, "full_supply"):
        here = any(state.world.in_region(place, region) for region in texts(effect, "region"))
        if here and text(effect, "side") == unit.side:
            return Supplied(FULL, traced.distance, traced.how, f"SS {text(effect, 'rule')}")
    limited = (rule for region, rule in LIMITED_REGIONS.items() if state.world.in_region(place, region))
    rule = next(limited, "") if unit.side == "allied" else ""
    return Supplied(LIMITED, traced.distance, traced.how, rule) if rule else traced


def _italian_highlands(state: State, unit: Counter, place: str) -> Supplied | None:
    """SS 13.43: Italians in Massawa or a mountain of East Africa live in limited supply when they are cut off.

    Rule: SS faq.rules.27.
    """
    space = state.world.spaces.get(place)
    if unit.nation != "IT" or space is None or space.region != EAST_AFRICA:
        return None
    if place == "Massawa" or space.terrain == "mountain":
        return Supplied(LIMITED, None, "holds out", "SS 13.43")
    return None


def status(state: State, uid: str, activating: bool = False) -> str:
    """The status that counts now: frozen at activation, else as traced (SS 13.11, ruling A25)."""
    frozen = state.pieces[uid].supply
    if frozen and state.world.switch("supply_attacker_frozen", "on") == "on":
        return frozen
    return supply(state, uid, activating=activating).status

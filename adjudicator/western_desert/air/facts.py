"""What the rules of missions and patrols must know, read off a position and the flights of the air phase (WD 16 to 20).

``missions`` and ``patrol`` judge facts; here they are found. An :class:`AirBook` is what has happened in the air phase
so far: it belongs to the air phase alone and is no part of the position.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from adjudicator.western_desert import hexes
from adjudicator.western_desert.air.airbase import take_offs_left
from adjudicator.western_desert.air.craft import ESCORT, REACTIONS, TRANSFER, Craft, Flight, craft_of
from adjudicator.western_desert.air.flak import aa_of_hex
from adjudicator.western_desert.air.landing import Base
from adjudicator.western_desert.air.missions import Flier, Leg, Target, bars_chain, flying_to
from adjudicator.western_desert.air.patrol import NO_ZONES, Patrol, zones_of
from adjudicator.western_desert.bases import base_capacity, base_features, port_row
from adjudicator.western_desert.graph import Graph, graph_of
from adjudicator.western_desert.state import ENEMY, VICHY, Air, State, World
from adjudicator.western_desert.theatre import vichy

CANAL_PORTS = ("port-said", "ismailia", "suez")
"""The ports of the Suez Canal by slug (WD 20.F.1.b)."""
STILL_RULE = "WD 29.C.1.placing"


@dataclass(frozen=True)
class AirBook:
    """An air phase so far: flights in the order flown, take-offs by base, transfers by air unit, patrol attacks made.

    Of an air unit that transferred and then flew a mission both flights stand in the book, the later one last.
    """

    flights: tuple[Flight, ...] = ()
    used: Mapping[int, int] = field(default_factory=dict)
    legs: Mapping[str, tuple[Leg, ...]] = field(default_factory=dict)
    attacks: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def _latest(self) -> dict[str, Flight]:
        return {craft.id: flight for flight in self.flights for craft in flight.crew}

    def last(self, aid: str) -> Flight | None:
        """The latest flight of an air unit, or of the glider on its tow; None for one that is on the ground."""
        return self._latest.get(aid)

    def now(self) -> list[Flight]:
        """The flights that last: of each air unit the latest."""
        return [one for one in self.flights if self._latest[one.id] is one]


def side_air(state: State, side: str) -> list[str]:
    """The air units of a side that are in play, in order of id."""
    return [aid for aid in sorted(state.air) if craft_of(state.world, aid).side == side]


def is_airbase(state: State, h: int) -> bool:
    """Whether a hex is an airbase, whatever hits have left of its capacity: one may always land (WD 17.A)."""
    return bool(base_features(state, h))


def own_base(state: State, h: int, side: str) -> bool:
    """Whether a hex is an airbase that a side controls (WD 17, 17.C)."""
    return holds(state, h, side) and is_airbase(state, h)


def holds(state: State, h: int, side: str) -> bool:
    """Whether a side may use the base of a hex: it controls it, or Vichy France, still neutral, lets it (WD 28.C.1)."""
    owner = state.owner(h)
    return owner == side or (owner == VICHY and side == vichy.SIDE and state.theatre.grant in (vichy.AIR, vichy.FULL))


def stands_at(state: State, aid: str, book: AirBook) -> int:
    """The base that an air unit takes off from: that of its last transfer in this air phase, else its own (WD 20.D)."""
    flight = book.last(aid)
    return flight.target if flight and flight.mission == TRANSFER and not flight.fate else state.air[aid].hex


def on_the_ground(state: State, side: str, book: AirBook) -> list[str]:
    """The air units of a side at bases, not flying missions (WD 17, 20.F.2.a)."""
    return [aid for aid in side_air(state, side) if book.last(aid) is None]


def fighters(state: State, side: str, book: AirBook) -> list[tuple[Craft, int]]:
    """The operative fighters of a side at bases, each with its hex (WD 19, 20.D.chain)."""
    able = [aid for aid in on_the_ground(state, side, book) if state.air[aid].operative]
    found = [(craft_of(state.world, aid), state.air[aid].hex) for aid in able]
    return [(craft, h) for craft, h in found if craft.fighter]


def patrols_of(state: State, side: str, book: AirBook) -> dict[str, Patrol]:
    """The fighters of a side that have a patrol zone, by id (WD 19, 16.B.1)."""
    found = fighters(state, side, book)
    return {craft.id: Patrol(craft, h, attacks=book.attacks.get(craft.id, 0)) for craft, h in found}


def zones_against(state: State, side: str, night: bool) -> frozenset[int]:
    """The hexes where an enemy may make a patrol attack upon a flight of a side as things stand; none in the surprise
    turn (WD 19, 28.B.3.air). Kept as long as the enemy's fighters stay where they are."""
    if state.surprise:
        return NO_ZONES
    enemy, world = ENEMY[side], state.world
    ready = tuple((aid, unit.hex) for aid in fighter_ids(world, enemy) if (unit := state.air.get(aid)) and _waits(unit))
    key = ("patrol zones", enemy, night)
    kept = world.cache.get(key)
    if not (isinstance(kept, _Zones) and kept.ready == ready):
        patrols = [Patrol(craft_of(world, aid), h) for aid, h in ready]
        kept = world.cache[key] = _Zones(ready, zones_of(patrols, night))
    return kept.hexes


class _Zones(NamedTuple):
    """The patrol zones of fighters at such bases."""

    ready: tuple[tuple[str, int], ...]
    hexes: frozenset[int]


def _waits(unit: Air) -> bool:
    """Whether an air unit is operative at its base and has made no patrol attack."""
    return unit.operative and unit.sortie is None and not unit.patrolled


def fighter_ids(world: World, side: str) -> tuple[str, ...]:
    """All fighters of a side, in order of id."""
    key = ("fighters", side)
    found = world.cache.get(key)
    if not isinstance(found, tuple):
        crafts = (craft_of(world, aid) for aid in sorted(world.air))
        found = world.cache[key] = tuple(craft.id for craft in crafts if craft.side == side and craft.fighter)
    return found


def leg_to(state: State, side: str, h: int, distance: int, book: AirBook) -> Leg:
    """A transfer that ends at a base, and whether an enemy fighter bars a further one from there (WD 20.D.chain)."""
    return Leg(distance, bars_chain(h, fighters(state, ENEMY[side], book)))


def flier_of(state: State, aid: str, book: AirBook, tow: str = "") -> Flier:
    """An air unit as an order for it must see it (WD 16.B.1, 17.A, 20.B, 20.D). Raises KeyError for one not in play."""
    craft, base = craft_of(state.world, aid), stands_at(state, aid, book)
    flight = book.last(aid)
    enemies = [one for one in book.now() if one.craft.side == ENEMY.get(craft.side)]
    return Flier(
        craft,
        operative=state.air[aid].operative,
        legs=book.legs.get(aid, ()),
        flown=flight.mission if flight and (flight.mission != TRANSFER or flight.fate) else "",
        capacity=take_offs_left(base_capacity(state, base), book.used.get(base, 0)),
        still=STILL_RULE if aid in state.still else "",
        raided=bool(flying_to(enemies, base, night=False)),
        tow=craft_of(state.world, tow) if tow else None,
    )


def target_of(
    state: State, side: str, h: int, book: AirBook, night: bool = False, path: Iterable[int] = (), flier: str = ""
) -> Target:
    """A target hex as a side sees it (WD 20). ``path`` are the hexes entered on the way, ``flier`` the air unit asked
    about, which is no company for itself."""
    enemy = ENEMY[side]
    flights = [one for one in book.now() if one.id != flier]
    theirs = [one for one in flights if one.craft.side == enemy and one.mission not in REACTIONS]
    ours = [one for one in flights if one.craft.side == side and one.mission != ESCORT]
    graph, sky = graph_of(state), sky_of(state, side, flier)
    return Target(
        name=state.board.feature_names(h),
        own=state.owner(h) == side,
        own_base=own_base(state, h, side),
        enemy_base=own_base(state, h, enemy),
        port=port_row(state, h) is not None,
        canal=any(place.hex == h and place.slug in CANAL_PORTS for place in state.board.places.values()),
        rail=bool(graph.rail_neighbours(h)),
        enemy_air=_stand_there(state, enemy, h, book),
        enemy_units=state.enemy_in(h, side),
        friends=bool(flying_to(ours, h, night)),
        enemies=bool(flying_to(theirs, h, night)),
        otherwise=bool(flying_to(theirs, h, not night)),
        closed=any(sky.closed(step) for step in (*path, h)),
        guns=any(aa_of_hex(state, h, enemy)),
    )


def _stand_there(state: State, side: str, h: int, book: AirBook) -> bool:
    """Whether air units of a side are at a base, not flying missions (WD 20.F.2.a)."""
    there = [aid for aid, unit in state.air.items() if unit.hex == h and book.last(aid) is None]
    return any(craft_of(state.world, aid).side == side for aid in there)


def sky_of(state: State, side: str, flier: str = "") -> Graph:
    """The ground below the air units of a side, closed where they may not fly: with the grant of air, no ground unit
    need be admitted to the Levant (WD 28.C, 28.C.1.effect); Vichy air units stay in it."""
    own = state.world.air.get(flier, {}).get("nat") == VICHY
    return graph_of(state, VICHY if own else side, flying=True)


def open_sky(state: State, aid: str) -> frozenset[int]:
    """The hexes that an air unit may fly over: all of the map, sea too, no neutral ground (WD 18, 28.C, ruling
    LEVANT-AIR)."""
    return sky_of(state, str(state.world.air.get(aid, {}).get("side", "")), aid).airspace


def base_hexes(state: State, side: str) -> list[int]:
    """The airbases that a side controls (WD 17, 17.C), in order of number."""
    printed = state.world.cache.get("printed bases")
    if not isinstance(printed, frozenset):
        bare = State(state.world)
        printed = state.world.cache["printed bases"] = frozenset(h for h in state.board.land if is_airbase(bare, h))
    return sorted(h for h in {*printed, *state.airfields} if holds(state, h, side))


def bases_from(state: State, side: str, h: int) -> list[Base]:
    """The airbases of a side with their distances from a hex, the nearest first (WD 18.return, 17.B.fly)."""
    found = [(hexes.distance(h, at), state.board.name(at)) for at in base_hexes(state, side)]
    return [Base(name, distance) for distance, name in sorted(found)]

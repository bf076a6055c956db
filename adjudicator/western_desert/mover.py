"""Who moves, with what rating and what left (WD 6.mp, 6.B, 6.C, 12.B.effects), and what stands in the way."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from adjudicator.western_desert import hexes
from adjudicator.western_desert.charts import (
    ADMIN_DENOMINATOR,
    ADMIN_NUMERATOR,
    HARASS_POINTS,
    MOT_OR_ART,
    Charts,
    charts_of,
    column_of,
    zoc_class,
)
from adjudicator.western_desert.graph import Graph, graph_of, home_of
from adjudicator.western_desert.rail import CITY_SIDE, RailNet, rail_net
from adjudicator.western_desert.state import ENEMY, WRECK, State

NORMAL, ADMIN, CARRIED = "normal", "admin", "carried"
MINIMUM, RAIL = "minimum", "rail"


@dataclass(frozen=True, slots=True)
class Mover:
    """A unit, or a transport counter with what it carries, at one moment of a phase.

    ``allowance2`` is what the phase gives, ``spent2`` what is gone. ``ridden`` counts rail hexes of the phase,
    ``riding`` is true where the last hex was entered by rail, so that the ride goes on without entraining again.
    ``fresh`` is true before any movement of the phase: only then is one hex guaranteed (WD 6.min-hex). ``bound`` is
    true where one of them has moved administratively before in the player turn (WD 6.B.1), ``home`` the nationality of
    one of them that is bound to a part of the map, as Vichy forces are to the Levant (WD 28.C, 32.A.sa).
    """

    ids: tuple[str, ...]
    name: str
    side: str
    start: int
    column: str
    zone: str
    rating: int
    allowance2: int
    spent2: int
    supplied: bool
    fresh: bool
    ridden: int
    riding: bool
    mode: str
    bound: bool = False
    home: str = ""

    @property
    def road_only(self) -> bool:
        """True where the conditions of administrative movement hold: in it, and for the rest of the player turn for
        units that have moved so (WD 6.B.1); a transport counter may still carry them in exploitation."""
        return self.bound or self.mode == ADMIN

    @property
    def left2(self) -> int:
        """Half MPs not yet spent in the phase; a guaranteed hex ends all movement (ruling MIN-HEX)."""
        return max(0, self.allowance2 - self.spent2)


def mover_of(state: State, uid: str, mode: str = NORMAL, carried: Sequence[str] = ()) -> Mover:
    """The mover of a unit; with ``carried``, of the transport counter ``uid`` and the units on it (WD 6.C)."""
    unit, piece = state.unit(uid), state.pieces[uid]
    charts = charts_of(state.world)
    supplied = all(state.pieces[u].gs for u in (uid, *carried))
    normal2 = charts.movement(unit.movement, supplied)
    done = piece.means == MINIMUM
    return Mover(
        ids=(*carried, uid),
        name=unit.name or uid,
        side=unit.side,
        start=piece.hex,
        column=MOT_OR_ART if carried else column_of(unit),
        zone=zoc_class(unit),
        rating=unit.movement,
        allowance2=admin2(unit.movement) if mode == ADMIN else normal2,
        spent2=max(normal2, piece.spent2) if done else piece.spent2,
        supplied=supplied,
        fresh=piece.spent2 == 0 and piece.entered == 0,
        ridden=piece.rail,
        riding=piece.means == RAIL,
        mode=mode,
        bound=any(state.pieces[u].admin for u in (uid, *carried)),
        home=next((home for u in (uid, *carried) if (home := home_of(state, u))), ""),
    )


def admin2(rating: int) -> int:
    """Half MPs of administrative movement: one and one half times the rating, fraction dropped (WD 6.B)."""
    return 2 * (rating * ADMIN_NUMERATOR // ADMIN_DENOMINATOR)


class Field:
    """The position as one side's movement sees it: enemy units, enemy zones, harassment. Built once per moment."""

    def __init__(self, state: State, side: str) -> None:
        self.state, self.side = state, side
        self.graph: Graph = graph_of(state, side)
        self.charts: Charts = charts_of(state.world)
        enemy = ENEMY.get(side, "")
        units = state.world.units
        self.blocked = {h for h, ids in state.at.items() if any(units[u].side != side and u != WRECK for u in ids)}
        overlay = state.overlay_zoc.get(enemy)
        zones = state.zones.get(enemy, {})
        self.zoc: Container[int] = zones.keys() | overlay if overlay else zones
        self.harassed2: Mapping[int, int] = {
            h: 2 * (points // HARASS_POINTS) for h, points in state.harassed.items() if points >= HARASS_POINTS
        }

    def graph_for(self, mover: Mover) -> Graph:
        """The graph of the side, for who is bound to a part of the map his own."""
        return graph_of(self.state, mover.home) if mover.home else self.graph

    @cached_property
    def net(self) -> RailNet:
        """The railroads that the side may use now."""
        return rail_net(self.state, self.side)

    def refresh(self) -> bool:
        """Forget what own movement may have changed: cities taken, so railroads (WD 7.A.axis). True if it did."""
        return self.side == CITY_SIDE and self.__dict__.pop("net", None) is not None

    def leave2(self, zone: str, a: int, b: int) -> int:
        """Half MPs on top of terrain for going from a to b: enemy zones and harassment (WD 6.A, 20.F.2.e)."""
        return self.harassed2.get(a, 0) + self.zone2(zone, a, b)

    def zone2(self, zone: str, a: int, b: int) -> int:
        """Half MPs for leaving an enemy zone from a to b (WD 6.A, ruling ZOC-DIRECT) (WD 6.A.zoc-to-zoc)."""
        if a not in self.zoc:
            return 0
        leave, across = self.charts.zoc[zone]
        return across if b in self.zoc else leave

    def step2(self, mover: Mover, a: int, b: int) -> int | None:
        """Half MPs of one ordinary step; None where terrain or neutral ground forbids it. The one cost function.

        WD 7.B.zoc, 7.B.anywhere.
        """
        graph = self.graph_for(mover)
        cost = None if graph.closed(b) else graph.cost(mover.column, a, b)
        return None if cost is None else cost + self.leave2(mover.zone, a, b)

    def admin_hex(self, h: int) -> bool:
        """True where an administrative mover may be: own since the turn began, no enemy unit next to it (WD 6.B).

        WD 6.B.2, 6.B.3.
        """
        return self.state.owner_at_start(h) == self.side and not self.near_enemy(h)

    def near_enemy(self, h: int) -> bool:
        """True where an enemy unit stands next to the hex, zone of control or not."""
        return bool(self.enemies_next_to(h))

    def enemies_next_to(self, h: int) -> list[str]:
        """Ids of the enemy units in the six hexes around."""
        around = (n for n in hexes.neighbours(h) if n in self.blocked)
        return sorted(uid for n in around for uid in self.state.units_at(n))

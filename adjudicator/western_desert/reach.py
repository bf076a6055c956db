"""Where a unit can go and at what cost: the listing of movement (WD 6, 7; DESIGN, One rule, four uses).

Costs are half MPs. Among cheapest ways the one with fewest hexes is taken, then the one whose hexes come first in the
numbering, read from the end: the same way whatever the order of search. Units of one stack and class share a search.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from adjudicator.western_desert.mover import ADMIN, MINIMUM, NORMAL, RAIL, Field, Mover, mover_of
from adjudicator.western_desert.rail import ride2
from adjudicator.western_desert.state import State

FOOT, ROAD = "foot", "road"


@dataclass(frozen=True, slots=True)
class Arrival:
    """One end hex: its cost, the hexes entered, how each was entered (``foot`` or ``rail``), and the kind of move."""

    cost2: int
    path: tuple[int, ...]
    steps: tuple[str, ...]
    means: str


class Flood:
    """Cheapest ways from some hexes. ``parent`` is the hex before; seeds have themselves."""

    __slots__ = ("cost", "parent", "steps")

    def __init__(self) -> None:
        self.cost: dict[int, int] = {}
        self.steps: dict[int, int] = {}
        self.parent: dict[int, int] = {}

    def way(self, h: int) -> list[int]:
        """The hexes from a seed to h, the seed first."""
        found = [h]
        while self.parent[h] != h:
            h = self.parent[h]
            found.append(h)
        return found[::-1]


def flood(field: Field, mover: Mover, seeds: Mapping[int, tuple[int, int]], limit2: int, roads: bool = False) -> Flood:
    """Dial's algorithm: all hexes within ``limit2``. ``seeds`` gives cost and hexes so far of where it begins."""
    found = Flood()
    buckets: list[list[int]] = [[] for _ in range(limit2 + 1)]
    for h, (cost2, steps) in seeds.items():
        if cost2 <= limit2:
            found.cost[h], found.steps[h], found.parent[h] = cost2, steps, h
            buckets[cost2].append(h)
    leave, across = field.charts.zoc[mover.zone]
    for at2 in range(limit2 + 1):
        for h in buckets[at2]:
            if found.cost[h] == at2:
                _spread(field, mover, found, buckets, h, leave, across, roads)
    return found


def _spread(
    field: Field, mover: Mover, found: Flood, buckets: list[list[int]], h: int, leave: int, across: int, roads: bool
) -> None:
    """Relax the edges out of one hex; :meth:`Field.step2` says the same for a single step."""
    cost, steps, parent = found.cost, found.steps, found.parent
    blocked, zoc, top = field.blocked, field.zoc, len(buckets)
    base = cost[h] + field.harassed2.get(h, 0)
    in_zone, here = h in zoc, steps[h] + 1
    for n, edge in admin_edges(field, mover, h) if roads else field.graph.edges(mover.column, h):
        if n in blocked:
            continue
        total = base + edge
        if in_zone:
            total += across if n in zoc else leave
        if total >= top:
            continue
        old = cost.get(n)
        if old is None or total < old:
            cost[n], steps[n], parent[n] = total, here, h
            buckets[total].append(n)
        elif total == old and parent[n] != n and (here, h) < (steps[n], parent[n]):
            steps[n], parent[n] = here, h


def admin_edges(field: Field, mover: Mover, h: int) -> list[tuple[int, int]]:
    """The road steps out of a hex; for administrative movement only those into hexes it may use (WD 6.B)."""
    graph = field.graph
    cost2 = graph.road_cost(mover.column)
    return [
        (n, cost2)
        for n in graph.road_neighbours(h)
        if graph.cost(mover.column, h, n) is not None
        and not graph.closed(n)
        and (mover.mode != ADMIN or field.admin_hex(n))
    ]


@dataclass(slots=True)
class Ride:
    """Rail hexes that can be reached: total cost, where the unit entrained, the hexes of the ride."""

    total2: dict[int, int]
    entrained: dict[int, int]
    path: dict[int, tuple[int, ...]]


def rides(field: Field, mover: Mover, foot: Flood, limit2: int) -> Ride:
    """Every rail hex within reach: on foot to the railroad, one ride (WD 7.A). Cheapest, then fewest rail hexes."""
    found = Ride({}, {}, {})
    rate = field.charts.rail_rate(mover.rating)
    usable = field.net.usable
    if not rate or (mover.ridden and not mover.riding):
        return found
    heap: list[tuple[int, int, int, int, tuple[int, ...]]] = []
    for h, cost2 in foot.cost.items():
        ready2 = cost2 + (0 if mover.riding and h == mover.start else field.charts.misc2["entrain"])
        again = mover.riding and h != mover.start
        if h in usable and ready2 <= limit2 and not again:
            heappush(heap, (ready2, 0, h, h, ()))
    least: dict[int, int] = {}
    while heap:
        ready2, ridden, h, origin, path = heappop(heap)
        if least.get(h, 1 << 30) <= ridden:
            continue
        least[h] = ridden
        _note(found, h, ready2 + ride2(rate, mover.ridden, ridden), origin, path)
        ready2 += field.harassed2.get(h, 0)
        if ready2 + ride2(rate, mover.ridden, ridden + 1) > limit2:
            continue
        for n in field.graph.rail_neighbours(h):
            if n in usable and least.get(n, 1 << 30) > ridden + 1:
                heappush(heap, (ready2, ridden + 1, n, origin, (*path, n)))
    return found


def _note(found: Ride, h: int, total2: int, origin: int, path: tuple[int, ...]) -> None:
    if path and (h not in found.total2 or (total2, len(path)) < (found.total2[h], len(found.path[h]))):
        found.total2[h], found.entrained[h], found.path[h] = total2, origin, path


class Reach(Mapping[int, Arrival]):
    """End hexes of one mover with cost, way and means; ways are worked out when asked for."""

    def __init__(
        self,
        mover: Mover,
        limit2: int,
        foot: Flood,
        ride: Ride | None = None,
        after: Flood | None = None,
        extra: Mapping[int, int] | None = None,
    ) -> None:
        self.mover = mover
        self._foot, self._ride, self._after = foot, ride, after
        start = mover.start
        self.cost2 = {h: cost for h, cost in foot.cost.items() if cost <= limit2 and h != start}
        if after is not None:
            for h, cost in after.cost.items():
                if cost <= limit2 and h != start and cost < self.cost2.get(h, 1 << 30):
                    self.cost2[h] = cost
        for h, cost in (extra or {}).items():
            self.cost2.setdefault(h, cost)

    def __getitem__(self, h: int) -> Arrival:
        cost2 = self.cost2[h]
        if self._foot.cost.get(h) == cost2:
            way = tuple(self._foot.way(h)[1:])
            return Arrival(cost2, way, (FOOT,) * len(way), self.mover.mode)
        if self._after is not None and self._after.cost.get(h) == cost2:
            return self._by_rail(cost2, self._after.way(h))
        return Arrival(cost2, (h,), (FOOT,), MINIMUM)

    def _by_rail(self, cost2: int, walked: list[int]) -> Arrival:
        assert self._ride is not None
        ridden = self._ride.path[walked[0]]
        before = tuple(self._foot.way(self._ride.entrained[walked[0]])[1:])
        after = tuple(walked[1:])
        steps = (FOOT,) * len(before) + (RAIL,) * len(ridden) + (FOOT,) * len(after)
        return Arrival(cost2, (*before, *ridden, *after), steps, self.mover.mode if after else RAIL)

    def __iter__(self) -> Iterator[int]:
        return iter(sorted(self.cost2))

    def __len__(self) -> int:
        return len(self.cost2)

    def __contains__(self, h: object) -> bool:
        return h in self.cost2


class Searches:
    """Searches of one side at one moment, shared by units that start alike."""

    def __init__(self, state: State, side: str) -> None:
        self.state = state
        self.field = Field(state, side)
        self._foot: dict[tuple[int, str, str], tuple[int, Flood]] = {}

    def reach(self, mover: Mover, by: str = "", limit2: int | None = None) -> Reach:
        """Where a mover can go. ``by`` = ``foot`` without rail, ``road`` only by road, ``rail`` only with a ride.

        ``limit2`` widens the search beyond what the mover has left, to say what a hex would cost.
        """
        limit2 = mover.left2 if limit2 is None else limit2
        if not mover.rating or (limit2 == 0 and not mover.fresh):
            return Reach(mover, limit2, _nowhere(mover))
        if mover.mode == ADMIN or by == ROAD:
            return Reach(mover, limit2, self._roads(mover, limit2))
        foot = self._walk(mover, limit2)
        ride, after = (None, None) if by == FOOT or mover.mode != NORMAL else self._rail(mover, foot, limit2)
        if by == RAIL:
            return RailReach(mover, limit2, foot, ride, after)
        return Reach(mover, limit2, foot, ride, after, self._guaranteed(mover))

    def _walk(self, mover: Mover, limit2: int) -> Flood:
        """The search on foot; one that went farther serves as well."""
        key = (mover.start, mover.column, mover.zone)
        found = self._foot.get(key)
        if found is None or found[0] < limit2:
            found = self._foot[key] = limit2, flood(self.field, mover, {mover.start: (0, 0)}, limit2)
        return found[1]

    def _roads(self, mover: Mover, limit2: int) -> Flood:
        if mover.mode == ADMIN and not self.field.admin_hex(mover.start):
            return _nowhere(mover)
        return flood(self.field, mover, {mover.start: (0, 0)}, limit2, roads=True)

    def _rail(self, mover: Mover, foot: Flood, limit2: int) -> tuple[Ride | None, Flood | None]:
        if self.state.phase != "movement" or self.field.net.usable.isdisjoint(foot.cost):
            return None, None
        ride = rides(self.field, mover, foot, limit2)
        if not ride.total2:
            return None, None
        seeds = {h: (ride.total2[h], len(ride.path[h])) for h in ride.total2}
        return ride, flood(self.field, mover, seeds, limit2)

    def _guaranteed(self, mover: Mover) -> dict[int, int]:
        """The one hex a fresh unit may always enter, whatever it costs (WD 6.min-hex)."""
        if not mover.fresh or mover.mode == ADMIN:
            return {}
        edges = self.field.graph.edges(mover.column, mover.start)
        return {
            n: cost + self.field.leave2(mover.zone, mover.start, n) for n, cost in edges if n not in self.field.blocked
        }


def _nowhere(mover: Mover) -> Flood:
    found = Flood()
    found.cost[mover.start], found.steps[mover.start], found.parent[mover.start] = 0, 0, mover.start
    return found


class RailReach(Reach):
    """Only arrivals with a ride in them."""

    def __init__(self, mover: Mover, limit2: int, foot: Flood, ride: Ride | None, after: Flood | None) -> None:
        super().__init__(mover, limit2, _nowhere(mover), ride, after)
        self._foot = foot

    def __getitem__(self, h: int) -> Arrival:
        cost2 = self.cost2[h]
        assert self._after is not None
        return self._by_rail(cost2, self._after.way(h))


def reach(state: State, side: str, stack: Sequence[str], mode: str = NORMAL, by: str = "") -> Mapping[int, Arrival]:
    """End hex -> cost, way and means for the units of a stack, each moving by itself to the same hex.

    Of several units the dearest arrival is given and hexes that one of them misses are left out. Conditions of the
    mode that do not depend on the way (WD 6.B.4, 4.A.5) are the caller's; see ``moves.may_move``.
    """
    searches = Searches(state, side)
    found = [searches.reach(mover_of(state, uid, mode), by) for uid in stack]
    if len(found) == 1:
        return found[0]
    common = set(found[0]).intersection(*found[1:]) if found else set()
    return {h: max((one[h] for one in found), key=lambda arrival: arrival.cost2) for h in sorted(common)}

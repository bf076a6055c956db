"""Where a unit can go and at what cost: the listing of movement (WD 6, 7; DESIGN, One rule, four uses).

Costs are half MPs. Among cheapest ways the one with fewest hexes is taken, then the one with most of them by road,
then the one whose hexes come first in the numbering, read from the end: the same way whatever the order of search.
Units of one stack and class share a search.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from adjudicator.western_desert.charts import Charts
from adjudicator.western_desert.eligible import may_move
from adjudicator.western_desert.graph import BY_ROAD, Edges
from adjudicator.western_desert.hexes import HEXES, distance
from adjudicator.western_desert.mover import MINIMUM, NORMAL, RAIL, Field, Mover, mover_of
from adjudicator.western_desert.state import State

FOOT, ROAD = "foot", "road"
FAR2 = 1 << 20


class Arrival(NamedTuple):
    """One end hex: its cost, the hexes entered, how each was entered (``foot`` or ``rail``), and the kind of move."""

    cost2: int
    path: tuple[int, ...]
    steps: tuple[str, ...]
    means: str


class Flood:
    """Cheapest ways from some hexes, by hex code: Dial's algorithm, grown as far as it is asked for.

    ``reached`` lists the hexes whose cost is final, in order of cost. A seed is its own parent. Hexes that may not be
    entered cost -1, those not met yet :data:`FAR2`.
    """

    __slots__ = ("_buckets", "_done", "_field", "_mover", "_out", "cost", "parent", "reached", "steps")

    def __init__(self, field: Field, mover: Mover, seeds: Mapping[int, tuple[int, int]], roads: bool = False) -> None:
        self._field, self._mover, self._done = field, mover, 0
        self._out = admin_edges if roads else _edges
        self._buckets: defaultdict[int, list[int]] = defaultdict(list)
        self.cost = [FAR2] * HEXES
        self.steps: dict[int, int] = {}
        self.parent: dict[int, int] = {}
        self.reached: list[int] = []
        for h in field.blocked:
            self.cost[h] = -1
        for h, (cost2, steps) in seeds.items():
            self.cost[h], self.steps[h], self.parent[h] = cost2, steps, h
            self._buckets[cost2].append(h)

    def grow(self, limit2: int) -> Flood:
        """Go on until all hexes within the limit are known."""
        while self._done <= limit2:
            self._step()
        return self

    def cost_to(self, h: int, limit2: int) -> int:
        """The cost of one hex; :data:`FAR2` where it is not within the limit."""
        while self._done < self.cost[h] and self._done <= limit2:
            self._step()
        return self.cost[h] if 0 <= self.cost[h] <= limit2 else FAR2

    def _step(self) -> None:
        """Make the costs of one bucket final. No step is free, so nothing in it changes any more."""
        at2 = self._done
        self._done += 1
        bucket = self._buckets.pop(at2, None)
        if bucket is None:
            return
        cost, field, mover, out = self.cost, self._field, self._mover, self._out
        for h in bucket:
            if cost[h] == at2:
                self.reached.append(h)
                self._spread(h, at2 + field.harassed2.get(h, 0), out(field, mover, h))

    def _spread(self, h: int, base: int, edges: Edges) -> None:
        """Relax the edges out of one hex; ties go to fewer hexes, then to roads, then to the lower hex before."""
        cost, steps, parent, buckets = self.cost, self.steps, self.parent, self._buckets
        so_far = steps[h]
        for n, edge, tie in edges:
            total, here = base + edge, so_far + tie
            old = cost[n]
            if total < old:
                cost[n], steps[n], parent[n] = total, here, h
                buckets[total].append(n)
            elif total == old and (here < steps[n] or (here == steps[n] and h < parent[n])) and parent[n] != n:
                steps[n], parent[n] = here, h

    def way(self, h: int) -> list[int]:
        """The hexes from a seed to h, the seed first."""
        found = [h]
        while self.parent[h] != h:
            h = self.parent[h]
            found.append(h)
        return found[::-1]


def _edges(field: Field, mover: Mover, h: int) -> Edges:
    """The ordinary steps out of a hex, enemy zones included; :meth:`Field.step2` says the same for one step."""
    edges = field.graph_for(mover).edges(mover.column, h)
    if h not in field.zoc:
        return edges
    leave, across = field.charts.zoc[mover.zone]
    zoc = field.zoc
    return tuple((n, cost + (across if n in zoc else leave), tie) for n, cost, tie in edges)


def admin_edges(field: Field, mover: Mover, h: int) -> Edges:
    """The road steps out of a hex; for administrative movement only those into hexes it may use (WD 6.B)."""
    graph, cost2 = field.graph_for(mover), field.graph.road_cost(mover.column)
    return tuple(
        (n, cost2 + field.zone2(mover.zone, h, n), BY_ROAD)
        for n in graph.road_neighbours(h)
        if graph.cost(mover.column, h, n) is not None
        and not graph.closed(n)
        and (not mover.road_only or field.admin_hex(n))
    )


@dataclass(slots=True)
class Ride:
    """Rail hexes that can be reached: total cost, where the unit entrained, how many hexes it rode.

    ``before`` gives the hex before by (entrained in, hex, hexes ridden).
    """

    total2: dict[int, int]
    entrained: dict[int, int]
    ridden: dict[int, int]
    before: dict[tuple[int, int, int], int]

    def path(self, h: int) -> tuple[int, ...]:
        """The hexes of the ride that ends in h."""
        path, at = [h], h
        for length in range(self.ridden[h], 1, -1):
            at = self.before[(self.entrained[h], at, length)]
            path.append(at)
        return tuple(path[::-1])


def rides(field: Field, mover: Mover, foot: Flood, limit2: int) -> Ride:
    """Every rail hex within reach: on foot to the railroad, then one ride (WD 7.A). Boards as early as is cheapest."""
    found = Ride({}, {}, {}, {})
    charts, graph = field.charts, field.graph_for(mover)
    rate = charts.rail_rate(mover.rating)
    usable = field.net.usable
    if not rate or (mover.ridden and not mover.riding):
        return found
    heap = [(ready2, 0, h, h, -1) for h, ready2 in _entraining(field, mover, foot, limit2, usable)]
    heapify(heap)
    kept: dict[int, list[tuple[int, int]]] = {}
    while heap:
        ready2, ridden, h, origin, last = heappop(heap)
        labels = kept.setdefault(h, [])
        if any(_dominates(charts, rate, label, ready2, ridden) for label in labels):
            continue
        labels.append((ready2, ridden))
        found.before[(origin, h, ridden)] = last
        _note(found, h, ready2 + charts.ride2(rate, mover.ridden, ridden), origin, ridden)
        ready2 += field.harassed2.get(h, 0)
        if ready2 + charts.ride2(rate, mover.ridden, ridden + 1) > limit2:
            continue
        for n in graph.rail_neighbours(h):
            if n in usable and n != last and not graph.closed(n):
                heappush(heap, (ready2, ridden + 1, n, origin, h))
    return found


def _entraining(
    field: Field, mover: Mover, foot: Flood, limit2: int, usable: frozenset[int]
) -> Iterator[tuple[int, int]]:
    """Hexes in which a unit can board, with what it has spent then; a ride under way goes on where it stands."""
    if mover.riding:
        if mover.start in usable:
            yield mover.start, 0
        return
    entrain2 = field.charts.misc2["entrain"]
    for h in foot.reached:
        if h in usable and foot.cost[h] + entrain2 <= limit2:
            yield h, foot.cost[h] + entrain2


def _dominates(charts: Charts, rate: int, label: tuple[int, int], ready2: int, ridden: int) -> bool:
    """True where a label is as cheap for every way on: later rail hexes cost it no more than it saves."""
    more = label[1] - ridden
    return label[0] + (charts.ride2(rate, 0, more) if more > 0 else 0) <= ready2


def _note(found: Ride, h: int, total2: int, origin: int, ridden: int) -> None:
    if ridden and (h not in found.total2 or (total2, ridden) < (found.total2[h], found.ridden[h])):
        found.total2[h], found.entrained[h], found.ridden[h] = total2, origin, ridden


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
        self.mover, self._limit2 = mover, limit2
        self._foot, self._ride, self._after = foot, ride, after
        start = mover.start
        cost = foot.cost
        self.cost2 = {h: cost[h] for h in foot.reached if cost[h] <= limit2 and h != start}
        if after is not None:
            for h in after.reached:
                if h != start and after.cost[h] < self.cost2.get(h, limit2 + 1):
                    self.cost2[h] = after.cost[h]
        for h, cost2 in (extra or {}).items():
            self.cost2.setdefault(h, cost2)

    def __getitem__(self, h: int) -> Arrival:
        cost2 = self.cost2[h]
        if cost2 > self._limit2:
            return _guaranteed_hex(h, cost2)
        if self._foot.cost[h] == cost2:
            return _on_foot(self.mover, self._foot, h, cost2)
        assert self._ride is not None
        assert self._after is not None
        return _by_rail(self.mover, self._foot, self._ride, self._after, h)

    def __iter__(self) -> Iterator[int]:
        return iter(sorted(self.cost2))

    def __len__(self) -> int:
        return len(self.cost2)

    def __contains__(self, h: object) -> bool:
        return h in self.cost2


def _guaranteed_hex(h: int, cost2: int) -> Arrival:
    return Arrival(cost2, (h,), (FOOT,), MINIMUM)


def _on_foot(mover: Mover, foot: Flood, h: int, cost2: int) -> Arrival:
    way = tuple(foot.way(h)[1:])
    return Arrival(cost2, way, (FOOT,) * len(way), mover.mode)


def _by_rail(mover: Mover, foot: Flood, ride: Ride, after: Flood, h: int) -> Arrival:
    """On foot to the railroad, by rail, on foot again."""
    walked = after.way(h)
    ridden = ride.path(walked[0])
    before = foot.way(ride.entrained[walked[0]])[1:]
    steps = (FOOT,) * len(before) + (RAIL,) * len(ridden) + (FOOT,) * (len(walked) - 1)
    return Arrival(after.cost[h], (*before, *ridden, *walked[1:]), steps, mover.mode if len(walked) > 1 else RAIL)


class Searches:
    """Searches of one side at one moment, shared by units that start alike.

    ``asked`` counts the orders of the phase that named a unit.
    """

    def __init__(self, state: State, side: str) -> None:
        self.state = state
        self.asked: Counter[str] = Counter()
        self.field = Field(state, side)
        self._foot: dict[tuple[int, str, str, str], Flood] = {}
        self._rides: dict[tuple[int, str, str, int, int, bool, int, str], tuple[Ride, Flood] | None] = {}

    def reach(self, mover: Mover, by: str = "", limit2: int | None = None) -> Reach:
        """Where a mover can go. ``by`` = ``foot`` without rail, ``road`` only by road, ``rail`` only with a ride.

        ``limit2`` widens the search beyond what the mover has left, to say what a hex would cost.
        """
        limit2 = mover.left2 if limit2 is None else limit2
        if self._stuck(mover, limit2):
            return Reach(mover, limit2, Flood(self.field, mover, {mover.start: (0, 0)}))
        if mover.road_only or by == ROAD:
            return Reach(mover, limit2, self._roads(mover).grow(limit2))
        foot = self._walk(mover).grow(limit2)
        ride, after = self._all_rides(mover, foot, limit2) if self._may_ride(mover, by) else (None, None)
        if by == RAIL:
            return RailReach(mover, limit2, foot, ride, after)
        return Reach(mover, limit2, foot, ride, after, self._guaranteed(mover))

    def way_to(self, mover: Mover, to: int, by: str = "") -> Arrival | None:
        """The same for one end hex, without searching farther than it takes; None where it is not in reach."""
        limit2 = mover.left2
        if self._stuck(mover, limit2) or to == mover.start or to not in self.state.board.land:
            return None
        foot = self._roads(mover) if mover.road_only or by == ROAD else self._walk(mover)
        cost2 = foot.cost_to(to, limit2)
        if self._may_ride(mover, by):
            found = self._one_ride(mover, foot, to, limit2 if by == RAIL else min(limit2, cost2 - 1))
            if found is not None:
                return found
        if by == RAIL:
            return None
        if cost2 <= limit2:
            return _on_foot(mover, foot, to, cost2)
        guaranteed = {} if by == ROAD else self._guaranteed(mover)
        return _guaranteed_hex(to, guaranteed[to]) if to in guaranteed else None

    def _stuck(self, mover: Mover, limit2: int) -> bool:
        """True where nothing can be reached; a ride under way may have hexes left that are paid already."""
        return not mover.rating or (limit2 == 0 and not mover.fresh and not mover.riding)

    def _may_ride(self, mover: Mover, by: str) -> bool:
        may = by in ("", RAIL) and mover.mode == NORMAL and self.state.phase == "movement"
        return may and bool(self.field.net.usable)

    def _walk(self, mover: Mover) -> Flood:
        """The search on foot, shared by all of a stack and class."""
        key = (mover.start, mover.column, mover.zone, mover.home)
        found = self._foot.get(key)
        if found is None:
            found = self._foot[key] = Flood(self.field, mover, {mover.start: (0, 0)})
        return found

    def _roads(self, mover: Mover) -> Flood:
        barred = mover.road_only and not self.field.admin_hex(mover.start)
        return Flood(self.field, mover, {} if barred else {mover.start: (0, 0)}, roads=True)

    def _all_rides(self, mover: Mover, foot: Flood, limit2: int) -> tuple[Ride, Flood] | tuple[None, None]:
        key = (mover.start, mover.column, mover.zone, mover.rating, mover.ridden, mover.riding, limit2, mover.home)
        if key not in self._rides:
            self._rides[key] = self._ride(mover, foot, limit2)
        found = self._rides[key]
        if found is None:
            return None, None
        found[1].grow(limit2)
        return found

    def _ride(self, mover: Mover, foot: Flood, limit2: int) -> tuple[Ride, Flood] | None:
        if self.field.net.usable.isdisjoint(foot.reached):
            return None
        ride = rides(self.field, mover, foot, limit2)
        seeds = {h: (ride.total2[h], BY_ROAD * ride.ridden[h]) for h in ride.total2}
        return (ride, Flood(self.field, mover, seeds)) if seeds else None

    def _one_ride(self, mover: Mover, foot: Flood, to: int, limit2: int) -> Arrival | None:
        """A way by rail within the limit; boarding and one rail hex take at least 2 MP, unless the ride goes on."""
        entrain2 = 0 if mover.riding else self.field.charts.misc2["entrain"]
        if limit2 < 0:
            return None
        foot.grow(max(0, limit2 - entrain2))
        if not mover.riding and not self._boards(mover, foot, limit2 - entrain2):
            return None
        found = self._ride(mover, foot, limit2)
        if found is None or not self._near_enough(mover, found[0], to, limit2):
            return None
        return _by_rail(mover, foot, *found, to) if found[1].cost_to(to, limit2) <= limit2 else None

    def _near_enough(self, mover: Mover, ride: Ride, to: int, limit2: int) -> bool:
        """False where not even the cheapest ground all the way from the rail could be paid: spares a search."""
        least2 = self.field.graph.least2(mover.column)
        return any(total2 + least2 * distance(h, to) <= limit2 for h, total2 in ride.total2.items())

    def _boards(self, mover: Mover, foot: Flood, limit2: int) -> bool:
        """True where a railroad is near enough to walk to it and ride one hex."""
        charts, usable = self.field.charts, self.field.net.usable
        rate = charts.rail_rate(mover.rating)
        first = next((h for h in foot.reached if h in usable), None)
        return bool(rate) and first is not None and foot.cost[first] + charts.ride2(rate, 0, 1) <= limit2

    def refresh(self) -> None:
        """Forget what own movement may have changed: cities taken, so railroads (WD 7.A.axis)."""
        if self.field.refresh():
            self._rides.clear()

    def _guaranteed(self, mover: Mover) -> dict[int, int]:
        """The one hex a fresh unit may always enter, whatever it costs (WD 6.min-hex)."""
        if not mover.fresh or mover.road_only:
            return {}
        edges = self.field.graph_for(mover).edges(mover.column, mover.start)
        return {
            n: cost + self.field.leave2(mover.zone, mover.start, n)
            for n, cost, _tie in edges
            if n not in self.field.blocked
        }


class RailReach(Reach):
    """Only arrivals with a ride in them."""

    def __init__(self, mover: Mover, limit2: int, foot: Flood, ride: Ride | None, after: Flood | None) -> None:
        super().__init__(mover, limit2, foot, ride, after)
        self.cost2 = {}
        if after is not None:
            cost = after.cost
            self.cost2 = {h: cost[h] for h in after.reached if cost[h] <= limit2 and h != mover.start}

    def __getitem__(self, h: int) -> Arrival:
        self.cost2[h]  # not listed: KeyError
        assert self._ride is not None
        assert self._after is not None
        return _by_rail(self.mover, self._foot, self._ride, self._after, h)


def reach(state: State, side: str, stack: Sequence[str], mode: str = NORMAL, by: str = "") -> Mapping[int, Arrival]:
    """End hex -> cost, way and means for the units of a stack, each moving by itself to the same hex.

    Of several units the dearest arrival is given and hexes that one of them misses are left out. Nothing is listed
    for a unit that may not move at all.
    """
    if any(may_move(state, side, uid, mode) for uid in stack):
        return {}
    searches = Searches(state, side)
    found = [searches.reach(mover_of(state, uid, mode), by) for uid in stack]
    if len(found) == 1:
        return found[0]
    common = set(found[0]).intersection(*found[1:]) if found else set()
    return {h: max((one[h] for one in found), key=lambda arrival: arrival.cost2) for h in sorted(common)}

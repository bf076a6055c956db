"""Where a unit can go and at what cost: the listing of movement (WD 6, 7; DESIGN, One rule, four uses).

Costs are half MPs. Among cheapest ways the one with fewest hexes is taken, then the one with most of them by road,
then the one whose hexes come first in the numbering, read from the end: the same way whatever the order of search.
Units of one stack and class share a search.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from adjudicator.western_desert.graph import BY_ROAD, Edges
from adjudicator.western_desert.hexes import HEXES
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
    """Cheapest ways from some hexes, by hex code; ``reached`` lists the hexes in order of cost.

    A seed is its own parent. Hexes that may not be entered cost -1, those out of reach more than the limit.
    """

    __slots__ = ("cost", "parent", "reached", "steps")

    def __init__(self, field: Field, limit2: int) -> None:
        self.cost = [limit2 + 1] * HEXES
        self.steps = [0] * HEXES
        self.parent = [-1] * HEXES
        self.reached: list[int] = []
        for h in field.blocked:
            self.cost[h] = -1

    def way(self, h: int) -> list[int]:
        """The hexes from a seed to h, the seed first."""
        found = [h]
        while self.parent[h] != h:
            h = self.parent[h]
            found.append(h)
        return found[::-1]


def flood(field: Field, mover: Mover, seeds: Mapping[int, tuple[int, int]], limit2: int, roads: bool = False) -> Flood:
    """Dial's algorithm: all hexes within ``limit2``. ``seeds`` gives cost and hexes so far of where it begins."""
    found = Flood(field, limit2)
    buckets: list[list[int]] = [[] for _ in range(limit2 + 1)]
    for h, (cost2, steps) in seeds.items():
        if cost2 <= limit2:
            found.cost[h], found.steps[h], found.parent[h] = cost2, steps, h
            buckets[cost2].append(h)
    out = admin_edges if roads else _edges
    for at2, bucket in enumerate(buckets):
        for h in bucket:
            if found.cost[h] == at2:
                found.reached.append(h)
                edges = out(field, mover, h)
                _spread(found, buckets, h, at2 + field.harassed2.get(h, 0), edges)
    return found


def _edges(field: Field, mover: Mover, h: int) -> Edges:
    """The ordinary steps out of a hex, enemy zones included; :meth:`Field.step2` says the same for one step."""
    edges = field.graph.edges(mover.column, h)
    if h not in field.zoc:
        return edges
    leave, across = field.charts.zoc[mover.zone]
    zoc = field.zoc
    return tuple((n, cost + (across if n in zoc else leave), tie) for n, cost, tie in edges)


def _spread(found: Flood, buckets: list[list[int]], h: int, base: int, edges: Edges) -> None:
    """Relax the edges out of one hex; ties go to fewer hexes, then to roads, then to the lower hex before."""
    cost, steps, parent = found.cost, found.steps, found.parent
    so_far = steps[h]
    for n, edge, tie in edges:
        total, here = base + edge, so_far + tie
        old = cost[n]
        if total < old:
            cost[n], steps[n], parent[n] = total, here, h
            buckets[total].append(n)
        elif total == old and (here < steps[n] or (here == steps[n] and h < parent[n])) and parent[n] != n:
            steps[n], parent[n] = here, h


def admin_edges(field: Field, mover: Mover, h: int) -> Edges:
    """The road steps out of a hex; for administrative movement only those into hexes it may use (WD 6.B)."""
    graph, cost2 = field.graph, field.graph.road_cost(mover.column)
    return tuple(
        (n, cost2 + field.zone2(mover.zone, h, n), BY_ROAD)
        for n in graph.road_neighbours(h)
        if graph.cost(mover.column, h, n) is not None
        and not graph.closed(n)
        and (mover.mode != ADMIN or field.admin_hex(n))
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
    rate = field.charts.rail_rate(mover.rating)
    usable = field.net.usable
    if not rate or (mover.ridden and not mover.riding):
        return found
    heap = [(ready2, 0, h, h, -1) for h, ready2 in _entraining(field, mover, foot, limit2) if h in usable]
    heapify(heap)
    kept: dict[int, list[tuple[int, int]]] = {}
    while heap:
        ready2, ridden, h, origin, last = heappop(heap)
        labels = kept.setdefault(h, [])
        if any(_dominates(label, ready2, ridden, rate) for label in labels):
            continue
        labels.append((ready2, ridden))
        found.before[(origin, h, ridden)] = last
        _note(found, h, ready2 + ride2(rate, mover.ridden, ridden), origin, ridden)
        ready2 += field.harassed2.get(h, 0)
        if ready2 + ride2(rate, mover.ridden, ridden + 1) > limit2:
            continue
        for n in field.graph.rail_neighbours(h):
            if n in usable and n != last:
                heappush(heap, (ready2, ridden + 1, n, origin, h))
    return found


def _entraining(field: Field, mover: Mover, foot: Flood, limit2: int) -> Iterator[tuple[int, int]]:
    """Hexes in which a unit can board, with what it has spent then; a ride under way goes on where it stands."""
    if mover.riding:
        yield mover.start, 0
        return
    entrain2 = field.charts.misc2["entrain"]
    for h in foot.reached:
        if foot.cost[h] + entrain2 <= limit2:
            yield h, foot.cost[h] + entrain2


def _dominates(label: tuple[int, int], ready2: int, ridden: int, rate: int) -> bool:
    """True where a label is as cheap for every way on: later rail hexes cost it no more than it saves."""
    more = label[1] - ridden
    return label[0] + (2 * -(-more // rate) if more > 0 else 0) <= ready2


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
            return Arrival(cost2, (h,), (FOOT,), MINIMUM)
        if self._foot.cost[h] == cost2:
            way = tuple(self._foot.way(h)[1:])
            return Arrival(cost2, way, (FOOT,) * len(way), self.mover.mode)
        assert self._after is not None
        return self._by_rail(cost2, self._after.way(h))

    def _by_rail(self, cost2: int, walked: list[int]) -> Arrival:
        assert self._ride is not None
        ridden = self._ride.path(walked[0])
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
        self._rides: dict[tuple[int, str, str, int, int, bool, int], tuple[Ride | None, Flood | None]] = {}

    def reach(self, mover: Mover, by: str = "", limit2: int | None = None) -> Reach:
        """Where a mover can go. ``by`` = ``foot`` without rail, ``road`` only by road, ``rail`` only with a ride.

        ``limit2`` widens the search beyond what the mover has left, to say what a hex would cost.
        """
        limit2 = mover.left2 if limit2 is None else limit2
        if not mover.rating or (limit2 == 0 and not mover.fresh):
            return Reach(mover, limit2, self._nowhere(mover))
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
            return self._nowhere(mover)
        return flood(self.field, mover, {mover.start: (0, 0)}, limit2, roads=True)

    def _rail(self, mover: Mover, foot: Flood, limit2: int) -> tuple[Ride | None, Flood | None]:
        if self.state.phase != "movement" or self.field.net.usable.isdisjoint(foot.reached):
            return None, None
        key = (mover.start, mover.column, mover.zone, mover.rating, mover.ridden, mover.riding, limit2)
        if key not in self._rides:
            ride = rides(self.field, mover, foot, limit2)
            seeds = {h: (ride.total2[h], BY_ROAD * ride.ridden[h]) for h in ride.total2}
            self._rides[key] = (ride, flood(self.field, mover, seeds, limit2)) if seeds else (None, None)
        return self._rides[key]

    def refresh(self) -> None:
        """Forget what own movement may have changed: cities taken, so railroads (WD 7.A.axis)."""
        self.field.refresh()
        self._rides.clear()

    def _guaranteed(self, mover: Mover) -> dict[int, int]:
        """The one hex a fresh unit may always enter, whatever it costs (WD 6.min-hex)."""
        if not mover.fresh or mover.mode == ADMIN:
            return {}
        edges = self.field.graph.edges(mover.column, mover.start)
        return {
            n: cost + self.field.leave2(mover.zone, mover.start, n)
            for n, cost, _tie in edges
            if n not in self.field.blocked
        }

    def _nowhere(self, mover: Mover) -> Flood:
        found = Flood(self.field, 0)
        found.cost[mover.start], found.parent[mover.start], found.reached = 0, mover.start, [mover.start]
        return found


class RailReach(Reach):
    """Only arrivals with a ride in them."""

    def __init__(self, mover: Mover, limit2: int, foot: Flood, ride: Ride | None, after: Flood | None) -> None:
        super().__init__(mover, limit2, foot, ride, after)
        rail = after.reached if after is not None else ()
        self.cost2 = {h: after.cost[h] for h in rail if h != mover.start} if after is not None else {}

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

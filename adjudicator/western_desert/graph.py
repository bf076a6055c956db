"""The printed map as movement sees it: what each class of units pays from hex to hex (WD 6.cost, 7, chart.terrain).

One graph per world and state of railway construction; hexes are worked out when first asked for. Costs are half MPs.
What depends on the position (enemy units, zones, harassment) is added by the search and the walk.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

from adjudicator.western_desert import hexes
from adjudicator.western_desert.board import Board, HexInfo
from adjudicator.western_desert.charts import Charts, charts_of
from adjudicator.western_desert.state import ENEMY, VICHY, State, World
from adjudicator.western_desert.theatre.vichy import may_enter, may_fly

Edges = tuple[tuple[int, int, int], ...]  # hex, half MPs, tie: a hex more, and a little for leaving the road
BY_ROAD, OFF_ROAD = 64, 65
LEVANT = "Levant"
CRETE = "Crete"
SOUTH_AFRICAN, AFRICA = "south_african", ("Egypt", "Libya")
"""The nationality that operates there only, where it is agreed on (WD 32.A.sa)."""
NATIONS = "32.A"
OPEN = "open"
NEUTRAL = "neutral"
SHUT, FREE, BOUND, AT_HOME = "shut", "free", "bound", "at_home"
"""Rights in the Levant: none, all, or there and nowhere else, as Vichy forces have them (WD 28.C, 28.C.invade), none
outside Egypt and Libya (WD 32.A.sa)."""


class Graph:
    """Neighbours with costs by column of the terrain chart; roads and railroads as far as they are built."""

    def __init__(self, world: World, built: dict[str, int], levant: str = SHUT, crete: bool = False) -> None:
        self.board: Board = world.board
        self.levant, self.crete = levant, crete
        self.charts: Charts = charts_of(world)
        self._clear2 = dict(self.charts.clear2)
        self._add = world.switches.get("mountain_side_move", "replace") == "add"
        self.roads = self.board.roads
        self.rails = self.board.rails
        if built:
            laid = _laid(self.board, built)
            self.roads, self.rails = self.roads | laid, self.rails | laid
        self.rail_hexes = tuple(sorted({a for a, _b in self.rails}))
        self.rail_cities = tuple(h for h in self.rail_hexes if _full_city(self.board, h))
        self._edges: dict[str, dict[int, Edges]] = {column: {} for column in self._clear2}
        self._road_edges: dict[int, tuple[int, ...]] = {}
        self._rail_edges: dict[int, tuple[int, ...]] = {}
        self._closed: dict[int, bool] = {}

    def edges(self, column: str, h: int) -> Edges:
        """Neighbours a unit of that column may enter from the hex, with the cost of the step, by road where one is.

        The third figure decides between ways of equal cost: fewer hexes first, then fewer of them off the road.
        """
        known = self._edges[column]
        found = known.get(h)
        if found is None:
            steps = ((n, self.cost(column, h, n)) for n in hexes.neighbours(h) if not self.closed(n))
            found = known[h] = tuple((n, cost, self.tie(h, n)) for n, cost in steps if cost is not None)
        return found

    def tie(self, a: int, b: int) -> int:
        """What a step counts between ways of equal cost."""
        return BY_ROAD if (a, b) in self.roads else OFF_ROAD

    def cost(self, column: str, a: int, b: int) -> int | None:
        """Half MPs from a into its neighbour b; None where terrain forbids it (WD 7.city)."""
        if (a, b) in self.roads and self.board.passable(a, b):
            return self._clear2[column]
        return self.foot_cost(column, a, b)

    def foot_cost(self, column: str, a: int, b: int) -> int | None:
        """Half MPs off the road: hex, and what the hexside adds (WD 6.cost, chart.terrain; ruling MTN-SIDE-MOVE)."""
        if not self.board.passable(a, b):
            return None
        hex2 = self.charts.terrain[(self.board.terrain(b), column)]
        side = side_kind(self.board.crossing(a, b))
        side2 = self.charts.sides[side] if side else 0
        if hex2 is None or side2 is None:
            return None
        twin = self.charts.as_hex.get(side)
        if twin is not None:
            as_hex2 = self.charts.terrain[(twin, column)] or 0
            return hex2 + as_hex2 if self._add else max(hex2, as_hex2)
        return hex2 + side2

    def road_cost(self, column: str) -> int:
        """Half MPs of a hex entered by road (WD 7.B)."""
        return self._clear2[column]

    def least2(self, column: str) -> int:
        """The least that any hex costs that is entered on foot, in half MPs."""
        costs = (cost for (_terrain, name), cost in self.charts.terrain.items() if name == column and cost is not None)
        return min((*costs, self._clear2[column]))

    def road_neighbours(self, h: int) -> tuple[int, ...]:
        """Neighbours joined to the hex by a road or railroad that is built."""
        return _joined(self.roads, self._road_edges, h)

    def rail_neighbours(self, h: int) -> tuple[int, ...]:
        """Neighbours joined to the hex by a railroad that is built, broken or not."""
        return _joined(self.rails, self._rail_edges, h)

    def closed(self, h: int) -> bool:
        """True for ground that those for whom the graph is have no rights in: the Levant where it is shut to them, all
        but it for Vichy forces (WD 28.C, 28.C.invade), neutral countries (WD 3.B)."""
        found = self._closed.get(h)
        if found is None:
            info = self.board.info(h)
            found = info is not None and (self._neutral(info) or self._shut(h))
            self._closed[h] = found
        return found

    def _neutral(self, info: HexInfo) -> bool:
        return info.control == NEUTRAL and not (self.crete and info.country == CRETE)

    def _shut(self, h: int) -> bool:
        if self.levant == AT_HOME:
            return not any(self.board.in_region(h, country) for country in AFRICA)
        inside = self.board.in_region(h, LEVANT)
        return not inside if self.levant == BOUND else inside and self.levant == SHUT

    @cached_property
    def neutral(self) -> frozenset[int]:
        """All neutral ground."""
        return frozenset(h for h in self.board.land if self.closed(h))

    @cached_property
    def airspace(self) -> frozenset[int]:
        """The hexes that may be flown over: all of the map, sea too, no neutral ground (WD 18, 28.C, ruling
        LEVANT-AIR); for Vichy air units the Levant alone (WD 28.C.invade)."""
        if self.levant == BOUND:
            return frozenset(self.board.land) - self.neutral
        return hexes.all_hexes() - self.neutral

    def line_name(self, a: int, b: int) -> str:
        """The name of the line between two joined hexes, "the road" where it has none."""
        return self.board.line_names.get((a, b), "the road")


def _full_city(board: Board, h: int) -> bool:
    info = board.info(h)
    return info is not None and any(city.size == "full" for city in info.cities)


def side_kind(crossing: str) -> str:
    """The kind of a hexside without its direction."""
    return "escarpment" if crossing.startswith("escarpment") else crossing


def graph_of(state: State, side: str = "", flying: bool = False) -> Graph:
    """The graph of a position for the ground units of a side, or those ``flying``, Vichy forces by themselves; without
    a side, that of ground which can be fought for. Shared by all positions with the same railways and rights."""
    levant = rights_of(state, side, flying)
    crete = crete_taken(state)
    key = ("graph", tuple(sorted(state.built.items())), levant, crete)
    found = state.world.cache.get(key)
    if not isinstance(found, Graph):
        found = state.world.cache[key] = Graph(state.world, state.built, levant, crete)
    return found


def crete_taken(state: State) -> bool:
    """Whether Crete is neutral no more (WD 26.D)."""
    key = ("place", CRETE)
    h = state.world.cache.get(key)
    if not isinstance(h, int):
        h = state.world.cache[key] = next((h for h, i in sorted(state.board.land.items()) if i.country == CRETE), -1)
    return h in state.control and state.control[h] != NEUTRAL


def rights_of(state: State, side: str, flying: bool = False) -> str:
    """What a side may do in the Levant on the ground or in the air (WD 28.C, 28.C.1.effect, 28.C.2); without a side,
    whether there is war in it."""
    if side in (VICHY, SOUTH_AFRICAN):
        return BOUND if side == VICHY else AT_HOME
    kept = state.theatre
    enters = may_fly if flying else may_enter
    free = enters(side, kept.vichy, kept.grant) if side in ENEMY else bool(kept.vichy)
    return FREE if free or state.levant == OPEN else SHUT


def is_vichy(state: State, uid: str) -> bool:
    """True for a unit of the Vichy forces, whoever controls them."""
    return state.world.units[uid].nat == VICHY


def graph_for(state: State, uid: str) -> Graph:
    """The graph of a unit: that of its side, of Vichy forces and South Africans their own."""
    return graph_of(state, home_of(state, uid) or state.world.units[uid].side)


def home_of(state: State, uid: str) -> str:
    """The nationality of a unit that is bound to a part of the map: Vichy forces to the Levant (WD 28.C.invade), South
    Africans to Egypt and Libya where option 32.A is played (WD 32.A.sa); "" for others."""
    nat = state.world.units[uid].nat
    return nat if nat == VICHY or (nat == SOUTH_AFRICAN and state.world.plays(NATIONS)) else ""


def _laid(board: Board, built: dict[str, int]) -> set[tuple[int, int]]:
    """Joined pairs of the lines under construction, out to their railheads (WD 7.D.use, 7.D.operational)."""
    laid: set[tuple[int, int]] = set()
    for name, count in built.items():
        path = board.unbuilt.get(name, ())[: count + 1]
        for a, b in pairwise(path):
            laid |= {(a, b), (b, a)}
    return laid


def _joined(pairs: set[tuple[int, int]], known: dict[int, tuple[int, ...]], h: int) -> tuple[int, ...]:
    found = known.get(h)
    if found is None:
        found = known[h] = tuple(n for n in hexes.neighbours(h) if (h, n) in pairs)
    return found

"""Supply lines and their sources (WD 12.A, 12.B, 12.C): transport lines to terminals, supply counters.

A :class:`Net` holds what one side's lines look like in one position; it is kept as long as nothing it rests on changes.
Lengths count hexes entered, the last one included (ruling LINE-COUNT).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from adjudicator.western_desert import hexes
from adjudicator.western_desert.board import Board
from adjudicator.western_desert.charts import charts_of
from adjudicator.western_desert.control import zone_names
from adjudicator.western_desert.graph import LEVANT, Graph, graph_of, is_vichy
from adjudicator.western_desert.state import ENEMY, VICHY, WRECK, State, World

FAR = 999
WATER = ("sea", "lake")
SIDES = ("allied", "axis", VICHY)


class Ground(NamedTuple):
    """What stops the lines of one side: hexes with enemies, enemy zones, own units; the terminals it holds."""

    side: str
    enemies: frozenset[int]
    zones: frozenset[int]
    friends: frozenset[int]
    terminals: frozenset[int]
    built: tuple[tuple[str, int], ...]


def ground_of(state: State, side: str) -> Ground:
    """Read from the position what the lines of a side rest on. Only units with a size open a hex (LINE-FRIEND).

    WD 12.B.terminals.
    """
    units = state.world.units
    who = state.theatre.vichy or side if side == VICHY else side
    enemy = ENEMY.get(who, "")
    enemies, friends = set(), set()
    for h, ids in state.at.items():
        for uid in ids:
            owner = units[uid].side
            if owner == enemy and uid != WRECK:
                enemies.add(h)
            elif owner == who and not units[uid].counter:
                friends.add(h)
    zones = state.zones.get(enemy, {}).keys() | state.overlay_zoc.get(enemy, frozenset())
    terminals = {h for h in _terminals(state, side) if state.owner(h) == who}
    built = tuple(sorted(state.built.items()))
    return Ground(side, frozenset(enemies), frozenset(zones), frozenset(friends), frozenset(terminals), built)


def _terminals(state: State, side: str) -> tuple[int, ...]:
    """The hexes in which a side has its supply terminals, whoever holds them (WD 12.B.terminals)."""
    known = state.world.cache.get("terminals")
    if not isinstance(known, dict):
        known = state.world.cache["terminals"] = {
            s: tuple(sorted(h for h, info in state.board.land.items() if info.terminal == s)) for s in SIDES
        }
    found: tuple[int, ...] = known.get(side, ())
    return found


class Net:
    """The supply lines of one side in one position."""

    def __init__(self, board: Board, graph: Graph, limit: int, ground: Ground) -> None:
        self.board, self.graph, self.limit, self.ground = board, graph, limit, ground
        self._around: dict[int, dict[int, int]] = {}

    @cached_property
    def _outside(self) -> frozenset[int]:
        if self.ground.side == VICHY:
            return frozenset(h for h in self.board.land if not self.board.in_region(h, LEVANT))
        return self.graph.neutral

    def neutral(self, h: int) -> bool:
        """True where the side has no rights: neutral ground; for Vichy forces all but the Levant (LEVANT-SUPPLY)."""
        return h in self._outside

    @cached_property
    def barred(self) -> frozenset[int]:
        """Land hexes into which no line goes (WD 12.A): enemies, their zones without a friend, neutral ground."""
        ground = self.ground
        return self._outside | ground.enemies | (ground.zones - ground.friends)

    def open(self, h: int) -> bool:
        """True where a line may be traced into the hex; hexsides are judged by the step."""
        return h in self.board.land and h not in self.barred

    @cached_property
    def lines(self) -> dict[int, int]:
        """Hexes of unblocked transport lines that lead to a terminal -> that terminal (WD 12.B.1, 12.B.blocked)."""
        ring = [h for h in sorted(self.ground.terminals) if self.open(h)]
        found = {h: h for h in ring}
        while ring:
            wave: list[int] = []
            for h in ring:
                for n in self.graph.road_neighbours(h):
                    if n not in found and self.open(n):
                        found[n] = found[h]
                        wave.append(n)
            ring = wave
        return found

    @cached_property
    def near(self) -> dict[int, int]:
        """Hexes whose line to a transport line is short enough -> its length (WD 12.B.range)."""
        return self.back_from(self.lines, self.limit)

    @cached_property
    def far(self) -> dict[int, int]:
        """The same without a limit, for comparing hexes."""
        return self.back_from(self.lines, FAR)

    @cached_property
    def free(self) -> Net:
        """The lines as they would be without any enemy, to say what an enemy cuts."""
        ground = self.ground._replace(enemies=frozenset(), zones=frozenset())
        return Net(self.board, self.graph, self.limit, ground)

    def back_from(self, sources: Iterable[int], limit: int) -> dict[int, int]:
        """Lengths of the shortest lines that end in one of the sources, up to a limit, by where they begin.

        A line is traced into every hex but its first one, so a hex that is not open may begin a line only.
        """
        ring = [h for h in sources if self.open(h)]
        found = dict.fromkeys(ring, 0)
        ways_in, barred = self.board.ways_in, self.barred
        for length in range(1, limit + 1):
            wave: list[int] = []
            for h in ring:
                for n in ways_in(h):
                    if n not in found:
                        found[n] = length
                        if n not in barred:
                            wave.append(n)
            ring = wave
            if not ring:
                break
        return found

    def around(self, h: int) -> dict[int, int]:
        """Hexes that lines from h reach within the limit -> length; h itself is 0 away."""
        found = self._around.get(h)
        if found is None:
            found, ring = {h: 0}, [h]
            for length in range(1, self.limit + 1):
                wave = []
                for a in ring:
                    for n in self.board.open_neighbours(a):
                        if n not in found and self.open(n):
                            found[n] = length
                            wave.append(n)
                ring = wave
            self._around[h] = found
        return found


def net(state: State, side: str) -> Net:
    """The lines of a side as they are now."""
    ground = ground_of(state, side)
    key = ("supply net", side)
    found, graph = state.world.cache.get(key), graph_of(state, side)
    if not isinstance(found, Net) or found.ground != ground or found.graph is not graph:
        limit = charts_of(state.world).limits["line_hexes"]
        found = state.world.cache[key] = Net(state.board, graph, limit, ground)
    return found


# --- islands ----------------------------------------------------------------------------------------------------


def islands(world: World) -> frozenset[int]:
    """Land that the sea cuts off from every supply terminal, of whatever side; marsh and cliffs make no island."""
    known = world.cache.get("islands")
    if not isinstance(known, frozenset):
        board = world.board
        ring = {h for h, info in board.land.items() if info.terminal}
        mainland: set[int] = set()
        while ring:
            mainland |= ring
            ring = {n for h in ring for n in hexes.neighbours(h) if board.crossing(h, n) not in WATER}
            ring = (ring & board.land.keys()) - mainland
        known = world.cache["islands"] = frozenset(board.land.keys() - mainland)
    return known


def freely_supplied(state: State, h: int) -> bool:
    """True on an island, where the house rule has it that units there are in general supply (ruling ISLAND-SUPPLY)."""
    return state.world.switches.get("island_supply") == "free" and h in islands(state.world)


# --- questions --------------------------------------------------------------------------------------------------


def would_be_supplied(state: State, side: str, h: int) -> bool:
    """True where a unit in the hex can trace to a transport line that leads to an own terminal (WD 12.B.1)."""
    return h in net(state, side).near or freely_supplied(state, h)


def source_distance(state: State, side: str, h: int) -> int:
    """How far the hex is from the nearest live transport line; :data:`FAR` where none can be reached."""
    return net(state, side).far.get(h, FAR)


def counters_in_reach(state: State, side: str, h: int) -> list[str]:
    """Own supply counters that a line from the hex reaches now (WD 12.C, 12.A), nearest first, then by id.

    A counter counts while it has steps left, or REs of a step already paid in this phase.
    """
    around = net(state, side).around(h)
    found = [
        (around[counter.hex], sid)
        for sid, counter in state.supply.items()
        if counter.side == side and counter.hex in around and (counter.steps or counter.drawn2)
    ]
    return [sid for _length, sid in sorted(found)]


def on_lines(state: State, side: str) -> set[str]:
    """Ids of a side's units in general supply by transport lines, counters left aside."""
    near = net(state, side).near
    own = net(state, VICHY).near if state.theatre.vichy == side else near
    places = ((uid, state.pieces[uid].hex) for uid in state.side_units(side))
    return {uid for uid, h in places if h in (own if is_vichy(state, uid) else near) or freely_supplied(state, h)}


def covered(state: State, sid: str) -> list[str]:
    """Ids of own units that trace to a supply counter (WD 12.B.2, ruling COUNTER-SCOPE), in order of id."""
    counter = state.supply[sid]
    lines = net(state, counter.side)
    reach = lines.back_from([counter.hex], lines.limit)
    reach.setdefault(counter.hex, 0)
    return [uid for uid in state.side_units(counter.side) if state.pieces[uid].hex in reach]


# --- reasons ----------------------------------------------------------------------------------------------------


def reason(state: State, side: str, h: int) -> str:
    """Why a unit in the hex is, or is not, in general supply by a transport line; one clause for people."""
    lines = net(state, side)
    name = state.board.feature_names
    if h in lines.near:
        end = end_of_line(lines, h)
        return f"{lines.near[h]} hexes to the line in {name(end)}, which leads to {name(lines.lines[end])}"
    if freely_supplied(state, h):
        return "units on islands are in general supply by the house rule island_supply"
    if not lines.ground.terminals:
        return "its side holds no supply terminal"
    if h in lines.far:
        return f"the nearest open transport line is {lines.far[h]} hexes away, {lines.limit} are allowed"
    if h not in lines.free.far:
        return "no supply line leads from there to a terminal, enemies or not"
    return f"cut off: {_first_bar(state, lines, lines.free, h)}"


def end_of_line(lines: Net, h: int) -> int:
    """The nearest hex of a live transport line that a line from the hex ends in; there must be one in reach."""
    around = lines.around(h)
    return min((around[n], n) for n in around if n in lines.lines)[1]


def _first_bar(state: State, lines: Net, free: Net, h: int) -> str:
    """Why the first hex on the shortest way, had there been no enemy, stops the line now."""
    blocked, here = barring(state.board, lines, free, h)
    if blocked >= 0:
        return bar(state, lines, blocked)
    return f"the line in {state.board.feature_names(here)} leads nowhere"


def barring(board: Board, lines: Net, free: Net, h: int) -> tuple[int, int]:
    """The first hex that stops the line from h on the shortest way that ``free`` has, and where that way meets the
    transport line; -1 where no hex does."""
    here = h
    while free.far[here]:
        here = min(
            n
            for n in hexes.neighbours(here)
            if free.far.get(n, FAR) == free.far[here] - 1 and board.passable(here, n)
        )
        if not lines.open(here):
            return here, here
    return next((b for b in line_to_terminal(free, here) if not lines.open(b)), -1), here


def line_to_terminal(free: Net, h: int) -> list[int]:
    """Hexes of the transport line from h, which is one of them, to its terminal; of a free net as if nobody stood in
    the way."""
    goal = free.lines[h]
    before = {h: h}
    ring = [h]
    while ring and goal not in before:
        wave = []
        for a in ring:
            for n in free.graph.road_neighbours(a):
                if n not in before and free.open(n):
                    before[n] = a
                    wave.append(n)
        ring = wave
    way = [goal]
    while way[-1] != h:
        way.append(before[way[-1]])
    return way[::-1]


def bar(state: State, lines: Net, h: int) -> str:
    """What keeps a line out of a hex that is not open."""
    side, where = lines.ground.side, state.board.feature_names(h)
    if h in lines.ground.enemies:
        names = ", ".join(state.unit(uid).short or uid for uid in state.enemies_at(h, side))
        return f"{where} is held by {names}"
    if h in lines.ground.zones:
        return f"{where} lies in the ZOC of {zone_names(state, h, side)}"
    return f"{where} is neutral ground"

"""Rail movement (WD 7.A, 7.C): which railroads a side may use, what a ride costs, what bars it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from adjudicator.engine.core import Problem
from adjudicator.western_desert.charts import Charts
from adjudicator.western_desert.control import zone_names
from adjudicator.western_desert.graph import Graph, graph_of
from adjudicator.western_desert.state import State

CITY_SIDE = "axis"


class RailNet(NamedTuple):
    """The hexes in which a side may move by rail now; ``has_city`` is WD 7.A.axis, always true for the Allies."""

    usable: frozenset[int]
    has_city: bool


def rail_net(state: State, side: str) -> RailNet:
    """Railroad hexes that a side controlled when its turn began, free of enemies, enemy zones and breaks."""
    graph = graph_of(state)
    if side != CITY_SIDE:
        return RailNet(frozenset(h for h in graph.rail_hexes if not _bars(state, side, h)), True)
    if not any(_city(state, side, h) for h in graph.rail_cities):
        return RailNet(frozenset(), False)
    return RailNet(frozenset(h for h in city_linked(state, side) if not _bars(state, side, h)), True)


def city_linked(state: State, side: str) -> set[int]:
    """Hexes with a rail path to a full hex city of the side, not through enemies or enemy zones (WD 7.A.axis)."""
    graph = graph_of(state)
    ring = [h for h in graph.rail_cities if _city(state, side, h) and _clear(state, side, h)]
    linked = set(ring)
    while ring:
        ring = [n for h in ring for n in graph.rail_neighbours(h) if n not in linked and _clear(state, side, n)]
        linked.update(ring)
    return linked


def _clear(state: State, side: str, h: int) -> bool:
    return not state.enemy_in(h, side) and not state.ezoc(h, side)


def _city(state: State, side: str, h: int) -> bool:
    info = state.board.info(h)
    return info is not None and state.owner(h) == side


def _bars(state: State, side: str, h: int) -> bool:
    return (
        state.owner_at_start(h) != side
        or state.ezoc(h, side)
        or state.enemy_in(h, side)
        or h in state.broken
        or graph_of(state, side).closed(h)
    )


def most_hexes(charts: Charts, rating: int, left2: int) -> int:
    """The most rail hexes that can be bought after entraining (WD 7.A.rate)."""
    grains = max(0, left2 - charts.misc2["entrain"]) // charts.ride_grain
    return grains * charts.ride_grain * charts.rail_rate(rating) // 2


def rail_problems(state: State, side: str, path: Iterable[int], joined: Iterable[tuple[int, int]]) -> list[Problem]:
    """What bars a ride through these hexes, the first of them being where it begins (WD 7.A, 7.C)."""
    graph, name = graph_of(state), state.board.name
    hexes = list(path)
    found: list[Problem] = []
    if state.phase != "movement":
        text = f"rail movement belongs to the movement phase, this is the {state.phase} phase"
        found.append(Problem("rail_phase", "WD 7.A", text, "go by road; a railroad is a road too"))
    for a, b in joined:
        if b not in graph.rail_neighbours(a):
            found.append(_no_rail(state, graph, a, b))
    bars = [bar for h in hexes for bar in _bar_texts(state, side, h)]
    found += once([Problem(code, rule, text, "ride elsewhere or go by road") for code, rule, text in bars])
    return found + _city_problems(state, side, hexes[0], name(hexes[0]))


def once(problems: Sequence[Problem]) -> list[Problem]:
    """The first problem of each code, with the number of hexes more of which the same is true."""
    found: dict[str, list[Problem]] = {}
    for problem in problems:
        found.setdefault(problem.code, []).append(problem)
    return [
        replace(same[0], text=f"{same[0].text}; so with {len(same) - 1} hexes more") if len(same) > 1 else same[0]
        for same in found.values()
    ]


def _no_rail(state: State, graph: Graph, a: int, b: int) -> Problem:
    name = state.board.name
    if any(a in line and b in line for line in state.board.unbuilt.values()):
        text = f"the railroad from {name(a)} to {name(b)} is not built yet"
        return Problem("not_built_line", "WD 7.D.use", text, "ride to the railhead at most")
    return Problem("no_rail", "WD 7", f"no railroad joins {name(a)} and {name(b)}", "follow the line hex by hex")


def _bar_texts(state: State, side: str, h: int) -> list[tuple[str, str, str]]:
    """What bars rides in a hex: its owner at the start, zones, breaks (WD 7.A.zoc, 7.A.control, 7.C.effect)."""
    name = state.board.name(h)
    found = []
    if state.owner_at_start(h) != side:
        since = "only since this player turn" if state.owner(h) == side else f"{state.owner(h) or 'nobody'} holds it"
        text = f"rail movement needs {name} held by the {side} side since its player turn began: {since}"
        found.append(("rail_control", "WD 7.A.control", text))
    if state.ezoc(h, side):
        found.append(("rail_ezoc", "WD 7.A.zoc", f"{name} lies in the ZOC of {zone_names(state, h, side)}"))
    if h in state.broken:
        found.append(("rail_broken", "WD 7.C.effect", f"the railroad is broken in {name}"))
    return found


def _city_problems(state: State, side: str, start: int, name: str) -> list[Problem]:
    if side != CITY_SIDE or start in city_linked(state, side):
        return []
    if not any(_city(state, side, h) for h in graph_of(state).rail_cities):
        text = "the Axis may use railroads only while it holds a full hex city on a railroad; it holds none"
        return [Problem("axis_rail_city", "WD 7.A.axis", text, "go by road")]
    text = f"no railroad leads from {name} to a full hex city of the Axis without enemy units or enemy ZOCs on it"
    return [Problem("axis_rail_path", "WD 7.A.axis", text, "go by road, or open the way to the city")]

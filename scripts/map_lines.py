"""Lines drawn on the grid: along hexsides (escarpments, rivers) and from hex to hex (roads, railways)."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Hashable, Iterable
from itertools import pairwise
from typing import Any, TypeVar

from map_grid import Hex, Point, Side, SideGraph, at, centre, neighbours, parse, side
from map_projection import Georeference
from shapely.geometry import LineString
from shapely.geometry import Point as Dot

Node = TypeVar("Node", bound=Hashable)
Walk = list[tuple[Point, Point]]


def shortest(
    start: Node, goal: Node, links: Callable[[Node], Iterable[Node]], cost: Callable[[Node, Node], float]
) -> list[Node] | None:
    """The cheapest way from start to goal, ``None`` when there is none; ties go to the node that sorts first."""
    best: dict[Node, float] = {start: 0.0}
    before: dict[Node, Node] = {}
    queue: list[tuple[float, Any]] = [(0.0, start)]
    while queue:
        spent, node = heapq.heappop(queue)
        if node == goal:
            way = [node]
            while way[-1] in before:
                way.append(before[way[-1]])
            return way[::-1]
        if spent > best[node]:
            continue
        for other in links(node):
            total = spent + cost(node, other)
            if total < best.get(other, math.inf) - 1e-9:
                best[other], before[other] = total, node
                heapq.heappush(queue, (total, other))
    return None


class SideLines:
    """Puts a line of nature on the hexsides nearest to it."""

    def __init__(self, graph: SideGraph, earth: Georeference) -> None:
        self.graph, self.earth = graph, earth

    def walk(self, path: list[Any]) -> Walk:
        """The line as steps from corner to corner, in the order of the path."""
        marks = [self._mark(element) for element in path]
        shape = [_middle(mark) if isinstance(mark[0], tuple) else mark for mark in marks]
        line = LineString(shape) if len(shape) > 1 else Dot(shape[0])
        stops = [m for i, m in enumerate(marks) if isinstance(m[0], tuple) or i in (0, len(marks) - 1)]
        steps: Walk = []
        for stop in stops:
            steps += self._on(steps, stop, line)
        return [step for step in steps if step[0] != step[1]]

    def _mark(self, element: Any) -> Any:
        if isinstance(element, list):
            return self.earth.point(element[0], element[1])
        one, other = str(element).split("|")
        return self.graph.ends[side(parse(one), parse(other))]

    def _on(self, steps: Walk, stop: Any, line: Any) -> Walk:
        """The steps from where the line has got to on to the next stop: a corner, or a hexside that it must use."""
        forced = isinstance(stop[0], tuple)
        if not steps:
            return [(stop[0], stop[1])] if forced else [(self.graph.nearest(stop),) * 2]
        here = {steps[-1][1]} if len(steps) > 1 or steps[0][0] == steps[0][1] else set(steps[0])
        goals = [stop[0], stop[1]] if forced else [self.graph.nearest(stop)]
        ways = [self._way(a, b, line) for a in sorted(here) for b in goals]
        way = min((w for w in ways if w is not None), key=len)
        more = list(pairwise(way))
        if len(steps) == 1 and steps[0][1] != way[0]:
            steps[0] = (steps[0][1], steps[0][0])
        if forced:
            more.append((way[-1], stop[1] if way[-1] == stop[0] else stop[0]))
        return more

    def _way(self, start: Point, goal: Point, line: Any) -> list[Point] | None:
        def cost(a: Point, b: Point) -> float:
            return 1.0 + float(line.distance(Dot((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)))

        return shortest(start, goal, lambda corner: self.graph.links[corner], cost)


class HexLines:
    """Puts a road or railway on the hexes nearest to it, never over what cannot be crossed."""

    def __init__(self, earth: Georeference, places: dict[str, Hex], land: set[Hex], shut: set[Side]) -> None:
        self.earth, self.places, self.land, self.shut = earth, places, land, shut

    def hexes(self, path: list[Any]) -> list[Hex]:
        """The hexes of a line in the order of its path.

        Raises:
            ValueError: if no way leads from one of its places to the next.
        """
        marks = [self._mark(element) for element in path]
        stops = [i for i, (fixed, _, _) in enumerate(marks) if fixed or i in (0, len(marks) - 1)]
        found: list[Hex] = []
        for i, j in pairwise(stops):
            line = LineString([point for _, _, point in marks[i : j + 1]])
            way = self._way(marks[i][1], marks[j][1], line)
            if way is None:
                raise ValueError(f"no way from {path[i]} to {path[j]}")
            found += way if not found else way[1:]
        return found

    def _mark(self, element: Any) -> tuple[bool, Hex, Point]:
        if isinstance(element, list):
            point = self.earth.point(element[0], element[1])
            return False, at(point), point
        hex_ = parse(element) if "/" in element else self.places[element]
        return True, hex_, centre(hex_)

    def _way(self, start: Hex, goal: Hex, line: Any) -> list[Hex] | None:
        def links(hex_: Hex) -> list[Hex]:
            return [n for n in neighbours(hex_) if n in self.land and side(hex_, n) not in self.shut]

        return shortest(start, goal, links, lambda _, hex_: 1.0 + float(line.distance(Dot(centre(hex_)))))


def _middle(ends: tuple[Point, Point]) -> Point:
    (ax, ay), (bx, by) = ends
    return (ax + bx) / 2, (ay + by) / 2

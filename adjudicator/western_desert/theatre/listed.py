"""Allied garrisons that are kept off the map on a written list, an optional rule (WD 33.C). Pure.

Who is on the list, of which area, and where each unit left the map is public; where it has gone since is not. The
book ``garrisons`` holds it, one topic for each area, with the hex of every unit that has moved in secret. What it says
counts step by step: a step that a unit could not have made in one movement phase is none (ruling LIST-STEP).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from adjudicator.engine.core import Problem, Tree
from adjudicator.western_desert import hexes
from adjudicator.western_desert.charts import charts_of, column_of
from adjudicator.western_desert.graph import graph_of
from adjudicator.western_desert.stacking import fits
from adjudicator.western_desert.standing import hex_in
from adjudicator.western_desert.state import LISTED, Piece, State, World
from adjudicator.western_desert.theatre.record import Listed
from adjudicator.western_desert.units import Unit

OPTION, RULE, SIDE = "33.C", "WD 33.C", "allied"
BOOK = "garrisons"
AREAS = ("cyprus", "delta", "levant", "palestine")
"""The areas whose units need not be on the map, which are the topics of the book too."""
NEAR = 5
"""Hexes within which an enemy ground unit brings the units of an area onto the map."""
Book = tuple[int, Mapping[str, str]]
"""What a book says of an area: the message that sealed it, and hexes by unit."""


class Spot(NamedTuple):
    """Where a unit of the list is placed; ``moved`` tells that it is not where its list has it, which was full."""

    unit: str
    hex: int
    moved: bool = False


def area_hexes(world: World, area: str) -> frozenset[int]:
    """The land hexes of an area."""
    key = ("list area", area)
    found = world.cache.get(key)
    if not isinstance(found, frozenset):
        found = world.cache[key] = frozenset(h for h in world.board.land if world.board.in_region(h, area))
    return found


def around(world: World, area: str) -> frozenset[int]:
    """The hexes within five of any hex of an area."""
    key = ("list near", area)
    found = world.cache.get(key)
    if not isinstance(found, frozenset):
        found = world.cache[key] = frozenset(n for h in area_hexes(world, area) for n in hexes.within(h, NEAR))
    return found


def area_name(area: str) -> str:
    """An area in words: ``the Delta``, ``Palestine``."""
    return f"the {area.capitalize()}" if area in ("delta", "levant") else area.capitalize()


def area_of(state: State, h: int) -> str:
    """The area that a hex lies in; "" for none."""
    return next((area for area in AREAS if h in area_hexes(state.world, area)), "")


def in_area(state: State, area: str) -> list[Listed]:
    """The units of an area that are on the list, in order of id."""
    return [one for one in state.theatre.listed if one.area == area]


def areas_kept(state: State) -> list[str]:
    """The areas with units on the list."""
    return sorted({one.area for one in state.theatre.listed})


def watched(state: State, area: str) -> list[str]:
    """The Axis ground units within five hexes of an area, in order of id."""
    near = around(state.world, area)
    return [uid for uid in state.side_units("axis") if not state.unit(uid).counter and state.hex_of(uid) in near]


def seen_from(state: State, path: Iterable[int]) -> list[str]:
    """The areas with units on the list that a way of an Axis unit leads near to."""
    kept = areas_kept(state)
    way = set(path) if kept else set[int]()
    return [area for area in kept if way & around(state.world, area)]


# --- going on the list --------------------------------------------------------------------------------------------


def list_problems(state: State, side: str, uid: str) -> list[Problem]:
    """What keeps a unit from being taken off the map (WD 33.C)."""
    if not state.world.plays(OPTION):
        text = f"garrisons are kept off the map by option {OPTION}, which this game does not play"
        return [Problem("option", RULE, text, "leave the order out")]
    if side != SIDE or state.player != SIDE or state.surprise or state.phase == "exploitation":
        text = "garrisons go off the map in an Allied movement phase, not in exploitation nor the surprise turn"
        return [Problem("moment", RULE, text, "leave the order out")]
    name = state.world.units[uid].short or uid if uid in state.world.units else uid
    if uid not in state.pieces or state.world.units[uid].side != SIDE:
        return [Problem("unit", RULE, f"{name} is no unit of yours on the map", "leave it out", field="units")]
    h = state.hex_of(uid)
    area = area_of(state, h)
    if not area:
        text = f"{name} in {state.board.feature_names(h)} is in none of the areas whose garrisons may be off the map"
        return [Problem("area", RULE, text, f"the areas are {', '.join(AREAS)}", field="units")]
    return _near_problems(state, name, area) + _fit_problems(state, uid, name)


def _near_problems(state: State, name: str, area: str) -> list[Problem]:
    enemies = watched(state, area)
    if not enemies:
        return []
    who = state.unit(enemies[0])
    text = f"{name} stays on the map: {who.short or who.id} is within {NEAR} hexes of the area {area}"
    return [Problem("enemy_near", RULE, text, "leave it on the map", field="units")]


def _fit_problems(state: State, uid: str, name: str) -> list[Problem]:
    piece = state.pieces[uid]
    if not piece.gs:
        text = f"{name} is out of general supply, which the list can't tell"
        return [Problem("supply", RULE, text, "leave it on the map", field="units")]
    if piece.disrupted or piece.dropped:
        return [Problem("disrupted", RULE, f"{name} is disrupted", "leave it on the map", field="units")]
    riders = sorted(one for one, kept in state.pieces.items() if kept.carrier == uid != one)
    if riders:
        text = f"{name} carries {state.unit(riders[0]).short or riders[0]} in this phase"
        return [Problem("carrying", RULE, text, "leave it on the map", field="units")]
    return []


# --- what the list says -------------------------------------------------------------------------------------------


def read_topic(rules: Tree) -> dict[str, str]:
    """The rows of a topic, hexes by unit; what can't be read is left out."""
    rows = rules if isinstance(rules, list) else []
    said = ((row.get("unit"), row.get("hex")) for row in rows if isinstance(row, dict))
    return {unit: h for unit, h in said if isinstance(unit, str) and isinstance(h, str)}


def topic_rows(places: Mapping[str, str]) -> list[Tree]:
    """A topic as the book holds it."""
    return [{"hex": places[unit], "unit": unit} for unit in sorted(places)]


def step_problems(state: State, one: Listed, start: int, to: int) -> list[Problem]:
    """What keeps a unit of the list from going from a hex to another in one movement phase, within its area."""
    unit = face(state, one)
    name = unit.short or unit.id
    if to not in area_hexes(state.world, one.area):
        text = f"{state.board.name(to)} is not in the area {one.area}, within which {name} moves on the list"
        return [Problem("area", RULE, text, f"name a hex of it, or show the area first: {one.area}", field="to")]
    cost2 = cheapest(state, one, start).get(to)
    if cost2 is not None:
        return []
    text = f"{name} does not get from {state.board.name(start)} to {state.board.name(to)} in one movement phase"
    return [Problem("too_far", "WD 6.mp", text, "go there in several turns", field="to")]


def face(state: State, one: Listed) -> Unit:
    """The face of a unit on the list: its counter, its cadre, or its dotted side; a division of the size that its
    components make (WD 3.E)."""
    size = state.measured(one.unit) if state.parts_of(one.unit) else 0
    return state.face(one.unit, Piece(one.hex, one.cadre, one.dot, size))


def cheapest(state: State, one: Listed, start: int) -> dict[int, int]:
    """The hexes of its area that a unit reaches in one movement phase, on foot and by road, with half MPs; one hex
    always, if it may enter it (WD 6.mp, 6.min-hex)."""
    unit, inside, graph = face(state, one), area_hexes(state.world, one.area), graph_of(state, SIDE)
    column, limit = column_of(unit), charts_of(state.world).movement(unit.movement, True)
    found: dict[int, int] = {start: 0}
    heap = [(0, start)]
    while heap:
        spent, h = heapq.heappop(heap)
        if spent > found[h]:
            continue
        for n, cost, _tie in graph.edges(column, h):
            least = spent + cost
            if n in inside and (least <= limit or (h == start and limit)) and least < found.get(n, least + 1):
                found[n] = least
                if least < limit:
                    heapq.heappush(heap, (least, n))
    return found


def place_by(state: State, one: Listed, books: Sequence[Book]) -> int:
    """Where a unit is by the books of its area since it was listed, oldest first; a step that can't be made in one
    movement phase is left out, as if the unit had stayed (ruling LIST-STEP)."""
    h = one.hex
    for seq, told in books:
        to = hex_in(state, told.get(one.unit, ""))
        if seq > one.seq and to is not None and to != h and not step_problems(state, one, h, to):
            h = to
    return h


# --- placed on the map --------------------------------------------------------------------------------------------


def spots(state: State, area: str, books: Sequence[Book]) -> list[Spot]:
    """Where the units of an area are placed: each in its hex, or in the nearest of the area that takes it, where that
    is full or an enemy stands there (WD 33.C, 8.A)."""
    trial, found = state.copy(), list[Spot]()
    for one in in_area(state, area):
        wanted = place_by(state, one, books)
        free = (h for h in _by_distance(state, area, wanted) if _takes(trial, one, h))
        h = next(free, wanted)
        trial.bring_back(one.unit, h, one.cadre, one.dot)
        found.append(Spot(one.unit, h, h != wanted))
    return found


def _by_distance(state: State, area: str, h: int) -> list[int]:
    return sorted(area_hexes(state.world, area), key=lambda n: (hexes.distance(h, n), n))


def _takes(trial: State, one: Listed, h: int) -> bool:
    """Whether a unit that was on the list finds room in a hex, with those placed before it."""
    if trial.enemy_in(h, SIDE):
        return False
    beside = trial.copy()
    beside.bring_back(one.unit, h, one.cadre, one.dot)
    return fits(beside, h, SIDE)


def books_since(state: State, area: str) -> int:
    """The oldest message whose book may tell of a unit of an area: that after which the first one was listed."""
    return min((one.seq for one in in_area(state, area)), default=0) + 1


def books_of(state: State, area: str) -> list[int]:
    """The messages whose books tell where the units of an area are: each that began an Allied player turn since the
    first of them was listed. What is sealed at another time is no list (ruling LIST-PROOF)."""
    return sorted(seq for _turn, seq in state.theatre.lists if seq >= books_since(state, area))


def boxed(state: State) -> list[str]:
    """The units whose counters lie in the box of the list, in order of id."""
    return sorted(uid for uid, kept in state.boxes.items() if kept.box == LISTED)

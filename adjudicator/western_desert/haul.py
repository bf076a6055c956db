"""Supply counters on the move (WD 12.D): ways and their price in supply movement points.

SMPs are counted in halves like movement points. A counter rides free, as often as it likes (ruling SUPPLY-RAIL); road
and open ground are paid by the step of supply, zones of control once a counter (ruling SMP-ZOC).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import pairwise

from adjudicator.engine.core import Order, Problem
from adjudicator.western_desert import hexes
from adjudicator.western_desert.apply import mp_text
from adjudicator.western_desert.charts import MOT_OR_ART
from adjudicator.western_desert.mover import RAIL, Field
from adjudicator.western_desert.rail import rail_problems
from adjudicator.western_desert.reach import FOOT, ROAD
from adjudicator.western_desert.standing import hex_in
from adjudicator.western_desert.state import State, turn_number
from adjudicator.western_desert.walk import Parts, parts_text
from adjudicator.western_desert.world import rows, text, texts

SMP = "WD 12.D.smp"
LONGEST = 200  # hexes of a path that is written out
FAR2 = 400  # how far a search goes to say what a hex out of reach would cost, in half SMPs
ORDERS_OF_A_COUNTER = 20
WAYS = {RAIL: "rail", ROAD: "road", FOOT: "off the road"}


@dataclass
class Haul:
    """The way of one counter, its price in half SMPs, and what is wrong with it."""

    counter: str
    path: tuple[int, ...] = ()
    steps: tuple[str, ...] = ()
    cost2: int = 0
    parts: Parts = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def smp2(state: State, side: str) -> int:
    """Half SMPs that a side has a turn (WD 12.D.smp): as the scenario begins, as the order of battle changes it."""
    given = rows(state.world.scenario, "smp")
    points = next((text(row, "points", "0") for row in given if row.get("side") == side), "0")
    for row in state.world.events:
        if row.get("kind") == "smp" and row.get("side") == side and turn_number(text(row, "turn")) <= state.turn:
            points = text(row, "points", "0")
    return 2 * int(points)


def smp_left2(state: State, side: str) -> int:
    """Half SMPs that the phasing side has not spent in its player turn; what is not used lapses."""
    return max(0, smp2(state, side) - state.smp2)


# --- one step ---------------------------------------------------------------------------------------------------


def step_parts(fld: Field, counter: str, a: int, b: int, by: str = "") -> tuple[str, Parts] | None:
    """How a counter goes from a hex into its neighbour and what it pays; None where it can't. ``by`` ``rail`` rides,
    ``road`` keeps to the road, ``foot`` does not ride; else the cheapest is taken (WD 12.D.cost, 12.D.zoc)."""
    found = _step2(fld, fld.state.supply[counter].steps, a, b, by)
    if found is None:
        return None
    way, ground2, zone2 = found
    parts: Parts = [(ground2, "WD 12.D.cost", WAYS[way])] if ground2 or way != RAIL else []
    if zone2:
        parts.append((zone2, "WD 12.D.zoc", "from ZOC to ZOC" if b in fld.zoc else "leaving an enemy ZOC"))
    return way, parts


def _step2(fld: Field, amount: int, a: int, b: int, by: str) -> tuple[str, int, int] | None:
    """How so many steps of supply go from a hex into its neighbour: the means, half SMPs for the way, and for zones."""
    graph, limits, zoc = fld.graph, fld.charts.limits, fld.zoc
    if by in ("", RAIL) and b in graph.rail_neighbours(a) and a in fld.net.usable and b in fld.net.usable:
        return RAIL, 2 * limits["smp_per_rail_hex"] * amount, 0
    if by == RAIL or graph.closed(b) or b in fld.blocked or (b in zoc and not _escorted(fld, b)):
        return None
    if (a, b) in graph.roads and fld.state.board.passable(a, b):
        way, cost2 = ROAD, 2 * limits["smp_per_road_hex"] * amount
    else:
        ground2 = graph.foot_cost(MOT_OR_ART, a, b)
        if ground2 is None or by == ROAD:
            return None
        way, cost2 = FOOT, ground2 * limits["smp_off_road_factor"] * amount
    if a not in zoc:
        return way, cost2, 0
    each = amount if fld.state.world.switches.get("smp_zoc_per") == "step" else 1
    return way, cost2, 2 * limits["smp_zone_to_zone" if b in zoc else "smp_leave_zoc"] * each


def _escorted(fld: Field, h: int) -> bool:
    """True where a friendly unit with a size occupies the hex (WD 12.D.zoc, ruling LINE-FRIEND)."""
    return any(not fld.state.world.units[uid].counter for uid in fld.state.friends_at(h, fld.side))


# --- ways -------------------------------------------------------------------------------------------------------


def reach(fld: Field, counter: str, by: str = "", limit2: int | None = None) -> dict[int, tuple[int, tuple[int, ...]]]:
    """End hex -> price in half SMPs and way, within what the side has left. Among cheapest ways the shortest, then
    the one of lowest hexes."""
    start = fld.state.supply[counter].hex
    best, before, done = _ways(fld, counter, by, smp_left2(fld.state, fld.side) if limit2 is None else limit2)
    return {h: (best[h][0], _back(before, start, h)) for h in sorted(done) if h != start}


def way_to(fld: Field, counter: str, to: int, by: str = "") -> tuple[int, ...]:
    """The way to one hex, the same that :func:`reach` lists; empty where it is out of reach."""
    start = fld.state.supply[counter].hex
    _best, before, done = _ways(fld, counter, by, smp_left2(fld.state, fld.side), to)
    return _back(before, start, to) if to in done and to != start else ()


def _ways(
    fld: Field, counter: str, by: str, most2: int, goal: int = -1
) -> tuple[dict[int, tuple[int, int]], dict[int, int], set[int]]:
    """Price and length of every hex that can be reached, the hex before it, and those that are final; with a goal, no
    farther than there."""
    land, supply = fld.state.board.land, fld.state.supply[counter]
    start, amount = supply.hex, supply.steps
    best: dict[int, tuple[int, int]] = {start: (0, 0)}
    before: dict[int, int] = {}
    heap, done = [(0, 0, start)], set[int]()
    while heap:
        cost2, length, h = heappop(heap)
        if h in done:
            continue
        done.add(h)
        if h == goal:
            break
        for n in hexes.neighbours(h):
            found = _step2(fld, amount, h, n, by) if n not in done and n in land else None
            if found is None:
                continue
            new = (cost2 + found[1] + found[2], length + 1)
            if new[0] <= most2 and (n not in best or new < best[n] or (new == best[n] and h < before[n])):
                best[n], before[n] = new, h
                heappush(heap, (*new, n))
    return best, before, done


def _back(before: dict[int, int], start: int, h: int) -> tuple[int, ...]:
    way = [h]
    while before[way[-1]] != start:
        way.append(before[way[-1]])
    return tuple(way[::-1])


def plan_haul(fld: Field, side: str, order: Order, counter: str) -> Haul:
    """Judge the way of one counter of an order ``supply_move`` in the position as it is."""
    state, made = fld.state, Haul(counter)
    made.problems += counter_problems(state, side, counter, "WD 12.D") or moment_problems(state, counter)
    named = order.texts("path")
    path = [hex_in(state, name) for name in named[:LONGEST]]
    to = hex_in(state, order.text("to")) if order.text("to") else path[-1] if path else None
    if to is None or None in path or len(named) > LONGEST:
        text_ = "the order names no hex of the map to go to"
        made.problems.append(Problem("to", "WD 12.D", text_, "add a line to:", field="to"))
    elif path and path[-1] != to:
        text_ = f"the path ends in {named[-1]}, to: says {state.board.name(to)}"
        made.problems.append(Problem("to", "WD 12.D", text_, "let both name the same hex", field="to"))
    if made.problems or to is None:
        return made
    by = order.data.get("by", "")
    if path:
        ways = [word for word in by if isinstance(word, str)] if isinstance(by, list) else [str(by)] * len(path)
        _along(fld, made, [h for h in path if h is not None], ways)
    else:
        _search(fld, made, to, str(by))
    return made


def often_problems(hauled: Mapping[str, int], counters: Sequence[str]) -> list[Problem]:
    """A counter in very many orders of a phase: no way needs them, and each may cost a search of the map."""
    often = next((sid for sid in counters if hauled[sid] > ORDERS_OF_A_COUNTER), None)
    if often is None:
        return []
    text_ = f"{often} is named in more than {ORDERS_OF_A_COUNTER} orders of the phase; those after them are not read"
    return [Problem("too_often", "WD 12.D", text_, "give its whole way in one order", field="counters")]


def haul_problems(state: State, side: str, plans: Sequence[Haul]) -> list[Problem]:
    """What is wrong with the counters of an order one by one, else with all of them together."""
    if not plans:
        return [Problem("counter", "WD 12.D", "the order names no supply counter", "add a line counters:")]
    found = [problem for made in plans for problem in made.problems]
    cost2, left2 = sum(made.cost2 for made in plans), smp_left2(state, side)
    if found or cost2 <= left2:
        return found
    text_ = f"the counters need {mp_text(cost2)} SMP together, {mp_text(left2)} are left this turn"
    return [Problem("smp", SMP, text_, "move fewer of them", field="counters")]


def moment_problems(state: State, counter: str) -> list[Problem]:
    """What keeps a counter from moving in this phase (WD 12.D.smp, 28.B.3)."""
    if state.phase != "movement":
        text_ = f"supply counters move in the movement phase, this is the {state.phase} phase"
        return [Problem("supply_phase", SMP, text_, "move them in the movement phase")]
    if state.surprise and counter not in texts(state.world.scenario, "attack_force"):
        text_ = f"{counter} is not listed with the attack force, which alone moves in the surprise turn"
        return [Problem("supply_surprise", "WD 28.B.3", text_, "move it in the regular turn")]
    return []


def _search(fld: Field, made: Haul, to: int, by: str) -> None:
    state, name = fld.state, fld.state.board.feature_names
    start = state.supply[made.counter].hex
    if to == start:
        made.problems.append(_there(state, made.counter))
        return
    way = way_to(fld, made.counter, to, by)
    if way:
        _along(fld, made, way, [by] * len(way))
        return
    known = reach(fld, made.counter, by)
    far = reach(fld, made.counter, by, FAR2)
    near = min(known, key=lambda h: (hexes.distance(h, to), known[h][0], h), default=start)
    hint = f"the nearest it can reach is {name(near)}" if known else "it can't move now"
    if to in far:
        have = mp_text(smp_left2(state, fld.side))
        text_ = f"{made.counter} needs {mp_text(far[to][0])} SMP to {name(to)}, {have} are left this turn"
        made.problems.append(Problem("smp", SMP, text_, hint, field="to"))
        return
    barred = rail_problems(state, fld.side, [start], []) if by == RAIL else []
    text_ = f"no way {'by ' + by + ' ' if by else ''}leads {made.counter} to {name(to)}"
    made.problems += [Problem("no_way", "WD 12.D", text_, hint, field="to"), *barred]


def _along(fld: Field, made: Haul, path: Sequence[int], ways: Sequence[str]) -> None:
    """Walk a way; stops at the first hex that is closed."""
    start = fld.state.supply[made.counter].hex
    way = [start, *(path[1:] if path[0] == start else path)]
    if len(way) == 1:
        made.problems.append(_there(fld.state, made.counter))
        return
    steps: list[str] = []
    for (a, b), by in zip(pairwise(way), [*ways, *[""] * len(way)], strict=False):
        found = step_parts(fld, made.counter, a, b, by) if hexes.adjacent(a, b) else None
        if found is None:
            made.problems += _bars(fld, a, b, by)
            break
        steps.append(found[0])
        made.parts += found[1]
    made.path, made.steps = tuple(way[1:]), tuple(steps)
    made.cost2 = sum(points for points, _rule, _what in made.parts)
    left2 = smp_left2(fld.state, fld.side)
    if made.cost2 > left2:
        text_ = f"{made.counter} needs {mp_text(made.cost2)} SMP, {mp_text(left2)} are left: {parts_text(made.parts)}"
        made.problems.append(Problem("smp", SMP, text_, "choose a nearer hex", field="to"))


def _there(state: State, counter: str) -> Problem:
    where = state.board.feature_names(state.supply[counter].hex)
    return Problem("there", "WD 12.D", f"{counter} is in {where} already", "leave it out")


def _bars(fld: Field, a: int, b: int, by: str) -> list[Problem]:
    """Why a counter can't take one step."""
    state, name = fld.state, fld.state.board.feature_names
    if not hexes.adjacent(a, b):
        text_ = f"{name(b)} is no neighbour of {name(a)}: a way goes hex by hex"
        return [Problem("not_adjacent", "WD 12.D", text_, "name every hex", field="path")]
    if by == RAIL:
        return rail_problems(state, fld.side, [a, b], [(a, b)])
    if b in fld.blocked:
        return [Problem("enemy", "WD 12.D", f"enemy units stand in {name(b)}", "go round them", field="path")]
    if b in fld.zoc and not _escorted(fld, b):
        text_ = f"{name(b)} lies in an enemy ZOC and no friendly unit occupies it"
        return [Problem("supply_ezoc", "WD 12.D.zoc", text_, "move a unit there first, or go round", field="path")]
    if by == ROAD:
        return [Problem("no_road", "WD 7", f"no road joins {name(a)} and {name(b)}", "leave out by: road", field="by")]
    text_ = f"from {name(a)} to {name(b)} the ground is closed"
    return [Problem("prohibited", "WD 6.prohibited", text_, "go round it", field="path")]


# --- counters of an order ---------------------------------------------------------------------------------------


def named_counters(order: Order) -> list[str]:
    """The counters of an order, each once."""
    return list(dict.fromkeys(order.texts("counters") or order.texts("counter")))


def counter_problems(state: State, side: str, counter: str, rule: str) -> list[Problem]:
    """Only the owner handles a counter, and only in his own player turn (WD 12.D)."""
    found = state.supply.get(counter)
    if found is None or found.side != side:
        own = ", ".join(sid for sid in sorted(state.supply) if state.supply[sid].side == side) or "none"
        text_ = f"{counter} is no supply counter of the {side} side"
        return [Problem("counter", rule, text_, f"yours are {own}", field="counters")]
    if side != state.player:
        text_ = f"this is the {state.player} player turn; supply is handled in one's own"
        return [Problem("not_own_turn", rule, text_, "wait for your own player turn", field="counters")]
    return []

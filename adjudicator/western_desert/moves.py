"""Orders of movement: reading them, who may move at all, and the way each unit takes (WD 4.B, 6, 6.B, 6.C, 28.B.3).

:func:`plan` is the one legality of a move: checked, previewed and run alike. It changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from adjudicator.engine.core import Order, Problem
from adjudicator.western_desert import hexes
from adjudicator.western_desert.apply import mp_text
from adjudicator.western_desert.eligible import carry_problems, may_move
from adjudicator.western_desert.graph import SOUTH_AFRICAN
from adjudicator.western_desert.mover import ADMIN, CARRIED, NORMAL, RAIL, Mover, mover_of
from adjudicator.western_desert.orders import misplaced
from adjudicator.western_desert.rail import rail_problems
from adjudicator.western_desert.reach import FOOT, ROAD, Reach, Searches
from adjudicator.western_desert.state import State
from adjudicator.western_desert.theatre.delta import leaving_problems
from adjudicator.western_desert.walk import Walk, south_africans, walk

MODES = (NORMAL, ADMIN, CARRIED)
MEANS = ("", FOOT, ROAD, RAIL)
ORDERS_OF_A_UNIT = 40
LONGEST = 120  # hexes of a path; the longest ride is under 50
CLOSED2 = 1 << 20  # what a closed step counts when ways are compared
FAR2 = 240  # how far a search goes to say what an unreachable hex would cost, in half MPs


class Leg(NamedTuple):
    """One mover's way. ``ids`` are those who go it, the one whose rating counts last."""

    mover: Mover
    walk: Walk

    @property
    def ids(self) -> tuple[str, ...]:
        """The units of the leg; a transport counter comes after what it carries."""
        return self.mover.ids


@dataclass
class Plan:
    """What an order comes to: legs to walk, or problems."""

    order: Order
    legs: list[Leg] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def plan(searches: Searches, side: str, order: Order) -> Plan:
    """Judge one order of the section ``movement`` in the position as it is (WD 4.C)."""
    if order.type != "move":
        return Plan(order, problems=[misplaced(order, searches.state.phase)])
    return _plan_move(searches, side, order)


def listing(state: State, side: str) -> dict[str, Reach]:
    """The atoms of the phase: every unit that may move now, in order of id, with the hexes it can end in."""
    searches = Searches(state, side)
    free = [uid for uid in state.side_units(side) if not may_move(state, side, uid)]
    return {uid: searches.reach(mover_of(state, uid)) for uid in free}


def _plan_move(searches: Searches, side: str, order: Order) -> Plan:
    state = searches.state
    made = Plan(order)
    ids = list(dict.fromkeys(order.texts("units") or order.texts("unit")))
    mode, transport = order.text("mode", NORMAL), order.text("transport")
    if mode not in MODES:
        hint = f"one of {', '.join(MODES)}"
        made.problems.append(Problem("mode", "WD 6", f"there is no mode {mode}", hint, field="mode"))
    if not ids:
        made.problems.append(Problem("unit", "WD 6", "the order names no unit", "add a line unit:"))
    often = _too_often(searches, ids)
    if often:
        return Plan(order, problems=often)
    for uid in ids:
        made.problems += may_move(state, side, uid, mode)
    if mode == CARRIED:
        ids = [uid for uid in ids if uid != transport]
        made.problems += carry_problems(state, side, ids, transport)
    target = _target(state, order, made.problems)
    if not made.problems:
        made.problems += leaving_problems(state, [*ids, transport] if transport else ids)
    if made.problems or target is None:
        return made
    way = "path" if order.texts("path") else "to"
    movers = [mover_of(state, transport, CARRIED, ids)] if mode == CARRIED else [mover_of(state, u, mode) for u in ids]
    for mover in movers:
        found = _way(searches, mover, order, *target)
        made.legs.append(Leg(mover, found))
        made.problems += [replace(problem, field=problem.field or way) for problem in found.problems]
    return made


def _too_often(searches: Searches, ids: Sequence[str]) -> list[Problem]:
    """A unit in very many orders of a phase: no move needs them, and each may cost a search of the whole map."""
    for uid in ids:
        searches.asked[uid] += 1
    often = next((uid for uid in ids if searches.asked[uid] > ORDERS_OF_A_UNIT), None)
    if often is None:
        return []
    named = searches.state.world.units.get(often)
    name = (named.short if named is not None else "") or often
    text = f"{name} is named in more than {ORDERS_OF_A_UNIT} orders of the phase; those after them are not read"
    return [Problem("too_often", "WD 6", text, "give its whole way in one order", field="unit")]


# --- the way ----------------------------------------------------------------------------------------------------

Target = tuple[int, tuple[int, ...]]


def _target(state: State, order: Order, problems: list[Problem]) -> Target | None:
    """The end hex and, where the order gives one, the way."""
    named = order.texts("path")
    if len(named) > LONGEST:
        text = f"a path of {len(named)} hexes is longer than any unit goes in a phase"
        problems.append(Problem("path", "WD 6.mp", text, f"name at most {LONGEST} hexes", field="path"))
        return None
    path = [_hex(state, text, "path", problems) for text in named]
    to = _hex(state, order.text("to"), "to", problems) if order.text("to") else None
    known = tuple(h for h in path if h is not None)
    if problems or len(known) < len(path):
        return None
    if to is None and not known:
        problems.append(Problem("to", "WD 6", "the order does not say where to", "add a line to:"))
        return None
    if to is not None and known and known[-1] != to:
        text = f"the path ends in {state.board.name(known[-1])}, to: says {state.board.name(to)}"
        problems.append(Problem("to", "WD 6", text, "let both name the same hex", field="to"))
        return None
    return (known[-1] if known else to if to is not None else -1), known


def _hex(state: State, text: str, name: str, problems: list[Problem]) -> int | None:
    try:
        return state.board.find(text)
    except hexes.HexError as fault:
        problems.append(Problem("hex", "WD 2.B", str(fault), "write it as 18/4818", field=name))
        return None


def _way(searches: Searches, mover: Mover, order: Order, to: int, path: tuple[int, ...]) -> Walk:
    """The way of one mover: as the order gives it, else the cheapest."""
    by = order.data.get("by", "")
    if path and path[0] == mover.start:
        path = path[1:]
    if path:
        listed = isinstance(by, list)
        steps = [s for s in by if isinstance(s, str)] if listed else _steps(searches, mover, path, str(by))
        return walk(searches.field, mover, path, [ROAD] * len(path) if by == ROAD else steps)
    means = by if isinstance(by, str) else ""
    arrival = searches.way_to(mover, to, means)
    if arrival is not None:
        return walk(searches.field, mover, arrival.path, arrival.steps)
    return _unreachable(searches, mover, means, to, searches.reach(mover, means))


def _steps(searches: Searches, mover: Mover, path: tuple[int, ...], by: str) -> list[str]:
    """How each hex of a given way is entered: by rail where the order says so or where that is cheaper."""
    graph = searches.field.graph
    way = [mover.start, *path]
    joined = [b in graph.rail_neighbours(a) for a, b in pairwise(way)]
    if by == RAIL:
        return _by_rail(searches, mover, path, joined)
    feet = [FOOT] * len(path)
    if by or mover.mode != NORMAL or not any(joined):
        return feet
    return _best_ride(searches, mover, path, joined) or feet


def _by_rail(searches: Searches, mover: Mover, path: tuple[int, ...], joined: Sequence[bool]) -> list[str]:
    """All that a railroad joins is ridden; where that is unlawful, as on a way that leaves the railroad and meets it
    again, the cheapest lawful ride on it."""
    whole = [RAIL if rail or not any(joined) else FOOT for rail in joined]
    if walk(searches.field, mover, path, whole).legal:
        return whole
    part = _best_ride(searches, mover, path, joined, forced=True)
    return part if RAIL in part and walk(searches.field, mover, path, part).legal else whole


def _best_ride(
    searches: Searches, mover: Mover, path: tuple[int, ...], joined: Sequence[bool], forced: bool = False
) -> list[str]:
    """The cheapest lawful way to use one ride on a given way; empty where going on foot is as cheap, unless a ride is
    ``forced``."""
    fld, way = searches.field, [mover.start, *path]
    rate = fld.charts.rail_rate(mover.rating)
    if searches.state.phase != "movement" or not rate:
        return []
    foot2, leave2 = [0], [0]
    for a, b in pairwise(way):
        foot2.append(foot2[-1] + (CLOSED2 if (step := fld.step2(mover, a, b)) is None else step))
        leave2.append(leave2[-1] + fld.harassed2.get(a, 0))
    best_cost, best = CLOSED2 if forced else foot2[-1], (0, 0)
    for first in range(len(path)):
        if mover.ridden and not (mover.riding and first == 0):
            break
        board2 = 0 if mover.riding and first == 0 else fld.charts.misc2["entrain"]
        for last in range(first + 1, len(way)):
            if not joined[last - 1] or way[last] not in fld.net.usable or way[first] not in fld.net.usable:
                break
            ride = board2 + fld.charts.ride2(rate, mover.ridden, last - first) + leave2[last] - leave2[first]
            cost = foot2[first] + ride + foot2[-1] - foot2[last]
            if cost < best_cost:
                best_cost, best = cost, (first, last)
    return [RAIL if best[0] <= i < best[1] else FOOT for i in range(len(path))]


def _unreachable(searches: Searches, mover: Mover, by: str, to: int, reach: Reach) -> Walk:
    """Why a hex cannot be reached: the best way there with all that is wrong with it, and the nearest that can."""
    state = searches.state
    if to == mover.start:
        text = f"{mover.name} is in {state.board.name(to)} already"
        return Walk((), (), problems=[Problem("there", "WD 6", text, "leave the order out", field="to")])
    far = searches.reach(mover, by, FAR2)
    hint = _nearest(state, mover, to, reach, far[to].path if to in far else ())
    if to in far:
        arrival = far[to]
        found = walk(searches.field, mover, arrival.path, arrival.steps)
        first = replace(found.problems[0], hint=hint)
        return replace(found, problems=[first, *found.problems[1:]])
    return Walk((), (), problems=_no_way(searches, mover, by, to, hint))


def _no_way(searches: Searches, mover: Mover, by: str, to: int, hint: str) -> list[Problem]:
    state, fld = searches.state, searches.field
    where = state.board.feature_names(to)
    if to not in state.board.land or state.board.terrain(to) == "salt_marsh":
        kind = state.board.terrain(to).replace("_", " ")
        return [Problem("prohibited", "WD 6.prohibited", f"{where} is {kind}: closed to all units", hint, field="to")]
    if to in fld.blocked:
        who = ", ".join(state.unit(uid).short or uid for uid in state.units_at(to))
        return [Problem("enemy", "WD 8.B.coexist", f"{where} is held by {who}", hint, field="to")]
    if mover.home == SOUTH_AFRICAN and fld.graph_for(mover).closed(to):
        return [south_africans(state.board, to, "to")]
    if fld.graph_for(mover).closed(to):
        return [Problem("neutral", "WD 28.C", f"{where} is neutral ground", hint, field="to")]
    if by == RAIL:
        ends = [mover.start, to] if fld.graph.rail_neighbours(to) else [mover.start]
        barred = rail_problems(state, mover.side, ends, [])
        text = f"no ride leads {mover.name} to {where}"
        return [*barred, Problem("no_rail", "WD 7.A", text, hint, field="by")]
    if mover.road_only:
        text = f"no road that {mover.name} may use administratively leads to {where}"
        return [Problem("admin_road", "WD 6.B", text, hint, field="to"), *_admin_start(searches, mover)]
    what, rule = ("road", "WD 7") if by == ROAD else ("way", "WD 6")
    return [Problem("no_way", rule, f"no {what} leads {mover.name} to {where}", hint, field="to")]


def _admin_start(searches: Searches, mover: Mover) -> list[Problem]:
    """What is wrong with the hex an administrative move begins in."""
    if searches.field.admin_hex(mover.start):
        return []
    name = searches.state.board.name(mover.start)
    near = searches.field.enemies_next_to(mover.start)
    if near:
        who = searches.state.unit(near[0]).short or near[0]
        return [Problem("admin_adjacent", "WD 6.B.3", f"{name} lies next to {who}", "move normally")]
    text = f"{name} was not {mover.side} when the player turn began"
    return [Problem("admin_control", "WD 6.B.2", text, "move normally")]


def _nearest(state: State, mover: Mover, to: int, reach: Reach, way: Sequence[int]) -> str:
    """The reachable hex nearest to the one wished for, on the way there where that is as near."""
    if not reach.cost2:
        return "it cannot move now"
    best = min(reach.cost2, key=lambda h: (hexes.distance(h, to), h not in way, reach.cost2[h], h))
    return f"the nearest it can reach is {state.board.feature_names(best)} for {mp_text(reach.cost2[best])} MP"

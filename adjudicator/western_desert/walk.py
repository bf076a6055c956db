"""Walking a given way step by step: cost, what is wrong with it, and how far it is lawful (WD 6, 7).

The costs are those of :meth:`mover.Field.step2` and :meth:`charts.Charts.ride2`, the same that the search lists by.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from adjudicator.engine.core import Problem
from adjudicator.western_desert import hexes
from adjudicator.western_desert.apply import mp_text
from adjudicator.western_desert.board import Board
from adjudicator.western_desert.control import zone_names
from adjudicator.western_desert.graph import LEVANT, SOUTH_AFRICAN, side_kind
from adjudicator.western_desert.mover import ADMIN, MINIMUM, RAIL, Field, Mover
from adjudicator.western_desert.rail import once, rail_problems

FOOT, ROAD = "foot", "road"
Parts = list[tuple[int, str, str]]
GUARANTEE = "WD 6.min-hex"
MP_RULES = {"admin": "WD 6.B", "rail": "WD 7.A.rate"}


@dataclass
class Walk:
    """What came of a way. ``cost2`` is that of all steps up to the first one that cannot be paid, itself included;
    ``total2`` that of the whole way.

    ``done`` counts the hexes entered before the fault; ``parts`` says what the MPs are spent on, (half MPs, rule,
    what), for texts.
    """

    path: tuple[int, ...]
    steps: tuple[str, ...]
    cost2: int = 0
    total2: int = 0
    done: int = 0
    rail: int = 0
    means: str = ""
    problems: list[Problem] = field(default_factory=list)
    parts: list[tuple[int, str, str]] = field(default_factory=list)
    roads: list[str] = field(default_factory=list)

    @property
    def legal(self) -> bool:
        """True where nothing is wrong with the way."""
        return not self.problems


def walk(fld: Field, mover: Mover, path: Sequence[int], steps: Sequence[str] = ()) -> Walk:
    """Walk a way; ``steps`` says ``foot``, ``road`` or ``rail`` for each hex, foot where it is silent. Whoever goes on
    foot uses a road where one is; ``road`` insists on it."""
    told = tuple(steps[i] if i < len(steps) else FOOT for i in range(len(path)))
    means = tuple(FOOT if step == ROAD else step for step in told)
    found = Walk(tuple(path), means, means=mover.mode)
    found.problems += _shape_problems(fld, mover, found)
    if found.problems:
        return found
    found.problems += _ride_problems(fld, mover, found)
    last = mover.start
    for index, h in enumerate(path):
        if not _pay(fld, mover, found, index, last, h):
            break
        _count(mover, found, index)
        last = h
    found.problems += _place_problems(fld, mover, found) + road_problems(fld, mover, path, told)
    if mover.road_only:
        found.problems += _admin_problems(fld, mover, found)
    if found.means not in (MINIMUM, ADMIN) and means and means[-1] == RAIL:
        found.means = RAIL
    found.problems += _mp_problems(fld, mover, found)
    return found


def _pay(fld: Field, mover: Mover, found: Walk, index: int, last: int, h: int) -> bool:
    """What one step costs, added up; False where the walk cannot go on."""
    by_rail = found.steps[index] == RAIL
    parts = _rail_parts(fld, mover, found, index, last, h) if by_rail else foot_parts(fld, mover, last, h)
    if not by_rail:
        name = fld.graph.line_name(last, h)
        if (last, h) in fld.graph.roads and name not in found.roads:
            found.roads.append(name)
    if parts is None:
        return False
    found.parts += parts
    found.total2 += sum(points for points, _rule, _what in parts)
    return True


def _count(mover: Mover, found: Walk, index: int) -> None:
    """Count the hexes that can be paid, and what they cost up to the first that cannot."""
    if found.done < index or (found.means == MINIMUM and index > 1):
        return
    found.cost2 = found.total2
    if found.total2 <= mover.left2:
        found.done += 1
    elif index == 0 and mover.fresh and not mover.road_only and found.steps[0] == FOOT:
        found.done, found.means = 1, MINIMUM


def foot_parts(fld: Field, mover: Mover, a: int, b: int) -> list[tuple[int, str, str]] | None:
    """What one ordinary step costs, in parts; None where it is closed. Their sum is :meth:`Field.step2`."""
    total = fld.step2(mover, a, b)
    if total is None:
        return None
    extra = extra_parts(fld, mover, a, b)
    ground2 = total - sum(points for points, _rule, _what in extra)
    return [*ground_parts(fld, mover, a, b, ground2), *extra]


def ground_parts(fld: Field, mover: Mover, a: int, b: int, ground2: int) -> list[tuple[int, str, str]]:
    """What hex, hexside or road cost of one step, in parts."""
    if (a, b) in fld.graph.roads:
        return [(ground2, "WD 7.B", "road")]
    board, charts = fld.state.board, fld.charts
    terrain = board.terrain(b)
    hex2 = charts.terrain[(terrain, mover.column)] or 0
    side = side_kind(board.crossing(a, b))
    found = [(min(hex2, ground2), "WD 6.cost", terrain.replace("_", " "))]
    if ground2 > hex2:
        found.append((ground2 - hex2, "WD 6.cost", f"{side.replace('_', ' ')} side"))
    return found


def extra_parts(fld: Field, mover: Mover, a: int, b: int) -> list[tuple[int, str, str]]:
    """What leaving a hex costs on top: zones of control, harassment. Their sum is :meth:`Field.leave2`."""
    found = []
    if a in fld.zoc:
        leave, across = fld.charts.zoc[mover.zone]
        who = zone_names(fld.state, a, mover.side)
        if b in fld.zoc:
            found.append((across, "WD 6.A.zoc-to-zoc", f"from ZOC to ZOC of {who}"))
        else:
            found.append((leave, "WD 6.A", f"leaving the ZOC of {who}"))
    harassed2 = fld.harassed2.get(a, 0)
    if harassed2:
        found.append((harassed2, "WD 20.F.2.e", f"leaving {fld.state.board.name(a)} under harassment"))
    return found


def _rail_parts(fld: Field, mover: Mover, found: Walk, index: int, last: int, h: int) -> list[tuple[int, str, str]]:
    """A rail hex: entraining where a ride begins, then whole MPs for the hexes of the phase (WD 7.A.entrain)."""
    parts: list[tuple[int, str, str]] = []
    begins = index == 0 or found.steps[index - 1] != RAIL
    if begins and not (mover.riding and index == 0):
        parts.append((fld.charts.misc2["entrain"], "WD 7.A.entrain", "entraining"))
    rate = fld.charts.rail_rate(mover.rating)
    if rate:
        parts.append((fld.charts.ride2(rate, mover.ridden + found.rail, 1), "WD 7.A.rate", "rail"))
    found.rail += 1
    harassed = [part for part in extra_parts(fld, mover, last, h) if part[1] == "WD 20.F.2.e"]
    return parts + harassed


def _shape_problems(fld: Field, mover: Mover, found: Walk) -> list[Problem]:
    """Is it a way at all: hex after hex, and at least one (WD 6.mr0)."""
    name = fld.state.board.name
    if not mover.rating:
        text = f"{mover.name} has a movement rating of 0 and never moves"
        return [Problem("rating_0", "WD 6.mr0", text, "leave it where it is")]
    if not found.path:
        return [Problem("no_path", "WD 6", f"{mover.name} is to move nowhere", "name a hex to go to")]
    last = mover.start
    for h in found.path:
        if h == last or not hexes.adjacent(last, h):
            text = f"{name(h)} is no neighbour of {name(last)}: a way goes hex by hex"
            around = ", ".join(name(n) for n in hexes.neighbours(last) if n in fld.state.board.land)
            return [Problem("not_adjacent", "WD 6", text, f"neighbours are {around}", field="path")]
        last = h
    return []


def _ride_problems(fld: Field, mover: Mover, found: Walk) -> list[Problem]:
    """What bars the rail part of a way: one ride a phase, and the conditions of every hex of it."""
    rides = [i for i, step in enumerate(found.steps) if step == RAIL]
    if not rides:
        return []
    if mover.mode == ADMIN:
        text = "administrative movement goes by road only, not by rail"
        return [Problem("admin_rail", "WD 6.B.1", text, "choose one of the two")]
    split = rides[-1] - rides[0] + 1 != len(rides)
    if split or (mover.ridden and not (mover.riding and rides[0] == 0)):
        text = f"{mover.name} would entrain a second time: a unit rides once a phase"
        return [Problem("rail_twice", "WD 7.A.entrain", text, "ride in one piece")]
    way = [mover.start, *found.path]
    ridden = way[rides[0] : rides[-1] + 2]
    return rail_problems(fld.state, mover.side, ridden, list(pairwise(ridden)))


def _place_problems(fld: Field, mover: Mover, found: Walk) -> list[Problem]:
    """What stands in the way: prohibited terrain, neutral ground, enemy units. All of them, the way through.

    WD 8.B.coexist.
    """
    state, board = fld.state, fld.state.board
    problems: list[Problem] = []
    last = mover.start
    for h in found.path:
        if not board.passable(last, h):
            side = side_kind(board.crossing(last, h))
            what = f"{side} hexside" if side and board.info(h) else board.terrain(h)
            what = what.replace("_", " ")
            text = f"from {board.name(last)} to {board.name(h)}: {what} may not be crossed or entered"
            problems.append(Problem("prohibited", "WD 6.prohibited", text, "go round it", field="path"))
        elif fld.graph_for(mover).closed(h):
            problems.append(_neutral(fld, mover, h))
        if h in fld.blocked:
            who = ", ".join(state.unit(uid).short or uid for uid in state.units_at(h))
            text, hint = f"{board.feature_names(h)} is held by {who}", "go round it, or overrun it at 10:1 (WD 13)"
            problems.append(Problem("enemy", "WD 8.B.coexist", text, hint, field="path"))
        last = h
    return problems


def road_problems(fld: Field, mover: Mover, path: Sequence[int], told: Sequence[str]) -> list[Problem]:
    """Steps that are to be made by road where no road joins the two hexes (WD 7)."""
    name, way = fld.state.board.name, [mover.start, *path]
    return [
        Problem("no_road", "WD 7", f"no road joins {name(a)} and {name(b)}", "leave out by: road", field="by")
        for (a, b), step in zip(pairwise(way), told, strict=True)
        if step == ROAD and (a, b) not in fld.graph.roads
    ]


def south_africans(board: Board, h: int, field: str = "path") -> Problem:
    """South African units operate in Egypt and Libya only (WD 32.A.sa)."""
    text = f"{board.feature_names(h)} lies outside Egypt and Libya, where South African units stay"
    return Problem("south_africans", "WD 32.A.sa", text, "name a hex in Egypt or Libya", field=field)


def _neutral(fld: Field, mover: Mover, h: int) -> Problem:
    board = fld.state.board
    if mover.home == SOUTH_AFRICAN:
        return south_africans(board, h)
    if mover.home:
        text = f"{board.feature_names(h)} lies outside the Levant, in which Vichy forces stay"
        return Problem("vichy_bound", "WD 28.C.invade", text, "stay in Lebanon and Syria", field="path")
    if board.in_region(h, LEVANT) and fld.state.theatre.vichy == mover.side:
        text = f"{board.feature_names(h)}: Vichy France has not granted the right to send troops into the Levant"
        return Problem("no_grant", "WD 28.C.1.effect", text, "stay out of Lebanon and Syria", field="path")
    if board.in_region(h, LEVANT):
        text = f"{board.feature_names(h)} is neutral"
        return Problem("neutral", "WD 28.C", text, "stay out of Lebanon and Syria", field="path")
    info = board.info(h)
    country = info.country if info else "the country"
    return Problem("neutral", "WD 3.B", f"{board.name(h)}: {country} is neutral", "stay out of it", field="path")


def _admin_problems(fld: Field, mover: Mover, found: Walk) -> list[Problem]:
    """The conditions of administrative movement that hang on the way (WD 6.B.1 to 6.B.3)."""
    state, name = fld.state, fld.state.board.name
    problems = []
    way = [mover.start, *found.path]
    for a, b in pairwise(way):
        if (a, b) not in fld.graph.roads:
            text = f"no road joins {name(a)} and {name(b)}: administrative movement goes by road only"
            problems.append(Problem("admin_road", "WD 6.B.1", text, "keep to the road, or move normally"))
    for h in way:
        if state.owner_at_start(h) != mover.side:
            text = f"{name(h)} was not {mover.side} when the player turn began"
            problems.append(Problem("admin_control", "WD 6.B.2", text, "move normally there"))
        for uid in fld.enemies_next_to(h)[:1]:
            text = f"{name(h)} lies next to {state.unit(uid).short or uid} in {name(state.hex_of(uid))}"
            problems.append(Problem("admin_adjacent", "WD 6.B.3", text, "move normally, or keep a hex away"))
    return once(problems)


def _mp_problems(fld: Field, mover: Mover, found: Walk) -> list[Problem]:
    """Too many MPs: the main problem with its numbers, and what made the way so dear (WD 6.mp)."""
    guaranteed = found.means == MINIMUM
    if not guaranteed and found.cost2 <= mover.left2:
        return []
    if guaranteed and len(found.path) == 1:
        return []
    rule = MP_RULES.get(mover.mode) or (MP_RULES["rail"] if found.rail else "WD 6.mp")
    text = f"{mover.name} needs {mp_text(found.total2)} of {mp_text(mover.left2)} MP: {parts_text(found.parts)}"
    return [Problem("mp", rule, text, _as_far(fld, mover, found)), *_mp_reasons(fld, mover, found)]


def _as_far(fld: Field, mover: Mover, found: Walk) -> str:
    if not found.done:
        return "choose a nearer hex"
    stop = found.path[found.done - 1]
    return f"it gets as far as {fld.state.board.feature_names(stop)} on this way"


def _mp_reasons(fld: Field, mover: Mover, found: Walk) -> list[Problem]:
    """The rules that explain a cost too high, one problem each."""
    reasons: list[tuple[str, str]] = []
    if found.means == MINIMUM:
        reasons.append((GUARANTEE, "one hex is guaranteed, and it is then the whole move"))
    if not mover.supplied:
        half = mp_text(mover.allowance2)
        reasons.append(("WD 12.B.effects", f"out of general supply it has {half} of {mover.rating} MP"))
    if mover.spent2:
        reasons.append(("WD 6.mp", f"it has spent {mp_text(mover.spent2)} of {mp_text(mover.allowance2)} MP before"))
    for rule in ("WD 6.A", "WD 6.A.zoc-to-zoc", "WD 20.F.2.e"):
        points = sum(points for points, cited, _what in found.parts if cited == rule)
        if points:
            names = {cited: what for _p, cited, what in found.parts}
            reasons.append((rule, f"{mp_text(points)} MP of it: {names[rule]}"))
    reasons += [("WD 7", text) for text in _unjoined(fld, mover, found)]
    return [Problem("mp", rule, text) for rule, text in reasons]


def _unjoined(fld: Field, mover: Mover, found: Walk) -> list[str]:
    """Steps between two hexes with roads that no road joins: the road rate does not hold there (WD 7)."""
    way = [mover.start, *found.path]
    graph, name = fld.graph, fld.state.board.name
    return [
        f"both {name(a)} and {name(b)} have a road or railroad, but none joins them: no road rate there"
        for a, b in pairwise(way[: found.done + 2])
        if graph.road_neighbours(a) and graph.road_neighbours(b) and (a, b) not in graph.roads
    ]


def parts_text(parts: Sequence[tuple[int, str, str]]) -> str:
    """What MPs were spent on: ``3 clear, 1 escarpment side, 2 leaving the ZOC of 62 Marmarica XX``."""
    totals: dict[str, int] = {}
    for points, _rule, what in parts:
        totals[what] = totals.get(what, 0) + points
    return ", ".join(f"{mp_text(points)} {what}" for what, points in totals.items() if points) or "nothing"

"""Repair of Malta in the Allied initial phase: points of the turn, steps of supply spent for more (WD 28.D.repair).

Points are spent in the phase in which they come; what no order spends goes to the status, then to the port, then to
the airbases.
"""

from __future__ import annotations

from collections.abc import Iterable

from adjudicator.engine.core import Ctx, Order, Problem, Tree, whole_number
from adjudicator.engine.counting import counted
from adjudicator.western_desert.haul import counter_problems
from adjudicator.western_desert.orderbook import rows_of
from adjudicator.western_desert.retreating import PUBLIC
from adjudicator.western_desert.sea.malta import AIRBASE, PORT, RULE, STATUS, Works, mended, repair_problems
from adjudicator.western_desert.sea.voyages import MALTA
from adjudicator.western_desert.state import State
from adjudicator.western_desert.world import text

ORDER, SIDE = "malta_repair", "allied"
By = tuple[int, ...]


class Repairs:
    """The repair points of a phase while it runs."""

    def __init__(self, state: State, side: str) -> None:
        due = sum(int(text(row, "points", "0")) for row in rows_of(state, ORDER)) if side == SIDE else 0
        self.points = due if due and held(state) else 0


def held(state: State) -> list[int]:
    """The hexes of Malta that the Allied player controls, in order of number."""
    return [h for h in sorted(state.board.land) if state.board.in_region(h, MALTA) and state.owner(h) == SIDE]


def works_of(state: State, points: int) -> Works:
    """What there is to mend on Malta, and the points at hand."""
    here = held(state)
    port = sum(state.port_hits.get(h, 0) for h in here)
    return Works(state.malta, port, sum(state.base_hits.get(h, 0) for h in here), points)


def repair_malta(ctx: Ctx[State], side: str, order: Order, repairs: Repairs, by: By) -> None:
    """Carry out an order ``malta_repair``: first steps of supply for points, then the work; all of it or nothing (WD
    28.D.repair)."""
    state, what = ctx.state, order.text("what")
    counters = order.texts("counters") or order.texts("counter")
    at_hand = repairs.points + len(counters)
    works = works_of(state, at_hand)
    asked = order.text("points")
    known = what in (STATUS, PORT, AIRBASE)
    points = whole_number(asked) or 0 if asked else min(at_hand, works.useful(what)) if known else 1
    problems = _supply_problems(state, side, counters)
    if side != SIDE or not held(state):
        problems = [Problem("malta", RULE, f"the {side} side has nothing to repair on Malta", "leave it out")]
    problems = problems or repair_problems(works, what, points)
    if problems:
        ctx.void(order, problems, by)
        return
    for sid in counters:
        _step_for_point(ctx, sid, by, str(order.index))
    repairs.points = at_hand - points
    _mend(ctx, what, points, by, str(order.index))


def repair_rest(ctx: Ctx[State], side: str, repairs: Repairs, by: By) -> None:
    """What no order has spent (pbem I6)."""
    for what in (STATUS, PORT, AIRBASE):
        points = min(repairs.points, works_of(ctx.state, repairs.points).useful(what)) if side == SIDE else 0
        if points:
            repairs.points -= points
            _mend(ctx, what, points, by)


def _supply_problems(state: State, side: str, counters: Iterable[str]) -> list[Problem]:
    """Only supplies on Malta serve, and no more steps than there are (WD 28.D)."""
    named, found = list(counters), list[Problem]()
    for sid in dict.fromkeys(named):
        found += counter_problems(state, side, sid, RULE)
        if found:
            continue
        counter = state.supply[sid]
        if counter.hex not in held(state):
            found.append(Problem("supply", RULE, f"{sid} is not on Malta", "name a counter there", field="counters"))
        elif named.count(sid) > counter.steps:
            text_ = f"{sid} has {counted(counter.steps, 'step')}"
            found.append(Problem("supply", RULE, text_, "name it once for each step spent", field="counters"))
    return found


def _step_for_point(ctx: Ctx[State], sid: str, by: By, order: str) -> None:
    counter = ctx.state.supply[sid]
    where, left = ctx.state.board.name(counter.hex), counter.steps - 1
    data: dict[str, Tree] = {"counter": sid, "use": "repair", "side": SIDE, "hex": where, "steps": "1"}
    ctx.emit("supply-used", RULE, by, PUBLIC, **data, left=str(left), order=order, choice="order")
    if not left:
        ctx.emit("supply-spent", RULE, by, counters=[sid])


def _mend(ctx: Ctx[State], what: str, points: int, by: By, order: str = "") -> None:
    """Spend points on one kind of work; hits are taken off hex by hex."""
    state = ctx.state
    left = mended(works_of(state, points), what, points)
    if what == STATUS:
        said: dict[str, Tree] = {"side": SIDE, "points": str(points), "why": counted(points, "repair point")}
        now = str(state.malta - left)
        ctx.emit("malta-status", RULE, by, PUBLIC, was=str(state.malta), status=now, **said, order=order)
        return
    kind, table = ("port-repaired", state.port_hits) if what == PORT else ("airbase-repaired", state.base_hits)
    for h in held(state):
        hits = min(left, table.get(h, 0))
        if hits:
            left -= hits
            data: dict[str, Tree] = {"hex": state.board.name(h), "what": what, "side": SIDE, "units": [], "costs": []}
            after = str(table[h] - hits)
            ctx.emit(kind, RULE, by, PUBLIC, **data, hits=str(hits), after=after, order=order)

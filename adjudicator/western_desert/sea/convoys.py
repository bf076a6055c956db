"""On-map shipping in the movement phase: who may embark, at what price, and where it comes to land (WD 26.B.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from adjudicator.engine.core import Ctx, Order, Problem, Proc, Tree, whole_number
from adjudicator.western_desert import hexes
from adjudicator.western_desert.apply import mp_text
from adjudicator.western_desert.control import settle
from adjudicator.western_desert.eligible import may_move
from adjudicator.western_desert.haul import counter_problems, moment_problems
from adjudicator.western_desert.homebound import homebound_problems
from adjudicator.western_desert.mover import ADMIN, Field, mover_of
from adjudicator.western_desert.pool import EIGHTHS, change_points
from adjudicator.western_desert.retreating import PUBLIC
from adjudicator.western_desert.sea.sailing import sail
from adjudicator.western_desert.sea.voyages import (
    ARRIVES,
    COUNTER,
    POINT,
    POINT_RE2,
    STEP_RE2,
    UNIT,
    Item,
    route_problems,
    transport_re2,
    turned_problems,
)
from adjudicator.western_desert.state import State
from adjudicator.western_desert.theatre.delta import leaving_problems
from adjudicator.western_desert.theatre.malta_pool import RULE as POOL_RULE
from adjudicator.western_desert.theatre.malta_pool import ship_problems
from adjudicator.western_desert.units import number
from adjudicator.western_desert.victory.points import STORE

ORDER, RULE, COST = "ship", "WD 26.B.2", "WD 26.B.2.cost"
EMBARK = "embark"
By = tuple[int, ...]


@dataclass
class Convoy:
    """What an order ``ship`` comes to: items from one port to another, with the half MPs that units have spent then."""

    origin: int = -1
    to: int = -1
    items: list[Item] = field(default_factory=list)
    spent2: dict[str, int] = field(default_factory=dict)
    left2: dict[str, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def plan_ship(fld: Field, side: str, order: Order) -> Convoy:
    """Judge an order in the position as it is: the items one by one, then the voyage of all of them. Ships sail in the
    movement phase (WD 26, 26.B.2)."""
    state, made = fld.state, Convoy()
    units = list(dict.fromkeys(order.texts("units") or order.texts("unit")))
    counters = list(dict.fromkeys(order.texts("counters") or order.texts("counter")))
    if state.phase != "movement":
        text = f"ships carry units in the movement phase, this is the {state.phase} phase"
        made.problems.append(Problem("phase", RULE, text, "put it in the section movement"))
        return made
    for uid in units:
        made.problems += may_move(state, side, uid)
    for sid in counters:
        made.problems += counter_problems(state, side, sid, RULE) or moment_problems(state, sid)
    if order.text("rp"):
        return _points_convoy(state, side, order, made)
    if not units and not counters:
        made.problems.append(Problem("unit", RULE, "the order names nothing to ship", "add a line unit: or counter:"))
    made.problems += leaving_problems(state, units)
    _ends(state, order, units, counters, made)
    if not made.problems:
        _embark(fld, units, counters, made)
        made.problems += homebound_problems(state, units, made.to)
        made.problems += turned_problems(state, [*units, *counters])
        re2 = sum(item.re2 for item in made.items)
        made.problems += route_problems(state, side, made.origin, made.to, re2, units)
    return made


def _points_convoy(state: State, side: str, order: Order, made: Convoy) -> Convoy:
    """Replacement points from a port in Egypt to Malta, each an RE (WD 33.B, 29.B.ship)."""
    key, points = order.text("rp"), whole_number(order.data.get("points", "1")) or 0
    for field_, end in (("from", "origin"), ("to", "to")):
        try:
            setattr(made, end, state.board.find(order.text(field_)))
        except hexes.HexError as fault:
            made.problems.append(Problem("hex", "WD 2.B", str(fault), "name a port", field=field_))
    if order.texts("units") or order.texts("unit") or order.texts("counters") or order.texts("counter"):
        text = "replacement points go in an order of their own"
        made.problems.append(Problem("rp", RULE, text, "give the others another order", field="rp"))
    if not made.problems:
        made.problems += ship_problems(state, side, key, points, made.origin, made.to)
        made.problems += turned_problems(state, [key])
        made.items = [Item(POINT, key, POINT_RE2, number) for number in range(1, points + 1)]
        made.problems += route_problems(state, side, made.origin, made.to, POINT_RE2 * points)
    return made


def _ends(state: State, order: Order, units: Sequence[str], counters: Sequence[str], made: Convoy) -> None:
    """The port they leave, the same for all, and the one they go to."""
    name = state.board.name
    here = {state.hex_of(uid) for uid in units if uid in state.pieces}
    here |= {state.supply[sid].hex for sid in counters if sid in state.supply}
    if len(here) > 1:
        text = f"they stand in {', '.join(name(h) for h in sorted(here))}; one order ships from one port"
        made.problems.append(Problem("start", RULE, text, "give an order for each port", field="units"))
    made.origin = min(here, default=-1)
    try:
        made.to = state.board.find(order.text("to"))
    except hexes.HexError as fault:
        made.problems.append(Problem("hex", "WD 2.B", str(fault), "name a port", field="to"))


def _embark(fld: Field, units: Sequence[str], counters: Sequence[str], made: Convoy) -> None:
    """What embarking costs each unit: 2 MPs, and what leaving its hex costs besides (WD 26.B.2.cost, 6.A)."""
    state = fld.state
    for uid in units:
        mover = mover_of(state, uid)
        zone2 = fld.charts.zoc[mover.zone][0] if made.origin in fld.zoc else 0
        cost2 = fld.charts.misc2[EMBARK] + zone2 + fld.harassed2.get(made.origin, 0)
        if mover.mode == ADMIN or mover.bound:
            text = f"{mover.name} has moved administratively; it keeps to the road in this player turn"
            made.problems.append(Problem("admin_ship", "WD 6.B.1", text, "ship it in the next turn"))
        if cost2 > mover.left2:
            text = f"{mover.name} needs {mp_text(cost2)} MP to embark and has {mp_text(mover.left2)} left"
            made.problems.append(Problem("mp", COST, text, "move it less before, or ship it in the next turn"))
        made.spent2[uid], made.left2[uid] = mover.spent2 + cost2, mover.left2 - cost2
        made.items.append(Item(UNIT, uid, transport_re2(state.unit(uid))))
    for sid in counters:
        steps = state.supply[sid].steps
        made.items.append(Item(COUNTER, sid, STEP_RE2 * steps, steps))


# --- carried out ------------------------------------------------------------------------------------------------


def run_ship(ctx: Ctx[State], side: str, made: Convoy, order: Order, by: By) -> Proc[None]:
    """Ship the items in their order: what arrives is in the port, what is turned back stays where it was."""
    at = str(order.index)
    for item in made.items:
        spent = mp_text(made.spent2[item.name]) if item.kind == UNIT else ""
        found = yield from sail(ctx, side, item, made.origin, made.to, by, order=at, spent=spent)
        if found.end.result == ARRIVES and item.kind == POINT:
            change_points(ctx, side, item.name, -EIGHTHS, POOL_RULE, by, "shipped to Malta")
            change_points(ctx, side, STORE + item.name, EIGHTHS, POOL_RULE, by, "landed on Malta")
        elif found.end.result == ARRIVES:
            _arrive(ctx, side, made, item, found.what, at, by)
    settle(ctx, [made.origin, made.to], by=by)


def _arrive(ctx: Ctx[State], side: str, made: Convoy, item: Item, danger: str, order: str, by: By) -> None:
    name = ctx.state.board.name
    data: dict[str, Tree] = {
        "unit" if item.kind == UNIT else "counter": item.name,
        "side": side,
        "from": name(made.origin),
        "to": name(made.to),
        "re": "" if danger else number(Fraction(item.re2, 2)),
        "order": order,
    }
    if item.kind == UNIT:
        data |= {"spent": mp_text(made.spent2[item.name]), "left": mp_text(made.left2[item.name])}
    ctx.emit("shipped", RULE, by, PUBLIC, **data)

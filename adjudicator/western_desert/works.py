"""Airfields built, ports demolished, airbases damaged, both repaired (WD 14.A, 17.D, 26.A.2, 33.H).

:func:`plan_work` is the one legality of these orders and of work on railroads: checked, previewed and run alike. It
changes nothing. Each job is paid in one phase (ruling ENG-ACCUM); only an airfield may be paid by two units together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from adjudicator.engine.core import Order, Problem, whole_number
from adjudicator.engine.counting import counted
from adjudicator.western_desert.apply import mp_points, mp_text
from adjudicator.western_desert.bases import AIRBASE, PORT, capacity, damage
from adjudicator.western_desert.charts import charts_of
from adjudicator.western_desert.labor import (
    Payer,
    Work,
    disarray_problems,
    engineer_problems,
    purses,
    short_problem,
    supply_problems,
    worker_problems,
    workers_named,
)
from adjudicator.western_desert.mover import Mover
from adjudicator.western_desert.railworks import RAIL, plan_break, plan_rail_repair
from adjudicator.western_desert.state import State
from adjudicator.western_desert.units import number

BUILDERS_AT_MOST = 2  # WD 14.A.airfield
GROUND = ("clear", "rough")
AIRFIELD_HITS = "33.H"
STEP2 = 4  # half MPs: WD 33.H takes two MPs and one hit off the full price at a time
REPAIRABLE = (RAIL, AIRBASE, PORT)
AIRFIELD_RULE, DEMOLISH_RULE, REPAIR_RULE = "WD 14.A.airfield", "WD 14.A.demolish", "WD 14.A.repair"
DAMAGE_RULE = "WD 17.D"
POINTS = re.compile(r"\d{1,3}(?:\.[05])?")


def plan_work(state: State, side: str, order: Order) -> Work:
    """Judge an order of :data:`PLANS` in the position as it is."""
    return PLANS[order.type](state, side, order)


# --- airfields (WD 14.A.airfield, 33.H) -------------------------------------------------------------------------


def ground_problems(state: State, h: int, what: str, rule: str) -> list[Problem]:
    """Airfields and forts are built in clear and rough hexes, whatever else lies in them (WD 14.A)."""
    terrain, where = state.board.terrain(h), state.board.feature_names(h)
    if terrain in GROUND:
        return []
    text = f"{where} is {terrain.replace('_', ' ')}; {what} is built in clear or rough hexes"
    return [Problem("terrain", rule, text, "build it in another hex")]


def airfield_problems(state: State, h: int) -> list[Problem]:
    """What keeps an airfield from being built in a hex (WD 14.A.airfield)."""
    found = ground_problems(state, h, "an airfield", AIRFIELD_RULE)
    if h in state.airfields:
        text = f"{state.board.feature_names(h)} has an airfield already"
        found.append(Problem("there", AIRFIELD_RULE, text, "leave the order out, or repair its hits"))
    return found


def plan_airfield(state: State, side: str, order: Order) -> Work:
    """One or two construction engineers in supply build an airfield for 6 MPs in the movement phase."""
    made, uids = Work("work-done", AIRFIELD_RULE), workers_named(order)
    made.problems += _stack_problems(state, uids, AIRFIELD_RULE)
    if state.phase != "movement":
        text = f"airfields are built in the movement phase, this is the {state.phase} phase"
        made.problems.append(Problem("phase", AIRFIELD_RULE, text, "build it in the movement phase"))
    if len(uids) > BUILDERS_AT_MOST:
        text = f"{len(uids)} units are named; two construction engineers may combine to build an airfield"
        made.problems.append(Problem("two", AIRFIELD_RULE, text, "name one or two units", field="units"))
    for uid in uids:
        made.problems += _builder_problems(state, side, uid, order)
    if made.problems:
        return made
    made.hex = state.hex_of(uids[0])
    made.problems += airfield_problems(state, made.hex)
    _pay_airfield(state, made, uids, order)
    return made


def _builder_problems(state: State, side: str, uid: str, order: Order) -> list[Problem]:
    found = worker_problems(state, side, uid, order, AIRFIELD_RULE)
    if uid not in state.pieces:
        return found
    return found + engineer_problems(state, uid, AIRFIELD_RULE) + supply_problems(state, uid, AIRFIELD_RULE)


def _pay_airfield(state: State, made: Work, uids: Sequence[str], order: Order) -> None:
    """Share the price among the builders: as ``split`` says, else the first pays what it can."""
    able = purses(state, uids, order.text("transport"))
    left2 = sum(mover.left2 for _uid, mover in able)
    price2, problems = airfield_price(state, order, left2)
    made.problems += problems
    if not problems and price2 > left2:
        made.problems.append(short_problem(state, AIRFIELD_RULE, uids, price2, order))
    if not made.problems:
        made.payers, problems = _shares(able, price2, order)
        made.problems += problems
    hits = (airfield2(state) - price2) // STEP2
    made.data = {"what": "airfield", "hits": str(hits) if hits else ""}


def airfield2(state: State) -> int:
    """Half MPs of an airfield without hits."""
    return charts_of(state.world).engineer2["build_airfield"]


def airfield_price(state: State, order: Order, left2: int) -> tuple[int, list[Problem]]:
    """Half MPs that the order is to spend. With the option a part of the price gives an airfield with hits (WD 33.H);
    the order says how much under ``points``, else as much as there is."""
    full2 = airfield2(state)
    named = order.text("points")
    steps = [full2 - STEP2 * i for i in range(full2 // STEP2)] if state.world.plays(AIRFIELD_HITS) else [full2]
    if not named:
        return next((step for step in steps if step <= left2), steps[-1]), []
    points = whole_number(named)
    if points is None or 2 * points not in steps:
        known = " or ".join(mp_text(step) for step in sorted(steps))
        text = f"{named} MP build no airfield; it takes {known}"
        hint = "" if len(steps) > 1 else "fewer only where option 33.H is played"
        return full2, [Problem("points", AIRFIELD_RULE, text, hint or f"points: {known}", field="points")]
    return 2 * points, []


def _shares(
    able: Sequence[tuple[str, Mover]], price2: int, order: Order
) -> tuple[list[Payer], list[Problem]]:
    """Who pays how much; the owner splits the price as he wishes (WD 14.A.airfield)."""
    named = order.texts("split")
    if not named:
        parts, rest2 = [], price2
        for _uid, mover in able:
            parts.append(min(mover.left2, rest2))
            rest2 -= parts[-1]
    elif len(named) != len(able) or not all(POINTS.fullmatch(text) for text in named):
        text = f"{len(able)} units pay, split gives {', '.join(named)}"
        return [], [Problem("split", AIRFIELD_RULE, text, "as many numbers as units", field="split")]
    else:
        parts = [mp_points(text) for text in named]
    over = [mover for (_uid, mover), part in zip(able, parts, strict=True) if part > mover.left2]
    if over or sum(parts) != price2:
        text = f"the shares {', '.join(named)} make {mp_text(sum(parts))} MP, the work takes {mp_text(price2)}"
        if over:
            text = f"{over[0].name} has {mp_text(over[0].left2)} MP left, less than its share"
        return [], [Problem("split", AIRFIELD_RULE, text, "leave split out", field="split")]
    payers = [Payer(uid, mover, part) for (uid, mover), part in zip(able, parts, strict=True) if part]
    return payers, []


# --- hits made and repaired -------------------------------------------------------------------------------------


class Job(NamedTuple):
    """Work on hits: the event, its rule, on what, what a hit costs, whether it makes or removes them, who may do it."""

    kind: str
    rule: str
    what: str
    cost2: int
    makes: bool
    able: Callable[[State, str], list[Problem]]


def _demolish(state: State, side: str, order: Order) -> Work:
    """Construction engineers in supply put hits on the port they stand in, at a price a hit (WD 14.A.demolish)."""
    cost2 = charts_of(state.world).engineer2["demolish_port"]
    return _plan_hits(state, side, order, Job("port-hit", DEMOLISH_RULE, PORT, cost2, True, _may_demolish))


def _damage_airbase(state: State, side: str, order: Order) -> Work:
    cost2 = charts_of(state.world).misc2["damage_airbase"]
    return _plan_hits(state, side, order, Job("airbase-hit", DAMAGE_RULE, AIRBASE, cost2, True, _may_damage))


def _repair(state: State, side: str, order: Order) -> Work:
    """Construction engineers take hits from a port or an airbase (WD 17.D.repair), or a break from a railroad (WD
    14.A.repair)."""
    what = order.text("what")
    if what == RAIL:
        return plan_rail_repair(state, side, order)
    if what not in REPAIRABLE:
        text = f"{what or 'nothing'} is nothing that engineers repair"
        return Work("", REPAIR_RULE, problems=[Problem("what", REPAIR_RULE, text, "what: rail", field="what")])
    cost2 = charts_of(state.world).repair2[what]
    return _plan_hits(state, side, order, Job(f"{what}-repaired", REPAIR_RULE, what, cost2, False, _may_repair))


def _may_demolish(state: State, uid: str) -> list[Problem]:
    return [
        *engineer_problems(state, uid, DEMOLISH_RULE),
        *supply_problems(state, uid, DEMOLISH_RULE),
        *disarray_problems(state, uid, "demolish no port"),
    ]


def _may_damage(state: State, uid: str) -> list[Problem]:
    """Any ground unit with a combat strength greater than zero (WD 17.D)."""
    unit, found = state.unit(uid), disarray_problems(state, uid, "damage no airbase")
    if not unit.attack and not unit.defense:
        text = f"{unit.short or uid} has a combat strength of 0; only units with one damage airbases"
        found.append(Problem("zero_strength", DAMAGE_RULE, text, "let another unit do it", field="unit"))
    return found


def _may_repair(state: State, uid: str) -> list[Problem]:
    """Construction engineers; supply only where the switch asks for it (ruling ENG-SUPPLY)."""
    needs = state.world.switches.get("repair_needs_supply") == "true"
    return engineer_problems(state, uid, REPAIR_RULE) + (supply_problems(state, uid, REPAIR_RULE) if needs else [])


def _plan_hits(state: State, side: str, order: Order, job: Job) -> Work:
    made, uids = Work(job.kind, job.rule), workers_named(order)
    made.problems += _stack_problems(state, uids, job.rule)
    for uid in uids:
        made.problems += worker_problems(state, side, uid, order, job.rule)
        made.problems += job.able(state, uid) if uid in state.pieces else []
    named = order.text("hits")
    wanted = whole_number(named)
    if named and not wanted:
        made.problems.append(Problem("hits", job.rule, f"{named} is no number of hits", "hits: 1", field="hits"))
    if made.problems:
        return made
    made.hex = state.hex_of(uids[0])
    made.problems += target_problems(state, made.hex, job.what, job.makes, job.rule, wanted or 0)
    if not made.problems:
        _pay_hits(state, made, uids, order, job, wanted)
    return made


def target_problems(state: State, h: int, what: str, makes: bool, rule: str, wanted: int = 0) -> list[Problem]:
    """Whether a hex has such a port or airbase, and the hits that are to be repaired."""
    where, found = state.board.feature_names(h), damage(state, h, what)
    if not found.most and not found.hits:
        return [Problem("no_target", rule, f"there is no {what} in {where}", "leave the order out")]
    if makes or 0 < max(1, wanted) <= found.hits:
        return []
    has = counted(found.hits, "hit") if found.hits else "no hits"
    text = f"the {what} in {where} has {has}"
    return [Problem("no_hits", rule, text, "leave the order out" if not found.hits else f"hits: {found.hits}")]


def _pay_hits(state: State, made: Work, uids: Sequence[str], order: Order, job: Job, wanted: int | None) -> None:
    """Hits one after the other, each paid by one unit, the first named first; what is left of its points under the
    price of a hit is of no use here."""
    found = damage(state, made.hex, job.what)
    useful = found.room if job.makes else found.hits
    todo = min(wanted or useful, useful)
    if not todo or (wanted or 0) > todo:
        made.remarks.append(_idle(state, made.hex, job, found.hits, found.most))
    done = 0
    for uid, mover in purses(state, uids, order.text("transport")):
        hits = min(todo - done, mover.left2 // job.cost2)
        if hits:
            made.payers.append(Payer(uid, mover, hits * job.cost2))
            done += hits
    if todo and (not done or (wanted and done < todo)):
        made.problems.append(short_problem(state, job.rule, uids, job.cost2 * (todo if wanted else 1), order))
    after = found.hits + (done if job.makes else -done)
    made.data = {"what": job.what, "hits": str(done), "after": str(after)}


def _idle(state: State, h: int, job: Job, hits: int, most: int) -> Problem:
    """Hits that would change nothing: a port has its maximum, an airbase no capacity left (WD 26.A.2, 17.D)."""
    where = state.board.feature_names(h)
    left = number(capacity(state, h, job.what))
    text = f"the {job.what} in {where} has {hits} of {most} hits and a capacity of {left}; hits beyond are ignored"
    rule = "WD 26.A.2" if job.what == PORT else job.rule
    return Problem("ignored", rule, text, "spend the points otherwise", field="hits")


def _stack_problems(state: State, uids: Sequence[str], rule: str) -> list[Problem]:
    """The order names units, and they stand in one hex."""
    if not uids:
        return [Problem("unit", rule, "the order names no unit", "add a line unit:", field="unit")]
    hexes = {state.hex_of(uid) for uid in uids if uid in state.pieces}
    if len(hexes) < 2:
        return []
    where = ", ".join(state.board.name(h) for h in sorted(hexes))
    return [Problem("apart", rule, f"the units stand in {where}", "name units of one hex", field="units")]


PLANS: dict[str, Callable[[State, str, Order], Work]] = {
    "break_rail": plan_break,
    "build_airfield": plan_airfield,
    "demolish_port": _demolish,
    "damage_airbase": _damage_airbase,
    "repair": _repair,
}
"""The orders of work in the movement and exploitation phases."""

"""The initial phase (WD 4.A.1) as far as it is built: what the order of battle brings to ground units (arrivals.py),
general supply of both sides (WD 12.B) and who pays for it, then what needs supply (ruling INITIAL-ORDER).

Shipping and all else of the phase is refused by name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from adjudicator.engine.core import Answer, Ask, Ctx, Order, Problem, Proc, Tree, whole_number
from adjudicator.engine.counting import counted
from adjudicator.engine.sections import sections
from adjudicator.western_desert import hexes
from adjudicator.western_desert.air.changing import convert_air
from adjudicator.western_desert.air.escaping import bases_fall
from adjudicator.western_desert.air.repairing import ORDER as AIR_REPAIR
from adjudicator.western_desert.air.repairing import repair_all
from adjudicator.western_desert.arrivals import (
    BEFORE,
    EARLY,
    LATE,
    come_and_go,
    land_rest,
    placed_since,
    rebuild_all,
)
from adjudicator.western_desert.asking import asked
from adjudicator.western_desert.capture import capture_beside
from adjudicator.western_desert.converting import convert_all
from adjudicator.western_desert.deploying import ORDER as DEPLOY_ORDER
from adjudicator.western_desert.deploying import deploy_problems
from adjudicator.western_desert.forts import begin_works, supply_work
from adjudicator.western_desert.history import take_crete
from adjudicator.western_desert.orders import TYPES, misplaced
from adjudicator.western_desert.railworks import extend_problems, railhead
from adjudicator.western_desert.running import hang
from adjudicator.western_desert.sea.siege import ORDER as MALTA_REPAIR
from adjudicator.western_desert.sea.siege import Repairs, repair_malta, repair_rest
from adjudicator.western_desert.sites import SITES
from adjudicator.western_desert.state import ENEMY, State, other
from adjudicator.western_desert.stores import STORES, handle_supply
from adjudicator.western_desert.supply import SIDES, covered, net, on_lines, reason
from adjudicator.western_desert.theatre.displaying import look_around
from adjudicator.western_desert.theatre.forces import always_supplied
from adjudicator.western_desert.theatre.holding import open_railroad
from adjudicator.western_desert.theatre.nations import check_australians
from adjudicator.western_desert.theatre.phase import check_garrisons
from adjudicator.western_desert.units import number
from adjudicator.western_desert.works import PLANS

By = tuple[int, ...]
USE, NONE = "use", "none"
DEFAULT_RE2 = 6  # pbem I1: a step is spent for at least 3 REs ...
DEFAULT_RANGE = 7  # ... if an enemy unit lies within 7 hexes
CLAUSE_USES = ("always", "never", "if_cut_off")


class Need(NamedTuple):
    """A supply counter that could serve units which are out of supply otherwise."""

    counter: str
    units: tuple[str, ...]
    re2: int
    threatened: bool


def initial_phase(ctx: Ctx[State], side: str, orders: Sequence[Order], by: By) -> Proc[None]:
    """Determine general supply for both sides and spend the counters they choose to spend (WD 12.B); then what needs
    supply: forts and fortresses finished and begun (WD 14.A.fort), railroad construction (WD 7.D; INITIAL-ORDER)."""
    state, opened, spoken_of = ctx.state, len(ctx.events), set[str]()
    take_crete(ctx, side, by)
    open_railroad(ctx, side, by)
    yield from come_and_go(ctx, side, orders, by)
    repairs = Repairs(state, side)
    for order in orders:
        if order.type in STORES:
            handle_supply(ctx, side, order, by)
            continue
        if order.type == AIR_REPAIR and not state.surprise:
            continue
        if order.type == MALTA_REPAIR and not state.surprise:
            repair_malta(ctx, side, order, repairs, by)
            continue
        if order.type in EARLY and not state.surprise:
            spoken_of |= yield from EARLY[order.type](ctx, side, order, by)
            hang(ctx, (order,), by)  # what the sea leaves of one takes the room of another
            continue
        problems = order_problems(state, side, order)
        if problems:
            ctx.void(order, problems, by)
    repair_rest(ctx, side, repairs, by)
    yield from land_rest(ctx, side, spoken_of, by)
    yield from capture_beside(ctx, side, by)
    yield from repair_all(ctx, side, orders, by)
    yield from look_around(ctx, by)
    begun = len(ctx.events)
    supplied = placed_since(ctx, opened) | always_supplied(state)
    paid: dict[str, list[int]] = {who: [] for who in (side, other(side))}
    for who in paid:
        supplied |= on_lines(state, who)
        supplied |= yield from _from_counters(ctx, who, supplied, paid[who])
    supplied |= on_lines(state, SIDES[2])
    _remark_unspent(ctx, orders, by, begun)
    _report(ctx, supplied, by)
    supply_work(ctx, side, by)
    begin_works(ctx, side, [order for order in orders if order.type in SITES], by)
    rebuild_all(ctx, side, orders, by)
    convert_all(ctx, side, orders, by)
    convert_air(ctx, side, orders, by)
    yield from bases_fall(ctx, by)
    build_railroad(ctx, side, [order for order in orders if order.type == "extend_rail"], paid[side], by)
    check_garrisons(ctx, side, by)
    check_australians(ctx, side, by)


def build_railroad(ctx: Ctx[State], side: str, orders: Sequence[Order], paid: Sequence[int], by: By) -> None:
    """Extend the railhead by one hex, where an order says so and nothing bars it (WD 7.D.build). ``paid`` are the hexes
    of own counters that have given general supply in this phase."""
    state = ctx.state
    done = False
    for order in orders:
        head = railhead(state)
        problems = extend_problems(state, side, head, paid, done)
        if problems or head is None or head.next is None:
            ctx.void(order, problems, by)
            continue
        name = state.board.name
        ctx.emit(
            "rail-extended",
            "WD 7.D.build",
            by,
            line=head.line,
            built=str(head.built + 1),
            **{"from": name(head.at)},
            hex=name(head.next),
            order=str(order.index),
        )
        done = True


def order_problems(state: State, side: str, order: Order) -> list[Problem]:
    """What is wrong with an order of the initial phase."""
    if TYPES[order.type].secret:
        text = f"{order.type} stands in the open; it belongs in the sealed book, and only there it binds"
        return [Problem("open_plan", TYPES[order.type].rule, text, "let the program seal it")]
    if order.type == DEPLOY_ORDER:
        return deploy_problems(state, side)
    if state.surprise and order.type in (*EARLY, *LATE, *BEFORE, AIR_REPAIR, MALTA_REPAIR):
        text = f"{order.type}: the surprise turn has no arrivals, replacements, conversions and repairs"
        return [Problem("surprise", "WD 28.B.3", text, "give it in the regular turn")]
    if order.type in ("pass", "extend_rail", *SITES, *LATE, *BEFORE):
        return []
    if order.type != "general_supply":
        if order.type in PLANS:
            return [_work_later(order)]
        return [misplaced(order, "initial")]
    named = _counters(order)
    if not named:
        return [Problem("counter", "WD 12.B.2", "the order names no supply counter", "add a line counter:")]
    return [problem for sid in named for problem in _counter_problems(state, side, sid)]


def _work_later(order: Order) -> Problem:
    text = f"{order.type}: work is paid with movement points, in the movement and exploitation phases"
    return Problem("phase", TYPES[order.type].rule, text, "put it in the section movement")


def _remark_unspent(ctx: Ctx[State], orders: Sequence[Order], by: By, begun: int) -> None:
    """Warn of counters that were to be spent and were not, because other counters serve all their units already."""
    spent = {str(event.data["counter"]) for event in ctx.events[begun:] if event.kind == "supply-used"}
    for order in orders:
        idle = [sid for sid in _counters(order) if order.type == "general_supply" and sid not in spent]
        text = f"no step of {', '.join(idle)} is spent: other counters serve all the units it could serve"
        if idle and (max(by, default=ctx.on), order.index) not in ctx.voided:
            ctx.remark(order, partial(list, (Problem("idle", "WD 12.B.2", text, "leave it out"),)), by)


def _counters(order: Order) -> list[str]:
    return list(dict.fromkeys(order.texts("counters") or order.texts("counter")))


def _counter_problems(state: State, side: str, sid: str) -> list[Problem]:
    counter = state.supply.get(sid)
    if counter is None or counter.side != side:
        own = ", ".join(sorted(s for s, c in state.supply.items() if c.side == side)) or "none"
        text = f"{sid} is no supply counter of the {side} side"
        return [Problem("counter", "WD 12.B.2", text, f"yours are {own}", field="counter")]
    if not need_of(state, sid, on_lines(state, side)).units:
        text = f"{sid} would serve no unit: all that trace to it are in general supply without it"
        return [Problem("no_need", "WD 12.B.2", text, "leave the order out", field="counter")]
    return []


# --- counters ---------------------------------------------------------------------------------------------------


def need_of(state: State, sid: str, supplied: set[str]) -> Need:
    """The units a counter would serve that nothing else serves."""
    counter = state.supply[sid]
    units = tuple(uid for uid in covered(state, sid) if uid not in supplied) if counter.steps else ()
    re2 = sum(state.unit(uid).re2 for uid in units)
    near = any(_enemy_near(state, state.hex_of(uid), counter.side) for uid in units)
    return Need(sid, units, re2, near)


def _enemy_near(state: State, h: int, side: str) -> bool:
    enemy = ENEMY[side]
    return any(
        hexes.distance(h, piece.hex) <= DEFAULT_RANGE
        for uid, piece in state.pieces.items()
        if state.world.units[uid].side == enemy
    )


def _from_counters(ctx: Ctx[State], side: str, supplied: set[str], paid: list[int]) -> Proc[set[str]]:
    """Ask for each counter that some unit needs, the one with most REs to serve first; returns who is served and adds
    to ``paid`` where the counters that serve them lie."""
    state = ctx.state
    served: set[str] = set()
    left = [sid for sid, counter in sorted(state.supply.items()) if counter.side == side and counter.steps]
    while left:
        needs = [need for need in (need_of(state, sid, supplied | served) for sid in left) if need.units]
        if not needs:
            break
        need = min(needs, key=lambda n: (-n.re2, -len(n.units), n.counter))
        left.remove(need.counter)
        answer: Answer[str] = yield from asked(ctx, supply_ask(state, side, need))
        if answer.value == USE:
            paid.append(state.supply[need.counter].hex)
            _spend(ctx, side, need, answer)
            served |= set(need.units)
    return served


def _spend(ctx: Ctx[State], side: str, need: Need, answer: Answer[str]) -> None:
    state = ctx.state
    counter = state.supply[need.counter]
    left = counter.steps - 1
    units: list[Tree] = list(need.units)
    ctx.emit(
        "supply-used",
        "WD 12.B.2",
        answer.by,
        counter=need.counter,
        use="general",
        side=side,
        hex=state.board.name(counter.hex),
        steps="1",
        left=str(left),
        units=units,
        choice=answer.source,
        clause=answer.clause,
    )
    if not left:
        ctx.emit("supply-spent", "WD 12.B.2", answer.by, counters=[need.counter])


def supply_ask(state: State, side: str, need: Need) -> Ask[str]:
    """Whether a counter gives up a step for general supply (WD 12.B.2; pbem I1)."""
    key = f"supply/{state.board.label(state.supply[need.counter].hex)}/{need.counter}"
    return Ask(
        key=key,
        side=side,
        rule="WD 12.B.2",
        topic="supply",
        find=_finder(key, need.counter),
        problems=lambda value: [] if value in (USE, NONE) else [_bad_answer(value)],
        atoms=lambda: (USE, NONE),
        default=lambda: USE if need.re2 >= DEFAULT_RE2 and need.threatened else NONE,
        clause=lambda rules: clause_for(state, need, rules),
        askable=True,
    )


def _bad_answer(value: str) -> Problem:
    return Problem("use", "WD 12.B.2", f"{value!r} is no answer", "use: yes or use: no", field="use")


def _finder(key: str, counter: str) -> Callable[[Sequence[Order]], str | None]:
    def find(orders: Sequence[Order]) -> str | None:
        for part in sections(orders):
            for order in part.orders:
                if order.type == "answer" and order.text("to") == key:
                    return {"yes": USE, "no": NONE}.get(order.text("use"), order.text("use"))
                if order.type == "general_supply" and counter in _counters(order) and part.name == "":
                    return USE
                if order.type == "pass" and part.name == "":
                    return NONE
        return None

    return find


def clause_for(state: State, need: Need, rules: Tree) -> tuple[str, str] | None:
    """The first standing clause about the counter: ``counter``, ``use`` always, never or if_cut_off, ``min_re``,
    ``keep_steps``, ``reserve`` (never the last step)."""
    for n, clause in enumerate(rules if isinstance(rules, list) else [rules], 1):
        if not isinstance(clause, dict) or clause.get("counter", need.counter) not in (need.counter, "any"):
            continue
        use = clause.get("use", "if_cut_off")
        if use not in CLAUSE_USES:
            continue
        keep = max(_whole(clause.get("keep_steps"), 0), 1 if clause.get("reserve") == "yes" else 0)
        enough = use == "always" or (use == "if_cut_off" and need.re2 >= 2 * _whole(clause.get("min_re"), 3))
        spend = enough and state.supply[need.counter].steps > keep
        return (USE if spend else NONE), f"supply clause {n}"
    return None


def _whole(value: Tree | None, default: int) -> int:
    found = whole_number(value)
    return default if found is None else found


# --- the result -------------------------------------------------------------------------------------------------


def _report(ctx: Ctx[State], supplied: set[str], by: By) -> None:
    """One event for both sides: who is out of general supply, and why, by stack."""
    state = ctx.state
    out: list[Tree] = [uid for uid in sorted(state.pieces) if uid not in supplied]
    stacks: dict[tuple[str, int], list[Tree]] = {}
    for uid in sorted(state.pieces):
        if uid not in supplied:
            stacks.setdefault((state.world.units[uid].side, state.hex_of(uid)), []).append(uid)
    reasons: list[Tree] = [
        {"side": side, "hex": state.board.name(h), "units": units, "why": reason(state, side, h)}
        for (side, h), units in sorted(stacks.items())
    ]
    ctx.emit("supply-check", "WD 12.B", by, out=out, reasons=reasons)


def supply_reason(state: State, uid: str) -> str:
    """Why a unit is, or is not, in general supply as lines are now; for `supply` and `explain`."""
    unit, h = state.unit(uid), state.hex_of(uid)
    text = reason(state, unit.side, h)
    own = [sid for sid in sorted(state.supply) if state.supply[sid].side == unit.side]
    counters = [sid for sid in own if uid in covered(state, sid)]
    if h in net(state, unit.side).near or not counters:
        return text
    steps = ", ".join(f"{sid} ({counted(number(state.supply[sid].steps), 'step')})" for sid in counters)
    return f"{text}; it can trace to {steps}"

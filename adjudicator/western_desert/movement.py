"""The movement phase (WD 4.A.2, 6) and what ends it: stacking (WD 8.B), light tanks (WD 28.A.4).

Orders run as listed, each judged at its moment. Every step may change control and meet enemy supply.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from adjudicator.engine.core import Ctx, Order, Problem, Proc, Tree
from adjudicator.western_desert.air.escaping import bases_fall
from adjudicator.western_desert.air.supporting import fire_at_support
from adjudicator.western_desert.apply import apply, mp_text
from adjudicator.western_desert.capture import capture_beside
from adjudicator.western_desert.control import emit_flips, path_flips, settle
from adjudicator.western_desert.divisional import run_divisional
from adjudicator.western_desert.divisions import ASSEMBLE, BREAK
from adjudicator.western_desert.entering import entered
from adjudicator.western_desert.graph import NATIONS
from adjudicator.western_desert.haul import haul_problems, named_counters, often_problems, plan_haul, smp2
from adjudicator.western_desert.labor import cost_rows
from adjudicator.western_desert.mover import CARRIED, MINIMUM, Mover
from adjudicator.western_desert.moves import Leg, Plan, plan
from adjudicator.western_desert.odds import share_tree
from adjudicator.western_desert.overrun import Overrun, plan_overrun
from adjudicator.western_desert.reach import FOOT, Searches
from adjudicator.western_desert.regroup import assemble, break_down, closing
from adjudicator.western_desert.retreating import remove
from adjudicator.western_desert.sea.convoys import ORDER as SHIP
from adjudicator.western_desert.sea.convoys import plan_ship, run_ship
from adjudicator.western_desert.sites import SITES, misplaced_problems, remark_lost, settle_sites
from adjudicator.western_desert.stacking import (
    end_problems,
    fits,
    light_tank_problems,
    lone_light_tanks,
    stack_problems,
)
from adjudicator.western_desert.state import State
from adjudicator.western_desert.stores import STORES, handle_supply
from adjudicator.western_desert.theatre.assault import FIRST, SECOND, land_wave, landing_order_problems
from adjudicator.western_desert.theatre.delta import RULE as DELTA_RULE
from adjudicator.western_desert.theatre.delta import SIDE, guards, lacking, leaving_problems
from adjudicator.western_desert.theatre.displaying import came_near, look_around, unread_near
from adjudicator.western_desert.theatre.invading import invade, invade_problems
from adjudicator.western_desert.theatre.listed import RULE as LIST_RULE
from adjudicator.western_desert.theatre.listed import SIDE as LISTS
from adjudicator.western_desert.theatre.listed import area_of, list_problems
from adjudicator.western_desert.theatre.nations import invasion_problems
from adjudicator.western_desert.walk import Walk, parts_text, walk
from adjudicator.western_desert.working import run_work
from adjudicator.western_desert.works import PLANS

By = tuple[int, ...]
MOVEMENT = "movement"
PUBLIC = "public"


@dataclass
class Track:
    """A leg that was walked: who came by which order, and how much of the way they have kept."""

    order: Order
    leg: Leg
    kept: int

    @property
    def here(self) -> int:
        """Where the leg ends now."""
        return self.leg.walk.path[self.kept - 1] if self.kept else self.leg.mover.start


@dataclass
class Moving:
    """A movement or exploitation phase while it runs: nothing here outlives the step.

    ``sites`` are the hexes in which divisions were broken down or assembled, with the order; ``closing`` the indices of
    the orders that end the phase, ``begun`` that something else than a breakdown has been done (WD 15.A).
    """

    ctx: Ctx[State]
    side: str
    by: By
    searches: Searches
    tracks: list[Track] = field(default_factory=list)
    sites: dict[int, Order] = field(default_factory=dict)
    closing: frozenset[int] = frozenset()
    begun: bool = False
    hauled: Counter[str] = field(default_factory=Counter)
    orders: Sequence[Order] = ()

    @property
    def state(self) -> State:
        """The position now."""
        return self.ctx.state

    def anew(self) -> None:
        """Enemy units, supply or railroads have changed: what was searched is stale, what was asked is not."""
        asked, self.searches = self.searches.asked, Searches(self.ctx.state, self.side)
        self.searches.asked = asked


Runner = Callable[[Moving, Order], Proc[None]]


def movement_phase(ctx: Ctx[State], side: str, orders: Sequence[Order], by: By) -> Proc[None]:
    """Run the orders of a movement or exploitation phase in their order, then judge the stacks.

    An order that is unlawful at its moment is void, with all its problems. A way cut short halts the unit.
    """
    last = frozenset(orders[n].index for n in closing(orders))
    phase = Moving(ctx, side, by, Searches(ctx.state, side), closing=last, orders=orders)
    for n, order in enumerate(orders):
        made = len(ctx.events)
        yield from RUNNERS.get(order.type, _move)(phase, order)
        yield from look_around(ctx, by)
        unread = unread_near(ctx.state)
        for later in orders[n + 1 :] if unread else ():
            ctx.hang(later, unread, by)
        remark_lost(ctx, order, made, by)
        phase.begun |= order.type != BREAK and any(event.kind != "void" for event in ctx.events[made:])
    if side == SIDE and ctx.state.phase == MOVEMENT:
        yield from _guard_delta(phase)
    end_phase(ctx, side, phase.sites, phase.tracks, by)
    yield from bases_fall(ctx, by)


def _guard_delta(phase: Moving) -> Proc[None]:
    """Cities of the Delta without antiaircraft get the counter that comes with the fewest movement points, if there is
    one that they don't take from another such city (WD 33.G, ruling DELTA-AA)."""
    ctx, state = phase.ctx, phase.state
    for h in lacking(state):
        searches, name = Searches(state, phase.side), state.board.name(h)
        free = [uid for uid in state.side_units(phase.side) if guards(state.unit(uid)) and state.unit(uid).movement]
        orders = (Order(-1, "move", {"unit": uid, "to": name}) for uid in free if fits(state, h, phase.side, [uid]))
        plans = [made for made in (plan(searches, phase.side, order) for order in orders) if not made.problems]
        if not plans:
            continue
        leg = min(plans, key=lambda made: (made.legs[0].walk.cost2, made.legs[0].ids)).legs[0]
        why = f"{state.unit(leg.ids[0]).short} goes to {state.board.feature_names(h)}, which keeps antiaircraft"
        ctx.emit("told", DELTA_RULE, phase.by, side=phase.side, what="delta", why=why, unit=leg.ids[0])
        yield from walk_leg(ctx, leg, phase.by)


def _move(phase: Moving, order: Order) -> Proc[None]:
    made = plan(phase.searches, phase.side, order)
    if made.problems:
        phase.ctx.void(order, made.problems, phase.by)
        return
    ways = [h for leg in made.legs for h in leg.walk.path]
    if side_moves_near(phase, made) and (yield from came_near(phase.ctx, ways, phase.by)):
        phase.anew()
        made = _as_far(phase, made)
    for leg in made.legs:
        yield from walk_leg(phase.ctx, leg, phase.by, str(order.index))
        phase.tracks.append(Track(order, leg, len(leg.walk.path)))
    phase.searches.refresh()


def side_moves_near(phase: Moving, made: Plan) -> bool:
    """Whether an order moves Axis ground units while garrisons are off the map (WD 33.C)."""
    state = phase.state
    ids = (uid for leg in made.legs for uid in leg.ids)
    return bool(state.theatre.listed) and phase.side != LISTS and any(not state.unit(uid).counter for uid in ids)


def _as_far(phase: Moving, made: Plan) -> Plan:
    """The ways of an order after garrisons on them have been shown: each as far as it is lawful now (PROTOCOL 4.8)."""
    found = Plan(made.order)
    for leg in made.legs:
        rest = _shortened(phase, made.order, leg)
        found.legs += [rest] if rest is not None else []
        walked = len(rest.walk.path) if rest is not None else 0
        if walked < len(leg.walk.path):
            state = phase.state
            barred = state.board.feature_names(leg.walk.path[walked])
            why = f"{state.unit(leg.ids[0]).short or leg.ids[0]} does not get to {barred}: a garrison was shown"
            phase.ctx.emit("told", LIST_RULE, phase.by, side=phase.side, what="garrison", why=why, unit=leg.ids[0])
    return found


def _shortened(phase: Moving, order: Order, leg: Leg) -> Leg | None:
    """The longest part of a way that is lawful now; None where not even the first hex is."""
    path = [phase.state.board.name(h) for h in leg.walk.path]
    ids = leg.ids[:-1] if leg.mover.mode == CARRIED else leg.ids
    kept = {name: value for name, value in order.data.items() if name not in ("to", "unit", "units")}
    for n in range(len(path), 0, -1):
        part = Order(order.index, order.type, {**kept, "units": [*ids], "path": [*path[:n]]})
        again = plan(Searches(phase.state, phase.side), phase.side, part)
        if not again.problems:
            return again.legs[0]
    return None


# --- the written list (WD 33.C) ---------------------------------------------------------------------------------


def _list(phase: Moving, order: Order) -> Proc[None]:
    """Garrisons leave the map for the list."""
    ctx, state = phase.ctx, phase.state
    units = list(dict.fromkeys(order.texts("units") or order.texts("unit")))
    problems = [problem for uid in units for problem in list_problems(state, phase.side, uid)]
    problems = problems or leaving_problems(state, units)
    if problems:
        ctx.void(order, problems, phase.by)
        return
    seq = str(max(phase.by, default=ctx.on))
    hexes = sorted({state.hex_of(uid) for uid in units})
    for h in hexes:
        here = [uid for uid in units if uid in state.pieces and state.hex_of(uid) == h]
        data: dict[str, Tree] = {"area": area_of(state, h), "units": [*here], "hex": state.board.name(h)}
        data |= {"side": phase.side, "message": seq, "order": str(order.index)}
        ctx.emit("garrison-listed", LIST_RULE, phase.by, PUBLIC, **data)
    settle_sites(ctx, phase.by, order.texts("units") or order.texts("unit"))
    phase.anew()
    return
    yield  # a runner is a procedure, this one asks nobody


# --- overruns (WD 13) -------------------------------------------------------------------------------------------


def _overrun(phase: Moving, order: Order) -> Proc[None]:
    yield from _fire_first(phase, order)
    made = plan_overrun(phase.searches.field, phase.side, order)
    if made.problems:
        phase.ctx.void(order, made.problems, phase.by)
        return
    yield from overrun(phase.ctx, made, phase.by)
    for bill in made.bills:
        if set(bill.mover.ids) <= set(made.advance):
            paid = replace(bill.mover, spent2=bill.mover.spent2 + bill.cost2)
            step = Walk((made.hex,), (FOOT,), means=bill.mover.mode)
            phase.tracks.append(Track(order, Leg(paid, step), 1))
    phase.anew()


def _fire_first(phase: Moving, order: Order) -> Proc[None]:
    """The antiaircraft of the overrunners fires at defensive support before the odds are judged, if nothing but that
    support can stand in their way (WD 22.B.def, ruling OVERRUN-AIR)."""
    state = phase.state
    if not state.air or state.world.switches.get("overrun_defensive_air") == "ignore":
        return
    made = plan_overrun(phase.searches.field, phase.side, order, Fraction(0))
    if not made.problems:
        yield from fire_at_support(phase.ctx, phase.side, made.hex, made.units, phase.by, state.phase)


def overrun(ctx: Ctx[State], made: Overrun, by: By = ()) -> Proc[None]:
    """Carry an overrun out: all pay, the overrun units are eliminated even with cadres, then who is to advances and
    comes upon the supply there (WD 13, 13.elim, 13.advance, 12.D.capture)."""
    state, found = ctx.state, made.reckoning
    assert found is not None
    name = state.board.name
    ctx.emit(
        "overrun",
        "WD 13",
        by,
        side=made.bills[0].mover.side,
        hex=name(made.hex),
        **{"from": name(made.origin)},
        units=list(made.units),
        defenders=list(made.targets),
        strength=str(found.strength),
        against=str(found.defense),
        odds=str(found.odds),
        attackers=[share_tree(share) for share in found.attackers],
        defending=[share_tree(share) for share in found.defenders],
        costs=[row for bill in made.bills for row in cost_rows(bill.mover, bill.cost2, cost=parts_text(bill.parts))],
        order=str(made.order.index),
    )
    for uid in made.targets:
        remove(ctx, uid, "WD 13.elim", by)
    settle(ctx, [made.hex], by=by)
    for uid in made.advance:
        ctx.emit("advance", "WD 13.advance", by, unit=uid, **{"from": name(made.origin)}, to=name(made.hex))
    first = next((uid for uid in made.advance if not state.unit(uid).counter), None)
    settle(ctx, [made.origin, made.hex], by=by)
    if first is not None:
        yield from entered(ctx, first, made.hex, by)
    yield from bases_fall(ctx, by)


# --- divisions (WD 15) ------------------------------------------------------------------------------------------


def _break_down(phase: Moving, order: Order) -> Proc[None]:
    return _regrouped(phase, order, break_down(phase.ctx, phase.side, order, phase.begun, phase.by))


def _assemble(phase: Moving, order: Order) -> Proc[None]:
    last = order.index in phase.closing
    return _regrouped(phase, order, assemble(phase.ctx, phase.side, order, last, phase.by))


def _regrouped(phase: Moving, order: Order, h: int | None) -> Proc[None]:
    if h is not None:
        phase.sites[h] = order
        phase.searches.refresh()
    yield from ()


# --- supply counters (WD 12.D) ----------------------------------------------------------------------------------


def _supply_move(phase: Moving, order: Order) -> Proc[None]:
    """Each counter of the order goes its way."""
    ctx, state = phase.ctx, phase.state
    named = named_counters(order)
    phase.hauled.update(named)
    problems = often_problems(phase.hauled, named)
    plans = [] if problems else [plan_haul(phase.searches.field, phase.side, order, sid) for sid in named]
    problems = problems or haul_problems(state, phase.side, plans)
    if problems:
        ctx.void(order, problems, phase.by)
        return
    for made in plans:
        sid, spent2 = made.counter, state.smp2 + made.cost2
        start = state.supply[sid].hex
        ctx.emit(
            "supply-moved",
            "WD 12.D",
            phase.by,
            counter=sid,
            side=phase.side,
            **{"from": state.board.name(start)},
            path=[state.board.name(h) for h in made.path],
            steps=list(made.steps),
            smp=mp_text(made.cost2),
            cost=parts_text(made.parts),
            spent=mp_text(spent2),
            left=mp_text(smp2(state, phase.side) - spent2),
            order=str(order.index),
        )
    yield from ()


def _stores(phase: Moving, order: Order) -> Proc[None]:
    handle_supply(phase.ctx, phase.side, order, phase.by)
    yield from ()


# --- ships (WD 26.B.2) ------------------------------------------------------------------------------------------


def _wave(phase: Moving, order: Order) -> Proc[None]:
    """A wave of a seaborne invasion (WD 27.C)."""
    problems = landing_order_problems(phase.state, phase.side, order)
    if problems:
        phase.ctx.void(order, problems, phase.by)
        return
    for h in (yield from land_wave(phase.ctx, phase.side, order, phase.by)):
        phase.sites[h] = order
    phase.anew()


def _ship(phase: Moving, order: Order) -> Proc[None]:
    """Units and supply counters go from a port to another; a stack there that is too large is this order's fault."""
    made = plan_ship(phase.searches.field, phase.side, order)
    if made.problems:
        phase.ctx.void(order, made.problems, phase.by)
        return
    yield from run_ship(phase.ctx, phase.side, made, order, phase.by)
    yield from capture_beside(phase.ctx, phase.side, phase.by)
    settle_sites(phase.ctx, phase.by, [item.name for item in made.items if item.name in phase.state.pieces])
    phase.sites[made.to] = order
    phase.anew()


# --- work (WD 7.C, 14.A, 17.D, 33.D) ----------------------------------------------------------------------------


def _work(phase: Moving, order: Order) -> Proc[None]:
    run_work(phase.ctx, phase.side, order, phase.by)
    phase.anew()
    yield from ()


def _divisional(phase: Moving, order: Order) -> Proc[None]:
    run_divisional(phase.ctx, phase.side, order, phase.by)
    phase.anew()
    yield from ()


def _misplaced(phase: Moving, order: Order) -> Proc[None]:
    phase.ctx.void(order, misplaced_problems(order), phase.by)
    yield from ()


def _invade(phase: Moving, order: Order) -> Proc[None]:
    """The Levant is invaded (WD 28.C.invade)."""
    problems = invade_problems(phase.state, phase.side) or _without_free_french(phase)
    if problems:
        phase.ctx.void(order, problems, phase.by)
    else:
        invade(phase.ctx, phase.side, phase.by, str(order.index))
        phase.anew()
    return
    yield  # a runner is a procedure, this one asks nobody


def _without_free_french(phase: Moving) -> list[Problem]:
    """The Free French that would not take part, where that is asked (WD 32.A.ff)."""
    if not phase.state.world.plays(NATIONS):
        return []
    trial = Ctx(phase.state.copy(), apply)
    invade(trial, phase.side, phase.by)
    return invasion_problems(phase.state, trial.state, phase.side, phase.orders)


RUNNERS: dict[str, Runner] = {
    "list_garrison": _list,
    "invade_levant": _invade,
    "overrun": _overrun,
    BREAK: _break_down,
    ASSEMBLE: _assemble,
    "supply_move": _supply_move,
    FIRST: _wave,
    SECOND: _wave,
    SHIP: _ship,
    **dict.fromkeys(STORES, _stores),
    **dict.fromkeys(PLANS, _work),
    **dict.fromkeys(SITES, _misplaced),
    "div_engineers": _divisional,
}
"""The orders of the two phases besides ``move``."""


# --- moves ------------------------------------------------------------------------------------------------------


def walk_leg(ctx: Ctx[State], leg: Leg, by: By, order: str = "") -> Proc[None]:
    """Walk one leg: the moves, then step by step what they change. ``order`` is the index of the order it is from."""
    state = ctx.state
    flips = [(uid, path_flips(state, uid, leg.walk.path)) for uid in leg.ids]
    before = [state.pieces[uid].hex for uid in leg.ids]
    for uid, start in zip(leg.ids, before, strict=True):
        _emit_move(ctx, uid, start, leg, by, order)
    first = next((uid for uid in leg.ids if not state.world.units[uid].counter), None)
    for index, h in enumerate(leg.walk.path):
        for _uid, steps in flips:
            emit_flips(ctx, {n: s for n, s in steps[index].items() if state.owner(n) != s}, by=by)
        if first is not None:
            yield from entered(ctx, first, h, by)
    settle_sites(ctx, by, leg.ids if leg.walk.path else ())


def _emit_move(ctx: Ctx[State], uid: str, start: int, leg: Leg, by: By, order: str) -> None:
    mover, found, name = leg.mover, leg.walk, ctx.state.board.name
    spent2 = mover.allowance2 if found.means == MINIMUM else mover.spent2 + found.cost2
    roads: list[Tree] = list(found.roads)
    steps: list[Tree] = list(found.steps) if found.rail else []
    ctx.emit(
        "move",
        _move_rule(leg),
        by,
        unit=uid,
        **{"from": name(start)},
        path=[name(h) for h in found.path],
        spent=mp_text(spent2),
        left=mp_text(max(0, mover.allowance2 - spent2)),
        mp=mp_text(found.cost2),
        cost=parts_text(found.parts),
        means=found.means,
        rail=str(mover.ridden + found.rail) if mover.ridden + found.rail else "",
        roads=roads,
        steps=steps,
        transport=mover.ids[-1] if mover.mode == "carried" else "",
        order=order,
    )


def _move_rule(leg: Leg) -> str:
    rules = {"admin": "WD 6.B", "carried": "WD 6.C", "minimum": "WD 6.min-hex"}
    if leg.walk.rail:
        return "WD 7.A"
    return rules.get(leg.walk.means, "WD 7.B" if leg.walk.roads else "WD 6")


# --- the end of the phase ---------------------------------------------------------------------------------------


def end_phase(ctx: Ctx[State], side: str, sites: Mapping[int, Order], tracks: list[Track], by: By) -> None:
    """Judge every stack of the side. A fault is a problem of the order that caused it; then it is put right by
    halting the last arrivals a hex short, and as the last resort by eliminating the weakest (ruling OVERSTACK-END)."""
    state = ctx.state
    phase = state.phase
    stacks = sorted({state.hex_of(uid) for uid in state.side_units(side)})
    for h in stacks:
        for problem in end_problems(state, h, side, phase):
            blamed = _blame(state, problem, h, sites, tracks)
            ctx.problems.append(replace(blamed, seq=max(by, default=ctx.on)))
    halting = state.world.switches.get("overstack") != "eliminate"
    for _round in range(sum(track.kept for track in tracks) if halting else 0):
        bad = _bad_hexes(state, side, phase)
        track = next((t for t in reversed(tracks) if t.kept and t.here in bad and _there(state, t)), None)
        if track is None:
            break
        _halt(ctx, track, by)
    _last_resort(ctx, side, phase, by)


def _bad_hexes(state: State, side: str, phase: str) -> set[int]:
    stacks = {state.hex_of(uid) for uid in state.side_units(side)}
    return {h for h in stacks if end_problems(state, h, side, phase)}


def _there(state: State, track: Track) -> bool:
    """A leg can be cut only while its units stand at its end."""
    return all(uid in state.pieces and state.hex_of(uid) == track.here for uid in track.leg.ids)


def _blame(state: State, problem: Problem, h: int, sites: Mapping[int, Order], tracks: Sequence[Track]) -> Problem:
    """Tie a fault of a stack to the last order that came there, else to the one that broke a division down there or
    assembled it, else to the last that left there."""
    came = [t for t in tracks if t.here == h and _there(state, t)]
    left = [t for t in tracks if t.leg.mover.start == h]
    if came or (left and h not in sites):
        guilty = (came or left)[-1].order
        return replace(problem, order=guilty.index, place=guilty.place("to"))
    return replace(problem, order=sites[h].index, place=sites[h].place()) if h in sites else problem


def _halt(ctx: Ctx[State], track: Track, by: By) -> None:
    """Take back the last step of a leg."""
    state = ctx.state
    here = track.here
    why = (end_problems(state, here, track.leg.mover.side, state.phase))[0]
    track.kept -= 1
    spent2 = _spent_so_far(ctx, track.leg.mover, track)
    for uid in track.leg.ids:
        ctx.emit(
            "halt",
            why.rule,
            by,
            unit=uid,
            hex=state.board.name(here),
            to=state.board.name(track.here),
            spent=mp_text(spent2),
            why=why.text,
            order=str(track.order.index),
        )
    settle(ctx, [here, track.here], by=by)


def _spent_so_far(ctx: Ctx[State], mover: Mover, track: Track) -> int:
    if not track.kept:
        return mover.spent2
    searches = Searches(ctx.state, mover.side)
    path = track.leg.walk.path[: track.kept]
    return mover.spent2 + walk(searches.field, mover, path, track.leg.walk.steps).cost2


def _last_resort(ctx: Ctx[State], side: str, phase: str, by: By) -> None:
    """What halting cannot mend: the weakest units beyond the limit, and light tanks that are alone, are eliminated."""
    state = ctx.state
    for h in sorted({state.hex_of(uid) for uid in state.side_units(side)}):
        while stack_problems(state, h, side) and not fits(state, h, side):
            weakest = min(_sized(state, h, side), key=lambda uid: (state.unit(uid).defense, uid))
            _eliminate(ctx, weakest, "WD 8.B", by)
        if light_tank_problems(state, h, side, phase):
            for uid in lone_light_tanks(state, h):
                _eliminate(ctx, uid, "WD 28.A.4", by)


def _sized(state: State, h: int, side: str) -> list[str]:
    return [uid for uid in state.friends_at(h, side) if not state.unit(uid).counter]


def _eliminate(ctx: Ctx[State], uid: str, rule: str, by: By) -> None:
    h = ctx.state.hex_of(uid)
    remove(ctx, uid, rule, by)
    settle(ctx, [h], by=by)

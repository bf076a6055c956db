"""The phasing player's air movement step: flights in the order listed, through the enemy's patrols (WD 16.C.1, 18, 19).

Those by night fly after those by day (WD 24.E, ruling NIGHT-ORDER). A flight that is turned back stays where that
happened until the air return step (ruling TURNBACK-PLACE).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from adjudicator.engine.core import Ctx, Order, Problem, Proc, Roll, Tree
from adjudicator.western_desert.air.book import book_of, flight_of
from adjudicator.western_desert.air.craft import CARRYING, TRANSFER, TURNED_BACK, Flight
from adjudicator.western_desert.air.facts import AirBook, leg_to, side_air, stands_at, zones_against
from adjudicator.western_desert.air.missions import RULES
from adjudicator.western_desert.air.patrol import Patrol, turns_back_on
from adjudicator.western_desert.air.patrolling import NOBODY, Meeting, able_fighters, patrol_ask
from adjudicator.western_desert.air.plans import (
    Plan,
    Route,
    checked,
    condition,
    entered,
    led_to,
    plan_problems,
    route,
    stage_of,
)
from adjudicator.western_desert.air.staging import ORDER as STAGE
from adjudicator.western_desert.air.staging import SIDE as STAGING_SIDE
from adjudicator.western_desert.air.staging import in_europe, stage_problems, staged
from adjudicator.western_desert.choices import told
from adjudicator.western_desert.state import State
from adjudicator.western_desert.theatre.operation import use

Seqs = tuple[int, ...]


@dataclass
class _Step:
    """What the step knows of itself while it runs: nothing here outlives it. ``entries`` counts how often an air unit
    was met in a hex, ``passed`` the targets that each fighter let pass, ``seen`` who has flown."""

    side: str
    by: Seqs
    entries: dict[tuple[str, int], int] = field(default_factory=dict)
    passed: dict[str, int] = field(default_factory=dict)
    seen: list[Flight] = field(default_factory=list)


def may_fly(state: State, side: str) -> bool:
    """Whether a side has an air unit that may fly a mission in this air phase (WD 16.B.1), or come from Europe."""
    if side == STAGING_SIDE and in_europe(state):
        return True
    return any(state.air[aid].operative and aid not in state.still for aid in side_air(state, side))


def air_movement(ctx: Ctx[State], side: str, orders: Sequence[Order], by: Seqs) -> Proc[None]:
    """Run the section ``air``: first refuse what no die can make lawful, then flight after flight."""
    step = _Step(side, tuple(sorted(set(by))))
    plans: list[Plan] = []
    for order, problems, found in checked(ctx.state, side, orders):
        if problems:
            ctx.void(order, problems, step.by)
        else:
            plans += found
    led = led_to([plans])
    for crew in crews(sorted(plans, key=lambda plan: plan.night)):
        yield from _fly_all(ctx, step, crew, led)


def crews(plans: Sequence[Plan]) -> list[list[Plan]]:
    """The flights, each by itself, but those who carry together as one: all of them fly or none (WD 20.E)."""
    found: list[list[Plan]] = []
    for plan in plans:
        together = bool(plan.party) and plan.mission in CARRYING
        if together and found and found[-1][0].order is plan.order:
            found[-1].append(plan)
        else:
            found.append([plan])
    return found


def _fly_all(ctx: Ctx[State], step: _Step, crew: Sequence[Plan], led: set[tuple[int, bool]]) -> Proc[None]:
    """A flight, or several that carry together, at its moment: its condition, the legality of each, the take-offs."""
    state, first = ctx.state, crew[0]
    if first.mission == STAGE:
        yield from _stage(ctx, step, first)
        return
    clause, problems = condition(state, first), list[Problem]()
    book = book_of(state)
    way = _way(state, first, book)
    if not clause:
        problems = plan_problems(state, step.side, first, book, way, led)
        for before, plan in pairwise(crew) if not problems else ():
            book = entered(state, step.side, before, book, way)
            problems += plan_problems(state, step.side, plan, book, _way(state, plan, book), led)
    if clause or problems:
        rule = problems[0].rule if problems else RULES[first.mission]
        data: dict[str, Tree] = {"order": str(first.order.index), "hex": state.board.name(first.target)}
        data |= {"with": [plan.air for plan in crew], "clause": clause or problems[0].text}
        ctx.emit("skipped", rule, step.by, "public", **data)
        return
    yield from _fly(ctx, step, first, way)
    for plan in crew[1:]:
        yield from _fly(ctx, step, plan, _way(state, plan, book_of(state)))


def _stage(ctx: Ctx[State], step: _Step, plan: Plan) -> Proc[None]:
    """An air unit goes to Europe, or comes from there and enters the hex of its base (WD 33.F)."""
    state, stage = ctx.state, stage_of(plan)
    book = book_of(state)
    problems = stage_problems(state, step.side, stage, book)
    if problems:
        ctx.void(plan.order, problems, step.by)
        return
    told_of = staged(state, step.side, stage, book, str(plan.order.index))
    ctx.emit(told_of.kind, told_of.rule, step.by, "public", **told_of.data)
    if stage.to is not None:
        step.seen.append(flight_of(state, plan.air))
        yield from _under_way(ctx, step, plan.air, (stage.to,))


def _way(state: State, plan: Plan, book: AirBook) -> Route:
    return route(state, plan, stands_at(state, plan.air, book), book)


def _fly(ctx: Ctx[State], step: _Step, plan: Plan, way: Route) -> Proc[None]:
    """One flight: its take-off, the hexes of its way."""
    state = ctx.state
    take_off(ctx, step.side, step.by, plan, stands_at(state, plan.air, book_of(state)), way)
    step.seen.append(flight_of(state, plan.air))
    yield from _under_way(ctx, step, plan.air, way.path)


def _under_way(ctx: Ctx[State], step: _Step, aid: str, path: Sequence[int]) -> Proc[None]:
    """The hexes of a way; those that no patrol zone covers are passed over at once."""
    state, flight = ctx.state, flight_of(ctx.state, aid)
    guarded = zones_against(state, step.side, flight.night)
    for h in path:
        able = able_fighters(state, flight, h) if h in guarded else {}
        if able and (yield from _enter(ctx, step, flight, h, able)):
            guarded = zones_against(state, step.side, flight.night)
        if flight_of(state, aid).fate:
            break


def take_off(ctx: Ctx[State], side: str, by: Seqs, plan: Plan, start: int, way: Route) -> None:
    """A flight takes off and is on its way (WD 17.A, 18)."""
    state, name = ctx.state, ctx.state.board.name
    barred = plan.mission == TRANSFER and leg_to(state, side, plan.target, way.length, book_of(state)).barred
    marks = {"night": plan.night, "extended": plan.extended, "barred": barred}
    data: dict[str, Tree] = {
        "air": plan.air,
        "side": side,
        "mission": plan.mission,
        "base": name(start),
        "over": name(plan.target),
        "path": [name(h) for h in way.path],
        "distance": str(way.length),
        "tow": plan.tow,
        "cargo": list(plan.cargo),
        "land": [name(h) for h in plan.land],
        "targets": list(plan.targets),
        **({"hits": plan.hits} if plan.hits else {}),
        "party": plan.party,
        "order": str(plan.order.index) if plan.order.index >= 0 else "",
        **{word: "yes" for word, true in marks.items() if true},
    }
    ctx.emit("flight", RULES[plan.mission], by, "public", **data)
    use(ctx, [plan.air, plan.tow, *plan.cargo], by)


def _enter(ctx: Ctx[State], step: _Step, flight: Flight, h: int, able: Mapping[str, Patrol]) -> Proc[bool]:
    """A hex where somebody may attack: he is asked, and at most one does (WD 19.per-hex). Whether somebody did."""
    state, aid = ctx.state, flight.id
    number = step.entries[(aid, h)] = step.entries.get((aid, h), 0) + 1
    key = f"patrol/{state.board.label(h)}/{aid}" + (f"/{number}" if number > 1 else "")
    meeting = Meeting(flight, h, able, step.seen, step.passed)
    answer = yield from ctx.ask(patrol_ask(state, meeting, key))
    attacked: bool = answer.value != NOBODY
    if attacked:
        yield from _attack(ctx, meeting, answer.value, (*step.by, *answer.by), told(answer))
    for fighter in able.keys() - {answer.value}:
        step.passed[fighter] = step.passed.get(fighter, 0) + 1
    return attacked


def _attack(ctx: Ctx[State], meeting: Meeting, fighter: str, by: Seqs, choice: dict[str, Tree]) -> Proc[None]:
    """A patrol attack and its die (WD 19.odds, 19.result)."""
    state, flight, patrol = ctx.state, meeting.flight, meeting.able[fighter]
    label = f"patrol/{state.board.label(meeting.hex)}/{fighter}/{flight.id}"
    (die,) = yield from ctx.roll(Roll(label, "patrol", assume=(1,), who=patrol.craft.side))
    hit = die in turns_back_on(state.world, patrol.craft.attack, flight.defense)
    data: dict[str, Tree] = {
        "fighter": fighter,
        "base": state.board.name(patrol.base),
        "air": flight.id,
        "hex": state.board.name(meeting.hex),
        "attack": str(patrol.craft.attack),
        "defense": str(flight.defense),
        "die": str(die),
        "label": label,
        "result": TURNED_BACK if hit else "",
        **choice,
    }
    ctx.emit("patrol-attack", "WD 19", by, "public", **data)

"""Orders of the section ``air`` read and checked against the position before the phase (WD 16.C.1, 17.A, 18, 20).

An order names one air unit or several; each of them is a :class:`Plan`. They are judged in the order listed, each on
what the flights before it have used up: take-offs, transfers, the one mission that an air unit flies.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from adjudicator.engine.core import Order, Problem
from adjudicator.western_desert import hexes
from adjudicator.western_desert.air.aboard import loaded
from adjudicator.western_desert.air.book import book_of, towed
from adjudicator.western_desert.air.craft import (
    CARRYING,
    DROP,
    ESCORT,
    REACTIONS,
    SUPPRESS,
    SUPPRESSION,
    TRANSFER,
    Flight,
    craft_of,
    reach,
)
from adjudicator.western_desert.air.drops import cargo_of, lift_problems, site_of, stow, towing_problems
from adjudicator.western_desert.air.facts import (
    AirBook,
    flier_of,
    leg_to,
    open_sky,
    stands_at,
    target_of,
    zones_against,
)
from adjudicator.western_desert.air.missions import (
    AIR_STEP,
    REACTION_STEP,
    Moment,
    Target,
    Wish,
    history_problems,
    mission_problems,
)
from adjudicator.western_desert.air.orders import AIR_TYPES, MISSION_OF, OTHERWISE
from adjudicator.western_desert.air.patrol import NO_ZONES, known_path
from adjudicator.western_desert.air.staging import ORDER as STAGE
from adjudicator.western_desert.air.staging import Stage, stage_problems, trial
from adjudicator.western_desert.homebound import homebound_problems
from adjudicator.western_desert.orders import misplaced
from adjudicator.western_desert.sea.malta import BOMB_RULE, STATUS, besieged
from adjudicator.western_desert.sites import held_problems
from adjudicator.western_desert.stacking import fits
from adjudicator.western_desert.standing import hex_in
from adjudicator.western_desert.state import State
from adjudicator.western_desert.theatre.delta import leaving_problems
from adjudicator.western_desert.theatre.forces import planned_drop_problems, planned_lift_problems

QUIET = ("standing", "answer", "pass")
PATH_RULE = "WD 18"
EUROPE = -1
"""The target of a flight that leaves the map (WD 33.F)."""


class Plan(NamedTuple):
    """One flight of an order. ``path`` and ``via`` are what the order says of the way, ``land`` where it goes after."""

    order: Order
    air: str
    mission: str
    target: int
    path: tuple[int, ...] = ()
    via: tuple[int, ...] = ()
    night: bool = False
    extended: bool = False
    tow: str = ""
    cargo: tuple[str, ...] = ()
    if_back: tuple[str, ...] = ()
    unless_back: tuple[str, ...] = ()
    land: tuple[int, ...] = ()
    targets: tuple[str, ...] = ()
    hits: str = ""
    party: str = ""

    @property
    def conditional(self) -> bool:
        """Whether it is flown hangs on what becomes of other flights."""
        return bool(self.if_back or self.unless_back)

    def flight(self, state: State, base: int) -> Flight:
        """The flight that comes of it."""
        tow = craft_of(state.world, self.tow) if self.tow else None
        unit = craft_of(state.world, self.air)
        return Flight(unit, self.mission, self.night, self.extended, tow=tow, base=base, target=self.target)


class Route(NamedTuple):
    """A way flown: the hexes entered, or what is wrong with it. ``length`` is told also where there is no way."""

    path: tuple[int, ...]
    length: int
    problems: tuple[Problem, ...] = ()


Checked = tuple[Order, list[Problem], list[Plan]]


# --- reading ----------------------------------------------------------------------------------------------------


def plans_of(state: State, order: Order) -> list[Plan]:
    """The flights of an order of right form, in the order in which it names the air units."""
    if order.type == STAGE:
        return _stages(state, order)
    target = hex_in(state, order.text("hex"))
    assert target is not None
    said = [what for (name, key, word), what in OTHERWISE.items() if (name, order.text(key)) == (order.type, word)]
    named = order.texts("air")
    together = MISSION_OF[order.type] in CARRYING or order.text("together") == "yes"
    common = Plan(
        order,
        "",
        said[0] if said else MISSION_OF[order.type],
        target,
        path=_hexes(state, order, "path"),
        via=_hexes(state, order, "via"),
        night=order.text("night") == "yes",
        extended=order.text("extended") == "yes",
        if_back=tuple(order.texts("if_back")),
        unless_back=tuple(order.texts("unless_back")),
        land=_hexes(state, order, "land"),
        targets=tuple(order.texts("targets")),
        hits=order.text("hits"),
        party=min(named) if together and len(named) > 1 else "",
    )
    tows = [*order.texts("tow"), *[""] * len(named)]
    plans = [common._replace(air=aid, tow=tow) for aid, tow in zip(named, tows, strict=False)]
    return aboard(state, plans)


def _stages(state: State, order: Order) -> list[Plan]:
    """The air units of an order ``stage`` (WD 33.F)."""
    to, night = hex_in(state, order.text("hex")), order.text("night") == "yes"
    tows = [*order.texts("tow"), *[""] * len(order.texts("air"))]
    pairs = zip(order.texts("air"), tows, strict=False)
    return [Plan(order, aid, STAGE, EUROPE if to is None else to, night=night, tow=tow) for aid, tow in pairs]


def stage_of(plan: Plan) -> Stage:
    """What a flight of an order ``stage`` asks."""
    return Stage(plan.air, None if plan.target == EUROPE else plan.target, plan.night, plan.tow)


def _hexes(state: State, order: Order, field: str) -> tuple[int, ...]:
    found = (hex_in(state, name) for name in order.texts(field))
    return tuple(h for h in found if h is not None)


def aboard(state: State, plans: Sequence[Plan]) -> list[Plan]:
    """The flights of an order, each with those of its ground units that ride in it, whole or in part (WD 20.E)."""
    named = plans[0].order.texts("cargo") if plans and plans[0].mission in CARRYING else []
    cargo = [cargo_of(state, uid, 0) for uid in named if uid in state.pieces]
    if not cargo:
        return list(plans)
    flights = [plan.flight(state, 0) for plan in plans]
    holds = stow(flights, cargo).holds
    rides = {uid: {hold.flight for hold in holds[uid]} for uid in holds}
    return [plan._replace(cargo=tuple(unit.id for unit in cargo if plan.air in rides[unit.id])) for plan in plans]


# --- the way ----------------------------------------------------------------------------------------------------


def route(state: State, plan: Plan, start: int, book: AirBook) -> Route:
    """The way of a flight: as ordered, over the hexes named, or the default (WD 18, ruling AIR-PATH)."""
    if plan.path:
        return _told(state, plan, start)
    craft = craft_of(state.world, plan.air)
    most = reach(craft, plan.mission, plan.extended)
    sky = open_sky(state, plan.air)
    zones = NO_ZONES if plan.mission in REACTIONS else zones_against(state, craft.side, plan.night)
    whole: list[int] = []
    for a, b in pairwise((start, *plan.via, plan.target)):
        part = known_path(a, b, most - len(whole), zones, sky)
        if part is None:
            return _no_way(state, plan, (start, *plan.via, plan.target), most)
        whole += part
    return Route(tuple(whole), len(whole))


def _told(state: State, plan: Plan, start: int) -> Route:
    """A way given hex by hex."""
    name = state.board.name
    for i, (a, b) in enumerate(pairwise((start, *plan.path))):
        if not hexes.adjacent(a, b):
            text = f"{name(b)} is not next to {name(a)}: an air unit flies hex by hex"
            hint = "name hex after hex, or the way points under via"
            found = Problem("path", PATH_RULE, text, hint, field=f"path[{i}]")
            return Route((), len(plan.path), (found,))
    if plan.path[-1] != plan.target:
        text = f"the path ends in {name(plan.path[-1])}, the target hex is {name(plan.target)}"
        found = Problem("path", PATH_RULE, text, "let it end in the target hex", field="path")
        return Route((), len(plan.path), (found,))
    return Route(plan.path, len(plan.path))


def _no_way(state: State, plan: Plan, points: Sequence[int], most: int) -> Route:
    """No way fits: it is too far, which the mission says with its range, or only neutral ground leads there."""
    length = sum(hexes.distance(a, b) for a, b in pairwise(points))
    if length > most:
        return Route((), length)
    where = state.board.name(plan.target)
    text = f"within {most} hexes no way leads to {where} that stays clear of neutral ground"
    return Route((), length, (Problem("neutral", "WD 28.C", text, "choose another target, or a base nearer to it"),))


# --- judging ----------------------------------------------------------------------------------------------------


def plan_problems(
    state: State, side: str, plan: Plan, book: AirBook, way: Route, led: Iterable[tuple[int, bool]] = ()
) -> list[Problem]:
    """What is wrong with a flight at a moment of its movement step; ``led`` are hexes to which other flights of
    the section go, so that an escort may stand before them in the list (WD 20.C)."""
    found = not_at_hand(state, side, plan.air, "air") + _tow_problems(state, side, plan, book) + list(way.problems)
    found = found or _option_problems(state, plan) or _there_problems(state, plan, book)
    found = found or _hits_problems(state, side, plan)
    if found:
        return found
    flier = flier_of(state, plan.air, book, plan.tow)
    target: Target = target_of(state, side, plan.target, book, plan.night, way.path, plan.air)
    if plan.mission == ESCORT and (plan.target, plan.night) in set(led):
        target = target._replace(friends=True)
    wish = Wish(plan.mission, way.length, plan.night, plan.extended)
    step = REACTION_STEP if plan.mission in REACTIONS else AIR_STEP
    moment = Moment(step, phasing=state.player == side, surprise=state.surprise)
    found = mission_problems(flier, wish, target, moment) + _cargo_problems(state, side, plan, book)
    return found or _operation_problems(state, side, plan)


def _operation_problems(state: State, side: str, plan: Plan) -> list[Problem]:
    """Special operations go where they were planned: who drops, and who carries on the turn of entry; such transports
    are not transferred either (WD 27.A, ruling SO-DROP)."""
    if plan.mission not in (*CARRYING, TRANSFER):
        return []
    aboard = [(uid, planned_drop_problems if plan.mission == DROP else planned_lift_problems) for uid in plan.cargo]
    found = [problem for uid, judge in aboard for problem in judge(state, side, uid, plan.target)]
    lifts = [planned_lift_problems(state, side, aid, plan.target) for aid in (plan.air, plan.tow)]
    return found or [problem for problems in lifts for problem in problems]


def _option_problems(state: State, plan: Plan) -> list[Problem]:
    """Suppression is flown only where the players agreed on it (WD 33.I)."""
    if plan.mission != SUPPRESS or state.world.plays(SUPPRESSION):
        return []
    text = "suppression of antiaircraft belongs to option 33.I, which this game does not play"
    return [Problem("option", "WD 33.I", text, "leave the order out, or bomb something else")]


def _hits_problems(state: State, side: str, plan: Plan) -> list[Problem]:
    """Only hits of the Axis on Valletta raise the status of Malta (WD 28.D.bomb)."""
    if plan.hits != STATUS or besieged(state, side, plan.target):
        return []
    text = f"a hit on {state.board.feature_names(plan.target)} raises no status: the Axis raises it over Valletta"
    return [Problem("hits", BOMB_RULE, text, "leave hits out, or bomb Valletta", field="hits")]


def _there_problems(state: State, plan: Plan, book: AirBook) -> list[Problem]:
    """A transfer leads to another base: one to where the air unit stands would but cost a take-off (WD 20.D)."""
    if plan.mission != TRANSFER or plan.target != stands_at(state, plan.air, book):
        return []
    name = craft_of(state.world, plan.air).name or plan.air
    text = f"{name} is at {state.board.feature_names(plan.target)} already"
    return [Problem("there", "WD 20.D", text, "leave it out, or name another base", field="hex")]


def not_at_hand(state: State, side: str, aid: str, field: str) -> list[Problem]:
    """What keeps a side from ordering an air unit about at all: it is not in play, or the enemy's (WD 16.A)."""
    craft = craft_of(state.world, aid)
    name = craft.name or aid
    if craft.side != side:
        text = f"{name} belongs to the {craft.side} side"
        return [Problem("side", "WD 16.A", text, "name one of yours", field=field)]
    if aid not in state.air:
        return [Problem("not_in_play", "WD 16.A", f"{name} is not in play", "name one that is at a base", field=field)]
    if field == "air" and aid in towed(state):
        return [Problem("tow", "WD 24.C", f"{name} is on the tow of another", "leave it out", field=field)]
    return []


def _tow_problems(state: State, side: str, plan: Plan, book: AirBook) -> list[Problem]:
    """The glider must be there to be towed: operative, at the base of its tow, not in the air with another; once it has
    been transferred it is bound like any air unit (WD 24.C, 16.B.1, 20.D)."""
    if not plan.tow:
        return []
    found = not_at_hand(state, side, plan.tow, "tow")
    if found or plan.air not in state.air:
        return found
    name = craft_of(state.world, plan.tow).name or plan.tow
    flight = book.last(plan.tow)
    if flight is not None and (flight.mission != TRANSFER or flight.fate):
        return [Problem("tow", "WD 24.C", f"{name} is on the tow of another", "tow another, or none", field="tow")]
    bound = history_problems(flier_of(state, plan.tow, book), Wish(plan.mission, 0))
    if bound:
        return [replace(problem, field="tow") for problem in bound]
    if not state.air[plan.tow].operative:
        return [Problem("inoperative", "WD 16.B.1", f"{name} is inoperative", "tow another, or none", field="tow")]
    if stands_at(state, plan.tow, book) != stands_at(state, plan.air, book):
        text = f"{name} is not at the base of the transport that is to tow it"
        return [Problem("tow", "WD 24.C", text, "tow a glider of the same base", field="tow")]
    return []


def _cargo_problems(state: State, side: str, plan: Plan, book: AirBook) -> list[Problem]:
    """Ground units aboard start at the airbase of the transport, and ride in no other (WD 20.E)."""
    base = stands_at(state, plan.air, book)
    strangers = [uid for uid in plan.cargo if uid not in state.friends_at(base, side)]
    if strangers:
        text = f"{_units(state, strangers)} is not at {state.board.name(base)}, the airbase of the transport"
        return [Problem("cargo", "WD 20.E", text, "carry units that start the step at that airbase", field="cargo")]
    flying = loaded(state)
    mine = set(plan.order.texts("air"))
    twice = [uid for uid in plan.cargo if set(flying.get(uid, ())) - mine]
    return twice_problems(state, twice)


# --- transport --------------------------------------------------------------------------------------------------


def lift_of(
    state: State, side: str, plans: Sequence[Plan], book: AirBook, riding: Collection[str] = ()
) -> list[Problem]:
    """What is wrong with all transports of an order together: gliders, size and kind of the cargo, the hex of a drop,
    the room there (WD 20.E, 24.B, 24.C, 25, 8.B). ``riding`` are units that orders before it carry."""
    if not plans:
        return []
    order = plans[0].order
    transports = [craft_of(state.world, plan.air) for plan in plans]
    found = towing_problems(transports, [craft_of(state.world, aid) for aid in order.texts("tow")])
    if plans[0].mission not in CARRYING:
        return found
    named = list(dict.fromkeys(order.texts("cargo")))
    base = stands_at(state, plans[0].air, book)
    absent = [uid for uid in named if uid not in state.friends_at(base, side)]
    if absent:
        text = f"{_units(state, absent)} is not at {state.board.name(base)}, the airbase of the transport"
        return [Problem("cargo", "WD 20.E", text, "carry units that start the step at that airbase", field="cargo")]
    flights = [plan.flight(state, stands_at(state, plan.air, book)) for plan in plans]
    site = site_of(state, plans[0].target, side) if plans[0].mission == DROP else None
    found += lift_problems(flights, [cargo_of(state, uid, base) for uid in named], site)
    found += twice_problems(state, [uid for uid in named if uid in riding])
    found += [replace(problem, field="cargo") for problem in leaving_problems(state, named)]
    found += [problem for uid in named for problem in _bound_problems(state, uid)]
    found += homebound_problems(state, named, plans[0].target, "cargo")
    return found + _room_problems(state, side, plans[0].target, named)


def twice_problems(state: State, units: Sequence[str]) -> list[Problem]:
    """Units that another order carries already in the air phase (WD 20.E)."""
    if not units:
        return []
    text = f"{_units(state, units)} is carried by other transports in this air phase"
    return [Problem("cargo_twice", "WD 20.E", text, "carry it once", field="cargo")]


def _bound_problems(state: State, uid: str) -> list[Problem]:
    """What keeps a unit where it is, in the air phase too: a rating of 0, its return from Greece or the work of its
    divisional engineers in this player turn (WD 6.mr0, 29.C.1.placing, 33.D)."""
    name = _units(state, [uid])
    found = [replace(problem, field="cargo") for problem in held_problems(state, uid, "move")]
    if not state.unit(uid).movement:
        text = f"{name} has a movement rating of 0 and may not leave its hex"
        found.append(Problem("rating_0", "WD 6.mr0", text, "leave it where it is", field="cargo"))
    if uid in state.still:
        text = f"{name} came back from Greece in this player turn; it may not move in it"
        found.append(Problem("greece", "WD 29.C.1.placing", text, "carry it in the next turn", field="cargo"))
    return found


def _room_problems(state: State, side: str, h: int, units: Sequence[str]) -> list[Problem]:
    """The stack that would be too large for those who come down (WD 8.B)."""
    if fits(state, h, side, units):
        return []
    text = f"with {_units(state, units)} the stack in {state.board.feature_names(h)} is over the limit"
    return [Problem("stacking", "WD 8.B", text, "carry fewer units there, or choose another hex", field="cargo")]


def _units(state: State, units: Iterable[str]) -> str:
    return ", ".join(state.world.units[uid].short or uid for uid in units)


# --- the section ------------------------------------------------------------------------------------------------


def checked(state: State, side: str, orders: Sequence[Order]) -> list[Checked]:
    """Every order of the section with what is wrong with it in the position before the phase, and its flights. Pure.

    They are judged as they are flown, by night after by day (ruling NIGHT-ORDER). Flights that hang on others are
    judged on what is sure, and use nothing up: at their moment they are judged again. An escort needs a flight of an
    order that is lawful itself.
    """
    read = {order.index: plans_of(state, order) for order in orders if _flies(order)}
    hoped = led_to(plans for plans in read.values())
    found = _all_judged(state, side, orders, read, hoped)
    sure = led_to(plans for _order, problems, plans in found if not problems)
    return found if sure == hoped else _all_judged(state, side, orders, read, sure)


def led_to(flown: Iterable[Sequence[Plan]]) -> set[tuple[int, bool]]:
    """Where, and at what time of day, flights go that may be escorted (WD 20.C)."""
    return {(plan.target, plan.night) for plans in flown for plan in plans if plan.mission != ESCORT}


def _all_judged(
    state: State, side: str, orders: Sequence[Order], read: Mapping[int, list[Plan]], led: set[tuple[int, bool]]
) -> list[Checked]:
    """The orders of the section in their order, each judged on what those flown before it use up."""
    book = book_of(state)
    found: dict[int, Checked] = {}
    riding: set[str] = set()
    for at, order in sorted(enumerate(orders), key=lambda one: one[1].text("night") == "yes"):
        plans = read.get(order.index, [])
        problems = [] if plans or order.type in QUIET else [misplaced(order, "air")]
        after, then = book, state
        for plan in plans:
            if not problems and plan.mission == STAGE:
                problems = [pointed(one, plan) for one in stage_problems(then, side, stage_of(plan), after)]
                then, after = (then, after) if problems else trial(then, side, stage_of(plan), after)
            elif not problems:
                problems, after = judged(state, side, plan, after, led)
                problems = [pointed(problem, plan) for problem in problems]
        if not problems and order.type != STAGE:
            problems = lift_of(state, side, plans, book, riding)
        if not problems and not any(plan.conditional for plan in plans):
            book, state = after, then
            riding |= set(order.texts("cargo"))
        found[at] = order, problems, plans
    return [found[at] for at in range(len(orders))]


def pointed(problem: Problem, plan: Plan) -> Problem:
    """A problem with its place: the air unit that it is about, where it names nothing else of the order."""
    named = plan.order.texts("air")
    field = f"air[{named.index(plan.air)}]" if plan.air in named else "air"
    return problem if problem.field else replace(problem, field=field)


def _flies(order: Order) -> bool:
    kind = AIR_TYPES.get(order.type)
    return kind is not None and kind.section == "air"


def judged(
    state: State, side: str, plan: Plan, book: AirBook, led: Iterable[tuple[int, bool]] = ()
) -> tuple[list[Problem], AirBook]:
    """A flight on the book so far, and the book with it."""
    if not_at_hand(state, side, plan.air, "air"):
        return not_at_hand(state, side, plan.air, "air"), book
    start = stands_at(state, plan.air, book)
    way = route(state, plan, start, book)
    problems = plan_problems(state, side, plan, book, way, led)
    return problems, book if problems else entered(state, side, plan, book, way)


def entered(state: State, side: str, plan: Plan, book: AirBook, way: Route) -> AirBook:
    """The book with one more flight, none of it turned back (WD 17.A, 20.D)."""
    base = stands_at(state, plan.air, book)
    legs = dict(book.legs)
    for aid in filter(None, (plan.air, plan.tow)) if plan.mission == TRANSFER else ():
        legs[aid] = (*legs.get(aid, ()), leg_to(state, side, plan.target, way.length, book))
    used = {**book.used, base: book.used.get(base, 0) + 1}
    return replace(book, flights=(*book.flights, plan.flight(state, base)), used=used, legs=legs)


def condition(state: State, plan: Plan) -> str:
    """The clause of an order by which a flight stays on the ground, "" where it flies (ruling PATROL-TIME)."""
    back = {aid for aid, unit in state.air.items() if unit.sortie and unit.sortie.fate}
    if plan.if_back and not back & set(plan.if_back):
        return f"if_back {', '.join(plan.if_back)}: none of them was turned back"
    met = [aid for aid in plan.unless_back if aid in back]
    return f"unless_back {', '.join(plan.unless_back)}: {met[0]} was turned back" if met else ""

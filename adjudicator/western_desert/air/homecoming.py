"""Air units come home: in the two return steps, and later where they supported ground combat (WD 16.C.5, 16.C.6, 18,
20.F.2.c, 20.F.2.d, 24.E).

Where one lands is said by its order, by an answer, else by the default of pbem A10: the base that it came from, else
the nearest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from adjudicator.engine.core import Answer, Ask, Ctx, Order, Problem, Proc, Roll, Tree
from adjudicator.western_desert.air.aboard import land_cargo, lose_cargo, sortie_of
from adjudicator.western_desert.air.answers import LAND
from adjudicator.western_desert.air.book import flight_of, home_late, in_the_air, of_this_phase, waits_for
from adjudicator.western_desert.air.craft import FERRY, REACTIONS, SCRAMBLE, TRANSFER, Flight
from adjudicator.western_desert.air.facts import bases_from, own_base
from adjudicator.western_desert.air.landing import (
    AFTER_COMBAT,
    CRASH_RULE,
    FAR_RULE,
    INOPERATIVE,
    RULE,
    bases_in_range,
    crashes,
    landed,
    may_crash,
)
from adjudicator.western_desert.bases import base_capacity
from adjudicator.western_desert.capture import capture_beside
from adjudicator.western_desert.choices import answer_to, told
from adjudicator.western_desert.standing import hex_in
from adjudicator.western_desert.state import State

NO_BASE = "no_base"
ONE_WAY = (SCRAMBLE, TRANSFER, FERRY)
"""Missions that end at the base they are flown to (WD 20.B, 20.D, 20.E.1)."""


def fly_home(ctx: Ctx[State]) -> Proc[None]:
    """The return steps: interceptors and scramblers first, then the phasing player's air units that don't wait for the
    ground combat (WD 16.C.5, 16.C.6). What was set down by them takes the supply that lies there (WD 12.D.capture)."""
    state = ctx.state
    flying = [aid for aid in in_the_air(state) if not home_late(state, aid)]
    reacting = [aid for aid in flying if flight_of(state, aid).mission in REACTIONS]
    yield from _land_all(ctx, reacting)
    yield from _land_all(ctx, [aid for aid in flying if aid not in reacting])
    yield from capture_beside(ctx, state.player)


def land_support(ctx: Ctx[State], side: str) -> Proc[None]:
    """At the start of a side's air phase its defensive support of the game turn before comes home (WD 20.F.2.d)."""
    state = ctx.state
    yield from _land_all(ctx, [aid for aid in in_the_air(state) if flight_of(state, aid).craft.side == side])


def land_after_combat(ctx: Ctx[State]) -> Proc[None]:
    """At the end of the combat phase ground support comes home, whether its attack was made or not (WD 20.F.2.c)."""
    state = ctx.state
    flying = [aid for aid in in_the_air(state) if of_this_phase(state, flight_of(state, aid))]
    yield from _land_all(ctx, [aid for aid in flying if waits_for(state, aid) == AFTER_COMBAT])


def _land_all(ctx: Ctx[State], ids: Iterable[str]) -> Proc[None]:
    for aid in ids:
        yield from _come_home(ctx, aid)


# --- where it may land ------------------------------------------------------------------------------------------


def landing_places(state: State, flight: Flight) -> list[int]:
    """The bases where a flight may land now, the nearest first, of equal ones the larger (WD 18.return, pbem A10).

    One that flew to a base to stay there has no other while that is its side's (WD 20.B, 20.D, 20.E.1).
    """
    side, find = flight.craft.side, state.board.find
    if flight.flies_as in ONE_WAY and not flight.fate and own_base(state, flight.target, side):
        return [flight.target]
    reached = bases_in_range(flight, bases_from(state, side, flight.target))
    near = [(base.distance, -base_capacity(state, find(base.id)), base.id) for base in reached]
    return [find(text) for _distance, _capacity, text in sorted(near)]


def land_ask(state: State, aid: str, places: Sequence[int]) -> Ask[int]:
    """Where an air unit lands: what its order says, else the base that it came from, else the nearest (pbem A10)."""
    flight = flight_of(state, aid)
    key = f"{LAND}/{state.board.label(flight.target)}/{aid}"
    return Ask(
        key=key,
        side=flight.craft.side,
        rule=RULE,
        topic=LAND,
        find=lambda orders: _answered(state, key, orders),
        problems=lambda h: _problems(state, flight, places, h),
        atoms=lambda: places,
        default=lambda: usual_place(state, aid, places),
    )


def usual_place(state: State, aid: str, places: Sequence[int]) -> int:
    """Where an air unit lands that nobody answers for (pbem A10). ``places`` as in :func:`landing_places`."""
    wished = wish_of(state, aid, places)
    if wished is not None:
        return wished
    home = state.air[aid].hex
    return home if home in places else places[0]


def wish_of(state: State, aid: str, places: Sequence[int]) -> int | None:
    """The first base that its order names and that it may land at; None where there is none."""
    sortie = state.air[aid].sortie
    return next((h for h in (sortie.land if sortie else ()) if h in places), None)


def _answered(state: State, key: str, orders: Sequence[Order]) -> int | None:
    answer = answer_to(orders, key)
    path = answer.texts("path") if answer is not None else []
    return hex_in(state, path[0]) if path else None


def _problems(state: State, flight: Flight, places: Sequence[int], h: int) -> list[Problem]:
    if h in places:
        return []
    name = flight.craft.name or flight.id
    rule = FAR_RULE if flight.extended else RULE
    text = f"{state.board.name(h)} is no base of yours within {flight.reach} hexes of {name}"
    around = ", ".join(state.board.name(place) for place in places)
    return [Problem("land", rule, text, f"choose from {around}", field="path")]


# --- one landing ------------------------------------------------------------------------------------------------


def _come_home(ctx: Ctx[State], aid: str) -> Proc[None]:
    """An air unit lands, with the glider on its tow, or is lost where no base is in range (WD 18.return)."""
    state, flight = ctx.state, flight_of(ctx.state, aid)
    places = landing_places(state, flight)
    where, side = state.board.name(flight.target), flight.craft.side
    if not places:
        aboard = sortie_of(state, aid).cargo
        ctx.emit("air-lost", RULE, (), air=aid, hex=where, side=side, why=NO_BASE)
        lose_cargo(ctx, aboard)
        return
    answer: Answer[int] = yield from ctx.ask(land_ask(state, aid, places))
    base = answer.value
    data: dict[str, Tree] = {"air": aid, "base": state.board.name(base), "from": where, "side": side}
    die = None
    if may_crash(flight):
        data["label"] = f"crash/{state.board.label(base)}/{aid}"
        (die,) = yield from ctx.roll(Roll(str(data["label"]), "crash", assume=(1,), who=side))
        data["die"], data["crash"] = str(die), "yes" if crashes(die) else ""
    data["state"] = landed(flight, None, die)
    crashed = die is not None and crashes(die)
    land_cargo(ctx, aid, base)
    rule = CRASH_RULE if crashed and data["state"] == INOPERATIVE else RULE
    ctx.emit("air-landed", rule, answer.by, "public", **data, **_choice(state, aid, places, answer))


def _choice(state: State, aid: str, places: Sequence[int], answer: Answer[int]) -> dict[str, Tree]:
    """How the base was chosen: its order speaks of it like an answer does, though it was given before."""
    ordered = answer.source == "default" and not answer.by and wish_of(state, aid, places) == answer.value
    return {"choice": "order", "clause": ""} if ordered else told(answer)

"""The mission step of the air phase: hex by hex, antiaircraft first, then what is flown there (WD 16.C.4, 20, 22, 25).

Missions by night are carried out after those by day (ruling NIGHT-ORDER). Support is fired at as it comes, and counts
in combat only (WD 20.F.2.c, 20.F.2.d). In a hex bombs fall before anyone is set down or dropped there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from adjudicator.engine.core import Ctx, Proc, Roll, Tree
from adjudicator.western_desert.air.aboard import ANTIAIRCRAFT, befall, bring_back
from adjudicator.western_desert.air.bombing import ROLLED, bomb_table, delivers, harassment, parties, strike_of
from adjudicator.western_desert.air.book import flight_of, in_the_air, of_this_phase
from adjudicator.western_desert.air.craft import CARRYING, HARASS, REACTIONS, SUPPRESSION, UNHURT, Flight
from adjudicator.western_desert.air.dropping import drop_and_unload
from adjudicator.western_desert.air.escaping import bases_fall
from adjudicator.western_desert.air.flak import AT_MISSIONS, Burst, aa_of_hex, bursts, fire_at
from adjudicator.western_desert.air.raiding import SUPPRESSED, groups, still_enemy, strike_all, strike_one
from adjudicator.western_desert.air.tables import air_tables, mildest
from adjudicator.western_desert.retreating import PUBLIC
from adjudicator.western_desert.rolling import dice_per_roll
from adjudicator.western_desert.state import ENEMY, State

AA_KIND, AA_RULE = "antiaircraft", "WD 22.B"
HARASS_RULE = "WD 20.F.2.e"


class Battery(NamedTuple):
    """Whose antiaircraft fires over which hex, at which moment, and the messages that brought it about."""

    hex: int
    side: str
    when: str = AT_MISSIONS
    by: tuple[int, ...] = ()


class Place(NamedTuple):
    """Where missions are carried out: the time of day, by day first, and the hex."""

    night: bool
    hex: int


def carry_out_missions(ctx: Ctx[State]) -> Proc[None]:
    """All missions of the phase (WD 16.C.4); cargo of transports that were turned back is home again at its end.

    A base that ground units left by air, or were lost from, may have fallen to the enemy around it (WD 17.B.capture).
    """
    late, begun = ctx.state.world.plays(SUPPRESSION), len(ctx.events)
    for place in places(ctx.state):
        if late:
            yield from _one_by_one(ctx, place, begun)
        else:
            yield from antiaircraft(ctx, place, flights_at(ctx.state, place))
            yield from _missions(ctx, place)
    bring_back(ctx)
    yield from bases_fall(ctx)


def places(state: State) -> list[Place]:
    """Where the phasing player's air units have come on their missions, in the order in which they are carried out."""
    flights = [flight_of(state, aid) for aid in in_the_air(state)]
    return sorted({Place(flight.night, flight.target) for flight in flights if _comes(state, flight)})


def flights_at(state: State, place: Place) -> list[Flight]:
    """The flights on missions there that nothing has befallen, in the order in which they took off."""
    flights = [flight_of(state, aid) for aid in in_the_air(state)]
    return [one for one in flights if _comes(state, one) and (one.night, one.target) == place]


def _comes(state: State, flight: Flight) -> bool:
    return of_this_phase(state, flight) and flight.fate == UNHURT and flight.mission not in REACTIONS


# --- antiaircraft -----------------------------------------------------------------------------------------------


def antiaircraft(ctx: Ctx[State], place: Place, flights: Sequence[Flight], suppressed: int = 0) -> Proc[None]:
    """The antiaircraft of a hex fires once at each of these air units that it may fire at (WD 22.B, 22.B.all)."""
    state = ctx.state
    battery = Battery(place.hex, ENEMY[state.player])
    strength = aa_of_hex(state, place.hex, battery.side)
    tables, label = air_tables(state.world), state.board.label(place.hex)
    for burst in bursts(tables, label, strength, flights, suppressed=suppressed):
        yield from fire(ctx, battery, burst)


def fire(ctx: Ctx[State], battery: Battery, burst: Burst) -> Proc[None]:
    """The fire of a side at one air unit over a hex, its dice, and what it does (WD 22.B)."""
    tables = air_tables(ctx.state.world)
    assume = mildest(lambda total: fire_at(tables, burst, total).fate == UNHURT)
    request = Roll(burst.label, AA_KIND, count=dice_per_roll(AA_KIND), assume=assume, who=battery.side)
    dice = yield from ctx.roll(request)
    found = fire_at(tables, burst, sum(dice))
    data: dict[str, Tree] = {
        "hex": ctx.state.board.name(battery.hex),
        "side": battery.side,
        "air": burst.target,
        "when": battery.when,
        "strength": str(burst.strength),
        "column": str(burst.column),
        "modifier": str(burst.modifier),
        "dice": [str(die) for die in dice],
        "roll": str(found.roll),
        "used": str(found.used),
        "label": burst.label,
        "result": found.result,
        "fate": found.fate,
    }
    ctx.emit("aa-fire", AA_RULE, battery.by, PUBLIC, **data)
    if found.fate != UNHURT:
        befall(ctx, burst.target, found.fate, battery.hex, ANTIAIRCRAFT, battery.by)


# --- the missions -----------------------------------------------------------------------------------------------


def _missions(ctx: Ctx[State], place: Place) -> Proc[None]:
    """What has come through in one hex is carried out: bombs, then harassment, then transport and drops."""
    flights = flights_at(ctx.state, place)
    if still_enemy(ctx, flights, place.hex):
        yield from strike_all(ctx, flights, place.hex)
        _harass(ctx, flights, place.hex)
    yield from drop_and_unload(ctx, flights, place.hex)


def _one_by_one(ctx: Ctx[State], place: Place, begun: int) -> Proc[None]:
    """The missions of a hex where antiaircraft may be suppressed: fired at is each attack just before it is made, in
    the order in which they took off; then support and harassment; then transport and drops (WD 33.I).

    ``begun`` counts the events before the step.
    """
    state, h = ctx.state, place.hex
    flights = flights_at(state, place)
    table, label = bomb_table(state.world), state.board.label(h)
    if still_enemy(ctx, flights, h):
        for party in parties(flights, groups(state, flights)):
            yield from antiaircraft(ctx, place, party, suppressed(ctx, h, begun))
            left = [one for one in flights_at(state, place) if one.id in {flight.id for flight in party}]
            if left:
                yield from strike_one(ctx, strike_of(table, label, left), h)
    for carrying in (False, True):
        yield from antiaircraft(ctx, place, _late(state, place, carrying), suppressed(ctx, h, begun))
        there = _late(state, place, carrying)
        if carrying:
            yield from drop_and_unload(ctx, there, h)
        elif state.owner(h) != state.player:
            _harass(ctx, there, h)


def _late(state: State, place: Place, carrying: bool) -> list[Flight]:
    """The flights there that no die decides: support and harassment, or those that carry ground units."""
    return [one for one in flights_at(state, place) if one.mission not in ROLLED and carrying == carries(one)]


def carries(flight: Flight) -> bool:
    """Whether a flight carries ground units."""
    return flight.mission in CARRYING


def suppressed(ctx: Ctx[State], h: int, begun: int) -> int:
    """The hits of suppression on the antiaircraft of a hex in this air phase (WD 33.I)."""
    name = ctx.state.board.name(h)
    bombed = [event.data for event in ctx.events[begun:] if event.kind == "bombing"]
    return sum(1 for data in bombed if data["effect"] == SUPPRESSED and data["hex"] == name)


def _harass(ctx: Ctx[State], flights: list[Flight], h: int) -> None:
    """All harassment of a hex together (WD 20.F.2.e, ruling BOMB-UNDER-2)."""
    who = [flight for flight in flights if flight.flies_as == HARASS and delivers(flight)]
    if who:
        data: dict[str, Tree] = {
            "hex": ctx.state.board.name(h),
            "side": ctx.state.player,
            "points": str(harassment(who)),
            "with": [flight.id for flight in who],
        }
        ctx.emit("harassment", HARASS_RULE, (), PUBLIC, **data)

"""Air transport and air drops: what is carried, where to, and what becomes of it (WD 20.E, 24.B, 24.C, 25).

Who may fly, and how far, is judged in ``missions``; here stands what the cargo asks. Several transports that carry
together are judged together, each with the glider on its tow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from typing import NamedTuple

from adjudicator.engine.core import Problem
from adjudicator.western_desert.air.bombing import DieChange
from adjudicator.western_desert.air.craft import (
    ABORTED,
    DROP,
    ELIMINATED,
    FATES,
    ONE_HALF,
    TURNED_BACK,
    UNHURT,
    Craft,
    Flight,
)
from adjudicator.western_desert.bases import FULL_CITY, base_features
from adjudicator.western_desert.battle import Attack
from adjudicator.western_desert.charts import cell, rows
from adjudicator.western_desert.sea.voyages import transport_re2
from adjudicator.western_desert.state import State, World
from adjudicator.western_desert.units import number

REGULAR_RE, DROP_RE = Fraction(1), Fraction(1, 2)
"""What a transport or a glider carries on a regular mission, and on a drop (WD 20.E.1, 20.E.2, 24.C)."""
AIR_LANDING, ROUGH = "air_landing", "rough"
LANDED = "landed"
DISRUPTED_UP_TO = 1
IN_REACH, BY_NIGHT, BY_GLIDER = -1, -2, 1
FACES = 6
LIFT_RULE, REGULAR_RULE, DROP_RULE, FAR_RULE = "WD 20.E", "WD 20.E.1", "WD 20.E.2", "WD 24.B.transport"
TOW_RULE, GLIDERS_RULE, AIRBORNE_RULE, DUTY_RULE = "WD 24.C", "WD 25.D", "WD 25", "WD 25.C.must"
DIE_RULE = "WD 25.A.mod"


class Cargo(NamedTuple):
    """A ground unit that is to be carried: its size in REs, and what rules 3.F, 20.E and 25 ask of it."""

    id: str
    name: str
    re: Fraction
    heavy: bool = False
    airborne: bool = False
    air_landing: bool = False
    at_base: bool = True


class Hold(NamedTuple):
    """The room of one transport or glider in REs, and the flight that it belongs to."""

    craft: str
    flight: str
    glider: bool
    room: Fraction


class Stowage(NamedTuple):
    """Which holds each unit uses, by id, and the REs of each that found none."""

    holds: Mapping[str, tuple[Hold, ...]]
    left: Mapping[str, Fraction]


class DropSite(NamedTuple):
    """A hex under a drop: may it be dropped upon, is it rough, are enemy units in it, does an enemy ZOC reach it."""

    name: str
    terrain: str
    barred: bool = False
    enemy: bool = False
    ezoc: bool = False

    @property
    def hard(self) -> bool:
        """Whether it costs the disruption die its 1, once however many reasons there are (WD 25.A.mod)."""
        return self.enemy or self.ezoc or self.terrain == ROUGH


class Delivery(NamedTuple):
    """What becomes of a unit that is carried: ``landed`` as its mission meant, ``turned_back`` or ``eliminated``, and
    the flight that it comes down with."""

    outcome: str
    flight: str


def cargo_of(state: State, uid: str, base: int) -> Cargo:
    """A unit as cargo from a base (WD 20.E, 3.F, 22.A.3, 25). Raises KeyError for one that is not on the map."""
    unit = state.unit(uid)
    return Cargo(
        uid,
        unit.short or uid,
        Fraction(transport_re2(unit), 2),
        heavy=unit.heavy,
        airborne=unit.airborne,
        air_landing=unit.type == AIR_LANDING,
        at_base=state.hex_of(uid) == base,
    )


# --- room -------------------------------------------------------------------------------------------------------


def room(mission: str, extended: bool) -> Fraction:
    """The REs that a transport, or a glider, carries: one, a half on a drop, half of that at extended range (WD 20.E.1,
    20.E.2, 24.B.transport, 24.C, ruling TRANSPORT-EXT)."""
    return (DROP_RE if mission == DROP else REGULAR_RE) * (ONE_HALF if extended else 1)


def holds_of(flights: Iterable[Flight]) -> list[Hold]:
    """The holds of transports, each followed by that of the glider on its tow (WD 24.C)."""
    return [
        Hold(craft.id, flight.id, craft.glider, room(flight.mission, flight.extended))
        for flight in flights
        for craft in flight.crew
    ]


def stow(flights: Iterable[Flight], cargo: Iterable[Cargo]) -> Stowage:
    """Where each unit rides, in the order given: in one hold where it fits, the tightest, else in several (WD 20.E).

    Air landing units are stowed first and on a drop in gliders only (WD 25.D).
    """
    listed = list(flights)
    drop = any(flight.mission == DROP for flight in listed)
    free = {hold: hold.room for hold in holds_of(listed)}
    holds: dict[str, tuple[Hold, ...]] = {}
    left: dict[str, Fraction] = {}
    for unit in sorted(cargo, key=lambda one: not one.air_landing):
        fit = [hold for hold in free if free[hold] and (hold.glider or not (drop and unit.air_landing))]
        holds[unit.id], left[unit.id] = _ride(free, fit, unit.re)
    return Stowage(holds, left)


def _ride(free: dict[Hold, Fraction], fit: Sequence[Hold], re: Fraction) -> tuple[tuple[Hold, ...], Fraction]:
    """The holds that take so many REs, whose room is taken, and what found none."""
    whole = sorted((hold for hold in fit if free[hold] >= re), key=lambda hold: free[hold])
    used = []
    for hold in whole[:1] or fit:
        taken = min(re, free[hold])
        if taken:
            free[hold] -= taken
            re -= taken
            used.append(hold)
    return tuple(used), re


def by_glider(stowage: Stowage, uid: str) -> bool:
    """Whether a unit uses a glider as part or all of its transport (WD 25.A.mod)."""
    return any(hold.glider for hold in stowage.holds.get(uid, ()))


# --- may it be carried ------------------------------------------------------------------------------------------


def lift_problems(flights: Sequence[Flight], cargo: Sequence[Cargo], site: DropSite | None = None) -> list[Problem]:
    """What is wrong with transports and their cargo, the range and the base of arrival apart (WD 20.E, 24.C, 25).

    ``site`` is the hex of a drop.
    """
    drop = any(flight.mission == DROP for flight in flights)
    found = [*_together(flights), *chain.from_iterable(_cargo(unit, drop) for unit in cargo)]
    if drop and site is not None:
        found += site_problems(site)
    return found + _room(flights, cargo, drop)


def _together(flights: Sequence[Flight]) -> list[Problem]:
    """Transports that combine fly one mission, from one base to one hex, at one time of day."""
    if len({(f.mission, f.base, f.target, f.night) for f in flights}) < 2:
        return []
    text = "transports that carry together fly one mission, from one base to one hex, at the same time of day"
    return [Problem("lift_mixed", LIFT_RULE, text, "give each its own cargo")]


def _cargo(unit: Cargo, drop: bool) -> list[Problem]:
    """WD 20.E, 3.F: no heavy equipment, not even in airborne units (ruling AIRBORNE-HEAVY), and a start at the base; WD
    20.E.2, 25: only airborne units are dropped, whatever others are called."""
    found = []
    if unit.heavy:
        text = f"{unit.name} has heavy equipment and is not carried by air"
        found.append(Problem("heavy", LIFT_RULE, text, "carry a unit without heavy equipment (WD 3.F)"))
    if not unit.at_base:
        text = f"{unit.name} is not at the base of its transport as the air movement step begins"
        found.append(Problem("not_at_base", LIFT_RULE, text, "carry a unit that is there"))
    if drop and not unit.airborne:
        text = f"{unit.name} is no airborne unit and can't be dropped"
        found.append(Problem("not_airborne", AIRBORNE_RULE, text, "drop parachute or air landing units"))
    return found


def _room(flights: Sequence[Flight], cargo: Sequence[Cargo], drop: bool) -> list[Problem]:
    """WD 20.E.1, 20.E.2, 24.B.transport: one RE, or a half, for each transport and glider; WD 25.D: gliders only."""
    stowage = stow(flights, cargo)
    short = [unit for unit in cargo if stowage.left[unit.id]]
    found = []
    for unit in short:
        if drop and unit.air_landing:
            most = sum((hold.room for hold in holds_of(flights) if hold.glider), Fraction(0))
            text = f"{unit.name} is an air landing unit and drops from gliders only, which take {number(most)} REs here"
            found.append(Problem("gliders_only", GLIDERS_RULE, text, "tow more gliders"))
    if any(not (drop and unit.air_landing) for unit in short):
        found.append(_too_much(flights, cargo, drop))
    return found


def _too_much(flights: Sequence[Flight], cargo: Sequence[Cargo], drop: bool) -> Problem:
    far = any(flight.extended for flight in flights)
    most = sum((hold.room for hold in holds_of(flights)), Fraction(0))
    size = sum((unit.re for unit in cargo), Fraction(0))
    how = " at extended range" if far else ""
    text = f"the cargo is {number(size)} REs; its transports take {number(most)}{how}"
    hint = "send more transports, or carry less" + (", or fly within the ordinary range" if far else "")
    return Problem("lift", FAR_RULE if far else DROP_RULE if drop else REGULAR_RULE, text, hint)


def towing_problems(transports: Sequence[Craft], gliders: Sequence[Craft]) -> list[Problem]:
    """What is wrong with gliders for transports to tow: each tows one (WD 24.C)."""
    if len(gliders) <= len(transports):
        return []
    text = f"{len(gliders)} gliders are to be towed by {len(transports)} transports; each tows one"
    return [Problem("tow", TOW_RULE, text, "send more transports, or leave gliders behind")]


# --- the drop ---------------------------------------------------------------------------------------------------


def site_of(state: State, h: int, side: str) -> DropSite:
    """A hex as the site of a drop of that side (WD 20.E.2, 25.A.mod, ruling CANAL-RIVER)."""
    terrain = FULL_CITY if FULL_CITY in base_features(state, h) else state.board.terrain(h)
    return DropSite(
        state.board.feature_names(h),
        terrain,
        barred=terrain not in droppable(state.world),
        enemy=state.enemy_in(h, side),
        ezoc=state.ezoc(h, side),
    )


def droppable(world: World) -> frozenset[str]:
    """The terrain that units may be dropped upon (WD 20.E.2). Raises ChartMissing for a pack that doesn't say it."""
    found = world.cache.get("drop terrain")
    if not isinstance(found, frozenset):
        table = rows(world.charts, "terrain")
        found = frozenset(cell(row, "terrain") for row in table if cell(row, "drop") == "yes")
        world.cache["drop terrain"] = found
    return found


def site_problems(site: DropSite) -> list[Problem]:
    """What keeps a hex from being dropped upon: its terrain. Enemy units and their ZOCs don't (WD 20.E.2)."""
    if not site.barred:
        return []
    text = f"no unit is dropped on {site.name}: its terrain is {site.terrain.replace('_', ' ')}"
    return [
        Problem("drop_terrain", DROP_RULE, text, "drop on clear, rough or sand ground, not on a full hex city")
    ]


def disruption(site: DropSite, night: bool, glider: bool) -> tuple[DieChange, ...]:
    """What changes the disruption die: -1 for enemy units, an enemy ZOC or rough ground, once; -2 by night; +1 for a
    unit that uses a glider (WD 25.A.mod)."""
    return tuple(
        change
        for change, applies in (
            (DieChange("enemy units, their ZOCs or rough ground", IN_REACH, DIE_RULE), site.hard),
            (DieChange("by night", BY_NIGHT, DIE_RULE), night),
            (DieChange("by glider", BY_GLIDER, DIE_RULE), glider),
        )
        if applies
    )


def disrupts(die: int, changes: Iterable[DieChange]) -> bool:
    """Whether a die disrupts the unit that drops (WD 25.A)."""
    return die + sum(change.value for change in changes) <= DISRUPTED_UP_TO


def disrupted_on(changes: Sequence[DieChange]) -> tuple[int, ...]:
    """The rolls that disrupt (WD 25.A)."""
    return tuple(die for die in range(1, FACES + 1) if disrupts(die, changes))


def disruption_label(place: str, uid: str) -> str:
    """The name of the disruption die of a unit that drops on a hex of that name."""
    return f"disruption/{place}/{uid}"


# --- what becomes of it -----------------------------------------------------------------------------------------


def delivery(carriers: Sequence[Flight]) -> Delivery:
    """What becomes of a unit on its transports: the worst that befell any of them fits all of it (WD 20.E.fate).

    It comes home with the transport that was hit worst, the first of several. Raises ValueError without a transport.
    """
    hit = max(carriers, key=lambda flight: FATES.index(flight.fate))
    outcome = {UNHURT: LANDED, ABORTED: TURNED_BACK}.get(hit.fate, hit.fate)
    return Delivery(outcome, hit.id)


def carriers_of(stowage: Stowage, uid: str, flights: Iterable[Flight]) -> list[Flight]:
    """The flights that carry a unit, each once; results to a tow hit its glider too (WD 24.C.defense)."""
    used = {hold.flight for hold in stowage.holds.get(uid, ())}
    return [flight for flight in flights if flight.id in used]


def expended(flight: Flight) -> bool:
    """Whether the glider of a flight is removed from play: after its use in a drop (WD 24.C.expend). Who was turned
    back dropped nothing."""
    return flight.tow is not None and flight.mission == DROP and flight.fate == UNHURT


def lost_with(flight: Flight) -> tuple[str, ...]:
    """The air units that are lost with a flight, the glider with its tow (WD 24.C.defense); none where it is not."""
    return tuple(craft.id for craft in flight.crew) if flight.fate == ELIMINATED else ()


# --- combat -----------------------------------------------------------------------------------------------------


def must_attack(state: State, uid: str) -> bool:
    """Whether a unit that was dropped in this player turn is in a hex with enemy units, which it must attack in the
    combat phase (WD 25.C.must)."""
    piece = state.pieces[uid]
    return piece.dropped and state.enemy_in(piece.hex, state.world.units[uid].side)


def bound_problems(state: State, uid: str, h: int) -> list[Problem]:
    """What keeps a unit that was dropped on enemy units from attacking any other hex than its own (WD 25.C.must)."""
    if not must_attack(state, uid) or state.hex_of(uid) == h:
        return []
    return [_duty(state, uid)]


def left_out_problems(state: State, attack: Attack) -> list[Problem]:
    """Units in the hex attacked that were dropped on the enemy there and take no part (WD 25.C.must)."""
    here = [uid for uid in state.friends_at(attack.hex, attack.side) if uid not in attack.units]
    return [replace(_duty(state, uid), code="joined") for uid in here if must_attack(state, uid)]


def _duty(state: State, uid: str) -> Problem:
    where = state.board.feature_names(state.hex_of(uid))
    name = state.unit(uid).short or uid
    text = f"{name} was dropped on enemy units in {where} and must attack them"
    return Problem("must_attack", DUTY_RULE, text, f"attack {where} with it", field="with")


def duties_left(state: State, side: str) -> dict[int, tuple[str, ...]]:
    """Where units of a side were dropped on enemy units that they have not attacked yet, and which (WD 25.C.must)."""
    found: dict[int, list[str]] = {}
    for uid in state.side_units(side):
        if must_attack(state, uid) and not state.pieces[uid].attacked:
            found.setdefault(state.hex_of(uid), []).append(uid)
    return {h: tuple(units) for h, units in sorted(found.items())}


def duty_problems(state: State, side: str, attacks: Iterable[Attack]) -> list[Problem]:
    """Units of a side that must attack the enemy in their hex and don't, by all attacks of the combat phase (WD
    25.C.must). Units next to the hex may join, and units dropped elsewhere attack as they like (WD 25.C)."""
    planned = {uid: attack.hex for attack in attacks for uid in attack.units}
    bound = [uid for uid in sorted(state.side_units(side)) if must_attack(state, uid)]
    return [_duty(state, uid) for uid in bound if planned.get(uid) != state.hex_of(uid)]

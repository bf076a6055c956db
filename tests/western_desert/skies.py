"""Air units on positions of chance: bases where units stand, air units at them, some of them over the front (WD 16)."""

from __future__ import annotations

import random
from dataclasses import replace

from adjudicator.western_desert import hexes
from adjudicator.western_desert.air.craft import DEFENSIVE_SUPPORT, GROUND_SUPPORT, craft_of
from adjudicator.western_desert.air.drops import site_of, site_problems
from adjudicator.western_desert.air.facts import is_airbase
from adjudicator.western_desert.stacking import fits
from adjudicator.western_desert.state import ENEMY, Air, Sortie, State, turn_name
from adjudicator.western_desert.theatre.forces import pool_on, pool_rows
from adjudicator.western_desert.theatre.record import Operation

AT_BASE, AT_FRONT, SICK_SHARE = 14, 4, 0.2
SIDES = ("allied", "axis")


def air_units(state: State, chance: random.Random, phase: str) -> None:
    """Airfields and air units of both sides, with airborne units and support overhead in the phases that ask for it."""
    due = {str(row.get("unit")) for row in state.world.events if row.get("turn") == turn_name(state.turn)}
    for side in SIDES:
        bases = _bases(state, side, chance)
        ids = [aid for aid in sorted(state.world.air) if craft_of(state.world, aid).side == side and aid not in due]
        for aid in chance.sample(ids, AT_BASE) if bases else ():
            state.boxes.pop(aid, None)
            state.air[aid] = Air(chance.choice(bases), chance.random() > SICK_SHARE)
        if phase in ("air", "reaction") and bases:
            _airborne(state, side, bases, chance)
    if phase in ("movement", "combat", "exploitation"):
        _support(state, chance, DEFENSIVE_SUPPORT, ENEMY[state.player], state.player)
    if phase == "combat":
        _support(state, chance, GROUND_SUPPORT, state.player, state.player)


def _bases(state: State, side: str, chance: random.Random) -> list[int]:
    """Airbases of a side near the front: those that there are, and airfields where its units stand."""
    own = sorted({state.hex_of(uid) for uid in state.side_units(side)})
    own = [h for h in own if not state.enemy_in(h, side)]
    for h in chance.sample(own, min(3, len(own))):
        if not is_airbase(state, h):
            state.airfields[h] = side
        state.control[h] = side
    return [h for h in own if is_airbase(state, h)]


def _airborne(state: State, side: str, bases: list[int], chance: random.Random) -> None:
    """Transports with gliders, and units that they may drop, at one base."""
    h, world = chance.choice(bases), state.world
    flying = [aid for aid in sorted(world.air) if craft_of(world, aid).side == side]
    for kind in ("T", "GT"):
        ids = [aid for aid in flying if craft_of(world, aid).plain == kind]
        for aid in ids[:3]:
            state.boxes.pop(aid, None)
            state.air[aid] = Air(h)
    units = [uid for uid, unit in sorted(world.units.items()) if unit.side == side and unit.airborne]
    planned = [uid for uid in units if pool_rows(world).get(uid)]  # of the Axis only they are dropped (WD 27.A)
    spare = [uid for uid in planned[::-1] or units if uid not in state.pieces]
    for uid in spare[:2]:
        if fits(state, h, side, [uid]):
            state.place(uid, h)
            land = [n for n in hexes.within(h, 8) if n in state.board.land]
            near = [n for n in land if not site_problems(site_of(state, n, side))]
            operation(state, uid, random.Random(f"{uid} {h}").choice(near or [h]))


def operation(state: State, uid: str, h: int) -> None:
    """A unit of the special forces enters with an operation against a hex (WD 27.A)."""
    if pool_rows(state.world).get(uid) and state.player == "axis":
        one = Operation(uid, pool_on(state.world, uid, state.turn), state.turn, h)
        state.theatre = replace(state.theatre, operations=(*state.theatre.operations, one))


def _support(state: State, chance: random.Random, mission: str, side: str, attacker: str) -> None:
    """Bombers over hexes of defenders that attackers stand next to."""
    whose = ENEMY[attacker]
    held = sorted({state.hex_of(uid) for uid in state.side_units(whose)})
    near = [h for h in held if any(state.enemy_in(n, whose) for n in hexes.neighbours(h))]
    able = [aid for aid, unit in sorted(state.air.items()) if unit.operative and unit.sortie is None]
    able = [aid for aid in able if craft_of(state.world, aid).side == side and craft_of(state.world, aid).tactical]
    begun = sum(unit.sortie is not None for unit in state.air.values())
    for number, aid in enumerate(able[:AT_FRONT] if near else (), 1):
        over = chance.choice([h for h in near if hexes.distance(h, state.air[aid].hex) <= 20] or near)
        state.air[aid].sortie = Sortie(mission, over, begun + number)

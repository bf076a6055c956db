"""Positions of chance on the real map: units and supply of both sides around the frontier, divisions and their
components, engineers where there is work, transport counters beside units, on any turn."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

from adjudicator.engine.core import Order
from adjudicator.western_desert import hexes
from adjudicator.western_desert.air.facts import base_hexes
from adjudicator.western_desert.air.staging import BOX as BOX_OF_EUROPE
from adjudicator.western_desert.air.staging import OPTION as STAGING
from adjudicator.western_desert.bases import port_row, undamaged_base
from adjudicator.western_desert.component_sets import PartSet, is_headquarters, is_own, must_be_own, sets_of
from adjudicator.western_desert.converting import open_rows
from adjudicator.western_desert.divisions import assemblies
from adjudicator.western_desert.fifth_army import BOX, tripoli
from adjudicator.western_desert.graph import graph_of
from adjudicator.western_desert.orderbook import missing
from adjudicator.western_desert.pool import rp_key
from adjudicator.western_desert.railworks import railhead
from adjudicator.western_desert.stacking import fits
from adjudicator.western_desert.state import LAST_TURN, Air, Site, State, Supply, World, turn_number
from adjudicator.western_desert.theatre.tripolitania import ALARM
from adjudicator.western_desert.theatre.tripolitania import BOX as GARRISON_BOX
from adjudicator.western_desert.units import Unit
from adjudicator.western_desert.world import rows, texts
from tests.western_desert.ground import FRONTIER, compass, run, scattered, settled
from tests.western_desert.skies import air_units

OPTIONS = "32.C 33.B 33.D 33.F 33.H 33.I"
DEPOT = "19/2423"


@cache
def optional() -> World:
    """The world of Compass with the optional rules on the ground; never changed."""
    return replace(compass(), switches={"options": OPTIONS}, cache={})


def position(seed: int, phase: str) -> State:
    """Units and supply of both sides at random around the frontier, before a phase of one of them."""
    chance = random.Random(f"position {seed}")
    crowded = phase == "combat" or chance.random() < 0.3
    units = 90 if phase == "combat" else 40
    state = scattered(seed, units, chance.sample(FRONTIER, 2)) if crowded else scattered(seed, 30)
    for side in ("allied", "axis"):
        own = sorted({state.hex_of(uid) for uid in state.side_units(side)})
        h = chance.choice(own) if own else -1
        for _number in range(chance.randint(0, 4) if own else 0):
            h = chance.choice([*own, *[h] * len(own)])
            state.captured += 1
            state.supply[f"supply-{side}-captured-{state.captured}"] = Supply(h, side, chance.randint(1, 2))
    if chance.random() < 0.4:
        state.world = optional()
    state = _divisions(state, chance)
    state.phase = state.step = phase
    _date(state, chance, phase)
    _returns(state, chance, phase)
    _engineers(state, chance)
    _sites(state, chance)
    _trucks(state, chance)
    _libyan_boxes(state)
    _near_tripoli(state, random.Random(f"tripoli {seed} {phase}"))
    _pool(state, chance)
    settled(state)
    state.malta = random.Random(f"malta {seed}").randint(0, 6)
    air_units(state, random.Random(f"air {seed} {phase}"), phase)
    if state.world.plays("33.B") and state.player == "allied":
        state.points.setdefault("british_non_armor", 16)
    _in_europe(state, random.Random(f"europe {seed} {phase}"))
    return state


def _in_europe(state: State, chance: random.Random) -> None:
    """With option 33.F some Axis air units in Europe, and some at a base on Sicily, gliders among them."""
    if not state.world.plays(STAGING):
        return
    bases = [h for h in base_hexes(state, "axis") if state.board.in_region(h, "Sicily")]
    spare = [aid for aid in sorted(state.world.air) if aid not in state.air and state.world.air[aid]["side"] == "axis"]
    gliders = [aid for aid in spare if state.world.air[aid]["type"] in ("T", "GT")]
    for aid in sorted({*chance.sample(spare, 4), *chance.sample(gliders, min(4, len(gliders)))}) if bases else ():
        state.boxes.pop(aid, None)
        if chance.random() < 0.5:
            state.put_by(aid, BOX_OF_EUROPE)
        else:
            state.air[aid] = Air(bases[0])


def _divisions(state: State, chance: random.Random) -> State:
    """Components of some divisions of the phasing side stacked together, now and then assembled (WD 15)."""
    world, side = state.world, state.player
    own = sorted({state.hex_of(uid) for uid in state.side_units(side)})
    whole = [u for uid, u in sorted(world.units.items()) if u.side == side and u.division and uid not in state.pieces]
    for division in chance.sample(whole, 4) if own else ():
        h = chance.choice(own)
        sets = sets_of(world, division)
        parts = _components(state, division, chance.choice(sets)) if sets else []
        if parts and fits(state, h, side, parts):
            for uid in parts:
                state.place(uid, h)
    for uid, _h, units in assemblies(state, side):
        if chance.random() < 0.5 and not {*units} - state.pieces.keys():
            state = run(state, [Order(0, "assemble", {"into": uid, "units": list(units)})]).state
    return state


def _components(state: State, division: Unit, made: PartSet) -> list[str]:
    """Units off the map that make a set of a division; empty where some are missing."""
    spare = [u for uid, u in sorted(state.world.units.items()) if uid not in state.pieces and u.nat == division.nat]
    found = [u.id for u in spare if made.hq and is_headquarters(u, division)]
    for part in made.parts:
        fitting = [u for u in spare if part.fits(u) and u.id not in found]
        lawful = [u.id for u in fitting if not must_be_own(made, u) or is_own(u, division)]
        if not lawful:
            return []
        found.append(lawful[0])
    return found


def _date(state: State, chance: random.Random, phase: str) -> None:
    """Any turn; for the initial phase the surprise turn, or one that brings nothing. The line from Matruh grows."""
    turns = [turn for turn in range(1, LAST_TURN + 1) if phase != "initial" or not _due(state, turn)]
    state.turn = chance.choice(turns)
    state.surprise = phase == "initial" and state.turn == 1
    head = railhead(state)
    if head is not None and state.turn >= turn_number("Aug II 41"):
        state.built[head.line] = chance.randrange(len(state.board.unbuilt[head.line]))


def _returns(state: State, chance: random.Random, phase: str) -> None:
    """Now and then a turn on which somebody comes back from Greece, or supply goes there (WD 29.C.1, 29.C)."""
    rows = [row for row in state.world.events if row.get("kind") == "return" and row.get("side") == state.player]
    rows = [row for row in rows if row.get("unit") in state.world.units and row.get("unit") not in state.pieces]
    if phase == "initial" and rows and chance.random() < 0.3:
        row = chance.choice(rows)
        state.turn, state.surprise = turn_number(str(row["turn"])), False
        state.put_by(str(row["unit"]), "greece")
    elif phase == "initial" and chance.random() < 0.1:
        row = next(row for row in state.world.events if row.get("kind") == "supply_withdraw")
        state.turn, state.player, state.surprise = turn_number(str(row["turn"])), str(row["side"]), False
    _upgrades(state, chance)


def _upgrades(state: State, chance: random.Random) -> None:
    """A brigade that may be upgraded, in supply and with points for it (WD 29.D.2)."""
    rows = [row for row in open_rows(state, state.player) if row.get("rule") == "WD 29.D.2"]
    units = [str(uid) for row in rows for uid in row["from"] if uid not in state.pieces]  # type: ignore[attr-defined]
    depot = state.board.find(DEPOT)
    if units and not state.enemy_in(depot, state.player) and fits(state, depot, state.player, units[:1]):
        state.place(units[0], depot)
        state.points["british_armor"] = 8


def _due(state: State, turn: int) -> bool:
    state.turn = turn
    return bool(missing(state)) and turn > 1


def _engineers(state: State, chance: random.Random) -> None:
    """Now and then construction engineers on a railroad, broken where they are; and somebody at the railhead."""
    rails = [h for h in graph_of(state).rail_hexes if not state.enemy_in(h, state.player)]
    waiting = _waiting(state, "construction_engineer")
    if rails and waiting and chance.random() < 0.4:
        h = chance.choice(rails)
        state.place(waiting[0], h)
        if chance.random() < 0.8:
            state.broken.add(h)
    head = railhead(state)
    if head is not None and state.player == "allied" and chance.random() < 0.9:
        guards = [uid for uid in _waiting(state, "infantry") if fits(state, head.at, "allied", [uid])]
        if guards and not state.enemy_in(head.at, "allied"):
            state.place(guards[0], head.at)


def _sites(state: State, chance: random.Random) -> None:
    """Ports, airbases and fortresses damaged or to be improved, with engineers in them; works under way (WD 14.A)."""
    land, side = state.board.land, state.player
    near = {n for text in FRONTIER for n in hexes.within(hexes.parse(text), 3)}
    ports = [h for h in sorted(near) if h in land and port_row(state, h)]
    bases = [h for h in sorted(near) if h in land and undamaged_base(state, h)]
    strong = [h for h in sorted(near) if h in land and land[h].fortress]
    state.port_hits.update({h: 1 for h in ports if chance.random() < 0.5})
    state.base_hits.update({h: 1 for h in bases if chance.random() < 0.5})
    state.unimproved.update(h for h in strong if chance.random() < 0.7)
    for uid in _waiting(state, "construction_engineer"):
        h = chance.choice(chance.choice([found for found in (ports, bases, strong) if found]))
        if not state.enemy_in(h, side) and fits(state, h, side, [uid]):
            state.place(uid, h)
    for uid in [uid for uid in state.side_units(side) if state.unit(uid).type == "construction_engineer"]:
        h = state.hex_of(uid)
        kind = "fortress" if h in state.unimproved else "fort" if land[h].terrain in ("clear", "rough") else ""
        if kind and (h, kind) not in state.sites and state.turn > 1 and chance.random() < 0.4:
            state.sites[(h, kind)] = Site(side, state.turn - 1, uid)


def _trucks(state: State, chance: random.Random) -> None:
    """Transport counters beside units of the phasing side, which may take them up (WD 6.C)."""
    own = sorted({state.hex_of(uid) for uid in state.side_units(state.player)})
    own = [h for h in own if any(state.enemy_in(n, state.player) for n in hexes.neighbours(h))] or own
    for uid in _waiting(state, "transport_counter"):
        if own and chance.random() < 0.5:
            state.place(uid, chance.choice(own))


def _near_tripoli(state: State, chance: random.Random) -> None:
    """Now and then an Allied unit near enough to Tripoli to release its garrison (WD 28.A.2)."""
    if state.phase != "initial" or chance.random() < 0.7:
        return
    far = (h for h in sorted(state.board.land) if ALARM - 2 <= hexes.distance(h, tripoli(state)) <= ALARM)
    places = [h for h in far if not state.units_at(h) and not graph_of(state).closed(h) and state.board.ways_in(h)]
    spare = (uid for uid, unit in sorted(state.world.units.items()) if unit.side == "allied" and unit.size == "brigade")
    uid = next((uid for uid in spare if uid not in {*state.pieces, *state.boxes, *state.gone}), "")
    if uid and places:
        state.place(uid, chance.choice(places))


def _libyan_boxes(state: State) -> None:
    """The units of the Fifth Army and the garrison that are not on the map wait in their boxes (WD 28.A.1, 28.A.2)."""
    for row in rows(state.world.scenario, "boxes"):
        if row.get("box") in (BOX, GARRISON_BOX) and str(row["unit"]) not in state.pieces:
            state.put_by(str(row["unit"]), str(row["box"]))


def _pool(state: State, chance: random.Random) -> None:
    """Units in the replacement pool of the phasing side, with points to bring some of them back (WD 29.B)."""
    side = state.player
    off = [u for uid, u in sorted(state.world.units.items()) if u.side == side and uid not in state.pieces]
    made = _made(state)
    for uid in sorted(made & state.pieces.keys()) if state.phase == "initial" else ():
        state.take_off(uid, "yet to be made")
        del state.gone[uid]
    for unit in chance.sample(off, 12):
        if unit.id not in state.boxes and unit.id not in state.gone and unit.id not in made:
            state.gone[unit.id] = "eliminated"
    keys = sorted({rp_key(unit) for unit in off})
    state.points.update({key: chance.randint(4, 40) for key in keys if chance.random() < 0.7})


def _made(state: State) -> set[str]:
    """Units that conversions make, which are nowhere before them (WD 29.D)."""
    return {uid for row in state.world.events if row.get("kind") == "convert" for uid in texts(row, "to")}


def _waiting(state: State, kind: str) -> list[str]:
    """Units of a type that the phasing side does not have on the map."""
    units = ((uid, unit) for uid, unit in sorted(state.world.units.items()) if uid not in state.pieces)
    return [uid for uid, unit in units if unit.type == kind and unit.side == state.player]

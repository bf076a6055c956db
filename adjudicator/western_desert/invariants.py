"""What must hold of every state between two choices, and that listing and checking agree: for those who watch play.

Each line says what is wrong. A sound game gives none; whoever finds one has found a fault of the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Ask, Order
from adjudicator.western_desert.air.craft import DEFENSIVE_SUPPORT, GROUND_SUPPORT
from adjudicator.western_desert.air.facts import holds
from adjudicator.western_desert.attack_check import attack_options
from adjudicator.western_desert.bases import AIRBASE, PORT, damage
from adjudicator.western_desert.board import PROHIBITED_TERRAIN
from adjudicator.western_desert.combat import checked
from adjudicator.western_desert.component_sets import matched, sets_of
from adjudicator.western_desert.control import holder
from adjudicator.western_desert.divisions import (
    ASSEMBLE,
    BREAK,
    assemblies,
    breakdowns,
    divisions_of,
    plan_assemble,
    plan_break_down,
)
from adjudicator.western_desert.eligible import may_move
from adjudicator.western_desert.graph import graph_for, graph_of
from adjudicator.western_desert.haul import plan_haul, reach, smp2
from adjudicator.western_desert.hexes import neighbours, on_sheets
from adjudicator.western_desert.mover import MINIMUM, Field, mover_of
from adjudicator.western_desert.moves import plan
from adjudicator.western_desert.orderbook import ELIMINATED
from adjudicator.western_desert.overrun import overrun_options, plan_overrun
from adjudicator.western_desert.position import position, restore
from adjudicator.western_desert.reach import Searches
from adjudicator.western_desert.sites import lost_why
from adjudicator.western_desert.stacking import stack_problems
from adjudicator.western_desert.state import ASSEMBLED, BREAKDOWN, ENEMY, PHASES, State, turn_name
from adjudicator.western_desert.theatre.forces import pool_box, pool_rows
from adjudicator.western_desert.theatre.listed import area_hexes, areas_kept, boxed, watched
from adjudicator.western_desert.theatre.special import GERMAN_1942, SIDE
from adjudicator.western_desert.world import rows, text, texts

SAMPLE = 4
STEPS_AT_MOST = 2
LACKING = ("zero_attack", "joined")
"""What is wrong with an attack for lack of others in it: strength, or those who were dropped on the enemy there."""
Found = Iterator[str]


def faults(state: State, before: State | None = None) -> list[str]:
    """Everything that is wrong with a state; ``before`` is an earlier one of the same game."""
    if state.phase == "setup":
        return []
    found = [line for check in _CHECKS for line in check(state)]
    found += _round_trip(state)
    return [*found, *(_drift(before, state) if before is not None and before.phase != "setup" else ())]


def _cursor(state: State) -> Found:
    if state.phase not in PHASES or state.step not in (*PHASES, "reaction"):
        yield f"phase {state.phase}, step {state.step}: no phase of the sequence of play"
    if state.player not in ENEMY:
        yield f"the player is {state.player!r}"


def _indexes(state: State) -> Found:
    """What is kept beside the pieces must be what the pieces say."""
    at: dict[int, list[str]] = {}
    zones: dict[str, dict[int, int]] = {}
    for uid in sorted(state.pieces):
        piece, unit = state.pieces[uid], state.unit(uid)
        at.setdefault(piece.hex, []).append(uid)
        if unit.has_zoc and not piece.dropped:
            counts = zones.setdefault(unit.side, {})
            for n in state.board.open_neighbours(piece.hex):
                counts[n] = counts.get(n, 0) + 1
    for h in sorted(at.keys() | state.at.keys()):
        if at.get(h) != state.at.get(h):
            yield f"{state.board.name(h)}: the index has {state.at.get(h)}, the pieces say {at.get(h)}"
    for side in sorted(zones.keys() | state.zones.keys()):
        kept, there = state.zones.get(side, {}), zones.get(side, {})
        for h in sorted(kept.keys() | there.keys()):
            if kept.get(h) != there.get(h):
                yield f"{state.board.name(h)}: zones of {side} counted {kept.get(h)}, there are {there.get(h)}"


def _victory(state: State) -> Found:
    """The totals are the sums of what they come from; a game that is decided is over when its phase is (WD 31)."""
    for side in ENEMY:
        summed = sum(halves for (who, _rule), halves in state.tally.items() if who == side)
        if summed != state.vp2.get(side, 0):
            yield f"{side} has {state.vp2.get(side, 0)} half victory points, their reasons make {summed}"
    if state.phase == "victory" and not state.level:
        yield "the game is over and not decided"


def _units(state: State) -> Found:
    """Each unit in exactly one place: on the map or gone, none lost or made."""
    begun = {text(row, "unit") for key in ("deploy", "boxes") for row in rows(state.world.scenario, key)}
    begun -= state.world.air.keys()
    brought = {name for row in state.world.events for name in (text(row, "unit"), *texts(row, "to"))}
    for uid in sorted(state.pieces.keys() & state.gone.keys()):
        yield f"{uid} is on the map and {state.gone[uid]}"
    for uid in sorted((state.pieces.keys() | state.gone.keys()) & state.boxes.keys()):
        yield f"{uid} is in the box {state.boxes[uid].box} and elsewhere"
    there = (state.pieces.keys() | state.gone.keys() | state.boxes.keys()) - state.world.air.keys()
    made = {uid for side in ENEMY for uid in divisions_of(state.world, side)} | brought
    for uid in sorted((there - begun - made) | (begun - there)):
        yield f"{uid} was {'lost from' if uid in begun else 'added to'} the game"
    yield from _listed(state)
    for uid in sorted(state.pieces):
        yield from _unit(state, uid)


def _listed(state: State) -> Found:
    """The list of garrisons names whoever is in its box, in areas, and no Axis unit is near one in the Axis player turn
    that is not shown (WD 33.C)."""
    names = [one.unit for one in state.theatre.listed]
    if names != boxed(state):
        yield f"on the list of garrisons are {names}, in its box {boxed(state)}"
    for one in state.theatre.listed:
        if one.hex not in area_hexes(state.world, one.area) or state.world.units[one.unit].side != "allied":
            yield f"{one.unit} is on the list of {one.area}, from {state.board.name(one.hex)}"
    for area in areas_kept(state) if state.player == "axis" and state.phase != "initial" else ():
        if watched(state, area):
            yield f"garrisons of {area} are off the map, and {watched(state, area)[0]} is near"


def _unit(state: State, uid: str) -> Found:
    piece, name = state.pieces[uid], state.board.name
    if piece.cadre and state.world.units[uid].back is None:
        yield f"{uid} is a cadre and has none"
    mover = mover_of(state, uid)
    most2 = 3 * mover.rating if piece.means == "admin" else mover.allowance2
    if piece.spent2 > most2 and piece.means != MINIMUM:
        yield f"{uid} has spent {piece.spent2} of {most2} half MPs"
    if piece.spent2 < 0 or piece.entered < 0 or (piece.entered and not piece.means):
        yield f"{uid} has spent {piece.spent2}, entered {piece.entered}, by {piece.means!r}"
    if piece.carrier and piece.carrier not in state.pieces:
        yield f"{uid} in {name(piece.hex)} is carried by {piece.carrier}, which is not there"


def _divisions(state: State) -> Found:
    """A division and its components are never on the map together: one of both lies in a box (WD 15.B)."""
    wholes = {kept.of for kept in state.boxes.values() if kept.box == ASSEMBLED}
    for uid in sorted(wholes - {""}):
        parts = [state.world.units[part] for part in state.parts_of(uid)]
        sets = sets_of(state.world, state.world.units[uid])
        body = [unit for unit in parts if unit.size != "headquarters"]
        if uid in state.pieces:
            if not any(matched(found.parts, body) for found in sets):
                yield f"{uid} is on the map, and {', '.join(unit.id for unit in parts)} in its box are no set of it"
        elif uid in state.boxes and state.boxes[uid].box == BREAKDOWN and body:
            yield f"{uid} is broken down, and {', '.join(unit.id for unit in body)} are in its box"
    for uid, piece in sorted(state.pieces.items()):
        if piece.dot and state.world.units[uid].dotted is None:
            yield f"{uid} is supported as a component and is none"


def _ground(state: State) -> Found:
    """No unit where none may be, none beside an enemy."""
    for h in sorted(state.at):
        sides = sorted({state.world.units[uid].side for uid in state.at[h]} & ENEMY.keys())
        if len(sides) > 1 and not _dropped_on(state, h):
            yield f"{state.board.name(h)} holds units of both sides: {', '.join(state.at[h])}"
        if state.board.terrain(h) in PROHIBITED_TERRAIN:
            yield f"{state.board.name(h)} is {state.board.terrain(h)} and holds {', '.join(state.at[h])}"
        if any(state.world.units[uid].side in ENEMY and graph_for(state, uid).closed(h) for uid in state.at[h]):
            yield f"{state.board.name(h)} is neutral and holds {', '.join(state.at[h])}"


def _dropped_on(state: State, h: int) -> bool:
    """Whether units of the player were dropped on the enemy in a hex, whom they are still to attack (WD 25.C.must)."""
    own = state.friends_at(h, state.player)
    return state.phase in ("air", "combat") and bool(own) and all(state.pieces[uid].dropped for uid in own)


def _drops(state: State) -> Found:
    """Who was dropped is of the side whose turn it is, and has no zone (WD 25.B); cargo lies at the base of its
    transport, aboard one party alone, and in the air phase only (WD 20.E)."""
    for uid, piece in sorted(state.pieces.items()):
        if piece.dropped and state.world.units[uid].side != state.player:
            yield f"{uid} was dropped, and its player turn is over"
        if piece.disrupted and not piece.dropped:
            yield f"{uid} is disrupted and was not dropped"
    aboard: dict[str, set[str]] = {}
    for aid, unit in sorted(state.air.items()):
        for uid in unit.sortie.cargo if unit.sortie else ():
            aboard.setdefault(uid, set()).add(unit.sortie.party or aid if unit.sortie else aid)
            if uid not in state.pieces or state.hex_of(uid) != unit.hex:
                yield f"{uid} is aboard {aid} and not at its base {state.board.name(unit.hex)}"
    for uid, parties in sorted(aboard.items()):
        if len(parties) > 1 or state.phase != "air":
            yield f"{uid} is aboard {', '.join(sorted(parties))} in the phase {state.phase}"


def _stacks(state: State) -> Found:
    """Stacking is judged at the end of a phase, and between two choices a phase has ended (WD 8.B)."""
    for h in sorted(state.at):
        for side in sorted(ENEMY):
            for problem in stack_problems(state, h, side):
                yield problem.text


def _control(state: State) -> Found:
    """Who holds a hex by units or an uncontested zone controls it (WD 3.G)."""
    graph = graph_of(state)
    for h in sorted(state.board.land):
        side = holder(state, h)
        if side and side != state.owner(h) and not graph.closed(h):
            yield f"{state.board.name(h)} is held by {side} and controlled by {state.owner(h) or 'nobody'}"


def _supply(state: State) -> Found:
    """Counters hold steps; what is left of a step that fed an attack is there till the phase ends (WD 12.C)."""
    if state.smp2 > smp2(state, state.player):
        yield f"{state.player} has spent {state.smp2} of {smp2(state, state.player)} half SMPs"
    for sid in sorted(state.supply):
        counter = state.supply[sid]
        where = state.board.name(counter.hex)
        least = 0 if counter.drawn2 else 1
        fed = state.phase == "combat" or not counter.drawn2
        if counter.side not in ENEMY or not least <= counter.steps <= STEPS_AT_MOST or not fed:
            yield f"{sid} in {where}: side {counter.side}, {counter.steps} steps, {counter.drawn2} half REs drawn"
        if counter.hex not in state.board.land:
            yield f"{sid} lies at sea in {where}"
        captors = [uid for uid in state.units_at(counter.hex) if not state.world.units[uid].counter]  # WD 3.A, 6.C
        taken = any(state.world.units[uid].side != counter.side for uid in captors)
        if taken and not _dropped_on(state, counter.hex):
            yield f"{sid} of {counter.side} lies in {where} with {', '.join(state.units_at(counter.hex))}"


def _rails(state: State) -> Found:
    """Only railroads are broken, and a line is built no farther than it goes."""
    graph = graph_of(state)
    for h in sorted(state.broken):
        if not graph.rail_neighbours(h):
            yield f"{state.board.name(h)} has no railroad and is broken"
    for line, built in sorted(state.built.items()):
        if not 0 <= built < len(state.board.unbuilt.get(line, ())):
            yield f"{line} is built for {built} hexes"


def _works(state: State) -> Found:
    """What stands on the map belongs to who holds the hex; works have their builder; hits lie on what can have them."""
    name = state.board.name
    for what, held in (("fort", state.forts), ("airfield", state.airfields)):
        for h in sorted(held):
            if state.owner(h) != held[h]:
                yield f"the {what} in {name(h)} is {held[h]}, the hex {state.owner(h) or 'nobody'}'s"
    for h in sorted(state.unimproved):
        if not state.fortress(h):
            yield f"{name(h)} has no fortress and is unimproved"
    for h, what in sorted(state.sites):
        why = lost_why(state, h, what)
        if why or state.sites[(h, what)].turn > state.turn or state.owner(h) != state.sites[(h, what)].side:
            yield f"a {what} is under way in {name(h)}: {why or 'by the wrong side, or begun in a turn to come'}"
    for what, hits in ((PORT, state.port_hits), (AIRBASE, state.base_hits)):
        for h in sorted(hits):
            if not 1 <= hits[h] <= damage(state, h, what).most:
                yield f"the {what} in {name(h)} has {hits[h]} of {damage(state, h, what).most} hits"
    if state.divisional and not state.world.plays("33.D"):
        yield f"the divisional engineers of {state.divisional} have worked, and option 33.D is not played"


def _air(state: State) -> Found:
    """An air unit is at one base, over one hex, or out of play; between two phases only support is in the air."""
    towed = Counter(unit.sortie.tow for unit in state.air.values() if unit.sortie and unit.sortie.tow)
    for aid, unit in sorted(state.air.items()):
        if aid not in state.world.air:
            yield f"{aid} is no air unit"
        if aid in state.boxes or aid in state.gone:
            yield f"{aid} is in play and off the map"
        if unit.hex not in state.board.land:
            yield f"the base of {aid} lies at sea in {state.board.name(unit.hex)}"
        if towed[aid] > 1 or (towed[aid] and unit.sortie):
            yield f"{aid} is on tow and elsewhere"
        if unit.sortie is None and not towed[aid] and not holds(state, unit.hex, text(state.world.air[aid], "side")):
            yield f"{aid} is at {state.board.name(unit.hex)}, which is {state.owner(unit.hex) or 'nobody'}'s"
        yield from _in_flight(state, aid)
    for tow in sorted(towed.keys() - state.air.keys()):
        yield f"{tow} is on tow and out of play"
    if state.phase != "air" and state.take_offs:
        yield f"take-offs are counted in the phase {state.phase}"


def _in_flight(state: State, aid: str) -> Found:
    unit = state.air[aid]
    if state.phase != "air" and (unit.legs or unit.patrolled):
        yield f"{aid} has flown {unit.legs} and patrolled {unit.patrolled} in the phase {state.phase}"
    if unit.sortie is None:
        return
    if not on_sheets(unit.sortie.over):
        yield f"{aid} is off the map"
    if not unit.operative:
        yield f"{aid} is inoperative and in the air"
    own = state.world.air[aid].get("side") == state.player
    support = unit.sortie.mission == DEFENSIVE_SUPPORT or (unit.sortie.mission == GROUND_SUPPORT and own)
    if state.phase != "air" and not (support and (state.phase == "combat" or unit.sortie.mission != GROUND_SUPPORT)):
        yield f"{aid} is still in the air on {unit.sortie.mission} in the phase {state.phase}"


def _operations(state: State) -> Found:
    """Special forces in play are of the pools; who was used is noted, who was not waits for one player turn (WD 27)."""
    for one in state.theatre.operations:
        if one.pool not in pool_rows(state.world).get(one.unit, {}):
            yield f"{one.unit} is in an operation of {one.pool} and not in that pool"
        if one.used and f"{one.pool}/{one.unit}" not in state.theatre.spent:
            yield f"{one.unit} is used in an operation, which is not noted"
        if not one.used and (state.player, state.turn) != (SIDE, one.turn):
            yield f"{one.unit} waits for an operation of {turn_name(one.turn)}"


_CHECKS: tuple[Callable[[State], Found], ...] = (
    _cursor,
    _indexes,
    _units,
    _divisions,
    _ground,
    _stacks,
    _control,
    _supply,
    _rails,
    _works,
    _air,
    _drops,
    _operations,
    _victory,
)


def _round_trip(state: State) -> Found:
    """A position holds all of the state (PROTOCOL 4.7)."""
    tree = position(state)
    back = restore(state.world, tree)
    if position(back) != tree:
        yield "the position of a restored state is another one"
    for name in state.__dataclass_fields__:
        if name != "world" and _filled(getattr(back, name)) != _filled(getattr(state, name)):
            yield f"the position loses or changes {name}"


def _filled(value: Any) -> Any:
    """A value without parts that say nothing."""
    if not isinstance(value, dict):
        return value
    return {key: part for key, part in value.items() if part not in ({}, [], set(), "")}


def _steps(state: State) -> int:
    """All steps of supply, on the map and off it."""
    return sum(c.steps for c in state.supply.values()) + sum(depot.steps for depot in state.depots.values())


def _comes_again(state: State, uid: str) -> bool:
    """Whether a unit is of the forces of 1942, and lies in their pool or takes part in one of their operations."""
    if GERMAN_1942 not in pool_rows(state.world).get(uid, {}):
        return False
    kept, one = state.boxes.get(uid), state.theatre.operation(uid)
    return (kept is not None and kept.box == pool_box(GERMAN_1942)) or (one is not None and one.pool == GERMAN_1942)


def _drift(before: State, state: State) -> Found:
    """What can only go one way: what is lost for good stays so, supply comes from the order of battle, time runs on.
    Who was lost in an operation of 1941 comes again with the forces of 1942 (WD 27.B.1, ruling SO-LOST)."""
    if (state.turn, before.surprise) < (before.turn, state.surprise):
        yield f"turn {before.turn} was followed by {state.turn}, surprise {before.surprise} by {state.surprise}"
    for uid, why in sorted(before.gone.items()):
        if why != ELIMINATED and state.gone.get(uid) != why and not _comes_again(state, uid):
            yield f"{uid} was {why} and is back"
    for aid in sorted(before.air.keys() - state.air.keys() - state.boxes.keys() - state.gone.keys()):
        yield f"{aid} was at {before.board.name(before.air[aid].hex)} and is nowhere"
    had, has = _steps(before) + STEPS_AT_MOST * (state.arrived - before.arrived), _steps(state)
    if has > had:
        yield f"{has} steps of supply are there, {had} were"


# --- listing and checking ---------------------------------------------------------------------------------------


def disagreements(state: State, side: str, ask: Ask[Any], chance: Chance) -> list[str]:
    """Orders of chance on which listing and checking disagree."""
    if ask.key in ("orders/movement", "orders/exploitation"):
        found = [*_moves(state, side, chance), *_overruns(state, side), *_hauls(state, side, chance)]
        return [*found, *_regroupings(state, side)]
    if ask.key == "orders/combat":
        return list(_attacks(state, side, chance))
    return []


def _moves(state: State, side: str, chance: Chance) -> Found:
    """A hex is in the reach of a unit if and only if the order to go there is lawful."""
    searches = Searches(state, side)
    units = [uid for uid in state.side_units(side) if not may_move(state, side, uid)]
    for uid in chance.some(units, least=SAMPLE, most=SAMPLE):
        reach = searches.reach(mover_of(state, uid))
        listed = chance.some(list(reach), least=SAMPLE, most=SAMPLE)
        near = {n for h in (*listed, state.hex_of(uid)) for n in neighbours(h)}
        for h in [*listed, *chance.some(sorted(near), least=SAMPLE, most=SAMPLE)]:
            order = Order(0, "move", {"unit": uid, "to": state.board.name(h)})
            problems = plan(searches, side, order).problems
            if (h in reach) == bool(problems):
                what = problems[0].text if problems else "nothing is wrong with it"
                yield f"{uid} to {state.board.name(h)}: listed {h in reach}, checked: {what}"


def _overruns(state: State, side: str) -> Found:
    """Every overrun that is listed is lawful; next to a stack that lists none, all of it together is not."""
    fld = Field(state, side)
    options = overrun_options(fld, side)
    for origin in sorted({state.hex_of(uid) for uid in state.side_units(side)}):
        free = [uid for uid in state.friends_at(origin, side) if not may_move(state, side, uid)]
        for h in neighbours(origin) if free else ():
            if not state.enemy_in(h, side):
                continue
            units = options.get((origin, h), free)
            order = Order(0, "overrun", {"units": list(units), "hex": state.board.name(h)})
            problems = plan_overrun(fld, side, order).problems
            if bool(problems) is ((origin, h) in options):
                what = problems[0].text if problems else "nothing is wrong with it"
                yield f"overrun of {state.board.name(h)}: listed {(origin, h) in options}, checked: {what}"


def _hauls(state: State, side: str, chance: Chance) -> Found:
    """A hex is listed for a supply counter if and only if the order to bring it there is lawful."""
    fld = Field(state, side)
    own = [sid for sid in sorted(state.supply) if state.supply[sid].side == side]
    for sid in chance.some(own, most=1) if own and state.phase == "movement" and not state.surprise else ():
        ends = reach(fld, sid)
        near = {n for h in (state.supply[sid].hex, *chance.some(sorted(ends), most=SAMPLE)) for n in neighbours(h)}
        for h in sorted(near - {state.supply[sid].hex}):
            order = Order(0, "supply_move", {"counter": sid, "to": state.board.name(h)})
            problems = plan_haul(fld, side, order, sid).problems
            if (h in ends) is bool(problems):
                what = problems[0].text if problems else "nothing is wrong with it"
                yield f"{sid} to {state.board.name(h)}: listed {h in ends}, checked: {what}"


def _regroupings(state: State, side: str) -> Found:
    """Every breakdown and assembly that is listed is lawful; a division on the map of which none is listed, or one of
    which no stack is listed, is not."""
    listed = {uid for uid, _form in breakdowns(state, side)}
    stacks = {uid: (h, units) for uid, h, units in assemblies(state, side)}
    for uid in divisions_of(state.world, side):
        if uid in state.pieces:
            made = plan_break_down(state, side, Order(0, BREAK, {"unit": uid}), begun=False)
            if bool(made.problems) is (uid in listed):
                yield f"breakdown of {uid}: listed {uid in listed}, checked: {[p.text for p in made.problems]}"
            continue
        made = plan_assemble(state, side, Order(0, ASSEMBLE, {"into": uid}), last=True)
        if bool(made.problems) is (uid in stacks):
            yield f"assembly of {uid}: listed {uid in stacks}, checked: {[p.text for p in made.problems]}"


def _attacks(state: State, side: str, chance: Chance) -> Found:
    """A unit is listed against a hex if and only if its attack there lacks nothing but strength."""
    options = attack_options(state, side)
    units = list(state.side_units(side))
    for uid in chance.some(units, least=SAMPLE, most=SAMPLE) if units else ():
        for h in (state.hex_of(uid), *neighbours(state.hex_of(uid))):
            if h not in state.board.land:
                continue
            order = Order(0, "attack", {"hex": state.board.name(h), "with": [uid]})
            problems = [p for p in checked(state, side, [order])[0][1] if p.code not in LACKING]
            listed = uid in options.get(h, ())
            if listed == bool(problems):
                what = problems[0].text if problems else "nothing is wrong with it"
                yield f"{uid} against {state.board.name(h)}: listed {listed}, checked: {what}"

"""Lawful orders of chance, picked from what the rules list: the material of players that are programs.

Every order here comes out of a listing (the reach of a unit, who may attack a hex, the answers to a choice), so that
`check` must find it lawful. How often what is done is a matter of taste, nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Ask, Tree, texts_of
from adjudicator.western_desert.advance import step_problem
from adjudicator.western_desert.air.drops import must_attack
from adjudicator.western_desert.air.escaping import STAY
from adjudicator.western_desert.air.orders import ESCAPES, PATROL
from adjudicator.western_desert.attack_check import attack_options
from adjudicator.western_desert.bot_air import flying_orders, repair_rows
from adjudicator.western_desert.bot_arrivals import arrival_rows, lawful
from adjudicator.western_desert.bot_ground import (
    breaking_rows,
    division_rows,
    fort_rows,
    overrun_rows,
    supply_rows,
    work_rows,
)
from adjudicator.western_desert.bot_more import moving_orders, opening_orders
from adjudicator.western_desert.bot_reaction import TOPICS, air_answer, air_clause, reacting_orders
from adjudicator.western_desert.bot_sea import malta_rows, ship_rows
from adjudicator.western_desert.bot_setup import deploy_rows
from adjudicator.western_desert.bot_words import retold_combat
from adjudicator.western_desert.charts import charts_of
from adjudicator.western_desert.combat_charts import combat_charts
from adjudicator.western_desert.eligible import carry_problems, may_move
from adjudicator.western_desert.hexes import DIRECTIONS, neighbours
from adjudicator.western_desert.initial import need_of
from adjudicator.western_desert.mover import ADMIN, CARRIED, MINIMUM, NORMAL, RAIL, Mover, mover_of
from adjudicator.western_desert.reach import FOOT, ROAD, Arrival, Searches
from adjudicator.western_desert.stacking import MOVING_PHASES, count, light_tank
from adjudicator.western_desert.state import ENEMY, State
from adjudicator.western_desert.strength import printed_total
from adjudicator.western_desert.supply import counters_in_reach, on_lines

Row = dict[str, Tree]
TRIES = 4
ADMIN_SHARE, MEANS_SHARE, PATH_SHARE, AGAIN_SHARE, CARRY_SHARE = 0.1, 0.2, 0.2, 0.15, 0.5
CONTACT_SHARE = 0.6
NOTHING_SHARE, SAY_SHARE = 0.1, 0.5
SUPPLY_SHARE, MIN_ODDS_SHARE, ADVANCE_SHARE, CHOICE_SHARE = 0.6, 0.2, 0.6, 0.3


def orders(
    state: State, side: str, ask: Ask[Any], chance: Chance, written: Sequence[Mapping[str, Tree]] = ()
) -> list[Row]:
    """Orders for the choice that is waited for; a phase gets its section, any other choice an answer. A phase of which
    the message has said that its orders come later gets none now."""
    if any(row["type"] == "section" and ask.key == f"orders/{row['name']}" for row in written):
        return []
    makers: dict[str, Callable[[State, str, Chance], list[Row]]] = {
        "orders/deploy": deploy_rows,
        "orders/initial": partial(opening_orders, first=initial_orders),
        "orders/movement": partial(moving_orders, wave=movement_orders),
        "orders/air": flying_orders,
        "orders/reaction": reacting_orders,
        "orders/scramble": partial(reacting_orders, decided=True),
        "orders/combat": fighting_orders,
        "orders/exploitation": exploitation_orders,
    }
    if ask.key in makers:
        return makers[ask.key](state, side, chance)
    atoms = list(ask.atoms())
    found = answer(state, ask, chance.pick(atoms)) if atoms else None
    return [found] if found is not None else []


def answer(state: State, ask: Ask[Any], value: Any) -> Row | None:
    """The order ``answer`` that gives a listed value to a choice of losses, retreat or supply."""
    row: Row = {"type": "answer", "to": ask.key}
    if ask.topic == "supply":
        return {**row, "use": "yes" if value == "use" else "no"}
    if ask.topic == ESCAPES:
        return {**row, "use": "no"} if value == STAY else {**row, "path": [state.board.name(value)]}
    if ask.topic in TOPICS:
        return None if ask.topic == PATROL else air_answer(ask.key, value)
    if ask.topic == "losses" or (ask.topic == "retreat" and isinstance(value, tuple)):
        return {**row, "units": list(value)} if value else None
    if ask.topic == "retreat":
        return {**row, "path": [state.board.name(value)]}
    return None


# --- the initial phase ------------------------------------------------------------------------------------------


def initial_orders(state: State, side: str, chance: Chance) -> list[Row]:
    """Arrivals and the pool (WD 29), own supply counters that serve somebody, some of them spent (WD 12.B.2)."""
    supplied = on_lines(state, side)
    own = [sid for sid in sorted(state.supply) if state.supply[sid].side == side]
    useful = [sid for sid in own if need_of(state, sid, supplied).units]
    rows: list[Row] = [{"type": "general_supply", "counter": sid} for sid in chance.some(useful)]
    made = arrival_rows(state, side, chance)
    rows += [*fort_rows(state, side, chance), *repair_rows(state, side, chance), *malta_rows(state, side, chance)]
    return lawful(state, side, [*made, *rows]) if made else rows


# --- movement ---------------------------------------------------------------------------------------------------


class Places:
    """Where everybody would be if the moves picked so far were made; stacking is judged by it."""

    def __init__(self, state: State, side: str) -> None:
        self.state, self.side = state, side
        self.at: dict[int, list[str]] = {}

    def stack(self, h: int) -> list[str]:
        """The units of the side that would be in a hex."""
        found = self.at.get(h)
        if found is None:
            found = self.at[h] = self.state.friends_at(h, self.side)
        return found

    def fits(self, h: int, ids: Sequence[str]) -> bool:
        """True where the units may join those in a hex (WD 8.A)."""
        limits = charts_of(self.state.world).stacking
        found = count([self.state.unit(uid) for uid in (*self.stack(h), *ids)], limits["artillery"])
        return found.places <= limits["units"] and found.divisions <= limits["divisions"]

    def shift(self, ids: Sequence[str], origin: int, to: int) -> None:
        """Let units go from one hex to another."""
        left = self.stack(origin)
        for uid in ids:
            left.remove(uid)
        self.stack(to).extend(ids)

    def swaps(self, h: int, old: Sequence[str], new: Sequence[str]) -> bool:
        """Let units of a stack become others, where those may stack (WD 15)."""
        stack = self.stack(h)
        kept = [uid for uid in stack if uid not in old]
        self.at[h] = kept
        if not self.fits(h, new):
            self.at[h] = stack
            return False
        self.at[h] = [*kept, *new]
        return True

    def lone_tanks(self, h: int) -> bool:
        """True where Italian light tanks would be alone (WD 28.A.4)."""
        if self.side != "axis" or self.state.phase not in MOVING_PHASES:
            return False
        units = [self.state.unit(uid) for uid in self.stack(h)]
        tanks = [unit for unit in units if light_tank(unit)]
        return bool(tanks) and not any(not unit.counter and not light_tank(unit) for unit in units)


def movement_orders(state: State, side: str, chance: Chance) -> list[Row]:
    """The section ``movement`` or ``exploitation``: overruns, supply, some of the units, each to a hex of its reach.

    What is overrun only makes ways cheaper, so that the reach before it still holds after it.
    """
    head: Row = {"type": "section", "name": state.phase}
    searches, places = Searches(state, side), Places(state, side)
    broken, assembled, resting = _divisions(places, side, chance)
    rows: list[Row] = [head, *broken, *supply_rows(searches.field, side, chance)]
    overruns, busy = _overruns(searches, places, side, resting, chance)
    busy |= resting
    carried = _carried_moves(searches, places, busy, chance) if chance.likely(CARRY_SHARE) else []
    busy |= {uid for ids, _row in carried for uid in ids}
    rows += [*overruns, *(row for _ids, row in carried)]
    movable = [uid for uid in state.side_units(side) if uid not in busy and not may_move(state, side, uid)]
    going = chance.some(movable)
    for uid in going:
        rows += _move(searches, places, uid, chance)
    staying = [uid for uid in movable if uid not in going]
    works = work_rows(state, side, staying, chance)
    workers = {str(row["unit"]) for row in works}
    idle = [uid for uid in staying if uid not in workers]
    ships = _ships(searches, places, side, idle, rows, chance)
    rows += [*works, *ships]
    rows += breaking_rows(state, side, [uid for uid in idle if all(uid != row.get("unit") for row in ships)], chance)
    return [*rows, *assembled] if _tanks_kept(places) else [head]


def _ships(
    searches: Searches, places: Places, side: str, idle: Sequence[str], rows: Sequence[Row], chance: Chance
) -> list[Row]:
    """A voyage of a unit that does nothing else, or of a counter that has not been touched."""
    state = searches.state
    named = {str(name) for row in rows for name in (row.get("counter"), *texts_of(row.get("counters")))}
    counters = [sid for sid in sorted(state.supply) if state.supply[sid].side == side and sid not in named]
    made = ship_rows(searches.field, side, idle, counters, lambda uid, h: places.fits(h, [uid]), chance)
    for row in made:
        if "unit" in row:
            uid = str(row["unit"])
            places.shift([uid], state.hex_of(uid), state.board.find(str(row["to"])))
    return made


def _divisions(places: Places, side: str, chance: Chance) -> tuple[list[Row], list[Row], set[str]]:
    """Divisions broken down and assembled where the stacks allow it; and the units in that, which do nothing else."""
    broken, assembled, busy = list[Row](), list[Row](), set[str]()
    for units, ids, h, row in division_rows(places.state, side, chance):
        if busy.isdisjoint(units) and places.swaps(h, units, ids):
            busy |= {*units, *ids}
            (broken if "unit" in row else assembled).append(row)
    return broken, assembled, busy


def _overruns(
    searches: Searches, places: Places, side: str, resting: set[str], chance: Chance
) -> tuple[list[Row], set[str]]:
    """Overruns whose units, if they are to advance, may stack; and the units in them, which do nothing else."""
    rows: list[Row] = []
    busy: set[str] = set()
    for units, h, advance, row in overrun_rows(searches.field, side, chance):
        if not resting.isdisjoint(units):
            continue
        if advance:
            places.shift(units, searches.state.hex_of(units[0]), h)
        busy |= set(units)
        rows.append(row)
    return rows, busy


def exploitation_orders(state: State, side: str, chance: Chance) -> list[Row]:
    """The section ``exploitation``, now and then without orders."""
    if chance.likely(NOTHING_SHARE):
        return [{"type": "section", "name": "exploitation", "say": "none"}]
    return moving_orders(state, side, chance, movement_orders)


def fighting_orders(state: State, side: str, chance: Chance) -> list[Row]:
    """The section ``combat``, and what is to be said of exploitation with it (PROTOCOL 9.1)."""
    rows = retold_combat(state, side, combat_orders(state, side, chance), chance)
    if not state.surprise and chance.likely(SAY_SHARE):
        rows.append({"type": "section", "name": "exploitation", "say": chance.pick(("none", "ask", "ask"))})
    return rows


def _tanks_kept(places: Places) -> bool:
    return not any(places.lone_tanks(h) for h in list(places.at))


def _move(searches: Searches, places: Places, uid: str, chance: Chance) -> list[Row]:
    """One or two orders for a unit; none where it can end nowhere."""
    state, mode, by = searches.state, NORMAL, ""
    if chance.likely(ADMIN_SHARE) and not may_move(state, searches.field.side, uid, ADMIN):
        mode = ADMIN
    elif chance.likely(MEANS_SHARE):
        by = chance.pick((FOOT, ROAD, RAIL))
    mover = mover_of(state, uid, mode)
    found = _ending(searches, places, mover, by, chance)
    if found is None:
        return []
    to, arrival = found
    places.shift((uid,), mover.start, to)
    rows = [_move_row(state, {"unit": uid}, mode, by, to, arrival, chance)]
    sure = "path" not in rows[0] or RAIL not in arrival.steps  # a way written out may be ridden in another way
    if chance.likely(AGAIN_SHARE) and sure and arrival.means != MINIMUM and mode != ADMIN:
        rows += _onward(searches, places, mover, to, arrival, chance)
    return rows


def _ending(
    searches: Searches, places: Places, mover: Mover, by: str, chance: Chance
) -> tuple[int, Arrival] | None:
    """An end hex of the reach that has room; None after some tries, or where there is none at all."""
    reach = searches.reach(mover, by)
    ends = list(reach)
    if ends and chance.likely(CONTACT_SHARE):
        zones = searches.state.zones.get(ENEMY[mover.side], {})
        ends = [h for h in ends if h in zones] or ends
    for _ in range(TRIES if ends else 0):
        to = chance.pick(ends)
        if places.fits(to, mover.ids):
            return to, reach[to]
    return None


def _move_row(
    state: State, who: Row, mode: str, by: str, to: int, arrival: Arrival, chance: Chance
) -> Row:
    row: Row = {"type": "move", **who}
    if arrival.path and arrival.means != MINIMUM and chance.likely(PATH_SHARE):
        row["path"] = [state.board.name(h) for h in arrival.path]
    else:
        row["to"] = state.board.name(to)
    if by:
        row["by"] = by
    if mode != NORMAL:
        row["mode"] = mode
    return row


def _onward(
    searches: Searches, places: Places, mover: Mover, at: int, arrival: Arrival, chance: Chance
) -> list[Row]:
    """A second order for a unit, with what the first one leaves it."""
    rail = arrival.steps.count(RAIL)
    riding = bool(arrival.steps) and arrival.steps[-1] == RAIL
    later = replace(
        mover, start=at, spent2=mover.spent2 + arrival.cost2, fresh=False, ridden=mover.ridden + rail, riding=riding
    )
    found = _ending(searches, places, later, "", chance)
    if found is None:
        return []
    to, onward = found
    places.shift(mover.ids, at, to)
    return [_move_row(searches.state, {"unit": mover.ids[0]}, mover.mode, "", to, onward, chance)]


def _carried_moves(
    searches: Searches, places: Places, busy: set[str], chance: Chance
) -> list[tuple[tuple[str, ...], Row]]:
    """Transport counters that take up units of their hex (WD 6.C)."""
    state, side = searches.state, searches.field.side
    found: list[tuple[tuple[str, ...], Row]] = []
    for truck in state.side_units(side):
        if state.unit(truck).type != "transport_counter" or truck in busy:
            continue
        load = _load(state, side, truck, busy | {uid for ids, _row in found for uid in ids}, chance)
        if load:
            mover = mover_of(state, truck, CARRIED, load)
            ending = _ending(searches, places, mover, "", chance)
            if ending is not None:
                places.shift((*load, truck), mover.start, ending[0])
                row = _move_row(state, {"units": list(load)}, CARRIED, "", *ending, chance)
                found.append(((*load, truck), {**row, "transport": truck}))
    return found


def _load(state: State, side: str, truck: str, busy: set[str], chance: Chance) -> list[str]:
    """A unit beside the transport counter that it may carry."""
    beside = [uid for uid in state.friends_at(state.hex_of(truck), side) if uid != truck and uid not in busy]
    able = [
        uid
        for uid in beside
        if not carry_problems(state, side, [uid], truck) and not may_move(state, side, uid, CARRIED)
    ]
    return [chance.pick(able)] if able else []


# --- combat -----------------------------------------------------------------------------------------------------


def combat_orders(state: State, side: str, chance: Chance) -> list[Row]:
    """The section ``combat``: attacks on some of the hexes that may be attacked, no unit in two of them."""
    rows: list[Row] = [{"type": "section", "name": "combat"}]
    options, used = attack_options(state, side), set[str]()
    for h in chance.some(sorted(options)):
        able = [uid for uid in options[h] if uid not in used]
        force = _with_bound(state, able, chance.some(able, least=1)) if able else []
        if force and printed_total(state, force, attacking=True) > 0:
            used.update(force)
            rows += _attack(state, side, h, force, chance)
    return rows


def _with_bound(state: State, able: Sequence[str], force: Sequence[str]) -> list[str]:
    """A force and whoever was dropped on the enemy there: they must take part (WD 25.C.must)."""
    return [*force, *(uid for uid in able if uid not in force and must_attack(state, uid))]


def _attack(state: State, side: str, h: int, force: Sequence[str], chance: Chance) -> list[Row]:
    """One attack with what may be said of it, and orders that stand behind it."""
    where = state.board.name(h)
    row: Row = {"type": "attack", "hex": where, "with": list(force)}
    if chance.likely(SUPPLY_SHARE):
        row |= _attack_supply(state, side, force, chance)
    if chance.likely(MIN_ODDS_SHARE):
        row["min_odds"] = chance.pick([name for name, _least in combat_charts(state.world).columns])
    advance = _advancing(state, side, h, force, chance)
    late = bool(advance) and chance.likely(CHOICE_SHARE)
    if not late and chance.likely(ADVANCE_SHARE):
        row["advance"] = "all" if chance.likely(0.5) or not advance else list(advance)
    rows = [row]
    if late:
        rows.append({"type": "advance", "units": list(advance), "to": where})
    return [*rows, *_attackers_choices(state, h, force, chance)]


def _attack_supply(state: State, side: str, force: Sequence[str], chance: Chance) -> Row:
    """Counters that an attacker can trace to, with steps they have."""
    origins = {state.hex_of(uid) for uid in force}
    near = sorted({sid for h in sorted(origins) for sid in counters_in_reach(state, side, h)})
    named = [sid for sid in chance.some(near, most=2) if state.supply[sid].steps]
    if not named:
        return {}
    wishes: list[Tree] = [f"{sid}:{1 + chance.below(state.supply[sid].steps)}" for sid in named]
    return {"supply": wishes, **({"if_unsupplied": "skip"} if chance.likely(0.2) else {})}


def _advancing(state: State, side: str, h: int, force: Sequence[str], chance: Chance) -> list[str]:
    """Attackers that may enter the hex once it is cleared, as many as may stack there."""
    able = [uid for uid in force if step_problem(state, uid, h) is None]
    places, found = Places(state, side), list[str]()
    for uid in chance.some(able):
        if places.fits(h, (*found, uid)):
            found.append(uid)
    return found


def _attackers_choices(state: State, h: int, force: Sequence[str], chance: Chance) -> list[Row]:
    """Losses and retreats of the attackers, told ahead (WD 9.C, 9.F.1)."""
    rows: list[Row] = []
    where, label = state.board.name(h), state.board.label(h)
    if chance.likely(CHOICE_SHARE):
        rows.append({"type": "losses", "hex": where, "units": [*chance.some(force, least=1)]})
    elif chance.likely(CHOICE_SHARE):
        side = state.world.units[force[0]].side
        rows.append({"type": "answer", "to": f"losses/{label}/{side}", "units": [*chance.some(force, least=1)]})
    if chance.likely(CHOICE_SHARE):
        uid = chance.pick(force)
        ends = [state.board.name(n) for n in neighbours(state.hex_of(uid)) if n in state.board.land]
        if ends:
            rows.append({"type": "retreat", "unit": uid, "to": chance.pick(ends)})
    return rows


# --- standing orders --------------------------------------------------------------------------------------------


AUTO_SHARE = 0.1


def standing(state: State, side: str, chance: Chance, topic: str = "") -> list[Row]:
    """One standing order with a clause or two of chance, without any, ``auto`` or ``ask``."""
    makers = {"supply": _supply_clause, "losses": _losses_clause, "retreat": _retreat_clause}
    makers |= {name: partial(_air_clause, topic=name) for name in TOPICS}
    topic = topic or chance.pick(sorted(makers))
    clauses: list[Tree] = [makers[topic](state, side, chance) for _ in range(chance.below(4))]
    rules: Tree = chance.pick(("auto", "ask")) if chance.likely(AUTO_SHARE) else clauses
    return [{"type": "standing", "topic": topic, "rules": rules}]


def _air_clause(state: State, side: str, chance: Chance, topic: str) -> Row:
    return air_clause(state, side, topic, chance)


def _supply_clause(state: State, side: str, chance: Chance) -> Row:
    own = sorted(sid for sid, counter in state.supply.items() if counter.side == side)
    clause: Row = {"counter": chance.pick(own) if own and chance.likely(0.5) else "any"}
    clause["use"] = chance.pick(("always", "never", "if_cut_off"))
    if chance.likely(0.3):
        clause["keep_steps"] = chance.pick(("0", "1"))
    if chance.likely(0.3):
        clause["min_re"] = str(1 + chance.below(6))
    return clause


def _stack(state: State, side: str, chance: Chance) -> Row:
    """The hex a clause is about: of an own stack, or any."""
    own = sorted({state.hex_of(uid) for uid in state.side_units(side)})
    return {"stack": state.board.name(chance.pick(own)) if own and chance.likely(0.5) else "any"}


def _losses_clause(state: State, side: str, chance: Chance) -> Row:
    own = list(state.side_units(side))
    clause = _stack(state, side, chance)
    if own:
        clause["order"] = [*chance.some(own, least=1, most=5)]
        if chance.likely(0.3):
            clause["never"] = [chance.pick(own)]
    return clause


def _retreat_clause(state: State, side: str, chance: Chance) -> Row:
    clause = _stack(state, side, chance)
    wishes = [*DIRECTIONS, "toward_supply", "rough", "clear"]
    clause["prefer"] = [*chance.some(wishes, least=1, most=3)]
    if chance.likely(0.3):
        clause["split"] = chance.pick(("no", "allowed"))
    own = list(state.side_units(side))
    if own and chance.likely(0.3):
        clause["order"] = [*chance.some(own, least=1, most=4)]
    return clause

"""Overruns (WD 13): who may overrun which hex, at what odds and cost. Listed, checked, previewed and run by this alone.

The overrunners stand in one hex; a transport counter goes with what it carries. Nothing here changes the state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import NamedTuple

from adjudicator.engine.core import Order, Problem
from adjudicator.western_desert import hexes
from adjudicator.western_desert.air.bombing import support_counted
from adjudicator.western_desert.air.support import against_overrun
from adjudicator.western_desert.apply import mp_text
from adjudicator.western_desert.battle import Attack
from adjudicator.western_desert.charts import charts_of
from adjudicator.western_desert.control import zone_makers
from adjudicator.western_desert.eligible import carry_problems, may_move
from adjudicator.western_desert.mover import CARRIED, NORMAL, Field, Mover, mover_of
from adjudicator.western_desert.reach import ROAD
from adjudicator.western_desert.stacking import MOVING_PHASES, count
from adjudicator.western_desert.standing import hex_in
from adjudicator.western_desert.state import ENEMY, State
from adjudicator.western_desert.strength import ZERO, Share, attack_shares, defense_shares, printed_total, total
from adjudicator.western_desert.theatre.delta import leaving_problems
from adjudicator.western_desert.units import number
from adjudicator.western_desert.walk import Parts, ground_parts, parts_text

ALL = "all"


class Reckoning(NamedTuple):
    """The strengths of an overrun. ``odds`` is to one, rounded down; that of a target without defense is the chart's
    highest (WD 13.zero), 0 where nobody has an attack strength."""

    attackers: tuple[Share, ...]
    defenders: tuple[Share, ...]
    support: Fraction
    odds: int

    @property
    def strength(self) -> Fraction:
        """The overrun strength after all effects."""
        return total(self.attackers)

    @property
    def defense(self) -> Fraction:
        """The defense strength after all effects, air included."""
        return total(self.defenders) + self.support


class Bill(NamedTuple):
    """What one mover pays, in half MPs, and for what; ``zone2`` is the part for zones of control."""

    mover: Mover
    cost2: int
    zone2: int
    parts: Parts


@dataclass
class Overrun:
    """What an order comes to: who overruns whom at what cost, or problems. ``advance`` are those who then enter."""

    order: Order
    origin: int = -1
    hex: int = -1
    units: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    reckoning: Reckoning | None = None
    bills: list[Bill] = field(default_factory=list)
    advance: tuple[str, ...] = ()
    problems: list[Problem] = field(default_factory=list)


# --- odds and costs ---------------------------------------------------------------------------------------------


def reckon(state: State, side: str, h: int, units: Sequence[str], support: Fraction | None = None) -> Reckoning:
    """Odds as in combat: terrain, supply, support (WD 13.odds). ``support`` is defensive air, capped (OVERRUN-AIR);
    None = what is over the hex now."""
    targets = state.enemies_at(h, side)
    attackers = attack_shares(state, Attack(side, h, tuple(units)), "overrun")
    defenders = defense_shares(state, h, targets)
    ignored = state.world.switches.get("overrun_defensive_air") == "ignore"
    points = against_overrun(state, side, h) if support is None else support
    counted = ZERO if ignored else support_counted(points, printed_total(state, targets, attacking=False))
    against, strength = total(defenders) + counted, total(attackers)
    undefended = charts_of(state.world).overrun_odds[1] if strength > 0 else 0
    odds = strength // against if against else undefended
    return Reckoning(tuple(attackers), tuple(defenders), counted, odds)


def bill_of(fld: Field, mover: Mover, h: int, odds: int) -> Bill | None:
    """Terrain, zones of units other than those overrun, harassment and the overrun itself (WD 13.cost, 13.zoc); None
    where the mover may not enter the hex (WD 13.enter, 13.road)."""
    ground2 = None if fld.graph_for(mover).closed(h) else fld.graph.cost(mover.column, mover.start, h)
    if ground2 is None:
        return None
    parts = ground_parts(fld, mover, mover.start, h, ground2)
    zone2, zone = _zone(fld, mover, h)
    parts += zone
    harassed2 = fld.harassed2.get(mover.start, 0)
    if harassed2:
        parts.append((harassed2, "WD 20.F.2.e", f"leaving {fld.state.board.name(mover.start)} under harassment"))
    rate2 = fld.charts.overrun2(mover.zone, max(odds, fld.charts.overrun_odds[0]))
    parts.append((rate2, "WD 13.cost", "overrun"))
    return Bill(mover, sum(points for points, _rule, _what in parts), zone2, parts)


def _zone(fld: Field, mover: Mover, h: int) -> tuple[int, Parts]:
    """What leaving the zones of other units costs: those overrun have none any more (WD 13.zoc)."""
    state, start = fld.state, mover.start
    if not _other_zone(state, mover.side, start, h):
        return 0, []
    leave, across = fld.charts.zoc[mover.zone]
    others = [uid for uid in zone_makers(state, start, mover.side) if state.hex_of(uid) != h]
    who = state.unit(others[0]).short or others[0] if others else "an enemy"
    if _other_zone(state, mover.side, h, h):
        return across, [(across, "WD 6.A.zoc-to-zoc", f"from ZOC to ZOC of {who}")]
    return leave, [(leave, "WD 6.A", f"leaving the ZOC of {who}")]


def _other_zone(state: State, side: str, h: int, target: int) -> bool:
    """True where a zone of enemy units that do not stand in the target reaches into the hex."""
    if h in state.overlay_zoc.get(ENEMY[side], ()):
        return True
    return any(state.hex_of(uid) != target for uid in zone_makers(state, h, side))


# --- an order ---------------------------------------------------------------------------------------------------


def plan_overrun(fld: Field, side: str, order: Order, support: Fraction | None = None) -> Overrun:
    """Judge an order in the position as it is; ``support`` as :func:`reckon` takes it."""
    state, made = fld.state, Overrun(order)
    if state.phase not in MOVING_PHASES:
        text = f"overruns are made in the movement and exploitation phases, this is the {state.phase} phase"
        made.problems.append(Problem("phase", "WD 13", text, "put the order into the section of such a phase"))
        return made
    target = hex_in(state, order.text("hex"))
    movers = _movers(state, side, order, made.problems)
    if target is None:
        text = f"{order.text('hex') or 'nothing'} is no hex of the map"
        made.problems.append(Problem("hex", "WD 13", text, "name the hex to be overrun as 19/0726", field="hex"))
    if made.problems or target is None:
        return made
    made.hex, made.origin = target, movers[0].start
    made.units = tuple(sorted(uid for mover in movers for uid in mover.ids))
    made.targets = tuple(state.enemies_at(target, side))
    made.problems += _place_problems(fld, side, made, movers)
    if made.problems:
        return made
    made.reckoning = reckon(state, side, target, made.units, support)
    made.problems += _enter_problems(fld, made, movers) or _cost_problems(fld, made, movers)
    made.problems += _odds_problems(state, made)
    made.problems += _advance(made) or leaving_problems(state, made.advance)
    return made


def _movers(state: State, side: str, order: Order, problems: list[Problem]) -> list[Mover]:
    """The units of the order, each by itself or on the transport counter that carries it in this phase (WD 6.C)."""
    truck, carried = order.text("transport"), order.texts("carried")
    units = list(dict.fromkeys([*order.texts("units"), *carried]))
    loads: dict[str, list[str]] = {truck: carried} if truck else {}
    for uid in units:
        carrier = state.pieces[uid].carrier if uid in state.pieces else ""
        if carrier and carrier not in loads:
            partners = (u for u, piece in sorted(state.pieces.items()) if piece.carrier == carrier)
            loads[carrier] = [u for u in partners if u != carrier]
    if carried and not truck:
        problems.append(Problem("transport", "WD 6.C", "the order does not say what carries", "add a line transport:"))
    aboard = {uid for ids in loads.values() for uid in ids} | set(loads)
    alone = [uid for uid in units if uid not in aboard]
    if not units:
        problems.append(Problem("units", "WD 13", "the order names no units", "add a line units:", field="units"))
    for uid in alone:
        problems += may_move(state, side, uid)
    for carrier, ids in sorted(loads.items()):
        problems += [problem for uid in ids for problem in may_move(state, side, uid, CARRIED)]
        problems += carry_problems(state, side, ids, carrier)
    if problems:
        problems[:] = [replace(p, field="units") if p.field == "unit" else p for p in problems]
        return []
    riding = [mover_of(state, carrier, CARRIED, ids) for carrier, ids in sorted(loads.items())]
    return [*(mover_of(state, uid, NORMAL) for uid in alone), *riding]


def _place_problems(fld: Field, side: str, made: Overrun, movers: Sequence[Mover]) -> list[Problem]:
    """One hex next to enemy units, the overrunners within the stacking limit (WD 13, 13.stack)."""
    state, name = fld.state, fld.state.board.name
    where = state.board.feature_names(made.hex)
    found = []
    starts = sorted({mover.start for mover in movers})
    if len(starts) > 1:
        text = f"the units stand in {', '.join(name(h) for h in starts)}; an overrun is made out of one hex"
        found.append(Problem("one_hex", "WD 13", text, "move them together first", field="units"))
    elif not hexes.adjacent(made.origin, made.hex):
        away = hexes.distance(made.origin, made.hex)
        text = f"{name(made.origin)} is {away} hexes from {where}; an overrun is made from an adjacent hex"
        found.append(Problem("not_adjacent", "WD 13", text, "move next to it first", field="hex"))
    bound = [mover.name for mover in movers if mover.bound]
    if bound:
        text = f"{', '.join(bound)} moved administratively this turn and may not come next to an enemy unit"
        found.append(Problem("admin_adjacent", "WD 6.B.3", text, "leave it out, or move it normally", field="units"))
    if not made.targets:
        text = f"no enemy unit stands in {where}"
        found.append(Problem("no_enemy", "WD 13", text, "move there; enemy supply alone stops nobody", field="hex"))
    if order_by(made.order) and len(starts) == 1 and made.hex not in fld.graph.road_neighbours(made.origin):
        text = f"no road joins {name(made.origin)} and {name(made.hex)}"
        found.append(Problem("no_road", "WD 13.road", text, "leave out by: road", field="by"))
    limits = fld.charts.stacking
    stack = count([state.unit(uid) for uid in made.units], limits["artillery"])
    if stack.places > limits["units"] or stack.divisions > limits["divisions"]:
        text = (
            f"{stack.units} units, {stack.divisions} of them divisions, would overrun out of {name(made.origin)}; "
            f"{limits['units']} may stack, {limits['divisions']} divisions, and {limits['artillery']} artillery besides"
        )
        found.append(Problem("stacking", "WD 13.stack", text, "overrun with fewer units", field="units"))
    return found


def order_by(order: Order) -> bool:
    """True where the order insists on the road."""
    return order.text("by") == ROAD


def _enter_problems(fld: Field, made: Overrun, movers: Sequence[Mover]) -> list[Problem]:
    where = fld.state.board.feature_names(made.hex)
    return [
        Problem(
            "prohibited_terrain",
            "WD 13.enter",
            f"{mover.name} may not enter {where} from {fld.state.board.name(made.origin)}: prohibited terrain",
            "all overrunners must be able to enter the hex; take it out",
            field="units",
        )
        for mover in movers
        if bill_of(fld, mover, made.hex, 0) is None
    ]


def _odds_problems(state: State, made: Overrun) -> list[Problem]:
    found = made.reckoning
    assert found is not None
    needed, _zero = charts_of(state.world).overrun_odds
    if found.odds >= needed:
        return []
    where = state.board.feature_names(made.hex)
    if not found.strength:
        text = f"the units have no attack strength; even units without defense in {where} fall to one above zero only"
        return [Problem("zero_attack", "WD 13.zero", text, "add a unit with an attack strength", field="units")]
    short = needed * found.defense - found.strength
    text = (
        f"{number(found.strength)} against {number(found.defense)} in {where} is {found.odds}:1, an overrun needs "
        f"{needed}:1: {number(short)} strength too few"
    )
    return [Problem("odds", "WD 13.odds", text, "add units, or attack in the combat phase", field="units")]


def _cost_problems(fld: Field, made: Overrun, movers: Sequence[Mover]) -> list[Problem]:
    """Each overrunner pays in full; the guaranteed hex is no help (WD 13.cost, 13.no-min)."""
    assert made.reckoning is not None
    found = []
    for mover in movers:
        bill = bill_of(fld, mover, made.hex, made.reckoning.odds)
        assert bill is not None
        made.bills.append(bill)
        if bill.cost2 > mover.left2:
            text = f"{mover.name} needs {mp_text(bill.cost2)} of {mp_text(mover.left2)} MP: {parts_text(bill.parts)}"
            hint = "leave it out of the overrun; one guaranteed hex is no help here"
            found.append(Problem("mp", "WD 13.cost", text, hint, field="units"))
    if found:
        found.append(Problem("mp", "WD 13.no-min", "a unit that can't pay an overrun in full takes no part in it"))
    return found


def _advance(made: Overrun) -> list[Problem]:
    """Who enters the hex (WD 13.advance): all, those named, by default nobody."""
    named = made.order.texts("advance")
    if ALL in named:
        made.advance = made.units
        return []
    strangers = [uid for uid in named if uid not in made.units]
    made.advance = tuple(uid for uid in made.units if uid in named)
    texts = [(f"{uid} is not among the overrunning units", "leave it out", "WD 13.advance") for uid in strangers]
    for mover in (bill.mover for bill in made.bills):
        if 0 < sum(uid in named for uid in mover.ids) < len(mover.ids):
            texts.append((f"{', '.join(mover.ids)} move as one in this phase", "name all of them", "WD 6.C.start"))
    return [Problem("advance", rule, text, hint, field="advance") for text, hint, rule in texts]


# --- listing ----------------------------------------------------------------------------------------------------


def overrun_options(fld: Field, side: str) -> dict[tuple[int, int], tuple[str, ...]]:
    """Which overruns the stacks of a side can make as they stand: (origin, target) -> units that together can."""
    state = fld.state
    found: dict[tuple[int, int], tuple[str, ...]] = {}
    for origin in sorted({state.hex_of(uid) for uid in state.side_units(side)}):
        near = [h for h in hexes.neighbours(origin) if h in fld.blocked and state.enemy_in(h, side)]
        free = [uid for uid in state.friends_at(origin, side) if _free(state, side, uid)] if near else []
        for h in near:
            units = _able(fld, side, h, free)
            if units:
                found[(origin, h)] = units
    return found


def _free(state: State, side: str, uid: str) -> bool:
    return not state.pieces[uid].carrier and not may_move(state, side, uid)


def _able(fld: Field, side: str, h: int, free: Sequence[str]) -> tuple[str, ...]:
    """The units that can pay what their odds together ask, the cheaper rate first; the strongest of too many."""
    state, limits = fld.state, fld.charts.stacking
    for needed in sorted(fld.charts.overrun_odds, reverse=True):
        units: list[str] = []
        for uid in sorted(free, key=lambda u: (-state.unit(u).attack, u)):
            stack = count([state.unit(u) for u in (*units, uid)], limits["artillery"])
            fits = stack.places <= limits["units"] and stack.divisions <= limits["divisions"]
            units += [uid] if fits and _pays(fld, uid, h, needed) else []
        if units and reckon(state, side, h, units).odds >= needed:
            return tuple(sorted(units))
    return ()


def _pays(fld: Field, uid: str, h: int, odds: int) -> bool:
    mover = mover_of(fld.state, uid)
    bill = bill_of(fld, mover, h, odds)
    return bill is not None and bill.cost2 <= mover.left2

"""Orders of chance for what the order of battle brings and takes: placing, delaying, replacing, rebuilding, scrapping,
withdrawing, converting (WD 29; see bots.py).

What will be there is known only once the phase has run, so every wish is rehearsed before it is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Answer, Ask, Ctx, Event, Order, Tree
from adjudicator.engine.game import orders_of
from adjudicator.western_desert.air.arriving import air_pool, arrival_entry
from adjudicator.western_desert.air.changing import due, may_become, may_go
from adjudicator.western_desert.air.changing import open_rows as open_air_rows
from adjudicator.western_desert.air.facts import side_air
from adjudicator.western_desert.air.orders import NONE
from adjudicator.western_desert.air.repairing import ORDER as REPAIR
from adjudicator.western_desert.air.repairing import problems_of
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.bot_special import units_row
from adjudicator.western_desert.converting import CONVERT, UPGRADE, UPGRADES, conversion, open_rows
from adjudicator.western_desert.fifth_army import NO, ORDER, draw_problems
from adjudicator.western_desert.initial import initial_phase
from adjudicator.western_desert.landing import fronts
from adjudicator.western_desert.leaving import candidates, due_withdrawals
from adjudicator.western_desert.losses import has_cadre
from adjudicator.western_desert.pool import cost8, pool_of, rebuild8, rp_key
from adjudicator.western_desert.sea.siege import ORDER as REPAIR_MALTA
from adjudicator.western_desert.sea.siege import SIDE as MALTESE
from adjudicator.western_desert.sea.siege import Repairs, held
from adjudicator.western_desert.state import State
from adjudicator.western_desert.theatre.phase import PRESS, RAID, RELEASE, raided_bases
from adjudicator.western_desert.theatre.tripolitania import boxed, release_problems, spots
from adjudicator.western_desert.theatre.vichy import roll_problems
from adjudicator.western_desert.world import text

Row = dict[str, Tree]
WISHES_AT_MOST = 2
DELAY_SHARE, SCRAP_SHARE, AT_SHARE = 0.2, 0.1, 0.5
LANDED = ("landed", "supply-landed", "points-landed")


def arrival_rows(state: State, side: str, rows: Sequence[Row], chance: Chance) -> list[Row]:
    """The orders so far and some for arrivals, withdrawals and the pool, lawful all together."""
    plain = rehearsed(state, side, rows)
    if plain is None or state.surprise:
        return list(rows)
    kinds = (
        _placing(state, plain, side, chance),
        _pool(state, side, chance),
        _changing(state, side, chance),
        _fifth_army(state, side, chance),
        _theatre(state, side, chance),
        _air(state, side, chance),
        _malta(state, side, chance),
    )
    wishes = [row for kind in kinds for row in chance.some(list(kind), most=WISHES_AT_MOST)]
    found = list(rows)
    for row in wishes:
        if rehearsed(state, side, [*found, row]) is not None:
            found.append(row)
    return found


def _malta(state: State, side: str, chance: Chance) -> Iterator[Row]:
    """A repair point of Malta on one thing or the other, now and then one that supply pays for (WD 28.D)."""
    what = chance.pick(["status", "port", "airbase"])
    if Repairs(state, side).points:
        yield {"type": REPAIR_MALTA, "what": what, "points": "1"}
    there = held(state)
    for sid in sorted(state.supply) if side == MALTESE else ():
        if state.supply[sid].hex in there:
            yield {"type": REPAIR_MALTA, "what": what, chance.pick(["counter", "counters"]): sid}


def _air(state: State, side: str, chance: Chance) -> Iterator[Row]:
    """Air units that are tried, come out of the pool, go or are converted by order (WD 23, 29.B, 29.C, 29.D)."""
    tried = [aid for aid in side_air(state, side) if not problems_of(state, side, aid)]
    if tried:
        yield {"type": REPAIR, "air": [*chance.some(tried, least=1)] if chance.likely(AT_SHARE) else NONE}
    for aid in air_pool(state, side):
        yield {"type": "replace", "air": [aid]}
    for entry in due(state):
        able = may_go(state, entry)
        if able:
            yield {"type": "withdraw", "air": [chance.pick(able)]}
    for entry in open_air_rows(state, side):
        becoming = may_become(state, entry)
        if becoming:
            yield {"type": CONVERT, "air": chance.pick(becoming)}


def lawful_rows(state: State, side: str, rows: Sequence[Row]) -> list[Row]:
    """Those of the orders that are lawful once the turn has taken and brought what it does."""
    if rehearsed(state, side, rows) is not None:
        return list(rows)
    found: list[Row] = []
    for row in rows:
        if rehearsed(state, side, [*found, row]) is not None:
            found.append(row)
    return found


def rehearsed(state: State, side: str, rows: Sequence[Row]) -> list[Event] | None:
    """What an initial phase with these orders brings if nobody chooses and no die hurts; None if one is unlawful."""
    ctx: Ctx[State] = Ctx(state.copy(), apply)
    orders = orders_of(row for row in rows if row["type"] != "answer")
    steps, reply = initial_phase(ctx, side, orders, (0,)), None
    try:
        while True:
            reply = _reply(steps.send(reply), orders)
    except StopIteration:
        return None if ctx.problems else ctx.events


def _reply(request: Any, orders: Sequence[Order]) -> Any:
    """What the orders choose, else what comes of a choice that nobody makes, or of dice that do nothing."""
    if isinstance(request, Ask):
        found = request.find(orders)
        return Answer(request.default() if found is None or request.problems(found) else found, "default")
    return tuple(request.assume[i % len(request.assume)] for i in range(request.count))


def _basing(state: State, event: Event, side: str, chance: Chance) -> Iterator[Row]:
    """Of an air unit that would come in by itself: at which base, or not yet."""
    row: Row = {"type": "reinforce", "air": [event.data["unit"]]}
    bases = arrival_entry(state, side, str(event.data["box"])).bases
    if chance.likely(DELAY_SHARE):
        yield {**row, "delay": "yes"}
    elif bases and chance.likely(AT_SHARE):
        yield {**row, "at": state.board.name(chance.pick(list(bases)))}
    else:
        yield row


def _placing(state: State, plain: Sequence[Event], side: str, chance: Chance) -> Iterator[Row]:
    """Of what would come in by itself: where, or not yet."""
    for event in plain:
        if event.kind not in LANDED:
            continue
        name = {"landed": "unit", "supply-landed": "counter", "points-landed": "rp"}[event.kind]
        if event.data.get(name) in state.world.air:
            yield from _basing(state, event, side, chance)
            continue
        row: Row = {"type": "reinforce", name: event.data[name]}
        areas = {str(e.data["box"]) for e in plain if e.kind.startswith("due") and e.data.get(name) == event.data[name]}
        if chance.likely(DELAY_SHARE):
            yield {**row, "delay": "yes"}
        elif areas and chance.likely(AT_SHARE):
            places = fronts(state, min(areas))
            yield {**row, "at": state.board.name(chance.pick(places))} if places else row
        else:
            yield row


def _pool(state: State, side: str, chance: Chance) -> Iterator[Row]:
    """Units of the pool that their points can bring back, some of the others scrapped; cadres made whole."""
    for uid in pool_of(state, side):
        unit = state.unit(uid)
        if state.points.get(rp_key(unit), 0) >= cost8(unit):
            yield {"type": "replace", "unit": uid}
        elif chance.likely(SCRAP_SHARE):
            yield {"type": "scrap", "unit": uid}
    for uid in state.side_units(side):
        if state.pieces[uid].cadre and has_cadre(state.world.units[uid]):
            unit = state.unit(uid)
            if state.points.get(rp_key(unit), 0) >= rebuild8(unit):
                yield {"type": "rebuild", "unit": uid}


def _fifth_army(state: State, side: str, chance: Chance) -> Iterator[Row]:
    """A unit of the Fifth Army drawn by order, or none."""
    if not draw_problems(state, side):
        yield {"type": ORDER, "draw": NO} if chance.likely(DELAY_SHARE) else {"type": ORDER}


def _theatre(state: State, side: str, chance: Chance) -> Iterator[Row]:
    """A raid, pressure on Vichy France, the garrison of Tripolitania, some of it at a hex of choice (WD 28.A.2, 28.B.4,
    28.C.1)."""
    bases = raided_bases(state, side)
    if bases:
        yield {"type": RAID, "at": state.board.name(chance.pick(bases))}
    if not roll_problems(state.turn, state.player, state.phase, state.theatre.vichy):
        yield {"type": PRESS}
    if release_problems(state, side):
        return
    if chance.likely(AT_SHARE):
        yield {"type": RELEASE}
        return
    units, spot = chance.some(boxed(state), least=1, most=WISHES_AT_MOST), state.board.name(chance.pick(spots(state)))
    yield {"type": RELEASE, **units_row(units), "at": spot}


def _changing(state: State, side: str, chance: Chance) -> Iterator[Row]:
    """Who goes for a withdrawal, and what is converted by choice."""
    for row in due_withdrawals(state):
        able = candidates(state, row)
        if able:
            yield {"type": "withdraw", "what": text(row, "unit"), "offer": chance.pick(able)}
    for row in open_rows(state, side):
        made = conversion(state, row)
        if made.units and not made.problems:
            upgrade = text(row, "rule") == UPGRADES
            yield {"type": UPGRADE if upgrade else CONVERT, "unit": made.units[0]}

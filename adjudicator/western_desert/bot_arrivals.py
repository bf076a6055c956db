"""Orders of chance of the initial phase: arrivals placed or kept waiting, withdrawals, the pool, conversions (bots.py).

Each is picked from what is listed on a copy of the position, as the phase will stand when its turn comes; then the
whole phase is rehearsed, and what would be void is left out, since one choice may bar another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Answer, Ctx, Order, Proc, Roll, Tree
from adjudicator.engine.dice import Assume
from adjudicator.engine.game import orders_of
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.arrivals import EARLY, bring
from adjudicator.western_desert.converting import conversion, open_rows
from adjudicator.western_desert.initial import initial_phase
from adjudicator.western_desert.landing import counter_problems, fronts, landing_problems, waiting
from adjudicator.western_desert.leaving import candidates, due_withdrawals, withdraw_all
from adjudicator.western_desert.pool import pool_of, rebuildable, replace_problems, replacement_hexes, scrap_problems
from adjudicator.western_desert.sea.tunisia import OPTION as TUNISIA
from adjudicator.western_desert.sea.tunisia import in_europe
from adjudicator.western_desert.state import State
from adjudicator.western_desert.world import text

Row = dict[str, Tree]
PLACE_SHARE, DELAY_SHARE, OFFER_SHARE, SPEND_SHARE, SCRAP_SHARE, CONVERT_SHARE = 0.5, 0.15, 0.4, 0.8, 0.15, 0.6


def arrival_rows(state: State, side: str, chance: Chance) -> list[Row]:
    """Withdrawals first, then what comes in and what points buy, in the order in which it is listed."""
    if state.surprise or state.player != side:
        return []
    ctx: Ctx[State] = Ctx(state.copy(), apply)
    rows = list(_going(ctx.state, chance))
    withdraw_all(ctx, side, orders_of(rows), ())
    bring(ctx, side, ())
    for make in (_coming, _spending, _scrapping):
        for row in make(ctx.state, side, chance):
            made, (order,) = len(ctx.problems), orders_of([row])
            _rehearse(EARLY[order.type](ctx, side, order, ()), ())
            rows += [row] if len(ctx.problems) == made else []
    return [*rows, *_converting(state, side, chance)]


def lawful(state: State, side: str, rows: Sequence[Row]) -> list[Row]:
    """The rows that a rehearsal of the phase does not find unlawful."""
    kept = list(rows)
    while kept:
        orders = orders_of(kept)
        ctx: Ctx[State] = Ctx(state.copy(), apply)
        _rehearse(initial_phase(ctx, side, orders, (0,)), orders)
        void = {problem.order for problem in ctx.problems}
        if not void:
            break
        kept = [row for index, row in enumerate(kept) if index not in void]
    return kept


def _rehearse(steps: Proc[Any], orders: Sequence[Order]) -> None:
    """Run a phase with the dice that `check` assumes; choices are read from the orders, else they are defaults."""
    reply: Any = None
    try:
        while True:
            request = steps.send(reply)
            if isinstance(request, Roll):
                reply = Assume()(0, request)
            else:
                said = request.find(orders)
                reply = Answer(request.default() if said is None else said, "default")
    except StopIteration:
        return


def _going(state: State, chance: Chance) -> Iterator[Row]:
    """Somebody who may go for each withdrawal, none of them twice."""
    taken: list[str] = []
    for row in due_withdrawals(state):
        able = candidates(state, row, taken)
        if able and chance.likely(OFFER_SHARE):
            taken.append(able[0])
            yield {"type": "withdraw", "what": text(row, "unit"), "offer": able[0]}


def _coming(state: State, side: str, chance: Chance) -> Iterator[Row]:
    """Units and supply counters at a place of chance, or kept waiting."""
    for uid in waiting(state, side):
        area = state.boxes[uid].box
        places = [h for h in fronts(state, area) if not landing_problems(state, side, uid, h)]
        row: Row = {"type": "reinforce", "unit": uid}
        yield from _sent(row, state, uid, chance) or _placed(row, state, places, chance)
    for sid, depot in sorted(state.depots.items()):
        if depot.side == side:
            places = [h for h in fronts(state, depot.box) if not counter_problems(state, side, sid, h)]
            row = {"type": "reinforce", "counter": sid}
            yield from _sent(row, state, sid, chance) or _placed(row, state, places, chance)


def _sent(row: Row, state: State, name: str, chance: Chance) -> list[Row]:
    """Now and then by Tunisia, where that is played (WD 32.C)."""
    able = state.world.plays(TUNISIA) and name in in_europe(state) and name not in state.turned
    return [{**row, "via": "tunisia"}] if able and chance.likely(PLACE_SHARE) else []


def _placed(row: Row, state: State, places: list[int], chance: Chance) -> Iterator[Row]:
    if places and chance.likely(PLACE_SHARE):
        yield {**row, "at": state.board.name(chance.pick(places))}
    elif places and chance.likely(DELAY_SHARE):
        yield {**row, "delay": "yes"}


def _spending(state: State, side: str, chance: Chance) -> Iterator[Row]:
    """Units of the pool that points bring back now."""
    for uid in chance.some(pool_of(state, side)):
        places = [h for h in replacement_hexes(state, uid) if not replace_problems(state, side, uid, h)]
        if places and chance.likely(SPEND_SHARE):
            yield {"type": "replace", "unit": uid, "at": state.board.name(chance.pick(places))}


def _scrapping(state: State, side: str, chance: Chance) -> Iterator[Row]:
    able = [uid for uid in pool_of(state, side) if not scrap_problems(state, side, uid)]
    if able and chance.likely(SCRAP_SHARE):
        yield {"type": "scrap", "units": [*chance.some(able, least=1, most=2)]}


def _converting(state: State, side: str, chance: Chance) -> Iterator[Row]:
    """What needs supply, as it was when it was last determined."""
    for uid in rebuildable(state, side):
        if chance.likely(SPEND_SHARE):
            yield {"type": "rebuild", "unit": uid}
            break
    for row in open_rows(state, side):
        found = conversion(state, row)
        if found.units and not found.problems and chance.likely(CONVERT_SHARE):
            kind = "upgrade" if text(row, "rule") == "WD 29.D.2" else "convert"
            yield {"type": kind, "unit": found.units[0]}
            return

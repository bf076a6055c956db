"""The phasing player's attempts at repair in his initial phase: one die for each inoperative air unit (WD 23).

All of them are tried unless an order says which: an attempt costs nothing and can do no harm.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from adjudicator.engine.core import Ctx, Order, Problem, Proc, Roll
from adjudicator.western_desert.air.craft import craft_of
from adjudicator.western_desert.air.facts import side_air
from adjudicator.western_desert.air.orders import NONE
from adjudicator.western_desert.air.plans import not_at_hand
from adjudicator.western_desert.air.repair import RULE, nation_of, repair_problems, repaired_up_to
from adjudicator.western_desert.state import State

ORDER = "air_repair"
RETURN_RULE = "WD 29.C.1.placing"
By = tuple[int, ...]


def repair_all(ctx: Ctx[State], side: str, orders: Sequence[Order], by: By) -> Proc[None]:
    """Void what is wrong with the orders, then roll for each air unit that is tried, in order of id. None in the
    surprise turn (WD 28.B.3)."""
    state = ctx.state
    if state.surprise:
        return
    told = [order for order in orders if order.type == ORDER]
    tried = _named(ctx, side, told, by) if told else _able(state, side)
    for aid in sorted(tried):
        yield from _try(ctx, side, aid, by)


def problems_of(state: State, side: str, aid: str) -> list[Problem]:
    """What keeps a side from trying to repair an air unit now (WD 23, 28.A.3.turn, 29.C.1.placing)."""
    found = not_at_hand(state, side, aid, "air")
    if found:
        return found
    craft = craft_of(state.world, aid)
    if aid in state.still:
        text = f"{craft.name or aid} came back from Greece in this player turn and may not be repaired in it"
        return [Problem("greece", RETURN_RULE, text, "repair it in the next turn", field="air")]
    return repair_problems(craft, state.air[aid].operative, state.turn, state.phase, state.player == side)


def _able(state: State, side: str) -> list[str]:
    return [aid for aid in side_air(state, side) if not problems_of(state, side, aid)]


def _named(ctx: Ctx[State], side: str, orders: Sequence[Order], by: By) -> set[str]:
    """The air units that lawful orders name, with a warning about those left out."""
    found: set[str] = set()
    for order in orders:
        named = [aid for aid in order.texts("air") if aid != NONE]
        problems = [problem for aid in named for problem in problems_of(ctx.state, side, aid)]
        if problems:
            ctx.void(order, problems, by)
        else:
            found |= set(named)
            ctx.remark(order, partial(_left_out, ctx.state, side, orders), by)
    return found


def _left_out(state: State, side: str, orders: Sequence[Order]) -> list[Problem]:
    named = {aid for order in orders for aid in order.texts("air")}
    idle = [aid for aid in _able(state, side) if aid not in named]
    names = ", ".join(craft_of(state.world, aid).name or aid for aid in idle)
    text = f"nobody tries to repair {names}, though that costs nothing"
    return [Problem("idle", RULE, text, "leave the order out: then all are tried", field="air")] if idle else []


def _try(ctx: Ctx[State], side: str, aid: str, by: By) -> Proc[None]:
    state = ctx.state
    base = state.air[aid].hex
    most = repaired_up_to(state.world, nation_of(craft_of(state.world, aid)), state.turn)
    label = f"repair/{state.board.label(base)}/{aid}"
    (die,) = yield from ctx.roll(Roll(label, "air_repair", assume=(most + 1,), who=side))
    ctx.emit(
        "air-repaired",
        RULE,
        by,
        air=aid,
        base=state.board.name(base),
        die=str(die),
        label=label,
        repaired="yes" if die <= most else "",
        needs=str(most),
    )

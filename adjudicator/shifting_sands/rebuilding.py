"""The replacement phase of one side: its points, what it rebuilds, what is left and lost (SS 5.5, 7.413, 7.414, 15)."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Ctx, Order, Problem, Tree
from adjudicator.shifting_sands.losses import REPLACEMENT
from adjudicator.shifting_sands.replacement import (
    POOLS_OF,
    STEPS,
    cost2,
    half,
    income,
    left2,
    of_card,
    pool_of,
    rebuild_problems,
    recreate_places,
    said,
)
from adjudicator.shifting_sands.state import State

CHARTER_RULE = "SS 7.414"
DEFAULT = -1
"""The index of an order that nobody wrote."""
REBUILD_TYPES = ("replace", "recreate", "rp_choice")


def mark_card(ctx: Ctx[State], side: str, points: str, by: Sequence[int], order: str = "") -> None:
    """The points of a card that is played for them, as it prints them, go onto the track (SS 7.41)."""
    add_points(ctx, side, of_card(ctx.state, side, points), "SS 7.41", by, order)


def add_points(
    ctx: Ctx[State], side: str, halves: dict[str, int], rule: str, by: Sequence[int], order: str = ""
) -> None:
    """Points, in halves, go onto the track."""
    rows: list[Tree] = [
        {"pool": pool, "points": said(more), "total": said(left2(ctx.state, pool) + more)}
        for pool, more in sorted(halves.items())
        if more
    ]
    if rows:
        ctx.emit("rp", rule, by, "public", side=side, pools=rows, order=order)


def open_segment(ctx: Ctx[State], side: str, by: Sequence[int]) -> None:
    """The points that come in every replacement phase; of the choice of two pools the player speaks (SS 7.413)."""
    for pools in income(ctx.state, side).values():
        if len(pools) == 1:
            add_points(ctx, side, {pools[0]: 2}, "SS 7.413", by)


def rebuild(ctx: Ctx[State], side: str, orders: Sequence[Order], by: Sequence[int]) -> None:
    """Carry out the orders of the segment, as written; then what is left is lost (SS 15.1)."""
    open_segment(ctx, side, by)
    for order in orders:
        problems = segment_problems(ctx.state, side, order)
        if problems:
            ctx.void(order, problems, by)
        else:
            carry_out(ctx, side, order, by)
    close_segment(ctx, side, by)


def rebuild_by_default(ctx: Ctx[State], side: str, by: Sequence[int]) -> None:
    """What is rebuilt where a player says nothing of it: divisions before battlegroups, on the map before the box, the
    highest combat factor first, as long as points reach; a choice of pools falls to the first with somebody to rebuild
    (pbem, Decisions outside the actions)."""
    open_segment(ctx, side, by)
    for pools in [pools for pools in income(ctx.state, side).values() if len(pools) > 1]:
        needing = {pool_of(ctx.state, ctx.state.counter(o.text("unit"))) for o in _wishes(ctx.state, side)}
        nation = next((pool for pool in pools if pool in needing), pools[0])
        carry_out(ctx, side, Order(DEFAULT, "rp_choice", {"nation": nation}), by)
    while True:
        able = (order for order in _wishes(ctx.state, side) if not rebuild_problems(ctx.state, side, order))
        order = next(able, None)
        if order is None:
            break
        carry_out(ctx, side, order, by)
    close_segment(ctx, side, by)


def _wishes(state: State, side: str) -> list[Order]:
    """What could be rebuilt, the best first, a step or a whole unit at a time."""
    found: list[tuple[tuple[bool, bool, int, str], Order]] = []
    for uid in state.side_units(side):
        unit, piece = state.counter(uid), state.pieces[uid]
        rank = (not unit.division, piece.at == REPLACEMENT, -unit.cf[0], uid)
        if piece.at == REPLACEMENT:
            place = next(iter(recreate_places(state, unit)), "")
            for steps in ("2", "1"):
                found.append((rank, Order(DEFAULT, "recreate", {"unit": uid, "to": place, "steps": steps})))
        elif piece.reduced:
            found.append((rank, Order(DEFAULT, "replace", {"unit": uid})))
    return [order for _rank, order in sorted(found, key=lambda one: one[0])]


def segment_problems(state: State, side: str, order: Order) -> list[Problem]:
    """Why an order of the replacement phase is unlawful now."""
    if order.type == "rp_choice":
        return choice_problems(state, side, order)
    return rebuild_problems(state, side, order)


def choice_problems(state: State, side: str, order: Order) -> list[Problem]:
    """The point of the Atlantic Charter: one a phase, British or Commonwealth (SS 7.414)."""
    able = [pools for pools in income(state, side).values() if len(pools) > 1]
    nation = order.text("nation")
    if not able:
        said_ = "there is no point to choose the nation of"
        return [Problem("charter", CHARTER_RULE, said_, "leave the order out", field="nation")]
    if state.charter:
        said_ = f"the point of this phase is {state.charter} already"
        return [Problem("charter", CHARTER_RULE, said_, "leave one of the two out", field="nation")]
    if nation not in able[0]:
        return [Problem("charter", CHARTER_RULE, f"{nation} gets no such point", " or ".join(able[0]), field="nation")]
    return []


def carry_out(ctx: Ctx[State], side: str, order: Order, by: Sequence[int]) -> None:
    """Carry out one lawful order."""
    state, index = ctx.state, "" if order.index == DEFAULT else str(order.index)
    if order.type == "rp_choice":
        pool = order.text("nation")
        total = said(left2(state, pool) + 2)
        rows: list[Tree] = [{"pool": pool, "points": "1", "total": total}]
        ctx.emit("rp", CHARTER_RULE, by, "public", side=side, pools=rows, charter=pool, order=index)
        return
    uid = order.text("unit")
    unit = state.counter(uid)
    steps = int(order.text("steps") or (STEPS if order.type == "recreate" else 1))
    pool, price = pool_of(state, unit), cost2(unit, steps)
    left = said(left2(state, pool) - price)
    data: dict[str, Tree] = {"unit": uid, "pool": pool, "cost": said(price), "left": left, "order": index}
    if order.type == "replace":
        ctx.emit("restored", "SS 15.3", by, "public", at=state.pieces[uid].at, **data)
        return
    step = "" if steps == STEPS else "reduced"
    ctx.emit("recreated", "SS 15.4", by, "public", to=order.text("to"), step=step, **data)


def close_segment(ctx: Ctx[State], side: str, by: Sequence[int]) -> int:
    """What is not spent is lost (SS 15.1). Returns it in half points."""
    state = ctx.state
    left = {pool: left2(state, pool) for pool in POOLS_OF[side] if half(state.rp.get(pool, "0"))}
    if left:
        rows: list[Tree] = [{"pool": pool, "points": said(more)} for pool, more in sorted(left.items())]
        ctx.emit("rp-lost", "SS 15.1", by, "public", side=side, pools=rows)
    return sum(left.values())

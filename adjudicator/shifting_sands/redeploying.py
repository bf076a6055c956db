"""The redeployment of a round, carried out in the order written (SS 7.3, 12, 8.2)."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Ctx, Order, Problem, Tree
from adjudicator.shifting_sands.movement import thin_out
from adjudicator.shifting_sands.redeploy import (
    FROM_RESERVE,
    TO_RESERVE,
    by_company,
    end_of,
    guessed,
    points_of,
    rd_problems,
)
from adjudicator.shifting_sands.stacking import excess, overstack_problem, refuses
from adjudicator.shifting_sands.state import State

RULES = {"land": "SS 12.6", "sea": "SS 12.7", FROM_RESERVE: "SS 12.8", TO_RESERVE: "SS 12.84", "lrdg": "SS 12.81"}


def redeployments(ctx: Ctx[State], side: str, orders: Sequence[Order], by: Sequence[int]) -> None:
    """Redeploy unit by unit; who would leave a space too full at the end stays where he is (SS 8.2, ruling A22).

    Rules: SS 12.4, faq.rules.23.
    """
    refused = too_full(ctx.state, side, orders) if orders and refuses(ctx.state) else {}
    for order in orders:
        problems = refused.get(order.index) or moment_problems(ctx.state) or rd_problems(ctx.state, side, order)
        if problems:
            ctx.void(order, problems, by)
        else:
            redeploy(ctx, side, order, by)
    thin_out(ctx, side, by)


def moment_problems(state: State) -> list[Problem]:
    """Redeployment needs a card played for it in this round, no other action serves (SS 6.12B, 7.31, faq.rules.1,
    faq.rules.16)."""
    if state.rd_left is not None:
        return []
    if state.ops.source == "automatic":
        said = "the automatic operation serves movement and combat alone"
        return [Problem("no-rd", "SS 6.12B", said, "play a card with use: rd")]
    said = "no card was played for redeployment in this round"
    return [Problem("no-rd", "SS 7.31", said, "play a card with use: rd")]


def redeploy(ctx: Ctx[State], side: str, order: Order, by: Sequence[int]) -> None:
    """Carry out one redeployment that is lawful."""
    state, uid = ctx.state, order.text("unit")
    mode = order.text("mode") or guessed(state, order)
    unit, to = state.counter(uid), end_of(order, mode)
    cost = points_of(unit)
    data: dict[str, Tree] = {"unit": uid, "mode": mode, "from": state.pieces[uid].at, "to": to, "cost": str(cost)}
    data["left"] = "" if state.rd_left is None else str(state.rd_left - cost)
    data["company"] = "yes" if mode == FROM_RESERVE and by_company(state, unit, to) else ""
    path = order.texts("path")
    data["path"] = [*path] if mode in ("land", "sea") else []
    ctx.emit("rd", RULES[mode], by, "public", order=str(order.index), **{k: v for k, v in data.items() if v})


def too_full(state: State, side: str, orders: Sequence[Order]) -> dict[int, list[Problem]]:
    """Redeployments that would leave a space too full when all are done; the last one into it goes first."""
    refused: dict[int, list[Problem]] = {}
    while True:
        trial, last = _done(state, side, orders, refused)
        full = [place for place in sorted(last) if excess(trial, place, side) > 0]
        if not full:
            return refused
        for place in full:
            refused[last[place].index] = [overstack_problem(trial, place, side)]


def _done(
    state: State, side: str, orders: Sequence[Order], refused: dict[int, list[Problem]]
) -> tuple[State, dict[str, Order]]:
    """A copy of the state after all that is lawful, and the last order into each space."""
    trial, last = state.copy(), dict[str, Order]()
    for order in orders:
        if order.index in refused or rd_problems(trial, side, order):
            continue
        uid, mode = order.text("unit"), order.text("mode") or guessed(trial, order)
        to = end_of(order, mode)
        if trial.rd_left is not None:
            trial.rd_left -= points_of(trial.counter(uid))
        trial.shift(uid, to)
        trial.pieces[uid].redeployed = True
        if not to.startswith("@"):
            last[to] = order
    return trial, last

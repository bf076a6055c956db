"""Supply counters merged, split and destroyed by their owner in his player turn (WD 12.D.merge, 12.D.destroy).

In any of its phases: in the combat phase between attacks, in the order in which the player lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from adjudicator.engine.core import Ctx, Order, Problem
from adjudicator.western_desert.gate import CAPTURED
from adjudicator.western_desert.haul import counter_problems, named_counters
from adjudicator.western_desert.state import State

MERGE, DESTROY = "WD 12.D.merge", "WD 12.D.destroy"


def handle_supply(ctx: Ctx[State], side: str, order: Order, by: Iterable[int]) -> None:
    """Carry out an order of :data:`STORES` as things stand, or void it."""
    seqs = tuple(by)
    problems = store_problems(ctx.state, side, order)
    if problems:
        ctx.void(order, problems, seqs)
    else:
        STORES[order.type](ctx, side, order, seqs)


def store_problems(state: State, side: str, order: Order) -> list[Problem]:
    """What is wrong with an order of :data:`STORES` (WD 12.D.destroy)."""
    counters = named_counters(order)
    if order.type == "supply_merge":
        return merge_problems(state, side, counters)
    if order.type == "supply_split":
        return [problem for sid in counters for problem in split_problems(state, side, sid)]
    return [problem for sid in counters for problem in counter_problems(state, side, sid, DESTROY)]


def early_problems(state: State, side: str, order: Order) -> list[Problem]:
    """What is wrong with such an order before a phase, whatever happens in it: counters that are not the side's. Those
    that captures and splits may yet make are judged at the moment of the order, and so are steps."""
    rule = DESTROY if order.type == "supply_destroy" else MERGE
    named = [sid for sid in named_counters(order) if not CAPTURED.fullmatch(sid)]
    return [problem for sid in named for problem in counter_problems(state, side, sid, rule)]


def merge_problems(state: State, side: str, counters: Sequence[str]) -> list[Problem]:
    """Two counters of one step in one hex become one of two (WD 12.D.merge)."""
    found = [problem for sid in counters for problem in counter_problems(state, side, sid, "WD 12.D.merge")]
    if found:
        return found
    both = [state.supply[sid] for sid in counters]
    if len(both) != 2 or any(counter.steps != 1 for counter in both) or both[0].hex != both[1].hex:
        named = zip(counters, both, strict=True)
        said = ", ".join(f"{sid} ({counter.steps} in {state.board.name(counter.hex)})" for sid, counter in named)
        text_ = f"two counters of one step each in one hex merge, not {said or 'none'}"
        return [Problem("merge", "WD 12.D.merge", text_, "name two such counters", field="counters")]
    return []


def split_problems(state: State, side: str, counter: str) -> list[Problem]:
    """A counter of two steps becomes two of one (WD 12.D.merge)."""
    found = counter_problems(state, side, counter, "WD 12.D.merge")
    if not found and state.supply[counter].steps < 2:
        text_ = f"{counter} has one step; only a counter of two splits"
        found = [Problem("split", "WD 12.D.merge", text_, "leave the order out", field="counters")]
    return found


def split_counter(state: State, side: str) -> str:
    """The id of the next counter that splitting makes; numbers are never used again in a game."""
    return f"supply-{side}-split-{state.split + 1}"


def _merge(ctx: Ctx[State], side: str, order: Order, by: tuple[int, ...]) -> None:
    counters = named_counters(order)
    where = ctx.state.board.name(ctx.state.supply[counters[0]].hex)
    ctx.emit("supply-merged", MERGE, by, counters=[*counters], side=side, hex=where, order=str(order.index))


def _split(ctx: Ctx[State], side: str, order: Order, by: tuple[int, ...]) -> None:
    state, at = ctx.state, str(order.index)
    for sid in named_counters(order):
        where, new = state.board.name(state.supply[sid].hex), split_counter(state, side)
        ctx.emit("supply-split", MERGE, by, counter=sid, new=new, side=side, hex=where, order=at)


def _destroy(ctx: Ctx[State], side: str, order: Order, by: tuple[int, ...]) -> None:
    """Own counters leave the game (WD 12.D.destroy)."""
    counters = named_counters(order)
    ctx.emit("supply-destroyed", DESTROY, by, counters=[*counters], side=side, order=str(order.index))


STORES: dict[str, Callable[[Ctx[State], str, Order, tuple[int, ...]], None]] = {
    "supply_merge": _merge,
    "supply_split": _split,
    "supply_destroy": _destroy,
}
"""The orders that handle supply where it lies."""

"""Control of spaces and what follows from it: victory points, the release of neutrals (SS 3, 10.4, 16)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from adjudicator.engine.core import Ctx
from adjudicator.shifting_sands.nations import NEUTRALS
from adjudicator.shifting_sands.state import State

JERUSALEM = "Jerusalem"


def take(ctx: Ctx[State], side: str, places: Iterable[str], rule: str, by: Sequence[int] = ()) -> list[str]:
    """The side gains control of spaces it did not have; VP move and neutrals wake. Returns what changed."""
    state = ctx.state
    changed = [p for p in dict.fromkeys(places) if p in state.world.spaces and state.owner(p) != side]
    changed = [p for p in changed if not state.world.spaces[p].box]
    if not changed:
        return []
    ctx.emit("control", rule, by, side=side, spaces=list(changed))
    _points(ctx, side, changed, by)
    if side == "axis" and JERUSALEM in changed:
        release(ctx, NEUTRALS, "SS 10.42", by)
    return changed


def _points(ctx: Ctx[State], side: str, changed: Sequence[str], by: Sequence[int]) -> None:
    """Each VP space that changes hands moves the marker by one (SS 16)."""
    spaces = [name for name in changed if ctx.state.world.spaces[name].vp]
    if spaces:
        change = len(spaces) if side == "axis" else -len(spaces)
        ctx.emit("vp", "SS 16.0", by, to=str(ctx.state.vp + change), change=str(change), spaces=list(spaces))


def release(ctx: Ctx[State], nations: Iterable[str], rule: str, by: Sequence[int] = ()) -> None:
    """Neutral units become active Axis units; every space that holds them turns Axis at once (ruling A41)."""
    state = ctx.state
    fresh = [nation for nation in nations if nation not in state.released]
    if not fresh:
        return
    ctx.emit("released", rule, by, nations=list(fresh))
    woken = [uid for uid in sorted(state.pieces) if state.counter(uid).nation in fresh and state.on_map(uid)]
    take(ctx, "axis", sorted({state.pieces[uid].at for uid in woken}), "SS 10.41", by)

"""Control of spaces and what follows from it at once: victory points, released neutrals, the LRDG (SS 3, 10.4, 16)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from adjudicator.engine.core import Ctx
from adjudicator.shifting_sands.access import LRDG, entry
from adjudicator.shifting_sands.events.mandates import cancel
from adjudicator.shifting_sands.nations import NEUTRALS
from adjudicator.shifting_sands.stacking import room
from adjudicator.shifting_sands.state import State

JERUSALEM = "Jerusalem"
MERSA_MATRUH, CAIRO = "Mersa Matruh", "Cairo"


def take(ctx: Ctx[State], side: str, places: Iterable[str], rule: str, by: Sequence[int] = ()) -> list[str]:
    """The side gains control of spaces it did not have, with all that follows. Returns what changed hands.

    Rules: SS 10.42, 10.43, 3.control.
    """
    state = ctx.state
    changed = [p for p in dict.fromkeys(places) if p in state.world.spaces and state.owner(p) != side]
    changed = [p for p in changed if not state.world.spaces[p].box]
    if not changed:
        return []
    ctx.emit("control", rule, by, side=side, spaces=list(changed))
    _points(ctx, side, changed, by)
    if side == "axis" and JERUSALEM in changed:
        release(ctx, NEUTRALS, "SS 10.42", by)
    if side == "axis" and MERSA_MATRUH in changed:
        _throw_back(ctx, by)
    cancel(ctx, by)
    return changed


def _points(ctx: Ctx[State], side: str, changed: Sequence[str], by: Sequence[int]) -> None:
    """Each VP space that changes hands moves the marker by one (SS 16.0, 16.5, 16.6).

    Rules: SS 3.vp-space.
    """
    spaces = [name for name in changed if ctx.state.world.spaces[name].vp]
    if spaces:
        change = len(spaces) if side == "axis" else -len(spaces)
        ctx.emit("vp", "SS 16.0", by, to=str(ctx.state.vp + change), change=str(change), spaces=list(spaces))


def release(ctx: Ctx[State], nations: Iterable[str], rule: str, by: Sequence[int] = ()) -> None:
    """Neutral units become active Axis units; every space that holds them turns Axis at once (ruling A41).

    Rules: SS 10.42, 10.43.
    """
    state = ctx.state
    fresh = [nation for nation in nations if nation not in state.released]
    if not fresh:
        return
    ctx.emit("released", rule, by, nations=list(fresh))
    woken = [uid for uid in sorted(state.pieces) if state.counter(uid).nation in fresh and state.on_map(uid)]
    take(ctx, "axis", sorted({state.pieces[uid].at for uid in woken}), "SS 10.41", by)


def _throw_back(ctx: Ctx[State], by: Sequence[int]) -> None:
    """SS 11.76: the LRDG in Libya goes to Cairo, or to the replacement box if Cairo can't take it (ruling A79)."""
    state = ctx.state
    for uid in sorted(state.pieces):
        unit, at = state.counter(uid), state.pieces[uid].at
        if unit.kind != LRDG or not state.world.in_region(at, "Libya"):
            continue
        open_there = CAIRO in state.world.spaces and state.owner(CAIRO) == unit.side
        if open_there and entry(state, unit, CAIRO) is None and room(state, CAIRO, unit.side, unit.nation) > 0:
            ctx.emit("thrown-back", "SS 11.76", by, unit=uid, to=CAIRO, **{"from": at})
        else:
            why = "no place in Cairo"
            ctx.emit("eliminated", "SS 11.76", by, unit=uid, to="@replacement", why=why, **{"from": at})

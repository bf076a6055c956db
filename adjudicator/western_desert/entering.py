"""What a ground unit brings about by entering a hex, whether by move, overrun, advance, retreat or from the air
(WD 12.D.capture, 17.B)."""

from __future__ import annotations

from collections.abc import Iterable

from adjudicator.engine.core import Ctx, Proc
from adjudicator.western_desert.air.escaping import invaded
from adjudicator.western_desert.capture import capture_supply
from adjudicator.western_desert.state import State
from adjudicator.western_desert.theatre.displaying import came_near


def entered(ctx: Ctx[State], uid: str, h: int, by: Iterable[int] = ()) -> Proc[None]:
    """A unit has entered a hex, and its control is settled: air units escape or are lost, supply is captured (WD 17.B,
    12.D.capture). Garrisons that it comes near to are shown (WD 33.C)."""
    seqs = tuple(by)
    if ctx.state.theatre.listed and ctx.state.unit(uid).side == "axis" and not ctx.state.unit(uid).counter:
        yield from came_near(ctx, [h], seqs)
    yield from invaded(ctx, uid, h, seqs)
    yield from capture_supply(ctx, uid, h, seqs)


def driven_out(ctx: Ctx[State], uid: str, h: int, by: Iterable[int] = ()) -> Proc[None]:
    """A unit has driven the enemy out of the hex that both were in: it captures what it could not before (ruling
    CAPTURE-DROP)."""
    yield from capture_supply(ctx, uid, h, tuple(by))

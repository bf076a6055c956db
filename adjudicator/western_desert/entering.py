"""What a ground unit brings about by entering a hex, whether by move, overrun, advance, retreat or from the air
(WD 12.D.capture, 17.B, 22.A.4)."""

from __future__ import annotations

from collections.abc import Iterable

from adjudicator.engine.core import Ctx, Proc
from adjudicator.western_desert.air.escaping import invaded
from adjudicator.western_desert.capture import capture_supply
from adjudicator.western_desert.state import ENEMY, WRECK, State


def entered(ctx: Ctx[State], uid: str, h: int, by: Iterable[int] = ()) -> Proc[None]:
    """A unit has entered a hex, and its control is settled: air units escape or are lost, the San Giorgio falls with
    Tobruk, supply is captured (WD 17.B, 22.A.4, 12.D.capture)."""
    seqs = tuple(by)
    yield from invaded(ctx, uid, h, seqs)
    _sink(ctx, uid, h, seqs)
    yield from capture_supply(ctx, uid, h, seqs)


def driven_out(ctx: Ctx[State], uid: str, h: int, by: Iterable[int] = ()) -> Proc[None]:
    """A unit has driven the enemy out of the hex that both were in: it captures what it could not before (ruling
    CAPTURE-DROP)."""
    seqs = tuple(by)
    _sink(ctx, uid, h, seqs)
    yield from capture_supply(ctx, uid, h, seqs)


def _sink(ctx: Ctx[State], uid: str, h: int, by: tuple[int, ...]) -> None:
    """The San Giorgio is destroyed at once when a unit of the enemy captures its harbor (WD 22.A.4)."""
    state, unit = ctx.state, ctx.state.world.units[uid]
    if WRECK not in state.at.get(h, ()) or unit.counter or state.owner(h) != unit.side:
        return
    if state.world.units[WRECK].side == ENEMY.get(unit.side):
        lost = {"unit": WRECK, "hex": state.board.name(h), "step": "", "fate": "permanent"}
        ctx.emit("eliminated", "WD 22.A.4", by, "public", **lost, why=f"{state.board.feature_names(h)} is captured")

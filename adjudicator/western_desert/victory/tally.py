"""The running tally (WD 31): every change is an event that says why; the sums by rule explain the totals."""

from __future__ import annotations

from fractions import Fraction

from adjudicator.engine.core import Ctx
from adjudicator.western_desert.state import State

By = tuple[int, ...]


def change_vp(ctx: Ctx[State], side: str, halves: int, rule: str, by: By, why: str) -> None:
    """Note victory points gained or lost, in halves; the totals run on (WD 31, 31.C)."""
    total = ctx.state.vp2.get(side, 0) + halves
    ctx.emit("vp", rule, by, side=side, vp=str(Fraction(halves, 2)), total=str(Fraction(total, 2)), why=why)

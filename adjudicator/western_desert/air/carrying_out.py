"""TEMP"""

from __future__ import annotations

from adjudicator.engine.core import Ctx, Proc
from adjudicator.western_desert.state import State


def carry_out_missions(ctx: Ctx[State]) -> Proc[None]:
    """TEMP."""
    yield from ()

"""TEMP"""

from __future__ import annotations

from adjudicator.engine.core import Ctx, Proc
from adjudicator.western_desert.state import State


def air_combats(ctx: Ctx[State]) -> Proc[None]:
    """TEMP."""
    yield from ()

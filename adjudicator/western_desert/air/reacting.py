"""TEMP"""

from __future__ import annotations

from adjudicator.engine.core import Ctx, Proc
from adjudicator.western_desert.state import State


def react(ctx: Ctx[State], side: str) -> Proc[None]:
    """TEMP."""
    yield from ()

"""TEMP"""

from __future__ import annotations

from adjudicator.engine.core import Ctx, Proc
from adjudicator.western_desert.state import State


def land_support(ctx: Ctx[State], side: str) -> Proc[None]:
    """TEMP."""
    yield from ()


def fly_home(ctx: Ctx[State]) -> Proc[None]:
    """TEMP."""
    yield from ()

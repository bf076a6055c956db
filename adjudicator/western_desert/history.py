"""The dates that hang on the Balkan campaign, as they are without an expedition to Greece too (WD 26.D, 27.B.1, 32.B).

The option moves what it names and nothing else: air units are placed on Crete and Rhodes from Jun I 41 on in either
case (WD 29.A.2, 29.B.1).
"""

from __future__ import annotations

from adjudicator.engine.core import Ctx
from adjudicator.western_desert.state import State, World, turn_number
from adjudicator.western_desert.variants import EARLY_FALL, EARLY_FORCES, FALL, FORCES, NO_EXPEDITION

RULE = "WD 32.B"
CRETE, SIDE, NEUTRAL = "Crete", "axis", "neutral"
By = tuple[int, ...]


def fall_of_crete(world: World) -> str:
    """The game turn on which the Axis player gains Crete, and from which on he may ship on map 19 (WD 26.D,
    32.B.may)."""
    return EARLY_FALL if world.plays(NO_EXPEDITION) else FALL


def first_forces(world: World) -> str:
    """The first game turn of the German special forces of 1941 (WD 27.B.1, 32.B.may)."""
    return EARLY_FORCES if world.plays(NO_EXPEDITION) else FORCES


def take_crete(ctx: Ctx[State], side: str, by: By) -> None:
    """The Axis player gains control of Crete in his initial phase of that turn (WD 26.D, 32.B)."""
    state = ctx.state
    if side != SIDE or state.turn < turn_number(fall_of_crete(state.world)):
        return
    hexes = [h for h in sorted(state.board.land) if state.board.in_region(h, CRETE) and state.owner(h) == NEUTRAL]
    if hexes:
        rule = RULE if state.world.plays(NO_EXPEDITION) else "WD 26.D"
        ctx.emit("control", rule, by, side=SIDE, hexes=[state.board.name(h) for h in hexes])

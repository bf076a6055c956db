"""When the Allied player gains control of the Levant, and what follows from it so many turns later (WD 29.B.3, 33.E).

He controls it while he controls all its cities (WD 3.G.region). Turns are counted from the one after that in which he
gained it, and anew where he has lost it in between (ruling SIXTH-TURN).
"""

from __future__ import annotations

from collections.abc import Iterable

from adjudicator.engine.core import Ctx
from adjudicator.western_desert import hexes
from adjudicator.western_desert.graph import LEVANT
from adjudicator.western_desert.state import State, turn_name
from adjudicator.western_desert.theatre.events import NOT_HELD
from adjudicator.western_desert.victory.territory import holds_all

SIDE = "allied"
RULE = "WD 3.G.region"
RAILROAD, RAILROAD_RULE = "33.E", "WD 33.E"
RAILROAD_TURNS = 36
ENDS = ("19/4312", "19/4404")
"""Haifa and Tripoli in Lebanon, which the railroad joins (WD 33.E)."""


def watch_levant(ctx: Ctx[State], by: Iterable[int] = ()) -> None:
    """Note when the Allied player gains control of the Levant, and when he loses it."""
    state = ctx.state
    if state.phase == "setup":
        return
    held, since = holds_all(state, SIDE, LEVANT), state.theatre.held
    if held != bool(since):
        gained = turn_name(state.turn) if held else NOT_HELD
        ctx.emit("levant", RULE, by, state=state.levant, invaded="", gained=gained)


def railroad_turn(held: int) -> int:
    """The game turn on which the railroad is there, where the Levant is held since a turn (WD 33.E)."""
    return held + RAILROAD_TURNS


def railroad(state: State) -> str:
    """The line from Haifa to Tripoli that is a road at first; "" on a map without it."""
    ends = tuple(hexes.parse(name) for name in ENDS)
    return next((line for line, path in state.board.unbuilt.items() if path and (path[0], path[-1]) == ends), "")


def open_railroad(ctx: Ctx[State], side: str, by: Iterable[int]) -> None:
    """In the Allied initial phase of the 36th turn the road becomes a railroad, all of it at once (WD 33.E)."""
    state, held = ctx.state, ctx.state.theatre.held
    if not state.world.plays(RAILROAD) or side != SIDE or not held or state.turn < railroad_turn(held):
        return
    line = railroad(state)
    if line and line not in state.built:
        path, name = state.board.unbuilt[line], state.board.name
        told = {"line": line, "built": str(len(path) - 1), "from": name(path[0]), "hex": name(path[-1])}
        ctx.emit("rail-extended", RAILROAD_RULE, by, **told)

"""The invasion of the Levant: the other player is given the Vichy forces at once (WD 28.C.invade, 28.C.2)."""

from __future__ import annotations

from adjudicator.engine.core import Ctx, Problem
from adjudicator.western_desert.control import settle
from adjudicator.western_desert.graph import LEVANT, OPEN
from adjudicator.western_desert.state import ENEMY, VICHY, State, turn_name
from adjudicator.western_desert.theatre.holding import watch_levant
from adjudicator.western_desert.theatre.listed import RULE as LIST_RULE
from adjudicator.western_desert.theatre.listed import SIDE as LISTS
from adjudicator.western_desert.theatre.listed import seen_from

By = tuple[int, ...]
RULE = "WD 28.C.invade"
MOVING = ("movement", "exploitation")


def invade_problems(state: State, side: str) -> list[Problem]:
    """What keeps a player from invading the Levant now: it is announced before his movement, while the Levant is
    neutral (ruling LEVANT-INVASION)."""
    if side != state.player or state.phase not in MOVING or state.surprise:
        text = "an invasion of the Levant is announced before the movement of one's own phase"
        return [Problem("moment", RULE, text, "leave the order out")]
    if state.theatre.vichy or state.levant == OPEN:
        return [Problem("invaded", RULE, "the Levant has been invaded", "leave the order out")]
    moved = [uid for uid in state.side_units(side) if state.pieces[uid].entered or state.pieces[uid].spent2]
    if moved:
        text = "units have moved in this phase; an invasion is announced before movement"
        return [Problem("moved", RULE, text, "put the order before those that move")]
    return _hidden_problems(state, side)


def _hidden_problems(state: State, side: str) -> list[Problem]:
    """Whoever gives the Axis player the Vichy forces shows first which garrisons are near them (WD 33.C)."""
    theirs = [state.hex_of(uid) for uid in state.side_units(VICHY)] if side == LISTS else []
    near = seen_from(state, theirs)
    if not near:
        return []
    text = f"the Vichy forces come near to garrisons that are off the map, in {' and '.join(near)}"
    hint = "show them in the initial phase (show_garrison), and invade then"
    return [Problem("hidden", LIST_RULE, text, hint)]


def invade(ctx: Ctx[State], side: str, by: By, index: str = "") -> None:
    """The Levant is invaded: Vichy forces, their aircraft and their ground are the other player's from now on (WD
    28.C.invade, 28.C.2)."""
    state = ctx.state
    now = turn_name(state.turn)
    ctx.emit("invasion", RULE, by, side=side, held=ENEMY[side], turn=now, order=index)
    settle(ctx, [h for h in state.board.land if state.board.in_region(h, LEVANT)], by=by)
    watch_levant(ctx, by)

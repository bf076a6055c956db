"""The position in which a unit's movement is looked at: its phase now, or its next one as if it began now."""

from __future__ import annotations

from typing import NamedTuple

from adjudicator.western_desert.state import State
from adjudicator.western_desert.supply import covered, on_lines
from adjudicator.western_desert.words import side_name

MOVING = ("movement", "exploitation")


class Staged(NamedTuple):
    """A position, and what was assumed to come to it; "" where it is the position as it stands."""

    state: State
    note: str = ""


def staged(state: State, uid: str) -> Staged:
    """Where the unit moves now, the position as it is. Else a copy in which its side's next movement begins, with all
    units where they stand: after the own combats exploitation, otherwise the movement phase of its next player turn
    with supply lines as they are now."""
    side = state.world.units[uid].side
    if side not in ("axis", "allied") or (state.player == side and state.phase in MOVING):
        return Staged(state)
    if state.player == side and state.phase == "initial":
        note = "As if its movement phase began now, with supply as lines and counters are now"
        return Staged(_begin(state, side, "movement"), note)
    if state.player == side and state.phase == "combat" and not state.surprise:
        found = _begin(state, side, "exploitation", anew=False)
        return Staged(found, "As if its exploitation phase began now, before the combats")
    note = f"As if the next {side_name(side)} movement phase began now, all units where they stand, supply as lines are"
    return Staged(_begin(state, side, "movement"), note)


def _begin(state: State, side: str, phase: str, anew: bool = True) -> State:
    """A copy at the start of a phase of a side; ``anew`` with general supply found again."""
    found = state.copy()
    found.surprise = state.surprise and state.player == side and state.phase == "initial"
    found.player, found.phase, found.step = side, phase, phase
    served = _served(found, side) if anew else set()
    for uid, piece in found.pieces.items():
        piece.spent2, piece.entered, piece.means, piece.rail, piece.carrier = 0, 0, "", 0, ""
        piece.start = piece.hex
        piece.attacked = piece.defended = piece.retreated = False
        if anew and found.world.units[uid].side == side:
            piece.gs = uid in served
    if anew:
        found.taken = {}
    return found


def _served(state: State, side: str) -> set[str]:
    """Units that lines or counters can supply now (WD 12.B)."""
    found = on_lines(state, side)
    for sid, counter in state.supply.items():
        if counter.side == side:
            found |= set(covered(state, sid))
    return found

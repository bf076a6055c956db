"""The position in which a question is looked at: the phase now, or a later one as if it began now."""

from __future__ import annotations

from typing import NamedTuple

from adjudicator.engine.core import Event
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.sequence import RULES, PlayerTurn
from adjudicator.western_desert.state import ENEMY, State, turn_name
from adjudicator.western_desert.supply import covered, on_lines
from adjudicator.western_desert.turn import player_turn
from adjudicator.western_desert.words import side_name

INITIAL, MOVEMENT, AIR, COMBAT, EXPLOITATION = "initial", "movement", "air", "combat", "exploitation"
MOVING = (MOVEMENT, EXPLOITATION)


class Staged(NamedTuple):
    """A position, and what was assumed to come to it; "" where it is the position as it stands."""

    state: State
    note: str = ""


def staged(state: State, uid: str, later: bool = False) -> Staged:
    """Where the unit moves now, the position as it is, unless a ``later`` turn is asked for.

    Else a copy in which its side's next movement begins, with all units where they stand: after the own combats
    exploitation, otherwise the movement phase of its next player turn with supply lines as they are now.
    """
    side = state.world.units[uid].side
    if side not in ENEMY or (state.player == side and state.phase in MOVING and not later):
        return Staged(state)
    if state.player == side and state.phase == INITIAL and not later:
        note = "As if its movement phase began now, with supply as lines and counters are now"
        return Staged(_supplied(_begun(state, player_turn(state), MOVEMENT), side), note)
    if state.player == side and state.phase == COMBAT and not state.surprise and not later:
        note = "As if its exploitation phase began now, before the combats"
        return Staged(_begun(state, player_turn(state), EXPLOITATION), note)
    note = f"As if the next {side_name(side)} movement phase began now, all units where they stand, supply as lines are"
    following = _next_turn(state, side)
    return Staged(_supplied(_begun(_begun(state, following, INITIAL), following, MOVEMENT), side), note)


def in_combat(state: State, side: str) -> State:
    """The position as if the combat phase of a side were now, all units where they stand."""
    if state.player == side and state.phase == COMBAT:
        return state.copy()
    return _begun(state, player_turn(state) if state.player == side else _next_turn(state, side), COMBAT)


def in_air(state: State, side: str, reacting: bool = False) -> State:
    """The position as if the air phase of a side were now, all units where they stand; one who is ``reacting`` looks at
    the air phase as it is."""
    if reacting or (state.player == side and state.phase == AIR):
        return state.copy()
    return _begun(state, player_turn(state) if state.player == side else _next_turn(state, side), AIR)


def _next_turn(state: State, side: str) -> PlayerTurn:
    """The next player turn of a side after the one at which the game stands."""
    found = player_turn(state).next()
    while found.player != side:
        found = found.next()
    return found


def _begun(state: State, turn: PlayerTurn, phase: str) -> State:
    """A copy in which a phase begins, by the event that opens it."""
    found = state.copy()
    surprise = "yes" if turn.surprise else ""
    data = {"turn": turn_name(turn.turn), "player": turn.player, "phase": phase, "surprise": surprise}
    apply(found, Event("phase", RULES[phase], data))
    return found


def _supplied(state: State, side: str) -> State:
    """The position with general supply of a side as lines and counters can give it now (WD 12.B)."""
    served = on_lines(state, side)
    for sid, counter in state.supply.items():
        if counter.side == side:
            served |= set(covered(state, sid))
    for uid in state.side_units(side):
        state.pieces[uid].gs = uid in served
    return state

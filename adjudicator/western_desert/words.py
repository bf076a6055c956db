"""Words for people: sides, phases, units, hexes, stacks. Used by template, read-back and situation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from adjudicator.western_desert.apply import mp_points, mp_text
from adjudicator.western_desert.charts import charts_of
from adjudicator.western_desert.state import State, turn_name
from adjudicator.western_desert.supply import covered, on_lines

SIDES = {"axis": "Axis", "allied": "Allied", "vichy": "Vichy"}
PHASES = {
    "setup": "set-up",
    "initial": "initial phase",
    "movement": "movement phase",
    "air": "air phase",
    "combat": "combat phase",
    "exploitation": "exploitation phase",
    "victory": "reckoning of victory",
}


REACTING = {
    "orders/deploy": "the set-up",
    "orders/reaction": "the reaction in the air phase: interceptions and scrambles",
    "orders/scramble": "the reaction in the air phase: which air units scramble",
}
CHOICES = {
    "jettison": "which fighters drop their bombs and join the escorts",
    "split": "which interceptors attack the escorts, the others try to pass",
    "engage": "which escort each interceptor at the screen attacks",
    "join": "which further escorts join the fight at the screen",
    "chase": "which escorts go for the interceptors that pass",
    "strike": "whom the interceptors attack that got through",
    "sequence": "the order in which several exchange fire with one",
    "land": "the base to land at",
    "escape": "whether the air unit tries to escape, and where to",
}
"""What choices of the air war ask, by the first word of their keys."""


def side_name(side: str) -> str:
    """A side as people write it."""
    return SIDES.get(side, side)


def moment(state: State) -> str:
    """Where the sequence of play stands: ``Dec I 40, surprise turn, Allied player turn: movement phase``."""
    turn = turn_name(state.turn)
    surprise = ", surprise turn (WD 28.B.3)" if state.surprise else ""
    if state.phase == "setup":
        return f"{turn}, set-up of the {side_name(state.player)} player (WD 30)" if state.player else f"{turn}: set-up"
    player = f", {side_name(state.player)} player turn" if state.player else ""
    step = ", reaction of the other side (WD 16.C.2)" if (state.phase, state.step) == ("air", "reaction") else ""
    return f"{turn}{surprise}{player}: {PHASES.get(state.phase, state.phase)}{step}"


def asked(key: str) -> str:
    """What a choice asks, by its key: ``orders from the combat phase on``."""
    if key in REACTING:
        return REACTING[key]
    phase = key.removeprefix("orders/")
    if phase != key:
        return f"orders from the {phase} phase on"
    about = CHOICES.get(key.partition("/")[0], "")
    return f"an answer to {key}" + (f": {about}" if about else "")


def joined(parts: Sequence[str], word: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}" if len(parts) > 1 else "".join(parts)


def unit_name(state: State, uid: str) -> str:
    """A unit by its full name, also when it is off the map."""
    unit = state.world.units.get(uid)
    return (unit.name or uid) if unit else uid


def short_name(state: State, uid: str) -> str:
    """A unit as players write it: ``7 Arm X``."""
    unit = state.world.units.get(uid)
    return (unit.short or uid) if unit else uid


def names(state: State, ids: Iterable[str]) -> str:
    """Units by their full names, joined."""
    return joined([unit_name(state, uid) for uid in ids])


def supply_name(state: State, sid: str) -> str:
    """A supply counter by name; a captured one by its id."""
    rows = state.world.scenario.get("supply")
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, dict) and row.get("id") == sid:
            return str(row.get("name") or sid)
    return sid


def hex_text(state: State, text: str) -> str:
    """A hex with the place in it: ``Bardia (19/0325)``; the text itself where it is no hex."""
    try:
        return state.board.feature_names(state.board.find(text))
    except ValueError:
        return text


def out_of_supply(state: State, side: str) -> list[str]:
    """Own units out of general supply: as determined, or before that as lines and counters are now (WD 12.B)."""
    if state.phase != "initial":
        return [uid for uid in state.side_units(side) if not state.pieces[uid].gs]
    served = on_lines(state, side)
    for sid in sorted(state.supply):
        if state.supply[sid].side == side:
            served |= set(covered(state, sid))
    return [uid for uid in state.side_units(side) if uid not in served]


def only_by_counters(state: State, side: str) -> list[str]:
    """Own units that a step of a supply counter would supply and no line does; none once that is determined, and none
    in a player turn that is the other side's (WD 12.B.2)."""
    if state.phase != "initial" or side != state.player:
        return []
    out = {*out_of_supply(state, side), *on_lines(state, side)}
    return [uid for uid in state.side_units(side) if uid not in out]


def may_act(state: State, uid: str) -> bool:
    """True where a unit may move and attack in this player turn: in the surprise turn the attack force (WD 28.B.3)."""
    if state.world.units[uid].side != state.player:
        return False
    return not state.surprise or state.in_force(uid)


def mp_left(state: State, uid: str, supplied: bool) -> str:
    """Movement points a unit has left in the phase: ``10`` or ``3 of 10``."""
    unit, piece = state.unit(uid), state.pieces[uid]
    whole2 = charts_of(state.world).movement(unit.movement, supplied)
    left2 = max(0, whole2 - piece.spent2)
    return mp_text(whole2) if left2 == whole2 else f"{mp_text(left2)} of {mp_text(whole2)}"


def mp_sum(spent: str, left: str) -> str:
    """What a phase gives: spent and left together."""
    return mp_text(mp_points(spent or "0") + mp_points(left or "0"))

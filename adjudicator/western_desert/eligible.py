"""Who may move at all: side, phase, attack force, class, mode, transport counters (WD 4.B, 6.B, 6.C, 28.B.3)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from adjudicator.engine.core import Problem
from adjudicator.western_desert.charts import CARRY_RE2
from adjudicator.western_desert.mover import ADMIN, CARRIED, MINIMUM, NORMAL
from adjudicator.western_desert.sites import held_problems
from adjudicator.western_desert.state import Piece, State
from adjudicator.western_desert.theatre.forces import idle_problems
from adjudicator.western_desert.units import Unit, number


def may_move(state: State, side: str, uid: str, mode: str = NORMAL) -> list[Problem]:
    """Whether a unit may move at all now and in this mode; what hangs on its way is judged by the walk (WD 4.C)."""
    if uid not in state.world.units or uid not in state.pieces:
        return [_unknown(state, side, uid)]
    unit = state.unit(uid)
    name = unit.name or uid
    found: list[Problem] = []
    if unit.side != side or state.player != side:
        text = f"{name} is {unit.side}; only the phasing side moves, and that is the {state.player} side"
        hint = "name units of your own in your own player turn"
        found.append(Problem("not_phasing", "WD 4.B", text, hint, field="unit"))
    if not unit.movement:
        text = f"{name} has a movement rating of 0 and never moves"
        found.append(Problem("rating_0", "WD 6.mr0", text, "leave it where it is", field="unit"))
    if uid in state.still:
        text = f"{name} came back from Greece in this player turn; it may not move or attack in it"
        found.append(Problem("greece", "WD 29.C.1.placing", text, "leave it where it is", field="unit"))
    if unit.side == side and state.surprise and not state.in_force(uid):
        text = f"{name} is not of the attack force, which alone moves in the surprise turn"
        found.append(Problem("attack_force", "WD 28.B.3", text, "move it in the regular turn", field="unit"))
    if state.surprise and state.phase == "exploitation":
        text = "the surprise turn has no exploitation phase"
        found.append(Problem("surprise", "WD 28.B.3", text, "move in the regular turn", field="unit"))
    if state.phase == "exploitation" and not unit.motorized and mode != CARRIED:
        text = f"{name} is not combat/motorized; only such units move in the exploitation phase"
        found.append(Problem("exploitation", "WD 4.A.5", text, "move it in the movement phase", field="unit"))
    found += [*held_problems(state, uid, "move"), *idle_problems(state, uid)]
    return found + _earlier(state, uid, mode, name) + (_admin(state, unit, uid, name) if mode == ADMIN else [])


def may_exploit(state: State, side: str, uid: str) -> bool:
    """True where a unit may move in the exploitation phase, by itself or carried (WD 4.A.5, 6.C)."""
    if not may_move(state, side, uid):
        return True
    here = state.friends_at(state.hex_of(uid), side)
    trucks = [truck for truck in here if state.unit(truck).type == "transport_counter"]
    return any(not may_move(state, side, uid, CARRIED) and not carry_problems(state, side, [uid], t) for t in trucks)


def _unknown(state: State, side: str, uid: str) -> Problem:
    """Only ground units move by orders of movement; the id of an air unit names none of them (WD 3.A)."""
    own = ", ".join(state.unit(one).short or one for one in list(state.side_units(side))[:5])
    mend = f"your units are {own}, ..." if own else ""
    return Problem("unknown_unit", "WD 3.A", state.off_map(uid), mend, field="unit")


def _earlier(state: State, uid: str, mode: str, name: str) -> list[Problem]:
    """What earlier movement of the phase forbids: leaving the mode it began in, moving after a guaranteed hex."""
    piece = state.pieces[uid]
    if piece.means == MINIMUM:
        text = f"{name} has used its one guaranteed hex, which is all its movement of the phase"
        return [Problem("guarantee", "WD 6.min-hex", text, "leave it where it is", field="unit")]
    if piece.carrier and mode != CARRIED:
        text = f"{name} moves with {_name(state, piece.carrier)} this phase and by it alone"
        return [Problem("carried", "WD 6.C.start", text, f"mode: carried, transport: {piece.carrier}", field="mode")]
    if piece.means == ADMIN and mode != ADMIN:
        text = f"{name} moves administratively this turn: by road only"
        return [Problem("admin_mode", "WD 6.B.1", text, "mode: admin, or make both moves normal", field="mode")]
    if mode == ADMIN and piece.means not in ("", ADMIN):
        text = f"{name} has moved otherwise this phase"
        return [Problem("admin_mode", "WD 6.B.1", text, "move it by one way only", field="mode")]
    return []


def _admin(state: State, unit: Unit, uid: str, name: str) -> list[Problem]:
    """Conditions of administrative movement that do not depend on the way (WD 6.B, 6.B.4)."""
    found = []
    if state.phase != "movement":
        text = "administrative movement belongs to the movement phase"
        found.append(Problem("admin_phase", "WD 6.B", text, "leave out mode: admin", field="mode"))
    if unit.motorized:
        text = f"{name} is combat/motorized; administrative movement is for other units"
        found.append(Problem("admin_motorized", "WD 6.B", text, "leave out mode: admin", field="mode"))
    if not state.pieces[uid].gs:
        text = f"{name} is out of general supply"
        found.append(Problem("admin_supply", "WD 6.B.4", text, "leave out mode: admin", field="mode"))
    return found


def carry_problems(state: State, side: str, ids: Sequence[str], transport: str) -> list[Problem]:
    """Whether a transport counter may carry these units (WD 6.C, ruling TRANSPORT-PAIR)."""
    if transport not in state.pieces or state.unit(transport).type != "transport_counter":
        named = state.world.units.get(transport)
        name = (named.short if named is not None else "") or transport or "the order"
        text = f"{name} names no transport counter on the map"
        return [Problem("transport", "WD 6.C", text, "add a line transport:", field="transport")]
    found = [p for p in may_move(state, side, transport, CARRIED) if p.code != "unknown_unit"]
    known = [uid for uid in ids if uid in state.pieces]
    re2 = sum(state.unit(uid).re2 for uid in known)
    if re2 > CARRY_RE2:
        text = f"the units are {number(Fraction(re2, 2))} RE; a transport counter carries 1 RE"
        found.append(Problem("carry_re", "WD 6.C", text, "carry fewer units", field="units"))
    if not known:
        found.append(Problem("carry_none", "WD 6.C", "the order names no unit to be carried", field="units"))
    for uid in known:
        found += _carried(state, uid, transport)
    return found + _pairing(state, known, transport)


def _carried(state: State, uid: str, transport: str) -> list[Problem]:
    """Class, and that the unit has begun the phase with the transport counter and stays with it (WD 6.C, 6.C.start)."""
    unit, piece, truck = state.unit(uid), state.pieces[uid], state.pieces[transport]
    found = []
    if unit.motorized and not unit.artillery:
        text = f"{unit.name} is combat/motorized; transport counters carry other units and artillery"
        found.append(Problem("carry_class", "WD 6.C", text, "let it move by itself", field="units"))
    if unit.counter or not unit.movement:
        text = f"{unit.name or uid} is no unit that a transport counter carries"
        found.append(Problem("carry_class", "WD 6.C", text, field="units"))
    if piece.start != truck.start or piece.hex != truck.hex:
        here, there = state.board.name(piece.start), state.board.name(truck.start)
        text = f"{unit.name or uid} began the phase in {here}, the transport counter in {there}"
        hint = "both must begin the phase in one hex and stay together"
        found.append(Problem("carry_start", "WD 6.C.start", text, hint, field="units"))
    return found


def _pairing(state: State, ids: Sequence[str], transport: str) -> list[Problem]:
    """Carrier and carried move as one the whole phase: with all that began it, and none that has moved otherwise.

    WD 6.C.start.
    """
    partners = {uid for uid, piece in state.pieces.items() if piece.carrier == transport and uid != transport}
    pieces = state.pieces
    moved = [u for u in (*ids, transport) if _used(pieces[u]) and pieces[u].carrier != transport]
    if moved:
        text = f"{_name(state, moved[0])} has moved or worked without the other this phase"
        return [Problem("carry_moved", "WD 6.C.start", text, "carry from the start of the phase", field="units")]
    if partners and partners != set(ids):
        names = ", ".join(_name(state, uid) for uid in sorted(partners))
        text = f"the transport counter moves with {names} this phase"
        return [Problem("carry_pair", "WD 6.C.start", text, "carry the same units all phase", field="units")]
    return []


def _used(piece: Piece) -> bool:
    return bool(piece.entered or piece.spent2)


def _name(state: State, uid: str) -> str:
    return state.unit(uid).name or uid if uid in state.world.units else uid

"""What a combat promises before its dice: both fires with their reasons, and the loss number of every die (SS 11.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adjudicator.engine.core import Tree
from adjudicator.shifting_sands.designate import origins_of
from adjudicator.shifting_sands.fire import (
    ATTACKER,
    DEFENDER,
    MAX_DIE,
    MIN_DIE,
    TERRAIN,
    Combat,
    Fire,
    Modifier,
    columns,
    fire_of,
    loss_number,
    terrain_of,
)
from adjudicator.shifting_sands.nations import ENEMY
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.supply import status
from adjudicator.shifting_sands.world import Record, rows, text

DIE = range(MIN_DIE, MAX_DIE + 1)
MODIFIERS = {
    "armor against none": "armor against no armor",
    "supply": "out of supply",
    "Rommel": "Rommel taking part",
    "italians": "Italian units",
    "americans": "American units",
    "nile": "across the Nile desert",
}


def would_be(state: State, side: str, units: Sequence[str], target: str, rommel: bool = False) -> Combat:
    """A combat that is not designated yet, for what it would come to."""
    defenders = tuple(uid for uid in state.units_in(target) if state.counter(uid).side == ENEMY[side])
    statuses = {uid: status(state, uid) for uid in units}
    origins = origins_of(state, units)
    return Combat(target, side, tuple(units), defenders, origins, "none", rommel, state.combats + 1, statuses)


def under_way(state: State) -> Combat | None:
    """The combat being fought, with the supply of its attackers as it was frozen (ruling A25)."""
    if state.fight is None:
        return None
    found = state.fight.combat
    return replace(found, statuses={uid: status(state, uid) for uid in found.attackers if uid in state.pieces})


def fires_of(tree: Tree) -> dict[str, Fire]:
    """Both fires as an event keeps them, by role."""
    found = [_fire(row) for row in tree if isinstance(row, dict)] if isinstance(tree, list) else []
    return {fire.role: fire for fire in found}


def _fire(row: Record) -> Fire:
    shifts, drms = (
        tuple(Modifier(text(r, "name"), int(text(r, "value")), text(r, "rule")) for r in rows(row, key))
        for key in ("shifts", "drms")
    )
    strength, fort = int(text(row, "strength")), int(text(row, "fort") or "0")
    names = (text(row, "role"), text(row, "table"))
    return Fire(*names, strength, text(row, "base"), text(row, "column"), shifts, drms, fort)


def losses_by_die(state: State, fire: Fire) -> dict[int, tuple[int, bool]]:
    """Loss number, and whether it is printed bold, for every face of the die with the modifiers."""
    return {die: loss_number(state, fire.table, fire.column, fire.row(die)) for die in DIE}


def modifier_name(modifier: Modifier, terrain: str = "") -> str:
    """A shift or modifier in words; ``terrain`` says which one it is."""
    if modifier.name == TERRAIN and terrain:
        return f"{terrain.replace('_', ' ')} terrain"
    return MODIFIERS.get(modifier.name, modifier.name)


def strength_words(fire: Fire) -> str:
    """``strength 5 on the division table``, the fort named."""
    fort = f" with {fire.fort} of the fort" if fire.fort else ""
    return f"strength {fire.strength}{fort} on the {fire.table} table"


def column_words(state: State, fire: Fire, terrain: str = "") -> str:
    """``column 6-8``, or ``column 5, shifted -1 mountain terrain (SS 11.27) to column 4``."""
    if not fire.shifts:
        return f"column {fire.base}"
    parts = ", ".join(f"{m.value:+d} {modifier_name(m, terrain)} ({m.rule})" for m in fire.shifts)
    edge = ", the edge of the table" if _clamped(state, fire) else ""
    return f"column {fire.base}, shifted {parts} to column {fire.column}{edge}"


def _clamped(state: State, fire: Fire) -> bool:
    """True where shifts were lost beyond the first or last column (SS 11.27, ruling A10)."""
    found = columns(state, fire.table)
    return found.index(fire.base) + fire.shift != found.index(fire.column)


def die_words(fire: Fire) -> str:
    """``die as rolled``, or ``die -1 Italian units (SS 11.261)``."""
    if not fire.drms:
        return "die as rolled"
    return "die " + ", ".join(f"{m.value:+d} {modifier_name(m)} ({m.rule})" for m in fire.drms)


def fire_words(state: State, combat: Combat, fire: Fire) -> str:
    """One side's fire in a line: strength, table, column with every shift, die with every modifier."""
    return f"{strength_words(fire)}, {column_words(state, fire, terrain_of(state, combat))}; {die_words(fire)}"


def faces_line(state: State, fire: Fire) -> str:
    """``0 1 1 2 3 3 for a die of 1 to 6``; bold numbers, which may overrun, with a star."""
    shown = [f"{number}{'*' if bold else ''}" for number, bold in losses_by_die(state, fire).values()]
    star = " (* may overrun, SS 11.47)" if any("*" in one for one in shown) and fire.role == ATTACKER else ""
    return f"{' '.join(shown)} for a die of 1 to 6{star}"


def both_fires(state: State, combat: Combat) -> dict[str, Fire]:
    """The fire of attacker and defender as both stand now."""
    return {role: fire_of(state, combat, role) for role in (ATTACKER, DEFENDER)}


def numbers_of(state: State, fire: Fire) -> list[int]:
    """The loss numbers that a fire can come to, smallest first."""
    return sorted({number for number, _bold in losses_by_die(state, fire).values()})

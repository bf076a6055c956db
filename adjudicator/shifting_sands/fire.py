"""Fire: strength, table, column shifts, die modifiers, loss numbers (SS 11.24, 11.26 to 11.28, 14)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from adjudicator.engine.core import Tree
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.supply import OUT, status
from adjudicator.shifting_sands.world import Record, rows, text, texts

DIVISION, BATTLEGROUP = "division", "battlegroup"
MAX_DIE, MIN_DIE = 6, 1


@dataclass(frozen=True, slots=True)
class Modifier:
    """One shift or die modifier: its name, value and rule."""

    name: str
    value: int
    rule: str


@dataclass(frozen=True)
class Fire:
    """One side's fire before the die: strength, table, the column it starts from, shifts, final column, modifiers."""

    role: str
    table: str
    strength: int
    base: str
    column: str
    shifts: tuple[Modifier, ...] = ()
    drms: tuple[Modifier, ...] = ()
    fort: int = 0

    @property
    def shift(self) -> int:
        """Sum of the shifts before clamping (ruling A10)."""
        return sum(m.value for m in self.shifts)

    @property
    def drm(self) -> int:
        """Sum of the die modifiers."""
        return sum(m.value for m in self.drms)

    def row(self, die: int) -> int:
        """The modified die, never under 1 or over 6 (SS 11.28)."""
        return max(MIN_DIE, min(MAX_DIE, die + self.drm))

    def as_data(self) -> dict[str, Tree]:
        """Every figure as text, for the event."""
        return {
            "role": self.role,
            "table": self.table,
            "strength": str(self.strength),
            "base": self.base,
            "column": self.column,
            "fort": str(self.fort) if self.fort else "",
            "shifts": [_row(m) for m in self.shifts],
            "drms": [_row(m) for m in self.drms],
        }


def _row(m: Modifier) -> Tree:
    return {"name": m.name, "value": f"{m.value:+d}", "rule": m.rule}


@dataclass(frozen=True)
class Combat:
    """A combat as designated: who attacks what, from where; ``flank`` is none, success, failure or cancelled."""

    target: str
    attacker: str
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    flank: str = "none"
    rommel: bool = False
    number: int = 1
    statuses: Mapping[str, str] = field(default_factory=dict)


def fire_set(state: State) -> Record:
    """The fire tables in force (ruling A01, switch ``tables_fire``)."""
    wanted = state.world.switch("tables_fire", text(state.world.tables, "fire_default") or "pog")
    for row in rows(state.world.tables, "fire"):
        if text(row, "id") == wanted:
            return row
    raise KeyError(f"the pack has no fire tables {wanted}")


def columns(state: State, table: str) -> list[str]:
    """The columns of a fire table, left to right."""
    for row in rows(fire_set(state), "tables"):
        if text(row, "table") == table:
            return texts(row, "columns")
    raise KeyError(table)


def _table(state: State, table: str) -> Record:
    return next(row for row in rows(fire_set(state), "tables") if text(row, "table") == table)


def column_of(state: State, table: str, strength: int) -> int:
    """Where a strength stands in a table: index of its column (ruling A15 for 0)."""
    found = columns(state, table)
    for index, name in enumerate(found):
        low, _, high = name.partition("-")
        if name.endswith("+"):
            if strength >= int(name[:-1]):
                return index
        elif int(low) <= strength <= int(high or low):
            return index
    return 0 if strength < 1 else len(found) - 1


def shifted(state: State, table: str, strength: int, shift: int) -> str:
    """The column after all shifts together; the outermost columns are the limits (ruling A10)."""
    found = columns(state, table)
    index = column_of(state, table, strength) + shift
    return found[max(0, min(len(found) - 1, index))]


def loss_number(state: State, table: str, column: str, row: int) -> tuple[int, bool]:
    """The cell of a fire table, and whether it is printed bold (SS 11.47, ruling A02)."""
    record = _table(state, table)
    index = texts(record, "columns").index(column)
    line = next(r for r in rows(record, "rows") if text(r, "row") == str(row))
    return int(texts(line, "cells")[index]), column in texts(line, "bold")


def fighters(state: State, combat: Combat, role: str) -> list[str]:
    """The units that fire for a side: those still in the combat, defenders that had retreated before aside (11.57)."""
    if role == "attacker":
        return [uid for uid in combat.attackers if state.on_map(uid)]
    there = [uid for uid in combat.defenders if state.pieces[uid].at == combat.target]
    return [uid for uid in there if not state.pieces[uid].retreated]


def fire_of(state: State, combat: Combat, role: str, drms: Sequence[Modifier] | None = None) -> Fire:
    """One side's fire as it stands now. ``drms`` keeps the modifiers of an earlier step (ruling A11)."""
    units = fighters(state, combat, role)
    space = state.world.spaces[combat.target]
    fort = space.fort if role == "defender" else 0
    strength = sum(state.cf(uid) for uid in units) + fort
    table = DIVISION if any(state.counter(uid).division for uid in units) else BATTLEGROUP
    shifts = _shifts(state, combat, role, units)
    found = tuple(drms) if drms is not None else drm_of(state, combat, role)
    base = shifted(state, table, strength, 0)
    column = shifted(state, table, strength, sum(m.value for m in shifts))
    return Fire(role, table, strength, base, column, shifts, found, fort)


def effective_terrain(state: State, name: str) -> str:
    """The terrain that combat reads: ``fort`` where one is printed, else the space's own."""
    space = state.world.spaces[name]
    return "fort" if space.fort and space.terrain == "clear" else space.terrain


def terrain_row(state: State, kind: str) -> Record:
    """The row of the terrain table."""
    return next((row for row in rows(state.world.tables, "terrain") if text(row, "terrain") == kind), {})


def terrain_shift(state: State, name: str) -> int:
    """The attacker's shift for the terrain of the defending space (ruling A03, switch ``terrain_mountain_shift``)."""
    terrain = state.world.spaces[name].terrain
    if terrain == "mountain":
        wanted = state.world.switch("terrain_mountain_shift", "")
        if wanted:
            return -int(wanted)
    return int(text(terrain_row(state, terrain), "attacker_shift") or "0")


def _shifts(state: State, combat: Combat, role: str, units: Sequence[str]) -> tuple[Modifier, ...]:
    found: list[Modifier] = []
    if role == "attacker":
        found += _attack_shifts(state, combat, units)
    if any(_status(state, combat, uid) == OUT for uid in units):
        found.append(Modifier("out of supply", -1, "SS 11.273"))
    if role == "attacker" and combat.rommel:
        found.append(Modifier("Rommel participating", rommel_shift(state), "SS 11.274"))
    return tuple(m for m in found if m.value)


def _attack_shifts(state: State, combat: Combat, units: Sequence[str]) -> list[Modifier]:
    terrain = state.world.spaces[combat.target].terrain
    found = [Modifier(f"{terrain} terrain", terrain_shift(state, combat.target), "SS 11.27")]
    ours = any(state.counter(uid).armor for uid in units)
    theirs = any(state.counter(uid).armor for uid in fighters(state, combat, "defender"))
    if theirs and not ours:
        found.append(Modifier("no armor against armor", -1, "SS 11.271"))
    if ours and not theirs:
        found.append(Modifier("armor against no armor", 1, "SS 11.272"))
    return found


def rommel_shift(state: State) -> int:
    """Two columns, one after Montgomery, none after Von Arnim (SS 11.274)."""
    if state.played("Von Arnim Takes Command"):
        return 0
    return 1 if state.played("Montgomery") else 2


def _status(state: State, combat: Combat, uid: str) -> str:
    return combat.statuses.get(uid) or status(state, uid)


def drm_of(state: State, combat: Combat, role: str) -> tuple[Modifier, ...]:
    """Die modifiers of a side (SS 11.26): its nations, and the Nile for the attacker."""
    nations = {state.counter(uid).nation for uid in fighters(state, combat, role)}
    found: list[Modifier] = []
    for row in rows(state.world.tables, "drm"):
        if text(row, "side") not in ("both", role) or state.played(text(row, "ends_with")):
            continue
        if nations & set(texts(row, "nations")) or _over_link(state, combat, row):
            found.append(Modifier(text(row, "name"), int(text(row, "drm")), f"SS {text(row, 'rule')}"))
    return tuple(found)


def _over_link(state: State, combat: Combat, row: Record) -> bool:
    ends = texts(row, "link")
    if combat.target not in ends:
        return False
    return any(state.pieces[uid].at in ends for uid in combat.attackers if state.on_map(uid))

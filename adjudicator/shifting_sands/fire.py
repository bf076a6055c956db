"""Fire: strength, table, column shifts, die modifiers, loss numbers (SS 11.24, 11.26 to 11.28, 14)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from adjudicator.engine.core import Tree
from adjudicator.shifting_sands.effects import in_force
from adjudicator.shifting_sands.named import BALBO
from adjudicator.shifting_sands.nations import ENEMY
from adjudicator.shifting_sands.played import Cards, becomes, drms, ignores, without_cf
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.supply import OUT, status
from adjudicator.shifting_sands.world import Record, rows, text, texts

DIVISION, BATTLEGROUP = "division", "battlegroup"
ATTACKER, DEFENDER = "attacker", "defender"
MAX_DIE, MIN_DIE = 6, 1
VICHY_FORTS = "19.6"
CLEAR = "clear"


class NoCell(LookupError):
    """A fire table has no such cell: it is not complete."""


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
        """The modified die, never under 1 or over 6 (SS 3.drm, 11.28)."""
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
    """A combat as designated: who attacks what, from which spaces (``origins``).

    ``flank`` is none, success, failure or cancelled; ``statuses`` the supply of those who took part when it began
    (ruling A25). Battlegroups that replace a division join the lists. ``cards`` are the combat cards in it.
    """

    target: str
    attacker: str
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    origins: tuple[str, ...] = ()
    flank: str = "none"
    rommel: bool = False
    number: int = 1
    statuses: Mapping[str, str] = field(default_factory=dict)
    cards: Cards = ()

    def side_of(self, role: str) -> str:
        """The side that is attacker or defender (SS 11.11)."""
        return self.attacker if role == ATTACKER else ENEMY[self.attacker]

    def joined_by(self, role: str, uid: str, status: str) -> Combat:
        """The combat with one more unit of a side; without a status it is traced when it is needed."""
        statuses = {**self.statuses, uid: status} if status else self.statuses
        if role == ATTACKER:
            return replace(self, attackers=(*self.attackers, uid), statuses=statuses)
        return replace(self, defenders=(*self.defenders, uid), statuses=statuses)


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
    """Where a strength stands in a table: index of its column; what is less than the first stands there (A15).

    Rule: SS 11.15.
    """
    found = columns(state, table)
    fits = [index for index, name in enumerate(found) if _least(name) <= strength]
    return fits[-1] if fits else 0


def _least(column: str) -> int:
    """The least strength of a column such as ``6-8`` or ``16+``."""
    return int(column.rstrip("+").partition("-")[0])


def shifted(state: State, table: str, strength: int, shift: int) -> str:
    """The column after all shifts together; the outermost columns are the limits (SS 11.27, ruling A10)."""
    found = columns(state, table)
    index = column_of(state, table, strength) + shift
    return found[max(0, min(len(found) - 1, index))]


def loss_number(state: State, table: str, column: str, row: int) -> tuple[int, bool]:
    """The cell of a fire table, and whether it is printed bold (SS 11.47, ruling A02). Raises :class:`NoCell`.

    Rules: SS 11.28, 3.loss-number.
    """
    record = _table(state, table)
    index = texts(record, "columns").index(column)
    line = next((r for r in rows(record, "rows") if text(r, "row") == str(row)), {})
    cells = texts(line, "cells")
    if index >= len(cells) or not cells[index]:
        raise NoCell(f"the {table} table has no cell for column {column}, row {row}")
    return int(cells[index]), column in texts(line, "bold")


def fighters(state: State, combat: Combat, role: str) -> list[str]:
    """The units that fire for a side: those still in the combat, defenders that had retreated before aside.

    Rule: SS 11.57.
    """
    if role == ATTACKER:
        return [uid for uid in combat.attackers if state.on_map(uid)]
    there = [uid for uid in combat.defenders if state.pieces[uid].at == combat.target]
    return [uid for uid in there if not state.pieces[uid].retreated]


def fire_of(state: State, combat: Combat, role: str, drms: Sequence[Modifier] | None = None) -> Fire:
    """One side's fire as it stands now. ``drms`` keeps the modifiers of an earlier step (ruling A11).

    Rules: SS 11.24, 11.27, 14.1, 14.2, ex.1, ex.2, 2.21, 3.cf.
    """
    units = fighters(state, combat, role)
    fort = fort_of(state, combat) if role == DEFENDER else 0
    nothing = without_cf(state.world, combat.cards, role)
    strength = sum(state.cf(uid) for uid in units if state.counter(uid).nation not in nothing) + fort
    table = DIVISION if any(state.counter(uid).division for uid in units) else BATTLEGROUP
    shifts = shifts_of(state, combat, role)
    found = tuple(drms) if drms is not None else drm_of(state, combat, role)
    base = shifted(state, table, strength, 0)
    column = shifted(state, table, strength, sum(m.value for m in shifts))
    return Fire(role, table, strength, base, column, shifts, found, fort)


def vichy_mountain(state: State, combat: Combat) -> bool:
    """SS 19.6: a fort of Vichy Syria is a mountain and no fort, if an Allied division attacks it."""
    space = state.world.spaces[combat.target]
    if not state.world.option(VICHY_FORTS) or not space.fort or space.region != "Syria":
        return False
    return combat.attacker == "allied" and any(state.counter(uid).division for uid in combat.attackers)


def terrain_of(state: State, combat: Combat) -> str:
    """The terrain that the combat reads, a fort aside: as the map has it, or as cards make it (SS faq.rules.3,
    faq.cards.17)."""
    if ignores(state.world, combat.cards, "terrain"):
        return CLEAR
    found = becomes(state.world, combat.cards)
    return found or ("mountain" if vichy_mountain(state, combat) else state.world.spaces[combat.target].terrain)


def fort_of(state: State, combat: Combat) -> int:
    """The CF that the fort of the defending space adds (SS 14.1, 11.46, 14.4); 0 for none."""
    if vichy_mountain(state, combat) or ignores(state.world, combat.cards, "fort"):
        return 0
    return state.world.spaces[combat.target].fort


def shut(state: State, combat: Combat) -> bool:
    """True where nobody advances because a card made a marsh of the space (ruling A29, switch
    ``minefields_no_advance``): faq.cards.17 read by its first sentence alone."""
    made = bool(becomes(state.world, combat.cards)) and not ignores(state.world, combat.cards, "terrain")
    return made and state.world.switch("minefields_no_advance", "off") == "on"


def may_overrun(state: State, combat: Combat) -> bool:
    """False in fort, marsh and mountain (SS 11.472, 14.3)."""
    return not fort_of(state, combat) and text(terrain_row(state, terrain_of(state, combat)), "overrun") == "yes"


def terrain_row(state: State, kind: str) -> Record:
    """The row of the terrain table."""
    return next((row for row in rows(state.world.tables, "terrain") if text(row, "terrain") == kind), {})


def terrain_shift(state: State, terrain: str) -> int:
    """The attacker's shift for the terrain of the defending space (ruling A03, switch ``terrain_mountain_shift``)."""
    wanted = state.world.switch("terrain_mountain_shift", "") if terrain == "mountain" else ""
    return -int(wanted) if wanted else int(text(terrain_row(state, terrain), "attacker_shift") or "0")


TERRAIN, NO_ARMOR, ARMOR, SUPPLY, ROMMEL = "terrain", "no armor against armor", "armor against none", "supply", "Rommel"


def shifts_of(state: State, combat: Combat, role: str) -> tuple[Modifier, ...]:
    """Every column shift of a side's fire (SS 11.27); those of terrain, armor and Rommel are the attacker's.

    Rules: SS 11.273, errata.pac.1, faq.rules.7, 2.23.
    """
    found = _attack_shifts(state, combat) if role == ATTACKER else []
    if any(status_in(state, combat, uid) == OUT for uid in fighters(state, combat, role)):
        found.append(Modifier(SUPPLY, -1, "SS 11.273"))
    return tuple(m for m in found if m.value)


def _attack_shifts(state: State, combat: Combat) -> list[Modifier]:
    """Shifts of the attacker: terrain, armor (SS 11.271, 11.272), Rommel."""
    found = [Modifier(TERRAIN, terrain_shift(state, terrain_of(state, combat)), "SS 11.27")]
    ours = any(state.counter(uid).armor for uid in fighters(state, combat, ATTACKER))
    theirs = any(state.counter(uid).armor for uid in fighters(state, combat, DEFENDER))
    if theirs and not ours:
        found.append(Modifier(NO_ARMOR, -1, "SS 11.271"))
    if ours and not theirs:
        found.append(Modifier(ARMOR, 1, "SS 11.272"))
    if combat.rommel:
        found.append(Modifier(ROMMEL, rommel_shift(state), "SS 11.274"))
    return found


ROMMEL_COLUMNS = 2


def rommel_came(state: State) -> bool:
    """Whether an event of the Axis that lets Rommel take part is in force (SS 11.274)."""
    own = {text(card, "name") for card in state.world.cards.values() if text(card, "side") == "axis"}
    return any(name in own for name, _effect in in_force(state, "rommel_shift"))


def rommel_shift(state: State) -> int:
    """The columns that events in force leave him: two, then one, at last none (SS 11.274, errata.pac.2)."""
    return min([ROMMEL_COLUMNS, *(int(text(effect, "value")) for _name, effect in in_force(state, "rommel_shift"))])


def status_in(state: State, combat: Combat, uid: str) -> str:
    """The supply of a unit in a combat: as it was when that began, else as it is now (ruling A25)."""
    return combat.statuses.get(uid) or status(state, uid)


def drm_of(state: State, combat: Combat, role: str) -> tuple[Modifier, ...]:
    """Die modifiers of a side (SS 11.26): its nations, the Nile for the attacker, events in force, its cards.

    Rules: SS 11.261, 11.262, faq.rules.5, faq.rules.6.
    """
    nations = {state.counter(uid).nation for uid in fighters(state, combat, role)}
    found: list[Modifier] = []
    for row in rows(state.world.tables, "drm"):
        if text(row, "side") not in ("both", role) or _ended(state, combat, row):
            continue
        if nations & set(texts(row, "nations")) or _over_link(combat, row):
            found.append(Modifier(text(row, "name"), int(text(row, "drm")), f"SS {text(row, 'rule')}"))
    cards = [Modifier(name, value, "SS 11.26") for name, value in drms(state.world, combat.cards, role)]
    return (*found, *_event_drms(state, combat, role), *cards)


def _ended(state: State, combat: Combat, row: Record) -> bool:
    """A standing modifier ends with an event that ends it for all its nations; Balbo's does not reach East Africa under
    option 19.22 (SS 19.22)."""
    nations = set(texts(row, "nations"))
    spared = state.world.option("19.22") and state.world.in_region(combat.target, "East Africa")
    ending = (
        set(texts(effect, "nations"))
        for event, effect in in_force(state, "end_drm")
        if not (spared and event == BALBO)
    )
    return bool(nations) and any(nations <= ended for ended in ending)


def _over_link(combat: Combat, row: Record) -> bool:
    """True where the attack crosses the line of a modifier (SS 11.263)."""
    ends = texts(row, "link")
    return combat.target in ends and any(place in ends for place in combat.origins)


def _event_drms(state: State, combat: Combat, role: str) -> Iterator[Modifier]:
    """Modifiers that an event in force gives in some regions, such as Command Friction (SS faq.cards.29).

    Rule: SS faq.cards.30.
    """
    for name, effect in in_force(state, "drm"):
        mine = text(effect, "side") == combat.side_of(role) and text(effect, "role") in ("", "either", role)
        if mine and any(state.world.in_region(combat.target, region) for region in texts(effect, "region")):
            yield Modifier(name, int(text(effect, "value")), "SS 11.26")

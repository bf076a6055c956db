"""The fire of one side with its reckoning: strengths, table, column with every shift, die, loss number and chances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from adjudicator.engine.core import Event
from adjudicator.report.document import Item, Words, item, line, strong
from adjudicator.report.fields import get, records, rule
from adjudicator.report.shifting_sands.names import people, verb
from adjudicator.report.shifting_sands.scene import Scene
from adjudicator.report.words import capital, chance, faces_words, joined
from adjudicator.shifting_sands.fire import Fire, Modifier, fighters, terrain_of
from adjudicator.shifting_sands.played import without_cf
from adjudicator.shifting_sands.prospects import (
    DIE,
    column_words,
    die_words,
    faces_line,
    losses_by_die,
    modifier_name,
    under_way,
)
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.words import grouped_names, ranked

ROLES = {"attacker": "Attack", "defender": "Defence"}


def fire_of_event(event: Event) -> Fire:
    """The fire that an event tells."""
    return Fire(
        role=get(event, "role"),
        table=get(event, "table"),
        strength=int(get(event, "strength")),
        base=get(event, "base"),
        column=get(event, "column"),
        shifts=tuple(_modifier(row) for row in records(event, "shifts")),
        drms=tuple(_modifier(row) for row in records(event, "drms")),
        fort=int(get(event, "fort") or "0"),
    )


def _modifier(row: Mapping[str, object]) -> Modifier:
    return Modifier(str(row.get("name", "")), int(str(row.get("value", "0"))), str(row.get("rule", "")))


def strength_item(state: State, fire: Fire) -> Item:
    """``Attack strength 5: Italian 62nd Division 2, ..``, with the table and the column."""
    combat = under_way(state)
    terrain = terrain_of(state, combat) if combat is not None else ""
    units = fighters(state, combat, fire.role) if combat is not None else []
    nothing = without_cf(state.world, combat.cards, fire.role) if combat is not None else frozenset()
    parts = _unit_parts(state, units, nothing)
    parts += [f"the fort: {fire.fort}"] if fire.fort else []
    words = f"{ROLES[fire.role]} strength {fire.strength}: {'; '.join(parts) or 'nobody'}"
    return item(words, rule("SS 11.24"), f"; {fire.table} table, {column_words(state, fire, terrain)}.")


def _unit_parts(state: State, units: Sequence[str], nothing: AbstractSet[str] = frozenset()) -> list[str]:
    """``Italian 62nd and 63rd Divisions: 2 each``; units of the nations in ``nothing`` count for none."""
    by_factor: dict[int, list[str]] = {}
    for uid in ranked(state, units):
        factor = 0 if state.counter(uid).nation in nothing else state.cf(uid)
        by_factor.setdefault(factor, []).append(uid)
    return [
        f"{', '.join(grouped_names(state, ids))}: {factor}{' each' if len(ids) > 1 else ''}"
        for factor, ids in by_factor.items()
    ]


def prospect_item(state: State, fire: Fire, side: str) -> Item:
    """What a side's fire may inflict, before any die."""
    told = strength_item(state, fire)
    return item(
        line(*told.line), f" {capital(die_words(fire))}: {people(side)} would inflict {faces_line(state, fire)}."
    )


def fire_item(scene: Scene, event: Event) -> Item:
    """A side's fire: its reckoning, its die, the loss number, and what the chances were."""
    fire, state = fire_of_event(event), scene.state
    side, number = get(event, "side"), get(event, "number")
    below = [
        item(
            *_die_words(scene, event, fire), ": ", strong(f"loss number {number}"), _bold(event), rule(event.rule), "."
        )
    ]
    below.append(item(*_chance_words(state, fire, int(get(event, "die")), int(number))))
    told = strength_item(state, fire)
    who = capital(f"{people(side)} {verb(side, 'fires')}. ")
    return item(who, line(*told.line), below=below)


def _bold(event: Event) -> str:
    return ", printed bold" if get(event, "bold") == "yes" and get(event, "role") == "attacker" else ""


def _die_words(scene: Scene, event: Event, fire: Fire) -> list[Words]:
    """The die with label and opener, its modifiers, and the row it comes to."""
    die, row = int(get(event, "die")), int(get(event, "row"))
    words: list[Words] = [*scene.die(event)]
    words[0] = capital(str(words[0]))
    for modifier in fire.drms:
        words += [f"; {modifier.value:+d} {modifier_name(modifier)}", rule(modifier.rule)]
    total = die + fire.drm
    if fire.drms:
        words.append(f" = {total}" + (f", read as {row}" if row != total else ""))
    return words


def _chance_words(state: State, fire: Fire, die: int, number: int) -> list[Words]:
    """The chance of what happened, and of everything else."""
    table = {face: found for face, (found, _bold) in losses_by_die(state, fire).items()}
    faces = [face for face in DIE if table[face] == number]
    words: list[Words] = [f"{number} had {chance(faces)} ({faces_words(faces)}). "]
    better = [face for face in DIE if table[face] > number]
    if better:
        need = f"{capital(faces_words(better))} would have brought more. "
        words.append(need)
    else:
        words.append("No die could have brought more. ")
    ordered = sorted(set(table.values()))
    shown = [f"{found} ({sum(one == found for one in table.values())} in 6)" for found in ordered]
    return [*words, f"Before the die: {joined(shown)}."]

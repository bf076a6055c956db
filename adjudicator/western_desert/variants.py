"""The order of battle where the players have agreed on an option that changes it (WD 32.B)."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

Record = Mapping[str, object]
NO_EXPEDITION = "32.B"
GREECE, GREECE_TABLE = "greece", "greece_table"
GREEK, GERMAN, REINFORCE, SPECIAL = "greek", "german", "reinforce", "special"
FALL, EARLY_FALL = "Jun I 41", "May I 41"
"""The turn that brings Crete to the Axis: by history, and where the Allies have sent no force to Greece."""
FORCES, EARLY_FORCES = "Sep I 41", "Jul I 41"
"""The first turn of the German special forces of 1941, likewise (WD 27.B.1)."""


def order_of_battle(
    events: Sequence[Record], boxes: Sequence[Record], nations: Mapping[str, object], air: Container[object]
) -> tuple[Record, ...]:
    """The order of battle without an expedition to Greece (WD 32.B). ``boxes`` are the units that the scenario has off
    the map, ``nations`` those of all counters, ``air`` the air units."""
    there = {row.get("unit") for row in boxes if row.get("box") == GREECE}
    return tuple(_without_expedition(events, there, nations, air))


def _without_expedition(
    events: Sequence[Record], there: Container[object], nations: Mapping[str, object], air: Container[object]
) -> Iterator[Record]:
    """No unit and no supply goes to Greece (WD 32.B); those who are there from the start come back with the fall of
    Crete, when the German air units of Jun I 41 come (WD 32.B.may). The special forces of 1941 are there earlier, the
    Greek brigade never."""
    for row in events:
        unit = row.get("unit")
        nation = nations.get(str(unit), "") if row.get("kind") == REINFORCE else ""
        if row.get("to") == GREECE or nation == GREEK:
            continue
        if row.get("area") == GREECE_TABLE:
            if unit in there:
                yield {**row, "turn": EARLY_FALL}
        elif nation == GERMAN and unit in air and row.get("turn") == FALL:
            yield {**row, "turn": EARLY_FALL}
        elif row.get("kind") == SPECIAL and row.get("turn") == FORCES:
            yield {**row, "turn": EARLY_FORCES}
        else:
            yield row

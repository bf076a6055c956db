"""How reports speak of sides, units, boxes and spaces of Shifting Sands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from adjudicator.report.words import counted
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.words import grouped_names, names, place_name, space_note, unit_name

ADJECTIVES = {"axis": "Axis", "allied": "Allied"}
NOUNS = {"axis": "the Axis", "allied": "the Allies"}
SIDES = ("axis", "allied")


def side_word(side: str) -> str:
    """A side as adjective: ``Allied``."""
    return ADJECTIVES.get(side, side.capitalize())


def people(side: str) -> str:
    """A side as noun: ``the Allies``."""
    return NOUNS.get(side, side)


def verb(side: str, one: str, many: str = "") -> str:
    """A verb after a side: the Axis ``gains``, the Allies ``gain``."""
    return (many or one.removesuffix("s")) if side == "allied" else one


def the(state: State, uid: str) -> str:
    """``the Italian 62nd Division``."""
    return f"the {unit_name(state, uid)}"


def list_units(state: State, units: Iterable[str]) -> str:
    """``the Italian 62nd and 63rd Divisions and the Italian armor battlegroup 2``."""
    return names(state, units)


def bare_list(state: State, units: Iterable[str]) -> str:
    """The same without articles."""
    return ", ".join(grouped_names(state, units))


def are(units: Sequence[str], one: str = "is", many: str = "are") -> str:
    """A verb after some units."""
    return one if len(units) == 1 else many


def where(name: str) -> str:
    """A space or box so that one can find it."""
    return place_name(name)


def space_words(state: State, name: str) -> str:
    """``Bardia (fort 1, port, VP)``; what is clear and nothing else by its name alone."""
    note = space_note(state, name).removeprefix("clear").removeprefix(", ")
    return f"{name} ({note})" if note else name


def unit_count(state: State, units: Sequence[str]) -> str:
    """``two divisions and one battlegroup``."""
    divisions = sum(state.counter(uid).division for uid in units)
    groups = len(units) - divisions
    parts = [counted(divisions, "division")] if divisions else []
    parts += [counted(groups, "battlegroup")] if groups else []
    return " and ".join(parts) or "no unit"

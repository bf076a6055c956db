"""Whether a division or brigade can be put together from what is in play (WD 15.B, 15.C, 28.B.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudicator.packs.western_desert.roster import HERE, Roster, fraction

Row = Mapping[str, Any]

_FIGURES = ("attack", "defense", "movement")
_MIXED = {"british": "indian", "indian": "british"}
"""Whose divisions may hold one brigade of the other (WD 28.B.1)."""


def lacking_parts(unit: Row, units: Mapping[str, Row], roster: Roster) -> str:
    """What is lacking to put a unit together from units in play by the best of its forms; "" when nothing is."""
    told = [_lacking(unit, form, units, roster) for form in unit.get("components", [])]
    return "" if "" in told else next(iter(told), "it has no components")


def _lacking(unit: Row, form: Row, units: Mapping[str, Row], roster: Roster) -> str:
    here = [row for unit_id, row in sorted(units.items()) if roster.state.get(unit_id) in (*HERE, "replacement_pool")]
    if form.get("hq") == "yes" and not any(_is_headquarters(row, unit) for row in here):
        return "its headquarters is not in play"
    foreign = 0
    used: set[str] = set()
    for part in form.get("parts", []):
        own = [row for row in here if row["nat"] == unit["nat"] and _fits(row, part)]
        other = [row for row in here if row["nat"] == _MIXED.get(str(unit["nat"])) and _fits(row, part)]
        need = int(fraction(part["n"]))
        taken = [str(row["id"]) for row in own if str(row["id"]) not in used][:need]
        if len(taken) < need and other and not foreign:
            foreign = 1
            taken.append(str(other[0]["id"]))
        used.update(taken)
        if len(taken) < need:
            return f"{need - len(taken)} of {need} {_figures(part)} {part['type']} are not in play"
    return ""


def _is_headquarters(row: Row, unit: Row) -> bool:
    alike = all(row.get(key) == unit.get(key) for key in ("nat", "designation"))
    return alike and row.get("size") == "headquarters"


def _fits(row: Row, part: Row) -> bool:
    """WD 15.C.2: a part may be stronger than asked for and faster, but of the same type and size."""
    alike = all(row.get(key) == part[key] for key in ("type", "size", "aa_type") if key in part)
    return alike and all(fraction(row[key]) >= fraction(part[key]) for key in _FIGURES if key in part)


def _figures(part: Row) -> str:
    figures = [str(part[key]) for key in _FIGURES if key in part]
    return "-".join(figures)

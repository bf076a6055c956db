"""The breakdown charts as the rules read them: which components make a division (WD 15.B, 15.C, 28.B.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

from adjudicator.western_desert.charts import Row, rows
from adjudicator.western_desert.state import World
from adjudicator.western_desert.units import EVERY, Unit, fraction

ANY = "any"
SUPPORTED, HEADQUARTERS, SUPPORT_GROUP = "supported", "headquarters", "support_group"
MIXED = {"british": "indian", "indian": "british"}
"""Whose divisions may hold one brigade of the other (WD 28.B.1)."""


class Part(NamedTuple):
    """A component as a chart asks for it; ``figures`` are attack, defense, movement, None where any will do."""

    type: str
    size: str
    aa_type: str
    figures: tuple[float, float, int] | None
    text: str

    def shape_fits(self, unit: Unit) -> bool:
        """The same type and size (WD 15.C.2)."""
        kind = not self.aa_type or not unit.aa_type or unit.aa_type == self.aa_type
        return unit.type == self.type and unit.size == self.size and kind

    def fits(self, unit: Unit) -> bool:
        """A unit of the type and size, as strong and as fast at least (WD 15.C.2, 15.C.2.subst)."""
        if not self.shape_fits(unit):
            return False
        if self.figures is None:
            return True
        attack, defense, movement = self.figures
        return unit.attack >= attack and unit.defense >= defense and unit.movement >= movement


class PartSet(NamedTuple):
    """One set of components. ``hq``: the headquarters goes with it, and its components are unsupported; ``dotted``:
    they are supported ones, and the headquarters stays in the box (WD 15.B). ``own`` is the type whose component must
    be the division's own, or ``all`` (WD 15.C.1)."""

    form: str
    hq: bool
    dotted: bool
    parts: tuple[Part, ...]
    own: str


def sets_of(world: World, unit: Unit) -> tuple[PartSet, ...]:
    """The sets that a division, or an antiaircraft unit, may be made of, the one with the headquarters first."""
    own = dict(unit.own)
    found = [
        row
        for row in _chart(world).get((unit.side, f"{unit.figures} {unit.type}"), ())
        if not unit.forms or row.form in unit.forms
    ]
    made: list[PartSet] = []
    for row in found:
        made.append(row._replace(own=own.get(row.form, row.own)))
        if row.hq:
            made.append(made[-1]._replace(form=SUPPORTED, hq=False, dotted=True))
    return tuple(made)


def _chart(world: World) -> Mapping[tuple[str, str], tuple[PartSet, ...]]:
    """All sets by kind of division (WD chart.allied-breakdowns, chart.axis-breakdowns)."""
    known = world.cache.get("breakdowns")
    if isinstance(known, dict):
        return known
    found: dict[tuple[str, str], tuple[PartSet, ...]] = {}
    for row in rows(world.charts, "breakdowns"):
        key = (row["side"], row["division"])
        found[key] = (*found.get(key, ()), _set(row))
    world.cache["breakdowns"] = found
    return found


def _set(row: Row) -> PartSet:
    parts = row["parts"]
    assert isinstance(parts, list)
    made = tuple(_part(part) for part in parts for _ in range(int(part["n"])))
    own = SUPPORT_GROUP if row["form"] == SUPPORT_GROUP else ""
    return PartSet(row["form"], row["hq"] == "yes", False, made, own)


def _part(row: Row) -> Part:
    figures = None if row["figures"] == ANY else _figures(row["figures"])
    kind = row.get("aa_type", "")
    words = [] if figures is None else [row["figures"]]
    text = " ".join([*words, kind, row["type"].replace("_", " ")]).replace("  ", " ")
    return Part(row["type"], row["size"], kind, figures, text)


def _figures(text: str) -> tuple[float, float, int]:
    numbers = text.split("-")
    attack = fraction(numbers[0])
    defense = fraction(numbers[1]) if len(numbers) > 2 else attack
    return float(attack), float(defense), int(numbers[-1])


def matched(parts: Sequence[Part], units: Sequence[Unit]) -> bool:
    """Whether each unit can stand for one of the parts, and all parts are stood for."""
    if len(parts) != len(units):
        return False
    return any(all(part.fits(unit) for part, unit in zip(parts, row, strict=True)) for row in permutations(units))


def is_headquarters(unit: Unit, division: Unit) -> bool:
    """Whether a unit is the headquarters of a division: one of its own type and designation."""
    if unit.size != HEADQUARTERS or unit.nat != division.nat:
        return False
    same = unit.designation == division.designation
    return same and unit.hq_of in ("", division.type)


def is_own(unit: Unit, division: Unit) -> bool:
    """Whether a component is the division's own: by its divisional identification, a support group by its number
    (WD 15.C.1)."""
    return (unit.designation if unit.type == SUPPORT_GROUP else unit.belongs) == division.designation


def must_be_own(found: PartSet, unit: Unit) -> bool:
    """Whether the set takes only the division's own component of this type."""
    return found.own == EVERY or (bool(found.own) and unit.type == found.own)

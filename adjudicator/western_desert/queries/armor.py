"""Armor and antitank effects of a planned attack, with what each way to declare half capable units would bring."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from adjudicator.western_desert.armor import Proportion, choices, members_of, proportion
from adjudicator.western_desert.battle import charts_of, defenders
from adjudicator.western_desert.odds import Odds
from adjudicator.western_desert.state import State
from adjudicator.western_desert.units import number
from adjudicator.western_desert.words import names

PARTS = (("aeca", "AECA", "WD 10.C.1"), ("aecd", "AECD", "WD 10.C.2"), ("atec", "ATEC", "WD 10.C.3"))


def armor_tree(state: State, found: Odds) -> dict[str, list[dict[str, Any]]]:
    """By category every way to declare the half capable units neutral, with proportion and modifier (WD 10.E)."""
    return {category: _ways(state, found, category) for category, _name, _rule in PARTS}


def _ways(state: State, found: Odds, category: str) -> list[dict[str, Any]]:
    charts = charts_of(state)
    units = found.attack.units if category == "aeca" else defenders(state, found.attack)
    members = members_of(state, units, category, {})
    ways = [proportion(members, neutral) for neutral in choices(members)]
    return [
        {"neutral": list(way.declared), "share": str(way.share), "die": charts.armor(category, way.share)}
        for way in ways
    ]


def armor_lines(state: State, found: Odds) -> list[str]:
    """The proportions that are not 0, what they do to the die, and what other declarations of attackers would do."""
    armor = found.armor
    values: dict[str, tuple[int, Proportion]] = {
        "aeca": (armor.aeca, armor.attack),
        "aecd": (armor.aecd, armor.defense),
        "atec": (armor.atec, armor.antitank),
    }
    lines = [
        f"{name}: {number(part.capable)} of {number(part.counted)} counted REs, {_share(part.share)}; "
        f"{f'die {die:+d}' if die else 'no effect on the die'}{_declared(state, part)} ({rule})."
        for category, name, rule in PARTS
        for die, part in [values[category]]
        if part.share
    ]
    lines += _other_ways(state, found)
    return [*lines, *(f"{note[:1].upper()}{note[1:]} (WD 10.C)." for note in armor.notes if lines)]


def _share(share: Fraction) -> str:
    return "all of them" if share == 1 else str(share)


def _declared(state: State, part: Proportion) -> str:
    return f"; {names(state, part.declared)} taken as neutral" if part.declared else ""


def _other_ways(state: State, found: Odds) -> list[str]:
    """What `--neutral` could change: the other declarations of the attackers."""
    ways = _ways(state, found, "aeca")
    if len(ways) < 2:
        return []
    taken = list(found.armor.attack.declared)
    others = [way for way in ways if way["neutral"] != taken]
    said = [f"{_neutral(state, way['neutral'])} {way['share']}, {way['die']:+d}" for way in others]
    return [f"Other declarations for AECA (`--neutral`, WD 10.E): {'; '.join(said)}."]


def _neutral(state: State, units: Sequence[str]) -> str:
    return f"neutral {names(state, units)}:" if units else "none neutral:"



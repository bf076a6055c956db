"""The seaborne invasion of Malta: what the waves hold and when the second one lands (WD 27.C). Pure."""

from __future__ import annotations

from fractions import Fraction

from adjudicator.engine.core import Problem
from adjudicator.western_desert.theatre.special import SIDE
from adjudicator.western_desert.units import number

RULE, WAVE1, WAVE2 = "WD 27.C", "WD 27.C.wave1", "WD 27.C.wave2"
FIRST_RE2, SECOND_RE2, SECOND_STEPS = 8, 14, 2


def waves_problems(first2: int, second2: int, second_steps: int, first_steps: int = 0) -> list[Problem]:
    """What exceeds the waves: 4 REs in the first, 7 REs and two steps of supply in the second (WD 27.C). Sizes in half
    REs."""
    found = []
    for name, re2, most2 in (("first", first2, FIRST_RE2), ("second", second2, SECOND_RE2)):
        if re2 > most2:
            have, most = number(Fraction(re2, 2)), number(Fraction(most2, 2))
            text = f"the {name} wave has {have} REs; it takes {most}"
            found.append(Problem("wave_re", RULE, text, "name fewer units", field="units"))
    if first_steps:
        text = "supply comes with the second wave"
        found.append(Problem("wave_supply", RULE, text, "leave it out of the first", field="units"))
    if second_steps > SECOND_STEPS:
        text = f"the second wave has {second_steps} steps of supply; it takes {SECOND_STEPS}"
        found.append(Problem("wave_supply", RULE, text, "take fewer steps", field="units"))
    return found


def second_wave_problems(owner: str) -> list[Problem]:
    """The second wave lands only in an invasion hex that the Axis player controls now (WD 27.C.wave2)."""
    if owner == SIDE:
        return []
    text = "the second wave lands only in the invasion hex, and only while it is Axis controlled"
    return [Problem("not_held", WAVE2, text, "leave the second wave out")]

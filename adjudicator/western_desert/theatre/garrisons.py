"""The garrisons that the Allied player owes in Palestine and the Levant (WD 28.B.2, 28.B.2.who). Pure.

Sizes are half REs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from adjudicator.western_desert.control import holds_a_city
from adjudicator.western_desert.state import ELIMINATED, State
from adjudicator.western_desert.theatre.listed import face, in_area
from adjudicator.western_desert.units import Unit

RULE = "WD 28.B.2"
SIDE = "allied"
PALESTINE, LEVANT = "Palestine", "Levant"
REGIONS = (PALESTINE, LEVANT)
FIRST_YEAR = 24
"""Turns after an invasion of the Levant for which its garrison is the larger one (ruling GARRISON-24)."""
POOL, POOL_RES = "33.C", 3
"""The option by which the pool helps out, and how many of its REs stand for one (WD 33.C.pool)."""
FOOT = frozenset({"infantry", "motorized", "cavalry"})
HEADQUARTERS = "headquarters"


class Garrison(NamedTuple):
    """Half REs and divisional headquarters, those that are there or those that are owed."""

    re2: int
    hq: int

    def lacks(self, owed: Garrison) -> tuple[int, int]:
        """Whole REs and headquarters that are missing of what is owed: each began one counts."""
        return max(0, -(-(owed.re2 - self.re2) // 2)), max(0, owed.hq - self.hq)


ALWAYS, YEAR = Garrison(6, 0), Garrison(12, 2)


def owed(region: str, since_invasion: int) -> Garrison:
    """What a region needs; the Levant more in the 24 turns after the turn of its invasion (WD 28.B.2)."""
    return YEAR if region == LEVANT and since_invasion <= FIRST_YEAR else ALWAYS


def counts(unit: Unit) -> bool:
    """Infantry, cavalry, motorized and armor units are a garrison by their size (WD 28.B.2.who)."""
    return not unit.counter and unit.size != HEADQUARTERS and (unit.type in FOOT or unit.armored)


def strength(units: Iterable[tuple[Unit, bool]]) -> Garrison:
    """What units make of a garrison; each with whether it is, or holds, the headquarters of a division (ruling
    GARRISON-DIV)."""
    re2 = hq = 0
    for unit, headed in units:
        re2 += unit.re2 if counts(unit) else 0
        hq += headed
    return Garrison(re2, hq)


def headed(state: State, uid: str) -> bool:
    """Whether a unit on the map is a divisional headquarters, or a division that has one among its components."""
    unit = state.unit(uid)
    if unit.size == HEADQUARTERS:
        return bool(unit.hq_of)
    parts = state.parts_of(uid)
    return unit.division and counts(unit) and (not parts or any(_is_hq(state, part) for part in parts))


def _is_hq(state: State, uid: str) -> bool:
    return state.world.units[uid].size == HEADQUARTERS


def garrison_of(state: State, region: str) -> Garrison:
    """What the Allied player has in a region, in any hex of it, or on the list of garrisons there (WD 28.B.2.who,
    33.C)."""
    there = (uid for uid in state.side_units(SIDE) if state.board.in_region(state.hex_of(uid), region))
    on_map = ((state.unit(uid), headed(state, uid)) for uid in there)
    off_map = ((face(state, one), headed(state, one.unit)) for one in in_area(state, region.lower()))
    return strength((*on_map, *off_map))


def pool_re2(state: State) -> int:
    """Half REs in the replacement pool of the types that make a garrison (WD 33.C.pool)."""
    pool = (state.unit(uid) for uid, why in state.gone.items() if why == ELIMINATED)
    return sum(unit.re2 for unit in pool if unit.side == SIDE and counts(unit))


def from_pool(lacks: int, pool2: int) -> int:
    """The REs that a pool stands for of those a garrison lacks, three of its own each (WD 33.C.pool)."""
    return min(lacks, pool2 // (2 * POOL_RES))


def is_owed(state: State, region: str, invaded: bool) -> bool:
    """Whether a garrison is owed: the Allied player controls any city of the region, which he has invaded if it is
    the Levant (WD 28.B.2, ruling LEVANT-INVASION)."""
    return holds_a_city(state, region, SIDE) and (region != LEVANT or invaded)

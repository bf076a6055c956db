"""Each side's initial deployment is in general supply (WD 12.A, 12.B), worked out here without the rules.

A supply line of seven hexes to a road or railroad that leads to an own terminal, or to an own supply counter; not
into enemy units, nor into enemy zones of control that no own unit occupies, nor over what is prohibited.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.packs.support import grid, hexes, links, pack, sides
from tests.packs.test_scenarios import compass, stacks

REACH = 7
ISLANDS = ("Malta", "Sicily", "Crete", "Rhodes", "Cyprus", "Dodecanese")
SHUT = {row["kind"] for row in pack().chart("hexsides") if row["closed"] == "yes"}


def open_between(one: str, other: str) -> bool:
    side = sides().get(frozenset((one, other)))
    return other in hexes() and hexes()[other]["terrain"] != "salt_marsh" and (not side or side["kind"] not in SHUT)


def held(side: str) -> set[str]:
    """Hexes with units of a side that have a unit size."""
    return {n for n, stack in stacks().items() if any(u["side"] == side and u["size"] != "none" for u in stack)}


def blocked(side: str) -> set[str]:
    """Hexes that a supply line of a side may not enter."""
    enemy = "axis" if side == "allied" else "allied"
    zone = {
        other
        for name, stack in stacks().items()
        if any(u["side"] == enemy and u["caps"]["zoc"] == "yes" for u in stack)
        for other in grid().neighbours(name)
        if open_between(name, other)
    }
    return held(enemy) | (zone - held(side))


def network(side: str) -> set[str]:
    """Hexes of lines joined to an own terminal."""
    shut = blocked(side)
    ring = [name for name, row in hexes().items() if row.get("terminal") == side]
    seen = set(ring)
    while ring:
        ring = sorted({n for name in ring for n in links("road").get(name, set()) if n not in seen | shut})
        seen.update(ring)
    return seen


def sources(side: str) -> set[str]:
    return network(side) | {row["hex"] for row in compass()["supply"] if row["side"] == side}


def reaches(start: str, goals: set[str], shut: set[str]) -> bool:
    seen, ring = {start}, [start]
    for _ in range(REACH + 1):
        if goals & set(ring):
            return True
        ring = sorted({o for n in ring for o in grid().neighbours(n) if o not in seen | shut and open_between(n, o)})
        seen.update(ring)
    return False


def units(side: str) -> list[tuple[str, dict[str, Any]]]:
    return [(name, unit) for name, stack in sorted(stacks().items()) for unit in stack if unit["side"] == side]


@pytest.mark.parametrize("side", ["allied", "axis", "vichy"])
def test_initial_deployment_is_in_supply(side: str) -> None:
    goals, shut = sources(side), set() if side == "vichy" else blocked(side)
    lacking = [
        (name, unit["id"])
        for name, unit in units(side)
        if hexes()[name]["country"] not in ISLANDS and not reaches(name, goals, shut)
    ]
    assert lacking == []


def test_malta_holds_a_supply_counter() -> None:
    """An island has no terminal (ruling ISLAND-SUPPLY)."""
    assert "18/0408" in {row["hex"] for row in compass()["supply"] if row["side"] == "allied"}

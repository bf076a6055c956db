"""The set-up of Compass (WD 28.A, 28.B.3, 30)."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from tests.packs.support import grid, hexes, pack


def compass() -> dict[str, Any]:
    return pack().scenario("compass")


def stacks() -> dict[str, list[dict[str, Any]]]:
    counters = {row["id"]: row for row in pack().rows("counters")}
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for entry in compass()["deploy"]:
        found[entry["hex"]].append(counters[entry["unit"]])
    return found


def test_every_unit_stands_on_land() -> None:
    for name in stacks():
        assert name in hexes()
        assert hexes()[name]["terrain"] != "salt_marsh"


def test_stacking() -> None:
    """WD 8.A: six units, three of them divisions, and two artillery units."""
    for name, stack in stacks().items():
        counted = [unit for unit in stack if unit["size"] != "none"]
        artillery = sum(unit["caps"]["artillery"] == "yes" for unit in counted)
        assert len(counted) - min(artillery, 2) <= 6, name
        assert sum(unit["size"] == "division" for unit in counted) <= 3, name
        assert len({unit["side"] for unit in stack}) == 1, name


def test_reported_stacks_of_the_frontier() -> None:
    """The Italian stacks that a report names, and the attack force before them (hexes by conversion)."""
    for name in ("19/0726", "19/0527", "19/0226"):
        assert {unit["side"] for unit in stacks()[name]} == {"axis"}
    assert any(entry["hex"] == "18/5019" for entry in compass()["air_deploy"])
    for name in ("19/1126", "19/1127"):
        assert {unit["side"] for unit in stacks()[name]} == {"allied"}


def test_attack_force() -> None:
    placed = {entry["unit"]: entry["hex"] for entry in compass()["deploy"]}
    assert {placed[unit] for unit in compass()["attack_force"]} == {"19/1126", "19/1127", "19/1225"}
    assert "in-4-hq" in compass()["attack_force"]


def test_air_units_stand_on_airbases() -> None:
    """WD 17.A: cities, fortresses, airfields."""
    fields = {row["hex"] for row in compass()["airfields"]}
    for entry in compass()["air_deploy"]:
        row = hexes()[entry["hex"]]
        assert row["cities"] or row.get("fortress") or entry["hex"] in fields, entry


def test_control_of_egypt() -> None:
    """WD 30: Axis is what Italian units occupy or have in their zone of control; the rest of Egypt is Allied."""
    axis = {row["hex"] for row in compass()["control"] if row["side"] == "axis"}
    occupied = {n for n, stack in stacks().items() if stack[0]["side"] == "axis"}
    egypt = {n for n, row in hexes().items() if row["country"] == "Egypt"}
    assert occupied & egypt <= axis <= egypt
    for name in axis - occupied:
        near = [o for o in grid().neighbours(name) if o in occupied]
        assert any(unit["caps"]["zoc"] == "yes" for o in near for unit in stacks()[o]), name
    assert "19/0825" in axis
    assert not axis & {"19/1126", "19/1127", "19/0925"}
    assert all(hexes()[name]["control"] == "allied" for name in axis)


def test_boxes() -> None:
    """WD 28.A.1, 28.A.2."""
    boxes = defaultdict(list)
    for entry in compass()["boxes"]:
        boxes[entry["box"]].append(entry["unit"])
    assert len(boxes["fifth_army"]) == 7
    assert len(boxes["tripolitania_garrison"]) == 3
    assert "br-14" in boxes["greece"]


def test_each_unit_once() -> None:
    rows = [*compass()["deploy"], *compass()["air_deploy"], *compass()["boxes"]]
    units = [row["unit"] for row in rows]
    assert len(units) == len(set(units))


def test_fortresses_and_supply() -> None:
    assert {row["hex"]: row["state"] for row in compass()["fortresses"]} == {
        "18/4818": "improved",
        "19/0325": "improved",
    }
    assert {row["side"] for row in compass()["smp"]} == {"axis", "allied"}
    assert all(1 <= int(row["steps"]) <= 2 for row in compass()["supply"])


def test_every_entry_has_a_source() -> None:
    for key in ("deploy", "air_deploy", "boxes", "supply", "smp", "fortresses", "airfields"):
        assert all(row["source"] for row in compass()[key]), key

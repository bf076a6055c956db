"""Each side's initial deployment of every scenario is in general supply (WD 12.A, 12.B), by the game's own rules.

The checker of packs traces lines without the rules; both must say the same of every unit.
"""

from __future__ import annotations

from functools import cache

import pytest

from adjudicator.packs.files import read_pack
from adjudicator.packs.western_desert.check_start import ISLANDS, Lines
from adjudicator.western_desert.state import State, Supply
from adjudicator.western_desert.supply import SIDES, covered, on_lines
from adjudicator.western_desert.world import first_state, world_from_pack
from tests.packs.support import FOLDER, hexes, pack
from tests.packs.test_scenarios import SCENARIOS


@cache
def start(scenario: str) -> State:
    """The position of a set-up as the rules see it: units, supply counters, control."""
    world = world_from_pack(pack().tree, scenario)
    state, row = first_state(world), pack().scenario(scenario)
    state.levant = row.get("levant", "")
    for entry in row.get("control", []):
        state.control[world.board.find(entry["hex"])] = entry["side"]
    for entry in row["deploy"]:
        state.place(entry["unit"], world.board.find(entry["hex"]), entry.get("step") == "cadre")
    for entry in row["supply"]:
        state.supply[entry["id"]] = Supply(world.board.find(entry["hex"]), entry["side"], int(entry["steps"]))
    return state


def supplied(state: State) -> set[str]:
    """Units on a line to a terminal, or in reach of a supply counter."""
    found = {unit for side in SIDES for unit in on_lines(state, side)}
    return found | {unit for counter in state.supply for unit in covered(state, counter)}


def apart(state: State, unit: str) -> bool:
    """On an island."""
    return hexes()[state.board.name(state.hex_of(unit))]["country"] in ISLANDS


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_initial_deployment_is_in_supply(scenario: str) -> None:
    state = start(scenario)
    lacking = [unit for unit in sorted(state.pieces) if unit not in supplied(state) and not apart(state, unit)]
    assert lacking == []
    assert len(state.pieces) > 75


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("side", ["allied", "axis", "vichy"])
def test_the_checker_of_packs_agrees_with_the_rules(scenario: str, side: str) -> None:
    state, grid = start(scenario), read_pack(FOLDER).grid
    units = {row["id"]: row for row in pack().rows("counters")}
    lines = Lines(pack().tree, pack().scenario(scenario), units, side, grid.neighbours)
    mainland = [(name, unit) for name, unit in lines.own() if not apart(state, unit)]
    assert {unit for name, unit in mainland if lines.reaches(name)} == {u for _, u in mainland if u in supplied(state)}


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_islands_hold_a_supply_counter(scenario: str) -> None:
    """An island has no terminal (ruling ISLAND-SUPPLY): Malta's garrison lives on its counter."""
    held = {row["hex"] for row in pack().scenario(scenario)["supply"] if row["side"] == "allied"}
    assert "18/0408" in held

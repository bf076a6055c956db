"""The rules of Shifting Sands can read the pack: board, conditions, tables, and the supply of both set-ups."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from adjudicator.shifting_sands.conditions import KNOWN
from adjudicator.shifting_sands.fire import columns, loss_number, shifted, terrain_row
from adjudicator.shifting_sands.nations import NATIONS
from adjudicator.shifting_sands.position import first_state
from adjudicator.shifting_sands.state import State, turn_number
from adjudicator.shifting_sands.supply import FULL, LIMITED, OUT, supply
from adjudicator.shifting_sands.world import World, world_from_pack
from tests.packs.shifting_sands import ROOT, Row, facts, pack

RULES = ROOT / "adjudicator" / "shifting_sands"

COMBAT = {"own", "enemy", "own_spaces", "flank"}
"""Conditions that only a combat can judge (``terrain``, ``fort`` and ``region`` stand in ``requires`` only)."""


def world(scenario: str) -> World:
    return world_from_pack(pack().tree, scenario)


def start(scenario: str) -> State:
    """The position of a set-up, without the procedures of the game."""
    state = first_state(world(scenario))
    state.phase = "action"
    setup: Any = state.world.scenario
    state.turn = turn_number(setup["turn"])
    for row in setup["control"]:
        state.control[row["space"]] = row["side"]
    for row in setup["events"]:
        state.events[row["event"]] = 1
    for row in setup["units"]:
        state.place(row["unit"], row["at"], row.get("step") == "reduced")
    return state


def conditions(value: Any) -> Iterator[Row]:
    """All conditions of cards, regions and spaces that are no matter of one combat."""
    for row in value if isinstance(value, list) else []:
        yield row
        for key in ("any_of", "not"):
            yield from conditions(row.get(key))


def test_the_world_has_everything() -> None:
    found = world("campaign")
    assert len(found.spaces) == 113
    assert sum(map(len, found.links.values())) == 2 * 185
    assert len(found.counters) == 178
    assert {unit.nation for unit in found.counters.values()} == set(NATIONS)
    assert found.spaces["Tobruk"].fort == 2
    assert found.spaces["Berbera"].hold_from == "Aden"
    nile = found.link("Aswan", "Khartoum")
    assert nile is not None and (nile.whole_move, nile.rd_stops, nile.attack_drm) == (True, True, -1)


def test_conditions_are_known_to_the_rules() -> None:
    lists = [row["conditions"] for row in pack().rows("cards")]
    lists += [switch["adds"] for row in pack().rows("cards") for switch in row.get("switches", [])]
    lists += [row.get("closed_until", []) for row in pack().rows("regions")]
    lists += [source["conditions"] for row in pack().rows("spaces") for source in row["sources"]]
    lists += [part.get("if", []) for row in pack().rows("places") for part in row["any"]]
    used = {key for rows in lists for row in conditions(rows) for key in row}
    assert not used & COMBAT
    assert used - {"with_card", "from"} <= set(KNOWN)


@pytest.mark.parametrize("scenario", ["campaign", "sonnenblume"])
def test_every_unit_of_a_set_up_is_in_supply(scenario: str) -> None:
    """SS 13, 17, 18, by the rules themselves."""
    state = start(scenario)
    lacking = [uid for uid, piece in state.pieces.items() if state.on_map(uid) and supply(state, uid).status == OUT]
    assert lacking == []
    assert not any(state.on_map(uid) for uid in state.pieces if state.pieces[uid].at.startswith("@"))


def test_supply_of_known_spaces() -> None:
    """EoP: El Agheila is in full supply; 13.621: Allies of East Africa are not before the Ethiopian Campaign."""
    state = start("sonnenblume")
    near = {uid: supply(state, uid).status for uid in state.units_in("El Agheila")}
    assert set(near.values()) == {FULL}
    assert {supply(state, uid).status for uid in state.units_in("Kassala")} == {LIMITED}


def test_cells_are_read_as_the_rulebook_has_them() -> None:
    state = start("campaign")
    for column, die, result, _ in facts()["cells"]:
        assert loss_number(state, "division", column, int(die))[0] == int(result)
    assert loss_number(state, "division", "12-14", 4) == (5, True)
    assert loss_number(state, "division", "6-8", 2) == (3, False)
    assert shifted(state, "division", 8, 2) == "12-14"
    assert columns(state, "battlegroup")[0] == "0"
    assert terrain_row(state, "marsh")["attacker_shift"] == "-1"


def test_the_other_fire_tables() -> None:
    """The switch of ruling A01 brings the other set."""
    (switch,) = [row["switch"] for row in pack().rows("rulings") if row["id"] == "A01"]
    last = {}
    for name in switch["values"]:
        found = world_from_pack(pack().tree, "campaign", {switch["name"]: name})
        last[name] = columns(State(found), "division")[-1]
    assert last == {"pog": "16+", "btb": "15+"}


def asked_switches() -> list[tuple[str, str]]:
    """Name and default of each switch that the rules ask for."""
    call = re.compile(r'\.switch\(\s*"([^"]+)",\s*"([^"]*)"')
    return [m for path in sorted(RULES.glob("**/*.py")) for m in call.findall(path.read_text(encoding="utf-8"))]


def test_switches_of_the_rules_are_rulings() -> None:
    """A switch is named in rulings.yaml, and what the rules take when it is not set is the ruling."""
    known = {row["switch"]["name"]: row["switch"]["default"] for row in pack().rows("rulings") if "switch" in row}
    known["options"] = " ".join(row["id"] for row in pack().rows("options") if row["default"] == "yes")
    assert asked_switches()
    for name, default in asked_switches():
        assert default in (known[name], ""), name

"""Supply: lines, ports, events, and what may be asked of it without touching the state (SS 13)."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from adjudicator.shifting_sands.activation import activation_cost
from adjudicator.shifting_sands.position import position
from adjudicator.shifting_sands.retreat import end_supply
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.supply import status, supply
from tests.shifting_sands.support import Row, mini, table, unit

LIBYA: Row = {"region": "Libya"}


def test_a_space_may_be_counted_as_own_without_being_so() -> None:
    spaces: dict[str, Row] = {
        "T": {**LIBYA, "control": "allied"},
        "R": {**LIBYA, "control": "axis"},
        "Q": {**LIBYA, "control": "allied", "source": ["allied"]},
    }
    state = mini(spaces, (("T", "R"), ("R", "Q")), units=[unit("d", "BR", "T")])
    before = position(state)
    assert supply(state, "d").status == "oos"
    assert supply(state, "d", "R").distance == 1, "its own space is no part of the line that could be barred"
    assert end_supply(state, "d", "R").status == "full"
    assert position(state) == before


def test_the_status_of_activation_holds_until_the_round_is_over() -> None:
    """SS 13.11, ruling A25."""
    spaces: dict[str, Row] = {"A": {**LIBYA, "control": "axis", "source": ["axis"]}, "B": {**LIBYA, "control": "axis"}}
    state = mini(spaces, (("A", "B"),), units=[unit("u", "GE", "B")])
    assert status(state, "u") == "full"
    state.pieces["u"].supply = "limited"
    assert status(state, "u") == "limited"
    state.world = replace(state.world, switches={"supply_attacker_frozen": "off"})
    assert status(state, "u") == "full"


def test_benghazi_may_be_a_source_for_activation_only() -> None:
    spaces: dict[str, Row] = {"Benghazi": {**LIBYA, "control": "allied"}, "w": {**LIBYA, "control": "allied"}}
    state = mini(spaces, (("Benghazi", "w"),), units=[unit("u", "AUS", "w")], events=["Montgomery"])
    assert supply(state, "u").status == "full"
    state.world = replace(state.world, switches={"supply_benghazi_tobruk": "activation"})
    assert supply(state, "u").status == "oos" and supply(state, "u", activating=True).status == "full"
    assert activation_cost(state, "w", "allied", "attack").points == 1


def test_a_line_by_sea_has_one_stretch_and_is_limited() -> None:
    spaces: dict[str, Row] = {
        "P1": {**LIBYA, "control": "allied", "port": True},
        "P2": {**LIBYA, "control": "allied", "port": True},
        "P3": {**LIBYA, "control": "allied", "port": True, "source": ["allied"]},
        "x": {**LIBYA, "control": "axis"},
    }
    state = mini(spaces, (("P1", "x"),), units=[unit("u", "BR", "P1")])
    found = supply(state, "u")
    assert (found.status, found.how, found.rule) == ("limited", "by sea", "SS 13.54")
    state.control["P3"] = "axis"
    assert supply(state, "u").status == "oos", "two stretches of sea are no line"


def test_units_of_the_set_up_are_supplied_as_the_rulebook_says() -> None:
    """Campaign: El Agheila would be within three spaces of Tripoli, East Africa and the Near East are limited."""
    game = table()
    state: State = game.start()
    for row in state.world.scenario["units"]:  # type: ignore[attr-defined]
        if not row["at"].startswith("@"):
            state.place(row["unit"], row["at"], row.get("step") == "reduced")
    found = {uid: supply(state, uid).status for uid in state.pieces}
    assert found["it-17"] == "full" and found["it-gds"] == "full"
    assert found["br-inf-bg-3"] == "full", "Suez is a source"
    assert {found[uid] for uid in state.pieces if state.world.in_region(state.pieces[uid].at, "near_east")} <= {
        "limited", "full"
    }  # fmt: skip
    east = [u for u in state.side_units("allied") if state.world.in_region(state.pieces[u].at, "East Africa")]
    assert {found[uid] for uid in east} == {"limited"}
    assert "oos" not in found.values()


@given(st.integers(0, 2**32))
def test_more_control_never_harms_supply(seed: int) -> None:
    from random import Random

    from tests.shifting_sands.chance import random_position, random_world

    rnd = Random(seed)
    state, side, target = random_position(rnd, random_world(rnd))
    worth = {"oos": 0, "limited": 1, "full": 2}
    for uid in state.friends(target, side):
        less = supply(state, uid).status
        more = supply(state, uid, owned=list(state.world.spaces)).status
        assert worth[more] >= worth[less]

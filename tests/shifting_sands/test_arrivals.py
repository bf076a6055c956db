"""Units that come into play: divisions of optional rules (SS 19.12, 19.13), and the places of the others."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Ctx, Order
from adjudicator.engine.driver import Checkpoint, Run, Waits, play
from adjudicator.packs.load import load_pack
from adjudicator.shifting_sands.apply import apply
from adjudicator.shifting_sands.arrival import ORDINARY, T_CARD, arrival_places, place_problems, unmarked
from adjudicator.shifting_sands.bot_upkeep import place_rows
from adjudicator.shifting_sands.extras import expected
from adjudicator.shifting_sands.game import GAME, ShiftingSandsTable
from adjudicator.shifting_sands.invariants import faults
from adjudicator.shifting_sands.position import position, restore
from adjudicator.shifting_sands.state import State, turn_number
from adjudicator.shifting_sands.template import template
from tests.shifting_sands.rounds import first_rounds
from tests.shifting_sands.support import ALLIED, AXIS, Row, Seeds, kinds, message, section, voids

GERMAN, BRITISH = "ge-999", "br-6"


@cache
def options() -> ShiftingSandsTable:
    """The campaign with both divisions."""
    return GAME.table(load_pack("shifting-sands").tree, "campaign", {"options": "19.12 19.13"})


def opening(turn: str, side: str, *events: tuple[str, str]) -> State:
    """The position of the set-up as it would be before the first round of a side in another turn."""
    state = restore(options().world, position(first_rounds().before(3)))
    state.turn, state.active = turn_number(turn), side
    state.events = {name: turn_number(when) for name, when in events}
    return state


def place(uid: str, to: str, **more: Any) -> Row:
    """An order ``place``."""
    return {"type": "place", "unit": uid, "to": to, **more}


def played(state: State, *rows: Row) -> Run[State]:
    """The first part of a round with these orders."""
    seq = 3 if state.active == AXIS else 4
    return play(
        options(), Checkpoint(state, 2, 2), [message(seq, state.active, section("round"), *rows)], Seeds(9)
    )


def swapped(state: State, leaves: str, end: str) -> list[str]:
    """What is wrong with a division that makes room for the British 6th in Tobruk."""
    return refused(state, unit=BRITISH, to="Tobruk", replaces=leaves, replaced_to=end)


def refused(state: State, **fields: str) -> list[str]:
    """The rules that a placement breaks."""
    order = Order(0, "place", fields)
    return [f"{p.rule}: {p.text}" for p in place_problems(state, state.active, order)]


def test_the_999th_division_comes_reduced_before_the_first_axis_round() -> None:
    state = opening("Winter 1943", AXIS, ("Torch", "Summer 1942"))
    run = played(state, place(GERMAN, "Tunis"), {"type": "auto_op"})
    assert voids(run.events) == [] and [e.data["unit"] for e in kinds(run.events, "arrived")] == [GERMAN]
    piece = run.state.pieces[GERMAN]
    assert (piece.at, piece.reduced) == ("Tunis", True)
    assert not [line for line in faults(run.state) if GERMAN in line]


@pytest.mark.parametrize(
    ("turn", "torch", "said"),
    [
        ("Winter 1943", "", "SS 19.12: Torch was not played in time"),
        ("Fall 1942", "Summer 1942", "comes before the first axis action round of Winter 1943"),
        ("Winter 1943", "Winter 1943", "comes before the first axis action round of Spring 1943"),
        ("Spring 1943", "Spring 1943", "SS 19.12: Torch was not played in time"),
    ],
)
def test_the_999th_division_hangs_on_torch(turn: str, torch: str, said: str) -> None:
    state = opening(turn, AXIS, *([("Torch", torch)] if torch else []))
    assert said in refused(state, unit=GERMAN, to="Tunis")[0]


def test_torch_in_winter_1943_puts_it_off_by_a_turn() -> None:
    assert refused(opening("Spring 1943", AXIS, ("Torch", "Winter 1943")), unit=GERMAN, to="Tunis") == []


def test_it_comes_in_tunis_alone_while_that_is_axis_and_has_room() -> None:
    state = opening("Winter 1943", AXIS, ("Torch", "Summer 1942"))
    assert refused(state, unit=GERMAN, to="Tripoli")[0].startswith("SS 19.12: the GE 999 does not come in at Tripoli")
    state.control["Tunis"] = ALLIED
    assert "Tunis is not controlled by the axis side" in refused(state, unit=GERMAN, to="Tunis")[0]


def test_after_the_first_card_of_the_turn_it_is_too_late() -> None:
    state = opening("Winter 1943", AXIS, ("Torch", "Summer 1942"))
    state.history[AXIS] = {1: "ops"}
    assert expected(state, AXIS) == [] and refused(state, unit=GERMAN, to="Tunis")
    state.history.clear()
    assert expected(state, AXIS) == [GERMAN]


def test_the_british_6th_division_comes_in_fall_1941_unless_crusader_was_played() -> None:
    state = opening("Fall 1941", ALLIED)
    run = played(state, place(BRITISH, "Port Said"))
    assert voids(run.events) == [] and run.state.pieces[BRITISH].at == "Port Said"
    assert not run.state.pieces[BRITISH].reduced
    late = opening("Fall 1941", ALLIED, ("Crusader", "Summer 1941"))
    assert refused(late, unit=BRITISH, to="Port Said")[0].startswith("SS 19.13: Crusader was played")


def tobruk(*units: tuple[str, bool]) -> State:
    """Fall 1941 with Allied divisions in a Tobruk that no line by land reaches."""
    state = opening("Fall 1941", ALLIED)
    for uid in state.units_in("Tobruk")[:]:
        state.shift(uid, "Tripoli")
    state.control["Tobruk"] = ALLIED
    for uid, reduced in units:
        state.place(uid, "Tobruk", reduced)
    return state


def test_it_may_take_the_place_of_an_australian_division_in_tobruk() -> None:
    """SS 19.13."""
    state = tobruk(("aus-9", False), ("nz-2", False))
    run = played(state, place(BRITISH, "Tobruk", replaces="aus-9", replaced_to="Alexandria"))
    assert voids(run.events) == []
    assert {uid: run.state.pieces[uid].at for uid in (BRITISH, "aus-9", "nz-2")} == {
        BRITISH: "Tobruk", "aus-9": "Alexandria", "nz-2": "Tobruk",
    }


def test_another_commonwealth_division_goes_only_where_no_full_australian_stands() -> None:
    """SS 19.13."""
    both = tobruk(("aus-9", False), ("nz-2", False))
    assert "nz-2 does not make room" in swapped(both, "nz-2", "Alexandria")[0]
    weak = tobruk(("aus-9", True), ("nz-2", False))
    assert not swapped(weak, "nz-2", "Port Said")


def test_no_swap_where_tobruk_is_supplied_by_land_or_without_a_place_to_go() -> None:
    state = tobruk(("aus-9", False))
    assert "aus-9 does not go to Suez" in swapped(state, "aus-9", "Suez")[0]
    assert "does not come in at Tobruk" in refused(state, unit=BRITISH, to="Tobruk")[0]
    for name in ("Gambut", "Bardia", "Sidi Azeiz"):
        state.control[name] = ALLIED
    said = swapped(state, "aus-9", "Alexandria")[0]
    assert "not an Allied space without a supply line by land" in said


def test_without_the_option_nobody_comes() -> None:
    state = opening("Fall 1941", ALLIED)
    bare = restore(GAME.table(load_pack("shifting-sands").tree, "campaign", {}).world, position(state))
    said = [p.rule for p in place_problems(bare, ALLIED, Order(0, "place", {"unit": BRITISH, "to": "Alexandria"}))]
    assert said == ["SS 19.13"] and expected(bare, ALLIED) == []


def test_a_unit_that_needs_its_card_does_not_come_without_it() -> None:
    state = opening("Fall 1941", ALLIED)
    assert refused(state, unit="aus-7", to="Suez")[0].startswith("SS 7.53: aus-7 comes with its event only")
    assert refused(state, unit="br-7-arm", to="Suez")[0].startswith("SS 7.53: br-7-arm is in play already")
    assert refused(state, unit=GERMAN, to="Tunis")[0].startswith("SS 7.53: ge-999 is not one of your units")


def test_the_turn_file_offers_them_and_programs_bring_them() -> None:
    state = tobruk(("aus-9", False))
    offered = template(state, ALLIED, Waits("decision", ALLIED, "orders/fall-1941/1/allied"))
    assert "type: place" in offered and "replaced_to: Alexandria or Port Said" in offered
    brought = [row for n in range(12) for row in place_rows(Ctx(state.copy(), apply), ALLIED, Chance(Random(n).random))]
    assert {row["to"] for row in brought} == {"Alexandria", "Port Said", "Tobruk"}


def test_battlegroups_come_to_the_reserve_and_some_elsewhere() -> None:
    state = opening("Fall 1941", ALLIED)
    counters = state.world.counters
    by_kind = {unit.kind: unit for unit in counters.values()}
    assert arrival_places(state, by_kind["GE inf BG"], ORDINARY) == ["@reserve"]
    assert arrival_places(state, by_kind["GK inf BG"], ORDINARY) == ["@replacement"]
    assert arrival_places(state, by_kind["BR arm BG"], "Tiger Convoy") == ["Alexandria", "Port Said", "Suez"]
    assert arrival_places(state, by_kind["BR 70"], "Tiger Convoy") == []
    assert set(arrival_places(state, by_kind["US 2 Arm"], T_CARD)) == set()


def test_a_card_with_a_t_wants_a_marker_where_its_units_came_in() -> None:
    state = opening("Winter 1943", ALLIED, ("Torch", "Summer 1942"))
    state.landed.append("Oran")
    assert [problem.rule for problem in unmarked(state)] == ["SS 10.53"]
    state.markers["Oran"] = "move"
    assert unmarked(state) == [] and restore(state.world, position(state)).landed == ["Oran"]

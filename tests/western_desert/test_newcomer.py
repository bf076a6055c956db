"""What a player who knows neither rules nor program is told: where an order belongs, where a unit is, what is lost."""

from __future__ import annotations

import pytest

from adjudicator.western_desert.queries.tried import _gone
from adjudicator.western_desert.situation import situation
from adjudicator.western_desert.state import Boxed, State, Supply
from adjudicator.western_desert.template_works import fort_lines
from adjudicator.western_desert.words import only_by_counters, out_of_supply
from tests.western_desert.surprise import Played, signed, told
from tests.western_desert.test_arrivals import CAIRO, began, order, phase

DIVISION = ("br-4-arm-a", "br-7-arm-a", "br-7-sg")
ASSEMBLED = """
orders:
  - type: section
    name: movement
  - {type: move, units: "7 SG, 4 Arm X, 7 Arm X", to: 19/0827}
  - {type: assemble, into: 7 Arm XX, units: "7 SG, 4 Arm X, 7 Arm X"}
  - {type: section, name: air}
  - type: section
    name: combat
"""


def going(unit: str) -> dict[str, str]:
    return {"id": f"w-{unit}", "kind": "withdraw", "unit": unit, "to": "out"}


@pytest.fixture(scope="module")
def game() -> Played:
    return Played.begun()


@pytest.fixture(scope="module")
def assembled(game: Played) -> State:
    """After the Allied surprise turn, in which the 7th Armoured Division was assembled."""
    after = game.copy()
    result = after.check_text(ASSEMBLED)
    assert result.legal, told(result.problems)
    after.send(signed(result))
    after.send()
    return after.state


def in_phase(game: Played, section: str, order: str) -> str:
    text = f"orders:\n  - type: section\n    name: movement\n  - type: section\n    name: {section}\n  - {order}\n"
    if section == "movement":
        text = f"orders:\n  - type: section\n    name: movement\n  - {order}\n"
    if not section:
        text = f"orders:\n  - {order}\n"
    (said,) = told(game.check_text(text).problems)
    return said


# --- where an order belongs -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("section", "order", "place"),
    [
        ("", "{type: move, unit: 7 Arm X, to: 19/1027}", "put it in the section movement"),
        ("", "{type: attack, hex: 19/0726, with: 7 Arm X}", "put it in the section combat"),
        ("movement", "{type: attack, hex: 19/0726, with: 7 Arm X}", "put it in the section combat"),
        ("movement", "{type: reinforce, unit: 1 KDG II}", "put it before the first section"),
        ("combat", "{type: move, unit: 7 Arm X, to: 19/1027}", "put it in the section movement"),
        ("combat", "{type: withdraw, what: 5 Ind X}", "put it before the first section"),
    ],
)
def test_an_order_in_the_wrong_place_is_told_its_place(game: Played, section: str, order: str, place: str) -> None:
    said = in_phase(game, section, order)
    assert place in said
    assert "in this version" not in said


def test_an_order_whose_section_line_was_forgotten_is_not_called_too_late(game: Played) -> None:
    """At a stop in the movement phase the initial phase is over; a move without its section isn't late, but astray."""
    stopped = game.copy()
    stopped.send([{"type": "section", "name": "movement"}])
    stopped.send()
    said = in_phase(stopped, "", "{type: attack, hex: 19/0726, with: 7 Arm X}")
    assert "stands before the first section" in said
    assert "put it in the section combat" in said
    assert "is over" in in_phase(stopped, "", "{type: build_fort, unit: 1 Br Cons X}")


# --- where a unit is --------------------------------------------------------------------------------------------


def test_a_unit_off_the_map_is_told_by_name_with_where_it_is(game: Played) -> None:
    said = in_phase(game, "movement", "{type: move, unit: 2 NZ XX, to: 19/1027}")
    assert "2 NZ XX is not on the map;" in said
    assert "nz-2" not in said


@pytest.mark.parametrize(
    ("why", "words"),
    [("permanent", "is lost for good"), ("eliminated", "is eliminated"), ("converted", "is converted")],
)
def test_a_unit_out_of_play_is_told_with_the_reason(game: Played, why: str, words: str) -> None:
    state = game.state.copy()
    state.take_off("br-7-arm-a", why)
    assert state.off_map("br-7-arm-a") == f"7 Arm X {words}"
    assert state.off_map("nothing") == "there is no unit nothing on the map"


# --- what is lost -----------------------------------------------------------------------------------------------


def test_brigades_that_a_division_is_made_of_are_not_lost(game: Played, assembled: State) -> None:
    assert not set(DIVISION) & assembled.pieces.keys()
    assert _gone(game.state, assembled) == []


def test_a_division_that_falls_whole_is_lost_by_its_own_name(assembled: State) -> None:
    after = assembled.copy()
    for part in DIVISION:
        del after.boxes[part]
        after.gone[part] = "eliminated"
    after.put_by("br-7-arm-xx", "breakdown")
    assert _gone(assembled, after) == ["br-7-arm-xx"]


def test_a_component_that_falls_after_a_breakdown_is_lost(assembled: State) -> None:
    after = assembled.copy()
    where = after.hex_of("br-7-arm-xx")
    after.put_by("br-7-arm-xx", "breakdown")
    for part in DIVISION:
        after.boxes.pop(part)
        after.place(part, where)
    after.take_off("br-7-sg", "eliminated")
    assert _gone(assembled, after) == ["br-7-sg"]


def test_withdrawn_and_converted_units_are_not_lost(game: Played) -> None:
    after = game.state.copy()
    after.put_by("br-16", "withdrawn")
    after.take_off("br-22", "converted")
    assert _gone(game.state, after) == []


# --- supply that only a counter gives ---------------------------------------------------------------------------


def test_status_does_not_call_units_supplied_that_need_a_step_of_a_counter(assembled: State) -> None:
    """Malta has no line at the beginning, and Allied supply 3 lies in it (WD 12.B.2)."""
    assert assembled.phase == "initial" and assembled.player == "allied"
    held = only_by_counters(assembled, "allied")
    assert "br-mc" in held
    assert not set(held) & set(out_of_supply(assembled, "allied"))
    text = "\n".join(situation(assembled, "allied"))
    assert "No line of supply: " in text
    assert "All your units are in general supply" not in text
    assert only_by_counters(assembled, "axis") == []


def test_the_template_says_which_engineers_build_only_with_a_counter(assembled: State) -> None:
    text = "\n".join(fort_lines(assembled, "allied"))
    assert "Only after a `general_supply` with a supply counter that serves them: MC Cons X." in text
    bare = assembled.copy()
    del bare.supply["supply-allied-3"]
    assert "MC Cons X" not in "\n".join(fort_lines(bare, "allied"))


# --- orders that contradict each other --------------------------------------------------------------------------


def test_a_unit_that_goes_for_another_by_order_is_not_taken_by_default_too() -> None:
    """Two withdrawals take two units, whichever of them the order of battle names first (WD 29.C)."""
    state = began(going("in-11"), going("in-7"), units={"in-11": CAIRO, "in-7": CAIRO})
    ctx = phase(state, order("withdraw", what="in-7", offer="in-11"))
    assert not ctx.problems
    assert ctx.state.boxes == {"in-7": Boxed("withdrawn", "in-11"), "in-11": Boxed("withdrawn", "in-7")}


def test_a_second_order_for_the_same_withdrawal_is_refused() -> None:
    state = began(going("in-11"), units={"in-11": CAIRO, "in-7": CAIRO})
    first, second = (order("withdraw", i, what="in-11", offer=offer) for i, offer in enumerate(("in-7", "in-11")))
    ctx = phase(state, first, second)
    assert [(problem.order, problem.code) for problem in ctx.problems] == [(1, "twice")]
    assert ctx.state.boxes == {"in-7": Boxed("withdrawn", "in-11")}


def supplied(*entries: dict[str, str]) -> State:
    """Withdrawals of a step of supply and of what else is named, with two brigades and a supply counter in Cairo."""
    due = {"id": "s", "kind": "supply_withdraw", "steps": "1", "to": "greece"}
    state = began(due, *entries, units={"in-11": CAIRO, "in-7": CAIRO})
    state.supply["supply-allied-2"] = Supply(state.board.find(CAIRO), "allied", 1)
    return state


def test_supply_counters_of_a_withdrawal_are_the_own_ones_and_only_where_supply_goes() -> None:
    named = order("withdraw", counters=["supply-allied-2"])
    (said,) = phase(began(), named).problems
    assert "no supply is to be withdrawn" in said.text
    (said,) = phase(supplied(), order("withdraw", counters=["supply-axis-1"])).problems
    assert said.code == "counter" and "supply-axis-1" in said.text
    assert not phase(supplied(), named).problems


def test_the_unit_of_an_order_that_names_counters_too_is_not_passed_over() -> None:
    state = supplied(going("in-11"))
    ctx = phase(state, order("withdraw", what="in-11", offer="in-7", counters=["supply-allied-2"]))
    assert not ctx.problems
    assert ctx.state.boxes == {"in-7": Boxed("withdrawn", "in-11")}
    assert "supply-allied-2" not in ctx.state.supply


def test_one_order_says_whether_the_fifth_army_comes() -> None:
    state = began(side="axis", turn="Jan I 41")
    state.boxes["it-62l"] = Boxed("fifth_army")
    said = phase(state, order("fifth_army", draw="no"), order("fifth_army", 1, draw="yes")).problems
    assert [(problem.order, problem.code) for problem in said] == [(1, "twice")]

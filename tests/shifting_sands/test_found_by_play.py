"""Faults that random play has found, each by itself (tests/play plays on)."""

from __future__ import annotations

from adjudicator.shifting_sands.choices import When, hold_choice, relocate_choice, retreat_choice
from adjudicator.shifting_sands.fire import Combat
from adjudicator.shifting_sands.losses import fulfilments, listing, matching
from adjudicator.shifting_sands.retreat import retreat_paths
from adjudicator.shifting_sands.state import State
from tests.shifting_sands.support import AXIS, Fixed, attack, division, message, mini, order, run, section, unit
from tests.shifting_sands.test_flow import field

CLEAR = {"control": "allied"}


def board() -> State:
    """T is attacked from A; the ways out lead over P and Q, supply comes from S."""
    spaces = {name: {**CLEAR} for name in ("T", "P", "Q", "R")} | {"A": {"control": "axis"}}
    links = [("A", "T"), ("T", "P"), ("P", "Q"), ("T", "R")]
    units = [division("g1", "GE", "A"), unit("d1", "BR", "T"), unit("d2", "BR", "T")]
    return mini(spaces, links, units=units)


def fought() -> Combat:
    """The attack on T."""
    return Combat("T", "axis", ("g1",), ("d1", "d2"), origins=("A",))


def test_a_way_of_two_written_before_the_dice_gives_way_where_they_ask_for_one() -> None:
    state = board()
    paths = retreat_paths(state, "d1", "T", 1)
    choice = retreat_choice(state, fought(), "d1", paths, When())
    long = order(0, "answer", {"to": "retreat/1/d1", "path": ["T", "P", "Q"]})
    assert choice.soften(long) in paths
    assert choice.soften(order(0, "answer", {"to": "retreat/1/d1", "path": ["T", "A"]})) is None


def test_who_was_to_pay_and_is_lost_pays_nothing() -> None:
    state = board()
    choice = hold_choice(state, fought(), [], 1, When())
    assert choice.soften(order(0, "hold", {"unit": "d1"})) == ""
    assert choice.soften(order(0, "hold", {"unit": "g1"})) is None


def test_an_overrun_unit_whose_place_has_filled_goes_to_the_first_that_is_open() -> None:
    choice = relocate_choice(board(), fought(), "d1", ["R", "@replacement"], When())
    assert choice.soften(order(0, "relocate", {"unit": "d1", "to": "Q"})) == "R"


def test_a_battlegroup_replaces_the_division_that_it_follows_in_the_list() -> None:
    """Two divisions are lost and one battlegroup waits: which of the two it replaces is the owner's choice."""
    units = [
        division("x1", "IT", "T", step="reduced"),
        division("x2", "IT", "T", step="reduced"),
        unit("b1", "IT", "@reserve"),
    ]
    state = mini({"T": {"control": "axis"}, "A": {**CLEAR}}, [("A", "T")], units=units)
    outcomes = fulfilments(state, ["x1", "x2"], 6)
    assert len({outcome.ends for outcome in outcomes if outcome.replaced}) > 1
    for outcome in outcomes:
        assert matching(state, outcomes, listing(outcome)) == outcome


def test_a_second_attack_on_a_space_hangs_on_the_dice_of_the_first() -> None:
    """T may be cleared by then; a unit or Rommel in two attacks is void at once, whatever the dice."""
    twice = message(3, AXIS, section("round"), attack("g1", "T"), attack("g2", "T"))
    found = run(field(), [twice], Fixed(3, {}))
    assert found.hanging == {(3, 2): "combat/t/fire-attacker"}
    assert [event.kind for event in found.events if event.kind == "void"] == []
    both = message(3, AXIS, section("round"), attack("g1", "T"), attack("g1", "V"))
    assert "SS 11.14" in {event.rule for event in run(field(), [both], Fixed(3, {})).events if event.kind == "void"}

"""Captured supply (SS 13.9): by movement, advance and retreat, at once or not at all."""

from __future__ import annotations

import pytest

from adjudicator.engine.driver import Run
from adjudicator.shifting_sands.state import State
from tests.shifting_sands.support import (
    ALLIED,
    AXIS,
    Fixed,
    Row,
    attack,
    by_mail,
    division,
    kinds,
    message,
    mini,
    run,
    script,
    section,
    unit,
    voids,
)

LIBYA: Row = {"region": "Libya"}
SPACES: dict[str, Row] = {
    "A": {**LIBYA, "control": "axis", "source": ["axis"]},
    "Benghazi": {**LIBYA, "control": "allied", "vp": True},
    "Tobruk": {**LIBYA, "control": "allied", "vp": True},
    "E": {"region": "Egypt", "control": "axis"},
    "P": {**LIBYA, "control": "allied", "source": ["allied"]},
}
LINKS = (("A", "Benghazi"), ("A", "Tobruk"), ("A", "E"), ("Benghazi", "P"))


def land(**more: object) -> State:
    """An armored and an infantry battlegroup that can take a town; reduced units in Libya and in Egypt."""
    units = [
        unit("m", "GE", "A", type="armor", mf=6),
        division("big", "IT", "A", cf=[3, 1], step="reduced"),
        unit("small", "IT", "A", step="reduced"),
        unit("dotted", "GE", "A", step="reduced", flags=["dot"]),
        unit("far", "IT", "E", step="reduced"),
    ]
    given: dict[str, object] = {
        "units": units, "markers": {"A": "move"}, "active": "axis", "round": 1, "history": {"axis": {1: "ops"}},
        "ops": {"available": 3, "source": "card"},
    }
    return mini(SPACES, LINKS, **{**given, **more})


def moved(state: State, *rows: Row) -> Run[State]:
    """A round of the Axis without combat."""
    sent, found = by_mail(state, script({"orders": [section("round"), *rows]}))
    assert len(sent) == 1
    return found


def to(town: str) -> Row:
    """The move that takes a town."""
    return {"type": "move", "unit": "m", "path": ["A", town]}


def flip(*units: str) -> Row:
    """The order that restores units."""
    return {"type": "captured_supply", "units": list(units)}


NOBODY: Row = {"type": "captured_supply", "say": "none"}


def restored(found: Run[State]) -> list[str]:
    """The units restored, in order."""
    return [str(event.data["unit"]) for event in kinds(found.events, "flipped")]


def test_benghazi_restores_one_unit_of_any_size_and_tobruk_two() -> None:
    assert restored(moved(land(), to("Benghazi"), flip("small"))) == ["small"]
    assert restored(moved(land(), to("Tobruk"), flip("small", "big"))) == ["small", "big"]
    found = moved(land(), to("Benghazi"), flip("small"))
    assert found.state.step_of("small") == "full" and found.state.step_of("big") == "reduced"
    assert kinds(found.events, "flipped")[0].rule == "SS 13.91"


def test_who_says_nothing_restores_as_many_as_allowed_divisions_first() -> None:
    assert restored(moved(land(), to("Benghazi"))) == ["big"]
    assert restored(moved(land(), to("Tobruk"))) == ["big", "small"]


def test_nobody_need_be_restored() -> None:
    found = moved(land(), to("Tobruk"), NOBODY)
    assert restored(found) == [] and not voids(found.events)
    standing = [message(5, AXIS, {"type": "standing", "topic": "flip", "rules": "none"})]
    rows = script({"orders": [section("round"), to("Tobruk")]})
    _, found = by_mail(land(), rows, before=standing, first=7)
    assert restored(found) == []


@pytest.mark.parametrize(
    ("units", "why"),
    [
        (("small", "big"), "restores 1 unit"),
        (("far",), "is in E, not in Libya"),
        (("dotted",), "black dot"),
        (("m",), "is at full strength"),
    ],
)
def test_what_may_not_be_restored_is_refused_and_the_default_holds(units: tuple[str, ...], why: str) -> None:
    found = moved(land(), to("Benghazi"), flip(*units))
    assert why in voids(found.events)[0] and voids(found.events)[0].startswith(("SS 13.91", "SS 15.43"))
    assert restored(found) == ["big"]


def test_it_is_used_at_the_moment_of_capture_or_not_at_all() -> None:
    found = moved(land(), to("Benghazi"), {"type": "move", "unit": "small", "path": ["A", "E"]}, flip("small"))
    assert [line[:9] for line in voids(found.events)] == ["SS 13.91:"]
    assert restored(found) == ["big"], "the default was taken at once"


def test_a_town_held_before_gives_nothing() -> None:
    state = land()
    state.control["Benghazi"] = AXIS
    found = moved(state, to("Benghazi"), flip("small"))
    assert restored(found) == [] and len(voids(found.events)) == 1


def test_an_advance_captures_as_well() -> None:
    units = [
        unit("m", "GE", "A", cf=[6, 6]),
        unit("d", "BR", "Tobruk", step="reduced", lf=1),
        unit("w", "IT", "A", step="reduced"),
    ]
    state = land(units=units, markers={"A": "attack"})
    rows: list[Row] = [attack("m", "Tobruk"), {"type": "advance", "unit": "m", "path": ["A", "Tobruk"]}, flip("w")]
    dice = {"combat/tobruk/fire-attacker": 6, "combat/tobruk/fire-defender": 1}
    _, found = by_mail(state, script({"orders": [section("round"), *rows, {"type": "end_round"}]}), dice)
    assert restored(found) == ["w"] and not voids(found.events)
    assert found.state.vp == 1


def beaten(*reaction: Row) -> Run[State]:
    """An Axis unit beaten out of A in the Allied part of a round retreats into Benghazi, empty and enemy-held."""
    units = [
        unit("m", "BR", "P", cf=[4, 4], type="armor"),
        unit("d", "IT", "X", lf=4),
        unit("w", "IT", "E", step="reduced"),
        unit("v", "IT", "A", step="reduced"),
    ]
    spaces = {**SPACES, "X": {**LIBYA, "control": "axis"}}
    links = (*LINKS, ("P", "X"), ("X", "Benghazi"))
    state = mini(
        spaces, links, units=units, markers={"P": "attack"}, active="allied", round=1, history={"allied": {1: "ops"}},
        ops={"available": 3, "source": "card"},
    )
    dice = {"combat/x/fire-attacker": 1, "combat/x/fire-defender": 1}
    orders = message(4, ALLIED, section("round"), attack("m", "X"), {"type": "end_round"})
    return run(state, [orders, message(5, AXIS, section("reaction"), *reaction)], Fixed(5, dice), 3)


def test_a_retreat_in_the_other_sides_round_captures_too() -> None:
    found = beaten()
    assert [event.data["path"] for event in kinds(found.events, "retreat")] == [["X", "Benghazi"]]
    assert restored(found) == ["v"]
    assert restored(beaten(NOBODY)) == []


def test_it_may_be_asked_for_when_it_arises() -> None:
    found = beaten({"type": "wait", "topic": "flip"})
    assert (found.waits.side, found.waits.key) == (AXIS, "captured/1/benghazi")

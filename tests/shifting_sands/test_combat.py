"""Combat through the driver: fire in sequence, losses with replacements, overrun, holding, retreat, advance (SS 11)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adjudicator.engine.core import Event
from adjudicator.engine.driver import Run
from adjudicator.shifting_sands.state import State
from tests.shifting_sands.support import (
    ALLIED,
    AXIS,
    Fixed,
    Row,
    attack,
    division,
    kinds,
    message,
    mini,
    run,
    section,
    unit,
    voids,
)

LIBYA: Row = {"region": "Libya"}
SPACES: dict[str, Row] = {
    "A": {**LIBYA, "control": "axis", "source": ["axis"]},
    "B": {**LIBYA, "control": "axis"},
    "T": {**LIBYA, "control": "allied"},
    "P": {**LIBYA, "control": "allied"},
    "Q": {**LIBYA, "control": "allied", "source": ["allied"]},
    "Alexandria": {"region": "Egypt", "control": "allied"},
    "Cairo": {"region": "Egypt", "control": "allied"},
}
LINKS = (("A", "T"), ("A", "B"), ("B", "T"), ("T", "P"), ("P", "Q"), ("Q", "Alexandria"), ("Alexandria", "Cairo"))
END: Row = {"type": "end_round"}
ARMY = [
    unit("g1", "GE", "A", type="armor", mf=6, cf=[6, 5], size="division", lf=3),
    unit("g2", "GE", "A", cf=[2, 1]),
    unit("g3", "GE", "B", type="armor", mf=6, cf=[2, 1]),
]


def land(
    *units: Row, spaces: dict[str, Row] | None = None, links: tuple[tuple[str, str], ...] = (), **more: object
) -> State:
    """The Axis army against what stands in T; both spaces are activated for combat and paid."""
    given: dict[str, object] = {
        "units": [*ARMY, *units], "markers": {"A": "attack", "B": "attack"}, "active": "axis", "round": 1,
        "history": {"axis": {1: "ops"}}, "ops": {"available": 3, "source": "card"},
    }
    return mini({**SPACES, **(spaces or {})}, (*LINKS, *links), **{**given, **more})


def fought(
    state: State,
    dice: tuple[int, int],
    *reaction: Row,
    units: str = "g1, g2",
    followup: tuple[Row, ...] = (),
    **more: object,
) -> Run[State]:
    """One combat for T, fire dice of attacker and defender given; ordered with all that follows, so that it binds."""
    rolls = {"combat/t/fire-attacker": dice[0], "combat/t/fire-defender": dice[1], "combat/t/flank": 6}
    orders = message(3, AXIS, section("round"), attack(units, "T", **more), *followup, END)
    return run(state, [orders, message(4, ALLIED, section("reaction"), *reaction)], Fixed(4, rolls))


def ends(found: Run[State], *uids: str) -> dict[str, tuple[str, str]]:
    """Where units are and how strong."""
    return {uid: (found.state.pieces[uid].at, found.state.step_of(uid)) for uid in uids}


def story(events: list[Event]) -> list[str]:
    """Fire and losses in their order, by role."""
    return [f"{event.data['role']} {event.kind}" for event in kinds(events, "fire", "losses")]


# --- fire -------------------------------------------------------------------------------------------------------------


def test_fire_is_at_once_and_in_sequence_after_a_flank_attack() -> None:
    state = land(unit("d", "BR", "T", lf=4))
    at_once = fought(state.copy(), (1, 1))
    assert story(at_once.events) == ["attacker fire", "defender fire", "defender losses", "attacker losses"]
    flanked = fought(state.copy(), (1, 1), flank="yes")
    assert story(flanked.events) == ["attacker fire", "defender losses", "defender fire", "attacker losses"]


def test_after_a_flank_attack_who_was_destroyed_fires_no_more() -> None:
    state = land(unit("d", "BR", "T", lf=1, step="reduced"))
    found = fought(state, (6, 6), flank="yes")
    assert story(found.events) == ["attacker fire", "defender losses", "attacker losses"]
    assert kinds(found.events, "losses")[1].data["number"] == "0"
    assert kinds(found.events, "winner")[0].data["winner"] == "attacker"


def test_second_fire_counts_who_is_left_and_keeps_the_modifiers() -> None:
    """SS 11.23, ruling A11: the Italian is gone and his CF with him, his minus stays."""
    state = land(unit("i", "IT", "A", cf=[1, 1], lf=1, step="reduced"), division("e", "BR", "T", step="reduced", lf=2))
    rolls = {"combat/t/flank": 1, "combat/t/fire-defender": 1, "combat/t/fire-attacker": 6}
    orders = message(3, AXIS, section("round"), attack("g1, i", "T", flank="yes"), END)
    found = run(state, [orders, message(4, ALLIED, section("reaction"))], Fixed(4, rolls))
    assert story(found.events)[:2] == ["defender fire", "attacker losses"]
    assert found.state.pieces["i"].at == "@replacement"
    second = next(event for event in kinds(found.events, "fire") if event.data["role"] == "attacker")
    assert second.data["strength"] == "6" and second.data["drms"] != []


@pytest.mark.parametrize(("switch", "drm"), [("off", True), ("on", False)])
def test_modifiers_may_be_found_anew_by_house_rule(switch: str, drm: bool) -> None:
    units = [unit("i", "IT", "A", lf=1, step="reduced"), unit("d", "BR", "T", cf=[4, 4])]
    state = land(*units)
    state.world = replace(state.world, switches={"flank_recompute_drm": switch})
    rolls = {"combat/t/flank": 1, "combat/t/fire-defender": 1, "combat/t/fire-attacker": 6}
    orders = message(3, AXIS, section("round"), attack("g3, i", "T", flank="yes"), END)
    found = run(state, [orders, message(4, ALLIED, section("reaction"))], Fixed(4, rolls))
    assert found.state.pieces["i"].at == "@replacement"
    second = next(event for event in kinds(found.events, "fire") if event.data["role"] == "attacker")
    assert bool(second.data["drms"]) == drm


def test_every_modifier_names_its_rule() -> None:
    found = fought(land(unit("d", "IND", "T", lf=9), events=["Rommel"]), (1, 1), units="g1, g2", rommel="yes")
    assert kinds(found.events, "fire")[0].data["shifts"] == [
        {"name": "armor against none", "value": "+1", "rule": "SS 11.272"},
        {"name": "Rommel", "value": "+2", "rule": "SS 11.274"},
    ]
    assert kinds(found.events, "designate")[0].data["rommel"] == "yes"


# --- losses and replacements ---------------------------------------------------------------------------------------


def test_an_indian_division_may_be_replaced_by_indians_or_british_as_the_owner_says() -> None:
    box = [unit("i", "IND", "@reserve", lf=9), unit("b", "BR", "@reserve", lf=9)]
    units = [division("e", "IND", "T", lf=2, step="reduced"), *box]
    assert fought(land(*units), (3, 1)).state.pieces["i"].at != "@reserve", "his own nation by default"
    losses: Row = {"type": "losses", "steps": "e, b"}
    found = fought(land(*units), (3, 1), losses)
    assert found.state.pieces["i"].at == "@reserve"
    assert [event.data["unit"] for event in kinds(found.events, "replaced")] == ["b"]


def test_units_that_retreated_before_die_first_and_count_for_nothing() -> None:
    """SS 11.57, ruling A32."""
    state = land(unit("r", "BR", "T", cf=[9, 9]), unit("d", "BR", "T", lf=9))
    state.pieces["r"].retreated = True
    found = fought(state, (1, 1))
    first, *_ = kinds(found.events, "eliminated")
    assert (first.data["unit"], first.rule) == ("r", "SS 11.57")
    fire = next(event for event in kinds(found.events, "fire") if event.data["role"] == "defender")
    assert fire.data["strength"] == "1"


def test_where_only_such_units_stood_the_space_is_cleared() -> None:
    """SS 11.57, 11.64, ruling A84."""
    state = land(unit("r", "BR", "T"))
    state.pieces["r"].retreated = True
    enter: Row = {"type": "advance", "unit": "g2", "path": "A, T"}
    found = fought(state, (1, 1), followup=(enter,))
    assert not voids(found.events) and found.state.pieces["g2"].at == "T"
    assert [event.data["role"] for event in kinds(found.events, "fire")] == ["attacker"], "nobody fires back"


# --- overrun --------------------------------------------------------------------------------------------------------


def test_an_overrun_relocates_survivors_and_counts_as_retreat() -> None:
    found = fought(land(unit("d", "BR", "T", lf=5)), (6, 1))
    assert kinds(found.events, "winner")[0].data["overrun"] == "yes"
    assert ends(found, "d") == {"d": ("Alexandria", "reduced")}
    (event,) = kinds(found.events, "relocate")
    assert event.data["choice"] == "default" and not kinds(found.events, "retreat")


def test_a_division_that_can_not_reach_a_place_is_lost_for_good_even_if_the_fire_killed_it() -> None:
    cut: dict[str, Row] = {"P": {**LIBYA, "control": "axis"}}
    alive = fought(land(division("d", "BR", "T", lf=5), spaces=cut), (6, 1))
    assert ends(alive, "d") == {"d": ("@eliminated", "full")}
    units = [division("d", "BR", "T", lf=2, step="reduced"), unit("r", "BR", "@reserve", lf=9)]
    dead = fought(land(*units, spaces=cut), (6, 1))
    fates = [event.data["to"] for event in kinds(dead.events, "eliminated") if event.data["unit"] == "d"]
    assert fates == ["@replacement", "@eliminated"]
    assert ends(dead, "r") == {"r": ("Alexandria", "full")}, "a battlegroup needs no way"
    crowd = [unit(f"{place}{n}", "BR", place) for place in ("Alexandria", "Cairo", "Q") for n in range(3)]
    full = fought(land(*units, *crowd), (6, 1))
    assert ends(full, "d", "r") == {"d": ("@replacement", "full"), "r": ("@replacement", "full")}


@pytest.mark.parametrize("german", [False, True])
def test_poor_morale_takes_italian_divisions_for_good_unless_germans_stand_by(german: bool) -> None:
    axis = {"A": {**LIBYA, "control": "allied", "source": ["allied"]}, "B": {**LIBYA, "control": "allied"}}
    home: dict[str, Row] = {
        **axis, "T": {**LIBYA, "control": "axis"}, "P": {**LIBYA, "control": "axis"},
        "Q": {**LIBYA, "control": "axis", "source": ["axis"]},
    }
    attackers = [
        unit("b1", "BR", "A", type="armor", size="division", cf=[9, 9], lf=3), unit("b2", "BR", "A", cf=[5, 5]),
    ]  # fmt: skip
    defenders = [division("d", "IT", "T", lf=9), *([unit("g", "GE", "T", lf=9)] if german else [])]
    units = [*attackers, *defenders, unit("r", "IT", "@reserve")]
    state = land(
        spaces=home, units=units, events=["Poor Morale", "Balbo"], active="allied", history={"allied": {1: "ops"}}
    )
    rolls = {"combat/t/fire-attacker": 6, "combat/t/fire-defender": 1}
    orders = message(4, ALLIED, section("round"), attack("b1, b2", "T"), END)
    found = run(state, [orders, message(5, AXIS, section("reaction"))], Fixed(5, rolls), 3)
    assert kinds(found.events, "winner")[0].data["overrun"] == "yes"
    if german:
        assert ends(found, "d", "r") == {"d": ("Q", "full"), "r": ("@reserve", "full")}
    else:
        assert ends(found, "d", "r") == {"d": ("@eliminated", "full"), "r": ("Q", "full")}


def test_relocation_may_be_kept_to_the_theatre() -> None:
    """SS 11.47, ruling A27: any theatre, or the same by house rule."""
    spaces: dict[str, Row] = {name: {**SPACES[name], "region": "East Africa"} for name in ("A", "B", "T", "P", "Q")}
    state = land(unit("d", "BR", "T", lf=5), spaces=spaces)
    assert ends(fought(state.copy(), (6, 1)), "d") == {"d": ("Alexandria", "reduced")}
    state.world = replace(state.world, switches={"overrun_same_theatre": "on"})
    assert ends(fought(state, (6, 1)), "d") == {"d": ("Q", "reduced")}


# --- holding and retreat ----------------------------------------------------------------------------------------------


HILL: dict[str, Row] = {"T": {**LIBYA, "control": "allied", "terrain": "mountain"}}


def test_a_step_holds_a_mountain() -> None:
    state = land(unit("d", "BR", "T", lf=9), spaces=HILL)
    assert ends(fought(state.copy(), (6, 1)), "d") == {"d": ("Q", "full")}
    found = fought(state, (6, 1), {"type": "hold", "unit": "d"})
    assert ends(found, "d") == {"d": ("T", "reduced")}
    assert kinds(found.events, "hold")[0].data["choice"] == "order" and found.state.owner("T") == ALLIED


def test_a_reduced_division_may_pay_if_a_battlegroup_takes_its_place() -> None:
    """SS 11.53, 11.44, ruling A28."""
    units = [division("d", "IND", "T", lf=9, step="reduced"), unit("i", "IND", "@reserve"), unit("b", "BR", "@reserve")]
    hold: Row = {"type": "hold", "unit": "d"}
    found = fought(land(*units, spaces=HILL), (6, 1), hold)
    assert ends(found, "d", "i") == {"d": ("@replacement", "full"), "i": ("T", "full")}
    pick: Row = {"type": "answer", "to": "replace/1/d", "unit": "b"}
    found = fought(land(*units, spaces=HILL), (6, 1), hold, pick)
    assert ends(found, "i", "b") == {"i": ("@reserve", "full"), "b": ("T", "full")}
    lone = fought(land(units[0], spaces=HILL), (6, 1), hold)
    assert ends(lone, "d")["d"][0] == "Q", "no step would remain"


def test_berbera_is_held_against_aden_alone() -> None:
    spaces: dict[str, Row] = {
        "Aden": {"region": "East Africa", "control": "allied"},
        "J": {"region": "East Africa", "control": "allied"},
        "Berbera": {"region": "East Africa", "control": "axis"},
        "K": {"region": "East Africa", "control": "axis"},
    }
    for places, held in ((["Aden"], True), (["Aden", "J"], False), (["J"], False)):
        units = [unit(f"a{n}", "US", place, cf=[4, 4]) for n, place in enumerate(places)]
        foe = [unit("d", "IT", "Berbera", lf=9)]
        lines = (("Aden", "Berbera"), ("J", "Berbera"), ("Berbera", "K"))
        state = mini(
            spaces, lines, units=[*units, *foe], events=["Balbo", "Patton"], markers=dict.fromkeys(places, "attack"),
            active="allied", round=1, history={"allied": {1: "ops"}}, ops={"available": 3, "source": "card"},
        )
        rolls = {"combat/berbera/fire-attacker": 6, "combat/berbera/fire-defender": 1}
        names = ", ".join(row["id"] for row in units)
        orders = message(4, ALLIED, section("round"), attack(names, "Berbera"), END)
        hold = message(5, AXIS, section("reaction"), {"type": "hold", "unit": "d"})
        found = run(state, [orders, hold], Fixed(5, rolls), 3)
        assert (found.state.pieces["d"].at == "Berbera") == held
        assert [line[:9] for line in voids(found.events)] == ([] if held else ["SS 11.54:"])


WEAK: Row = {"cf": [0, 0], "lf": 9}


def retreating(*reaction: Row) -> Run[State]:
    """Two units beaten by one, with one place free in P and none elsewhere."""
    crowd = [unit(f"p{n}", "BR", "P") for n in range(2)]
    units = [division("d1", "BR", "T", **WEAK), unit("d2", "BR", "T", **WEAK)]
    return fought(land(*units, *crowd), (5, 1), *reaction, units="g2")


def test_units_retreat_in_the_order_in_which_their_orders_stand() -> None:
    by_default = retreating()
    assert ends(by_default, "d1", "d2") == {"d1": ("P", "full"), "d2": ("@replacement", "full")}
    told = retreating({"type": "retreat", "unit": "d2", "path": "T, P"})
    assert ends(told, "d1", "d2") == {"d1": ("@eliminated", "full"), "d2": ("P", "full")}
    key: Row = {"type": "answer", "to": "retreat/1/order", "units": "d2, d1"}
    assert ends(retreating(key), "d2")["d2"][0] == "P"


def test_who_waits_for_the_retreat_is_asked_for_its_order_first() -> None:
    found = retreating({"type": "wait", "topic": "retreat"})
    assert (found.waits.side, found.waits.key) == (ALLIED, "retreat/1/order")


def test_by_house_rule_a_retreat_may_end_in_a_full_space_and_the_owner_chooses_who_dies() -> None:
    def crowded(*reaction: Row) -> Run[State]:
        crowd = [unit(f"p{n}", "BR", "P") for n in range(3)]
        state = land(division("d1", "BR", "T", **WEAK), *crowd)
        state.world = replace(state.world, switches={"retreat_overstack": "owner_choice"})
        return fought(state, (5, 1), *reaction, units="g2")

    found = crowded()
    assert ends(found, "d1", "p0") == {"d1": ("P", "full"), "p0": ("@replacement", "full")}
    found = crowded({"type": "answer", "to": "overstack/1/p", "units": "d1"})
    assert ends(found, "d1", "p0") == {"d1": ("@eliminated", "full"), "p0": ("P", "full")}
    assert kinds(found.events, "eliminated")[0].rule == "SS 8.2"


def test_a_retreat_takes_an_empty_enemy_space_at_its_end_only() -> None:
    taken: Row = {**LIBYA, "control": "axis"}
    spaces: dict[str, Row] = {"P": taken, "Q": {**taken, "source": ["allied"]}}
    found = fought(land(unit("d", "BR", "T", lf=9), spaces=spaces), (3, 1), units="g2, g3")
    assert [event.data["path"] for event in kinds(found.events, "retreat")] == [["T", "P", "Q"]]
    assert (found.state.owner("P"), found.state.owner("Q"), found.state.owner("T")) == (AXIS, ALLIED, ALLIED)


# --- advance ---------------------------------------------------------------------------------------------------------


def test_an_advance_takes_control_of_all_it_enters_and_needs_room() -> None:
    go: list[Row] = [
        {"type": "advance", "unit": "g1", "path": "A, T, P"},
        {"type": "advance", "unit": "g2", "path": "A, T"},
        {"type": "advance", "unit": "g3", "path": "B, T"},
    ]
    found = fought(land(unit("d", "BR", "T", lf=1, step="reduced")), (6, 1), units="g1, g2, g3", followup=tuple(go))
    assert not voids(found.events)
    assert ends(found, "g1", "g2", "g3") == {"g1": ("P", "full"), "g2": ("T", "full"), "g3": ("T", "full")}
    assert found.state.owner("P") == AXIS and found.state.markers == {}


def test_defenders_who_are_wiped_out_in_a_tie_leave_the_way_open() -> None:
    state = land(unit("d", "BR", "T", lf=1, step="reduced"))
    enter: Row = {"type": "advance", "unit": "g2", "path": "A, T"}
    found = fought(state, (2, 6), units="g2", followup=(enter,))
    assert kinds(found.events, "winner")[0].data["winner"] == ""
    assert found.state.pieces["g2"].at == "T"


@pytest.mark.parametrize(
    ("row", "rule"),
    [
        ({"unit": "d", "path": "T, A"}, "SS 11.68"),
        ({"unit": "g3", "path": "B, T"}, "SS 11.16"),
        ({"unit": "g2", "path": "A, B"}, "SS 11.64"),
        ({"unit": "g2", "path": "T, P"}, "SS 11.6"),
    ],
)
def test_advances_that_may_not_be(row: Row, rule: str) -> None:
    """SS 11.16, 11.64, 11.68 and 11.6."""
    state = land(unit("d", "BR", "T", lf=1, step="reduced"))
    found = fought(state, (6, 1), followup=({"type": "advance", **row},))
    assert [event.rule for event in kinds(found.events, "void")] == [rule], voids(found.events)

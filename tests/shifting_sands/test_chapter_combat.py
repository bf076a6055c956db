"""Rules of combat and forts that no case shows (SS 11, 14)."""

from __future__ import annotations

from typing import Any

import pytest

from adjudicator.shifting_sands.advance import ONE, TWO, Opening, advance_problems
from adjudicator.shifting_sands.combat import PARTS_OF_COMBAT
from adjudicator.shifting_sands.designate import attack_problems, designated
from adjudicator.shifting_sands.fire import ATTACKER, DEFENDER, drm_of, fire_of, fort_of, rommel_shift, shifts_of
from adjudicator.shifting_sands.losses import fulfilments
from adjudicator.shifting_sands.retreat import retreat_paths
from adjudicator.shifting_sands.state import State
from tests.shifting_sands.boards import real, rules
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
    order,
    run,
    section,
    tree,
    unit,
    voids,
)
from tests.shifting_sands.test_combat import END, HILL, LIBYA, WEAK, ends, fought, land, story


def attack_faults(state: State, side: str, **data: Any) -> list[str]:
    """The rules that bar an attack."""
    row = order(0, "attack", {key: tree(value) for key, value in data.items()})
    return rules(attack_problems(state, side, row))


# --- who attacks whom ---------------------------------------------------------------------------------------------


def test_only_units_under_an_attack_marker_attack() -> None:
    """SS 11.1: neither a Move marker nor none will do."""
    state = land(unit("d", "BR", "T"))
    assert attack_faults(state, AXIS, units=["g2"], target="T") == []
    state.markers["A"] = "move"
    assert attack_faults(state, AXIS, units=["g2"], target="T") == ["SS 11.1"]
    del state.markers["A"]
    assert attack_faults(state, AXIS, units=["g2"], target="T") == ["SS 11.1"]


@pytest.mark.parametrize(("side", "other"), [(AXIS, ALLIED), (ALLIED, AXIS)])
def test_the_active_player_attacks_and_the_other_defends(side: str, other: str) -> None:
    """SS 11.11."""
    foe = unit("d", "GE" if other == AXIS else "BR", "T")
    state = mini({"A": {**LIBYA, "control": side}, "T": {**LIBYA, "control": other}}, (("A", "T"),), units=[foe])
    combat = designated(state, side, order(0, "attack", {"units": [], "target": "T"}), 1)
    assert (combat.side_of(ATTACKER), combat.side_of(DEFENDER), combat.defenders) == (side, other, ("d",))


def test_units_of_one_space_may_attack_different_spaces() -> None:
    """SS 11.13, 11.14: each of them once; the marker stays until nobody is left to attack from it."""
    spaces: dict[str, Row] = {"U": {**LIBYA, "control": "allied"}}
    state = land(unit("d", "BR", "T", lf=9), unit("e", "BR", "U", lf=9), spaces=spaces, links=(("A", "U"),))
    rows = [attack("g1", "T"), attack("g2", "U"), attack("g2", "T"), END]
    rolls = {f"combat/{t}/fire-{role}": 1 for t in ("t", "u") for role in ("attacker", "defender")}
    told = [message(3, AXIS, section("round"), *rows)]
    told += [message(seq, ALLIED, section("reaction")) for seq in (4, 6)] + [message(5, AXIS)]
    found = run(state, sorted(told, key=lambda one: one.seq), Fixed(6, rolls))
    assert [event.data["target"] for event in kinds(found.events, "designate")] == ["T", "U"]
    assert [event.rule for event in kinds(found.events, "void")] == ["SS 11.14"]
    closed = [event.kind for event in found.events if event.kind in ("combat-over", "marker-gone")]
    assert closed == ["combat-over", "marker-gone", "combat-over"]


def test_the_parts_of_a_combat_come_in_their_order() -> None:
    """SS 11.21, 11.22 and 11.23: designation, flank die, cards, fire and losses, winner, retreat, advance."""
    assert [name for name, _ in PARTS_OF_COMBAT] == ["flank", "attack", "cards", "exchange", "winner", "aftermath"]
    go: Row = {"type": "advance", "unit": "g2", "path": "A, T"}
    found = fought(land(unit("d", "BR", "T", lf=9)), (6, 1), flank="yes", followup=(go,))
    told = [event.kind for event in found.events]
    wanted = ["designate", "flank", "fire", "losses", "winner", "overrun", "relocate", "advance", "combat-over"]
    assert [told.index(kind) for kind in wanted] == sorted(told.index(kind) for kind in wanted)


def test_nations_attack_together_out_of_one_space_that_holds_them_all() -> None:
    """SS 11.18, faq.rules.32: the others may stand elsewhere; without such a space they fight apart."""
    apart = [unit("g", "GE", "A"), unit("i", "IT", "B"), unit("d", "BR", "T")]
    assert attack_faults(land(units=apart), AXIS, units=["g", "i"], target="T") == ["SS 11.18"]
    mixed = [*apart, unit("j", "IT", "A")]
    assert attack_faults(land(units=mixed), AXIS, units=["g", "i"], target="T") == []
    assert attack_faults(land(units=mixed), AXIS, units=["g", "i", "j"], target="T") == []


def test_a_combat_has_one_space_that_is_next_to_all_attackers() -> None:
    """SS 11.12."""
    spaces: dict[str, Row] = {"U": {**LIBYA, "control": "allied"}}
    state = land(unit("d", "BR", "T"), unit("e", "BR", "U"), spaces=spaces, links=(("A", "U"),))
    assert attack_faults(state, AXIS, units=["g1", "g3"], target="T") == []
    assert attack_faults(state, AXIS, units=["g1", "g3"], target="U") == ["SS 11.12"], "B is not adjacent to U"
    assert attack_faults(state, AXIS, units=["g1"], target=["T", "U"]) == ["SS 11.12"]


def test_infantry_enters_the_space_that_was_left_and_armor_any_after_a_retreat_of_one() -> None:
    """SS 11.62, 11.61: one space; and nobody advances where the defender stays."""
    state = land(unit("d", "BR", "Q"))

    def faults(category: str, uid: str, *path: str) -> list[str]:
        return rules(advance_problems(state, Opening(category, "T"), uid, path))

    assert (faults(ONE, "g2", "A", "T"), faults(ONE, "g2", "A", "B")) == ([], ["SS 11.62"])
    assert (faults(ONE, "g1", "A", "B"), faults(ONE, "g1", "A", "T", "P")) == ([], ["SS 11.62"])
    assert faults("", "g1", "A", "T") == ["SS 11.61"]


# --- modifiers and shifts -----------------------------------------------------------------------------------------


def test_one_italian_among_others_takes_the_modifier_and_once() -> None:
    """SS 11.261, faq.rules.5: attacking and defending, however many there are, until Balbo."""
    for nations, drms in ((("GE", "IT"), [-1]), (("IT", "IT"), [-1]), (("GE", "GE"), [])):
        units = [unit(f"a{n}", nation, "A") for n, nation in enumerate(nations)]
        state = land(unit("d", "BR", "T"), units=[*units, unit("d", "BR", "T")])
        combat = designated(state, AXIS, order(0, "attack", {"units": ["a0", "a1"], "target": "T"}), 1)
        assert [one.value for one in drm_of(state, combat, ATTACKER)] == drms
        back = designated(state, ALLIED, order(0, "attack", {"units": ["d"], "target": "A"}), 1)
        assert [one.value for one in drm_of(state, back, DEFENDER)] == drms


@pytest.mark.parametrize(
    ("events", "shift"),
    [(["Rommel"], 2), (["Rommel", "Montgomery"], 1), (["Rommel", "Von Arnim Takes Command"], 0)],
)
def test_rommel_shifts_two_columns_to_the_right(events: list[str], shift: int) -> None:
    """SS 11.274, errata.pac.2: two, one after Montgomery, none after Von Arnim, who forbids to declare him."""
    state = land(unit("d", "BR", "T"), events=events)
    assert rommel_shift(state) == shift
    wanted = [] if shift else ["SS 11.274"]
    assert attack_faults(state, AXIS, units=["g2"], target="T", rommel="yes") == wanted
    combat = designated(state, AXIS, order(0, "attack", {"units": ["g2"], "target": "T", "rommel": "yes"}), 1)
    assert sum(one.value for one in shifts_of(state, combat, ATTACKER) if one.name == "Rommel") == shift


def test_command_friction_and_the_missing_patton_add_up() -> None:
    """SS faq.cards.29, faq.cards.30, 11.262: for Americans in Libya and Egypt."""
    for nation, events, drms in (
        ("US", ["Torch", "Command Friction"], [-1, -1]), ("FF_US", ["Torch"], [-1]), ("BR", ["Command Friction"], [-1]),
        ("US", ["Torch", "Patton"], []), ("BR", [], []),
    ):  # fmt: skip
        state = land(units=[unit("a", nation, "P"), unit("d", "GE", "T")], events=events)
        combat = designated(state, ALLIED, order(0, "attack", {"units": ["a"], "target": "T"}), 1)
        assert [one.value for one in drm_of(state, combat, ATTACKER)] == drms, (nation, events)


def test_rommel_takes_part_in_one_attack_of_a_space() -> None:
    """SS 11.274, faq.rules.8: it is the attack that is shifted, not all that are made from a space."""
    spaces: dict[str, Row] = {"U": {**LIBYA, "control": "allied"}}
    units = [unit("d", "BR", "T", lf=9), unit("e", "BR", "U", lf=9)]
    state = land(*units, spaces=spaces, links=(("A", "U"),), events=["Rommel"])
    rows = [attack("g1", "T", rommel="yes"), attack("g2", "U", rommel="yes")]
    found = run(state, [message(3, AXIS, section("round"), *rows, END)], Fixed(3, {}))
    assert [line[:9] for line in voids(found.events)] == ["SS 11.274"]
    state.rommel = "T"
    assert attack_faults(state, AXIS, units=["g2"], target="U", rommel="yes") == ["SS 11.274"]


# --- fire and losses ----------------------------------------------------------------------------------------------


def test_the_result_of_a_fire_is_the_loss_number_of_the_other() -> None:
    """SS 11.41, 11.28."""
    found = fought(land(unit("d", "BR", "T", lf=9)), (6, 6))
    numbers = {str(event.data["role"]): event.data["number"] for event in kinds(found.events, "fire")}
    taken = {str(event.data["role"]): event.data["number"] for event in kinds(found.events, "losses")}
    assert taken == {"attacker": numbers["defender"], "defender": numbers["attacker"]}
    assert numbers["attacker"] != numbers["defender"]


def test_who_was_tried_to_flank_is_fought_in_sequence_at_success_and_failure() -> None:
    """SS 11.33, 11.34, 11.341 and 11.342: from four on it succeeds; the loser of the die suffers before it fires."""
    state = land(unit("d", "BR", "T", lf=9))
    assert story(fought(state.copy(), (1, 1), flank="yes").events)[:2] == ["attacker fire", "defender losses"]
    rolls = {"combat/t/fire-attacker": 1, "combat/t/fire-defender": 1, "combat/t/flank": 1}
    orders = message(3, AXIS, section("round"), attack("g1, g2", "T", flank="yes"), END)
    found = run(state, [orders, message(4, ALLIED, section("reaction"))], Fixed(4, rolls))
    assert story(found.events)[:2] == ["defender fire", "attacker losses"]


def test_who_is_eliminated_goes_to_the_replacement_box() -> None:
    """SS 11.421, 11.44: a division too if a battlegroup takes its place; without one it is gone for good."""
    weak: Row = {"lf": 1, "step": "reduced"}
    found = fought(land(unit("b", "BR", "T", **weak), division("d", "AUS", "T", **weak)), (3, 1), units="g1, g2")
    assert ends(found, "b", "d") == {"b": ("@replacement", "full"), "d": ("@eliminated", "full")}
    box = unit("r", "AUS", "@reserve", lf=9)
    found = fought(land(unit("b", "BR", "T", **weak), division("d", "AUS", "T", **weak), box), (3, 1), units="g1, g2")
    assert ends(found, "d")["d"] == ("@replacement", "full")


def test_a_battlegroup_must_replace_a_division_if_one_fits() -> None:
    """SS 11.441, 11.443: no outcome goes without it; minor nations replace nobody."""
    lost = division("d", "BR", "T", lf=2, step="reduced")
    state = land(lost, unit("r", "BR", "@reserve", lf=9), unit("p", "POL", "@reserve"), unit("f", "FF_BR", "@reserve"))
    assert [dict(one.replaced) for one in fulfilments(state, ["d"], 2)] == [{"d": "r"}]
    state = land(lost, unit("p", "POL", "@reserve"), unit("f", "FF_BR", "@reserve"))
    assert [(dict(one.replaced), one.end_map["d"]) for one in fulfilments(state, ["d"], 2)] == [({}, "@eliminated")]


FORT: dict[str, Row] = {"T": {**LIBYA, "control": "allied", "fort": 2}}


def test_a_fort_outlives_every_combat_and_changes_sides() -> None:
    """SS 11.46, 14.4: no result touches it; who takes the space has it."""
    state = land(unit("d", "BR", "T", lf=1, step="reduced"), spaces=FORT)
    go: Row = {"type": "advance", "unit": "g2", "path": "A, T"}
    found = fought(state, (6, 1), followup=(go,))
    assert found.state.owner("T") == AXIS and found.state.world.spaces["T"].fort == 2
    back = mini(
        {**FORT, "P": {**LIBYA, "control": "allied"}}, (("T", "P"),), units=[unit("g", "GE", "T"), unit("b", "BR", "P")]
    )
    combat = designated(back, ALLIED, order(0, "attack", {"units": ["b"], "target": "T"}), 1)
    assert fort_of(back, combat) == 2 and fire_of(back, combat, DEFENDER).strength == 3


def test_a_fort_is_neither_flanked_nor_overrun() -> None:
    """SS 14.3, 11.472: whatever the dice say."""
    state = land(unit("d", "BR", "T", lf=9), spaces=FORT)
    assert attack_faults(state, AXIS, units=["g1", "g2"], target="T", flank="yes") == ["SS 14.3"]
    found = fought(state, (6, 1))
    assert kinds(found.events, "fire")[0].data["bold"] == "yes" and not kinds(found.events, "overrun")
    assert kinds(fought(land(unit("d", "BR", "T", lf=9)), (6, 1)).events, "overrun")


def test_a_fort_does_not_attack() -> None:
    """SS 14.1, 14.2: its CF is the defender's alone."""
    spaces: dict[str, Row] = {**FORT, "A": {**LIBYA, "control": "axis", "fort": 2}}
    state = land(unit("d", "BR", "T"), spaces=spaces)
    combat = designated(state, AXIS, order(0, "attack", {"units": ["g2"], "target": "T"}), 1)
    assert (fire_of(state, combat, ATTACKER).strength, fire_of(state, combat, DEFENDER).strength) == (2, 3)


# --- what becomes of the defender ---------------------------------------------------------------------------------


def test_the_defender_retreats_where_the_attacker_wins_and_stays_where_not() -> None:
    """SS 11.283, 11.51, 11.58: the attacker never does."""
    lost = fought(land(unit("d", "BR", "T", lf=9)), (3, 1), units="g2, g3")
    assert ends(lost, "d", "g2") == {"d": ("Q", "full"), "g2": ("A", "full")}
    won = fought(land(unit("d", "BR", "T", lf=9, cf=[9, 9])), (1, 6), units="g2, g3")
    assert won.state.pieces["d"].at == "T" and not kinds(won.events, "retreat")
    back: Row = {"type": "retreat", "unit": "g2", "path": "A, B"}
    found = fought(land(unit("d", "BR", "T", lf=9)), (3, 1), back, units="g2, g3")
    assert [event.rule for event in kinds(found.events, "void")] == ["SS 11.58"]


def test_the_attacker_advances_where_the_space_is_left_and_only_there() -> None:
    """SS 11.284, 11.61, 11.67: after a retreat, an overrun or the end of all defenders; not where they hold."""
    go: Row = {"type": "advance", "unit": "g2", "path": "A, T"}
    for foe, dice in ((unit("d", "BR", "T", lf=9), (3, 1)), (unit("d", "BR", "T", lf=1, step="reduced"), (3, 1))):
        found = fought(land(foe), dice, followup=(go,))
        assert found.state.pieces["g2"].at == "T" and found.state.owner("T") == AXIS
    held = fought(land(unit("d", "BR", "T", lf=9), spaces=HILL), (6, 1), {"type": "hold", "unit": "d"}, followup=(go,))
    assert held.state.pieces["g2"].at == "A" and [e.data["why"] for e in kinds(held.events, "stays")] == [
        "the space was not cleared"
    ]  # fmt: skip
    lost = fought(land(unit("d", "BR", "T", lf=9, cf=[9, 9])), (1, 6), units="g2, g3", followup=(go,))
    assert lost.state.owner("T") == ALLIED and not kinds(lost.events, "advance")


def test_after_a_flank_attack_the_overrun_units_fire_before_they_go() -> None:
    """SS 11.474, 11.341, faq.rules.11: and what they roll may spare them the overrun."""
    found = fought(land(unit("d", "BR", "T", lf=5)), (6, 1), flank="yes")
    told = [event.kind for event in found.events if event.kind in ("fire", "losses", "winner", "overrun", "relocate")]
    assert told == ["fire", "losses", "fire", "losses", "winner", "overrun", "relocate"]
    strong = division("d", "BR", "T", lf=9, cf=[20, 20])
    spared = fought(land(strong), (6, 6), flank="yes")
    assert kinds(spared.events, "fire")[0].data["bold"] == "yes" and not kinds(spared.events, "overrun")


def test_a_retreat_of_two_ends_where_it_may_but_not_in_the_space_it_left() -> None:
    """SS 11.55e, 11.55f: next to that space it may end, if it entered two."""
    spaces: dict[str, Row] = {"S": {**LIBYA, "control": "allied", "source": ["allied"]}}
    state = land(unit("d", "BR", "T"), spaces=spaces, links=(("T", "S"), ("S", "P")))
    paths = retreat_paths(state, "d", "T", 2)
    assert ("T", "P", "S") in paths and ("T", "S", "P") in paths
    assert all(path[-1] != "T" and len(set(path)) == 3 for path in paths)
    alone = land(unit("d", "BR", "T", **WEAK), spaces={"P": {**LIBYA, "control": "axis"}}, units=[unit("d", "BR", "T")])
    assert all("T" not in path[1:] for path in retreat_paths(alone, "d", "T", 2))


def test_infantry_follows_a_retreat_of_two_by_the_spaces_that_were_left_again() -> None:
    """SS 11.63: not into that where a unit ended; armor goes where it likes, and not under an Attack marker."""
    state = land(unit("d", "BR", "T"), spaces={"U": {**LIBYA, "control": "allied"}}, links=(("T", "U"),))
    opening = Opening(TWO, "T", (("T", "P", "Q"),))

    def faults(uid: str, *path: str) -> list[str]:
        return rules(advance_problems(state, opening, uid, path))

    state.shift("d", "Q")
    assert opening.followed() == {"P"}
    assert (faults("g2", "A", "T", "P"), faults("g2", "A", "T", "U"), faults("g2", "A", "B")) == (
        [], ["SS 11.63"], ["SS 11.63"]
    )  # fmt: skip
    assert faults("g1", "A", "T", "U") == [] and faults("g1", "A", "B") == ["SS 11.63"]


def test_a_closed_land_is_no_way_of_retreat() -> None:
    """SS 10.51, 11.55h: before Torch nobody retreats into Tunisia; who has no other way is lost (11.56)."""
    foe = unit("g", "GE", "Zuara")
    assert retreat_paths(real(foe, control={"Tripoli": ALLIED}), "g", "Zuara", 1) == [("Zuara", "Tripoli")]
    hemmed = real(foe, unit("b", "BR", "Tripoli"), control={"Tripoli": ALLIED})
    assert retreat_paths(hemmed, "g", "Zuara", 1) == []
    opened = real(foe, unit("b", "BR", "Tripoli"), control={"Tripoli": ALLIED}, events=["Torch"])
    assert retreat_paths(opened, "g", "Zuara", 1) != []

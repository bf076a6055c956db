"""Words for people: units alone and together, spaces, cards, costs, moments, what a stop asks."""

from __future__ import annotations

import pytest

from adjudicator.shifting_sands.activation import ATTACK, MOVE, activation_cost
from adjudicator.shifting_sands.fire import Modifier, fire_of
from adjudicator.shifting_sands.prospects import (
    column_words,
    die_words,
    faces_line,
    fire_words,
    losses_by_die,
    modifier_name,
    numbers_of,
    strength_words,
    would_be,
)
from adjudicator.shifting_sands.situation import asked, in_status, situation, touching
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.words import (
    card_name,
    card_ops,
    cost_words,
    figures,
    grouped_names,
    in_supply,
    joined,
    moment,
    names,
    names_in,
    place_name,
    points,
    ranked,
    short_name,
    shorts,
    space_note,
    unit_name,
)
from tests.shifting_sands.rounds import first_rounds, fresh, table


@pytest.fixture
def state() -> State:
    """The position before the first orders, to change at will."""
    return first_rounds().before(3).copy()


def test_units_alone(state: State) -> None:
    assert unit_name(state, "it-62") == "Italian 62nd Division"
    assert short_name(state, "it-62") == "IT 62"
    assert unit_name(state, "nobody") == short_name(state, "nobody") == "nobody"
    assert figures(state, "it-62") == "2-2-3"
    assert figures(state, "br-7-arm") == "2-3-5", "it begins reduced"
    assert shorts(state, ["it-62", "it-63"]) == "IT 62, IT 63"


@pytest.mark.parametrize(
    ("units", "told"),
    [
        (["it-62"], "the Italian 62nd Division"),
        (["it-63", "it-62"], "the Italian 62nd and 63rd Divisions"),
        (
            ["it-1lib", "it-2lib", "it-4bs"],
            "the Italian 1st and 2nd Libyan Divisions and the Italian 4th Blackshirt Division",
        ),
        (["br-inf-bg-5", "br-inf-bg-3", "br-inf-bg-4"], "the British infantry battlegroups 3, 4 and 5"),
        (["br-lrdg", "br-7-arm"], "the British 7th Armoured Division and the Long Range Desert Group"),
        (["nz-inf-bg", "pol-inf-bg"], "the New Zealand infantry battlegroup and the Polish infantry battlegroup"),
        ([], ""),
    ],
)
def test_units_together(state: State, units: list[str], told: str) -> None:
    assert names(state, units) == told


def test_every_counter_is_named_whatever_it_stands_with(state: State) -> None:
    for uid, counter in state.world.counters.items():
        (alone,) = grouped_names(state, [uid])
        assert alone == counter.name
    everybody = grouped_names(state, state.world.counters)
    assert sum(name.count(",") + name.count(" and ") + 1 for name in everybody) == len(state.world.counters)


def test_divisions_are_named_before_battlegroups(state: State) -> None:
    assert ranked(state, ["it-arm-bg-2", "it-63", "it-62"]) == ["it-62", "it-63", "it-arm-bg-2"]


def test_spaces_boxes_and_cards(state: State) -> None:
    assert space_note(state, "Bardia") == "clear, fort 1, port, VP"
    assert space_note(state, "Halfaya") == "mountain"
    assert place_name("@replacement") == "the replacement box"
    assert place_name("Bardia") == "Bardia"
    assert (card_name(state, "balbo-4"), card_ops(state, "balbo-4")) == ("Balbo", 3)
    assert (card_name(state, "no card"), card_ops(state, "no card")) == ("no card", 0)


def test_costs_say_for_whom(state: State) -> None:
    cheap = activation_cost(state, "Bardia", "axis", MOVE)
    dear = activation_cost(state, "Bardia", "axis", ATTACK)
    assert cost_words(state, cheap) == "1 point: 1 for Italians"
    assert cost_words(state, dear) == (
        "3 points: 1 for IT 62, in limited supply; 1 for IT 63, in limited supply; 1 for IT arm BG 2, in limited supply"
    )
    assert in_supply("oos") == "out of supply"


def test_small_words() -> None:
    assert [points(n) for n in (0, 1, 3)] == ["0 points", "1 point", "3 points"]
    assert [joined(list(parts)) for parts in ("", "a", "ab", "abc")] == ["", "a", "a and b", "a, b and c"]
    assert joined(["a", "b"], "or") == "a or b"


def test_the_moment(state: State) -> None:
    assert moment(state) == "Summer 1940, action round 1 of 6: the Axis action"
    state.phase = state.step = "attrition"
    assert moment(state) == "Summer 1940: attrition phase"


# --- what a combat promises -------------------------------------------------------------------------------------


def test_a_fire_in_words(state: State) -> None:
    combat = would_be(state, "axis", ["it-62", "it-63", "it-arm-bg-2"], "Halfaya")
    fire = fire_of(state, combat, "attacker")
    assert fire_words(state, combat, fire) == (
        "strength 5 on the division table, column 5, shifted -1 mountain terrain (SS 11.27), +1 armor against no armor "
        "(SS 11.272) to column 5; die -1 Italian units (SS 11.261)"
    )
    assert faces_line(state, fire) == "2 2 3 3 4 4 for a die of 1 to 6"
    assert numbers_of(state, fire) == [2, 3, 4]
    assert [number for number, _bold in losses_by_die(state, fire).values()] == [2, 2, 3, 3, 4, 4]


def test_a_plain_fire_in_words(state: State) -> None:
    combat = would_be(state, "axis", ["it-62"], "Halfaya")
    fire = fire_of(state, combat, "defender")
    assert strength_words(fire) == "strength 1 on the battlegroup table"
    assert column_words(state, fire) == "column 1"
    assert die_words(fire) == "die as rolled"


def test_a_fort_and_the_edge_of_the_table(state: State) -> None:
    combat = would_be(state, "allied", ["br-inf-bg-5"], "Bardia")
    defence = fire_of(state, combat, "defender")
    assert strength_words(defence) == "strength 6 with 1 of the fort on the division table"
    state.shift("br-inf-bg-7", "Gambut")
    attack = fire_of(state, would_be(state, "allied", ["br-inf-bg-7"], "Bardia"), "attacker")
    assert "-1 no armor against armor" in column_words(state, attack)
    assert column_words(state, attack).endswith("to column 0, the edge of the table")


def test_bold_numbers_are_marked_for_the_attacker(state: State) -> None:
    state.shift("it-1lib", "Sofafi")
    for uid in ("br-7-arm", "ind-4", "br-inf-bg-2"):
        state.shift(uid, "Sidi Barrani")
    attack = fire_of(state, would_be(state, "allied", ["br-7-arm", "ind-4", "br-inf-bg-2"], "Sofafi"), "attacker")
    assert faces_line(state, attack).endswith("* for a die of 1 to 6 (* may overrun, SS 11.47)")


@pytest.mark.parametrize(
    ("name", "terrain", "told"),
    [
        ("terrain", "mountain", "mountain terrain"),
        ("terrain", "", "terrain"),
        ("supply", "", "out of supply"),
        ("italians", "", "Italian units"),
        ("Command Friction", "marsh", "Command Friction"),
    ],
)
def test_names_of_modifiers(name: str, terrain: str, told: str) -> None:
    assert modifier_name(Modifier(name, -1, "SS 11.27"), terrain) == told


# --- status -----------------------------------------------------------------------------------------------------


def test_the_situation_of_the_side_to_act(state: State) -> None:
    lines = situation(state, "axis")
    told = "\n".join(lines)
    assert lines[0] == "It is Summer 1940, action round 1 of 6: the Axis action."
    assert "Victory points: 10." in lines
    assert "Cards in hand: Axis 7, Allied 7; in the draw piles: Axis 7, Allied 7." in lines
    assert "In contact: BR inf BG 5 in Halfaya, next to your units in Bardia." in lines
    assert "IT 62, IT 63, IT arm BG 2 in Bardia" in told
    assert "Reserve box: IT arm BG 1." in lines
    assert "Your hand: " in told


def test_the_hand_of_one_side_is_not_told_to_the_other(state: State) -> None:
    axis = {card_name(state, card) for card in state.hands["axis"]}
    told = " ".join(situation(state, "allied"))
    shared = {card_name(state, card) for card in state.hands["allied"]}
    assert not any(name in told for name in axis - shared)


def test_a_folder_of_nobody_sees_what_both_know(state: State) -> None:
    lines = situation(state, "")
    assert lines[0].startswith("It is Summer 1940")
    assert not any("Your" in line or "your" in line for line in lines)


def test_points_markers_and_the_combat_under_way() -> None:
    lines = situation(first_rounds("s6").before(5), "axis")
    assert "Axis operations by a card: 3 of 3 points spent; markers: Attack on Bardia." in lines
    told = "Combat 1: the Italian 62nd and 63rd Divisions and the Italian armor battlegroup 2 attack Halfaya."
    assert told in lines
    assert any(line.startswith("Loss numbers so far: ") for line in lines)


def test_attacks_that_are_to_come() -> None:
    lines = situation(first_rounds("s6").before(8), "allied")
    assert "Ordered to follow: combat 2, IT inf BG 8 on Gallabat." in lines


def test_units_out_of_supply_are_named(state: State) -> None:
    state.imposed["Bardia"] = "oos"
    lines = situation(state, "axis")
    assert any(line.startswith("Out of supply, lost in the attrition phase") and "IT 62" in line for line in lines)
    assert in_status(state, "axis", "oos") == {"Bardia": ["it-62", "it-63", "it-arm-bg-2"]}


def test_all_in_full_supply(state: State) -> None:
    state.imposed["*"] = "full"
    assert "All your units are in full supply." in situation(state, "axis")


def test_too_many_units_in_a_space(state: State) -> None:
    state.shift("it-61", "Bardia")
    assert "More units than may stack (SS 8): Bardia." in situation(state, "axis")


def test_inactive_neutrals_are_no_contact(state: State) -> None:
    assert "Beirut" not in [name for name, _own in touching(state, "allied")]
    assert "Baghdad" not in [name for name, _own in touching(state, "allied")]


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("orders/summer-1940/1/axis", "your action of round 1: card, markers, moves, attacks, or redeployment"),
        ("react/1", "your answer to the attack on Halfaya: combat cards, losses, holding, retreat"),
        ("followup/1", "what follows the combat for Halfaya: advances and further attacks"),
        ("losses/1/attacker", "your losses in the combat for Halfaya"),
        ("hold/1", "whether Halfaya is held for one more step"),
        ("retreat/1/br-inf-bg-5", "where BR inf BG 5 retreats to"),
        ("retreat/1/order", "who retreats first from Halfaya"),
        ("relocate/1/br-inf-bg-5", "where BR inf BG 5 goes, which is overrun"),
        ("replace/1/it-62", "which battlegroup takes the place of IT 62"),
        ("captured/1/tobruk", "which units recover by captured supply"),
        ("replacement/summer-1940/axis", "your replacements of this turn, and what you discard before you draw"),
        ("something/else", "an answer to something/else"),
    ],
)
def test_what_a_stop_asks(key: str, told: str) -> None:
    assert asked(first_rounds("s6").before(4), key) == told


def test_what_the_rules_say_is_told_with_names() -> None:
    spoken = table().spoken
    assert spoken("it-62, br-inf-bg-5 and it-62x") == "IT 62, BR inf BG 5 and it-62x"
    assert spoken("minefields-8 is not in hand") == "Minefields is not in hand"
    assert spoken("to retreat/1/it-62-a") == "to retreat/1/it-62-a"
    world = table().start().world
    assert world.counters.keys() <= names_in(world).keys()


def test_problems_and_voids_name_units_and_cards() -> None:
    text = "orders:\n  - {type: section, name: round}\n  - {type: play_card, card: Minefields, use: ops}\n"
    (problem,) = fresh(upto=0).check(text).problems
    assert problem.text == "Minefields is not in hand" and "Code Book Stolen" in problem.hint

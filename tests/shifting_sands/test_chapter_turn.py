"""Components, terms, preparation and the sequence of play, entry by entry (SS 2 to 6; tests/rules)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from adjudicator.engine.core import Ctx, Event
from adjudicator.engine.driver import Run
from adjudicator.packs import load_pack
from adjudicator.shifting_sands.activation import action_problems
from adjudicator.shifting_sands.apply import apply
from adjudicator.shifting_sands.control import take
from adjudicator.shifting_sands.designate import designated
from adjudicator.shifting_sands.drawing import hand_size
from adjudicator.shifting_sands.fire import (
    ATTACKER,
    BATTLEGROUP,
    DEFENDER,
    DIVISION,
    Fire,
    Modifier,
    fire_of,
    loss_number,
)
from adjudicator.shifting_sands.losses import fulfilments
from adjudicator.shifting_sands.movement import move_problems
from adjudicator.shifting_sands.nations import ALLIED as ALLIED_NATIONS
from adjudicator.shifting_sands.nations import AXIS as AXIS_NATIONS
from adjudicator.shifting_sands.nations import side_of
from adjudicator.shifting_sands.position import position, restore
from adjudicator.shifting_sands.redeploy import points_of
from adjudicator.shifting_sands.replacement import POOLS, cost2, left2, pool_of, rebuild_problems
from adjudicator.shifting_sands.state import ROUNDS, State, turn_name, turn_number
from adjudicator.shifting_sands.supply import FULL, LIMITED, OUT, supply
from adjudicator.shifting_sands.victory import in_east_africa, near_alamein
from adjudicator.shifting_sands.world import world_from_pack
from tests.shifting_sands.rounds import Rounds
from tests.shifting_sands.support import (
    ALLIED,
    AXIS,
    Row,
    Seeds,
    attack,
    by_mail,
    division,
    kinds,
    message,
    mini,
    order,
    run,
    script,
    section,
    unit,
    voids,
)

LIBYA: Row = {"region": "Libya", "terrain": "clear"}
SPACES: dict[str, Row] = {
    "A": {**LIBYA, "control": "axis", "source": ["axis"]},
    **{name: {**LIBYA, "control": "axis"} for name in "BCDE"},
    "Q": {**LIBYA, "control": "allied", "source": ["allied"]},
}
LINKS = (("A", "B"), ("B", "C"), ("C", "D"), ("D", "E"), ("E", "Q"))


def board(*units: Row, **given: Any) -> State:
    """A row of Axis spaces, an Allied one behind it."""
    return mini(SPACES, LINKS, units=list(units), **given)


def end_of_turn(state: State, *messages: Any) -> Run[State]:
    """From the end of the last round on."""
    state.round, state.active = ROUNDS, ALLIED
    return run(state, [message(4, ALLIED, section("round")), *messages], Seeds(9))


def begun(scenario: str = "campaign") -> State:
    """A game after set-up and opening hands."""
    return Rounds(scenario=scenario).state


# --- components -----------------------------------------------------------------------------------------------------


def test_a_space_has_a_controller_terrain_port_fort_points_and_region() -> None:
    """SS 2.1, faq.map.2, faq.map.4, faq.map.5, faq.map.6 and faq.map.7: the map as it is printed and explained."""
    spaces = world_from_pack(load_pack("shifting-sands").tree, "campaign").spaces
    tobruk = spaces["Tobruk"]
    assert (tobruk.region, tobruk.terrain, tobruk.control) == ("Libya", "clear", AXIS) and tobruk.port and tobruk.vp
    assert tobruk.fort > 0 == spaces["Msus"].fort and not spaces["Msus"].port
    mountains = ("Chad", "Oran", "Casablanca", "South Africa", "Persia", "India")
    assert {spaces[name].terrain for name in mountains} == {"mountain"}
    assert spaces["Bardia"].region == "Libya"


def test_size_and_type_decide_table_points_and_shifts() -> None:
    """SS 2.21, 2.23: a division fires on its own table and costs more; armor shifts the column against none."""
    state = board(
        division("d", "GE", "D"), unit("b", "GE", "D"), unit("tank", "GE", "D", type="armor"), unit("q", "BR", "E"),
        control={"E": ALLIED},
    )  # fmt: skip
    state.control["E"] = ALLIED

    def fire(*units: str) -> Fire:
        told = order(0, "attack", {"units": ", ".join(units), "target": "E"})
        return fire_of(state, designated(state, AXIS, told, 1), ATTACKER)

    assert (fire("d").table, fire("b").table) == (DIVISION, BATTLEGROUP)
    assert (fire("b").shift, fire("tank").shift) == (0, 1)
    big, small = state.counter("d"), state.counter("b")
    assert (points_of(big), points_of(small), cost2(big, 1), cost2(small, 1)) == (3, 1, 2, 1)


def test_each_counter_has_two_steps_and_the_reduced_one_is_weaker() -> None:
    """SS 2.22, 3.cf: the step that lies up fights; losses and movement are the same on both."""
    state = board(division("d", "GE", "A", cf=[4, 2], lf=3, mf=3))
    assert (state.cf("d"), state.step_of("d")) == (4, "full")
    apply(state, Event("reduced", "SS 11.42", {"unit": "d", "at": "A"}))
    assert (state.cf("d"), state.step_of("d"), state.counter("d").lf, state.counter("d").mf) == (2, "reduced", 3, 3)


def test_the_fort_adds_its_factor_to_the_defense_alone() -> None:
    """SS 3.cf."""
    spaces = {**SPACES, "E": {**SPACES["E"], "control": "allied", "fort": 2}}
    state = mini(spaces, LINKS, units=[unit("a", "GE", "D", cf=[3, 1]), unit("q", "BR", "E", cf=[2, 1])])
    combat = designated(state, AXIS, order(0, "attack", {"units": "a", "target": "E"}), 1)
    assert (fire_of(state, combat, ATTACKER).strength, fire_of(state, combat, DEFENDER).strength) == (3, 4)


def test_markers_of_a_round_are_gone_with_it() -> None:
    """SS 2.24: they remind of what was paid for, and of nothing in the next part of the round."""
    state = board(unit("a", "GE", "A"), active=AXIS, round=1)
    (card,) = state.hands[AXIS]
    play: Row = {"type": "play_card", "card": card, "use": "ops"}
    _, found = by_mail(state, script({"orders": [section("round"), play, {"type": "attack_marker", "space": "A"}]}))
    assert kinds(found.events, "marker") and not voids(found.events)
    assert found.state.markers == {} and found.state.ops.source == ""


def test_the_nations_of_the_two_sides() -> None:
    """SS 2.4: ten Allied ones, two kinds of Free French among them, and five of the Axis."""
    assert (len(set(ALLIED_NATIONS)), len(set(AXIS_NATIONS))) == (10, 5)
    assert {side_of(nation) for nation in ALLIED_NATIONS} == {ALLIED}
    assert {side_of(nation) for nation in AXIS_NATIONS} == {AXIS}
    state = board(unit("f", "FF_BR", "Q"), unit("g", "FF_US", "Q"))
    assert (pool_of(state, state.counter("f")), pool_of(state, state.counter("g"))) == ("A", "US")


# --- terms ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("side", "other"), [(AXIS, ALLIED), (ALLIED, AXIS)])
def test_who_acts_attacks_and_the_other_defends(side: str, other: str) -> None:
    """SS 3.active."""
    state = board(unit("a", "GE", "D"), unit("q", "BR", "E"), active=side)
    state.control["E"] = ALLIED
    mine, target = ("a", "E") if side == AXIS else ("q", "D")
    combat = designated(state, side, order(0, "attack", {"units": mine, "target": target}), 1)
    assert (combat.side_of(ATTACKER), combat.side_of(DEFENDER)) == (side, other)
    assert (combat.attackers, combat.defenders) == ((mine,), ("q" if side == AXIS else "a",))


def test_minor_nations_share_their_points() -> None:
    """SS 3.minor: British-controlled Free French, Greeks and Poles; nobody of the Commonwealth, no American."""
    nations = ("FF_BR", "GK", "POL", "AUS", "BR", "FF_US")
    state = board(*(unit(nation, nation, "Q") for nation in nations))
    found = {nation: pool_of(state, state.counter(nation)) for nation in nations}
    assert found == {"FF_BR": "A", "GK": "A", "POL": "A", "AUS": "CW", "BR": "BR", "FF_US": "US"}


def test_a_space_changes_hands_when_an_enemy_enters_and_points_go_with_it_at_once() -> None:
    """SS 3.control, 3.vp-space."""
    spaces = {**SPACES, "Q": {**SPACES["Q"], "vp": True}}
    state = mini(spaces, LINKS, units=[unit("a", "GE", "E", mf=2)], active=AXIS, round=1, vp=5)
    state.control["E"] = ALLIED
    state.vp = 5
    ctx: Ctx[State] = Ctx(state, apply)
    assert take(ctx, AXIS, ["E", "Q", "Q"], "SS 3.control") == ["E", "Q"]
    assert (state.owner("E"), state.owner("Q"), state.vp) == (AXIS, AXIS, 6)
    assert take(ctx, ALLIED, ["Q"], "SS 3.control") == ["Q"] and state.vp == 5


def test_supply_is_full_within_three_spaces_limited_beyond_and_none_without_a_line() -> None:
    """SS 3.full-supply, 3.limited-supply, 3.oos, 3.supply-line and 3.supply-source."""
    state = board(*(unit(name.lower(), "GE", name) for name in "DE"), unit("q", "BR", "Q"))
    assert [supply(state, uid).status for uid in "deq"] == [FULL, LIMITED, FULL]
    assert [supply(state, uid).distance for uid in "de"] == [3, 4]
    state.control["B"] = ALLIED
    assert supply(state, "d").status == OUT, "no string of own spaces"
    state.control["B"] = AXIS
    state.control["A"] = ALLIED
    assert supply(state, "d").status == OUT, "the source is the enemy's"


def test_who_is_out_of_supply_is_eliminated_in_the_attrition_phase_of_the_turn() -> None:
    """SS 3.oos, 5.3, sop.C: battlegroups can be replaced, divisions not; control changes after that."""
    state = board(unit("b", "GE", "C"), division("d", "GE", "D"), unit("q", "BR", "Q"), unit("k", "BR", "B"), vp=9)
    state.control["B"] = ALLIED
    found = end_of_turn(state)
    assert (found.state.pieces["b"].at, found.state.pieces["d"].at) == ("@replacement", "@eliminated")
    told = [event.kind for event in found.events if event.rule in ("SS 13.81", "SS 13.82") or event.kind == "phase"]
    assert told[:2] == ["phase", "eliminated"] and told.index("control") > max(
        n for n, kind in enumerate(told) if kind == "eliminated"
    )


def test_a_modifier_changes_the_die_and_never_beyond_its_faces() -> None:
    """SS 3.drm."""
    fire = Fire(ATTACKER, DIVISION, 3, "3", "3", drms=(Modifier("x", -1, "SS 11.261"), Modifier("y", -1, "SS 11.263")))
    assert [fire.row(die) for die in (1, 2, 3, 6)] == [1, 1, 1, 4]
    assert replace(fire, drms=(Modifier("z", 2, "SS 11.26"),)).row(5) == 6


def test_the_table_says_the_loss_number_and_a_step_is_worth_its_loss_factor() -> None:
    """SS 3.loss-number, 3.lf: the division table has 3 in column 6-8, row 2; a step takes as much as its factor."""
    state = board(division("d", "GE", "D", lf=3), unit("b", "GE", "D", lf=2))
    assert loss_number(state, DIVISION, "6-8", 2)[0] == 3
    assert {outcome.steps for outcome in fulfilments(state, ["d", "b"], 3)} == {("d",)}
    assert {outcome.steps for outcome in fulfilments(state, ["d", "b"], 2)} == {("b",)}
    assert {tuple(sorted(outcome.steps)) for outcome in fulfilments(state, ["d", "b"], 5)} == {("b", "d")}


def test_a_unit_enters_as_many_spaces_as_it_has_movement_factors() -> None:
    """SS 3.mf, 9.11, 9.14, reduced or not."""
    state = board(unit("a", "GE", "A", mf=3, step="reduced"), markers={"A": "move"})
    assert not move_problems(state, AXIS, "a", ["A", "B", "C", "D"])
    assert [p.rule for p in move_problems(state, AXIS, "a", ["A", "B", "C", "D", "E"])] == ["SS 9.14"]


@pytest.mark.parametrize("use", ["ops", "rd"])
def test_a_card_gives_as_many_points_as_its_value(use: str) -> None:
    """SS 3.ops, 3.rd, 7.32: the same number for operations and for redeployment."""
    state = board(unit("a", "GE", "A"), active=AXIS, round=1)
    world = state.world
    assert {int(str(card["ops"])) for card in world.cards.values()} == {2, 3, 4, 5}
    for value in (2, 5):
        card = next(card for card, row in sorted(world.cards.items()) if row["ops"] == str(value))
        state.hands[AXIS] = [card]
        told: Row = {"type": "play_card", "card": card, "use": use}
        found = run(state.copy(), [message(3, AXIS, section("round"), told)], Seeds(9))
        (action,) = kinds(found.events, "action")
        assert action.data["ops"] == str(value) and found.state.discards[AXIS] == [card]
        before: State = state.copy()
        apply(before, action)
        assert (before.ops.available if use == "ops" else before.rd_left) == value


def test_a_black_dot_bars_replacements() -> None:
    """SS 3.rp."""
    units = [division(uid, "GE", "A", step="reduced", flags=["dot"] if uid == "dot" else []) for uid in ("dot", "d")]
    state = board(*units, rp={"GE": 2})
    told = {uid: rebuild_problems(state, AXIS, order(0, "replace", {"unit": uid})) for uid in ("dot", "d")}
    assert [p.rule for p in told["dot"]] == ["SS 15.43"] and told["d"] == []


# --- preparation ----------------------------------------------------------------------------------------------------


def test_the_campaign_is_set_up() -> None:
    """SS 4.11, 4.12, 4.13, 4.2 and faq.map.1: Summer 1940, ten points, no replacement points, the weakest 7th Armoured,
    reduced."""
    state = begun()
    assert (turn_name(state.turn), state.vp, state.rp) == ("Summer 1940", 10, {})
    assert [left2(state, pool) for pool in POOLS] == [0] * len(POOLS)
    (seventh,) = [uid for uid in state.pieces if uid.startswith("br-7-arm")]
    assert state.counter(seventh).cf == (3, 2) and state.pieces[seventh].reduced
    scenario: Any = state.world.scenario
    listed = {row["unit"]: row["at"] for row in scenario["units"]}
    assert {uid: piece.at for uid, piece in state.pieces.items()} == listed


def test_the_cards_of_1940_alone_are_shuffled_and_dealt() -> None:
    """SS 4.3, 5.12, 7.11, 3.draw-pile: seven of fourteen each; the order of the pile is in the dice."""
    state, other = begun(), Rounds(salt="other").state
    for side in (AXIS, ALLIED):
        cards = [*state.hands[side], *state.piles[side]]
        assert (len(state.hands[side]), len(state.piles[side])) == (7, 7)
        assert {state.world.cards[card]["year"] for card in cards} == {"1940"}
        assert {state.world.cards[card]["side"] for card in cards} == {side}
        assert sorted(cards) == sorted([*other.hands[side], *other.piles[side]])
        assert state.hands[side] != other.hands[side]


def test_six_actions_a_turn_and_no_seventh() -> None:
    """SS 4.14, 6.14."""
    state = board(unit("a", "GE", "A"), active=AXIS, round=6)
    state.history = {side: dict.fromkeys(range(1, 7), "auto") for side in (AXIS, ALLIED)}
    assert [p.rule for p in action_problems(state, AXIS, order(0, "auto_op", {}))] == ["SS 6.14"]
    state.history[AXIS].pop(6)
    assert not action_problems(state, AXIS, order(0, "auto_op", {}))


# --- the turn -------------------------------------------------------------------------------------------------------


def test_a_turn_has_six_rounds_and_the_axis_is_first_in_each() -> None:
    """SS 5.2, 6.11, 6.14, 6.13: each side acts in each round, and what it did is noted."""
    state = board(unit("a", "GE", "A"), unit("q", "BR", "Q"), active=AXIS, round=1, vp=9)
    told = [message(n, AXIS if n % 2 else ALLIED, section("round")) for n in range(3, 15)]
    found = run(state, told, Seeds(20))
    moments = [(event.data["side"], event.data["round"]) for event in kinds(found.events, "end-round")]
    assert moments == [(side, str(n)) for n in range(1, 7) for side in (AXIS, ALLIED)]
    assert [event.data["phase"] for event in kinds(found.events, "phase")] == ["attrition", "victory", "replacement"]
    assert found.state.history == {side: dict.fromkeys(range(1, 7), "auto") for side in (AXIS, ALLIED)}


def test_cards_are_discarded_before_the_hand_is_filled() -> None:
    """SS 5.11, 5.13, sop.A: what is thrown away comes back where the pile is too small, and only then."""
    state = board(unit("a", "GE", "A"), unit("q", "BR", "Q"), vp=9)
    card = state.hands[AXIS][0]
    state.piles = {AXIS: ["balbo-4", "graziani-10"], ALLIED: []}
    told = message(5, AXIS, section("discard"), {"type": "discard", "cards": card})
    found = end_of_turn(state.copy(), told)
    draws = [event.data["card"] for event in kinds(found.events, "draw") if event.data["side"] == AXIS]
    assert set(draws[:2]) == {"balbo-4", "graziani-10"} and card in draws[2:]
    full = state.copy()
    full.piles[AXIS] = [name for name, row in state.world.cards.items() if row["side"] == AXIS and name != card][:9]
    found = end_of_turn(full, told)
    assert card in found.state.discards[AXIS] and len(found.state.hands[AXIS]) == 7


@pytest.mark.parametrize(
    ("now", "size"), [("Summer 1940", 7), ("Fall 1940", 8), ("Fall 1941", 9), ("Fall 1942", 10), ("Winter 1943", 10)]
)
def test_the_hand_of_the_turn_to_come_goes_by_its_year(now: str, size: int) -> None:
    """SS 5.12."""
    state = board(unit("a", "GE", "A"), unit("q", "BR", "Q"), turn=now, vp=9)
    mine = [name for name, row in sorted(state.world.cards.items()) if row["side"] == AXIS]
    state.hands[AXIS], state.piles = [], {AXIS: mine[:20], ALLIED: []}
    found = end_of_turn(state, message(5, AXIS))
    assert len(found.state.hands[AXIS]) == size


def test_an_event_cuts_the_next_hand_and_no_other() -> None:
    """SS 5.12, faq.cards.31: Malta Convoys; what is played after it in the turn does not restore the hand."""
    state = board(turn="Spring 1942")
    state.events = {"Malta Convoys": state.turn, "Herkules": state.turn}
    assert (hand_size(state, AXIS), hand_size(state, ALLIED)) == (6, 9)
    state.events["Malta Convoys"] = state.turn - 1
    assert hand_size(state, AXIS) == 9


@pytest.mark.parametrize(("switch", "kept"), [("off", 9), ("on", 6)])
def test_a_hand_over_its_limit_draws_nothing(switch: str, kept: int) -> None:
    """SS 5.12, ruling A47: and keeps what it has, unless the game says otherwise; then the least cards go."""
    state = board(unit("a", "GE", "A"), unit("q", "BR", "Q"), turn="Spring 1942", vp=9)
    state.world = replace(state.world, switches={"hand_force_discard": switch})
    state.events["Malta Convoys"] = state.turn
    mine = [name for name, row in sorted(state.world.cards.items()) if row["side"] == AXIS]
    state.hands[AXIS], state.piles = mine[:9], {AXIS: mine[9:20], ALLIED: []}
    found = end_of_turn(state, message(5, AXIS))
    assert len(found.state.hands[AXIS]) == kept
    assert AXIS not in [event.data["side"] for event in kinds(found.events, "draw")]
    values = {card: int(str(state.world.cards[card]["ops"])) for card in mine[:9]}
    gone = set(mine[:9]) - set(found.state.hands[AXIS])
    assert max([values[card] for card in gone], default=0) <= min(values[card] for card in found.state.hands[AXIS])


@pytest.mark.parametrize(
    ("now", "rule", "year"),
    [("Fall 1940", "SS 7.71", "1941"), ("Fall 1941", "SS 7.72", "1942"), ("Fall 1942", "SS 7.73", "")],
)
def test_winter_brings_the_cards_of_its_year_and_shuffles_all(now: str, rule: str, year: str) -> None:
    """SS 7.71, 7.72, 7.73: the discards of the phase come in as well; a card removed for good does not."""
    state = board(unit("a", "GE", "A"), unit("q", "BR", "Q"), turn=now, vp=9)
    card = state.hands[AXIS][0]
    state.piles, state.removed = {AXIS: ["balbo-4"], ALLIED: []}, {AXIS: ["graziani-10"], ALLIED: []}
    found = end_of_turn(state, message(5, AXIS, section("discard"), {"type": "discard", "cards": card}))
    merged = next(event for event in kinds(found.events, "merge") if event.data["side"] == AXIS)
    assert merged.rule == rule and merged.data["cards"] == [card]
    brought: Any = merged.data["new"]
    assert len(brought) == {"1941": 20, "1942": 21, "": 0}[year]
    assert {state.world.cards[new]["year"] for new in brought} == ({year} if year else set())
    assert found.state.removed[AXIS] == ["graziani-10"] and found.state.discards[AXIS] == []


def test_combat_cards_lie_face_up_until_the_turn_ends_and_no_longer() -> None:
    """SS 7.62: they are in the discards when the deck is shuffled for the next turn."""
    state = board(unit("a", "GE", "A"), unit("q", "BR", "Q"), turn="Fall 1940", vp=9)
    state.face_up, state.discards = {AXIS: ["stukas-at-dawn-9"], ALLIED: ["matildas-1"]}, {AXIS: [], ALLIED: []}
    found = end_of_turn(state, message(5, AXIS))
    merged = next(event for event in kinds(found.events, "merge") if event.data["side"] == AXIS)
    assert merged.data["cards"] == ["stukas-at-dawn-9"]
    assert found.state.face_up == {AXIS: [], ALLIED: []} and found.state.discards[ALLIED] == ["matildas-1"]


def test_the_axis_replaces_first_and_then_the_next_season_begins() -> None:
    """SS 5.51, 5.52, 5.6, sop.E, sop.F."""
    units = [unit("b", "GE", "A", step="reduced"), unit("q", "BR", "Q", step="reduced")]
    state = board(*units, rp={"GE": 1, "BR": 1}, vp=9)
    own = message(5, AXIS, section("replacement"), {"type": "replace", "unit": "b"})
    theirs = message(6, ALLIED, section("replacement"), {"type": "replace", "unit": "q"})
    found = end_of_turn(state.copy(), own, theirs)
    assert [event.data["unit"] for event in kinds(found.events, "restored")] == ["b", "q"]
    assert (turn_name(found.state.turn), found.state.round, found.state.active) == ("Fall 1940", 1, AXIS)
    wrong = message(5, AXIS, section("replacement"), {"type": "replace", "unit": "q"})
    assert [line[:7] for line in voids(end_of_turn(state.copy(), wrong).events)] == ["SS 15.1"]


@pytest.mark.parametrize(("now", "over"), [("Winter 1943", False), ("Spring 1943", True)])
def test_the_game_is_over_after_spring_1943(now: str, over: bool) -> None:
    """SS 5.42, sop.D: points decide where nobody has won before."""
    found = end_of_turn(board(unit("a", "GE", "A"), unit("q", "BR", "Q"), turn=now, vp=6))
    assert (found.state.winner, found.waits.why) == ((AXIS, "over") if over else ("", "decision"))


# --- El Alamein and East Africa --------------------------------------------------------------------------------------


def egypt(*units: Row, switch: str = "no_point") -> State:
    """El Alamein between a source of the Axis and one of the Allies."""
    land: Row = {"region": "Egypt", "terrain": "clear"}
    spaces: dict[str, Row] = {
        "W": {**land, "control": "axis", "source": ["axis"]},
        "X": {**land, "control": "axis"},
        "El Alamein": {**land, "control": "allied"},
        "Y": {**land, "control": "allied", "source": ["allied"]},
    }
    links = (("W", "X"), ("X", "El Alamein"), ("El Alamein", "Y"))
    state = mini(spaces, links, units=list(units), active=AXIS, round=1)
    state.world = replace(state.world, switches={"elalamein_eg_control": switch})
    return state


def walked(state: State, uid: str, *path: str) -> State:
    """A unit moves, and takes what it enters."""
    apply(state, Event("move", "SS 9", {"unit": uid, "path": list(path)}))
    take(Ctx(state, apply), AXIS, path[1:], "SS 3.control")
    return state


def test_next_to_el_alamein_a_unit_counts_that_is_no_egyptian() -> None:
    """SS 5.41a."""
    assert near_alamein(egypt(unit("a", "IT", "X")))
    assert not near_alamein(egypt(unit("e", "EG", "X"))) and not near_alamein(egypt(unit("a", "IT", "W")))


@pytest.mark.parametrize(("switch", "point"), [("no_point", False), ("point", True)])
def test_egyptians_alone_hold_el_alamein_for_no_point(switch: str, point: bool) -> None:
    """SS 5.41a, ruling A65, and its switch; it outlasts the units, and a position keeps it."""
    state = walked(egypt(unit("e", "EG", "X"), unit("a", "IT", "W"), switch=switch), "e", "X", "El Alamein")
    assert state.owner("El Alamein") == AXIS and near_alamein(state) == point
    state.shift("e", "@replacement")
    assert near_alamein(state) == point
    again = restore(state.world, position(state))
    assert near_alamein(again) == point and near_alamein(state.copy()) == point


def test_others_who_come_to_el_alamein_make_it_count() -> None:
    """SS 5.41a, ruling A65; and an Allied recapture ends what the Egyptians had."""
    state = walked(egypt(unit("e", "EG", "X"), unit("a", "IT", "W", mf=3)), "e", "X", "El Alamein")
    walked(state, "a", "W", "X", "El Alamein")
    state.shift("a", "@replacement")
    assert near_alamein(state)
    take(Ctx(state, apply), ALLIED, ["El Alamein"], "SS 3.control")
    take(Ctx(state, apply), AXIS, ["El Alamein"], "SS 13.82")
    assert near_alamein(state) and state.uprising == set()


def test_east_africa_counts_from_fall_1941_on() -> None:
    """SS 5.41b, ruling A68: one space is enough, a mountain that never turns as well."""
    land: Row = {"region": "East Africa", "control": ALLIED, "terrain": "mountain"}
    spaces: dict[str, Row] = dict.fromkeys("KL", land)
    state = mini(spaces, (("K", "L"),))
    state.turn = turn_number("Fall 1941")
    assert not in_east_africa(state)
    state.control["K"] = AXIS
    assert in_east_africa(state)
    state.turn -= 1
    assert not in_east_africa(state)


# --- the action -----------------------------------------------------------------------------------------------------


def in_the_field() -> tuple[State, list[Row]]:
    """A position with a card worth four, and markers for an attack and for a move."""
    state = board(
        unit("a", "GE", "D", mf=3), unit("b", "GE", "B"), unit("q", "BR", "E"), unit("r", "BR", "Q"),
        active=AXIS, round=1,
    )  # fmt: skip
    state.control["E"] = ALLIED
    card = next(name for name, row in sorted(state.world.cards.items()) if row["side"] == AXIS and row["ops"] == "4")
    state.hands[AXIS] = [card]
    rows: list[Row] = [
        {"type": "play_card", "card": card, "use": "ops"}, {"type": "attack_marker", "space": "D"},
        {"type": "move_marker", "space": "B"},
    ]  # fmt: skip
    return state, rows


def test_a_round_is_activation_movement_combat() -> None:
    """SS 7.28, sop.B: combats come after the moves; nobody has to attack, and nobody has to move."""
    state, rows = in_the_field()
    last: list[Row] = [{"type": "move", "unit": "b", "path": ["B", "C"]}, attack("a", "E")]
    _, found = by_mail(state.copy(), script({"orders": [section("round"), *rows, *last]}))
    told = [event.kind for event in found.events if event.kind in ("marker", "move", "designate", "void")]
    assert told == ["marker", "marker", "move", "designate"]
    _, silent = by_mail(state.copy(), script({"orders": [section("round"), *rows]}))
    assert not kinds(silent.events, "designate", "move", "void") and len(kinds(silent.events, "marker")) == 2


@pytest.mark.parametrize("part", ["orders", "followup"])
def test_a_move_or_marker_behind_an_attack_is_void_and_not_passed_over(part: str) -> None:
    """SS 7.27, 7.28: it was taken up by the combat and vanished without a word."""
    state, rows = in_the_field()
    late: list[Row] = [{"type": "move", "unit": "b", "path": ["B", "C"]}, {"type": "move_marker", "space": "A"}]
    told = {"orders": [section("round"), *rows, attack("a", "E"), *late]}
    if part == "followup":
        told["orders"] = [section("round"), *rows, attack("a", "E")]
        told["followup"] = [section("followup"), attack("a", "E"), *late]
    _, found = by_mail(state, script(told))
    missed = [event.data["type"] for event in kinds(found.events, "void") if event.rule == "SS 7.2"]
    assert missed == ["move", "move_marker"] and found.state.pieces["b"].at == "B"


def test_what_follows_an_attack_that_is_void_is_void_as_well() -> None:
    """SS 7.28: no order is passed over."""
    state, rows = in_the_field()
    advance: Row = {"type": "advance", "unit": "a", "path": ["D", "E"]}
    _, found = by_mail(state, script({"orders": [section("round"), *rows, attack("b", "E"), advance]}))
    assert [event.data["type"] for event in kinds(found.events, "void")] == ["attack", "advance"]


@pytest.mark.parametrize("part", ["orders", "followup"])
def test_an_answer_may_stand_behind_an_attack(part: str) -> None:
    """PROTOCOL 5: an answer ahead may stand anywhere; one behind an attack was void, and a program's game broke off."""
    state, rows = in_the_field()
    ahead: Row = {"type": "answer", "to": "losses/1/attacker", "units": ["a"]}
    told = {"orders": [section("round"), *rows, attack("a", "E"), ahead]}
    if part == "followup":
        told["orders"] = [section("round"), *rows, attack("a", "E")]
        told["followup"] = [section("followup"), ahead]
    _, found = by_mail(state, script(told))
    assert not [event for event in kinds(found.events, "void") if event.rule == "SS 7.2"]

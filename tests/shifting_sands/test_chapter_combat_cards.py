"""Combat cards, entry by entry (SS 7.6, 11.25, 11.551, 13.73, FAQ; tests/rules)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adjudicator.engine.driver import Run
from adjudicator.shifting_sands.activation import action_problems
from adjudicator.shifting_sands.card_rules import card_problems, with_card
from adjudicator.shifting_sands.events.playable import event_problems
from adjudicator.shifting_sands.fire import ATTACKER, DEFENDER, Combat, fire_of, fort_of, may_overrun, terrain_of
from adjudicator.shifting_sands.played import PlayedCard, combat_effects
from adjudicator.shifting_sands.prospects import would_be
from adjudicator.shifting_sands.retreat import can_hold, ways_back
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import Link
from tests.shifting_sands.support import ALLIED, AXIS, Row, attack, division, kinds, mini, order, unit
from tests.shifting_sands.test_combat_cards import (
    AIR,
    AWAY,
    END,
    HIGH,
    LAND,
    MINES,
    ON_T,
    RATS,
    WIN,
    card,
    drm,
    field,
    fire,
    fought,
    voids,
)

STUKAS, MATILDAS, GAMBARA = "stukas-at-dawn-21", "matildas-1", "where-is-gambara-25"
FLAK, WEATHER, AXIS_AWAY = "flak-88mm-22", "severe-weather-11", "disengage-8"
LOSE = {**WIN, "combat/t/fire-attacker": 1, "combat/t/fire-defender": 6}
TIE = {**WIN, "combat/t/fire-attacker": 1, "combat/t/fire-defender": 2}
OVERRUN = {**HIGH, "combat/t/fire-defender": 1}
AHEAD: Row = {"type": "advance", "unit": "g1", "path": "A, T, P"}


def ground(terrain: str = "clear", fort: int = 0, owner: str = AXIS, *units: Row) -> State:
    """A space T under attack from A; the defender may fall back to P and Q."""
    foe = ALLIED if owner == AXIS else AXIS
    spaces: dict[str, Row] = {
        "A": {**LAND, "control": owner, "source": [owner]},
        "T": {**LAND, "terrain": terrain, "control": foe, **({"fort": fort} if fort else {})},
        "P": {**LAND, "control": foe},
        "Q": {**LAND, "control": foe, "source": [foe]},
    }
    links = (("A", "T"), ("T", "P"), ("P", "Q"))
    return mini(spaces, links, units=list(units), active=owner, round=1, markers={"A": "attack"})


def in_combat(state: State, side: str, units: list[str], *cards: tuple[str, str]) -> Combat:
    """The combat for T with some cards in it, each with the role of its player."""
    combat = would_be(state, side, units, "T")
    for role, name in cards:
        combat = with_card(state, combat, PlayedCard(role, name, name))
    return combat


def why(state: State, combat: Combat, role: str, name: str) -> list[str]:
    """The rules that keep a card out of a combat; it is put into the hand."""
    side = combat.side_of(role)
    state.hands[side] = [*state.hands[side], name]
    return [problem.rule for problem in card_problems(state, combat, role, name, name)]


def winner(found: Run[State]) -> str:
    """Who won the first combat."""
    return str(kinds(found.events, "winner")[0].data["winner"])


# --- when ------------------------------------------------------------------------------------------------------------


def test_combat_cards_are_events_of_combat_and_of_nothing_else() -> None:
    """SS 3.combat-card, 7.61."""
    state = field()
    state.ops.source, state.history = "", {}
    play = order(0, "event", {"card": AIR})
    assert [problem.rule for problem in event_problems(state, AXIS, play)] == ["SS 7.61"]
    for name, row in state.world.cards.items():
        assert bool(combat_effects(row)) is (row["kind"] == "combat"), name
    assert why(state, would_be(state, AXIS, ["g1"], "T"), ATTACKER, "balbo-4") == ["SS 7.61"]


def test_the_attacker_is_first_and_only_combat_cards_are_played_in_the_round_of_the_other() -> None:
    """SS 7.61, 11.25."""
    state = field()
    late = in_combat(state, AXIS, ["g1"], (DEFENDER, RATS))
    assert why(state, late, ATTACKER, AIR) == ["SS 11.25"]
    early = in_combat(state, AXIS, ["g1"], (ATTACKER, AIR))
    assert why(state, early, DEFENDER, MINES) == []
    other = [p.rule for p in action_problems(state, ALLIED, order(0, "play_card", {"card": RATS, "use": "ops"}))]
    assert other == ["SS 7.61"]


def test_any_number_of_cards_from_hand_and_table_are_played() -> None:
    """SS 11.25, 7.612: what lies face up serves beside what is in hand, and both stay face up if they win."""
    state = field(axis=AIR)
    state.face_up[AXIS] = ["luftwaffe-54"]
    found = fought(state, [ON_T, card(AIR), card("luftwaffe-54"), END], [])
    assert not voids(found) and sorted(drm(found, ATTACKER)) == ["Air Support", "Luftwaffe"]
    assert [event.data["source"] for event in kinds(found.events, "combat-card")] == ["hand", "table"]
    assert sorted(found.state.face_up[AXIS]) == [AIR, "luftwaffe-54"]


# --- kept or lost ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("dice", "won", "kept"), [(HIGH, ATTACKER, 1), (LOSE, DEFENDER, 0)])
def test_the_winner_keeps_and_the_loser_discards(dice: dict[str, int], won: str, kept: int) -> None:
    """SS 7.611, 7.613."""
    state, who = field(axis="luftwaffe-54", allied="air-superiority-55"), "g1, g2" if kept else "g2"
    orders = [attack(who, "T"), card("luftwaffe-54"), END]
    found = fought(state, orders, [card("air-superiority-55")], dice)
    assert winner(found) == won
    assert [len(found.state.face_up.get(side, [])) for side in (AXIS, ALLIED)] == [kept, 1 - kept]
    assert [len(found.state.discards.get(side, [])) for side in (AXIS, ALLIED)] == [1 - kept, kept]
    lost = kinds(found.events, "card-gone")
    assert [(event.rule, event.data["to"]) for event in lost] == [("SS 7.613", "discard")]


def test_a_tie_is_lost_by_both() -> None:
    """SS 7.613, 11.282."""
    orders = [attack("g1", "T"), card("luftwaffe-54"), END]
    found = fought(field(axis="luftwaffe-54", allied=RATS), orders, [card(RATS)], TIE)
    assert winner(found) == ""
    assert found.state.discards == {AXIS: ["luftwaffe-54"], ALLIED: [RATS]} and not any(found.state.face_up.values())


def test_a_card_on_the_table_is_lost_with_a_combat_that_it_served_in_and_stays_otherwise() -> None:
    """SS 7.613, ruling A43."""
    state = field(axis="")
    state.hands[AXIS], state.face_up[AXIS] = [], [AIR, "luftwaffe-54"]
    found = fought(state, [attack("g2", "T"), card(AIR), END], [], LOSE)
    assert winner(found) == DEFENDER
    assert found.state.face_up[AXIS] == ["luftwaffe-54"] and found.state.discards[AXIS] == [AIR]


def test_stukas_serve_in_one_combat() -> None:
    """SS faq.cards.5, 7.611: discarded though the combat is won."""
    found = fought(field(axis=STUKAS), [ON_T, card(STUKAS), END], [])
    assert winner(found) == ATTACKER
    assert found.state.discards[AXIS] == [STUKAS] and not found.state.face_up.get(AXIS)


# --- whom they help --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("switch", "told"), [("allowed", []), ("barred", ["SS 13.73"])])
def test_who_is_out_of_supply_has_no_use_of_them(switch: str, told: list[str]) -> None:
    """SS 13.73, ruling A66: a card that helps nobody stays in hand; one supplied unit is enough."""
    units = [unit("g1", "GE", "A"), unit("g2", "GE", "A"), unit("d", "BR", "T")]
    state = ground("clear", 0, AXIS, *units)
    state.world = replace(state.world, switches={"cards_mixed_oos": switch})
    combat = would_be(state, AXIS, ["g1", "g2"], "T")
    cut_off = replace(combat, statuses={"g1": "oos", "g2": "oos", "d": "full"})
    assert why(state, cut_off, ATTACKER, AIR) == ["SS 13.73"]
    mixed = replace(combat, statuses={"g1": "oos", "g2": "full", "d": "full"})
    assert why(state, mixed, ATTACKER, AIR) == told


# --- terrain and forts -----------------------------------------------------------------------------------------------


def test_matildas_take_the_fort_away_as_stukas_do() -> None:
    """SS faq.cards.2: its factor does not count and an overrun is possible."""
    units = [division("b", "BR", "A", type="armor"), unit("d", "IT", "T")]
    state = ground("clear", 2, ALLIED, *units)
    plain, played = in_combat(state, ALLIED, ["b"]), in_combat(state, ALLIED, ["b"], (ATTACKER, MATILDAS))
    assert (fort_of(state, plain), may_overrun(state, plain)) == (2, False)
    assert (fort_of(state, played), may_overrun(state, played)) == (0, True)
    assert fire_of(state, plain, DEFENDER).strength - fire_of(state, played, DEFENDER).strength == 2


def test_desert_rats_cancel_a_retreat_and_no_overrun() -> None:
    """SS faq.cards.3, ruling A75: the modifier counts all the same."""
    spaces = {"combat/t/fire-attacker": 6, "combat/t/fire-defender": 1}
    units = [division("g", "GE", "A", type="armor", cf=[6, 5]), unit("d", "BR", "T", lf=9)]
    state = ground("clear", 2, AXIS, *units)
    state.hands = {AXIS: [STUKAS], ALLIED: [RATS]}
    state.ops.available, state.ops.source, state.history = 3, "card", {AXIS: {1: "ops"}}
    found = fought(state, [attack("g", "T"), card(STUKAS), END], [card(RATS)], spaces)
    assert not voids(found) and drm(found, DEFENDER) == ["Desert Rats"]
    assert kinds(found.events, "winner")[0].data["overrun"] == "yes" and kinds(found.events, "overrun")


def test_minefields_do_nothing_against_stukas() -> None:
    """SS faq.cards.4."""
    state = ground("clear", 2, AXIS, division("g", "GE", "A"), unit("d", "BR", "T"))
    combat = in_combat(state, AXIS, ["g"], (ATTACKER, STUKAS))
    assert why(state, combat, DEFENDER, MINES) == []
    combat = with_card(state, combat, PlayedCard(DEFENDER, MINES, MINES))
    assert (terrain_of(state, combat), can_hold(state, combat), may_overrun(state, combat)) == ("clear", False, True)


def test_what_is_as_good_as_marsh_is_left_out_with_it() -> None:
    """SS faq.rules.3: Berbera attacked from Aden alone is held as a marsh (SS 11.54), which Matildas leave out."""
    state = ground("clear", 0, ALLIED, unit("b", "BR", "A"), unit("d", "IT", "T"))
    spaces = {**state.world.spaces, "T": replace(state.world.spaces["T"], hold_from="A")}
    state.world = replace(state.world, spaces=spaces)
    assert can_hold(state, in_combat(state, ALLIED, ["b"]))
    assert not can_hold(state, in_combat(state, ALLIED, ["b"], (ATTACKER, MATILDAS)))


def test_a_marsh_of_minefields_is_held_by_order_of_the_same_message() -> None:
    """SS faq.rules.3: the order to hold came before the card was laid, and was void."""
    found = fought(field(allied=MINES), [ON_T, END], [card(MINES), {"type": "hold", "unit": "d2"}])
    assert not voids(found) and [event.data["unit"] for event in kinds(found.events, "hold")] == ["d2"]
    assert not kinds(found.events, "retreat")


@pytest.mark.parametrize(("switch", "at"), [("off", "T"), ("on", "A")])
def test_an_advance_stops_in_the_marsh_of_minefields(switch: str, at: str) -> None:
    """SS faq.cards.17, 11.65, ruling A29 and its switch minefields_no_advance: it enters and stops, or stays."""
    state = field(allied=MINES)
    state.world = replace(state.world, switches={"minefields_no_advance": switch})
    near: Row = {"type": "advance", "unit": "g1", "path": "A, T"}
    found = fought(state, [ON_T, near, END], [card(MINES)], HIGH)
    assert winner(found) == ATTACKER and found.state.pieces["g1"].at == at and not voids(found)
    far = fought(field(allied=MINES), [ON_T, AHEAD, END], [card(MINES)], HIGH)
    assert kinds(far.events, "retreat") and voids(far) == ["SS 11.65"]


def test_minefields_undo_no_flank_attack_and_disengage_does() -> None:
    """SS faq.rules.3: who was flanked is fired at first; Minefields make the space a marsh for all the rest."""
    state = field()
    for name, flank, first in ((MINES, "success", ["attacker", "defender"]), (AWAY, "cancelled", [])):
        combat = replace(would_be(state, AXIS, ["g1", "g2"], "T"), flank="success")
        combat = with_card(state, combat, PlayedCard(DEFENDER, name, name))
        assert combat.flank == flank
        found = fought(field(allied=name), [{**ON_T, "flank": "yes"}, END], [card(name)])
        told = [event.kind for event in found.events if event.kind in ("fire", "losses")]
        assert told[:2] == (["fire", "losses"] if first else ["fire", "fire"])


# --- Disengage, Flak, weather, Gambara -------------------------------------------------------------------------------


def test_disengage_is_for_the_defender() -> None:
    """SS faq.cards.9."""
    state = field()
    combat = would_be(state, AXIS, ["g1"], "T")
    assert why(state, combat, ATTACKER, AXIS_AWAY) == ["SS 11.25"] and why(state, combat, DEFENDER, AWAY) == []


@pytest.mark.parametrize("dice", [LOSE, TIE, HIGH])
def test_who_disengages_takes_his_losses_and_goes_two_spaces_whoever_wins(dice: dict[str, int]) -> None:
    """SS faq.cards.28, 11.551, ruling A44: not beside the space that he left; other cards do not keep him there."""
    found = fought(field(allied=f"{AWAY} {RATS}"), [ON_T, END], [card(AWAY), card(RATS)], dice)
    order_of = [event.kind for event in found.events if event.kind in ("losses", "retreat")]
    gone = kinds(found.events, "retreat")
    assert order_of[0] == "losses" and gone and {tuple(event.data["path"]) for event in gone} == {("T", "P", "Q")}
    assert kinds(found.events, "winner")[0].data["forced"] == "yes"


def test_a_retreat_of_disengage_never_ends_beside_the_space() -> None:
    """SS 11.551: without the card it may (SS 11.55f)."""
    state = ground("clear", 0, AXIS, unit("g", "GE", "A"), unit("d", "BR", "T"))
    plain = ways_back(state, in_combat(state, AXIS, ["g"]), "d", 2)
    state.world = replace(state.world, links={**state.world.links, **_between(state, "T", "Q")})
    assert ways_back(state, in_combat(state, AXIS, ["g"]), "d", 2) and plain == [("T", "P", "Q")]
    assert ways_back(state, in_combat(state, AXIS, ["g"], (DEFENDER, AWAY)), "d", 2) == []


def _between(state: State, a: str, b: str) -> dict[str, dict[str, Link]]:
    """The lines of two spaces with one more between them."""
    link = Link(a, b)
    return {a: {**state.world.links[a], b: link}, b: {**state.world.links[b], a: link}}


def test_flak_fires_first_unless_the_flank_was_turned() -> None:
    """SS faq.rules.3, faq.rules.4: after Disengage has undone it the Flak may be played, and fires first."""
    units = [unit("b1", "BR", "A", type="armor"), unit("b2", "BR", "A"), unit("d", "GE", "T", lf=9)]
    state = ground("clear", 0, ALLIED, *units)
    flanked = replace(would_be(state, ALLIED, ["b1", "b2"], "T"), flank="success")
    assert why(state, flanked, DEFENDER, FLAK) == ["SS 11.25"]
    undone = with_card(state, flanked, PlayedCard(DEFENDER, AXIS_AWAY, AXIS_AWAY))
    assert undone.flank == "cancelled" and why(state, undone, DEFENDER, FLAK) == []


def test_severe_weather_looks_at_the_spaces_of_the_attacker() -> None:
    """SS faq.cards.32: +1 for him, and the marsh of Minefields shifts his fire all the same."""
    state = field(axis=WEATHER, allied=MINES)
    found = fought(state, [ON_T, card(WEATHER), END], [card(MINES)])
    assert not voids(found) and drm(found, ATTACKER) == ["Severe Weather"]
    assert {"name": "terrain", "value": "-1", "rule": "SS 11.27"} in fire(found, ATTACKER).data["shifts"]
    wet = field(axis=WEATHER)
    wet.world = replace(wet.world, spaces={**wet.world.spaces, "A": replace(wet.world.spaces["A"], terrain="marsh")})
    assert why(wet, would_be(wet, AXIS, ["g1"], "T"), ATTACKER, WEATHER) == ["SS 11.25"]


def test_gambara_takes_the_factors_of_italians_and_neither_table_nor_losses() -> None:
    """SS faq.cards.20, faq.cards.27."""
    units = [unit("g", "GE", "A", lf=9), division("i", "IT", "A", lf=1), division("d", "BR", "T", lf=9)]
    state = ground("clear", 0, AXIS, *units)
    state.hands = {AXIS: [], ALLIED: [GAMBARA]}
    state.ops.available, state.ops.source, state.history = 3, "card", {AXIS: {1: "ops"}}
    combat = in_combat(state, AXIS, ["g", "i"], (DEFENDER, GAMBARA))
    assert (fire_of(state, combat, ATTACKER).strength, fire_of(state, combat, ATTACKER).table) == (1, "division")
    found = fought(state, [attack("g, i", "T"), END], [card(GAMBARA)], LOSE)
    lost = next(event for event in kinds(found.events, "losses") if event.data["role"] == ATTACKER)
    assert not voids(found) and "i" in lost.data["steps"]


def test_a_card_of_the_winner_with_an_asterisk_is_gone() -> None:
    """SS 7.611."""
    state = field()
    row = {**state.world.cards[AIR], "asterisk": "yes"}
    state.world = replace(state.world, cards={**state.world.cards, AIR: row})
    found = fought(state, [ON_T, card(AIR), END], [])
    assert winner(found) == ATTACKER and found.state.removed[AXIS] == [AIR] and not found.state.face_up.get(AXIS)



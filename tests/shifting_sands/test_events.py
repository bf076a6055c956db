"""Cards played as events (SS 7.5): the interpreter knows every word, and what each kind of effect does in play."""

from __future__ import annotations

from functools import cache

import pytest

from adjudicator.engine.core import Ctx, Order
from adjudicator.engine.driver import Checkpoint, Run, play
from adjudicator.packs.load import load_pack
from adjudicator.packs.shifting_sands.vocabulary import EFFECTS
from adjudicator.shifting_sands.apply import apply
from adjudicator.shifting_sands.control import take
from adjudicator.shifting_sands.events.carry_out import DO, LASTING
from adjudicator.shifting_sands.events.limits import confined, not_theirs
from adjudicator.shifting_sands.events.play import end_of_actions
from adjudicator.shifting_sands.events.playable import barred, event_problems
from adjudicator.shifting_sands.game import GAME, ShiftingSandsTable
from adjudicator.shifting_sands.position import position, restore
from adjudicator.shifting_sands.redeploy import rd_problems
from adjudicator.shifting_sands.state import State, turn_number
from adjudicator.shifting_sands.template import template
from adjudicator.shifting_sands.world import text, texts
from tests.shifting_sands.rounds import first_rounds
from tests.shifting_sands.support import ALLIED, AXIS, Row, Seeds, kinds, message, section, voids


@cache
def world(switches: str = "") -> ShiftingSandsTable:
    """The campaign with some switches, ``name=value`` with commas."""
    chosen = dict(part.split("=") for part in switches.split(",") if part)
    return GAME.table(load_pack("shifting-sands").tree, "campaign", chosen)


def holding(side: str, *cards: str, turn: str = "Fall 1941", events: str = "", switches: str = "") -> State:
    """The set-up with these cards in the hand of the side whose part of the round it is."""
    state = restore(world(switches).world, position(first_rounds().before(3)))
    state.turn, state.active = turn_number(turn), side
    for name in (AXIS, ALLIED):
        for zone in (state.piles, state.hands, state.discards):
            zone[name] = [card for card in zone[name] if card not in cards]
    state.hands[side] = list(cards)
    state.events = {name: 1 for name in events.split(", ") if name}
    return state


def played(state: State, *rows: Row, answer: tuple[Row, ...] = (), switches: str = "") -> Run[State]:
    """The first part of a round with these orders, and what the other side says at a stop."""
    seq = 3 if state.active == AXIS else 4
    told = [message(seq, state.active, section("round"), *rows)]
    if answer:
        told.append(message(seq + 1, ALLIED if state.active == AXIS else AXIS, *answer))
    return play(world(switches), Checkpoint(state, 2, 2), told, Seeds(9))


def event(card: str, **more: object) -> Row:
    """An order ``event``."""
    return {"type": "event", "card": card, **more}


def place(uid: str, to: str) -> Row:
    """An order ``place``."""
    return {"type": "place", "unit": uid, "to": to}


def test_the_interpreter_has_a_function_for_every_word_of_the_vocabulary() -> None:
    assert set(DO) | {"combat"} == set(EFFECTS) | {"combat"}
    assert set(LASTING) <= set(DO)


def test_a_reinforcement_comes_where_it_is_ordered_and_else_at_the_first_place() -> None:
    card = "british-reinforcements-2nd-armoured-13"
    run = played(holding(ALLIED, card), event(card), place("br-2-arm", "Suez"))
    assert voids(run.events) == []
    assert run.state.pieces["br-2-arm"].at == "Suez"
    assert run.state.reinforced == {ALLIED: ["BR"]}
    first = played(holding(ALLIED, card), event(card))
    assert first.state.pieces["br-2-arm"].at == "Port Said"
    wrong = played(holding(ALLIED, card), event(card), place("br-2-arm", "Cairo"))
    assert len(voids(wrong.events)) == 1 and wrong.state.pieces["br-2-arm"].at == "Port Said"


def test_a_square_gives_operations_points_and_the_card_with_an_asterisk_leaves_the_game() -> None:
    card = "british-reinforcements-2nd-armoured-13"
    run = played(
        holding(ALLIED, card), event(card), place("br-2-arm", "Suez"), {"type": "move_marker", "space": "Suez"},
        {"type": "move", "unit": "br-2-arm", "path": ["Suez", "Port Said"]}, {"type": "end_round"},
    )
    assert voids(run.events) == []
    assert run.state.removed[ALLIED] == [card] and card not in run.state.discards[ALLIED]
    assert [e.data["cards"] for e in kinds(run.events, "card-removed")] == [[card]]


def test_without_a_square_an_event_gives_no_points() -> None:
    run = played(holding(ALLIED, "taranto-raid-3"), event("taranto-raid-3"), {"type": "move_marker", "space": "Cairo"})
    assert run.state.vp == first_rounds().before(3).vp - 1
    assert [e.data["code"] for e in kinds(run.events, "void")] == ["no-ops"]


def test_one_reinforcement_of_a_class_a_turn() -> None:
    card = "british-reinforcements-70th-26"
    state = holding(ALLIED, card)
    state.reinforced = {ALLIED: ["BR"]}
    assert [p.rule for p in barred(state, ALLIED, state.world.cards[card])] == ["SS 7.53"]


def test_a_unit_without_a_place_waits_for_a_later_replacement_phase_or_is_lost() -> None:
    card = "german-reinforcements-15th-panzer-26"
    for switches, delayed, at in (("", True, ""), ("reinforcement_no_space=lose", False, "@eliminated")):
        state = holding(AXIS, card, switches=switches)
        state.control["Tripoli"] = ALLIED
        run = played(state, event(card), switches=switches)
        assert ("ge-15-pz" in run.state.delayed) is delayed
        assert at == "" or run.state.pieces["ge-15-pz"].at == at


def test_an_upgrade_takes_the_place_of_the_weaker_counter_and_keeps_its_step() -> None:
    state = holding(ALLIED, "crusader-tanks-28")
    state.pieces["br-7-arm"].reduced = True
    at = state.pieces["br-7-arm"].at
    run = played(state, event("crusader-tanks-28"))
    assert "br-7-arm" not in run.state.pieces
    assert (run.state.pieces["br-7-arm-u1"].at, run.state.pieces["br-7-arm-u1"].reduced) == (at, True)
    lost = holding(ALLIED, "crusader-tanks-28")
    lost.shift("br-7-arm", "@eliminated")
    assert "br-7-arm-u1" not in played(lost, event("crusader-tanks-28")).state.pieces


def test_the_owner_says_at_a_stop_which_division_an_event_takes() -> None:
    card = "plan-orient-31"
    state = holding(AXIS, card)
    state.place("br-70", "Suez")
    stopped = played(state, event(card))
    assert stopped.waits is not None and stopped.waits.key.startswith("withdraw/") and stopped.waits.side == ALLIED
    assert "type: withdraw" in template(stopped.state, ALLIED, stopped.waits)
    run = played(state, event(card), answer=(section("reaction"), {"type": "withdraw", "unit": "ind-4"}))
    assert [e.data["unit"] for e in kinds(run.events, "withdrawn")] == ["ind-4"]
    assert run.state.pieces["ind-4"].at == "@eliminated"
    wrong = played(state, event(card), answer=(section("reaction"), {"type": "withdraw", "unit": "br-lrdg"}))
    assert len(voids(wrong.events)) == 1 and len(kinds(wrong.events, "withdrawn")) == 1


def test_who_does_not_obey_a_mandate_pays_at_the_end_of_the_turn() -> None:
    state = holding(ALLIED, "orders-from-rome-4", turn="Fall 1940")
    before = state.vp
    run = played(state, event("orders-from-rome-4"))
    assert run.state.mandates == {"Orders from Rome": "open"}
    ctx = Ctx(run.state, apply)
    end_of_actions(ctx)
    assert ctx.state.vp == before - 1 and ctx.state.mandates == {"Orders from Rome": "failed"}


def test_london_calling_ends_with_tripoli() -> None:
    run = played(holding(AXIS, "london-calling-23"), event("london-calling-23"))
    ctx = Ctx(run.state, apply)
    take(ctx, ALLIED, ["Tripoli"], "SS 3")
    assert ctx.state.mandates == {"London Calling": "void"}


def test_points_that_come_once_come_once() -> None:
    state = holding(AXIS, "italian-fleet-5")
    before = state.vp
    ctx = Ctx(played(state, event("italian-fleet-5")).state, apply)
    end_of_actions(ctx)
    assert ctx.state.vp == before + 1
    end_of_actions(ctx)
    assert ctx.state.vp == before + 1


def test_an_activation_counts_markers_of_its_regions() -> None:
    run = played(
        holding(ALLIED, "compass-6"), event("compass-6"), {"type": "move_marker", "space": "Cairo"},
        {"type": "move_marker", "space": "Jerusalem"},
    )
    assert [e.data["cost"] for e in kinds(run.events, "marker")] == ["1"]
    assert [e.data["code"] for e in kinds(run.events, "void")] == ["region"]


def test_torch_sets_up_its_units_and_opens_the_cards_with_a_t() -> None:
    state = holding(ALLIED, "torch-35", turn="Fall 1942")
    run = played(state, event("torch-35"))
    assert voids(run.events) == []
    assert run.state.pieces["us-1"].at == "Oran" and run.state.owner("Thala") == ALLIED
    assert run.state.pieces["ge-10-pz"].reduced and "VF" in run.state.released
    t_card = next(row for row in run.state.world.cards.values() if text(row, "t_card") == "yes")
    assert barred(run.state, text(t_card, "side"), t_card) == []
    assert barred(state, text(t_card, "side"), t_card)


def test_spaces_where_a_t_brings_units_get_a_marker() -> None:
    state = holding(ALLIED, "united-states-reinforcements-2nd-armored-36", turn="Winter 1943", events="Torch")
    for name in ("Casablanca", "Oran", "Algiers"):
        state.control[name] = ALLIED
    run = played(state, event("united-states-reinforcements-2nd-armored-36"), place("us-2-arm", "Oran"))
    assert [(e.data["space"], e.data["marker"]) for e in kinds(run.events, "marker")] == [("Oran", "move")]
    assert run.state.ops.source == "t_event" or run.state.active != ALLIED


def test_points_now_count_as_a_round_of_them() -> None:
    card = "battleship-convoys-29"
    state = holding(AXIS, card)
    run = played(state, event(card))
    assert run.state.rp == {"GE": "2", "IT": "2"}
    assert run.state.history[AXIS][1] == "event rp"
    late = holding(AXIS, card)
    late.round, late.history = 2, {AXIS: {1: "rp"}}
    order = Order(0, "event", {"card": card, "take_rp": "yes"})
    assert [p.rule for p in event_problems(late, AXIS, order)] == ["SS 7.43"]
    assert event_problems(late, AXIS, Order(0, "event", {"card": card})) == []


def test_a_hand_that_is_shown_is_dealt_anew() -> None:
    run = played(holding(ALLIED, "ultra-24"), event("ultra-24"))
    (seen,) = kinds(run.events, "cards-seen")
    assert seen.data["side"] == AXIS and len(seen.data["cards"]) == len(run.state.hands[AXIS])


@pytest.mark.parametrize(
    ("card", "events", "rule"),
    [
        ("malta-convoys-22", "", "SS 7.521"),
        ("malta-convoys-22", "Barbarossa, Siege of Malta", "SS 7.521"),
        ("malta-victorious-46", "Spitfires, Herkules", "SS 10.323"),
        ("spitfires-45", "Herkules", "SS 7.44c"),
        ("matildas-1", "", "SS 7.61"),
    ],
)
def test_a_card_that_may_not_be_an_event_now_says_why(card: str, events: str, rule: str) -> None:
    state = holding(ALLIED, card, turn="Summer 1942", events=events)
    assert [p.rule for p in event_problems(state, ALLIED, Order(0, "event", {"card": card}))][:1] == [rule]


def test_a_turn_file_says_what_may_be_played_as_an_event() -> None:
    state = holding(ALLIED, "malta-convoys-22", "british-reinforcements-70th-26")
    waits = played(state).waits
    assert waits is not None
    lines = template(state, ALLIED, type(waits)("decision", ALLIED, "orders/fall-1941/1/allied"))
    told = " ".join(lines.replace("#", " ").split())
    assert "not as an event now: Malta Convoys" in told and "(SS 7.521)" in told
    assert "as an event: BR 70 to Port Said, Suez" in told


def test_an_event_keeps_a_side_in_a_region_to_the_end_of_its_turn() -> None:
    state = holding(AXIS, "london-calling-23", turn="Fall 1942")
    uid = next(u for u in state.side_units(AXIS) if state.counter(u).nation == "IT" and not state.counter(u).division)
    state.shift(uid, "Sidi Barrani")
    state.control["Sidi Barrani"] = AXIS
    unit = state.counter(uid)
    assert confined(state, unit, "Sidi Barrani", "Halfaya") is None
    state.events["Victory or Death"] = state.turn
    assert confined(state, unit, "Sidi Barrani", "Sollum") is not None or confined(
        state, unit, "Sidi Barrani", "Tobruk"
    ) is not None
    assert confined(state, unit, "Sidi Barrani", "Mersa Matruh") is None
    assert confined(state, unit, "Tobruk", "Bardia") is None
    order = Order(0, "rd", {"unit": uid, "to": "@reserve"})
    assert [p.code for p in rd_problems(state, AXIS, order)] == ["confined"]
    state.turn += 1
    assert confined(state, unit, "Sidi Barrani", "Tobruk") is None


def test_points_for_some_nations_serve_no_other() -> None:
    name = next(name for name, e in holding(AXIS).world.effects("rd_points") if texts(e, "nations") == ["IT"])
    state = holding(AXIS, events=name)
    state.fresh = [name]
    nations = {state.counter(uid).nation: state.counter(uid) for uid in state.world.counters}
    assert not_theirs(state, nations["IT"]) is None and not_theirs(state, nations["GE"]) is not None

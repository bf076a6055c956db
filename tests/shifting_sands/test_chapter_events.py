"""Cards played as events, entry by entry (SS 3, 7.5, 10.32, 19; tests/rules)."""

from __future__ import annotations

import pytest

from adjudicator.engine.core import Ctx, Order
from adjudicator.engine.driver import Run
from adjudicator.packs.load import load_pack
from adjudicator.shifting_sands.apply import apply
from adjudicator.shifting_sands.arrival import arrival_places
from adjudicator.shifting_sands.control import take
from adjudicator.shifting_sands.events.carry_out import DO
from adjudicator.shifting_sands.events.mandates import obey
from adjudicator.shifting_sands.events.placing import fill_in, late_comers
from adjudicator.shifting_sands.events.play import end_of_actions
from adjudicator.shifting_sands.events.playable import barred, event_problems
from adjudicator.shifting_sands.names import books_of
from adjudicator.shifting_sands.redeploy import rd_problems
from adjudicator.shifting_sands.replacement import bans, left2, of_card, rebuild_problems
from adjudicator.shifting_sands.state import State, turn_number
from adjudicator.shifting_sands.world import rows, text
from tests.shifting_sands.support import ALLIED, AXIS, Row, kinds, section, table, voids
from tests.shifting_sands.test_events import event, holding, place, played, world

ISLANDERS = ("it-20", "it-80", "it-185", "ge-ramcke-bg")
ARMORED, SEVENTH = "british-reinforcements-2nd-armoured-13", "br-7-arm"


def why(state: State, card: str, **more: object) -> list[str]:
    """The rules that keep a card from being an event now."""
    data = {name: [*value] if isinstance(value, list) else str(value) for name, value in more.items()}
    return [p.rule for p in event_problems(state, state.active, Order(0, "event", {"card": card, **data}))]


def cleared(state: State, *places: str) -> State:
    """The spaces without the units that stand there."""
    for name in places:
        for uid in list(state.units_in(name)):
            state.shift(uid, "Aswan")
    return state


def off_malta(*gone: str, events: str = "Siege of Malta", hand: tuple[str, ...] = ()) -> State:
    """Herkules in hand, and its troops in Sicily without those that are gone."""
    state = holding(AXIS, "herkules-36", *hand, turn="Summer 1942", events=events)
    for uid in ISLANDERS:
        if uid not in gone:
            state.place(uid, "Sicily Box")
    return state


def told(run: Run[State], kind: str, name: str) -> list[object]:
    """A field of the events of one kind."""
    return [one.data.get(name, "") for one in kinds(run.events, kind)]


# --- what a card may be, and what becomes of it -----------------------------------------------------------------------


def test_a_card_is_its_event_or_its_points_and_not_both() -> None:
    """SS 7.12, 7.13: one use a round; without a square the event brings no point, with one it does."""
    card = "taranto-raid-3"
    twice = played(holding(ALLIED, card, ARMORED), event(card), {"type": "play_card", "card": ARMORED, "use": "ops"})
    assert [line[:7] for line in voids(twice.events)] == ["SS 6.12"] and twice.state.hands[ALLIED] == [ARMORED]
    for use in ("ops", "rd", "rp"):
        run = played(holding(ALLIED, card), {"type": "play_card", "card": card, "use": use})
        assert not kinds(run.events, "event") and run.state.discards[ALLIED][-1] == card
    squared = played(holding(ALLIED, ARMORED), event(ARMORED), {"type": "move_marker", "space": "Port Said"})
    assert voids(squared.events) == [] and len(kinds(squared.events, "marker")) == 1


def test_points_of_a_square_are_none_of_redeployment() -> None:
    """SS 7.13, faq.rules.16."""
    run = played(holding(ALLIED, ARMORED), event(ARMORED), {"type": "rd", "unit": "br-inf-bg-3", "to": "@reserve"})
    assert [line[:7] for line in voids(run.events)] == ["SS 7.31"]


def test_a_card_with_an_asterisk_leaves_with_its_event_alone() -> None:
    """SS 3.asterisk, 7.52.event: at the end of the round; one without an asterisk is discarded."""
    starred, plain = "taranto-raid-3", "mediterranean-fleet-10"
    run = played(holding(ALLIED, starred), event(starred))
    assert run.state.removed[ALLIED] == [starred] and starred not in run.state.discards[ALLIED]
    order = [one.kind for one in run.events]
    assert order.index("event") < order.index("card-removed") < order.index("end-round")
    state = holding(ALLIED, plain)
    state.events["Italian Fleet"] = state.turn
    kept = played(state, event(plain))
    assert plain in kept.state.discards[ALLIED] and not kinds(kept.events, "card-removed")
    spent = played(holding(ALLIED, starred), {"type": "play_card", "card": starred, "use": "ops"})
    assert starred in spent.state.discards[ALLIED] and spent.state.leaving == ""


@pytest.mark.parametrize("side", [AXIS, ALLIED])
def test_cards_with_a_t_wait_for_torch(side: str) -> None:
    """SS 3.torch-card, 7.53: of both sides; as anything but an event they serve before."""
    name, row = next((n, r) for n, r in world().world.cards.items() if r["t_card"] == "yes" and r["side"] == side)
    state = holding(side, name, turn="Winter 1943")
    assert why(state, name)[0] == "SS 7.53"
    assert voids(played(state, {"type": "play_card", "card": name, "use": "ops"}).events) == []
    state.events["Torch"] = turn_number("Fall 1942")
    assert barred(state, side, row) == []
    state.reinforced = {side: ["T"]}
    assert why(state, name) == ["SS 7.53"]


def test_one_event_of_each_class_a_turn_beside_the_other_classes() -> None:
    """SS 7.53: a BR, a CW and a T; a GE and an IT and a T; a new turn counts anew."""
    state = holding(ALLIED, turn="Winter 1943", events="Torch")
    state.reinforced = {ALLIED: ["CW", "T"], AXIS: ["BR"]}
    cards = {text(row, "reinforcement_class"): row for row in world().world.cards.values()}
    assert barred(state, ALLIED, cards["BR"]) == []
    assert [p.code for p in barred(state, ALLIED, cards["CW"])] == ["class"]
    run = played(holding(ALLIED, ARMORED), event(ARMORED))
    assert run.state.reinforced == {ALLIED: ["BR"]}
    ctx = Ctx(run.state, apply)
    ctx.emit("turn", "SS 5.6", turn="Winter 1942", phase="action", step="round")
    assert ctx.state.reinforced == {} and ctx.state.arrived == {}


def test_which_cards_are_reinforcements() -> None:
    """SS faq.cards.21, faq.cards.22: not Rommel, the LRDG, Torch; Tiger Convoy and Unternehmen Irak are."""
    cards = {text(row, "name"): row for row in world().world.cards.values()}
    state = holding(AXIS, turn="Fall 1942", events="Iraqi Revolt")
    state.reinforced = {side: ["BR", "CW", "GE", "IT", "T"] for side in (AXIS, ALLIED)}
    for name in ("Rommel", "Long Range Desert Group", "Torch"):
        assert barred(state, text(cards[name], "side"), cards[name]) == []
    for name in ("Tiger Convoy", "Unternehmen Irak"):
        assert [p.code for p in barred(state, text(cards[name], "side"), cards[name])] == ["class"]


def test_every_card_that_is_an_event_can_be_carried_out() -> None:
    """SS 7.51: each is played in a position that allows it; its effects come in the order of the card, none is void."""
    for card, row in world().world.cards.items():
        if text(row, "kind") == "combat":
            continue
        name = text(row, "name")
        state = ripe(text(row, "side"), card)
        assert why(state, card) == [], name
        run = played(state, event(card))
        assert voids(run.events) == [] and name in run.state.events, name
        assert {text(effect, "do") for effect in rows(row, "effects")} <= set(DO)


def ripe(side: str, card: str) -> State:
    """A position in which a card may be an event: what must have been played was, what bars it was not."""
    row = world().world.cards[card]
    wanted = [text(c, name) for c in rows(row, "conditions") for name in ("played", "if_played", "then_played")]
    events = {name for name in wanted if name}
    state = holding(side, card, turn="Fall 1942", events=", ".join(sorted(events)))
    now = [text(c, "played_this_turn") for c in rows(row, "conditions") if "played_this_turn" in c]
    state.events |= dict.fromkeys(now, state.turn)
    if text(row, "name") == "Herkules":
        state.events.pop("Spitfires", None)
        for uid in ISLANDERS:
            state.place(uid, "Sicily Box")
    return state


# --- Malta ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", ["malta-convoys-22", "malta-convoys-47"])
def test_malta_convoys_hang_on_barbarossa_and_on_the_siege(card: str) -> None:
    """SS 7.521: after Barbarossa; once Siege of Malta was played, after Spitfires too."""
    for events, rule in (
        ("", ["SS 7.521"]),
        ("Barbarossa", []),
        ("Barbarossa, Siege of Malta", ["SS 7.521"]),
        ("Barbarossa, Siege of Malta, Spitfires", []),
        ("Siege of Malta", ["SS 7.521", "SS 7.521"]),
    ):
        assert why(holding(ALLIED, card, turn="Fall 1942", events=events), card) == rule, events


def test_herkules_asks_for_its_troops_and_takes_malta_with_them() -> None:
    """SS 10.321, faq.rules.36: three divisions and Ramcke in Sicily; all Axis units there are lost for good."""
    for gone in ISLANDERS:
        assert why(off_malta(gone), "herkules-36") == ["SS 10.321"]
    state = off_malta()
    state.pieces["it-20"].reduced = True
    state.place("it-136", "Sicily Box")
    run = played(state, event("herkules-36"))
    assert voids(run.events) == [] and run.state.owner("Malta") == AXIS and run.state.vp == state.vp + 1
    assert {run.state.pieces[uid].at for uid in (*ISLANDERS, "it-136")} == {"@eliminated"}
    assert run.state.units_in("Sicily Box") == []
    order = Order(0, "rd", {"unit": "it-136", "path": ["Sicily Box", "Tripoli"]})
    assert [p.code for p in rd_problems(run.state, AXIS, order)] == ["gone"]


def test_after_spitfires_air_support_comes_from_the_hand_and_is_discarded() -> None:
    """SS 10.322, faq.cards.33, faq.cards.34: played at the same time, from the hand and not from the table."""
    events = "Siege of Malta, Spitfires"
    state = off_malta(events=events, hand=("air-support-9",))
    assert why(state, "herkules-36") == ["SS 10.322"]
    run = played(state, event("herkules-36", with_cards=["air-support-9"]))
    assert voids(run.events) == [] and run.state.owner("Malta") == AXIS
    assert "air-support-9" in run.state.discards[AXIS] and not run.state.face_up.get(AXIS)
    lying = off_malta(events=events)
    lying.face_up[AXIS] = ["air-support-9"]
    assert why(lying, "herkules-36", with_cards=["air-support-9"]) == ["SS 10.322"]
    assert why(off_malta(hand=("air-support-9",)), "herkules-36", with_cards=["air-support-9"]) == ["SS 7.51"]


def test_herkules_and_malta_victorious_exclude_each_other_and_herkules_the_spitfires() -> None:
    """SS 10.323, faq.cards.19, errata.card.A45: and it ends what Spitfires did."""
    assert why(off_malta(events="Siege of Malta, Malta Victorious"), "herkules-36") == ["SS 10.323"]
    victorious = holding(ALLIED, "malta-victorious-46", turn="Fall 1942", events="Spitfires, Herkules")
    assert why(victorious, "malta-victorious-46") == ["SS 10.323"]
    late = holding(ALLIED, "spitfires-45", turn="Fall 1942", events="Siege of Malta, Herkules")
    assert why(late, "spitfires-45") == ["SS 7.44c"]
    assert bans(holding(AXIS, events="Siege of Malta, Spitfires"), AXIS) == ["Spitfires"]
    assert bans(holding(AXIS, events="Siege of Malta, Spitfires, Herkules"), AXIS) == []


def test_spitfires_need_no_siege_but_by_house_rule() -> None:
    """Ruling A78."""
    state = holding(ALLIED, "spitfires-45", turn="Fall 1942")
    assert why(state, "spitfires-45") == []
    strict = holding(ALLIED, "spitfires-45", turn="Fall 1942", switches="cards_spitfires_needs_siege=on")
    assert why(strict, "spitfires-45") == ["SS 7.51"]
    strict.events["Siege of Malta"] = 1
    assert why(strict, "spitfires-45") == []


@pytest.mark.parametrize("option", ["", "19.3"])
def test_alternate_malta_brings_no_points(option: str) -> None:
    """SS 19.3: neither Herkules nor Malta Victorious; the rest of each stays."""
    switches = f"options={option}" if option else ""
    herkules = holding(AXIS, "herkules-36", turn="Summer 1942", events="Siege of Malta", switches=switches)
    for uid in ISLANDERS:
        herkules.place(uid, "Sicily Box")
    run = played(herkules, event("herkules-36"), switches=switches)
    assert run.state.vp - herkules.vp == (0 if option else 1) and run.state.owner("Malta") == AXIS
    victorious = holding(ALLIED, "malta-victorious-46", turn="Fall 1942", events="Spitfires", switches=switches)
    run = played(victorious, event("malta-victorious-46"), switches=switches)
    assert run.state.vp - victorious.vp == (0 if option else -1) and "Malta Victorious" in bans(run.state, AXIS)


def test_barbarossa_may_be_played_for_nothing() -> None:
    """SS faq.cards.16: after Siege of Malta it bars nobody and leaves the deck; never before Summer 1941 (SS 19.42)."""
    state = holding(ALLIED, "barbarossa-15", turn="Spring 1942", events="Siege of Malta")
    run = played(state, event("barbarossa-15"))
    assert voids(run.events) == [] and run.state.removed[ALLIED] == ["barbarossa-15"]
    assert bans(run.state, AXIS) == []
    assert why(holding(ALLIED, "barbarossa-15", turn="Spring 1941"), "barbarossa-15") == ["SS 19.42"]


# --- events that demand something, events that give points ------------------------------------------------------------


def test_london_calling_needs_an_axis_tripoli_and_ends_with_it() -> None:
    """SS 7.522, ruling A73: the card counts as played, its demand ends."""
    card = "london-calling-23"
    lost = holding(AXIS, card)
    lost.control["Tripoli"] = ALLIED
    assert why(lost, card) == ["SS 7.522"]
    run = played(holding(AXIS, card), event(card))
    ctx = Ctx(run.state, apply)
    take(ctx, ALLIED, ["Tripoli"], "SS 3")
    before = ctx.state.vp
    end_of_actions(ctx)
    assert ctx.state.mandates == {"London Calling": "void"} and ctx.state.vp == before
    assert "London Calling" in ctx.state.events


def test_orders_from_rome_asks_for_an_attack_that_comes_after_it() -> None:
    """SS faq.cards.18: of a division, in Libya or Egypt, in an Axis round after the play."""
    card = "orders-from-rome-4"
    run = played(holding(ALLIED, card, turn="Fall 1940"), event(card))
    for target, units, status in (
        ("Kassala", ["it-62"], "open"), ("Sidi Barrani", ["it-inf-bg-1"], "open"), ("Sidi Barrani", ["it-62"], "done"),
    ):
        ctx = Ctx(run.state.copy(), apply)
        obey(ctx, AXIS, target, units, ())
        assert ctx.state.mandates == {"Orders from Rome": status}, (target, units)
    fresh = Ctx(run.state.copy(), apply)
    fresh.state.fresh = ["Orders from Rome"]
    obey(fresh, AXIS, "Sidi Barrani", ["it-62"], ())
    assert fresh.state.mandates == {"Orders from Rome": "open"}


def test_points_of_battleship_convoys_count_as_a_round_of_them() -> None:
    """SS faq.cards.35, ruling A52: not after a card for points; under a ban they may be taken, unless barred."""
    card = "battleship-convoys-29"
    late = holding(AXIS, card, events="Barbarossa")
    late.round, late.history = 2, {AXIS: {1: "rp"}}
    assert why(late, card, take_rp="yes") == ["SS 7.43"] and why(late, card) == []
    assert played(late, event(card)).state.rp == {}
    banned = holding(AXIS, card, events="Barbarossa")
    run = played(banned, event(card))
    assert run.state.rp == {"GE": "2", "IT": "2"}
    after = run.state.copy()
    after.round, after.active, after.hands[AXIS] = 2, AXIS, ["graziani-10"]
    after.ops.source = ""
    order = Order(0, "play_card", {"card": "graziani-10", "use": "rp"})
    after.events.clear()
    assert [p.rule for p in event_problems(after, AXIS, order)] == ["SS 7.43"]
    barred_ = holding(AXIS, card, events="Barbarossa", switches="battleship_convoys_under_ban=barred")
    assert why(barred_, card, take_rp="yes") == ["SS 7.44"]
    assert played(barred_, event(card), switches="battleship_convoys_under_ban=barred").state.rp == {}


# --- units that come --------------------------------------------------------------------------------------------------


def test_egyptians_come_to_empty_allied_towns_which_turn_at_once() -> None:
    """SS 7.531b, ruling A42: one or several towns, each empty, never Port Said and Suez by one play."""
    card = "egyptian-uprising-6"
    state = cleared(holding(AXIS, card), "Cairo", "Mersa Matruh")
    places = arrival_places(state, state.counter("eg-inf-bg-1"), "Egyptian Uprising")
    assert places == ["Cairo", "Mersa Matruh"]
    run = played(state, event(card), place("eg-inf-bg-1", "Mersa Matruh"))
    assert voids(run.events) == [] and run.state.vp == state.vp + 2
    assert {run.state.pieces[f"eg-inf-bg-{n}"].at for n in (1, 2)} == {"Cairo", "Mersa Matruh"}
    assert {run.state.owner(name) for name in ("Cairo", "Mersa Matruh")} == {AXIS}
    both = played(state, event(card), place("eg-inf-bg-1", "Cairo"), place("eg-inf-bg-2", "Cairo"))
    assert voids(both.events) == [] and both.state.owner("Mersa Matruh") == ALLIED
    assert both.state.units_in("Cairo") == ["eg-inf-bg-1", "eg-inf-bg-2"] and both.state.vp == state.vp + 1
    held = played(state, event(card), place("eg-inf-bg-1", "Alexandria"))
    assert [line[:9] for line in voids(held.events)] == ["SS 7.531b"]
    canal = cleared(holding(AXIS, card), "Port Said", "Suez")
    run = played(canal, event(card), place("eg-inf-bg-1", "Suez"), place("eg-inf-bg-2", "Port Said"))
    assert len(voids(run.events)) == 1 and run.state.owner("Suez") == AXIS and run.state.owner("Port Said") == ALLIED
    full = played(holding(AXIS, card), event(card))
    assert {full.state.pieces[f"eg-inf-bg-{n}"].at for n in (1, 2)} == {"@reserve"} and full.state.vp == state.vp


def test_a_unit_without_a_place_waits_outside_and_comes_later() -> None:
    """SS 7.53, ruling A53: a battlegroup in the reserve box, a division in a later replacement phase; lost by house
    rule."""
    card = "german-reinforcements-15th-panzer-26"
    state = holding(AXIS, card)
    state.control["Tripoli"] = ALLIED
    run = played(state, event(card))
    assert run.state.delayed == {"ge-15-pz": "German Reinforcements (15th Panzer)"}
    assert late_comers(run.state, AXIS) == {"ge-15-pz": []}
    ctx = Ctx(run.state, apply)
    fill_in(ctx, AXIS, [], ())
    assert "ge-15-pz" not in ctx.state.pieces
    ctx.state.control["Tripoli"] = AXIS
    fill_in(ctx, AXIS, [], ())
    assert ctx.state.pieces["ge-15-pz"].at == "Tripoli" and ctx.state.delayed == {}
    strict = holding(AXIS, card, switches="reinforcement_no_space=lose")
    strict.control["Tripoli"] = ALLIED
    lost = played(strict, event(card), switches="reinforcement_no_space=lose")
    assert lost.state.pieces["ge-15-pz"].at == "@eliminated"


@pytest.mark.parametrize("step", ["full", "reduced"])
def test_an_upgrade_keeps_place_and_step(step: str) -> None:
    """SS 7.54a: on the map."""
    state = holding(ALLIED, "crusader-tanks-28")
    state.pieces[SEVENTH].reduced = step == "reduced"
    at = state.pieces[SEVENTH].at
    run = played(state, event("crusader-tanks-28"))
    assert (run.state.pieces["br-7-arm-u1"].at, run.state.step_of("br-7-arm-u1")) == (at, step)
    assert SEVENTH not in run.state.pieces and run.state.cf("br-7-arm-u1") > state.cf(SEVENTH)


def test_an_upgrade_in_the_replacement_box_waits_for_points_there() -> None:
    """SS 7.54b."""
    state = holding(ALLIED, "crusader-tanks-28")
    state.shift(SEVENTH, "@replacement")
    after = played(state, event("crusader-tanks-28")).state
    assert after.pieces["br-7-arm-u1"].at == "@replacement" and SEVENTH not in after.pieces
    after.rp = {"BR": "2"}
    order = Order(0, "recreate", {"unit": "br-7-arm-u1", "to": "Suez"})
    assert rebuild_problems(after, ALLIED, order) == []


def test_an_upgrade_of_what_is_not_in_play_comes_in_its_stead() -> None:
    """SS 7.54c: the weaker counter is out of the game, and the second upgrade follows the first."""
    state = holding(ALLIED, "crusader-tanks-28")
    state.lift(SEVENTH, state.pieces[SEVENTH].at)
    after = played(state, event("crusader-tanks-28")).state
    assert after.upgrades == {SEVENTH: "br-7-arm-u1"} and not {SEVENTH, "br-7-arm-u1"} & set(after.pieces)
    after.active, after.round, after.hands[ALLIED] = ALLIED, 2, ["sherman-tanks-51"]
    after.turn = turn_number("Fall 1942")
    assert played(after, event("sherman-tanks-51")).state.upgrades["br-7-arm-u1"] == "br-7-arm-u2"


def test_no_upgrade_of_what_is_lost_for_good() -> None:
    """SS 7.54d."""
    state = holding(ALLIED, "crusader-tanks-28")
    state.shift(SEVENTH, "@eliminated")
    after = played(state, event("crusader-tanks-28")).state
    assert after.pieces[SEVENTH].at == "@eliminated" and after.upgrades == {}


def test_the_lrdg_comes_with_its_event() -> None:
    """SS 11.71: into the Deep Desert; with an Axis Mersa Matruh to Cairo or into the reserve box (SS faq.rules.15)."""
    card = "long-range-desert-group-14"
    assert played(holding(ALLIED, card), event(card)).state.pieces["br-lrdg"].at == "Deep Desert"
    lost = holding(ALLIED, card)
    lost.control["Mersa Matruh"] = AXIS
    for to in ("Cairo", "@reserve"):
        run = played(lost, event(card), place("br-lrdg", to))
        assert voids(run.events) == [] and run.state.pieces["br-lrdg"].at == to


@pytest.mark.parametrize(("options", "comes"), [("", True), ("options=19.12", False)])
def test_the_mountain_troops_come_by_option(options: str, comes: bool) -> None:
    """SS 19.11: with Unternehmen Irak, to Baghdad or Beirut; out of the game without the option."""
    card = "unternehmen-irak-19"
    state = holding(AXIS, card, events="Iraqi Revolt", switches=options)
    state.released = {"IR", "VF"}
    state.shift(state.units_in("Beirut")[0], "Damascus")
    run = played(state, event(card), *([place("ge-5-mtn", "Beirut")] if comes else []), switches=options)
    assert voids(run.events) == [] and ("ge-5-mtn" in run.state.pieces) is comes
    assert not comes or run.state.pieces["ge-5-mtn"].at == "Beirut"


def test_points_of_a_square_serve_the_units_that_come_with_them() -> None:
    """SS faq.rules.33, faq.rules.34: they move, and they attack, in the round in which they come."""
    state = holding(ALLIED, ARMORED)
    marker: Row = {"type": "move_marker", "space": "Suez"}
    go = {"type": "move", "unit": "br-2-arm", "path": ["Suez", "Port Said"]}
    run = played(state, event(ARMORED), place("br-2-arm", "Suez"), marker, go)
    assert voids(run.events) == [] and run.state.pieces["br-2-arm"].at == "Port Said"
    state.place("ge-15-pz", "Port Said")
    cleared(state, "Port Said")
    state.shift("ge-15-pz", "Port Said")
    state.control["Port Said"] = AXIS
    marker = {"type": "attack_marker", "space": "Suez"}
    fight = {"type": "attack", "units": "br-2-arm", "target": "Port Said"}
    run = played(state, event(ARMORED), place("br-2-arm", "Suez"), marker, fight)
    assert voids(run.events) == [] and told(run, "designate", "units") == [["br-2-arm"]]


@pytest.mark.parametrize(("ban", "later"), [("round", []), ("turn", ["SS faq.rules.17"])])
def test_a_new_division_is_not_redeployed_at_once(ban: str, later: list[str]) -> None:
    """SS faq.rules.17, ruling A33: not in the round of its arrival, by house rule not in the turn."""
    switches = f"rd_arrival_ban={ban}" if ban == "turn" else ""
    state = played(holding(ALLIED, ARMORED, switches=switches), event(ARMORED), switches=switches).state
    order = Order(0, "rd", {"unit": "br-2-arm", "mode": "sea", "path": ["Port Said", "Alexandria"]})
    for number, rules in ((1, ["SS faq.rules.17"]), (2, later)):
        state.round = number
        assert [p.rule for p in rd_problems(state, ALLIED, order)] == rules
    group = next(uid for uid in state.arrived if not state.counter(uid).division)
    state.arrived[group] = state.round
    box = Order(0, "rd", {"unit": group, "to": "Alexandria"})
    assert "SS faq.rules.17" not in [p.rule for p in rd_problems(state, ALLIED, box)]


def test_the_greeks_come_by_the_replacement_box() -> None:
    """SS faq.counters.1."""
    state = holding(AXIS, "balkan-campaign-15", events="Invasion of Greece")
    withdraw = [{"type": "withdraw", "unit": uid} for uid in (SEVENTH, "ind-4", "br-arm-bg-1")]
    assert arrival_places(state, state.counter("gk-inf-bg"), "Balkan Campaign") == ["@replacement"]
    run = played(state, event("balkan-campaign-15"), answer=(section("reaction"), *withdraw))
    assert voids(run.events) == [] and run.state.pieces["gk-inf-bg"].at == "@replacement"


# --- units that go ----------------------------------------------------------------------------------------------------


def balkans(*gone: str, reduced: tuple[str, ...] = (), on_map: tuple[str, ...] = ()) -> Run[State]:
    """Balkan Campaign with the units that the Allies give up for it, out of three divisions."""
    state = holding(AXIS, "balkan-campaign-15", events="Invasion of Greece")
    state.place("br-70", "Suez")
    for uid in reduced:
        state.pieces[uid].reduced = True
    for uid in on_map:
        state.shift(uid, "Cairo")
    withdraw = [{"type": "withdraw", "unit": uid} for uid in gone]
    return played(state, event("balkan-campaign-15"), answer=(section("reaction"), *withdraw))


def test_the_owner_gives_up_divisions_of_any_step_in_any_order() -> None:
    """SS faq.cards.23, faq.cards.24: reduced or full, whichever he likes."""
    for reduced in ((), (SEVENTH,), ("ind-4",)):
        run = balkans(SEVENTH, "ind-4", "br-arm-bg-1", reduced=reduced)
        assert voids(run.events) == []
        assert {run.state.pieces[uid].at for uid in (SEVENTH, "ind-4", "br-arm-bg-1")} == {"@eliminated"}
    short = balkans(SEVENTH, "br-arm-bg-1")
    assert len(voids(short.events)) == 2 and len(kinds(short.events, "withdrawn")) == 3


def test_the_armor_battlegroup_goes_from_the_map_then_from_the_reserve_else_a_point() -> None:
    """SS faq.cards.25: one in the replacement box stays there, and the marker goes up by one."""
    mapped = balkans(SEVENTH, "ind-4", "br-arm-bg-1", on_map=("br-arm-bg-2",))
    assert len(voids(mapped.events)) == 3 and mapped.state.pieces["br-arm-bg-2"].at == "@eliminated"
    assert mapped.state.pieces["br-arm-bg-1"].at != "@eliminated"
    state = holding(AXIS, "rising-sun-30", turn="Spring 1942")
    for uid in ("br-arm-bg-1", "br-arm-bg-2"):
        state.shift(uid, "@replacement")
    run = played(state, event("rising-sun-30"))
    assert run.state.vp == state.vp + 1 and told(run, "withdrawn", "unit") == []
    assert run.state.pieces["br-arm-bg-1"].at == "@replacement"


def test_battlegroups_take_the_place_of_divisions_where_the_card_says_so() -> None:
    """SS faq.cards.26: with Balkan Campaign, never one that leaves by the same play; not with Rising Sun."""
    run = balkans(SEVENTH, "ind-4", "br-arm-bg-2", reduced=("br-arm-bg-2",))
    assert voids(run.events) == [] and not [e for e in kinds(run.events, "vp") if e.rule == "SS faq.cards.25"]
    assert told(run, "substituted", "unit") == ["br-arm-bg-1", "ind-inf-bg-1"]
    assert told(run, "withdrawn", "unit") == [SEVENTH, "ind-4", "br-arm-bg-2"]
    state = holding(AXIS, "rising-sun-30", turn="Spring 1942")
    state.place("aus-7", "Suez")
    state.place("aus-inf-bg-1", "@reserve")
    withdraw = [{"type": "withdraw", "unit": uid} for uid in ("aus-7", "br-arm-bg-1")]
    gone = played(state, event("rising-sun-30"), answer=(section("reaction"), *withdraw))
    assert told(gone, "withdrawn", "unit") == ["aus-7", "br-arm-bg-1"] and not kinds(gone.events, "substituted")


# --- lands, Torch, names ----------------------------------------------------------------------------------------------


def test_the_revolt_turns_baghdad_for_a_point() -> None:
    """SS faq.cards.7."""
    state = holding(AXIS, "iraqi-revolt-17")
    run = played(state, event("iraqi-revolt-17"))
    assert run.state.owner("Baghdad") == AXIS and run.state.vp == state.vp + 1 and run.state.released == {"IR", "VF"}


def torch() -> Run[State]:
    """Torch, played in the campaign."""
    return played(holding(ALLIED, "torch-35", turn="Summer 1942"), event("torch-35"))


def test_torch_takes_its_spaces_and_those_of_its_list() -> None:
    """SS torch.control: where Allied units land, and three more; the Axis keeps what it holds."""
    after = torch().state
    for name in ("Algiers", "Oran", "Casablanca", "Kasserine", "Bougie", "Souk Ahras", "Thala"):
        assert after.owner(name) == ALLIED
    for name in ("Tunis", "Bizerte", "Mateur", "Medjez el Bab", "Sousse", "Sfax", "Gabes"):
        assert after.owner(name) == AXIS


def test_american_points_begin_at_nothing_with_torch() -> None:
    """SS torch.usrp: three for every Allied card from then on (SS 7.416)."""
    after = torch().state
    assert left2(after, "US") == 0 and of_card(after, ALLIED, "BR 1") == {"BR": 2, "US": 6}
    assert "US" not in of_card(holding(ALLIED), ALLIED, "BR 1")


def test_torch_brings_italians_and_germans() -> None:
    """SS torch.it, torch.ge: on the map, and an armor battlegroup of each in the reserve box."""
    before, after = holding(ALLIED), torch().state
    new = {uid: after.pieces[uid].at for uid in after.pieces if uid not in before.pieces and uid[:2] in ("it", "ge")}
    assert (new.pop("it-1"), new.pop("ge-von-broich"), new.pop("ge-10-pz")) == ("Tunis", "Bizerte", "Tunis")
    assert after.pieces["ge-10-pz"].reduced and after.pieces["ge-von-broich"].reduced
    assert sorted((uid[:9], at) for uid, at in new.items()) == [
        ("ge-arm-bg", "@reserve"), ("ge-arm-bg", "Mateur"), ("ge-inf-bg", "Medjez el Bab"), ("it-arm-bg", "@reserve"),
        ("it-inf-bg", "Gabes"), ("it-inf-bg", "Sfax"), ("it-inf-bg", "Sousse"),
    ]


@pytest.mark.parametrize(("kind", "cards"), [("IT arm BG", 2), ("GE inf BG", 5)])
def test_battlegroups_of_the_counter_mix_are_used_up(kind: str, cards: int) -> None:
    """SS faq.counters.3, faq.counters.4: those of the start, of the cards and of Torch are all there are."""
    world_ = world().world
    brought = [int(text(e, "count")) for _name, e in world_.effects("place") if text(e, "unit") == kind]
    landing = [int(text(r, "count", "1")) for r in rows(world_.setups["torch"], "units") if text(r, "kind") == kind]
    mix = [uid for uid, unit in world_.counters.items() if unit.kind == kind]
    start = [uid for uid in table().start().pieces or holding(AXIS).pieces if uid in mix]
    assert (sum(brought), sum(landing)) == (cards, 1) and len(mix) == len(start) + cards + 1
    after = torch().state
    assert len([uid for uid in mix if uid in after.pieces]) == len(start) + 1
    card = {
        "IT arm BG": "italian-reinforcements-131st-armored-53",
        "GE inf BG": "german-reinforcements-two-battlegroups-52",
    }
    came = played(holding(AXIS, card[kind], turn="Fall 1942"), event(card[kind])).state
    assert len([uid for uid in mix if uid in came.pieces]) == len(start) + {"IT arm BG": 1, "GE inf BG": 2}[kind]


def test_names_of_markers_that_were_misprinted_are_understood() -> None:
    """SS errata.counters: Compass under either name, Von Arnim a card of the Allies, one Victory or Death."""
    pack = load_pack("shifting-sands").tree
    cards = books_of(pack)["card"]
    for name, card in (
        ("Wavell/O'Connor Compass", "compass-6"), ("Med. Fleet", "mediterranean-fleet-10"),
        ("Balkans Campaign", "balkan-campaign-15"), ("Codebook Stolen", "code-book-stolen-1"),
    ):
        assert cards.find(name) == [card], name
    named = [row for row in rows(pack, "cards") if text(row, "name") in ("Von Arnim Takes Command", "Victory or Death")]
    assert [text(row, "side") for row in named] == [ALLIED, ALLIED]


def test_places_of_an_event_that_is_not_played_are_void_and_told() -> None:
    """SS 7.53."""
    state = holding(ALLIED, ARMORED)
    state.reinforced = {ALLIED: ["BR"]}
    run = played(state, event(ARMORED), place("br-2-arm", "Suez"))
    assert [(one.data["type"], one.rule) for one in kinds(run.events, "void")] == [
        ("event", "SS 7.53"), ("place", "SS 7.53"),
    ]
    assert "br-2-arm" not in run.state.pieces


def test_an_event_behind_a_move_comes_too_late_and_so_do_its_places() -> None:
    """SS 6.12, 7.53: who moves first has taken the automatic operation; each order that fails is told."""
    go = {"type": "move", "unit": "br-inf-bg-3", "path": ["Suez", "Port Said"]}
    run = played(holding(ALLIED, ARMORED), go, event(ARMORED), place("br-2-arm", "Suez"))
    assert [one.data["type"] for one in kinds(run.events, "void")] == ["move", "event", "place"]
    assert "br-2-arm" not in run.state.pieces and run.state.hands[ALLIED] == [ARMORED]

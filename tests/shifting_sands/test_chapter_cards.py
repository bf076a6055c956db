"""Strategy cards, stacking and movement, entry by entry (SS 7 to 9; tests/rules)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from adjudicator.engine.core import Ctx
from adjudicator.packs import load_pack
from adjudicator.shifting_sands.access import attack_entry, entry, step_problem
from adjudicator.shifting_sands.activation import action_problems, activation_cost, marker_problems
from adjudicator.shifting_sands.apply import apply
from adjudicator.shifting_sands.arrival import arrival_places
from adjudicator.shifting_sands.cards import points_text
from adjudicator.shifting_sands.designate import attack_problems, attackable
from adjudicator.shifting_sands.movement import move_problems
from adjudicator.shifting_sands.names import books_of, resolver
from adjudicator.shifting_sands.places import misfit
from adjudicator.shifting_sands.position import first_state
from adjudicator.shifting_sands.rebuilding import open_segment
from adjudicator.shifting_sands.redeploying import moment_problems
from adjudicator.shifting_sands.replacement import bans, income, of_card, pool_of, rebuild_problems
from adjudicator.shifting_sands.stacking import excess, limit, room
from adjudicator.shifting_sands.state import Ops, State
from adjudicator.shifting_sands.supply import OUT, supply
from tests.shifting_sands.support import (
    ALLIED,
    AXIS,
    Row,
    Seeds,
    division,
    kinds,
    message,
    mini,
    order,
    run,
    section,
    table,
    unit,
    voids,
)

LIBYA: Row = {"region": "Libya", "terrain": "clear"}
SPACES: dict[str, Row] = {
    "A": {**LIBYA, "control": "axis", "source": ["axis"]},
    "B": {**LIBYA, "control": "axis"},
    "C": {**LIBYA, "control": "axis", "fort": 2},
    "Q": {**LIBYA, "control": "allied", "source": ["allied"]},
}
LINKS = (("A", "B"), ("B", "C"), ("C", "Q"))
CARDS = table().start().world.cards


def board(*units: Row, **given: Any) -> State:
    """Three Axis spaces in a row, the last with a fort, and an Allied one behind it."""
    return mini(SPACES, LINKS, units=list(units), **given)


def paid(state: State, points: int = 3) -> State:
    """A round with points to spend."""
    state.ops = Ops(points, "card")
    return state


def why(problems: Any) -> list[str]:
    """The rules that problems name."""
    return [problem.rule for problem in problems]


# --- operations -----------------------------------------------------------------------------------------------------


def test_a_card_or_the_automatic_operation() -> None:
    """SS 6.12A, 6.12B: a card of the hand for one use, else one point; never both."""
    state = board(unit("a", "GE", "A"), active=AXIS, round=1)
    (card,) = state.hands[AXIS]
    play: Row = {"type": "play_card", "card": card, "use": "ops"}
    found = run(state.copy(), [message(3, AXIS, section("round"), play, {**play, "use": "rd"})], Seeds(9))
    assert [line[:7] for line in voids(found.events)] == ["SS 6.12"]
    found = run(state.copy(), [message(3, AXIS, section("round"), {"type": "auto_op"})], Seeds(9))
    (action,) = kinds(found.events, "action")
    assert (action.data["use"], action.data["ops"], found.state.hands[AXIS]) == ("auto", "1", [card])
    assert why(action_problems(state, AXIS, order(0, "play_card", {"card": "balbo-4", "use": "ops"}))) == ["SS 6.12A"]


def test_the_automatic_operation_serves_no_redeployment() -> None:
    """SS 6.12B, faq.rules.1."""
    state = paid(board(unit("a", "GE", "A")))
    state.ops = Ops(1, "automatic")
    assert why(moment_problems(state)) == ["SS 6.12B"]
    state.ops, state.rd_left = Ops(), 3
    assert moment_problems(state) == []


def test_a_card_of_redeployment_or_replacement_points_gives_no_marker() -> None:
    """SS 7.31, 7.42: each is the only action of its round."""
    state = board(unit("a", "GE", "A"), active=AXIS, round=1)
    for use in ("rd", "rp"):
        card = next(name for name, row in sorted(CARDS.items()) if row["side"] == AXIS and row["rp"])
        state.hands[AXIS] = [card]
        told = [{"type": "play_card", "card": card, "use": use}, {"type": "move_marker", "space": "A"}]
        found = run(state.copy(), [message(3, AXIS, section("round"), *told)], Seeds(9))
        assert [line[:7] for line in voids(found.events)] == ["SS 7.21"] and not kinds(found.events, "marker")
    assert why(moment_problems(state)) == ["SS 7.31"]


def test_points_are_spent_up_to_the_value_and_the_rest_is_lost() -> None:
    """SS 7.21: nobody has to spend them; a marker needs a unit that pays."""
    state = paid(board(unit("a", "GE", "A"), unit("b", "IT", "A"), unit("c", "GE", "B"), unit("d", "GE", "C")), 2)
    assert marker_problems(state, AXIS, "A", "move") == []
    state.ops.spent = 1
    assert why(marker_problems(state, AXIS, "A", "move")) == ["SS 7.23"]
    assert marker_problems(state, AXIS, "B", "attack") == []
    state.ops = Ops()
    assert why(marker_problems(state, AXIS, "B", "attack")) == ["SS 7.21"]


def test_a_space_is_activated_once_and_for_one_thing() -> None:
    """SS 7.25."""
    state = paid(board(unit("a", "GE", "A")))
    state.markers = {"A": "move"}
    assert [why(marker_problems(state, AXIS, "A", marker)) for marker in ("move", "attack")] == [["SS 7.25"]] * 2


def test_nobody_activates_an_empty_space_and_a_fort_is_nobody() -> None:
    """SS 7.26, faq.rules.2: whatever gives the points, an event as well."""
    state = paid(board(unit("a", "GE", "A")))
    for source in ("card", "automatic", "event"):
        state.ops = Ops(3, source)
        assert [why(marker_problems(state, AXIS, place, "move")) for place in "BC"] == [["SS 7.26"], ["SS 7.26"]]


def test_forts_cost_nothing_and_count_for_no_stack() -> None:
    """SS 7.23, 8.11: neither for the cost of a space nor for how many may stand in it."""
    state = board(*(unit(f"u{n}", "GE", "C") for n in range(3)))
    assert activation_cost(state, "C", AXIS, "attack").points == 1
    assert (limit(state, "C", AXIS), excess(state, "C", AXIS)) == (3, 0)
    state.shift("u2", "B")
    assert room(state, "C", AXIS, "GE") == 1


def test_nations_may_stack_and_cost_more() -> None:
    """SS 8.3, 7.24: all nations of a space pay, whoever stays behind."""
    state = board(unit("a", "GE", "A"), unit("b", "IT", "A"), unit("c", "EG", "A"), supply={"A": "full"})
    assert excess(state, "A", AXIS) == 0 and activation_cost(state, "A", AXIS, "move").points == 2


@pytest.mark.parametrize(("use", "rule"), [("rd", "SS 7.33"), ("rp", "SS 7.43")])
def test_not_twice_in_a_row_but_over_the_turn(use: str, rule: str) -> None:
    """SS 7.33, 7.43: own rounds of one turn count; the sixth and the first of the next do not follow each other."""
    state = board(unit("a", "GE", "A"), active=AXIS, round=3)
    (card,) = state.hands[AXIS]
    told = order(0, "play_card", {"card": card, "use": use})
    state.history = {AXIS: {2: use, 1: "ops"}, ALLIED: {1: use, 2: use}}
    assert why(action_problems(state, AXIS, told)) == [rule]
    state.history[AXIS] = {2: "ops", 1: use}
    assert action_problems(state, AXIS, told) == []
    state.round, state.history, state.last_history = 1, {}, {AXIS: {6: use}}
    assert action_problems(state, AXIS, told) == []


# --- replacement points ---------------------------------------------------------------------------------------------


def test_a_card_marks_the_points_that_it_lists() -> None:
    """SS 7.41, 6.13, 3.rp."""
    card = next(name for name, row in sorted(CARDS.items()) if row["side"] == AXIS and len(row["rp"]) == 2)  # type: ignore[arg-type]
    listed: Any = CARDS[card]["rp"]
    state = board(unit("a", "GE", "A"), active=AXIS, round=1, rp={"GE": 1})
    state.hands[AXIS] = [card]
    found = run(state, [message(3, AXIS, section("round"), {"type": "play_card", "card": card, "use": "rp"})], Seeds(9))
    wanted = {row["pool"]: float(row["points"]) + (row["pool"] == "GE") for row in listed}
    assert {pool: float(points) for pool, points in found.state.rp.items()} == wanted
    assert found.state.history[AXIS] == {1: "rp"} and found.state.discards[AXIS] == [card]


def test_the_commonwealth_and_the_minor_nations_have_pools_of_their_own() -> None:
    """SS 7.411, 7.412."""
    nations = ("AUS", "IND", "NZ", "SA", "FF_BR", "GK", "POL", "BR", "US", "FF_US")
    state = board(*(unit(nation, nation, "Q", step="reduced") for nation in nations), rp={"CW": 1})
    found = {nation: pool_of(state, state.counter(nation)) for nation in nations}
    assert {nation for nation, pool in found.items() if pool == "CW"} == {"AUS", "IND", "NZ", "SA"}
    assert {nation for nation, pool in found.items() if pool == "A"} == {"FF_BR", "GK", "POL"}
    able = [uid for uid in nations if not rebuild_problems(state, ALLIED, order(0, "replace", {"unit": uid}))]
    assert able == ["AUS", "IND", "NZ", "SA"]


def brought(state: State, side: str, card: str) -> dict[str, int]:
    """What a card of the pack brings its side now, in half points."""
    return of_card(state, side, points_text(state.world.cards[card].get("rp")))


def test_massawa_and_torch_add_to_every_allied_card() -> None:
    """SS 7.415, 7.416: also to a card that lists none of those points, and to no Axis card."""
    state = mini({"Massawa": {"region": "East Africa", "control": "axis"}}, ())
    mine = [name for name, row in sorted(CARDS.items()) if row["side"] == ALLIED]
    printed = {card: brought(state, ALLIED, card) for card in mine}
    assert any("BR" not in points for points in printed.values()) and not any("US" in p for p in printed.values())

    def more(card: str) -> dict[str, int]:
        found = brought(state, ALLIED, card)
        return {pool: found[pool] - printed[card].get(pool, 0) for pool in ("BR", "US") if pool in found}

    state.control["Massawa"] = ALLIED
    assert all(more(card) == {"BR": 2} for card in mine)
    state.events["Torch"] = 10
    assert all(more(card) == {"BR": 2, "US": 6} for card in mine)
    theirs = {card: brought(state, AXIS, card) for card, row in CARDS.items() if row["side"] == AXIS}
    assert not any({"BR", "US"} & set(points) for points in theirs.values())


def test_two_events_bring_a_point_in_every_replacement_phase() -> None:
    """SS 7.413, 7.414: whether a card was played for points or barred from it or not."""
    state = board(unit("a", "GE", "A"))
    state.events = {"Malta Victorious": 8}
    ctx = Ctx(state, apply)
    open_segment(ctx, AXIS, ())
    assert state.rp == {}
    state.events.update({"Battlefield Recovery": 9, "Atlantic Charter": 9})
    open_segment(ctx, AXIS, ())
    assert state.rp == {"GE": "1"} and income(state, ALLIED) == {"Atlantic Charter": ("BR", "CW")}


BANS: dict[str, tuple[list[str], list[str]]] = {
    "Greece": (["Invasion of Greece"], ["Invasion of Greece"]),
    "Rommel before it": (["Rommel", "Invasion of Greece"], ["Invasion of Greece"]),
    "Rommel after it": (["Invasion of Greece", "Rommel"], []),
    "Balkan Campaign": (["Invasion of Greece", "Balkan Campaign"], []),
    "Siege for both": (["Invasion of Greece", "Barbarossa", "Siege of Malta"], []),
    "Herkules before Greece": (["Herkules", "Invasion of Greece"], []),
    "Barbarossa": (["Barbarossa"], ["Barbarossa"]),
    "Siege of 1942 lifts a late Barbarossa": (["Barbarossa", "Siege of Malta"], []),
    "Siege first": (["Siege of Malta", "Barbarossa"], []),
    "Spitfires by itself": (["Spitfires"], ["Spitfires"]),
    "Spitfires after Siege": (["Siege of Malta", "Spitfires"], ["Spitfires"]),
    "Barbarossa lifts nothing of it": (["Siege of Malta", "Spitfires", "Barbarossa"], ["Spitfires"]),
    "Herkules": (["Siege of Malta", "Spitfires", "Herkules"], []),
    "Malta Victorious": (["Malta Victorious", "Siege of Malta", "Rommel"], ["Malta Victorious"]),
}


@pytest.mark.parametrize("what", BANS)
def test_bans_on_replacement_points(what: str) -> None:
    """SS 7.44a, 7.44b, 7.44c, 7.44d, faq.cards.10, faq.cards.12, faq.cards.13, faq.cards.14, faq.cards.15,
    faq.rules.21, errata.card.A45; ruling A51: each ban by itself, and what lifts or forestalls it."""
    played, barred = BANS[what]
    state = board(unit("a", "GE", "A"), active=AXIS, round=2)
    state.events = {name: n for n, name in enumerate(played, 1)}
    assert (sorted(bans(state, AXIS)), bans(state, ALLIED)) == (barred, [])
    (card,) = state.hands[AXIS]
    found = action_problems(state, AXIS, order(0, "play_card", {"card": card, "use": "rp"}))
    assert why(found) == (["SS 7.44"] if barred else [])


# --- stacking -------------------------------------------------------------------------------------------------------


def test_three_units_a_space_whatever_their_size() -> None:
    """SS 8.1, 8.2: a division counts as a battlegroup; what is beyond is the excess."""
    state = board(division("d", "GE", "A"), division("e", "GE", "A"), unit("b", "IT", "A"))
    assert (excess(state, "A", AXIS), room(state, "A", AXIS, "GE")) == (0, 0)
    state.shift("b", "B")
    assert room(state, "A", AXIS, "GE") == 1


@pytest.mark.parametrize(("switch", "ends"), [("reject", "A"), ("eliminate", "B")])
@pytest.mark.parametrize("use", ["ops", "rd"])
def test_orders_that_overstack_are_refused_or_cost_the_least(use: str, switch: str, ends: str) -> None:
    """SS 8.2, ruling A22: the last into the space stays out, or the weakest battlegroup there is lost."""
    weak = unit("w", "GE", "B", step="reduced")
    state = board(division("d", "GE", "A"), division("e", "GE", "B"), unit("f", "GE", "B"), weak, active=AXIS, round=1)
    state.world = replace(state.world, switches={"overstack_orders": switch})
    card = next(name for name, row in sorted(CARDS.items()) if row["side"] == AXIS and row["ops"] == "4")
    state.hands[AXIS] = [card]
    told: list[Row] = [{"type": "play_card", "card": card, "use": use}, {"type": "rd", "unit": "d", "path": ["A", "B"]}]
    if use == "ops":
        told[1:] = [{"type": "move_marker", "space": "A"}, {"type": "move", "unit": "d", "path": ["A", "B"]}]
    found = run(state, [message(3, AXIS, section("round"), *told)], Seeds(9))
    assert found.state.pieces["d"].at == ends and excess(found.state, "B", AXIS) == 0
    assert [line[:6] for line in voids(found.events)] == (["SS 8.2"] if switch == "reject" else [])
    lost = [event.data["unit"] for event in kinds(found.events, "eliminated")]
    assert (lost, found.state.pieces["w"].at) == (([], "B") if switch == "reject" else (["w"], "@replacement"))


def test_boxes_have_no_limit() -> None:
    """SS 8.1, ruling A62: Herkules asks for four units in the Sicily Box; India and its like are spaces."""
    units = [unit(f"u{n}", "IT", "Sicily Box") for n in range(5)] + [unit(f"r{n}", "IT", "@reserve") for n in range(5)]
    state = mini({"Sicily Box": {"terrain": "box"}, "India": {"region": "India", "control": ALLIED}}, (), units=units)
    assert excess(state, "@reserve", AXIS) == 0 and limit(state, "@reserve", AXIS) is None
    real = table().start()
    assert limit(real, "Sicily Box", AXIS) is None
    assert [limit(real, name, ALLIED) for name in ("India", "Persia", "South Africa", "Chad")] == [3] * 4


def test_the_automatic_operation_uses_up_nothing_and_need_not_be_used() -> None:
    """SS 6.12B, rulings A37, A76: any number of them a turn, without a card and without a marker."""
    state = board(unit("a", "GE", "A"), unit("q", "BR", "Q"), active=AXIS, round=1)
    hand = list(state.hands[AXIS])
    auto: Row = {"type": "auto_op"}
    told = [message(n, AXIS if n % 2 else ALLIED, section("round"), auto) for n in range(3, 15)]
    found = run(state, told, Seeds(20))
    assert not voids(found.events) and found.state.hands[AXIS] == hand
    assert found.state.history[AXIS] == dict.fromkeys(range(1, 7), "auto")


def test_armor_may_stay_where_it_is_and_join_at_no_cost() -> None:
    """SS 7.25, 9.16, rulings A36, A72: markers are placed before anybody moves, and joining costs nothing more."""
    state = board(unit("tank", "GE", "A", type="armor", mf=3), unit("b", "IT", "B"), active=AXIS, round=1)
    card = next(name for name, row in sorted(CARDS.items()) if row["side"] == AXIS and row["ops"] == "2")
    state.hands[AXIS] = [card]
    told: list[Row] = [
        {"type": "play_card", "card": card, "use": "ops"}, {"type": "move_marker", "space": "A"},
        {"type": "attack_marker", "space": "B"},
    ]  # fmt: skip
    move: Row = {"type": "move", "unit": "tank", "path": ["A", "B"]}
    found = run(state.copy(), [message(3, AXIS, section("round"), *told, move)], Seeds(9))
    assert not voids(found.events) and found.state.pieces["tank"].at == "B"
    assert [event.data["left"] for event in kinds(found.events, "marker")] == ["1", "0"]
    found = run(state.copy(), [message(3, AXIS, section("round"), *told)], Seeds(9))
    assert not voids(found.events) and found.state.pieces["tank"].at == "A"


def test_points_marked_before_a_ban_stay() -> None:
    """SS 7.44d, ruling A74."""
    state = board(unit("a", "GE", "A", step="reduced"), rp={"GE": 1})
    state.events["Malta Victorious"] = 1
    assert bans(state, AXIS) == ["Malta Victorious"]
    assert not rebuild_problems(state, AXIS, order(0, "replace", {"unit": "a"}))


def region(name: str, *nations: str, **given: Any) -> State:
    """Units in one space of a region, and a second space there."""
    spaces = {place: {"region": name, "control": ALLIED} for place in ("X", "Y")}
    return mini(spaces, (("X", "Y"),), units=[unit(f"u{n}", nation, "X") for n, nation in enumerate(nations)], **given)


@pytest.mark.parametrize(
    ("where", "nations", "event", "allowed"),
    [
        ("Egypt", ("BR", "AUS", "POL", "GK"), "Montgomery", 4),
        ("Egypt", ("BR", "AUS", "POL", "GK"), "", 3),
        ("Libya", ("BR", "BR", "IND", "FF_BR"), "Montgomery", 4),
        ("Tunisia", ("BR", "BR", "SA", "NZ"), "Montgomery", 4),
        ("Algeria", ("BR", "BR", "SA", "NZ"), "Montgomery", 4),
        ("Syria", ("BR", "BR", "SA", "NZ"), "Montgomery", 3),
        ("Egypt", ("BR", "BR", "BR", "US"), "Montgomery", 3),
        ("Tunisia", ("US", "US", "US", "US"), "Patton", 4),
        ("Algeria", ("US", "US", "US", "US"), "Patton", 4),
        ("Libya", ("US", "US", "US", "US"), "Patton", 3),
        ("Tunisia", ("US", "US", "US", "FF_US"), "Patton", 3),
        ("Tunisia", ("US", "US", "US", "US"), "Montgomery", 3),
    ],
)
def test_montgomery_and_patton_make_it_four(where: str, nations: tuple[str, ...], event: str, allowed: int) -> None:
    """SS 8.1m, 8.1p: where and for whom."""
    state = region(where, *nations, events=[event] if event else [])
    assert limit(state, "X", ALLIED) == allowed


def test_outside_egypt_it_is_one_space_of_a_land() -> None:
    """SS 8.1m, 8.1p: any number of spaces in Egypt, one in Libya, one of Algeria and Tunisia."""
    for where, event, others in (("Egypt", "Montgomery", 4), ("Libya", "Montgomery", 3), ("Tunisia", "Patton", 3)):
        nation = "US" if event == "Patton" else "BR"
        units = [unit(f"{place}{n}", nation, place) for place in "XY" for n in range(4)]
        spaces = {place: {"region": where, "control": ALLIED} for place in "XY"}
        state = mini(spaces, (), units=units, events=[event])
        assert (limit(state, "X", ALLIED), limit(state, "Y", ALLIED)) == (4, others)


# --- movement -------------------------------------------------------------------------------------------------------


def test_units_move_from_marked_spaces_over_lines_and_never_onto_an_enemy() -> None:
    """SS 9.1, 9.12, 9.17, 8.12."""
    state = board(unit("a", "GE", "B"), unit("q", "BR", "Q"))
    assert why(move_problems(state, AXIS, "a", ["B", "C"])) == ["SS 9.1"]
    state.markers["B"] = "move"
    assert move_problems(state, AXIS, "a", ["B", "C"]) == []
    assert why(move_problems(state, AXIS, "a", ["B", "Q"])) == ["SS 9.12"]
    assert why(move_problems(state, AXIS, "a", ["B", "C", "Q"])) == ["SS 9.17"]
    state.shift("q", "@reserve")
    assert move_problems(state, AXIS, "a", ["B", "C", "Q"]) == []


def test_a_space_with_an_attack_marker_may_be_passed_and_armor_may_stay_there() -> None:
    """SS 9.15, 9.16."""
    units = [unit("foot", "GE", "A", mf=3), unit("tank", "GE", "A", type="armor", mf=3)]
    state = board(*units, unit("it", "IT", "B"), markers={"A": "move", "B": "attack"})
    assert why(move_problems(state, AXIS, "foot", ["A", "B"])) == ["SS 9.15"]
    assert move_problems(state, AXIS, "foot", ["A", "B", "C"]) == []
    assert move_problems(state, AXIS, "tank", ["A", "B"]) == []


def test_armor_of_one_nation_joins_the_attack_of_another() -> None:
    """SS 9.16, faq.rules.32: Germans that of Italians and the other way about; who moved elsewhere does not fight."""
    for mover, host in (("GE", "IT"), ("IT", "GE")):
        units = [unit("tank", mover, "A", type="armor", mf=3), unit("host", host, "C"), unit("q", "BR", "Q")]
        state = board(*units, markers={"A": "move", "C": "attack"})
        piece = state.pieces["tank"]
        told = order(0, "attack", {"units": "host, tank", "target": "Q"})
        state.shift("tank", "C")
        piece.moved = piece.joined = True
        assert attack_problems(state, AXIS, told) == [] and attackable(state, AXIS) == {"Q": ["host", "tank"]}
        piece.joined = False
        assert why(attack_problems(state, AXIS, told)) == ["SS 9.16"]


DESERT: dict[str, Row] = {
    "N": {**LIBYA, "control": "allied", "source": ["allied", "axis"]},
    "O": {**LIBYA, "control": "allied", "terrain": "oasis"},
    "S": {**LIBYA, "control": "allied"},
    "Deep Desert": {**LIBYA, "terrain": "deep_desert"},
}


def desert(**given: Any) -> State:
    """An oasis between two spaces, the Deep Desert beside it, units of all kinds."""
    units = [
        unit("b", "BR", "N"), division("d", "BR", "N"), unit("L", "BR", "N", counter="BR LRDG"), unit("s", "BR", "S"),
        unit("i", "IT", "@reserve"), division("j", "IT", "@reserve"),
    ]  # fmt: skip
    return mini(DESERT, (("N", "O"), ("O", "S"), ("O", "Deep Desert")), units=units, **given)


def test_oases_are_closed_and_then_open_to_battlegroups() -> None:
    """SS 9.21, 9.22: to enter, to attack and to trace supply; never for a division."""
    state = desert()
    units = {uid: state.counter(uid) for uid in "bdij"}
    for uid, counter in units.items():
        for problem in (entry(state, counter, "O"), attack_entry(state, counter, "O")):
            assert problem is not None and problem.rule == "SS 9.21", uid
    assert supply(state, "s").status == OUT
    state.events["Long Range Desert Group"] = 1
    for uid in "bi":
        assert entry(state, units[uid], "O") is attack_entry(state, units[uid], "O") is None
    for uid in "dj":
        for problem in (entry(state, units[uid], "O"), attack_entry(state, units[uid], "O")):
            assert problem is not None and problem.rule == "SS 9.22"
    assert supply(state, "s").status != OUT and supply(state, "d", "S").status == OUT


def test_the_deep_desert_is_the_lrdgs() -> None:
    """SS 9.23: nobody else enters it, attacks into it or traces through it."""
    state = desert(events=["Long Range Desert Group"])
    lrdg = state.counter("L")
    assert step_problem(state, lrdg, "O", "Deep Desert", ending=True) is None
    for uid in "bij":
        for bars in (entry, attack_entry):
            problem = bars(state, state.counter(uid), "Deep Desert")
            assert problem is not None and problem.rule == "SS 9.23"


def test_misprinted_names_are_understood_as_those_of_the_units() -> None:
    """SS errata.map, errata.card.X40: Fondoux and Malmata, Pistoia and Giovani Fascisti."""
    state = table().start()
    found = resolver(books_of(load_pack("shifting-sands").tree), state, AXIS)
    for wrong, right in (("Fondoux", "Fondouk"), ("Malmata", "Matmata")):
        told, problems = found.order(order(0, "move_marker", {"space": wrong}))
        assert (problems, told.text("space")) == ([], right)
    for name, ident in (("Pistoia", "it-16"), ("Giovani Fascisti", "it-136")):
        told, problems = found.order(order(0, "hold", {"unit": name}))
        assert (problems, told.text("unit")) == ([], ident)


# --- reinforcements -------------------------------------------------------------------------------------------------

ARRIVALS: dict[str, tuple[str, str, dict[str, Any], list[str]]] = {
    "a battlegroup": ("ordinary", "br-inf-bg", {}, ["@reserve"]),
    "Greeks": ("Balkan Campaign", "gk-inf-bg", {}, ["@replacement"]),
    "Tiger Convoy": ("Tiger Convoy", "br-arm-bg", {}, ["Alexandria", "Port Said", "Suez"]),
    "the LRDG": ("Long Range Desert Group", "br-lrdg", {}, ["Deep Desert"]),
    "the LRDG without Mersa Matruh": (
        "Long Range Desert Group", "br-lrdg", {"lost": ["Mersa Matruh"]}, ["@reserve", "Cairo"],
    ),
    "Rommel": ("Rommel", "ge-arm-bg", {}, ["@reserve", "Tripoli"]),
    "an Axis division": ("ordinary", "it-16", {}, ["Tripoli"]),
    "an Axis division after Torch": ("ordinary", "it-16", {"torch": True}, ["Tripoli", "Tunis"]),
    "an Allied division": ("ordinary", "nz-2", {}, ["Port Said", "Suez"]),
    "the Africa Division": ("ordinary", "it-afr", {}, ["Addis Ababa"]),
    "the Africa Division too late": ("ordinary", "it-afr", {"won": ["Addis Ababa"]}, []),
    "Australians in 1940": ("ordinary", "aus-6", {}, ["Jerusalem"]),
    "Australians later": ("ordinary", "aus-6", {"turn": 4}, ["Port Said", "Suez"]),
    "Indians": ("ordinary", "ind-5", {}, ["India", "Port Said", "Suez"]),
    "South Africans": ("ordinary", "sa-1", {}, ["South Africa"]),
    "South Africans after Addis Ababa": (
        "ordinary", "sa-1", {"won": ["Addis Ababa"]}, ["Port Said", "South Africa", "Suez"],
    ),
    "without Suez": ("ordinary", "nz-2", {"lost": ["Suez"]}, ["India", "Persia", "Port Said", "South Africa"]),
    "T": ("T", "us-34", {"torch": True, "won": ["Casablanca", "Oran", "Algiers"]}, ["Algiers", "Casablanca", "Oran"]),
    "T without the canal": ("T", "us-34", {"torch": True, "won": ["Oran"], "lost": ["Suez"]}, ["Oran"]),
    "the 5th Mountain Division": ("Unternehmen Irak", "ge-5-mtn", {"held": ["Baghdad"]}, ["Baghdad", "Beirut"]),
}  # fmt: skip


def arriving(more: dict[str, Any]) -> State:
    """The set-up of the campaign, some turns on, with spaces lost and won by the Allies."""
    state = first_state(table().start().world)
    state.turn = int(more.get("turn", 1))
    state.events = {"Torch": 10} if more.get("torch") else {}
    state.control.update(dict.fromkeys([*more.get("lost", ()), *more.get("held", ())], AXIS))
    state.control.update(dict.fromkeys(more.get("won", ()), ALLIED))
    return state


@pytest.mark.parametrize("what", ARRIVALS)
def test_where_reinforcements_come(what: str) -> None:
    """SS 7.531, 7.531a, 7.531c, 7.531d, 7.531e, 7.532, 7.532b, 7.532e, 7.532f, 7.532g, 7.532i, 7.532j, 7.532k."""
    event, uid, more, places = ARRIVALS[what]
    state = arriving(more)
    counter = next(unit_ for ident, unit_ in state.world.counters.items() if ident.startswith(uid))
    assert arrival_places(state, counter, event) == places


def test_some_axis_units_come_to_ports_of_north_africa() -> None:
    """SS 7.531f, 7.532a, 7.532c, 7.532d: Ramcke and three divisions also to Sicily; never to a port that is lost."""
    state = arriving({})
    ports = {name for name, space in state.world.spaces.items() if space.port and space.region in ("Libya", "Egypt")}
    held = sorted(name for name in ports if state.owner(name) == AXIS)
    assert "Tobruk" in held
    for kind in ("GE Ramcke BG", "IT 20", "IT 80", "IT 185", "GE 164"):
        counter = next(unit_ for unit_ in state.world.counters.values() if unit_.kind == kind)
        sicily = [] if kind == "GE 164" else ["Sicily Box"]
        assert arrival_places(state, counter, "ordinary") == sorted([*sicily, *held])
        state.control["Tobruk"] = ALLIED
        assert "Tobruk" not in arrival_places(state, counter, "ordinary")
        state.control["Tobruk"] = AXIS
    ninetieth = next(unit_ for unit_ in state.world.counters.values() if unit_.kind == "GE 90")
    assert arrival_places(state, ninetieth, "ordinary") == ["Benghazi", "Tobruk", "Tripoli"]


def test_corps_franc_comes_to_no_mountain_of_the_axis() -> None:
    """SS faq.cards.11, 7.532h."""
    state = arriving({"torch": True})
    counter = next(unit_ for unit_ in state.world.counters.values() if unit_.nation == "FF_US" and unit_.division)
    mountains = [
        name
        for name, space in state.world.spaces.items()
        if space.terrain == "mountain" and space.region in ("Algeria", "Tunisia")
    ]
    state.control.update(dict.fromkeys(mountains, AXIS))
    (event,) = {str(row["name"]) for row in CARDS.values() if str(row["name"]).startswith("Corps Franc")}
    assert arrival_places(state, counter, event) == []
    state.control[mountains[0]] = ALLIED
    assert arrival_places(state, counter, event) == [mountains[0]]
    assert misfit(state, counter, mountains[1]).startswith(f"{mountains[1]} is not controlled by the allied side")

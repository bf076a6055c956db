"""The message flow of an action round (PROTOCOL 5 and 9.2), through the driver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from adjudicator.engine.core import Event, Roll
from adjudicator.engine.driver import Checkpoint, Message, Run, Waits, play
from adjudicator.shifting_sands.state import State
from tests.shifting_sands.support import (
    ALLIED,
    AXIS,
    Fixed,
    Row,
    Seeds,
    attack,
    by_mail,
    kinds,
    message,
    mini,
    run,
    script,
    section,
    table,
    unit,
    voids,
)

LAND: Row = {"region": "Libya", "terrain": "clear"}
SPACES: dict[str, Row] = {
    "A": {**LAND, "control": "axis", "source": ["axis"]},
    "T": {**LAND, "control": "allied"},
    "V": {**LAND, "control": "allied"},
    "P": {**LAND, "control": "allied"},
    "Q": {**LAND, "control": "allied", "source": ["allied"]},
}
LINKS = (("A", "T"), ("A", "V"), ("T", "P"), ("P", "Q"), ("V", "Q"), ("T", "Q"))
WIN = {"combat/t/fire-attacker": 2, "combat/t/fire-defender": 1}
"""Dice by which g1 and g2 beat d1 and d2 by one: loss numbers 1 and 0."""
TIE = {"combat/t/fire-attacker": 2, "combat/t/fire-defender": 6}


def field(**more: object) -> State:
    """Three German battlegroups under an Attack marker in A; two British in T, one in V. The round is paid for."""
    units = [
        unit("g1", "GE", "A", type="armor", cf=[2, 1], mf=6),
        unit("g2", "GE", "A", cf=[1, 1]),
        unit("g3", "GE", "A", cf=[1, 1]),
        unit("d1", "BR", "T", lf=1),
        unit("d2", "BR", "T", lf=1),
        unit("e1", "BR", "V"),
    ]
    given: dict[str, object] = {
        "units": units, "markers": {"A": "attack"}, "active": "axis", "round": 1, "history": {"axis": {1: "ops"}},
        "ops": {"available": 3, "source": "card"},
    }
    return mini(SPACES, LINKS, **{**given, **more})


WAIT: Row = {"type": "wait", "topic": "losses"}
ROUND, REACTION, FOLLOWUP = section("round"), section("reaction"), section("followup")
ON_T, ON_V = attack("g1, g2", "T"), attack("g3", "V")
END: Row = {"type": "end_round"}


def flow(rows: Mapping[str, Sequence[Row]], state: State | None = None, **more: object) -> list[Message]:
    """The messages of a part of a round."""
    sent, _ = by_mail(state or field(), script(rows), WIN, **more)  # type: ignore[arg-type]
    return sent


# --- how many messages --------------------------------------------------------------------------------------------


def test_a_round_without_combat_takes_one_message() -> None:
    assert len(flow({"orders": [ROUND]})) == 1


def test_each_combat_takes_two_messages_more() -> None:
    assert len(flow({"orders": [ROUND, ON_T], "react": [REACTION]})) == 3
    two = {"orders": [ROUND, ON_T], "react": [REACTION], "followup/1": [FOLLOWUP, ON_V]}
    assert len(flow(two)) == 5


def test_a_bare_reaction_leaves_everything_to_the_defaults() -> None:
    """A message without a word ends the stop; it is no wish to be asked again."""
    assert len(flow({"orders": [ROUND, ON_T]})) == 3
    assert len(flow({"orders": [ROUND, ON_T, END]})) == 3


def test_combats_ordered_at_once_stop_one_by_one_unless_all_are_answered() -> None:
    at_once = {"orders": [ROUND, ON_T, ON_V], "react": [REACTION]}
    assert len(flow(at_once)) == 5
    losses = {"type": "losses", "first": "e1", "combat": "2"}
    batch = {"orders": [ROUND, ON_T, ON_V], "react/1": [REACTION, losses]}
    assert len(flow(batch)) == 3
    by_key = {"orders": [ROUND, ON_T, ON_V], "react/1": [REACTION, {"type": "answer", "to": "react/2", "say": "no"}]}
    assert len(flow(by_key)) == 3


def test_what_names_no_combat_speaks_of_the_one_that_was_asked() -> None:
    """Losses without a number, sent at the first stop, are no reaction to the second combat."""
    plain = {"orders": [ROUND, ON_T, ON_V], "react/1": [REACTION, {"type": "losses", "first": "d2"}]}
    assert len(flow(plain)) == 5


STANDING: list[Row] = [
    {"type": "standing", "topic": topic, "rules": "default"}
    for topic in ("cards", "losses", "hold", "retreat", "relocate")
]


def test_by_standing_orders_a_round_with_combats_takes_one_message() -> None:
    before = [message(4, ALLIED, *STANDING)]
    rows = {"orders": [ROUND, ON_T, ON_V, END]}
    assert len(flow(rows, before=before, first=5)) == 1


def test_standing_orders_hold_from_the_next_message_on() -> None:
    late = [ROUND, ON_T, END]
    assert len(flow({"orders": late, "react": STANDING})) == 3
    _, found = by_mail(field(), script({"orders": late, "react": STANDING}), WIN)
    assert {e.data["choice"] for e in kinds(found.events, "losses") if e.data["role"] == "defender"} == {"default"}


def test_a_section_sent_early_is_no_stop() -> None:
    rows = {"orders": [ROUND, ON_T, FOLLOWUP], "react": [REACTION]}
    sent, found = by_mail(field(), script(rows), WIN)
    assert len(sent) == 3 and found.answered == (3, 4), "the attacker opens the reaction and is not asked"


def test_a_choice_waited_for_takes_two_messages_more() -> None:
    waits = [REACTION, WAIT]
    choice = [REACTION, {"type": "losses", "steps": "d2"}]
    rows = {"orders": [ROUND, ON_T], "react": waits, "losses": choice}
    sent, found = by_mail(field(), script(rows), WIN)
    assert len(sent) == 5
    assert [len(m.orders) for m in sent] == [2, 2, 0, 2, 0]
    lost = next(e for e in kinds(found.events, "losses") if e.data["role"] == "defender")
    assert (lost.data["steps"], lost.data["choice"], lost.on, lost.by) == (["d2"], "order", 6, (3, 6))


def test_the_head_of_the_reaction_may_ask_as_well() -> None:
    head: Row = {**REACTION, "ask": "losses, retreat"}
    rows = {"orders": [ROUND, ON_T], "react": [head], "losses": [REACTION, {"type": "losses", "steps": "d2"}]}
    sent, found = by_mail(field(), script(rows), WIN)
    assert len(sent) == 7 and found.answered == (3, 4, 6, 8, 9)
    strange = message(4, ALLIED, {**REACTION, "ask": "tea"})
    found = run(field(), [message(3, AXIS, ROUND, ON_T), strange], Fixed(4, WIN))
    assert voids(found.events) == ["SS 11: ask: tea is no choice of a combat"]


def test_a_second_section_of_a_name_is_void() -> None:
    twice = message(4, ALLIED, REACTION, {"type": "losses", "first": "d2"}, REACTION, {"type": "losses", "first": "d1"})
    found = run(field(), [message(3, AXIS, ROUND, ON_T), twice], Fixed(4, WIN))
    assert voids(found.events) == ["SS 5.2: losses stands in a second section reaction; one holds all of its orders"]
    lost = next(event for event in kinds(found.events, "losses") if event.data["role"] == "defender")
    assert lost.data["steps"] == ["d2"]


def test_a_forced_choice_is_no_stop_though_it_was_waited_for() -> None:
    state = field()
    state.shift("d2", "Q")
    waits = [REACTION, WAIT]
    assert len(flow({"orders": [ROUND, ON_T], "react": waits}, state)) == 3


def test_after_the_answer_to_a_wait_the_next_combat_is_still_asked() -> None:
    waits = [REACTION, WAIT]
    choice = [REACTION, {"type": "losses", "steps": "d2"}]
    rows = {"orders": [ROUND, ON_T, ON_V], "react/1": waits, "react/2": [REACTION], "losses/1": choice}
    sent, found = by_mail(field(), script({**rows, "losses": choice}), WIN)
    assert found.answered == (3, 4, 6, 8, 9)
    assert len(sent) == 7


# --- the stop of the defender -------------------------------------------------------------------------------------


def _waits(state: State) -> Waits:
    return run(state, [message(3, AXIS, ROUND, ON_T)], Fixed(3, WIN)).waits


@pytest.mark.parametrize("count", range(1, 6))
def test_the_stop_comes_whatever_the_hand(count: int) -> None:
    cards = [card for card, row in table().world.cards.items() if row["side"] == ALLIED]
    for hand in (cards[:count], cards[-count:], cards[20 : 20 + count]):
        state = field()
        state.hands[ALLIED] = list(hand)
        assert _waits(state) == Waits("decision", ALLIED, "react/1")


def test_only_a_hand_without_a_card_and_nothing_face_up_lifts_the_stop() -> None:
    state = field()
    state.hands[ALLIED] = []
    assert _waits(state).key != "react/1"
    state.face_up[ALLIED] = ["minefields-8"]
    assert _waits(state).key == "react/1"


def test_who_was_not_asked_is_asked_for_what_is_his_to_choose() -> None:
    """Without the stop for cards and without standing orders, an open choice is a stop of its own (pbem D2)."""
    state = field()
    state.hands[ALLIED] = []
    assert _waits(state) == Waits("decision", ALLIED, "losses/1/defender")


def test_a_waiver_by_standing_order_leaves_the_other_choices_to_be_asked() -> None:
    before = [message(4, ALLIED, {"type": "standing", "topic": "cards", "rules": "none"})]
    found = run(field(), [*before, message(5, AXIS, ROUND, ON_T)], Fixed(5, WIN), 4)
    assert found.waits == Waits("decision", ALLIED, "losses/1/defender")


# --- dice ---------------------------------------------------------------------------------------------------------


def test_dice_after_the_stop_come_from_the_answer() -> None:
    flanked = attack("g1, g2", "T", flank="yes")
    sent, found = by_mail(field(), script({"orders": [ROUND, flanked], "react": [REACTION]}))
    assert len(sent) == 3
    (flank,) = kinds(found.events, "flank")
    assert flank.on == 3
    assert {event.on for event in kinds(found.events, "fire")} == {4}
    for event in kinds(found.events, "flank", "fire"):
        roll = Roll(str(event.data["label"]), "")
        assert event.data["die"] == str(Seeds(9)(event.on, roll)[0])


def test_before_the_answer_is_opened_no_fire_die_is_known() -> None:
    sent = [message(3, AXIS, ROUND, ON_T), message(4, ALLIED, REACTION)]
    found = run(field(), sent, Seeds(3))
    assert found.waits == Waits("opening", AXIS, "combat/t/fire-attacker")
    assert not kinds(found.events, "fire")


def test_a_second_combat_against_a_space_has_dice_of_its_own() -> None:
    state = field(units=[unit("g1", "GE", "A"), unit("g2", "GE", "A"), unit("d1", "BR", "T", lf=9)])
    rows = {"orders": [ROUND, attack("g1", "T"), attack("g2", "T")], "react": [REACTION]}
    values = {f"combat/t/fire-{role}{number}": 1 for role in ("attacker", "defender") for number in ("", "#2")}
    _, found = by_mail(state, script(rows), values)
    assert sorted(str(event.data["label"]) for event in kinds(found.events, "fire")) == sorted(values)
    assert [e.data["number"] for e in kinds(found.events, "designate")] == ["1", "2"]


def test_labels_do_not_depend_on_where_a_run_begins() -> None:
    """The same space is attacked in two rounds: the label of the second round is the plain one (PROTOCOL 4.6)."""
    state = field()
    sent, found = by_mail(state, script({"orders": [ROUND, ON_T], "react": [REACTION]}), TIE)
    later = found.checkpoint.state.copy()
    later.active, later.markers = "axis", {"A": "attack"}
    later.ops.source, later.ops.available = "card", 3
    again = message(len(sent) + 3, AXIS, ROUND, ON_T)
    second = play(table(), Checkpoint(later, len(sent) + 2, 0), [again], Seeds(len(sent) + 3))
    assert second.waits.key == "react/1"
    assert later.attacked == [] and second.state.attacked == ["T"]


# --- what is void -------------------------------------------------------------------------------------------------


def _story(events: Sequence[Event]) -> list[tuple[str, dict[str, object]]]:
    return [(event.kind, dict(event.data)) for event in events]


def test_what_a_side_says_that_is_not_asked_changes_nothing() -> None:
    waits = [REACTION, WAIT]
    choice = message(6, ALLIED, REACTION, {"type": "losses", "steps": "d2"})
    start = [message(3, AXIS, ROUND, ON_T), message(4, ALLIED, *waits)]
    quiet = run(field(), [*start, message(5, AXIS), choice], Fixed(6, WIN))
    loud = message(5, AXIS, FOLLOWUP, {"type": "advance", "unit": "g1", "path": "A, T"}, ROUND, ON_V)
    assert _story(run(field(), [*start, loud, choice], Fixed(6, WIN)).events) == _story(quiet.events)
    assert quiet.waits == Waits("decision", AXIS, "followup/1")


def test_an_answer_to_a_choice_that_never_comes_changes_nothing() -> None:
    keys = ("hold/1", "relocate/1/d1", "hold/7")
    answers: list[Row] = [{"type": "answer", "to": key, "unit": "d1", "say": "yes"} for key in keys]
    plain = run(field(), [message(3, AXIS, ROUND, ON_T), message(4, ALLIED, REACTION)], Fixed(4, WIN))
    more = run(field(), [message(3, AXIS, ROUND, ON_T), message(4, ALLIED, REACTION, *answers)], Fixed(4, WIN))
    assert _story(more.events) == _story(plain.events)


def test_orders_in_a_section_that_is_not_asked_for_are_void() -> None:
    react = message(4, ALLIED, ROUND, {"type": "auto_op"}, REACTION)
    found = run(field(), [message(3, AXIS, ROUND, ON_T), react], Fixed(4, WIN))
    assert voids(found.events) == ["SS 5.2: the section round is not asked for now"]
    outside = message(4, ALLIED, {"type": "losses", "steps": "d1"})
    found = run(field(), [message(3, AXIS, ROUND, ON_T), outside], Fixed(4, WIN))
    assert voids(found.events) == ["SS 5.2: losses stands outside any section"]


@pytest.mark.parametrize(
    ("row", "rule"),
    [
        ({"type": "hold", "unit": "d1"}, "SS 11.53"),
        ({"type": "retreat", "unit": "e1", "path": "T, P"}, "SS 11.11"),
        ({"type": "retreat", "unit": "g1", "path": "A, T"}, "SS 11.58"),
        ({"type": "advance", "unit": "g1", "path": "A, T"}, "SS 7.2"),
        ({"type": "combat_card", "card": "desert-rats-11"}, "SS 11.25"),
        ({"type": "losses"}, "SS 11.43"),
        ({"type": "losses", "steps": "e1"}, "SS 11.43"),
        ({"type": "retreat", "unit": "d1", "path": "P, Q"}, "SS 11.55"),
        ({"type": "nonsense"}, "orders"),
    ],
)
def test_a_reaction_that_no_die_can_make_lawful_is_void(row: Row, rule: str) -> None:
    found = run(field(), [message(3, AXIS, ROUND, ON_T), message(4, ALLIED, REACTION, row)], Fixed(4, WIN))
    assert [event.rule for event in kinds(found.events, "void")] == [rule], voids(found.events)
    assert found.waits == Waits("decision", AXIS, "followup/1"), "the combat goes on by default"


def test_exact_losses_written_before_the_dice_are_a_wish_where_the_number_is_another() -> None:
    react = message(4, ALLIED, REACTION, {"type": "losses", "steps": "d2, d2, d1"})
    found = run(field(), [message(3, AXIS, ROUND, ON_T), react], Fixed(4, WIN))
    lost = next(e for e in kinds(found.events, "losses") if e.data["role"] == "defender")
    assert lost.data["steps"] == ["d2"] and not voids(found.events)
    assert lost.data["clause"] == "as near to the order as the rules allow"
    asked = [message(4, ALLIED, REACTION, {"type": "wait", "topic": "losses"}), message(5, AXIS)]
    answer = message(6, ALLIED, REACTION, {"type": "losses", "steps": "d2, d2, d1"})
    found = run(field(), [message(3, AXIS, ROUND, ON_T), *asked, answer], Fixed(6, WIN))
    lost = next(e for e in kinds(found.events, "losses") if e.data["role"] == "defender")
    assert lost.data["steps"] == ["d1"] and lost.data["choice"] == "default"
    assert [event.rule for event in kinds(found.events, "void")] == ["SS 11.43"]


# --- what the attacker does next ----------------------------------------------------------------------------------


def test_advances_may_be_bound_to_the_combat_or_follow_it() -> None:
    advance = {"type": "advance", "unit": "g1", "path": "A, T"}
    bound = {"orders": [ROUND, ON_T, advance, END], "react": [REACTION]}
    _, found = by_mail(field(), script(bound), WIN)
    assert found.state.pieces["g1"].at == "T" and found.state.owner("T") == "axis"
    later = {"orders": [ROUND, ON_T], "react": [REACTION], "followup": [FOLLOWUP, advance]}
    _, found = by_mail(field(), script(later), WIN)
    assert found.state.pieces["g1"].at == "T"


def test_an_advance_where_the_defender_stays_is_no_fault() -> None:
    advance = {"type": "advance", "unit": "g1", "path": "A, T"}
    _, found = by_mail(field(), script({"orders": [ROUND, ON_T, advance, END], "react": [REACTION]}), TIE)
    assert [e.data["why"] for e in kinds(found.events, "stays")] == ["the space was not cleared"]
    assert not voids(found.events)


def test_of_conditional_advances_the_one_that_fits_is_walked() -> None:
    near = {"type": "advance", "unit": "g1", "path": "A, T", "if": "retreat1"}
    far = {"type": "advance", "unit": "g1", "path": "A, T, P", "if": "retreat2, cleared"}
    rows = {"orders": [ROUND, ON_T, near, far, END], "react": [REACTION]}
    _, found = by_mail(field(), script(rows), WIN)
    assert [e.data["path"] for e in kinds(found.events, "advance")] == [["A", "T"]]
    assert [e.data["why"] for e in kinds(found.events, "stays")] == ["the defender's fate is retreat1"]
    _, found = by_mail(field(), script(rows), {"combat/t/fire-attacker": 6, "combat/t/fire-defender": 1})
    assert [e.data["why"] for e in kinds(found.events, "stays")] == ["the defender's fate is retreat2"]


def test_of_two_advances_of_a_unit_the_first_binds() -> None:
    """PROTOCOL 5 and 9.2: what is ordered in full in a message binds, FOLLOWUP can't change it."""
    near = {"type": "advance", "unit": "g1", "path": "A, T"}
    other = {"type": "advance", "unit": "g1", "path": "A, V"}
    more = {"type": "advance", "unit": "g2", "path": "A, T"}
    rows = {"orders": [ROUND, ON_T, near], "react": [REACTION], "followup": [FOLLOWUP, other, more]}
    _, found = by_mail(field(), script(rows), WIN)
    assert {e.data["unit"]: e.data["path"] for e in kinds(found.events, "advance")} == {
        "g1": ["A", "T"], "g2": ["A", "T"],
    }
    (void,) = kinds(found.events, "void")
    assert (void.rule, void.by) == ("PROTOCOL 5", (5,)) and "message 3 said this before" in str(void.data["why"])
    bound = {**near, "if": "cleared"}
    _, found = by_mail(field(), script({**rows, "orders": [ROUND, ON_T, bound]}), WIN)
    assert found.state.pieces["g1"].at == "A", "else it stays: that was said, too"
    assert [e.rule for e in kinds(found.events, "void")] == ["PROTOCOL 5"]


def test_of_two_answers_of_the_defender_the_first_binds() -> None:
    """A retreat written with the reaction is on file; what comes with a later answer does not replace it."""
    wait, losses = {"type": "wait", "topic": "losses"}, {"type": "losses", "steps": "d2"}
    first, second = ({"type": "retreat", "unit": "d1", "to": place} for place in ("P", "Q"))
    rows = {"orders": [ROUND, ON_T, END], "react": [REACTION, wait, first], "losses": [REACTION, losses, second]}
    _, found = by_mail(field(), script(rows), WIN)
    (walked,) = [e for e in kinds(found.events, "retreat") if e.data["unit"] == "d1"]
    assert walked.data["path"] == ["T", "P"] and walked.by[-1] == 4
    assert [(e.rule, e.by) for e in kinds(found.events, "void")] == [("PROTOCOL 5", (6,))]


def test_an_answer_in_advance_is_not_changed_by_a_later_one() -> None:
    """Both combats are answered at the first stop; what a later answer says of the second is void."""
    ahead, later = ({"type": "losses", "steps": "e1", "combat": "2"}, {"type": "losses", "first": "e1", "combat": "2"})
    rows = {
        "orders": [ROUND, ON_T, ON_V, END],
        "react/1": [REACTION, {"type": "wait", "topic": "losses", "combat": "1"}, ahead],
        "losses": [REACTION, {"type": "losses", "steps": "d2", "combat": "1"}, later],
    }
    _, found = by_mail(field(), script(rows), WIN)
    assert [e.by for e in kinds(found.events, "void") if e.rule == "PROTOCOL 5"] == [(6,)]


def test_a_followup_may_say_losses_advances_and_the_next_combat_together() -> None:
    advance = {"type": "advance", "unit": "g1", "path": "A, T"}
    rows = {"orders": [ROUND, ON_T], "react": [REACTION], "followup/1": [FOLLOWUP, advance, ON_V, END]}
    sent, found = by_mail(field(), script(rows), WIN)
    assert [e.data["number"] for e in kinds(found.events, "designate")] == ["1", "2"]
    assert found.state.pieces["g1"].at == "T" and len(sent) == 5


def test_an_attack_that_the_dice_make_void_keeps_its_number() -> None:
    """T is cleared by the first attack, so the second comes to nothing; the third is still combat 3."""
    first, second = attack("g1", "T"), attack("g2", "T")
    rows = {"orders": [ROUND, first, second, ON_V, END], "react": [REACTION]}
    _, found = by_mail(field(), script(rows), {"combat/t/fire-attacker": 4, "combat/t/fire-defender": 1})
    assert [event.data["number"] for event in kinds(found.events, "designate")] == ["1", "3"]
    assert voids(found.events) == ["SS 11.22: no enemy unit to attack stands in T"]


def test_markers_go_when_nobody_is_left_to_attack_from_a_space() -> None:
    rows = {"orders": [ROUND, ON_T, ON_V, END], "react": [REACTION]}
    _, found = by_mail(field(), script(rows), WIN)
    gone = [n for n, event in enumerate(found.events) if event.kind == "marker-gone"]
    over = [n for n, event in enumerate(found.events) if event.kind == "combat-over"]
    assert len(gone) == 1 and over[0] < gone[0] < over[1]


# --- runs are the same however often they are made -----------------------------------------------------------------


FLOWS: list[dict[str, list[Row]]] = [
    {"orders": [ROUND]},
    {"orders": [ROUND, ON_T], "react": [REACTION]},
    {"orders": [ROUND, ON_T], "react": [REACTION], "followup/1": [FOLLOWUP, ON_V]},
    {"orders": [ROUND, attack("g1, g2", "T", flank="yes"), ON_V], "react": [REACTION, WAIT]},
]


@pytest.mark.parametrize("rows", FLOWS)
def test_every_prefix_of_the_messages_tells_the_same_story(rows: dict[str, list[Row]]) -> None:
    sent, whole = by_mail(field(), script(rows))
    start: Checkpoint[State] = Checkpoint(field(), 2, 2)
    seen: list[Event] = []
    for upto in range(2, len(sent) + 3):
        part: Run[State] = play(table(), start, [m for m in sent if m.seq <= upto], Seeds(upto))
        seen += [event for event in part.events if event.on == upto and event not in seen]
        start = part.checkpoint
    assert [event.tree() for event in seen] == [event.tree() for event in whole.events]
    assert all(seq <= event.on for event in whole.events for seq in event.by), "I1"

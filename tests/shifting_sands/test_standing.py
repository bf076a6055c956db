"""Standing orders for combat, topic by topic and clause by clause (docs/standing-orders.md)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from adjudicator.engine.driver import Run
from adjudicator.shifting_sands.orders import TOPICS
from adjudicator.shifting_sands.standing import rules_problems
from adjudicator.shifting_sands.state import State
from tests.shifting_sands.support import (
    ALLIED,
    AXIS,
    Fixed,
    Row,
    division,
    kinds,
    message,
    run,
    section,
    unit,
    voids,
)
from tests.shifting_sands.test_combat import HILL, WEAK, ends, fought, land

STRONG: Row = {"lf": 9}


def standing(topic: str, *rules: Any, **clause: Any) -> Row:
    """A standing order: one word, or clauses."""
    return {"type": "standing", "topic": topic, "rules": rules[0] if rules and rules[0] in WORDS else [*rules, clause]}


WORDS = ("none", "always", "never", "default", "ask")


def ruled(
    state: State, dice: tuple[int, int], *orders: Row, units: str = "g1, g2", reaction: bool = True
) -> Run[State]:
    """One combat for T under standing orders of the defender, with or without the message of his stop."""
    rolls = {"combat/t/fire-attacker": dice[0], "combat/t/fire-defender": dice[1]}
    attack: Row = {"type": "attack", "units": units, "target": "T"}
    sent = [
        message(4, ALLIED, *orders),
        message(5, AXIS, section("round"), attack, {"type": "end_round"}),
        *([message(6, ALLIED, section("reaction"))] if reaction else []),
    ]
    return run(state, sent, Fixed(sent[-1].seq, rolls), 3)


def chosen(found: Run[State], kind: str) -> list[tuple[str, str]]:
    """Who chose and by which clause."""
    return [(str(event.data["choice"]), str(event.data["clause"])) for event in kinds(found.events, kind)]


# --- the stop ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["none", "default"])
def test_no_cards_by_standing_order_waives_the_stop_for_them(word: str) -> None:
    state = land(unit("d", "BR", "T", **STRONG))
    asked = ruled(state.copy(), (1, 1), reaction=False)
    assert (asked.waits.side, asked.waits.key) == (ALLIED, "react/1")
    found = ruled(state, (1, 1), standing("cards", word), reaction=False)
    assert [event.data["role"] for event in kinds(found.events, "fire")] == ["attacker", "defender"]


# --- losses -----------------------------------------------------------------------------------------------------------


TWO = (unit("d", "BR", "T", lf=2), unit("e", "BR", "T", lf=2))


@pytest.mark.parametrize(
    ("clause", "hurt"), [({"first": "e"}, "e"), ({"first": "d"}, "d"), ({"keep": "d"}, "e"), ({"keep": "e"}, "d")]
)
def test_losses_go_first_to_who_is_named_and_last_to_who_is_kept(clause: Row, hurt: str) -> None:
    found = ruled(land(*TWO), (1, 1), standing("losses", **clause))
    steps = {uid: step for uid, (_, step) in ends(found, "d", "e").items()}
    assert [uid for uid, step in steps.items() if step == "reduced"] == [hurt]
    assert ("standing", "losses 1") in chosen(found, "losses")


def test_losses_by_default_are_named_as_such() -> None:
    found = ruled(land(*TWO), (1, 1), standing("losses", "default"))
    assert ("standing", "default, by standing order") in chosen(found, "losses")


# --- hold -------------------------------------------------------------------------------------------------------------


def held(*orders: Row, more: tuple[Row, ...] = ()) -> tuple[bool, str]:
    """Whether a beaten unit on a mountain holds, and why."""
    found = ruled(land(unit("d", "BR", "T", **STRONG), *more, spaces=HILL), (6, 1), *orders)
    by = [str(event.data["clause"]) for event in kinds(found.events, "hold")]
    return found.state.pieces["d"].at == "T", by[0] if by else ""


@pytest.mark.parametrize(
    ("rules", "holds", "why"),
    [
        ("always", True, "hold: always"),
        ("never", False, ""),
        ("default", False, ""),
        ({"at": "T"}, True, "hold 1"),
        ({"at": "any"}, True, "hold 1"),
        ({"at": "P"}, False, ""),
        ({"difference": 1}, True, "hold 1"),
        ({"difference": 9}, False, ""),
        ({"steps": 1}, True, "hold 1"),
        ({"steps": 2}, False, ""),
        ({}, True, "hold 1"),
    ],
)
def test_holding_by_place_difference_and_steps_left(rules: Any, holds: bool, why: str) -> None:
    order = standing("hold", rules) if isinstance(rules, str) else standing("hold", **rules)
    assert held(order) == (holds, why)


def test_the_first_clause_that_fits_decides() -> None:
    assert held(standing("hold", {"at": "P"}, {"steps": "7"}, at="T")) == (True, "hold 3")


@pytest.mark.parametrize("payer", ["d", "e"])
def test_the_payer_named_pays(payer: str) -> None:
    state = land(unit("d", "BR", "T", **STRONG), unit("e", "BR", "T", **STRONG), spaces=HILL)
    found = ruled(state, (6, 1), standing("hold", unit=payer))
    assert [event.data["unit"] for event in kinds(found.events, "hold")] == [payer]
    assert ends(found, payer)[payer] == ("T", "reduced")


# --- retreat and relocation -------------------------------------------------------------------------------------------


def fork() -> State:
    """A beaten unit that may end its retreat in Q or in R."""
    end: dict[str, Row] = {"R": {"region": "Libya", "control": "allied"}}
    return land(unit("d", "BR", "T", **WEAK), spaces=end, links=(("P", "R"), ("R", "Q")))


def test_a_retreat_goes_to_the_first_end_named_that_is_open() -> None:
    assert ends(ruled(fork(), (3, 1), units="g2, g3"), "d")["d"][0] == "Q", "by default"
    for orders, clause in (
        ((standing("retreat", to="A, R"),), "retreat 1: to R"),
        ((standing("retreat", {"space": "P", "to": "Q"}, space="T", to="R"),), "retreat 2: to R"),
        ((standing("retreat", {"space": "any", "to": "B"}, to="R"),), "retreat 2: to R"),
    ):
        found = ruled(fork(), (3, 1), *orders, units="g2, g3")
        assert chosen(found, "retreat") == [("standing", clause)]
        assert ends(found, "d")["d"][0] == "R"


def test_where_no_end_named_is_open_the_default_holds() -> None:
    found = ruled(fork(), (3, 1), standing("retreat", to="A, B"), units="g2, g3")
    assert ends(found, "d")["d"][0] == "Q" and chosen(found, "retreat")[0][0] == "default"


@pytest.mark.parametrize(("to", "ends_at"), [("Cairo", "Cairo"), ("A, @replacement", "@replacement"), ("A", None)])
def test_who_is_overrun_goes_where_the_clause_says(to: str, ends_at: str | None) -> None:
    by_default = ends(fought(land(unit("d", "BR", "T", lf=5)), (6, 1)), "d")["d"][0]
    found = ruled(land(unit("d", "BR", "T", lf=5)), (6, 1), standing("relocate", to=to))
    assert ends(found, "d")["d"][0] == (ends_at or by_default)


# --- rules that settle nothing, and rules that ask --------------------------------------------------------------------

NO_CARDS = standing("cards", "none")
UNFIT: dict[str, tuple[Callable[[], State], tuple[int, int], str, str, Row]] = {
    "losses": (lambda: land(*TWO), (1, 1), "losses", "g1, g2", standing("losses", [])),
    "retreat": (fork, (3, 1), "retreat", "g2, g3", standing("retreat", to="A, B")),
    "relocate": (lambda: land(unit("d", "BR", "T", lf=5)), (6, 1), "relocate", "g1, g2", standing("relocate", to="A")),
}


@pytest.mark.parametrize("topic", ["retreat", "relocate"])
def test_rules_that_cant_be_obeyed_give_the_default_without_a_stop(topic: str) -> None:
    """The defender was not asked for anything before; the event names the message and says so (PROTOCOL 5)."""
    state, dice, kind, units, order = UNFIT[topic]
    found = ruled(state(), dice, NO_CARDS, order, units=units, reaction=False)
    (event,) = kinds(found.events, kind)
    assert (event.data["choice"], event.data["clause"]) == ("default", "no standing rule fits")
    assert 4 in event.by and not found.waits.key.startswith(topic)
    usual = ruled(state(), dice, NO_CARDS, standing(topic, "default"), units=units, reaction=False)
    assert found.state.pieces["d"] == usual.state.pieces["d"]


@pytest.mark.parametrize("rules", ["ask", []])
@pytest.mark.parametrize("topic", UNFIT)
def test_rules_that_ask_or_say_nothing_stop_who_was_not_asked(topic: str, rules: Any) -> None:
    state, dice, kind, units, _ = UNFIT[topic]
    order: Row = {"type": "standing", "topic": topic, "rules": rules}
    found = ruled(state(), dice, NO_CARDS, standing("losses", "default"), order, units=units, reaction=False)
    assert found.waits.side == ALLIED and found.waits.key.startswith(f"{topic}/1"), found.waits
    assert not kinds(found.events, kind)


@pytest.mark.parametrize("topic", UNFIT)
def test_who_reacted_without_a_word_on_it_is_asked_by_his_standing_order_alone(topic: str) -> None:
    """Without the word the default holds, since he had his stop; with it he is asked once, and silence then is the
    default."""
    state, dice, kind, units, _ = UNFIT[topic]
    assert kinds(ruled(state(), dice, units=units).events, kind)
    order: Row = {"type": "standing", "topic": topic, "rules": "ask"}
    rolls = {"combat/t/fire-attacker": dice[0], "combat/t/fire-defender": dice[1]}
    sent = [
        message(4, ALLIED, order),
        message(5, AXIS, section("round"), {"type": "attack", "units": units, "target": "T"}, {"type": "end_round"}),
        message(6, ALLIED, section("reaction")), message(7, AXIS),
    ]
    asked = run(state(), sent, Fixed(7, rolls), 3)
    assert (asked.waits.why, asked.waits.side) == ("decision", ALLIED) and asked.waits.key.startswith(topic)
    found = run(state(), [*sent, message(8, ALLIED)], Fixed(8, rolls), 3)
    assert {event.on for event in kinds(found.events, kind)} == {8} and found.waits.key != asked.waits.key


def test_unreadable_cards_waive_the_stop_like_the_default() -> None:
    """No clauses are built for cards, so a list of them can't be obeyed: no card, and no stop for one."""
    found = ruled(land(unit("d", "BR", "T", **STRONG)), (1, 1), standing("cards", if_="x"), reaction=False)
    assert kinds(found.events, "fire")


# --- all topics -------------------------------------------------------------------------------------------------------


def test_an_order_for_a_choice_goes_before_a_standing_order() -> None:
    state = land(unit("d", "BR", "T", **STRONG), spaces=HILL)
    rolls = {"combat/t/fire-attacker": 6, "combat/t/fire-defender": 1}
    attack: Row = {"type": "attack", "units": "g1, g2", "target": "T"}
    sent = [
        message(4, ALLIED, standing("hold", "always")),
        message(5, AXIS, section("round"), attack, {"type": "end_round"}),
        message(6, ALLIED, section("reaction"), {"type": "answer", "to": "hold/1", "say": "no"}),
    ]
    found = run(state, sent, Fixed(6, rolls), 3)
    assert not voids(found.events) and found.state.pieces["d"].at != "T"


def test_the_newest_order_of_a_topic_replaces_the_older() -> None:
    assert held(standing("hold", "always"), standing("hold", "never")) == (False, "")
    assert held(standing("hold", "never"), standing("hold", "always")) == (True, "hold: always")


def test_a_reduced_division_does_not_hold_where_no_step_would_remain() -> None:
    state = land(division("d", "BR", "T", step="reduced", **STRONG), spaces=HILL)
    found = ruled(state, (6, 1), standing("hold", "always"))
    assert found.state.pieces["d"].at != "T" and not kinds(found.events, "hold")


@pytest.mark.parametrize("topic", TOPICS)
def test_a_word_that_says_nothing_for_a_topic_is_told(topic: str) -> None:
    assert rules_problems(topic, "ask") == [] or topic == "cards"
    assert rules_problems(topic, "sometimes")[0].code == "word"
    assert not rules_problems(topic, [])

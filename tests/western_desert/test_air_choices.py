"""The choices of an air combat as asks: answers, orders, standing clauses and defaults (WD 21; pbem A4 to A8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from adjudicator.engine.core import Ask, Tree
from adjudicator.western_desert.air import craft as air
from adjudicator.western_desert.air.choosing import choice_ask, choice_key
from adjudicator.western_desert.air.engagement import (
    jettison_choice,
    pairs_choice,
    sequence_choice,
    split_choice,
)
from adjudicator.western_desert.air.policies import Defaults
from adjudicator.western_desert.air.sky import Sky
from adjudicator.western_desert.state import Air, Boxed, Sortie, State
from tests.western_desert.dogfights import bombers, escorts, flight, interceptors, sky
from tests.western_desert.ground import start
from tests.western_desert.skirmish import orders

HEX = "18/4818"
ME, BLEN = "air-me-109f-4", "air-blen-4-1"
Rows = Sequence[Mapping[str, object]]


@pytest.fixture
def state() -> State:
    """The Allied air phase; one air unit was lost, another one turned back."""
    place = start()
    place.phase, place.step = "air", "reaction"
    place.air.pop(ME, None)
    place.boxes[ME] = Boxed("air_pool")
    place.air[BLEN] = Air(at(place), sortie=Sortie(air.HARASS, at(place), fate=air.TURNED_BACK))
    return place


def at(state: State) -> int:
    return state.board.find(HEX)


def ask_of(state: State, choice: Any, night: bool = False) -> Ask[Any]:
    return choice_ask(state, at(state), night, choice)


def found(ask: Ask[Any], *rows: Mapping[str, object]) -> Any:
    """What the orders of a message answer."""
    return ask.find(orders(*rows))


def reaction(*rows: Mapping[str, object]) -> Rows:
    return [{"type": "section", "name": "reaction"}, *rows]


THREE = sky(*interceptors("I1", "I2", "I3"), *escorts("E1"), *bombers("B1", "B2"))


def test_keys_sides_and_topics(state: State) -> None:
    split, chase = ask_of(state, split_choice(THREE)), ask_of(state, pairs_choice("chase", THREE))
    assert (split.key, split.side, split.topic, split.askable) == ("split/18.4818", "axis", "intercept", True)
    assert (chase.key, chase.side, chase.topic) == ("chase/18.4818", "allied", "escorts")
    jettison = ask_of(state, jettison_choice(THREE), night=True)
    assert (jettison.key, jettison.side, jettison.topic) == ("jettison/18.4818/night", "allied", "jettison")
    series = sequence_choice(THREE, "mission", "B1", ("I1", "I2"))
    assert choice_key(state, at(state), False, series.key) == "sequence/18.4818/mission/B1"
    assert ask_of(state, series).topic == "intercept"


def test_nothing_said_is_the_default(state: State) -> None:
    ask = ask_of(state, split_choice(THREE))
    assert ask.find(orders(*reaction())) is None
    assert ask.clause([]) is None
    assert ask.default() == Defaults().split(THREE)
    assert not ask.forced
    assert set(ask.atoms()) >= {frozenset(), frozenset(["I1", "I2", "I3"])}


def test_one_against_one_is_forced(state: State) -> None:
    one = replace(sky(*interceptors("I1"), *escorts("E1")), attackers=frozenset(["I1"]))
    ask = ask_of(state, pairs_choice("engage", one))
    assert (ask.forced, ask.atoms()) == (True, [{"I1": "E1"}])


@pytest.mark.parametrize(
    ("row", "screen"),
    [
        ({"screen": ["I2", "I9"]}, {"I2"}),
        ({"screen": "all"}, {"I1", "I2", "I3"}),
        ({"screen": "none"}, set()),
        ({"per_escort": 2}, {"I2", "I3"}),
        ({"per_escort": 7}, {"I1", "I2", "I3"}),
        ({"per_escort": 0}, set()),
    ],
)
def test_the_order_split(state: State, row: dict[str, object], screen: set[str]) -> None:
    ask = ask_of(state, split_choice(THREE))
    chosen = found(ask, *reaction({"type": "split", "hex": HEX, **row}))
    assert chosen == screen
    assert ask.problems(chosen) == []
    assert ask.find(orders(*reaction({"type": "split", "hex": "18/4817", **row}))) is None


def test_an_answer_by_key_comes_before_the_order(state: State) -> None:
    ask = ask_of(state, split_choice(THREE))
    rows = reaction({"type": "split", "hex": HEX, "screen": "all"})
    answer = {"type": "answer", "to": "split/18.4818", "airs": ["I3", ME]}
    assert ask.find(orders(*rows, answer)) == {"I3"}
    assert ask.find(orders(answer)) == {"I3"}
    assert ask.find(orders({**answer, "to": "split/18.4818/night"})) is None


@pytest.mark.parametrize("named", [["I1", "I8"], ["B1"]])
def test_an_answer_that_names_strangers_means_the_default(state: State, named: list[str]) -> None:
    ask = ask_of(state, split_choice(THREE))
    value = found(ask, {"type": "answer", "to": "split/18.4818", "airs": named})
    (problem,) = ask.problems(value)
    assert named[-1] in problem.text


def test_targets_say_whom(state: State) -> None:
    ask = ask_of(state, pairs_choice("strike", THREE))
    row = {"type": "targets", "hex": HEX, "order": "B9, B2"}
    assert set(found(ask, *reaction(row)).values()) == {"B2"}
    one = found(ask, *reaction({**row, "air": ["I2"]}))
    assert one["I2"] == "B2" and set(one) == {"I1", "I2", "I3"}
    assert ask.find(orders(*reaction({**row, "air": ["I7"]}))) is None
    assert ask.find(orders({"type": "section", "name": "combat"}, row)) is None


MIXED = sky(
    *interceptors("I1", "I2"),
    flight("B1", "1B3", tactical=2),
    flight("B2", "1B2", tactical=1),
    flight("T1", "0T4", air.AIRLIFT),
    flight("S1", "1B3", air.PORT, strategic=5),
    flight("G1", "0T3", air.AIRLIFT, tow=flight("X", "0GT1").craft),
)


@pytest.mark.parametrize(
    ("words", "targets"),
    [
        ("transports", {"T1", "G1"}),
        ("towing", {"G1"}),
        ("highest_tactical", {"B1", "B2"}),
        ("highest_strategic", {"S1"}),
        ("weakest", {"B2", "G1"}),
        ("fighters, T", {"T1", "G1"}),
        ("fighters, B2", {"B2"}),
    ],
)
def test_words_of_liking(state: State, words: str, targets: set[str]) -> None:
    ask = ask_of(state, pairs_choice("strike", MIXED))
    by_clause = ask.clause([{"hex": "ports"}, {"targets": words}])
    assert by_clause is not None
    assert set(by_clause[0].values()) == targets
    assert by_clause[1] == "intercept clause 2"
    assert by_clause[0] == ask.find(orders(*reaction({"type": "targets", "hex": HEX, "order": words})))


def test_clauses_for_the_screen(state: State) -> None:
    ask = ask_of(state, split_choice(THREE))
    assert ask.clause([{"targets": "any"}]) is None
    assert ask.clause([{"hex": "18/4817", "per_escort": "0"}, {"per_escort": "3"}]) == (
        frozenset(["I1", "I2", "I3"]),
        "intercept clause 2",
    )
    assert ask.clause([{"air": ["I9"], "per_escort": "0"}]) is None


def test_an_answer_in_pairs_leaves_out_who_is_not_named(state: State) -> None:
    ask = ask_of(state, pairs_choice("strike", THREE))
    answer: dict[str, object] = {"type": "answer", "to": "strike/18.4818"}
    assert ask.find(orders({**answer, "pairs": [{"air": "I1", "at": "B2"}]})) == {"I1": "B2"}
    gone = found(ask, {**answer, "pairs": [{"air": "I1", "at": BLEN}, {"air": ME, "at": "B1"}]})
    assert set(gone) == {"I1"}
    typo = found(ask, {**answer, "pairs": [{"air": "I1", "at": "B2"}, {"air": "I9", "at": "B1"}]})
    assert [problem.code for problem in ask.problems(typo)] == ["not_of_the_group"]
    assert ask.find(orders({**answer, "airs": ["I1"]})) is None


def test_an_answer_fills_up_what_must_be(state: State) -> None:
    both = replace(sky(*interceptors("I1", "I2"), *escorts("E1", "E2")), attackers=frozenset(["I1", "I2"]))
    ask = ask_of(state, pairs_choice("engage", both))
    answer = {"type": "answer", "to": "engage/18.4818", "pairs": [{"air": "I2", "at": "E1"}]}
    assert ask.find(orders(answer)) == {"I2": "E1", "I1": "E2"}


def spare() -> Sky:
    """Two interceptors at the screen and one that passes, three escorts of which one is faced."""
    here = sky(*interceptors("I1", "I2"), *escorts("E1", "E2", "E3"), *bombers("B1"))
    return replace(here, attackers=frozenset(["I1"]), engaged={"I1": "E1"})


def test_escorts_join_and_chase_by_their_clauses(state: State) -> None:
    join, chase = (ask_of(state, pairs_choice(topic, spare())) for topic in ("join", "chase"))
    assert join.default() == {}
    assert join.clause([{"targets": "any"}]) is None
    assert join.clause([{"air": ["E2"], "join": "all"}, {"join": "none"}]) == ({"E2": "I1"}, "escorts clauses 1, 2")
    assert chase.clause([{"join": "all"}]) is None
    assert chase.clause([{"air": ["E3"], "targets": "I9, I2"}]) == ({"E2": "I2", "E3": "I2"}, "escorts clause 1")


def test_the_order_of_a_series(state: State) -> None:
    ask = ask_of(state, sequence_choice(THREE, "mission", "B1", ("I1", "I2")))
    answer = {"type": "answer", "to": "sequence/18.4818/mission/B1", "airs": ["I2"]}
    assert ask.find(orders(answer)) == ("I2", "I1")
    assert ask.clause([{"targets": "any"}]) is None


def bombing_fighters() -> Sky:
    """Two fighters with bombs, one of them on ground support, without escorts."""
    return sky(
        *interceptors("I1"),
        flight("M1", "7F5", air.GROUND_SUPPORT, tactical=2),
        flight("M2", "5F5", tactical=1),
    )


@pytest.mark.parametrize(
    ("rules", "who"),
    [
        ([{"when": "always"}], {"M1", "M2"}),
        ([{"when": "never"}], set()),
        ([{"air": ["M2"], "when": "never"}], set()),
        ([{"air": ["M1"], "when": "outnumbered"}], {"M2"}),
        ([{"air": ["M1"], "when": "always"}], {"M1"}),
        ([{"hex": "18/4817", "when": "never"}, {"air": ["M2"], "when": "never"}, {}], {"M1"}),
    ],
)
def test_who_drops_his_bombs_by_clause(state: State, rules: Tree, who: set[str]) -> None:
    ask = ask_of(state, jettison_choice(bombing_fighters()))
    told = ask.clause(rules)
    assert told is not None
    assert told[0] == who
    assert ask.default() == {"M2"}
    assert ask.find(orders({"type": "answer", "to": "jettison/18.4818", "airs": "all"})) == {"M1", "M2"}
    assert ask.find(orders({"type": "answer", "to": "jettison/18.4818", "airs": "none"})) == frozenset()

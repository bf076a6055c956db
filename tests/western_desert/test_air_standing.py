"""Standing orders and answers on the air war at check time: names and words, keys, sides, clauses that do nothing."""

from __future__ import annotations

import pytest

from adjudicator.engine.core import Order, Problem, Tree
from adjudicator.packs import load_pack
from adjudicator.western_desert.cases.build import real_world
from adjudicator.western_desert.names import books_of, resolver
from adjudicator.western_desert.remarks import standing_remarks
from adjudicator.western_desert.standing import refusal
from adjudicator.western_desert.state import Boxed, State
from tests.western_desert.ground import start
from tests.western_desert.skirmish import tree

ME, MC, JU, HURRI, BLEN = "air-me-109f-4", "air-mc-200-1", "air-ju-52-1", "air-hurri-1-1", "air-blen-4-1"


@pytest.fixture
def state() -> State:
    return start()


def standing(topic: str, *clauses: object) -> Order:
    return Order(0, "standing", {"topic": topic, "rules": tree(clauses)})


def answer(to: str, **data: object) -> Order:
    return Order(0, "answer", {"to": to, **{key: tree(value) for key, value in data.items()}})


def problems(state: State, order: Order, side: str = "axis") -> list[Problem]:
    return refusal(state, side, order)


# --- the words of clauses ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("topic", "clause"),
    [
        ("patrol", {"attack": "transports, Ju 87B", "spare": ["B", "towing"]}),
        ("intercept", {"missions": "bomb_port, air_drop", "min_ratio": "1.5", "targets": f"weakest, {BLEN}, Hurri 1"}),
        ("escorts", {"join": "all", "targets": ["fighters", "any"]}),
        ("jettison", {"hex": "ports", "when": "never"}),
    ],
)
def test_words_that_clauses_know(state: State, topic: str, clause: dict[str, Tree]) -> None:
    assert problems(state, standing(topic, clause)) == []


@pytest.mark.parametrize(
    ("topic", "clause", "field"),
    [
        ("patrol", {"attack": "any, bomers"}, "rules[0].attack[1]"),
        ("patrol", {"spare": "highest_tactical"}, "rules[0].spare[0]"),
        ("intercept", {"targets": ["Ju 87X"]}, "rules[0].targets[0]"),
        ("intercept", {"missions": "intercept"}, "rules[0].missions[0]"),
        ("intercept", {"min_ratio": "1,5"}, "rules[0].min_ratio"),
        ("escorts", {"join": "some"}, "rules[0].join"),
        ("escorts", {"targets": {"first": "any"}}, "rules[0].targets"),
    ],
)
def test_words_that_no_clause_knows_are_refused(
    state: State, topic: str, clause: dict[str, Tree], field: str
) -> None:
    (problem,) = problems(state, standing(topic, clause))
    assert problem.field == field
    assert problem.hint


def test_names_of_models_and_air_units_are_read(state: State) -> None:
    pack = load_pack("western-desert").tree
    reader = resolver(books_of(pack, state.world.scenario), state, "axis")
    rules = [{"targets": "ju 87b, highest tactical, Blen 4 No. 1", "missions": "Bomb Port"}]
    order, faults = reader.order(standing("intercept", *rules))
    assert faults == []
    assert order.data["rules"] == [{"targets": ["Ju 87B", "highest_tactical", BLEN], "missions": ["bomb_port"]}]
    _order, (fault,) = reader.order(standing("patrol", {"attack": "transprots"}))
    assert fault.hint == "did you mean transports?"


# --- answers ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "order",
    [
        answer("jettison/18.4818/night", airs="all"),
        answer("split/18.4818", airs=[ME]),
        answer("strike/18.4818", pairs=[{"air": ME, "at": BLEN}]),
        answer(f"sequence/18.4818/screen/{BLEN}", airs=[ME, MC]),
        answer(f"sequence/18.4818/mission/{BLEN}/night", airs=[ME, MC]),
        answer(f"land/18.4818/{ME}", path=["18/4818"]),
        answer(f"escape/18.4818/{ME}", use="no"),
    ],
)
def test_answers_that_may_be_given(state: State, order: Order) -> None:
    assert problems(state, order) == []


@pytest.mark.parametrize(
    ("order", "said"),
    [
        (answer("split/18.4818", units=["it-62"]), "says airs:"),
        (answer("strike/18.4818", airs=[ME]), "says pairs:"),
        (answer(f"land/18.4818/{ME}", airs=[ME]), "says path:"),
        (answer("split/18.4818", airs=[HURRI]), "belongs to the allied side"),
        (answer("engage/18.4818", pairs=[{"air": ME, "at": MC}]), "belongs to the axis side"),
        (answer("chase/18.4818", pairs=[{"air": BLEN, "at": ME}]), "belongs to the allied side"),
        (answer(f"land/18.4818/{HURRI}", path=["18/4818"]), "is the allied side's"),
        (answer("escape/18.4818/air-none", use="no"), "is no air unit"),
        (answer(f"patrol/18.4818/{BLEN}", airs=[ME]), "standing orders on patrol"),
        (answer("orders/reaction", airs=[ME]), "stand in its section"),
        (answer("split/18.99", airs=[ME]), "there is no choice"),
        (answer("splitt/18.4818", airs=[ME]), "split/HEX"),
        (answer(f"sequence/18.4818/last/{BLEN}", airs=[ME]), "sequence/HEX/STEP/AIR"),
    ],
)
def test_answers_that_settle_nothing_are_refused(state: State, order: Order, said: str) -> None:
    found = problems(state, order)
    assert said in found[0].text
    assert found[0].hint


def test_a_pair_needs_both(state: State) -> None:
    (problem,) = problems(state, answer("engage/18.4818", pairs=[{"air": ME}]))
    assert (problem.code, problem.field) == ("missing", "pairs[0].at")


# --- remarks ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("topic", "clauses", "said"),
    [
        ("jettison", [{"when": "never"}, {"hex": "ports"}], ["clause 2 is never reached"]),
        ("scramble", [{"base": "any"}, {}], ["clause 2 is never reached"]),
        ("escape", [{"air": [ME], "do": "stay"}, {"base": ["18/4818"]}, {}], []),
        ("patrol", [{"min_chance": "6"}, {}], ["clause 2 is never reached"]),
        ("patrol", [{}, {}], []),
        ("intercept", [{}, {}], []),
        ("escorts", [{"hex": "ports"}], ["clause 1 names nothing to be done"]),
        ("escorts", [{"join": "all"}, {"targets": "any"}, {"join": "none", "targets": "any"}], []),
        ("escorts", [{"join": "none", "targets": "any"}, {"targets": "any"}], ["clause 2 is never reached"]),
        ("intercept", [{"air": [JU]}], ["is of type T"]),
        ("intercept", [{"air": [MC], "targets": [BLEN]}], ["MC.200", "Blen 4"]),
    ],
)
def test_clauses_that_do_nothing(
    state: State, topic: str, clauses: list[dict[str, Tree]], said: list[str]
) -> None:
    state.boxes[MC] = state.boxes[BLEN] = Boxed("air_pool")
    for aid in (MC, BLEN):
        state.air.pop(aid, None)
    found = standing_remarks(state, standing(topic, *clauses))
    assert [part in problem.text for part, problem in zip(said, found, strict=True)] == [True] * len(said)


def test_the_world_has_all_models() -> None:
    assert {"Ju 87B", "Hurri 1", "Blen 4"} <= {str(row["model"]) for row in real_world().air.values()}

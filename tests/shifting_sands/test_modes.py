"""Every decision of the player who is attacked, in every mode of telling it: the same answers give the same game.

The points D2 to D9 of the decisions by mail: at a stop of their own, in the reaction, ahead of the combat by its
number, by a standing order that is open, sealed, or says ``ask``, and by the default where that is the answer. Two
attacks are ordered at once; the first, on W, changes nothing, so that the second, on T, can be answered ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from adjudicator.engine.driver import Checkpoint, Message, Run, Told, play
from adjudicator.shifting_sands.orders import TOPICS
from adjudicator.shifting_sands.position import position
from adjudicator.shifting_sands.state import State
from tests.shifting_sands.support import (
    ALLIED,
    AXIS,
    Fixed,
    Row,
    attack,
    division,
    kinds,
    message,
    mini,
    section,
    table,
    unit,
)
from tests.shifting_sands.test_combat import HILL, LIBYA, WEAK, land
from tests.shifting_sands.test_standing import TWO

END: Row = {"type": "end_round"}
STILL = {"combat/w/fire-attacker": 1, "combat/w/fire-defender": 1}
MODES = ("stop", "order at the stop", "reaction", "reaction by key", "ahead", "ahead by key", "open", "sealed", "ask")


@dataclass(frozen=True)
class Point:
    """One decision: where it comes up, and one answer to it, not the default, in each of its forms.

    ``told`` are the orders that say it (none where only the key does), ``key`` and ``said`` the answer by key,
    ``rules`` the standing order; ``more`` are orders that bring the point about.
    """

    decision: str
    topic: str
    board: Callable[[], State]
    dice: tuple[int, int]
    units: str
    told: tuple[Row, ...]
    key: str
    said: Row
    rules: Any
    shows: Callable[[State], bool]
    more: tuple[Row, ...] = ()
    switches: tuple[tuple[str, str], ...] = ()
    attacker: str = AXIS

    def state(self) -> State:
        """The position before the round."""
        state = self.board()
        if self.switches:
            state.world = replace(state.world, switches=dict(self.switches))
        return state


def board(*units: Row, **more: Any) -> State:
    """The army against T, and a battlegroup beside W that is held by one that nothing moves."""
    spaces: dict[str, Row] = {
        "C": {**LIBYA, "control": "axis"}, "W": {**LIBYA, "control": "allied"}, **more.pop("spaces", {}),
    }
    links = (("A", "C"), ("C", "W"), ("W", "Q"), *more.pop("links", ()))
    still = unit("k", "GE", "C", cf=[1, 1], lf=9), unit("w", "BR", "W", cf=[1, 1], lf=9)
    state = land(*units, *still, spaces=spaces, links=links, **more)
    state.markers["C"] = "attack"
    return state


def fork(*units: Row) -> State:
    """Two ways out of T: to Q, the default, and to R."""
    end: dict[str, Row] = {"R": {"region": "Libya", "control": "allied"}}
    return board(*units, spaces=end, links=(("P", "R"), ("R", "Q")))


def narrow() -> State:
    """Two units beaten by one, with one place free in P."""
    crowd = [unit(f"p{n}", "BR", "P") for n in range(2)]
    return board(division("d1", "BR", "T", **WEAK), unit("d2", "BR", "T", **WEAK), *crowd)


def crowded() -> State:
    """A division beaten by one, and P is full."""
    return board(division("d1", "BR", "T", **WEAK), *[unit(f"p{n}", "BR", "P") for n in range(3)])


def corner() -> State:
    """A battlegroup of the Axis is beaten out of T, and its one way back ends in Tobruk, which the Allies hold."""
    own: dict[str, Row] = {
        "A": {**LIBYA, "control": "axis", "source": ["axis"]}, "T": {**LIBYA, "control": "axis"},
        "Tobruk": {**LIBYA, "control": "allied", "vp": True}, "X": {**LIBYA, "control": "allied", "source": ["allied"]},
        "C": {**LIBYA, "control": "allied"}, "W": {**LIBYA, "control": "axis"},
    }
    units = [
        unit("b1", "BR", "X", cf=[6, 5], type="armor"), unit("k", "BR", "C", lf=9), unit("w", "IT", "W", lf=9),
        unit("d", "IT", "T", **WEAK), unit("small", "IT", "A", step="reduced"),
        *[division(f"big{n}", "IT", "A", cf=[3, 1], step="reduced") for n in range(2)],
    ]
    links = (("X", "T"), ("T", "Tobruk"), ("Tobruk", "A"), ("C", "W"), ("W", "A"), ("X", "C"))
    return mini(
        own, links, units=units, markers={"X": "attack", "C": "attack"}, active=ALLIED, round=1,
        history={ALLIED: {1: "ops"}}, ops={"available": 3, "source": "card"},
    )


def at(uid: str, place: str, step: str = "full") -> Callable[[State], bool]:
    """Whether a unit stands somewhere at a strength."""
    return lambda state: (state.pieces[uid].at, state.step_of(uid)) == (place, step)


POINTS = {
    "D2": Point(
        "which steps", "losses", lambda: board(*TWO), (1, 1), "g1, g2", ({"type": "losses", "steps": "e"},),
        "losses/2/defender", {"units": "e"}, [{"first": "e"}],
        lambda state: [state.step_of(uid) for uid in "de"] == ["full", "reduced"],
    ),
    "D3 in a loss number": Point(
        "who replaces", "losses",
        lambda: board(
            division("x", "IND", "T", step="reduced", lf=2), unit("i", "IND", "@reserve", lf=9),
            unit("r", "BR", "@reserve", lf=9),
        ),
        (1, 1), "g1, g2", ({"type": "losses", "steps": "x, r"},), "losses/2/defender", {"units": "x, r"},
        [{"replace": "r"}], at("i", "@reserve"),
    ),
    "D3 beside it": Point(
        "who replaces", "losses",
        lambda: board(
            division("d", "IND", "T", lf=9, step="reduced"), unit("i", "IND", "@reserve"), unit("b", "BR", "@reserve"),
            spaces=HILL,
        ),
        (6, 1), "g1, g2", (), "replace/2/d", {"unit": "b"}, [{"replace": "b"}], at("b", "T"),
        ({"type": "hold", "unit": "d"},),
    ),
    "D4": Point(
        "holding", "hold", lambda: board(unit("d", "BR", "T", lf=9), unit("e", "BR", "T", lf=9), spaces=HILL), (6, 1),
        "g1, g2", ({"type": "hold", "unit": "e"},), "hold/2", {"unit": "e"}, [{"at": "T", "unit": "e"}],
        at("e", "T", "reduced"),
    ),
    "D5": Point(
        "where to", "retreat", lambda: fork(unit("d", "BR", "T", **WEAK)), (3, 1), "g2, g3",
        ({"type": "retreat", "unit": "d", "to": "R"},), "retreat/2/d", {"path": "T, P, R"},
        [{"space": "T", "unit": "d", "to": "R"}], at("d", "R"),
    ),
    "D5 by keys": Point(
        "where to", "retreat", lambda: fork(unit("d", "BR", "T", **WEAK)), (3, 1), "g2, g3",
        ({"type": "retreat", "unit": "d", "to": "R"},), "retreat/2/d", {"path": "T, P, R"}, [{"near": "R"}],
        at("d", "R"),
    ),
    "D5 who first": Point(
        "who first", "retreat", narrow, (5, 1), "g2", ({"type": "retreat", "unit": "d2", "path": "T, P"},),
        "retreat/2/order", {"units": "d2, d1"}, [{"order": "d2"}], at("d2", "P"),
    ),
    "D6": Point(
        "where to when overrun", "relocate", lambda: board(unit("d", "BR", "T", lf=5)), (6, 1), "g1, g2",
        ({"type": "relocate", "unit": "d", "to": "Cairo"},), "relocate/2/d", {"place": "Cairo"},
        [{"unit": "d", "to": "Cairo"}], at("d", "Cairo", "reduced"),
    ),
    "D6 given up": Point(
        "where to when overrun", "relocate", lambda: board(unit("d", "BR", "T", lf=5)), (6, 1), "g1, g2",
        ({"type": "relocate", "unit": "d", "to": "@replacement"},), "relocate/2/d", {"place": "@replacement"},
        "eliminate", at("d", "@replacement"),
    ),
    "D7": Point(
        "who is one too many", "losses", crowded, (5, 1), "g2", (), "overstack/2/p", {"units": "p1"}, [{"first": "p1"}],
        at("p1", "@replacement"), switches=(("retreat_overstack", "owner_choice"),),
    ),
    "D9": Point(
        "captured supply", "flip", corner, (1, 1), "b1", ({"type": "captured_supply", "units": "small, big1"},),
        "captured/2/tobruk", {"units": "small, big1"}, [{"units": "small, big1"}],
        lambda state: [state.step_of(uid) for uid in ("small", "big0", "big1")] == ["full", "reduced", "full"],
        attacker=ALLIED,
    ),
}


class Sealed:
    """A book with rules for one topic, sealed with message 4 or 5."""

    def __init__(self, seq: int, side: str, topic: str, rules: Any) -> None:
        self.told = (side, topic), Told(seq, rules)

    def read(self, at: int, side: str, topic: str, since: int) -> Told | None:
        """The rules of the topic."""
        return self.told[1] if (side, topic) == self.told[0] else None

    def display(self, at: int, side: str, topic: str, since: int) -> Told | None:
        """None."""
        return None


def rows_of(point: Point, mode: str, key: str) -> Sequence[Row]:
    """What the defender writes at a stop of this key."""
    kind, head = key.split("/")[0], section("reaction")
    answer: Row = {"type": "answer", "to": point.key, **point.said}
    if kind == "react":
        ahead, now = mode.startswith("ahead"), key == "react/2"
        numbered = [{**row, "combat": "2"} for row in (*point.more, *point.told)]
        if ahead and key == "react/1":
            by_key = [*({**row, "combat": "2"} for row in point.more), answer]
            return [head, *(numbered if mode == "ahead" and point.told else by_key)]
        if not now:
            return [head]
        wait: list[Row] = [{"type": "wait", "topic": point.topic}]
        own = {
            "reaction": point.told or (answer,), "reaction by key": (answer,), "stop": wait, "order at the stop": wait,
        }.get(mode, ())
        return [head, *point.more, *own]
    if key == point.key or (kind == "retreat" and point.topic == "retreat"):
        if mode == "order at the stop" and point.told:
            return [head, *point.told]
        return [answer] if key == point.key else []
    return []


def game(point: Point, mode: str) -> Run[State]:
    """Both attacks played in a mode; the dice are the same in all."""
    defender = ALLIED if point.attacker == AXIS else AXIS
    first = 4 if defender == ALLIED else 3
    books = Sealed(first, defender, point.topic, rules_of(point, mode)) if mode == "sealed" else None
    sent = [message(first, defender)]
    if mode in ("open", "ask", "default"):
        sent = [message(first, defender, {"type": "standing", "topic": point.topic, "rules": rules_of(point, mode)})]
    orders = [section("round"), attack("k", "W"), attack(point.units, "T"), END]
    sent.append(message(first + 1, point.attacker, *orders))
    rolls = {**STILL, "combat/t/fire-attacker": point.dice[0], "combat/t/fire-defender": point.dice[1]}
    while True:
        seq = sent[-1].seq + 1
        found = _run(point, sent, Fixed(seq - 1, rolls), books, first)
        if found.waits.key.startswith("orders/") and len(sent) > 2:
            return found
        side = defender if sent[-1].side == point.attacker else point.attacker
        asked = found.waits.why == "decision" and found.waits.side == side == defender
        sent.append(message(seq, side, *(rows_of(point, mode, found.waits.key) if asked else ())))
        assert len(sent) < 20, (mode, found.waits)


def _run(point: Point, sent: Sequence[Message], dice: Fixed, books: Any, first: int) -> Run[State]:
    start = Checkpoint(point.state(), first - 1, first - 1)
    return play(table(), start, sent, dice, **({"books": books} if books else {}))


def rules_of(point: Point, mode: str) -> Any:
    """The rules of the standing order of a mode."""
    return mode if mode in ("ask", "default") else point.rules


@pytest.mark.parametrize("name", POINTS)
def test_the_same_answer_gives_the_same_game_in_every_mode(name: str) -> None:
    point = POINTS[name]
    found = {mode: game(point, mode) for mode in MODES}
    for mode, run in found.items():
        assert not kinds(run.events, "void"), (mode, [event.data for event in kinds(run.events, "void")])
        assert point.shows(run.state), (mode, {uid: (p.at, p.reduced) for uid, p in run.state.pieces.items()})
    positions = [position(run.state) for run in found.values()]
    assert all(one == positions[0] for one in positions)


@pytest.mark.parametrize("name", POINTS)
def test_the_default_is_another_answer_and_the_same_by_word_and_by_silence(name: str) -> None:
    point = POINTS[name]
    silent, told = game(point, "silent"), game(point, "default")
    assert not point.shows(silent.state) and position(silent.state) == position(told.state)
    word = replace(point, said={"say": "default"}, told=())
    asked = game(word, "stop")
    assert not kinds(asked.events, "void") and position(asked.state) == position(silent.state)


def test_every_topic_but_the_cards_has_its_point() -> None:
    assert {point.topic for point in POINTS.values()} == {*TOPICS} - {"cards", "withdraw"}  # in files of their own


# --- attacks under a condition, and what the attacker binds -----------------------------------------------------------


def provided(**condition: str) -> Run[State]:
    """W is attacked without effect, then T under a condition; the round ends with them."""
    state = board(*TWO)
    second = attack("g1, g2", "T", **condition)
    sent = [message(3, AXIS, section("round"), attack("k", "W"), second, END), message(4, ALLIED)]
    rolls = {**STILL, "combat/t/fire-attacker": 1, "combat/t/fire-defender": 1}
    found = play(table(), Checkpoint(state, 2, 2), [*sent, message(5, AXIS), message(6, ALLIED)], Fixed(6, rolls))
    assert not kinds(found.events, "void"), [event.data for event in kinds(found.events, "void")]
    return found


@pytest.mark.parametrize(
    ("condition", "why"),
    [
        ({"if_won": "1"}, "combat 1 was not won"),
        ({"if_vacated": "W"}, "the enemy stands in W"),
        ({"if_occupied": "W"}, "no own unit stands in W"),
        ({"if_vacated": "P, W"}, "the enemy stands in W"),
        ({"if_vacated": "P"}, ""),
        ({"if_occupied": "B"}, ""),
        ({"if_vacated": "P", "if_occupied": "W"}, "no own unit stands in W"),
    ],
)
def test_an_attack_under_a_condition_is_called_off_where_it_fails(condition: Row, why: str) -> None:
    """Not fought, and no stop for it; the markers of where it comes from go (pbem-decisions 2)."""
    found = provided(**condition)
    assert [event.data["why"] for event in kinds(found.events, "called-off")] == ([why] if why else [])
    assert [event.data["number"] for event in kinds(found.events, "designate")] == (["1"] if why else ["1", "2"])
    gone = [event.data["space"] for event in kinds(found.events, "marker-gone")]
    assert not why or gone == ["C", "A"]
    (told,) = kinds(found.events, "ordered")
    combats: Any = told.data["combats"]
    assert combats[1]["if"] == [f"{k[3:]} {name}" for k, v in condition.items() for name in v.split(", ")]


def test_an_attack_that_hangs_on_a_victory_is_made_after_one() -> None:
    state = board(*TWO)
    orders = message(3, AXIS, section("round"), attack("g1, g2", "T"), attack("k", "W", if_won="1"), END)
    sent = [orders, message(4, ALLIED), message(5, AXIS), message(6, ALLIED)]
    rolls = {**STILL, "combat/t/fire-attacker": 6, "combat/t/fire-defender": 1}
    found = play(table(), Checkpoint(state, 2, 2), sent, Fixed(6, rolls))
    assert [event.data["target"] for event in kinds(found.events, "designate")] == ["T", "W"]


@pytest.mark.parametrize("condition", [{"if_won": "2"}, {"if_won": "0"}, {"if_won": "9"}])
def test_a_condition_on_a_combat_that_does_not_come_before_is_void(condition: Row) -> None:
    state = board(*TWO)
    sent = [message(3, AXIS, section("round"), attack("k", "W"), attack("g1, g2", "T", **condition), END)]
    found = play(table(), Checkpoint(state, 2, 2), sent, Fixed(2, {}))
    (void,) = kinds(found.events, "void")
    assert "is not fought before it" in str(void.data["why"])


def test_of_two_attacks_one_may_have_the_units_that_the_other_leaves() -> None:
    """T if the first attack is won, else W with the same unit."""
    state = board(*TWO, links=(("A", "W"),))
    first, second = attack("k", "W"), attack("g1", "T", if_won="1")
    sent = [
        message(3, AXIS, section("round"), first, second, attack("g1", "P", if_vacated="Q"), END), message(4, ALLIED),
    ]
    found = play(table(), Checkpoint(state, 2, 2), sent, Fixed(4, STILL))
    assert [event.data["number"] for event in kinds(found.events, "called-off")] == ["2"]


@pytest.mark.parametrize(
    ("fates", "goes"), [("wiped_out", True), ("overrun", False), ("cleared", True), ("retreat1, wiped_out", True)]
)
def test_an_advance_hangs_on_how_the_space_was_cleared(fates: str, goes: bool) -> None:
    state = board(unit("d", "BR", "T", lf=1, step="reduced", cf=[0, 0]))
    go: Row = {"type": "advance", "unit": "g1", "path": "A, T", "if": fates}
    sent = [message(3, AXIS, section("round"), attack("g1, g2", "T"), go, END), message(4, ALLIED)]
    found = play(
        table(), Checkpoint(state, 2, 2), sent, Fixed(4, {"combat/t/fire-attacker": 1, "combat/t/fire-defender": 1})
    )
    assert (found.state.pieces["g1"].at == "T") == goes, found.events


@pytest.mark.parametrize(
    ("rules", "hit"),
    [
        ({"prefer": "battlegroups"}, ["d"]),
        ({"prefer": "armor"}, ["d"]),
        ({"nations": "IND, BR"}, ["x"]),
        ({"keep": "d", "nations": "BR"}, ["t"]),
        ({"prefer": "reduced"}, ["x"]),
    ],
)
def test_losses_go_by_words_and_nations(rules: Row, hit: list[str]) -> None:
    """A division of India, reduced, an armored battlegroup and an infantry one, of which one takes a step."""
    units = [
        division("x", "IND", "T", lf=2, step="reduced"), unit("t", "BR", "T", lf=2, type="armor"),
        unit("d", "BR", "T", lf=2),
    ]
    point = replace(POINTS["D2"], board=lambda: board(*units), rules=[rules], told=({"type": "losses", **rules},))
    for mode in ("open", "reaction", "ahead"):
        found = game(point, mode)
        lost = [event.data["steps"] for event in kinds(found.events, "losses") if event.data["role"] == "defender"]
        assert lost[-1] == hit, mode

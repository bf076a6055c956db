"""The messages of a player turn with an air phase, through the sequence of play: P1, R1, P2 (PROTOCOL 9.1; WD 16.C)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from adjudicator.engine.dice import Assume
from adjudicator.engine.driver import Checkpoint, Message, Run, Waits, play
from adjudicator.western_desert.state import Air, State
from tests.western_desert.skirmish import orders
from tests.western_desert.surprise import table
from tests.western_desert.test_air_movement import at
from tests.western_desert.turns import COMBAT, MOVEMENT, NO_EXPLOITATION, Turns

BLEN, BEAU, ME, ME2 = "air-blen-4-1", "air-beau-1c-1", "air-me-109f-1", "air-me-109e-1"
Row = Mapping[str, object]
AIR: Row = {"type": "section", "name": "air"}
REACTION: Row = {"type": "section", "name": "reaction"}
RAID: Row = {"type": "bomb_airbase", "air": [BLEN], "hex": "18/4818"}
INTERCEPT: Row = {"type": "intercept", "air": [ME], "hex": "18/4818"}
P1: Sequence[Row] = (MOVEMENT, AIR, RAID)
P2: Sequence[Row] = (COMBAT, NO_EXPLOITATION)


@pytest.fixture
def state() -> State:
    """The start of an Allied player turn; a bomber stands at Matruh, Axis fighters at Tobruk."""
    found = Turns().state
    found.airfields[at(found, "Matruh")] = "allied"
    found.air = {BLEN: Air(at(found, "Matruh")), BEAU: Air(at(found, "Matruh"))}
    found.air |= {ME: Air(at(found, "Tobruk")), ME2: Air(at(found, "Tobruk"))}
    return found


def run(state: State, *said: Sequence[Row], standing: Sequence[Row] = ()) -> Run[State]:
    """Messages from 3 on, the Allies' odd, the Axis' even; the Axis' standing orders stand in message 4."""
    messages = [Message(4, "axis", tuple(orders(*standing)))]
    messages += [Message(5 + i, ("allied", "axis")[i % 2], tuple(orders(*rows))) for i, rows in enumerate(said)]
    return play(table(), Checkpoint(state, at=4, since=3), messages, Assume())


def voided(done: Run[State]) -> list[object]:
    return [event.data["code"] for event in done.events if event.kind == "void"]


def kinds(done: Run[State]) -> list[str]:
    return [event.kind for event in done.events]


def test_standard_play_is_three_messages(state: State) -> None:
    first = run(state, P1)
    assert first.waits == Waits("decision", "axis", "orders/reaction")
    second = run(state, P1, [REACTION, INTERCEPT])
    assert second.waits == Waits("decision", "allied", "orders/combat")
    assert {"air-combat", "air-shot", "air-landed"} <= set(kinds(second))
    third = run(state, P1, [REACTION, INTERCEPT], P2)
    assert (third.waits.key, third.waits.side) == ("orders/initial", "axis")
    assert voided(third) == []
    assert {unit.sortie for unit in third.state.air.values()} == {None}


def test_dice_after_the_reaction_are_those_of_its_message(state: State) -> None:
    done = run(state, P1, [REACTION, INTERCEPT])
    shots = [event for event in done.events if event.kind == "air-shot"]
    assert shots
    assert {event.on for event in shots} == {6}


def test_fast_play_is_one_message(state: State) -> None:
    standing: list[Row] = [{"type": "standing", "topic": topic, "rules": "auto"} for topic in ("intercept", "scramble")]
    done = run(state, [*P1, *P2], standing=standing)
    assert (done.waits.key, done.waits.side) == ("orders/initial", "axis")
    assert kinds(done).count("reacts") == 2
    assert {event.on for event in done.events} == {5}


def test_nobody_reacts_where_nobody_flies(state: State) -> None:
    done = run(state, [MOVEMENT, AIR, *P2])
    assert done.waits.key == "orders/initial"
    assert "reacts" not in kinds(done)


def test_without_the_section_air_the_phasing_side_is_waited_for(state: State) -> None:
    assert run(state, [MOVEMENT, *P2]).waits == Waits("decision", "allied", "orders/air")


def test_the_reaction_is_for_the_other_side(state: State) -> None:
    done = run(state, [*P1, REACTION, INTERCEPT, *P2])
    assert "section" in voided(done)
    assert done.waits.key == "orders/reaction"


def test_the_reaction_holds_nothing_else(state: State) -> None:
    move: Row = {"type": "move", "unit": "it-62", "to": "18/4818"}
    attack: Row = {"type": "attack", "hex": "18/4818", "with": ["x"]}
    done = run(state, P1, [MOVEMENT, move, REACTION, INTERCEPT, *P2, attack])
    assert voided(done).count("unasked") == 2
    assert "air-combat" in kinds(done)


def test_live_play_asks_whom_the_rules_leave_the_choice(state: State) -> None:
    standing: list[Row] = [{"type": "standing", "topic": "intercept", "rules": "ask"}]
    escort = {"type": "escort", "air": [BEAU], "hex": "18/4818"}
    flown: list[Row] = [MOVEMENT, AIR, escort, RAID]
    both: list[Row] = [REACTION, {**INTERCEPT, "air": [ME, ME2]}]
    done = run(state, flown, both, standing=standing)
    assert done.waits == Waits("decision", "axis", "split/18.4818")
    answer: Row = {"type": "answer", "to": "split/18.4818", "airs": "none"}
    after = run(state, flown, both, [], [answer], standing=standing)
    assert after.waits.key == "strike/18.4818"
    assert voided(after) == []


def test_what_the_flying_side_is_asked_may_come_with_its_combat(state: State) -> None:
    """A stop of the phasing side in the midst of the air combat: its message brings the sections that follow."""
    standing: list[Row] = [{"type": "standing", "topic": "escorts", "rules": "ask"}]
    flown: list[Row] = [*standing, MOVEMENT, AIR, {"type": "escort", "air": [BEAU], "hex": "18/4818"}, RAID]
    reaction: list[Row] = [REACTION, INTERCEPT, {"type": "split", "hex": "18/4818", "screen": "none"}]
    done = run(state, flown, reaction)
    assert done.waits == Waits("decision", "allied", "chase/18.4818")
    answer: Row = {"type": "answer", "to": "chase/18.4818", "pairs": [{"air": BEAU, "at": ME}]}
    last = run(state, flown, reaction, [answer, *P2])
    assert (voided(last), last.waits.key) == ([], "orders/initial")
    (chase,) = [event for event in last.events if event.kind == "engaged" and event.data["topic"] == "chase"]
    assert (chase.data["choice"], chase.by) == ("order", (6, 7))

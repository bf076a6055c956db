"""The reaction and the air combat that follows from it, by orders, by standing orders and live: where the answers agree
the same is flown and shot (PROTOCOL 9.1; WD 16.C.2, 16.C.3, 21)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from adjudicator.engine.core import Ctx, Event, Roll, Tree
from adjudicator.engine.driver import Checkpoint, Message, Run, Step, Waits, play
from adjudicator.western_desert.air import craft as air
from adjudicator.western_desert.air.dogfight import air_combats
from adjudicator.western_desert.air.reacting import react
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.state import Air, Sortie, State
from tests.western_desert.ground import start
from tests.western_desert.skirmish import orders
from tests.western_desert.test_air_movement import at

Row = Mapping[str, object]
BOMBERS = ("air-blen-4-1", "air-blen-4-2")
ESCORTS = ("air-hurri-1-1", "air-hurri-1-2")
LOADED = "air-hurri-1-3"
HUNTERS = ("air-me-109f-1", "air-me-109f-2", "air-me-109e-1", "air-me-109e-2")
WHERE = "18.4818"
TOPICS = ("intercept", "scramble", "jettison", "escorts")


class Reacting:
    """A game of the interceptor movement step and the air combat step, the Axis reacting."""

    sides = ("axis", "allied")

    def apply(self, state: State, event: Event) -> None:
        apply(state, event)

    def copy(self, state: State) -> State:
        return state.copy()

    def next_step(self, state: State) -> tuple[str, Step[State]] | Waits:
        return Waits("over") if state.step == "done" else ("reaction", self._step)

    def _step(self, ctx: Ctx[State]) -> Any:
        yield from react(ctx, "axis")
        yield from air_combats(ctx)
        ctx.state.step = "done"


@pytest.fixture
def state() -> State:
    """A raid upon Tobruk, of bombers, escorts and a fighter with bombs; four fighters stand there."""
    found = start()
    found.phase, found.step = "air", "reaction"
    base, target = at(found, "Matruh"), at(found, "Tobruk")
    found.airfields[base] = "allied"
    missions = dict.fromkeys(BOMBERS, air.AIRBASE) | dict.fromkeys(ESCORTS, air.ESCORT) | {LOADED: air.AIR_UNITS}
    for number, (aid, mission) in enumerate(missions.items(), 1):
        found.air[aid] = Air(base, sortie=Sortie(mission, target, number))
    for aid in HUNTERS:
        found.air[aid] = Air(target)
    found.take_offs[target] = -2
    return found


def dice(salt: str) -> Any:
    """Dice that hang on their label, not on the message."""

    def source(_seq: int, roll: Roll) -> tuple[int, ...]:
        digest = hashlib.sha256(f"{salt}/{roll.label}".encode()).digest()
        return tuple(digest[i] % 6 + 1 for i in range(roll.count))

    return source


def section(*rows: Row) -> list[Row]:
    return [{"type": "section", "name": "reaction"}, *rows]


def answer(topic: str, rest: str = "", **data: object) -> Row:
    return {"type": "answer", "to": f"{topic}/{WHERE}{rest}", **data}


def standing(topic: str, rules: object) -> Row:
    return {"type": "standing", "topic": topic, "rules": rules}


def run(
    state: State,
    salt: str,
    *said: tuple[str, Sequence[Row]],
    before: Mapping[str, Sequence[Row]] | None = None,
    ahead: Sequence[Row] = (),
) -> Run[State]:
    """The steps over messages: 3 and 4 hold standing orders, 5 what the Allies said ahead, then come the answers."""
    told = before or {}
    messages = [Message(4 - side.startswith("al"), side, tuple(orders(*told.get(side, ())))) for side in Reacting.sides]
    messages.append(Message(5, "allied", tuple(orders(*ahead))))
    messages += [Message(6 + i, side, tuple(orders(*rows))) for i, (side, rows) in enumerate(said)]
    return play(Reacting(), Checkpoint(state, at=5, since=5, answered=(5,)), messages, dice(salt))


def result(done: Run[State]) -> Tree:
    """All that is flown and shot, and what came of it: not who chose it, and how."""
    assert done.waits.why == "over", done.waits
    assert [event for event in done.events if event.kind == "void"] == []
    kinds = ("flight", "jettisoned", "split", "engaged", "air-shot", "air-hit")
    kept = [event for event in done.events if event.kind in kinds]
    drop = ("choice", "clause", "order")
    return [{key: value for key, value in event.data.items() if key not in drop} for event in kept]


def live(state: State, salt: str, replies: Mapping[str, Sequence[Row]]) -> tuple[Run[State], list[str]]:
    """Both sides ask to be asked; each stop is answered by what is said under its key, or under its topic."""
    before = {side: [standing(topic, "ask") for topic in TOPICS] for side in Reacting.sides}
    said: list[tuple[str, Sequence[Row]]] = []
    asked: list[str] = []
    while True:
        done = run(state.copy(), salt, *said, before=before)
        if done.waits.why != "decision":
            return done, asked
        asked.append(done.waits.key)
        rows = replies.get(done.waits.key, ())
        said.append((done.waits.side, rows))
        assert len(said) < 20


INTERCEPT: Row = {"type": "intercept", "air": list(HUNTERS), "hex": "18/4818"}
SPLIT: Row = {"type": "split", "hex": "18/4818", "per_escort": 1}
TARGETS: Row = {"type": "targets", "hex": "18/4818", "order": "bombers, weakest"}
KEEP = answer("jettison", airs="none")
SALTS = [str(n) for n in range(8)]


@pytest.mark.parametrize("salt", SALTS)
def test_orders_and_standing_orders_that_agree_give_the_same(state: State, salt: str) -> None:
    """The section reaction and the answers given ahead, against clauses on all topics."""
    one = run(state.copy(), salt, ("axis", section(INTERCEPT, SPLIT, TARGETS)), ahead=[KEEP])
    clauses = {
        "axis": [
            standing("intercept", [{"most": "9", "per_escort": "1", "targets": "bombers, weakest"}]),
            standing("scramble", [{"do": "stay"}]),
        ],
        "allied": [standing("jettison", [{"when": "never"}]), standing("escorts", "auto")],
    }
    other = run(state.copy(), salt, before=clauses)
    assert [event.data["air"] for event in one.events if event.kind == "flight"] == list(HUNTERS)
    assert result(one) == result(other)
    assert one.state.air == other.state.air
    assert any(event.kind == "air-shot" for event in one.events)


FEW: Row = {"type": "split", "hex": "18/4818", "screen": list(HUNTERS[2:3])}
JOINING = [answer("join", pairs=[{"air": aid, "at": HUNTERS[2]} for aid in ESCORTS]), KEEP]


@pytest.mark.parametrize("salt", SALTS)
@pytest.mark.parametrize(("told", "ahead"), [(SPLIT, [KEEP]), (FEW, [KEEP]), (FEW, JOINING)])
def test_live_play_gives_the_same(state: State, salt: str, told: Row, ahead: list[Row]) -> None:
    """All that the orders of the section, and the answers given ahead, would say is said key by key."""
    one = run(state.copy(), salt, ("axis", section(INTERCEPT, told, TARGETS)), ahead=ahead)
    split = next(event.data for event in one.events if event.kind == "split")
    engaged = {str(event.data["topic"]): event.data["pairs"] for event in one.events if event.kind == "engaged"}
    assert ("join" in engaged) is (ahead is JOINING)
    replies: dict[str, Sequence[Row]] = {
        "orders/reaction": section(INTERCEPT),
        f"jettison/{WHERE}": [KEEP],
        f"split/{WHERE}": [answer("split", airs=split["screen"] or "none")],
    }
    for topic, rows in engaged.items():
        replies[f"{topic}/{WHERE}"] = [answer(topic, pairs=rows)]
    done, asked = live(state, salt, replies)
    assert asked[:3] == ["orders/reaction", f"jettison/{WHERE}", f"split/{WHERE}"]
    assert result(done) == result(one)
    assert done.state.air == one.state.air


def test_a_live_answer_may_hold_what_is_asked_later(state: State) -> None:
    """The answer to the split holds the targets, too; the stop for these is not made any more."""
    rows = section(answer("split", airs=list(HUNTERS[:2])), TARGETS, INTERCEPT)
    replies = {"orders/reaction": section(INTERCEPT), f"split/{WHERE}": rows}
    done, asked = live(state, "1", replies)
    assert f"split/{WHERE}" in asked
    assert f"strike/{WHERE}" not in asked
    assert [event.data["code"] for event in done.events if event.kind == "void"] == ["unasked"]


def test_an_answer_without_the_answer_means_the_default(state: State) -> None:
    done, asked = live(state, "2", {})
    standard = run(state.copy(), "2", ("axis", []), before={"allied": [standing("jettison", "auto")]})
    assert {event.data["choice"] for event in done.events if event.kind in ("reacts", "split")} == {"default"}
    assert result(done) == result(standard)
    assert asked[0] == "orders/reaction"


def test_choices_of_orders_are_told_with_their_source(state: State) -> None:
    done = run(state, "3", ("axis", section(INTERCEPT, SPLIT)), ahead=[KEEP])
    (split,) = [event for event in done.events if event.kind == "split"]
    assert (split.data["choice"], split.by) == ("order", (5, 6))
    strike = [event for event in done.events if event.kind == "engaged" and event.data["topic"] == "strike"]
    assert {event.data["choice"] for event in strike} <= {"default"}

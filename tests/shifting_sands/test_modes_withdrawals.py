"""Units that an event takes (pbem D8), in every mode of telling who goes: the same answer gives the same game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from adjudicator.engine.driver import NO_BOOKS, Books, Checkpoint, Run, play
from adjudicator.shifting_sands.position import position
from adjudicator.shifting_sands.state import State
from tests.shifting_sands.support import ALLIED, AXIS, Row, Seeds, kinds, message, section, voids
from tests.shifting_sands.test_events import event, holding, world
from tests.shifting_sands.test_modes import Sealed

MODES = ("stop", "stop by key", "open", "sealed", "ask", "silent", "default", "auto", "word by key")
SAID = ("stop", "stop by key", "open", "sealed", "ask")
KEY = "withdraw/fall-1941/3"


def asked(card: str) -> State:
    """Round 3 of Fall 1941, in which the Axis plays a card that takes units."""
    state = holding(AXIS, card, events="Invasion of Greece")
    state.round = 3
    for uid, at in (("br-70", "Suez"), ("aus-6", "Mersa Matruh")):
        state.place(uid, at)
    return state


def game(card: str, mode: str, units: Sequence[str], rules: Any) -> Run[State]:
    """The event, and who goes, told in a mode; the dice are the same in all."""
    told = {"open": rules, "ask": "ask", "default": "default", "auto": "auto"}.get(mode)
    standing: list[Row] = [{"type": "standing", "topic": "withdraw", "rules": told}] if told else []
    by_order = [section("reaction"), *({"type": "withdraw", "unit": uid} for uid in units)]
    by_key: list[Row] = [{"type": "answer", "to": KEY, "units": [*units]}]
    word: list[Row] = [{"type": "answer", "to": KEY, "say": "default"}]
    said = {"stop": by_order, "ask": by_order, "stop by key": by_key, "word by key": word}.get(mode, [])
    books: Books = Sealed(4, ALLIED, "withdraw", rules) if mode == "sealed" else NO_BOOKS
    sent = [message(4, ALLIED, *standing), message(5, AXIS, section("round"), event(card), {"type": "end_round"})]
    start, ground = Checkpoint(asked(card), 3, 3), world()
    run = play(ground, start, sent, Seeds(9), books=books)
    stops = mode not in ("open", "sealed", "default", "auto")
    assert (run.waits.key == KEY) is stops, (mode, run.waits)
    if stops:
        run = play(ground, start, [*sent, message(6, ALLIED, *said)], Seeds(9), books=books)
    return run


CASES: dict[str, tuple[str, Sequence[str], Any]] = {
    "Plan Orient": ("plan-orient-31", ("br-70",), [{"first": ["br-70"]}]),
    "Plan Orient by nation": ("plan-orient-31", ("br-70",), [{"event": "Rising Sun"}, {"nations": ["BR"]}]),
    "Rising Sun": ("rising-sun-30", ("aus-6", "br-arm-bg-2"), [{"event": "rising sun", "keep": ["br-arm-bg-1"]}]),
    "Balkan Campaign": (
        "balkan-campaign-15", ("aus-6", "br-70", "br-arm-bg-2"),
        [{"first": ["br-70", "aus-6", "br-arm-bg-2"], "keep": ["br-7-arm"]}],
    ),
    "Balkan Campaign, armor spared": (
        "balkan-campaign-15", ("ind-4", "aus-6", "br-arm-bg-1"), [{"prefer": ["armor"]}],
    ),
}


def taken(run: Run[State]) -> list[object]:
    return [e.data["unit"] for e in kinds(run.events, "withdrawn")]


@pytest.mark.parametrize("name", CASES)
def test_who_goes_is_the_same_however_it_is_told(name: str) -> None:
    card, units, rules = CASES[name]
    found = {mode: game(card, mode, units, rules) for mode in SAID}
    for mode, run in found.items():
        assert not voids(run.events), (mode, voids(run.events))
        assert sorted(map(str, taken(run))) == sorted(units), mode
    positions = [position(run.state) for run in found.values()]
    assert all(one == positions[0] for one in positions)


@pytest.mark.parametrize("name", CASES)
def test_by_default_somebody_else_goes_by_word_and_by_silence(name: str) -> None:
    card, units, rules = CASES[name]
    found = [game(card, mode, units, rules) for mode in ("silent", "default", "auto", "word by key")]
    assert all(taken(run) == taken(found[0]) and not voids(run.events) for run in found)
    assert sorted(map(str, taken(found[0]))) != sorted(units)
    positions = [position(run.state) for run in found]
    assert all(one == positions[0] for one in positions)


def test_the_event_tells_how_it_was_said() -> None:
    card, units, rules = CASES["Plan Orient"]
    run = game(card, "open", units, rules)
    (gone,) = kinds(run.events, "withdrawn")
    assert (gone.data["choice"], gone.data["clause"]) == ("standing", "withdraw 1")


def test_rules_for_another_event_alone_leave_it_to_the_default() -> None:
    card, units, _ = CASES["Plan Orient"]
    run = game(card, "open", units, [{"event": "Rising Sun", "first": ["br-70"]}])
    assert taken(run) == taken(game(card, "default", units, None))

"""Nothing that the ground rules can do goes unplayed: the programs write every type of order, every kind of event
happens, in the phases and games that the properties look at."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from adjudicator.engine.core import Event
from adjudicator.engine.dice import Assume, Local
from adjudicator.engine.driver import Checkpoint, play
from adjudicator.match.games import table as table_of
from adjudicator.match.play import Tally, unseen
from adjudicator.match.play.tally import fields_of
from tests.western_desert.phases import PHASES, ROUNDS, Phase, checkpoint, message, phases, played
from tests.western_desert.surprise import Played, table
from tests.western_desert.test_properties_games import SEEDS, game
from tests.western_desert.test_properties_phases import spoilt
from tests.western_desert.worked import named, on_plain_ground, order

SCENARIOS = ("compass", "enter-rommel", "crusader", "campaign")
MORE = 100
"""Phases of the rare orders, besides those that the properties look at."""


def tally() -> Tally:
    """Everything that was ordered and happened."""
    found, kinds = Tally(), table().order_types
    rare = (played(seed, name) for name in ("initial", "movement") for seed in range(ROUNDS, ROUNDS + MORE))
    for phase in (*phases(), *(phase for phase in rare if phase is not None)):
        found.orders.update(str(row["type"]) for row in phase.rows)
        found.fields.update(said for row in phase.rows for said in fields_of(row, kinds[str(row["type"])]))
        found.events.update(event.kind for event in phase.events)
    for name in PHASES:
        found.events.update(event.kind for event in _mistaken(phases(name)))
    found.events.update(event.kind for event in _crowding())
    told = Played.begun().send([{"type": "standing", "topic": "losses", "rules": []}])
    found.events.update(str(event["kind"]) for event in told.events)
    for seed in SEEDS:
        found.events.update(event.kind for stretch in game(seed) for event in stretch.events)
    for scenario in SCENARIOS:
        rules = table_of("western-desert", scenario, ())
        run = play(rules, Checkpoint(rules.start()), [], Assume())
        found.events.update(event.kind for event in run.events)
    return found


def _mistaken(played: list[Phase]) -> Iterator[Event]:
    """What unlawful orders bring: orders made void, units halted."""
    for phase in played:
        rows = spoilt(phase.rows, phase.rows, random.Random(str(phase.rows)))
        dice = Local(random.Random("mistaken").randrange)
        yield from play(table(), checkpoint(phase.before), [message(phase.before, rows)], dice).events


def _crowding() -> Iterator[Event]:
    """Eight brigades that all go to one hex."""
    scene = on_plain_ground(phase="movement")
    for place, names in (("A", "abcd"), ("B", "efgh")):
        scene.units(place, *named("br-16", *names))
    yield from scene.when(order("move", units=list("abcdefgh"), to="T")).events()


@pytest.fixture(scope="module")
def never() -> dict[str, list[str]]:
    """What was not seen."""
    return unseen(table(), tally())


def test_every_type_of_order_is_written(never: dict[str, list[str]]) -> None:
    assert never["orders"] == []


def test_every_kind_of_event_happens(never: dict[str, list[str]]) -> None:
    # Two kinds tell that the players agreed to other rules, which is no part of a phase: tests/cli/test_upgrade.py
    # and tests/engine/test_succession.py bring them about.
    assert sorted(never["events"]) == ["rules", "rules-later"]

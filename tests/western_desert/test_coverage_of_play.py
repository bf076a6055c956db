"""Nothing that the ground rules can do goes unplayed: the programs write every type of order, every kind of event
happens, in the phases and games that the properties look at."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Ctx, Event, Tree
from adjudicator.engine.dice import Assume, Local
from adjudicator.engine.driver import Checkpoint, play
from adjudicator.match.games import table as table_of
from adjudicator.match.play import Tally, unseen
from adjudicator.match.play.tally import fields_of
from adjudicator.western_desert.air.carrying_out import carry_out_missions
from adjudicator.western_desert.air.craft import CANAL
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.bot_air import flying_orders
from adjudicator.western_desert.cases.drive import drive
from adjudicator.western_desert.control import emit_flips
from adjudicator.western_desert.state import Air, Sortie, State
from adjudicator.western_desert.victory.territory import cities
from tests.western_desert import garrison_lists, operations
from tests.western_desert.deployments import set_ups
from tests.western_desert.endings import before_the_end, ended
from tests.western_desert.ground import start
from tests.western_desert.phases import PHASES, ROUNDS, Phase, checkpoint, message, phases, played
from tests.western_desert.surprise import Played, table
from tests.western_desert.test_properties_games import SEEDS, game
from tests.western_desert.test_properties_phases import spoilt
from tests.western_desert.worked import named, on_plain_ground, order

SCENARIOS = ("compass", "enter-rommel", "crusader", "campaign")
RARE = ("initial", "movement", "air", "reaction")
CANAL_TRIES = 40
MORE = 140
"""Phases of the rare orders, besides those that the properties look at."""


def tally() -> Tally:
    """Everything that was ordered and happened."""
    found, kinds = Tally(), table().order_types
    rare = (played(seed, name) for name in RARE for seed in range(ROUNDS, ROUNDS + MORE))
    for phase in (*phases(), *(phase for phase in rare if phase is not None)):
        found.orders.update(str(row["type"]) for row in phase.rows)
        found.fields.update(said for row in phase.rows for said in fields_of(row, kinds[str(row["type"])]))
        found.events.update(event.kind for event in phase.events)
    for name in PHASES:
        found.events.update(event.kind for event in _mistaken(phases(name)))
    found.events.update(event.kind for event in _scenes())
    for row in (*operations.chance_rows(), *operations.waves(), *garrison_lists.chance_rows()):
        found.orders[str(row["type"])] += 1
        found.fields.update(fields_of(row, kinds[str(row["type"])]))
    found.events.update(event.kind for event in (*operations.happened(), *operations.landed()))
    found.events.update(event.kind for event in garrison_lists.happened())
    found.orders.update(str(row["type"]) for rows in set_ups() for row in rows)
    told = Played.begun().send([{"type": "standing", "topic": "losses", "rules": []}])
    found.events.update(str(event["kind"]) for event in told.events)
    for seed in SEEDS:
        found.events.update(event.kind for stretch in game(seed) for event in stretch.events)
    found.orders.update(str(row["type"]) for seed in range(CANAL_TRIES) for row in _towards_the_canal(seed))
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


def _silent() -> Iterator[Event]:
    """What the defaults make of a reaction that nobody orders."""
    for phase in phases("reaction"):
        dice = Local(random.Random("silent").randrange)
        yield from play(table(), checkpoint(phase.before), [message(phase.before, ())], dice).events


def _over_the_canal() -> Iterator[Event]:
    """German bombers over Suez, until one of them hits."""
    for seed in range(20):
        state = start()
        state.player, state.phase, state.step = "axis", "air", "reaction"
        suez = next(place.hex for place in state.board.places.values() if place.slug == "suez")
        for number, aid in enumerate(("air-ju-88a-1", "air-ju-88a-2"), 1):
            state.air[aid] = Air(state.board.find("19/1225"), sortie=Sortie(CANAL, suez, number))
        ctx: Ctx[State] = Ctx(state, apply)
        drive(carry_out_missions(ctx), Local(random.Random(f"canal {seed}").randrange))
        yield from ctx.events


def _towards_the_canal(seed: int) -> list[dict[str, Tree]]:
    """What the programs write for German bombers at Alexandria, within reach of Suez."""
    state = start()
    state.player, state.phase, state.step = "axis", "air", "air"
    alexandria = state.board.find("19/2423")
    for uid in list(state.units_at(alexandria)):
        state.take_off(uid, "permanent")
    state.control[alexandria] = "axis"
    for aid in ("air-ju-88a-1", "air-ju-88a-2"):
        state.air[aid] = Air(alexandria)
    return flying_orders(state, "axis", Chance(random.Random(f"towards the canal {seed}").random))


def _endings() -> Iterator[Event]:
    """A city that counts, an island that falls, the last turn of the campaign."""
    for seed in range(2):
        yield from ended(before_the_end(seed)).events
    state = before_the_end(0)
    state.control, state.met = {}, frozenset()
    ctx: Ctx[State] = Ctx(state, apply)
    state.world = replace(state.world, switches={"options": "33.B"}, cache={})
    state.points["malta/british_non_armor"] = 8
    emit_flips(ctx, dict.fromkeys(cities(state.world, "malta"), "axis"))
    for region in ("egypt", "malta"):
        emit_flips(ctx, {cities(state.world, region)[0]: "axis"})
    for side in ("allied", "axis"):
        emit_flips(ctx, dict.fromkeys(cities(state.world, "levant"), side))
    yield from ctx.events


def _without_order_of_battle() -> Iterator[Event]:
    """A pack that says nothing of later turns: play rests where it needs them."""
    state = before_the_end(0, 20)
    state.world = replace(state.world, events=())
    yield from ended(state).events


def _scenes() -> Iterator[Event]:
    yield from (*_crowding(), *_silent(), *_over_the_canal(), *_endings(), *_without_order_of_battle())


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

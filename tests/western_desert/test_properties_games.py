"""What holds over whole games of chance from the set-up on: the umpire reads every event of them, the events alone give
every position, and listing agrees with checking (invariants.py). ``--hypothesis-profile long`` plays far more."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count, islice
from typing import Any

import pytest
from hypothesis import settings

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Ask, Event
from adjudicator.engine.dice import Local
from adjudicator.engine.driver import Checkpoint, Message, play
from adjudicator.engine.game import message_of
from adjudicator.match.play.players import asked
from adjudicator.match.resolver import author
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.position import position, restore
from adjudicator.western_desert.state import State
from tests.western_desert.surprise import table
from tests.western_desert.umpire import Umpire

GAMES = max(1, settings().max_examples // 25)
STRETCHES_AT_MOST = 60
STANDING_SHARE = 0.4
SEEDS = tuple(range(GAMES))
Maker = Callable[[State, str, Ask[Any], Chance], list[Any]]


class Stretch:
    """What one message made happen: the position before it, the events that are settled, the position after them."""

    def __init__(self, before: State, events: list[Event], after: State) -> None:
        self.before, self.events, self.after = before, events, after


@cache
def game(seed: int) -> tuple[Stretch, ...]:
    """A game of two programs over the rules alone, on dice of chance, as far as this version plays."""
    chance = Chance(random.Random(f"game {seed}").random)

    def rows_of(state: State, side: str, ask: Ask[Any], chance: Chance) -> list[Any]:
        rows = table().bot_orders(state, side, ask, chance)
        standing = table().bot_standing(state, side, chance) if rows and chance.likely(STANDING_SHARE) else []
        return [*standing, *rows]

    return tuple(islice(stretches_of(table(), rows_of, chance, seed), STRETCHES_AT_MOST))


def stretches_of(rules: Any, rows_of: Maker, chance: Chance, seed: object) -> Iterator[Stretch]:
    """A game in which a maker of orders plays both sides, message by message, for as long as it goes."""
    point: Checkpoint[State] = Checkpoint(rules.start())
    messages: list[Message] = []
    for seq in count():
        run = play(rules, point, messages, dice_of(seed))
        yield Stretch(point.state.copy(), run.events[: run.kept], run.checkpoint.state)
        point = run.checkpoint
        if run.waits.why in ("over", "unbuilt"):
            return
        side = author(rules, seq + 1)
        ask = asked(run, side)
        rows = rows_of(run.state, side, ask, chance) if ask is not None else []
        messages = [m for m in messages if m.seq >= point.at]
        messages.append(message_of(seq + 1, side, rows))


def dice_of(seed: object) -> Any:
    """Dice that fall alike whenever a label is rolled again, as opened ones do."""

    def roll(seq: int, request: Any) -> tuple[int, ...]:
        return Local(random.Random(f"{seed}/{seq}/{request.label}").randrange)(seq, request)

    return roll


@pytest.mark.parametrize("seed", SEEDS)
def test_the_umpire_finds_nothing_wrong_with_a_whole_game(seed: int) -> None:
    umpire = Umpire(table().start())
    for stretch in game(seed):
        assert umpire.follow(stretch.events).faults == []


@pytest.mark.parametrize("seed", SEEDS)
def test_events_replayed_from_the_start_give_every_position_of_the_driver(seed: int) -> None:
    again = table().start()
    for stretch in game(seed):
        for event in stretch.events:
            apply(again, event)
        assert position(again) == position(stretch.after)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_position_is_sound_and_comes_back_whole(seed: int) -> None:
    for stretch in game(seed):
        assert table().faults(stretch.after, stretch.before) == []
        if stretch.after.phase != "setup":
            assert position(restore(stretch.after.world, position(stretch.after))) == position(stretch.after)


@pytest.mark.parametrize("seed", SEEDS)
def test_programs_write_nothing_that_is_void_unless_dice_came_between(seed: int) -> None:
    rolled = False
    for stretch in game(seed):
        for event in stretch.events:
            rolled = rolled or event.kind in ("result", "captured")
            assert event.kind != "void" or rolled, event.data
            if event.kind == "phase":
                rolled = False

"""Ends of games of chance: the last player turn of the campaign, with ground, pools and points as chance has them."""

from __future__ import annotations

import random
from functools import cache

from adjudicator.engine.dice import Local
from adjudicator.engine.driver import Checkpoint, Message, Run, play
from adjudicator.match.games import table as table_of
from adjudicator.western_desert.control import holder
from adjudicator.western_desert.game import WesternDesertTable
from adjudicator.western_desert.state import AIR_POOL, Boxed, State
from tests.western_desert.phases import AT

SCENARIO = "campaign"
LAST = 52
PARTS = ("Cyrenaica", "Tripolitania", "Delta", "Egypt", "Malta", "Cyprus", "Palestine")


@cache
def campaign() -> WesternDesertTable:
    """The whole war; never changed."""
    found = table_of("western-desert", SCENARIO, ())
    assert isinstance(found, WesternDesertTable)
    return found


@cache
def _begun() -> State:
    return play(campaign(), Checkpoint(campaign().start()), [], Local(random.Random("set-up").randrange)).state


def before_the_end(seed: int, turn: int = LAST) -> State:
    """The exploitation phase of the last Axis player turn: regions, pools and points as chance has it."""
    chance, state = random.Random(f"ending {seed}"), _begun().copy()
    state.turn, state.player, state.phase, state.step = turn, "axis", "exploitation", "exploitation"
    state.surprise = False
    for uid in chance.sample(sorted(state.pieces), 12):
        state.take_off(uid, chance.choice(("eliminated", "scrapped", "permanent")))
    for part in PARTS:
        side = chance.choice(("allied", "axis"))
        for h, info in state.board.land.items():
            if info.cities and state.board.in_region(h, part) and not (holder(state, h) or h in state.airfields):
                state.control[h] = side if chance.random() < 0.9 else "allied"
    for aid in chance.sample(sorted(state.air), 3):
        del state.air[aid]
        state.boxes[aid] = Boxed(AIR_POOL)
    for key in ("british_armor", "any_air", "german_non_armor", "italian_air"):
        state.points[key] = chance.randrange(1, 40)
    for side in ("allied", "axis"):
        state.vp2[side] = state.tally[(side, "WD 29.C.missing")] = -2 * chance.randrange(20)
    state.conquered = frozenset(name.lower() for name in ("Malta", "Cyprus", "Palestine") if _fallen(state, name))
    state.met = frozenset(c for c in ("allied/cyrenaica", "axis/egypt", "allied/libya") if chance.random() < 0.5)
    return state


def _fallen(state: State, country: str) -> bool:
    owners = {state.control[h] for h, info in state.board.land.items() if info.cities and info.country == country}
    return owners == {"axis"}


def ended(state: State) -> Run[State]:
    """The player turn played to its end with nothing more to do in it."""
    told = Message(AT + 1, state.player, ())
    dice = Local(random.Random("ending").randrange)
    return play(campaign(), Checkpoint(state, AT, AT, ()), [told], dice)

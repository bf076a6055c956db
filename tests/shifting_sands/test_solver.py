"""The program and a second, exhaustive solver agree on losses and retreats in ten thousand random combats."""

from __future__ import annotations

from random import Random

import pytest

from adjudicator.shifting_sands.losses import Outcome, default, fulfilments
from adjudicator.shifting_sands.retreat import best_path, retreat_paths
from adjudicator.shifting_sands.state import State
from tests.shifting_sands import solver
from tests.shifting_sands.chance import man_of, map_of, random_position, random_world

LOTS, COMBATS = 20, 500
NUMBERS = (0, 1, 2, 3, 4, 5, 7)
WORLDS_EACH = 10


def _fate(state: State, units: list[str], outcome: Outcome) -> tuple[tuple[str, ...], ...]:
    """An outcome of the program in the words of the second solver."""
    ends = dict(outcome.ends)
    words = {"@replacement": "box", "@eliminated": "gone"}
    found = []
    for uid in (*units, *(uid for uid in ends if uid not in units)):
        counter = state.counter(uid)
        name = uid if uid in units else "reserve"
        sort = f"{counter.nation} {'armor' if counter.armor else 'infantry'} {counter.lf}"
        found.append((name, sort, words.get(ends.get(uid, ""), ends.get(uid, "")) or state.step_of(uid)))
    return tuple(sorted(found))


def _losses_agree(state: State, units: list[str], side: str, number: int) -> None:
    outcomes = fulfilments(state, units, number)
    reserve = [man_of(state, uid) for uid in state.in_box("@reserve", side)]
    theirs = solver.losses([man_of(state, uid) for uid in units], reserve, number)
    assert {_fate(state, units, outcome) for outcome in outcomes} == theirs
    assert {o.absorbed for o in outcomes} == {sum(state.counter(uid).lf for uid in o.steps) for o in outcomes}
    assert outcomes[0].absorbed <= number and default(state, outcomes) in outcomes


def _retreats_agree(state: State, units: list[str], side: str, target: str) -> None:
    board = map_of(state)
    for uid in units:
        for spaces in (1, 2):
            paths = retreat_paths(state, uid, target, spaces)
            assert set(paths) == solver.retreats(board, man_of(state, uid), side, spaces)
            assert len(paths) == len(set(paths))
            assert not paths or best_path(state, uid, paths) in paths


@pytest.mark.parametrize("lot", range(LOTS))
def test_losses_and_retreats_are_those_of_the_second_solver(lot: int) -> None:
    rnd = Random(lot)
    for number in range(COMBATS):
        if number % WORLDS_EACH == 0:
            world = random_world(rnd)
        state, side, target = random_position(rnd, world)
        units = state.friends(target, side)
        _losses_agree(state, units, side, rnd.choice(NUMBERS))
        _retreats_agree(state, units, side, target)

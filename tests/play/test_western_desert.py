"""Some random games of Compass from the surprise attack to the end of the scenario; the long run stands in
scripts/long_play.py."""

from __future__ import annotations

import pytest

from adjudicator.cli.play import told
from adjudicator.match.play import Pairing, Played, Settings, play_game

SYSTEM, SCENARIO = "western-desert", "compass"
RANDOM = {"axis": "random", "allied": "random"}


def game(seed: str) -> Played:
    """One random game, with its reports."""
    return play_game(Settings(Pairing(SYSTEM, SCENARIO, (), seed), RANDOM, stories=(told,)))


@pytest.mark.parametrize("seed", ["suite-1", "suite-2", "suite-3"])
def test_random_games_break_nothing(seed: str) -> None:
    played = game(seed)
    assert played.faults == []
    assert played.tally.ends == {"over": 1}
    assert played.tally.orders["move"] > 0
    assert played.tally.events["landed"] > 0 and played.tally.events["withdrawn"] == 4


def test_the_same_seed_gives_the_same_game() -> None:
    assert game("suite-1").lines == game("suite-1").lines

"""Some random games of Shifting Sands, six action rounds each; the long run stands in scripts/long_play.py."""

from __future__ import annotations

import pytest

from adjudicator.cli.play import told
from adjudicator.match.play import Pairing, Settings, play_game

RANDOM = {"axis": "random", "allied": "random"}


@pytest.mark.parametrize(("scenario", "seed"), [("campaign", "suite-1"), ("sonnenblume", "suite-1")])
def test_random_games_break_nothing(scenario: str, seed: str) -> None:
    played = play_game(Settings(Pairing("shifting-sands", scenario, (), seed), RANDOM, stories=(told,)))
    assert played.faults == []
    assert played.tally.ends == {"before attrition": 1}
    assert played.tally.events["fire"] > 0

"""Some random games of Compass from the surprise attack to the end of the scenario; the long run stands in
scripts/long_play.py."""

from __future__ import annotations

from functools import cache

import pytest

from adjudicator.cli.play import told
from adjudicator.match.play import Pairing, Played, Settings, UnknownPlayer, play_game, player

SYSTEM, SCENARIO = "western-desert", "compass"
FIRST = "suite-1"
SHARED = pytest.mark.xdist_group("the first game")


def game(seed: str, player: str = "random", messages: int = 0) -> Played:
    """One game of programs, with its reports."""
    players = dict.fromkeys(("axis", "allied"), player)
    return play_game(Settings(Pairing(SYSTEM, SCENARIO, (), seed), players, messages, stories=(told,)))


@cache
def first_game() -> Played:
    """The game that two tests look at."""
    return game(FIRST)


@pytest.mark.parametrize("seed", [pytest.param(FIRST, marks=SHARED), "suite-2", "suite-3"])
def test_random_games_break_nothing(seed: str) -> None:
    played = first_game() if seed == FIRST else game(seed)
    assert played.faults == []
    assert played.tally.ends == {"over": 1}
    assert played.tally.orders["move"] > 0
    assert played.tally.events["landed"] > 0 and played.tally.events["withdrawn"] == 4


@SHARED
def test_the_same_seed_gives_the_same_game() -> None:
    assert first_game().lines == game(FIRST).lines


def test_simple_players_attack_at_good_odds_and_break_nothing() -> None:
    played = game("suite-4", "simple", 24)
    assert played.faults == []
    assert played.tally.orders["move"] > 0 and played.tally.orders["attack"] > 0
    assert played.tally.fields["attack.min_odds"] == played.tally.orders["attack"]


def test_a_player_that_there_is_not_is_told_with_those_there_are() -> None:
    with pytest.raises(UnknownPlayer, match="choose one of: random, sealing, simple"):
        player("clever")

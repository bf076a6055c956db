"""Whole games of Shifting Sands, played by programs to their end (SS 5, 16, 18).

A hundred of them are played by ``python -m tests.shifting_sands.campaigns``, others over the protocol by
``python -m tests.shifting_sands.whole_games``.
"""

from __future__ import annotations

import pytest

from adjudicator.shifting_sands.state import LAST_TURN
from tests.shifting_sands.campaigns import Played, campaign
from tests.shifting_sands.whole_games import verified, whole


def test_a_campaign_is_played_to_its_end_and_nothing_is_wrong_on_the_way() -> None:
    done = campaign(1)
    assert done.faults == [] and done.state is not None
    assert done.state.winner in ("axis", "allied") and done.state.phase == "over"
    assert {"rd", "rp", "recreated", "victory", "merge"} <= set(done.kinds)
    assert {"ops", "rd", "rp", "auto"} <= set(done.uses)


def test_sonnenblume_is_played_to_its_end_with_all_optional_rules() -> None:
    done = campaign(2, "sonnenblume", "19.11 19.12 19.13 19.21 19.22 19.5 19.6")
    assert done.faults == [] and done.state is not None and done.state.winner


def test_a_campaign_goes_through_torch_to_the_end_of_spring_1943() -> None:
    """One of some campaigns with simple aims is not decided before: no program plays for it."""
    games = (campaign(number, player="simple") for number in range(8, 20))
    done = next(one for one in games if (one.state is not None and one.state.turn == LAST_TURN) or one.faults)
    assert done.faults == [] and done.state is not None and done.state.winner
    assert 9 <= done.state.events["Torch"] <= LAST_TURN and done.kinds["taken"] > 0
    assert any(done.state.counter(uid).nation == "US" for uid in done.state.pieces)


def test_sonnenblume_is_verified_and_its_decks_are_opened() -> None:
    """Over the protocol, with hidden hands: who knows the log alone takes it, and every epoch is opened at the end."""
    game = whole("sonnenblume", "suite")
    assert game.fault == "" and game.state.winner and game.state.hidden
    assert game.opened == game.epochs and min(game.epochs.values()) > 1
    assert game.line("suite").startswith("suite: ") and "verified" in game.line("suite")


def test_a_log_that_was_changed_is_not_verified() -> None:
    lines = whole("sonnenblume", "suite", messages=12).log
    assert verified(lines) == "" and verified([*lines[:4], *lines[5:]])


def test_a_card_that_lies_twice_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.shifting_sands.whole_games.names_of", lambda faces: dict.fromkeys(faces, "torch-35"))
    with pytest.raises(AssertionError, match="torch-35 lies"):
        whole("sonnenblume", "suite", messages=12)


def test_a_game_that_breaks_off_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.shifting_sands.campaigns.MESSAGES_AT_MOST", 3)
    done = campaign(1)
    assert done.faults == ["the game did not come to its end"]
    assert "did not come" in done.line() and Played(4).line() == "4: not begun"

"""Whole games of Shifting Sands without events, played by programs to their end (SS 5, 16, 18).

A hundred of them are played by ``python -m tests.shifting_sands.campaigns``.
"""

from __future__ import annotations

import pytest

from tests.shifting_sands.campaigns import Played, campaign


def test_a_campaign_is_played_to_its_end_and_nothing_is_wrong_on_the_way() -> None:
    done = campaign(1)
    assert done.faults == [] and done.state is not None
    assert done.state.winner in ("axis", "allied") and done.state.phase == "over"
    assert {"rd", "rp", "recreated", "victory", "merge"} <= set(done.kinds)
    assert {"ops", "rd", "rp", "auto"} <= set(done.uses)


def test_sonnenblume_is_played_to_its_end_with_all_optional_rules() -> None:
    done = campaign(2, "sonnenblume", "19.11 19.12 19.13 19.21 19.22 19.5 19.6")
    assert done.faults == [] and done.state is not None and done.state.winner


def test_a_game_that_breaks_off_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.shifting_sands.campaigns.MESSAGES_AT_MOST", 3)
    done = campaign(1)
    assert done.faults == ["the game did not come to its end"]
    assert "did not come" in done.line() and Played(4).line() == "4: not begun"

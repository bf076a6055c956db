"""Some random games of Shifting Sands, six action rounds each; the long run stands in scripts/long_play.py."""

from __future__ import annotations

import pytest

from adjudicator.cli.play import told
from adjudicator.engine.core import Event
from adjudicator.match.games import table
from adjudicator.match.play import Pairing, Settings, play_game
from adjudicator.match.resolver import MatchResolver
from adjudicator.shifting_sands import apply, invariants, movement
from adjudicator.shifting_sands.state import State

RANDOM = {"axis": "random", "allied": "random"}


@pytest.mark.parametrize(("scenario", "seed"), [("campaign", "suite-1"), ("sonnenblume", "suite-1")])
def test_random_games_break_nothing(scenario: str, seed: str) -> None:
    played = play_game(Settings(Pairing("shifting-sands", scenario, (), seed), RANDOM, stories=(told,)))
    assert played.faults == []
    assert played.tally.ends == {"over": 1}
    assert played.tally.events["fire"] > 0


def found(text: str, scenario: str, games: int = 12) -> bool:
    """Whether one of some games fails with faults that speak of the text."""
    for number in range(games):
        pairing = Pairing("shifting-sands", scenario, (), f"broken-{number}")
        if any(text in fault for fault in play_game(Settings(pairing, RANDOM)).faults):
            return True
    return False


def test_a_vp_marker_that_stays_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(apply.APPLY, "vp", lambda state, event: setattr(state, "vp", state.vp or 1))
    assert found("the VP marker stands at", "campaign")


def test_a_card_that_is_used_and_stays_in_the_hand_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    used = apply.APPLY["action"]

    def kept(state: State, event: Event) -> None:
        used(state, event)
        state.hands[str(event.data["side"])] += [str(event.data["card"])] if event.data.get("card") else []

    monkeypatch.setitem(apply.APPLY, "action", kept)
    assert found("is 2 times among the", "campaign")


def test_states_that_must_not_be_are_told() -> None:
    """The set-up has no fault; units too many, beside an enemy, or where they may not be are found."""
    game = table("shifting-sands", "campaign")
    resolver = MatchResolver.fresh(game)
    for seq in range(3):
        resolver.resolve(seq, [{"orders": []}] * 3, bytes([seq]) * 32)
    assert resolver.last is not None
    state = resolver.last.state
    assert game.faults(state) == []
    for uid in ("it-17", "it-27"):
        state.shift(uid, "Bardia")
    state.shift("br-inf-bg-1", "Tobruk")
    state.pieces["it-61"].at = "Nowhere"
    state.control["Malta"] = "axis"
    state.shift("it-64", "Malta")
    said = "\n".join(game.faults(state))
    wanted = ("holds too many axis units", "units of both sides", "is in Nowhere", "the index has", "stands in Malta")
    assert [text for text in wanted if text not in said] == []


def test_a_reach_that_forgets_a_space_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    real = movement.reach
    monkeypatch.setattr(invariants, "reach", lambda *args: dict(list(real(*args).items())[1:]))
    assert found("its end is not listed", "campaign")

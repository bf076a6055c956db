"""The watcher and the referee find what is wrong: a game with a fault put into it does not pass."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adjudicator.engine.core import Event
from adjudicator.match.play import Pairing, Played, Settings, play_game, save_failure
from adjudicator.match.proof import Failed, Proof
from adjudicator.western_desert import apply, bots, choices, labels, movement, moves
from adjudicator.western_desert.state import State

RANDOM = {"axis": "random", "allied": "random"}


def played(seed: str = "suite-1") -> Played:
    """A random game of Western Desert under whatever rules are in force."""
    return play_game(Settings(Pairing("western-desert", "compass", (), seed), RANDOM))


def found(text: str, games: int = 12) -> Played:
    """The first of some games whose faults speak of the text."""
    for number in range(games):
        game = played(f"broken-{number}")
        if any(text in fault for fault in game.faults):
            return game
    raise AssertionError(f"no game of {games} failed for {text!r}")


def everybody(state: State, side: str) -> dict[int, tuple[str, ...]]:
    """A listing of attacks that lists too much."""
    return {next(iter(state.at)): tuple(state.side_units(side))}


def test_a_unit_that_is_lost_from_the_game_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(state: State, event: Event) -> None:
        state.take_off(str(event.data["unit"]), "eliminated")
        state.gone.clear()

    monkeypatch.setitem(apply.APPLY, "eliminated", forgetful)
    assert found("was lost from the game")


def test_control_that_is_not_settled_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(movement, "emit_flips", lambda *_args, **_more: None)
    assert found("is held by")


def test_an_order_that_was_legal_and_is_void_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that refuse an order only when it runs on opened dice."""
    real = moves.plan

    def moody(searches: Any, side: str, order: Any) -> Any:
        made = real(searches, side, order)
        if not order.places and not made.problems:
            made.problems += real(searches, side, order.__class__(order.index, "move", {"unit": "none"})).problems
        return made

    monkeypatch.setattr(movement, "plan", moody)
    assert found("and is void")


def test_a_label_that_no_form_declares_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjudicator.western_desert.game.LABEL_FORMS", labels.LABEL_FORMS[1:])
    assert found("declared forms", 1)


def test_a_listed_order_that_check_refuses_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "attack_options", everybody)
    assert found("listed, but not lawful")


def test_an_unlawful_default_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choices, "best_way", lambda _state, _uid, origin, _avoid, _options: origin)
    assert found("is unlawful", 40)


def test_a_failing_game_is_kept_as_a_folder_that_verify_opens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "attack_options", everybody)
    game = found("listed, but not lawful")
    folder = save_failure(game, tmp_path)
    assert "listed, but not lawful" in (folder / "failure.txt").read_text(encoding="utf-8")
    assert (folder / "draft.yaml").read_text(encoding="utf-8") == game.draft
    monkeypatch.undo()
    steps = list(Proof((folder / "log.jsonl").read_bytes()).steps())
    assert not any(isinstance(step, Failed) for step in steps)
    assert len(steps) == len(game.lines) + 2

"""What `status` tells of arrivals and withdrawals to come (WD 29.A to 29.C)."""

from __future__ import annotations

from adjudicator.western_desert.orderbook import due_on, short
from adjudicator.western_desert.situation import situation
from adjudicator.western_desert.situation_coming import coming_lines, next_initial
from adjudicator.western_desert.state import State
from adjudicator.western_desert.world import text
from tests.western_desert.endings import before_the_end


def on(turn: int, phase: str = "movement") -> State:
    """The Allied player turn of a turn."""
    state = before_the_end(0, turn)
    state.player, state.phase, state.step = "allied", phase, phase
    return state


def test_the_next_two_initial_phases_of_a_side_are_told_ahead() -> None:
    state = on(13)
    lines = coming_lines(state, "axis")
    assert {line.partition(" (")[0].rpartition(" on ")[2] for line in lines} <= {"Jun I 41", "Jun II 41"}
    coming = {text(row, "unit") for row in due_on(state, "axis", 13, "reinforce")}
    assert coming and all(short(state.world, uid) in lines[0] for uid in coming)
    assert [line for line in situation(state, "axis") if line in lines] == lines


def test_a_phase_that_has_not_ended_counts() -> None:
    assert [next_initial(on(12), side) for side in ("allied", "axis")] == [13, 12]
    assert [next_initial(on(12, "initial"), side) for side in ("allied", "axis")] == [12, 12]


def test_withdrawals_are_told_before_they_fall_due() -> None:
    said = "To be withdrawn on Dec II 40 (WD 29.C): "
    assert any(line.startswith(said) for line in coming_lines(on(1), "allied"))
    assert coming_lines(on(52), "allied") == []

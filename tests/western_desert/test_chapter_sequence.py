"""The sequence of play, clause by clause (WD 4)."""

from __future__ import annotations

import pytest

from adjudicator.western_desert.sequence import PHASES, PlayerTurn, game_turn, phases_of
from adjudicator.western_desert.state import LAST_TURN, turn_name, turn_number
from tests.western_desert.surprise import Body, Played


def test_a_game_turn_is_an_allied_and_then_an_axis_player_turn() -> None:
    """WD 4; the first one begins with the surprise turn (WD 28.B.3)."""
    first = [(one.player, one.surprise) for one in game_turn(1)]
    assert first == [("allied", True), ("allied", False), ("axis", False)]
    for number in range(2, LAST_TURN + 1):
        assert [(one.player, one.surprise) for one in game_turn(number)] == [("allied", False), ("axis", False)]


def test_the_phases_of_a_player_turn_stand_in_their_order() -> None:
    """WD 4.A.1, 4.A.2, 4.A.3, 4.A.4, 4.A.5."""
    assert PHASES == ("initial", "movement", "air", "combat", "exploitation")
    assert [phase for who, phase in phases_of(7) if who == "axis"] == list(PHASES)
    assert [phase for who, phase in phases_of(1) if who == "surprise"] == list(PHASES[:-1])


def test_each_player_turn_is_followed_by_the_one_the_rules_name() -> None:
    """WD 4, WD 4.B."""
    turn, names = PlayerTurn(1, "allied", surprise=True), []
    for _ in range(5):
        names.append((turn.turn, turn.player, turn.surprise))
        turn = turn.next()
    assert names == [
        (1, "allied", True),
        (1, "allied", False),
        (1, "axis", False),
        (2, "allied", False),
        (2, "axis", False),
    ]


@pytest.mark.parametrize("surprise", [True, False])
def test_play_goes_from_each_phase_to_the_next_and_ends_with_the_last(surprise: bool) -> None:
    """WD 4.A.1, 4.A.2, 4.A.3, 4.A.4, 4.A.5."""
    turn, phase, seen = PlayerTurn(1, "allied", surprise), PHASES[0], []
    while phase:
        seen.append(phase)
        phase = turn.after(phase)
    assert seen == ["initial", "movement", "air", "combat"] + ([] if surprise else ["exploitation"])


def test_play_goes_through_the_phases_of_both_players() -> None:
    """WD 4, 4.A.1, 4.A.2, 4.A.3, 4.A.4, 4.A.5, 4.B: the surprise turn, the Allied turn, and on to the Axis turn."""
    played = Played.begun()
    named = ("movement", "air", "combat", "exploitation")
    sections: list[Body] = [{"type": "section", "name": name} for name in named]
    seen = [(e["player"], e["phase"]) for e in played.send(sections[:3]).events if e["kind"] == "phase"]
    for said in ([], sections[:2], [], sections[2:]):
        seen += [(e["player"], e["phase"]) for e in played.send(said).events if e["kind"] == "phase"]
    surprise = [("allied", phase) for phase in ("movement", "air", "combat", "initial")]
    regular = [("allied", phase) for phase in ("movement", "air", "combat", "exploitation")]
    assert seen == [*surprise, *regular, ("axis", "initial")]
    assert played.waits == ("axis", "orders/initial")


def test_the_surprise_turn_is_of_dec_i_40_and_leaves_nothing_behind() -> None:
    """Ruling SURPRISE-SCOPE: supply is determined for it and anew for the regular turn; its air units are back by then,
    and nobody has won."""
    played = Played.begun()
    support: Body = {"type": "ground_support", "air": ["air-blen-4-1"], "hex": "19/0725"}
    sections: list[Body] = [{"type": "section", "name": name} for name in ("movement", "air", "combat")]
    events = played.send([*sections[:2], support, sections[2]]).events
    kinds = [str(event["kind"]) for event in events]
    opened = [n for n, event in enumerate(events) if event["kind"] == "phase"]
    assert [events[n]["phase"] for n in opened] == ["movement", "air", "combat", "initial"]
    assert "supply-check" in kinds[: opened[0]] and "supply-check" not in kinds[opened[0] :]
    assert kinds.index("flight") < kinds.index("air-landed") < opened[-1]
    assert {"decided", "held", "vp"}.isdisjoint(kinds)
    regular = [event for said in ([], sections[:1]) for event in played.send(said).events]
    assert [str(event["kind"]) for event in regular].count("supply-check") == 1 and played.state.turn == 1


def test_there_are_two_turns_a_month_from_december_1940_to_january_1943() -> None:
    """WD chart.turn."""
    names = [turn_name(number) for number in range(1, LAST_TURN + 1)]
    assert (names[:3], names[-1], len(names)) == (["Dec I 40", "Dec II 40", "Jan I 41"], "Jan II 43", 52)
    assert [turn_number(name) for name in names] == list(range(1, LAST_TURN + 1))
    with pytest.raises(ValueError, match="no game turn"):
        turn_number("Feb I 43")

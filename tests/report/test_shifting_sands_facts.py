"""What happened in played rounds of Shifting Sands stands in their reports: every number, name, rule and die."""

from __future__ import annotations

import pytest

from adjudicator.engine.core import Event, Tree
from adjudicator.report.dice import dice_of
from adjudicator.shifting_sands.words import card_name, unit_name
from tests.report.sands import flat, report, told_events
from tests.shifting_sands.rounds import FIRST_ROUNDS, Rounds, first_rounds, fresh, order

SALTS = ("s0", "s6", "s13", "s15", "s20")
MESSAGES = range(3, 3 + len(FIRST_ROUNDS))


GARRISON = """
orders:
  - type: standing
    topic: hold
    rules: always
  - type: section
    name: round
  - type: play_card
    card: HIGHEST
    use: ops
  - type: move_marker
    space: Mersa Matruh
  - type: move
    unit: IND 4
    to: Halfaya
"""
ASSAULT = """
orders:
  - type: section
    name: round
  - type: play_card
    card: HIGHEST
    use: ops
  - type: attack_marker
    space: Bardia
  - type: attack
    units: IT arm BG 2, IT 62
    target: Halfaya
"""

ASKING = "orders:\n  - {type: section, name: reaction, ask: 'losses, hold, retreat, relocate'}\n"


def every_event() -> list[tuple[str, int, Event]]:
    """The events of all messages of some games, with salt and message."""
    return [(salt, seq, event) for salt in SALTS for seq in MESSAGES for event in first_rounds(salt).events(seq)]


def text(event: Event, name: str) -> str:
    """A text of an event."""
    return str(event.data.get(name, ""))


@pytest.fixture(scope="module")
def reports() -> dict[tuple[str, int], str]:
    """All reports in one line each."""
    return {(salt, seq): flat(report(first_rounds(salt), seq)) for salt in SALTS for seq in MESSAGES}


def test_every_die_is_told_with_its_label_and_worked_out_again() -> None:
    for salt in SALTS:
        for seq in MESSAGES:
            chapter = first_rounds(salt).chapter(seq)
            dice, told = dice_of(chapter), flat(report(first_rounds(salt), seq))
            rolled = [event for event in chapter.events if event.data.get("label")]
            assert [die.label for die in dice] == [text(event, "label") for event in rolled]
            assert all(die.agrees for die in dice)
            assert all(told.count(die.label) == 2 for die in dice), (salt, seq)
            assert f"opened by {'the Axis' if seq % 2 == 0 else 'the Allies'}, link" in told or not dice


def test_every_modifier_and_shift_is_told_with_its_rule(reports: dict[tuple[str, int], str]) -> None:
    shots = [(salt, seq, event) for salt, seq, event in every_event() if event.kind == "fire"]
    assert len(shots) > 20
    for salt, seq, event in shots:
        told = reports[salt, seq]
        assert f"strength {text(event, 'strength')}" in told.lower()
        assert f"{text(event, 'table')} table, column {text(event, 'base')}" in told
        assert f"loss number {text(event, 'number')}" in told
        for row in (*list_of(event, "shifts"), *list_of(event, "drms")):
            assert f"{row['value']} " in told
            assert f"({row['rule']})" in told


def list_of(event: Event, name: str) -> list[dict[str, Tree]]:
    """Rows of an event."""
    value = event.data.get(name, [])
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def test_every_unit_that_is_hurt_or_moves_is_named(reports: dict[tuple[str, int], str]) -> None:
    kinds = ("eliminated", "reduced", "replaced", "retreat", "advance", "stays", "move", "relocate")
    found = [(salt, seq, event) for salt, seq, event in every_event() if event.kind in kinds]
    assert {event.kind for _salt, _seq, event in found} == set(kinds)
    state = first_rounds("s6").before(3)
    for salt, seq, event in found:
        name = unit_name(state, text(event, "unit"))
        number = name.split()[-1] if name.split()[-1].isdigit() else name.split()[1]
        assert number in reports[salt, seq], (salt, seq, event)


def test_every_space_and_card_is_named(reports: dict[tuple[str, int], str]) -> None:
    state = first_rounds("s6").before(3)
    for salt, seq, event in every_event():
        for name in ("space", "target", "at"):
            assert not text(event, name) or text(event, name) in reports[salt, seq] or event.kind == "reduced"
        if event.kind == "action":
            assert card_name(state, text(event, "card")) in reports[salt, seq]


def test_the_situation_is_that_of_the_state_after_the_message(reports: dict[tuple[str, int], str]) -> None:
    for salt in SALTS:
        for seq in MESSAGES:
            state = first_rounds(salt).before(seq + 1)
            assert f"Victory points: {state.vp}; of the 22 spaces" in reports[salt, seq]


def test_a_combat_of_two_messages_is_told_with_both_numbers() -> None:
    """The side that fires first in a flank attack has its number in one message, the winner stands in the next."""
    told = flat(report(first_rounds("s13"), 12))
    fired = {
        text(e, "role"): text(e, "number")
        for s, q, e in every_event()
        if s == "s13" and q in (11, 12) and e.kind == "fire" and text(e, "target") == "Sidi Suleiman"
    }
    high, low = sorted(fired.values(), reverse=True)
    assert f"by {high} to {low}" in told


def test_control_and_points_are_told_once() -> None:
    """Bardia falls: the space, and the point it takes from the Axis."""
    events = [
        Event("control", "SS 11.67", {"side": "allied", "spaces": ["Bardia"]}, on=4, by=(4,)),
        Event("vp", "SS 16.0", {"to": "9", "change": "-1", "spaces": ["Bardia"]}, on=4, by=(4,)),
    ]
    told = told_events(first_rounds("s6"), 5, events)
    assert told.count("the Allies gain Bardia") == 2, "once in short, once in its place"
    assert "Victory points: 10 -1 = 9, for Bardia (SS 16.0)" in told
    assert "victory points 10 -1 = 9" in told


def test_a_space_that_is_held_is_told_with_who_decided() -> None:
    """Halfaya is a mountain: held by standing order, for one more step."""
    for salt in range(40):
        rounds = Rounds(f"h{salt}").bare().write(GARRISON).write(ASSAULT).bare()
        if any(event.kind == "hold" for event in rounds.events(6)):
            told = flat(report(rounds, 6))
            assert "and Halfaya is held (by standing order, hold: always) (SS 11.53)" in told
            return
    raise AssertionError("no dice led to a hold")


def test_a_message_without_anything_says_so() -> None:
    told = flat(report(Rounds("quiet").bare().bare().bare(), 4))
    assert "Nothing happens on the map" not in told, "a bare message in one's own round is the automatic operation"
    assert "takes the automatic operation (nothing was ordered): 1 point" in flat(
        report(Rounds("quiet").bare().bare().bare(), 3)
    )


def test_standing_orders_alone_change_nothing_on_the_map() -> None:
    rounds = fresh("s6", 1)
    waits = rounds.run().waits
    assert (waits.side, waits.key) == ("allied", "react/1")
    rounds.bare().orders("", order("standing", topic="losses", rules="default"))
    chapter_events = [Event("standing", "PROTOCOL 5", {"topic": "losses", "side": "axis"}, on=5, by=(5,))]
    told = told_events(rounds, 5, chapter_events)
    assert "The Axis files standing orders on losses" in told
    assert "Nothing happens on the map" in told


@pytest.mark.parametrize("salt", [f"s{n}" for n in range(10)])
@pytest.mark.parametrize("upto", [1, 5, 8])
def test_next_is_who_is_asked(salt: str, upto: int) -> None:
    """In a combat in which every choice is asked for, message by message, the report names the side that is due."""
    rounds = fresh(salt, upto).write(ASKING)
    for _ in range(8):
        waits = rounds.run().waits
        if waits.key.startswith("orders/"):
            return
        told = flat(report(rounds, rounds.seq - 1))
        if "Nothing happens on the map" in told:
            rounds.bare()
            continue
        side = "the Allies" if waits.side == "allied" else "the Axis"
        assert f"Next: {side} " in told or f"{side} answer".lower() in told.lower(), (waits, told[-3000:])
        kind = waits.key.split("/")[0]
        word = {"losses": "takes the losses", "relocate": "overrun units", "retreat": "the retreat", "hold": "holding"}
        assert word.get(kind, "") in told
        rounds.bare()

"""Every card of both decks, played for everything it may be played for (SS 7.1 to 7.5, the cards).

What must come of it stands in tests/cases/shifting-sands/cards-played.yaml, from the rulebook and the deck's texts.
"""

from __future__ import annotations

from typing import Any

import pytest

from adjudicator.engine.core import Ctx
from adjudicator.shifting_sands.apply import apply
from adjudicator.shifting_sands.events.play import end_of_actions
from adjudicator.shifting_sands.position import position
from adjudicator.shifting_sands.world import rows
from tests.shifting_sands.card_facts import changes, differences, law
from tests.shifting_sands.cards_played import (
    FACES,
    event,
    game,
    holding,
    midway,
    names,
    place_of,
    played,
    refusals,
    table,
)
from tests.shifting_sands.support import ALLIED, AXIS, Row, kinds

EVENTS: dict[str, list[Row]] = table("cards-played")["events"]
REFUSED: dict[str, list[Row]] = table("cards-played")["refused"]
PLAYS = [(card, n) for card, found in EVENTS.items() for n in range(len(found))]
BARS = [(card, n) for card, found in REFUSED.items() for n in range(len(found))]
IN_A_ROW = {"rd": "SS 7.33", "rp": "SS 7.43"}
BANS = {
    "Invasion of Greece": ("Rommel", "Balkan Campaign", "Siege of Malta"),
    "Barbarossa": ("Siege of Malta",),
    "Spitfires": ("Herkules",),
    "Malta Victorious": (),
}
"""Events by which the Axis may play no card for replacement points, each with those that lift it (SS 7.44)."""


@pytest.mark.parametrize(("card", "number"), PLAYS)
def test_an_event_does_what_its_text_says_and_nothing_else(card: str, number: int) -> None:
    row = EVENTS[card][number]
    when = row.get("when", {})
    state = holding(card, when)
    run = played(state, when.get("switches", ""), *event(card, row), answer=row.get("answer", ()))
    found = changes(state, midway(state, run))
    assert found == _wanted(card, row)
    assert [one.data["code"] for one in refusals(run.events)] == str(row.get("void", "")).split()
    side = FACES[card]["side"]
    zone = run.state.removed if "star" in FACES[card].get("marks", "") else run.state.discards
    assert card in zone[side] and card not in run.state.hands[side]
    for kind, whose in row.get("emits", {}).items():
        (seen,) = kinds(run.events, kind)
        assert seen.data["side"] == whose and seen.data["cards"] == state.hands[whose]
    if "later" in row:
        ctx = Ctx(run.state.copy(), apply)
        end_of_actions(ctx)
        assert changes(run.state, ctx.state) == _texts(row["later"])


def _wanted(card: str, row: Row) -> dict[str, str]:
    """What the row says, with what every event changes."""
    face, name, when = FACES[card], place_of(card), row.get("when", {})
    side, marks = face["side"], face.get("marks", "").split()
    found = {card: "discard", f"{side} round": "event"}
    if name not in (*names(when.get("events")), *names(when.get("now"))):
        found["events"] = f"+{name}"
    if "square" in marks:
        found["ops"] = f"{face['ops']} {'t_event' if 'T' in marks else 'event'}"
    if "class" in face:
        found[f"{side} class"] = f"+{face['class']}"
    return {key: value for key, value in {**found, **_texts(row["then"])}.items() if value != "same"}


def _texts(row: Any) -> dict[str, str]:
    return {str(key): str(value) for key, value in row.items()}


def refused(card: str, row: Row, *orders: Row) -> None:
    """An order fails with the code and the rule of a row, and a way out; the round is as if it had not been written."""
    given: Row = row.get("when", {})
    state = holding(card, given)
    switches = str(given.get("switches", ""))
    run = played(state, switches, *orders)
    (found,) = refusals(run.events)
    assert (found.data["code"], found.rule) == (row["code"], row["rule"])
    problem = next(one for one in run.problems if one.code == row["code"])
    assert problem.hint and problem.text and problem.rule == row["rule"]
    assert position(run.state) == position(played(state, switches).state)


@pytest.mark.parametrize(("card", "number"), BARS)
def test_an_event_that_something_bars_is_refused(card: str, number: int) -> None:
    row = REFUSED[card][number]
    refused(card, row, *event(card, row))


@pytest.mark.parametrize("card", FACES)
def test_a_card_gives_operations_redeployment_or_replacement_points(card: str) -> None:
    """SS 7.21, 7.32, 7.41, 7.52: as printed; it goes to the discards, also with an asterisk."""
    face = FACES[card]
    side, pools = face["side"], dict(part.split() for part in face["rp"].split(", "))
    for use, wanted in (
        ("ops", {"ops": f"{face['ops']} card"}),
        ("rd", {"rd": str(face["ops"])}),
        ("rp", {f"rp {pool}": points for pool, points in pools.items()}),
    ):
        state = holding(card, {})
        run = played(state, "", {"type": "play_card", "card": card, "use": use})
        assert refusals(run.events) == []
        assert changes(state, midway(state, run), rights=False) == {card: "discard", f"{side} round": use, **wanted}
        assert card in run.state.discards[side]


@pytest.mark.parametrize("card", FACES)
def test_what_bars_any_card(card: str) -> None:
    """SS 6.12, 6.12A, 7.33, 7.43, 7.61: not in hand, the other side's round, twice in a round, twice in a row."""
    side, other = FACES[card]["side"], next(one for one in FACES if FACES[one]["side"] != FACES[card]["side"])
    plays: list[Row] = [{"type": "play_card", "card": card, "use": use} for use in ("ops", "rd", "rp")]
    late, early = holding(card, {}), holding(other, {"other": [card]})
    spent = next(one for one in FACES if FACES[one]["side"] == side and one != card)
    for order in (*plays, {"type": "event", "card": card}):
        run = played(late, "", {**order, "card": spent})
        assert [(one.data["code"], one.rule) for one in refusals(run.events)] == [("hand", "SS 6.12A")]
        run = played(early, "", order)
        assert [(one.data["code"], one.rule) for one in refusals(run.events)] == [("hand", "SS 6.12A")]
        run = played(late, "", {"type": "auto_op"}, order)
        assert [(one.data["code"], one.rule) for one in refusals(run.events)] == [("action", "SS 6.12")]
        assert run.state.hands[side] == [card]
        use = order.get("use", "")
        if use in IN_A_ROW:
            row: Row = {"code": "in-a-row", "rule": IN_A_ROW[use], "when": {"round": 2, "history": {1: use}}}
            refused(card, row, order)
            again = holding(card, {"round": 2, "history": {1: f"event {use}"}})
            assert [one.rule for one in refusals(played(again, "", order).events)] == [IN_A_ROW[use]]


@pytest.mark.parametrize("card", [card for card in FACES if FACES[card]["side"] == AXIS])
def test_bans_bar_every_axis_card_from_replacement_points(card: str) -> None:
    """SS 7.44: each by itself, until what lifts it is played later; an earlier play of that lifts nothing."""
    order: Row = {"type": "play_card", "card": card, "use": "rp"}
    for ban, lifters in BANS.items():
        refused(card, {"code": "ban", "rule": "SS 7.44", "when": {"events": ban}}, order)
        for lifter in lifters:
            run = played(holding(card, {"events": f"{ban}, {lifter}"}), "", order)
            assert refusals(run.events) == [], (ban, lifter)
    for use in ("ops", "rd"):
        run = played(holding(card, {"events": ", ".join(BANS)}), "", {**order, "use": use})
        assert refusals(run.events) == []


@pytest.mark.parametrize("card", [card for card in FACES if FACES[card]["side"] == ALLIED])
def test_every_allied_card_gives_more_points_after_torch_and_with_massawa(card: str) -> None:
    """SS 7.415, 7.416; no ban touches the Allies."""
    state = holding(card, {"events": "Torch, Barbarossa, Spitfires", "control": {"Massawa": ALLIED}})
    run = played(state, "", {"type": "play_card", "card": card, "use": "rp"})
    pools = dict(part.split() for part in FACES[card]["rp"].split(", "))
    wanted = {**pools, "BR": str(int(pools.get("BR", "0")) + 1), "US": "3"}
    assert run.state.rp == wanted


@pytest.mark.parametrize("card", [card for card in FACES if FACES[card].get("combat")])
def test_a_combat_card_is_no_event(card: str) -> None:
    refused(card, {"code": "combat", "rule": "SS 7.61"}, {"type": "event", "card": card})


def _conditions(card: str) -> int:
    """How many refusals the card's data ask for: a condition each, those of switches, the class, the T."""
    row = game().world.cards[card]
    found = [*rows(row, "conditions"), *(one for switch in rows(row, "switches") for one in rows(switch, "adds"))]
    return len(found) + ("class" in FACES[card])


def test_every_card_has_its_rows() -> None:
    """The table knows every card of the deck, plays each event, and refuses each for each of its conditions."""
    assert set(FACES) == set(game().world.cards) and len(FACES) == 110
    events = {card for card in FACES if not FACES[card].get("combat")}
    assert set(EVENTS) == events
    assert all(EVENTS.values())
    short = {card for card in events if len(REFUSED.get(card, [])) < _conditions(card)}
    assert short == set()
    laws = [row["law"] for found in EVENTS.values() for row in found]
    assert all(laws)


@pytest.mark.parametrize("card", EVENTS)
def test_an_event_from_a_hidden_hand_does_the_same(card: str) -> None:
    """PROTOCOL 6: the card lies under a handle, and the message opens its name; unopened it is no event."""
    row = EVENTS[card][0]
    when = row.get("when", {})
    state = holding(card, when)
    side = FACES[card]["side"]
    handles = {one: f"1.{n}" for n, one in enumerate([*state.hands[AXIS], *state.hands[ALLIED]])}
    state.hidden = True
    for whose in (AXIS, ALLIED):
        state.hands[whose] = [handles[one] for one in state.hands[whose]]
    orders = [_face_down(order, handles) for order in event(card, row)]
    shown = {handles[one]: {"name": one} for one in (card, row.get("with")) if one}
    run = played(state, when.get("switches", ""), *orders, answer=row.get("answer", ()), shown=shown)
    wanted = {handles.get(key, key): value for key, value in _wanted(card, row).items()}
    assert changes(state, midway(state, run)) == wanted
    zone = run.state.removed if "star" in FACES[card].get("marks", "") else run.state.discards
    assert handles[card] in zone[side]
    closed = played(state, when.get("switches", ""), *orders)
    assert ("hand", "SS 7.5") in [(one.data["code"], one.rule) for one in refusals(closed.events)]


def _face_down(order: Row, handles: dict[str, str]) -> Row:
    return {key: handles.get(value, value) if key in ("card", "with_cards") else value for key, value in order.items()}


@pytest.mark.parametrize("card", EVENTS)
def test_an_event_lasts_as_long_as_its_text_says(card: str) -> None:
    """SS 7.51: to the end of the round or of the turn where the table names the effect so, else for good."""
    row = EVENTS[card][0]
    when = row.get("when", {})
    state = holding(card, when)
    run = played(state, when.get("switches", ""), *event(card, row), answer=row.get("answer", ()))
    old, after = state.copy(), run.state.copy()
    lasting = differences(law(old), law(midway(state, run)))
    for until in ("round", "turn"):
        gone = names(row.get("ends", {}).get(until))
        assert set(gone) <= set(lasting)
        lasting = {key: value for key, value in lasting.items() if key not in gone}
        assert differences(law(old), law(after)) == lasting, until
        old.turn, after.turn = old.turn + 1, after.turn + 1

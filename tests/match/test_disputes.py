"""`dispute` where the disputed message opens sealed topics: they came in the message that was rejected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adjudicator.match.dispute import bundle, first_difference
from adjudicator.match.draft import Draft
from adjudicator.match.match import Match
from adjudicator.protocol.compose import Extras, compose_body, sign_body
from adjudicator.protocol.message import Message
from tests.match.test_sealed_orders import SEALED, attack, begin, send
from tests.shifting_sands.rounds import ALLIED, AXIS


def wrong_answer(root: Path) -> Message:
    """The message that opens the sealed topic and signs another state than it led to."""
    match = Match.load(root / ALLIED)
    extras = Extras(own=match.own_books())
    body: dict[str, Any] = compose_body(match.verifier, ALLIED, match.secret(), [], bytes(32), extras=extras)
    assert body["open"]
    return sign_body({**body, "state": "0" * 64}, match.key())


@pytest.fixture
def disputed(tmp_path: Path) -> Path:
    """An attack whose combat a sealed order settled; the two programs come to different states of it."""
    root = begin(tmp_path)
    send(root)
    send(root, SEALED)
    send(root, attack(root))
    match = Match.load(root / AXIS)
    received = match.receive(wrong_answer(root))
    assert received.verdict.code == "E_STATE"
    return root


def test_a_rejected_message_tells_what_it_opened(disputed: Path) -> None:
    """Both sides make the same file: the attacker reads the topics out of the message he rejected."""
    mine = bundle(Match.load(disputed / AXIS))
    assert mine["seq"] == "3" and mine["rolls"]
    match = Match.load(disputed / ALLIED)
    match.check(Draft())
    assert match.verifier.resolved == 3
    send(disputed)
    theirs = bundle(Match.load(disputed / ALLIED), 3)
    assert first_difference(mine, theirs) is None


def test_the_first_event_that_differs_is_named_by_number_kind_and_fields(disputed: Path) -> None:
    mine = bundle(Match.load(disputed / AXIS))
    rows: list[dict[str, Any]] = [dict(event) for event in mine["events"]]
    at = next(at for at, row in enumerate(rows) if row.get("label"))
    changed = [*rows[:at], {**rows[at], "zeal": "1", "label": "other/label"}, *rows[at + 1 :]]
    found = first_difference(mine, {**mine, "events": changed})
    assert found is not None
    where, first, second, meaning = found
    assert where == f"event {at + 1} ({rows[at]['kind']}): label, zeal"
    assert first == f"label: {rows[at]['label']}; zeal: nothing"
    assert second == "label: other/label; zeal: 1"
    assert meaning.startswith("the same dice")
    found = first_difference(mine, {**mine, "events": [*rows[:at], {**rows[at], "kind": "rain"}]})
    assert found is not None and found[0] == f"event {at + 1}: another kind" and '"rain"' in found[2]
    found = first_difference(mine, {**mine, "events": rows[:-1]})
    assert found is not None and (found[0], found[2]) == (f"event {len(rows)}", "nothing")


def test_a_roll_is_named_by_its_label_and_a_message_by_its_number(disputed: Path) -> None:
    mine = bundle(Match.load(disputed / AXIS))
    roll = mine["rolls"][0]
    found = first_difference(mine, {**mine, "rolls": [{**roll, "values": ["0"]}, *mine["rolls"][1:]]})
    assert found is not None and found[0] == f"roll 1 ({roll['label']}): values"
    found = first_difference(mine, {**mine, "log": [*mine["log"][:2], "{}"]})
    assert found is not None and (found[0], found[2]) == ("message 2", "{}")


def test_it_holds_after_the_game_went_on_and_for_nobody(disputed: Path) -> None:
    send(disputed)
    for side in (AXIS, ALLIED):
        assert bundle(Match.load(disputed / side), 3)["rolls"]
        assert bundle(Match.load(disputed / side))["seq"] == "3"

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


def test_it_holds_after_the_game_went_on_and_for_nobody(disputed: Path) -> None:
    send(disputed)
    for side in (AXIS, ALLIED):
        assert bundle(Match.load(disputed / side), 3)["rolls"]
        assert bundle(Match.load(disputed / side))["seq"] == "3"

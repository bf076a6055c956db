"""Messages out of turn: of the far future, of the past, of both sides at once."""

from __future__ import annotations

from typing import Any

import pytest

from adjudicator.match.play.seats import Seat
from adjudicator.protocol.compose import compose_body, sign_body
from adjudicator.protocol.message import Message
from adjudicator.protocol.verdicts import Kind
from tests.adversary.duel import Duel
from tests.adversary.scenes import western_desert


def forged(duel: Duel, seat: Seat, **changed: Any) -> Message:
    """What the seat to write next could sign, with fields changed."""
    body = compose_body(duel.seat.verifier, duel.seat.side, duel.seat.secret, [], bytes(32))
    return sign_body({**body, "side": seat.side, **changed}, seat.key)


@pytest.mark.parametrize("seq", [5, 7, 8, 99, 100, 1999, 999_999_999])
def test_a_message_of_the_future_must_open_a_link_of_the_future(seq: int) -> None:
    duel = western_desert("future")
    seat, other = duel.seats[0 if seq % 2 else 1], duel.seats[1 if seq % 2 else 0]
    number = (seq + 1) // 2
    random_link = forged(duel, seat, seq=str(seq), link=str(number), reveal="ab" * 32)
    wrong_number = forged(duel, seat, seq=str(seq), link="2", reveal=seat.secret.link(2).hex())
    verdict = other.verifier.receive(random_link)
    assert (verdict.code, verdict.kind) == ("E_REVEAL", Kind.REJECT)
    # link 2 could be that of a new chain, if the message of four before named one: it is asked for again, never kept
    verdict = other.verifier.receive(wrong_number)
    assert verdict.code == ("E_GAP" if seq - 4 > other.verifier.head else "E_REVEAL")
    assert not verdict.ok and other.verifier.waiting == []
    if number < seat.secret.links:
        true = forged(duel, seat, seq=str(seq), link=str(number), reveal=seat.secret.link(number).hex())
        assert other.verifier.receive(true).code == "E_GAP"
        assert other.verifier.waiting == [true]


def test_what_waited_in_vain_is_a_proof() -> None:
    duel = western_desert("in vain")
    seat, other = duel.seats
    early = forged(duel, seat, seq="5", link="3", reveal=seat.secret.link(3).hex())
    assert other.verifier.receive(early).code == "E_GAP"
    for _ in range(2):
        duel.look()
        duel.send([])
    assert [verdict.code for verdict in other.verifier.retry()] == ["E_FORK"]
    assert (other.verifier.waiting, other.verifier.forks) == ([], [early])


def test_the_same_again_and_the_past_again() -> None:
    duel = western_desert("again")
    duel.look()
    old = duel.sign([])
    duel.send([{"type": "section", "name": "movement"}])
    for seat in duel.seats:
        assert seat.verifier.receive(old).code == "E_FORK"
        assert seat.verifier.receive(old).code == "E_FORK"
        assert seat.verifier.forks == [old]
    duel.look()
    duel.send([])
    duel.verify()

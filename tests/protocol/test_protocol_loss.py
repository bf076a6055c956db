"""A lost chain in a game without books and decks (PROTOCOL 7): judged apart, resolved when it is accepted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from adjudicator.protocol.compose import compose_lost, sign_body
from adjudicator.protocol.resolve import Resolution
from adjudicator.protocol.secret import Secret
from adjudicator.protocol.verdicts import ProtocolError
from adjudicator.turnfile.nodes import Tree
from tests.protocol.toy_game import A, Table, ToyGame, attack, event, key_of, known


def zeros(count: int) -> bytes:
    """Chance for a new secret."""
    return bytes(count)


class Forgiving(ToyGame):
    """The toy, able to go on without the dice of a message: nothing happens."""

    def resolve_lost(self, n: int, bodies: Sequence[Mapping[str, Tree]]) -> Resolution:
        position: dict[str, Tree] = {"turn": str(n), "hits": {side: str(hits) for side, hits in self.hits.items()}}
        return Resolution([event("again", n, [])], position)

    def again(self) -> Forgiving:
        return Forgiving()


def test_a_game_without_books_goes_on_without_dice_only_when_the_loss_is_accepted() -> None:
    table = Table(game=Forgiving())
    for orders in ([], [], attack("1203"), attack("1304")):
        table.play(orders)
    verifier, fresh = table.verifier, Secret.fresh(key_of("alice").public, 64, zeros)
    loss = compose_lost(verifier, A, fresh, known("entropy")).body
    spoilt = sign_body({**loss, "state": known("other").hex()}, key_of("alice"))
    good = sign_body(loss, key_of("alice"))
    assert verifier.receive(spoilt).code == "E_STATE" and verifier.check(good).ok
    assert verifier.resolved == 3, "the dice of message 4 may yet be opened"
    assert verifier.receive(good).ok and verifier.seed(4) == b""


def test_a_game_that_needs_its_dice_refuses_a_loss() -> None:
    table = Table()
    for orders in ([], [], attack("1203"), attack("1304")):
        table.play(orders)
    fresh = Secret.fresh(key_of("alice").public, 64, zeros)
    with pytest.raises(ProtocolError, match="no way to go on without the dice"):
        compose_lost(table.verifier, A, fresh, known("entropy"))

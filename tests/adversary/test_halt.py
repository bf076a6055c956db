"""A fault of the rules halts the game: message and seed stand, and the code says which fault it is (PROTOCOL 4.8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from adjudicator.engine.driver import LabelTwice
from adjudicator.match.play.seats import Pairing, genesis_of
from adjudicator.protocol.labels import LabelError
from adjudicator.protocol.resolve import Resolution
from adjudicator.protocol.verdicts import Kind, ProtocolError
from adjudicator.protocol.verifier import Verifier


class Faulty:
    """Rules that raise."""

    def __init__(self, fault: Callable[[], BaseException]) -> None:
        self.fault = fault

    def resolve(self, n: int, bodies: Sequence[Mapping[str, Any]], seed: bytes) -> Resolution:
        raise self.fault()


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (lambda: LabelTwice("combat/1/crt"), "E_LABEL"),
        (lambda: LabelError("a b is no label"), "E_LABEL"),
        (lambda: RecursionError("too deep"), "HALT"),
        (lambda: MemoryError(), "HALT"),
        (lambda: KeyError("unit"), "HALT"),
    ],
)
def test_whatever_the_rules_raise(fault: Callable[[], BaseException], code: str) -> None:
    genesis, holders = genesis_of(Pairing("western-desert", "compass"))
    verifier = Verifier(genesis, Faulty(fault))
    link = holders[0][1].link(1)
    for _again in range(2):
        with pytest.raises(ProtocolError) as caught:
            verifier.open_head(link)
        assert caught.value.code == code
        assert caught.value.verdict.kind is Kind.HALT
    assert verifier.failed is not None
    assert (verifier.head, verifier.failed.seq) == (0, 0)

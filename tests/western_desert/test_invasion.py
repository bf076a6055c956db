"""Malta invaded by programs, from the plan to the second wave, over the whole protocol (WD 27)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.western_desert.invasions import Invasion
from tests.western_desert.operations import GOZO, VALLETTA


@pytest.mark.parametrize(("at", "malta"), [(GOZO, 12), (VALLETTA, 0)])
def test_programs_invade_malta(at: str, malta: int) -> None:
    """Past a quiet Malta both waves go ashore on Gozo; past one that is awake, onto its garrison, who must.

    The game is watched at every message, and a third program verifies it at the end (match.play).
    """
    game = Invasion(at, malta, "malta")
    (announced,) = game.of_kind("special-announced")
    first, second = game.sent("first"), game.sent("second")
    landed = {str(event.data["unit"]): str(event.data["wave"]) for event in game.of_kind("special-landed")}
    turned = {str(event.data["item"]) for event in game.of_kind("voyage") if event.data["result"] != "arrives"}
    assert announced.data["places"] == ["Malta"]
    assert first and bool(second) == game.taken()
    assert landed == {uid: wave for wave, sent in (("first", first), ("second", second)) for uid in {*sent} - turned}
    paid = [Fraction(str(event.data["vp"])) for event in game.of_kind("vp") if event.rule == "WD 27.B"]
    assert -sum(paid) == game.price() > 0
    assert not game.accounts.faults and game.accounts.books.items() >= game.points().items()

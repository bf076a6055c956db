"""The whole war, from Dec I 40 to Jan II 43: it comes to its end, and its points are reckoned a second time.

Programs that do something play it in ``tests/western_desert/campaigns.py`` and in scripts/long_play.py.
"""

from __future__ import annotations

from fractions import Fraction

from tests.western_desert.campaigns import Audited

TURNS = 52


def test_a_war_in_which_nobody_gives_an_order_comes_to_its_end() -> None:
    """Reinforcements, replacements, withdrawals, shipping, Greece and all six checks go by default and by dice."""
    done = Audited("silent", "1")
    assert (done.faults, done.accounts.faults) == ([], [])
    assert done.turns == set(range(1, TURNS + 1))
    assert done.state.phase == "victory" and done.state.level
    assert done.accounts.over and done.accounts.books == {
        side: Fraction(half, 2) for side, half in done.state.vp2.items()
    }

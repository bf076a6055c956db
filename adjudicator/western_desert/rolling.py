"""How many dice each kind of roll takes (WD 3.D.3)."""

from __future__ import annotations

TWO_DICE = ("air_combat", "antiaircraft", "malta", "vichy")
"""The kinds of rolls for which the rules ask for two dice, whose sum is read."""


def dice_per_roll(kind: str) -> int:
    """Dice of a roll of a kind: one, unless the rules ask for two (WD 3.D.3)."""
    return 2 if kind in TWO_DICE else 1

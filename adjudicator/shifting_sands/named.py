"""Events that a rule of the rulebook names itself; everything else an event does stands on its card.

Whatever the card of such a name says, the rule holds for the event of that name. ``docs/data-packs.md`` lists them,
and a test holds that no other card is named in the rules.
"""

from __future__ import annotations

from typing import Final

TORCH: Final = "Torch"
CRUSADER: Final = "Crusader"
ROMMEL: Final = "Rommel"
SIEGE: Final = "Siege of Malta"
BARBAROSSA: Final = "Barbarossa"
BALBO: Final = "Balbo"
HERKULES: Final = "Herkules"

RULES: Final[dict[str, tuple[str, ...]]] = {
    TORCH: ("SS 4.13", "SS 10.53", "SS 15.414", "SS 19.12"),
    CRUSADER: ("SS 19.13",),
    ROMMEL: ("SS 7.74",),
    SIEGE: ("SS 7.74",),
    BARBAROSSA: ("SS 19.42",),
    BALBO: ("SS 19.22",),
    HERKULES: ("SS 10.32",),
}
"""Each of them, with the rules that name it."""

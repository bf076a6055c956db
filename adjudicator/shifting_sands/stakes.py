"""What the dice of Shifting Sands were worth to their roller, for `audit` (PROTOCOL 12)."""

from __future__ import annotations

from adjudicator.engine.core import Event
from adjudicator.engine.stakes import Stake, stake
from adjudicator.shifting_sands.fire import MAX_DIE, MIN_DIE
from adjudicator.shifting_sands.prospects import fires_of, losses_by_die
from adjudicator.shifting_sands.state import State

DIE = range(MIN_DIE, MAX_DIE + 1)
WORTH = (
    "fire: the loss number it inflicts",
    "flank attack: 1 if it succeeds",
    "cards drawn from a deck have no value here: what a card is worth is a matter of opinion",
)
"""How values are counted, for those who read them."""


def stake_of(state: State, event: Event, who: str) -> Stake | None:
    """The stake of the roll that an event tells; None for rolls that no table of values covers.

    ``state`` is any state of the game: only its tables are read.
    """
    data = event.data
    if event.kind == "fire" and data.get("die"):
        (fire,) = fires_of([dict(data)]).values()
        values = [number for number, _bold in losses_by_die(state, fire).values()]
        return stake("fire", who, values, [int(str(data["die"]))])
    if event.kind == "flank" and data.get("die"):
        bonus, need = int(str(data.get("modifier") or "0")), int(str(data["need"]))
        return stake("flank attack", who, [int(die + bonus >= need) for die in DIE], [int(str(data["die"]))])
    return None

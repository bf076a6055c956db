"""What the dice of Shifting Sands were worth to their roller, for `audit` (PROTOCOL 12)."""

from __future__ import annotations

from adjudicator.engine.core import Event
from adjudicator.engine.stakes import Stake, stake
from adjudicator.shifting_sands.fire import MAX_DIE, MIN_DIE
from adjudicator.shifting_sands.lrdg import outcome
from adjudicator.shifting_sands.prospects import fires_of, losses_by_die
from adjudicator.shifting_sands.state import State

MISSIONS = {"raid": "raid of the LRDG", "intelligence": "intelligence of the LRDG"}
RAIDED = {"none": 0, "lose_step": -1, "lose_two_steps": -2, "card": 1}
DIE = range(MIN_DIE, MAX_DIE + 1)
WORTH = (
    "fire: the loss number it inflicts",
    "flank attack: 1 if it succeeds",
    "raid of the LRDG: 1 for a card, 1 less for each step it costs",
    "intelligence of the LRDG: 1 for each card that it may see",
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
    if event.kind == "mission":
        mission = str(data["mission"])
        values = [_mission_worth(outcome(state, mission, die)) for die in DIE]
        return stake(MISSIONS[mission], who, values, [int(str(data["die"]))])
    return None


def _mission_worth(result: str) -> int:
    """What a result of a mission is worth: cards, less the steps it costs (SS 11.73, 11.74)."""
    return RAIDED[result] if result in RAIDED else int(result)

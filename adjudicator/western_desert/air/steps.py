"""The six steps of an air phase, who flies in each, and the pass of the night after that of the day (WD 16.C, 24.E)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from adjudicator.western_desert.air.craft import Flight
from adjudicator.western_desert.air.landing import AIR_RETURN, INTERCEPTOR_RETURN
from adjudicator.western_desert.air.missions import AIR_STEP, REACTION_STEP
from adjudicator.western_desert.state import ENEMY

COMBAT_STEP, MISSION_STEP = "air_combat", "missions"


class AirStep(NamedTuple):
    """A step of the air phase. ``phasing`` tells whose air units fly in it: True the phasing player's, False the
    other's, None nobody's (WD 18.steps)."""

    name: str
    rule: str
    phasing: bool | None


STEPS = (
    AirStep(AIR_STEP, "WD 16.C.1", True),
    AirStep(REACTION_STEP, "WD 16.C.2", False),
    AirStep(COMBAT_STEP, "WD 16.C.3", None),
    AirStep(MISSION_STEP, "WD 16.C.4", None),
    AirStep(INTERCEPTOR_RETURN, "WD 16.C.5", False),
    AirStep(AIR_RETURN, "WD 16.C.6", True),
)


def air_steps() -> tuple[AirStep, ...]:
    """The steps of an air phase in their order (WD 16.C, 16.C.1, 16.C.2, 16.C.3, 16.C.4, 16.C.5, 16.C.6)."""
    return STEPS


def who_flies(step: AirStep, player: str) -> str:
    """The side whose air units fly in a step of the player turn of ``player``; "" for none (WD 18.steps)."""
    if step.phasing is None:
        return ""
    return player if step.phasing else ENEMY[player]


def passes(flights: Iterable[Flight]) -> list[Flight]:
    """Flights in the order in which they are carried out: by day first, by night after, as listed (WD 24.E, rulings
    NIGHT-ORDER, PATROL-TIME)."""
    return sorted(flights, key=lambda flight: flight.night)

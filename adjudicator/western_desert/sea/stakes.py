"""What the dice of the war at sea were worth to their roller, for `audit` (PROTOCOL 12)."""

from __future__ import annotations

from fractions import Fraction

from adjudicator.engine.core import Event, texts_of
from adjudicator.engine.stakes import Stake, stake
from adjudicator.western_desert.air.stakes import two_dice
from adjudicator.western_desert.sea.tables import SUNK, TURNED_BACK, sea_tables
from adjudicator.western_desert.sea.voyages import COUNTER, RUN
from adjudicator.western_desert.state import World

WORTH = (
    "the Malta table: 1 to the side that rolls for an item that is affected",
    "shipping results: 1 for a unit or replacement point sunk, a half for one turned back, 1 for each step of supply "
    "lost; Allied runs to and from Malta: 1 for an item turned back",
)
RESULTS = {SUNK: Fraction(1), TURNED_BACK: Fraction(1, 2)}
DIE = range(1, 7)


def sea_stake(world: World, event: Event, who: str) -> Stake | None:
    """The stake of a roll at sea; None for other events, and where nothing was rolled."""
    data, tables = event.data, sea_tables(world)
    status = int(str(data.get("status") or "0"))
    if event.kind == "malta-roll":
        dice = [int(die) for die in texts_of(data.get("dice"))]
        return two_dice("Malta table", who, lambda total: int(tables.affected(status, total)), dice)
    if event.kind != "voyage" or not data.get("die"):
        return None
    die = [int(str(data["die"]))]
    if data.get("danger") == RUN:
        return stake("run to Malta", who, [int(not tables.runs_through(status, face)) for face in DIE], die)
    if data.get("what") == COUNTER:
        steps = int(str(data.get("steps") or "0"))
        return stake("shipping results", who, [min(steps, tables.steps_lost(face)) for face in DIE], die)
    return stake("shipping results", who, [RESULTS.get(tables.result(face), Fraction(0)) for face in DIE], die)

"""What the dice of Western Desert were worth to their roller, for `audit` (PROTOCOL 12)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from adjudicator.engine.core import Event, texts_of
from adjudicator.engine.stakes import Stake, stake
from adjudicator.western_desert.air.stakes import WORTH as AIR_WORTH
from adjudicator.western_desert.air.stakes import air_stake, two_dice
from adjudicator.western_desert.balkans import outcome
from adjudicator.western_desert.combat_charts import combat_charts
from adjudicator.western_desert.sea.stakes import WORTH as SEA_WORTH
from adjudicator.western_desert.sea.stakes import sea_stake
from adjudicator.western_desert.setup import DISARRAY_FROM
from adjudicator.western_desert.state import World
from adjudicator.western_desert.theatre import raids, vichy
from adjudicator.western_desert.world import rows, text

DIE = range(1, 7)
SHARES = {"all": Fraction(1), "half": Fraction(1, 2), "none": Fraction(1, 4)}
"""What a result is worth by the losses it brings to one side: the share that dies, a quarter for a mere retreat."""
RETURNS = {"intact": Fraction(1), "inoperative": Fraction(1, 2)}
GRANTED = {vichy.FULL: Fraction(1), vichy.AIR: Fraction(1, 2), "": Fraction(0)}
NO_EFFECT = "NE"
SIGNS = {"attacker": -1, "defender": 1}

WORTH = (
    "ground combat: the share of the defender's force that the result eliminates, less that of the attacker's; "
    "a quarter for a force that only retreats, 0 for no effect and for exchanges; where no effect is rolled again "
    "(WD 25.C.NE), it counts what may be expected of the next die",
    "disarray at the start: 1 for an air unit that stays operative",
    "captured supply: 1 for each step captured",
    "pressure on Vichy France: 1 for Full, a half for Air, whatever has been granted before",
    "raid: 1 for a hit, whether or not an operative air unit is there",
    "return from Greece: 1 for a unit that comes back intact, a half for an inoperative one",
    *AIR_WORTH,
    *SEA_WORTH,
    "units drawn from the Fifth Army, or hit by a raid, have no value here: which one is wanted is a matter of plan",
)
"""How values are counted, for those who read them."""


def stake_of(world: World, event: Event, who: str) -> Stake | None:
    """The stake of the roll that an event tells; None for rolls that no table of values covers."""
    data = event.data
    if event.kind == "result":
        return stake("ground combat", who, _combat_values(world, event), [int(str(data["die"]))])
    if event.kind == "disarray":
        return stake("disarray", who, [int(die < DISARRAY_FROM) for die in DIE], [int(str(data["die"]))])
    if event.kind == "captured":
        least = combat_charts(world).limits["capture_from_die"]
        dice = [int(die) for die in texts_of(data.get("dice"))]
        return stake("captured supply", who, [int(die >= least) for die in DIE], dice)
    if event.kind == "greece" and data.get("die"):
        column = "ground" if str(data.get("unit")) in world.units else "air"
        values = [RETURNS.get(outcome(world, die, column), Fraction(0)) for die in DIE]
        return stake("return from Greece", who, values, [int(str(data["die"]))])
    if event.kind == "pressure":
        change, dice = int(str(data.get("drm") or "0")), [int(die) for die in texts_of(data.get("dice"))]
        granted = partial(vichy.outcome, world, change=change)
        return two_dice("pressure on Vichy France", who, lambda total: GRANTED[granted(total)], dice)
    if event.kind == "raid":
        return stake("raid", who, [int(raids.succeeds(world, die)) for die in DIE], [int(str(data["die"]))])
    return air_stake(world, event, who) or sea_stake(world, event, who)


def _combat_values(world: World, event: Event) -> list[Fraction]:
    """What each face is worth to the attacker. In a hex that both sides are in no effect only means another die (WD
    25.C.NE): it is worth the mean of all other faces."""
    charts, column = combat_charts(world), str(event.data.get("column", ""))
    drm = int(str(event.data.get("drm") or "0"))
    worth = {text(row, "result"): _worth(row) for row in rows(world.charts, "ground_results")}
    results = [charts.result(column, die + drm) for die in DIE]
    settled = [worth.get(result, Fraction(0)) for result in results if result != NO_EFFECT]
    again = sum(settled, Fraction(0)) / len(settled) if settled and event.data.get("shared") == "yes" else Fraction(0)
    return [again if result == NO_EFFECT else worth.get(result, Fraction(0)) for result in results]


def _worth(row: object) -> Fraction:
    """The value of a row of the chart of results to the attacker (WD 9.C)."""
    if not isinstance(row, dict):
        return Fraction(0)
    sign = SIGNS.get(text(row, "affects"), 0)
    return sign * SHARES.get(text(row, "losses"), Fraction(0))

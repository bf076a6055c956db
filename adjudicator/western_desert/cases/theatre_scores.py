"""Facts of the form score about garrisons and special operations (CASE-FORMS 6, WD 27.B, 28.B.2)."""

from __future__ import annotations

from fractions import Fraction

from adjudicator.engine.casecheck import Found, as_number
from adjudicator.engine.core import Ctx
from adjudicator.western_desert.cases.build import real_world, units_from
from adjudicator.western_desert.cases.core import Case, Record, as_record, as_records
from adjudicator.western_desert.cases.scores import facts
from adjudicator.western_desert.state import State
from adjudicator.western_desert.theatre import garrisons, nations, special
from adjudicator.western_desert.theatre.garrisons import Garrison
from adjudicator.western_desert.theatre.special import Force
from adjudicator.western_desert.victory.tally import change_vp


@facts("australians")
def _australians(case: Case, ctx: Ctx[State], found: Found) -> None:
    """One Allied initial phase: Australians without a supply line overland, once enough have been in the pool."""
    told = as_record(case.given["australians"])
    re2 = int(2 * (as_number(told.get("cut_off_re")) or 0))
    halves = nations.precarious_vp2(int(str(told.get("in_pool_total", 0))), re2)
    if nations.OPTION in case.options:
        change_vp(ctx, nations.SIDE, halves, nations.AUS_RULE, (), "Australians in precarious positions")


@facts("garrison")
def _garrison(case: Case, ctx: Ctx[State], found: Found) -> None:
    """One Allied initial phase: what is missing from the garrison of a region costs a point each (WD 28.B.2)."""
    told = as_record(case.given["garrison"])
    there = _strength(case, told)
    since = int(str(told.get("turns_since_invasion", 0)))
    res, headquarters = there.lacks(garrisons.owed(str(told["region"]).title(), since))
    pool2 = 2 * int(str(told.get("pool_infantry", 0))) if garrisons.POOL in case.options else 0
    lent = garrisons.from_pool(res, pool2)
    res -= lent
    lost = res + headquarters if told.get("controlled", True) is not False else 0
    change_vp(ctx, garrisons.SIDE, -2 * lost, garrisons.RULE, (), "a garrison is short")
    found.values |= {"garrison_re": Fraction(there.re2, 2) + lent, "garrison_hq": there.hq}


def _strength(case: Case, told: Record) -> Garrison:
    """What stands there: units, or their sum. A division of a case is whole, so it has its headquarters."""
    if "units" not in told:
        return Garrison(int(2 * (as_number(told.get("re")) or 0)), int(str(told.get("hq", 0))))
    units = units_from(case, as_records(told["units"]), garrisons.SIDE)
    return garrisons.strength((unit, unit.division and garrisons.counts(unit)) for unit in units)


@facts("operation")
def _operation(case: Case, ctx: Ctx[State], found: Found) -> None:
    """A special operation: its use, and again what was lost of it before it was removed (WD 27.B)."""
    told, world = as_record(case.given["operation"]), real_world()
    german = str(told["pool"]) != special.ITALIAN

    def figure(key: str) -> Fraction:
        return as_number(told.get(key)) or Fraction(0)

    used = Force(
        str(told["pool"]),
        figure("airborne_re"),
        figure("ground_re"),
        int(figure("supply_steps")),
        int(figure("type_T")),
    )
    gone = figure("lost_re")
    lost = Force(used.pool, gone if german else Fraction(0), Fraction(0) if german else gone)
    cost2 = special.cost2(world, used) + special.cost2(world, lost)
    change_vp(ctx, special.SIDE, -cost2, "WD 27.B", (), "a special operation")

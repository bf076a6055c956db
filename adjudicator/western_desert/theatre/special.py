"""Axis special operations: who may be planned for when, what it costs, when it ends (WD 27.A, 27.B). Pure.

Game turns are numbers; victory points come out of the table of the pack. Half victory points are whole ints.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from adjudicator.engine.core import Problem
from adjudicator.western_desert.charts import rows
from adjudicator.western_desert.state import World, turn_name, turn_number
from adjudicator.western_desert.variants import FORCES

RULE = "WD 27.A"
SIDE = "axis"
LEAD = 5
"""Turns from the planning of an operation to the operation, and from its entry to its withdrawal."""
GERMAN_1941, GERMAN_1942, ITALIAN = "german_1941", "german_1942", "italian"
POOLS = (GERMAN_1941, GERMAN_1942, ITALIAN)
MALTA = "Malta"
DATES: Mapping[str, tuple[str, str]] = {
    GERMAN_1941: (FORCES, "Dec II 41"),
    GERMAN_1942: ("Jan I 42", "Dec II 42"),
    ITALIAN: ("Jan I 42", "Dec II 42"),
}
"""The first and the last turn on which the forces of a pool may enter play (WD 27.B.1, 27.B.2)."""
AFTER_1941 = "Apr I 42"
POOL_RULES = {GERMAN_1941: "WD 27.B.1", GERMAN_1942: "WD 27.B.1", ITALIAN: "WD 27.B.2"}
REGIMENT, GROUND, STEP, TRANSPORT = (
    "German airborne regiment",
    "RE of Italian units",
    "step of supply",
    "type T air unit",
)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is planned for a unit: out of which pool, when it goes in, in which island or country its hex lies."""

    pool: str
    turn: int
    target: str = ""


@dataclass(frozen=True, slots=True)
class Force:
    """What is used of a pool, or lost: airborne regiments and other ground units in REs, steps of supply, transports.

    Gliders cost nothing (WD 27.B.1.cost).
    """

    pool: str
    airborne: Fraction = Fraction(0)
    ground: Fraction = Fraction(0)
    steps: int = 0
    transports: int = 0


# --- planning ---------------------------------------------------------------------------------------------------


def moment_problems(side: str, player: str, phase: str) -> list[Problem]:
    """Operations are the Axis player's; plans are written and cancelled in his initial phase (WD 27, 27.A)."""
    if side == player == SIDE and phase == "initial":
        return []
    text = "special operations are planned and cancelled by the Axis player in his initial phase"
    return [Problem("moment", RULE, text, "leave the order out")]


def plan_problems(
    plan: Plan, now: int, live: Plan | None, used_1941: bool, first_1941: str = FORCES
) -> list[Problem]:
    """What keeps a plan from being written now: the pool, another plan of the unit, the lead time, the dates of the
    pool, its target (WD 27.A, 27.A.one, 27.A.lead, 27.B.1, 27.B.2)."""
    if plan.pool not in POOLS:
        text = "only units of the German and Italian pools of special forces are used in special operations"
        return [Problem("not_special_force", RULE, text, "name a unit of a pool", field="units")]
    found = []
    if live is not None:
        text = f"the unit is planned for {turn_name(live.turn)} already"
        found.append(Problem("one_plan", "WD 27.A.one", text, "cancel that plan first", field="units"))
    if plan.turn < now + LEAD:
        soonest = turn_name(now + LEAD)
        text = f"an operation is planned {LEAD} turns ahead: on {turn_name(now)} for {soonest} at the soonest"
        found.append(Problem("lead_time", "WD 27.A.lead", text, f"name {soonest} or a later turn", field="turn"))
    return found + date_problems(plan, used_1941, first_1941) + italian_problems(plan, now)


def date_problems(plan: Plan, used_1941: bool, first_1941: str = FORCES) -> list[Problem]:
    """Whether the forces of a pool may enter play on a turn; those of 1942 later where those of 1941 were used
    (WD 27.B.1, 27.B.2). ``first_1941`` is the first turn of those of 1941, which option 32.B moves."""
    first, last = (turn_number(name) for name in DATES[plan.pool])
    if plan.pool == GERMAN_1941:
        first = turn_number(first_1941)
    if plan.pool == GERMAN_1942 and used_1941:
        first = turn_number(AFTER_1941)
    if first <= plan.turn <= last:
        return []
    because = "; those of 1941 were used" if plan.pool == GERMAN_1942 and used_1941 else ""
    text = f"these forces may enter play from {turn_name(first)} to {turn_name(last)}{because}"
    return [Problem("pool_dates", POOL_RULES[plan.pool], text, "name a turn within these dates", field="turn")]


def italian_problems(plan: Plan, now: int) -> list[Problem]:
    """Italian forces are planned for in 1942 only, and for Malta only (WD 27.B.2)."""
    if plan.pool != ITALIAN:
        return []
    found = []
    if now < turn_number(DATES[ITALIAN][0]):
        text = "operations of Italian special forces are not planned before 1942"
        found.append(Problem("not_before_1942", "WD 27.B.2", text, "plan it from Jan I 42 on"))
    if plan.target != MALTA:
        text = "Italian special forces are available for an invasion of Malta only"
        found.append(Problem("malta_only", "WD 27.B.2", text, "name a hex of Malta", field="at"))
    return found


def cancel_problems(now: int, live: Plan | None) -> list[Problem]:
    """A plan may be cancelled in any Axis initial phase up to that of the operation itself (WD 27.A.cancel)."""
    if live is None:
        return [Problem("no_plan", "WD 27.A.cancel", "no special operation is planned for it", "leave the order out")]
    if now > live.turn:
        text = f"the operation of {turn_name(live.turn)} is over"
        return [Problem("over", "WD 27.A.cancel", text, "leave the order out")]
    return []


def withdrawal_turn(entry: int) -> int:
    """The turn in whose Axis initial phase a unit used in a special operation is removed (WD 27.B)."""
    return entry + LEAD


# --- what it costs ----------------------------------------------------------------------------------------------


def cost2(world: World, force: Force) -> int:
    """Half victory points that the use of a force costs, and its loss again (WD 27.B, 27.B.1.cost, 27.B.2.cost)."""
    regiment, ground, step, transport = (_points(world, what) for what in (REGIMENT, GROUND, STEP, TRANSPORT))
    res = force.airborne + force.ground
    points = res * ground if force.pool == ITALIAN else force.airborne * regiment
    return int(2 * (points + force.steps * step + force.transports * transport))


def _points(world: World, what: str) -> int:
    """Victory points that one of a kind costs, as the table of victory points has it."""
    table = (row for row in rows(world.charts, "victory_points") if row.get("when") == "special_forces")
    return -next(int(row["points"]) for row in table if row["for"] == what)


# --- supply -----------------------------------------------------------------------------------------------------


def supplied_attack(turns_after_entry: int) -> bool:
    """All units of an operation are in attack supply on their turn of entry (WD 27.B.supply)."""
    return turns_after_entry == 0


def supplied_general(airborne: bool) -> bool:
    """Airborne units are in general supply throughout their operation, seaborne ones trace it (WD 27.B.supply)."""
    return airborne

"""Stacking (WD 8) and Italian light tanks (WD 28.A.4): judged at the end of a phase."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from adjudicator.engine.core import Problem
from adjudicator.western_desert.charts import charts_of
from adjudicator.western_desert.state import State
from adjudicator.western_desert.units import Unit

RULE = "WD 8"  # the limit is 8.A, its moment 8.B
MOVING_PHASES = ("movement", "exploitation")


class Count(NamedTuple):
    """What a stack counts: units with a size, ordinary places taken, divisions, artillery (WD 8.A)."""

    units: int
    places: int
    divisions: int
    artillery: int


def count(units: Iterable[Unit], artillery_places: int) -> Count:
    """Count a stack. Counters are free; artillery takes its own places first and then ordinary ones.

    WD 8.A.artillery, 8.A.free, 6.C.stack.
    """
    sized = [unit for unit in units if not unit.counter]
    guns = sum(unit.artillery for unit in sized)
    divisions = sum(unit.division for unit in sized)
    return Count(len(sized), len(sized) - min(guns, artillery_places), divisions, guns)


def count_at(state: State, h: int, side: str, also: Iterable[str] = ()) -> Count:
    """The stack of a side in a hex, with units that would come to it."""
    ids = dict.fromkeys([*state.friends_at(h, side), *also])
    return count([state.unit(uid) for uid in ids], charts_of(state.world).stacking["artillery"])


def fits(state: State, h: int, side: str, also: Iterable[str] = ()) -> bool:
    """True where the stack of a side in the hex, with these units added, obeys the limit (WD 8.A)."""
    limits = charts_of(state.world).stacking
    found = count_at(state, h, side, also)
    return found.places <= limits["units"] and found.divisions <= limits["divisions"]


def stack_problems(state: State, h: int, side: str) -> list[Problem]:
    """What is wrong with a stack at the end of a phase (WD 8.A, 8.B)."""
    limits = charts_of(state.world).stacking
    found = count_at(state, h, side)
    where = state.board.feature_names(h)
    problems = []
    if found.places > limits["units"]:
        over = found.places - limits["units"]
        text = (
            f"{where} holds {found.units} {side} units at the end of the phase, {limits['units']} may stack and "
            f"{limits['artillery']} artillery besides: {over} too many"
        )
        problems.append(Problem("stacking", RULE, text, f"let {over} of them end elsewhere"))
    if found.divisions > limits["divisions"]:
        over = found.divisions - limits["divisions"]
        most = limits["divisions"]
        text = f"{where} holds {found.divisions} {side} divisions at the end of the phase, {most} may stack"
        problems.append(Problem("divisions", RULE, text, f"let {over} of them end elsewhere"))
    return problems


def light_tank(unit: Unit) -> bool:
    """An Italian light tank unit (WD 28.A.4)."""
    return unit.nat == "italian" and unit.type == "light_tank"


def lone_light_tanks(state: State, h: int) -> list[str]:
    """Italian light tanks in a hex without any other unit of their side (WD 28.A.4)."""
    units = [(uid, state.unit(uid)) for uid in state.friends_at(h, "axis")]
    tanks = [uid for uid, unit in units if light_tank(unit)]
    return tanks if not any(not unit.counter and not light_tank(unit) for _uid, unit in units) else []


def light_tank_problems(state: State, h: int, side: str, phase: str) -> list[Problem]:
    """Italian light tanks must end each Axis movement and exploitation phase stacked with another unit."""
    if side != "axis" or phase not in MOVING_PHASES:
        return []
    alone = lone_light_tanks(state, h)
    if not alone:
        return []
    names = ", ".join(state.unit(uid).short for uid in alone)
    text = f"light tanks end the phase alone in {state.board.feature_names(h)}: {names}"
    hint = "let them end with a unit that is no light tank, or leave one there"
    return [Problem("light_tank", "WD 28.A.4", text, hint)]


def end_problems(state: State, h: int, side: str, phase: str) -> list[Problem]:
    """Everything that the end of a phase finds wrong with a side's stack in a hex."""
    return stack_problems(state, h, side) + light_tank_problems(state, h, side, phase)

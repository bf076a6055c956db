"""Advance after combat: voluntary, at once, attackers only, up to the stacking limit (WD 9.F.2, 8.A)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction

from adjudicator.engine.core import Problem
from adjudicator.western_desert.battle import Attack, closed_to
from adjudicator.western_desert.stacking import fits
from adjudicator.western_desert.state import State
from adjudicator.western_desert.theatre.delta import leaving_problems


def cleared(state: State, attack: Attack) -> bool:
    """True where no defending unit is left in the hex (WD 9.F.2). Supply counters are no units (WD 12.D).

    WD 12.D.combat.
    """
    return not state.enemy_in(attack.hex, attack.side)


def step_problem(state: State, uid: str, to: int) -> Problem | None:
    """What keeps a unit from entering the hex at all: prohibited terrain, neutral ground, a rating of 0."""
    unit, origin = state.unit(uid), state.hex_of(uid)
    name = unit.short or uid
    if origin == to:
        return None
    if unit.movement == 0:
        text = f"{name} has a movement rating of 0 and may not leave its hex"
        return Problem("rating_0", "WD 6.mr0", text, "leave it where it is", field="advance")
    why = closed_to(state, origin, to, uid)
    if why:
        text = f"{name} may not advance from {state.board.name(origin)} into {state.board.name(to)}: {why}"
        return Problem("prohibited_terrain", "WD 6.prohibited", text, "leave it where it is", field="advance")
    return None


def plan_problems(state: State, attack: Attack, units: Sequence[str]) -> list[Problem]:
    """What is wrong with an advance ordered together with the attack, whatever the dice say: the hex is taken as
    cleared and all units as alive. Attackers that are not on the map are a fault of the attack, not named again."""
    strangers = [uid for uid in units if uid not in attack.units]
    if strangers:
        return [_no_attacker(state, attack, uid) for uid in strangers]
    units = [uid for uid in units if uid in state.pieces]
    problems = [found for found in (step_problem(state, uid, attack.hex) for uid in units) if found is not None]
    if units and not fits(state, attack.hex, attack.side, units):
        problems.append(_overstacked(state, attack.hex, units))
    return problems + leaving_problems(state, units)


def advance_problems(state: State, attack: Attack, units: Sequence[str]) -> list[Problem]:
    """What is wrong with an advance now, after the result (WD 9.F.2)."""
    strangers = [uid for uid in units if uid not in attack.units]
    problems = [_no_attacker(state, attack, uid) for uid in strangers]
    name = state.board.name
    if not cleared(state, attack):
        text = f"{name(attack.hex)} is not cleared: enemy units are still there"
        problems.append(Problem("not_cleared", "WD 9.F.2", text, "stay where you are", field="units"))
    if problems:
        return problems
    for uid in units:
        if uid not in state.pieces:
            text = f"{uid} was lost in the combat"
            problems.append(Problem("lost", "WD 9.F.2", text, "leave it out", field="units"))
        elif state.pieces[uid].retreated:
            text = f"{state.unit(uid).short or uid} had to retreat and can't advance"
            problems.append(Problem("retreated", "WD 9.F.2", text, "leave it out", field="units"))
        else:
            found = step_problem(state, uid, attack.hex)
            problems += [found] if found is not None else []
    if not problems and not fits(state, attack.hex, attack.side, units):
        problems.append(_overstacked(state, attack.hex, units))
    return problems + leaving_problems(state, units)


def _no_attacker(state: State, attack: Attack, uid: str) -> Problem:
    """Who is no attacker does not advance; a defender never does (WD 9.F.2.def)."""
    unit = state.world.units.get(uid)
    if unit is not None and unit.side != attack.side:
        text = f"{unit.short or uid} is a defender; defending units never advance after combat"
        return Problem("defender_advance", "WD 9.F.2.def", text, "leave it out", field="advance")
    name = (unit.short if unit else "") or uid
    text = f"{name} is not among the units that attack {state.board.name(attack.hex)}; only attackers may advance"
    return Problem("no_attacker", "WD 9.F.2", text, "leave it out", field="advance")


def _overstacked(state: State, h: int, units: Collection[str]) -> Problem:
    text = f"{len(units)} units would advance into {state.board.name(h)} and break the stacking limit"
    return Problem("stacking", "WD 8.A", text, "let fewer units advance", field="advance")


def advancing(
    state: State, attack: Attack, units: Iterable[str], everyone: bool
) -> tuple[list[str], list[tuple[str, str]]]:
    """Who of the surviving attackers advances, and who stays for which reason.

    Named units go in order of id. With ``everyone`` the strongest go first until the hex is full.
    """
    alive = [uid for uid in attack.units if uid in state.pieces and not state.pieces[uid].retreated]
    wanted = alive if everyone else [uid for uid in sorted(units) if uid in alive]

    def strongest(uid: str) -> tuple[Fraction, str]:
        return -state.unit(uid).attack, uid

    goes: list[str] = []
    stays: list[tuple[str, str]] = []
    for uid in sorted(wanted, key=strongest) if everyone else wanted:
        problem = step_problem(state, uid, attack.hex)
        if problem is not None:
            stays.append((uid, problem.text))
        elif fits(state, attack.hex, attack.side, (*goes, uid)):
            goes.append(uid)
        else:
            stays.append((uid, "the hex is full by the stacking limit"))
    return goes, stays

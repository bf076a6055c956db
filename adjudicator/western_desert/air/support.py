"""Air support over a hex, as ground combat and overruns meet it (WD 20.F.2.c, 20.F.2.d, 13.odds). Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from fractions import Fraction

from adjudicator.engine.core import Problem
from adjudicator.western_desert.air.book import flight_of, in_the_air
from adjudicator.western_desert.air.craft import DEFENSIVE_SUPPORT, GROUND_SUPPORT, UNHURT, Flight
from adjudicator.western_desert.battle import Attack
from adjudicator.western_desert.state import ENEMY, State


def supporters(state: State, side: str, h: int, mission: str) -> list[Flight]:
    """The flights of a side over a hex on a support mission that nothing has befallen, in the order of take-off.

    A fighter that has jettisoned its bombs supports nobody (WD 24.A.jettison).
    """
    over = [aid for aid, unit in state.air.items() if unit.sortie is not None and unit.sortie.over == h]
    flights = [flight_of(state, aid) for aid in in_the_air(state) if aid in over] if over else []
    return [one for one in flights if (one.craft.side, one.flies_as, one.fate) == (side, mission, UNHURT)]


def points_over(state: State, side: str, h: int, mission: str) -> Fraction:
    """The tactical points of that support, before its limit."""
    return sum((one.tactical for one in supporters(state, side, h, mission)), Fraction(0))


def against_overrun(state: State, side: str, h: int) -> Fraction:
    """The defensive support of the enemy of a side over a hex (WD 13.odds, ruling OVERRUN-AIR)."""
    return points_over(state, ENEMY[side], h, DEFENSIVE_SUPPORT)


def supported(state: State, attack: Attack) -> Attack:
    """The attack with the air support over its hex as it is now: the attacker's and the defender's. A hex is attacked
    once in a phase, so ground support serves one attack (WD 9.B.4, 20.F.2.c)."""
    return replace(
        attack,
        ground_support=points_over(state, attack.side, attack.hex, GROUND_SUPPORT),
        defensive_support=points_over(state, attack.enemy, attack.hex, DEFENSIVE_SUPPORT),
    )


def idle_support(state: State, side: str, attacked: Collection[int]) -> list[Problem]:
    """Hexes over which a side flies ground support and that are not among those attacked: it comes to nothing (WD
    20.F.2.c)."""
    over = {unit.sortie.over for unit in state.air.values() if unit.sortie and unit.sortie.mission == GROUND_SUPPORT}
    found = []
    for h in sorted(over - {*attacked}):
        names = [one.craft.name or one.id for one in supporters(state, side, h, GROUND_SUPPORT)]
        if names:
            text = f"{', '.join(names)} over {state.board.feature_names(h)} supports no attack: none is made on the hex"
            found.append(Problem("idle", "WD 20.F.2.c", text, "attack the hex, or leave the ground support out"))
    return found

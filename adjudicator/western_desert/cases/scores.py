"""Runner of the form score (CASE-FORMS 6): what facts bring in victory points. Each fact has a function of its own.

Other modules of cases add theirs with :func:`facts`; what nobody has added is skipped by name.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from adjudicator.engine.casecheck import Found, NotBuilt
from adjudicator.engine.core import Ctx
from adjudicator.western_desert.cases.build import new_state, real_world
from adjudicator.western_desert.cases.core import Case, form
from adjudicator.western_desert.cases.drive import context
from adjudicator.western_desert.state import ENEMY, State

Facts = Callable[[Case, Ctx[State], Found], None]
_facts: dict[str, Facts] = {}
PLAIN = ("turn", "player")
"""Keys that say when, and bring nothing by themselves."""


def facts(key: str) -> Callable[[Facts], Facts]:
    """Register what a key of ``given`` brings: points by events, or values of its own."""

    def register(function: Facts) -> Facts:
        _facts[key] = function
        return function

    return register


@form("score")
def run_score(case: Case) -> Found:
    """Victory points by the facts that the case tells, one after the other."""
    ctx, found = context(new_state(real_world().board, "allied", "initial")), Found()
    unknown = [key for key in case.given if key not in _facts and key not in PLAIN]
    if unknown:
        raise NotBuilt(f"the facts {', '.join(unknown)} of the form score are not built in this version")
    for key in case.given:
        if key in _facts:
            _facts[key](case, ctx, found)
    points = {side: Fraction(ctx.state.vp2.get(side, 0), 2) for side in ENEMY}
    found.values |= {"change": points, "vp": points}
    return found

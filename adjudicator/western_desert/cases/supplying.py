"""Runners of the forms supply and supply_counter (CASE-FORMS 6)."""

from __future__ import annotations

from adjudicator.engine.casecheck import Found, NotBuilt
from adjudicator.western_desert.cases.core import Case, form


@form("supply_counter")
def run_supply_counter(case: Case) -> Found:
    """Supply counters moved, merged, split, destroyed."""
    raise NotBuilt("rule 12.D, moving, merging, splitting and destroying supply counters, is not built in this version")

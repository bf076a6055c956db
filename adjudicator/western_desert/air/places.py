"""Which hexes a clause of standing orders on the air war speaks of."""

from __future__ import annotations

from adjudicator.engine.core import texts_of
from adjudicator.western_desert.air.facts import is_airbase
from adjudicator.western_desert.air.orders import ANYTHING, BASES, PORTS
from adjudicator.western_desert.bases import port_row
from adjudicator.western_desert.standing import Clause, hex_in
from adjudicator.western_desert.state import State


def over(state: State, clause: Clause, h: int, field: str = "hex") -> bool:
    """Whether a clause is about a hex: it names it or its kind, or no hex at all."""
    named = texts_of(clause.get(field))
    if not named or ANYTHING in named:
        return True
    if (PORTS in named and port_row(state, h) is not None) or (BASES in named and is_airbase(state, h)):
        return True
    return any(hex_in(state, name) == h for name in named)

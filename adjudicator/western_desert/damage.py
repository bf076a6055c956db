"""Works under way and damage in a few words: for reports, `status` and turn files to fill in."""

from __future__ import annotations

from adjudicator.engine.counting import counted
from adjudicator.western_desert.bases import AIRBASE, PORT, base_capacity, port_capacity
from adjudicator.western_desert.sites import AIRFIELD, FORT
from adjudicator.western_desert.state import State, turn_name
from adjudicator.western_desert.units import number

WORDS = {FORT: "a fort", AIRFIELD: "an airfield"}


def site_words(state: State, h: int, what: str) -> str:
    """``a fort begun on Mar I 41 (Const 1)``."""
    site = state.sites[(h, what)]
    unit = state.world.units.get(site.unit)
    who = (unit.short or site.unit) if unit else "divisional engineers"
    return f"{WORDS.get(what, 'its improvement')} begun on {turn_name(site.turn)} ({who})"


def damage_words(state: State, h: int) -> list[str]:
    """``port with 2 hits, capacity 3 REs`` and the like: what is damaged in a hex, railroads apart."""
    found = []
    if state.port_hits.get(h):
        room = port_capacity(state, h)
        res = f"{number(room)} RE{'' if room <= 1 else 's'}"
        found.append(f"{PORT} with {counted(state.port_hits[h], 'hit')}, capacity {res}")
    if state.base_hits.get(h):
        found.append(f"{AIRBASE} with {counted(state.base_hits[h], 'hit')}, capacity {base_capacity(state, h)}")
    return found

"""What the order of battle brings in an initial phase that this version does not play yet (WD 4.A.1, 29).

A game does not go on without it: it stops before such a phase and names what is due.
"""

from __future__ import annotations

from adjudicator.western_desert.state import LAST_TURN, State, turn_name, turn_number
from adjudicator.western_desert.world import Record, text

UNPLAYED = {
    "withdraw": "withdrawal of",
    "supply_withdraw": "withdrawal of supply, steps:",
    "return": "return of",
    "reinforce": "arrival of",
    "supply": "arrival of supply, steps:",
    "convert": "conversion into",
    "replacement": "replacement points:",
}
"""Supply movement points are read where they are spent (haul.py); what is assembled or used as a component arrives
otherwise; points to repair Malta change nothing as long as no rule looks at Malta."""
SHOWN = 6
ALWAYS = "yes"


def due(state: State) -> list[str]:
    """What falls due in the initial phase of the phasing side on this turn and is not built, one clause each."""
    if state.surprise:
        return []
    key = ("due", state.turn, state.player)
    found = state.world.cache.get(key)
    if not isinstance(found, list):
        found = state.world.cache[key] = _due(state)
    return found


def due_text(state: State) -> str:
    """The same as one sentence; empty where nothing is due."""
    found = due(state)
    if not found:
        return ""
    shown = "; ".join(found[:SHOWN])
    more = f"; and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    phase = f"the initial phase of the {state.player} side on {turn_name(state.turn)}"
    return f"{phase} brings what is not built in this version: {shown}{more}"


def _due(state: State) -> list[str]:
    world, now = state.world, turn_name(state.turn)
    if not world.events:
        begun = turn_number(text(world.scenario, "start", turn_name(1)))
        return ["the order of battle, which this pack does not have"] if state.turn > begun else []
    if _done(state):
        return []
    rows = (row for row in world.events if row.get("turn") == now and row.get("side") == state.player)
    return [_words(state, row) for row in rows if row.get("kind") in UNPLAYED and row.get("optional") != ALWAYS]


def _done(state: State) -> bool:
    """True where the set-up holds what the turn brings already (``events_done`` of the scenario)."""
    done = state.world.scenario.get("events_done")
    last = done.get(state.player) if isinstance(done, dict) else None
    return isinstance(last, str) and state.turn <= turn_number(last)


def _words(state: State, row: Record) -> str:
    kind = text(row, "kind")
    to = row.get("to")
    named = text(row, "unit") or (str(to[0]) if isinstance(to, list) and to else "")
    unit = state.world.units.get(named)
    what = (unit.short or unit.name) if unit else named or text(row, "steps") or text(row, "points")
    area = text(row, "area")
    return f"{UNPLAYED[kind]} {what}{f' ({area})' if area and kind == 'reinforce' else ''}"


def last_turn(state: State) -> int:
    """The last game turn of the scenario."""
    end = text(state.world.scenario, "end")
    return turn_number(end) if end else LAST_TURN

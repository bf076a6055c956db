"""Works of engineers read back as a player would say them (see readback.py)."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Event, Order, Tree
from adjudicator.western_desert.bases import AIRFIELD
from adjudicator.western_desert.sites import FORT, FORTRESS
from adjudicator.western_desert.state import State
from adjudicator.western_desert.words import hex_text, names, short_name

THINGS = {FORT: "a fort", FORTRESS: "to improve the fortress", AIRFIELD: "an airfield"}
WORKS = ("work-begun", "work-done", "port-hit", "port-repaired", "airbase-hit", "airbase-repaired", "rail-repaired")


def _text(data: Tree, key: str) -> str:
    value = data.get(key, "") if isinstance(data, dict) else ""
    return value if isinstance(value, str) else ""


def _done(events: Sequence[Event]) -> Event | None:
    return next((event for event in events if event.kind in WORKS), None)


def _who(state: State, order: Order) -> tuple[str, bool]:
    units = order.texts("units") or order.texts("unit")
    return names(state, units), len(units) == 1


def _where(state: State, order: Order, found: Event | None) -> str:
    text = _text(dict(found.data), "hex") if found else order.text("hex")
    return f" in {hex_text(state, text)}" if text else ""


def _prices(state: State, found: Event | None) -> str:
    """``, 4 MP, 0 left``; of several workers each its part."""
    rows: Tree = found.data.get("costs", []) if found else []
    costs = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    paid = [row for row in costs if _text(row, "transport") != _text(row, "unit")]
    if len(paid) == 1:
        return f", {_text(paid[0], 'mp')} MP, {_text(paid[0], 'left')} left"
    named = [(short_name(state, _text(row, "unit")), _text(row, "mp"), _text(row, "left")) for row in paid]
    parts = [f"{name} {points} MP, {left} left" for name, points, left in named]
    return f" ({'; '.join(parts)})" if parts else ""


def begin(state: State, order: Order, events: Sequence[Event]) -> str:
    """``Const 1 begins a fort in 19/1326, done in the next turn's initial phase if it stays there in supply``."""
    who, _one = _who(state, order)
    thing = THINGS[FORTRESS if order.type == "improve_fortress" else FORT]
    when = "done in the next turn's initial phase if it is still there and in general supply"
    return f"{who} begins {thing}{_where(state, order, _done(events))}, {when}"


def airfield(state: State, order: Order, events: Sequence[Event]) -> str:
    """``Const 1 and Const 2 build an airfield in 19/1326 (Const 1 4 MP, 0 left; Const 2 2 MP, 2 left)``."""
    (who, one), found = _who(state, order), _done(events)
    hits = _text(dict(found.data), "hits") if found else ""
    with_hits = f" with {_hits(hits)}" if hits else ""
    verb = "builds" if one else "build"
    return f"{who} {verb} an airfield{with_hits}{_where(state, order, found)}{_prices(state, found)}"


def hits(state: State, order: Order, events: Sequence[Event]) -> str:
    """``Const 1 repairs 1 hit of the port in Derna (18/4117), 4 MP, 0 left``."""
    (who, one), found = _who(state, order), _done(events)
    verb = {"demolish_port": "put", "damage_airbase": "put"}.get(order.type, "repair")
    what = "port" if order.type == "demolish_port" else order.text("what", "airbase")
    count = _text(dict(found.data), "hits") if found else order.text("hits")
    said = _hits(count) if count else "hits"
    said = said if found or order.type == "repair" else "no hit that counts"
    link = "on" if verb == "put" else "of"
    where = _where(state, order, found)
    return f"{who} {verb}{'s' if one else ''} {said} {link} the {what}{where}{_prices(state, found)}"


def _hits(count: str) -> str:
    return f"{count} hit{'' if count == '1' else 's'}"


def divisional(state: State, order: Order, events: Sequence[Event]) -> str:
    """``divisional engineers of 4th Indian Division in Derna: repair port; it neither moves nor attacks this turn``."""
    task = order.text("what").replace("_", " ")
    where = _where(state, order, _done(events))
    return f"divisional engineers of {_who(state, order)[0]}{where}: {task}; it neither moves nor attacks this turn"

"""Overruns, supply on the move and rail work read back as a player would say them (see readback.py)."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Event, Order, Tree
from adjudicator.western_desert.pool import rp_words
from adjudicator.western_desert.state import State
from adjudicator.western_desert.units import fraction, number
from adjudicator.western_desert.words import hex_text, joined, names, short_name, supply_name

WAYS = {"rail": "by rail", "road": "by road", "foot": "overland"}


def _text(event: Event, key: str) -> str:
    value = event.data.get(key, "")
    return value if isinstance(value, str) else ""


def _texts(event: Event, key: str) -> list[str]:
    value = event.data.get(key, [])
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _first(events: Sequence[Event], kind: str) -> Event | None:
    return next((event for event in events if event.kind == kind), None)


def overrun(state: State, order: Order, events: Sequence[Event]) -> str:
    """``A and B overrun 19/0727 held by C: 11 against 1, 11:1; A and B 4 MP, 6 left; A enters the hex``."""
    units, found = order.texts("units"), _first(events, "overrun")
    verb = "overruns" if len(units) == 1 else "overrun"
    start = f"{names(state, units)} {verb} {hex_text(state, order.text('hex'))}"
    if found is None:
        return start
    against = joined([short_name(state, uid) for uid in _texts(found, "defenders")])
    strength, defense = (number(fraction(_text(found, key) or "0")) for key in ("strength", "against"))
    odds = f"{strength} against {defense}, {_text(found, 'odds')}:1"
    return f"{start} held by {against}: {odds}; {_prices(state, found)}; {_entering(state, events)}"


def _prices(state: State, found: Event) -> str:
    rows: Tree = found.data.get("costs", [])
    groups: dict[str, list[str]] = {}
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, dict):
            groups.setdefault(f"{row['mp']} MP, {row['left']} left", []).append(short_name(state, str(row["unit"])))
    return "; ".join(f"{joined(who)} {price}" for price, who in groups.items())


def _entering(state: State, events: Sequence[Event]) -> str:
    who = [short_name(state, _text(event, "unit")) for event in events if event.kind == "advance"]
    return f"{joined(who)} {'enters' if len(who) == 1 else 'enter'} the hex" if who else "nobody enters the hex"


def supply_move(state: State, order: Order, events: Sequence[Event]) -> str:
    """``Allied supply 2 goes Alexandria to 19/2224 by rail and overland, 3 SMP, 17 left``."""
    moved = [event for event in events if event.kind == "supply-moved"]
    if not moved:
        return f"{_counters(state, order)} to {hex_text(state, order.text('to'))}"
    return "; ".join(_hauled(state, event) for event in moved)


def _hauled(state: State, event: Event) -> str:
    ways = joined([WAYS.get(step, step) for step in dict.fromkeys(_texts(event, "steps"))])
    start, end = hex_text(state, _text(event, "from")), hex_text(state, _texts(event, "path")[-1])
    name = supply_name(state, _text(event, "counter"))
    return f"{name} goes {start} to {end} {ways}, {_text(event, 'smp')} SMP, {_text(event, 'left')} left this turn"


def _counters(state: State, order: Order) -> str:
    return joined([supply_name(state, sid) for sid in order.texts("counters") or order.texts("counter")])


def ship(state: State, order: Order, events: Sequence[Event]) -> str:
    """``16th Brigade is shipped to Tobruk, 2 MP spent``; what the dice may make of it is not known yet."""
    units, counters = order.texts("units") or order.texts("unit"), order.texts("counters") or order.texts("counter")
    if order.text("rp"):
        start, to = hex_text(state, order.text("from")), hex_text(state, order.text("to"))
        what = f"{order.text('points') or '1'} {rp_words(order.text('rp'))} replacement points"
        return f"{what} are shipped from {start} to {to}"
    who = joined([*([names(state, units)] if units else []), *[supply_name(state, sid) for sid in counters]])
    verb = "is" if len(units) + len(counters) == 1 else "are"
    spent = [_text(event, "spent") for event in events if event.kind == "shipped" and _text(event, "spent")]
    points = f", {joined(list(dict.fromkeys(spent)))} MP spent" if spent else ""
    return f"{who} {verb} shipped to {hex_text(state, order.text('to'))}{points}"


def supply_merge(state: State, order: Order, _events: Sequence[Event]) -> str:
    """Two counters become one."""
    return f"{_counters(state, order)} merge into one counter"


def supply_split(state: State, order: Order, events: Sequence[Event]) -> str:
    """One counter becomes two."""
    new = [supply_name(state, _text(event, "new")) for event in events if event.kind == "supply-split"]
    return f"{_counters(state, order)} is split" + (f", the second step is {joined(new)}" if new else "")


def supply_destroy(state: State, order: Order, _events: Sequence[Event]) -> str:
    """Own supply is destroyed."""
    return f"{_counters(state, order)} is destroyed"


def rail_work(state: State, order: Order, events: Sequence[Event]) -> str:
    """``16th Infantry Brigade breaks the railroad in 19/1326, 3 MP, 5 left``."""
    found = _first(events, "rail-broken") or _first(events, "rail-repaired")
    verb = "breaks" if order.type == "break_rail" else "repairs"
    where = f" in {hex_text(state, _text(found, 'hex'))}" if found else ""
    price = f", {_text(found, 'mp')} MP, {_text(found, 'left')} left" if found else ""
    units = order.texts("units") or order.texts("unit")
    return f"{names(state, units)} {verb} the railroad{where}{price}"


def break_down(state: State, order: Order, events: Sequence[Event]) -> str:
    """``7th Armoured Division breaks down into 7 SG, 4 Arm X and 7 Arm X``."""
    found = _first(events, "broken-down")
    parts = joined([short_name(state, uid) for uid in _texts(found, "units")]) if found else "its components"
    where = f" in {hex_text(state, _text(found, 'hex'))}" if found else ""
    return f"{names(state, [order.text('unit')])} breaks down into {parts}{where}"


def assemble(state: State, order: Order, events: Sequence[Event]) -> str:
    """``7th Armoured Division is assembled of 7 SG, 4 Arm X and 7 Arm X in 19/1127``."""
    found = _first(events, "assembled")
    units = _texts(found, "units") if found else order.texts("units")
    parts = f" of {joined([short_name(state, uid) for uid in units])}" if units else ""
    where = f" in {hex_text(state, _text(found, 'hex'))}" if found else ""
    return f"{names(state, [order.text('into')])} is assembled{parts}{where}"


def extend_rail(state: State, _order: Order, events: Sequence[Event]) -> str:
    """The next hex of the line."""
    found = _first(events, "rail-extended")
    to = f" to {hex_text(state, _text(found, 'hex'))}" if found else ""
    return f"the railroad is built on{to}"

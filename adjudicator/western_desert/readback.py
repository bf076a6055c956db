"""An order read back as a player would say it (DESIGN, Turn file). Made from the events that the preview led to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from adjudicator.engine.core import Event, Order, Tree
from adjudicator.western_desert.state import State
from adjudicator.western_desert.units import fraction, number
from adjudicator.western_desert.words import PHASES, hex_text, joined, mp_sum, names, short_name, supply_name

MEANS = {"admin": " in administrative movement", "rail": " by rail", "minimum": " as its one guaranteed hex"}


def sentence(state: State, order: Order, events: Sequence[Event]) -> str:
    """One order in words. ``state`` is the position after the preview, ``events`` those of this order."""
    make = _SENTENCES.get(order.type)
    return make(state, order, events) if make else f"{order.type}: {_fields(order)}"


def _fields(order: Order) -> str:
    return ", ".join(f"{name} {_plain(value)}" for name, value in order.data.items())


def _plain(value: Tree) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return ", ".join(_plain(item) for item in value)
    return "; ".join(f"{name} {_plain(item)}" for name, item in value.items())


def _texts(data: Mapping[str, Tree], key: str) -> list[str]:
    value = data.get(key, [])
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _text(data: Mapping[str, Tree], key: str) -> str:
    value = data.get(key, "")
    return value if isinstance(value, str) else ""


# --- movement ---------------------------------------------------------------------------------------------------


def _move(state: State, order: Order, events: Sequence[Event]) -> str:
    moves = [event for event in events if event.kind == "move"]
    units = order.texts("units") or order.texts("unit")
    if not moves:
        to = order.text("to") or (order.texts("path") or ["?"])[-1]
        return f"{names(state, units)} {_verb(units, 'moves', 'move')} to {hex_text(state, to)}"
    groups: dict[tuple[str, ...], list[Event]] = {}
    for event in moves:
        way = (_text(event.data, "from"), *_texts(event.data, "path"))
        groups.setdefault(way, []).append(event)
    return "; ".join(_group(state, list(way), found) for way, found in groups.items()) + _halts(state, events)


def _verb(units: Sequence[str], one: str, many: str) -> str:
    return one if len(units) == 1 else many


def _group(state: State, way: list[str], moves: Sequence[Event]) -> str:
    """Units that go the same way: ``A and B move 19/1127 to 19/0825 by 19/1126 and the coast road, 6 of 10 MP``."""
    data = moves[0].data
    carrier = _text(data, "transport")
    units = [_text(event.data, "unit") for event in moves]
    riders = [uid for uid in units if uid != carrier]
    means = f", carried by {names(state, [carrier])}" if carrier else MEANS.get(_text(data, "means"), "")
    start = f"{names(state, riders or units)} {_verb(riders or units, 'moves', 'move')}"
    ends = f"{start} {hex_text(state, way[0])} to {hex_text(state, way[-1])}{_by(state, way)}{means}"
    end = state.board.find(way[-1])
    verb = _verb(riders or units, "ends", "end")
    zone = f", {verb} in an enemy ZOC" if state.ezoc(end, state.world.units[units[0]].side) else ""
    return f"{ends}, {_points(state, moves)}{zone}"


def _by(state: State, way: list[str]) -> str:
    """The hexes between, those along a named road or railroad by its name."""
    parts: list[str] = []
    for a, b in pairwise(way):
        line = _line(state, a, b)
        if line and line not in parts:
            parts.append(line)
        elif not line and b != way[-1]:
            parts.append(b)
    return f" by {joined(parts)}" if parts else ""


def _line(state: State, a: str, b: str) -> str:
    pair = (state.board.find(a), state.board.find(b))
    if pair not in state.board.roads:
        return ""
    name = state.board.line_names.get(pair, "").split(";")[-1].strip()
    if not name:
        return "the road"
    return f"the {name}" if "road" in name.lower() or "railway" in name.lower() else f"the road {name}"


def _points(state: State, moves: Sequence[Event]) -> str:
    """MPs: one figure where all pay the same, else one for each group that does."""
    groups: dict[str, list[str]] = {}
    for event in moves:
        groups.setdefault(_of(event), []).append(short_name(state, _text(event.data, "unit")))
    if len(groups) == 1:
        return f"{next(iter(groups))} MP"
    return ", ".join(f"{joined(who)} {points} MP" for points, who in groups.items())


def _of(event: Event) -> str:
    mp, spent, left = (_text(event.data, key) for key in ("mp", "spent", "left"))
    whole = mp_sum(spent, left)
    return f"{mp} of {whole}" if mp == spent else f"{mp} more, {spent} of {whole} in all"


def _halts(state: State, events: Sequence[Event]) -> str:
    halted = [event for event in events if event.kind == "halt"]
    if not halted:
        return ""
    data = halted[-1].data
    return f"; halted in {hex_text(state, _text(data, 'to'))}: {_text(data, 'why')}"


# --- combat -----------------------------------------------------------------------------------------------------


def _attack(state: State, order: Order, events: Sequence[Event]) -> str:
    found = next((event for event in events if event.kind == "attack"), None)
    skipped = next((event for event in events if event.kind == "skipped"), None)
    units = order.texts("with")
    start = f"{names(state, units)} {_verb(units, 'attacks', 'attack')} {hex_text(state, order.text('hex'))}"
    if found is None:
        why = f" - called off: {_text(skipped.data, 'clause')}" if skipped else ""
        return start + why
    against = joined([short_name(state, uid) for uid in _texts(found.data, "defenders")])
    held = f" held by {against}" if against else ""
    parts = [_odds(found), *_modifiers(found), _supply(state, found, events), _advance(state, order)]
    return f"{start}{held}: {'; '.join(part for part in parts if part)}"


def _odds(event: Event) -> str:
    strength, against = (number(fraction(_text(event.data, key) or "0")) for key in ("strength", "against"))
    column = _text(event.data, "column")
    said = {"none": "below the table, the attackers are eliminated", "auto": "no defense, they fall without a die"}
    return f"{strength} against {against}, {said.get(column, f'column {column}')}"


def _modifiers(event: Event) -> list[str]:
    rows = event.data.get("die_modifiers", [])
    found = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    if not found:
        return ["die as rolled"] if _text(event.data, "column") not in ("none", "auto") else []
    parts = [f"{_plain(row['die'])} {_plain(row['what'])} ({_plain(row['rule'])})" for row in found]
    total = _text(event.data, "drm")
    signed = total if total.startswith("-") or total == "0" else f"+{total}"
    return [f"die {signed}: {', '.join(parts)}"]


def _supply(state: State, event: Event, events: Sequence[Event]) -> str:
    supplied = _texts(event.data, "supplied")
    units = [uid for uid in _texts(event.data, "with") if state.world.units[uid].attack > 0]
    paid = [_draw(state, used) for used in events if used.kind == "supply-used"]
    by = f" ({joined(paid)})" if paid else ""
    without = [short_name(state, uid) for uid in units if uid not in supplied]
    if not without:
        return f"in attack supply{by}"
    if len(without) == len(units):
        return "without attack supply"
    return f"in attack supply{by} but for {joined(without)}"


def _draw(state: State, used: Event) -> str:
    steps = _text(used.data, "steps")
    name = supply_name(state, _text(used.data, "counter"))
    if steps == "0":
        return f"the step of {name} already paid"
    return f"{steps} step{'' if steps == '1' else 's'} of {name}"


def _advance(state: State, order: Order) -> str:
    who = order.texts("advance")
    if not who:
        return "nobody advances"
    if "all" in who:
        return "all that may advance if it is cleared"
    return f"{joined([short_name(state, uid) for uid in who])} {_verb(who, 'advances', 'advance')} if it is cleared"


def _losses(state: State, order: Order, _events: Sequence[Event]) -> str:
    where = hex_text(state, order.text("hex"))
    return f"losses in the attack on {where} fall on {names(state, order.texts('units'))}, in this order"


def _retreat(state: State, order: Order, _events: Sequence[Event]) -> str:
    units = order.texts("units") or order.texts("unit")
    path = order.texts("path") or order.texts("to")
    return f"{names(state, units)} {_verb(units, 'retreats', 'retreat')} to {joined(path, 'or')} if driven back"


def _advance_order(state: State, order: Order, events: Sequence[Event]) -> str:
    units = order.texts("units")
    said = f"{names(state, units)} {_verb(units, 'advances', 'advance')} into {hex_text(state, order.text('to'))}"
    skipped = next((event for event in events if event.kind == "skipped"), None)
    return f"{said} if it is cleared" + (f" (without dice: {_text(skipped.data, 'clause')})" if skipped else "")


# --- the rest ---------------------------------------------------------------------------------------------------


def _section(_state: State, order: Order, _events: Sequence[Event]) -> str:
    phase = PHASES.get(order.text("name"), order.text("name"))
    return f"{phase[:1].upper()}{phase[1:]}:"


def _standing(_state: State, order: Order, _events: Sequence[Event]) -> str:
    rules = order.data.get("rules", [])
    clauses = rules if isinstance(rules, list) else [rules]
    said = " / ".join(_plain(clause) for clause in clauses) or "no rules"
    return f"from your next message on, open standing order for {order.text('topic')}: {said}"


def _answer(state: State, order: Order, _events: Sequence[Event]) -> str:
    units = names(state, order.texts("units"))
    parts = [units, " then ".join(order.texts("path")), order.text("use")]
    return f"to {order.text('to')}: {', '.join(part for part in parts if part) or 'nothing'}"


def _pass(_state: State, _order: Order, _events: Sequence[Event]) -> str:
    return "nothing more in this phase"


_SENTENCES: dict[str, Callable[[State, Order, Sequence[Event]], str]] = {
    "section": _section,
    "move": _move,
    "attack": _attack,
    "losses": _losses,
    "retreat": _retreat,
    "advance": _advance_order,
    "standing": _standing,
    "answer": _answer,
    "pass": _pass,
}

"""An order read back as a player would say it (DESIGN, Turn file). Made from the events that the preview led to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from adjudicator.engine.core import Event, Order, Tree
from adjudicator.western_desert import readback_air as air
from adjudicator.western_desert import readback_arrivals as arrivals
from adjudicator.western_desert import readback_ground as ground
from adjudicator.western_desert import readback_works as works
from adjudicator.western_desert.state import State
from adjudicator.western_desert.units import fraction, number
from adjudicator.western_desert.words import PHASES, hex_text, joined, mp_sum, names, short_name, supply_name

RAIL = "rail"
MEANS = {"admin": " in administrative movement", "minimum": " as its one guaranteed hex"}


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
        way = (_text(event.data, "from"), *_texts(event.data, "path"), *_texts(event.data, "steps"))
        groups.setdefault(way, []).append(event)
    return "; ".join(_group(state, found) for found in groups.values()) + _halts(state, events)


def _verb(units: Sequence[str], one: str, many: str) -> str:
    return one if len(units) == 1 else many


def _group(state: State, moves: Sequence[Event]) -> str:
    """Units that go the same way: ``A and B move 19/1127 to 19/0825 by 19/1126 and the coast road, 6 of 10 MP``."""
    data = moves[0].data
    carrier = _text(data, "transport")
    units = [_text(event.data, "unit") for event in moves]
    riders = [uid for uid in units if uid != carrier] or units
    means = f", carried by {names(state, [carrier])}" if carrier else MEANS.get(_text(data, "means"), "")
    start, end = _text(data, "from"), _texts(data, "path")[-1]
    go = f"{names(state, riders)} {_verb(riders, 'moves', 'move')} {hex_text(state, start)} to {hex_text(state, end)}"
    ezoc = state.ezoc(state.board.find(end), state.world.units[units[0]].side)
    zone = f", {_verb(riders, 'ends', 'end')} in an enemy ZOC" if ezoc else ""
    return f"{go}{_by(state, data)}{means}, {_points(state, moves)}{zone}"


def _by(state: State, data: Mapping[str, Tree]) -> str:
    """The hexes between, those along a named road or railroad by its name."""
    way = [_text(data, "from"), *_texts(data, "path")]
    rides = _texts(data, "steps") or [""] * len(way)
    parts: list[str] = []
    for (a, b), step in zip(pairwise(way), rides, strict=False):
        line = _line(state, a, b, step == RAIL)
        if line and line not in parts:
            parts.append(line)
        elif not line and b != way[-1]:
            parts.append(b)
    return f" by {joined(parts)}" if parts else ""


def _line(state: State, a: str, b: str, ridden: bool) -> str:
    """The road or railroad between two hexes. A pair that has both is named for the railroad first."""
    pair = (state.board.find(a), state.board.find(b))
    if pair not in (state.board.rails if ridden else state.board.roads):
        return ""
    found = [name.strip() for name in state.board.line_names.get(pair, "").split(";") if name.strip()]
    kind = "railway" if ridden else "road"
    if not found:
        return f"the {kind}"
    name = found[0] if ridden else found[-1]
    return f"the {name}" if any(word in name.lower() for word in ("road", "railway")) else f"the {kind} {name}"


def _points(state: State, moves: Sequence[Event]) -> str:
    """MPs: one figure where all pay the same, else one for each group that does."""
    groups: dict[str, list[str]] = {}
    for event in moves:
        groups.setdefault(_of(event), []).append(short_name(state, _text(event.data, "unit")))
    if len(groups) == 1:
        return next(iter(groups))
    return ", ".join(f"{joined(who)} {points}" for points, who in groups.items())


def _of(event: Event) -> str:
    mp, spent, left = (_text(event.data, key) for key in ("mp", "spent", "left"))
    whole = mp_sum(spent, left)
    return f"{mp} of {whole} MP" if mp == spent else f"{mp} MP more, {spent} of {whole} in all"


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
    parts = [_odds(found), *_modifiers(found), _supply(state, found, events), *_wishes(state, order)]
    parts.append(_advance(state, order))
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


def _wishes(state: State, order: Order) -> list[str]:
    """What the attack says for the case that it goes wrong, and of half capable units."""
    said = {
        "losses": "losses fall first on {}",
        "never": "losses spare {} as long as they can",
        "retreat": "driven back they go to {}",
        "neutral": "{} counted as neutral in AECA (WD 10.E)",
    }
    return [
        text.format(joined([short_name(state, word) for word in order.texts(name)]))
        for name, text in said.items()
        if order.texts(name)
    ]


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
    said = {"none": " no orders", "ask": " orders come when the combats are known"}.get(order.text("say"), "")
    return f"{phase[:1].upper()}{phase[1:]}:{said}"


def _standing(state: State, order: Order, _events: Sequence[Event]) -> str:
    rules = order.data.get("rules", [])
    clauses = rules if isinstance(rules, list) else [rules]
    said = " / ".join(_plain(_named(state, clause)) for clause in clauses) or "none, the defaults hold"
    kind = "sealed standing order" if order.text("sealed") == "yes" else "standing order"
    return f"from the next message on, {kind} for {order.text('topic')}: {said}"


def _named(state: State, tree: Tree) -> Tree:
    """The same with units by the names players use."""
    if isinstance(tree, str):
        return ", ".join(short_name(state, word) for word in map(str.strip, tree.split(",")))
    if isinstance(tree, list):
        return [_named(state, item) for item in tree]
    return {name: _named(state, item) for name, item in tree.items()}


def _general_supply(state: State, order: Order, _events: Sequence[Event]) -> str:
    counters = order.texts("counters") or order.texts("counter")
    said = joined([supply_name(state, sid) for sid in counters])
    return f"{said} {_verb(counters, 'gives', 'give')} a step for general supply"


def _answer(state: State, order: Order, _events: Sequence[Event]) -> str:
    units = names(state, order.texts("units"))
    parts = [units, *air.answered(state, order), " then ".join(order.texts("path")), order.text("use")]
    return f"to {order.text('to')}: {', '.join(part for part in parts if part) or 'nothing'}"


def _repair(state: State, order: Order, events: Sequence[Event]) -> str:
    return (ground.rail_work if order.text("what") == RAIL else works.hits)(state, order, events)


def _pass(_state: State, _order: Order, _events: Sequence[Event]) -> str:
    return "nothing more in this phase"


_SENTENCES: dict[str, Callable[[State, Order, Sequence[Event]], str]] = {
    **air.AIR_SENTENCES,
    "section": _section,
    "general_supply": _general_supply,
    "move": _move,
    "overrun": ground.overrun,
    "supply_move": ground.supply_move,
    "ship": ground.ship,
    "malta_repair": arrivals.malta_repair,
    "supply_merge": ground.supply_merge,
    "supply_split": ground.supply_split,
    "supply_destroy": ground.supply_destroy,
    "deploy": arrivals.deploy,
    "reinforce": arrivals.reinforce,
    "fifth_army": arrivals.fifth_army,
    "tripolitania": arrivals.tripolitania,
    "raid": arrivals.raid,
    "plan_special": arrivals.plan_special,
    "cancel_special": arrivals.cancel_special,
    "special_operation": arrivals.special_operation,
    "list_garrison": arrivals.list_garrison,
    "move_garrison": arrivals.move_garrison,
    "show_garrison": arrivals.show_garrison,
    "display_garrison": arrivals.display_garrison,
    "seaborne": arrivals.wave,
    "land_second_wave": arrivals.wave,
    "vichy_roll": arrivals.vichy_roll,
    "invade_levant": arrivals.invade_levant,
    "withdraw": arrivals.withdraw,
    "replace": arrivals.replace,
    "rebuild": arrivals.replace,
    "scrap": arrivals.scrap,
    "convert": arrivals.convert,
    "upgrade": arrivals.convert,
    "break_down": ground.break_down,
    "assemble": ground.assemble,
    "break_rail": ground.rail_work,
    "repair": _repair,
    "build_airfield": works.airfield,
    "demolish_port": works.hits,
    "damage_airbase": works.hits,
    "build_fort": works.begin,
    "improve_fortress": works.begin,
    "div_engineers": works.divisional,
    "extend_rail": ground.extend_rail,
    "attack": _attack,
    "losses": _losses,
    "retreat": _retreat,
    "advance": _advance_order,
    "standing": _standing,
    "answer": _answer,
    "pass": _pass,
}

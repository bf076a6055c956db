"""Reading the orders of the combat phase (WD 9): attacks with their supply, conditions, advances and preferences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from adjudicator.engine.core import Order, Problem, Tree, texts_of, whole_number
from adjudicator.engine.schema import short_parts
from adjudicator.western_desert.attack_supply import Wish
from adjudicator.western_desert.battle import charts_of
from adjudicator.western_desert.orders import NONE
from adjudicator.western_desert.standing import hex_in
from adjudicator.western_desert.state import State
from adjudicator.western_desert.words import short_name

ALL = "all"
FALLBACKS = ("attack", "skip")


@dataclass(frozen=True)
class AttackOrder:
    """An attack as ordered. ``advance`` lists who advances; with ``advance_all`` everyone who may does."""

    order: Order
    hex: int
    units: tuple[str, ...]
    wishes: tuple[Wish, ...] = ()
    min_odds: str = ""
    if_unsupplied: str = "attack"
    advance: tuple[str, ...] = ()
    advance_all: bool = False
    declare: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def read_attack(state: State, order: Order) -> tuple[AttackOrder | None, list[Problem]]:
    """An attack order as typed fields, and what is wrong with its form; no order where the hex or units are missing."""
    problems = _hex_problems(state, order) + _whole_problems(order)
    h = hex_in(state, order.text("hex"))
    units = tuple(sorted(set(order.texts("with"))))
    if not units:
        problems.append(Problem("no_units", "WD 9", "the attack names no units", "add a line with: and the attackers"))
    if h is None or not units:
        return None, problems
    wishes, faults = _wishes(order)
    problems += faults + _min_odds_problems(state, order) + _fallback_problems(order)
    problems += stranger_problems(state, order, units, ("neutral", "losses", "never"))
    advance = order.texts("advance")
    read = AttackOrder(
        order=order,
        hex=h,
        units=units,
        wishes=wishes,
        min_odds=order.text("min_odds"),
        if_unsupplied=order.text("if_unsupplied", "attack"),
        advance=tuple(sorted(set(advance) - {ALL})),
        advance_all=ALL in advance,
        declare=_declared(state, order),
    )
    return read, problems


def _hex_problems(state: State, order: Order) -> list[Problem]:
    """An attack names one hex of the map (WD 9.B.3)."""
    named = order.data.get("hex")
    if isinstance(named, list) and len(named) > 1:
        text = f"one attack names {len(named)} hexes: {', '.join(texts_of(named))}"
        return [Problem("several_hexes", "WD 9.B.3", text, "write one attack for each hex", field="hex")]
    if hex_in(state, order.text("hex")) is None:
        text = f"{order.text('hex') or 'nothing'} is no hex of the map"
        return [Problem("no_hex", "WD 9.B.3", text, "name the hex attacked as 19/0726", field="hex")]
    return []


def _whole_problems(order: Order) -> list[Problem]:
    """Neither a hex nor a unit is attacked or attacks in part (WD 9.B.2, 9.B.5)."""
    problems = []
    if order.data.get("only"):
        only = ", ".join(order.texts("only"))
        text = f"only {only} of the hex would be attacked; all units in a hex are attacked together"
        problems.append(Problem("partial_target", "WD 9.B.2", text, "leave only: out", field="only"))
    if order.data.get("share"):
        text = "a unit may not split its attack strength between hexes"
        problems.append(Problem("split_strength", "WD 9.B.5", text, "let it attack one hex in full", field="share"))
    return problems


def _wishes(order: Order) -> tuple[tuple[Wish, ...], list[Problem]]:
    """``S1:1, S2:2``, or records {counter, steps, units}; a counter without steps gives one."""
    found: list[Wish] = []
    problems: list[Problem] = []
    named: Tree = order.data.get("supply", [])
    items = texts_of(named) if isinstance(named, str) else named if isinstance(named, list) else [named]
    for item in items:
        counter, number, units = _item(item)
        steps = whole_number(number)
        if counter and steps is not None:
            found.append(Wish(counter, steps, units))
        else:
            text = f"supply {item!r} is not read as COUNTER:STEPS"
            problems.append(Problem("supply_form", "WD 12.C", text, "write it as S1:1", field="supply"))
    return tuple(found), problems


def _item(item: Tree) -> tuple[str, str, tuple[str, ...]]:
    if isinstance(item, str):
        counter, steps = short_parts(item)
        return counter, steps or "1", ()
    if isinstance(item, dict):
        name, number = item.get("counter", ""), item.get("steps", "1")
        units = tuple(texts_of(item.get("units")))
        return (name, number, units) if isinstance(name, str) and isinstance(number, str) else ("", "", ())
    return "", "", ()


def stranger_problems(state: State, order: Order, units: Sequence[str], names: Sequence[str]) -> list[Problem]:
    """Units that a field of an order speaks of though they are not in the attack."""
    return [
        Problem(
            "no_attacker",
            "WD 9.C",
            f"{order.type}: {name} names {short_name(state, uid)}, which is not in the attack",
            "name attacking units",
            field=f"{name}[{i}]",
        )
        for name in names
        for i, uid in enumerate(order.texts(name))
        if uid not in units and uid != NONE
    ]


def _min_odds_problems(state: State, order: Order) -> list[Problem]:
    wanted = order.text("min_odds")
    columns = [name for name, _least in charts_of(state).columns]
    if not wanted or wanted in columns:
        return []
    text = f"min_odds {wanted} is no column of the combat results table"
    return [Problem("min_odds", "WD 9.A.3", text, f"use one of {', '.join(columns)}", field="min_odds")]


def _fallback_problems(order: Order) -> list[Problem]:
    word = order.text("if_unsupplied", "attack")
    if word == "skip" and not order.data.get("supply"):
        text = "if_unsupplied: skip without supply: would always call the attack off"
        return [Problem("if_unsupplied", "WD 12.C", text, "name a counter under supply:", field="if_unsupplied")]
    if word in FALLBACKS:
        return []
    text = f"if_unsupplied {word} is unknown"
    return [Problem("if_unsupplied", "WD 12.C", text, "use attack or skip", field="if_unsupplied")]


def _declared(state: State, order: Order) -> dict[str, dict[str, str]]:
    """``neutral``: the attackers taken as neutral in AECA (WD 10.E); where it is given, all others count half."""
    if "neutral" not in order.data:
        return {}
    named = [uid for uid in order.texts("neutral") if uid != NONE]
    present = [uid for uid in order.texts("with") if uid in state.world.units]
    half = [uid for uid in present if state.unit(uid).aeca == "half" and uid not in named]
    return {uid: {"aeca": "neutral"} for uid in named} | {uid: {"aeca": "half"} for uid in half}

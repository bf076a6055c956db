"""The choices that combat leaves to a side, as asks: losses, the order of a retreat, each retreat hex (WD 9.C, 9.F.1).

An answer is sought in the side's orders (``answer`` by key; ``losses``, ``retreat``, and the fields of the same names
of an attack), then in its standing orders (standing.py), else the default of pbem C2 to C4 is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, permutations
from typing import Any

from adjudicator.engine.core import Answer, Ask, Order, Problem, Tree, texts_of
from adjudicator.engine.sections import sections
from adjudicator.western_desert.losses import Duty, Set, cheapest_set, listed_sets, loss_problems
from adjudicator.western_desert.retreat import best_way, order_of_retreat, retreat_problems, ways, wished
from adjudicator.western_desert.standing import about, clauses, hex_in, of_unit
from adjudicator.western_desert.state import State

ORDERS_AT_MOST = 120
SECTIONS = ("", "air", "reaction", "combat")


# --- reading orders ---------------------------------------------------------------------------------------------


def spoken(orders: Sequence[Order]) -> Iterator[Order]:
    """The orders of a message that may speak of combat; a second section of a name is none."""
    seen: set[str] = set()
    for part in sections(orders):
        if part.name in SECTIONS and part.name not in seen:
            yield from part.orders
        seen.add(part.name)


def at_hex(state: State, order: Order, h: int) -> bool:
    """True where an order names the hex under ``hex``."""
    return hex_in(state, order.text("hex")) == h


def answer_to(orders: Sequence[Order], key: str) -> Order | None:
    """The answer of a message to a choice by its key; None where it gives none."""
    return next((o for o in spoken(orders) if o.type == "answer" and o.text("to") == key), None)


def told(answer: Answer[Any]) -> dict[str, Tree]:
    """How a choice came about, for the event: its source, and the clause or default that made it."""
    return {"choice": answer.source, "clause": answer.clause}


# --- losses -----------------------------------------------------------------------------------------------------


def losses_ask(state: State, h: int, duty: Duty) -> Ask[Set]:
    """Which units a side gives up in the combat in a hex (WD 9.C; default pbem C2)."""
    key = f"losses/{state.board.label(h)}/{duty.side}"
    return Ask(
        key=key,
        side=duty.side,
        rule=duty.rule,
        topic="losses",
        find=lambda orders: _find_losses(state, h, duty, key, orders),
        problems=lambda units: loss_problems(duty, units),
        atoms=lambda: [tuple(sorted(c.unit for c in duty.candidates))] if duty.forced else listed_sets(duty),
        default=lambda: cheapest_set(duty),
        clause=lambda rules: _losses_clause(state, h, duty, rules),
        forced=duty.forced,
        askable=True,
    )


def _find_losses(state: State, h: int, duty: Duty, key: str, orders: Sequence[Order]) -> Set | None:
    answer = answer_to(orders, key)
    if answer is not None:
        return tuple(sorted(set(answer.texts("units"))))
    for order in spoken(orders):
        if order.type == "losses" and at_hex(state, order, h):
            return cheapest_set(duty, order.texts("units"), order.texts("never"))
        if order.type == "attack" and at_hex(state, order, h) and ("losses" in order.data or "never" in order.data):
            return cheapest_set(duty, order.texts("losses"), order.texts("never"))
    return None


def _losses_clause(state: State, h: int, duty: Duty, rules: Tree) -> tuple[Set, str] | None:
    for n, clause in clauses(rules):
        if about(state, clause, h):
            chosen = cheapest_set(duty, texts_of(clause.get("order")), texts_of(clause.get("never")))
            return chosen, f"losses clause {n}"
    return None


# --- retreats ---------------------------------------------------------------------------------------------------


def order_ask(state: State, h: int, side: str, units: Sequence[str], attacking: bool) -> Ask[tuple[str, ...]]:
    """In which order units retreat one by one (ruling RETREAT-ORDER; default the strongest first)."""
    key = f"retreat/{state.board.label(h)}/order-{side}"
    usual = order_of_retreat(state, units, attacking)
    return Ask(
        key=key,
        side=side,
        rule="WD 9.F.1",
        topic="retreat",
        find=lambda orders: _find_order(state, h, usual, key, orders),
        problems=lambda chosen: _order_problems(usual, chosen),
        atoms=lambda: list(islice(permutations(usual), ORDERS_AT_MOST)),
        default=lambda: usual,
        clause=lambda rules: _order_clause(state, h, usual, rules),
        askable=True,
    )


def _order_problems(units: Sequence[str], chosen: Sequence[str]) -> list[Problem]:
    if sorted(units) == sorted(chosen):
        return []
    text = f"{', '.join(chosen)} is no order of the units that retreat: {', '.join(sorted(units))}"
    return [Problem("retreat_order", "WD 9.F.1", text, "name each of them once", field="units")]


def _first(units: Sequence[str], named: Sequence[str]) -> tuple[str, ...]:
    """The units with those named in front."""
    front = [uid for uid in dict.fromkeys(named) if uid in units]
    return (*front, *(uid for uid in units if uid not in front))


def _find_order(state: State, h: int, usual: tuple[str, ...], key: str, orders: Sequence[Order]) -> Set | None:
    """An answer names all of them; retreat orders tell by the order in which they stand in the list."""
    answer = answer_to(orders, key)
    if answer is not None:
        return tuple(answer.texts("units"))
    named = [uid for o in spoken(orders) if o.type == "retreat" for uid in _named_units(o) if uid in usual]
    return _first(usual, named) if named else None


def _order_clause(state: State, h: int, usual: tuple[str, ...], rules: Tree) -> tuple[Set, str] | None:
    for n, clause in clauses(rules):
        if about(state, clause, h) and "order" in clause:
            return _first(usual, texts_of(clause.get("order"))), f"retreat clause {n}"
    return None


def _named_units(order: Order) -> list[str]:
    return order.texts("unit") or order.texts("units")


def way_ask(state: State, h: int, uid: str, left: Sequence[int], gone: Sequence[int]) -> Ask[int]:
    """The next hex of a retreating unit (WD 9.F.1, 9.F.1.stack).

    ``left`` are the hexes it has left, the one it fought in first; ``gone`` those to which its fellows went before.
    """
    origin, step = state.hex_of(uid), len(left)
    before = left[:-1]
    options = ways(state, uid, origin, before).hexes
    key = f"retreat/{state.board.label(h)}/{uid}" + (f"/{step}" if step > 1 else "")
    first_key = f"retreat/{state.board.label(h)}/{uid}"
    return Ask(
        key=key,
        side=state.unit(uid).side,
        rule="WD 9.F.1",
        topic="retreat",
        find=lambda orders: _find_way(state, h, uid, options, (key, first_key, step), orders),
        problems=lambda to: retreat_problems(state, uid, origin, to, before),
        atoms=lambda: options,
        default=lambda: best_way(state, uid, origin, before, options),
        clause=lambda rules: _way_clause(state, h, uid, options, gone, rules),
        askable=True,
    )


def _find_way(
    state: State, h: int, uid: str, options: Sequence[int], where: tuple[str, str, int], orders: Sequence[Order]
) -> int | None:
    key, first_key, step = where
    for name, at in ((key, 1), (first_key, step)):
        answer = answer_to(orders, name)
        if answer is not None:
            path = answer.texts("path")
            if len(path) >= at:
                return hex_in(state, path[at - 1])
    for order in spoken(orders):
        if order.type == "retreat" and uid in _named_units(order):
            found = _ordered_way(state, options, order, step)
            if found is not None:
                return found
        if order.type == "attack" and uid in order.texts("with") and "retreat" in order.data:
            return _wish(state, uid, options, order.texts("retreat"))
    return None


def _ordered_way(state: State, options: Sequence[int], order: Order, step: int) -> int | None:
    """``path`` gives hex after hex, ``to`` hexes in order of liking; the first lawful one, else the first named."""
    path = order.texts("path")
    if len(path) >= step:
        return hex_in(state, path[step - 1])
    liked = [found for found in (hex_in(state, text) for text in order.texts("to")) if found is not None]
    lawful = [found for found in liked if found in options]
    return lawful[0] if lawful else (liked[0] if liked and step == 1 else None)


def _wish(state: State, uid: str, options: Sequence[int], wishes: Sequence[str]) -> int | None:
    origin = state.hex_of(uid)
    for wish in wishes:
        fitting = wished(state, uid, origin, options, wish)
        if fitting:
            return best_way(state, uid, origin, (), fitting)
    return None


def _way_clause(
    state: State, h: int, uid: str, options: Sequence[int], gone: Sequence[int], rules: Tree
) -> tuple[int, str] | None:
    for n, clause in clauses(rules):
        if not about(state, clause, h) or not of_unit(clause, uid):
            continue
        together = [to for to in gone if to in options] if clause.get("split") == "no" else []
        if together:
            return together[0], f"retreat clause {n}, kept together"
        liked = _wish(state, uid, options, texts_of(clause.get("prefer")))
        if liked is not None:
            return liked, f"retreat clause {n}"
    return None

"""Reinforcements: where a unit that was not in play comes in, and who comes without a card (SS 7.53, 10.53, 19.1).

:func:`place_problems` is the one legality of an order ``place``; it changes nothing. ``event`` is the card by which the
unit comes, by name; :data:`ORDINARY` and :data:`T_CARD` stand for any such card, "" for none.
"""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Ctx, Order, Problem, Tree
from adjudicator.shifting_sands.conditions import hold
from adjudicator.shifting_sands.extras import swap, uninvited
from adjudicator.shifting_sands.places import members, misfit, open_to, owner_of, set_of
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import Counter, Record, rows, text

ORDER = "place"
ORDINARY, T_CARD = "ordinary", "T"
UNPLACED = "@unplaced"
GROUPS, T_DIVISIONS = "reserve", "t_division"


def waiting(state: State, uid: str) -> bool:
    """True for a unit that has not been in play yet."""
    return (uid not in state.pieces or state.pieces[uid].at == UNPLACED) and uid not in state.upgrades


def effects_of(state: State, event: str, do: str) -> list[Record]:
    """The effects of one kind of an event whose own condition holds, in the order of the card."""
    found = [effect for name, effect in state.world.effects(do) if name == event]
    return [effect for effect in found if hold(state, rows(effect, "if"))]


def named(unit: Counter, name: str) -> bool:
    """Whether an effect that names a kind of counter means a unit; one without a kind goes by its id."""
    return name == (unit.kind or unit.id)


def comes_by(state: State, unit: Counter, event: str) -> str:
    """The set of places into which an event brings a unit of this kind; "" where it brings none (SS 7.531, 7.532).

    Rules: SS 7.531a, 7.531c, 7.531d, 7.531e, 7.531f, 7.532a, 7.532b, 7.532c, 7.532d, 7.532e, 7.532f, 7.532g, 7.532h,
    7.532i, 7.532j, 7.532k, faq.counters.1.
    """
    if event in (ORDINARY, T_CARD):
        return _of_any_card(state, unit, event)
    found = (text(effect, "where") for effect in effects_of(state, event, "place") if named(unit, text(effect, "unit")))
    return next(found, "")


def _of_any_card(state: State, unit: Counter, event: str) -> str:
    """What holds whatever the card: the one set that all cards of a kind name, else the reserve for battlegroups."""
    if unit.division:
        return T_DIVISIONS if event == T_CARD else set_of(state, unit)
    bring = (effect for _name, effect in state.world.effects("place") if text(effect, "unit") == unit.kind)
    places = {text(effect, "where") for effect in bring}
    return places.pop() if len(places) == 1 else GROUPS


def is_t(state: State, event: str) -> bool:
    """True for a reinforcement card with a T (SS 7.53)."""
    cards = (card for card in state.world.cards.values() if text(card, "name") == event)
    return event == T_CARD or any(text(card, "t_card") == "yes" for card in cards)


def arrival_places(state: State, unit: Counter, event: str) -> list[str]:
    """Where a unit may come in now by an event: spaces and boxes."""
    name = comes_by(state, unit, event)
    return open_to(state, unit, name) if name else []


def place_problems(state: State, side: str, order: Order, event: str = "") -> list[Problem]:
    """Why a unit may not come in as ordered (SS faq.rules.15)."""
    uid = order.text("unit")
    unit = state.counter(uid)
    if unit.side != side:
        return [Problem("unit", "SS 7.53", f"{uid} is not one of your units", "leave it out", field="unit")]
    if not waiting(state, uid):
        said = f"{uid} is in play already, in {state.pieces[uid].at}"
        return [Problem("in-play", "SS 7.53", said, "leave it out", field="unit")]
    if not event:
        return uninvited(state, side, order)
    name, to = comes_by(state, unit, event), order.text("to")
    if not name:
        return [Problem("event", "SS 7.53", f"{event} does not bring {uid}", "leave it out", field="unit")]
    if to in open_to(state, unit, name):
        return []
    return [_nowhere(state, unit, name, to)]


def _nowhere(state: State, unit: Counter, name: str, to: str) -> Problem:
    """A place that is not of the set, or is of it and closed."""
    able = ", ".join(open_to(state, unit, name)) or "no place"
    rule = f"SS {text(state.world.places.get(name, {}), 'rule')}"
    inside = members(state, name, unit.side)
    bad = misfit(state, unit, to, owner_of(state, name, unit.side))
    said = bad if to in inside else f"{unit.id} does not come in at {to}"
    return Problem("where", inside.get(to, rule), said, f"open: {able}", field="to")


# --- who comes without a card --------------------------------------------------------------------------------------


def arrivals(ctx: Ctx[State], side: str, orders: Sequence[Order], by: Sequence[int]) -> None:
    """Units that come in before a side's first action round of a turn (SS 19.12, 19.13)."""
    for order in orders:
        problems = place_problems(ctx.state, side, order)
        if problems:
            ctx.void(order, problems, by)
        else:
            arrive_early(ctx, order, by)


def arrive_early(ctx: Ctx[State], order: Order, by: Sequence[int]) -> None:
    """Carry out one lawful order: first the division that makes room goes, then the new one comes."""
    uid, leaves = order.text("unit"), order.text("replaces")
    state, index = ctx.state, str(order.index)
    chosen = swap(state, order)
    if leaves:
        here = state.pieces[leaves].at
        data: dict[str, Tree] = {"unit": leaves, "from": here, "to": order.text("replaced_to")}
        ctx.emit("swapped", chosen.rule, by, "public", order=index, **data)
    come(ctx, uid, order.text("to"), chosen.step, chosen.rule, by, index)


def come(
    ctx: Ctx[State], uid: str, to: str, step: str, rule: str, by: Sequence[int], order: str = "", marked: bool = False
) -> None:
    """A unit that was not in play comes in. ``marked``: the space must get a marker in this round (SS 10.53)."""
    side = ctx.state.counter(uid).side
    data: dict[str, Tree] = {"side": side, "unit": uid, "to": to, "step": "reduced" if step == "reduced" else ""}
    data["mark"] = "yes" if marked and not to.startswith("@") else ""
    ctx.emit("arrived", rule, by, "public", order=order, **{name: value for name, value in data.items() if value})


def unmarked(state: State) -> list[Problem]:
    """The spaces of arrival that lack the marker which a card with a T demands (SS 10.53)."""
    said = "must get a Move or an Attack marker: units came in there by this card"
    return [
        Problem("unmarked", "SS 10.53", f"{place} {said}", f"order move_marker with space: {place}")
        for place in state.landed
        if place not in state.markers
    ]

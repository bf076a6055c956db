"""Units that an event brings: the owner's places, else the first that is open, else they wait (SS 7.53, ruling A53)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adjudicator.engine.core import Ctx, Order, Problem, Tree
from adjudicator.shifting_sands.arrival import come, is_t, named, place_problems, waiting
from adjudicator.shifting_sands.losses import RESERVE
from adjudicator.shifting_sands.places import fits, members, owner_of
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.world import Record, rows, text, texts

RULE = "SS 7.53"


def newest(state: State, uid: str) -> str:
    """The counter that lies for a unit now: the strongest upgrade played (SS 7.54)."""
    while uid in state.upgrades:
        uid = state.upgrades[uid]
    return uid


def brought(state: State, effect: Record) -> list[str]:
    """The counters that an effect brings, fewer where there are fewer left; the lowest first. A counter that an upgrade
    has replaced stays out, the stronger one comes (SS 7.54c, faq.counters.3, faq.counters.4)."""
    kind = text(effect, "unit")
    found = sorted(uid for uid, unit in state.world.counters.items() if named(unit, kind))
    able = [uid for uid in dict.fromkeys(newest(state, uid) for uid in found) if free(state, uid)]
    return able[: int(text(effect, "count", "1"))]


def candidates(state: State, effect: Record) -> list[str]:
    """Every counter of the kind that is not in play yet."""
    kind = text(effect, "unit")
    return [uid for uid, unit in state.world.counters.items() if named(unit, kind) and free(state, uid)]


def free(state: State, uid: str) -> bool:
    """True for a unit that may still come in by an event."""
    return waiting(state, uid) and uid not in state.delayed and uid not in state.upgrades


def open_places(state: State, uid: str, where: str, taken: Sequence[str], apart: Sequence[Sequence[str]]) -> list[str]:
    """The places of a set where a unit may come in now, in the order of the set (SS 7.531b).

    ``taken`` are the places of the units before it by the same play: a set of empty spaces of the enemy keeps them.
    ``apart`` are the groups of spaces of which not all may be used by one play.
    """
    unit = state.counter(uid)
    owner = owner_of(state, where, unit.side)
    again = taken if owner != unit.side else ()
    places = dict.fromkeys([*members(state, where, unit.side), *again])
    able = [place for place in places if fits(state, unit, place, owner)]
    return [place for place in able if not any(together({*taken, place}, group) for group in apart)]


def together(used: set[str], group: Sequence[str]) -> bool:
    """Whether all spaces of a group are used."""
    return set(group) <= used


def apart_of(effect: Record) -> list[list[str]]:
    """The groups of spaces that are never used together by the same play."""
    value = effect.get("not_together")
    groups = value if isinstance(value, list) else []
    return [[str(name) for name in group] for group in groups if isinstance(group, list)]


def bring(
    ctx: Ctx[State], event: str, effect: Record, wishes: Sequence[Order], by: Sequence[int]
) -> Iterator[str]:
    """Place all units of one effect. Yields the places. ``wishes`` are the owner's lawful orders."""
    state, taken = ctx.state, list[str]()
    units = brought(state, effect)
    kinds = candidates(state, effect)
    named = [order.text("unit") for order in wishes if order.text("unit") in kinds][: len(units)]
    units = [*named, *(uid for uid in units if uid not in named)][: len(units)]
    for uid in units:
        order = next((order for order in wishes if order.text("unit") == uid), None)
        able = open_places(state, uid, text(effect, "where"), taken, apart_of(effect))
        to = _wished(ctx, order, able, uid, by) or next(iter(able), "")
        if to:
            index = str(order.index) if order is not None else ""
            come(ctx, uid, to, text(effect, "step"), RULE, by, index, marked=is_t(state, event))
            taken.append(to)
            yield to
        else:
            no_place(ctx, uid, event, by)


def _wished(ctx: Ctx[State], order: Order | None, able: Sequence[str], uid: str, by: Sequence[int]) -> str:
    """The place ordered; one that is not open is void, and the first open one serves."""
    if order is None:
        return ""
    to = order.text("to")
    if to in able:
        return to
    hint = f"open: {', '.join(able) or 'no place'}"
    ctx.void(order, [Problem("where", RULE, f"{uid} does not come in at {to} now", hint, field="to")], by)
    return ""


def no_place(ctx: Ctx[State], uid: str, event: str, by: Sequence[int]) -> None:
    """No space is open: a battlegroup lies in the reserve box, a division waits for a later replacement phase."""
    unit = ctx.state.counter(uid)
    lost = ctx.state.world.switch("reinforcement_no_space", "delay") == "lose"
    if not unit.division and not lost:
        come(ctx, uid, RESERVE, "full", RULE, by)
        return
    data: dict[str, Tree] = {"lost": "yes"} if lost else {}
    ctx.emit("waits", RULE, by, "public", side=unit.side, unit=uid, event=event, **data)


def sort_wishes(
    ctx: Ctx[State], side: str, event: str, orders: Sequence[Order], by: Sequence[int]
) -> list[Order]:
    """The orders ``place`` that speak of units which the event brings; every other one is void."""
    kept: list[Order] = []
    for order in orders:
        problems = wish_problems(ctx.state, side, event, order, kept)
        if problems:
            ctx.void(order, problems, by)
        else:
            kept.append(order)
    return kept


def wish_problems(
    state: State, side: str, event: str, order: Order, before: Sequence[Order]
) -> list[Problem]:
    """Why an order ``place`` does not fit the event it stands with."""
    uid = order.text("unit")
    if any(one.text("unit") == uid for one in before):
        return [Problem("twice", RULE, f"{uid} is placed already", "leave one of the two out", field="unit")]
    if uid in state.upgrades or uid in state.delayed:
        return [Problem("unit", RULE, f"{uid} does not come in by {event}", "leave it out", field="unit")]
    return place_problems(state, side, order, event)


def late_comers(state: State, side: str) -> dict[str, list[str]]:
    """The units of a side that wait for a place, each with the places that are open now (ruling A53)."""
    mine = [uid for uid in sorted(state.delayed) if state.counter(uid).side == side]
    return {uid: open_places(state, uid, where_of(state, uid), (), ()) for uid in mine}


def where_of(state: State, uid: str) -> str:
    """The set of places of a unit that waits, as its event has it."""
    kind, event = state.counter(uid).kind, state.delayed[uid]
    found = (e for name, e in state.world.effects("place") if name == event and text(e, "unit") == kind)
    return next((text(effect, "where") for effect in found), "")


def fill_in(ctx: Ctx[State], side: str, orders: Sequence[Order], by: Sequence[int]) -> None:
    """The replacement phase: units that waited come in, as ordered or at the first open place (ruling A53)."""
    for order in orders:
        able = late_comers(ctx.state, side).get(order.text("unit"))
        if able is None or order.text("to") not in able:
            said = f"{order.text('unit')} does not wait for a place in {order.text('to')}"
            hint = f"open: {', '.join(able) or 'no place'}" if able is not None else "leave it out"
            ctx.void(order, [Problem("unit", RULE, said, hint, field="unit")], by)
        else:
            come(ctx, order.text("unit"), order.text("to"), "full", RULE, by, str(order.index))
    for uid in list(late_comers(ctx.state, side)):
        able = late_comers(ctx.state, side)[uid]
        if able:
            come(ctx, uid, able[0], "full", RULE, by)


def set_up(ctx: Ctx[State], name: str, rule: str, by: Sequence[int]) -> list[tuple[str, str]]:
    """Put a set-up on the map: units of kinds not yet in play (SS 10.52, torch.it, torch.ge, faq.counters.3,
    faq.counters.4).

    Returns each unit with its place.
    """
    found: list[tuple[str, str]] = []
    for row in rows(ctx.state.world.setups.get(name, {}), "units"):
        kind, at = text(row, "kind"), text(row, "at")
        units = sorted(uid for uid, unit in ctx.state.world.counters.items() if unit.kind == kind)
        able = [uid for uid in units if free(ctx.state, uid)][: int(text(row, "count", "1"))]
        for uid in able:
            come(ctx, uid, at, text(row, "step"), rule, by)
            found.append((uid, at))
    return found


def spaces_of(row: Record) -> list[str]:
    """The spaces of a control row, be it one or several."""
    return [text(row, "space")] if text(row, "space") else texts(row, "spaces")


def by_event(state: State, uid: str) -> bool:
    """Whether an event that was played can have brought a unit."""
    unit = state.counter(uid)
    effects = state.world.effects
    brought_by = [name for name, effect in effects("place") if named(unit, text(effect, "unit"))]
    brought_by += [name for name, effect in effects("upgrade") if named(unit, text(effect, "to"))]
    for name, effect in effects("setup"):
        kinds = [text(row, "kind") for row in rows(state.world.setups.get(text(effect, "name"), {}), "units")]
        brought_by += [name] if unit.kind in kinds else []
    return any(state.played(name) for name in brought_by)

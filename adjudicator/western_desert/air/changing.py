"""Withdrawals and conversions of air units that the order of battle demands (WD 29.C, 29.D).

Any air unit of the model may go, or be converted where the entry says so; whoever the owner names, else by default: the
one that the entry names before others, operative ones before the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from adjudicator.engine.core import Ctx, Order, Problem
from adjudicator.western_desert import hexes
from adjudicator.western_desert.air.arriving import POINT8, air_key, air_pool, waiting_air
from adjudicator.western_desert.air.craft import craft_of
from adjudicator.western_desert.air.staging import in_europe
from adjudicator.western_desert.converting import CONVERT, first_turn
from adjudicator.western_desert.leaving import GREECE, PENALTY_VP, WITHDRAWN
from adjudicator.western_desert.leaving import ORDER as WITHDRAW
from adjudicator.western_desert.orderbook import ALWAYS, Place, is_air, rows_of, short
from adjudicator.western_desert.pool import forfeit
from adjudicator.western_desert.state import State, turn_number
from adjudicator.western_desert.victory.tally import change_vp
from adjudicator.western_desert.world import Record, text, texts

By = tuple[int, ...]
IN_PLAY = (Place.MAP, Place.WAITING)


def of_model(state: State, aid: str) -> list[str]:
    """The air units of the same side and model, the one itself first, then in order of id; special forces are none."""
    craft = craft_of(state.world, aid)
    crafts = [craft_of(state.world, other) for other in sorted(state.world.air) if other != aid]
    return [aid, *(one.id for one in crafts if (one.side, one.model, one.special) == (craft.side, craft.model, False))]


def air_place(state: State, aid: str) -> str:
    """Where an air unit can be taken from: in play, waiting to come in, in the pool, or nowhere."""
    side = craft_of(state.world, aid).side
    if aid in state.air:
        return Place.MAP
    if aid in waiting_air(state, side) or aid in in_europe(state):
        return Place.WAITING
    return Place.POOL if aid in air_pool(state, side) else Place.NOWHERE


# --- withdrawals ------------------------------------------------------------------------------------------------


def due(state: State) -> list[Record]:
    """The air units that must go in this initial phase."""
    return [row for row in rows_of(state, "withdraw") if is_air(state.world, row)]


def may_go(state: State, row: Record, taken: Iterable[str] = ()) -> list[str]:
    """Who may be withdrawn for an entry: operative ones in play if there are any, else others in play, else one of the
    pool (WD 29.C, 29.C.missing). One on defensive support may go from its hex (ruling SURVIVE-AIR-WITHDRAW)."""
    gone = set(taken)
    ids = [aid for aid in of_model(state, text(row, "unit")) if aid not in gone]
    there = [aid for aid in ids if air_place(state, aid) in IN_PLAY]
    able = [aid for aid in there if aid not in state.air or state.air[aid].operative]
    grounded = [aid for aid in able if aid not in state.air or state.air[aid].sortie is None]
    pool = [aid for aid in ids if air_place(state, aid) == Place.POOL]
    return [*grounded, *(aid for aid in able if aid not in grounded)] or there or pool


def withdraw_air(ctx: Ctx[State], side: str, orders: Sequence[Order], by: By) -> None:
    """Every withdrawal of air units of the phase: as orders say, else the first that may go (WD 29.C)."""
    state = ctx.state
    rows = due(state)
    offers = _offers(ctx, side, orders, rows, by)
    for row in rows:
        entry = text(row, "id")
        others = [aid for what, aid in offers.items() if what != entry]
        chosen = offers.get(entry) or next(iter(may_go(state, row, others)), "")
        if chosen:
            _withdraw(ctx, side, row, chosen, by, "order" if entry in offers else "default")
        else:
            name = short(state.world, text(row, "unit"))
            said = f"{name} is to be withdrawn; no air unit of its model is in play or in the pool"
            ctx.emit("told", "WD 29.C", by, side=side, what="withdrawal", why=said)


def _offers(ctx: Ctx[State], side: str, orders: Sequence[Order], rows: Sequence[Record], by: By) -> dict[str, str]:
    """Who goes for which entry, by the orders that are lawful."""
    found: dict[str, str] = {}
    for order in orders:
        for aid in order.texts("air") if order.type == WITHDRAW else ():
            left = [row for row in rows if text(row, "id") not in found]
            problems = offer_problems(ctx.state, left, aid, tuple(found.values()))
            if problems:
                ctx.void(order, problems, by)
                break
            found[text(_entry_for(ctx.state, left, aid) or {}, "id")] = aid
    return found


def _entry_for(state: State, rows: Sequence[Record], aid: str) -> Record | None:
    return next((row for row in rows if aid in of_model(state, text(row, "unit"))), None)


def offer_problems(state: State, rows: Sequence[Record], aid: str, taken: Sequence[str] = ()) -> list[Problem]:
    """What keeps an air unit from going for one of the withdrawals that are left."""
    row, name = _entry_for(state, rows, aid), short(state.world, aid)
    if row is None:
        models = ", ".join(sorted({craft_of(state.world, text(r, "unit")).model for r in rows})) or "none"
        text_ = f"{name} is of no model that must be withdrawn now"
        return [Problem("not_due", "WD 29.C", text_, f"due are {models}", field="air")]
    able = may_go(state, row, taken)
    if aid in able:
        return []
    named = ", ".join(short(state.world, one) for one in able) or "none"
    if aid in state.air and not state.air[aid].operative and able:
        text_ = f"{name} is inoperative, and an operative air unit of its model is in play"
        return [Problem("operative_first", "WD 29.C", text_, f"may go: {named}", field="air")]
    return [Problem("not_in_play", "WD 29.C", f"{name} is not in play", f"may go: {named}", field="air")]


def _withdraw(ctx: Ctx[State], side: str, row: Record, aid: str, by: By, choice: str) -> None:
    state, named = ctx.state, text(row, "unit")
    place = air_place(state, aid)
    to = GREECE if text(row, "to") == GREECE else WITHDRAWN
    where = state.board.name(state.air[aid].hex) if aid in state.air else ""
    rule = "WD 29.C.missing" if place == Place.POOL else "WD 29.C.1" if to == GREECE else "WD 29.C"
    of = named if named != aid else ""
    ctx.emit("withdrawn", rule, by, unit=aid, of=of, box=to, hex=where, place=place, choice=choice)
    if place == Place.POOL:
        why = f"{short(state.world, aid)} withdrawn from the pool"
        change_vp(ctx, side, -2 * PENALTY_VP, rule, by, why)
        forfeit(ctx, side, air_key(state, aid), POINT8, by)


# --- conversions ------------------------------------------------------------------------------------------------


def open_rows(state: State, side: str) -> list[Record]:
    """The conversions of air units that could be made by now and have not been, in the order of the pack."""
    rows = [row for row in state.world.events if (row.get("kind"), row.get("side")) == (CONVERT, side)]
    start = first_turn(state, side)
    begun = [row for row in rows if start <= turn_number(text(row, "turn")) <= state.turn]
    return [row for row in begun if text(row, "id") not in state.converted and is_air(state.world, row)]


def may_become(state: State, row: Record) -> list[str]:
    """Who may be converted for an entry, the first by default: at a base, in the pool, or sent to Greece (WD 29.D,
    29.D.pool)."""
    named = texts(row, "from")[0]
    ids = of_model(state, named) if text(row, "like") == ALWAYS else [named]
    based = [aid for aid in ids if aid in state.air]
    operative = [aid for aid in based if state.air[aid].operative]
    elsewhere = [aid for aid in ids if aid in state.boxes and state.boxes[aid].box != WITHDRAWN]
    order = dict.fromkeys([*operative, *based, *elsewhere])
    return [aid for aid in order if not convert_problems(state, aid)]


def convert_problems(state: State, aid: str) -> list[Problem]:
    """What keeps an air unit from being converted: it is in the air, or an enemy unit is next to its base (WD 29.D).
    General supply is none of air units."""
    unit, name = state.air.get(aid), short(state.world, aid)
    if unit is None:
        return []
    if unit.sortie is not None:
        return [Problem("flying", "WD 29.D", f"{name} is in the air", "convert it when it is home", field="air")]
    side = craft_of(state.world, aid).side
    if any(state.enemy_in(h, side) for h in hexes.neighbours(unit.hex)):
        text_ = f"the base of {name} is next to enemy units"
        return [Problem("adjacent_enemy", "WD 29.D", text_, "transfer it first", field="air")]
    return []


def convert_air(ctx: Ctx[State], side: str, orders: Sequence[Order], by: By) -> None:
    """The conversions of air units: those ordered, then those that nothing bars (WD 29.D)."""
    state = ctx.state
    if state.surprise:
        return
    for order in orders:
        if order.type == CONVERT and order.text("air"):
            _ordered(ctx, side, order, by)
    for row in open_rows(state, side):
        able = may_become(state, row)
        if able:
            _convert(ctx, side, row, able[0], by, "default")


def _ordered(ctx: Ctx[State], side: str, order: Order, by: By) -> None:
    state, aid = ctx.state, order.text("air")
    rows = open_rows(state, side)
    row = next((row for row in rows if aid in may_become(state, row)), None)
    if row is not None:
        _convert(ctx, side, row, aid, by, "order", str(order.index))
        return
    known = ", ".join(craft_of(state.world, texts(one, "from")[0]).model for one in rows) or "none"
    text_ = f"no conversion of {short(state.world, aid)} is open"
    problem = Problem("not_due", "WD 29.D", text_, f"open are those of {known}", field="air")
    ctx.void(order, convert_problems(state, aid) or [problem], by)


def _convert(ctx: Ctx[State], side: str, row: Record, aid: str, by: By, choice: str, order: str = "") -> None:
    state = ctx.state
    unit, kept = state.air.get(aid), state.boxes.get(aid)
    ctx.emit(
        "converted",
        "WD 29.D" if unit is not None else "WD 29.D.pool",
        by,
        entry=text(row, "id"),
        side=side,
        units=[aid],
        into=[*texts(row, "to")],
        hex=state.board.name(unit.hex) if unit is not None else "",
        box=kept.box if kept is not None else "",
        choice=choice,
        order=order,
    )

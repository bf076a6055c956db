"""Withdrawals that the order of battle demands (WD 29.C, 29.C.1; rulings WITHDRAW-CADRE, INITIAL-ORDER).

Whoever is alike may go: on the map first, then out of a whole division, which breaks down for it, then what waits to
come in; at last one of the pool, which costs two victory points and the replacement points of the unit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudicator.engine.core import Ctx, Order, Problem
from adjudicator.western_desert.control import settle
from adjudicator.western_desert.homebound import malta_brigade
from adjudicator.western_desert.orderbook import Place, alike, is_air, place_of, rows_of, short, standing_for
from adjudicator.western_desert.pool import forfeit_points
from adjudicator.western_desert.retreating import remove
from adjudicator.western_desert.stacking import fits
from adjudicator.western_desert.state import State
from adjudicator.western_desert.units import number
from adjudicator.western_desert.victory.tally import change_vp
from adjudicator.western_desert.world import Record, text

By = tuple[int, ...]
GREECE, WITHDRAWN = "greece", "withdrawn"
PENALTY_VP = 2
ORDER = "withdraw"


def due_withdrawals(state: State) -> list[Record]:
    """The ground units that must go in this initial phase."""
    return [row for row in rows_of(state, "withdraw") if not is_air(state.world, row)]


def candidates(state: State, row: Record, taken: Sequence[str] = ()) -> list[str]:
    """Who may go for an entry, first whom the rules would take: the unit named, else the first that is alike (WD 29.C);
    of any nationality to Greece (WD 29.C.1); a brigade of Malta, which stays there, only out of the pool (WD
    28.D.brigades)."""
    name = text(row, "unit")
    ids = [uid for uid in standing_for(state, name, text(row, "to") != GREECE) if uid not in taken]
    free = [uid for uid in ids if uid == name or not malta_brigade(state, uid)]
    places = [(place, free) for place in (Place.MAP, Place.BOX, Place.LIST, Place.WAITING)]
    return [uid for place, able in (*places, (Place.POOL, ids)) for uid in able if place_of(state, uid) == place]


def withdraw_all(ctx: Ctx[State], side: str, orders: Sequence[Order], by: By) -> None:
    """Carry out every withdrawal of the phase: as orders say, else with the first unit that may go."""
    state = ctx.state
    rows = due_withdrawals(state)
    offers = _offers(ctx, side, orders, rows, by)
    for row in rows:
        name = text(row, "unit")
        ids = candidates(state, row, [uid for what, uid in offers.items() if what != name])
        chosen = offers.get(name) or _default(state, ids)
        if chosen:
            withdraw_unit(ctx, side, row, chosen, by, "order" if name in offers else "default")
        else:
            said = f"{short(state.world, name)} is to be withdrawn; no unit of its kind is in play or in the pool"
            ctx.emit("told", "WD 29.C", by, side=side, what="withdrawal", why=said)
    for row in rows_of(state, "supply_withdraw"):
        _withdraw_supply(ctx, side, int(text(row, "steps", "0")), text(row, "to"), orders, by)


def _default(state: State, ids: Sequence[str]) -> str:
    """The unit that goes where nobody says: one that leaves no stack too high behind it."""
    free = [uid for uid in ids if place_of(state, uid) != Place.BOX or _leaves_room(state, uid)]
    return next(iter(free or ids), "")


def _leaves_room(state: State, part: str) -> bool:
    """Whether the division of a component can break down where it stands without a stack too high."""
    of = state.boxes[part].of
    h = _whole_hex(state, of)
    if h is None:
        return True
    trial = state.copy()
    parts = trial.parts_of(of)
    trial.put_by(of, "breakdown")
    for uid in parts:
        if uid != part:
            trial.place(uid, h)
    return fits(trial, h, state.world.units[of].side)


def _whole_hex(state: State, of: str) -> int | None:
    """Where a division breaks down; one of the list of garrisons, which its player has not shown, where it left the
    map (ruling LIST-PUBLIC)."""
    one = next((one for one in state.theatre.listed if one.unit == of), None)
    return one.hex if one is not None else state.hex_of(of) if of in state.pieces else None


# --- orders -----------------------------------------------------------------------------------------------------


def _offers(
    ctx: Ctx[State], side: str, orders: Sequence[Order], rows: Sequence[Record], by: By
) -> dict[str, str]:
    """Who goes for whom, by the orders that are lawful."""
    found: dict[str, str] = {}
    for order in orders:
        if order.type != ORDER:
            continue
        problems = counters_problems(ctx.state, side, order)
        if order.text("what"):
            twice = _ordered_before(ctx.state, order.text("what"), found)
            problems += twice or withdraw_problems(ctx.state, side, order, rows, tuple(found.values()))
        if problems:
            ctx.void(order, problems, by)
        elif order.text("what"):
            found[order.text("what")] = order.text("offer") or order.text("what")
    return found


def _ordered_before(state: State, what: str, found: Mapping[str, str]) -> list[Problem]:
    """One withdrawal takes one unit: a second order for it contradicts the first."""
    if what not in found:
        return []
    text_ = f"{short(state.world, found[what])} goes for {short(state.world, what)} by an order before this one"
    return [Problem("twice", "WD 29.C", text_, "leave one of the two out", field="what")]


def counters_problems(state: State, side: str, order: Order) -> list[Problem]:
    """What is wrong with the supply counters that an order ``withdraw`` names (WD 29.C.1)."""
    named = order.texts("counters")
    if not named:
        return []
    if not rows_of(state, "supply_withdraw"):
        return [Problem("not_due", "WD 29.C.1", "no supply is to be withdrawn now", "leave it out", field="counters")]
    own = _own_counters(state, side)
    mend = f"yours are {', '.join(own) or 'none'}"
    said = [f"{sid} is no supply counter that the {side} side could give" for sid in named if sid not in own]
    return [Problem("counter", "WD 29.C.1", text_, mend, field="counters") for text_ in said]


def _own_counters(state: State, side: str) -> list[str]:
    """Own supply counters that could be withdrawn: those that wait, then those on the map."""
    own = [sid for sid, depot in sorted(state.depots.items()) if depot.side == side and depot.box != "malta"]
    return own + [sid for sid, counter in sorted(state.supply.items()) if counter.side == side]


def withdraw_problems(
    state: State, side: str, order: Order, rows: Sequence[Record], taken: Sequence[str] = ()
) -> list[Problem]:
    """What is wrong with an order ``withdraw``: no withdrawal of the phase, or a unit that may not go for it."""
    what, offer = order.text("what"), order.text("offer") or order.text("what")
    row = next((row for row in rows if text(row, "unit") == what), None)
    if row is None:
        due = ", ".join(short(state.world, text(r, "unit")) for r in rows) or "none"
        text_ = f"no withdrawal of {short(state.world, what) or 'anything'} is due"
        return [Problem("not_due", "WD 29.C", text_, f"due are {due}", field="what")]
    able = candidates(state, row, taken)
    if offer not in able:
        return [_refused(state, row, offer, able)]
    if place_of(state, offer) == Place.POOL and place_of(state, able[0]) != Place.POOL:
        text_ = f"{short(state.world, offer)} is in the replacement pool, and {short(state.world, able[0])} is in play"
        return [Problem("in_play_first", "WD 29.C.missing", text_, "offer a unit in play", field="offer")]
    return []


def _refused(state: State, row: Record, offer: str, able: Sequence[str]) -> Problem:
    named = ", ".join(short(state.world, uid) for uid in able) or "none"
    what, world = text(row, "unit"), state.world
    greece = text(row, "to") == GREECE
    rule = "WD 29.C.1" if greece else "WD 29.C"
    unit = world.units.get(offer)
    nation = "" if greece else "nationality, "
    if unit is None or not alike(world.units[what], unit, not greece):
        text_ = f"{short(world, offer)} is not of the {nation}size, type and strength of {short(world, what)}"
        return Problem("not_alike", rule, text_, f"may go: {named}", field="offer")
    if malta_brigade(state, offer):
        text_ = f"{short(world, offer)} remains on Malta"
        return Problem("malta_brigade", "WD 28.D.brigades", text_, f"may go: {named}", field="offer")
    text_ = f"{short(world, offer)} is not in play, or a cadre"
    return Problem("not_in_play", rule, text_, f"may go: {named}", field="offer")


# --- going ------------------------------------------------------------------------------------------------------


def withdraw_unit(ctx: Ctx[State], side: str, row: Record, uid: str, by: By, choice: str) -> None:
    """Take a unit out of play; one of the pool at a price (WD 29.C.missing)."""
    state = ctx.state
    to = GREECE if text(row, "to") == GREECE else WITHDRAWN
    rule = "WD 29.C.1" if to == GREECE else "WD 29.C"
    place = place_of(state, uid)
    if place == Place.BOX:
        _free(ctx, uid, by)
    h = state.hex_of(uid) if uid in state.pieces else None
    where = "" if h is None else state.board.name(h)
    named = text(row, "unit")
    if place == Place.POOL:
        rule = "WD 29.C.missing"
    ctx.emit(
        "withdrawn", rule, by, unit=uid, of=named if named != uid else "", box=to, hex=where, place=place, choice=choice
    )
    if place == Place.POOL:
        penalty(ctx, side, uid, by)
    if h is not None:
        settle(ctx, [h], by=by)


def penalty(ctx: Ctx[State], side: str, uid: str, by: By) -> int:
    """Two victory points and the replacement cost of a unit that is withdrawn from the pool; the eighths still owed."""
    why = f"{short(ctx.state.world, uid)} withdrawn from the pool"
    change_vp(ctx, side, -2 * PENALTY_VP, "WD 29.C.missing", by, why)
    return forfeit_points(ctx, side, ctx.state.world.units[uid], by)


def _free(ctx: Ctx[State], part: str, by: By) -> None:
    """Break a division down, so that a component can go; what is too many in the hex then is lost (WD 8.B)."""
    state, of = ctx.state, ctx.state.boxes[part].of
    h = _whole_hex(state, of)
    if h is None:
        return
    where = state.board.name(h)
    form = "headquarters" if any(state.world.units[u].size == "headquarters" for u in state.parts_of(of)) else "parts"
    ctx.emit("broken-down", "WD 29.C", by, unit=of, hex=where, units=[*state.parts_of(of)], form=form)
    side = state.world.units[of].side
    while not fits(state, h, side):
        sized = [u for u in state.friends_at(h, side) if u != part and not state.unit(u).counter]
        remove(ctx, min(sized, key=lambda u: (state.unit(u).defense, u)), "WD 8.B", by, "the hex is over-stacked")
    settle(ctx, [h], by=by)


# --- supply -----------------------------------------------------------------------------------------------------


def _withdraw_supply(
    ctx: Ctx[State], side: str, steps: int, to: str, orders: Sequence[Order], by: By
) -> None:
    """Take steps of supply out of play: from the counters that an order names, then from those that wait, then from the
    others in order of id."""
    state = ctx.state
    wished = [sid for order in orders if order.type == ORDER for sid in order.texts("counters")]
    own = _own_counters(state, side)
    for sid in dict.fromkeys([*(sid for sid in wished if sid in own), *own]):
        here = state.supply[sid].steps if sid in state.supply else state.depots[sid].steps
        going = min(here, steps)
        if not going:
            break
        left = str(here - going) if here > going else ""
        ctx.emit("supply-withdrawn", "WD 29.C.1", by, counter=sid, side=side, steps=str(going), left=left, box=to)
        steps -= going
    if steps:
        said = f"{number(steps)} more steps of supply are to be withdrawn, and there are none"
        ctx.emit("told", "WD 29.C.1", by, side=side, what="withdrawal", why=said)



"""Raids, pressure on Vichy France, the garrison of Tripolitania and the check of garrisons, in the initial phases of
their owners (WD 28.A.2, 28.B.2, 28.B.4, 28.C.1; ruling INITIAL-ORDER)."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Ctx, Order, Problem, Proc, Roll
from adjudicator.engine.counting import counted
from adjudicator.western_desert import hexes
from adjudicator.western_desert.control import settle
from adjudicator.western_desert.orderbook import short
from adjudicator.western_desert.rolling import dice_per_roll
from adjudicator.western_desert.stacking import fits
from adjudicator.western_desert.state import State
from adjudicator.western_desert.theatre import garrisons, raids, tripolitania, vichy
from adjudicator.western_desert.victory.tally import change_vp

By = tuple[int, ...]
RAID, PRESS, RELEASE = "raid", "vichy_roll", "tripolitania"
PRESS_LABEL = "vichy/axis/pressure"
PRESSURE = "vichy"
NO_DATE = 0


# --- raids ------------------------------------------------------------------------------------------------------


def make_raid(ctx: Ctx[State], side: str, orders: Sequence[Order], by: By) -> Proc[None]:
    """The raid of the phase, where one is ordered that may be made (WD 28.B.4)."""
    state = ctx.state
    for order in orders:
        if order.type != RAID:
            continue
        problems = raid_order_problems(state, side, order)
        if problems:
            ctx.void(order, problems, by)
            continue
        yield from raid(ctx, state.board.find(order.text("at")), by, str(order.index))


def raid_order_problems(state: State, side: str, order: Order) -> list[Problem]:
    """What is wrong with the order to raid a base: moment and month, then the base."""
    last = state.theatre.raided
    raided = last != NO_DATE and raids.month(last) == raids.month(state.turn)
    problems = raids.raid_problems(state.turn, side if side == state.player else "", state.phase, raided)
    return problems or _place_problems(state, order) or raids.base_problems(state, state.board.find(order.text("at")))


def raided_bases(state: State, side: str) -> list[int]:
    """The airbases that a side may raid now and where a raid may hit an air unit, in order of number."""
    bases = sorted({air.hex for air in state.air.values() if air.operative})
    name = state.board.name
    orders = ((h, Order(0, RAID, {"at": name(h)})) for h in bases if raids.victims(state, h))
    return [h for h, order in orders if not raid_order_problems(state, side, order)]


def _place_problems(state: State, order: Order) -> list[Problem]:
    try:
        state.board.find(order.text("at"))
    except hexes.HexError:
        text = f"{order.text('at') or 'the order'} names no hex"
        return [Problem("hex", raids.RULE, text, "add a line at:", field="at")]
    return []


def raid(ctx: Ctx[State], h: int, by: By, index: str = "") -> Proc[None]:
    """Roll for a raid on a base that may be raided."""
    state = ctx.state
    label = f"raid/{raids.SIDE}/{state.board.label(h)}"
    (die,) = yield from ctx.roll(Roll(label, "raid", who=raids.SIDE, assume=(1,)))
    data = {"hex": state.board.name(h), "side": raids.SIDE, "die": str(die), "label": label, "order": index}
    units, hit = raids.victims(state, h), raids.succeeds(state.world, die)
    result = (raids.INOPERATIVE if units else "nobody") if hit else "none"
    ctx.emit("raid", raids.RULE, by, **data, result=result)
    if not units or not hit:
        return
    pick, drawn = 1, {}
    if len(units) > 1:
        label += "/victim"
        (pick,) = yield from ctx.roll(Roll(label, "raid_victim", faces=len(units), who=raids.SIDE))
        drawn = {"die": str(pick), "faces": str(len(units)), "label": label}
    where = {"hex": state.board.name(h), "side": raids.SIDE, "air": raids.drawn(units, pick)}
    ctx.emit("raided", raids.RULE, by, **where, **drawn)


# --- Vichy France -----------------------------------------------------------------------------------------------


def press_vichy(ctx: Ctx[State], side: str, orders: Sequence[Order], by: By) -> Proc[None]:
    """Two dice on the Vichy table, where they are ordered; the best grant so far lasts (WD 28.C.1, VICHY-UPGRADE)."""
    state = ctx.state
    mine = [order for order in orders if order.type == PRESS]
    problems = vichy.roll_problems(state.turn, side, state.phase, state.theatre.vichy) if mine else []
    twice = [Problem("twice", vichy.RULE, "the message has the roll before", "leave one of the two out")]
    for order in mine if problems else mine[1:]:
        ctx.void(order, problems or twice, by)
    if problems or not mine:
        return
    request = Roll(PRESS_LABEL, PRESSURE, count=dice_per_roll(PRESSURE), who=vichy.SIDE, assume=(6,))
    values = yield from ctx.roll(request)
    change = vichy.modifier(state.theatre.vichy)
    result = vichy.outcome(state.world, sum(values), change)
    ctx.emit(
        "pressure",
        vichy.RULE,
        by,
        side=vichy.SIDE,
        dice=[str(die) for die in values],
        drm=str(change) if change else "",
        label=PRESS_LABEL,
        result=result or vichy.NO_GRANT,
        grant=vichy.better(state.theatre.grant, result),
        order=str(mine[0].index),
    )


# --- Tripolitania -----------------------------------------------------------------------------------------------


def release_garrison(ctx: Ctx[State], side: str, orders: Sequence[Order], by: By) -> None:
    """All units of the box appear near Tripoli: those that orders place, then the others at the first hex with room
    (WD 28.A.2). One that finds no room waits (ruling OVERSTACK-END)."""
    state = ctx.state
    mine = [order for order in orders if order.type == RELEASE]
    problems = tripolitania.release_problems(state, side) if mine else []
    for order in mine if problems else ():
        ctx.void(order, problems, by)
    if problems or not mine:
        return
    lawful = False
    for order in mine:
        units = order.texts("units") or order.texts("unit")
        faults = _order_problems(state, units, order)
        if faults:
            ctx.void(order, faults, by)
            continue
        lawful = True
        for uid in units if order.text("at") else ():
            _appears(ctx, uid, state.board.find(order.text("at")), by, "order")
    for uid in tripolitania.boxed(state) if lawful else ():
        free = (h for h in tripolitania.spots(state) if fits(state, h, tripolitania.SIDE, [uid]))
        spot = next(free, None)
        if spot is None:
            why = f"{short(state.world, uid)} finds no room within {tripolitania.RADIUS} hexes of Tripoli: it waits"
            ctx.emit("told", "WD 8.B", by, side=side, what=RELEASE, why=why, unit=uid)
        else:
            _appears(ctx, uid, spot, by, "default")


def _order_problems(state: State, units: Sequence[str], order: Order) -> list[Problem]:
    """What is wrong with an order of release: units that are not in the box, a hex that doesn't take them."""
    found = []
    for uid in units:
        if uid not in tripolitania.boxed(state):
            names = ", ".join(short(state.world, u) for u in tripolitania.boxed(state))
            text = f"{short(state.world, uid) or uid} is not in the box of the garrison"
            found.append(Problem("unit", tripolitania.RULE, text, f"in it are {names}", field="units"))
    if not order.text("at"):
        return found
    if not units:
        text = f"{order.text('at')}: the order says for no unit that it appears there"
        found.append(Problem("units", tripolitania.RULE, text, "add a line units:", field="at"))
    return found + _spot_problems(state, units, order)


def _spot_problems(state: State, units: Sequence[str], order: Order) -> list[Problem]:
    problems = _place_problems(state, order)
    if problems:
        return problems
    h = state.board.find(order.text("at"))
    problems = tripolitania.spot_problems(state, h)
    if not problems and not fits(state, h, tripolitania.SIDE, [uid for uid in units if uid in state.world.units]):
        text = f"{state.board.feature_names(h)} has no room: the stacking limit would be exceeded"
        return [Problem("stacking", "WD 8.A", text, "name a hex with room", field="at")]
    return problems


def _appears(ctx: Ctx[State], uid: str, h: int, by: By, choice: str) -> None:
    where = ctx.state.board.name(h)
    ctx.emit("landed", tripolitania.RULE, by, unit=uid, hex=where, box=tripolitania.BOX, choice=choice)
    settle(ctx, [h], by=by)


# --- garrisons --------------------------------------------------------------------------------------------------


def check_garrisons(ctx: Ctx[State], side: str, by: By) -> None:
    """A point for each RE or headquarters that is missing, at the end of an Allied initial phase (WD 28.B.2)."""
    state = ctx.state
    pool2 = garrisons.pool_re2(state) if state.world.plays(garrisons.POOL) else 0
    for region in garrisons.REGIONS if side == garrisons.SIDE and not state.surprise else ():
        res, headquarters = missing_of(state, region)
        lent = garrisons.from_pool(res, pool2)
        if lent:
            pool2 -= 2 * garrisons.POOL_RES * lent
            res -= lent
            why = f"{counted(str(garrisons.POOL_RES * lent), 'RE')} of the pool stand for {lent} of {region}'s garrison"
            ctx.emit("told", "WD 33.C.pool", by, side=side, what="garrison", why=why)
        if res or headquarters:
            parts = [counted(str(res), "RE")] if res else []
            parts += [f"{headquarters} headquarters"] if headquarters else []
            why = f"the garrison of {region} lacks {' and '.join(parts)}"
            change_vp(ctx, side, -2 * (res + headquarters), garrisons.RULE, by, why)


def missing_of(state: State, region: str) -> tuple[int, int]:
    """Whole REs and headquarters that the garrison of a region lacks; none where no garrison is owed."""
    invaded = state.theatre.invaded
    if not garrisons.is_owed(state, region, bool(invaded)):
        return 0, 0
    return garrisons.garrison_of(state, region).lacks(garrisons.owed(region, state.turn - invaded))

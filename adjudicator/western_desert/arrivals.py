"""The first part of an initial phase: who comes back, goes and comes in, and what its owner does with it (WD 4.A.1).

The order is that of ruling INITIAL-ORDER: Greece, raids, the boxes of Libya, withdrawals, arrivals and replacements as
the owner lists them; then what he has not placed comes in at the first place that takes it. Conversions wait for
supply (converting.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from adjudicator.engine.core import Ctx, Order, Proc
from adjudicator.western_desert.air.arriving import land_air, waiting_air
from adjudicator.western_desert.air.changing import withdraw_air
from adjudicator.western_desert.balkans import TABLE, from_greece, returning
from adjudicator.western_desert.fifth_army import BOX, ORDER, fifth_army
from adjudicator.western_desert.landing import land_counter, land_rp, land_unit, reinforce, waiting
from adjudicator.western_desert.leaving import withdraw_all
from adjudicator.western_desert.orderbook import LAND, rows_of
from adjudicator.western_desert.pool import EIGHTHS, rebuild_cadre, receive_points, replace_unit, scrap_units
from adjudicator.western_desert.state import ASSEMBLED, State
from adjudicator.western_desert.theatre.forces import barred_reinforcement
from adjudicator.western_desert.theatre.operation import leave, muster
from adjudicator.western_desert.theatre.phase import PRESS, RAID, RELEASE, make_raid, press_vichy, release_garrison
from adjudicator.western_desert.theatre.plans import in_play
from adjudicator.western_desert.theatre.tripolitania import BOX as GARRISON_BOX
from adjudicator.western_desert.world import Record, text

By = tuple[int, ...]
STEPS_OF_A_COUNTER = 2
BOXES = (BOX, GARRISON_BOX)
PLACED = ("landed", "replaced")


def come_and_go(ctx: Ctx[State], side: str, orders: Sequence[Order], by: By) -> Proc[None]:
    """Greece, raids, the boxes of Libya, withdrawals, and what the turn brings into the boxes of its areas."""
    if ctx.state.surprise:
        return
    yield from from_greece(ctx, side, by)
    yield from make_raid(ctx, side, orders, by)
    yield from press_vichy(ctx, side, orders, by)
    yield from fifth_army(ctx, side, orders, by)
    release_garrison(ctx, side, orders, by)
    withdraw_all(ctx, side, orders, by)
    withdraw_air(ctx, side, orders, by)
    leave(ctx, side, by)
    bring(ctx, side, by)
    muster(ctx, side, by)


def bring(ctx: Ctx[State], side: str, by: By) -> None:
    """All that the order of battle brings now, into boxes."""
    for row in rows_of(ctx.state, *LAND):
        bringer = _BRINGERS.get(text(row, "kind"))
        if bringer is not None:
            bringer(ctx, side, row, by)


def _unit_comes(ctx: Ctx[State], side: str, row: Record, by: By) -> None:
    uid = text(row, "unit")
    barred = barred_reinforcement(ctx.state, uid)
    if barred:
        ctx.emit("told", "WD 29.A.2.nospecial", by, side=side, what="reinforcement", why=barred, unit=uid)
    elif uid not in ctx.state.pieces and uid not in ctx.state.air:
        _into_box(ctx, side, uid, text(row, "area"), "WD 29.A", by, step=text(row, "step"))


def _unit_returns(ctx: Ctx[State], side: str, row: Record, by: By) -> None:
    """A unit that was withdrawn comes back, or the one that went in its place."""
    uid = returning(ctx.state, row)
    if text(row, "area") != TABLE and uid:
        _into_box(ctx, side, uid, text(row, "area"), "WD 29.C", by)


def _special_comes(ctx: Ctx[State], side: str, row: Record, by: By) -> None:
    uid = text(row, "unit")
    if uid and ctx.state.theatre.operation(uid) is None and not in_play(ctx.state, uid):
        year = text(row, "pool").rsplit("_", 1)[-1]
        _into_box(ctx, side, uid, f"special_pool_{year}", "WD 27.B", by)


def _component_comes(ctx: Ctx[State], side: str, row: Record, by: By) -> None:
    _into_box(ctx, side, text(row, "unit"), ASSEMBLED, "WD 15.C.1", by, of=text(row, "of"))


def _into_box(
    ctx: Ctx[State], side: str, uid: str, box: str, rule: str, by: By, of: str = "", step: str = ""
) -> None:
    ctx.emit("due", rule, by, unit=uid, side=side, box=box, of=of, step=step)


def _supply_comes(ctx: Ctx[State], side: str, row: Record, by: By) -> None:
    """Steps of supply, in counters of two."""
    steps = int(text(row, "steps", "0"))
    while steps > 0:
        here = min(steps, STEPS_OF_A_COUNTER)
        counter = f"supply-{side}-arrived-{ctx.state.arrived + 1}"
        ctx.emit("due-supply", "WD 29.A", by, counter=counter, side=side, box=text(row, "area"), steps=str(here))
        steps -= here


def _points_come(ctx: Ctx[State], side: str, row: Record, by: By) -> None:
    """Replacement points: those of ground units are shipped, from Europe or to the ports of Egypt (WD 29.B.ship)."""
    key = f"{text(row, 'nat')}_{text(row, 'rp')}"
    eighths = int(EIGHTHS * Fraction(text(row, "points", "0")))
    receive_points(ctx, side, key, eighths, "WD 29.B", by, shipped=text(row, "area") in ("egypt", "europe"))


_BRINGERS: dict[str, Callable[[Ctx[State], str, Record, By], None]] = {
    "reinforce": _unit_comes,
    "return": _unit_returns,
    "special": _special_comes,
    "component": _component_comes,
    "supply": _supply_comes,
    "replacement": _points_come,
}


# --- what the owner does with it --------------------------------------------------------------------------------


def _replace(ctx: Ctx[State], side: str, order: Order, by: By) -> Proc[set[str]]:
    replace_unit(ctx, side, order, by)
    yield from ()
    return set()


def _scrap(ctx: Ctx[State], side: str, order: Order, by: By) -> Proc[set[str]]:
    scrap_units(ctx, side, order, by)
    yield from ()
    return set()


EARLY: dict[str, Callable[[Ctx[State], str, Order, By], Proc[set[str]]]] = {
    "reinforce": reinforce,
    "replace": _replace,
    "scrap": _scrap,
}
"""Orders of the initial phase that come before supply is determined, in the order in which they are listed; each
returns what it speaks of, which then does not come in by itself."""
WITHDRAW, REBUILD, FIFTH_ARMY = "withdraw", "rebuild", ORDER
BEFORE = (WITHDRAW, FIFTH_ARMY, RAID, PRESS, RELEASE)
"""Orders that are carried out before what the turn brings."""
LATE = ("convert", "upgrade", REBUILD)
"""Orders that need the supply of the phase."""


def land_rest(ctx: Ctx[State], side: str, spoken_of: Iterable[str], by: By) -> Proc[None]:
    """What no order speaks of comes in at the first place that takes it: supplies, units, replacement points."""
    state, named = ctx.state, set(spoken_of)
    if state.surprise:
        return
    for sid in sorted(state.depots):
        if state.depots[sid].side == side and sid not in named:
            yield from land_counter(ctx, side, sid, None, by, "default")
    for uid in waiting(state, side):
        if uid not in named:
            yield from land_unit(ctx, side, uid, None, by, "default")
    for aid in waiting_air(state, side):
        if aid not in named:
            land_air(ctx, side, aid, None, by, "default")
    for key in sorted(state.afar):
        if key not in named:
            yield from land_rp(ctx, side, key, None, by)


def placed_since(ctx: Ctx[State], begun: int) -> set[str]:
    """Units that came in or back in this phase: they are in general supply, all but those out of the boxes of Libya
    (WD 29.A.supply, ruling NEW-UNITS-SUPPLY)."""
    placed = [event for event in ctx.events[begun:] if event.kind in PLACED and event.data.get("box") not in BOXES]
    return {str(event.data["unit"]) for event in placed}


def rebuild_all(ctx: Ctx[State], side: str, orders: Sequence[Order], by: By) -> None:
    """The cadres that orders rebuild (WD 29.B.cadre)."""
    for order in orders if not ctx.state.surprise else ():
        if order.type == REBUILD:
            rebuild_cadre(ctx, side, order, by)

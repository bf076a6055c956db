"""Conversions and upgrades (WD 29.D, 29.D.1, 29.D.2): units become others, on the map, in the pool or in Greece.

A conversion that the order of battle asks for is made as soon as its unit is in general supply and no enemy stands next
to it; one that is free is made by an order, for its points.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from adjudicator.engine.core import Ctx, Order, Problem
from adjudicator.western_desert.control import settle
from adjudicator.western_desert.leaving import GREECE
from adjudicator.western_desert.orderbook import ALWAYS, Place, is_air, place_of, short, standing_for
from adjudicator.western_desert.pool import EIGHTHS, change_points, points_text, rp_words, work_problems
from adjudicator.western_desert.stacking import fits
from adjudicator.western_desert.state import State, turn_name, turn_number
from adjudicator.western_desert.world import Record, text, texts

By = tuple[int, ...]
CONVERT, UPGRADE = "convert", "upgrade"
CAVALRY, UPGRADES = "WD 29.D.1", "WD 29.D.2"
MOST_CAVALRY = 2
SMALL = "3-2-10"


class Conversion(NamedTuple):
    """An entry of the order of battle with the units that stand for it now; ``problems`` keep it from being made."""

    row: Record
    units: tuple[str, ...]
    problems: tuple[Problem, ...]

    @property
    def id(self) -> str:
        """The entry."""
        return text(self.row, "id")

    @property
    def free(self) -> bool:
        """Whether the owner may leave it (WD 29.D.1, 29.D.2)."""
        return text(self.row, "optional") == ALWAYS


def open_rows(state: State, side: str) -> list[Record]:
    """The conversions of ground units that could be made by now and have not been, in the order of the pack."""
    start = first_turn(state, side)
    return [
        row
        for row in state.world.events
        if row.get("kind") == CONVERT
        and row.get("side") == side
        and start <= turn_number(text(row, "turn")) <= state.turn
        and text(row, "id") not in state.converted
        and not is_air(state.world, row)
    ]


def first_turn(state: State, side: str) -> int:
    """The first turn whose entries the set-up does not hold."""
    done = state.world.scenario.get("events_done")
    last = done.get(side) if isinstance(done, dict) else None
    return turn_number(last) + 1 if isinstance(last, str) else 1


def conversion(state: State, row: Record, wish: Sequence[str] = ()) -> Conversion:
    """Who would be converted by an entry, and what keeps it from being made. ``wish`` are the units of an order."""
    units = list(wish)
    for name in texts(row, "from")[len(units) :]:
        ids = [name] if text(row, "like") != ALWAYS else standing_for(state, name)
        found = _first(state, [uid for uid in ids if uid not in units])
        if not found:
            problem = Problem("no_unit", "WD 29.D", f"{short(state.world, name)} is not in play", field="unit")
            return Conversion(row, (), (problem,))
        units.append(found)
    return Conversion(row, tuple(units), tuple(_problems(state, row, units)))


def _first(state: State, ids: Sequence[str]) -> str:
    """The unit to convert: one that may be, on the map before one in the pool or in Greece."""
    able = [u for u in ids if place_of(state, u) == Place.MAP and not work_problems(state, u, "WD 29.D")]
    places = (Place.MAP, Place.POOL, Place.BOX, Place.LIST)
    there = [u for u in ids if place_of(state, u) in places or _in_greece(state, u)]
    return next(iter([*able, *there]), "")


def _in_greece(state: State, uid: str) -> bool:
    return uid in state.boxes and state.boxes[uid].box == GREECE


def _problems(state: State, row: Record, units: Sequence[str]) -> list[Problem]:
    rule, found = text(row, "rule", "WD 29.D"), list[Problem]()
    for uid in units:
        if place_of(state, uid) == Place.BOX:
            of = short(state.world, state.boxes[uid].of)
            text_ = f"{short(state.world, uid)} is part of {of}, which must be broken down first"
            found.append(Problem("in_division", "WD 29.D", text_, "break it down", field="unit"))
        elif place_of(state, uid) == Place.LIST:
            text_ = f"{short(state.world, uid)} is on the list of garrisons, off the map"
            found.append(Problem("listed", "WD 33.C", text_, "show its area first", field="unit"))
        elif uid in state.pieces:
            found += work_problems(state, uid, "WD 29.D")
    hexes = {state.pieces[uid].hex if uid in state.pieces else -1 for uid in units}
    if len(hexes) > 1:
        names = ", ".join(short(state.world, uid) for uid in units)
        found.append(Problem("together", "WD 29.D", f"{names} are not in one hex", "bring them together", field="unit"))
    elif hexes and -1 not in hexes:
        found += _room_problems(state, row, units, next(iter(hexes)))
    return found + _price_problems(state, row, units, rule)


def _room_problems(state: State, row: Record, units: Sequence[str], h: int) -> list[Problem]:
    trial = state.copy()
    for uid in units:
        trial.take_off(uid, "converted")
    for uid in texts(row, "to"):
        trial.place(uid, h)
    if fits(trial, h, state.world.units[units[0]].side):
        return []
    text_ = f"{state.board.feature_names(h)} has no room for what {short(state.world, units[0])} becomes"
    return [Problem("stacking", "WD 8.A", text_, "move a unit away", field="unit")]


def price8(state: State, row: Record, units: Sequence[str]) -> int:
    """The points of a conversion in eighths (WD 29.D.1, 29.D.2); nothing for a brigade in the pool on the turn of
    upgrades (WD 29.D.2.pool)."""
    if _swapped(state, row, units):
        return 0
    return int(EIGHTHS * Fraction(text(row, "points", "0")))


def _swapped(state: State, row: Record, units: Sequence[str]) -> bool:
    """Whether an upgrade is the exchange of 3-2-10 brigades in the pool, on the turn from which upgrades are free (WD
    29.D.2.pool)."""
    here = bool(units) and all(place_of(state, uid) == Place.POOL for uid in units)
    small = all(state.world.units[uid].figures == SMALL for uid in units)
    return here and small and text(row, "rule") == UPGRADES and text(row, "turn") == turn_name(state.turn)


def _key(state: State, row: Record) -> str:
    return f"{state.world.units[texts(row, 'to')[0]].nat}_{text(row, 'rp')}"


def _price_problems(state: State, row: Record, units: Sequence[str], rule: str) -> list[Problem]:
    """What keeps a conversion from being paid for; two cavalry brigades at most become armor (WD 29.D.1)."""
    found: list[Problem] = []
    if rule == CAVALRY and sum(_rule_of(state, name) == CAVALRY for name in state.converted) >= MOST_CAVALRY:
        text_ = f"{MOST_CAVALRY} cavalry brigades have been converted, and no more may be"
        found.append(Problem("limit_two", CAVALRY, text_, "leave the order out", field="unit"))
    cost, key = price8(state, row, units), _key(state, row)
    have = state.points.get(key, 0)
    if cost > have:
        text_ = f"the conversion costs {points_text(cost)} {rp_words(key)} points, {points_text(have)} are at hand"
        found.append(Problem("rp_short", rule, text_, "leave the order out", field="unit"))
    in_pool = [uid for uid in units if place_of(state, uid) == Place.POOL]
    if rule == UPGRADES and in_pool and not _swapped(state, row, units):
        text_ = f"{short(state.world, in_pool[0])} is in the pool; only {SMALL} ones are changed there, on Apr I 42"
        found.append(Problem("pool_upgrade", "WD 29.D.2.pool", text_, "replace it first", field="unit"))
    return found


def _rule_of(state: State, entry: str) -> str:
    row = next((row for row in state.world.events if row.get("id") == entry), {})
    return text(row, "rule")


# --- making them ------------------------------------------------------------------------------------------------


def convert_all(ctx: Ctx[State], side: str, orders: Sequence[Order], by: By) -> None:
    """The conversions of the phase: those ordered, then those that the order of battle asks for and nothing bars, then
    the 3-2-10 brigades in the pool (WD 29.D.2.pool)."""
    if ctx.state.surprise:
        return
    for order in orders:
        if order.type in (CONVERT, UPGRADE) and not order.text("air"):
            _ordered(ctx, side, order, by)
    for row in open_rows(ctx.state, side):
        found = conversion(ctx.state, row)
        if not found.problems and (not found.free or _swapped(ctx.state, row, found.units)):
            make(ctx, side, found, by, "default")


def _ordered(ctx: Ctx[State], side: str, order: Order, by: By) -> None:
    state = ctx.state
    found = of_order(state, side, order)
    if isinstance(found, list):
        ctx.void(order, found, by)
    elif found.problems:
        ctx.void(order, found.problems, by)
    else:
        make(ctx, side, found, by, "order", str(order.index))


def of_order(state: State, side: str, order: Order) -> Conversion | list[Problem]:
    """The conversion that an order speaks of: of its unit, into what it says if it says it."""
    uid, into = order.text("unit"), order.text("into")
    rule = UPGRADES if order.type == UPGRADE else "WD 29.D"
    rows = [row for row in open_rows(state, side) if (text(row, "rule") == UPGRADES) == (order.type == UPGRADE)]
    fitting = [row for row in rows if _speaks_of(state, row, uid) and into in ("", *texts(row, "to"))]
    if not fitting:
        what = f" into {short(state.world, into)}" if into else ""
        when = turn_name(state.turn)
        text_ = f"no conversion of {short(state.world, uid)}{what} is open on {when}"
        known = ", ".join(short(state.world, texts(row, "from")[0]) for row in rows) or "none"
        return [Problem("not_due", rule, text_, f"open are those of {known}", field="unit")]
    tried = [conversion(state, row, (uid,)) for row in fitting]
    return next((found for found in tried if not found.problems), tried[0])


def _speaks_of(state: State, row: Record, uid: str) -> bool:
    first = texts(row, "from")[0]
    return uid == first or (text(row, "like") == ALWAYS and uid in standing_for(state, first))


def make(ctx: Ctx[State], side: str, found: Conversion, by: By, choice: str, order: str = "") -> None:
    """Units become others where they are, in the pool too; they may act as usual (WD 29.D, 29.D.pool)."""
    state, row = ctx.state, found.row
    rule, cost = text(row, "rule", "WD 29.D"), price8(state, row, found.units)
    place = place_of(state, found.units[0])
    at = state.pieces[found.units[0]].hex if place == Place.MAP else None
    if cost:
        names = ", ".join(short(state.world, uid) for uid in found.units)
        change_points(ctx, side, _key(state, row), -cost, rule, by, f"{names} converted")
    box = state.boxes[found.units[0]].box if found.units[0] in state.boxes else ""
    ctx.emit(
        "converted",
        "WD 29.D.2.pool" if place == Place.POOL and rule == UPGRADES else "WD 29.D.pool" if at is None else rule,
        by,
        entry=found.id,
        side=side,
        units=list(found.units),
        into=[*texts(row, "to")],
        hex="" if at is None else state.board.name(at),
        box=box if at is None else "",
        choice=choice,
        order=order,
    )
    if at is not None:
        settle(ctx, [at], by=by)

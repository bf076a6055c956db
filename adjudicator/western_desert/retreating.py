"""Carrying out retreats, unit by unit and hex by hex, with all that they bring (WD 9.F.1, 8.B, 22.A.3, 6.mr0)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from adjudicator.engine.core import Ctx, Proc, Tree
from adjudicator.western_desert.asking import asked
from adjudicator.western_desert.choices import order_ask, told, way_ask
from adjudicator.western_desert.control import settle
from adjudicator.western_desert.entering import entered
from adjudicator.western_desert.losses import has_cadre
from adjudicator.western_desert.retreat import ZONE, stands, ways
from adjudicator.western_desert.stacking import fits
from adjudicator.western_desert.state import CADRE, State
from adjudicator.western_desert.theatre.forces import in_operation

DISARRAY_TURN = 1
DISARRAY_NATIONS = ("italian", "libyan")
PUBLIC = "public"
PERMANENT = "permanent"
ELIMINATED = "eliminated"


def fate(state: State, uid: str) -> str:
    """How a unit lost now leaves the game: into the pool, but CCNN, GAF, Libyan units and all that are not replaced for
    good (WD 29.B.pool), those of a special operation (ruling SO-LOST), and Italian units out of general supply on
    Dec I 40 (WD 28.A.3.loss)."""
    unit = state.world.units[uid]
    if not unit.replaceable or in_operation(state, uid) is not None:
        return PERMANENT
    disarray = state.turn == DISARRAY_TURN and (
        not state.surprise or state.world.switches.get("surprise_counts_as_dec_i", "true") in ("true", "yes")
    )
    if disarray and unit.nat in DISARRAY_NATIONS and not state.pieces[uid].gs:
        return PERMANENT
    return ELIMINATED


def cadre_alone(state: State, uid: str) -> bool:
    """Whether a unit that is eliminated now is a cadre that goes into the pool by itself and not as its whole division,
    which the players may agree upon (WD 29.B.pool, ruling CADRE-POOL)."""
    lies = state.pieces[uid].cadre if uid in state.pieces else uid in state.boxes and state.boxes[uid].cadre
    return lies and state.world.switches.get("cadre_pool", "division") == CADRE


def remove(ctx: Ctx[State], uid: str, rule: str, by: Iterable[int], why: str = "") -> None:
    """Take a unit from the map, cadre and all; a division goes into the pool in its components, one that is a cadre too
    unless the players agreed otherwise (WD 29.B.pool, ruling CADRE-POOL)."""
    state = ctx.state
    lost = fate(state, uid)
    extra: dict[str, Tree] = {"fate": lost} if lost != ELIMINATED else {}
    alone = lost == ELIMINATED and cadre_alone(state, uid)
    parts = [] if alone else state.parts_of(uid)
    if alone:
        extra["pool"] = CADRE
    if parts:
        extra["units"] = [*parts]
    if why:
        extra["why"] = why
    h = state.hex_of(uid)
    step = "cadre" if state.pieces[uid].cadre else ""
    ctx.emit("eliminated", rule, by, PUBLIC, unit=uid, hex=state.board.name(h), step=step, **extra)


def lose(ctx: Ctx[State], uid: str, rule: str, by: Iterable[int], why: str = "") -> bool:
    """A unit is eliminated in combat: a division with a cadre is reduced to it (WD 9.E). True where a cadre stays."""
    state = ctx.state
    if has_cadre(state.unit(uid)):
        extra: dict[str, Tree] = {"why": why} if why else {}
        ctx.emit("reduced", rule, by, PUBLIC, unit=uid, hex=state.board.name(state.hex_of(uid)), **extra)
        return True
    remove(ctx, uid, rule, by, why)
    return False


def retreat_units(
    ctx: Ctx[State], h: int, side: str, units: Sequence[str], attacking: bool, by: tuple[int, ...]
) -> Proc[None]:
    """All units of a side that a combat in hex ``h`` drives back, one by one in their owner's order."""
    state = ctx.state
    able = []
    for uid in sorted(units):
        rule = stands(state, uid)
        if rule:
            left = state.hex_of(uid)
            remove(ctx, uid, rule, by, "it may not retreat")
            settle(ctx, (left,), by=by)
        else:
            able.append(uid)
    if len(able) > 1:
        answer = yield from asked(ctx, order_ask(state, h, side, able, attacking))
        able, by = list(answer.value), _read(by, answer.by)
    gone: list[int] = []
    for uid in able:
        end = yield from _retreat(ctx, h, uid, gone, by)
        if end is not None:
            gone.append(end)


def _read(by: Sequence[int], more: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted({*by, *more}))


def _retreat(ctx: Ctx[State], h: int, uid: str, gone: Sequence[int], by: tuple[int, ...]) -> Proc[int | None]:
    """One unit, until it stands within the stacking limit. Returns the hex where it ends, None where it is lost.

    WD 8.B.retreat, 9.F.1.zoc.
    """
    state = ctx.state
    left = [state.hex_of(uid)]
    while True:
        found = ways(state, uid, left[-1], left[:-1])
        if not found.hexes:
            return _stuck(ctx, uid, len(left) > 1, by)
        if found.priority == ZONE and not has_cadre(state.unit(uid)):
            remove(ctx, uid, "WD 9.F.1.zoc", by, "every way out leads into an enemy zone of control")
            settle(ctx, (left[-1],), by=by)
            return None
        to = yield from _step(ctx, h, uid, left, gone, found.priority, by)
        if fits(state, to, state.unit(uid).side):
            return to
        left.append(to)


def _step(
    ctx: Ctx[State], h: int, uid: str, left: Sequence[int], gone: Sequence[int], priority: int, by: tuple[int, ...]
) -> Proc[int]:
    """One hex of a retreat: the choice, the entry, supply found there, and the price of a zone of control.

    WD 9.F.1.zoc.
    """
    state, name = ctx.state, ctx.state.board.name
    answer = yield from asked(ctx, way_ask(state, h, uid, left, gone))
    to, by = answer.value, _read(by, answer.by)
    data: dict[str, Tree] = {"unit": uid, "from": name(left[-1]), "path": [name(to)], "priority": str(priority)}
    rule = "WD 9.F.1.stack" if len(left) > 1 else "WD 9.F.1"
    ctx.emit("retreat", rule, by, PUBLIC, **data, **told(answer))
    settle(ctx, (left[-1], to), by=by)
    if priority == ZONE:
        lose(ctx, uid, "WD 9.F.1.zoc", by, "retreated into an enemy zone of control")
    yield from entered(ctx, uid, to, by)
    return to


def _stuck(ctx: Ctx[State], uid: str, crowded: bool, by: tuple[int, ...]) -> int | None:
    """No way out. From the hex it fought in the unit is lost altogether, cadre and all (WD 9.F.1.none); where it only
    can't clear an over-stacked hex it is eliminated (WD 8.B), and a cadre that ends the over-stacking stays."""
    state = ctx.state
    h = state.hex_of(uid)
    if not crowded:
        remove(ctx, uid, "WD 9.F.1.none", by, "no way out but prohibited terrain and enemy units")
    else:
        why = "the hex is over-stacked and there is no way on"
        if lose(ctx, uid, "WD 9.F.1.stack", by, why):
            if fits(state, h, state.unit(uid).side):
                return h
            remove(ctx, uid, "WD 9.F.1.stack", by, why)
    settle(ctx, (h,), by=by)
    return None

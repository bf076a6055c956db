"""The seaborne invasion of Malta in play: two waves, each unit past the Malta table into its planned hex (WD 27.C)."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Ctx, Order, Problem, Proc, whole_number
from adjudicator.western_desert.control import settle
from adjudicator.western_desert.entering import entered
from adjudicator.western_desert.orderbook import short
from adjudicator.western_desert.retreating import PUBLIC
from adjudicator.western_desert.sea.sailing import sail
from adjudicator.western_desert.sea.voyages import ARRIVES, COUNTER, PAST_MALTA, STEP_RE2, UNIT, Item, transport_re2
from adjudicator.western_desert.stacking import fits
from adjudicator.western_desert.state import State
from adjudicator.western_desert.theatre.forces import AT_SEA, SEABORNE, fresh, wave_of
from adjudicator.western_desert.theatre.operation import use, use_steps
from adjudicator.western_desert.theatre.record import Operation
from adjudicator.western_desert.theatre.seaborne import RULE, WAVE1, WAVE2, second_wave_problems, waves_problems
from adjudicator.western_desert.theatre.special import SIDE

By = tuple[int, ...]
FIRST, SECOND = "seaborne", "land_second_wave"
PHASE_OF = {FIRST: "movement", SECOND: "exploitation"}
STEPS = "supply"


def ready(state: State) -> list[Operation]:
    """The forces announced for this turn that wait in Europe for their ships, in order of id."""
    found = [one for one in fresh(state) if wave_of(state.world, one.unit) == SEABORNE]
    return sorted((one for one in found if _waits(state, one.unit)), key=lambda one: one.unit)


def _waits(state: State, uid: str) -> bool:
    kept = state.boxes.get(uid)
    return kept is not None and kept.box == AT_SEA


def landing_order_problems(state: State, side: str, order: Order) -> list[Problem]:
    """What is wrong with an order for a wave: moment, units that don't wait, the size of the wave, the hex (WD
    27.C)."""
    units, steps = order.texts("units") or order.texts("unit"), whole_number(order.text("steps", "0")) or 0
    if side != SIDE or (state.player, state.phase) != (SIDE, PHASE_OF[order.type]):
        text = f"{order.type} belongs to the {PHASE_OF[order.type]} phase of the Axis"
        return [Problem("moment", RULE, text, f"put it in the section {PHASE_OF[order.type]}")]
    waiting = {one.unit: one for one in ready(state)}
    strange = [uid for uid in units if uid not in waiting]
    if strange:
        names = ", ".join(short(state.world, uid) for uid in strange)
        text = f"no seaborne operation of {names} was announced for this turn"
        return [Problem("not_announced", RULE, text, "leave it out", field="units")]
    return _wave_problems(state, order, [waiting[uid] for uid in units], steps)


def _wave_problems(state: State, order: Order, going: Sequence[Operation], steps: int) -> list[Problem]:
    second = order.type == SECOND
    new2 = sum(transport_re2(state.world.units[one.unit]) for one in going)
    before2 = _landed2(state, second)
    found = waves_problems(0, before2 + new2, steps) if second else waves_problems(before2 + new2, 0, 0)
    if second:
        found += [p for one in going for p in second_wave_problems(state.owner(one.hex))][:1]
        found += _steps_problems(state, steps)
    for h in sorted({one.hex for one in going}):
        if not fits(state, h, SIDE, [one.unit for one in going if one.hex == h]):
            text = f"{state.board.feature_names(h)} has no room: the stacking limit would be exceeded"
            found.append(Problem("stacking", "WD 8.A", text, "land fewer units", field="units"))
    return found


def _landed2(state: State, second: bool) -> int:
    """Half REs that have set out in a wave of this turn already."""
    sent = [one for one in state.theatre.operations if one.turn == state.turn and one.used and one.second is second]
    sent = [one for one in sent if wave_of(state.world, one.unit) == SEABORNE]
    return sum(transport_re2(state.world.units[one.unit]) for one in sent)


def _steps_problems(state: State, steps: int) -> list[Problem]:
    """Supply lands beside units of the operation, and once (WD 27.C)."""
    if not steps:
        return []
    if supply_hex(state) is None:
        text = "supply lands in an invasion hex of this turn that the Axis player controls"
        return [Problem("not_held", WAVE2, text, "leave steps: out", field="steps")]
    if any(one.endswith(f"/{STEPS}") for one in state.theatre.spent):
        return [Problem("spent", RULE, "the steps of the Italian pool are used already", "leave steps: out")]
    return []


def supply_hex(state: State) -> int | None:
    """Where supply lands: the first invasion hex of this turn's seaborne forces that the Axis player controls."""
    now = [one for one in state.theatre.operations if one.turn == state.turn]
    hexes = {one.hex for one in now if wave_of(state.world, one.unit) == SEABORNE and state.owner(one.hex) == SIDE}
    return min(hexes, default=None)


def land_wave(ctx: Ctx[State], side: str, order: Order, by: By) -> Proc[list[int]]:
    """Send the units of a wave: each is used, passes the Malta table, and lands in its hex or does not; then its
    supply. Returns the hexes (WD 27.C.wave1, 27.C.wave2)."""
    state, second = ctx.state, order.type == SECOND
    units, steps = order.texts("units") or order.texts("unit"), whole_number(order.text("steps", "0")) or 0
    target = {uid: one.hex for uid in units if (one := state.theatre.operation(uid)) is not None}
    use(ctx, units, by, "second" if second else "")
    for uid in units:
        item = Item(UNIT, uid, transport_re2(state.world.units[uid]))
        found = yield from sail(ctx, side, item, None, target[uid], by, PAST_MALTA, order=str(order.index), box=AT_SEA)
        if found.end.result == ARRIVES:
            yield from _ashore(ctx, uid, target[uid], by, second)
    at = supply_hex(state) if steps else None
    if at is not None:
        yield from _supplies(ctx, side, steps, at, order, by)
    return sorted(set(target.values()))


def _ashore(ctx: Ctx[State], uid: str, h: int, by: By, second: bool) -> Proc[None]:
    wave = "second" if second else "first"
    rule = WAVE2 if second else WAVE1
    ctx.emit("special-landed", rule, by, PUBLIC, unit=uid, hex=ctx.state.board.name(h), wave=wave)
    settle(ctx, [h], by=by)
    yield from entered(ctx, uid, h, by)


def _supplies(ctx: Ctx[State], side: str, steps: int, at: int, order: Order, by: By) -> Proc[None]:
    """A counter of these steps past the Malta table into the invasion hex."""
    state = ctx.state
    use_steps(ctx, steps, by)
    sid = f"supply-{side}-arrived-{state.arrived + 1}"
    ctx.emit("due-supply", RULE, by, counter=sid, side=side, box=AT_SEA, steps=str(steps))
    item = Item(COUNTER, sid, STEP_RE2 * steps, steps)
    found = yield from sail(ctx, side, item, None, at, by, PAST_MALTA, order=str(order.index), box=AT_SEA)
    if found.end.result == ARRIVES:
        left = str(found.end.steps)
        where = {"hex": state.board.name(at), "box": AT_SEA, "choice": "order", "order": str(order.index)}
        ctx.emit("supply-landed", WAVE2, by, counter=sid, side=side, steps=left, **where)

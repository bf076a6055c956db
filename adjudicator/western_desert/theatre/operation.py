"""Special operations in play: announced, mustered, used, withdrawn; what use and loss cost (WD 27.A, 27.B, 29.A.2).

Who is announced lies ready for one player turn: in Europe for the sea, at bases of Sicily, Crete and Rhodes for the
air. Whoever is not used in it goes back to the pool and costs nothing (ruling SO-PARTIAL).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from adjudicator.engine.core import Ctx, Order, Problem, Proof, Tree
from adjudicator.western_desert.air.craft import craft_of
from adjudicator.western_desert.control import settle
from adjudicator.western_desert.orderbook import short
from adjudicator.western_desert.state import BREAKDOWN, LAST_TURN, WITHDRAWN, State, turn_name, turn_number
from adjudicator.western_desert.theatre import special
from adjudicator.western_desert.theatre.forces import (
    AT_SEA,
    READY,
    SEABORNE,
    fresh,
    parts_of,
    pool_box,
    pool_on,
    pool_rows,
    wave_of,
)
from adjudicator.western_desert.theatre.plans import (
    ANNOUNCE_RULE,
    BOOK,
    Told,
    books_between,
    country_of,
    due_problems,
    named,
    read_plan,
    topics_of,
)
from adjudicator.western_desert.theatre.record import Operation
from adjudicator.western_desert.theatre.special import GERMAN_1941, GERMAN_1942, ITALIAN, SIDE
from adjudicator.western_desert.victory.tally import change_vp

By = tuple[int, ...]
USE_RULE, PLACE_RULE = "WD 27.B", "WD 29.A.2.special"
UNUSED, OVER = "unused", "over"
HISTORY_RULE = "PROTOCOL 5"


# --- announced --------------------------------------------------------------------------------------------------


def seal_plans(ctx: Ctx[State], side: str, by: By) -> None:
    """Note the message that ends this planning step: its book holds the plans as they stand now (WD 27.A)."""
    if side == SIDE and not ctx.state.surprise and by and topics_of(ctx.state.world):
        ctx.emit("plans", special.RULE, by, side=side, turn=turn_name(ctx.state.turn), message=str(max(by)))


def announce(ctx: Ctx[State], side: str, orders: Sequence[Order], proofs: Sequence[Proof], by: By) -> None:
    """Announce the operations of the turn that are proved to have been planned: of each the island or country, and
    nothing of its hex (WD 27.A.announce)."""
    state = ctx.state
    for order in orders:
        units = named(order)
        problems = [p for uid in units for p in carry_out_problems(state, side, uid, proofs)]
        problems += _twice(state, units)
        if problems:
            ctx.void(order, problems, by)
            continue
        plans = {uid: plan for uid in units if (plan := _proved(state, uid, proofs)) is not None}
        rows: list[Tree] = [
            {"unit": uid, "pool": pool_on(state.world, uid, plan.turn), "hex": state.board.name(plan.hex)}
            for uid, plan in plans.items()
        ]
        places: list[Tree] = [*sorted({country_of(state, plan.hex) for plan in plans.values()})]
        ctx.emit("special-announced", ANNOUNCE_RULE, by, side=side, places=places, units=rows, order=str(order.index))


def carry_out_problems(state: State, side: str, uid: str, proofs: Sequence[Proof]) -> list[Problem]:
    """What keeps the operation of a unit from being carried out: it was not planned, or not in time, or is not due."""
    if side != SIDE or (state.player, state.phase) != (SIDE, "initial") or state.surprise:
        return special.moment_problems(side, state.player, "")
    plan = _proved(state, uid, proofs)
    if plan is None:
        text_ = f"{short(state.world, uid)}: the message does not prove that an operation was planned for it"
        hint = "leave the order out: the program writes it, with the proofs"
        return [Problem("unproved", HISTORY_RULE, text_, hint, field="units")]
    return due_problems(state, uid, plan)


def _proved(state: State, uid: str, proofs: Sequence[Proof]) -> Told | None:
    """The plan that all books since its planning hold alike; None where they don't."""
    rules = {proof.seq: proof.rules for proof in proofs if (proof.book, proof.topic) == (BOOK, uid)}
    plan = read_plan(state, rules[max(rules)]) if rules else None
    if plan is None or all(turn != plan.planned for turn, _seq in state.theatre.sealed):
        return None
    asked = books_between(state, plan.planned)
    same = [seq for seq in asked if rules.get(seq) == rules[max(rules)]]
    return plan if asked and same == asked else None


def _twice(state: State, units: Sequence[str]) -> list[Problem]:
    """A unit is announced once."""
    return [
        Problem("twice", ANNOUNCE_RULE, f"{short(state.world, uid)} is announced already", "leave it out")
        for uid in units
        if state.theatre.operation(uid) is not None
    ]


# --- mustered ---------------------------------------------------------------------------------------------------


def muster(ctx: Ctx[State], side: str, by: By) -> None:
    """The forces announced for this turn leave their pool: to wait at bases, or in Europe (WD 29.A.2)."""
    for one in fresh(ctx.state) if side == SIDE else ():
        box = AT_SEA if wave_of(ctx.state.world, one.unit) == SEABORNE else READY
        if ctx.state.boxes.get(one.unit) is None or ctx.state.boxes[one.unit].box != box:
            ctx.emit("due", PLACE_RULE, by, unit=one.unit, side=side, box=box)


# --- used, lost, withdrawn --------------------------------------------------------------------------------------


def force_of(state: State, one: Operation, re: Fraction | None = None) -> special.Force:
    """What a unit counts as when it is used or lost; of a part its REs."""
    if one.unit in state.world.air:
        return special.Force(one.pool, transports=0 if craft_of(state.world, one.unit).glider else 1)
    size = Fraction(state.world.units[one.unit].re2, 2) if re is None else re
    return special.Force(one.pool, ground=size) if one.pool == ITALIAN else special.Force(one.pool, airborne=size)


def use_steps(ctx: Ctx[State], steps: int, by: By) -> None:
    """Steps of supply of the Italian pool go to sea, and are paid for (WD 27.B.2.cost)."""
    ctx.emit("special-used", USE_RULE, by, side=SIDE, units=[], steps=str(steps))
    cost2 = special.cost2(ctx.state.world, special.Force(ITALIAN, steps=steps))
    change_vp(ctx, SIDE, -cost2, USE_RULE, by, f"use of special forces: {steps} steps of supply")


def use(ctx: Ctx[State], uids: Iterable[str], by: By, wave: str = "") -> None:
    """Units go into their operation: they are used now, and their price is paid (WD 27.B)."""
    state = ctx.state
    going = [one for one in fresh(state) if one.unit in uids]
    if not going:
        return
    units: list[Tree] = [one.unit for one in going]
    ctx.emit("special-used", USE_RULE, by, side=SIDE, units=units, until=leaving_on(going[0].turn), wave=wave)
    cost2 = sum(special.cost2(state.world, force_of(state, one)) for one in going)
    if cost2:
        names = ", ".join(short(state.world, one.unit) for one in going)
        change_vp(ctx, SIDE, -cost2, USE_RULE, by, f"use of special forces: {names}")


def leaving_on(entry: int) -> str:
    """The turn on which who enters now is withdrawn; "" where the game ends before."""
    gone = special.withdrawal_turn(entry)
    return turn_name(gone) if gone <= LAST_TURN else ""


def count_losses(ctx: Ctx[State], by: By = ()) -> None:
    """Units of an operation that are out of play since it was looked last: their loss costs what their use did (WD
    27.B, ruling SO-LEAVE)."""
    state = ctx.state
    for one in [one for one in state.theatre.operations if one.used and not present(state, one.unit)]:
        ctx.emit("special-over", USE_RULE, by, side=SIDE, units=[one.unit], why="lost", box="")
        _pay_loss(ctx, one, None, by)


def _pay_loss(ctx: Ctx[State], one: Operation, re: Fraction | None, by: By) -> None:
    cost2 = special.cost2(ctx.state.world, force_of(ctx.state, one, re))
    if cost2:
        change_vp(ctx, SIDE, -cost2, USE_RULE, by, f"loss of special forces: {short(ctx.state.world, one.unit)}")


def present(state: State, uid: str) -> bool:
    """Whether a unit of an operation is still there, whole, as a cadre, or broken down into components."""
    if uid in state.pieces or uid in state.air:
        return True
    kept = state.boxes.get(uid)
    if kept is None or kept.box == WITHDRAWN:
        return False
    return kept.box != BREAKDOWN or any(part in state.pieces for part in parts_of(state, uid))


def leave(ctx: Ctx[State], side: str, by: By) -> None:
    """In the Axis initial phase of the fifth turn after their entry the units of an operation are removed (WD 27.B)."""
    state = ctx.state
    going = [one for one in state.theatre.operations if one.used and special.withdrawal_turn(one.turn) <= state.turn]
    for one in going if side == SIDE else ():
        _lost_parts(ctx, one, by)
        left = {state.pieces[uid].hex for uid in (one.unit, *parts_of(state, one.unit)) if uid in state.pieces}
        box = _home(state, one)
        ctx.emit("special-over", USE_RULE, by, side=SIDE, units=[one.unit], why=OVER, box=box)
        settle(ctx, sorted(left), by=by)


def _home(state: State, one: Operation) -> str:
    """Where a unit goes that is withdrawn: out of play, but whoever was used in 1941 is of the forces of 1942 then, if
    it is one of them (WD 27.B.1)."""
    later = one.pool == GERMAN_1941 and GERMAN_1942 in pool_rows(state.world).get(one.unit, {})
    begun = state.turn >= turn_number(special.DATES[GERMAN_1942][0])
    return pool_box(GERMAN_1942) if later and begun else WITHDRAWN


def _lost_parts(ctx: Ctx[State], one: Operation, by: By) -> None:
    """Components of a division that was broken down which do not come home."""
    state = ctx.state
    kept = state.boxes.get(one.unit)
    if kept is None or kept.box != BREAKDOWN:
        return
    lost2 = sum(state.world.units[part].re2 for part in parts_of(state, one.unit) if part in state.gone)
    if lost2:
        _pay_loss(ctx, one, min(Fraction(lost2, 2), Fraction(state.world.units[one.unit].re2, 2)), by)


def stand_down(ctx: Ctx[State], by: By = ()) -> None:
    """At the end of the Axis player turn who was announced and not used goes back to the pool, without cost."""
    state = ctx.state
    for one in fresh(state) if state.player == SIDE else ():
        ctx.emit("special-over", special.RULE, by, side=SIDE, units=[one.unit], why=UNUSED, box=pool_box(one.pool))

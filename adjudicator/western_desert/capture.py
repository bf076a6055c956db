"""Capture of supply: a unit that enters a hex with enemy supply counters rolls for each step (WD 12.D.capture).

The same for movement, overruns, retreats and advances. Counters are ignored while enemy units hold the hex.
"""

from __future__ import annotations

from collections.abc import Iterable

from adjudicator.engine.core import Ctx, Proc, Roll
from adjudicator.western_desert.charts import charts_of
from adjudicator.western_desert.state import State, other

RULE = "WD 12.D.capture"


def capture_supply(ctx: Ctx[State], uid: str, h: int, by: Iterable[int] = ()) -> Proc[None]:
    """Roll for every step of enemy supply in the hex the unit has just entered; what is captured is its side's.

    WD 12.D.combat, 12.D.capture. It takes a unit, which has a size and a type (WD 3.A): transport and position AA
    counters capture nothing, nor do they hold a hex; the former are units for combat alone (WD 6.C, 22.A.3).
    """
    state, seqs = ctx.state, tuple(by)
    if state.world.units[uid].counter:
        return
    if not any(counter.hex == h for counter in state.supply.values()):
        return
    side = state.world.units[uid].side
    if state.enemy_in(h, side):
        return
    least = charts_of(state.world).limits["capture_from_die"]
    for counter in state.supply_at(h, other(side)):
        steps = state.supply[counter].steps
        dice: tuple[int, ...] = ()
        label = f"capture/{state.board.label(h)}/{counter}"
        if steps:
            dice = yield from ctx.roll(Roll(label, "supply_capture", count=steps, assume=(1,), who=side))
        taken = sum(die >= least for die in dice)
        ctx.emit(
            "captured",
            RULE,
            seqs,
            counter=counter,
            hex=state.board.name(h),
            unit=uid,
            side=side,
            label=label if steps else "",
            dice=[str(die) for die in dice],
            captured=str(taken),
            eliminated=str(steps - taken),
            new=new_counter(state, side) if taken else "",
        )


def capture_beside(ctx: Ctx[State], side: str, by: Iterable[int] = ()) -> Proc[None]:
    """Units of a side that have come into a hex otherwise than over land, as they landed, were shipped or set down,
    capture what lies there like any that enters it (WD 12.D.capture)."""
    state = ctx.state
    for h in sorted({counter.hex for counter in state.supply.values() if counter.side != side}):
        taker = next((uid for uid in state.friends_at(h, side) if not state.world.units[uid].counter), None)
        if taker is not None:
            yield from capture_supply(ctx, taker, h, by)


def new_counter(state: State, side: str) -> str:
    """The id of the next captured counter; numbers are never used again in a game."""
    return f"supply-{side}-captured-{state.captured + 1}"


def captured_number(counter: str, side: str) -> int:
    """The number of a counter that a side has captured or may capture yet; 0 for any other."""
    number = counter.removeprefix(f"supply-{side}-captured-")
    return int(number) if number != counter and number.isdecimal() else 0

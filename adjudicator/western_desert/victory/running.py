"""Victory in play (WD 31): what is noticed when ground changes hands, at the end of a period, at the end of the game.

Conditions are latched at once, step by step, or at the end of each player turn with the switch ``vp_latch`` (ruling
ANYTIME-CONTROL). An automatic victory ends the game when the phase in which it happens has been played; nothing that
comes after it changes it.
"""

from __future__ import annotations

from fractions import Fraction

from adjudicator.engine.core import Ctx, Tree
from adjudicator.western_desert import hexes
from adjudicator.western_desert.state import ENEMY, MALTA_POOL, State, turn_name
from adjudicator.western_desert.theatre.malta_pool import lose_pool
from adjudicator.western_desert.victory.levels import automatic_level, level
from adjudicator.western_desert.victory.points import Count, Final, count_of, final_points, price, set_up_count
from adjudicator.western_desert.victory.tally import By, change_vp
from adjudicator.western_desert.victory.territory import (
    CAPTOR,
    CONDITIONS,
    PRICED,
    Condition,
    Period,
    captured,
    met,
    paid,
    period_of,
    winner,
)
from adjudicator.western_desert.world import Record, rows, text

AUTOMATIC, COUNTED = "automatic", "tally"
AT_END_OF_TURN = "player_turn_end"
EACH = "each"
CAPTURE = "WD chart.vp.capture"
FINAL = "WD chart.vp.end"
HALVES = 2


def watch(ctx: Ctx[State], by: By = (), turn_ends: bool = False) -> None:
    """Notice what the ground brings that has changed hands: an automatic victory, captures, conditions met."""
    state = ctx.state
    if state.world.plays(MALTA_POOL):
        lose_pool(ctx, by)
    if state.phase in ("setup", "victory") or state.level or not rows(state.world.scenario, "victory"):
        return
    side = winner(state) if _kind(state, AUTOMATIC) else ""
    if side:
        _end(ctx, f"{side} {automatic_level(state.turn)}", "WD 31.B", AUTOMATIC, by)
        return
    if turn_ends or state.world.switches.get("vp_latch") != AT_END_OF_TURN:
        _captures(ctx, by)
        _conditions(ctx, by)


def _kind(state: State, kind: str) -> Record | None:
    """The first record of a kind of what decides the scenario."""
    return next((row for row in rows(state.world.scenario, "victory") if text(row, "kind") == kind), None)


def _captures(ctx: Ctx[State], by: By) -> None:
    """Malta, Cyprus, the Levant and Palestine, once each in a game (WD chart.vp.capture, ruling CAPTURE-REPEAT)."""
    state, now = ctx.state, captured(ctx.state)
    for region, named in PRICED.items():
        if region in now and region not in state.conquered:
            ctx.emit("conquest", CAPTURE, by, side=CAPTOR, region=region, held="yes")
            points = price(state.world, CAPTOR, f"capture of {named}")
            change_vp(ctx, CAPTOR, HALVES * points, CAPTURE, by, f"capture of {named}")
        elif region in state.conquered and region not in now and state.world.switches.get("capture_vp") == EACH:
            ctx.emit("conquest", CAPTURE, by, side=CAPTOR, region=region, held="no")


def _conditions(ctx: Ctx[State], by: By) -> None:
    """Conditions met for the first time in the period; those for which only its end counts are left to it."""
    state = ctx.state
    period = period_of(state.world, state.turn)
    if period is None:
        return
    for condition in CONDITIONS:
        if condition.id not in state.met and not period.at_end(condition) and met(state, condition):
            _held(ctx, condition, turn_name(period.last), by)


def _held(ctx: Ctx[State], condition: Condition, until: str, by: By) -> None:
    points = str(condition.points(ctx.state.world))
    ctx.emit("held", condition.rule, by, side=condition.side, what=condition.key, points=points, until=until)


# --- periods ----------------------------------------------------------------------------------------------------


def open_period(ctx: Ctx[State]) -> None:
    """Begin a period with its first turn, and with the conditions that stand (WD 31.D, ruling FIRST-CHECK)."""
    state = ctx.state
    period = period_of(state.world, state.turn)
    if period is None or period.first != state.turn:
        return
    standing: list[Tree] = [c.id for c in CONDITIONS if met(state, c) and not period.at_end(c)]
    ctx.emit("period", "WD 31.D", first=turn_name(period.first), last=turn_name(period.last), met=standing)


def turn_over(ctx: Ctx[State], last: bool) -> None:
    """The end of a player turn; ``last`` that of a game turn. At the end of a period territory is paid for."""
    state = ctx.state
    watch(ctx, turn_ends=True)
    period = period_of(state.world, state.turn)
    if last and period is not None and period.last == state.turn and not state.level:
        check(ctx, period)


def check(ctx: Ctx[State], period: Period) -> None:
    """Pay for what was held in a period that is over (WD 31.D)."""
    state = ctx.state
    for condition in paid(state, period, state.met):
        when = "at the end" if period.at_end(condition) else "at some time"
        why = f"{condition.what} {when} between {turn_name(period.first)} and {turn_name(period.last)}"
        change_vp(ctx, condition.side, HALVES * condition.points(state.world), condition.rule, (), why)


# --- the end ----------------------------------------------------------------------------------------------------


def reckon(ctx: Ctx[State]) -> None:
    """The end after the last turn: the count of pools and points, awards of the scenario, the level (WD 31, 31.C,
    31.E)."""
    state = ctx.state
    for side in sorted(ENEMY):
        for item in final_items(state, side):
            why = f"{_number(item)} {item.what}"
            change_vp(ctx, side, item.vp2, FINAL, (), why)
    for row in rows(state.world.scenario, "victory"):
        if text(row, "kind") == "award":
            _award(ctx, row)
    _end(ctx, level(state.world, *(_total(state, side) for side in ("allied", "axis"))), "WD 31.E", COUNTED, ())


def _number(item: Final) -> str:
    return str(Fraction(item.halves, 2))


def final_items(state: State, side: str) -> list[Final]:
    """The items of the count at the end for a side; a scenario may count what came since it began (WD chart.vp.end)."""
    row = _kind(state, "final")
    if row is None:
        return []
    since = set_up_count(state.world, side) if text(row, "since_start") == "yes" else Count()
    return final_points(state.world, side, count_of(state, side).less(since))


def _award(ctx: Ctx[State], row: Record) -> None:
    """What a scenario pays for each unit of a kind that stands where it says."""
    state, side = ctx.state, text(row, "side")
    found = [uid for uid in state.side_units(side) if _wanted(state, uid, row)]
    points = int(text(row, "points"))
    if found:
        change_vp(ctx, side, HALVES * points * len(found), "WD 31", (), f"{len(found)} times {text(row, 'for')}")


def _wanted(state: State, uid: str, row: Record) -> bool:
    unit, h = state.unit(uid), state.hex_of(uid)
    line = hexes.column(hexes.parse(f"18/{int(text(row, 'east_of_column')):02d}01"))
    fits = unit.nat == text(row, "nat") and unit.size == text(row, "size")
    return fits and state.board.in_region(h, text(row, "country")) and hexes.column(h) > line


def _total(state: State, side: str) -> Fraction:
    return Fraction(state.vp2.get(side, 0), HALVES)


def _end(ctx: Ctx[State], found: str, rule: str, how: str, by: By) -> None:
    """The game is decided: the level, and the totals as they are."""
    allied, axis = (str(_total(ctx.state, side)) for side in ("allied", "axis"))
    ctx.emit("decided", rule, by, level=found, how=how, turn=turn_name(ctx.state.turn), allied=allied, axis=axis)

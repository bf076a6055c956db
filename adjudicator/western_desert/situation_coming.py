"""What the order of battle brings and takes next, for `status` (WD 29.A to 29.C)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from adjudicator.engine.counting import counted
from adjudicator.western_desert.orderbook import area_title, due_on, last_turn, short
from adjudicator.western_desert.pool import rp_words
from adjudicator.western_desert.sequence import PLAYERS
from adjudicator.western_desert.state import State, World, turn_name
from adjudicator.western_desert.units import number
from adjudicator.western_desert.world import Record, text

AHEAD = 2
"""Initial phases of a side that are looked at."""
COMES, GOES = ("reinforce", "supply", "replacement"), ("withdraw", "supply_withdraw")


def coming_lines(state: State, side: str) -> list[str]:
    """Arrivals and withdrawals of the next initial phases of a side, a line for each of both."""
    first = next_initial(state, side)
    return [line for turn in range(first, first + AHEAD) for line in _of_turn(state, side, turn)]


def next_initial(state: State, side: str) -> int:
    """The turn of a side's next initial phase; one that has not ended counts (WD 4.A)."""
    if state.surprise:
        return state.turn
    if state.player == side:
        return state.turn if state.phase == "initial" else state.turn + 1
    return state.turn if state.player == PLAYERS[0] else state.turn + 1


def _of_turn(state: State, side: str, turn: int) -> Iterator[str]:
    if turn > last_turn(state):
        return
    for kinds, rule, words in ((COMES, "WD 29.A, 29.B", "Coming"), (GOES, "WD 29.C", "To be withdrawn")):
        said = [_entry(state.world, row) for row in due_on(state, side, turn, *kinds)]
        if said:
            yield f"{words} on {turn_name(turn)} ({rule}): {'; '.join(said)}."


def _entry(world: World, row: Record) -> str:
    """One entry, with where it comes in or goes."""
    kind, place = text(row, "kind"), text(row, "area") or text(row, "to")
    if kind == "replacement":
        points, key = Fraction(text(row, "points")), f"{text(row, 'nat')}_{text(row, 'rp')}"
        what = f"{number(points)} {rp_words(key)} point{'' if points == 1 else 's'}"
    elif kind in ("supply", "supply_withdraw"):
        what = f"supply of {counted(int(text(row, 'steps')), 'step')}"
    else:
        what = short(world, text(row, "unit"))
    where = area_title(world, place) if place not in ("", "out") else ""
    return f"{what} ({where})" if where else what

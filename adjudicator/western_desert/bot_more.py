"""Orders of chance that hang on other orders of the same phase, and the rare ones (see bots.py).

A second wave is listed in the position that the first one leads to if no die hurts: units that have come up overrun,
break railroads, go on. The whole section is rehearsed before it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Answer, Ask, Ctx, Tree
from adjudicator.engine.game import orders_of
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.bot_initial import arrival_rows, lawful_rows
from adjudicator.western_desert.bot_special import wave_rows
from adjudicator.western_desert.bot_words import retold, supply_answers, told_opening
from adjudicator.western_desert.divisions import ASSEMBLE
from adjudicator.western_desert.graph import LEVANT, NATIONS
from adjudicator.western_desert.movement import movement_phase
from adjudicator.western_desert.railworks import extend_problems, railhead
from adjudicator.western_desert.state import State
from adjudicator.western_desert.theatre.invading import invade_problems
from adjudicator.western_desert.theatre.listed import OPTION, list_problems
from adjudicator.western_desert.theatre.listed import SIDE as LISTS
from adjudicator.western_desert.theatre.nations import SIDE as ALLIED
from adjudicator.western_desert.theatre.nations import free_french
from adjudicator.western_desert.theatre.special import SIDE as SPECIAL

Row = dict[str, Tree]
Maker = Callable[[State, str, Chance], list[Row]]
WAVE_SHARE, DESTROY_SHARE, PASS_SHARE, EXTEND_SHARE, ARRIVAL_SHARE = 0.3, 0.03, 0.05, 0.8, 0.7
INVADE_SHARE = 0.04
LIST_SHARE = 0.5


def moving_orders(state: State, side: str, chance: Chance, wave: Maker) -> list[Row]:
    """The section of a phase of movement: one wave of orders, now and then another one after it."""
    rows = wave(state, side, chance)
    if chance.likely(WAVE_SHARE):
        later = rehearsed(state, side, _early(rows))
        if later is not None:
            again = wave(later, side, chance)[1:]
            more = [*_early(rows), *_early(again), *_last(rows), *_last(again)]
            rows = more if rehearsed(state, side, more) is not None else rows
    if chance.likely(INVADE_SHARE) and not invade_problems(state, side):
        bold = _invading(state, side, rows)
        rows = bold if rehearsed(state, side, bold) is not None else rows
    rows = landing(state, side, rows, chance)
    if side == LISTS and state.world.plays(OPTION):
        quiet: list[Row] = [*rows, *listing_rows(state, chance)]
        rows = quiet if rehearsed(state, side, quiet) is not None else rows
    rows = [*_early(rows), *_destroying(state, side, rows, chance), *_last(rows)]
    rows = retold(state, side, rows, chance, lambda found: rehearsed(state, side, found) is not None)
    return [*rows, {"type": "pass"}] if chance.likely(PASS_SHARE) else rows


def landing(state: State, side: str, rows: list[Row], chance: Chance) -> list[Row]:
    """The section with a wave of the landing on Malta before all else, where one waits (WD 27.C)."""
    if side != SPECIAL or not state.theatre.operations:
        return rows
    found: list[Row] = [*rows[:1], *wave_rows(state, chance), *rows[1:]]
    return found if rehearsed(state, side, found) is not None else rows


def listing_rows(state: State, chance: Chance) -> list[Row]:
    """Some units of an area that is far from the enemy go onto the list of garrisons (WD 33.C)."""
    able = [uid for uid in state.side_units(LISTS) if not list_problems(state, LISTS, uid)]
    if not able or not chance.likely(LIST_SHARE):
        return []
    return [{"type": "list_garrison", "units": [*chance.some(able, least=1, most=3)]}]


def _invading(state: State, side: str, rows: Sequence[Row]) -> list[Row]:
    """The section with an invasion of the Levant; where all Free French must take part they go first (WD 32.A.ff)."""
    french = free_french(state) if state.world.plays(NATIONS) and side == ALLIED else []
    inside = {uid: _next_to(state, uid, LEVANT) for uid in french}
    busy = {name for name, h in inside.items() if h is not None}
    rest = [row for row in rows[1:] if not busy & {str(row.get("unit", "")), *_texts(row.get("units", ""))}]
    marches: list[Row] = [
        {"type": "move", "unit": uid, "to": state.board.name(h)} for uid, h in inside.items() if h is not None
    ]
    return [*rows[:1], {"type": "invade_levant"}, *marches, *rest]


def _next_to(state: State, uid: str, region: str) -> int | None:
    near = state.board.open_neighbours(state.hex_of(uid))
    return next((h for h in near if h in state.board.land and state.board.in_region(h, region)), None)


def _texts(value: Tree) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else []


def _early(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row["type"] != ASSEMBLE]


def _last(rows: Sequence[Row]) -> list[Row]:
    """What stands behind all other orders of the phase (WD 15.A.assemble)."""
    return [row for row in rows if row["type"] == ASSEMBLE]


def rehearsed(state: State, side: str, rows: Sequence[Row]) -> State | None:
    """The position after a section if every die falls as `check` assumes; None where an order would be unlawful."""
    ctx: Ctx[State] = Ctx(state.copy(), apply)
    orders = orders_of(row for row in rows if row["type"] != "section")
    steps, reply = movement_phase(ctx, side, orders, (0,)), None
    try:
        while True:
            reply = _reply(steps.send(reply))
    except StopIteration:
        return None if ctx.problems else ctx.state


def _reply(request: Any) -> Any:
    """What comes of a choice that nobody makes, or of dice that do nothing."""
    if isinstance(request, Ask):
        return Answer(request.default(), "default")
    return tuple(request.assume[i % len(request.assume)] for i in range(request.count))


def _destroying(state: State, side: str, rows: Sequence[Row], chance: Chance) -> list[Row]:
    """Own supply given up, of counters that no order speaks of (WD 12.D.destroy)."""
    named = {value for row in rows for name in ("counter", "counters") for value in _listed(row.get(name))}
    own = [sid for sid in sorted(state.supply) if state.supply[sid].side == side and sid not in named]
    return [{"type": "supply_destroy", "counter": sid} for sid in own if chance.likely(DESTROY_SHARE)]


def _listed(value: Tree | None) -> list[Tree]:
    return value if isinstance(value, list) else [] if value is None else [value]


def opening_orders(state: State, side: str, chance: Chance, first: Maker) -> list[Row]:
    """What an initial phase holds; the railroad goes on where it may (WD 7.D), now and then nothing more is done."""
    rows = lawful_rows(state, side, first(state, side, chance))
    if not extend_problems(state, side, railhead(state), (), False) and chance.likely(EXTEND_SHARE):
        rows = [*rows, {"type": "extend_rail"}]
    if chance.likely(ARRIVAL_SHARE):
        rows = arrival_rows(state, side, rows, chance)
    rows = [*(told_opening(state, side, row, chance) for row in rows), *supply_answers(state, side, rows, chance)]
    return [*rows, {"type": "pass"}] if chance.likely(PASS_SHARE) else rows

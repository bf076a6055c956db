"""The part of the form works (CASE-FORMS 6) that builds the railroad of WD 7.D."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adjudicator.engine.casecheck import Found
from adjudicator.engine.core import Ctx, Order, Proc
from adjudicator.western_desert import hexes
from adjudicator.western_desert.board import Board
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.core import Case, as_record, as_records
from adjudicator.western_desert.cases.drive import context, dice_of, drive
from adjudicator.western_desert.cases.walks import problems_of, set_moment
from adjudicator.western_desert.initial import build_railroad
from adjudicator.western_desert.railworks import BUILDER, railhead
from adjudicator.western_desert.state import State, other

LINE = "line"


def construction(case: Case) -> Found:
    """The railhead and the hex beyond it: on the real map, or on a strip with a terminal behind the railhead."""
    row = as_record(case.given.get("railhead"))
    at, beyond = str(row["at"]), str(row["next"])
    board = build.real_world().board if "/" in at else _strip(at, beyond, str(row.get("supplied", "both")))
    state = build.new_state(board, BUILDER, "initial", BUILDER)
    state.world = replace(state.world, scenario={"railhead": {"hex": at}})
    set_moment(state, case.given)
    for key, around in as_record(row.get("enemy_next_to")).items():
        build.put_all(case, state, as_records(around), _free(board, build.find_hex(board, key)), other(BUILDER))
    if row.get("controlled") == "at_only":
        state.control[build.find_hex(board, beyond)] = other(BUILDER)
    orders = [Order(index, str(record["order"]), {}) for index, record in enumerate(case.orders)]
    ctx = context(state)
    drive(_building(ctx, str(case.given.get("player", BUILDER)), orders), dice_of(case))
    head = railhead(state)
    return Found({"railhead": board.name(head.at) if head else ""}, problems_of(ctx, orders))


def _building(ctx: Ctx[State], side: str, orders: Sequence[Order]) -> Proc[None]:
    build_railroad(ctx, side, orders, (), ())
    yield from ()


def _strip(at: str, beyond: str, supplied: str) -> Board:
    """A terminal, the railhead, the next hex; where that is not in supply no line leads into it overland."""
    chain = [hexes.code(20 + i, 10) for i in range(3)]
    board = Board(dict.fromkeys(chain, build.CLEAR))
    board.names = dict(zip(chain, ("terminal", at, beyond), strict=True))
    board.land[chain[0]] = build.CLEAR._replace(terminal=BUILDER)
    board.land[_side_hex(chain[1], chain)] = build.CLEAR
    build.set_line(board, "rail", chain[0], chain[1])
    board.unbuilt[LINE] = (chain[1], chain[2])
    if supplied == "at_only":
        build.set_side(board, chain[2], chain[1], "impassable")
    return board


def _side_hex(h: int, chain: Sequence[int]) -> int:
    """A hex beside the railhead that touches neither the terminal nor the next hex."""
    away = [c for c in chain if c != h]
    return next(n for n in hexes.neighbours(h) if n not in away and not any(hexes.adjacent(n, c) for c in away))


def _free(board: Board, h: int) -> int:
    return next(n for n in hexes.neighbours(h) if n in board.land and not board.names.get(n))

"""Positions on the whole map for the tests of Shifting Sands, and what is wrong with one order there."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.core import Problem
from adjudicator.shifting_sands.cases.board import context
from adjudicator.shifting_sands.cases.core import Case
from adjudicator.shifting_sands.movement import move_problems
from adjudicator.shifting_sands.redeploy import rd_problems
from adjudicator.shifting_sands.replacement import rebuild_problems
from adjudicator.shifting_sands.state import State
from tests.shifting_sands.support import Row, order, tree, with_cards


def real(*units: Row, **given: Any) -> State:
    """The map of the pack with these units and no others; control is that of the start where nothing else is said."""
    found = context(Case("test", "", (), {"board": "real", "units": list(units), **given}, (), {}, {}))
    return with_cards(found.state)


def set_up(board: str) -> State:
    """A scenario as it is set up: ``campaign`` or ``sonnenblume``."""
    return context(Case("test", "", (), {"board": board}, (), {}, {})).state


def rules(problems: list[Problem]) -> list[str]:
    """The rules that problems cite."""
    return [problem.rule for problem in problems]


def rd_faults(state: State, uid: str, **data: Any) -> list[str]:
    """The rules that bar a redeployment."""
    row = order(0, "rd", {key: tree(value) for key, value in {"unit": uid, **data}.items()})
    return rules(rd_problems(state, state.counter(uid).side, row))


def move_faults(state: State, uid: str, *path: str) -> list[str]:
    """The rules that bar a move; the space it starts from is activated for it."""
    state.markers[path[0]] = "move"
    return rules(move_problems(state, state.counter(uid).side, uid, path))


def rebuild_faults(state: State, kind: str, uid: str, **data: str) -> list[str]:
    """The rules that bar a replacement."""
    return rules(rebuild_problems(state, state.counter(uid).side, order(0, kind, {"unit": uid, **data})))

"""Works in the turn file to fill in: what engineers can do where they stand now (see template.py)."""

from __future__ import annotations

from adjudicator.engine.core import Order, Tree
from adjudicator.western_desert.damage import damage_words
from adjudicator.western_desert.divisional import OPTION
from adjudicator.western_desert.eligible import may_move
from adjudicator.western_desert.forts import begin_problems
from adjudicator.western_desert.labor import ENGINEERS
from adjudicator.western_desert.sites import SITES
from adjudicator.western_desert.state import State
from adjudicator.western_desert.words import only_by_counters, out_of_supply, short_name
from adjudicator.western_desert.works import plan_work

Row = dict[str, Tree]
JOBS: tuple[Row, ...] = (
    {"type": "repair", "what": "rail"},
    {"type": "repair", "what": "port"},
    {"type": "repair", "what": "airbase"},
    {"type": "build_airfield"},
    {"type": "demolish_port"},
)
NOT_YET = ("supply",)  # general supply is only determined when the initial phase is run


def engineers(state: State, side: str) -> list[str]:
    """Own construction engineers on the map."""
    return [uid for uid in state.side_units(side) if state.unit(uid).type == ENGINEERS]


def fort_lines(state: State, side: str) -> list[str]:
    """Forts and fortresses that engineers may begin; these orders stand above the first section."""
    if state.phase != "initial" or state.surprise:
        return []
    rows: list[Row] = []
    out, held = out_of_supply(state, side), only_by_counters(state, side)
    for uid in engineers(state, side):
        if uid in out:
            continue  # neither a line nor a counter could supply it: no order makes it build in this turn
        for kind in SITES:
            problems = begin_problems(state, side, Order(0, kind, {"unit": uid}))
            if all(problem.code in NOT_YET for problem in problems):
                rows.append({"type": kind, "unit": uid})
    if not rows:
        return []
    head = "  # Construction engineers in general supply may begin works where they stand (WD 14.A.fort)."
    names = ", ".join(short_name(state, uid) for uid in engineers(state, side) if uid in held)
    first = f"  # Only after a `general_supply` with a supply counter that serves them: {names}." if names else ""
    return [head, *([first] if first else []), *[line for row in rows for line in _lines(state, row)], ""]


def work_lines(state: State, side: str) -> list[str]:
    """Works that engineers can do now, with their points, where they stand; and what of the rest there is."""
    able = [uid for uid in engineers(state, side) if not may_move(state, side, uid)]
    if not able and not state.world.plays(OPTION):
        return []
    rows = [row for uid in able for row in _jobs(state, side, uid)] if state.phase != "initial" else []
    damaged = [text for uid in able for text in damage_words(state, state.hex_of(uid))]
    return [
        "",
        "  # Works (WD 14.A): `build_airfield`, `demolish_port`, `repair` (what: rail, port or airbase) by engineers,",
        "  # `damage_airbase` and `break_rail` by any unit that may. Each is paid with movement points of the phase.",
        *[f"  # Damaged here: {text}." for text in damaged],
        *[line for row in rows or _example(state, able) for line in _lines(state, row)],
        *_divisional(state),
    ]


def _jobs(state: State, side: str, uid: str) -> list[Row]:
    rows: list[Row] = [{**job, "unit": uid} for job in JOBS]
    plans = [(row, plan_work(state, side, Order(0, str(row["type"]), row))) for row in rows]
    return [row for row, made in plans if not made.problems and made.payers]


def _example(state: State, able: list[str]) -> list[Row]:
    return [{"type": "repair", "unit": uid, "what": "rail"} for uid in able[:1]]


def _divisional(state: State) -> list[str]:
    if not state.world.plays(OPTION):
        return []
    return [
        "  # Divisional engineers (option 33.D): one task by a division that neither moves nor attacks in this turn.",
        "  # - type: div_engineers",
        "  #   unit: UNIT",
        "  #   what: start_fort",
    ]


def _lines(state: State, row: Row) -> list[str]:
    """An order written out as comment, with the unit by the name players use."""
    said = {name: short_name(state, str(value)) if name == "unit" else str(value) for name, value in row.items()}
    first, *rest = said.items()
    return [f"  # - {first[0]}: {first[1]}", *[f"  #   {name}: {value}" for name, value in rest]]

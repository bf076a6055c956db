"""Orders of chance besides moves and attacks: overruns, supply on the move, railroads broken (see bots.py)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Order, Tree
from adjudicator.western_desert.divisional import OPTION as DIVISIONAL_OPTION
from adjudicator.western_desert.divisional import TASKS, divisional_problems
from adjudicator.western_desert.divisions import ASSEMBLE, BREAK, assemblies, breakdowns
from adjudicator.western_desert.forts import begin_problems
from adjudicator.western_desert.haul import plan_haul, reach, smp_left2
from adjudicator.western_desert.labor import ENGINEERS
from adjudicator.western_desert.mover import Field
from adjudicator.western_desert.overrun import overrun_options
from adjudicator.western_desert.railworks import plan_break
from adjudicator.western_desert.sites import SITES
from adjudicator.western_desert.state import State
from adjudicator.western_desert.stores import merge_problems, split_problems
from adjudicator.western_desert.supply import on_lines
from adjudicator.western_desert.works import plan_work

Row = dict[str, Tree]
BREAKDOWN_SHARE, ASSEMBLE_SHARE = 0.15, 0.4
OVERRUN_SHARE, HAUL_SHARE, SPLIT_SHARE, BREAK_SHARE, ADVANCE_SHARE = 0.7, 0.4, 0.2, 0.05, 0.7
FORT_SHARE, WORK_SHARE = 0.5, 0.5
DIVISIONAL = "div_engineers"


def overrun_rows(fld: Field, side: str, chance: Chance) -> list[tuple[tuple[str, ...], int, bool, Row]]:
    """Overruns out of the listing, no unit in two of them: units, hex, whether they advance, the order."""
    found: list[tuple[tuple[str, ...], int, bool, Row]] = []
    used: set[str] = set()
    fallen: set[int] = set()
    for (_origin, h), units in sorted(overrun_options(fld, side).items()):
        if h in fallen or used.intersection(units) or not chance.likely(OVERRUN_SHARE):
            continue
        used.update(units)
        fallen.add(h)
        row: Row = {"type": "overrun", "units": list(units), "hex": fld.state.board.name(h)}
        advance = chance.likely(ADVANCE_SHARE)
        found.append((units, h, advance, {**row, "advance": "all"} if advance else row))
    return found


def supply_rows(fld: Field, side: str, chance: Chance) -> list[Row]:
    """Counters split and merged, some of them moved within what SMPs are left; before any unit has moved."""
    state = fld.state
    own = [sid for sid in sorted(state.supply) if state.supply[sid].side == side]
    rows: list[Row] = []
    left2 = smp_left2(state, side)
    for sid in own:
        if not split_problems(state, side, sid) and chance.likely(SPLIT_SHARE):
            rows.append({"type": "supply_split", "counter": sid})
        elif _may_haul(fld, side, sid) and chance.likely(HAUL_SHARE):
            ends = reach(fld, sid, "", left2)
            if ends:
                to = chance.pick(sorted(ends))
                left2 -= ends[to][0]
                rows.append({"type": "supply_move", "counter": sid, "to": state.board.name(to)})
    moved = {str(row["counter"]) for row in rows}
    return rows + _merging(state, side, [sid for sid in own if sid not in moved], chance)


def _may_haul(fld: Field, side: str, sid: str) -> bool:
    """True where nothing but the end of the way could be wrong."""
    problems = plan_haul(fld, side, Order(0, "supply_move", {}), sid).problems
    return all(problem.code == "to" for problem in problems)


def _merging(state: State, side: str, own: Sequence[str], chance: Chance) -> list[Row]:
    for i, one in enumerate(own):
        for other in own[i + 1 :]:
            if not merge_problems(state, side, [one, other]) and chance.likely(SPLIT_SHARE):
                return [{"type": "supply_merge", "counters": [one, other]}]
    return []


def division_rows(
    state: State, side: str, chance: Chance
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...], int, Row]]:
    """Divisions to break down and to assemble: what goes, what comes, where, the order."""
    for uid, form in breakdowns(state, side):
        if chance.likely(BREAKDOWN_SHARE):
            parts = tuple(state.parts_of(uid))
            yield (uid,), parts, state.hex_of(uid), {"type": BREAK, "unit": uid, "into": form}
    for uid, h, units in assemblies(state, side):
        if chance.likely(ASSEMBLE_SHARE):
            yield units, (uid,), h, {"type": ASSEMBLE, "into": uid, "units": list(units)}


def fort_rows(state: State, side: str, chance: Chance) -> list[Row]:
    """Forts and improvements begun where construction engineers stand, before the first section."""
    rows: list[Row] = []
    done: set[int] = set()
    for uid in sorted(on_lines(state, side)):
        if state.unit(uid).type != ENGINEERS or state.hex_of(uid) in done or not chance.likely(FORT_SHARE):
            continue
        kinds = [kind for kind in sorted(SITES) if not begin_problems(state, side, Order(0, kind, {"unit": uid}))]
        rows += [{"type": kind, "unit": uid} for kind in kinds]
        done.add(state.hex_of(uid))
    return rows


def work_rows(state: State, side: str, units: Sequence[str], chance: Chance) -> list[Row]:
    """Works of units that stay where they are, one in a hex; after all moves, as :func:`breaking_rows`."""
    rows: list[Row] = []
    done: set[int] = set()
    divisional = False
    for uid in units:
        if state.hex_of(uid) in done:
            continue
        wanted = [row for row in _works_of(state, uid, chance) if not (divisional and row["type"] == DIVISIONAL)]
        lawful = [row for row in wanted if not _work_problems(state, side, row)]
        if lawful:
            rows.append(chance.pick(lawful))
            divisional = divisional or rows[-1]["type"] == DIVISIONAL
            done.add(state.hex_of(uid))
    return rows


def _works_of(state: State, uid: str, chance: Chance) -> list[Row]:
    """What a unit might work on; engineers do so more often than others damage a base they stand on."""
    engineers = state.unit(uid).type == ENGINEERS
    if not chance.likely(WORK_SHARE if engineers else BREAK_SHARE):
        return []
    found: list[Row] = [{"type": "damage_airbase", "unit": uid, "hits": "1"}]
    if engineers:
        found += [{"type": kind, "unit": uid} for kind in ("build_airfield", "demolish_port")]
        found += [{"type": "repair", "unit": uid, "what": what} for what in ("rail", "port", "airbase")]
    return [*found, *_divisional_works(state, uid)]


def _divisional_works(state: State, uid: str) -> list[Row]:
    if not state.world.plays(DIVISIONAL_OPTION) or state.divisional:
        return []
    return [{"type": DIVISIONAL, "unit": uid, "what": task} for task in TASKS]


def _work_problems(state: State, side: str, row: Row) -> bool:
    order = Order(0, str(row["type"]), row)
    if order.type == DIVISIONAL:
        return bool(divisional_problems(state, side, order))
    return bool(plan_work(state, side, order).problems)


def breaking_rows(state: State, side: str, units: Sequence[str], chance: Chance) -> list[Row]:
    """Units that break the railroad where they stand; after all moves, so that nobody rides over it any more."""
    rows: list[Row] = []
    done: set[int] = set()
    for uid in units:
        h = state.hex_of(uid)
        if h in done or not chance.likely(BREAK_SHARE):
            continue
        if not plan_break(state, side, Order(0, "break_rail", {"unit": uid})).problems:
            done.add(h)
            rows.append({"type": "break_rail", "unit": uid})
    return rows

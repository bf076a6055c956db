"""Special forces in cases: who was used, who comes in, who is in an operation (WD 27, 29.A.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from adjudicator.engine.core import Problem
from adjudicator.western_desert.air.facts import is_airbase
from adjudicator.western_desert.arrivals import bring
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.build import find_hex, full_record, new_state, unit_from_record
from adjudicator.western_desert.cases.core import Case, Record, as_records
from adjudicator.western_desert.cases.drive import context
from adjudicator.western_desert.cases.walks import set_moment
from adjudicator.western_desert.landing import landing_problems
from adjudicator.western_desert.state import State, turn_name
from adjudicator.western_desert.theatre.forces import READY
from adjudicator.western_desert.theatre.record import Operation
from adjudicator.western_desert.theatre.special import ITALIAN, SIDE

USUAL_TURN = "Jul II 42"
MALTA = "Valletta"
POOL = "italian_1942"


def used_in_1942(state: State) -> None:
    """The unit U was used in a special operation of 1942, and the turn would bring it (WD 29.A.2.nospecial)."""
    row = {"unit": "U", "turn": turn_name(state.turn), "side": state.player, "kind": "reinforce", "area": "europe"}
    state.world.events = ({**row, "unless_special": "own"},)
    state.theatre = replace(state.theatre, spent=frozenset([f"{ITALIAN}/U"]))
    state.boxes.pop("U", None)
    bring(context(state), state.player, ())


def special_comes(case: Case, record: Record) -> list[Problem]:
    """A unit of the pools that was announced for this turn comes in at a base of the place or country that is named."""
    state = new_state(build.real_world().board, SIDE, "initial")
    board = state.board
    state.world = replace(state.world, areas=build.real_world().areas, events=())
    set_moment(state, {"turn": USUAL_TURN, **case.given})
    told = full_record(case, next(iter(as_records(case.given.get("units")))))
    state.world.units["U"] = unit_from_record(case, {**told, "n": 1, "id": "U"}, SIDE)[0]
    state.put_by("U", READY)
    enter(state, "U", str(told["special"]), 1, used=False)
    named = str(record["at"])
    bases = [h for h in sorted(board.land) if board.in_region(h, named) and is_airbase(state, h)]
    to = bases[0] if bases else find_hex(board, named)
    state.control[to] = SIDE
    return landing_problems(state, SIDE, "U", to)


def enter(state: State, uid: str, wave: str, turn_of_it: int, used: bool = True) -> None:
    """A unit is in an operation against Malta, on so many-th turn of it, by air or by sea."""
    row: Mapping[str, object] = {"kind": "special", "unit": uid, "pool": POOL, "wave": wave}
    state.world.events = (*state.world.events, row)
    state.world.cache.pop("special forces", None)
    target = find_hex(build.real_world().board, MALTA)
    one = Operation(uid, ITALIAN, state.turn - (turn_of_it - 1), target, used)
    state.theatre = replace(state.theatre, operations=(*state.theatre.operations, one))

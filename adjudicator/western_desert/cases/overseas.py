"""Voyages to Tunisia in cases (CASE-FORMS 6, WD 32.C): each item judged as the game judges its order."""

from __future__ import annotations

from dataclasses import replace

from adjudicator.engine.casecheck import Found
from adjudicator.engine.core import Order, Problem
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.core import Case
from adjudicator.western_desert.cases.harbours import cargo_of
from adjudicator.western_desert.sea.tunisia import EUROPE, SIDE, send_problems
from adjudicator.western_desert.sea.voyages import COUNTER, POINT, TUNISIA, Item, status_for
from adjudicator.western_desert.state import Depot, State

POINT8 = 8


def to_tunisia(case: Case) -> Found:
    """What keeps each item from being sent to Tunisia, and the status that its dice are read at."""
    side = str(case.given.get("player", SIDE))
    state = build.new_state(build.real_world().board, side, "initial", side)
    state.world = replace(state.world, switches=case.switches)
    state.malta = int(str(case.given.get("status", 0)))
    found = Found({"status_used": status_for(state, TUNISIA)})
    found.verdicts = [_problems(state, side, item) for item in cargo_of(case)]
    return found


def _problems(state: State, side: str, item: Item) -> list[Problem]:
    """The item waits in Europe, and an order sends it."""
    data = {"via": TUNISIA}
    if item.kind == POINT:
        state.afar[item.name] = POINT8
        data["rp"] = item.name
    elif item.kind == COUNTER:
        state.depots[item.name] = Depot(EUROPE, side, item.steps)
        data["counter"] = item.name
    else:
        state.world.units[item.name] = build.make_unit(item.name, {"printed": 1}, side)
        state.put_by(item.name, EUROPE)
        data["unit"] = item.name
    return send_problems(state, side, Order(0, "reinforce", {**data}))

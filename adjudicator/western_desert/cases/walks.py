"""The strip that cases of movement walk (CASE-FORMS 6, form move) and what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from adjudicator.engine.casecheck import Found, NotBuilt, as_number
from adjudicator.engine.core import Ctx, Order, Problem, Tree
from adjudicator.western_desert import hexes
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.board import HexInfo
from adjudicator.western_desert.cases.build import (
    beyond,
    full_record,
    lone,
    mp_used,
    new_state,
    put_all,
    set_features,
    set_hex,
    set_line,
    set_side,
    strip_board,
    unit_from_record,
)
from adjudicator.western_desert.cases.core import Case, Record, as_record, as_records, as_texts
from adjudicator.western_desert.graph import LEVANT
from adjudicator.western_desert.state import ENEMY, State, Supply, turn_number
from adjudicator.western_desert.theatre.invading import invade

STEPS_PER_COUNTER = 2
SHIP = "ship"


def set_moment(state: State, given: Record) -> None:
    """Turn, player and phase of a case, where it gives them."""
    turn = str(given.get("turn", ""))
    if turn == "surprise":
        state.surprise = True
    elif turn not in ("", "any"):
        state.turn = turn_number(turn)
    state.player = str(given.get("player", state.player))
    state.phase = state.step = str(given.get("phase", state.phase))


def problems_of(ctx: Ctx[State], orders: Sequence[Order]) -> list[list[Problem]]:
    """The problems of each order; those that no order caused count to the last one."""
    found: list[list[Problem]] = [[] for _ in orders]
    for problem in ctx.problems:
        found[len(orders) - 1 if problem.order is None else problem.order].append(problem)
    return found


@dataclass
class Strip:
    """A position on a strip: its hexes, the step records of each, and who is to walk it."""

    state: State
    path: list[int]
    steps: list[Record]
    side: str
    ids: list[str] = field(default_factory=list)
    transport: str = ""

    def order(self, index: int, mode: str, only: Sequence[str] = ()) -> Order:
        """Walk the whole strip, each hex entered as its step says; all units, or those named."""
        name = self.state.board.name
        path: list[Tree] = [name(h) for h in self.path[1:]]
        means: list[Tree] = [str(step.get("by", "foot")) for step in self.steps[1:]]
        units: list[Tree] = list(only or self.ids)
        data: dict[str, Tree] = {"units": units, "path": path, "by": means}
        if mode != "normal":
            data["mode"] = mode
        if self.transport:
            data["transport"] = self.transport
        return Order(index, "move", data)


def expand(value: object) -> list[Record]:
    """Step records, an entry with ``n`` as n equal ones."""
    found: list[Record] = []
    for record in as_records(value):
        found += [record] * int(str(record.get("n", 1)))
    return found


def side_of(case: Case, records: Sequence[Record], owner: str = "allied") -> str:
    """The owner of the first unit of records."""
    for record in records:
        return unit_from_record(case, {**full_record(case, record), "n": 1, "id": "probe"}, owner)[0].side
    return owner


def strip_of(case: Case) -> Strip:
    """The position of a case of the form move."""
    given = case.given
    records = as_records(given.get("units"))
    side = side_of(case, records, str(given.get("player", "allied")))
    vichy = as_record(given.get("vichy"))
    side = str(vichy["held_by"]) if side not in ENEMY and vichy.get("held_by") in ENEMY else side
    if side not in ENEMY:
        raise NotBuilt("rule 28.C: Vichy forces that nobody controls")
    steps = expand(given.get("path"))
    board, path = strip_board(len(steps))
    state = new_state(board, player=side, phase="movement", owner=side)
    strip = Strip(state, path, steps, side)
    for index, step in enumerate(steps):
        draw_step(case, strip, index, step)
    set_moment(state, given)
    link_city(strip, str(given.get("rail_city", "open")))
    for record in records:
        _place_movers(case, strip, record)
    if vichy:
        set_vichy(state, vichy, side)
    _place_transport(case, strip)
    return strip


def set_vichy(state: State, record: Record, side: str) -> None:
    """The state of the Vichy rules; an invasion that the case is about is announced, as it is before any movement."""
    held, grant = (str(record.get(key, "none")) for key in ("held_by", "grant"))
    grant = "" if grant == "none" else grant
    if held in ENEMY:
        state.theatre = replace(state.theatre, vichy=held, grant=grant)
        state.swear(held)
        return
    state.theatre = replace(state.theatre, grant=grant)
    if side == "allied" or record.get("axis_invades") is True:
        invade(Ctx(state, apply), side, ())


def _place_movers(case: Case, strip: Strip, record: Record) -> None:
    used = case.given.get("mp_used")
    full = {**full_record(case, record), **({"mp_used": used} if used is not None else {})}
    for uid in put_all(case, strip.state, [full], strip.path[0]):
        strip.ids.append(uid)
        mp_used(case, full, strip.state, uid)


def _place_transport(case: Case, strip: Strip) -> None:
    record = as_record(case.given.get("transport"))
    if record:
        h = strip.state.board.find(str(record.get("at", "P0")))
        (strip.transport,) = put_all(case, strip.state, [record], h, strip.side)


def draw_step(case: Case, strip: Strip, index: int, step: Record) -> None:
    """Print one hex of the strip and place what is in and around it."""
    state, h = strip.state, strip.path[index]
    board, enemy = state.board, ENEMY[strip.side]
    features = as_texts(step.get("features"))
    set_hex(board, h, str(step.get("terrain", "clear")), features)
    _draw_region(state, h, str(step.get("region", "")))
    set_features(state, h, features, strip.side)
    if index:
        before = strip.path[index - 1]
        set_side(board, before, h, str(step.get("hexside", "")))
        _draw_line(strip, before, h, step)
    if "other_hexside" in step:
        set_side(board, lone(h), h, str(step["other_hexside"]))
    if "has_line" in step:
        set_line(board, str(step["has_line"]), h, lone(h))
    _draw_state(strip, h, step)
    put_all(case, state, as_records(step.get("units")), h, strip.side)
    put_all(case, state, as_records(step.get("enemy")), h, enemy)
    put_all(case, state, as_records(step.get("adjacent_enemy")), lone(h), enemy)
    put_all(case, state, as_records(step.get("enemy_at_two")), beyond(h), enemy)
    put_supply(state, h, enemy, int(str(step.get("enemy_supply", 0))))


def _draw_region(state: State, h: int, region: str) -> None:
    region = LEVANT if region == LEVANT.lower() else region
    if region:
        info = state.board.land[h]
        state.board.land[h] = HexInfo(info.terrain, regions=(region,), cities=info.cities, fortress=info.fortress)


def _draw_line(strip: Strip, before: int, h: int, step: Record) -> None:
    line = str(step.get("line", ""))
    if step.get("by") == SHIP:
        for port in (before, h):
            strip.state.board.land[port] = strip.state.board.land[port]._replace(port="standard")
        return
    if line and step.get("built") is False:
        strip.state.board.unbuilt[f"line {strip.state.board.name(h)}"] = (before, h)
    else:
        set_line(strip.state.board, line, before, h)


def _draw_state(strip: Strip, h: int, step: Record) -> None:
    state, enemy = strip.state, ENEMY[strip.side]
    control = str(step.get("control", "own"))
    if control == "enemy":
        state.control[h] = enemy
    elif control == "this_turn":
        state.taken[h] = enemy
    if step.get("ezoc") is True:
        state.overlay_zoc.setdefault(enemy, set()).add(h)
    if str(step.get("broken", "")).lower() in ("yes", "true"):
        state.broken.add(h)
    harassed = as_number(step.get("harassed"))
    if harassed:
        state.harassed[h] = int(harassed)


def put_supply(state: State, h: int, side: str, steps: int, name: str = "") -> None:
    """Supply steps in a hex, in counters of at most two."""
    while steps > 0:
        sid = name or f"supply-{len(state.supply) + 1}"
        state.supply[sid] = Supply(h, side, min(steps, STEPS_PER_COUNTER))
        steps -= STEPS_PER_COUNTER


def link_city(strip: Strip, city: str) -> None:
    """The full hex city that Axis rail movement needs (WD 7.A.axis), joined to where the ride begins."""
    rides = [i for i, step in enumerate(strip.steps) if step.get("by") == "rail"]
    if strip.side != "axis" or city == "none" or not rides:
        return
    state, start = strip.state, strip.path[rides[0] - 1]
    first = hexes.neighbours(start)[5 if hexes.column(start) % 2 else 4] if rides[0] == 1 else lone(start)
    chain = [start, first]
    if city == "cut_by_ezoc":
        chain.append(hexes.neighbours(first)[5])
        state.overlay_zoc.setdefault(ENEMY[strip.side], set()).add(first)
    for a, b in pairwise(chain):
        set_line(state.board, "rail", a, b)
    set_hex(state.board, chain[-1], "full_city")


def found_of(ctx: Ctx[State], orders: Sequence[Order]) -> Found:
    """Verdicts and what enemy supply came to."""
    found = Found(verdicts=problems_of(ctx, orders))
    captured = [event for event in ctx.events if event.kind == "captured"]
    total = {"captured": sum(int(str(e.data["captured"])) for e in captured)}
    total["eliminated"] = sum(int(str(e.data["eliminated"])) for e in captured)
    found.values["supply"] = total
    return found

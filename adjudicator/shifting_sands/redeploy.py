"""Redeployment: by land, by sea, out of and into the reserve box (SS 7.3, 12). :func:`rd_problems` is its one legality.

It changes nothing. What a space may hold is judged when the redeployment of the round is over (SS 8.2).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from adjudicator.engine.core import Order, Problem
from adjudicator.shifting_sands.access import LRDG, MALTA, blocked, crossing, entry
from adjudicator.shifting_sands.effects import in_force
from adjudicator.shifting_sands.events.limits import confined, not_theirs
from adjudicator.shifting_sands.losses import RESERVE
from adjudicator.shifting_sands.nations import MINORS
from adjudicator.shifting_sands.stacking import room
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.supply import OUT, serves, supply
from adjudicator.shifting_sands.world import SICILY, Counter, Record, text, texts

LAND, SEA, FROM_RESERVE, TO_RESERVE, DESERT = "land", "sea", "from_reserve", "to_reserve", "lrdg"
MODES = (LAND, SEA, FROM_RESERVE, TO_RESERVE, DESERT)
DIVISION_POINTS, GROUP_POINTS = 3, 1
DEEP_DESERT, CAIRO, ADDIS = "Deep Desert", "Cairo", "Addis Ababa"
AXIS_PORTS, WEST_PORTS = ("Libya", "Egypt"), ("Tunis", "Bizerte")
MANY = 99
HOMES = {"VF": ("Syria", "SS 12.8"), "IR": ("Iraq", "SS 12.8")}


def points_of(unit: Counter) -> int:
    """What redeploying a unit costs, full or reduced (SS 12.2)."""
    return DIVISION_POINTS if unit.division else GROUP_POINTS


def rd_problems(state: State, side: str, order: Order) -> list[Problem]:
    """Why a unit may not be redeployed as ordered (SS 12.1, 12.3)."""
    uid, mode = order.text("unit"), order.text("mode") or guessed(state, order)
    piece = state.pieces.get(uid)
    if piece is not None and piece.at == "@eliminated":
        return [Problem("gone", "SS 12.2", f"{uid} is out of the game", "leave it out", field="unit")]
    if piece is None or state.counter(uid).side != side or piece.at in ("@replacement", "@unplaced"):
        said = f"{uid} is not one of your units in play"
        return [Problem("unit", "SS 12.1", said, "leave the order out", field="unit")]
    if piece.redeployed:
        said = f"{uid} has redeployed in this round"
        return [Problem("again", "SS 12.3", said, "leave one of the two out", field="unit")]
    found = _unclear(state, order)
    if found:
        return found
    if not state.active_unit(uid):
        return [Problem("neutral", "SS 10.41", f"{uid} is not released yet", "leave it out", field="unit")]
    cost, left = points_of(state.counter(uid)), state.rd_left
    if left is not None and cost > left:
        said = f"{uid} costs {cost} points of redeployment, {left} are left"
        return [Problem("points", "SS 12.2", said, "leave it out", field="unit")]
    unit = state.counter(uid)
    barred = newcomer(state, uid) or not_theirs(state, unit) or confined(state, unit, piece.at, end_of(order, mode))
    if barred is not None:
        return [barred]
    judge = _MODES.get(mode)
    if judge is None:
        return [Problem("mode", "SS 12.1", f"there is no redeployment {mode!r}", f"one of {', '.join(MODES)}")]
    return judge(state, uid, order)


def newcomer(state: State, uid: str) -> Problem | None:
    """A division is not redeployed in the action round in which it came into play, by house rule not in that turn
    (SS faq.rules.17, ruling A33)."""
    came, span = state.arrived.get(uid), state.world.switch("rd_arrival_ban", "round")
    if came is None or not state.counter(uid).division or (span == "round" and came != state.round):
        return None
    said = f"{uid} came into play in this {span}"
    return Problem("arrived", "SS faq.rules.17", said, f"redeploy it in a later {span}", field="unit")


def _unclear(state: State, order: Order) -> list[Problem]:
    """Orders that say two things, or lead into a box that nobody redeploys to."""
    path, to = order.texts("path"), order.text("to")
    if to.startswith("@") and to != RESERVE:
        said = "units redeploy into the reserve box alone"
        return [Problem("to", "SS 12.84", said, f"to: '{RESERVE}'", field="to")]
    if path and to and path[-1] != to:
        said = f"`to` is {to}, the path ends in {path[-1]}"
        return [Problem("way", "SS 12.1", said, "leave one of the two out", field="to")]
    again = next((name for n, name in enumerate(path) if name in path[:n]), "")
    if again:
        said = f"the path comes back to {again}"
        return [Problem("loop", "SS 12.6", said, "name each space once", field="path")]
    return []


def guessed(state: State, order: Order) -> str:
    """How a unit goes where the order does not say: out of the box it stands in, into the one it names, else by land,
    and by sea where the path is two ports that no line joins."""
    piece, path = state.pieces.get(order.text("unit")), order.texts("path")
    if piece is not None and piece.at == RESERVE:
        return FROM_RESERVE
    if order.text("to") == RESERVE:
        return TO_RESERVE
    if set(path) == {CAIRO, DEEP_DESERT}:
        return DESERT
    return SEA if len(path) == 2 and state.world.link(*path) is None else LAND


def end_of(order: Order, mode: str) -> str:
    """Where a redeployment ends."""
    if mode == TO_RESERVE:
        return RESERVE
    return order.text("to") if mode == FROM_RESERVE else next(reversed(order.texts("path")), "")


# --- over the map -------------------------------------------------------------------------------------------------


def _in_supply(state: State, uid: str) -> list[Problem]:
    """Units must be in supply to redeploy (SS 12.5, 13.72)."""
    if supply(state, uid).status != OUT:
        return []
    return [Problem("supply", "SS 12.5", f"{uid} is out of supply and can't redeploy", "leave it out", field="unit")]


def _start(state: State, uid: str, path: Sequence[str]) -> list[Problem]:
    piece = state.pieces[uid]
    if not state.on_map(uid):
        said = f"{uid} is in the reserve box"
        return [Problem("box", "SS 12.8", said, "mode: from_reserve, and the space in to", field="unit")]
    if not path:
        said, hint = f"no way is named for {uid}", f"path: {piece.at}, and every space to the end"
        return [Problem("path", "SS 12.6", said, hint, field="to")]
    if path[0] != piece.at:
        hint = f"begin the path with {piece.at}"
        return [Problem("start", "SS 12.6", f"{uid} stands in {piece.at}", hint, field="path")]
    if len(path) < 2:
        return [Problem("path", "SS 12.6", "the path enters no space", "name the spaces to enter", field="path")]
    return _in_supply(state, uid)


def _land(state: State, uid: str, order: Order) -> list[Problem]:
    """By land from space to space under own control, of any length (SS 12.6, 12.61, faq.rules.18, faq.rules.19)."""
    path, unit = order.texts("path"), state.counter(uid)
    found = _start(state, uid, path)
    if found:
        return found
    for number, (a, b) in enumerate(pairwise(path), 1):
        last = number == len(path) - 1
        problem = _step(state, unit, a, b, last)
        if problem is not None:
            return [replace(problem, field="path")]
        link = state.world.link(a, b)
        if link is not None and link.rd_stops and not last:
            said = f"who redeploys between {a} and {b} stops at once"
            return [Problem("nile", "SS 12.61", said, f"end the path in {b}", field="path")]
    return _unsupplied_end(state, uid, path[-1])


def _step(state: State, unit: Counter, a: str, b: str, last: bool) -> Problem | None:
    """Why a unit may not be redeployed from a space into the next one (SS 12.6)."""
    problem = crossing(state.world.link(a, b), unit, a, b) or entry(state, unit, b)
    if problem is not None:
        return problem
    if state.owner(b) != unit.side:
        return Problem("control", "SS 12.6", f"{b} is not under your control", "go another way", field="path")
    if state.world.spaces[b].box:
        return Problem("box", "SS 12.7", f"{b} is reached by sea alone", "mode: sea, with the two ports", field="path")
    return blocked(state, unit, b, last)


def _sea(state: State, uid: str, order: Order) -> list[Problem]:
    """By sea from one own port to another (SS 12.7, faq.rules.18)."""
    path, unit = order.texts("path"), state.counter(uid)
    found = _start(state, uid, path)
    if found:
        return found
    if len(path) != 2:
        said = "a unit goes by sea from one port to another, in one go"
        return [Problem("path", "SS 12.7", said, "path: the two ports", field="path")]
    for name in path:
        problem = port_problem(state, unit, name)
        if problem is not None:
            return [problem if order.text("mode") else _neither(problem, path)]
    problem = entry(state, unit, path[1]) or blocked(state, unit, path[1], True)
    return [replace(problem, field="path")] if problem is not None else []


def _neither(problem: Problem, path: Sequence[str]) -> Problem:
    """What is wrong with two spaces that no line joins, and which are no ports to sail between."""
    said = f"no line joins {path[0]} and {path[1]}, and by sea {problem.text}"
    return replace(problem, text=said, hint="name every space of the path, or two ports")


def port_problem(state: State, unit: Counter, name: str) -> Problem | None:
    """Why a side may not redeploy from or to a port (SS 12.7, 12.71, 12.72, 12.73, faq.rules.30)."""
    space = state.world.spaces.get(name)
    if name == MALTA:
        return Problem("malta", "SS 12.73", "no unit redeploys to Malta", "name another port", field="path")
    if space is None or not (space.port or name == SICILY):
        return Problem("port", "SS 12.7", f"{name} is no port", "name another port", field="path")
    if unit.side == "axis" and not _axis_port(state, name):
        said = f"{name} serves no Axis redeployment by sea"
        return Problem("port", "SS 12.71", said, "name another port", field="path")
    if unit.side == "allied" and (name == SICILY or (name in WEST_PORTS and not _opened(state, unit.side, name))):
        said = f"{name} serves no Allied redeployment by sea"
        return Problem("port", "SS 12.72", said, "name another port", field="path")
    if name != SICILY and state.owner(name) != unit.side:
        return Problem("control", "SS 12.7", f"{name} is not under your control", "name another port", field="path")
    return None


def _axis_port(state: State, name: str) -> bool:
    """Ports of Libya and Egypt, the Sicily Box, and what an event adds (SS 12.71, faq.rules.35)."""
    if name == SICILY:
        return True
    in_africa = any(state.world.in_region(name, region) for region in AXIS_PORTS)
    return in_africa or _opened(state, "axis", name)


def _opened(state: State, side: str, name: str) -> bool:
    """Whether an event in force makes a port one of a side's for redeployment (SS 12.71, 12.72)."""
    effects = (effect for _event, effect in in_force(state, "rd_ports") if text(effect, "side") == side)
    return any(name in texts(effect, "spaces") for effect in effects)


# --- the boxes ----------------------------------------------------------------------------------------------------


def _from_reserve(state: State, uid: str, order: Order) -> list[Problem]:
    """Out of the reserve box, to a source or to a supplied unit of the same nationality (SS 12.8).

    Rules: SS 12.82, faq.rules.22.
    """
    unit, to = state.counter(uid), order.text("to")
    if state.pieces[uid].at != RESERVE:
        return [Problem("box", "SS 12.8", f"{uid} is not in the reserve box", "name its way in path", field="unit")]
    if to not in state.world.spaces:
        said = f"{uid} stands in the reserve box: it goes straight to its space, by no way"
        hint = f"to: {next(reversed(order.texts('path')), 'SPACE')}, without a path"
        return [Problem("to", "SS 12.8", said, hint, field="path")]
    problem = _home(state, unit, to) or entry(state, unit, to) or blocked(state, unit, to, True)
    if problem is not None:
        hint = problem.hint.replace("go another way", "name another space")
        return [replace(problem, hint=hint, field="to")]
    if not _joins(state, unit, to) and _near_company(state, unit, to):
        said = "one German infantry battlegroup a turn joins those of the Near East"
        why = "one has" if state.german_company else f"{uid} is armor"
        return [Problem("company", "SS 12.83", f"{said}: {why}", "redeploy another way", field="to")]
    if not _joins(state, unit, to):
        said = f"{to} holds neither a supply source of {uid} nor a supplied unit of its nationality"
        return [Problem("where", "SS 12.8", said, "name a space that does", field="to")]
    if room(state, to, unit.side, unit.nation) < 1:
        return [Problem("stack", "SS 8.1", f"{to} is full", "name a space with room", field="to")]
    return []


def _joins(state: State, unit: Counter, to: str) -> bool:
    """Whether a battlegroup may appear in a space (SS 12.8, 12.83, faq.rules.20, faq.rules.31)."""
    if unit.kind == LRDG and to == DEEP_DESERT:
        return True
    if unit.nation == "EG" and state.owner(to) == "axis":
        return True
    if state.owner(to) == unit.side and serves(state, unit, to):
        return True
    beside = [uid for uid in state.friends(to, unit.side) if _alike(state.counter(uid), unit)]
    if any(supply(state, uid).status != OUT for uid in beside if state.active_unit(uid)):
        return True
    return _company(state, unit, to)


def _alike(one: Counter, two: Counter) -> bool:
    """The same nationality; Allied minor nations are British (SS 12.8)."""
    return _nation(one) == _nation(two)


def _nation(unit: Counter) -> str:
    """Nationality as SS 12.8 counts it: minor nations are British (SS faq.rules.24, faq.rules.25, faq.rules.26)."""
    return "BR" if unit.nation in MINORS else unit.nation


def _company(state: State, unit: Counter, to: str) -> bool:
    """Whether a battlegroup joins those of its event; so many of a kind do in a turn (SS 12.83)."""
    able = (e for e in _companies(state, unit, to) if _same_troops(unit, text(e, "unit")))
    return any(state.german_company < int(text(effect, "per_turn")) for effect in able)


def _near_company(state: State, unit: Counter, to: str) -> bool:
    """Whether a battlegroup would join those that an event lets it join, SS 12.83."""
    return bool(_companies(state, unit, to))


def _companies(state: State, unit: Counter, to: str) -> list[Record]:
    """The effects in force by which battlegroups of a nation join units that stand in a space."""
    there = [state.counter(uid) for uid in state.friends(to, unit.side)]
    return [
        effect
        for _event, effect in in_force(state, "rd_company")
        if not unit.division and text(effect, "unit").startswith(f"{unit.nation} ")
        and any(state.world.in_region(to, region) for region in texts(effect, "region"))
        and any(_hosts(effect, one) for one in there)
    ]


def _hosts(effect: Record, unit: Counter) -> bool:
    """Whether a unit is one that others join: a battlegroup of these nations, or one of these units."""
    return (unit.nation in texts(effect, "nations") and not unit.division) or unit.kind in texts(effect, "units")


def _same_troops(unit: Counter, kind: str) -> bool:
    """Whether a battlegroup is of a nation and type: any German infantry battlegroup is a ``GE inf BG``."""
    return unit.kind == kind or kind == f"{unit.nation} {unit.type[:3]} BG"


def by_company(state: State, unit: Counter, to: str) -> bool:
    """Whether a battlegroup could appear in a space by SS 12.83 alone, which uses the one of the turn."""
    if not _company(state, unit, to):
        return False
    trial = state.copy()
    trial.german_company = MANY
    return not _joins(trial, unit, to)


def _home(state: State, unit: Counter, to: str) -> Problem | None:
    """Vichy French, Iraqis and Egyptians of the reserve stay in their lands (SS 12.8)."""
    region, rule = HOMES.get(unit.nation, ("", ""))
    if region and not state.world.in_region(to, region):
        said = f"{unit.id} comes out of the reserve box in {region} only"
        return Problem("home", rule, said, f"name a space in {region}", field="to")
    space = state.world.spaces[to]
    if unit.nation == "EG" and not (space.vp and state.world.in_region(to, "Egypt")):
        said = f"{unit.id} comes into victory point spaces of Egypt only"
        return Problem("home", "SS 12.8", said, "name one of these", field="to")
    return None


def _to_reserve(state: State, uid: str, order: Order) -> list[Problem]:
    """Battlegroups into the reserve box (SS 12.84)."""
    unit = state.counter(uid)
    if unit.division:
        said = f"{uid} is a division; battlegroups alone may go there"
        return [Problem("division", "SS 12.84", said, "leave it out", field="unit")]
    if not state.on_map(uid):
        return [Problem("box", "SS 12.84", f"{uid} is not on the map", "leave it out", field="unit")]
    if unit.nation == "IT" and state.world.in_region(state.pieces[uid].at, "East Africa"):
        said = "Italian battlegroups of East Africa can't go to the reserve box"
        return [Problem("east-africa", "SS 12.84", said, "leave it out", field="unit")]
    return _in_supply(state, uid)


def _desert(state: State, uid: str, order: Order) -> list[Problem]:
    """The LRDG between Cairo and the Deep Desert, without a way (SS 12.6, 12.81)."""
    unit, path = state.counter(uid), order.texts("path")
    if unit.kind != LRDG:
        said = f"{uid} is not the LRDG, which alone goes that way"
        return [Problem("lrdg", "SS 12.81", said, "leave it out", field="unit")]
    if sorted(path) != sorted((CAIRO, DEEP_DESERT)):
        said = "the LRDG goes so between Cairo and the Deep Desert"
        return [Problem("path", "SS 12.6", said, f"path: {CAIRO}, {DEEP_DESERT}, or back", field="path")]
    found = _start(state, uid, path)
    if found or path[1] == DEEP_DESERT:
        return found
    if state.owner(CAIRO) != unit.side:
        return [Problem("control", "SS 12.6", f"{CAIRO} is not under your control", "leave it out", field="path")]
    return _unsupplied_end(state, uid, CAIRO)


def _unsupplied_end(state: State, uid: str, end: str) -> list[Problem]:
    """A redeployment by land ends where the unit is in supply (SS 12.6)."""
    if supply(state, uid, end).status != OUT:
        return []
    said = f"{uid} would be out of supply in {end}"
    return [Problem("supply", "SS 12.6", said, "end where it would be supplied", field="path")]


_MODES: dict[str, Callable[[State, str, Order], list[Problem]]] = {
    LAND: _land,
    SEA: _sea,
    FROM_RESERVE: _from_reserve,
    TO_RESERVE: _to_reserve,
    DESERT: _desert,
}


# --- listing ------------------------------------------------------------------------------------------------------


def land_ways(state: State, uid: str) -> dict[str, list[str]]:
    """Every space to which a unit may redeploy by land, with a shortest path; ties go by name."""
    unit, start = state.counter(uid), state.pieces[uid].at
    found: dict[str, list[str]] = {start: [start]}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for there in state.world.neighbours(here):
            link = state.world.link(here, there)
            if there in found or link is None or _step(state, unit, here, there, False) is not None:
                continue
            found[there] = [*found[here], there]
            if not link.rd_stops:
                queue.append(there)
    orders = {end: Order(0, "rd", {"unit": uid, "mode": LAND, "path": [*path]}) for end, path in found.items()}
    return {end: found[end] for end, order in orders.items() if len(found[end]) > 1 and not _land(state, uid, order)}

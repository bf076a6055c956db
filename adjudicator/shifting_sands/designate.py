"""Designating a combat (SS 11.1, 11.22, 11.274, 11.3): who may attack what with whom."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Order, Problem
from adjudicator.shifting_sands.access import hostile
from adjudicator.shifting_sands.activation import ATTACK
from adjudicator.shifting_sands.fire import Combat, effective_terrain, rommel_shift, terrain_row
from adjudicator.shifting_sands.nations import group_of
from adjudicator.shifting_sands.retreat import crossing_allowed
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.supply import status
from adjudicator.shifting_sands.world import text

MIN_FLANK_UNITS = 2
NO_ROMMEL_REGIONS = ("near_east", "East Africa")


def designated(state: State, side: str, order: Order, number: int) -> Combat:
    """The combat an order names; its legality is `attack_problems`."""
    units = tuple(order.texts("units"))
    target = order.text("target")
    return Combat(
        target=target,
        attacker=side,
        attackers=units,
        defenders=tuple(uid for uid in state.units_in(target) if state.counter(uid).side != side),
        rommel=order.text("rommel") == "yes",
        number=number,
        statuses={uid: status(state, uid) for uid in units if uid in state.pieces},
    )


def attack_problems(state: State, side: str, order: Order) -> list[Problem]:
    """Every reason why an attack may not be made."""
    units, target = order.texts("units"), order.text("target")
    if isinstance(order.data.get("target"), list) or target not in state.world.spaces:
        return [Problem("target", "SS 11.12", "a combat has one defending space", "write one target", field="target")]
    if not hostile(state, target, side):
        return [Problem("nobody", "SS 11.22", f"no enemy unit to attack stands in {target}", field="target")]
    found = [p for uid in units for p in _unit_problems(state, side, uid, target)]
    if len(set(units)) != len(units):
        found.append(Problem("twice", "SS 11.14", "a unit is named twice", field="units"))
    if found or not units:
        return found or [Problem("units", "SS 11.1", "no attacking unit is named", field="units")]
    found += _nation_problems(state, units)
    if order.text("flank") == "yes":
        found += flank_problems(state, units, target)
    if order.text("rommel") == "yes":
        found += rommel_problems(state, side, units, target)
    return found


def _unit_problems(state: State, side: str, uid: str, target: str) -> list[Problem]:
    piece = state.pieces.get(uid)
    if piece is None or state.counter(uid).side != side or not state.on_map(uid):
        return [Problem("unit", "SS 11.1", f"{uid} is not one of your units on the map", field="units")]
    unit = state.counter(uid)
    if state.markers.get(piece.at) != ATTACK:
        hint = f"order attack_marker for {piece.at}"
        return [Problem("marker", "SS 11.1", f"{piece.at} is not activated for combat", hint, field="units")]
    if piece.moved and not piece.joined:
        return [Problem("moved", "SS 9.16", f"{uid} has moved in this round", field="units")]
    if piece.fought:
        return [Problem("fought", "SS 11.14", f"{uid} has taken part in an attack of this round", field="units")]
    if state.world.link(piece.at, target) is None:
        return [Problem("far", "SS 11.12", f"{piece.at} is not adjacent to {target}", field="units")]
    if not crossing_allowed(state, unit, piece.at, target):
        return [Problem("dotted", "SS 11.17", f"{uid} may not attack from {piece.at} into {target}", field="units")]
    return []


def _nation_problems(state: State, units: Sequence[str]) -> list[Problem]:
    """SS 11.18: nationalities fight together only if one attacking space holds units of all of them."""
    literal = state.world.switch("combat_nationality", "groups") == "literal"
    groups = {group_of(state.counter(uid).nation, literal) for uid in units}
    if len(groups) < 2:
        return []
    for place in sorted({state.pieces[uid].at for uid in units}):
        side = state.counter(units[0]).side
        if groups <= {group_of(state.counter(uid).nation, literal) for uid in state.friends(place, side)}:
            return []
    said = f"units of {len(groups)} nationalities attack together, no attacking space holds all of them"
    return [Problem("nations", "SS 11.18", said, "attack with one nationality, or from a mixed space", field="units")]


def flank_problems(state: State, units: Sequence[str], target: str) -> list[Problem]:
    """Why a flank attack may not be tried (SS 11.31, 14.3)."""
    if len(units) < MIN_FLANK_UNITS:
        return [Problem("flank", "SS 11.31", "a flank attack takes two units or more", "flank: no", field="flank")]
    if not any(state.counter(uid).armor for uid in units):
        return [Problem("flank", "SS 11.31", "a flank attack takes an armor unit", "flank: no", field="flank")]
    if not flankable(state, target):
        said = f"{target} is {effective_terrain(state, target)}: no flank attack"
        return [Problem("flank", "SS 11.31", said, "flank: no", field="flank")]
    return []


def flankable(state: State, target: str) -> bool:
    """No fort, marsh or mountain (SS 11.31)."""
    space = state.world.spaces[target]
    return not space.fort and text(terrain_row(state, space.terrain), "flank") == "yes"


def rommel_problems(state: State, side: str, units: Sequence[str], target: str) -> list[Problem]:
    """Why Rommel may not take part (SS 11.274)."""
    if side != "axis" or not state.played("Rommel"):
        said = "Rommel has not come to Africa"
    elif not rommel_shift(state):
        said = "Rommel has left: Von Arnim commands"
    elif state.rommel:
        said = f"Rommel took part in the attack on {state.rommel} in this round"
    elif state.world.spaces[target].fort:
        said = f"{target} is a fort"
    elif any(state.world.in_region(state.pieces[u].at, r) for u in units for r in NO_ROMMEL_REGIONS):
        said = "an attacking space lies in the Near East or East Africa"
    else:
        return []
    return [Problem("rommel", "SS 11.274", said, "rommel: no", field="rommel")]


def attackable(state: State, side: str) -> dict[str, list[str]]:
    """Every space that may be attacked now, with the units that may take part."""
    found: dict[str, list[str]] = {}
    for place, marker in sorted(state.markers.items()):
        for target in state.world.neighbours(place) if marker == ATTACK else ():
            if hostile(state, target, side):
                able = [u for u in state.friends(place, side) if not _unit_problems(state, side, u, target)]
                if able:
                    found.setdefault(target, []).extend(able)
    return found

"""Air units come into play: reinforcements, those back from Greece, those replaced out of the pool (WD 29.A.1, 29.A.2,
29.B, 29.C.1.placing).

They are placed at airbases of their area that their side controls. Who is not placed by an order comes to the base with
the most take-offs to spare; he may be kept waiting.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from adjudicator.engine.core import Ctx, Order, Problem
from adjudicator.western_desert.air.craft import craft_of
from adjudicator.western_desert.air.facts import base_hexes
from adjudicator.western_desert.bases import base_capacity
from adjudicator.western_desert.hexes import distance
from adjudicator.western_desert.orderbook import area_of, area_title, is_area, short
from adjudicator.western_desert.state import AIR_POOL, MALTA, MALTA_POOL, State, turn_number
from adjudicator.western_desert.theatre.forces import READY
from adjudicator.western_desert.world import rows, text, texts

By = tuple[int, ...]
POINT8 = 8
"""An air unit costs one air replacement point, in eighths (WD 29.B.cost)."""
REPLACED_IN = {"axis": ("sicily",), "allied": ("delta", "palestine", "malta")}
"""The areas at whose airbases replaced air units are placed (WD 29.B.1, 29.B.2)."""
REPLACED_RULES = {"axis": "WD 29.B.1", "allied": "WD 29.B.2"}
RULES = {"egypt": "WD 29.A.1.egypt", "sicily": "WD 29.A.2.air", READY: "WD 29.A.2.special", "malta": "WD 29.A.1.malta"}
MALTA_RULE = "WD 33.B"
GREECE, GREECE_RULE = "greece_table", "WD 29.C.1.placing"


class Entry(NamedTuple):
    """Where an air unit may come in: the areas, their bases now, the rule."""

    areas: tuple[str, ...]
    bases: tuple[int, ...]
    rule: str


# --- places -----------------------------------------------------------------------------------------------------


def air_areas(state: State, area: str) -> list[str]:
    """The regions and countries whose airbases an area has now (WD 29.A.1; Crete and Rhodes from Jun I 41, WD
    29.A.2.air)."""
    row = area_of(state.world, area)
    later = [one for one in rows(row, "air_later") if turn_number(text(one, "from")) <= state.turn]
    return [*texts(row, "air"), *(name for one in later for name in texts(one, "in"))]


def entry_of(state: State, side: str, areas: Sequence[str], rule: str) -> Entry:
    """The bases of areas that a side controls, the one with the most take-offs to spare first."""
    regions = [name for area in areas for name in air_areas(state, area)]
    there = [h for h in base_hexes(state, side) if any(state.board.in_region(h, name) for name in regions)]
    used = [unit.hex for unit in state.air.values()]
    there.sort(key=lambda h: (used.count(h) - base_capacity(state, h), -base_capacity(state, h), state.board.name(h)))
    return Entry(tuple(areas), tuple(there), rule)


def arrival_entry(state: State, side: str, area: str) -> Entry:
    """Where air units of an area are placed (WD 29.A.1.egypt, 29.A.1.malta, 29.A.2.air, 29.C.1.placing)."""
    rule = GREECE_RULE if area == GREECE else RULES.get(area, "WD 29.A.1")
    return entry_of(state, side, (area,), rule)


def muster_bases(state: State, side: str, name: str) -> tuple[int, ...]:
    """The bases where special forces come in, best first, so that those of one operation are together: with take-offs
    for all its transports, or as many as can be, then next to the invasion hex (WD 29.A.2.special)."""
    bases, one = arrival_entry(state, side, READY).bases, state.theatre.operation(name)
    if one is None:
        return bases
    going = [other.unit for other in state.theatre.operations if (other.turn, other.hex) == (one.turn, one.hex)]
    need = sum(uid in state.world.air and not craft_of(state.world, uid).glider for uid in going)
    lacking = {h: max(0, need - base_capacity(state, h)) for h in bases}
    return tuple(sorted(bases, key=lambda h: (lacking[h], distance(h, one.hex), state.board.name(h))))


def place_problems(state: State, aid: str, entry: Entry, h: int | None) -> list[Problem]:
    """What keeps an air unit from being placed in a hex; ``h`` None = no base is free."""
    name = short(state.world, aid)
    where = " or ".join(area_title(state.world, area) for area in entry.areas)
    if h is None:
        text_ = f"no airbase of yours in {where} takes {name} now"
        return [Problem("no_place", entry.rule, text_, "it waits", field="at")]
    if h not in entry.bases:
        bases = ", ".join(state.board.feature_names(at) for at in entry.bases) or "none"
        text_ = f"{name} comes to an airbase in {where}; {state.board.feature_names(h)} is none of them"
        return [Problem("place", entry.rule, text_, f"the bases are {bases}", field="at")]
    return []


# --- arrivals ---------------------------------------------------------------------------------------------------


def waiting_air(state: State, side: str) -> list[str]:
    """Air units of a side that wait in the box of an area, in order of area and id."""
    air = [(kept.box, aid) for aid, kept in state.boxes.items() if aid in state.world.air]
    return [aid for box, aid in sorted(air) if is_area(state.world, box) and craft_of(state.world, aid).side == side]


def arrival_problems(state: State, side: str, aid: str, h: int | None = None) -> list[Problem]:
    """What keeps an air unit that waits from coming in at a hex, or at the first base where none is named."""
    if aid not in waiting_air(state, side):
        own = ", ".join(short(state.world, one) for one in waiting_air(state, side)) or "nothing"
        text_ = f"{short(state.world, aid)} is not due: the order of battle does not bring it to the {side} side now"
        return [Problem("not_due", "WD 29", text_, f"waiting: {own}", field="air")]
    entry = arrival_entry(state, side, state.boxes[aid].box)
    return place_problems(state, aid, entry, h if h is not None else next(iter(entry.bases), None))


def land_air(ctx: Ctx[State], side: str, aid: str, h: int | None, by: By, choice: str, order: str = "") -> bool:
    """Place an air unit that waits; False where no base takes it. From Greece it may come in inoperative."""
    state = ctx.state
    if arrival_problems(state, side, aid, h):
        return False
    kept = state.boxes[aid]
    entry = arrival_entry(state, side, kept.box)
    first = muster_bases(state, side, aid)[0] if kept.box == READY else entry.bases[0]
    ctx.emit(
        "landed",
        entry.rule,
        by,
        unit=aid,
        hex=state.board.name(first if h is None else h),
        box=kept.box,
        step="inoperative" if kept.cadre else "",
        choice=choice,
        order=order,
    )
    return True


# --- replacements -----------------------------------------------------------------------------------------------


def air_key(state: State, aid: str) -> str:
    """The replacement points of an air unit: of its nation for the Axis, of any for the Allies (WD 28.B.1, 29.B)."""
    craft = craft_of(state.world, aid)
    return f"{craft.nat if craft.side == 'axis' else 'any'}_air"


def air_pool(state: State, side: str) -> list[str]:
    """The air units of a side in the replacement pool, in order of id (WD 29.B)."""
    pool = [aid for aid, kept in sorted(state.boxes.items()) if kept.box == AIR_POOL]
    return [aid for aid in pool if craft_of(state.world, aid).side == side]


def replace_problems(state: State, side: str, aid: str, h: int | None = None) -> list[Problem]:
    """What keeps an air unit of the pool from being replaced, for a point (WD 29.B, 29.B.cost, 29.C.1.placing)."""
    name, entry = short(state.world, aid), replacement_entry(state, side, aid)
    if aid not in air_pool(state, side):
        own = ", ".join(short(state.world, one) for one in air_pool(state, side)) or "nothing"
        text_ = f"{name} is not in the replacement pool of the {side} side"
        return [Problem("pool_only", "WD 29.B", text_, f"the pool holds {own}", field="air")]
    if aid in state.still:
        text_ = f"{name} was eliminated in Greece and may not be replaced in this turn"
        return [Problem("greece", GREECE_RULE, text_, "do it next turn", field="air")]
    found = place_problems(state, aid, entry, h if h is not None else next(iter(entry.bases), None))
    if state.points.get(air_key(state, aid), 0) < POINT8:
        text_ = f"{name} costs 1 air replacement point, and there is none at hand"
        found.append(Problem("rp_short", "WD 29.B.cost", text_, "leave the order out", field="air"))
    return found


def replacement_entry(state: State, side: str, aid: str) -> Entry:
    """Where a replaced air unit of a side is placed (WD 29.B.1, 29.B.2); on Malta none but one lost there, where that
    has a pool of its own (WD 33.B)."""
    barred = state.world.plays(MALTA_POOL) and aid not in state.theatre.malta_pool
    areas = [area for area in REPLACED_IN[side] if area != MALTA.lower() or not barred]
    return entry_of(state, side, areas, MALTA_RULE if barred and side == "allied" else REPLACED_RULES[side])


def back_from_pool(ctx: Ctx[State], side: str, aid: str, h: int | None, by: By, order: Order) -> None:
    """An air unit of the pool is at a base again, operative. The points are taken by the caller."""
    state = ctx.state
    at = replacement_entry(state, side, aid).bases[0] if h is None else h
    ctx.emit("replaced", "WD 29.B", by, unit=aid, hex=state.board.name(at), cost="1", order=str(order.index))

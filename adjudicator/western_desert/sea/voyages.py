"""Voyages: between which ports, at what price, past what dangers (WD 26.A to 26.D, 28.D).

A voyage begins in a port of the map, or off it: in Europe for the Axis, in the areas where reinforcements wait for the
Allies (``origin`` is None).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from adjudicator.engine.core import Problem
from adjudicator.western_desert import hexes
from adjudicator.western_desert.bases import port_capacity, port_row
from adjudicator.western_desert.control import region_holder
from adjudicator.western_desert.graph import LEVANT, graph_of, is_vichy
from adjudicator.western_desert.history import fall_of_crete
from adjudicator.western_desert.sea.tables import SUNK, TURNED_BACK, sea_tables
from adjudicator.western_desert.state import State, World, turn_number
from adjudicator.western_desert.theatre.vichy import admitted
from adjudicator.western_desert.units import Unit, number

UNIT, COUNTER, POINT = "unit", "supply", "rp"
STEP_RE2 = 4
"""Half REs of a step of supply for transport (WD 12.D)."""
POINT_RE2 = 2
"""Half REs of a ground replacement point for naval transport (WD 29.B.ship)."""
EMBARK_SMP2 = 0
"""Half SMPs that a step of supply pays to be shipped (WD 26.B.2.cost)."""
MALTA, AFRICA = "Malta", ("Libya", "Egypt")
CYPRUS, ALEXANDRIA = "Cyprus", "alexandria"
FIRST_TURN = 1
PAST_MALTA, EASTERN, RUN, TUNISIA = "malta", "eastern", "run", "tunisia"
"""Dangers of a voyage: the Malta table with Malta's status, with that of map 19, the Allied run to or from Malta, the
Malta table on the short way to Tunisia (WD 32.C)."""
DANGER_RULES = {PAST_MALTA: "WD 26.C", EASTERN: "WD 26.D.status", RUN: "WD 28.D.ship", TUNISIA: "WD 32.C", "": "WD 26"}
SHORT_WAY = 5
"""What the way to Tunisia adds to the status of Malta (WD 32.C)."""
ARRIVES, BACK, LOST, POOL = "arrives", "turned_back", "lost", "pool"


class Item(NamedTuple):
    """One thing that is shipped and rolled for: a unit as it lies, a supply counter, a replacement point (ruling
    DIV-ROLL). ``steps`` are those of a counter; a point has its number among those that wait."""

    kind: str
    name: str
    re2: int
    steps: int = 0


class Landfall(NamedTuple):
    """What comes of an item: it ``arrives``, is ``turned_back``, ``lost`` or goes to the ``pool``; with how many steps
    a counter arrives."""

    result: str
    steps: int = 0


def transport_re2(unit: Unit) -> int:
    """The size of a unit for transport: each point of a position AA counter is half an RE (WD 22.A.3)."""
    return int(unit.aa) if unit.type == "position_aa" else unit.re2


# --- dangers ----------------------------------------------------------------------------------------------------


def on_sheet_19(h: int) -> bool:
    """Whether a port lies on map 19 and not on map 18."""
    return hexes.name(h).startswith("19/")


def danger(state: State, side: str, origin: int | None, to: int) -> str:
    """What a voyage has to pass, "" for nothing (WD 26.C, 26.D, 28.D.ship; ruling TWO-MAPS)."""
    board = state.board
    ends = [to] if origin is None else [origin, to]
    if side != "axis":
        islands = [board.in_region(h, MALTA) for h in ends]
        return RUN if any(islands) and not (len(islands) > 1 and all(islands)) else ""
    if any(on_sheet_19(h) for h in ends):
        return EASTERN
    africa = [any(board.in_region(h, country) for country in AFRICA) for h in ends]
    between = africa[-1] if origin is None else africa[0] != africa[-1]
    return PAST_MALTA if between else ""


def status_for(state: State, what: str) -> int:
    """The status number that counts: Malta's (WD 26.C), 15 where the Axis player holds it (WD 26.C.axis-malta), higher
    on the way to Tunisia (WD 32.C), or that of map 19 by who holds Cyprus and Alexandria (WD 26.D.status)."""
    tables = sea_tables(state.world)
    if what == EASTERN:
        return tables.eastern[len(allied_holds(state))]
    if what in (PAST_MALTA, TUNISIA):
        status = tables.highest if region_holder(state, MALTA) == "axis" else state.malta
        return status if what == PAST_MALTA else min(tables.highest, status + SHORT_WAY)
    return state.malta


def allied_holds(state: State) -> list[str]:
    """Which of Cyprus and Alexandria the Allied player controls (WD 26.D.status, ruling MALTA-CONTROL)."""
    city = next((p.hex for p in state.board.places.values() if p.slug == ALEXANDRIA), -1)
    held = [CYPRUS] if region_holder(state, CYPRUS) == "allied" else []
    return held + ([ALEXANDRIA] if state.owner(city) == "allied" else [])


def landfall(world: World, item: Item, die: int) -> Landfall:
    """What the shipping results table makes of an affected item (WD 26.C.result, chart.shipping-results)."""
    tables = sea_tables(world)
    if item.kind == COUNTER:
        left = max(0, item.steps - tables.steps_lost(die))
        return Landfall(ARRIVES if left else LOST, left)
    result = tables.result(die)
    if result == SUNK:
        return Landfall(LOST if item.kind == POINT else POOL)
    return Landfall(BACK if result == TURNED_BACK else ARRIVES)


# --- what bars a voyage -----------------------------------------------------------------------------------------


def port_capacity2(state: State, h: int) -> int:
    """Half REs that may still use a port in this player turn, in or out (WD 26.A.1, 26.A.2)."""
    return max(0, int(2 * port_capacity(state, h)) - state.used2.get(h, 0))


def limit2(state: State, side: str) -> int:
    """Half REs that a side may still ship on the map in its player turn (WD 26.B.2, chart.shipping)."""
    return max(0, sea_tables(state.world).limits2[side] - state.shipped2)


def port_problems(state: State, side: str, h: int, re2: int, way: str = "land") -> list[Problem]:
    """What keeps items of some size from using a port: is it one, controlled since the player turn began, with the
    capacity (WD 26, 26.A, 26.A.1). A port of neutral Vichy France that has granted all to the side counts as one of its
    own. Reinforcements use ports as others do (WD 29.A.naval).

    WD 28.C.1.effect.
    """
    where = state.board.feature_names(h)
    if port_row(state, h) is None:
        text = f"{where} is no port; ships go from port to port"
        return [Problem("not_a_port", "WD 26", text, "name a port", field="at")]
    if not admitted(state, side, h) and (state.owner_at_start(h) != side or state.owner(h) != side):
        text = f"{where} was not a port of the {side} side when the player turn began"
        return [Problem("port_control", "WD 26.A", text, "name another port", field="at")]
    left2 = port_capacity2(state, h)
    if left2 < re2:
        need, have = number(Fraction(re2, 2)), number(Fraction(left2, 2))
        text = f"the port of {where} takes {have} more REs in this player turn, {need} are to {way}"
        return [Problem("port_capacity", "WD 26.A.1", text, "let some use another port, or a later turn", field="at")]
    return []


def date_problems(state: State, side: str, *ends: int) -> list[Problem]:
    """What the date bars: Axis shipping in the eastern Mediterranean (WD 26.D)."""
    first = fall_of_crete(state.world)
    if side != "axis" or state.turn >= turn_number(first) or not any(on_sheet_19(h) for h in ends):
        return []
    text = f"the Axis player ships nothing on map 19 before {first}"
    return [Problem("before_jun_i_41", "WD 26.D", text, "name a port on map 18", field="to")]


def sea_problems(state: State, side: str, origin: int | None, to: int, units: Sequence[str] = ()) -> list[Problem]:
    """What bars a voyage at this date: the eastern Mediterranean (WD 26.D), ground that is closed to the side (WD
    28.C, 28.C.1.effect). Vichy units go by what binds them to the Levant (homebound.py)."""
    ends = [to] if origin is None else [origin, to]
    found = date_problems(state, side, *ends)
    graph, own = graph_of(state, side), [uid for uid in units if not is_vichy(state, uid)]
    shut = [h for h in ends if graph.closed(h)] if own or not units else []
    return found + [_closed_port(state, side, h) for h in shut]


def _closed_port(state: State, side: str, h: int) -> Problem:
    where, another = state.board.feature_names(h), "name another port"
    if not state.board.in_region(h, LEVANT):
        return Problem("neutral", "WD 3.B", f"{where} is neutral ground", another, field="to")
    if state.theatre.vichy == side:
        text = f"Vichy France has not granted the right to ship anything to {where}"
        return Problem("no_grant", "WD 28.C.1.effect", text, another, field="to")
    return Problem("neutral", "WD 28.C", f"{where} is neutral ground", another, field="to")


def route_problems(
    state: State, side: str, origin: int, to: int, re2: int, units: Sequence[str] = ()
) -> list[Problem]:
    """What bars on-map shipping of items of some size from one port to another, units among them (WD 26, 26.A, 26.B.2,
    28.A.3.turn)."""
    if origin == to:
        text = f"{state.board.feature_names(to)} is where the ships are already"
        return [Problem("there", "WD 26", text, "name another port", field="to")]
    shut = sea_problems(state, side, origin, to, units)
    found = shut or port_problems(state, side, origin, re2, "leave") + port_problems(state, side, to, re2)
    if side == "axis" and state.turn == FIRST_TURN:
        text = "the Axis player ships nothing on the map on Dec I 40"
        found.append(Problem("disarray", "WD 28.A.3.turn", text, "ship in the next turn"))
    left2 = limit2(state, side)
    if re2 > left2:
        need, have = number(Fraction(re2, 2)), number(Fraction(left2, 2))
        text = f"{need} REs are to be shipped; the {side} side ships {have} more on the map in this player turn"
        found.append(Problem("shipping_limit", "WD 26.B.2", text, "ship less, or the rest in the next turn"))
    return found


def turned_problems(state: State, names: Sequence[str], rule: str = "WD 26.C.result") -> list[Problem]:
    """What was turned back tries again in a later turn (WD 26.C, ruling REINF-RETURN); what was sent to Tunisia
    comes in in the next one (WD 32.C.entry)."""
    sent = [name for name in names if name in state.turned and _bound_for_tunisia(state, name)]
    return [
        *(Problem("sent", "WD 32.C.entry", f"{name} is on its way to Tunisia", "it enters next turn") for name in sent),
        *(
            Problem("turned_back", rule, f"{name} was turned back in this player turn", "ship it in a later turn")
            for name in names
            if name in state.turned and name not in sent
        ),
    ]


def _bound_for_tunisia(state: State, name: str) -> bool:
    kept = state.depots[name].box if name in state.depots else ""
    return TUNISIA in (kept, state.boxes[name].box if name in state.boxes else "")

"""Allied co-operation, a historical option: what Australians and Free French ask of the Allied player (WD 32.A.aus,
32.A.ff). Where South Africans may go stands with the graph of movement (graph.py)."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.engine.core import Ctx, Order, Problem
from adjudicator.western_desert.graph import LEVANT, NATIONS
from adjudicator.western_desert.moves import plan
from adjudicator.western_desert.orderbook import named
from adjudicator.western_desert.reach import Searches
from adjudicator.western_desert.state import State
from adjudicator.western_desert.supply import net
from adjudicator.western_desert.theatre.events import AUSTRALIAN
from adjudicator.western_desert.victory.tally import By, change_vp

SIDE, OPTION = "allied", NATIONS
FREE_FRENCH = "free_french"
AUS_RULE, FF_RULE = "WD 32.A.aus", "WD 32.A.ff"
WARNED = 3
"""Australian units that have been in the replacement pool, from which on positions are paid for (ruling AUS-THREE)."""


# --- Australians ------------------------------------------------------------------------------------------------


def precarious_vp2(been_in_pool: int, re2: int) -> int:
    """Half victory points that Australian units cost from which no supply line leads overland to a terminal: half a
    point for each RE (WD 32.A.aus)."""
    return -(re2 // 2) if been_in_pool >= WARNED else 0


def check_australians(ctx: Ctx[State], side: str, by: By) -> None:
    """Pay for precarious positions in an Allied initial phase (WD 32.A.aus)."""
    state = ctx.state
    if side != SIDE or state.surprise or not state.world.plays(NATIONS):
        return
    near = net(state, SIDE).near
    own = [uid for uid in sorted(state.pieces) if state.world.units[uid].nat == AUSTRALIAN]
    cut_off = [uid for uid in own if state.hex_of(uid) not in near]
    halves = precarious_vp2(len(state.theatre.australians), sum(state.unit(uid).re2 for uid in cut_off))
    if halves:
        why = f"no supply line leads overland from {named(state, cut_off)} to a terminal"
        change_vp(ctx, SIDE, halves, AUS_RULE, by, why)


# --- Free French ------------------------------------------------------------------------------------------------


def free_french(state: State) -> list[str]:
    """The Free French units on the map, in order of id."""
    return [uid for uid in sorted(state.pieces) if state.world.units[uid].nat == FREE_FRENCH]


def share_problems(in_play: Sequence[str], in_invasion: Sequence[str]) -> list[Problem]:
    """All Free French units in play take part in an invasion of the Levant (WD 32.A.ff)."""
    missing = [name for name in in_play if name not in in_invasion]
    if not missing:
        return []
    text = f"all Free French units take part in an invasion of the Levant; {', '.join(missing)} would not"
    return [Problem("free_french", FF_RULE, text, "order each of them into the Levant, from where it stands")]


def invasion_problems(state: State, invaded: State, side: str, orders: Sequence[Order]) -> list[Problem]:
    """Which Free French units on the map no order of the phase takes into the Levant (WD 32.A.ff). Their orders are
    judged in the position as it is when the Levant has been invaded, ``invaded``."""
    if side != SIDE or not state.world.plays(NATIONS):
        return []
    own = free_french(state)
    entering = [uid for uid in own if any(_enters(invaded, side, uid, order) for order in orders)]
    return share_problems([state.unit(uid).short for uid in own], [state.unit(uid).short for uid in entering])


def _enters(invaded: State, side: str, uid: str, order: Order) -> bool:
    if order.type != "move" or uid not in (*order.texts("units"), *order.texts("unit")):
        return False
    made = plan(Searches(invaded, side), side, order)
    ends = [leg.walk.path[-1] for leg in made.legs if uid in leg.ids and leg.walk.path]
    return not made.problems and all(invaded.board.in_region(h, LEVANT) for h in ends) and bool(ends)

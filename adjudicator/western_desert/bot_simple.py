"""Orders with simple aims, for the player that is called simple: go where the enemy is and stay in supply, hold cities,
attack at good odds, make good losses. In the air it flies what chance picks (bot_air.py).

Like those of chance (bots.py), every order comes out of a listing and is rehearsed before it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Ask, Tree
from adjudicator.engine.game import orders_of
from adjudicator.western_desert import hexes
from adjudicator.western_desert.attack_check import attack_options, plan_of
from adjudicator.western_desert.bot_air import flying_orders
from adjudicator.western_desert.bot_arrivals import arrival_rows, lawful
from adjudicator.western_desert.bot_more import landing, rehearsed
from adjudicator.western_desert.bot_reaction import reacting_orders
from adjudicator.western_desert.bots import Places
from adjudicator.western_desert.combat import checked
from adjudicator.western_desert.combat_charts import combat_charts
from adjudicator.western_desert.eligible import may_move
from adjudicator.western_desert.mover import mover_of
from adjudicator.western_desert.odds import at_least, odds
from adjudicator.western_desert.reach import Searches
from adjudicator.western_desert.state import ENEMY, State
from adjudicator.western_desert.supply import net

Row = dict[str, Tree]
ENOUGH = "2:1"
"""The column from which it attacks."""


def simple_orders(
    state: State, side: str, ask: Ask[Any], chance: Chance, written: Sequence[Mapping[str, Tree]] = ()
) -> list[Row]:
    """Orders for a phase that is waited for; any other choice is left to the default."""
    if any(row["type"] == "section" and ask.key == f"orders/{row['name']}" for row in written):
        return []
    makers: dict[str, Callable[[State, str, Chance], list[Row]]] = {
        "orders/initial": _opening,
        "orders/movement": _marching,
        "orders/air": flying_orders,
        "orders/reaction": reacting_orders,
        "orders/scramble": partial(reacting_orders, decided=True),
        "orders/combat": _fighting,
        "orders/exploitation": _marching,
    }
    return makers[ask.key](state, side, chance) if ask.key in makers else []


def _opening(state: State, side: str, chance: Chance) -> list[Row]:
    """What the pool and the order of battle offer; all else by default."""
    rows = arrival_rows(state, side, chance)
    return (lawful(state, side, rows) if rows else []) or [{"type": "pass"}]


def _marching(state: State, side: str, chance: Chance) -> list[Row]:
    """Each unit as near to a goal as it comes within its own lines of supply; the last one stays in a city."""
    head: Row = {"type": "section", "name": state.phase}
    searches, places, aims = Searches(state, side), Places(state, side), goals(state, side)
    near, rows = net(state, side).near, [head]
    for uid in state.side_units(side):
        here = state.hex_of(uid)
        if may_move(state, side, uid) or here in aims or (_city(state, here) and len(places.stack(here)) < 2):
            continue
        to = _nearest(searches, places, uid, aims, near)
        if to == here:
            continue
        places.shift((uid,), here, to)
        if places.lone_tanks(here) or places.lone_tanks(to):
            places.shift((uid,), to, here)
            continue
        rows.append({"type": "move", "unit": uid, "to": state.board.name(to)})
    return landing(state, side, rows if rehearsed(state, side, rows) is not None else [head], chance)


def _nearest(searches: Searches, places: Places, uid: str, aims: Sequence[int], near: Collection[int]) -> int:
    """The hex of a unit's reach that is nearest to a goal; where it stands, if none is nearer."""
    mover = mover_of(searches.state, uid)
    ends = [h for h in searches.reach(mover, "") if h in near and places.fits(h, mover.ids)]
    far = {h: min((hexes.distance(h, aim) for aim in aims), default=0) for h in (*ends, mover.start)}
    best = min(far, key=lambda h: (far[h], h))
    return best if far[best] < far[mover.start] else mover.start


def goals(state: State, side: str) -> list[int]:
    """Where a side wants to go: to the units of the enemy and to the cities that he holds."""
    enemy = ENEMY[side]
    cities = (h for h, info in state.board.land.items() if info.cities and state.owner(h) == enemy)
    return sorted({*cities, *(state.hex_of(uid) for uid in state.side_units(enemy))})


def _city(state: State, h: int) -> bool:
    info = state.board.info(h)
    return info is not None and bool(info.cities)


def _fighting(state: State, side: str, chance: Chance) -> list[Row]:
    """An attack with all that may take part, wherever the odds are good; no exploitation is asked for."""
    rows: list[Row] = [{"type": "section", "name": "combat"}]
    used: set[str] = set()
    for h, units in attack_options(state, side).items():
        force = [uid for uid in units if uid not in used]
        row: Row = {"type": "attack", "hex": state.board.name(h), "with": [*force], "min_odds": ENOUGH}
        if force and _good(state, side, [*rows[1:], row]):
            used.update(force)
            rows.append({**row, "advance": "all"})
    return rows


def _good(state: State, side: str, rows: Sequence[Row]) -> bool:
    """Whether the last of some attacks is lawful behind the others, and its column good enough."""
    *_before, (_order, problems, plan) = checked(state, side, orders_of(rows))
    if problems or plan is None:
        return False
    return at_least(combat_charts(state.world), odds(state, plan_of(state, plan, side)).column, ENOUGH)

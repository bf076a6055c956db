"""Special operations of chance: planned, now and then cancelled; the invasion of Malta as a whole (WD 27; see bots.py).
What is due is carried out by itself; the drop is an order like any other (bot_air.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Order, Tree
from adjudicator.western_desert import hexes
from adjudicator.western_desert.air.craft import craft_of
from adjudicator.western_desert.graph import graph_of
from adjudicator.western_desert.orderbook import last_turn
from adjudicator.western_desert.state import State, turn_name
from adjudicator.western_desert.theatre.assault import FIRST, SECOND, landing_order_problems, ready
from adjudicator.western_desert.theatre.forces import SEABORNE, pool_rows, wave_of
from adjudicator.western_desert.theatre.plans import CANCEL, PLAN, Desk, Told, new_plan_problems
from adjudicator.western_desert.theatre.special import LEAD, MALTA, SIDE

Row = dict[str, Tree]
PLAN_SHARE, CANCEL_SHARE, MALTA_SHARE, LAND_SHARE = 0.5, 0.15, 0.3, 0.9
INVASION_SHARE, FEWEST, DROPPED_AT_MOST = 0.3, 4, 2
"""How often forces that may do so go to Malta by sea, how many units are worth it, and how many drop there too."""
TRIES, TURNS_AHEAD, REACH = 6, 4, 24
SPRINGBOARDS = ("catania", "heraklion", "rhodes")
"""Places near the bases where airborne forces start, by slug."""


def plan_rows(state: State, chance: Chance, kept: Mapping[str, Tree]) -> list[Row]:
    """A plan for some forces that have none, for a turn soon after the soonest; sometimes a plan is cancelled."""
    desk = Desk(state, kept)
    if desk.live and chance.likely(CANCEL_SHARE):
        uid = chance.pick(sorted(desk.live))
        return [{"type": CANCEL, **_named(state, [uid])}]
    if not chance.likely(PLAN_SHARE):
        return []
    found = invasion(state, chance, desk) if chance.likely(INVASION_SHARE) else {}
    for _ in range(TRIES):
        found = found or _plan(state, chance, desk)
    return [found] if found else []


def invasion(state: State, chance: Chance, desk: Desk) -> Row:
    """Malta from the sea, with many of those who go there by ship, some of the others dropped (WD 27.C); empty where
    the rules bar it or leave too few."""
    plan = Told(_turn(state, chance), chance.pick(malta(state)), state.turn)
    able = _able(state, desk, plan)
    ships = [uid for uid in able if wave_of(state.world, uid) == SEABORNE]
    if len(ships) < FEWEST:
        return {}
    others = [uid for uid in able if uid in state.world.units and uid not in ships]
    chosen = [*chance.some(ships, least=FEWEST), *chance.some(others, most=DROPPED_AT_MOST)]
    return _row(state, plan, able, chosen)


def _plan(state: State, chance: Chance, desk: Desk) -> Row:
    """Forces, a turn and a hex of chance; empty where the rules bar it."""
    plan = Told(_turn(state, chance), chance.pick(_targets(state, chance)), state.turn)
    able = _able(state, desk, plan)
    units = [uid for uid in able if uid in state.world.units]
    return _row(state, plan, able, chance.some(units, least=1, most=3)) if units else {}


def _turn(state: State, chance: Chance) -> int:
    return min(state.turn + LEAD + chance.below(TURNS_AHEAD), last_turn(state))


def _able(state: State, desk: Desk, plan: Told) -> list[str]:
    """Who may be planned for; of them only those whom no plan is about yet."""
    pool = (uid for uid in sorted(pool_rows(state.world)) if uid not in desk.live)
    return [uid for uid in pool if not new_plan_problems(state, uid, plan, None)]


def _row(state: State, plan: Told, able: Sequence[str], chosen: Sequence[str]) -> Row:
    named = _named(state, [*chosen, *_aircraft(state, able, chosen)])
    return {"type": PLAN, **named, "at": state.board.name(plan.hex), "turn": turn_name(plan.turn)}


def malta(state: State) -> list[int]:
    """The hexes of Malta."""
    return [h for h in sorted(state.board.land) if state.board.in_region(h, MALTA)]


def _targets(state: State, chance: Chance) -> list[int]:
    """Hexes of Malta, or land that transports may reach from the bases where the forces start."""
    if chance.likely(MALTA_SHARE):
        return malta(state)
    near = [p.hex for p in state.board.places.values() if p.slug in SPRINGBOARDS]
    found = {h for start in near for h in hexes.within(start, REACH) if h in state.board.land}
    graph = graph_of(state)
    return sorted(h for h in found if state.owner(h) != SIDE and not graph.closed(h)) or malta(state)


def _aircraft(state: State, able: Sequence[str], chosen: Sequence[str]) -> list[str]:
    """As many transports as the airborne units want, and a glider where there is one."""
    res2 = sum(state.world.units[uid].re2 for uid in chosen if wave_of(state.world, uid) != SEABORNE)
    crafts = [craft_of(state.world, aid) for aid in able if aid in state.world.air]
    transports = [craft.id for craft in crafts if not craft.glider]
    gliders = [craft.id for craft in crafts if craft.glider]
    return [*transports[: max(1, res2)], *gliders[:1]] if res2 else []


def _named(state: State, uids: Sequence[str]) -> Row:
    ground = [uid for uid in uids if uid in state.world.units]
    air: list[Tree] = [uid for uid in uids if uid not in state.world.units]
    return {**units_row(ground), **({"air": air} if air else {})}


def units_row(uids: Sequence[str]) -> Row:
    """The field of an order that names units: `unit` for one, `units` for several, none for none."""
    if len(uids) == 1:
        return {"unit": uids[0]}
    return {"units": [*uids]} if uids else {}


def wave_rows(state: State, chance: Chance) -> list[Row]:
    """A wave of the landing on Malta, as many of the units that wait as the rules let go, with supply (WD 27.C)."""
    name = {"movement": FIRST, "exploitation": SECOND}.get(state.phase, "")
    if not name or not chance.likely(LAND_SHARE):
        return []
    row: Row = {"type": name}
    if name == SECOND and not landing_order_problems(state, SIDE, Order(0, name, {"steps": "2"})):
        row["steps"] = "2"
    units: list[str] = []
    for one in ready(state):
        if not landing_order_problems(state, SIDE, Order(0, name, {**row, "units": [*units, one.unit]})):
            units.append(one.unit)
    said = units_row(units)
    return [{**row, **said}] if said or "steps" in row else []

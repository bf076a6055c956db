"""Orders of chance outside movement and combat: redeployments, replacements, discards (see bots.py)."""

from __future__ import annotations

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Ctx, Order, Tree
from adjudicator.shifting_sands.apply import apply
from adjudicator.shifting_sands.arrival import arrive_early
from adjudicator.shifting_sands.drawing import TAKE, may_take_any, offered, take_problems
from adjudicator.shifting_sands.events.placing import fill_in
from adjudicator.shifting_sands.extras import CANAL_SIDE, TOBRUK, expected, extra_of, replaceable, uninvited
from adjudicator.shifting_sands.losses import REPLACEMENT, RESERVE
from adjudicator.shifting_sands.lrdg import MISSIONS, mission_problems, price
from adjudicator.shifting_sands.lrdg import ORDER as MISSION
from adjudicator.shifting_sands.lrdg import SIDE as LRDG_SIDE
from adjudicator.shifting_sands.rebuilding import carry_out, choice_problems, open_segment, segment_problems
from adjudicator.shifting_sands.redeploy import CAIRO, DEEP_DESERT, land_ways, rd_problems
from adjudicator.shifting_sands.redeploying import redeploy
from adjudicator.shifting_sands.replacement import recreate_places
from adjudicator.shifting_sands.stacking import room
from adjudicator.shifting_sands.state import State

Row = dict[str, Tree]
MISSION_SHARE, PLACE_SHARE, RD_SHARE, REBUILD_SHARE, DISCARD_SHARE, PLAIN_SHARE = 0.6, 0.8, 0.8, 0.85, 0.4, 0.5
TAKE_SHARE = 0.5
TRIES = 12


def order_of(row: Row) -> Order:
    """A row as the rules read it."""
    return Order(0, str(row["type"]), {name: value for name, value in row.items() if name != "type"})


def place_rows(ctx: Ctx[State], side: str, chance: Chance) -> list[Row]:
    """Divisions of optional rules where they may come in, carried out on the copy of ``ctx``."""
    rows: list[Row] = []
    for uid in expected(ctx.state, side):
        base: Row = {"type": "place", "unit": uid}
        able = [row for row in _entries(ctx.state, base) if not uninvited(ctx.state, side, order_of(row))]
        if able and chance.likely(PLACE_SHARE):
            row = chance.pick(able)
            arrive_early(ctx, order_of(row), ())
            rows.append(row)
    return rows


def _entries(state: State, base: Row) -> list[Row]:
    """Ways in for a division, a swap in Tobruk among them."""
    extra = extra_of(state.counter(str(base["unit"])))
    plain: list[Row] = [{**base, "to": name} for name in (extra.places if extra else ())]
    swaps: list[Row] = [
        {**base, "to": TOBRUK, "replaces": uid, "replaced_to": end} for uid in replaceable(state) for end in CANAL_SIDE
    ]
    return [*plain, *swaps]


def mission_rows(state: State, side: str, chance: Chance) -> list[Row]:
    """A mission of the LRDG where it may go on one; the points that it takes are set aside in the copy ``state``."""
    rows: list[Row] = [{"type": MISSION, "mission": mission} for mission in MISSIONS]
    able = [row for row in rows if not mission_problems(state, side, order_of(row))] if side == LRDG_SIDE else []
    if not able or not chance.likely(MISSION_SHARE):
        return []
    row = chance.pick(able)
    state.ops.spent += price(state, order_of(row))
    return [row]


def rd_rows(ctx: Ctx[State], side: str, chance: Chance) -> list[Row]:
    """Redeployments as long as points and luck reach, carried out on the copy of ``ctx``."""
    rows: list[Row] = []
    for _ in range(TRIES):
        if not ctx.state.rd_left or not chance.likely(RD_SHARE):
            break
        row = _rd(ctx.state, side, chance)
        if row is not None:
            redeploy(ctx, side, order_of(row), ())
            rows.append(row)
    return rows


def _rd(state: State, side: str, chance: Chance) -> Row | None:
    """One redeployment of some unit, if it finds one that is lawful and leaves room."""
    units = [uid for uid in state.side_units(side) if not state.pieces[uid].redeployed]
    able = [uid for uid in units if state.on_map(uid) or state.pieces[uid].at == RESERVE]
    if not able:
        return None
    uid = chance.pick(able)
    rows = [row for row in _ways(state, uid, chance) if not rd_problems(state, side, order_of(row))]
    nation = state.counter(uid).nation
    fits = [row for row in rows if room(state, _end(row), side, nation) > 0]
    return chance.pick(fits) if fits else None


def _end(row: Row) -> str:
    path = row.get("path")
    return str(path[-1]) if isinstance(path, list) else str(row["to"])


def _ways(state: State, uid: str, chance: Chance) -> list[Row]:
    """Ways that a unit might go: by land, between ports, out of and into the reserve, over the desert."""
    base: Row = {"type": "rd", "unit": uid}
    spaces, at = sorted(state.world.spaces), state.pieces[uid].at
    if at == RESERVE:
        plain: list[Row] = [{**base, "to": name} for name in spaces]
        return plain if chance.likely(PLAIN_SHARE) else [{**row, "mode": "from_reserve"} for row in plain]
    found: list[Row] = [{**base, "path": [*path]} for path in land_ways(state, uid).values()]
    ports = [name for name in spaces if state.world.spaces[name].port and name != at]
    found += [{**base, "path": [at, name], "mode": "sea"} for name in ports]
    found += [{**base, "to": RESERVE}, {**base, "path": [at, DEEP_DESERT if at == CAIRO else CAIRO], "mode": "lrdg"}]
    return found


def replacement_rows(state: State, side: str, chance: Chance) -> list[Row]:
    """The sections ``replacement`` and ``discard``: points spent one by one, cards thrown away and taken by name."""
    rows: list[Row] = [{"type": "section", "name": "replacement"}, *rebuilding_rows(state, side, chance)]
    hand, told = state.hands.get(side, []), list[Row]()
    if hand and chance.likely(DISCARD_SHARE):
        told.append({"type": "discard", "cards": [*chance.some(hand, least=1)]})
    able = take_rows(state, side)
    if may_take_any(state, side):
        told += [chance.pick(able)] if able and chance.likely(TAKE_SHARE) else []
    else:
        told += [row for row in able if chance.likely(TAKE_SHARE)]
    return [*rows, {"type": "section", "name": "discard"}, *told] if told else rows


def take_rows(state: State, side: str) -> list[Row]:
    """The cards that may be taken by name with the new year, those of the own pile by their ids (SS 7.74, 19.41,
    19.42)."""
    trial, names = state.copy(), state.faces.get(side, {})
    trial.piles[side] = [names.get(card, card) for card in state.piles.get(side, [])]
    rows: list[Row] = [{"type": TAKE, "card": card} for card in offered(state, side)]
    return [row for row in rows if not take_problems(trial, side, order_of(row), ())]


def rebuilding_rows(state: State, side: str, chance: Chance) -> list[Row]:
    """Points spent one by one, as long as luck reaches, behind those who come late (ruling A53)."""
    ctx: Ctx[State] = Ctx(state.copy(), apply)
    fill_in(ctx, side, (), ())
    open_segment(ctx, side, ())
    rows: list[Row] = []
    choice: Row = {"type": "rp_choice", "nation": chance.pick(("BR", "CW"))}
    for _ in range(TRIES):
        row = choice if not choice_problems(ctx.state, side, order_of(choice)) else _rebuild(ctx.state, side, chance)
        if row is None or not chance.likely(REBUILD_SHARE):
            break
        carry_out(ctx, side, order_of(row), ())
        rows.append(row)
    return rows


def _rebuild(state: State, side: str, chance: Chance) -> Row | None:
    """A unit that points rebuild now."""
    rows: list[Row] = []
    for uid in state.side_units(side):
        if state.pieces[uid].at == REPLACEMENT:
            places = recreate_places(state, state.counter(uid))
            steps = chance.pick(("1", "2"))
            rows += [{"type": "recreate", "unit": uid, "to": place, "steps": steps} for place in places]
        elif state.pieces[uid].reduced:
            rows.append({"type": "replace", "unit": uid})
    able = [row for row in rows if not segment_problems(state, side, order_of(row))]
    return chance.pick(able) if able else None

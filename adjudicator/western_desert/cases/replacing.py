"""Runner of the form pool (CASE-FORMS 6), whose air units are in replacing_air.py, and of the order ``reinforce``.

Units in play stand in the Delta or in Tripolitania, one to a hex; the order of battle holds what the orders need.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from adjudicator.engine.casecheck import Found, as_number
from adjudicator.engine.core import Answer, Ask, Ctx, Order, Problem, Proc, Roll, Tree
from adjudicator.engine.dice import Assume
from adjudicator.western_desert import hexes
from adjudicator.western_desert.air.arriving import arrival_entry, place_problems
from adjudicator.western_desert.air.facts import is_airbase
from adjudicator.western_desert.arrivals import EARLY, rebuild_all
from adjudicator.western_desert.cases import build
from adjudicator.western_desert.cases.build import find_hex, full_record, new_state, put, put_all, unit_from_record
from adjudicator.western_desert.cases.core import Case, Record, as_record, as_records, as_texts, form
from adjudicator.western_desert.cases.drive import Reply, context, dice_of, drive, settled
from adjudicator.western_desert.cases.lookups import permission
from adjudicator.western_desert.cases.regrouping import box_parts, component_text
from adjudicator.western_desert.cases.replacing_air import run_air_pool
from adjudicator.western_desert.cases.special_forces import special_comes, used_in_1942
from adjudicator.western_desert.cases.walks import problems_of, set_moment
from adjudicator.western_desert.component_sets import sets_of
from adjudicator.western_desert.converting import CAVALRY, UPGRADES, convert_all
from adjudicator.western_desert.fifth_army import draw_problems, fifth_army
from adjudicator.western_desert.initial import initial_phase
from adjudicator.western_desert.landing import land_unit, landing_problems
from adjudicator.western_desert.leaving import withdraw_all
from adjudicator.western_desert.movement import movement_phase
from adjudicator.western_desert.orderbook import ELIMINATED
from adjudicator.western_desert.pool import EIGHTHS, cost8, rebuild8, rp_key, rp_kind
from adjudicator.western_desert.retreating import remove
from adjudicator.western_desert.state import ASSEMBLED, State, Supply, other, turn_name, turn_number
from adjudicator.western_desert.theatre.forces import READY
from adjudicator.western_desert.theatre.malta_pool import places
from adjudicator.western_desert.units import Unit, with_back
from adjudicator.western_desert.victory.points import STORE
from adjudicator.western_desert.world import text

USUAL_TURN = "Jul II 42"
"""A date at which no dated rule stands in the way."""
RULES = {"convert": CAVALRY, "upgrade": UPGRADES}
FIRST = {CAVALRY: ("Jan I 42", "1"), UPGRADES: ("Apr I 42", "1/2")}
MALTA = "malta"
PLACES = {"allied": ("Cairo", "19/3023", "19/2823", "19/2722", "19/2925"), "axis": ("Tripoli", "18/0323", "18/0424")}
AIR_KEYS = ("air", "air_pool")


@dataclass
class Game:
    """The position of a case and who is to do what in it."""

    state: State
    side: str
    spots: list[int]
    units: dict[str, Unit] = field(default_factory=dict)

    def spot(self) -> int:
        """The next free hex."""
        return self.spots.pop(0)


@form("pool")
def run_pool(case: Case) -> Found:
    """Replacement pool, points, scrapping, conversions, withdrawals."""
    given = case.given
    if any(key in given for key in AIR_KEYS) or any(key.endswith("_air") for key in as_record(given.get("stock"))):
        return run_air_pool(case)
    game = _position(case)
    ctx = context(game.state)
    orders = [_order(game, index, record) for index, record in enumerate(case.orders)]
    costs = [_cost(game, order) for order in orders]
    for uid, unit in list(game.units.items()):
        if uid.startswith("lost:"):
            rule = "WD 13.elim" if given.get("how") == "overrun" else "WD 9.C"
            remove(ctx, unit.id, rule, ())
    drive(_act(case, ctx, game, orders), dice_of(case), _reply(orders))
    values = _values(case, ctx, game, [c for c in costs if c is not None])
    return Found(values, problems_of(ctx, orders) if orders else [])


# --- the position -----------------------------------------------------------------------------------------------


def _position(case: Case) -> Game:
    given = case.given
    side = str(given.get("player") or _side(case))
    island = "line" in given or "counters" in given
    board = build.mini_board(8) if island else build.real_world().board
    state = new_state(board, side, "initial", side if island else "")
    state.world = replace(state.world, areas=build.real_world().areas, events=(), switches=case.switches)
    set_moment(state, {"turn": USUAL_TURN, **given})
    state.player = side
    spots = [build.CENTRE] if island else [find_hex(board, name) for name in PLACES[side]]
    game = Game(state, side, spots)
    _stand(case, game)
    for n, row in enumerate(as_records(given.get("counters"))):
        far = hexes.code(hexes.column(build.CENTRE), hexes.row(build.CENTRE) + int(str(row.get("distance", 0))))
        steps = int(str(row.get("steps", 1)))
        state.supply[str(row.get("id", f"S{n}"))] = Supply(far, str(row.get("owner", side)), steps)
    for key, points in as_record(given.get("stock")).items():
        for kept in _keys(game, key):
            state.points[kept] = int(EIGHTHS * (as_number(points) or 0))
    state.world = replace(state.world, events=tuple(_events(case, game)))
    state.converted = tuple(f"before-{n}" for n in range(int(str(given.get("converted_before", 0)))))
    return game


def _keys(game: Game, key: str) -> list[str]:
    """The keys of points of a case: ``malta`` are points there, of the kinds of the units that lie in the pool."""
    if key != MALTA:
        return [key]
    return sorted({STORE + rp_key(game.units[uid]) for uid in game.state.theatre.malta_pool})


def _side(case: Case) -> str:
    given = case.given
    for key in ("eliminated", "pool", "units", "cadres"):
        for record in as_records(given.get(key)):
            return unit_from_record(case, {**full_record(case, record), "n": 1, "id": "probe"})[0].side
    record = as_record(given.get("cadre"))
    return unit_from_record(case, {**full_record(case, record), "id": "probe"})[0].side if record else "allied"


def _stand(case: Case, game: Game) -> None:
    """Units on the map, in the pool and about to be lost."""
    given, state = case.given, game.state
    for record in as_records(given.get("pool")):
        for unit in unit_from_record(case, record):
            game.units[unit.id] = state.world.units[unit.id] = _headed(unit, record)
            state.gone[unit.id] = ELIMINATED
            if record.get("pool") == MALTA:
                state.theatre = replace(state.theatre, malta_pool=state.theatre.malta_pool | {unit.id})
    for record in as_records(given.get("units")):
        for unit in unit_from_record(case, record):
            game.units[unit.id] = unit
            put(state, unit, game.spot(), full_record(case, record))
            _enemies(case, game, record, unit.id)
    cadres = [*as_records(given.get("cadres")), *([as_record(given["cadre"])] if "cadre" in given else [])]
    for record in cadres:
        unit = _cadre(case, record)
        game.units[unit.id] = unit
        put(state, unit, game.spot(), {**full_record(case, record), "state": "cadre"})
        _enemies(case, game, record, unit.id)
    _near(case, game)
    for record in as_records(given.get("eliminated")):
        _doomed(case, game, full_record(case, record))


def _headed(unit: Unit, record: Record) -> Unit:
    return replace(unit, hq_of=str(record["of"])) if "of" in record else unit


def _cadre(case: Case, record: Record) -> Unit:
    """The division behind a cadre, of the size that the record says."""
    full = full_record(case, record)
    size = full.get("division_re", 3)
    whole = unit_from_record(case, {**full, "size": "division", "re": size, "cadre": full.get("cadre", 1)})[0]
    return with_back(whole, str(full.get("cadre", 1)))


def _enemies(case: Case, game: Game, record: Record, uid: str) -> None:
    h = game.state.hex_of(uid)
    put_all(case, game.state, as_records(record.get("adjacent_enemy")), _beside(game.state, h), other(game.side))


def _beside(state: State, h: int) -> int:
    return next(n for n in hexes.neighbours(h) if n in state.board.land and not state.units_at(n))


def _near(case: Case, game: Game) -> None:
    """Enemy units next to the unit or cadre of the case."""
    around = as_records(case.given.get("adjacent_enemy"))
    first = next(iter(game.state.pieces.values()), None)
    if around and first is not None:
        put_all(case, game.state, around, _beside(game.state, first.hex), other(game.side))


def _doomed(case: Case, game: Game, full: Mapping[str, object]) -> None:
    """A unit that is about to be lost; a division with the components of its set in its box."""
    state = game.state
    for unit in unit_from_record(case, full):
        game.units[f"lost:{unit.id}"] = unit
        put(state, unit, game.spot(), full)
        sets = sets_of(state.world, unit)
        for part in box_parts(sets[0], unit) if sets else []:
            state.world.units[part.id] = part
            state.put_by(part.id, ASSEMBLED, unit.id)


# --- the order of battle that the orders need -------------------------------------------------------------------


def _events(case: Case, game: Game) -> list[dict[str, object]]:
    now, found = turn_name(game.state.turn), list[dict[str, object]]()
    for n in range(int(str(case.given.get("converted_before", 0)))):
        found.append({"id": f"before-{n}", "kind": "convert", "side": game.side, "turn": now, "rule": CAVALRY})
    for n, record in enumerate(case.orders):
        kind = str(record.get("order"))
        common = {"id": f"{kind}-{n}", "side": game.side, "turn": now, "kind": kind}
        if kind in RULES:
            found.append({**common, "kind": "convert", **_conversion(game, kind, record)})
        elif kind == "withdraw":
            found.append({**common, "unit": str(record["what"]), "to": str(record.get("to", "out"))})
    return found


def _conversion(game: Game, kind: str, record: Record) -> dict[str, object]:
    """The entry of a conversion: a free one of WD 29.D.1 or 29.D.2, or one that the order of battle asks for."""
    uid, into = str(record["unit"]), str(record.get("into", ""))
    unit = game.units[uid]
    figures, _, type_ = into.partition(" ")
    made = {"nat": unit.nat, "type": type_ or unit.type, "size": unit.size, "figures": figures or unit.figures}
    new = build.make_unit(f"{uid}-new", made, game.side)
    game.state.world.units[new.id] = new
    row: dict[str, object] = {"from": [uid], "to": [new.id]}
    rule = UPGRADES if kind == "upgrade" else CAVALRY if unit.cavalry and new.armored else ""
    if rule:
        first, points = FIRST[rule]
        row |= {"rule": rule, "optional": "yes", "rp": "armor", "points": points, "turn": first}
    return row


def _order(game: Game, index: int, record: Record) -> Order:
    kind = str(record["order"])
    data: dict[str, Tree] = {}
    for key in ("unit", "what", "offer", "counter"):
        if key in record:
            data[key] = str(record[key])
    for key in ("units", "counters"):
        if key in record:
            data[key] = [*as_texts(record[key])]
    if "at" in record:
        at, board = str(record["at"]), game.state.board
        island = [h for h in places(game.state) if board.land[h].cities] if at.lower() == MALTA else []
        data["at"] = board.name(island[0] if island else find_hex(board, at))
    if "into" in record:
        data["into"] = f"{record['unit']}-new"
    return Order(index, kind, data)


# --- what is done -----------------------------------------------------------------------------------------------


def _act(case: Case, ctx: Ctx[State], game: Game, orders: Sequence[Order]) -> Proc[None]:
    """The orders as the phase takes them: the whole of it where supply is to be found, else each procedure."""
    state, side = ctx.state, game.side
    if state.phase != "initial":
        yield from movement_phase(ctx, side, orders, ())
        return
    if "line" in case.given or "counters" in case.given:
        yield from initial_phase(ctx, side, orders, ())
        return
    withdraw_all(ctx, side, [order for order in orders if order.type == "withdraw"], ())
    for order in orders:
        if order.type in EARLY:
            yield from EARLY[order.type](ctx, side, order, ())
        elif order.type in RULES:
            convert_all(ctx, side, [order], ())
        else:
            rebuild_all(ctx, side, [order], ())


def _reply(orders: Sequence[Order]) -> Reply:
    """Choices as the orders make them, else the default."""

    def reply(ask: Ask[Any]) -> Answer[Any]:
        said = ask.find(orders)
        return settled(ask) if said is None else Answer(said, "order")

    return reply


def _cost(game: Game, order: Order) -> tuple[int, str] | None:
    """Eighths of points, and their kind, that an order asks for."""
    unit = game.state.world.units.get(order.text("unit"))
    if unit is None or order.type not in ("replace", "rebuild"):
        return None
    face = game.state.unit(unit.id)
    return (rebuild8(face) if order.type == "rebuild" else cost8(unit)), rp_kind(face)


def _values(case: Case, ctx: Ctx[State], game: Game, costs: Sequence[tuple[int, str]]) -> dict[str, object]:
    state = ctx.state
    told = [event.data for event in ctx.events]
    gained = {str(d["rp"]): Fraction(str(d["points"])) for d in told if d.get("why") == "scrapped units"}
    named = as_record(case.expect.get("stock"))
    values: dict[str, object] = {
        "stock": {key: Fraction(state.points.get(key, 0), EIGHTHS) for key in {*state.points, *named}},
        "gained": gained,
        "pool": [component_text(state.world.units[u]) for u, why in sorted(state.gone.items()) if why == ELIMINATED],
        "in_play": [component_text(state.unit(u)) for u in state.side_units(game.side)],
        "change": {side: Fraction(half, 2) for side, half in state.vp2.items()},
        "acts_this_turn": not any(uid in state.still for uid in state.pieces),
    }
    if costs:
        values["cost"], values["kind"] = Fraction(costs[0][0], EIGHTHS), costs[0][1]
    owed = [str(d["rp"]) for d in told if d.get("where") == "owed"]
    if owed:
        values["forfeits"] = _next_arrival(case, state, owed[0])
    return values


def _next_arrival(case: Case, state: State, key: str) -> str:
    """The turn of the points that are given up: the next of their kind, where the case has a date."""
    if "turn" not in case.given:
        return "next_arrival"
    rows = [row for row in build.real_world().events if row.get("kind") == "replacement"]
    turns = [text(row, "turn") for row in rows if f"{text(row, 'nat')}_{text(row, 'rp')}" == key and "turn" in row]
    later = sorted(turn_number(turn) for turn in turns if turn_number(turn) >= state.turn)
    return turn_name(later[0]) if later else "next_arrival"


# --- reinforcements ---------------------------------------------------------------------------------------------


@permission("fifth_army")
def _may_draw(case: Case, record: Record, found: Found) -> list[Problem]:
    """A unit of the Fifth Army is drawn and comes to Tripoli (WD 28.A.1)."""
    given = case.given
    state = new_state(build.real_world().board, str(given.get("player", "axis")), "initial")
    set_moment(state, {"turn": USUAL_TURN, **given})
    count = int(str(as_record(given.get("box")).get("fifth_army", 1)))
    for n in range(count):
        unit = build.make_unit(f"A{n}", {"nat": "italian", "type": "infantry", "size": "division"}, "axis")
        state.world.units[unit.id] = unit
        state.put_by(unit.id, "fifth_army")
    problems = draw_problems(state, state.player)
    ctx = context(state)
    drive(fifth_army(ctx, state.player, [], ()), Assume())
    landed = [event.data for event in ctx.events if event.kind == "landed"]
    if landed:
        found.values["drawn"] = len(landed)
        found.values["placed_at"] = "Tripoli"
    return problems


@permission("reinforce")
def _may_reinforce(case: Case, record: Record, found: Found) -> list[Problem]:
    """A unit comes in at a place of the area that the order of battle gives it."""
    given = case.given
    if record.get("area") == READY:
        return special_comes(case, record)
    if "air" in given:
        return _air_comes(case, record)
    side = str(given.get("player", "allied"))
    state = new_state(build.real_world().board, side, "initial")
    state.world = replace(state.world, areas=build.real_world().areas, events=())
    set_moment(state, {"turn": USUAL_TURN, **given})
    area = {"axis": "europe"}.get(str(record.get("area", "")), str(record.get("area", "")))
    if "supply_counters" in given or record.get("by") == "placing":
        area = "europe" if side == "axis" else area or "egypt"
    told = next(iter(as_records(given.get("units"))), {})
    full = full_record(case, told)
    unit = unit_from_record(case, {**full, "n": 1, "id": "U"}, side)[0]
    state.world.units["U"] = unit
    due = str(full.get("due", ""))
    if due != "never" and (not due or turn_number(due) <= state.turn):
        state.put_by("U", area)
    if full.get("used_in"):
        used_in_1942(state)
    to = _place(state, record, area, given)
    if record.get("by") == "placing":
        return _placed_unshipped(state, side, to)
    return landing_problems(state, side, "U", to)


def _placed_unshipped(state: State, side: str, to: int | None) -> list[Problem]:
    """An arrival that is to be placed and not shipped: the dice of its voyage are such that it never gets there."""
    drive(land_unit(context(state), side, "U", to, (), "order"), _worst)
    if "U" in state.pieces:
        return []
    text_ = "what starts in Europe comes by sea and is rolled for; nobody places it in Africa"
    return [Problem("must_be_shipped", "WD 29.A.2.ground", text_, "let it be shipped", field="at")]


def _worst(seq: int, roll: Roll) -> tuple[int, ...]:
    """A 12 on the Malta table, a 1 for what it affects."""
    return (6, 6) if roll.kind == "malta" else (1,)


def _air_comes(case: Case, record: Record) -> list[Problem]:
    """An air unit comes in at a base of a region, or of the country that the order names (WD 29.A.1, 29.A.2)."""
    side, named = str(case.given.get("player", "allied")), str(record["at"])
    state = new_state(build.real_world().board, side, "initial")
    state.world = replace(state.world, areas=build.real_world().areas, events=())
    set_moment(state, {"turn": USUAL_TURN, **case.given})
    entry = arrival_entry(state, side, "sicily" if side == "axis" else str(record["area"]))
    at = next(h for h in sorted(state.board.land) if state.board.in_region(h, named) and is_airbase(state, h))
    return place_problems(state, "the air unit", entry, at)


def _place(state: State, record: Record, area: str, given: Record) -> int | None:
    """The hex that an order names: a place, or an edge of the map as the case says who holds it."""
    named = str(record.get("at", ""))
    board = state.board
    if named.endswith("_edge"):
        spots = [board.find(name) for row in state.world.areas if row.get("area") == named for name in _ground(row)]
        h = next(h for h in spots if h in board.land and board.terrain(h) == "clear")
        owner = as_record(given.get("hex")).get("controlled_by")
        if owner is not None:
            state.control[h] = str(owner)
        return h
    return find_hex(board, named) if named else None


def _ground(row: Mapping[str, object]) -> list[str]:
    found = row.get("ground")
    return [str(name) for name in found] if isinstance(found, list) else []

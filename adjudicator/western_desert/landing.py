"""Where arrivals come in: places, ports and their capacity, and the order ``reinforce`` (WD 29.A, 26.A, 26.B.1).

What waits to come in lies in the box of its area; what is not placed by an order comes in at the first place that takes
it. An owner may keep it waiting as long as he likes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from adjudicator.engine.core import Ctx, Order, Problem, Proc
from adjudicator.western_desert.air.arriving import arrival_problems, land_air, muster_bases, waiting_air
from adjudicator.western_desert.control import settle
from adjudicator.western_desert.graph import LEVANT, SOUTH_AFRICAN, graph_for, graph_of, home_of
from adjudicator.western_desert.orderbook import area_hexes, area_of, area_title, is_area, short
from adjudicator.western_desert.sea.sailing import sail
from adjudicator.western_desert.sea.tunisia import ENTRY, VIA, send, send_problems
from adjudicator.western_desert.sea.voyages import (
    AFRICA,
    ARRIVES,
    COUNTER,
    POINT,
    POINT_RE2,
    STEP_RE2,
    TUNISIA,
    UNIT,
    Item,
    danger,
    date_problems,
    port_problems,
    transport_re2,
    turned_problems,
)
from adjudicator.western_desert.stacking import fits
from adjudicator.western_desert.state import State, World
from adjudicator.western_desert.theatre.forces import READY, barred_reinforcement
from adjudicator.western_desert.theatre.vichy import admitted
from adjudicator.western_desert.units import number
from adjudicator.western_desert.walk import south_africans
from adjudicator.western_desert.world import text

By = tuple[int, ...]
SEA = "sea"
SOUTH_EDGE, EUROPE = "south_edge", "europe"
OPEN_AREAS = (SOUTH_EDGE, TUNISIA)
"""Areas whose hexes a side need not control: any on the south edge of map 18, those next to Tunisia (WD 29.A.1.edges,
32.C.entry)."""
NOT_SHIPPED = "no"
EIGHTHS = 8
DELAY = "yes"
LANDED = {"greece_table": "WD 29.C.1.placing", TUNISIA: ENTRY, READY: "WD 29.A.2.special"}
"""Rules by which a unit comes in, where that is not the common one."""


# --- places -----------------------------------------------------------------------------------------------------


def place_problems(
    state: State, side: str, ids: Sequence[str], h: int, rule: str, held: bool = True
) -> list[Problem]:
    """What keeps units from being placed in a hex: enemies, neutral ground, control, stacking at the phase's end.
    ``held`` is False for places that their side need not control."""
    where, problems = state.board.feature_names(h), []
    if graph_of(state, side).closed(h):
        problems.append(Problem("neutral", "WD 28.C", f"{where} is neutral ground", "name another place", field="at"))
    elif any(home_of(state, uid) == SOUTH_AFRICAN and graph_for(state, uid).closed(h) for uid in ids):
        problems.append(south_africans(state.board, h, "at"))
    elif state.enemy_in(h, side):
        problems.append(Problem("enemy", "WD 8.B.coexist", f"{where} is held by the enemy", field="at"))
    elif held and state.owner(h) != side and not admitted(state, side, h):
        text_ = f"{where} is not controlled by the {side} side"
        problems.append(Problem("control", rule, text_, "name a place that is", field="at"))
    if not fits(state, h, side, ids):
        text_ = f"{where} has no room: the stacking limit would be exceeded at the end of the phase"
        problems.append(Problem("stacking", "WD 8.A", text_, "name a place with room", field="at"))
    return problems


# --- what waits -------------------------------------------------------------------------------------------------


def waiting(state: State, side: str) -> list[str]:
    """Ground units of a side that wait in the box of an area, in order of area and id."""
    found = [
        (kept.box, uid)
        for uid, kept in state.boxes.items()
        if uid in state.world.units and state.world.units[uid].side == side and is_area(state.world, kept.box)
    ]
    return [uid for _box, uid in sorted(found)]


def landing_problems(state: State, side: str, uid: str, h: int | None) -> list[Problem]:
    """What keeps a unit that waits from coming in at a hex; one that is not due does not come (WD 29, 29.A)."""
    kept, name = state.boxes.get(uid), short(state.world, uid) or "the order"
    unit = state.world.units.get(uid)
    if unit is None or kept is None or unit.side != side or not is_area(state.world, kept.box):
        barred = barred_reinforcement(state, uid) if unit is not None else ""
        if barred:
            return [Problem("used_special", "WD 29.A.2.nospecial", barred, "leave it out", field="units")]
        own = ", ".join(short(state.world, u) for u in waiting(state, side)) or "nothing"
        text_ = f"{name} is not due: the order of battle does not bring it to the {side} side now"
        if uid in state.pieces and unit is not None and unit.side == side:
            text_ = f"{name} is on the map already, in {state.board.feature_names(state.hex_of(uid))}"
        return [Problem("not_due", "WD 29", text_, f"waiting: {own}", field="units")]
    size2 = 0 if formed_there(state.world, uid) else transport_re2(unit)
    return turned_problems(state, [uid]) or area_problems(state, side, kept.box, [uid], h, size2, name)


def area_problems(
    state: State, side: str, area: str, ids: Sequence[str], h: int | None, re2: int, name: str
) -> list[Problem]:
    """What keeps something of an area from coming in at a hex: the place, its port, its stack.

    WD 29.A.1.egypt, 29.A.1.cities, 29.A.1.malta, 29.A.1.edges, 29.A.2.ground.
    """
    row, title = area_of(state.world, area), area_title(state.world, area)
    rule = _rule(row, area)
    places = area_hexes(state, area) if area != READY else muster_bases(state, side, next(iter(ids), ""))
    if h is None:
        text_ = f"no place of {title} takes {name} now"
        return [Problem("no_place", rule, text_, "it waits", field="at")]
    if h not in places:
        names = _places(state, area, places)
        text_ = f"{name} comes in {title}; {state.board.feature_names(h)} is no place of it"
        return [Problem("place", rule, text_, f"the places are {names}", field="at")]
    problems = place_problems(state, side, ids, h, rule, held=area not in OPEN_AREAS)
    if text(row, "by") != SEA or not re2:
        return problems
    return problems + port_problems(state, side, h, re2) + date_problems(state, side, h)


def places_of(state: State, side: str, uid: str) -> tuple[int, ...]:
    """Where a unit that waits may come in by itself, the best first: special forces at bases near their invasion hex
    (WD 29.A.2.special), all others in the hexes of their area."""
    kept = state.boxes.get(uid)
    if kept is None:
        return ()
    return muster_bases(state, side, uid) if kept.box == READY else tuple(_unasked(state, side, kept.box))


def _rule(row: object, area: str) -> str:
    """The paragraph of an area (WD 29.A.1)."""
    names = {"egypt": "egypt", "palestine": "cities", "delta": "cities", "east_edge": "edges", SOUTH_EDGE: "edges"}
    names["malta"] = "malta"
    others = {"greece_table": "WD 29.C.1.placing", EUROPE: "WD 29.A.2.ground", TUNISIA: ENTRY}
    others[READY] = "WD 29.A.2.special"
    return f"WD 29.A.1.{names[area]}" if area in names else others.get(area, "WD 29.A")


def _places(state: State, area: str, hexes: Sequence[int]) -> str:
    if area == EUROPE:
        return "ports that its side controls"
    if len(hexes) > 12:
        return f"{len(hexes)} hexes of {area_title(state.world, area)}"
    return ", ".join(state.board.feature_names(h) for h in hexes)


def landing_place(state: State, side: str, uid: str) -> int | None:
    """The first place of its area that takes a unit; None where none does."""
    return _first(places_of(state, side, uid), lambda h: landing_problems(state, side, uid, h))


def _unasked(state: State, side: str, area: str) -> list[int]:
    """The places of an area for what no order places: the Axis ships by itself to Africa only, not into the Levant (WD
    28.C.1) and not to islands."""
    return [h for h in area_hexes(state, area) if side != "axis" or _in_africa(state, h)]


def _in_africa(state: State, h: int) -> bool:
    return any(state.board.in_region(h, country) for country in AFRICA)


def fronts(state: State, area: str) -> list[int]:
    """The places of an area that programs choose among: from Europe they send nobody to an island or to Palestine."""
    return [
        h
        for h in area_hexes(state, area)
        if area != EUROPE or _in_africa(state, h) or state.board.in_region(h, LEVANT)
    ]


def _first(places: Sequence[int], problems: Callable[[int], Sequence[Problem]]) -> int | None:
    return next((h for h in places if not problems(h)), None)


# --- orders -----------------------------------------------------------------------------------------------------


def reinforce(ctx: Ctx[State], side: str, order: Order, by: By) -> Proc[set[str]]:
    """Carry out an order ``reinforce``, in the initial phase of the turn or any later one (WD 29.A); returns what it
    speaks of: units, counters, kinds of points."""
    state = ctx.state
    units, counters = order.texts("units") or order.texts("unit"), order.texts("counters") or order.texts("counter")
    rp, at, airs = order.text("rp"), order.text("at"), order.texts("air")
    named = {*units, *counters, *airs, *([rp] if rp else [])}
    h = state.board.find(at) if at else None
    if order.text(VIA):
        problems = send_problems(state, side, order)
        if problems:
            ctx.void(order, problems, by)
        else:
            yield from send(ctx, side, order, by)
        return named
    if order.text("delay") == DELAY:
        problems = _delay_problems(state, side, units, (*counters, *airs), rp)
        if problems:
            ctx.void(order, problems, by)
        return named
    problems = _all_problems(state, side, units, counters, rp, h)
    problems += [problem for aid in airs for problem in arrival_problems(state, side, aid, h)]
    if problems:
        ctx.void(order, problems, by)
        return named
    for uid in units:
        yield from land_unit(ctx, side, uid, h, by, "order", str(order.index))
    for sid in counters:
        yield from land_counter(ctx, side, sid, h, by, "order", str(order.index))
    for aid in airs:
        land_air(ctx, side, aid, h, by, "order", str(order.index))
    if rp:
        yield from land_rp(ctx, side, rp, h, by, str(order.index))
    return named


def _delay_problems(
    state: State, side: str, units: Sequence[str], counters: Sequence[str], rp: str
) -> list[Problem]:
    known = waiting(state, side) + waiting_air(state, side) + [sid for sid, d in state.depots.items() if d.side == side]
    strange = [name for name in (*units, *counters) if name not in known]
    if rp and not state.afar.get(rp):
        strange.append(rp)
    return [
        Problem("not_due", "WD 29", f"{short(state.world, name)} does not wait to come in", "leave it out")
        for name in strange
    ]


def _all_problems(
    state: State, side: str, units: Sequence[str], counters: Sequence[str], rp: str, h: int | None
) -> list[Problem]:
    """The faults of an order as a whole: each thing by itself, then their sizes and stack together."""
    found: list[Problem] = []
    trial = state.copy()
    for uid in units:
        to = h if h is not None else landing_place(trial, side, uid)
        problems = landing_problems(trial, side, uid, to)
        found += problems
        if not problems and to is not None:
            _count_in(trial, uid, to)
            trial.place(uid, to)
    for sid in counters:
        found += counter_problems(trial, side, sid, h if h is not None else counter_place(trial, side, sid))
    if rp:
        found += rp_problems(trial, side, rp, h if h is not None else rp_place(trial, side, rp))
    return found


def _count_in(state: State, uid: str, h: int) -> None:
    size2 = shipped_re2(state, uid)
    if size2:
        state.used2[h] = state.used2.get(h, 0) + size2


def shipped_re2(state: State, uid: str) -> int:
    """Half REs with which a unit that waits uses the port where it lands; 0 for one that does not come by sea."""
    by_sea = text(area_of(state.world, state.boxes[uid].box), "by") == SEA
    return transport_re2(state.world.units[uid]) if by_sea and not formed_there(state.world, uid) else 0


def formed_there(world: World, uid: str) -> bool:
    """Whether a unit is formed where it comes in, and not shipped there (``shipped: no`` of its entry)."""
    found = world.cache.get("formed where they come in")
    if not isinstance(found, frozenset):
        found = frozenset(text(row, "unit") for row in world.events if row.get("shipped") == NOT_SHIPPED)
        world.cache["formed where they come in"] = found
    return uid in found


def land_unit(ctx: Ctx[State], side: str, uid: str, h: int | None, by: By, choice: str, order: str = "") -> Proc[bool]:
    """Ship and place a unit that waits; False where no place takes it or it is turned back or sunk (WD 26.C, 28.D). It
    uses its port, not the limit of shipping, pays no MPs, and may act at once.

    WD 26.B.1, 29.A.naval, 29.A.1.malta, 29.A.2.ground.
    """
    state = ctx.state
    to = h if h is not None else landing_place(state, side, uid)
    if to is None or landing_problems(state, side, uid, to):
        return False
    box, size = state.boxes[uid].box, shipped_re2(state, uid)
    if size:
        found = yield from sail(ctx, side, Item(UNIT, uid, size), None, to, by, choice=choice, order=order, box=box)
        if found.end.result != ARRIVES:
            return False
        size = 0 if found.what else size
    ctx.emit(
        "landed",
        LANDED.get(box, "WD 29.A"),
        by,
        unit=uid,
        hex=state.board.name(to),
        box=box,
        re=number(Fraction(size, 2)) if size else "",
        step="cadre" if state.boxes[uid].cadre else "",
        choice=choice,
        order=order,
    )
    settle(ctx, [to], by=by)
    return True


# --- supply counters and replacement points ---------------------------------------------------------------------


def counter_problems(state: State, side: str, sid: str, h: int | None) -> list[Problem]:
    """What keeps a supply counter that waits from landing in a hex."""
    depot = state.depots.get(sid)
    if depot is None or depot.side != side:
        own = ", ".join(s for s, d in sorted(state.depots.items()) if d.side == side) or "nothing"
        text_ = f"{sid or 'the order'} is no supply counter that waits to come in"
        return [Problem("not_due", "WD 29", text_, f"waiting: {own}", field="counters")]
    return turned_problems(state, [sid]) or area_problems(state, side, depot.box, (), h, STEP_RE2 * depot.steps, sid)


def counter_place(state: State, side: str, sid: str) -> int | None:
    """The first place of its area that takes a supply counter."""
    depot = state.depots.get(sid)
    return _first(_unasked(state, side, depot.box) if depot else (), lambda h: counter_problems(state, side, sid, h))


def land_counter(
    ctx: Ctx[State], side: str, sid: str, h: int | None, by: By, choice: str, order: str = ""
) -> Proc[bool]:
    """Ship and place a supply counter that waits; False where no place takes it or it is turned back or sunk."""
    state = ctx.state
    to = h if h is not None else counter_place(state, side, sid)
    if to is None or counter_problems(state, side, sid, to):
        return False
    depot, steps = state.depots[sid], state.depots[sid].steps
    size = STEP_RE2 * steps if text(area_of(state.world, depot.box), "by") == SEA else 0
    if size:
        item = Item(COUNTER, sid, size, steps)
        found = yield from sail(ctx, side, item, None, to, by, choice=choice, order=order, box=depot.box)
        if found.end.result != ARRIVES:
            return False
        steps, size = found.end.steps, 0 if found.what else size
    ctx.emit(
        "supply-landed",
        LANDED.get(depot.box, "WD 29.A"),
        by,
        counter=sid,
        side=side,
        hex=state.board.name(to),
        steps=str(steps),
        box=depot.box,
        re=number(Fraction(size, 2)) if size else "",
        choice=choice,
        order=order,
    )
    return True


def rp_area(world: World, key: str) -> str:
    """The area where replacement points come ashore: Egypt for the Allies, from Europe for the Axis (WD 29.B.ship)."""
    nat = key.removesuffix("_non_armor").removesuffix("_armor")
    axis = any(unit.nat == nat and unit.side == "axis" for unit in world.units.values())
    return EUROPE if axis else "egypt"


def rp_problems(state: State, side: str, key: str, h: int | None) -> list[Problem]:
    """What keeps replacement points from being shipped to a port: a point is one RE; those of the Axis go to Africa (WD
    29.B.ship)."""
    have = state.afar.get(key, 0)
    area = rp_area(state.world, key)
    if not have or (area == EUROPE) != (side == "axis"):
        kinds = ", ".join(sorted(k for k, v in state.afar.items() if v)) or "nothing"
        text_ = f"no {key} points wait to come in"
        return [Problem("not_due", "WD 29.B.ship", text_, f"waiting: {kinds}", field="rp")]
    if area == EUROPE and h is not None and not _in_africa(state, h):
        text_ = f"replacement points are shipped to Africa; {state.board.feature_names(h)} lies elsewhere"
        return [Problem("africa", "WD 29.B.ship", text_, "name a port in Libya or Egypt", field="at")]
    return turned_problems(state, [key]) or area_problems(state, side, area, (), h, _rp_re2(have), f"{key} points")


def _rp_re2(eighths: int) -> int:
    return -(-POINT_RE2 * eighths // EIGHTHS)


def rp_place(state: State, side: str, key: str) -> int | None:
    """The first port that takes the points that wait."""
    return _first(_unasked(state, side, rp_area(state.world, key)), lambda h: rp_problems(state, side, key, h))


def land_rp(ctx: Ctx[State], side: str, key: str, h: int | None, by: By, order: str = "") -> Proc[bool]:
    """Ship the points that wait to a port, each by itself, where they are at hand at once; False where no port takes
    them (WD 29.B.ship)."""
    state = ctx.state
    to = h if h is not None else rp_place(state, side, key)
    if to is None or rp_problems(state, side, key, to):
        return False
    if not danger(state, side, None, to):
        _points_ashore(ctx, side, key, to, state.afar[key], by)
        return True
    waits, n, area = state.afar[key], 0, rp_area(state.world, key)
    while waits > 0:
        eighths, n = min(waits, EIGHTHS), n + 1
        waits -= eighths
        points = number(Fraction(eighths, EIGHTHS))
        item = Item(POINT, key, _rp_re2(eighths), n)
        found = yield from sail(ctx, side, item, None, to, by, points=points, order=order, box=area)
        if found.end.result == ARRIVES:
            _points_ashore(ctx, side, key, to, eighths, by, shipped=True)
    return True


def _points_ashore(
    ctx: Ctx[State], side: str, key: str, to: int, eighths: int, by: By, shipped: bool = False
) -> None:
    ctx.emit(
        "points-landed",
        "WD 29.B.ship",
        by,
        side=side,
        rp=key,
        hex=ctx.state.board.name(to),
        points=number(Fraction(eighths, EIGHTHS)),
        re="" if shipped else number(Fraction(_rp_re2(eighths), 2)),
    )

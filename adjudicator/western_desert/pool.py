"""The replacement pool and replacement points: what is eliminated, replaced, rebuilt and scrapped (WD 29.B, 28.B.1).

Points are counted in eighths, so that a scrapped Italian battalion keeps its worth (ruling RP-FRACTION). The pool are
the units that are ``eliminated``; what is lost for good has another fate.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from adjudicator.engine.core import Ctx, Order, Problem
from adjudicator.western_desert.air import arriving
from adjudicator.western_desert.control import settle
from adjudicator.western_desert.graph import SOUTH_AFRICAN, home_of
from adjudicator.western_desert.hexes import neighbours
from adjudicator.western_desert.landing import place_problems
from adjudicator.western_desert.orderbook import ELIMINATED, area_hexes, short
from adjudicator.western_desert.retreating import DISARRAY_NATIONS, DISARRAY_TURN
from adjudicator.western_desert.stacking import fits
from adjudicator.western_desert.state import CADRE, State, turn_name
from adjudicator.western_desert.theatre.malta_pool import RULE as MALTA_RULE
from adjudicator.western_desert.theatre.malta_pool import in_pool, key_of, places
from adjudicator.western_desert.units import Unit, number
from adjudicator.western_desert.victory.points import STORE

By = tuple[int, ...]
EIGHTHS = 8
ARMOR, NON_ARMOR = "armor", "non_armor"
ANY = "any"
"""Points of no nationality: the air replacement points of the Allies."""
AXIS_PLACES, ALLIED_PLACES, FREE_FRENCH_PLACES = "axis_replacements", "allied_replacements", "levant"
FREE_FRENCH = "free_french"
ITALIAN_NATIONS = ("italian", "libyan")


# --- figures ----------------------------------------------------------------------------------------------------


def rp_kind(unit: Unit) -> str:
    """Armor points for armored units, the others for all else; a headquarters is no armored unit (WD 29.B,
    29.B.cost)."""
    return ARMOR if unit.armored and unit.size != "headquarters" else NON_ARMOR


def rp_key(unit: Unit) -> str:
    """The points a unit is replaced with: of its nationality and kind (WD 28.B.1)."""
    return f"{unit.nat}_{rp_kind(unit)}"


def cost8(unit: Unit) -> int:
    """What a unit in the pool costs: a point for each RE, a division one more (WD 29.B, 29.B.cost)."""
    return EIGHTHS * unit.re2 // 2 + (EIGHTHS if unit.division else 0)


def rebuild8(unit: Unit) -> int:
    """What a cadre costs to be a division again: the sizes of both differ by that (WD 29.B.cadre)."""
    return EIGHTHS * (unit.division_re2 - unit.re2) // 2


def scrap8(unit: Unit) -> int:
    """What a scrapped unit brings: half a point for each RE, an Italian one a quarter (WD 29.B.scrap)."""
    return EIGHTHS * unit.re2 // (8 if unit.nat in ITALIAN_NATIONS else 4)


def points_text(points8: int) -> str:
    """Points in words: ``1 1/2``."""
    return number(Fraction(points8, EIGHTHS))


def rp_words(key: str) -> str:
    """``British non-armor``; points of any nationality are the Allies'."""
    if key.startswith(STORE):
        return f"{rp_words(key.removeprefix(STORE))} (on Malta)"
    if key.startswith(f"{ANY}_"):
        return f"Allied {rp_words(key.removeprefix(f'{ANY}_'))}"
    for kind, said in ((NON_ARMOR, "non-armor"), (ARMOR, "armor"), ("air", "air")):
        if key == kind:
            return said
        if key.endswith(f"_{kind}"):
            return f"{key.removesuffix(f'_{kind}').replace('_', ' ').title()} {said}"
    return key


# --- points -----------------------------------------------------------------------------------------------------


def change_points(ctx: Ctx[State], side: str, key: str, eighths: int, rule: str, by: By, why: str) -> None:
    """Add points to those at hand, or take some."""
    left = ctx.state.points.get(key, 0) + eighths
    _points(ctx, side, key, "hand", eighths, left, rule, by, why)


def _points(
    ctx: Ctx[State], side: str, key: str, where: str, eighths: int, left: int, rule: str, by: By, why: str
) -> None:
    sign = "-" if eighths < 0 else ""
    change, rest = f"{sign}{points_text(abs(eighths))}", points_text(left) if left else ""
    ctx.emit("points", rule, by, side=side, rp=key, where=where, points=change, left=rest, why=why)


def receive_points(ctx: Ctx[State], side: str, key: str, eighths: int, rule: str, by: By, shipped: bool) -> None:
    """Points that the order of battle brings; those forfeited before are taken from them first (WD 29.C.missing)."""
    owed = min(ctx.state.owed.get(key, 0), eighths)
    if owed:
        left = ctx.state.owed[key] - owed
        _points(ctx, side, key, "owed", -owed, left, "WD 29.C.missing", by, "forfeited by an earlier withdrawal")
    rest = eighths - owed
    if rest and shipped:
        _points(ctx, side, key, "afar", rest, ctx.state.afar.get(key, 0) + rest, rule, by, "to be shipped")
    elif rest:
        change_points(ctx, side, key, rest, rule, by, "received")


def forfeit_points(ctx: Ctx[State], side: str, unit: Unit, by: By) -> int:
    """Take the replacement cost of a unit; the eighths that are still owed."""
    return forfeit(ctx, side, rp_key(unit), cost8(unit), by)


def forfeit(ctx: Ctx[State], side: str, key: str, due: int, by: By) -> int:
    """Take points from those at hand, the rest from the next that arrive; the eighths that are still owed (WD
    29.C.missing)."""
    paid = min(ctx.state.points.get(key, 0), due)
    if paid:
        change_points(ctx, side, key, -paid, "WD 29.C.missing", by, "forfeited")
    owed = due - paid
    if owed:
        total = ctx.state.owed.get(key, 0) + owed
        _points(ctx, side, key, "owed", owed, total, "WD 29.C.missing", by, "forfeited from the next arrivals")
    return owed


def spare8(state: State, side: str) -> dict[str, int]:
    """The points of a side at hand, by nationality and kind."""
    nations = {unit.nat for unit in state.world.units.values() if unit.side == side}
    nations |= {ANY} if side == "allied" else set()
    known = _keys(nations)
    held = sorted(state.points.items())
    return {key: have for key, have in held if have and key.removeprefix(STORE).rsplit("_", 1)[0] in known}


def _keys(nations: Iterable[str]) -> set[str]:
    return {word for nat in nations for word in (nat, f"{nat}_non")}


# --- orders -----------------------------------------------------------------------------------------------------


def pool_of(state: State, side: str) -> list[str]:
    """The ground units in the replacement pool of a side, in order of id."""
    return sorted(u for u, why in state.gone.items() if why == ELIMINATED and state.world.units[u].side == side)


def replace_problems(state: State, side: str, uid: str, h: int | None) -> list[Problem]:
    """What keeps a unit in the pool from being replaced in a hex (WD 29.B, 29.B.1, 29.B.2, 29.B.3)."""
    problems = _pool_problems(state, side, uid, "replaced", "WD 29.B")
    if problems:
        return problems
    unit = state.unit(uid)
    problems += _short_problems(state, uid, key_of(state, uid, rp_key(unit)), cost8(unit))
    if in_pool(state, uid):
        return problems + _on_malta(state, side, uid, h)
    rule = {"axis": "WD 29.B.1"}.get(side, "WD 29.B.3" if unit.nat == FREE_FRENCH else "WD 29.B.2")
    if h is None:
        text = f"no place is free where {short(state.world, uid)} may appear"
        return [*problems, Problem("place", rule, text, "name a hex: at:", field="at")]
    if h not in area_hexes(state, replacement_area(unit)):
        names = ", ".join(state.board.feature_names(n) for n in area_hexes(state, replacement_area(unit)))
        text = f"{short(state.world, uid)} may not appear in {state.board.feature_names(h)}"
        return [*problems, Problem("place", rule, text, f"the places are {names}", field="at")]
    return problems + place_problems(state, side, [uid], h, rule)


def _on_malta(state: State, side: str, uid: str, h: int | None) -> list[Problem]:
    """What keeps a unit of the pool of Malta from being placed in a hex: it appears on the island only (WD 33.B)."""
    if h is not None and h in places(state):
        return place_problems(state, side, [uid], h, MALTA_RULE)
    text = f"{short(state.world, uid)} was lost on Malta and is placed there"
    return [Problem("place", MALTA_RULE, text, "name a hex of the island: at:", field="at")]


def replacement_hexes(state: State, uid: str) -> tuple[int, ...]:
    """The hexes where a replaced unit may appear (WD 29.B.1, 29.B.2, 29.B.3, 33.B)."""
    return places(state) if in_pool(state, uid) else area_hexes(state, replacement_area(state.world.units[uid]))


def replacement_area(unit: Unit) -> str:
    """The area where replaced units of a kind appear (WD 29.B.1, 29.B.2, 29.B.3)."""
    if unit.side == "axis":
        return AXIS_PLACES
    return FREE_FRENCH_PLACES if unit.nat == FREE_FRENCH else ALLIED_PLACES


def _pool_problems(state: State, side: str, uid: str, verb: str, rule: str) -> list[Problem]:
    unit = state.world.units.get(uid)
    if unit is None or unit.side != side or state.gone.get(uid) != ELIMINATED:
        own = ", ".join(short(state.world, u) for u in pool_of(state, side)) or "nothing"
        text = f"{short(state.world, uid) or 'the order'} is not in the replacement pool of the {side} side"
        return [Problem("pool_only", rule, text, f"the pool holds {own}", field="unit")]
    if uid in state.still:
        text = f"{short(state.world, uid)} was eliminated in Greece and may not be {verb} in this turn"
        return [Problem("greece", "WD 29.C.1.placing", text, "do it next turn", field="unit")]
    return []


def _short_problems(state: State, uid: str, key: str, cost: int) -> list[Problem]:
    have = state.points.get(key, 0)
    if have >= cost:
        return []
    text = (
        f"{short(state.world, uid)} costs {points_text(cost)} {rp_words(key)} replacement points, "
        f"{points_text(have)} are at hand"
    )
    rule = "WD 28.B.1" if _others_have(state, key, cost) else "WD 29.B.cost"
    rule = MALTA_RULE if key.startswith(STORE) else rule
    return [Problem("rp_short", rule, text, "leave the order out", field="unit")]


def _others_have(state: State, key: str, cost: int) -> bool:
    """Whether points of another nationality would do, if nationality did not count (WD 28.B.1)."""
    kind = NON_ARMOR if key.endswith(NON_ARMOR) else ARMOR
    same = {k: v for k, v in state.points.items() if (NON_ARMOR if k.endswith(NON_ARMOR) else ARMOR) == kind}
    return any(have >= cost for k, have in same.items() if k != key)


def replace_unit(ctx: Ctx[State], side: str, order: Order, by: By) -> None:
    """Bring units of the pool back (WD 29.B). An order without a place takes the first that is free."""
    state = ctx.state
    ids = order.texts("units") or order.texts("unit")
    for aid in order.texts("air"):
        at_ = state.board.find(order.text("at")) if order.text("at") else None
        problems = arriving.replace_problems(state, side, aid, at_)
        if problems:
            ctx.void(order, problems, by)
            return
        key, why = arriving.air_key(state, aid), f"{short(state.world, aid)} replaced"
        change_points(ctx, side, key, -arriving.POINT8, "WD 29.B.cost", by, why)
        arriving.back_from_pool(ctx, side, aid, at_, by, order)
    for uid in ids:
        h = state.board.find(order.text("at")) if order.text("at") else replacement_place(state, side, uid)
        problems = replace_problems(state, side, uid, h)
        if problems or h is None:
            ctx.void(order, problems, by)
            return
        unit, where, at = state.unit(uid), state.board.name(h), str(order.index)
        step = CADRE if uid in state.reduced else ""
        cost = cost8(unit)
        key = key_of(state, uid, rp_key(unit))
        change_points(ctx, side, key, -cost, "WD 29.B.cost", by, f"{short(state.world, uid)} replaced")
        ctx.emit("replaced", "WD 29.B", by, unit=uid, hex=where, cost=points_text(cost), step=step, order=at)
        settle(ctx, [h], by=by)


def replacement_place(state: State, side: str, uid: str) -> int | None:
    """The first place where a replaced unit may appear."""
    unit = state.world.units.get(uid)
    for h in replacement_hexes(state, uid) if unit is not None else ():
        if not place_problems(state, side, [uid], h, "WD 29.B"):
            return h
    return None


def scrap_problems(state: State, side: str, uid: str) -> list[Problem]:
    """What keeps a unit from being scrapped: only units in the pool are (WD 29.B.scrap), Italian ones not on Dec I 40
    (WD 28.A.3.turn), South Africans never where that is played (WD 32.A.sa)."""
    problems = _pool_problems(state, side, uid, "scrapped", "WD 29.B.scrap")
    unit = state.world.units.get(uid)
    if unit is not None and state.turn == DISARRAY_TURN and unit.nat in DISARRAY_NATIONS:
        text = f"{short(state.world, uid)} is Italian; nothing Italian is scrapped on {turn_name(state.turn)}"
        problems.append(Problem("disarray", "WD 28.A.3.turn", text, "scrap it later", field="units"))
    if unit is not None and home_of(state, uid) == SOUTH_AFRICAN:
        text = f"{short(state.world, uid)} is South African and may not be scrapped"
        problems.append(Problem("south_africans", "WD 32.A.sa", text, "leave it in the pool", field="units"))
    return problems


def scrap_units(ctx: Ctx[State], side: str, order: Order, by: By) -> None:
    """Take units out of the pool for good, for replacement points (WD 29.B.scrap)."""
    state = ctx.state
    ids = list(dict.fromkeys(order.texts("units") or order.texts("unit")))
    problems = [problem for uid in ids for problem in scrap_problems(state, side, uid)]
    if problems:
        ctx.void(order, problems, by)
        return
    ctx.emit("scrapped", "WD 29.B.scrap", by, units=[*ids], side=side, order=str(order.index))
    gained: dict[str, int] = {}
    for uid in ids:
        unit = state.unit(uid)
        gained[rp_key(unit)] = gained.get(rp_key(unit), 0) + scrap8(unit)
    for key in sorted(gained):
        change_points(ctx, side, key, gained[key], "WD 29.B.scrap", by, "scrapped units")


# --- cadres -----------------------------------------------------------------------------------------------------


def rebuild_problems(state: State, side: str, uid: str) -> list[Problem]:
    """What keeps a cadre from being rebuilt (WD 29.B.cadre)."""
    if uid not in state.pieces or state.world.units[uid].side != side or not state.pieces[uid].cadre:
        text = f"{short(state.world, uid) or 'the order'} is no cadre of the {side} side on the map"
        return [Problem("no_cadre", "WD 29.B.cadre", text, "leave the order out", field="unit")]
    unit = state.unit(uid)
    return [
        *work_problems(state, uid, "WD 29.B.cadre"),
        *_short_problems(state, uid, rp_key(unit), rebuild8(unit)),
        *_crowd_problems(state, uid),
    ]


def _crowd_problems(state: State, uid: str) -> list[Problem]:
    """A cadre counts as no division for stacking (WD 3.A.2): rebuilt, it must fit at the end of the phase (WD 8.B)."""
    trial, h = state.copy(), state.hex_of(uid)
    trial.flip(uid, cadre=False)
    if fits(trial, h, state.world.units[uid].side):
        return []
    said = f"{state.board.feature_names(h)} has no room for {short(state.world, uid)} at full strength"
    return [Problem("stacking", "WD 8.A", said, "move a division away", field="unit")]


def work_problems(state: State, uid: str, rule: str) -> list[Problem]:
    """What a unit that is rebuilt or converted needs: general supply, and no enemy unit next to it (WD 29.B, 29.D)."""
    found: list[Problem] = []
    name, h = short(state.world, uid), state.hex_of(uid)
    if not state.pieces[uid].gs:
        found.append(Problem("supply", rule, f"{name} is out of general supply", "leave the order out", field="unit"))
    enemies = [e for n in neighbours(h) for e in state.enemies_at(n, state.world.units[uid].side)]
    if enemies:
        who = ", ".join(short(state.world, e) for e in enemies)
        text = f"{name} is next to enemy units: {who}"
        found.append(Problem("adjacent_enemy", rule, text, "leave the order out", field="unit"))
    return found


def rebuild_cadre(ctx: Ctx[State], side: str, order: Order, by: By) -> None:
    """Turn cadres to their full side for points (WD 29.B.cadre)."""
    state = ctx.state
    for uid in order.texts("units") or order.texts("unit"):
        problems = rebuild_problems(state, side, uid)
        if problems:
            ctx.void(order, problems, by)
            return
        unit, cost = state.unit(uid), rebuild8(state.unit(uid))
        change_points(ctx, side, rp_key(unit), -cost, "WD 29.B.cadre", by, f"{short(state.world, uid)} rebuilt")
        where = state.board.name(state.hex_of(uid))
        ctx.emit("rebuilt", "WD 29.B.cadre", by, unit=uid, hex=where, cost=points_text(cost), order=str(order.index))


def rebuildable(state: State, side: str) -> Sequence[str]:
    """Cadres that could be rebuilt now."""
    return [uid for uid in state.side_units(side) if not rebuild_problems(state, side, uid)]

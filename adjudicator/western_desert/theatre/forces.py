"""The forces of special operations: their pools, who is in an operation, what hangs on it (WD 27.B, 29.A.2). Pure."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Mapping

from adjudicator.engine.core import Problem
from adjudicator.western_desert.history import first_forces
from adjudicator.western_desert.orderbook import short
from adjudicator.western_desert.state import State, World, turn_name, turn_number
from adjudicator.western_desert.theatre import special
from adjudicator.western_desert.theatre.record import Operation
from adjudicator.western_desert.theatre.special import GERMAN_1941, GERMAN_1942, POOLS, SIDE
from adjudicator.western_desert.world import Record, text

AIRBORNE, SEABORNE = "airborne", "seaborne"
READY, AT_SEA = "special", "special_seaborne"
"""Boxes of the forces announced for this player turn: of those that come by air, and by sea."""


# --- the pools --------------------------------------------------------------------------------------------------


def pool_rows(world: World) -> dict[str, dict[str, Record]]:
    """The entries of the pools by unit and pool; steps of supply have none, they are no units (WD 27.B)."""
    kept = world.cache.get("special forces")
    if isinstance(kept, dict):
        return kept
    found: dict[str, dict[str, Record]] = {}
    for row in world.events:
        if text(row, "kind") == "special" and text(row, "unit"):
            found.setdefault(text(row, "unit"), {})[pool_of(row)] = row
    world.cache["special forces"] = found
    return found


def pool_of(row: Record) -> str:
    """The pool of an entry of the order of battle."""
    name = text(row, "pool")
    return next(pool for pool in POOLS if name.startswith(pool))


def pool_on(world: World, uid: str, turn: int) -> str:
    """The pool out of which a unit would go in on a turn; "" for one that is in none."""
    pools = pool_rows(world).get(uid, {})
    dates = {pool: [turn_number(name) for name in special.DATES[pool]] for pool in pools}
    if special.GERMAN_1941 in dates:
        dates[special.GERMAN_1941][0] = turn_number(first_forces(world))
    return next((pool for pool in sorted(pools) if dates[pool][0] <= turn <= dates[pool][1]), min(pools, default=""))


def wave_of(world: World, uid: str) -> str:
    """Whether a unit of the pools comes by air or by sea."""
    return next((text(row, "wave") for row in pool_rows(world).get(uid, {}).values()), "")


def pool_box(pool: str) -> str:
    """The box in which the forces of a pool lie."""
    return f"special_pool_19{special.DATES[pool][1].rsplit(' ', 1)[-1]}"


def used_1941(state: State) -> bool:
    """Whether forces of 1941 were used, which puts off those of 1942 (WD 27.B.1)."""
    return any(one.split("/")[0] == special.GERMAN_1941 for one in state.theatre.spent)


def parts_of(state: State, uid: str) -> list[str]:
    """The components of a division of the pools (WD 15.C)."""
    return _components(state.world).get(uid, [])


def _components(world: World) -> dict[str, list[str]]:
    """The listed components by division, each in order of id."""
    kept = world.cache.get("components")
    if isinstance(kept, dict):
        return kept
    found: dict[str, list[str]] = {}
    for row in world.events:
        if text(row, "kind") == "component":
            insort(found.setdefault(text(row, "of"), []), text(row, "unit"))
    world.cache["components"] = found
    return found


# --- who is in one ----------------------------------------------------------------------------------------------


def fresh(state: State) -> list[Operation]:
    """The operations of this turn that have not been used yet."""
    return [one for one in state.theatre.operations if one.turn == state.turn and not one.used]


def entering(state: State, uid: str) -> Operation | None:
    """The operation of a unit that enters play with it on this turn."""
    one = state.theatre.operation(uid)
    return one if one is not None and one.turn == state.turn else None


def idle_problems(state: State, uid: str) -> list[Problem]:
    """What keeps a unit that waits for its operation from doing anything else (WD 27.A)."""
    one = state.theatre.operation(uid)
    if one is None or one.used:
        return []
    text_ = f"{short(state.world, uid)} waits for its special operation and does nothing else"
    return [Problem("operation", special.RULE, text_, "leave it out")]


def may_drop(state: State, side: str, uid: str) -> bool:
    """Whether a unit may be dropped anywhere: of the Axis player's only who enters with an operation now (WD 27.A)."""
    return side != SIDE or (entering(state, uid) is not None and wave_of(state.world, uid) != SEABORNE)


def planned_drop_problems(state: State, side: str, uid: str, target: int) -> list[Problem]:
    """What keeps an Axis unit from being dropped on a hex: it was not planned for this turn and hex (WD 27.A)."""
    if side != SIDE:
        return []
    name = short(state.world, uid)
    if not may_drop(state, side, uid):
        text_ = f"no airborne operation of {name} is planned for {turn_name(state.turn)}"
        return [Problem("unplanned", special.RULE, text_, "drop units whose operation was announced", field="carry")]
    return planned_lift_problems(state, side, uid, target)


def planned_lift_problems(state: State, side: str, uid: str, target: int) -> list[Problem]:
    """On its turn of entry a unit, or who carries it, goes to the hex that was planned (WD 27.A)."""
    one = entering(state, uid) if side == SIDE else None
    if one is None or one.hex == target:
        return []
    where, name = state.board.feature_names(one.hex), short(state.world, uid)
    text_ = f"{name} is planned for {where}, and {state.board.feature_names(target)} is another hex"
    return [Problem("planned_hex", special.RULE, text_, f"fly to {where}", field="to")]


def in_operation(state: State, uid: str) -> Operation | None:
    """The operation that a unit, or the division whose component it is, was used in."""
    one = state.theatre.operation(uid)
    if one is None:
        whole = next((one for one in state.theatre.operations if uid in parts_of(state, one.unit)), None)
        one = whole if whole is not None and uid in state.pieces else None
    return one if one is not None and one.used else None


def always_supplied(state: State) -> set[str]:
    """Airborne units are in general supply throughout their operation (WD 27.B.supply)."""
    if not state.theatre.operations:
        return set()
    used = {uid: in_operation(state, uid) for uid in state.side_units(SIDE)}
    return {uid for uid, one in used.items() if one is not None and special.supplied_general(wave(state, one))}


def wave(state: State, one: Operation) -> bool:
    """True for an operation by air."""
    return wave_of(state.world, one.unit) != SEABORNE


def attack_supplied(state: State, uids: Iterable[str]) -> set[str]:
    """Units in attack supply because they enter with their operation on this turn (WD 27.B.supply)."""
    if not state.theatre.operations:
        return set()
    used: Mapping[str, Operation | None] = {uid: in_operation(state, uid) for uid in uids}
    return {
        uid for uid, one in used.items() if one is not None and special.supplied_attack(state.turn - one.turn)
    }


def barred_reinforcement(state: State, uid: str) -> str:
    """Why a reinforcement doesn't arrive: it, or a German parachute unit, was used in 1942; "" where nothing bars it
    (WD 29.A.2.nospecial)."""
    row = next((r for r in state.world.events if text(r, "unit") == uid and text(r, "unless_special")), None)
    if row is None:
        return ""
    used = [one.split("/", 1) for one in sorted(state.theatre.spent)]
    if text(row, "unless_special") == "own":
        found = [unit for pool, unit in used if unit in (uid, *parts_of(state, uid)) and pool != GERMAN_1941]
    else:
        found = [unit for pool, unit in used if pool == GERMAN_1942 and unit in state.world.units]
    if not found:
        return ""
    names = short(state.world, found[0])
    return f"{short(state.world, uid)} does not arrive: {names} was used in a special operation of 1942"

"""The order of battle as the rules read it: what a turn brings, to whom, who may stand for another unit (WD 29)."""

from __future__ import annotations

from collections.abc import Iterable

from adjudicator.western_desert.state import BREAKDOWN, LAST_TURN, LISTED, State, World, turn_name, turn_number
from adjudicator.western_desert.units import Unit
from adjudicator.western_desert.world import Record, text, texts

ELIMINATED = "eliminated"
ALWAYS = "yes"
GAINED = "levant"
"""What some entries are counted from: the turn on which the Allied player gains control of the Levant."""
LAND = ("reinforce", "supply", "withdraw", "return", "convert", "replacement", "special", "component")
"""Kinds that an initial phase carries out. Supply movement points are read where they are spent (haul.py), what can be
assembled is found by itself (divisions.py), points to repair Malta come with the rules of Malta."""
AIR = "air"


def rows_of(state: State, *kinds: str) -> list[Record]:
    """The entries of these kinds that fall due in the initial phase of the phasing side, in the order of the pack."""
    return [] if state.surprise else due_on(state, state.player, state.turn, *kinds)


def due_on(state: State, side: str, turn: int, *kinds: str) -> list[Record]:
    """The entries of these kinds that fall due in the initial phase of a side on a turn, in the order of the pack (WD
    29)."""
    if _in_set_up(state.world, side, turn):
        return []
    now = turn_name(turn)
    own = (row for row in state.world.events if row.get("side") == side and row.get("kind") in kinds)
    return [row for row in own if row.get("turn") == now or _follows(state, row, turn)]


def _follows(state: State, row: Record, turn: int) -> bool:
    """Whether an entry falls due so many turns after the Allied player gained control of the Levant (WD 29.B.3)."""
    held, later = state.theatre.held, text(row, "turns")
    return text(row, "after") == GAINED and bool(held) and turn == held + int(later)


def free_french_turn(gained: int, world: World) -> int:
    """The turn on which the Free French replacement point comes, when the Levant was gained on a turn (WD 29.B.3)."""
    row = next(row for row in world.events if text(row, "after") == GAINED)
    return gained + int(text(row, "turns"))


def _in_set_up(world: World, side: str, turn: int) -> bool:
    """True where the set-up holds what the turn brings already (``events_done`` of the scenario)."""
    done = world.scenario.get("events_done")
    last = done.get(side) if isinstance(done, dict) else None
    return isinstance(last, str) and turn <= turn_number(last)


def is_air(world: World, row: Record) -> bool:
    """Whether an entry is about air units or their replacement points."""
    named = [text(row, "unit"), *texts(row, "from"), *texts(row, "to")]
    return text(row, "rp") == AIR or any(name and name not in world.units for name in named)


def missing(state: State) -> str:
    """Why play can't go on into an initial phase: the pack has no order of battle, and the turn is not the first."""
    begun = turn_number(text(state.world.scenario, "start", turn_name(1)))
    if state.world.events or state.turn <= begun or state.phase == "victory":
        return ""
    phase = f"the initial phase of the {state.player} side on {turn_name(state.turn)}"
    return f"{phase} needs the order of battle, which this pack does not have"


def last_turn(state: State) -> int:
    """The last game turn of the scenario; that of the campaign is Jan II 43 (WD 31.A)."""
    end = text(state.world.scenario, "end")
    return turn_number(end) if end else LAST_TURN


# --- areas ------------------------------------------------------------------------------------------------------


def area_of(world: World, name: str) -> Record:
    """An area of arrival. Raises KeyError for a word that is none."""
    return next(row for row in world.areas if text(row, "area") == name)


def area_hexes(state: State, name: str) -> tuple[int, ...]:
    """The hexes of an area where ground units and supplies come in, in order of number."""
    key = ("area", name)
    found = state.world.cache.get(key)
    if not isinstance(found, tuple):
        row = next((row for row in state.world.areas if text(row, "area") == name), {})
        found = state.world.cache[key] = tuple(sorted(state.board.find(h) for h in texts(row, "ground")))
    return found


def area_title(world: World, name: str) -> str:
    """An area in words."""
    row = next((row for row in world.areas if text(row, "area") == name), None)
    return text(row, "title", name) if row is not None else name.replace("_", " ")


def is_area(world: World, name: str) -> bool:
    """Whether a box is an area of arrival."""
    return any(text(row, "area") == name for row in world.areas)


# --- units that stand for others --------------------------------------------------------------------------------


def alike(one: Unit, two: Unit, nation: bool = True) -> bool:
    """Whether a unit may go or be converted for another: nationality (WD 28.B.1), size, type and strength the same (WD
    29.C)."""
    same = (one.side, one.size, one.type, one.hq_of, one.attack, one.defense, one.aa, one.aa_type)
    other = (two.side, two.size, two.type, two.hq_of, two.attack, two.defense, two.aa, two.aa_type)
    return same == other and (not nation or one.nat == two.nat)


class Place:
    """Where a unit can be taken from, the best first."""

    MAP, CADRE, BOX, LIST = "map", "cadre", "box", "list"
    WAITING, POOL, NOWHERE = "waiting", "pool", "nowhere"


def place_of(state: State, uid: str) -> str:
    """Where a unit is: on the map, as a cadre there, in the box of a division, on the list of garrisons (WD 33.C),
    waiting to come in, in the pool; a cadre in the pool serves for nobody (rulings CADRE-POOL, WITHDRAW-CADRE)."""
    if uid in state.pieces:
        return Place.CADRE if state.pieces[uid].cadre else Place.MAP
    if state.gone.get(uid) == ELIMINATED:
        return Place.NOWHERE if uid in state.reduced else Place.POOL
    kept = state.boxes.get(uid)
    if kept is None or kept.box == BREAKDOWN:
        return Place.NOWHERE
    if kept.box == LISTED:
        return Place.CADRE if kept.cadre else Place.LIST
    if kept.of in state.boxes and state.boxes[kept.of].box == LISTED:
        return Place.BOX
    if kept.of in state.pieces:
        return Place.CADRE if state.pieces[kept.of].cadre else Place.BOX
    if kept.of and kept.of in state.boxes and state.boxes[kept.of].box == BREAKDOWN:
        return Place.BOX
    return Place.WAITING if is_area(state.world, kept.box) else Place.NOWHERE


def standing_for(state: State, uid: str, nation: bool = True, among: Iterable[str] | None = None) -> list[str]:
    """All units that may go for one, itself first, in order of id."""
    unit = state.world.units[uid]
    ids = sorted(state.world.units if among is None else among)
    return [uid, *(other for other in ids if other != uid and alike(unit, state.world.units[other], nation))]


def named(state: State, ids: Iterable[str]) -> str:
    """Counters by the names players use."""
    return ", ".join(short(state.world, uid) for uid in ids)


def short(world: World, uid: str) -> str:
    """A ground or air unit by the name players use."""
    unit = world.units.get(uid)
    if unit is not None:
        return unit.short or uid
    return text(world.air.get(uid, {}), "short") or uid



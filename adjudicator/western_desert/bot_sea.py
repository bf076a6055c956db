"""Orders of chance at sea: a unit or supply counter that lies in a port is shipped to another (bots.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Order, Tree
from adjudicator.western_desert.bases import port_row
from adjudicator.western_desert.mover import Field
from adjudicator.western_desert.sea.convoys import ORDER, plan_ship
from adjudicator.western_desert.sea.malta import AIRBASE, PORT, STATUS
from adjudicator.western_desert.sea.siege import Repairs, works_of
from adjudicator.western_desert.state import MALTA, MALTA_POOL, State
from adjudicator.western_desert.theatre.vichy import admitted

Row = dict[str, Tree]
Room = Callable[[str, int], bool]
REPAIR_SHARE = 0.6
SHIP_SHARE = 0.3


def ports_of(state: State, side: str) -> list[int]:
    """The ports that a side controls, or is admitted to, in order of number."""
    own = [h for h in sorted(state.control) if state.owner(h) == side or admitted(state, side, h)]
    return [h for h in own if port_row(state, h) is not None]


def ship_rows(
    fld: Field, side: str, units: Sequence[str], counters: Sequence[str], room: Room, chance: Chance
) -> list[Row]:
    """At most one voyage of a phase: what may be shipped to a port where there is ``room`` for it."""
    if not chance.likely(SHIP_SHARE):
        return []
    able = [*_voyages(fld, side, units, counters, room), *_point_voyages(fld, side)]
    return [chance.pick(able)] if able else []


def _voyages(fld: Field, side: str, units: Sequence[str], counters: Sequence[str], room: Room) -> Iterator[Row]:
    state = fld.state
    ports = ports_of(state, side)
    afloat = [("unit", uid, state.hex_of(uid)) for uid in units]
    afloat += [("counter", sid, state.supply[sid].hex) for sid in counters]
    for key, name, h in afloat:
        for to in ports if h in ports else ():
            row: Row = {"type": ORDER, key: name, "to": state.board.name(to)}
            if (
                to != h
                and not plan_ship(fld, side, Order(0, ORDER, row)).problems
                and (key != "unit" or room(name, to))
            ):
                yield row


def _point_voyages(fld: Field, side: str) -> Iterator[Row]:
    """A replacement point at hand to Malta, from each port that it may leave (WD 33.B)."""
    state = fld.state
    if not state.world.plays(MALTA_POOL):
        return
    ports = ports_of(state, side)
    for key in sorted(state.points):
        for h in ports:
            for to in (to for to in ports if state.board.in_region(to, MALTA)):
                row: Row = {"type": ORDER, "rp": key, "points": "1", "from": state.board.name(h)}
                row["to"] = state.board.name(to)
                if not plan_ship(fld, side, Order(0, ORDER, row)).problems:
                    yield row


def malta_rows(state: State, side: str, chance: Chance) -> list[Row]:
    """Now and then an order for the repair points of Malta, where there is work for them (WD 28.D)."""
    points = 0 if state.surprise else Repairs(state, side).points
    works = works_of(state, points)
    useful = [what for what in (STATUS, PORT, AIRBASE) if points and works.useful(what)]
    if not useful or not chance.likely(REPAIR_SHARE):
        return []
    row: Row = {"type": "malta_repair", "what": chance.pick(useful)}
    return [{**row, "points": "1"}] if chance.likely(0.5) else [row]

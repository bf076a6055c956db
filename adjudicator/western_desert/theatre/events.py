"""How the events of the theatre change the state: the Levant, pressure on Vichy France, raids, disarray,
special operations (WD 27, 28)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from adjudicator.engine.core import Event
from adjudicator.engine.event_fields import text_in, texts_in
from adjudicator.western_desert.graph import NATIONS
from adjudicator.western_desert.state import ASSEMBLED, PERMANENT, VICHY, State, turn_number
from adjudicator.western_desert.theatre.forces import parts_of
from adjudicator.western_desert.theatre.record import Operation
from adjudicator.western_desert.theatre.special import ITALIAN

NOT_HELD = "no"
ELIMINATED, AUSTRALIAN = "eliminated", "australian"
WITH_MALTA = "lost with Malta"
"""Why an air unit of the pool of Malta is out of play."""


def _levant(state: State, event: Event) -> None:
    state.levant = text_in(event, "state")
    if text_in(event, "invaded"):
        state.theatre = replace(state.theatre, invaded=turn_number(text_in(event, "invaded")))
    gained = text_in(event, "gained")
    if gained:
        state.theatre = replace(state.theatre, held=0 if gained == NOT_HELD else turn_number(gained))


def _pool_lost(state: State, event: Event) -> None:
    """All in the pool of Malta is lost for good, and the points stored there (WD 33.B)."""
    for uid in texts_in(event, "units"):
        state.boxes.pop(uid, None)
        state.gone[uid] = PERMANENT if uid in state.world.units else WITH_MALTA
    for key in texts_in(event, "rp"):
        state.points.pop(key, None)
    state.theatre = replace(state.theatre, malta_pool=frozenset())


def _invasion(state: State, event: Event) -> None:
    allied = text_in(event, "side") == "allied"
    invaded = turn_number(text_in(event, "turn")) if allied else state.theatre.invaded
    theirs = (h for h, info in state.board.land.items() if info.cities and state.owner(h) == VICHY)
    cities = frozenset(theirs) if text_in(event, "held") == "axis" else frozenset()
    state.theatre = replace(state.theatre, vichy=text_in(event, "held"), invaded=invaded, vichy_cities=cities)
    state.swear(text_in(event, "held"))


def _pressure(state: State, event: Event) -> None:
    state.theatre = replace(state.theatre, grant=text_in(event, "grant"))


def _raid(state: State, event: Event) -> None:
    state.theatre = replace(state.theatre, raided=state.turn)


def _raided(state: State, event: Event) -> None:
    state.air[text_in(event, "air")].operative = False


def _disarray(state: State, event: Event) -> None:
    state.air[text_in(event, "air")].operative = text_in(event, "state") == "operative"


def _plans(state: State, event: Event) -> None:
    at = (turn_number(text_in(event, "turn")), int(text_in(event, "message")))
    state.theatre = replace(state.theatre, sealed=(*state.theatre.sealed, at))


def _lists(state: State, event: Event) -> None:
    at = (turn_number(text_in(event, "turn")), int(text_in(event, "message")))
    state.theatre = replace(state.theatre, lists=(*state.theatre.lists, at))


def _garrison_listed(state: State, event: Event) -> None:
    """Units leave the map for the written list (WD 33.C)."""
    for uid in texts_in(event, "units"):
        state.enlist(uid, text_in(event, "area"), int(text_in(event, "message")))


def _garrison_due(state: State, event: Event) -> None:
    state.theatre = replace(state.theatre, due=state.theatre.due | {text_in(event, "area")})


def _garrison_shown(state: State, event: Event) -> None:
    """The units of an area are on the map again (WD 33.C)."""
    rows = event.data["units"]
    assert isinstance(rows, list)
    for row in (row for row in rows if isinstance(row, dict)):
        uid = str(row["unit"])
        state.bring_back(uid, state.board.find(str(row["hex"])), "step" in row, "dot" in row)


def _special_announced(state: State, event: Event) -> None:
    rows = event.data["units"]
    assert isinstance(rows, list)
    told = [row for row in rows if isinstance(row, dict)]
    found = [
        Operation(str(row["unit"]), str(row["pool"]), state.turn, state.board.find(str(row["hex"]))) for row in told
    ]
    state.theatre = replace(state.theatre, operations=(*state.theatre.operations, *found))


def _special_used(state: State, event: Event) -> None:
    units = texts_in(event, "units")
    second = text_in(event, "wave") == "second"
    operations = tuple(
        replace(one, used=True, second=second) if one.unit in units else one for one in state.theatre.operations
    )
    spent = {f"{one.pool}/{one.unit}" for one in operations if one.used}
    spent |= {f"{ITALIAN}/supply"} if text_in(event, "steps") else set()
    state.theatre = replace(state.theatre, operations=operations, spent=state.theatre.spent | spent)


def _special_landed(state: State, event: Event) -> None:
    """A unit is ashore in its invasion hex, beside enemies or not; like one that was dropped it exerts no zone (WD
    27.C.zoc)."""
    uid = text_in(event, "unit")
    state.place(uid, state.board.find(text_in(event, "hex")))
    state.pieces[uid].seaborne = True
    state.set_dropped(uid, True)


def _special_over(state: State, event: Event) -> None:
    """Units leave their operation: off the map into a box, all but those that are out of play already."""
    box = text_in(event, "box")
    for uid in texts_in(event, "units"):
        for part in parts_of(state, uid) if box else ():
            if part in state.pieces:
                state.put_by(part, ASSEMBLED, uid)
        if box:
            state.put_by(uid, box)
            state.air.pop(uid, None)
        state.theatre = state.theatre.without(uid)


def note_pool(state: State) -> None:
    """Remember which Australian units have been in the replacement pool, where that is asked (WD 32.A.aus)."""
    if state.world.plays(NATIONS):
        units = state.world.units
        pool = {uid for uid, why in state.gone.items() if why == ELIMINATED and units[uid].nat == AUSTRALIAN}
        state.theatre = state.theatre.remembering(pool)


THEATRE_APPLY: dict[str, Callable[[State, Event], None]] = {
    "levant": _levant,
    "invasion": _invasion,
    "pressure": _pressure,
    "raid": _raid,
    "raided": _raided,
    "disarray": _disarray,
    "plans": _plans,
    "special-announced": _special_announced,
    "special-used": _special_used,
    "special-landed": _special_landed,
    "special-over": _special_over,
    "pool-lost": _pool_lost,
    "lists": _lists,
    "garrison-listed": _garrison_listed,
    "garrison-due": _garrison_due,
    "garrison-shown": _garrison_shown,
}
